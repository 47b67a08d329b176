"""What is asked of a card: by a patch, by plain facts, by a person who decides, by talk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from vaultmem.carding.cleaning import checked, clean
from vaultmem.carding.model import Asked
from vaultmem.cards import flat, naming, proposing
from vaultmem.cards.model import HAND, POLICIES, Claim, Json, Patch, Policy
from vaultmem.cards.reading import Card
from vaultmem.documents import public_text
from vaultmem.errors import BadInput, Refused
from vaultmem.memory import remember
from vaultmem.records import TRUST_OF_SOURCE, iso, moment
from vaultmem.storage.store import Site


def patched(site: Site, name: str, patch: Patch, *, create: bool = False) -> Asked:
    """Return what *patch* asks of the card *name*, or of a new one; raises BadInput, Refused."""
    if patch.source not in TRUST_OF_SOURCE:
        known = ", ".join(TRUST_OF_SOURCE)
        raise BadInput(f"{public_text.shown(patch.source)!r} is no source: use one of {known}")
    dated = replace(patch, at=iso(moment(patch.at)) if patch.at else iso(site.clock()))

    def claims(card: Card | None) -> list[Claim]:
        return [clean(claim) for claim in proposing.claims(dated, name, card)]

    return Asked(name, claims, patch.strategy, _policies(patch), create)


def plain(site: Site, name: str, patch: Patch) -> Asked:
    """Return what plain facts ask of a card: whom it concerns they say of new ones alone."""
    facts = replace(patch, person="", relationship="", backstory="")

    def claims(card: Card | None) -> Sequence[Claim]:
        if card and card.record.person.casefold() != patch.person.casefold():
            raise Refused(
                f"the card is there, and concerns {card.record.person}, not {patch.person}: "
                "give --person as it stands, or the card another name in the file"
            )
        return patched(site, name, facts if card else patch).claims(card)

    return replace(patched(site, name, facts), claims=claims)


def decided(site: Site, path: str, fields: Mapping[str, Json]) -> Asked:
    """Return what a person who settles *fields* asks of the card at *path*."""
    patch = Patch(fields=fields, strategy="overwrite", source=HAND)
    asked = patched(site, naming.of_path(path), patch)
    return replace(asked, settled=frozenset(flat.flatten(fields)))


def heard(name: str, group: Sequence[Claim]) -> Asked:
    """Return what extracted claims ask of a card, those that a person answered left out."""
    naming.new(name)
    told = [clean(checked(claim)) for claim in group]

    def claims(card: Card | None) -> list[Claim]:
        return [claim for claim in told if card is None or not proposing.is_answered(card, claim)]

    return Asked(name, claims)


def grouped(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """Return *claims*, the oldest first, by the name of the card that each is about."""
    groups: dict[str, list[Claim]] = {}
    for claim in sorted(claims, key=lambda claim: claim.at):
        groups.setdefault(f"{claim.category}/{claim.key}", []).append(claim)
    return groups


def judge(by: str) -> str:
    """Return who decides, fit for a commit; raises Refused where that is no person."""
    name = remember.one_line(remember.clean(by, "--by"), "name") or HAND
    if TRUST_OF_SOURCE.get(name, "") in {"agent", "untrusted"}:
        raise Refused(f"what comes from {name} decides nothing: --by names a person")
    return name


def _policies(patch: Patch) -> dict[str, Policy]:
    found: dict[str, Policy] = {}
    for name, policy in patch.policies.items():
        if policy not in POLICIES:
            raise BadInput(f"{name}={policy}: a policy is one of {', '.join(POLICIES)}")
        found[naming.field(name)] = "all" if policy == "all" else "latest"
    if found and TRUST_OF_SOURCE[patch.source] == "untrusted":
        raise Refused(f"what comes from {patch.source} sets no policy: leave it out")
    return found
