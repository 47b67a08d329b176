"""What becomes of a note that comes in: its own bytes, and a few lines of frontmatter of ours.

`origin` names where it lies and the bytes it had, `written` tells later whether somebody changed
the copy. Keys that would mean something to a vault (`supersedes`, `agent`, …) are set aside.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from vaultmem.documents import frontmatter, secrets
from vaultmem.documents import origin as document_origin
from vaultmem.documents.frontmatter import Document, Field, Value
from vaultmem.documents.markdown import code_and_comments, links
from vaultmem.errors import BadInput, SecretFound, Unreadable
from vaultmem.records import Record, first_line, lowest
from vaultmem.storage import files, reader

PREFIX = "knowledge/"
"""How the origin of every imported note begins."""

_DIGITS = 12
_DEPRECATED = "deprecated"
_OURS = ("source:", "trust:", "origin:", "written:")
_KEPT = ("id:", "created:")
"""What an update keeps of the copy, and what a merge takes from either of two machines."""

_OUR_TYPES = """
memory episode summary card topic task skill working config index tombstone experience
"""
_TYPES = frozenset(_OUR_TYPES.split())
_OUR_KEYS = "accepted agent approved claims id op origin superseded_by supersedes tier written"
_MEANT = tuple(_OUR_KEYS.split(" "))
_FILE = re.compile(r"\.(?!md$|markdown$)(?=[0-9]?[a-z])[a-z0-9]{2,5}$", re.IGNORECASE)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)
_HEADING = re.compile(r"(#{1,6}) +(\S.*?)[ #]*")
_MOST_HEADINGS, _TITLE, _HOOK, _LEAD = 60, 200, 160, 1500


@dataclass(frozen=True, slots=True)
class How:
    """How a note is taken in: *redact* blanks secrets out, *titled* lets links by title find it.

    *head* is what its frontmatter is given, *created* where it does not tell its time itself. Of an
    OKF bundle (*bundled*) what is deprecated holds no longer.
    """

    redact: bool = False
    titled: bool = False
    head: Mapping[str, str] = field(default_factory=dict)
    created: str = ""
    bundled: bool = False


def digest(*texts: str) -> str:
    """Return what names *texts* as they are."""
    return hashlib.sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()[:_DIGITS]


def mark(place: str, data: bytes) -> str:
    """Return the origin of a note that lies at *place* and has the bytes *data*."""
    return f"{place}@{files.sha256(data)[:_DIGITS]}"


def place(origin: str) -> str:
    """Return where the note of that *origin* lies, whatever its bytes are."""
    return origin.rpartition("@")[0]


def attachments(text: str) -> list[str]:
    """Return what the links of *text* name beside notes and pages: pictures, PDFs, each once."""
    found = (link.target for link in links.read(text))
    return list(dict.fromkeys(x for x in found if _FILE.search(x) and not _ADDRESS.match(x)))


# --- copied ---------------------------------------------------------------------------------------


def copied(name: str, data: bytes, origin: str, how: How) -> bytes:
    """Return the note *name* as the vault keeps it.

    Raises SecretFound, and BadInput for bytes that cannot be trusted.
    """
    try:
        text = let_in(name, frontmatter.decode(data), redact=how.redact)
        doc = frontmatter.parse(text)
        was = frontmatter.fields(doc)
    except Unreadable as e:
        raise BadInput(f"{name}: {e.why}") from e
    if not text.strip():
        raise BadInput(f"{name}: it is empty")
    known = reader.record("note.md", files.content(data))
    changes: dict[str, Field | None] = {**_set_aside(was), **how.head}
    if how.titled:
        changes |= _alias(name, was)
    if not known.created and how.created:
        changes["created"] = how.created
    if how.bundled and was.get("status") == _DEPRECATED and not known.valid_to:
        changes["valid_to"] = known.updated or known.created or how.created
    if not document_origin.is_fetched(known.source):  # a page's address says more than we could
        changes["source"] = "import"
    changes |= {"trust": _trust(name, known), "origin": origin}
    return _signed(frontmatter.update(doc, changes))


def _trust(name: str, known: Record) -> str:
    """Return what the note *name* is worth by its own word, and by the folders that it lies in."""
    place = document_origin.read({}, folders=name.split("/")[:-1])
    return lowest((place.trust, known.trust))


def let_in(name: str, text: str, *, redact: bool) -> str:
    """Return *text* without its private parts, and with *redact* without secrets.

    Raises SecretFound for one, naming the note.
    """
    kept = secrets.strip_private(text)
    if redact:
        return secrets.redact(kept)
    if found := secrets.find(kept):
        raise SecretFound(name, found[0].rule)
    return kept


def _set_aside(was: Mapping[str, Value]) -> dict[str, Field | None]:
    """Return the changes that keep what *was* there from meaning something here."""
    odd = [key for key in _MEANT if key in was]
    odd += ["type"] * (str(was.get("type", "")) in _TYPES)
    changes: dict[str, Field | None] = {}
    for key in odd:
        value = was[key]
        plain = value if isinstance(value, str) else [x for x in value if isinstance(x, str)]
        changes |= {key: None, f"was_{key}": plain}
    if "type" in odd or "type" not in was:
        changes["type"] = "note"
    return changes


def _alias(name: str, was: Mapping[str, Value]) -> dict[str, Field | None]:
    """Let links by title find the file, whose name is another."""
    title, stem = was.get("title"), name.rpartition("/")[2].rpartition(".")[0]
    wanted = isinstance(title, str) and title and title != stem and "aliases" not in was
    return {"aliases": [title]} if wanted and isinstance(title, str) else {}


def _signed(doc: Document) -> bytes:
    signed = frontmatter.update(doc, {"written": _foreign_digest(doc, (*_OURS, *_KEPT))})
    return frontmatter.render(signed).encode()


def _foreign_digest(doc: Document, ours: tuple[str, ...]) -> str:
    """Return what names the part of *doc* that is not *ours*: other lines of its head, its body."""
    lines = doc.head.splitlines(keepends=True)
    return digest("".join(x for x in lines if not x.startswith(ours)), doc.body)


def is_untouched(data: bytes, origin: str = "") -> bool:
    """Tell whether the copy *data* is as it was written here, from *origin* if that is given.

    Two machines that took in one note name one text, or two, of which a merge keeps both names.
    Earlier versions named it with its id and its date.
    """
    try:
        doc = frontmatter.read(data)
        raw = frontmatter.fields(doc)
    except Unreadable:
        return False
    named = {_foreign_digest(doc, ours) for ours in (_OURS, (*_OURS, *_KEPT))}
    written = str(raw.get("written", "")).split()
    return not named.isdisjoint(written) and origin in {"", raw.get("origin")}


def with_origin(data: bytes, origin: str) -> bytes:
    """Return the copy *data*, which somebody changed, with the *origin* it was compared with."""
    return frontmatter.edited(data, {"origin": origin})


# --- referenced -----------------------------------------------------------------------------------


def referenced(name: str, file: Path, data: bytes, origin: str, how: How) -> bytes:
    """Return a note that says what the file is about and where it lies.

    Raises SecretFound, and BadInput for bytes that cannot be trusted.
    """
    try:
        body = frontmatter.parse(let_in(name, frontmatter.decode(data), redact=how.redact)).body
    except Unreadable as e:
        raise BadInput(f"{name}: {e.why}") from e
    known = reader.record("note.md", files.content(data))
    headings, lead = _outline(body)
    title = known.title or (headings[0].strip("- ") if headings else file.stem)
    head: dict[str, Field] = {
        **how.head,
        "type": "note",
        "title": first_line(title, _TITLE),
        "description": known.description or first_line(lead, _HOOK),
        "resource": file.resolve().as_uri(),
        "sha256": files.sha256(data),
        "created": known.created or how.created,
        "source": "import",
        "trust": _trust(name, known),
        "origin": origin,
    }
    outline = "## Outline\n\n" + "\n".join(headings) if headings else ""
    parts = (f"This note stands for `{file.resolve()}`, which is not copied.", lead, outline)
    text = frontmatter.new({k: v for k, v in head.items() if v}, "\n\n".join(filter(None, parts)))
    return _signed(frontmatter.parse(text))


def _outline(body: str) -> tuple[list[str], str]:
    """Return the headings of *body* as a nested list, and how it begins; code is passed over."""
    headings: list[str] = []
    prose: list[str] = []
    code = code_and_comments.lines(body, {"code"}, to_the_end=True)
    for number, line in enumerate(body.split("\n")):
        fenced = number in code
        found = None if fenced else _HEADING.fullmatch(line)
        if found and len(headings) < _MOST_HEADINGS:
            headings.append(f"{'  ' * (len(found[1]) - 1)}- {found[2]}")
        elif not found and not fenced and line.strip():
            prose.append(line.strip())
    return headings, " ".join(prose)[:_LEAD]
