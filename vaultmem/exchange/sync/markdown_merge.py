"""Two versions of a Markdown file in one: by lines, else key by key and bullet by bullet.

No conflict marker is ever written. Where both sides say something else in one place ours stays, and
the other version is handed back for the inbox.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Topic, markdown
from vaultmem.documents.frontmatter import Document, Value
from vaultmem.errors import Refused, Unreadable
from vaultmem.exchange.sync import frontmatter_merge
from vaultmem.exchange.sync.types import Page, Versions
from vaultmem.memory.compaction import human_lines
from vaultmem.storage import reader
from vaultmem.storage.files import content
from vaultmem.storage.three_way_merge import merge, union

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
    base, ours, theirs = (
        _NOTHING if data is None else frontmatter.parse(frontmatter.decode(data))
        for data in (sides.base, sides.ours, sides.theirs)
    )
    most = reader.most_frontmatter(path)
    heads = [frontmatter.fields(it, most) for it in (base, ours, theirs)]
    head = frontmatter_merge.merge(*heads)
    body = _body(path, heads[1], (base.body, ours.body, theirs.body))
    due = {k: v for k, v in head.head.items() if v != heads[1].get(k)}
    made = frontmatter.render(frontmatter.update(ours, due, body, most)).encode()  # type: ignore[arg-type]  # values as read
    text = made.decode()
    lost = [b for b, side in ((sides.ours, "ours"), (sides.theirs, "theirs"))
            if b and (side in head.lost or not _says(text, b, sides.base))]  # fmt: skip
    return Page(made, tuple(lost))


def _body(path: str, head: Mapping[str, Value], three: tuple[str, str, str]) -> str:
    """Return both bodies in one, or ours where they cannot be."""
    base, ours, theirs = three
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    merged = merge(ours.encode(), base.encode(), theirs.encode()) if base else None
    if merged is not None:
        return merged.decode()
    if head.get("type") == "topic" or "/topics/" in f"/{path}":
        return markdown.update_topic(ours, _topic(base), _topic(theirs))
    added = union(ours, base, theirs) if base else None
    return ours if added is None else added


def _topic(body: str) -> Topic:
    return markdown.parse_topic(body, "", "", "")


def _says(text: str, side: bytes, base: bytes | None) -> bool:
    """Tell whether *text* has each line that *side* has and *base* has not."""
    before = {*_words(base or b"")}
    said = {*_words(text.encode())}
    return all(line in said for line in _words(side) if line not in before)


def _words(data: bytes) -> list[str]:
    """Return the lines of the body, without what differs between two of the same bullet."""
    try:
        body = frontmatter.parse(frontmatter.decode(data)).body
    except Unreadable:
        body = data.decode("utf-8", "replace")
    bare = (_SOURCES.sub("", " ".join(line.split())) for line in body.splitlines())
    return [line for line in bare if line]


_SOURCES = re.compile(r" \((?:\[\[[^\]]*\]\](?:, )?)+\)$")


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
