"""Whether a tool had said what a file says that was laid into the vault past the program.

All that a file says is asked about: how it and its folders are called, what its frontmatter holds
at any depth, and its body. Who may be told of one of these may be told of any.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from vaultmem.documents import frontmatter, public_text
from vaultmem.documents.bodies import working_text
from vaultmem.documents.frontmatter import Field, Value
from vaultmem.documents.origin import Origin
from vaultmem.documents.part_trust import HEAD, TOOL_LINES
from vaultmem.memory import tool_quotes
from vaultmem.records import Record, is_trusted, iso
from vaultmem.storage import files, json_lines, reader, transcript_lines, transcripts
from vaultmem.storage.store import Store

_LONGEST_NAME = 24
"""Characters of a key that names a field."""
_MOST_MARKED = 64
"""Lines that a file names as a tool's: more would fill its frontmatter, and tell a person less."""


def is_a_tools(
    store: Store, path: str, said: Mapping[str, Value], body: str, moved: Record | None = None
) -> bool:
    """Tell whether a tool had said what the file at *path* says before it was written.

    *said* is its frontmatter. When that was is what the system noted, which nobody can set back.
    What was *moved* there from other notes the tool only read.
    """
    return bool(tool_of(store, path, said, body, moved))


def tool_of(
    store: Store, path: str, said: Mapping[str, Value], body: str, moved: Record | None = None
) -> str:
    """Return the tool that had said it, "" for none."""
    every, until = texts(path, said, body), _written(store, path)
    agent = reader.agent_of(path)
    at = _text(path)
    return tool_quotes.tool_of(store, agent, *every, into=moved, until=until, at=at)


def transcript_as_a_tools(store: Store, path: str, data: bytes, had: bytes) -> bytes:
    """Return the transcript *data* with each turn as a tool's that says what that had said before.

    Of those by hand alone that are not in the bytes that git *had*: whoever it says spoke there,
    until it was laid at *path* nobody here had heard it.
    """
    lines = data.split(b"\n")
    known = frozenset(map(transcript_lines.unnumbered, transcript_lines.lines_of(had)))
    new = (n - 1 for n in sorted(store.hand_turns.numbers(path, data)))
    spoken = {
        n: said
        for n in new
        if (said := _spoken(lines[n])) and transcript_lines.unnumbered(lines[n]) not in known
    }
    if not spoken:
        return data
    every = {text for said in spoken.values() for text in said}
    tools = tool_quotes.tools_of(store, reader.agent_of(path), every, until=_written(store, path))
    for n, said in spoken.items():
        if tool := next(filter(None, map(tools.get, said)), ""):
            told = json_lines.fields(lines[n]) | {"role": "tool", "tool": tool}
            lines[n] = json.dumps(told, ensure_ascii=False).encode()
    return b"\n".join(lines)


def _spoken(line: bytes) -> tuple[str, ...]:
    """Return what a *line* says, and who said it, where that is no tool."""
    said = json_lines.fields(line)
    if said.get("role") == "tool":
        return ()
    texts = (said.get("speaker"), transcripts.text_of(said.get("content")))
    return tuple(text for text in texts if isinstance(text, str) and text.strip())


def _written(store: Store, path: str) -> str:
    touched = files.touched(store.root, path)
    return iso(datetime.fromtimestamp(touched, UTC)) if touched else ""


def _text(path: str) -> str:
    """Return *path* where a text stands, which nothing was compared with when it was laid there."""
    return path if files.is_text(path) else ""


def texts(path: str, said: Mapping[str, Value], body: str) -> Iterator[str]:
    """Yield every text of the file at *path*, in the order in which they stand.

    A field that holds several of them is one more.
    """
    yield from path.removesuffix(".md").split("/")
    for key, value in said.items():
        parts = [*filter(_tells, [key]), *frontmatter.texts(value)]
        yield from parts
        if len(parts) > 1:
            yield "\n".join(parts)
    yield body


def added(said: Mapping[str, Value], body: str, had: bytes) -> tuple[Mapping[str, Value], str]:
    """Return what of a file's frontmatter and its *body* was not in the bytes that git *had*."""
    if not had:
        return said, body
    doc = public_text.parsed(frontmatter.decode(had))
    before, lines = frontmatter.fields(doc), frozenset(doc.body.splitlines())
    new = "\n".join(line for line in body.splitlines() if line not in lines)
    return {key: value for key, value in said.items() if before.get(key) != value}, new


def marks_of(path: str, had: bytes) -> frozenset[str]:
    """Return the marks of what a tool had said in the file at *path*, as git *had* it.

    A person lets them go by a review: that the lines are without them is anybody's doing. None of a
    working memory, whose marks are the program's.
    """
    if TOOL_LINES.encode() not in had:
        return frozenset()
    record = reader.record(path, files.content(had))
    is_one = record.type != "working" and not is_trusted(record)
    return frozenset(record.tool_lines.split()) if is_one else frozenset()


def _tells(key: str) -> bool:
    """Tell whether *key* says something, and does not only name a field: that joins no sentence."""
    return len(key) > _LONGEST_NAME or len(key.split()) > 1


def tool_lines(store: Store, path: str, body: str) -> list[str]:
    """Return the marks of those lines of *body*, of the file at *path*, that a tool had said.

    All of them where they say it together; `HEAD` where it stands above the body. None of a working
    memory, of which a context would show the other lines.
    """
    agent, until, at = reader.agent_of(path), _written(store, path), _text(path)
    if path == f"agents/{agent}/working.md":
        return []
    lines = {mark: line for line in body.splitlines() if (mark := working_text.mark(line))}
    told = frozenset(tool_quotes.quoting(store, agent, [*lines.values()], until=until, at=at))
    found = [mark for mark, line in lines.items() if line in told]
    if not found and tool_quotes.quoting(store, agent, [body], until=until, at=at):
        found = [*lines]
    return found[:_MOST_MARKED] or [HEAD]


def as_a_tools(said: Mapping[str, Value], origin: Origin, marks: Sequence[str]) -> dict[str, Field]:
    """Return the lines that make a file a tool's, whatever it says of itself.

    *marks* are those of the lines for which it is one.
    """
    trust = {} if "trust" in said else {"trust": "untrusted"}
    named = {TOOL_LINES: [*marks]} if marks else {}
    return {"via" if origin.source else "source": "tool", **trust, **named}
