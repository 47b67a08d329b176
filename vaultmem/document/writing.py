"""Write frontmatter, and read it back before anybody gets to see it."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.document import reading
from vaultmem.document.model import Document, Field, Value
from vaultmem.document.parsing import parse, render
from vaultmem.document.quoting import as_read, as_written, is_list
from vaultmem.errors import Refused, Unreadable


def new(fields: Mapping[str, Field], body: str, most: int = reading.MAX_BYTES) -> str:
    """Return the text of a new file: *fields* in their order, then *body*, ending with a newline.

    Strings are quoted only where some reader would not see the same string. Raises Refused when the
    result would not read back as what was given.
    """
    head = "".join(lines(as_written(key), value) for key, value in fields.items())
    end = "" if not body or body.endswith("\n") else "\n"
    meant = {key: as_read(value) for key, value in fields.items()}
    return render(checked(Document("---\n", head, "---\n", body + end), meant, most))


def lines(key: str, value: object, comment: str = "", eol: str = "\n", dash: str = "  - ") -> str:
    """Return the lines of one top-level key; *key* is written as it comes."""
    if is_list(value) and value:
        items = "".join(f"{dash}{as_written(item)}{eol}" for item in value)
        return f"{key}:{comment}{eol}{items}"
    return f"{key}: {'[]' if is_list(value) else as_written(value)}{comment}{eol}"


def checked(doc: Document, meant: Mapping[str, Value], most: int) -> Document:
    """Return *doc*; raises Refused when its text does not read back as *doc* and as *meant*."""
    again = parse(render(doc))
    try:
        found = reading.fields(again, most)
    except Unreadable as e:
        raise Refused(f"nothing was written, for it could not be read again: {e.why}") from e
    if again != doc or found != meant:
        raise Refused(
            "nothing was written, for it would not read back as what was meant: "
            "edit the frontmatter by hand, or give it one plain key a line"
        )
    return doc
