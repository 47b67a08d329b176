"""A disk that may lose power: which trees can stand there afterwards.

The model is stricter than most file systems. A file's bytes are safe once the file was fsynced, a
folder's names once the folder was; between folders there is no order. What was not safe is there
wholly, partly or not at all: bytes missing, cut in half, or zeros (what is added to safe bytes does
them no harm); names as any prefix of what was done to their folder, or any part of it. Git's and
SQLite's own files are not modelled.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tests.crash.faults import Call, is_folder

_ALL, _NONE, _HALF, _ZERO = "all", "none", "half", "zero"
_FATES = (_ALL, _NONE, _HALF, _ZERO)
_NOT_MODELLED = (".git/", ".vaultmem/index/")

Tree = dict[str, bytes | None]
"""Paths to bytes; None is a folder."""


@dataclass
class _File:
    safe: bytes = b""
    now: bytes = b""
    spoilt: bool = False

    @property
    def pending(self) -> bool:
        return self.now != self.safe

    def after(self, fate: str) -> bytes:
        """Return the bytes that are left: what was safe stays when the file only grew."""
        head = self.safe if self.now.startswith(self.safe) else b""
        tail = self.now[len(head) :]
        half, zero = head + tail[: len(tail) // 2], head + bytes(len(tail))
        return {_ALL: self.now, _NONE: self.safe, _HALF: half, _ZERO: zero}[fate]


@dataclass
class _Folder:
    safe: dict[str, int] = field(default_factory=dict)
    now: dict[str, int] = field(default_factory=dict)
    pending: list[dict[str, int | None]] = field(default_factory=list)

    def do(self, step: dict[str, int | None]) -> None:
        """Give names and take them, as one step that no power loss divides."""
        self.pending.append(step)
        _apply(self.now, step)

    def after(self, kept: Sequence[bool]) -> dict[str, int]:
        """Return the names that are left when these of the pending steps were *kept*."""
        names = dict(self.safe)
        for keep, step in zip(kept, self.pending, strict=True):
            if keep:
                _apply(names, step)
        return names


def _apply(names: dict[str, int], step: Mapping[str, int | None]) -> None:
    for name, node in step.items():
        names.pop(name, None)
        if node is not None:
            names[name] = node


@dataclass(frozen=True, slots=True)
class Loss:
    """What a power loss leaves: the *fate* of each file's bytes, the steps kept in each folder."""

    fates: Mapping[int, str]
    kept: Mapping[int, Sequence[bool]]


class Disk:
    """The files below one folder, as they are and as they are safe."""

    def __init__(self, start: Path) -> None:
        """Begin with what lies in *start*, all of it safe."""
        self.top = start
        self.nodes: list[_File | _Folder] = [_Folder()]
        for path in sorted(start.rglob("*")):
            where = path.relative_to(start).as_posix()
            if not _opaque(where):
                self._put(where, _Folder() if path.is_dir() else _read(path))
        for folder in self._folders().values():
            folder.safe, folder.pending = dict(folder.now), []

    def _put(self, where: str, what: _File | _Folder) -> None:
        above, name = self._above(where)
        self.nodes.append(what)
        above.do({name: len(self.nodes) - 1})

    def _above(self, where: str) -> tuple[_Folder, str]:
        *folders, name = PurePosixPath(where).parts
        found = self.nodes[self._node(folders)]
        assert isinstance(found, _Folder)
        return found, name

    def _node(self, parts: Sequence[str]) -> int:
        node = 0
        for part in parts:
            folder = self.nodes[node]
            assert isinstance(folder, _Folder)
            node = folder.now[part]
        return node

    def _folders(self) -> dict[int, _Folder]:
        return {n: x for n, x in enumerate(self.nodes) if isinstance(x, _Folder)}

    def _files(self) -> dict[int, _File]:
        return {n: x for n, x in enumerate(self.nodes) if isinstance(x, _File)}

    # --- what happens to it -----------------------------------------------------------------

    def play(self, call: Call, top: str) -> None:
        """Let one recorded call, made below the folder *top*, happen here."""
        where = _inside(call.path, top)
        if where is None or _opaque(where):
            return
        to = _inside(call.to, top) if call.to else None
        getattr(self, "_" + call.what.replace("-", "_"))(call, where, to or "")

    def _open_new(self, call: Call, where: str, _: str) -> None:
        if call.made:
            self._put(where, _File())
        elif call.at & _TRUNCATE:
            self._file(where).now = b""

    def _file(self, where: str) -> _File:
        found = self.nodes[self._node(PurePosixPath(where).parts)]
        assert isinstance(found, _File)
        return found

    def _write(self, call: Call, where: str, _: str) -> None:
        file = self._file(where)
        head = file.now[: call.at].ljust(call.at, b"\0")
        file.now = head + call.data + file.now[call.at + len(call.data) :]

    def _ftruncate(self, call: Call, where: str, _: str) -> None:
        self._file(where).now = self._file(where).now[: call.at]

    def _fsync(self, call: Call, where: str, _: str) -> None:
        if is_folder(call):
            found = self.nodes[self._node(PurePosixPath(where).parts)]
            assert isinstance(found, _Folder)
            found.safe, found.pending = dict(found.now), []
        elif not self._file(where).spoilt:
            self._file(where).safe = self._file(where).now

    def _spoilt(self, _: Call, where: str, __: str) -> None:
        # After a failed fsync the pages count as clean: a later fsync says yes and writes nothing.
        self._file(where).spoilt = True

    def _link(self, _: Call, where: str, to: str) -> None:
        node = self._node(PurePosixPath(where).parts)
        above, name = self._above(to)
        above.do({name: node})

    def _replace(self, _: Call, where: str, to: str) -> None:
        node = self._node(PurePosixPath(where).parts)
        source, old = self._above(where)
        target, new = self._above(to)
        if source is target:
            source.do({old: None, new: node})
        else:
            target.do({new: node})
            source.do({old: None})

    def _exchange(self, _: Call, where: str, to: str) -> None:
        one, two = (self._node(PurePosixPath(p).parts) for p in (where, to))
        first, name = self._above(where)
        second, other = self._above(to)
        first.do({name: two})
        second.do({other: one})

    def _unlink(self, _: Call, where: str, __: str) -> None:
        above, name = self._above(where)
        above.do({name: None})

    _rmdir = _unlink

    def _mkdir(self, _: Call, where: str, __: str) -> None:
        self._put(where, _Folder())

    def _chmod(self, _: Call, where: str, __: str) -> None:
        """Modes are not modelled."""

    # --- what a power loss leaves -----------------------------------------------------------

    def losses(self, chance: random.Random, more: int) -> Iterator[Loss]:
        """Yield the telling losses of this moment, and *more* that chance makes up."""
        folders = {n: len(f.pending) for n, f in self._folders().items() if f.pending}
        files = [n for n, f in self._files().items() if f.pending or f.spoilt]
        for fate in _FATES:
            for whole in (True, False):
                kept = {n: (whole,) * p for n, p in folders.items()}
                yield Loss(dict.fromkeys(files, fate), kept)
                for n, pending in folders.items():
                    for k in range(pending + 1):
                        prefix = (True,) * k + (False,) * (pending - k)
                        yield Loss(dict.fromkeys(files, fate), kept | {n: prefix})
        for _ in range(more):
            fates = {n: chance.choice(_FATES) for n in files}
            yield Loss(fates, {n: _some(p, chance) for n, p in folders.items()})

    def left(self, loss: Loss) -> Tree:
        """Return the tree that *loss* leaves."""
        return dict(self._left(0, "", loss))

    def _left(self, node: int, prefix: str, loss: Loss) -> Iterator[tuple[str, bytes | None]]:
        here = self.nodes[node]
        if isinstance(here, _File):
            yield prefix.removesuffix("/"), here.after(loss.fates.get(node, _NONE))
            return
        if prefix:
            yield prefix.removesuffix("/"), None
        kept = loss.kept.get(node, (False,) * len(here.pending))
        for name, inner in here.after(kept).items():
            yield from self._left(inner, f"{prefix}{name}/", loss)


_TRUNCATE = 0o1000


def _read(path: Path) -> _File:
    data = path.read_bytes()
    return _File(data, data)


def _opaque(where: str) -> bool:
    return f"{where}/".startswith(_NOT_MODELLED)


def _inside(path: str, top: str) -> str | None:
    if path == top:
        return ""
    return path.removeprefix(top + "/") if path.startswith(top + "/") else None


def _some(count: int, chance: random.Random) -> tuple[bool, ...]:
    """Return a prefix of so many steps, or now and then any part of them."""
    if chance.random() < 0.3:
        return tuple(chance.random() < 0.5 for _ in range(count))
    kept = chance.randint(0, count)
    return (True,) * kept + (False,) * (count - kept)


def build(tree: Tree, folder: Path) -> None:
    """Make *folder* hold *tree*."""
    folder.mkdir(parents=True)
    for where, data in tree.items():
        if data is None:
            (folder / where).mkdir(parents=True, exist_ok=True)
        else:
            (folder / where).parent.mkdir(parents=True, exist_ok=True)
            (folder / where).write_bytes(data)
