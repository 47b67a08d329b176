"""The moments of the past that one may go to: when something was committed, and what that was."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.api.vault import Vault
from vaultmem.errors import Unavailable
from vaultmem.records import iso, moment
from vaultmem.web.rendering import operations, times

_MOST = 400
_LOOKED_AT = 20_000


def query(vault: Vault, agent: str) -> Sequence[dict[str, str]]:
    """Return the moments, oldest first; of many commits every few, the first and the last."""
    try:
        found = [(iso(moment(it.when)), it.subject, it.commit) for it in vault.log(_LOOKED_AT)][
            ::-1
        ]
        if agent:
            known = {c.commit for c in vault.history.commits(agent=agent, limit=_LOOKED_AT)}
            found = [it for it in found if it[2] in known]
    except Unavailable:
        return []
    step = max(-(-len(found) // _MOST), 1)
    kept = found[::step] + found[-1:] * ((len(found) - 1) % step != 0)
    return [
        {"when": when, "day": times.exact(when), "said": operations.sentence(subject)}
        for when, subject, _ in kept
    ]
