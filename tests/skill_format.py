"""Say what of the Agent Skills format a `SKILL.md` breaks: agentskills.io/specification."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Value
from vaultmem.errors import Unreadable
from vaultmem.knowledge.skills.types import LONGEST_DESCRIPTION, LONGEST_NAME

LONGEST_COMPATIBILITY = 500
"""Characters."""

MOST_LINES = 500
"""A body has fewer lines: all of it is loaded when the skill is used."""

_KEYS = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def faults(text: str, folder: str) -> list[str]:
    """Return what is wrong with the *text* of a skill in the folder of that name; none is well."""
    try:
        doc = frontmatter.parse(text)
        raw = frontmatter.fields(doc)
    except Unreadable as e:
        return [f"frontmatter: {e.why}"]
    if not doc.opening:
        return ["frontmatter: there is none"]
    return [*_name(raw, folder), *_texts(raw), *_metadata(raw), *_body(doc.body)]


def _name(raw: Mapping[str, Value], folder: str) -> Iterator[str]:
    name = raw.get("name")
    if not isinstance(name, str) or not name:
        yield "name: it is missing"
        return
    if len(name) > LONGEST_NAME:
        yield f"name: {len(name)} characters, {LONGEST_NAME} are the most"
    if not _NAME.fullmatch(name):
        yield "name: only a-z, 0-9 and single hyphens within"
    if name != folder:
        yield f"name: {name!r} is not its folder's name, {folder!r}"


def _texts(raw: Mapping[str, Value]) -> Iterator[str]:
    description = raw.get("description")
    if not isinstance(description, str) or not description.strip():
        yield "description: it is missing"
    for key, most in (
        ("description", LONGEST_DESCRIPTION),
        ("compatibility", LONGEST_COMPATIBILITY),
    ):
        value = raw.get(key, "")
        if isinstance(value, str) and len(value) > most:
            yield f"{key}: {len(value)} characters, {most} are the most"
    for key in ("license", "compatibility", "allowed-tools"):
        if not isinstance(raw.get(key, ""), str):
            yield f"{key}: it is no text"
    for key in sorted(raw.keys() - _KEYS):
        yield f"{key}: no key of the format; metadata is the place for it"


def _metadata(raw: Mapping[str, Value]) -> Iterator[str]:
    more = raw.get("metadata", {})
    if not isinstance(more, dict):
        yield "metadata: it is no mapping"
        return
    yield from (f"metadata: {k} is no text" for k, v in more.items() if not isinstance(v, str))


def _body(body: str) -> Iterator[str]:
    lines = body.count("\n") + (not body.endswith("\n"))
    if lines >= MOST_LINES:
        yield f"body: {lines} lines, fewer than {MOST_LINES} are allowed"
