"""What became by now of what a page of the past shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vaultmem.api.types import Record
from vaultmem.web.types import Asked, Reader


def told(reader: Reader, asked: Asked, records: Iterable[Record]) -> Mapping[str, str]:
    """Return what to say of those of *records* that are otherwise by now, by path.

    In the present nothing is.
    """
    if not asked.as_of:
        return {}
    then = {record.path: record.sha for record in records}
    with reader.vault.views.at(agent=asked.options.agent) as view:
        now = {path: record.sha for path, record in view.at(then).items()}
    return {
        path: "changed since" if path in now else "gone since"
        for path, sha in then.items()
        if now.get(path) != sha
    }
