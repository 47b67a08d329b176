"""What somebody says they no longer like, and what they like instead: `I used to like tea`."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from vaultmem.nlp.text import analysis

_OPENS = r"^\W*(?:(?:well|actually|so|oh|yes|no|hey|by the way|btw|and|but),? )*"
_VERBS = r"like|love|enjoy|prefer|adore|hate|dislike|can['\u2019]t stand"
_ENDS = r"(?P<what>[^,.;:!?\u2013\u2014]{2,60}?)"
_INSTEAD = (
    r"(?:[,;.\u2013\u2014-]* ?(?:but |and |so )*(?:(?:now|nowadays|these days),? )?"
    r"(?P<now>I(?:['\u2019]m| am)? [^?]+))?"
)
_CEASED = tuple(
    re.compile(rf"(?i:{_OPENS})(?-i:I) {said}(?: any ?more| now| these days)?{_INSTEAD}[.!]*$")
    for said in (
        rf"used to (?:really )?(?P<verb>{_VERBS}) {_ENDS}",
        rf"no longer (?P<verb>{_VERBS}) {_ENDS}",
        rf"(?:don['\u2019]t|do not) (?:really )?(?P<verb>{_VERBS}) {_ENDS} any ?more",
        rf"(?:have |['\u2019]ve )?stopped (?P<verb>lik|lov|enjoy|preferr)ing {_ENDS}",
    )
)
_STILL = re.compile(r"(?i)\b(?:still|again|always|too|both|as well)\b")
_STEMS = {"lik": "like", "lov": "love", "preferr": "prefer"}
_NOW = re.compile(r"(?i)\b(?:now|nowadays|these days)\b")
_LIKING = re.compile(
    rf"\bI (?:(?:now|really|also|just|do) )*(?:{_VERBS}) (?P<what>[^,.;:!?]{{2,60}}?)"
    r"(?: (?:now|nowadays|these days|most|best))?[.!]*$"
)


# Who is loved is no taste, and a lone name may be anybody's: `I love Maureen`.
_LOVED = re.compile(
    r"\b(?:love|adore|miss)(?:s|d)? (?-i:[A-Z][a-z]+)(?: and (?:her|his|their|all)\b.*)?\W*$"
)


_LOVED_IN_SMALL = re.compile(r"\b(?:love|adore|miss)(?:s|d)? (?P<who>[a-z]{2,})\b(?! \w)")


class Change(NamedTuple):
    """A taste that ended, as the sentence that said it once, and what is said of now, if any."""

    was: str
    now: str


def may_be_of_somebody(sentence: str, names: Collection[str] = ()) -> bool:
    """Whether *sentence* may say whom its speaker loves, rather than what they like.

    In small letters a name is one only where it is among *names*, which are said elsewhere.
    """
    if _LOVED.search(sentence):
        return True
    small = _LOVED_IN_SMALL.search(sentence)
    return small is not None and small["who"] in names


def change(sentence: str) -> Change | None:
    """Return what taste *sentence* says is over; None where it says of none."""
    found = next((m for pattern in _CEASED if (m := pattern.match(sentence))), None)
    if found is None or _STILL.search(found["now"] or ""):
        return None
    verb = _STEMS.get(found["verb"], found["verb"])
    return Change(f"I {verb} {found['what']}.", found["now"] or "")


def takes_the_place(newer: str, older: str) -> bool:
    """Whether *newer* ends the taste that *older* tells, or names another of its kind for now.

    `I like light roast now` is of the kind of `I like dark roast`: both end in one word.
    """
    was = _LIKING.search(older)
    if was is None or change(older):
        return False
    if ended := change(newer):
        gone = _LIKING.search(ended.was)
        return gone is not None and _folded(gone) == _folded(was)
    now = _LIKING.search(newer)
    return now is not None and is_another_now(newer, now["what"], was["what"])


def is_another_now(sentence: str, value: str, before: str) -> bool:
    """Whether *sentence*, which tells a liking of *value*, says so of now, unlike before."""
    if not is_of_now(sentence):
        return False
    one, two = (analysis.words(analysis.folded(it)) for it in (value, before))
    return len(one) > 1 and len(two) > 1 and one[-1] == two[-1] and one != two


def is_of_now(sentence: str) -> bool:
    """Whether *sentence* says that something is so now, and was not before."""
    return _NOW.search(sentence) is not None and not _STILL.search(sentence)


def _folded(found: re.Match[str]) -> str:
    return analysis.folded(found["what"])
