r"""A call of a tool as a line of a transcript, and words that only look like one.

Calls are the last lines of an assistant's turn, `[uses NAME: {…}]`. A line of its words in that
form, quoted from a page say, is written `\[uses NAME: {…}]`: nothing that is said becomes a call.
"""

from __future__ import annotations

import json
import re

_LIKE_A_CALL = re.compile(r"(\s*)(\\*\[uses [\w.:-]{1,64}: .*\]\s*)", re.DOTALL)
_ESCAPED = re.compile(r"(\s*)\\(\\*\[uses [\w.:-]{1,64}: .*\]\s*)", re.DOTALL)


def line(name: str, put: object) -> str:
    """Return the call of the tool *name* with the input *put*."""
    return f"[uses {name}: {json.dumps(put, ensure_ascii=False)}]"


def escaped(text: str) -> str:
    """Return *text*, words of an assistant's, as a transcript keeps it."""
    return _each_line(_LIKE_A_CALL, r"\1\\\2", text)


def unescaped(text: str) -> str:
    """Return what was said, of the *text* that a transcript keeps."""
    return _each_line(_ESCAPED, r"\1\2", text)


def _each_line(pattern: re.Pattern[str], by: str, text: str) -> str:
    if "[uses " not in text:
        return text
    # As a reader of the transcript splits it, who may know more line ends than LF.
    lines = text.splitlines(keepends=True)
    return "".join(m.expand(by) if (m := pattern.fullmatch(each)) else each for each in lines)
