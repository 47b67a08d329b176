"""Propose cards, made or patched, from what users said.

Not one of the detectors that look by themselves: the claims were asked for before, of a summarizer.
What a person declined of a card, and what was removed from it by hand, is left out of it.
What a card does not take, for somebody more trusted said otherwise, is left for a person to decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Claim
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.knowledge import cards
from vaultmem.knowledge.cards import names, parser, patching
from vaultmem.knowledge.cards.parser import Card
from vaultmem.maintenance.dream import edits, new_topics
from vaultmem.maintenance.dream.types import Edit, Kept, Lines, Make, Proposal, Seen
from vaultmem.records import first_line, iso

_SHOWN = 120
_DAY = 10
_NOBODY = "user"
_GRAVEST = "medical"
_CANNOT = (BadInput, Refused, Unreadable)
"""A card that lacks what it needs, or whose lines are a person's."""


@dataclass(frozen=True, slots=True)
class SourcedClaim:
    """A claim, and the source that said it, as memories name theirs.

    *by* names the model that found it, "" for the program; *new* is what was said since the last
    dream.
    """

    claim: Claim
    source: str
    by: str = ""
    new: bool = True


def find(
    seen: Seen, told: Sequence[SourcedClaim], declined: Collection[tuple[str, str]] = ()
) -> Iterator[Proposal]:
    """Yield a proposal for each card that what was *told* makes or changes.

    *declined* are keys of cards, each with where something was said that it shall not say. What a
    memory said that is superseded holds no more.
    """
    over = {memory.stem for memory in seen.memories if memory.superseded_by}
    for path, group, old in _by_card(seen, [one for one in told if one.claim.origin not in over]):
        _, key = names.split(names.of_path(path))
        wanted = [one for one in group if (key, one.claim.origin) not in declined]
        yield from _proposed(seen, path, _once(wanted), old)


def disagreeing(seen: Seen, told: Sequence[SourcedClaim]) -> Iterator[cards.types.Claim]:
    """Yield what was *told* later than what a card says, by somebody whom it believes less."""
    for path, group, old in _by_card(seen, told):
        for claim in (c for one in group if (c := _claim(path, one))):
            try:
                made = patching.change(old, path, [claim], "", "") if old is not None else None
            except _CANNOT:
                continue
            if made and any(it.at > it.kept_at for it in made.conflicts):
                yield claim


def _once(told: Iterable[SourcedClaim]) -> tuple[SourcedClaim, ...]:
    """Return *told* with what somebody may have several of named once each."""
    first: dict[object, SourcedClaim] = {}
    for nth, one in enumerate(told):
        it = one.claim
        about = (it.field, it.value.casefold()) if it.field in cards.types.SEVERAL else nth
        first.setdefault(about, one)
    return tuple(first.values())


def _by_card(
    seen: Seen, told: Sequence[SourcedClaim]
) -> Iterator[tuple[str, Sequence[SourcedClaim], bytes | None]]:
    """Yield the path of each card that may be written, what was told for it, and its bytes."""
    groups: defaultdict[str, list[SourcedClaim]] = defaultdict(list)
    # What may harm somebody stands first, and names the card.
    for one in sorted(told, key=lambda one: one.claim.category != _GRAVEST):
        if name := _named(seen, one.claim) or _new(one.claim, groups):
            groups[name].append(one)
    notes = {note.path: note for note in seen.notes}
    for name in sorted(groups):
        path = names.path(name)
        note = notes.get(path)
        if not (note and note.fixed) and (note or path not in seen.paths):
            old = note.eol.join((*note.lines, "")).encode() if note else None
            yield path, groups[name], old


def _named(seen: Seen, claim: Claim) -> str:
    """Return the card that the vault has about whom *claim* concerns, best of its category."""
    person = claim.person.casefold()
    own = [
        names.of_path(note.path)
        for note in seen.notes
        if note.path.startswith(f"{names.FOLDER}/") and person
        if (known := note.record.person.casefold()) == person or known.startswith(f"{person} (")
    ]
    fitting = (name for name in own if name.startswith(f"{claim.category}/"))
    return next(fitting, min(own, default=""))


def _new(claim: Claim, groups: Iterable[str]) -> str:
    """Return what the new card is called, one a person: what is told first has its category."""
    key = names.key(claim.person)
    name = next((g for g in groups if names.split(g)[1] == key), f"{claim.category}/{key}")
    try:
        names.new(name)
        names.field(claim.field)
    except BadInput:
        return ""
    return name if key != _NOBODY else ""


def _proposed(
    seen: Seen, path: str, told: Sequence[SourcedClaim], old: bytes | None
) -> Iterator[Proposal]:
    try:
        card = parser.read(path, old) if old is not None else None
        claims = [claim for one in told if (claim := _claim(path, one))]
        open_claims = [c for c in claims if card is None or not patching.is_answered(card, c)]
        if not open_claims:
            return
        now, new_id = iso(seen.now), new_topics.new_id(path, seen.now)
        first = patching.change(old, path, open_claims, now, new_id)
        written = [
            c for c in open_claims
            if c.field in first.fields
            and (old is None or patching.change(old, path, [c], now, new_id).fields)
        ]  # fmt: skip
        made = patching.change(old, path, [*open_claims, *map(_backstory, written)], now, new_id)
    except _CANNOT:
        return
    if not written or made.text is None or made.text == old:
        return
    text = made.text.decode()
    origins = {claim.origin_link for claim in written}
    used = [one for one in told if one.claim.origin in origins]
    yield Proposal(
        "card",
        path,
        _reason(written, card, parser.read(path, made.text)),
        (_edit(path, old, text),),
        sources=tuple(dict.fromkeys(one.claim.origin for one in used if one.claim.origin)),
        kept=tuple(_kept(path, old, text)),
        by=", ".join(dict.fromkeys(one.by for one in used if one.by)),
        offered=not any(one.new for one in used),
    )


def _backstory(claim: cards.types.Claim) -> cards.types.Claim:
    """Return the words in which *claim* was said as a claim: no fact stands without them."""
    return replace(claim, field="backstory", value=claim.backstory)


def _reason(told: Sequence[cards.types.Claim], before: Card | None, card: Card) -> str:
    """Return whose facts they are, all that is written, when that was said, in which words."""
    first = told[0]
    facts = "; ".join(
        _fact(field, [c for c in told if c.field == field], before, card)
        for field in dict.fromkeys(claim.field for claim in told)
    )
    when = f"on {first.at[:_DAY]}" if first.at else "once"
    sentences = dict.fromkeys(claim.backstory for claim in told)
    quoted = " / ".join(first_line(sentence, _SHOWN).rstrip(".") for sentence in sentences)
    return f"{first.person}'s {facts}, as was said {when}: {quoted}"


def _fact(field: str, told: Sequence[cards.types.Claim], before: Card | None, card: Card) -> str:
    """Return a fact as the card has it then, and which values it had, or was said to have."""
    written = _items(card.attributes.get(field))
    had = _items(before.attributes.get(field)) if before else ()
    claimed = (item for claim in told for item in _items(claim.value))
    gone = [item for item in dict.fromkeys((*had, *claimed)) if item not in written]
    instead = f" (no longer {', '.join(gone)})" if gone else ""
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
        it.origin,
    )  # fmt: skip


def _edit(path: str, old: bytes | None, text: str) -> Edit:
    """Return the edit from *old* to *text*: the lines that differ, and one that stays above."""
    if old is None:
        return Make(path, text)
    was, new = _lines(frontmatter.decode(old)), _lines(text)
    head, tail = edits.shared_ends(was, new)
    start = max(head - 1, 0)
    return Lines(path, start, was[start : len(was) - tail], new[start : len(new) - tail])


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.removesuffix("\r") for line in text.removesuffix("\n").split("\n"))


def _kept(path: str, old: bytes | None, text: str) -> Iterable[Kept]:
    """Yield which attribute has another value now: git keeps the old one."""
    if old is None:
        return
    facts = (parser.read(path, x).record.facts.splitlines() for x in (old, text.encode()))
    was, now = ({line.partition(": ")[0]: line for line in lines} for lines in facts)
    yield from (Kept(was[k], now[k]) for k in was if k in now and now[k] != was[k])
