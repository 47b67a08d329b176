"""Decide what claims make of a card: what is written, what waits, and with which lines.

A claim never overwrites another value of a more trusted source, nor a newer one of the same trust;
what nobody trusted said is never written into a card. Such claims are conflicts. What is edited is
edited line by line; the rest of the file is its people's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field

from vaultmem.documents import ended_facts, frontmatter
from vaultmem.documents.frontmatter import Field
from vaultmem.documents.public_text import quoted
from vaultmem.documents.several_facts import may_have_several
from vaultmem.errors import BadInput, CardLacks, Refused
from vaultmem.knowledge.cards import names, parser, superseded_words
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.superseded_words import Replaced
from vaultmem.knowledge.cards.types import (
    DATES,
    HAND,
    OWN,
    REQUIRED,
    Claim,
    Conflict,
    Mark,
    Policy,
    Proposed,
    Strategy,
    Text,
    digest,
)
from vaultmem.records import TRUST, first_line, lowest

_HOOK = 140
_JOINS = r"(?i) (?:and|und|&) |[\u548c\u3001]"


def change(  # noqa: PLR0913  # the bytes, the claims, and how they are to be taken
    existing: bytes | None,
    path: str,
    claims: Sequence[Claim],
    now: str,
    new_id: str,
    *,
    strategy: Strategy | None = None,
    policies: Mapping[str, Policy] | None = None,
) -> Proposed:
    """Return what *claims* make of the card at *path*, which holds *existing*.

    *now* is ISO 8601 UTC, for a card whose claims bear no date. Raises BadInput for a new card
    without what every card needs, Unreadable for a file that cannot be trusted, Refused for lines
    that cannot be edited alone.
    """
    if existing is None:
        return _created(path, claims, now, new_id, policies or {})
    card = parser.read(path, existing)
    known = {**card.policies, **(policies or {})}
    state = _State(dict(card.attributes), dict(card.marks), known, [], [])
    is_open = card.trust == "untrusted"
    for claim in claims:
        state.take(claim, strategy, is_open=is_open)
    state.settle()
    changed = (*_changed(card, state), *state.in_part)
    return Proposed(_updated(card, state), changed, tuple(state.waiting))


def is_answered(card: Card, claim: Claim) -> bool:
    """Tell whether a person decided about what *claim* says later than it was said.

    Who took a fact out of the file by hand did, for all that had been said by then.
    """
    mark = card.marks.get(claim.field)
    if mark is None:
        return card.removed.get(claim.field, "") >= claim.at > ""
    return mark.sources == (HAND,) and mark.at >= claim.at


def put_right(path: str, existing: bytes, text: bytes) -> bytes:
    """Return *text*, in which words of the card at *path* were put right: who said them said these.

    Raises Unreadable for a file that cannot be trusted.
    """
    old, new = parser.read(path, existing), parser.read(path, text)
    changed = [
        field
        for field, mark in old.marks.items()
        if mark.digest and field in new.marks and not new.marks[field].digest
    ]
    if not changed:
        return text
    marks = {it: replace(old.marks[it], digest=digest(new.attributes[it])) for it in changed}
    state = _State(dict(new.attributes), marks, new.policies, [], [])
    lines = _claim_lines(new, state, changed)
    return frontmatter.render(frontmatter.update(new.doc, {"claims": lines})).encode()


# --- what claims do to attributes -------------------------------------------------------------


@dataclass(slots=True)
class _State:
    """The attributes of a card while claims are taken one by one."""

    attributes: dict[str, Text]
    marks: dict[str, Mark]
    policies: Mapping[str, Policy]
    waiting: list[Conflict]
    origins: list[str]
    replaced: list[Replaced] = dataclass_field(default_factory=list)
    in_part: list[str] = dataclass_field(default_factory=list)
    """Ends that were told of some of several only: those are gone, and the others stay."""

    def take(self, claim: Claim, strategy: Strategy | None, *, is_open: bool) -> None:
        """Take *claim*, or let it wait; only an *is_open* card takes what nobody trusted said."""
        # Obsidian takes Phone and phone for one property.
        same = (key for key in self.attributes if key.casefold() == claim.field.casefold())
        claim = self._of_several(replace(claim, field=next(same, claim.field)))
        old, mark = self.attributes.get(claim.field), self.marks.get(claim.field)
        if (claim.is_over and old is None) or not self._has_what_ends(claim):
            return
        come = _outcome(claim, old, mark, strategy or self._usual(claim, mark))
        if come.value == old:
            if not (_confirms(claim, old, mark) or self._is_so_again(claim)):
                return
            come = _Outcome(old, (claim.source,))
        if claim.trust == "untrusted" and not is_open:
            self._wait(claim, old, mark or Mark())
        elif mark is None or come.adds or _may_replace(claim, mark):
            self._write(claim, come)
        elif not claim.is_over:
            self._wait(claim, old, mark)

    def _has_what_ends(self, claim: Claim) -> bool:
        """Tell whether what was drawn from talk finds the fact that it ends, if it ends one.

        It has to name what stands there, if it names anything, and be said later than that.
        """
        field = ended_facts.ended(claim.field)
        if not (field and claim.origin_link):
            return True
        held, mark = self.attributes.get(field), self.marks.get(field)
        if held is None or mark is None or claim.field in self.attributes:
            return False
        if not claim.ends:
            return isinstance(held, str) and _may_replace(claim, mark)
        named = [end for end in claim.ends if any(_names(item, end) for item in _items(held))]
        is_all = all(any(_is_alone(item, end) for end in claim.ends) for item in _items(held))
        return len(named) == len(claim.ends) and is_all and _may_replace(claim, mark)

    def _of_several(self, claim: Claim) -> Claim:
        """Return *claim*, or that some of several are gone where it ends those, and not all."""
        field = ended_facts.ended(claim.field)
        held = self.attributes.get(field, "") if field and claim.origin_link else ""
        over = [it for it in _items(held) if any(_is_alone(it, end) for end in claim.ends)]
        if isinstance(held, str) or not 0 < len(over) < len(held):
            return claim
        self.in_part.append(claim.field)
        return replace(claim, field=field, value=over[0], ends=tuple(over))

    def _is_so_again(self, claim: Claim, *, at_once: bool = False) -> bool:
        """Tell whether *claim* says what was over by then, or *at_once* with that, once more."""
        end = self.marks.get(ended_facts.end_of(claim.field))
        return end is not None and (end.at < claim.at or (at_once and end.at == claim.at))

    def _usual(self, claim: Claim, mark: Mark | None) -> Strategy:
        """Return how *claim* meets what is there: by the policy, or else by the kind of its fact.

        What was drawn from talk adds to what somebody may have several of, unless a better source
        said what there is.
        """
        policy = self.policies.get(claim.field)
        adds = claim.field == "backstory" or may_have_several(claim.field)
        if policy is None and claim.origin_link and adds:
            if claim.field != "backstory" and self._is_so_again(claim, at_once=True):
                return "overwrite"  # nothing is added to what is over
            guarded = mark and TRUST.index(claim.trust) < TRUST.index(mark.guards)
            return "overwrite" if guarded else "append"
        return "append" if policy == "all" else "overwrite"

    def _wait(self, claim: Claim, old: Text | None, mark: Mark) -> None:
        known = (mark.joined_sources, mark.at) if old is not None else ("", "")
        waits = Conflict(claim.field, old, claim.value, claim.source, claim.at, *known)
        self.waiting.append(waits)

    def _write(self, claim: Claim, come: _Outcome) -> None:
        if claim.origin_link and claim.origin_link not in self.origins:
            self.origins.append(claim.origin_link)
        if come.value != self.attributes.get(claim.field) or self._is_so_again(claim):
            self.attributes.pop(ended_facts.end_of(claim.field), None)
            self.marks.pop(ended_facts.end_of(claim.field), None)
        if come.value is None:
            self.attributes.pop(claim.field, None)
            self.marks.pop(claim.field, None)
            return
        if claim.field not in self.attributes:
            _check_room(claim.field, self.attributes)
        before = self.marks.get(claim.field, Mark())
        if claim.origin_link and claim.field not in OWN:
            gone = {*_items(self.attributes.get(claim.field, ()))} - {*_items(come.value)}
            self.replaced += (Replaced(claim.field, v, claim.backstory) for v in sorted(gone))
        if (over := ended_facts.ended(claim.field)) in self.attributes:
            held = _items(self.attributes[over])
            self.replaced += (Replaced(over, v, claim.backstory) for v in held)
        at = max(claim.at, before.at) if come.adds else claim.at
        self.attributes[claim.field] = come.value
        self.marks[claim.field] = Mark(come.sources, at, digest(come.value))

    def settle(self) -> None:
        """Leave out of the card's words, unless a person's, what they say of values of before."""
        story, mark = str(self.attributes.get("backstory", "")), self.marks.get("backstory")
        over = [it for it in self.replaced if not self._holds(it)]
        left = superseded_words.without(story, over)
        if mark and HAND not in mark.sources and left != story:
            self.attributes["backstory"] = left
            self.marks["backstory"] = replace(mark, digest=digest(left))

    def _holds(self, it: Replaced) -> bool:
        is_over = ended_facts.end_of(it.field) in self.attributes
        return not is_over and it.value in _items(self.attributes.get(it.field, ()))


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What an attribute comes to, who says it then, and whether nothing was taken away for it."""

    value: Text | None
    sources: tuple[str, ...]
    adds: bool = False


def _confirms(claim: Claim, old: Text | None, mark: Mark | None) -> bool:
    """Tell whether somebody more trusted, or a person, says all of what is there: theirs it is."""
    if (
        mark is None
        or old is None
        or claim.value is None
        or {*_items(old)} - {*_items(claim.value)}
    ):
        return False
    if claim.source == HAND:
        return mark.sources != (HAND,) or not mark.at
    return TRUST.index(claim.trust) > TRUST.index(mark.trust)


def _names(item: str, end: str) -> bool:
    """Tell whether *item* of a fact names what is over: `a dog called Rex` does Rex."""
    whole = rf"(?<!\w){re.escape(end)}(?!\w)" if end.isascii() else re.escape(end)
    return re.search(f"(?i){whole}", item) is not None


def _is_alone(item: str, end: str) -> bool:
    """Tell whether *item* names what is over and nothing beside it, as `Salt and Pepper` does."""
    beside = item.replace(end, "")
    return _names(item, end) and not re.search(_JOINS, beside)


def _may_replace(claim: Claim, mark: Mark) -> bool:
    mine, theirs = TRUST.index(claim.trust), TRUST.index(mark.guards)
    return mine > theirs or (mine == theirs and claim.at >= mark.at)


def _outcome(claim: Claim, old: Text | None, mark: Mark | None, how: Strategy) -> _Outcome:
    new = claim.value
    if old is not None and (claim.is_over or (claim.ends and how == "append")):
        return _without_ended(claim, old, mark or Mark())
    replaced = _Outcome(new, (claim.source,))
    if old is None or new is None or mark is None or how == "overwrite":
        return replaced
    both = tuple(dict.fromkeys((*mark.sources, claim.source)))
    if claim.field == "backstory":
        return _Outcome(old if str(new) in old else f"{old}\n\n{new}", both, adds=True)
    is_scalar = isinstance(old, str) and isinstance(new, str)
    if claim.field in OWN or (how == "merge" and is_scalar):
        return replaced
    items = tuple(dict.fromkeys((*_items(old), *_items(new))))
    return _Outcome(old if items == _items(old) else items, both, adds=True)


def _without_ended(claim: Claim, old: Text, mark: Mark) -> _Outcome:
    """Return what is left of *old* without what *claim* ends, and with what it says instead."""
    ended = {value.casefold() for value in claim.ends}
    left = tuple(item for item in _items(old) if item.casefold() not in ended)
    new = _items(claim.value) if claim.value and not claim.is_over else ()
    items = tuple(dict.fromkeys((*left, *new)))
    sources = tuple(dict.fromkeys((*mark.sources, claim.source)))
    told: Text | None = items if len(items) > 1 else "".join(items) or None
    return _Outcome(old if items == _items(old) else told, sources, adds=left == _items(old))


def _items(value: Text) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


def _check_room(field: str, attributes: Mapping[str, Text]) -> None:
    """Raise BadInput when *field* would stand above or below an attribute that holds a value."""
    for key in attributes:
        if key.startswith(f"{field}.") or field.startswith(f"{key}."):
            raise BadInput(
                f"{quoted(field)} has no room beside {quoted(key)}, which holds a value: "
                "take that away first"
            )


# --- a new card -------------------------------------------------------------------------------


def _created(
    path: str, claims: Sequence[Claim], now: str, new_id: str, policies: Mapping[str, Policy]
) -> Proposed:
    if not claims:
        raise BadInput(f"there is no {path} yet, and nothing to say in it")
    state = _State({}, {}, policies, [], [])
    # What nobody trusted says comes into a card only where nobody else says anything.
    trusted = [claim for claim in claims if claim.trust != "untrusted"] or claims
    for claim in (*_needed(trusted), *claims):
        state.take(claim, None, is_open=trusted is claims)
    state.settle()
    first = trusted[0]
    known = {key: state.attributes.pop(key) for key in REQUIRED}
    dates = {key: state.attributes.pop(key) for key in DATES if key in state.attributes}
    head: dict[str, Field | None] = {
        "id": new_id,
        "type": "card",
        "title": _title(str(known["person"]), str(known["relationship"]), first.key),
        "description": _description(known),
        "category": first.category,
        "key": first.key,
        "person": known["person"],
        "relationship": known["relationship"],
        "date_created": first.at or now,
        "source": first.source,
        "trust": (trust := lowest(mark.trust for mark in state.marks.values())),
        "approved": False if trust == "untrusted" else None,  # a box that a person ticks
        "policies": _policy_lines({}, policies) or None,
        "claims": [parser.written(field, mark) for field, mark in state.marks.items()],
        "sources": _source_lines({}, state.origins) or None,
        **dates,
        **state.attributes,
    }
    fields = {key: value for key, value in head.items() if value is not None}
    text = frontmatter.new(fields, f"{known['backstory']}\n")
    return Proposed(text.encode(), (*state.marks, *state.in_part), tuple(state.waiting))


def _needed(claims: Sequence[Claim]) -> list[Claim]:
    """Return what every card needs, as claims; raises CardLacks."""
    found: dict[str, Claim] = {}
    for key in REQUIRED:
        claim = next((c for c in claims if c.field == key and c.value), None)
        first = next((c for c in claims if getattr(c, key)), None)
        if claim:
            found[key] = claim
        elif first:
            found[key] = replace(first, field=key, value=getattr(first, key))
    lacking = [key for key in REQUIRED if key not in found]
    if lacking:
        raise CardLacks(f"{claims[0].category}/{claims[0].key}", lacking)
    return list(found.values())


def _title(person: str, relationship: str, key: str) -> str:
    if key.startswith(f"{names.key(person)}_of_"):  # there is another of that name
        return f"{person} ({relationship})"
    words = key.replace("_", " ").replace("-", " ")
    return person if words.casefold() in person.casefold() else f"{person}: {words}"


def _description(own: Mapping[str, Text]) -> str:
    """Return when to read the card: whom it concerns, and how it arose.

    No fact stands in it, for it would not be true any more after the next patch.
    """
    whom = f"{own.get('person', '')} ({own.get('relationship', '')})"
    return first_line(f"{whom}: {own.get('backstory', '')}", _HOOK)


# --- a card that is there ---------------------------------------------------------------------


def _changed(card: Card, state: _State) -> tuple[str, ...]:
    def said(of: Card | _State, key: str) -> tuple[Text | None, Mark | None]:
        return of.attributes.get(key), of.marks.get(key)

    keys = dict.fromkeys((*card.attributes, *state.attributes))
    return tuple(key for key in keys if said(card, key) != said(state, key))


def _updated(card: Card, state: _State) -> bytes | None:
    """Return the bytes of *card* with what *state* says, None when it says that already."""
    changed = _changed(card, state)
    if not changed and state.policies == card.policies:
        return None
    lines = _about(card, state, changed)
    lines["policies"] = _policy_lines(card.raw, state.policies) or None
    lines["claims"] = _claim_lines(card, state, changed) or None
    for field in changed:
        if field != "backstory" and card.attributes.get(field) != state.attributes.get(field):
            lines |= _line(card, state, field)
    body = None
    if state.attributes.get("backstory") != card.attributes.get("backstory"):
        eol = "\r\n" if card.doc.opening.endswith("\r\n") else "\n"
        body = f"{state.attributes.get('backstory', '')}\n".replace("\n", eol)
    return frontmatter.render(frontmatter.update(card.doc, lines, body)).encode()


def _line(card: Card, state: _State, field: str) -> dict[str, Field | None]:
    """Return what becomes of the lines of *field*; raises Refused where it is nested by hand."""
    top = next((k for k in card.raw if _holds(k, card.raw[k], field)), field)
    if top == field:
        return {field: state.attributes.get(field)}
    if any(key == top or key.startswith(f"{top}.") for key in state.attributes):
        raise Refused(
            f"{card.path}: {quoted(field)} stands nested below {quoted(top)}: "
            f"write it on a line of its own, `{field}: …`, and try again"
        )
    return {top: None}


def _holds(key: str, value: object, field: str) -> bool:
    """Tell whether *field* is inside the nested *value* of *key*, not on a line of its own."""
    plain = isinstance(value, list) and all(isinstance(item, str) for item in value)
    nested = isinstance(value, dict | list) and not plain
    return nested and field.startswith(f"{key}.")


def _about(card: Card, state: _State, changed: Iterable[str]) -> dict[str, Field | None]:
    """Return trust, sources and description, where they follow from what changed."""
    lines: dict[str, Field | None] = {}
    trust = _trust(card, state, changed)
    if trust != card.trust:
        lines["trust"] = trust
    if state.origins:
        lines["sources"] = _source_lines(card.raw, state.origins)
    if card.record.description == _description(card.attributes):
        lines["description"] = _description(state.attributes)
    return lines


def _trust(card: Card, state: _State, changed: Iterable[str]) -> str:
    """Return what the card is worth now: the least of its facts.

    Where it said another trust of itself, a person judged it: only what is new can lower that.
    """
    if card.trust == lowest(mark.trust for mark in card.marks.values()):
        return lowest(mark.trust for mark in state.marks.values())
    fresh = (state.marks[field].trust for field in changed if field in state.marks)
    return lowest((card.trust, *fresh))


def _claim_lines(card: Card, state: _State, changed: Sequence[str]) -> list[str]:
    """Return the lines of `claims`: those of what did not change stay as they are."""
    due = {f: parser.written(f, m) for f in changed if (m := state.marks.get(f))}
    kept = []
    for line in parser.lines(card.raw.get("claims")):
        field = line.rpartition(": ")[0]
        if field not in changed:
            kept.append(line)
        elif field in due:
            kept.append(due.pop(field))
    return [*kept, *due.values()]


def _source_lines(raw: Mapping[str, object], origins: Sequence[str]) -> list[str]:
    links = (f"[[{origin}]]" for origin in origins)
    return list(dict.fromkeys((*parser.lines(raw.get("sources")), *links)))


def _policy_lines(raw: Mapping[str, object], policies: Mapping[str, Policy]) -> list[str]:
    kept = [line for line in parser.lines(raw.get("policies")) if ": " not in line]
    return [*kept, *(f"{field}: {policy}" for field, policy in policies.items())]
