"""The lines of files that only grow, transcripts and item logs, and how they stand in another text.

A turn's number is that of its line: what a line says is what it says without that. This is the one
law of what is there, whether a line waits for its commit or its commit left HEAD. A turn whose
words a person mended is there. Where other words stand in its place, under the same number and
time, a person may have meant it: it is not put again, and nobody calls it there.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from vaultmem.documents import secrets
from vaultmem.storage import item_logs, transcript_files, transcripts
from vaultmem.storage.json_lines import fields

_NUMBER = "turn"
_BOM = b"\xef\xbb\xbf"
_How = Literal["same", "mended", "replaced", "missing"]


class Standing(NamedTuple):
    """How a *line* stands in a text, and the line there that answers for it, if any."""

    line: bytes
    how: _How
    by: bytes = b""

    @property
    def is_there(self) -> bool:
        """Whether the text has it."""
        return self.how in {"same", "mended"}


def is_grown(path: str) -> bool:
    """Tell whether the file at *path* is only added to."""
    return transcript_files.holds(path) or item_logs.is_path(path)


def split(data: bytes) -> list[bytes]:
    """Return the lines of *data* without their ends; half a line at the end counts."""
    lines = data.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def joined(lines: Iterable[bytes]) -> bytes:
    """Return *lines* as a file has them, each with its end."""
    return b"".join(line + b"\n" for line in lines)


def ended(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the lines of *data* that say something, and where each ends, whatever ends it."""
    end = 0
    for part in data.split(b"\n"):
        end += len(part) + 1
        if line := part.removeprefix(_BOM).removesuffix(b"\r"):
            yield line, min(end, len(data))


def lines_of(data: bytes) -> Iterator[bytes]:
    """Yield the lines of *data* that say something, without their ends."""
    return (line for line, _ in ended(data))


def numbered(line: bytes, number: int) -> bytes:
    """Return *line* as that of the turn *number*; one that names no turn stays as it is."""
    said = fields(line)
    if said.get(_NUMBER) in {None, number}:
        return line
    return json.dumps({**said, _NUMBER: number}, ensure_ascii=False).encode()


# --- how they stand ---------------------------------------------------------------------------


def standing(lines: Iterable[bytes], text: bytes, before: bytes = b"") -> list[Standing]:
    """Return how each of *lines* stands in *text*; one there answers for one alone.

    None that answers for what the text had *before*: an item may say what an earlier one said, and
    a turn that a person mended half of what another of its second says.
    """
    rest, had = _counted(text), _counted(before)
    gone = had - rest
    rest -= had
    found: list[Standing] = []
    for line in lines:
        is_same = rest[line] > 0
        rest[line] -= is_same
        found.append(Standing(line, "same", line) if is_same else Standing(line, "missing"))
    others: list[Standing] | None = None
    for how, key, answers in _LAW:
        if all(it.how != "missing" for it in found) or not rest.total():
            break
        if others is None:
            others = _others(gone, found) if before else _in_front(rest, found)
        every = _answered([*others, *found], rest, how, key, answers)
        others, found = every[: len(others)], every[len(others) :]
    return found


def _others(gone: Counter[bytes], found: Iterable[Standing]) -> list[Standing]:
    """Return what stood there before and is *gone*, but for what was *found* in its place."""
    keys = {transcripts.turn_key(it.line) for it in found} - {None}
    return [Standing(line, "missing") for line in gone.elements()
            if transcripts.turn_key(line) not in keys]  # fmt: skip


def _in_front(rest: Counter[bytes], found: Sequence[Standing]) -> list[Standing]:
    """Return what of the *rest* has a number below all that was *found*, and says none of that.

    It is of turns that were said before, where nobody knows any more what these said.
    """
    first = min(map(_number, (it.line for it in found)), default=0)
    said = {unnumbered(it.line) for it in found}
    return [Standing(line, "missing") for line in rest.elements()
            if _number(line) < first and unnumbered(line) not in said]  # fmt: skip


def _number(line: bytes) -> int:
    number = fields(line).get(_NUMBER)
    return number if isinstance(number, int) else 0


def _answered(
    found: Sequence[Standing],
    rest: Counter[bytes],
    how: _How,
    key: Callable[[bytes], object],
    answers: Callable[[bytes, bytes], bool],
) -> list[Standing]:
    """Return *found* with what is missing answered by the *rest*, of which that is taken."""
    there = defaultdict[object, list[bytes]](list)
    for line in rest.elements():
        there[key(line)].append(line)
    made: list[Standing] = []
    for it in found:
        asked = key(it.line) if it.how == "missing" else None
        some = [] if asked is None else there[asked]
        by = next((other for other in some if answers(it.line, other)), None)
        if by is not None:
            some.remove(by)
            rest[by] -= 1
        made.append(it if by is None else Standing(it.line, how, by))
    return made


def _counted(data: bytes) -> Counter[bytes]:
    return Counter(lines_of(data))


def unnumbered(line: bytes) -> bytes:
    """Return what *line* says, whatever its number: the same for all lines that say the same."""
    said = {key: value for key, value in fields(line).items() if key != _NUMBER}
    return json.dumps(said, sort_keys=True).encode() if said else line


def _moment(line: bytes) -> object:
    """Return who spoke when in the turn of a *line*, whatever its number."""
    key = transcripts.turn_key(line)
    return key and key[1:]


def _says_half(line: bytes, now: bytes) -> bool:
    """Tell whether *now* says what is in *line* in half of its words."""
    said = (transcripts.text_of(fields(it).get("content")) or "" for it in (line, now))
    old, new = ({*text.split()} for text in said)
    return 2 * len(old & new) >= max(len(old), len(new))


def _is_any(_line: bytes, _now: bytes) -> bool:
    return True


_LAW: tuple[tuple[_How, Callable[[bytes], object], Callable[[bytes, bytes], bool]], ...] = (
    ("same", unnumbered, _is_any),
    ("mended", transcripts.turn_key, _says_half),
    ("replaced", transcripts.turn_key, _is_any),
    ("mended", _moment, _says_half),
)
"""What answers for a line: how, by what both must have in common, and when; the first that does.

Its own number comes before any other's: what stands under that is another turn's, if one has it.
"""


def added(old: bytes, new: bytes) -> list[bytes]:
    """Return the lines of *new* that *old* has not word for word, in order."""
    if new.startswith(old) and old[-1:] in {b"", b"\n"}:
        return [*lines_of(new[len(old) :])]
    return [it.line for it in standing(lines_of(new), old) if it.how != "same"]


def lacks(path: str, now: bytes, had: bytes) -> bool:
    """Tell whether *now* lacks what the file at *path* *had* word for word, wherever that stands.

    Not a line that nobody could read, nor one of another session: by hand that is mended, or moved.
    """
    return any(it.how != "same" for it in standing(_wanted(path, had), now))


def hides(path: str, now: bytes, had: bytes) -> bool:
    """Tell whether *now* lacks of what the file at *path* *had* only what it marks as private."""
    found = [it for it in standing(_wanted(path, had), now) if it.how != "same"]
    return bool(found) and all(it.by and unmarked(it.by) == unnumbered(it.line) for it in found)


def unmarked(line: bytes) -> bytes:
    """Return what *line* says where nothing in it is marked as private."""
    text = line.decode("utf-8", "surrogateescape")
    return unnumbered(secrets.without_marks(text, "").encode("utf-8", "surrogateescape"))


def _wanted(path: str, had: bytes) -> list[bytes]:
    lines = [*lines_of(had)]
    session = next((said for line in lines if (said := _session(line))), "")
    return [line for line in lines if _session(line) in {"", session} and _reads(path, line)]


def _session(line: bytes) -> str:
    named = fields(line).get("session")
    return named if isinstance(named, str) else ""


def _reads(path: str, line: bytes) -> bool:
    """Tell whether *line* is one that can be read."""
    return bool(fields(line)) if item_logs.is_path(path) else transcripts.is_turn(line)


# --- putting them again -----------------------------------------------------------------------


class Whole(NamedTuple):
    """A file with every line that it had: how many of these were *gone*, and which *changed*."""

    data: bytes
    gone: int
    changed: tuple[Standing, ...]


def whole(
    path: str, now: bytes, had: bytes, is_let_go: Callable[[Standing], bool] = lambda _: False
) -> Whole:
    """Return *now* with what it lacks of what the file at *path* *had*, each where it stood.

    Not what *is_let_go*. What says something else now says what it said; turns are numbered anew.
    """
    lines, gone, changed = [*lines_of(now)], 0, list[Standing]()
    places = defaultdict[bytes, deque[int]](deque)
    for place, line in enumerate(lines):
        places[line].append(place)
    wanted = Counter(_wanted(path, had))
    before = defaultdict[int, list[bytes]](list)
    after = 0
    for it in standing(lines_of(had), now):
        after = places[it.by].popleft() + 1 if it.by else after
        if it.how == "same" or not wanted[it.line] or is_let_go(it):
            continue
        if it.by:
            lines[after - 1] = it.line
            changed.append(it)
        else:
            before[after].append(it.line)
            gone += 1
    every = [it for place, line in enumerate(lines) for it in (*before[place], line)]
    every += before[len(lines)]
    return Whole(joined(numbered(it, n) for n, it in enumerate(every, 1)), gone, tuple(changed))


def behind(text: bytes, lines: Iterable[bytes]) -> bytes:
    """Return *text* with *lines* behind it, its turns numbered on."""
    if text and not text.endswith(b"\n"):
        text += b"\n"
    whole = split(text)
    last = fields(whole[-1]).get(_NUMBER) if whole else None
    first = (last if isinstance(last, int) else len(whole)) + 1
    return text + b"".join(numbered(line, n) + b"\n" for n, line in enumerate(lines, first))
