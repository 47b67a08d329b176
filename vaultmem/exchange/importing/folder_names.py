"""How the folders are spelled that an import brings notes into, and what lies there already.

A folder that differs from another by case alone is that one: many disks hold only one of the two.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from vaultmem.records import SCAFFOLDING_FOLDERS
from vaultmem.storage import files
from vaultmem.storage.files import Root
from vaultmem.storage.reader import TYPE_OF_FOLDER

_SESSIONS = "sessions"
_AGENTS = "agents"
_OF_AN_AGENT = 2
"""Folders above what an agent has of its own."""

_WORKING = "working.md"


def folded(name: str) -> str:
    """Return *name* as a disk takes it that tells neither case nor forms of Unicode apart."""
    return unicodedata.normalize("NFC", name).casefold()


def _by_letters(names: Iterable[str]) -> Mapping[str, str]:
    return {folded(name): name for name in names}


_OF_THE_VAULT = _by_letters((_AGENTS, "knowledge", "notes", *TYPE_OF_FOLDER, *SCAFFOLDING_FOLDERS))
_OF_AGENTS = _by_letters((_SESSIONS, "notes", "files", *TYPE_OF_FOLDER))


def of_format(path: str) -> str:
    """Return *path* with the folders that the format has, spelled as it spells them."""
    *above, name = path.split("/")
    if above:
        above[0] = _OF_THE_VAULT.get(folded(above[0]), above[0])
    if above[0:1] == [_AGENTS] and len(above) > _OF_AN_AGENT:
        above[_OF_AN_AGENT] = _OF_AGENTS.get(folded(above[_OF_AN_AGENT]), above[_OF_AN_AGENT])
    return "/".join((*above, name))


def is_in_hand(path: str) -> bool:
    """Tell whether *path*, spelled as `of_format` does, is an agent's working memory or session."""
    parts = path.split("/")
    own = parts[_OF_AN_AGENT:] if parts[0] == _AGENTS else []
    return [*map(folded, own)] == [_WORKING] or own[:1] == [_SESSIONS]


class Folders:
    """The folders below a root as they are spelled, with those that are about to be made."""

    def __init__(self, root: Root) -> None:
        """Look at a folder when something shall lie below it."""
        self._root = root
        self._known: dict[str, dict[str, str]] = {}

    def placed(self, path: str) -> str:
        """Return *path* in the folders that are there, in whatever letters it names them."""
        *above, name = path.split("/")
        where = ""
        for folder in above:
            own = self._below(where).setdefault(folded(folder), folder)
            where = f"{where}/{own}" if where else own
        return f"{where}/{name}" if where else name

    def _below(self, where: str) -> dict[str, str]:
        if where not in self._known:
            self._known[where] = dict(_by_letters(files.names(self._root, where)))
        return self._known[where]
