"""Write one value as YAML that every reader takes for this very value."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeGuard

from vaultmem.documents.frontmatter import reader
from vaultmem.documents.frontmatter.parser import (
    Document,
    Field,
    Value,
    Verbatim,
    parse,
    render,
)
from vaultmem.errors import Refused, Unreadable

_WORDS = frozenset(
    {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<", ".inf", ".nan"}
)
_MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII
)
_ODD = re.compile(
    r"""
    \A [\[\]{}"'&*!|>%@`\-?,\#:]                        # an indicator
  | : (?: \s | \Z )                                     # reads as a key
  | \#                                                  # reads as a comment, or did once
  | \[\[                                                # a wikilink, which Obsidian wants quoted
  | \A [+]? [\d.] [\d_.,:]* (?: [eE] [+-]? \d+ )? \Z    # a number, a time, a version
  | \A [+]? 0 [xXoObB] [\da-fA-F_]+ \Z
  | \A \d{4}-\d\d?-\d\d? (?: [Tt\s] | \Z )              # a date of another make
    """,
    re.VERBOSE,
)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Joiners hold emoji and Indic words together; the two spaces are ordinary in French and Japanese.
_READABLE = frozenset("\u200c\u200d\u00a0\u3000")


def as_written(value: object) -> str:
    """Return *value* as YAML on one line; raises Refused for what has no flat form."""
    if isinstance(value, str):
        return value if _is_plain(value) else _quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    raise Refused(
        f"{value!r} cannot be written into frontmatter: "
        "give a string, a finite number or a list of these"
    )


def key_as_written(key: str) -> str:
    """Return a key as YAML: one that looks like a time is a string all the same."""
    return _quoted(key) if _MOMENT.fullmatch(key) else as_written(key)


def as_read(value: object) -> Value:
    """Return what `fields` should see once *value* is written."""
    if isinstance(value, str):
        return value
    if isinstance(value, Verbatim):
        return value.value
    return [as_read(item) for item in value] if is_list(value) else as_written(value)


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Tell whether *value* is written as a list."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _is_plain(value: str) -> bool:
    """Whether every reader takes *value*, unquoted, for this very string."""
    if _MOMENT.fullmatch(value):
        return _exists(value)
    return (
        value.isprintable()
        and value.strip() == value
        and value.lower() not in _WORDS
        and bool(value)
        and not _ODD.search(value)
    )


def _exists(moment: str) -> bool:
    # PyYAML's own loader dies of an unquoted 2026-02-30.
    try:
        datetime.fromisoformat(moment)
    except ValueError:
        return False
    return True


def _quoted(value: str) -> str:
    if value.isprintable() and _ESCAPES.keys().isdisjoint(value):
        return f'"{value}"'  # a summary has hundreds of links, and they are all so
    return '"' + "".join(_escaped(char) for char in value) + '"'


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable() or char in _READABLE:
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004  the BMP's end


def new(fields: Mapping[str, Field | Verbatim], body: str, most: int = reader.MAX_BYTES) -> str:
    """Return the text of a new file: *fields* in their order, then *body*, ending with a newline.

    Strings are quoted only where some reader would not see the same string. Raises Refused when the
    result would not read back as what was given.
    """
    head = "".join(lines(key_as_written(key), value) for key, value in fields.items())
    end = "" if not body or body.endswith("\n") else "\n"
    meant = {key: as_read(value) for key, value in fields.items()}
    return render(checked(Document("---\n", head, "---\n", body + end), meant, most))


def lines(key: str, value: object, comment: str = "", eol: str = "\n", dash: str = "  - ") -> str:
    """Return the lines of one top-level key; *key* is written as it comes."""
    if isinstance(value, Verbatim):
        return value.lines
    if is_list(value) and value:
        items = "".join(f"{dash}{as_written(item)}{eol}" for item in value)
        return f"{key}:{comment}{eol}{items}"
    return f"{key}: {'[]' if is_list(value) else as_written(value)}{comment}{eol}"


def checked(doc: Document, meant: Mapping[str, Value], most: int) -> Document:
    """Return *doc*; raises Refused when its text does not read back as *doc* and as *meant*."""
    again = parse(render(doc))
    try:
        found = reader.fields(again, most)
    except Unreadable as e:
        raise Refused(f"nothing was written, for it could not be read again: {e.why}") from e
    if again != doc or found != meant:
        raise Refused(
            "nothing was written, for it would not read back as what was meant: "
            "edit the frontmatter by hand, or give it one plain key a line"
        )
    return doc
