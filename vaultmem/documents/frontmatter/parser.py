"""Split a text where its frontmatter begins and ends, and join it again: no byte is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from vaultmem.errors import Unreadable

KEY_LINE = re.compile(r"(?P<key>[^\s:#'\"\[{-][^:\n]*):(?:\s|\Z)")
"""How a line of a frontmatter begins that has a key, and is no item nor goes on with a value."""

OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_KEY_FIRST = re.compile(
    r"""
    (?: [ \t]* (?: \#[^\n]* )? \r?\n )*+                # blank lines and comments
    [ \t]*
    (?: \{ (?![{%])                                     # a flow mapping, not a template's {{ or {%
      | \?[ \t]                                         # an explicit key
      | (?: "(?: [^"\\\n] | \\. )*+" [ \t]*
          | '(?: [^'\n] | '' )*+' [ \t]*
          | (?! -[ \t\r\n] | --- ) [^\s"'\[\]{}>|*@`%,\#:] (?: [^\n\#] | (?<!\s)\# )*?
        ) : (?= [ \t\r\n] | \Z )
    )""",
    re.VERBOSE,
)

# As read, and as given to be written.
Value = str | list["Value"] | dict[str, "Value"]


class Verbatim(NamedTuple):
    """A *value* in the very *lines*, its key among them, that somebody wrote it in."""

    value: Value
    lines: str

    def __str__(self) -> str:
        """Say it as a text."""
        return str(self.value)


Field = str | float | Sequence[str]


class Document(NamedTuple):
    """The four pieces of a file's text, in order; joined they are the text again.

    `opening` is "" when there is no frontmatter (a BOM then stays in the body), `closing` is ""
    when the frontmatter never ends: a torn file, whose rest is all `head`.
    """

    opening: str
    head: str
    closing: str
    body: str


def decode(data: bytes) -> str:
    """Return *data* as text, a BOM kept; raises Unreadable("encoding")."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        raise Unreadable("encoding", f"byte {e.start} is not UTF-8 ({e.reason})") from e
    if "\0" in text:
        raise Unreadable("encoding", f"a NUL character stands at position {text.index(chr(0))}")
    return text


def parse(text: str) -> Document:
    """Split *text* where its frontmatter begins and ends; total, and `render` undoes it.

    Frontmatter is the block between a first line `---` and the next line `---` or `...` when the
    block is blank, or when its first line that is neither blank nor a comment opens a mapping: `{`,
    `? `, or a plain or quoted key, a colon, and a space or the line's end. Prose, lists, headings
    and tables between two rules are body. The rule looks at this one line and not at the YAML, so a
    mapping that breaks further down is still frontmatter, and `fields` can say what is wrong.
    """
    opening = OPENING.match(text)
    if opening is None:
        return Document("", "", "", text)
    start = opening.end()
    closing = _CLOSING.search(text, start)
    end, after = closing.span() if closing else (len(text), len(text))
    head = text[start:end]
    if _KEY_FIRST.match(head) or (closing and not head.strip(" \t\r\n")):
        return Document(text[:start], head, text[end:after], text[after:])
    return Document("", "", "", text)


def read(data: bytes) -> Document:
    """Return the pieces of the file *data*; raises Unreadable as `decode` and `parse` do."""
    return parse(decode(data))


def render(doc: Document) -> str:
    """Return the text that *doc* was parsed from."""
    return doc.opening + doc.head + doc.closing + doc.body


def text_of(fields: Mapping[str, Value], key: str) -> str:
    """Return the text of *key* without space around it, "" where there is none, or a list."""
    value = fields.get(key, "")
    return value.strip() if isinstance(value, str) else ""


def texts(value: Value) -> Iterator[str]:
    """Yield every text of *value*, each key of what nests before what it holds."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from texts(inner)
    else:
        for inner in value:
            yield from texts(inner)
