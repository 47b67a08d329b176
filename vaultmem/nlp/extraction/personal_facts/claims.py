"""Find what users say of themselves and of people they know, sentence by sentence.

Better none than a wrong one, since an agent acts on it: questions, guesses, conditions, stories and
hearsay yield nothing, and a pronoun only stands for the one person of its turn whom it can mean.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from vaultmem.documents import ended_facts
from vaultmem.documents.bodies import Claim
from vaultmem.documents.secrets import names_a_secret, redact
from vaultmem.documents.several_facts import may_have_several
from vaultmem.nlp.extraction.grammar import assertion_en, frames, quotatives, relations
from vaultmem.nlp.extraction.grammar.relations import Circle, Person
from vaultmem.nlp.extraction.grammar.traits import Attribute
from vaultmem.nlp.extraction.personal_facts import (
    cessations,
    deaths,
    departures,
    end_dates,
    replacements,
    restatements,
    short_answers,
    subjects_de,
    subjects_en,
    subjects_zh,
    ties,
    unsaid_subjects,
)
from vaultmem.nlp.extraction.talk import cue_phrases, tastes
from vaultmem.nlp.tasks import ClaimsTask, Utterance
from vaultmem.nlp.text import analysis, quoted_text, salience
from vaultmem.records import moment

NOBODY = "user"
"""What a speaker is called whose name nobody knows."""

_Voice = tuple[str, str]
"""Who speaks, or where those speak who gave no name."""

_TASTES = "preferences"
_MOST_SENTENCES, _LONGEST = 200, 400
_GOES_ON = frozenset({"family", "belongings"})
_OF_PEOPLE = frozenset({"work", "studies"})
# What only known words are a value of: `busy, sorry` is no allergy.
_OF_KNOWN_WORDS = frozenset({"occupation", "diet"})
# So many turns on, who spoke may put it right: another may have said something in between.
_NEXT = 2
# A sentence without one of these claims nothing.
_HINT = (
    r"\b(?:[Ii]|[Ii]m|[Ii]ve|[Ww]e|[Mm]y|[Oo]ur|me|is|[Ss]?[Hh]e|[Hh]er|[Hh]is|[Aa]lways|[Nn]ever"
    r"|[Ii]ch|[Ww]ir|[Mm]eine?|[Uu]nsere?"
    r"|[Ff]av\w*)\b"
    r"|[\u6211\u5979\u4ed6\u5f53\u505a\u4ece]"
)


class _Place(NamedTuple):
    """Where something is said: in which talk, and as which of what is said there, from 1 on."""

    talk: str
    number: int


def claims(task: ClaimsTask) -> tuple[Claim, ...]:
    """Return what users say of people in *task*, in order.

    Each thing once, and again where something else was said of the same in between.
    """
    told: dict[int, Claim] = {}
    held: defaultdict[tuple[str, ...], dict[int, Claim]] = defaultdict(dict)
    last: dict[tuple[str, ...], str] = {}
    for number, said in enumerate(_with_ties(statements(task))):
        if over := ended_facts.ended(said.field):  # said again, it is so again
            last.pop((said.person, said.speaker, said.category, over, ""), None)
        has_several = said.category == _TASTES or may_have_several(said.field)
        own = held[said.person, said.speaker, said.category] if has_several else {}
        it = replace(said, ends=(*said.ends, *_instead_of(own, said)))
        for earlier in _given_up(own, it):
            del own[earlier], told[earlier]
        # A wife and a daughter may have one name.
        of = it.relationship if it.field == "name" else ""
        about = (it.person, it.speaker, it.category, it.field, of)
        value = analysis.folded(it.value)
        if last.get(about) != value or it.ends:
            told[number] = own[number] = it
        last[about] = value
    return tuple(told.values())


def _with_ties(said: Iterable[Claim]) -> Iterator[Claim]:
    """Yield what was *said*, and what ends where somebody is single or names a partner."""
    standing: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for it in said:
        yield it
        if it.speaker and it.at and (tie := _tie(it)):
            held = standing[it.speaker]
            for field in [other for other in held if ties.excludes(*tie, other, held[other])]:
                yield _end_of(field, held.pop(field), it)
            held[tie[0]] = tie[1]


def _tie(it: Claim) -> tuple[str, str] | None:
    """Return what *it* says of with whom its speaker is: the fact and its value."""
    if (it.relationship, it.field) == ("self", ties.STATUS):
        return ties.STATUS, it.value
    relation = relations.in_english(it.relationship)
    return (relation, it.value) if it.field == "name" and relation in departures.TIES else None


def _end_of(field: str, value: str, by: Claim) -> Claim:
    end = end_dates.known_end(by.said, moment(by.at).date())
    return replace(
        by, person=by.speaker, relationship="self", category="family",
        field=ended_facts.end_of(field), value=end, ends=(value,),
    )  # fmt: skip


def statements(task: ClaimsTask, known: Sequence[Person] = ()) -> Iterator[Claim]:
    """Yield what users say of people in *task*, in order, as often as they say it.

    Whoever speaks may speak of people whom they have *known* before as if they had named them.
    """
    found = _found(task.items, frozenset(), known)
    if several := _of_several(found):
        found = _found(task.items, several, known)
    for _, circle, claim in found:
        # Who says late what the name is had it all along.
        me = "" if circle.me == NOBODY else circle.me
        person = circle.me if claim.relationship == "self" else claim.person
        yield replace(claim, speaker=me, person=person)


def _circle(speaker: str, known: Sequence[Person]) -> Circle:
    circle = Circle(speaker, speaker or NOBODY)
    for person in known:
        circle.meet(*person)
    return circle


def _found(
    items: Sequence[Utterance], several: frozenset[_Voice], known: Sequence[Person]
) -> list[tuple[_Voice, Circle, Claim]]:
    """Return what users say, each of the circle of who speaks; *several* have one a turn."""
    names = _written_names(items)
    circles: dict[_Voice, Circle] = {}
    last: dict[tuple[_Voice, str], tuple[_Place, str]] = {}
    found: dict[_Place, list[tuple[_Voice, Circle, Claim]]] = {}
    for place, before, item in _placed(items):
        if item.role == "user":
            voice = _voice(item)
            if voice not in circles or voice in several:
                circles[voice] = _circle(item.speaker, known)
            circle = circles[voice]
            at, said = last.get((voice, place.talk), (None, ""))
            if at is None or at.number + _NEXT < place.number or _asks(before):
                said = ""
            elif _takes_all_back(said, _first_sentence(item)):
                found.pop(at, None)
            told = [
                *_put_right(said, item, circle),
                *_of(item, before, circle, names),
            ]
            if at and said:
                found[at] = _left(found.get(at, ()), said, _first_sentence(item), told)
            found[place] = [(voice, circle, claim) for claim in told]
            last[voice, place.talk] = place, _last_sentence(item)
    return [each for told in found.values() for each in told]


def _left(
    found: Sequence[tuple[_Voice, Circle, Claim]], said: str, after: str, told: Sequence[Claim]
) -> list[tuple[_Voice, Circle, Claim]]:
    """Return what is left of what was *found* once *after*, which comes next, stands.

    It may own that the sentence *said* was too much, or say whole what is *told* in its place.
    """
    if restatements.concedes(said, after):
        return [each for each in found if each[-1].said != said]
    now = [it for it in told if it.said == after]
    anew = {it.field for it in now} if restatements.anew(after) else set()
    names = {end for it in now if it.field == "name" for end in it.ends}
    return [
        each
        for each in found
        if each[-1].said != said or not (each[-1].field in anew or _names(each[-1], names))
    ]


def _names(it: Claim, names: Iterable[str]) -> bool:
    return any(name in it.value or name == it.person for name in names)


def _placed(items: Sequence[Utterance]) -> Iterator[tuple[_Place, Utterance | None, Utterance]]:
    """Yield *items*, each with its place and what was said before it in the same talk."""
    last: dict[str, tuple[int, Utterance]] = {}
    for item in items:
        number, before = last.get(item.conversation, (0, None))
        yield _Place(item.conversation, number + 1), before, item
        last[item.conversation] = number + 1, item


def _asks(before: Utterance | None) -> bool:
    """Whether the turn *before* asks something, which the next then answers."""
    return before is not None and salience.is_question(before.text)


def _first_sentence(item: Utterance) -> str:
    return next(iter(analysis.sentences(quoted_text.words(item.text))), "")


def _last_sentence(item: Utterance) -> str:
    """Return what *item* ends with, "" where that is said in no earnest."""
    return next((it for _, it, after in _earnest(item.text) if not after), "")


def _takes_all_back(said: str, after: str) -> bool:
    """Whether *after* takes back the turn that ended with *said*; `nvm` may mean what that asks."""
    if frames.takes_back(after):
        return True
    return restatements.takes_back(after) and not salience.is_question(said)


def _put_right(earlier: str, item: Utterance, circle: Circle) -> Iterator[Claim]:
    """Yield what *item* puts right of what its speaker said of themselves in *earlier*.

    Of somebody else only how they are called: it would not be sure that they are the same.
    """
    after = next((it for n, it, _ in _earnest(item.text) if n == 0), "")
    fixed = _fixed(earlier, after, circle, at_once=False) if earlier else None
    if fixed is None or not (_is_claimable(earlier) and _is_claimable(after)):
        return
    for person, attribute in _attributes(fixed.text, "", circle):
        is_called = attribute.field == "name" and attribute.value == fixed.value
        if (person.relation == "self" or is_called) and fixed.value in attribute.value in after:
            yield Claim(
                *person, *attribute, after, at=item.at, origin=item.origin, ends=(fixed.was,)
            )


def _fixed(
    sentence: str, after: str, circle: Circle, *, at_once: bool
) -> restatements.Restated | None:
    """Return *sentence* as *after* puts it right, which may name the only value it tells anew."""
    if fixed := restatements.restated(sentence, after, at_once=at_once):
        return fixed
    is_word = restatements.is_word(after)
    if not (is_word or restatements.takes_back(after)):
        return None
    told = [attribute for _, attribute in _attributes(sentence, "", circle)]
    values = [attribute.value for attribute in told]
    if not is_word:
        return restatements.of_values(sentence, values, after)
    fixed = restatements.of_words(sentence, values, after)
    if fixed is None or told[0].field not in _OF_KNOWN_WORDS:
        return None
    now = {(it.field, it.value) for _, it in _attributes(fixed.text, "", circle)}
    return fixed if (told[0].field, fixed.value) in now else None


def _is_reworded(sentence: str, after: str, circle: Circle) -> bool:
    """Whether *after* names what *sentence* should have said in small letters: `dentist, sorry`."""
    return restatements.is_word(after) and _fixed(sentence, after, circle, at_once=True) is not None


def _voice(item: Utterance) -> _Voice:
    """Return who speaks: whoever gave no name is one person within a session, and no further."""
    return (item.speaker, "") if item.speaker else ("", item.session or item.origin)


def _of_several(found: Sequence[tuple[_Voice, Circle, Claim]]) -> frozenset[_Voice]:
    """Return which unnamed voices are those of several, by what they call themselves.

    A first name or a nickname may be the same person's; two names of two words with none in common
    are not.
    """
    names: dict[_Voice, list[Claim]] = {}
    for voice, _, claim in found:
        if not voice[0] and (claim.relationship, claim.field) == ("self", "name"):
            names.setdefault(voice, []).append(claim)
    return frozenset(voice for voice, claims in names.items() if _are_several(claims))


def _are_several(claims: Sequence[Claim]) -> bool:
    own = (claim.value for claim in claims)
    names = [frozenset(analysis.heads(name)) for name in own]
    full = [name for name in names if len(name) > 1]
    return any(one.isdisjoint(other) for one, other in combinations(full, 2))


def _instead_of(held: Mapping[int, Claim], new: Claim) -> list[str]:
    """Return the tastes that somebody *held* of which a *new* one, of now, takes the place."""
    if new.category != _TASTES or new.is_over or not tastes.is_of_now(new.said):
        return []
    same = (it.value for it in held.values() if it.field == new.field and not it.is_over)
    return [value for value in same if tastes.is_another_now(new.said, new.value, value)]


def _given_up(held: Mapping[int, Claim], new: Claim) -> list[int]:
    """Return which of what somebody *held* of a kind is over by the *new* one."""
    if ended_facts.ended(new.field):
        return []
    over = {analysis.folded(value) for value in new.ends}
    same = {n: it for n, it in held.items() if it.category == _TASTES or it.field == new.field}
    return [n for n, it in same.items() if analysis.folded(it.value) in over] if over else []


def _question_before(before: Utterance | None) -> str:
    """Return what the assistant asked at the end of the turn *before*, "" when it did not."""
    return short_answers.question(before.text) if before and before.role == "assistant" else ""


def _written_names(items: Sequence[Utterance]) -> frozenset[str]:
    """Return what is written as a name anywhere in *items*, and who speaks, in small letters."""
    said = (sentence for item in items for sentence in analysis.sentences(item.text))
    voices = (head for item in items for head in analysis.heads(item.speaker))
    return frozenset([*analysis.names(said), *voices])


def _of(
    item: Utterance, before: Utterance | None, circle: Circle, names: frozenset[str]
) -> Iterator[Claim]:
    circle.begin_turn()
    question = _question_before(before)
    for n, sentence, after in _earnest(item.text):
        is_other = _takes_back(sentence, after) or _is_reworded(sentence, after, circle)
        if _is_claimable(sentence) and is_other:
            yield from _restated(sentence, after, item, circle)
        elif _is_claimable(sentence):
            text = quoted_text.unquoted(sentence)
            text = restatements.anew(text) or text
            if n == 0 and not _asks(before):  # what was said before may be of somebody else
                text = unsaid_subjects.with_subject(text)
            over = _over(text, sentence, item, circle)
            yield from over or ()
            if over is not None and not _goes_on(text):
                continue
            for person, attribute in _attributes(text, "" if n else question, circle):
                is_whom = attribute.field == "likes" and tastes.may_be_of_somebody(text, names)
                if attribute.value in sentence and not is_whom:
                    yield Claim(*person, *attribute, sentence, at=item.at, origin=item.origin)


def _over(text: str, sentence: str, item: Utterance, circle: Circle) -> Iterator[Claim] | None:
    """Return what *text*, of *sentence*, says to be over; None where it says so of nothing."""
    text = subjects_de.with_subject(text)
    if replaced := list(_replaced(text, sentence, item, circle)):
        return iter(replaced)
    return _over_alone(text, sentence, item, circle)


def _over_alone(
    text: str, sentence: str, item: Utterance, circle: Circle
) -> Iterator[Claim] | None:
    """Return what *text*, a clause of *sentence*, says to be over and nothing beside."""
    if left := departures.departure(text):
        return _ended(left, sentence, item, circle)
    if dead := deaths.death(text):
        return _died(dead, sentence, item, circle)
    if change := tastes.change(text):
        return _changed(change, sentence, item, circle)
    if ceased := list(_ceased(cessations.was(text), sentence, item, circle)):
        return iter(ceased)
    if habits := cessations.habits(text):
        return _left_off(habits, sentence, item, circle)
    return iter(()) if cessations.was(text) else None


def _replaced(text: str, sentence: str, item: Utterance, circle: Circle) -> Iterator[Claim]:
    """Yield what *text* says to be over and what it says to be so in its place."""
    if swap := replacements.exchange(text):
        left = departures.Departure("belongings", departures.VEHICLE, swap.given)
        yield from _ended(left, sentence, item, circle)
        got = Attribute("belongings", "owns", swap.got)
        yield Claim(*Person(circle.me, "self"), *got, sentence, at=item.at, origin=item.origin)
        return
    yield from _stated(replacements.favoured(text), sentence, item, circle)
    for it in replacements.replacements(text):
        now = list(_stated(it.now, sentence, item, circle))
        once = replacements.before(it.over)
        over = (
            _ceased((once,), it.over, item, circle)
            if once
            else _over_alone(it.over, it.over, item, circle)
        )
        ended = [replace(each, said=sentence) for each in over or ()]
        if now and ended and not _is_still(ended, now):
            yield from (*ended, *now)
            return


def _is_still(ended: Iterable[Claim], now: Sequence[Claim]) -> bool:
    """Whether one of *now* is what one of those *ended* was: `I used to play the viola badly`."""
    return any(
        end in it.value or it.value in end for it in now for each in ended for end in each.ends
    )


def _stated(text: str, sentence: str, item: Utterance, circle: Circle) -> Iterator[Claim]:
    """Yield what *text* says of its speaker in words of *sentence*."""
    for person, it in _attributes(text, "", circle):
        if person.relation == "self" and it.value in sentence:
            yield Claim(*person, *it, sentence, at=item.at, origin=item.origin)


def _left_off(
    habits: Sequence[str], sentence: str, item: Utterance, circle: Circle
) -> Iterator[Claim]:
    """Yield the end of the routines of the speaker that name what one of *habits* does."""
    if item.at:
        end = end_dates.known_end(sentence, moment(item.at).date())
        for habit in habits:
            yield Claim(
                circle.me, "self", "hobbies", ended_facts.end_of("routine"), end, sentence,
                at=item.at, origin=item.origin, ends=(habit,),
            )  # fmt: skip


def _goes_on(text: str) -> bool:
    """Whether *text* may say what is so beside: that one is divorced, or drives another car."""
    left = departures.departure(text)
    return left is not None and left.category in _GOES_ON


def earnest(text: str) -> Iterator[str]:
    """Yield the sentences of *text*, a turn, that its speaker says in earnest and lets stand.

    Also those with what nobody draws from talk unasked: whoever notes it has it refused or not.
    """
    for _, sentence, after in _earnest(text):
        is_speech = not analysis.is_code(sentence) and len(sentence) <= _LONGEST
        if is_speech and not _takes_back(sentence, after):
            yield sentence


def _earnest(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each sentence of *text* that no frame bars: its number, itself, and the next.

    Of what others are told to have said in it, nothing.
    """
    sentences = analysis.sentences(quoted_text.words(text))[:_MOST_SENTENCES]
    for n, sentence in frames.outside(sentences):
        if own := quotatives.own(sentence):
            yield n, own, "".join(sentences[n + 1 : n + 2])


def _takes_back(sentence: str, after: str) -> bool:
    if restatements.concedes(sentence, after):
        return True
    if restatements.takes_back(after):
        return not salience.is_question(sentence)
    return re.search(assertion_en.TAKEN_BACK, after) is not None or restatements.is_one(after)


def _restated(sentence: str, after: str, item: Utterance, circle: Circle) -> Iterator[Claim]:
    """Yield what *sentence* says once *after*, the next, has put it right."""
    fixed = _fixed(sentence, after, circle, at_once=True)
    if fixed is None or not _is_claimable(after):
        return
    said = next((it for it in (f"{sentence} {after}", sentence + after) if it in item.text), "")
    for person, attribute in _attributes(fixed.text, "", circle):
        if fixed.value in attribute.value and attribute.value.casefold() in said.casefold():
            yield Claim(*person, *attribute, said, at=item.at, origin=item.origin)


def _ended(
    left: departures.Departure, sentence: str, item: Utterance, circle: Circle
) -> Iterator[Claim]:
    """Yield until when each fact was so that ends with what its speaker *left*."""
    if not item.at:
        return
    end = end_dates.known_end(sentence, moment(item.at).date())
    for field in left.fields:
        yield Claim(
            circle.me, "self", left.category, ended_facts.end_of(field), end, sentence,
            at=item.at, origin=item.origin, ends=left.ends(field),
        )  # fmt: skip


def _died(dead: deaths.Death, sentence: str, item: Utterance, circle: Circle) -> Iterator[Claim]:
    """Yield until when each fact was so that ends with whom its speaker says to be *dead*."""
    if not item.at:
        return
    end = end_dates.known_end(sentence, moment(item.at).date())
    for it in deaths.ends(dead, circle):
        yield Claim(
            *(it.of or Person(circle.me, "self")), it.category, ended_facts.end_of(it.field), end,
            sentence, at=item.at, origin=item.origin, ends=it.ends,
        )  # fmt: skip


def _ceased(
    before: Sequence[str], sentence: str, item: Utterance, circle: Circle
) -> Iterator[Claim]:
    """Yield the end of what *sentence* says of its speaker, which was said as *before* once.

    Of what there may be several of, this one goes; of what there is one at a time, its time ends.
    """
    end = end_dates.known_end(sentence, moment(item.at).date()) if item.at else ""
    for text in before:
        for person, it in _attributes(text, "", circle):
            if person.relation != "self":
                continue
            field, value = it.field, it.value
            if not may_have_several(field):
                field, value = ended_facts.end_of(field), end
            if value:
                yield Claim(
                    *person, it.category, field, value, sentence,
                    at=item.at, origin=item.origin, ends=(it.value,),
                )  # fmt: skip


def _changed(
    over: tastes.Change, sentence: str, item: Utterance, circle: Circle
) -> Iterator[Claim]:
    """Yield what *sentence* says is over, then what it says of now."""
    for person, attribute in _attributes(over.was, "", circle):
        if attribute.value in sentence:
            yield Claim(
                *person, *attribute, sentence, at=item.at, origin=item.origin,
                ends=(attribute.value,),
            )  # fmt: skip
    for person, attribute in _attributes(over.now, "", circle):
        if attribute.value in sentence:
            yield Claim(*person, *attribute, sentence, at=item.at, origin=item.origin)


def _is_claimable(sentence: str) -> bool:
    """Whether *sentence* is plain speech, and holds no credential."""
    if analysis.is_code(sentence) or len(sentence) > _LONGEST:
        return False
    return not names_a_secret(sentence) and redact(sentence) == sentence


def _attributes(text: str, question: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield whom *text* concerns and what it says of them: no dog has a trade, and none studies."""
    for person, told in _said(text, question, circle):
        if relations.category(person.relation) != "pets" or told.category not in _OF_PEOPLE:
            yield person, told


def _said(text: str, question: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    if question:
        yield from short_answers.attributes(text, question, circle)
    text = subjects_de.with_subject(text)
    if re.search(_HINT, text) or any(name in text for name in circle.names):
        if cue_phrases.has_chinese(text):
            yield from subjects_zh.attributes(text, circle)
        elif subjects_de.is_german(text):
            yield from subjects_de.attributes(text, circle)
        else:
            yield from subjects_en.attributes(text, circle)
