"""A question taken apart once: its terms, the dates it names, and what kind of answer it wants."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from vaultmem.documents.languages import detection
from vaultmem.retrieval.search import query_dates, related_words
from vaultmem.retrieval.search.types import MaxSim
from vaultmem.storage.index.tokenizer import terms

WORD = re.compile(r"\w+")
_WHEN = re.compile(
    r"\W*(?:when|since when|how long|(?:what|which) (?:date|day|month|year|time))\b"
    r"|.*(?:什么时候|何时|几点|哪天|哪年|多久)",
    re.IGNORECASE | re.DOTALL,
)
_HOW_MANY = re.compile(r"\bhow (?:many|much|often|long|old|far)\b|多少|几", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A question taken apart once; *said* are all of its words, in lower case.

    What names a time is none of its *terms*: the *dates* that it names tell when, and *date_words*
    are those of dates that it writes out, by which texts are found that write them, too.

    *related* are the words that are said for each of its terms, where those are English.
    *max_sim* is how near each candidate comes to each of its tokens, where they were compared.
    """

    query: str
    terms: tuple[str, ...]
    said: frozenset[str]
    dates: tuple[query_dates.Date, ...] = ()
    date_words: tuple[str, ...] = ()
    now: str = ""
    max_sim: MaxSim = field(default_factory=MaxSim)
    related: tuple[frozenset[str], ...] = ()

    @property
    def asks_when(self) -> bool:
        """Whether a time answers it."""
        return bool(_WHEN.match(self.query))

    @property
    def asks_how_many(self) -> bool:
        """Whether a number answers it."""
        return bool(_HOW_MANY.search(self.query))


def parse_query(query: str, now: str = "") -> ParsedQuery:
    """Take *query* apart; relative dates are counted from *now*."""
    said = frozenset(WORD.findall(query.lower()))
    dates = query_dates.named(query, now)
    wanted = terms(query)
    if dates.dates:  # most questions name none
        rest = frozenset(terms(dates.rest))
        wanted = tuple(term for term in wanted if term in rest)
    related = () if detection.language(query) else related_words.related(wanted)
    return ParsedQuery(
        query, wanted, said, dates.dates, terms(dates.words), now=now, related=related
    )
