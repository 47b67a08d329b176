"""On whose card a claim belongs: a person is known by name, and by whose relation they are.

Tom's wife Anna and Lena's wife Anna are two persons. A claim is about the vault's owner, about
another speaker by name, or about somebody's relation; a relation without a name is told of on the
card of whose relation it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from vaultmem.documents import speakers
from vaultmem.documents.bodies import Claim
from vaultmem.nlp.extraction.grammar import relations

SELF, SPEAKER = "self", "speaker"
ALIAS = "aliases"
"""The field of a claim that says how somebody is called, too."""

NAME = "name"
"""The field of a claim that says who somebody is; their card is called so, and need not say it."""

NOBODY = "user"
_STRANGERS = frozenset(
    {
        "customer", "client", "caller", "guest", "visitor", "member", "patient", "anonymous",
        "unknown", "interviewee", "participant",
        "\u7528\u6237", "\u5ba2\u6237", "\u987e\u5ba2", "kunde", "kundin", "nutzer", "nutzerin",
    }
)  # fmt: skip
_WHOSE = r"(?P<whose>.+?)(?:['\u2019]s? |\u7684)(?P<relation>\S.*)"


def speaker(name: str, owner: str) -> str:
    """Return who speaks as *name*: the vault's *owner* where there is none, and nobody by a role.

    "" for whom nobody knows.
    """
    name = speakers.named(name, owner)
    return "" if name.casefold() in _STRANGERS else name


def placed(claim: Claim, owner: str = "") -> Iterator[Claim]:
    """Yield what *claim*, in which `self` is whoever spoke, says on which cards.

    *owner* is whose vault it is, "" for nobody's.
    """
    speaker = claim.speaker
    if claim.relationship == SELF:
        yield _of_speaker(claim, speaker or claim.person, owner)
    elif not claim.relationship:
        yield claim
    elif not speaker:
        # Two sons without a name, of two people without one, would be one.
        if claim.person.casefold() != claim.relationship:
            yield claim
    elif claim.person.casefold() == claim.relationship:
        field = f"{relations.in_english(claim.relationship)}_{claim.field}"
        yield _of_speaker(replace(claim, field=field), speaker, owner)
    else:
        yield replace(claim, relationship=_whole(claim.relationship, speaker, owner))
        if claim.field == NAME:
            relation = relations.in_english(claim.relationship).replace("-", "_")
            yield _of_speaker(replace(claim, field=relation), speaker, owner)


def is_speaker(claim: Claim) -> bool:
    """Whether *claim*, placed, is about who spoke."""
    return claim.relationship in {SELF, SPEAKER}


def whose(relationship: str) -> str:
    """Return whose relation somebody is, as a card says it: `Tom's wife`; "" for the owner's."""
    found = re.fullmatch(_WHOSE, relationship)
    return found["whose"] if found else ""


def relation(relationship: str) -> str:
    """Return what somebody is, whosever it is: `wife`."""
    found = re.fullmatch(_WHOSE, relationship)
    return found["relation"] if found else relationship


def _of_speaker(claim: Claim, speaker: str, owner: str) -> Claim:
    """Return *claim* as one about who spoke; another name of theirs is an alias."""
    relationship = SELF if _is(speaker, owner) else SPEAKER
    other = claim.field == NAME and not _is(claim.value, speaker)
    field = ALIAS if other else claim.field
    return replace(claim, person=speaker, relationship=relationship, field=field)


def _whole(relation: str, speaker: str, owner: str) -> str:
    if _is(speaker, owner):
        return relation
    return f"{speaker}'s {relation}" if relation.isascii() else f"{speaker}\u7684{relation}"


def _is(name: str, other: str) -> bool:
    return name.casefold() == other.casefold()
