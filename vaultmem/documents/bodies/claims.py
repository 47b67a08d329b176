"""What a person said of somebody, one attribute at a time: what a card is made of or patched with.

`nlp.extraction` finds claims in what users say; `knowledge.cards` decides what becomes of them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """One attribute of one person, as a user told it.

    *person* is a name as it was written, the speaker's own for the speaker, "user" when that is
    unknown; one who was not named is called by the relationship, "daughter". *relationship* is what
    the person is to the speaker, "self" for the speaker, "" when nothing tells. *category* and
    *field* are slugs with underscores ("medical", "shoe_size"). *value* stands to the letter in
    *said*, the sentence; *at* is ISO 8601 or ""; *origin* is the wikilink target of the memory, or
    a transcript with its turn.
    """

    person: str
    relationship: str
    category: str
    field: str
    value: str
    said: str
    at: str = ""
    origin: str = ""
