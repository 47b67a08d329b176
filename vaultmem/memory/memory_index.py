"""MEMORY.md: a generated list of pointers between two marks, inside a budget; the rest is people's.

Cards, topics, skills, summaries and open tasks; the newest notes, imports, memories that no summary
tells of, and sessions; episodes. What does not fit falls from the end and is counted in one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from vaultmem.documents import frontmatter, public_text
from vaultmem.documents.markdown import links
from vaultmem.nlp.extraction.talk import talk_line
from vaultmem.records import TRUST, Record, first_line

PATH = "MEMORY.md"
BEGIN, END = "<!-- vaultmem:begin -->", "<!-- vaultmem:end -->"
MARKS = frozenset({BEGIN, END})
MOST_LINES, MOST_BYTES, LONGEST_LINE = 200, 25_000, 150
_BEGIN = re.compile(rf"^{BEGIN}[ \t]*\r?\n", re.MULTILINE)
_END = re.compile(rf"^{END}[ \t]*\r?$", re.MULTILINE)
_GENERATED = re.compile(r"## |- \[.*\]\(.*\)|- and \d+ more: ")
_LEFT_OUT = re.compile(r"^- and \d+ more: ", re.MULTILINE)
_LINE_MARKS = re.compile(
    r"^#{1,6}(?: .*)?$|^[ \t]*\|.*$|^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])(?:[ \t]+|$))+(?:\[.\] )?",
    re.MULTILINE,
)
HINT = "What stands between the marks is generated; write your own lines above or below them."
"""The line of ours in a new MEMORY.md, which is no content of anybody's."""

_SECTION = re.compile(r"##+ ")
_NO_TEXT = re.compile(rf"\s*(?:# .*|<!--.*-->|[-*_ ]{{3,}}|{re.escape(HINT)})?\s*")
_BULLET = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_LINKED = re.compile(r"\]\([^)]+\)|\[\[[^\]]+\]\]")
_WIKILINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_DATED = re.compile(r", \d{4}-\d\d-\d\d$")
_COMFORT = 0.7
_LONGEST_TITLE = 60
_GROUPS = (
    ("Cards", "card"),
    ("Topics", "topic"),
    ("Skills", "skill"),
    ("Summaries", "summary"),
    ("Open tasks", "task"),
    ("Newest notes", "note"),
    ("Newest knowledge", "knowledge"),
    ("Memories by day", "memory"),
    ("Newest sessions", "session"),
    ("Episodes", "episode"),
)
WHOLE = frozenset({"card", "topic", "skill", "summary", "task", "episode"})
"""What is listed whole."""
KINDS = WHOLE | {"note"}
"""What is pointed at as soon as it is written; memories and sessions with the next round."""
MOST_NEWEST = 15
"""Of what is not listed whole, so many are."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much of its budget a MEMORY.md uses; characters of the longest line are not budgeted."""

    lines: int
    bytes: int

    @property
    def share(self) -> float:
        """The larger used share of the two budgets, 1.0 is full."""
        return max(self.lines / MOST_LINES, self.bytes / MOST_BYTES)


_INTRODUCTION = Size(5, 400)
"""What of prose may stay on top."""

_A_FEW_WORDS = 6
_OF_ITSELF = re.compile(
    r"\b(?:pointers?|index|vault|second brain|topics|memories|(?:this|my|our|your|the) memory"
    r"|this (?:file|page|note|list|folder)|(?:listed|stands?|found|see|read|written|everything)"
    r" (?:here|below|above|first)|MEMORY\.md|AGENTS\.md|Zeiger|Ged\u00e4chtnis)\b"
    "|\u8bb0\u5fc6|\u7d22\u5f15|\u4ee5\u4e0b",
    re.IGNORECASE,
)


def size(text: str) -> Size:
    """Return the size of a MEMORY.md."""
    return Size(len(text.splitlines()), len(text.encode("utf-8", "surrogateescape")))


class Content(NamedTuple):
    """What a MEMORY.md says itself beside its pointers: paragraphs, and facts in lists."""

    paragraphs: int
    facts: int


def content(text: str) -> Content:
    """Count what a MEMORY.md says itself, outside the marks and below a short introduction."""
    lines = own_text(frontmatter.parse(text).body).splitlines()
    runs = [(kind, [*run]) for kind, run in groupby(lines, _kind)]
    first = next((n for n, (kind, _) in enumerate(runs) if kind not in {"", "prose"}), len(runs))
    top = ["\n".join(run) for kind, run in runs[:first] if kind == "prose"]
    paragraphs = sum(kind == "prose" for kind, _ in runs) - len(introduction(top))
    return Content(paragraphs, sum(len(run) for kind, run in runs if kind == "fact"))


def _kind(line: str) -> Literal["", "mark", "section", "pointer", "fact", "hanging", "prose"]:
    if line.rstrip() in MARKS:
        return "mark"
    if _NO_TEXT.fullmatch(line):
        return ""
    if _SECTION.match(line):
        return "section"
    if line[0].isspace():
        return "hanging"
    if _BULLET.match(line):
        return "pointer" if _LINKED.search(line) and len(line) <= LONGEST_LINE else "fact"
    return "prose"


def introduction(paragraphs: Sequence[str]) -> list[int]:
    """Return which of the *paragraphs* on top of a MEMORY.md introduce it, and stay there.

    Together they are short, and each speaks of the file and its list, or is a few words.
    """
    it = size("\n".join(paragraphs))
    if it.lines > _INTRODUCTION.lines or it.bytes > _INTRODUCTION.bytes:
        return []
    return [n for n, text in enumerate(paragraphs)
            if _OF_ITSELF.search(text) or len(text.split()) <= _A_FEW_WORDS]  # fmt: skip


def own_text(text: str) -> str:
    """Return what people have in a MEMORY.md: nothing is generated between its marks."""
    return regenerate(text, ())


def regenerate(text: str, records: Iterable[Record], more: int = 0) -> str:
    """Return *text* with what stands between the marks rebuilt from *records*.

    What does not fit is counted, with *more* besides, for which there is no room anyhow. A mark is
    a line of its own. A text without both marks is a person's and comes back as it is.
    """
    if (end := _closing_mark(text)) is None:
        return text
    begin = list(_BEGIN.finditer(text, 0, end.start()))[-1]
    head, tail = text[: begin.end()], text[end.start() :]
    eol = "\r\n" if head.endswith("\r\n") else "\n"
    # What a person wrote between the marks goes below, not away.
    lines = text[begin.end() : end.start()].splitlines(keepends=True)
    own = "".join(x for x in lines if x.strip() and not _GENERATED.match(x))
    tail += f"{eol}{own}" if own else ""
    around = size(head + tail)
    room = Size(_room(MOST_LINES, around.lines), _room(MOST_BYTES, around.bytes))
    pointed = {*targets(head), *targets(tail)}  # a person's own pointer is enough
    groups = _groups(r for r in records if r.path not in pointed)
    made = (f"{line}{eol}" for line in _lines(groups))
    total = sum(len(g) for _, g in groups) + more
    return head + "".join(_fitted(made, total, room, eol)) + tail


def has_room(text: str) -> bool:
    """Tell whether a MEMORY.md has its marks, and no pointer fell from the end between them."""
    return _closing_mark(text) is not None and not _LEFT_OUT.search(text)


def is_half_marked(text: str) -> bool:
    """Tell whether marks are left in *text*, and no list is kept between two of them."""
    is_marked = _BEGIN.search(text) or _END.search(text)
    return bool(is_marked) and _closing_mark(text) is None


def _closing_mark(text: str) -> re.Match[str] | None:
    return next((m for m in _END.finditer(text) if _BEGIN.search(text, 0, m.start())), None)


def _room(most: int, around: int) -> int:
    """Return how much of a budget is ours: up to its comfortable fill, and never all of the rest.

    A list that filled the budget by itself would leave a person's next line over it.
    """
    rest = most - around
    return min(rest, max(int(most * _COMFORT) - around, rest // 4))


def _groups(records: Iterable[Record]) -> list[tuple[str, list[Record]]]:
    """Return what is pointed at below each heading, in order."""
    listed = [r for r in records if _is_listed(r)]
    groups = []
    for heading, kind in _GROUPS:
        group = sorted((r for r in listed if _kind_of(r) == kind), key=_newest_first, reverse=True)
        if kept := group if kind in WHOLE else group[:MOST_NEWEST]:
            groups.append((heading, kept))
    return groups


def _lines(groups: Iterable[tuple[str, Sequence[Record]]]) -> Iterator[str]:
    for heading, group in groups:
        yield f"## {heading}"
        yield from (pointer(r) for r in group)


def _kind_of(record: Record) -> str:
    is_known = record.type == "note" and record.path.startswith("knowledge/")
    return "knowledge" if is_known else record.type


def _is_listed(record: Record) -> bool:
    done = record.type == "task" and record.status == "completed"
    listed = not (done or _says_nothing(record))
    return listed and TRUST.index(record.trust) >= TRUST.index("agent")


def _says_nothing(record: Record) -> bool:
    """Whether *record* is an episode that says no more than its session: who talked, and when."""
    is_mute = record.type == "episode" and talk_line.says_nothing(record.description)
    return is_mute and _DATED.search(record.title) is not None


def _newest_first(record: Record) -> tuple[bool, str, str, str]:
    return record.tier == "longterm", record.created, record.id, record.path


def pointer(record: Record) -> str:
    """Return the line that points at *record*: `- [Title](path.md): hook`.

    It is at most 150 long, unless the path alone is too long for that.
    """
    path = links.encoded(record.path)
    around = len(f"- []({path}): ") + (len(f"{record.agent}: ") if record.agent else 0)
    most = max(min(_LONGEST_TITLE, LONGEST_LINE - around), 1)
    names = (record.title, record.stem, record.type)
    plain = (_harmless(name.translate(str.maketrans("[]\\", "()/"))) for name in names)
    title = next((t for name in plain if (t := first_line(name, most))), "")
    if record.agent:
        title = f"{record.agent}: {title}"
    start = f"- [{title}]({path})"
    room = LONGEST_LINE - len(start) - len(": ")
    said = record.description or _LINE_MARKS.sub("", record.body.replace("\r\n", "\n"))
    said = _WIKILINK.sub(r"\1", said)  # a pointer leads to one place
    hook = first_line(_harmless(said), room) if room > 1 else ""
    return f"{start}: {hook}" if hook else start


def seen_by(text: str, agent: str) -> str:
    """Return a MEMORY.md as *agent* may see it: without pointers into another agent's folder."""
    others = re.compile(rf"\s*[-*] \[[^\]]*\]\(agents/(?!{re.escape(links.encoded(agent))}/)")
    return "".join(line for line in text.splitlines(keepends=True) if not others.match(line))


def visible(path: str, text: str, agent: str) -> str:
    """Return the *text* of the file at *path* as *agent* may see it, "" being all of them."""
    return seen_by(text, agent) if agent and path == PATH else text


def targets(text: str) -> list[str]:
    """Return the vault paths that a MEMORY.md points at."""
    from urllib.parse import unquote  # noqa: PLC0415  # 8 ms that only a check pays

    found = re.findall(r"(?m)^[^\S\n]*[-*] \[[^\]]+\]\(([^)#?]+?\.md)\)", text)
    return [unquote(t) for t in found if "://" not in t and not t.startswith(("/", ".."))]


def _harmless(text: str) -> str:
    # Neither a comment nor our own marks may begin or end inside a pointer, and a secret in a
    # person's own file shall not spread from it.
    return public_text.shown(text).replace("<!--", "<! --").replace("-->", "-- >")


def _fitted(made: Iterator[str], total: int, room: Size, eol: str) -> Sequence[str]:
    """Return the first lines that fit of those that are *made*, as they are asked for.

    A line counts the pointers left out, which are *total* together with those that fit.
    """
    lines, listed = [], []
    for line in made:
        lines.append(line)
        if len(line.rstrip("\r\n")) <= LONGEST_LINE:
            listed.append(line)
        if len(listed) > room.lines:
            break  # a pointer is searched for credentials: of thousands nearly all fall away
    is_all = total == sum(line.startswith("- ") for line in lines)
    if is_all and len(listed) == len(lines) and _fits(lines, room):
        return lines
    for keep in range(min(len(listed), max(room.lines, 0)), -1, -1):
        shown = _without_empty_headings(listed[:keep])
        left = total - sum(x.startswith("- ") for x in shown)
        closing = [*shown, f"- and {left} more: `vaultmem recall` finds them{eol}"]
        if _fits(closing, room):
            return closing
    return ()


def _without_empty_headings(lines: Sequence[str]) -> Sequence[str]:
    """Return *lines* without headings that have nothing below them."""
    while lines and lines[-1].startswith("## "):
        lines = lines[:-1]
    return lines


def _fits(lines: Sequence[str], room: Size) -> bool:
    return len(lines) <= room.lines and sum(len(x.encode()) for x in lines) <= room.bytes
