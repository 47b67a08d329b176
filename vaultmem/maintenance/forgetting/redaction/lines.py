"""Texts without what gives a forgotten one away: a line that says it says `[forgotten]`, or goes.

Lines keep their number where others count on it: a transcript's turns, a commit's old files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from vaultmem.documents import frontmatter, inner_json, note_answers
from vaultmem.documents.bodies.bullets import LABELS, OUTCOMES
from vaultmem.documents.markdown import outline
from vaultmem.maintenance.forgetting.redaction.distinctive_words import DistinctiveWords
from vaultmem.storage import item_logs
from vaultmem.storage.tombstones import MARK

_LEAD = re.compile(r"\s*(?:(?:[-*+>]|\d{1,9}[.)]|#{1,6})\s+(?:\[[ xX]\]\s+)?)*")
_FIELDS = "|".join(label.capitalize() for label in (*LABELS, *OUTCOMES))
_FIELD = re.compile(rf"\s+[-*+] \*\*(?:{_FIELDS}):\*\* ")
_DESCRIBED = re.compile(r"(title|description):.*")
_ITEM = re.compile(r"\s*-(?:\s|\Z)")
_SUBJECT = re.compile(r"[^\s:]{1,80}: ")
_DIFF = re.compile(
    r"(?P<open>^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})diff[ \t]*\r?\n)(?P<text>.*?)"
    r"(?P<close>^(?P=indent)(?P=fence))",
    re.MULTILINE | re.DOTALL,
)
_TRAILER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*: ")


class _Above(NamedTuple):
    """A line on which another one hangs: how far in, and the mark that is left of it, if it goes.

    It *has_fields* that go with it if it is a bullet that goes.
    """

    indent: int
    mark: str = ""
    has_fields: bool = False


Says = Callable[[str], bool]
Tell = Callable[[str], str]


def without(body: str, says: Says, is_ours: Says = bool) -> str:
    """Return the Markdown *body* without the lines that say it, and what belongs to these.

    Where not every line *is_ours*, the others stay.
    """
    lines = body.splitlines(keepends=True)
    return "".join(_kept(lines, [is_ours(line) and says(line) for line in lines], is_ours))


def told(body: str, tell: Tell, is_ours: Says = bool) -> str:
    """Return the Markdown *body* with what *tell* makes of it.

    Without the lines of which it makes nothing but the mark, and what belongs to these. A heading
    stays, with the mark; what belongs to a line stays where it is not *is_ours*.
    """
    if (made := tell(body)) == body:
        return body
    lines = made.splitlines(keepends=True)
    return "".join(_kept(lines, [_is_spent(line) for line in lines], is_ours))


def _is_spent(line: str) -> bool:
    """Tell whether *line* says nothing but the mark, and is no heading."""
    return line[len(_lead(line)) :].strip() == MARK and not line.startswith("#")


def _kept(lines: Sequence[str], goes: Sequence[bool], is_ours: Says = bool) -> Iterator[str]:
    """Yield the lines that stay, and of a bullet below which one does its mark alone.

    The fields that we write below a bullet, such as why it was decided, go along with it. What has
    another label, or hangs on a line that stays, is a person's.
    """
    above: list[_Above] = []
    for line, is_gone in zip(lines, goes, strict=True):
        if not line.strip():
            yield line
            continue
        indent = len(line) - len(line.lstrip())
        above = [it for it in above if it.indent < indent]
        is_field = bool(above and above[-1].has_fields and _FIELD.match(line) and is_ours(line))
        if not (is_gone or is_field):
            yield from (f"{it.mark}\n" for it in above if it.mark)
            above = [it._replace(mark="") for it in above]
            above.append(_Above(indent))
            yield line
        elif is_gone:
            above.append(_Above(indent, _lead(line).rstrip(), has_fields=bool(outline.lead(line))))


def spoken(
    data: bytes,
    tell: Tell,
    origins: AbstractSet[str] = frozenset(),
    numbers: AbstractSet[int] = frozenset(),
) -> bytes:
    """Return a transcript with what *tell* makes of each text.

    A turn of *origins*, or with one of those *numbers*, says nothing any more.

    This is the one exception to "a transcript is only added to". Each line stays a line of its own
    and keeps its number, its time and its origin: what tells of other turns stays true, and an
    importer still knows the message.
    """
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    turns = (_turn(x, tell, origins, meant=n in numbers) for n, x in enumerate(lines, 1))
    made = "\n".join(turns)
    return made.encode("utf-8", "surrogateescape")


def _turn(line: str, tell: Tell, origins: AbstractSet[str], *, meant: bool) -> str:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return tell(line)
    if isinstance(raw, dict) and isinstance(raw.get("item"), dict):
        made: object = item_logs.retold(raw, tell)
    elif isinstance(raw, dict) and (meant or str(raw.get("origin") or "-") in origins):
        made = raw | {"content": MARK}
    else:
        made = _retold(raw, tell)
    return line if made == raw else json.dumps(made, ensure_ascii=False)


def _retold(value: object, tell: Tell) -> object:
    if isinstance(value, str):
        return _told_as_json(value, tell) or tell(value)
    if isinstance(value, list):
        return [_retold(part, tell) for part in value]
    if isinstance(value, dict):
        return {key: _retold(part, tell) for key, part in value.items()}
    return value


def _told_as_json(text: str, tell: Tell) -> str:
    """Return JSON with what *tell* makes of its texts, the mark where they say nothing any more.

    Nothing where *text* is no JSON, or stays as it is.
    """
    inner = inner_json.of(text)
    made = inner if inner is None else item_logs.retold(inner, tell)
    if made == inner:
        return ""
    return MARK if {*item_logs.texts(made)} == {MARK} else json.dumps(made, ensure_ascii=False)


def changed(old: bytes, new: bytes) -> Iterator[int]:
    """Yield the numbers of the lines of a transcript or a log that are others now."""
    both = zip(old.split(b"\n"), new.split(b"\n"), strict=False)
    yield from (n for n, (one, other) in enumerate(both, 1) if one != other)


def note(data: bytes, distinctive: DistinctiveWords) -> bytes:
    """Return an old file without the lines that say it; its frontmatter keeps its shape.

    Where the lines say it only together, those go that have a part in it. Of a diff that says it
    nothing stays: what it adds was drawn from there.
    """
    if b"\0" in data:
        return data
    text = data.decode("utf-8", "surrogateescape")
    if distinctive.says(text):
        text = _DIFF.sub(lambda m: _undiffed(m, distinctive.says), text)
    for says in (distinctive.says, distinctive.hints_at):
        if distinctive.says(text):
            text = "".join(_noted(text.splitlines(keepends=True), says))
    if distinctive.says(text):  # encoded over several lines
        text = emptied(text, distinctive.says)
    return text.encode("utf-8", "surrogateescape")


def undiffed(data: bytes, says: Says) -> bytes:
    """Return a note without what its diffs show, where a line of one says it, as it was or is."""
    text = data.decode("utf-8", "surrogateescape")
    shown = _DIFF.sub(lambda m: _undiffed(m, lambda line: says(bare(line))), text)
    return shown.encode("utf-8", "surrogateescape")


def bare(line: str) -> str:
    """Return a *line* without what stands before it in a list or a diff."""
    return line.strip().lstrip("+-").strip()


def masked(data: bytes, distinctive: DistinctiveWords) -> bytes:
    """Return an old file that a model wrote of it, in words we cannot know, without its text."""
    lines = emptied(data.decode("utf-8", "surrogateescape"), distinctive.says).splitlines(
        keepends=True
    )
    head = _head(lines)
    kept = (_DESCRIBED.sub(rf"\1: '{MARK}'", x) if n < head else x for n, x in enumerate(lines))
    return "".join(kept).encode("utf-8", "surrogateescape")


def emptied(text: str, says: Says) -> str:
    """Return a note of which nothing is left but its frontmatter, where that does not say it."""
    lines = text.splitlines(keepends=True)
    head = "".join(_noted(lines[: _head(lines)], says))
    end = "\n" if text.endswith("\n") else ""
    return MARK + end if says(head) else head + MARK + end


def _undiffed(found: re.Match[str], says: Says) -> str:
    """Return a fenced diff, empty but for the mark where it says it."""
    if not any(map(says, found["text"].splitlines())):
        return found[0]
    return f"{found['open']}{found['indent']}{MARK}\n{found['close']}"


def _noted(lines: list[str], says: Says) -> Iterator[str]:
    end = _head(lines)
    for number, line in enumerate(lines):
        if not says(line):
            yield line
            continue
        eol = line[len(line.rstrip("\r\n")) :]
        found = frontmatter.KEY_LINE.match(line)
        if number >= end:
            yield _lead(line) + MARK + eol
        elif found and not says(found["key"]):
            yield f"{found['key']}: '{MARK}'{eol}"
        elif not found and not _ITEM.match(line):  # a list is shorter by an item; a text goes on
            yield f"  {MARK}{eol}"


def _head(lines: list[str]) -> int:
    """Return how many lines are frontmatter."""
    if not lines or lines[0].strip("\ufeff \t\r\n") != "---":
        return 0
    ends = (n for n, line in enumerate(lines[1:], 2) if line.rstrip() in {"---", "..."})
    return next(ends, 0)


def _lead(line: str) -> str:
    found = _LEAD.match(line)
    return found[0] if found else ""


def answers(body: str, says: Says) -> str:
    """Return a person's note without what our answers in it say: their lines, and no other."""
    return "".join(
        note_answers.instead(line, MARK) if is_ours and says(line) else line
        for line, is_ours in note_answers.lines(body)
    )


def message(text: str, distinctive: DistinctiveWords) -> str:
    """Return a commit's message without what gives it away: what kind of commit it was stays.

    Words in a row that it says go whoever else says them. A line stays a line.
    """
    lines = text.split("\n")
    text = "\n".join(_masked_line(line, n, distinctive.quotes) for n, line in enumerate(lines))
    for says in (distinctive.says, distinctive.hints_at):
        if distinctive.says(text):
            lines = text.split("\n")
            text = "\n".join(_masked_line(line, n, says) for n, line in enumerate(lines))
    return text


def trailers(text: str, distinctive: DistinctiveWords) -> str:
    """Return a commit's message of which nothing is left but its trailers."""
    *_, last = text.rstrip("\n").rsplit("\n\n", 1)
    kept = [x for x in last.split("\n") if _TRAILER.match(x) and not distinctive.says(x)]
    return "\n".join((MARK, "", *kept, "")) if kept else f"{MARK}\n"


def _masked_line(line: str, number: int, says: Says) -> str:
    if not says(line):
        return line
    kind = (_TRAILER if number else _SUBJECT).match(line)
    return (kind[0] if kind and not says(kind[0]) else "") + MARK
