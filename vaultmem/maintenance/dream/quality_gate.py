"""The quality gate: what a dream would lose, and whether recall answers as well after it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from vaultmem.errors import DiskRefused, IndexFailed, Refused
from vaultmem.maintenance.dream import instructions
from vaultmem.maintenance.dream.results import Ask, Overlay
from vaultmem.maintenance.dream.types import Gate, Proposal, key

SLACK = 0.02
"""So much of what recall answers may go with a dream; more, and it is refused."""


def judged(ask: Ask, changed: Overlay, not_asked: Collection[str]) -> Gate:
    """Return what the quality gate says; raises Refused when recall would suffer."""
    gate = probed(ask, changed, not_asked)
    if gate.before is None or gate.after is None:
        return gate
    if gate.after < gate.before - SLACK:
        raise Refused(
            f"recall would answer {gate.after:.0%} of {gate.probes} probes, and it answers "
            f"{gate.before:.0%} now; nothing was applied: tick fewer changes"
        )
    return gate


def probed(ask: Ask, changed: Overlay, not_asked: Collection[str]) -> Gate:
    """Ask the probes; raises DiskRefused when the index, or its copy, cannot be read."""
    try:
        return ask(changed, not_asked)
    except (OSError, IndexFailed) as e:
        why = e.why if isinstance(e, IndexFailed) else str(e)
        raise DiskRefused("the index that the dream's probes ask", why) from e


def losses(proposals: Iterable[Proposal]) -> tuple[str, ...]:
    """Return the facts that *proposals* lose, each once."""
    return tuple(dict.fromkeys(loss for p in proposals for loss in p.losses))


def not_asked(proposals: Sequence[Proposal]) -> frozenset[str]:
    """Return the facts that nobody shall be asked for as they were said: lost, or said anew.

    Nor for what agents are told before they recall.
    """
    anew = (k.gone for p in proposals for k in p.kept if key(k.gone) != key(k.stays))
    told = (k.gone for p in proposals if any(map(instructions.are, p.sources)) for k in p.kept)
    return frozenset((*losses(proposals), *anew, *told))
