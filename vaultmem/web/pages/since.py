"""What became by now of what a page of the past shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vaultmem.api.views.types import SessionBrief
from vaultmem.web.types import Asked, Reader

CHANGED, GONE = "changed since", "gone since"


def told(reader: Reader, asked: Asked, paths: Iterable[str]) -> Mapping[str, str]:
    """Return what to say of those files at *paths* that are otherwise by now, by path.

    In the present nothing is.
    """
    if not asked.as_of:
        return {}
    then = {path: record.sha for path, record in reader.view.at(paths).items()}
    with reader.vault.views.at(agent=asked.options.agent) as view:
        now = {path: record.sha for path, record in view.at(then).items()}
    return {
        path: CHANGED if path in now else GONE for path, sha in then.items() if now.get(path) != sha
    }


def told_of_sessions(
    reader: Reader, asked: Asked, sessions: Sequence[SessionBrief]
) -> Mapping[SessionBrief, str]:
    """Return what to say of those *sessions* in which something else was said by now."""
    if not asked.as_of:
        return {}
    with reader.vault.views.at(agent=asked.options.agent) as view:
        now = {(it.agent, it.session): it for it in view.sessions()}
    found = {it: now.get((it.agent, it.session)) for it in sessions}
    return {then: CHANGED if it else GONE for then, it in found.items() if it != then}
