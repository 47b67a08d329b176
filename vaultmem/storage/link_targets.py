"""Which of some files a link means by the name that it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vaultmem.storage.reader import link_target


class Targets:
    """Which of some *paths* a link means, as Obsidian has it: by how the path ends."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Look for links to *paths*; a name that several have means none."""
        every, found, twice = list(paths), dict[str, str](), set[str]()
        for path in every:
            for name in _ends(path):
                if found.setdefault(name, path) != path:
                    twice.add(name)
        self._meant = {k: v for k, v in found.items() if k not in twice}
        self._meant |= {path.removesuffix(".md"): path for path in every}

    def path(self, name: str) -> str:
        """Return the path that a link to *name* means, "" for none of these."""
        return self._meant.get(link_target(name), "")


def _ends(path: str) -> Iterator[str]:
    name = path.removesuffix(".md")
    while name:
        yield name
        name = name.partition("/")[2]
