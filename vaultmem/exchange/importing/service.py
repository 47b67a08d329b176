"""Import files of a format: what it has is checked, and told to those who write."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from vaultmem.errors import BadInput
from vaultmem.exchange.formats.types import Manner
from vaultmem.exchange.importing import messages, mixed, notes, registry
from vaultmem.exchange.importing.types import Imported, Progress, Settings
from vaultmem.storage.store import Store

_RUNNERS: Mapping[
    Manner, Callable[[Store, Sequence[Path], Settings, Progress], Imported]
] = {"memories": messages.run, "turns": messages.run_turns, "notes": notes.run}  # fmt: skip


class How(TypedDict, total=False):
    """What may be said of an import; each is a field of `Settings`."""

    redact: bool
    skip_bad: bool
    all_branches: bool
    reference: bool
    prune: bool
    dry_run: bool


def take(
    store: Store,
    paths: Sequence[Path],
    settings: Settings,
    progress: Progress,
    wanted: str = "",
) -> Imported:
    """Import files of `settings.form`; raises BadInput for an option that it does not have."""
    chosen = registry.manner(settings.form, wanted)
    for option, names in registry.options().items():
        if settings.has(option) and settings.form not in names:
            raise BadInput(f"{option.flag} is for {' and '.join(names)} alone")
    form, run = registry.find(settings.form), _RUNNERS[chosen]
    if form.messages and form.notes:
        return mixed.run(store, paths, settings, progress, run)
    return run(store, paths, settings, progress)
