"""The lines of a card's change, as a dream's note shows it: which of them their sources hide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

from vaultmem.documents import frontmatter
from vaultmem.knowledge.cards import persons
from vaultmem.knowledge.cards.types import OWN
from vaultmem.maintenance.provenance.borne_out import Whose, is_fact_lost, is_item_lost, states
from vaultmem.maintenance.provenance.shown_sources import Sources
from vaultmem.storage import withheld_lines

TOLD_OTHERWISE = frozenset(OWN) - {"relationship"}
"""Properties of a card that are no facts of its person."""
TITLED = ("title", "description")
_PATCH = re.compile(r"  [-+ ]")


class ChangedLine(NamedTuple):
    """A *line* of a dream's change: below which key it stands, and what it gives that."""

    line: str
    name: str
    value: str

    @classmethod
    def of(cls, line: str, name: str) -> Self:
        """Take *line*, which stands at or below the key *name*."""
        patch = _PATCH.match(line)
        plain = line[patch.end() :] if patch else ""
        found = frontmatter.KEY_LINE.match(plain)
        value = plain[found.end() :].strip() if found else withheld_lines.item(plain)
        return cls(line, name, value.strip("\"'"))

    @property
    def is_fact(self) -> bool:
        """Whether it is one of a card that its sources tell."""
        noted = {*withheld_lines.NOTED, *TITLED, *TOLD_OTHERWISE, ""}
        return bool(self.value) and self.value != withheld_lines.INSTEAD and self.name not in noted

    @property
    def field(self) -> str:
        """Which fact it names without its value: by a claim of it, or by a list's key."""
        if self.name == "claims":
            return self.value.partition(": ")[0]
        return "" if self.value else self.name


def by_keys(part: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines of a change, each with the key of the frontmatter that it stands at."""
    name = ""
    for line in part:
        patch = _PATCH.match(line)
        plain = line[patch.end() :] if patch else ""
        if found := frontmatter.KEY_LINE.match(plain):
            name = found["key"]
        elif not withheld_lines.item(plain):
            name = ""
        yield line, name


def is_line_lost(whose: Whose, it: ChangedLine, every: Sources) -> bool:
    """Tell whether *it* states what is hidden of *whose* card, and no source says it in public."""
    if it.name != "relationship":
        return is_item_lost(whose, it.name, it.value, every)
    said = f"{whose.person} {persons.whose(it.value)} {persons.relation(it.value)}"
    return is_fact_lost(said, every) and not states(whose, it.name, it.value, every)
