"""Part the clauses that English chat runs together: `scrap the roof idea, it's going to rain`.

A subject behind a noun begins either a clause that says which (`the van we bought`) or the next
one. What says which has a gap where the noun belongs, so that a clause which is whole, with an
object or a predicate of its own, is the next (contact clauses: Huddleston & Pullum 2002, 12.3).
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import main_clause_en

_PRONOUN = r"(?:I|we|they|it|he|she)"
_BE = r"(?:is|are|was|were|isn['\u2019]t|aren['\u2019]t|wasn['\u2019]t|weren['\u2019]t)"
_OF_ITS_OWN = r"(?:my|our|the|an?|their|his|her|me|us|too|so|no|way|very|never|always)\b"
_WHOLE = (
    # As in `it's going to rain`, `we're never home`, but not `the house we're buying`.
    rf"{_PRONOUN}['\u2019](?:m|re|s|ll|ve) (?!\w+(?:ing|ed)\W*$)\w+"
    rf"|{_PRONOUN} {_BE} (?!\w+(?:ing|ed)\W*$)\w+"
    rf"|{_PRONOUN} (?:(?:ca|do|wo|does)n['\u2019]t|never|always) \w+ \w+"
    rf"|{_PRONOUN} \w+ {_OF_ITS_OWN}|{_PRONOUN} (?:look|sound|feel|smell|taste)s? \w+"
    # As in `the hours were insane`, `insurance is nuts`, `everyones broke`.
    rf"|(?:(?:the|my|our) )?(?P<noun>[a-z]{{3,}}) {_BE} (?!\w+ing\b)\w+"
    r"|everyones \w+|(?:(?:way|far|just) )+too \w+"
)
_NEXT = re.compile(rf"(?P<last>\b[\w'\u2019-]{{2,}})(?: btw)? (?={_WHOLE})")
_FOR = re.compile(r"(?i)\bfor $")
_NO_END = frozenset(("the", "an", "my", "our", "your", "his", "her", "their", "its", "no", "some"))
_OPENS_PHRASE = re.compile(r"(?i)(?:the|an?|my|our|his|her|their|this|that|these|those)\b")


def parted(text: str) -> str:
    """Return *text*, a line of chat without marks, with a comma before each clause but the first.

    A line that has marks is left alone: whoever sets some, sets them where they belong.
    """
    if re.search(r"[,;:.!?](?! *$)", text):
        return text
    for found in _NEXT.finditer(text):
        noun = found["noun"]
        is_subject = noun is None or not main_clause_en.takes_clause(noun)
        if is_subject and _ends_clause(text[: found.start()], found["last"]):
            return f"{text[: found.end('last')]}, {text[found.end() :]}"
    return text


def _ends_clause(before: str, last: str) -> bool:
    """Whether a clause may end with the word *last* behind *before*."""
    is_phrase = _OPENS_PHRASE.match(before or last) and not main_clause_en.acts(before)
    if is_phrase or not before.strip() or last in _NO_END:
        return False
    if last in {"me", "us"}:
        return _FOR.search(before) is not None
    return not main_clause_en.takes_clause(last)
