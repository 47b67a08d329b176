"""Read the value that stands behind a name: `hunter2` in `my password is "hunter2".`."""

from __future__ import annotations

from typing import NamedTuple

from vaultmem.secrets.patterns import compiled

_OPEN_QUOTES = "\"'`\u201c\u2018\u00ab\u300c"
_CLOSE_QUOTES = "\"'`\u201d\u2019\u00bb\u300d"
_QUOTED = rf"[{_OPEN_QUOTES}]([^{_CLOSE_QUOTES}\n]{{1,128}})[{_CLOSE_QUOTES}]"
_LONGEST = 200
_JUDGED = 150
_BARE = r"[^\s\uff0c\u3002\uff1b\u3001\uff01\uff1f\uff09\u300d]+"
_WORDS = r"[A-Za-z]{3,14}(?: [A-Za-z]{3,14}){3,23}"


class Value(NamedTuple):
    """A text that may be a secret, and where it starts."""

    text: str
    start: int
    closes: bool  # the clause ends with it


def at(text: str, start: int, *, words: bool) -> Value | None:
    """Return what stands at *start*: a quoted text, some *words* for a passphrase, or a word."""
    if quoted := compiled(_QUOTED).match(text, start):
        return Value(quoted[1], quoted.start(1), closes=True)
    bare = compiled(_WORDS if words else _BARE).match(text, start, start + _LONGEST)
    if bare is None:
        return None
    word = bare[0].lstrip(_OPEN_QUOTES + "*_(")
    kept = word.rstrip(_CLOSE_QUOTES + ".,;:)*")
    rest = text[bare.end() : bare.end() + 1]
    begin = bare.end() - len(word)
    closes = rest in {"", "\n", "\r"} or kept != word or word[-1:] in {"!", "?"}
    return Value(kept, begin, closes=closes) if kept else None


def end(text: str, value: Value) -> int:
    """Return where *value* ends, however long: only its beginning was judged."""
    end = value.start + len(value.text)
    rest = compiled(_BARE).match(text, end) if len(value.text) > _JUDGED else None
    return rest.end() if rest else end
