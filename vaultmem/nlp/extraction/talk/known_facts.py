"""The facts that are known, grouped so that another is compared with few of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from vaultmem.nlp.extraction.talk import fact_equality, similarity
from vaultmem.nlp.extraction.talk.fact_equality import Key
from vaultmem.nlp.text.word_postings import WordPostings


class KnownFacts:
    """Facts by their keys, of which all that are one fact share one.

    Those of a fact are read when another has words of it: of a long note most never are.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        """Know the *texts*, each by its place, from 0 on."""
        self._texts: list[str] = []
        self._places: defaultdict[Key, set[int]] = defaultdict(set)
        self._unread = WordPostings()
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Know *text* behind all others."""
        self._texts.append(text)
        self._note(len(self._texts) - 1)

    def replace(self, place: int, text: str) -> None:
        """Know *text* in the *place* of another."""
        self._forget(place)
        self._texts[place] = text
        self._note(place)

    def drop(self, text: str) -> None:
        """Know *text* once less, if it is known."""
        alike = self._places.get(fact_equality.wording(text), ())
        place = next((at for at in alike if self._texts[at] == text), None)
        if place is not None:
            self._forget(place)

    def tells(self, text: str, *, verbatim: bool = False) -> bool:
        """Tell whether *text* is one fact with any, or where it is to be *verbatim*, its words."""
        if verbatim:
            return bool(self._places.get(fact_equality.wording(text)))
        return self.place(text) is not None

    def place(self, text: str) -> int | None:
        """Return where the first stands that is one fact with *text*; None where none does."""
        for near in self._unread.near(similarity.items(text), fact_equality.SHARED):
            self._unread.drop(near)
            self._note_keys(near, fact_equality.keys(self._texts[near]))
        found = (self._places[key] for key in fact_equality.keys(text) if key in self._places)
        places = sorted(set().union(*found))
        is_one = fact_equality.is_one_fact
        return next((at for at in places if is_one(text, self._texts[at])), None)

    def _forget(self, place: int) -> None:
        self._unread.drop(place)
        for key in fact_equality.keys(self._texts[place]):
            self._places[key].discard(place)

    def _note(self, place: int) -> None:
        text = self._texts[place]
        self._note_keys(place, [fact_equality.wording(text)])
        self._unread.put(place, similarity.items(text))

    def _note_keys(self, place: int, keys: Iterable[Key]) -> None:
        for key in keys:
            self._places[key].add(place)
