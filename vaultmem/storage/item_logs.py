"""Item logs: what an agent's framework goes on from, as JSON lines that are only appended to.

A log is named by a few words and lies at `agents/<agent>/sessions/items/<name>.jsonl`, an item a
line. Nothing is taken out of it: a mark says that the last item was taken back, or that all before
it was cleared. People read the talk in the transcript; no recall and no summary reads a log.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from vaultmem.errors import BadInput
from vaultmem.storage import files, transcripts
from vaultmem.storage.files import Root
from vaultmem.storage.plan import Append

FOLDER = "sessions/items"
Mark = Literal["cleared", "taken back"]
Item = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ItemLog:
    """A log that is there: its name and when it was added to last, in Unix milliseconds.

    One that was *cleared* last holds nothing.
    """

    name: tuple[str, ...]
    changed_ms: int
    cleared: bool


def path(agent: str, name: Sequence[str]) -> str:
    """Return where the log of that *name* lies; two logs never share a file."""
    stem = transcripts.stem(name[0] if len(name) == 1 else json.dumps([*name]))
    return f"agents/{agent}/{FOLDER}/{stem}.jsonl"


def is_path(path: str) -> bool:
    """Tell whether an item log may lie at *path*."""
    parts = path.split("/")
    return parts[0] == "agents" and "/".join(parts[2:-1]) == FOLDER and path.endswith(".jsonl")


def append(
    root: Root, agent: str, name: Sequence[str], items: Sequence[Item], mark: Mark | None = None
) -> Append:
    """Return the step that adds *items*, or a *mark*, to a log as it is on disk now.

    Raises BadInput for half a character, which no file can hold.
    """
    where = path(agent, name)
    told: list[Mapping[str, object]] = [{"log": [*name], "item": item} for item in items]
    told += [{"log": [*name], "mark": mark}] if mark else []
    try:
        data = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in told).encode()
    except UnicodeEncodeError as e:
        raise BadInput("an item holds half a character: cut it out") from e
    last = files.ending(root, where)
    return Append(where, last.size if last else 0, data, "what an agent goes on from")


def parse(data: bytes) -> list[Item]:
    """Return the items that a log holds now; a line that cannot be read is none."""
    held: list[Item] = []
    for line in _lines(data):
        match line:
            case {"mark": "cleared"}:
                held.clear()
            case {"mark": "taken back"}:
                del held[-1:]
            case {"item": dict(item)}:
                held.append(item)
    return held


def fresh(items: Sequence[Item], known: frozenset[str], key: str) -> tuple[Item, ...]:
    """Return those of *items* whose value of *key* is not *known*, nor that of one before."""
    seen, made = set(known), list[Item]()
    for item in items:
        own = item.get(key)
        if not isinstance(own, str) or own not in seen:
            made.append(item)
        if isinstance(own, str):
            seen.add(own)
    return tuple(made)


def values(data: bytes, key: str) -> frozenset[str]:
    """Return the texts that the items of a log have under *key*."""
    items = (line.get("item") for line in _lines(data))
    own = (item.get(key) for item in items if isinstance(item, dict))
    return frozenset(text for text in own if isinstance(text, str))


def listed(root: Root, agent: str) -> Iterator[ItemLog]:
    """Yield the logs of *agent*; each is asked for its last line alone."""
    folder = f"agents/{agent}/{FOLDER}"
    for name, stamp in sorted(files.entries(root, folder)[0].items()):
        last = files.ending(root, f"{folder}/{name}") if name.endswith(".jsonl") else None
        for line in _lines(last.line if last else b""):
            if isinstance(words := line.get("log"), list):
                changed, cleared = stamp.mtime_ns // 1_000_000, line.get("mark") == "cleared"
                yield ItemLog(tuple(map(str, words)), changed, cleared)


def _lines(data: bytes) -> Iterator[dict[str, object]]:
    for line in data.split(b"\n"):
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(said, dict):
            yield said


def masked(value: object, is_hidden: Callable[[str], bool], mask: str) -> object:
    """Return a JSON *value* with *mask* in the place of each text that *is_hidden*."""
    if isinstance(value, str):
        return mask if is_hidden(value) else value
    if isinstance(value, list):
        return [masked(part, is_hidden, mask) for part in value]
    if isinstance(value, dict):
        return {key: masked(part, is_hidden, mask) for key, part in value.items()}
    return value


def merge(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Return the lines of both sides: those published first, then ours that they lack."""
    common = set(base.splitlines(keepends=True))
    known = set(theirs.splitlines(keepends=True))
    own = (line for line in ours.splitlines(keepends=True) if line not in common | known)
    return theirs + b"".join(own)
