"""A workspace of OpenClaw: its logs as memories, what it curated as topics, in one operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from vaultmem.errors import BadInput
from vaultmem.exchange.formats import openclaw
from vaultmem.exchange.importing import messages
from vaultmem.exchange.importing.note_source import Place, Source
from vaultmem.exchange.importing.notes import Work
from vaultmem.exchange.importing.types import Imported, Progress, Settings, refuse_off
from vaultmem.storage.store import Store


def run(store: Store, paths: Sequence[Path], settings: Settings, progress: Progress) -> Imported:
    """Take in the workspaces *paths*; raises what `messages.run` and `knowledge.run` do."""
    refuse_off(store, settings)
    sources = [_source(store, path, settings) for path in paths]
    for source in sources:
        if not settings.skip_bad:
            source.refuse_bad(openclaw.topics(source.path))
    done = messages.run(store, paths, settings, progress)
    work = Work(store, settings, done.op)
    for source in sources:
        work.take(source, openclaw.topics(source.path), progress)
    return _both(done, work.done())


def _source(store: Store, path: Path, settings: Settings) -> Source:
    if not path.is_dir():
        raise BadInput(f"{path} is no folder: name the workspace of an OpenClaw agent")
    name = path.resolve().name
    place = Place(lambda file: openclaw.target(name, file), lambda file: openclaw.head(name, file))
    return Source(store, path, replace(settings, reference=False), place)


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
