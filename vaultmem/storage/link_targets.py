"""Which of some files a link means by the name that it says, and links by a name that is new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vaultmem.storage.reader import link_target


class Targets:
    """Which of some *paths* a link means, as Obsidian has it: by how the path ends, in any case."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Look for links to *paths*; a name that several have means none."""
        every, found, twice = list(paths), dict[str, str](), set[str]()
        for path in every:
            for name in _ends(path):
                if found.setdefault(name, path) != path:
                    twice.add(name)
        self._meant = {k: v for k, v in found.items() if k not in twice}
        self._meant |= {path.removesuffix(".md"): path for path in every}
        self._alike = {name.casefold(): path for name, path in self._meant.items()}

    def path(self, name: str) -> str:
        """Return the path that a link to *name* means, "" for none of these."""
        target = link_target(name)
        return self._meant.get(target) or self._alike.get(target.casefold(), "")


def renamed(data: bytes, old: str, new: str, before: bytes = b"") -> bytes:
    """Return *data* with the links that call *old* calling it *new*, but those it had *before*."""
    for tail in ("]]", "|", "#"):
        was, now = (f"[[{name}{tail}".encode() for name in (old, new))
        data = data if was in before else data.replace(was, now)
    return data


def _ends(path: str) -> Iterator[str]:
    name = path.removesuffix(".md")
    while name:
        yield name
        name = name.partition("/")[2]
