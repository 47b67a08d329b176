"""How words stand in sentences: behind what, and beside what. That tells things from deeds."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from vaultmem.nlp.text import analysis, segmentation, stopwords
from vaultmem.nlp.text.stopwords import EVENTS

A_NAME = 1.5
"""By how much a name is heavier than another word."""

# Most words are common ones.
_REMEMBERED = 1 << 14
# So often, and in that share of all its places, a word must stand beside another to be named so.
OFTEN, _MOSTLY = 2, 0.3
_BEFORE_THINGS = stopwords.words(
    "a an the my our your his her their its this that these those some any of for with about"
)
_BEFORE_VERBS = stopwords.words("to will can could would should must may might i you we they")
# `for staying`, `of staying`: what stands so need be no thing.
_BEFORE_DEEDS = stopwords.words("of for with about")
# What describes: `optimistic`, `excluded`, `generous`, `helpful`.
_DESCRIBES = re.compile(
    r"(?i)\w+(?:istic|[^e]ed|(?<!fami)(?<!rep)(?<!supp)(?<!assemb)(?<!be)ly|less|i(?:er|est)"
    r"|ious|rous|[ptks]ful|\w{3}ible|eous"
    r"|\w(?:iev|ept|ort|eas|son|ion)able)"
)
_SHORT = 5


@functools.lru_cache(maxsize=_REMEMBERED)
def _stem(word: str) -> str:
    """Return what *word* is about, "" when it says nothing of that."""
    return next(iter(analysis.terms(word)), "")


class WordUse:
    """How the telling words of texts stand in their sentences: after what, and beside what."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Count how the words of *texts* stand."""
        self._forms: dict[str, list[str]] = {}
        self._things: dict[str, int] = {}
        self._verbs: dict[str, int] = {}
        self._pairs: dict[tuple[str, str], list[str]] = {}
        split = [analysis.sentences(text) for text in texts]
        documents = [[stem for s in some for stem in self._noted(s)] for some in split]
        names = frozenset(map(analysis.stem, analysis.names(s for some in split for s in some)))
        weight = segmentation.weights(documents)
        worth = {t: w * (A_NAME if t in names else 1.0) for t, w in weight.items()}
        self._of: dict[str, list[tuple[str, str]]] = {}
        for pair in self._pairs:
            for stem in frozenset(pair):
                self._of.setdefault(stem, []).append(pair)
        # A stable sort: of two as heavy the one that was said first.
        self.weights = sorted(worth, key=lambda term: -round(worth[term], 6))

    def _noted(self, sentence: str) -> Iterator[str]:
        for part in re.split(r"[^\w\s'\u2019-]+|-+(?!\w)|(?<!\w)-+", sentence):
            before, lead = "", ""
            for whole in part.split():
                word = re.split("['\u2019]", whole)[0]
                stem = _stem(word)
                if stem:
                    yield stem
                    self._note(stem, word, before, lead)
                before, lead = word, stem

    def _note(self, stem: str, word: str, before: str, lead: str) -> None:
        self._forms.setdefault(stem, []).append(word)
        if lead:
            self._pairs.setdefault((lead, stem), []).append(f"{before} {word}")
        elif before.lower() in _BEFORE_THINGS and not _is_deed(word, before):
            self._things[stem] = self._things.get(stem, 0) + 1
        elif before.lower() in _BEFORE_VERBS:
            self._verbs[stem] = self._verbs.get(stem, 0) + 1

    def __contains__(self, stem: str) -> bool:
        """Whether a word of *stem* stands in the texts."""
        return stem in self._forms

    def is_thing(self, stem: str) -> bool:
        """Whether the word of *stem* often follows an article or its like."""
        if all(map(describes, self._forms[stem])):
            return False
        things, forms = self._things.get(stem, 0), self._forms[stem]
        if self._verbs.get(stem, 0) > things or (not things and all(map(_is_verb, forms))):
            return False
        led = sum(len(self._pairs[pair]) for pair in self._of.get(stem, ()) if pair[1] == stem)
        return things + led / 2 >= _MOSTLY * len(forms)

    def alone(self, stem: str) -> str:
        """Return the word of *stem*, "" when it mostly only describes another."""
        leading = sum(len(self._pairs[pair]) for pair in self._of.get(stem, ()) if pair[0] == stem)
        forms = self._forms[stem]
        plain = [form for form in forms if not describes(form)]
        return written(Counter(plain or forms)) if leading <= len(forms) / 2 else ""

    def beside(self, stem: str, barred: AbstractSet[str]) -> str:
        """Return the two words of which *stem* is mostly one, "" when it stands alone."""
        own = [pair for pair in self._of.get(stem, ()) if barred.isdisjoint(pair)]
        best = max(own, key=lambda pair: (len(self._pairs[pair]), pair), default=None)
        if best is None or len(self._pairs[best]) < _MOSTLY * len(self._forms[stem]):
            return ""
        forms = Counter(self._pairs[best])
        form = max(forms, key=lambda form: (forms[form], form))
        is_name = all(word[0].isupper() for word in form.split()) and not self._are_two(best)
        often = forms.total() >= OFTEN and (self.is_thing(best[0]) or self._are_one(best))
        return self._whole(best, form) if is_name or often else ""

    def _whole(self, pair: tuple[str, str], form: str) -> str:
        """Return *form* with the word that always follows its two: `high blood pressure`."""
        last, often = pair[1], len(self._pairs[pair])
        behind = (p for p in self._of.get(last, ()) if p[0] == last and p[1] not in pair)
        thing = next((p for p in behind if len(self._pairs[p]) >= often and self._ends(p)), None)
        word = self._pairs[thing][0].split()[1] if thing else ""
        return f"{form} {word}" if word and not _DESCRIBES.fullmatch(word) else form

    def _ends(self, pair: tuple[str, str]) -> bool:
        """Whether the second of *pair* stands mostly behind the first."""
        return 2 * len(self._pairs[pair]) > len(self._forms[pair[1]])

    def _are_one(self, pair: tuple[str, str]) -> bool:
        """Whether *pair* is a compound: its second word mostly follows the first, which is no verb.

        `road trips`, but not `book tickets`: there somebody books.
        """
        first, second = pair
        if self._verbs.get(first) or all(map(describes, self._forms[first])):
            return False
        if first in _events() or any(form.lower().endswith("ing") for form in self._forms[first]):
            return False
        return 2 * len(self._pairs[pair]) >= len(self._forms[second])

    def _are_two(self, pair: tuple[str, str]) -> bool:
        """Whether each of *pair* is mostly named without the other: `Ana, Ben and I`."""
        return all(2 * len(self._pairs[pair]) < len(self._forms[stem]) for stem in pair)


def _is_deed(word: str, before: str) -> bool:
    return word.endswith("ing") and before.lower() in _BEFORE_DEEDS


def _is_verb(word: str) -> bool:
    """Whether *word*, behind no article, is a verb: `stop talking`, `Leo LOVES it`."""
    return word.endswith("ing") or (word.isupper() and len(word) >= _SHORT)


def describes(word: str) -> bool:
    """Whether *word*, by its ending, tells how something is."""
    # Of the short ones `ruled`, but neither `Jared` nor `Italy`.
    is_short = len(word) <= _SHORT - (word.islower() and word.endswith("ed"))
    return not is_short and _DESCRIBES.fullmatch(word) is not None


@functools.cache
def _events() -> frozenset[str]:
    """Return the stems of what somebody did."""
    return frozenset(map(analysis.stem, EVENTS))


def written(forms: Counter[str]) -> str:
    """Return the most frequent form; lower case where the word was ever written so."""
    lower: Counter[str] = Counter()
    for form, count in forms.items():
        lower[form.lower()] += count
    best = max(lower, key=lambda form: (lower[form], -len(form), form))
    return best if best in forms else max(f for f in forms if f.lower() == best)
