"""The lines of files that only grow, transcripts and item logs, as they stand in the file.

A turn's number is that of its line: what a line says is what it says without that.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from vaultmem.storage import item_logs, transcripts

_NUMBER = "turn"


def is_grown(path: str) -> bool:
    """Tell whether the file at *path* is only added to."""
    return transcripts.holds(path) or item_logs.is_path(path)


def split(data: bytes) -> list[bytes]:
    """Return the lines of *data* without their ends; half a line at the end counts."""
    lines = data.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def fields(line: bytes) -> dict[str, object]:
    """Return what *line* says as a JSON object, nothing where it is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def numbered(line: bytes, number: int) -> bytes:
    """Return *line* as that of the turn *number*; one that names no turn stays as it is."""
    said = fields(line)
    if said.get(_NUMBER) in {None, number}:
        return line
    return json.dumps({**said, _NUMBER: number}, ensure_ascii=False).encode()


def lacks(path: str, now: bytes, had: bytes) -> bool:
    """Tell whether *now* lacks what the file at *path* *had*, wherever in it that stands.

    Not a line that nobody could read, nor one of another session: by hand that is mended, or moved.
    """
    session = next((said for line in split(had) if (said := _session(line))), "")
    wanted = [line for line in split(had) if _session(line) in {"", session} and _reads(path, line)]
    return bool(missing(wanted, counted(now)))


def added(old: bytes, new: bytes) -> list[bytes]:
    """Return the lines of *new* that *old* has not, in order."""
    grows = new.startswith(old) and old[-1:] in {b"", b"\n"}
    return split(new[len(old) :]) if grows else missing(split(new), counted(old))


def counted(data: bytes) -> Counter[bytes]:
    """Return how often each thing is said by the lines of *data*."""
    return Counter(map(_said, split(data)))


def missing(lines: Iterable[bytes], there: Mapping[bytes, int]) -> list[bytes]:
    """Return those of *lines* that say what is not *there*, or less often than they say it."""
    seen = Counter[bytes]()
    made: list[bytes] = []
    for line in lines:
        seen[said := _said(line)] += 1
        if seen[said] > there.get(said, 0):
            made.append(line)
    return made


def has_all(lines: Iterable[bytes], text: bytes) -> bool:
    """Tell whether *text* has all of *lines*; a turn whose words a person mended is there, too."""
    turns = {transcripts.turn_key(line): line for line in split(text)}
    lost = missing(lines, counted(text))
    return all(_is_mended(line, turns.get(transcripts.turn_key(line))) for line in lost)


def _is_mended(line: bytes, now: bytes | None) -> bool:
    """Tell whether *now* says the turn in *line* in half of its words: two may have one number."""
    if now is None or transcripts.turn_key(line) is None:
        return False
    said = (transcripts.text_of(fields(it).get("content")) or "" for it in (line, now))
    old, new = ({*text.split()} for text in said)
    return 2 * len(old & new) >= max(len(old), len(new))


def behind(now: bytes, lines: Iterable[bytes]) -> bytes:
    """Return what adds *lines* to a file that says *now*, its turns numbered on."""
    whole = split(now)
    last = fields(whole[-1]).get(_NUMBER) if whole else None
    first = (last if isinstance(last, int) else len(whole)) + 1
    return b"".join(numbered(line, n) + b"\n" for n, line in enumerate(lines, first))


def _said(line: bytes) -> bytes:
    said = {key: value for key, value in fields(line).items() if key != _NUMBER}
    return json.dumps(said, sort_keys=True).encode() if said else line


def _session(line: bytes) -> str:
    named = fields(line).get("session")
    return named if isinstance(named, str) else ""


def _reads(path: str, line: bytes) -> bool:
    """Tell whether *line* is one that can be read."""
    return bool(fields(line)) if item_logs.is_path(path) else transcripts.is_turn(line)
