r"""Write any text as Markdown that says the same on one line, and read it back.

Escaped is only what would be read as something else. A code span stands as it is on both ways, so
that `\d+\.` in one keeps its backslashes.
"""

from __future__ import annotations

import re
import unicodedata

_CODE = r"(?<!`)(`+)(?!`).*?[^`]\1(?!`)"
_PUNCTUATION = r"[!-/:-@\[-`{-~]"
_BACKSLASH = re.compile(rf"{_CODE}|\\(?={_PUNCTUATION}|\Z)")
_ESCAPE = re.compile(rf"{_CODE}|\\({_PUNCTUATION})")
_CODE_FIRST = re.compile(_CODE)
_MARK = r"\#+(?=\s|\Z) | > | ([-*_=])(?:\s*\1)*\Z | ~~~ | `{3,}[^`]*\Z | <!--"
_LINE_MARK = re.compile(_MARK, re.VERBOSE)
_BULLET_MARK = re.compile(rf"{_MARK} | [-+*](?=\s|\Z)", re.VERBOSE)
# What no file can hold, or no editor shows.
_DROPPED = frozenset({"Cc", "Cs"})


def normal(text: str) -> str:
    """Return *text* on one line, with single spaces and without control characters."""
    kept = (c for c in text if c.isspace() or unicodedata.category(c) not in _DROPPED)
    return " ".join("".join(kept).split())


def normal_lines(text: str) -> str:
    """Return *text* with each line normal, and without blank ones."""
    return "\n".join(line for line in map(normal, text.split("\n")) if line)


def inline(text: str) -> str:
    """Return the Markdown that says the normal *text* in the middle of a line."""
    return _BACKSLASH.sub(lambda found: found[0] if found[1] else r"\\", text)


def at_bullet(text: str) -> str:
    """Return the Markdown that says the normal *text* behind a bullet."""
    return "\\" * bool(_BULLET_MARK.match(text)) + inline(text)


def at_line(text: str) -> str:
    """Return the Markdown that says the normal *text* on a line of its own; a bullet stays one."""
    return "\\" * bool(_LINE_MARK.match(text)) + inline(text)


def said(markdown: str) -> str:
    """Return the normal text that *markdown* says."""
    return normal(_ESCAPE.sub(lambda found: found[0] if found[1] else found[2], markdown))


def code(name: str) -> str:
    """Return the normal *name* as a code span."""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", name)), default=0))
    room = " " * (name.startswith("`") or name.endswith("`"))
    return f"{fence}{room}{name}{room}{fence}"


def leading_code(markdown: str) -> tuple[str, str]:
    """Return the content of the code span that *markdown* begins with, and what follows it."""
    found = _CODE_FIRST.match(markdown)
    if found is None:
        return "", markdown
    width = len(found[1])
    return normal(found[0][width:-width]), markdown[found.end() :]
