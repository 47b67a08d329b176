"""Who said what a model wants to note of a person: a user, in a sentence that says it, or nobody.

A model names a user's words. The transcript decides whether they are theirs: what they paste, hand
on, quote, ask, deny or doubt is not, nor is what a tool said; and their sentence must state this
fact, with this value, of this person, and of now. Whom it is of must be the user's words as well,
or what people are called on any card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultmem.knowledge.cards import field_names, names, persons, stated_facts
from vaultmem.knowledge.cards.stated_facts import Whom
from vaultmem.knowledge.cards.types import Claim, is_known_category
from vaultmem.memory import tool_quotes
from vaultmem.memory.folding.material import trust_of
from vaultmem.memory.tool_quotes import assertions, repetitions
from vaultmem.memory.tool_quotes.assertions import Stretch
from vaultmem.nlp.extraction.grammar import assertion_en, irrealis, relations
from vaultmem.nlp.text import analysis, quoted_text
from vaultmem.retrieval.context.deduplication import holds
from vaultmem.storage import files
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

# Of Chinese each sign is one: nothing tells where its words end.
_WORD = re.compile(r"[\u3040-\u9fff]|(?:(?![\u3040-\u9fff])[^\W_])+")
_TOGETHER = 3
"""Sentences in a row that the words of a user may go through."""

_LEFT_OUT = "\u2026"
"""What stands for a speech that somebody quotes."""

# What is said of the text behind a colon: `Fix my grammar:`; not whose it is: `My phone:`.
_HANDS_ON = re.compile(
    r"(?im)(?:^|(?<=[.!?] ))\W*(?!(?:my|our|about me|me|i|we|mein\w*|unser\w*"
    r"|\u00fcber mich|ich|wir|remember|note|fyi|btw|by the way|ps|update|also|info"
    r"|important|wichtig|merke?|hi|hello|hey|dear|hallo)\b)[^\n:.!?]{2,80}:(?=\s)"
)

# A *no* that is the fact itself; whether it is, the grammar of facts decides.
_OWN_NO = re.compile(
    r"(?i)\bI (?:really |absolutely )?(?:hate|detest|loathe|never (?:eat|drink)"
    r"|(?:don['\u2019]t|do not|can['\u2019]t|cannot) (?:really )?"
    r"(?:eat|drink|like|enjoy|stand|tolerate|digest))\b"
)

_SELF = frozenset({"user", "the user", "me", "i", "myself", persons.SELF, persons.SPEAKER})
_NO_RELATION = _SELF | {"", "unknown"}


class UserSentence(NamedTuple):
    """What a user says, and the *turn* in which they say it."""

    text: str
    turn: Turn


def said_by_user(
    store: Store, turns: Sequence[Turn], claim: Claim, quote: str
) -> UserSentence | None:
    """Return in which of *turns*, the newest first, a user says what *claim* does; else None.

    The *quote* is of their words, with the value in them; case, blanks and punctuation do not
    count. What comes back is all of the sentence, or the few, that it stands in. Raises BadInput
    for what no card can be called.
    """
    words, fact = _words(quote), _words(str(claim.value))
    if not fact or not holds(words, fact):
        return None
    own = {n: _own(turns, n) for n, turn in enumerate(turns) if _is_users(turn)}
    if not any(holds(_words(text), words) for text in own.values()):
        return None
    whom = _whom_they_name(store, claim, [_words(text) for text in own.values()])
    found = stated_facts.find(store, turns, own, claim, whom) if whom else []
    for number in reversed(own):
        stated = [_words(it.sentence) for it in found if it.turn == number]
        for sentence in _sentences(own[number], words, str(claim.value)) if stated else ():
            is_it = any(_is_within(_words(sentence), it) for it in stated)
            if is_it and not tool_quotes.tool_of(store, "", sentence):
                return UserSentence(sentence, turns[number])
    return None


def _is_within(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether one of two stands in the other: a sentence may be read in parts."""
    return holds(one, other) or holds(other, one)


def _is_users(turn: Turn) -> bool:
    """Tell whether a user says *turn* here: what was imported was not said here."""
    return turn.role == "user" and trust_of(turn) == "user"


def _own(turns: Sequence[Turn], number: int) -> str:
    """Return what the user says in turn *number* of *turns*, nothing pasted, nothing of a tool.

    Nor what a line hands on that ends in a colon.
    """
    said = quoted_text.words(repetitions.own_words(turns, number))
    return _HANDS_ON.split(said, maxsplit=1)[0]


def _sentences(text: str, words: Sequence[str], value: str) -> Iterator[str]:
    """Yield what *text* states that has the *words*, of which the *value* is one."""
    for near in _together(text):
        told = " ".join(it.text for it in near)
        whole = _whole(text, words) or f"{near[0].lead} {told}".strip()
        if holds(_words(told), words) and _is_stated(near, whole, value):
            yield told if _LEFT_OUT in told else whole


def _together(text: str) -> Iterator[Sequence[Stretch]]:
    """Yield each sentence that *text* states, and some in a row."""
    for run in assertions.asserted(text):
        for size in range(1, _TOGETHER + 1):
            yield from (run[at : at + size] for at in range(len(run) - size + 1))


def _whole(text: str, words: Sequence[str]) -> str:
    """Return the sentence of *text* with the *words*, also where it goes on behind `Mr.`."""
    return next((it for it in analysis.sentences(text) if holds(_words(it), words)), "")


def _is_stated(near: Sequence[Stretch], whole: str, value: str) -> bool:
    """Tell whether sentences say in earnest what is so; a *no* must be the *value*'s own."""
    told = [whole, *(it.whole for it in near)]
    tones = [assertions.tone(_OWN_NO.sub(" ", it)) for it in told]
    is_sure = all(it.maybe == 0 for it in tones) and all(map(_is_asserted, told))
    return is_sure and all(it.no <= assertions.tone(value).no for it in tones)


def _is_asserted(sentence: str) -> bool:
    return assertion_en.is_asserted(sentence) and not irrealis.is_imagined(sentence)


def _whom_they_name(store: Store, claim: Claim, said: Sequence[Sequence[str]]) -> Whom | None:
    """Return whose card *claim* goes to if users name them in what they *said*; else None.

    Of a new card all that it says of them must be theirs.
    """
    category, key = names.new(f"{claim.category}/{claim.key}")
    path = names.path(f"{category}/{key}")
    if data := store.texts.read(path):
        held = store.texts.record(path, files.content(data))
        about = {*_words(held.person), *_words(held.relationship)}
        if {held.person.casefold(), held.relationship.casefold()} & _selves(store):
            return _owner(store, held.person)
        is_named = any(not about.isdisjoint(words) for words in said)
        return _somebody(held.person, held.relationship) if is_named else None
    person, relation, field = map(_words, (claim.person, claim.relationship, claim.field))
    known = {*person, *relation, *field}
    is_person = claim.person.casefold() in _selves(store) or _is_any(said, person)
    is_key = all(it in known or relations.is_relation(it) for it in _words(key))
    is_category = is_known_category(category) or _is_any(said, _words(category))
    if not (is_person and _is_relation(relation, said) and is_key and is_category):
        return None
    is_self = claim.person.casefold() in _selves(store)
    return _owner(store, claim.person) if is_self else _somebody(claim.person, claim.relationship)


def _owner(store: Store, person: str) -> Whom:
    return Whom(("", store.config().owner, person, *_SELF))


def _somebody(person: str, relationship: str) -> Whom:
    """Return who is called *person*; what they are to others than the owner, no sentence says."""
    is_known = relationship.casefold() not in _NO_RELATION and not persons.whose(relationship)
    relation = field_names.plain(relationship) if is_known else ""
    return Whom(stated_facts.names_of(person), relation)


def _selves(store: Store) -> frozenset[str]:
    """Return what the owner of the vault is called, in small letters."""
    return _SELF | ({store.config().owner.casefold()} - {""})


def _is_relation(words: Sequence[str], said: Sequence[Sequence[str]]) -> bool:
    """Tell whether *words* say what somebody is to a user, as anybody would, or as they *said*."""
    if not words or " ".join(words) in _NO_RELATION or _is_any(said, words):
        return True
    *which, last = words
    return relations.is_relation(last) and (not which or _is_any(said, which))


def _is_any(said: Sequence[Sequence[str]], part: Sequence[str]) -> bool:
    return any(holds(words, part) for words in said)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
