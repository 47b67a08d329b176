"""Read off what a tool answered how it went: counts, exit codes, kinds of error.

Each is a number beside a word of a closed list, or a phrase of one, so that no sentence of a page
can come along: what is told here may stand beside what people and agents say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.nlp.extraction import tool_results

_READ, _MOST = 2000, 5
_UNITS = (
    r"passed|failed|skipped|xfailed|errors?|failures?|warnings?|vulnerabilities|tests?|checks?"
    r"|files? changed|files?|insertions?|deletions?|rows?|records?|matches|lines?|commits?"
    r"|bytes|[kKMG]B|ms|seconds?|minutes?"
)
_COUNT = (
    rf"(?<![\w.,:/-])\d[\d,]{{0,11}}(?:\.\d{{1,4}})? ?(?:{_UNITS})(?![\w-])"
    r"|(?<![\w.])\d{1,3}(?:\.\d{1,2})?%"
)
_CODE = r"\bexit(?:ed with)? (?:code|status):? \d{1,3}\b|\bHTTP(?:/\d(?:\.\d)?)? [1-5]\d\d\b"
_RAISED = (
    r"\b(?:Assertion|Attribute|Connection|FileExists|FileNotFound|Import|Index|Key|Lookup|Memory"
    r"|ModuleNotFound|Name|NotImplemented|OS|Overflow|Permission|Recursion|Reference|Runtime|Syntax"
    r"|Timeout|Type|UnicodeDecode|UnicodeEncode|Value|ZeroDivision)Error\b"
)
_PHRASE = (
    r"(?i:\b(?:no such file or directory|permission denied|command not found|connection refused"
    r"|connection reset|timed out|out of memory|segmentation fault|no space left on device"
    r"|build (?:succeeded|failed)|already up to date|nothing to commit|merge conflict"
    r"|no matches found|all checks passed)\b)"
)
_FOUND = re.compile(f"{_COUNT}|{_CODE}|{_RAISED}|{_PHRASE}")


def outcome(answer: str) -> str:
    """Return how *answer* says it went: `2 failed, 118 passed, exit code 1`, or nothing."""
    return ", ".join(list(dict.fromkeys(_findings(answer)))[-_MOST:])


def _findings(answer: str) -> Iterator[str]:
    short = tool_results.shorten(answer, _READ)
    return (" ".join(found[0].split()) for found in _FOUND.finditer(short))
