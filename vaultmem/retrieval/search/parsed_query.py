"""A question taken apart once: its terms, the dates it names, and what kind of answer it wants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from vaultmem.documents.languages import detection, letters
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
_BEGINS_BEHIND = frozenset('.!?:\n"(\u00bf\u00a1')
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
    *names* are its words that are written as names. It *is_idle* that has but function words.
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
    names: frozenset[str] = frozenset()
    is_idle: bool = False

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
        wanted = beside
    is_idle = not (wanted or dates.dates)
    every = tuple(dict.fromkeys((*wanted, *beside)))[:MOST_TERMS] or terms(query if is_idle else "")
    language = detection.language(query)
    return ParsedQuery(
        query,
        asked,
        every,
        tuple(_ASIDE if wanted and term not in wanted else 1.0 for term in every),
        frozenset(WORD.findall((asked or query).lower())),
        dates.dates,
        terms(dates.words),
        now=now,
        related=() if language else related_words.related(every),
        names=frozenset() if language == "de" else frozenset(_names(query)),
        is_idle=is_idle,
    )


def _names(query: str) -> Iterator[str]:
    """Yield the words of *query* that are written as names, as they stand among terms.

    They have a capital and begin no sentence, where not all has capitals.
    """
    for word in () if query.isupper() else WORD.finditer(query):
        before = query[: word.start()].rstrip()
        if word.group()[0].isupper() and before and before[-1] not in _BEGINS_BEHIND:
            yield letters.folded(word.group()).lower()


def _terms(text: str, dates: query_dates.NamedDates) -> tuple[str, ...]:
    """Return the terms of *text*, without the words that name *dates*."""
    wanted = telling(text)
    if not dates.dates:  # most questions name none
        return wanted
    rest = frozenset(telling(dates.rest))
    return tuple(term for term in wanted if term in rest)
