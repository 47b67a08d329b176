"""Which of some files a link means by the name that it says, and links by a name that is new."""

from __future__ import annotations

from collections.abc import Iterable

from vaultmem.storage.reader import link_target


class Targets:
    """Which of some *paths* a link means, as Obsidian has it: by how the path ends, in any case."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Look for links to *paths*; a name that several have means none."""
        # By the last part alone: all the ends of all paths are many times as long as these.
        self._by_last: dict[str, list[str]] = {}
        for path in paths:
            self._by_last.setdefault(_last(path.removesuffix(".md")), []).append(path)

    def path(self, name: str) -> str:
        """Return the path that a link to *name* means, "" for none of these."""
        target = link_target(name)
        meant = self._alike(target)
        return meant.get(target) or next(reversed(meant.values()), "")

    def _alike(self, target: str) -> dict[str, str]:
        """Return what each name means that is *target* in some case; a whole path means itself."""
        found, twice, whole = dict[str, str](), set[str](), dict[str, str]()
        for path in self._by_last.get(_last(target), ()):
            name = path.removesuffix(".md")
            end = "/".join(name.split("/")[-1 - target.count("/") :])
            if end.casefold() != target.casefold():
                continue
            if found.setdefault(end, path) != path:
                twice.add(end)
            if end == name:
                whole[end] = path
        return {end: path for end, path in found.items() if end not in twice} | whole


def renamed(data: bytes, old: str, new: str, before: bytes = b"") -> bytes:
    """Return *data* with the links that call *old* calling it *new*, but those it had *before*."""
    for tail in ("]]", "|", "#"):
        was, now = (f"[[{name}{tail}".encode() for name in (old, new))
        data = data if was in before else data.replace(was, now)
    return data


def _last(name: str) -> str:
    return name.rpartition("/")[2].casefold()
