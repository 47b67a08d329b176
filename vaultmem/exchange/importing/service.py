"""Import files of a format: what it has is checked, and told to those who write."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from vaultmem.errors import BadInput
from vaultmem.exchange.formats import basic_memory, markdown_folder, okf
from vaultmem.exchange.formats.types import Manner
from vaultmem.exchange.importing import memories, notes, registry, turns
from vaultmem.exchange.importing.note_source import open_sources
from vaultmem.exchange.importing.types import Imported, Progress, Settings, refuse_off
from vaultmem.storage.store import Store

_Runner = Callable[[Store, Sequence[Path], Settings, Progress], Imported]
_RUNNERS: Mapping[Manner, _Runner] = {
    "memories": memories.run,
    "turns": turns.run,
    "notes": notes.run,
}


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
    """Import files of `settings.form`; raises BadInput for an option that it does not have.

    A bundle that we exported becomes what it was, though it is a folder of Markdown.
    """
    chosen = registry.manner(settings.form, wanted)
    for option, names in registry.options().items():
        if settings.has(option) and settings.form not in names:
            raise BadInput(f"{option.flag} is for {' and '.join(names)} alone")
    if _is_our_bundle(settings, paths):
        settings, chosen = replace(settings, form=okf.FORMAT.name), okf.FORMAT.becomes[0]
    form, run = registry.find(settings.form), _runner(chosen)
    if form.messages and form.notes:
        return _run_both(store, paths, settings, progress, run)
    return run(store, paths, settings, progress)


def _runner(manner: Manner) -> _Runner:
    if manner == "folded":
        from vaultmem.exchange.importing import folded  # noqa: PLC0415  # few are: it loads what folds

        return folded.run
    return _RUNNERS[manner]


def _is_our_bundle(settings: Settings, paths: Sequence[Path]) -> bool:
    """Tell whether *paths* are to be copied as notes, and are bundles that we exported."""
    asked = settings.reference or settings.prune
    if asked or settings.form not in {markdown_folder.FORMAT.name, basic_memory.FORMAT.name}:
        return False
    may_be = settings.form == basic_memory.FORMAT.name or all(
        path.is_dir() and markdown_folder.is_bundle(path) for path in paths
    )
    return may_be and all(map(okf.is_ours, paths))


def _run_both(
    store: Store, paths: Sequence[Path], settings: Settings, progress: Progress, run: _Runner
) -> Imported:
    """Take in the messages of *paths* by *run*, then their notes, in one operation."""
    refuse_off(store, settings)
    sources = open_sources(store, paths, settings)
    for source in sources:
        if not settings.skip_bad:
            source.refuse_bad(source.entries())
    done = run(store, paths, settings, progress)
    work = notes.Work(store, settings, done.op)
    for source in sources:
        work.take(source, source.entries(), progress)
    return done.with_notes(work.done())
