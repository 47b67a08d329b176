"""Swap folders, files and names of a vault for links to outside, while agents read and write it.

    python -m tests.bench.racing --swaps 1000000

A process swaps in a tight loop (renameat2, RENAME_EXCHANGE), and the caller itself swaps what it is
about to open at the calls of its own program, so that no gap between a check and its use is missed.
An escape is a byte outside the vault that was opened, shown, kept, changed, made or deleted: the
system tells of every opening (inotify), the answers are searched, both trees are compared.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import errno
import json
import os
import random
import shutil
import sqlite3
import stat
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.sharedctypes import RawValue
from pathlib import Path, PurePath
from typing import Any

from anthropic.tools import ToolError

from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import VaultError
from vaultmem.integrations.claude_code import events
from vaultmem.integrations.mcp.registry import TOOLS
from vaultmem.integrations.mcp.vault_session import Limits, ServerSession
from vaultmem.integrations.memory_tool import VaultMemoryTool
from vaultmem.records import utc_now
from vaultmem.storage.files import file_status

CANARY = "ESCAPED"
"""A word that stands in every file outside, and in none of the vault."""
_FOLDERS = (
    *("notes", "notes/a", "notes/a/b", "topics", "cards", "inbox", "tombstones", "config"),
    *("agents", "agents/ada", "agents/ada/notes", "agents/ada/sessions", "agents/ada/memories"),
    *(".vaultmem/journal", ".vaultmem/linger", ".vaultmem/spool"),
)
_FILES = (
    *("notes/plan.md", "notes/a/deep.md", "notes/a/b/deepest.md", "topics/tea.md"),
    *("agents/ada/notes/own.md", "agents/ada/sessions/talk.jsonl", "MEMORY.md"),
)
_NAMES = ("notes/new.md", "notes/a/new.md", "notes/a/b/new.md", "topics/new.md")
"""Paths where the vault has no file: a link stands there, or nothing."""
_SLOTS = ".swap"
_ROUND = 400
"""Calls from one look at both trees to the next, and memories in the vault; fewer if asked for."""
_BURST = 24
_TARGETED, _BACK = (0.01, 0.05, 0.3), 0.6
_REST = 0.004
"""Seconds between two bursts: who only swaps leaves nobody a core to be caught on."""
_EVENTS = frozenset(
    {"open", "os.scandir", "os.listdir", "os.rename", "os.link", "os.remove", "os.mkdir"}
)


# --- swapping -----------------------------------------------------------------------------------

_libc = ctypes.CDLL(None, use_errno=True)
_EXCHANGE, _NOREPLACE = 2, 1
_MISSED = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EEXIST, errno.EINVAL})


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a folder that is held open, wherever that folder has been swapped to."""

    folder: int
    name: bytes

    @property
    def mode(self) -> int:
        """What stands there, 0 for nothing."""
        try:
            found = os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return 0
        return stat.S_IFMT(found.st_mode)


def _rename(one: Name, two: Name, flags: int) -> bool:
    """Exchange what two names stand for, or move it; False when something is not there."""
    if _libc.renameat2(one.folder, one.name, two.folder, two.name, flags) == 0:
        return True
    code = ctypes.get_errno()
    if code not in _MISSED:
        raise OSError(code, os.strerror(code))
    return False


@dataclass(frozen=True, slots=True)
class Pair:
    """A name in the vault, and where waits what it is swapped for; *moves* where one is empty.

    *kind* is what stands in the vault when nothing is swapped, 0 for nothing.
    """

    here: Name
    slot: Name
    kind: int
    moves: bool = False

    def swap(self) -> bool:
        """Swap both; tell whether that could be done."""
        if not self.moves:
            return _rename(self.here, self.slot, _EXCHANGE)
        if self.here.mode == stat.S_IFLNK:
            return _rename(self.here, self.slot, _NOREPLACE)
        return _rename(self.slot, self.here, _NOREPLACE)

    def mend(self) -> None:
        """Let what belongs there stand there."""
        found = self.here.mode
        if found == stat.S_IFLNK or (not self.moves and found not in {0, self.kind}):
            self.swap()


class Swapper:
    """Swaps pairs at random: in a process of its own, or between the calls of this one."""

    def __init__(self, pairs: Sequence[Pair], seed: str) -> None:
        """Swap among *pairs*."""
        self.pairs, self.dice = pairs, random.Random(seed)  # noqa: S311  # no secret
        self.by_name: dict[str, list[Pair]] = {}
        for pair in pairs:
            # Without its settings a vault is none, and every call would end there.
            if pair.here.name != b"config":
                self.by_name.setdefault(pair.here.name.decode(), []).append(pair)
        self.swaps = 0
        self.armed = False
        self.share = 0.0
        self.away: list[Pair] = []

    def once(self, name: str = "") -> None:
        """Swap a pair, one of this *name* where there is any; or swap back what is away."""
        if self.away and self.dice.random() < _BACK:
            self.swaps += self.away.pop().swap()
            return
        pair = self.dice.choice(self.by_name.get(name) or self.pairs)
        if pair.swap():
            self.swaps += 1
            self.away.append(pair)

    def back(self) -> None:
        """Swap everything back."""
        while self.away:
            self.swaps += self.away.pop().swap()

    def heard(self, event: str, args: tuple[object, ...]) -> None:
        """Swap as the program is about to make a call of the system; an audit hook."""
        if not self.armed or event not in _EVENTS:
            return
        self.armed = False
        name = PurePath(args[0]).name if isinstance(args[0], str) else ""
        if self.dice.random() < self.share:
            self.once(name)
        self.armed = True


def _swap_for_ever(pairs: Sequence[Pair], seed: str, count: Any, go: Any) -> None:  # noqa: ANN401  # ctypes
    swapper = Swapper(pairs, seed)
    while go.value:
        for _ in range(_BURST):
            swapper.once()
        swapper.back()
        count.value = swapper.swaps
        time.sleep(_REST)


# --- what lies outside --------------------------------------------------------------------------


class Witness:
    """Hears from the system of every opening and every change of what lies outside."""

    _OPEN, _ALL = 0x20, 0x2 | 0x4 | 0x20 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400
    _HEAD = struct.Struct("iIII")

    _FOLDER = 0x40000000

    def __init__(self, outside: Path, *, folders: bool) -> None:
        """Watch every folder below *outside*; openings of *folders* alone count where that is said.

        A git looks into a folder by its path, after it saw that it is one; it reads names alone.
        """
        self.folders = folders
        self.fd = _libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.names: dict[int, str] = {}
        for folder in (outside, *(p for p in outside.rglob("*") if p.is_dir())):
            watch = _libc.inotify_add_watch(self.fd, bytes(folder), self._ALL)
            if self.fd < 0 or watch < 0:
                raise OSError(ctypes.get_errno(), "inotify")
            self.names[watch] = folder.relative_to(outside).as_posix()

    def told(self) -> list[str]:
        """Return what happened outside since it was asked last."""
        found: list[str] = []
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.fd, 1 << 16):
                found += self._parsed(data)
        return found

    def _parsed(self, data: bytes) -> Iterator[str]:
        at = 0
        while at < len(data):
            watch, mask, _, size = self._HEAD.unpack_from(data, at)
            name = data[at + 16 : at + 16 + size].rstrip(b"\0").decode()
            at += 16 + size
            if mask & self._OPEN and mask & self._FOLDER and not self.folders:
                continue
            verb = "opened" if mask & self._OPEN else f"changed ({mask:#x})"
            yield f"{verb} outside: {self.names.get(watch, '')}/{name}"

    def close(self) -> None:
        """Hear no more."""
        os.close(self.fd)


def _tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return the bytes and the inode of every file below *folder*; no link is followed."""
    found: dict[str, tuple[bytes, int]] = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = Path(base, name)
            if not path.is_symlink():
                found[path.relative_to(folder).as_posix()] = (path.read_bytes(), path.stat().st_ino)
    return found


# --- the arena ----------------------------------------------------------------------------------


@dataclass
class Arena:
    """A vault, what lies outside of it, and what can be swapped."""

    base: Path
    pairs: list[Pair] = field(default_factory=list)

    @property
    def vault(self) -> Path:
        """Where the vault is."""
        return self.base / "vault"

    @property
    def outside(self) -> Path:
        """Where nobody has any business."""
        return self.base / "outside"

    def build(self, memories: int, *, git: bool) -> None:
        """Make both, and a link to outside for each name of the vault."""
        create.create(self.vault, utc_now, with_git=git)
        talk = self.base / "talk.jsonl"
        talk.write_text("".join(map(_said, range(memories))))
        with Vault.open(self.vault) as vault:
            vault.import_files("jsonl", [talk], agent="ada")
        for path in _FOLDERS:
            (self.vault / path).mkdir(parents=True, exist_ok=True)
        self.mend()
        shutil.copytree(self.vault / "notes", self.outside / "notes")
        for path in (*_FOLDERS, *(str(Path(p).parent) for p in (*_FILES, *_NAMES))):
            (self.outside / path).mkdir(parents=True, exist_ok=True)
            for name in ("plan.md", "deep.md", "new.md", "talk.jsonl", "own.md"):
                (self.outside / path / name).write_text(f"The {CANARY} {path} {name}.\n")
        for path in _FILES:
            (self.outside / path).write_text(f"The {CANARY} {path} harbour tea.\n")
        self._link()

    def _link(self) -> None:
        slots = self.vault / _SLOTS
        slots.mkdir()
        shelf = os.open(slots, os.O_RDONLY | os.O_DIRECTORY)
        for n, path in enumerate((*_FOLDERS, *_FILES, *_NAMES)):
            (slots / f"{n}").symlink_to(self.outside / path)
            self._pair(path, Name(shelf, b"%d" % n))
        for n, path in enumerate(_FILES[:3]):
            (slots / f"folder-{n}").mkdir()
            self._pair(path, Name(shelf, b"folder-%d" % n))

    def _pair(self, path: str, slot: Name) -> None:
        whole = self.vault / path
        folder = os.open(whole.parent, os.O_RDONLY | os.O_DIRECTORY)
        here = Name(folder, os.fsencode(whole.name))
        kind = stat.S_IFDIR if path in _FOLDERS else stat.S_IFREG
        self.pairs.append(Pair(here, slot, kind, moves=path in _NAMES))

    def mend(self) -> None:
        """Let every name stand for what it is in the vault, and be there."""
        for pair in self.pairs:
            pair.mend()
        for path in _FILES:
            whole = self.vault / path
            whole.parent.mkdir(parents=True, exist_ok=True)
            if not whole.exists():
                line = '{"turn": 1, "role": "user", "text": "Hello."}' if ".jsonl" in path else ""
                whole.write_text(f"{line or f'# {path}'}\n")

    def kept(self) -> Iterator[str]:
        """Yield the files of the vault that hold what only a file outside says."""
        for path, (data, _) in _tree(self.vault).items():
            if CANARY.encode() in data:
                yield f"kept in the vault: {path}"


def _said(n: int) -> str:
    said = {
        "id": n, "session": "spring", "speaker": ("Sarah", "Mara")[n % 2],
        "content": f"On day {n} the harbour had {n + 3} boats.",
        "at": f"2026-10-{1 + n % 28:02}T10:{n % 60:02}:00Z",
    }  # fmt: skip
    return json.dumps(said) + "\n"


# --- who reads and writes -----------------------------------------------------------------------


class Callers:
    """All faces that take a path or show a text, called at random."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        """Open the vault at *folder* once for the tools."""
        self.folder, self.dice = folder, dice
        self.vault = Vault.open(folder)
        self.tool = VaultMemoryTool(self.vault, agent="ada")
        self.session = ServerSession(self.vault, Limits(agent="ada"))
        self.tools = {tool.name: tool for tool in TOOLS}
        self.fresh = 0

    def close(self) -> None:
        """Give the vault back."""
        self.vault.close()

    def call(self) -> tuple[str, object]:
        """Make one call; return which face it was and what was shown."""
        what = self.dice.choices([*_CALLS], [*_CALLS.values()])[0]
        return what, getattr(self, what)()

    def _path(self) -> str:
        return self.dice.choice((*_FILES, *_NAMES))

    def _text(self) -> str:
        self.fresh += 1
        return f"Line {self.fresh} on the tea of the harbour.\n"

    def memory_tool(self) -> object:
        """Give the memory tool a command."""
        path = f"/memories/{self._path()}"
        folder = f"/memories/{self.dice.choice(_FOLDERS[:13])}"
        commands: tuple[dict[str, object], ...] = (
            {"command": "view", "path": path},
            {"command": "view", "path": path},
            {"command": "view", "path": folder},
            {"command": "create", "path": path, "file_text": self._text()},
            {"command": "create", "path": path, "file_text": self._text()},
            {"command": "str_replace", "path": path, "old_str": "#", "new_str": "##"},
            {"command": "insert", "path": path, "insert_line": 0, "insert_text": self._text()},
            {"command": "delete", "path": path},
            {"command": "rename", "old_path": path, "new_path": f"/memories/{self._path()}"},
        )
        return self.tool.call(self.dice.choice(commands))

    def server(self) -> object:
        """Call a tool of the MCP server, as its thread does."""
        path = self._path()
        calls: tuple[tuple[str, dict[str, object]], ...] = (
            ("memory_read", {"path": path}),
            ("memory_read", {"path": path}),
            ("memory_list", {"path": self.dice.choice(_FOLDERS[:13])}),
            ("memory_search", {"query": "tea of the harbour"}),
            ("memory_write", {"kind": "note", "title": f"n{self.fresh}", "content": self._text()}),
            ("memory_write", {"content": self._text()}),
            ("memory_edit", {"path": path, "op": "append", "new": self._text()}),
            ("memory_forget", {"path": path}),
            ("memory_status", {}),
        )
        name, given = self.dice.choice(calls)
        tool = self.tools[name]
        return tool.plain(tool.run(self.session, tool.takes.model_validate(given)))

    def reach(self) -> object:
        """Reach for a file by its path."""
        path, reach = self._path(), self.vault.reach("ada")
        does: tuple[Callable[[], object], ...] = (
            lambda: reach.page(path),
            lambda: reach.page(path, untrusted=True),
            lambda: reach.listing(self.dice.choice(_FOLDERS[:13]), depth=4),
            lambda: reach.create(path, self._text()),
            lambda: reach.append(path, self._text()),
            lambda: reach.rename(path, self._path()),
            lambda: reach.remove(path),
        )
        return self.dice.choice(does)()

    def hook(self) -> object:
        """Answer one of Claude Code's hooks."""
        event = self.dice.choice(("SessionStart", "UserPromptSubmit"))
        said = {"session_id": "s1", "hook_event_name": event, "source": "startup",
                "prompt": "What of the tea of the harbour boats?"}  # fmt: skip
        return events.run(events.Call(event, json.dumps(said).encode(), str(self.folder), "ada"))

    def speak(self) -> object:
        """Say a turn, whose session grows in place."""
        return self.vault.say("talk", self._text(), agent="ada")

    def look(self) -> object:
        """Do what commands do: recall, context, a round of the daemon."""
        return self.dice.choice(
            (
                lambda: self.vault.recall("tea of the harbour").hits,
                lambda: self.vault.context("tea", agent="ada"),
                self.vault.tick,
            )
        )()


_CALLS = {"memory_tool": 45, "server": 25, "reach": 20, "hook": 2, "speak": 4, "look": 1}
_SENTENCES = (VaultError, ToolError)


# --- the campaign -------------------------------------------------------------------------------


@dataclass
class Tally:
    """What a campaign came to."""

    swaps: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    escapes: list[str] = field(default_factory=list)
    raw: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def campaign(base: Path, swaps: int, seed: int, *, git: bool = False, calls: int = _ROUND) -> Tally:
    """Race until so many *swaps* were made; return what came of it.

    For processes of its own alone: what listens to the program's calls can never be taken away.
    """
    arena = Arena(base)
    arena.build(calls, git=git)
    outside = _tree(arena.outside)
    witness, tally = Witness(arena.outside, folders=not git), Tally()
    mine = Swapper(arena.pairs, f"{seed} mine")
    sys.addaudithook(mine.heard)
    began, callers = time.monotonic(), _Racing(arena, mine, random.Random(seed), tally)  # noqa: S311  # no secret
    while tally.swaps < swaps:
        callers.round(seed, calls)
        arena.mend()
        tally.escapes += witness.told()
        tally.escapes += arena.kept()
        if _tree(arena.outside) != outside:
            tally.escapes.append("what lies outside is not as it was")
        witness.told()  # of our own look
        if tally.escapes:
            break
    witness.close()
    tally.seconds = time.monotonic() - began
    return tally


@dataclass
class _Racing:
    """One round after the other, each with a swapping process of its own."""

    arena: Arena
    mine: Swapper
    dice: random.Random
    tally: Tally
    before: int = 0

    def round(self, seed: int, calls: int) -> None:
        """Make so many *calls* while names are swapped."""
        callers = Callers(self.arena.vault, self.dice)
        count, go = RawValue(ctypes.c_long, 0), RawValue(ctypes.c_int, 1)
        given = (self.arena.pairs, f"{seed} {self.before}", count, go)
        other = get_context("fork").Process(target=_swap_for_ever, args=given)
        other.start()
        try:
            for _ in range(calls):
                self._one(callers)
        finally:
            go.value = 0
            other.join()
            self.mine.armed = False
            callers.close()
        self.before += count.value
        self.tally.swaps = self.before + self.mine.swaps

    def _one(self, callers: Callers) -> None:
        self.mine.share = self.dice.choice(_TARGETED)
        self.mine.armed = True
        what, shown = "", ""
        try:
            what, told = callers.call()
            shown = str(told)
            self.tally.answered[what] += 1
        except _SENTENCES as e:
            what, shown = "refused", str(e)
        except (OSError, sqlite3.Error, ValueError, KeyError, AssertionError) as e:
            what = "raw"
            self.tally.raw[f"{type(e).__name__}: {e}"[:120]] += 1
        finally:
            self.mine.armed = False
            self.mine.back()
        self.tally.calls[what] += 1
        if CANARY in shown:
            self.tally.escapes.append(f"shown by {what}: {shown[:200]}")


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--swaps", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--git", action="store_true", help="in a vault that has history")
    parser.add_argument("--calls", type=int, default=_ROUND, help="from one look to the next")
    parser.add_argument("--follow", action="store_true", help="follow links: is that found?")
    asked = parser.parse_args()
    if asked.follow:
        file_status.DIRECTORY &= ~os.O_NOFOLLOW
    with tempfile.TemporaryDirectory(prefix="vaultmem-racing-") as folder:
        tally = campaign(Path(folder), asked.swaps, asked.seed, git=asked.git, calls=asked.calls)
    calls = sum(tally.calls.values())
    print(f"{tally.swaps} swaps, {calls} calls in {tally.seconds:.0f} s, "  # noqa: T201
          f"{len(tally.escapes)} escapes; answered: {dict(tally.answered)}, "
          f"refused: {tally.calls['refused']}, raw errors: {tally.calls['raw']}")  # fmt: skip
    for line in (*tally.escapes[:20], *map(str, tally.raw.most_common(12))):
        print(f"  {line}")  # noqa: T201
    return bool(tally.escapes or tally.raw)


if __name__ == "__main__":
    sys.exit(main())
