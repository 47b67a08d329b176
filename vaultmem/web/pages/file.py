"""A file: rendered, with its properties, what leads to it, its history, its source, and an edit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from vaultmem.api import location
from vaultmem.api.types import Commit, Draft, Record
from vaultmem.api.views import View
from vaultmem.api.views.types import ViewedCard, ViewedFile
from vaultmem.errors import Unavailable, Unreadable, VaultError
from vaultmem.records import DERIVED
from vaultmem.web.pages.history import files_of
from vaultmem.web.pages.since import told
from vaultmem.web.rendering import diffs, markdown, templates, times
from vaultmem.web.rendering.diffs import FileDiff
from vaultmem.web.types import Asked, Page, Reader

_VERSIONS = 30
_LINKED = 60
_LISTED = 24
"""Values of one property that are shown."""
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?")
_TECHNICAL = frozenset({
    "id", "claims", "written", "policies", "origin", "op", "prompt", "model", "memory_range_start",
    "memory_range_end", "memory_count", "faithfulness", "coverage", "recent_coverage",
    "compression", "covers_from", "covers_to", "turn_range_start", "turn_range_end", "applied",
    "distilled", "degraded", "accepted", "tier", "earlier_digest", "category", "key", "updated",
    "description",
})  # fmt: skip
"""Properties that few look for: they are shown behind a click."""
_PART = "it has lines of other agents, which are not shown here"
_APART = frozenset({"title", "type", "agent"})
_SPEAKS = ("relationship", "speaker")
"""Says of a card that its person talks here, which who is no relation of anybody's does."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a file, and where its values lead, "" for nowhere; *more* are not shown."""

    name: str
    values: tuple[tuple[str, str], ...]
    more: int
    folded: bool


@dataclass(frozen=True, slots=True)
class FilePage:
    """All that is shown of a file.

    *versions* are the commits that touched it; *changes* is the diff of the one that is asked for.
    *since*, in the past, is what became of it by now, *links_since* of what leads to it. *why_not*
    says why it is not edited, else *draft* is what its form begins with.
    """

    file: ViewedFile
    title: str
    html: Markup
    properties: tuple[Property, ...]
    backlinks: Sequence[Record]
    more_backlinks: int
    versions: Sequence[Commit]
    chosen: str
    changes: tuple[FileDiff, ...]
    since: tuple[FileDiff, ...]
    since_said: str
    links_since: Mapping[str, str]
    why_not: str
    draft: Draft | None
    card: ViewedCard | None
    elsewhere: tuple[tuple[str, str], ...]
    places: tuple[tuple[str, str], ...]


def query(reader: Reader, asked: Asked) -> FilePage:
    """Return the page of the file at the path in the address; raises as `View.file` does."""
    return shown(reader, asked, asked.rest)


def shown(reader: Reader, asked: Asked, path: str) -> FilePage:
    """Return the page of the file at *path*."""
    view, found = reader.view, reader.view.file(path)
    is_text = found.record.type == "file"
    linked = () if is_text else (*markdown.linked(found.body, path), *_links(found))
    links = view.resolve(linked)
    titles = view.titles(links.values())
    backlinks = view.backlinks(found.record) if found.record.type != "transcript" else ()
    chosen = asked.fields.get("commit", "")
    versions = _versions(reader, asked, path)
    since, said = _since(reader, asked, found)
    draft, why_not = _draft(reader, asked, found)
    record = found.record
    return FilePage(
        file=found,
        title=record.title or _first(found) or _said_by(record) or templates.path_label(path),
        html=_html(found, links, titles, asked),
        properties=tuple(_properties(found, links, titles, asked)),
        backlinks=backlinks[:_LINKED],
        more_backlinks=max(len(backlinks) - _LINKED, 0),
        versions=versions,
        chosen=chosen,
        changes=_changes(reader, asked, path, chosen, versions),
        since=since,
        since_said=said,
        links_since=told(reader, asked, [r.path for r in backlinks[:_LINKED]]),
        why_not=why_not,
        draft=draft,
        card=_card(view, record),
        elsewhere=_elsewhere(str(reader.vault.path / path)),
        places=tuple(_places(path)),
    )


def _first(found: ViewedFile) -> str:
    if found.record.type == "memory":
        return ""
    line = next((x for x in found.body.split("\n") if x.startswith("# ")), "")
    return line.removeprefix("# ").strip()


def _said_by(record: Record) -> str:
    """Return who said a memory and when: its words stand below."""
    parts = (record.speaker or record.agent, times.exact(record.created))
    return ", ".join(filter(None, parts)) if record.type == "memory" else ""


def _html(
    found: ViewedFile, links: Mapping[str, str], titles: Mapping[str, str], asked: Asked
) -> Markup:
    if found.record.type == "transcript":
        return Markup("")
    if found.record.type == "file":
        return Markup("<pre>{}</pre>").format(found.body)
    asks = found.record.type in DERIVED and not asked.as_of

    def why(line: int) -> str:
        return templates.url(asked.as_of, "/why", ref=f"{found.path}:{line}")

    def file_url(path: str) -> str:
        return templates.file_url(asked.as_of, path)

    context = markdown.Context(
        found.path, links, file_url, why if asks else None, found.body_line, titles
    )
    return markdown.html(found.body, context)


def _links(found: ViewedFile) -> list[str]:
    values = (v for value in found.properties.values() for v in _values(value)[:_LISTED])
    return [name for value in values for name in markdown.linked(value)]


def _properties(
    found: ViewedFile, links: Mapping[str, str], titles: Mapping[str, str], asked: Asked
) -> list[Property]:
    made = []
    for name, value in found.properties.items():
        if name in _APART or (name, value) == _SPEAKS:
            continue
        held = _values(value)
        shown = tuple(_shown(v, links, titles, asked) for v in held[:_LISTED])
        if name == "session" and found.record.agent:
            where = f"/session/{found.record.agent}/{found.record.session}"
            shown = tuple((said, templates.url(asked.as_of, where)) for said, _ in shown)
        made.append(Property(name, shown, max(len(held) - _LISTED, 0), folded=name in _TECHNICAL))
    return made


def _values(value: object) -> list[str]:
    if isinstance(value, dict):
        return [f"{key}: {inner}" for key, inner in value.items()]
    return [*map(str, value)] if isinstance(value, list | tuple) else [str(value)]


def _shown(
    value: str, links: Mapping[str, str], titles: Mapping[str, str], asked: Asked
) -> tuple[str, str]:
    """Return what a value says, a link by the title of what it leads to, and where it leads."""
    path = next((links[name] for name in markdown.linked(value) if name in links), "")
    href = templates.file_url(asked.as_of, path) if path else ""
    if value.startswith("[["):
        name = value.removeprefix("[[").removesuffix("]]")
        return titles.get(path) or templates.path_label(name), href
    return times.exact(value) if _TIME.fullmatch(value) else value, href


def _versions(reader: Reader, asked: Asked, path: str) -> Sequence[Commit]:
    try:
        agent = asked.options.agent
        found = reader.vault.history.versions(path, agent=agent, limit=_VERSIONS)
    except Unavailable:
        return ()
    return [it for it in found if not asked.as_of or it.when <= reader.view.when]


def _changes(
    reader: Reader, asked: Asked, path: str, chosen: str, versions: Sequence[Commit]
) -> tuple[FileDiff, ...]:
    """Return what the commit *chosen* did to the file, where it is one of its *versions*."""
    commit = next((v.commit for v in versions if chosen and v.commit.startswith(chosen)), "")
    return files_of(asked, reader.vault.history.file_diff(commit, path)) if commit else ()


def _since(reader: Reader, asked: Asked, then: ViewedFile) -> tuple[tuple[FileDiff, ...], str]:
    """Return what became of a file of the past by now, and that in a sentence."""
    if not asked.as_of:
        return (), ""
    with reader.vault.views.at(agent=asked.options.agent) as view:
        try:
            now = view.file(then.path)
        except VaultError:
            return (), "It is not there any more."
    if now.sha256 == then.sha256:
        return (), "It has not changed since."
    return diffs.parsed(diffs.between(then.path, then.text, now.text)), "It has changed since."


def _draft(reader: Reader, asked: Asked, found: ViewedFile) -> tuple[Draft | None, str]:
    """Return the file as it is edited, or why it is not."""
    why_not = reader.vault.edits.why_not(found.path, found.record.type)
    why_not = why_not or ("" if reader.view.shows_all_of(found.path) else _PART)
    if why_not or not asked.may_write:
        return None, why_not
    try:
        draft = reader.vault.edits.draft(found.path)
        draft.text.encode()
    except UnicodeEncodeError:
        return None, "it is not UTF-8: save it again as UTF-8"
    except VaultError as e:
        return None, str(e)
    return draft, ""


def _card(view: View, record: Record) -> ViewedCard | None:
    if record.type != "card" or not record.path.startswith("cards/") or record.problem:
        return None
    try:
        return view.card(record.path)
    except Unreadable:
        return None


def _elsewhere(file: str) -> tuple[tuple[str, str], ...]:
    """Return the programs that may open *file*: name, and address."""
    return (
        ("Obsidian", location.in_obsidian(file)),
        ("VS Code", f"vscode://file{quote(file)}"),
    )


def _places(path: str) -> list[tuple[str, str]]:
    """Return the folders on the way to *path*: name, and address of what is in it."""
    parts = path.split("/")
    return [(part, "/".join(parts[: n + 1])) for n, part in enumerate(parts[:-1])]


PAGE = Page("/file/{rest:path}", "File", "file.html", query)
