"""Name the keys of the settings files that nobody reads and that are nearly a setting's name.

Other unknown keys are a person's own, as in any note.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from vaultmem import config
from vaultmem.documents import frontmatter, public_text
from vaultmem.errors import Unreadable
from vaultmem.maintenance.setting_faults import SettingFault
from vaultmem.models.providers import profile
from vaultmem.records import Problem
from vaultmem.storage.store import Store

CODE = "mistyped"
_NEAR = 0.75
"""From where on a word is taken for another: `tags` is not `states`."""
_OF_ANY_NOTE = frozenset({"type", "title", "description", "tags", "aliases", "cssclasses"})


def faults(store: Store) -> Iterator[SettingFault]:
    """Name those of the vault's settings, and of the profile that they choose."""
    yield from _of_file(store, config.PATH, config.OPTIONS)
    chosen = f"{profile.FOLDER}/{store.config().profile}.md"
    yield from _of_file(store, chosen, profile.OPTIONS)


def _of_file(store: Store, path: str, known: Collection[str]) -> Iterator[SettingFault]:
    for key, meant in _mistyped(_keys(store, path), known):
        message = f"`{key}` is no setting, and has no effect"
        repair = f"write `{meant}` if you mean that"
        yield SettingFault(key, Problem(CODE, path, message, repair))


def _keys(store: Store, path: str) -> Iterable[str]:
    """Return the keys of the file at *path*, none where it cannot be read: that is told besides."""
    try:
        return public_text.fields(frontmatter.decode(store.texts.own_if_allowed(path) or b""))
    except Unreadable:
        return ()


def _mistyped(keys: Iterable[str], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield those of *keys* that are nearly one of the *known* ones, with that one."""
    unknown = [key for key in keys if key not in known and key not in _OF_ANY_NOTE]
    if not unknown:
        return
    import difflib  # noqa: PLC0415  # most vaults have none

    for key in unknown:
        said = key.lower().replace("-", "_")
        yield from ((key, near) for near in difflib.get_close_matches(said, known, 1, _NEAR))
