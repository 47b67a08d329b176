"""Propose cards, made or patched, from what users said.

Not one of the detectors that look by themselves: the claims were asked for before, of a summarizer.
What a person declined of a card, and what was removed from it by hand, is left out of it.
What a card does not take, for somebody more trusted said otherwise, is left for a person to decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultmem.documents import ended_facts, frontmatter
from vaultmem.documents.bodies import Claim
from vaultmem.documents.several_facts import may_have_several
from vaultmem.errors import BadInput
from vaultmem.knowledge import cards
from vaultmem.knowledge.cards import aliases, names, parser, patching, persons
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.requests import CANNOT
from vaultmem.maintenance.dream import card_identity, edits, new_topics
from vaultmem.maintenance.dream.types import Edit, Kept, Lines, Make, Proposal, Seen
from vaultmem.nlp.extraction.grammar import relations
from vaultmem.records import first_line, iso

_SHOWN = 120
_DAY = 10
_GRAVEST = "medical"
"""A card that lacks what it needs, or whose lines are a person's."""


@dataclass(frozen=True, slots=True)
class SourcedClaim:
    """A claim as `persons.placed` gives it, and the source that said it, as memories name theirs.

    *by* names the model that found it, "" for the program; *new* is what was said since the last
    dream.
    """

    claim: Claim
    source: str
    by: str = ""
    new: bool = True


def find(
    seen: Seen,
    told: Sequence[SourcedClaim],
    declined: Collection[tuple[str, str]] = (),
    owner: str = "",
) -> Iterator[Proposal]:
    """Yield a proposal for each card that what was *told* makes or changes.

    *declined* are keys of cards, each with where something was said that it shall not say; *owner*
    is whose vault it is. What a memory said that is superseded holds no more.
    """
    over = {memory.stem for memory in seen.memories if memory.superseded_by}
    said = [one for one in told if one.claim.origin not in over]
    for path, group, old in _by_card(seen, said, owner):
        _, key = names.split(names.of_path(path))
        wanted = [one for one in group if (key, one.claim.origin) not in declined]
        yield from _proposed(seen, path, _once(wanted), old)


def disagreeing(
    seen: Seen, told: Sequence[SourcedClaim], owner: str = ""
) -> Iterator[cards.types.Claim]:
    """Yield what was *told* later than what a card says, by somebody whom it believes less."""
    for path, group, old in _by_card(seen, told, owner):
        for claim in (c for one in group if (c := _claim(path, one))):
            try:
                made = patching.change(old, path, [claim], "", "") if old is not None else None
            except CANNOT:
                continue
            if made and any(it.at > it.kept_at for it in made.conflicts):
                yield claim


def _once(told: Iterable[SourcedClaim]) -> tuple[SourcedClaim, ...]:
    """Return *told* with what somebody may have several of named once each."""
    first: dict[object, SourcedClaim] = {}
    for nth, one in enumerate(told):
        it = one.claim
        about = (it.field, it.value.casefold(), it.is_over) if may_have_several(it.field) else nth
        first.setdefault(about, one)
    return tuple(first.values())


def _by_card(
    seen: Seen, told: Sequence[SourcedClaim], owner: str
) -> Iterator[tuple[str, Sequence[SourcedClaim], bytes | None]]:
    """Yield the path of each card that may be written, what was told for it, and its bytes."""
    groups: defaultdict[str, list[SourcedClaim]] = defaultdict(list)
    for one in sorted(told, key=_by_weight):
        told_so_far = {name: group[0].claim for name, group in groups.items()}
        if name := card_identity.name(seen, one.claim, told_so_far, owner):
            groups[name].append(one)
    notes = {note.path: note for note in seen.notes}
    for name in sorted(groups):
        path = names.path(name)
        note = notes.get(path)
        if not (note and note.fixed) and (note or path not in seen.paths):
            old = note.eol.join((*note.lines, "")).encode() if note else None
            yield path, groups[name], old


def _by_weight(one: SourcedClaim) -> tuple[bool, bool]:
    """Return what sorts what may harm first, and last what only names people."""
    told = one.claim
    own = {persons.ALIAS, persons.NAME} if persons.is_speaker(told) else set[str]()
    field = ended_facts.ended(told.field) or told.field  # an end behind what it ends
    return told.category != _GRAVEST, field in own or relations.is_relation(field)


def _proposed(
    seen: Seen, path: str, told: Sequence[SourcedClaim], old: bytes | None
) -> Iterator[Proposal]:
    try:
        card = parser.read(path, old) if old is not None else None
        called = [one for one in told if one.claim.field == persons.ALIAS]
        claims = [claim for one in told if (claim := _claim(path, one))]
        claims = [claim for claim in claims if card is not None or not claim.is_over]
        claims += _backstories(path, called, old)
        open_claims = [c for c in claims if card is None or not patching.is_answered(card, c)]
        written, text = _written(seen, path, old, open_claims)
        known_as = tuple(dict.fromkeys(one.claim.value for one in called))
        new = aliases.added(path, text, known_as) if text and known_as else text
        changed = parser.read(path, new) if new is not None else None
    except CANNOT:
        return
    if not written or new is None or changed is None or new == old:
        return
    origins = {claim.origin_link for claim in written}
    used = [one for one in told if one.claim.origin in origins or one in called]
    yield Proposal(
        "card",
        path,
        _reason(written, card, changed, known_as),
        (edit(path, old, new.decode()),),
        sources=tuple(dict.fromkeys(one.claim.origin for one in used if one.claim.origin)),
        kept=tuple(_kept(path, old, new.decode(), written)),
        by=", ".join(dict.fromkeys(one.by for one in used if one.by)),
        offered=not any(one.new for one in used),
    )


def _written(
    seen: Seen, path: str, old: bytes | None, claims: Sequence[cards.types.Claim]
) -> tuple[list[cards.types.Claim], bytes | None]:
    """Return which of *claims* the card takes, and the card with them and with their words."""
    if not claims:
        return [], None
    now, new_id = iso(seen.now), new_topics.new_id(path, seen.now)
    first = patching.change(old, path, claims, now, new_id)
    written = [
        c
        for c in claims
        if c.field in first.fields
        and (old is None or patching.change(old, path, [c], now, new_id).fields)
    ]
    made = patching.change(old, path, [*claims, *map(_backstory, written)], now, new_id)
    return written, made.text


def _backstories(
    path: str, called: Sequence[SourcedClaim], old: bytes | None
) -> Iterator[cards.types.Claim]:
    """Yield the words of each alias that the card at *path* does not have yet."""
    held = {name.casefold() for name in aliases.of(path, old)} if old is not None else set()
    for one in called:
        claim = _claim(path, replace(one, claim=replace(one.claim, field="backstory")))
        if claim and one.claim.value.casefold() not in held:
            yield _backstory(claim)


def _backstory(claim: cards.types.Claim) -> cards.types.Claim:
    """Return the words in which *claim* was said as a claim: no fact stands without them."""
    return replace(claim, field="backstory", value=claim.backstory, ends=())


def _reason(
    told: Sequence[cards.types.Claim], before: Card | None, card: Card, called: Sequence[str]
) -> str:
    """Return whose facts they are, all that is written, when that was said, in which words."""
    first = told[0]
    fields = dict.fromkeys(claim.field for claim in told if claim.field != "backstory")
    known = [_fact(field, [c for c in told if c.field == field], before, card) for field in fields]
    facts = "; ".join((*known, *(f"also called {', '.join(called)}" for _ in called[:1])))
    when = f"on {first.at[:_DAY]}" if first.at else "once"
    sentences = dict.fromkeys(claim.backstory for claim in told)
    quoted = " / ".join(first_line(sentence, _SHOWN).rstrip(".") for sentence in sentences)
    return f"{first.person}'s {facts}, as was said {when}: {quoted}"


def _fact(field: str, told: Sequence[cards.types.Claim], before: Card | None, card: Card) -> str:
    """Return a fact as the card has it then, and which values it had, or was said to have."""
    over = ended_facts.ended(field)
    if over and field not in card.attributes:  # of several, some are gone
        field, over = over, ""
    if over:
        until = _items(card.attributes.get(field))
        held = ", ".join(_items(card.attributes.get(over)))
        return f"{over.replace('_', ' ')} (until {', '.join(until)}): {held}"
    written = _items(card.attributes.get(field))
    had = _items(before.attributes.get(field)) if before else ()
    claimed = (item for claim in told for item in _items(claim.value))
    gone = [item for item in dict.fromkeys((*had, *claimed)) if item not in written]
    instead = f"no longer {', '.join(gone)}" if gone else ""
    if written and instead:
        instead = f" ({instead})"
    return f"{field.replace('_', ' ')}: {', '.join(written)}{instead}"


def _items(value: cards.types.Text | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (value,) if value else ()


def _claim(path: str, one: SourcedClaim) -> cards.types.Claim | None:
    category, key = names.split(names.of_path(path))
    it = one.claim
    try:
        field = names.field(it.field)
    except BadInput:
        return None
    relationship = it.relationship or "unknown"
    return cards.types.Claim(
        it.person, relationship, category, key, field, it.value, it.said, one.source, it.at,
        it.origin, it.ends,
    )  # fmt: skip


def edit(path: str, old: bytes | None, text: str) -> Edit:
    """Return the edit from *old* to *text*: the lines that differ, and one that stays above."""
    if old is None:
        return Make(path, text)
    was, new = _lines(frontmatter.decode(old)), _lines(text)
    head, tail = edits.shared_ends(was, new)
    start = max(head - 1, 0)
    return Lines(path, start, was[start : len(was) - tail], new[start : len(new) - tail])


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.removesuffix("\r") for line in text.removesuffix("\n").split("\n"))


def _kept(
    path: str, old: bytes | None, text: str, told: Sequence[cards.types.Claim]
) -> Iterable[Kept]:
    """Yield which attribute has another value now, and which words: git keeps the old ones.

    For one that is gone stand the words, *told* of it, that it is over.
    """
    if old is None:
        return
    yield from _replaced_words(parser.read(path, old), parser.read(path, text.encode()))
    facts = (parser.read(path, x).record.facts.splitlines() for x in (old, text.encode()))
    was, now = ({_name(line): line for line in lines} for lines in facts)
    yield from (Kept(was[k], now[k]) for k in was if k in now and now[k] != was[k])
    over = {claim.field: claim.backstory for claim in told if claim.is_over}
    yield from (Kept(was[k], over[k]) for k in was if k not in now and k in over)


def _name(line: str) -> str:
    """Return which fact a *line* of a card tells, over or not."""
    return line.partition(": ")[0].partition(" (until ")[0]


def _replaced_words(before: Card, after: Card) -> Iterator[Kept]:
    """Yield which paragraphs gave way to the newest of the words that hold."""
    was, now = (str(c.attributes.get("backstory", "")).split("\n\n") for c in (before, after))
    come = [paragraph for paragraph in now if paragraph not in was]
    yield from (Kept(gone, come[0]) for gone in was if come and gone not in now)
