"""The facts that are known, by their words: a newer one contradicts few that have others."""

from __future__ import annotations

from collections.abc import Iterable

from vaultmem.nlp.extraction import contradictions
from vaultmem.nlp.text.word_postings import WordPostings


class KnownClaims:
    """Facts by the terms of which a newer one shares some with each that it contradicts."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        """Know the *texts*, each by its place, from 0 on."""
        self._texts: dict[int, str] = {}
        self._terms = WordPostings()
        for place, text in enumerate(texts):
            self.put(place, text)

    def put(self, place: int, text: str) -> None:
        """Know *text* at its *place*, instead of what is there."""
        self._texts[place] = text
        self._terms.put(place, contradictions.terms(text))

    def drop(self, place: int) -> None:
        """Know nothing at *place*."""
        self._terms.drop(place)

    def contradicted(self, text: str) -> int | None:
        """Return the place of the first that *text*, newer, contradicts; None where none is."""
        places = sorted(self._terms.alike(contradictions.terms(text), contradictions.SHARED))
        of = contradictions.contradicts
        return next((at for at in places if of(text, self._texts[at])), None)
