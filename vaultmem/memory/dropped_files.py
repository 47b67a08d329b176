"""Whether a tool had said what a file says that was laid into the vault past the program.

All that a file says is asked about: how it and its folders are called, what its frontmatter holds
at any depth, and its body. Who may be told of one of these may be told of any.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from vaultmem.documents import frontmatter, public_text
from vaultmem.documents.frontmatter import Value
from vaultmem.documents.origin import Origin
from vaultmem.memory import tool_quotes
from vaultmem.records import iso
from vaultmem.storage import files, json_lines, reader, transcripts
from vaultmem.storage.store import Store

_LONGEST_NAME = 24
"""Characters of a key that names a field."""


def is_a_tools(store: Store, path: str, said: Mapping[str, Value], body: str) -> bool:
    """Tell whether a tool had said what the file at *path* says before it was written.

    *said* is its frontmatter. When that was is what the system noted, which nobody can set back.
    """
    every, until = texts(path, said, body), _written(store, path)
    return bool(tool_quotes.tool_of(store, reader.agent_of(path), *every, until=until))


def transcript_as_a_tools(store: Store, path: str, data: bytes) -> bytes:
    """Return the transcript *data* with each turn as a tool's that says what that had said before.

    Whoever it says spoke there: until it was laid at *path* nobody here had heard it.
    """
    lines = data.split(b"\n")
    spoken = {n: said for n, line in enumerate(lines) if (said := _spoken(line))}
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


def _tells(key: str) -> bool:
    """Tell whether *key* says something, and does not only name a field: that joins no sentence."""
    return len(key) > _LONGEST_NAME or len(key.split()) > 1


def as_a_tools(said: Mapping[str, Value], origin: Origin) -> dict[str, str]:
    """Return the lines that make a file a tool's, whatever it says of itself."""
    trust = {} if "trust" in said else {"trust": "untrusted"}
    return {"via" if origin.source else "source": "tool", **trust}
