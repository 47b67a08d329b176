"""What of the text that an agent brings may be stored, and as what."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Literal

from vaultmem.documents import secrets
from vaultmem.documents.frontmatter import Field
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.memory.remember import LARGEST, encodable, refuse_secrets
from vaultmem.records import Record
from vaultmem.storage import files, reader
from vaultmem.storage.transcripts import A_TOOL

_LARGEST_TEXT = 1 << 20
"""Bytes of a text that is kept as it is."""


def clean(text: str, path: str = "") -> str:
    """Return *text*, which an agent brings, without its `<private>` parts, fit to be stored.

    *path* is where it shall be all of a file. Raises BadInput for what no note can hold,
    SecretFound for a credential.
    """
    if len(text) > (most := _most(path)):
        raise BadInput(f"the text is longer than {most // 1024} KiB: split it")
    if not encodable(text) or "\0" in text:
        raise BadInput("the text contains an invalid character: take it out")
    kept = secrets.strip_private(text)
    # A key with invisible letters in it is a key.
    bare = kept if kept.isascii() else "".join(c for c in kept if c.isprintable() or c in "\n\t")
    refuse_secrets("the text", kept, bare)
    return kept


def public_field(key: str, value: Field) -> Field:
    """Return the *value* of the field *key* without its private parts; raises BadInput for none."""
    if isinstance(value, str):
        kept: Field = secrets.strip_private(value)
    elif isinstance(value, int | float):
        return value
    else:
        kept = list(secrets.public_items(value))
    if secrets.private_parts(key) or (value and not kept):
        raise BadInput("the field is not set: all of it, or its name, is private")
    return kept


def _most(path: str) -> int:
    """Return how many bytes the file at *path* may have."""
    return _LARGEST_TEXT if files.is_text(path) else LARGEST


def names(path: str, text: str = "") -> tuple[str, ...]:
    """Return what stands for a note in lists: the names in *path*, headings, fields of its head."""
    doc = reader.parsed(path, text)
    fields = (line.partition(":")[2] for line in doc.head.splitlines())
    headings = (line.lstrip("#") for line in doc.body.splitlines() if line.startswith("#"))
    return (*path.removesuffix(".md").split("/"), *(x.strip() for x in (*fields, *headings)))


Whose = Literal["agent", "tool", "web"]
"""Whose words an agent brings, as it says itself: its own, a tool's, a page's."""


def source_of(tool: str, whose: Whose = "agent") -> Whose:
    """Return the source of a text that is *whose*, and quotes *tool*, "" for none."""
    return "tool" if tool and whose == "agent" else whose


def teller(tool: str, whose: Whose) -> str:
    """Return who said a text that is *whose*, and quotes *tool*: "" for the agent itself."""
    return tool or {"agent": "", "tool": A_TOOL, "web": "a page"}[whose]


def check_markable(path: str, tool: str) -> None:
    """Raise Refused where a *tool* said it: a text cannot tell whose its words are."""
    if tool and files.is_text(path):
        raise Refused(
            f"{tool} said this, and {path} has no frontmatter to say so; nothing was written: "
            "keep it in a note in Markdown, or ask the person"
        )


def check_quotes(record: Record, agent: str, tool: str) -> None:
    """Raise Refused where *agent* would put a *tool*'s words into a note that others vouch for.

    All of it would be untrusted then, and their words would leave recall.
    """
    check_markable(record.path, tool)
    is_own = record.source == "agent" and record.agent == agent
    if tool and not is_own and record.trust != "untrusted":
        raise Refused(
            f"{tool} said this, and {record.path} is not the agent's own; nothing was written: "
            "keep it in a new note, or ask the person"
        )


def fit(path: str, data: bytes, was: int = 0) -> bytes:
    """Return *data*, what the file at *path* shall hold; raises BadInput where it is too long."""
    if len(data) > max(most := _most(path), was):
        raise BadInput(f"{path} would be longer than {most // 1024} KiB: split it")
    return data


@contextlib.contextmanager
def naming(path: str) -> Iterator[None]:
    """Say of a file that cannot be trusted which it is."""
    try:
        yield
    except Unreadable as e:
        raise Unreadable(e.code, f"{path}: {e.why}") from e
