"""Which formats there are, and what each of them becomes: memories, turns of sessions, or notes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypedDict

from vaultmem.errors import BadInput
from vaultmem.exchange.importing import messages, notes, openclaw
from vaultmem.exchange.importing.types import Imported, Progress, Settings
from vaultmem.storage.store import Store

Manner = Literal["memories", "turns", "notes"]

FORMS: dict[str, tuple[Manner, ...]] = {
    "jsonl": ("memories", "turns"),
    "claude-code": ("turns", "memories"),
    "chatgpt": ("memories", "turns"),
    "markdown": ("notes",),
    "basic-memory": ("notes",),
    "openclaw": ("memories",),
}
"""The formats, and what each may become; the first is the rule."""


class How(TypedDict, total=False):
    """What may be said of an import; each is a field of `Settings`."""

    redact: bool
    skip_bad: bool
    all_branches: bool
    reference: bool
    prune: bool
    dry_run: bool


_NEEDS = {"all_branches": ("chatgpt",), "reference": ("markdown", "basic-memory"),
          "prune": ("markdown", "basic-memory")}  # fmt: skip


def manner(form: str, wanted: str = "") -> Manner:
    """Return what files of *form* become when *wanted* is asked for; raises BadInput."""
    if form not in FORMS:
        raise BadInput(
            f"{form!r} is no format this vaultmem imports; there are: {', '.join(FORMS)}"
        )
    found = next((x for x in FORMS[form] if wanted in {"", x}), None)
    if found is None:
        raise BadInput(f"{form} becomes {' or '.join(FORMS[form])}, not {wanted}: leave out --as")
    return found


def take(
    store: Store,
    paths: Sequence[Path],
    settings: Settings,
    progress: Progress,
    wanted: str = "",
) -> Imported:
    """Import files of `settings.form`; raises BadInput for an option that it does not have."""
    chosen = manner(settings.form, wanted)
    for option, forms in _NEEDS.items():
        if getattr(settings, option) and settings.form not in forms:
            raise BadInput(f"--{option.replace('_', '-')} is for {' and '.join(forms)} alone")
    if settings.form == "openclaw":
        return openclaw.run(store, paths, settings, progress)
    runner = {"memories": messages.run, "turns": messages.run_turns, "notes": notes.run}[chosen]
    return runner(store, paths, settings, progress)
