"""Write a new file in a format that nests, as Agent Skills and Claude Code's memory do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vaultmem.documents.frontmatter import Document, fields, parse, render
from vaultmem.documents.frontmatter.yaml_writer import as_written
from vaultmem.errors import Refused, Unreadable

Head = Mapping[str, str | Mapping[str, str]]


def text(head: Head, body: str) -> str:
    """Return the text of a file with the frontmatter *head*, of at most two levels, and *body*.

    Below the first level all values are quoted: these formats want strings there, and some readers
    see a date. Raises Refused when the result would not read back as what was given.
    """
    made = render(Document("---\n", "".join(_lines(head)), "---\n", body))
    try:
        found = fields(parse(made))
    except Unreadable as e:
        raise Refused(f"nothing was written, for it could not be read again: {e.why}") from e
    if found != head:
        raise Refused("nothing was written, for it would not read back as what was meant")
    return made


def _lines(head: Head) -> Iterator[str]:
    for key, value in head.items():
        if isinstance(value, str):
            yield f"{key}: {as_written(value)}\n"
        else:
            yield f"{key}:\n"
            yield from (f"  {name}: {_quoted(said)}\n" for name, said in value.items())


def _quoted(value: str) -> str:
    written = as_written(value)
    if written != value:
        return written
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
