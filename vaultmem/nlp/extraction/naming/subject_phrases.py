"""What people who talk with each other talk about, as they named it: `clothing store`.

A subject is named by a noun phrase, and its words come up again and again in the talk (Halliday &
Hasan 1976, *Cohesion in English*, on reiteration). Of the phrases of two words and more that an
article or its like announces, that one is taken whose words, its head most of all, most of the
sentences have; what is told as news proposes a subject, and counts for more. English alone is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultmem.nlp.extraction.grammar.word_use import WordUse, describes
from vaultmem.nlp.extraction.naming import first_news, titles
from vaultmem.nlp.extraction.talk.utterances import Sentence
from vaultmem.nlp.text import analysis, stopwords
from vaultmem.nlp.text.stopwords import EVENTS, NUMBER_WORDS, STOP

_OWN = stopwords.words("my our your his her their")
_ANNOUNCES = _OWN | stopwords.words("a an the this that its some any new another for of with about")
_BEFORE_DEEDS = stopwords.words("for of with about")
# Tells how somebody finds a thing, and when; never which it is.
_PRAISES = stopwords.words("""
    gorgeous nice favorite favourite fave cool super great classic recent local nearby delicious
    tasty cute lovely beautiful pretty fantastic wonderful awesome fun perfect special own true
    similar possible important simple quick whole big huge little small bigger best better worst bad
    good new old latest newest last next few couple real other same different certain various many
    much more most several amazing incredible crazy awful terrible hard tough tricky rough happy sad
    proud lucky main full free open rad dope sick neat sweet top upcoming ongoing extra usual yummy
    adorable ideal solid strong major serious fresh safe early late successful personal expert
    unforgettable entire single
""")
# What stands behind a thing, and is none of it.
_BEHIND = stopwords.words("""
    later even despite throughout afterwards afterward near forever nonstop sometime more together
    again anymore already ever yet soon lately outside inside around across within per via until
    since during while toward towards becoming form forms style styles though sort kind type lot
    lots bunch bit ton part end start chance way day time week weekend month year rest love loves
    self side tons sense couple night hours recommendation recommendations reccomendation
    reccomendations advice tip tips
""")
_ENDS = _BEHIND.union(NUMBER_WORDS)
_MOST, _LEAST = 3, 2
# So many sentences have its words; of news, both who talk come back to it or it opens the talk.
_OFTEN = 3
_OPENING, _FIRST = 4, 2
_LOOKED_AT = 10
_NEWS, _LATER_NEWS = 2.0, 0.5
# A second subject is told where it is as much talked of as this share of the first.
_BESIDE = 0.55
_ONE_WORD = 1.5
"""So many times as often a word alone is said, where it is the subject and no phrase is."""


class _Phrase(NamedTuple):
    """A phrase as written, the first turn that has it, and whether it is somebody's own."""

    text: str
    turn: int
    is_own: bool
    is_news: bool = False

    @property
    def head(self) -> str:
        """The stem of its last word, of what stands before a `for`."""
        return _stem(re.split(r" (?:for|of|in|to|about) ", self.text)[0].split()[-1])


def subject(said: Sequence[Sentence], voices: Sequence[str]) -> str:
    """Return the phrases, one or two, that most of what is *said* is about; "" for none."""
    texts = [s.text for s in said]
    if not stopwords.is_english([head for text in texts for head in analysis.heads(text)]):
        return ""
    talk = _Talk(said, voices)
    best = sorted(talk.phrases(), key=lambda phrase: -talk.weight(phrase))
    if not best or talk.is_outdone(best[0]):
        return ""
    first, least = best[0], _BESIDE * talk.weight(best[0])
    apart = (p for p in best[1:] if talk.is_beside(p, first))
    second = next((p for p in apart if talk.weight(p) >= least), None)
    return f"{first.text} and {second.text}" if second else first.text


class _Talk:
    """What was said, and how often it came to what."""

    def __init__(self, said: Sequence[Sentence], voices: Sequence[str]) -> None:
        self._said = said
        texts = [s.text for s in said]
        self._use = WordUse(texts)
        self._voices = frozenset(_stem(head) for voice in voices for head in analysis.heads(voice))
        self._barred = titles.no_subjects() | self._voices
        named = titles.phrases(texts, _LOOKED_AT, voices)
        self._paired = [n for n in named if " " in n and not _is_opinion(n.partition(" ")[0])]
        self._about = [frozenset(analysis.terms(s.text)) for s in said]

    def phrases(self) -> list[_Phrase]:
        """Return the phrases that may be the subject, each once."""
        found: dict[str, _Phrase] = {}
        for sentence in self._said:
            named = (*self._news(sentence), *self._announced(sentence))
            for phrase in (*named, *self._compounds(sentence)):
                known = found.get(phrase.text.lower(), phrase)
                is_own, is_news = known.is_own or phrase.is_own, known.is_news or phrase.is_news
                found[phrase.text.lower()] = known._replace(is_own=is_own, is_news=is_news)
        return [phrase for phrase in found.values() if self._is_subject(phrase)]

    def weight(self, phrase: _Phrase) -> float:
        """Return how much of the talk is of *phrase*: its words, its head, and as news."""
        news = (_NEWS if phrase.turn < _OPENING else _LATER_NEWS) if phrase.is_news else 0.0
        return (self._spread(self.stems(phrase)) + self._spread({phrase.head})) / 2 + news

    def stems(self, phrase: _Phrase) -> frozenset[str]:
        """Return the stems of *phrase* that tell something."""
        return frozenset(map(_stem, phrase.text.split())) - self._barred

    def is_beside(self, phrase: _Phrase, first: _Phrase) -> bool:
        """Whether *phrase* is another subject than the *first*, and much of the talk is of it."""
        is_much = self._spread(self.stems(phrase)) >= _OFTEN or phrase.turn < _OPENING
        return is_much and self.stems(phrase).isdisjoint(self.stems(first))

    def is_outdone(self, phrase: _Phrase) -> bool:
        """Whether one word that is none of *phrase* is said far more often."""
        own = max(1, self._spread(self.stems(phrase)))
        others = frozenset(self._use.weights) - self._barred - self.stems(phrase)
        things = (stem for stem in others if self._use.is_thing(stem))
        return not phrase.is_news and any(self._spread({t}) > _ONE_WORD * own for t in things)

    def _is_subject(self, phrase: _Phrase) -> bool:
        stems = self.stems(phrase)
        if phrase.is_news:
            is_taken_up = self._is_taken_up(phrase) and self._spread(stems) >= _LEAST
            return bool(stems) and (phrase.turn < _FIRST or is_taken_up)
        often = _OFTEN if len(self._said) >= _OFTEN * _OPENING else _LEAST
        if self._spread(stems) < often or self._spread({phrase.head}) < _LEAST:
            return False
        if not self._is_taken_up(phrase):
            return False
        return phrase.is_own or self._spread(stems - {phrase.head}) >= _LEAST

    def _is_taken_up(self, phrase: _Phrase) -> bool:
        """Whether two of those who talk, or the one who does, say words of *phrase*."""
        stems = self.stems(phrase)
        both = zip(self._said, self._about, strict=True)
        heard = {(s.role, s.speaker) for s, terms in both if not stems.isdisjoint(terms)}
        return len(heard) >= min(_LEAST, len({(s.role, s.speaker) for s in self._said}))

    def _spread(self, stems: frozenset[str] | set[str]) -> int:
        return sum(not stems.isdisjoint(terms) for terms in self._about)

    def _news(self, sentence: Sentence) -> Iterator[_Phrase]:
        for thing in first_news.told(sentence.text):
            words = thing.split()
            while words and words[0].lower() in _PRAISES:
                words = words[1:]
            ends = (i for i, word in enumerate(words) if word.lower() in _ENDS)
            words = words[: next(ends, len(words))]
            news = _Phrase(" ".join(words), sentence.turn, is_own=False, is_news=True)
            if _LEAST <= len(words) <= 2 * _MOST - 1 and not self._is_barred(news):
                yield news

    def _is_barred(self, news: _Phrase) -> bool:
        is_of_them = not frozenset(map(_stem, news.text.split())).isdisjoint(self._voices)
        last = _stem(news.text.split()[-1])
        return is_of_them or not self._barred.isdisjoint({last, news.head}) or "'" in news.text

    def _compounds(self, sentence: Sentence) -> Iterator[_Phrase]:
        """Yield the pairs of words of *sentence* that stand together again and again."""
        for name in self._paired:
            if re.search(rf"(?i)\b{re.escape(name)}\b", sentence.text):
                yield _Phrase(name, sentence.turn, is_own=False)

    def _announced(self, sentence: Sentence) -> Iterator[_Phrase]:
        for clause in re.split(r"[^\w\s'\u2019-]+|\s-+\s|-{2,}", sentence.text):
            words = clause.split()
            for i, word in enumerate(words):
                if word.lower() not in _ANNOUNCES:
                    continue
                run = self._run(words[i + 1 : i + 2 + _MOST])
                is_deed = run and run[0].endswith("ing") and word.lower() in _BEFORE_DEEDS
                if len(run) > 1 and not is_deed:
                    yield _Phrase(" ".join(run), sentence.turn, word.lower() in _OWN)

    def _run(self, words: Sequence[str]) -> list[str]:
        """Return the words of the noun phrase that *words* begin with, less what only praises."""
        run: list[str] = []
        for word in words:
            plain = word.lower()
            if plain in _PRAISES and not run:
                continue
            if not re.fullmatch(r"[a-z][\w-]+", plain) or plain in STOP | EVENTS | _BEHIND:
                break
            run.append(word)
        while run and not self._is_thing(run[-1]):
            run.pop()
        run = run[-_MOST:]
        while run and (_is_opinion(run[0]) or _stem(run[0]) in self._barred):
            run.pop(0)
        return run

    def _is_thing(self, word: str) -> bool:
        stem = _stem(word)
        return stem not in self._barred and stem in self._use and self._use.is_thing(stem)


def _is_opinion(word: str) -> bool:
    """Whether *word* tells how somebody finds a thing: `generous`, but not `stuffed`."""
    return word.lower() in _PRAISES or (describes(word) and not word.endswith("ed"))


def _stem(word: str) -> str:
    return analysis.stem(word.casefold())
