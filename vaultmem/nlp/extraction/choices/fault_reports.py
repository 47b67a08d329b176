"""Tell a report that something in use is at fault from a verdict on an approach.

`The upload times out` is told to have it mended, and nobody gives the upload up by it; `Redis
didn't work: it lost jobs` tells how a trial ended. What is theirs already, or known to both, is in
use; so is what did its work before. English alone is read.
"""

from __future__ import annotations

import re

# What is known to both is there; of an approach they speak as of one among others.
_IN_USE = re.compile(
    r"(?i)(?:(?:and|but|so|also|now|then|however|unfortunately),? )*"
    r"(?:the|our|my|your|this|that|these|those|its|his|her|their|both|all)\b"
    r"(?! (?:[\w-]+ ){0,2}(?:approach|idea|option|way|trick|plan|workaround|attempt|method|variant"
    r"|alternative|proposal|suggestion|hack|solution|fallback)s?\b)"
)
_FAILS = re.compile(
    r"(?i)(?:d(?:o|oes|id)(?:n['\u2019]?t| not) |won['\u2019]?t |will not |never )"
    r"(?:really |actually )?(?:work|scale|help)"
    r"|tim(?:es|e) out|(?:keeps? |kept )tim|runs? out of memory|deadlocks?\b"
    r"|(?:is|are) (?:just |simply |far |way |much |still )?too (?:slow|flaky|fragile|brittle"
    r"|memory-hungry)"
    r"|(?:is|are|gets?) (?:constantly |always |heavily )?(?:being )?rate[ -]?limited"
)
# As in `keeps timing out`, `doesn't work any more`: it is in use, or was.
_GOES_ON = re.compile(
    r"(?i)keeps? |kept |.*\b(?:any ?more|any longer|again|since|suddenly|(?:right )?now|yet|today"
    r"|properly|correctly|reliably|whenever|when|after \w+ing)\b"
)


def is_one(what: str, verdict: str) -> bool:
    """Whether the *verdict* on *what*, both as written, tells of a fault of something in use."""
    if _FAILS.match(verdict) is None:
        return False
    is_trial = re.match(r"(?i)did", verdict) is not None
    is_there = _IN_USE.match(what) is not None and not is_trial
    return is_there or _GOES_ON.match(verdict) is not None
