"""The values of cards: attributes, who said them, claims, and what becomes of these."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from vaultmem.records import MARKS_OF_ORIGIN, TRUST, TRUST_OF_SOURCE, lowest

Text = str | tuple[str, ...]
"""What an attribute holds: text, or a list of it."""

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

Strategy = Literal["overwrite", "append", "merge"]

Policy = Literal["latest", "all"]
POLICIES: tuple[Policy, ...] = ("latest", "all")

REQUIRED = ("person", "relationship", "backstory")
DATES = ("valid_from", "valid_to", "stale_after")
OWN = (*REQUIRED, *DATES)
"""What every card may say of itself; who said it is noted as for any other attribute."""

_PARTS_OF_A_LIFE = """
belongings contact dates education family finance friends health hobbies home legal medical people
personal pets preferences school social studies travel work
"""
_CATEGORIES = frozenset(_PARTS_OF_A_LIFE.split())


def is_known_category(category: str) -> bool:
    """Tell whether *category* is what people sort cards by."""
    return category in _CATEGORIES


_RESERVED = """
id type title name description agent created updated date_created importance category key tags
aliases cssclasses sources superseded_by claims policies model prompt path commit
conflicts pinned read_only approved uncommitted tool_lines
"""
RESERVED = frozenset(_RESERVED.split()) | MARKS_OF_ORIGIN
"""Keys that the program or Obsidian gives a meaning to: no fact may be called so."""

_DIGEST = 8
HAND = "human"


@dataclass(frozen=True, slots=True)
class Claim:
    """That the *field* of a card is *value* (None: nothing any more), who says so, and when.

    *person*, *relationship* and *backstory* are for a card that this claim would be the first of;
    *source* is a key of TRUST_OF_SOURCE, *at* is ISO 8601, *origin_link* what it was drawn from.
    *ends* are values that hold no longer by it; where that is its own, it says nothing else.
    """

    person: str
    relationship: str
    category: str
    key: str
    field: str
    value: Text | None
    backstory: str
    source: str
    at: str
    origin_link: str = ""
    ends: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether it says of its value that it holds no longer."""
        return self.value in self.ends

    @property
    def trust(self) -> str:
        """What its source is worth."""
        return TRUST_OF_SOURCE[self.source]


@dataclass(frozen=True, slots=True)
class Mark:
    """Who said what an attribute holds, when last, and the digest of what was said then."""

    sources: tuple[str, ...] = (HAND,)
    at: str = ""
    digest: str = ""

    @property
    def joined_sources(self) -> str:
        """The sources in one word: `agent`, `user+agent`."""
        return "+".join(self.sources)

    @property
    def trust(self) -> str:
        """What the attribute is worth: as much as the least of its sources."""
        return lowest(TRUST_OF_SOURCE[s] for s in self.sources)

    @property
    def guards(self) -> str:
        """The trust below which nobody overwrites it: that of its best source."""
        return max((TRUST_OF_SOURCE[s] for s in self.sources), key=TRUST.index)


@dataclass(frozen=True, slots=True)
class Conflict:
    """A claim that waits for a person, and what stands in the card meanwhile."""

    field: str
    kept: Text | None
    claimed: Text | None
    source: str
    at: str
    kept_source: str = ""
    kept_at: str = ""


@dataclass(frozen=True, slots=True)
class Proposed:
    """What claims make of a card: its new bytes (None: as it is), what changed, what waits."""

    text: bytes | None
    fields: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True)
class Patch:
    """What shall be said of a card, as it was asked for.

    *fields* may be nested, a null in it takes a fact away, as *unset* does with all below a name;
    what every card has may stand among them by its name. An empty *person*, *relationship*,
    *backstory* or date says nothing. Without a *strategy* each fact follows its policy, and is
    overwritten where there is none.
    """

    fields: Mapping[str, Json] = field(default_factory=dict)
    unset: tuple[str, ...] = ()
    person: str = ""
    relationship: str = ""
    backstory: str = ""
    valid_from: str = ""
    valid_to: str = ""
    stale_after: str = ""
    strategy: Strategy | None = None
    policies: Mapping[str, str] = field(default_factory=dict)
    source: str = "agent"
    at: str = ""


def digest(value: Text) -> str:
    """Return what tells whether an attribute still holds *value*: 8 hexadecimal digits."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
