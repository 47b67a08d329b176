"""The frontmatter of two versions of a file in one, key by key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from vaultmem.documents.frontmatter import Value, yaml_writer
from vaultmem.documents.part_trust import OUTCOME
from vaultmem.exchange.sync.types import Conflict
from vaultmem.knowledge.cards.parser import CLAIM
from vaultmem.knowledge.cards.types import digest
from vaultmem.records import lowest

Side = Literal["ours", "theirs", "both"]
Head = dict[str, Value | None]
_STATE = frozenset(("status", "owner", *OUTCOME))
"""How a task stands: words that mean something together alone."""


@dataclass(slots=True)
class Keys:
    """What the frontmatter shall say, and the keys on which the sides disagree."""

    head: Head = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)


def merge(
    base: Mapping[str, Value], ours: Mapping[str, Value], theirs: Mapping[str, Value]
) -> Keys:
    """Return the keys of both sides; None for one that is to go.

    What one side alone changed holds. Lists take what is new on either side and lose what is gone
    from either; of times the later holds; of other words ours, or of facts the one last claimed.
    Where they disagree how a task stands, all of that is as the side says that changed it last.
    """
    made, chosen = Keys(), dict[str, Side]()
    state = _state_of(base, ours, theirs)
    claimed = {side: _claims(it) for side, it in (("ours", ours), ("theirs", theirs))}
    for key in dict.fromkeys((*ours, *theirs, *base)):
        if key == "claims":
            continue
        was, own, other = base.get(key), ours.get(key), theirs.get(key)
        if state is not None and key in _STATE:
            made.head[key], chosen[key] = state.get(key), "both"
            if own != other:
                made.conflicts.append(_conflict(key, was, own, other))
        elif other in (own, was):
            made.head[key], chosen[key] = own, "ours"
        elif own == was:
            made.head[key], chosen[key] = other, "theirs"
        else:
            made.head[key], chosen[key] = _both(key, (was, own, other), claimed, made.conflicts)
    if claimed["ours"] or claimed["theirs"]:
        claims = _chosen(claimed, chosen, made.head)
        made.head["claims"] = list(claims) or None
    return made


def _both(
    key: str,
    three: tuple[Value | None, Value | None, Value | None],
    claimed: Mapping[str, Mapping[str, str]],
    conflicts: list[Conflict],
) -> tuple[Value | None, Side]:
    """Return what a key says that both sides changed, and whose word that is."""
    was, own, other = three
    if own is None or other is None:  # to say something goes before to say nothing
        return (other, "theirs") if own is None else (own, "ours")
    if isinstance(own, list) or isinstance(other, list):
        return listed(as_list(was), as_list(own), as_list(other)), "both"
    if key in _RULES and isinstance(own, str) and isinstance(other, str):
        return _RULES[key](own, other), "both"
    at = {side: _newest_claim_at(claimed[side], key) for side in ("ours", "theirs")}
    side: Side = "theirs" if at["theirs"] > at["ours"] and at["ours"] else "ours"
    conflicts.append(_conflict(key, *three))
    return (other if side == "theirs" else own), side


def _state_of(
    base: Mapping[str, Value], ours: Mapping[str, Value], theirs: Mapping[str, Value]
) -> Mapping[str, Value] | None:
    """Return the side that says how a task stands, None where its keys are merged one by one."""
    if {ours.get("type"), theirs.get("type")} != {"task"}:
        return None
    three = ([it.get(key) for it in (base, ours, theirs)] for key in _STATE)
    if not any(own and other and was != own != other != was for was, own, other in three):
        return None
    return max(ours, theirs, key=lambda it: str(it.get("updated", "")))  # of two at once ours


def _conflict(key: str, *three: Value | None) -> Conflict:
    return Conflict(f"Frontmatter: {key}", *(_shown(key, value) for value in three))


def _shown(key: str, value: Value | None) -> str:
    return "" if value is None else yaml_writer.lines(key, value)


_RULES: dict[str, Callable[[str, str], str]] = {
    "id": min,
    "created": min,
    "date_created": min,
    "updated": max,
    "modified": max,
    "distilled": max,
    "trust": lambda one, other: lowest((one, other)),
    "written": lambda one, other: " ".join(dict.fromkeys((*one.split(), *other.split()))),
}


def listed(was: Sequence[Value], own: Sequence[Value], other: Sequence[Value]) -> list[Value]:
    """Return what stands in both lists, or is new in one of them, in our order."""
    stays = [it for it in own if it in other or it not in was]
    return [*stays, *(it for it in other if it not in was and it not in stays)]


def as_list(value: Value | None) -> list[Value]:
    """Return what a key says as a list: one word is a list of one."""
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


# --- who said what of a card ------------------------------------------------------------------


def _claims(head: Mapping[str, Value]) -> dict[str, str]:
    """Return the lines of `claims` by field."""
    lines = (line for line in as_list(head.get("claims")) if isinstance(line, str))
    return {match["field"]: line for line in lines if (match := CLAIM.fullmatch(line))}


def _newest_claim_at(claims: Mapping[str, str], key: str) -> str:
    """Return when the newest claim on *key*, or on a part of it, was made; "" without one."""
    lines = (line for it, line in claims.items() if it == key or it.startswith(f"{key}."))
    return max((CLAIM.fullmatch(line)["at"] for line in lines), default="")  # type: ignore[index]  # `_claims` matched it


def _chosen(
    claimed: Mapping[str, Mapping[str, str]], chosen: Mapping[str, Side], head: Head
) -> list[Value]:
    """Return the claims that go with the values that were taken."""
    made: list[Value] = []
    every = dict.fromkeys((*claimed["ours"], *claimed["theirs"]))
    for name in every:
        side = chosen.get(name.partition(".")[0], "ours")
        if side == "both":
            made += _joint(name, [claimed[s][name] for s in _SIDES if name in claimed[s]], head)
        else:
            found = claimed[side].get(name) or claimed[_OTHER[side]].get(name)
            made += [found] if found else []
    return made


_SIDES: tuple[Side, ...] = ("ours", "theirs")
_OTHER: dict[Side, Side] = {"ours": "theirs", "theirs": "ours"}


def _joint(name: str, lines: Sequence[str], head: Head) -> list[Value]:
    """Return the claim on a list that both sides added to: all who said so, and when last."""
    value = head.get(name)
    matches = [match for line in lines if (match := CLAIM.fullmatch(line))]
    if not isinstance(value, list) or not matches:
        return list(lines[:1])
    by = "+".join(dict.fromkeys(s for match in matches for s in match["by"].split("+")))
    at = max(match["at"] for match in matches)
    return [f"{name}: {by} {at} {digest(tuple(str(it) for it in value))}"]
