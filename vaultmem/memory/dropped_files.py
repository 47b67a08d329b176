"""Whether a tool had said what a file says that was laid into the vault past the program.

All that a file says is asked about: how it and its folders are called, what its frontmatter holds
at any depth, and its body. Who may be told of one of these may be told of any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Value
from vaultmem.documents.origin import Origin
from vaultmem.memory import tool_quotes
from vaultmem.records import iso
from vaultmem.storage import files, reader
from vaultmem.storage.store import Store

_LONGEST_NAME = 24
"""Characters of a key that names a field."""


def is_a_tools(store: Store, path: str, said: Mapping[str, Value], body: str) -> bool:
    """Tell whether a tool had said what the file at *path* says before it was written.

    *said* is its frontmatter. When that was is what the system noted, which nobody can set back.
    """
    touched = files.touched(store.root, path)
    until = iso(datetime.fromtimestamp(touched, UTC)) if touched else ""
    every = texts(path, said, body)
    return bool(tool_quotes.tool_of(store, reader.agent_of(path), *every, until=until))


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


def _tells(key: str) -> bool:
    """Tell whether *key* says something, and does not only name a field: that joins no sentence."""
    return len(key) > _LONGEST_NAME or len(key.split()) > 1


def as_a_tools(said: Mapping[str, Value], origin: Origin) -> dict[str, str]:
    """Return the lines that make a file a tool's, whatever it says of itself."""
    trust = {} if "trust" in said else {"trust": "untrusted"}
    return {"via" if origin.source else "source": "tool", **trust}
