"""A question taken apart once: its terms, the dates it names, and what kind of answer it wants."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from vaultmem.documents.languages import detection
from vaultmem.retrieval.search import query_dates, related_words, requests
from vaultmem.retrieval.search.types import MaxSim
from vaultmem.storage.index.tokenizer import MOST_TERMS, telling, terms

WORD = re.compile(r"\w+")
_WHEN = re.compile(
    r"\W*(?:when|since when|how long|(?:what|which) (?:date|day|month|year|time))\b"
    r"|.*(?:什么时候|何时|几点|哪天|哪年|多久)",
    re.IGNORECASE | re.DOTALL,
)
_ASIDE = 0.25
"""What a word weighs that is told beside the question."""
_HOW_MANY = re.compile(r"\bhow (?:many|much|often|long|old|far)\b|多少|几", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A question taken apart once: what is *asked* in it is without the phrases of asking.

    *said* are all of its words, in lower case. Each of its *terms* has its weight in *weights*,
    which is small for what is told beside what is asked.

    What names a time is none of its *terms*: the *dates* that it names tell when, and *date_words*
    are those of dates that it writes out, by which texts are found that write them, too.

    *related* are the words that are said for each of its terms, where those are English.
    *max_sim* is how near each candidate comes to each of its tokens, where they were compared.
    """

    query: str
    asked: str
    terms: tuple[str, ...]
    weights: tuple[float, ...]
    said: frozenset[str]
    dates: tuple[query_dates.Date, ...] = ()
    date_words: tuple[str, ...] = ()
    now: str = ""
    max_sim: MaxSim = field(default_factory=MaxSim)
    related: tuple[frozenset[str], ...] = ()

    @property
    def asks_when(self) -> bool:
        """Whether a time answers it."""
        return bool(_WHEN.match(self.asked))

    @property
    def asks_how_many(self) -> bool:
        """Whether a number answers it."""
        return bool(_HOW_MANY.search(self.asked))


def parse_query(query: str, now: str = "") -> ParsedQuery:
    """Take *query* apart; relative dates are counted from *now*."""
    asked, aside = requests.taken_apart(query)
    dates = query_dates.named(asked, now)
    if aside and not dates.dates:
        dates = query_dates.named(aside, now)
    wanted, beside = _terms(asked, dates), _terms(aside, dates)
    if not (wanted or dates.dates):  # "Where is it?" asks for what is told beside it
        wanted = beside or terms(query)
    every = tuple(dict.fromkeys((*wanted, *beside)))[:MOST_TERMS]
    return ParsedQuery(
        query,
        asked,
        every,
        tuple(1.0 if term in wanted else _ASIDE for term in every),
        frozenset(WORD.findall(query.lower())),
        dates.dates,
        terms(dates.words),
        now=now,
        related=() if detection.language(query) else related_words.related(every),
    )


def _terms(text: str, dates: query_dates.NamedDates) -> tuple[str, ...]:
    """Return the terms of *text*, without the words that name *dates*."""
    wanted = telling(text)
    if not dates.dates:  # most questions name none
        return wanted
    rest = frozenset(telling(dates.rest))
    return tuple(term for term in wanted if term in rest)
