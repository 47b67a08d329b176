"""Item logs: what an agent's framework goes on from, as JSON lines that are only appended to.

A log is named by a few words and lies at `agents/<agent>/sessions/items/<name>.jsonl`, an item a
line. Nothing is taken out of it: a mark says that the last item was taken back, or that all before
it was cleared. People read the talk in the transcript; no recall and no summary reads a log.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from vaultmem.documents import inner_json
from vaultmem.errors import BadInput, DiskRefused
from vaultmem.records import Problem
from vaultmem.storage import files, transcript_files
from vaultmem.storage.files import Root
from vaultmem.storage.json_lines import fields
from vaultmem.storage.plan import Append

FOLDER = "sessions/items"
_ENDING = ".jsonl"
_BY_HAND = "what it held is left out: mend the line by hand"
_SAYING = frozenset({"content", "text"})
"""Keys under which a single word is what somebody said."""
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
    stem = transcript_files.stem(name[0] if len(name) == 1 else json.dumps([*name]))
    return f"agents/{agent}/{FOLDER}/{stem}{_ENDING}"


def is_path(path: str) -> bool:
    """Tell whether an item log may lie at *path*."""
    parts = path.split("/")
    return parts[0] == "agents" and "/".join(parts[2:-1]) == FOLDER and is_log(parts[-1])


def is_log(name: str) -> bool:
    """Tell whether a file of that *name* in the folder of logs is one."""
    return name.endswith(_ENDING)


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


def entry(line: bytes) -> Item | Mark | None:
    """Return the item or the mark that a *line* of a log is, None where it is neither."""
    match fields(line):
        case {"mark": "cleared" | "taken back" as mark}:
            return mark
        case {"item": dict(item)}:
            return item
    return None


def parse(data: bytes) -> list[Item]:
    """Return the items that a log holds now; a line that cannot be read is none."""
    held: list[Item] = []
    for line in data.split(b"\n"):
        match entry(line):
            case "cleared":
                held.clear()
            case "taken back":
                del held[-1:]
            case Mapping() as item:
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
    """Return the texts that the items which a log holds now have under *key*."""
    own = (item.get(key) for item in parse(data))
    return frozenset(text for text in own if isinstance(text, str))


def listed(root: Root, agent: str) -> Iterator[ItemLog]:
    """Yield the logs of *agent*; each is asked for its last line alone."""
    folder = f"agents/{agent}/{FOLDER}"
    for name, stamp in sorted(files.entries(root, folder)[0].items()):
        last = files.ending(root, f"{folder}/{name}") if is_log(name) else None
        line = last.line if last else b""
        if isinstance(words := fields(line).get("log"), list):
            changed, cleared = stamp.mtime_ns // 1_000_000, entry(line) == "cleared"
            yield ItemLog(tuple(map(str, words)), changed, cleared)


def paths(root: Root) -> Iterator[str]:
    """Yield where the item logs of all agents lie; raises DiskRefused where a folder is shut."""
    for agent in files.names(root, "agents"):
        yield from _of_agent(root, agent)


def _of_agent(root: Root, agent: str) -> list[str]:
    folder = f"agents/{agent}/{FOLDER}"
    return [f"{folder}/{name}" for name in files.names(root, folder) if is_log(name)]


def readable(root: Root) -> Iterator[str]:
    """Yield where those lie whose folder may be read: one that may not is named by itself."""
    for agent in files.names(root, "agents"):
        with contextlib.suppress(DiskRefused):
            yield from _of_agent(root, agent)


def faults(root: Root) -> Iterator[Problem]:
    """Yield what is wrong with the item logs of a vault that can be read; reads all of them."""
    for path in readable(root):
        try:
            found = files.read(root, path)
        except DiskRefused as e:
            yield Problem("unreadable", path, e.why, "make it readable again")
            continue
        *whole, rest = found.data.split(b"\n") if found else [b""]
        for number, line in enumerate(whole, 1):
            if not fields(line):
                yield Problem("bad-item", path, f"line {number} is no JSON object", _BY_HAND)
        if rest:
            yield Problem("torn-log", path, "ends in half a line", files.HALF_LINE)


def numbered(data: bytes) -> Iterator[tuple[int, Item]]:
    """Yield each item that a log ever held, with the number of its line."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if isinstance(item := entry(line), Mapping):
            yield number, item


def texts(value: object) -> tuple[str, ...]:
    """Return what the JSON *value* says in words, each text once.

    A single word is one of a name's, a kind's or an id's, unless it is content or not ASCII. Of
    JSON that stands in a text, as arguments of a call do, each text counts.
    """
    return tuple(dict.fromkeys(_texts(value, said=False)))


def _texts(value: object, *, said: bool) -> Iterator[str]:
    if isinstance(value, str):
        inner = inner_json.of(value)
        if inner is not None:
            yield from _texts(inner, said=True)
        elif said or len(value.split()) > 1 or not value.isascii():
            yield value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _texts(part, said=said or key in _SAYING)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part, said=said)


def masked(value: object, is_hidden: Callable[[str], bool], mask: str) -> object:
    """Return a JSON *value* with *mask* in the place of each text that *is_hidden*."""
    return retold(value, lambda text: mask if is_hidden(text) else text)


def retold(value: object, tell: Callable[[str], str]) -> object:
    """Return a JSON *value* with what *tell* makes of each text.

    JSON that stands in a text stays JSON.
    """
    if isinstance(value, str):
        inner = inner_json.of(value)
        made = inner if inner is None else retold(inner, tell)
        return tell(value if made == inner else json.dumps(made, ensure_ascii=False))
    if isinstance(value, list):
        return [retold(part, tell) for part in value]
    if isinstance(value, dict):
        return {key: retold(part, tell) for key, part in value.items()}
    return value


def replaced(now: object, then: object, mask: str) -> Iterator[str]:
    """Yield the texts that a JSON value said *then* and that are the *mask* in it *now*."""
    if isinstance(now, str) and isinstance(then, str):
        if now == mask != then:
            yield then
        elif now != then and (inner := inner_json.of(then)) is not None:
            yield from replaced(inner_json.of(now), inner, mask)
    elif isinstance(now, list) and isinstance(then, list):
        for each, before in zip(now, then, strict=False):
            yield from replaced(each, before, mask)
    elif isinstance(now, dict) and isinstance(then, dict):
        for key in now.keys() & then.keys():
            yield from replaced(now[key], then[key], mask)


def silenced(now: bytes, then: bytes, mask: str) -> Iterator[str]:
    """Yield what the items of a log said *then* whose texts are the *mask* in the log as it is."""
    for after, before in zip(now.split(b"\n"), then.split(b"\n"), strict=False):
        if after != before:
            yield from replaced(fields(after).get("item"), fields(before).get("item"), mask)
