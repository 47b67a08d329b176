"""Find notes that say otherwise than a card does: of one person, one attribute, another value.

What was said later stands: the card is changed as by any claim, which is as good as the note is, or
the line of the note says what the card says. Where it is not known which is later, the card is
changed if a person says so, and not unasked. What is trusted less than the card changes nothing:
like any such claim it is left for a person to decide, and what nobody trusts is no claim.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultmem.documents import ended_facts
from vaultmem.documents.several_facts import may_have_several
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.knowledge.cards import names, parser, patching
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.types import HAND, OWN, Claim, Mark
from vaultmem.maintenance.dream import new_topics, states
from vaultmem.maintenance.dream.detectors import contradictions
from vaultmem.maintenance.dream.detectors.cards import edit
from vaultmem.maintenance.dream.detectors.contradictions import NoteClaim
from vaultmem.maintenance.dream.statements import Statement
from vaultmem.maintenance.dream.types import Edit, Lines, Note, Proposal, Seen
from vaultmem.records import TRUST, TRUST_OF_SOURCE, first_line, iso

_SHOWN = 80
_LEAST = TRUST.index("agent")
_SOURCES = {TRUST.index(TRUST_OF_SOURCE[it]): it for it in ("agent", "user", HAND)}
"""Whose word a note is, by how far it is trusted."""

_SENTENCES = {
    "birthday": ("{who}'s birthday is {value}", "{who} was born on {value}"),
    "employer": ("{who} works at {value}", "{who} works for {value}"),
    "home": ("{who} lives in {value}", "{who} wohnt in {value}"),
    "job": ("{who} is a {value}", "{who}'s job is {value}"),
    "school": ("{who} goes to {value}",),
    "studies": ("{who} studies {value}",),
    "phone": ("{who}'s phone number is {value}", "{who}'s phone is {value}"),
    "email": ("{who}'s email is {value}", "{who}'s email address is {value}"),
}
_NAMED_ALSO = {
    "city": "home", "residence": "home", "lives_in": "home", "wohnort": "home", "town": "home",
    "company": "employer", "workplace": "employer", "works_at": "employer",
    "profession": "job", "occupation": "job", "role": "job", "telephone": "phone",
}  # fmt: skip
_CHINESE = {
    "employer": "{who}\u5728{value}\u5de5\u4f5c",
    "home": "{who}\u4f4f\u5728{value}",
    "birthday": "{who}\u7684\u751f\u65e5\u662f{value}",
    "phone": "{who}\u7684\u7535\u8bdd\u662f{value}",
}


@dataclass(frozen=True, slots=True)
class _Held:
    """What a card holds of an attribute, as a statement, and who said so when."""

    card: Card
    note: Note
    field: str
    said: Statement
    mark: Mark

    @property
    def at(self) -> str:
        """When that was said, or else when the card was changed last."""
        return self.mark.at or self.note.record.updated or self.note.record.created


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield a correction of the card or of the note where a note contradicts a card."""
    notes = {note.path: note for note in seen.notes}
    done: set[tuple[str, int]] = set()
    for claim, held in _contradictions(seen):
        place = (claim.fact.path, claim.fact.at)
        if place not in done and (proposal := _corrected(claim, held, notes, seen)):
            done.add(place)
            yield proposal


def disagreeing(seen: Seen) -> Iterator[Claim]:
    """Yield what notes say later than a card does that is trusted more."""
    for claim, held in _contradictions(seen):
        if claim.at > held.at and _is_said(claim, held) and not _may_change(claim, held):
            yield _claim(claim, held, claim.at)


def _contradictions(seen: Seen) -> Iterator[tuple[NoteClaim, _Held]]:
    """Yield what notes that somebody trusts say otherwise than the one card that is meant."""
    known: defaultdict[str, list[_Held]] = defaultdict(list)
    for it in _held(seen.notes):
        known[it.said.about].append(it)
    for claim in contradictions.claims_of(seen) if known else ():
        held = known.get(claim.said.about, [])
        # Of two people of one name nobody knows who is meant.
        if claim.trust < _LEAST or len({it.note.path for it in held}) != 1:
            continue
        if not any(_agree(it.said.value, claim.said.value) for it in held):
            yield claim, held[0]


def _held(notes: Iterable[Note]) -> Iterator[_Held]:
    for note in notes:
        if note.record.type != "card" or note.record.valid_to or note.record.superseded_by:
            continue
        try:
            card = parser.read(note.path, _bytes(note))
        except Unreadable:
            continue
        for field, value in card.attributes.items():
            if isinstance(value, str) and _is_single(field, card):
                said = _statements(note.record.person, field, value)
                yield from (_Held(card, note, field, s, card.marks[field]) for s in said)


def _bytes(note: Note) -> bytes:
    return note.eol.join((*note.lines, "")).encode()


def _is_single(field: str, card: Card) -> bool:
    """Whether *field* has one value at a time, which holds still."""
    over = ended_facts.ended(field) or any(ended_facts.ended(x) == field for x in card.attributes)
    kept_all = card.policies.get(field) == "all"
    return not (field in OWN or may_have_several(field) or over or kept_all)


def _statements(person: str, field: str, value: str) -> Iterator[Statement]:
    """Yield what a card says of *person*, as a note would say it; `yes` and `no` aside."""
    kind = _NAMED_ALSO.get(field, field)
    if not person.isascii():
        sentences: Sequence[str] = [_CHINESE[kind]] if kind in _CHINESE else []
    else:
        own = f"{{who}}'s {field.replace('_', ' ')} is {{value}}"
        sentences = (*_SENTENCES.get(kind, ()), own)
    for sentence in dict.fromkeys(sentences):
        told = states.told(sentence.format(who=person, value=value))
        yield from (statement for statement in told if statement.raw)


def _corrected(
    claim: NoteClaim, held: _Held, notes: Mapping[str, Note], seen: Seen
) -> Proposal | None:
    if claim.at and claim.at < held.at:
        return _of_note(claim, held, notes[claim.fact.path]) if not held.said.loose else None
    is_open = _may_change(claim, held) and not held.note.fixed
    return _of_card(claim, held, seen) if is_open and _is_said(claim, held) else None


def _is_said(claim: NoteClaim, held: _Held) -> bool:
    """Whether *claim* says that it is otherwise now, where a card's words are loose."""
    return claim.said.changed or not held.said.loose


def _may_change(claim: NoteClaim, held: _Held) -> bool:
    """Whether *claim* is trusted as much as what the card says."""
    return claim.trust >= TRUST.index(held.mark.guards)


def _agree(one: str, two: str) -> bool:
    """Whether one value only says more: with its dialling code, or where that is."""
    return f" {one} " in f" {two} " or f" {two} " in f" {one} "


def _of_card(claim: NoteClaim, held: _Held, seen: Seen) -> Proposal | None:
    """Return the change of the card to what the note says."""
    path = held.note.path
    said = _claim(claim, held, claim.at or iso(seen.now))
    try:
        words = replace(said, field="backstory", value=said.backstory)
        made = patching.change(
            _bytes(held.note), path, [said, words], iso(seen.now), new_topics.new_id(path, seen.now)
        )
    except (BadInput, Refused, Unreadable):
        return None
    if made.text is None or held.field not in made.fields:
        return None
    was = f"{held.field}: {held.said.raw}"
    return _proposal(claim, held, path, edit(path, _bytes(held.note), made.text.decode()), was)


def _claim(claim: NoteClaim, held: _Held, at: str) -> Claim:
    """Return what a note says, as a claim about the card, of the trust that the note has."""
    record = held.note.record
    category, key = names.split(names.of_path(held.note.path))
    return Claim(
        record.person, record.relationship, category, key, held.field, claim.said.raw,
        claim.fact.text, _SOURCES[claim.trust], at, _stem(claim.fact.path),
    )  # fmt: skip


def _of_note(claim: NoteClaim, held: _Held, note: Note) -> Proposal | None:
    """Return the change of the note's line to what the card says."""
    fact, raw = claim.fact, claim.said.raw
    if note.fixed or len(fact.lines) > 1 or fact.lines[0].count(raw) != 1:
        return None
    line = f"{fact.lines[0].replace(raw, held.said.raw)} ([[{_stem(held.note.path)}]])"
    change = Lines(fact.path, fact.at, fact.lines, (line,))
    return _proposal(claim, held, fact.path, change, fact.text)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _proposal(claim: NoteClaim, held: _Held, path: str, change: Edit, was: str) -> Proposal:
    told = f'{claim.fact.path} says "{first_line(claim.fact.text, _SHOWN)}" ({_day(claim.at)})'
    field = held.field.replace("_", " ")
    return Proposal(
        "correct",
        path,
        f"{told}, {held.note.path} has {field}: {held.said.raw} ({_day(held.at)})",
        (change,),
        sources=(claim.fact.path, held.note.path),
        losses=(was,),
        contradiction=True,
        doubtful=not claim.at,
    )


def _day(at: str) -> str:
    return at[:10] or "undated"
