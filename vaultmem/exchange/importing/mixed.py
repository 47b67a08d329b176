"""Folders that hold messages and notes: both are taken in, in one operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from vaultmem.exchange.importing.note_source import open_sources
from vaultmem.exchange.importing.notes import Work
from vaultmem.exchange.importing.types import Imported, Progress, Settings, refuse_off
from vaultmem.storage.store import Store


def run(
    store: Store,
    paths: Sequence[Path],
    settings: Settings,
    progress: Progress,
    of_messages: Callable[[Store, Sequence[Path], Settings, Progress], Imported],
) -> Imported:
    """Take in the messages of *paths* by *of_messages*, then their notes; raises what both do."""
    refuse_off(store, settings)
    sources = open_sources(store, paths, settings)
    for source in sources:
        if not settings.skip_bad:
            source.refuse_bad(source.entries())
    done = of_messages(store, paths, settings, progress)
    work = Work(store, settings, done.op)
    for source in sources:
        work.take(source, source.entries(), progress)
    return _both(done, work.done())


def _both(one: Imported, two: Imported) -> Imported:
    return Imported(
        one.imported + two.imported,
        one.skipped + two.skipped,
        one.failed + two.failed,
        one.op,
        one.skipped_because + two.skipped_because,
        one.failed_because + two.failed_because,
        one.updated + two.updated,
        one.removed + two.removed,
        one.remarks + two.remarks,
    )
