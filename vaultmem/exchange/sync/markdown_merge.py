"""Two versions of a file in one: by lines, else, in Markdown, key by key and bullet by bullet.

No conflict marker is ever written. Where both sides say something else in one place ours stays, and
a note with both is handed back for the inbox.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Topic, markdown
from vaultmem.documents.bodies.bullets import unsourced
from vaultmem.documents.frontmatter import Document, Value
from vaultmem.errors import Refused, Unreadable
from vaultmem.exchange.sync import conflict_note, frontmatter_merge, line_merge
from vaultmem.exchange.sync.line_merge import Text
from vaultmem.exchange.sync.types import Conflict, Page, Versions
from vaultmem.memory.compaction import human_lines
from vaultmem.storage import reader
from vaultmem.storage.files import content, is_text
from vaultmem.storage.three_way_merge import merge

_NOTHING = Document("", "", "", "")


def join(path: str, sides: Versions) -> Page:
    """Return the page at *path* with what both sides made of it; neither may be absent."""
    ours, theirs = sides.ours or b"", sides.theirs or b""
    if PurePosixPath(path).parent.name == "summaries":
        return Page(_derived(path, ours, theirs))
    if sides.base is not None:
        merged = merge(ours, sides.base, theirs)
        if merged is not None and (_is_sound(path, merged) or not _is_sound(path, ours)):
            return Page(merged)
    try:
        return _by_parts(path, sides)
    except (Unreadable, Refused):
        return Page(ours, (theirs,))


def _is_sound(path: str, data: bytes) -> bool:
    return reader.record(path, content(data)).problem is None


def _by_parts(path: str, sides: Versions) -> Page:
    if is_text(path):
        versions = (frontmatter.decode(it or b"") for it in (sides.base, sides.ours, sides.theirs))
        note = conflict_note.note(path, [Conflict("All of it", *versions)])
        return Page(sides.ours or b"", (note,))
    base, ours, theirs = (
        _NOTHING if data is None else frontmatter.parse(frontmatter.decode(data))
        for data in (sides.base, sides.ours, sides.theirs)
    )
    most = reader.most_frontmatter(path)
    heads = [frontmatter.fields(it, most) for it in (base, ours, theirs)]
    head = frontmatter_merge.merge(*heads)
    due = {k: v for k, v in head.head.items() if v != heads[1].get(k)}
    bodies = (ours.body, theirs.body)
    if sides.base is not None:
        body = line_merge.merge(base.body, *bodies)
    else:
        body = _two_new(path, heads[1], *bodies)
    made = frontmatter.render(frontmatter.update(ours, due, body.text, most)).encode()  # type: ignore[arg-type]  # values as read
    conflicts = [*head.conflicts, *body.conflicts]
    return Page(made, (conflict_note.note(path, conflicts),) if conflicts else ())


def _two_new(path: str, head: Mapping[str, Value], ours: str, theirs: str) -> Text:
    """Return two bodies in one that have no past in common, or ours where they cannot be."""
    if ours == theirs:
        return Text(ours)
    text = ours
    if head.get("type") == "topic" or "/topics/" in f"/{path}":
        text = markdown.update_topic(ours, _topic(""), _topic(theirs))
        if _says(text, theirs):
            return Text(text)
    return Text(text, [Conflict("All of it", "", ours, theirs)])


def _topic(body: str) -> Topic:
    return markdown.parse_topic(body, "", "", "")


def _says(text: str, other: str) -> bool:
    """Tell whether *text* has each line of *other*, whatever its sources."""
    said = {*_lines(text)}
    return all(line in said for line in _lines(other))


def _lines(text: str) -> list[str]:
    bare = (unsourced(" ".join(line.split()))[0] for line in text.splitlines())
    return [line for line in bare if line]


# --- what is regenerated anyway ---------------------------------------------------------------


def _derived(path: str, ours: bytes, theirs: bytes) -> bytes:
    """Return their summary with the lines that a person wrote into ours.

    What is wrong with it then is rewritten from its sources.
    """
    mine, other = (reader.record(path, content(data)) for data in (ours, theirs))
    if mine.problem or other.problem:
        return ours if other.problem else theirs
    own, _ = human_lines.split(mine)
    kept, below = human_lines.split(other)
    known = {human_lines.bare(line) for line in kept.splitlines()}
    added = [x for x in own.splitlines(keepends=True) if human_lines.bare(x) not in known]
    if not any(map(str.strip, added)):
        return theirs
    doc = frontmatter.parse(frontmatter.decode(theirs))
    most = reader.most_frontmatter(path)
    return frontmatter.render(
        frontmatter.update(doc, {}, kept + "".join(added) + below, most)
    ).encode()
