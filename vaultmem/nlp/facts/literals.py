"""What of a text means what it is, letter for letter: no wording of a fact may have it otherwise.

Forms forget marks, case and articles. In an operator, a flag, a path with a star, a unit, a name of
one letter those are all that is said; so are the commas that say to whom, or who says it.
"""

from __future__ import annotations

import re
from functools import lru_cache

_EMPHASIS = re.compile(r"(?<![\w*/])(\*{1,2}|_{1,2})(?=\S)([^*_\n]+)(?<=\S)\1(?![\w*/])")
_LITERAL = re.compile(
    r"""
      (?P<token> (?<![^\s,;])[^\s,;]*?[=<>\u2260\u2264\u2265|\\^*{}@\#][^\s,;]* )
    | (?P<flag> (?<!\S)-{1,2}[A-Za-z][\w-]* )
    | (?P<denied> (?<!\S)!+[^\s!]+ )
    | (?P<face> [:;]-?[()](?!\w) )
    | (?P<feet> \d['"]+(?!\w) )
    | (?P<size> \d\s?[kKMGT]?[bB]\b )
    | (?P<minus> \d\ -\ (?=\d) )
    | (?P<cased> \b[a-z]+[A-Z]\w* )
    | (?P<letter> (?<=[\w,]\ )A\b | \ba\b(?=\ (?:is|are|was|were|has|had|will|can|ist|war|hat)\b) )
    | (?P<nobody> \b[Nn]o\ one\b )
    | (?P<span> \b(?:[Bb]etween|[Zz]wischen)\ [^\s,;]+\ (?:and|und)\ [^\s,;.]+ )
    | (?P<answer> \A(?:No|Yes|Stop|Wait|Nein|Ja|Halt)\s?, )
    | (?P<teller> ,\ (?:says?|said|sagte?|meint|meinte)\b )
    """,
    re.VERBOSE,
)


@lru_cache(maxsize=1 << 16)
def literals(text: str) -> tuple[str, ...]:
    """Return what *text* says by letters and signs alone, in order; most texts have none."""
    plain = _EMPHASIS.sub(r"\2", text.removeprefix("* "))
    found = [m for m in _LITERAL.finditer(plain) if not (m["letter"] and plain.isupper())]
    return tuple(m[0].casefold() if m["span"] else m[0].rstrip(".:!?") for m in found)
