"""Two versions of a file in one: by lines, else, in Markdown, key by key and bullet by bullet.

No conflict marker is ever written. Where both sides say something else in one place ours stays, and
a note with both is handed back for the inbox.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Topic, markdown
from vaultmem.documents.bodies.bullets import unsourced
from vaultmem.documents.frontmatter import Document, Value
from vaultmem.errors import Refused, Unreadable
from vaultmem.exchange.sync import conflict_note, frontmatter_merge, line_merge, trust_merge
from vaultmem.exchange.sync.line_merge import Text
from vaultmem.exchange.sync.types import Conflict, Data, Page, Versions
from vaultmem.memory.compaction import human_lines, summary_file
from vaultmem.records import Record
from vaultmem.storage import reader
from vaultmem.storage.files import content, is_text
from vaultmem.storage.three_way_merge import merge

_NOTHING = Document("", "", "", "")


def join(path: str, sides: Versions) -> Page:
    """Return the page at *path* with what both sides made of it; neither may be absent."""
    ours, theirs = sides.ours or b"", sides.theirs or b""
    is_derived = reader.kind_of(path) == "summary"
    merged = None if sides.base is None or is_derived else merge(ours, sides.base, theirs)
    try:
        if merged is not None and (_is_sound(path, merged) or not _is_sound(path, ours)):
            return _lowered(path, Page(merged), sides)
        if is_derived:
            return _derived(path, sides)
        return _lowered(path, _by_parts(path, sides), sides)
    except (Unreadable, Refused):
        return Page(ours, (theirs,))


def _lowered(path: str, page: Page, sides: Versions) -> Page:
    """Return *page* with no more trust than either of the *sides* that can be read."""
    if not _is_sound(path, page.data):
        return page
    both = (data for data in (sides.ours, sides.theirs) if data and _is_sound(path, data))
    return replace(page, data=trust_merge.lowered(path, page.data, both))


def _is_sound(path: str, data: bytes) -> bool:
    return reader.record(path, content(data)).problem is None


def _by_parts(path: str, sides: Versions) -> Page:
    if is_text(path):
        versions = (frontmatter.decode(it or b"") for it in (sides.base, sides.ours, sides.theirs))
        note = conflict_note.note(path, [Conflict("All of it", *versions)])
        return Page(sides.ours or b"", (note,))
    base, ours, theirs = map(_parsed, (sides.base, sides.ours, sides.theirs))
    most = reader.most_frontmatter(path)
    heads = [frontmatter.fields(it, most) for it in (base, ours, theirs)]
    head = frontmatter_merge.merge(*heads)
    due = {k: v for k, v in head.head.items() if v != heads[1].get(k)}
    bodies = (ours.body, theirs.body)
    if sides.base is not None:
        body = line_merge.merge(base.body, *bodies)
    else:
        body = _two_new(path, heads[1], *bodies)
    made = frontmatter.update(ours, due, body.text, most)  # type: ignore[arg-type]  # values as read
    conflicts = (*head.conflicts, *_comments(base, ours, theirs, made), *body.conflicts)
    return _noted(path, made, conflicts)


def _parsed(data: Data) -> Document:
    return _NOTHING if data is None else frontmatter.read(data)


def _noted(path: str, made: Document, conflicts: Sequence[Conflict]) -> Page:
    note = (conflict_note.note(path, conflicts),) if conflicts else ()
    return Page(frontmatter.render(made).encode(), note)


def _comments(base: Document, ours: Document, theirs: Document, made: Document) -> list[Conflict]:
    """Return the comments that both wrote into the frontmatter where what is *made* lacks some."""
    had, mine, yours, now = map(frontmatter.comments, (base, ours, theirs, made))
    new = [{text: line for text, line in it.items() if text not in had} for it in (mine, yours)]
    if now.keys() >= {*new[0], *new[1]}:
        return []
    return [Conflict("Frontmatter: comments", "", *(_ended(it.values()) for it in new))]


def _ended(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


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


def _derived(path: str, sides: Versions) -> Page:
    """Return their summary with the lines, and the keys, that a person wrote into ours.

    What is wrong with it then is rewritten from its sources.
    """
    ours, theirs = sides.ours or b"", sides.theirs or b""
    mine, other = (reader.record(path, content(data)) for data in (ours, theirs))
    if mine.problem or other.problem:
        return Page(ours, (theirs,)) if other.problem else Page(theirs, (ours,))
    most = reader.most_frontmatter(path)
    three = base, own, new = _parsed(sides.base), _parsed(ours), _parsed(theirs)
    heads = [frontmatter.fields(it, most) for it in three]
    by_hand = ({k: v for k, v in it.items() if k not in summary_file.KEYS} for it in heads)
    head = frontmatter_merge.merge(*by_hand)
    due = {k: v for k, v in head.head.items() if v != heads[2].get(k)}
    made = frontmatter.update(new, due, _with_own_lines(mine, other), most)  # type: ignore[arg-type]  # values as read
    return _noted(path, made, (*head.conflicts, *_comments(base, own, new, made)))


def _with_own_lines(mine: Record, other: Record) -> str | None:
    """Return the text of the *other* summary with a person's lines of *mine*, None for as it is."""
    own, _ = human_lines.split(mine)
    kept, below = human_lines.split(other)
    known = {human_lines.bare(line) for line in kept.splitlines()}
    added = [x for x in own.splitlines(keepends=True) if human_lines.bare(x) not in known]
    return kept + "".join(added) + below if any(map(str.strip, added)) else None
