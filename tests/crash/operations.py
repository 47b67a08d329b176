"""Operations: what is done to a vault while faults strike, and what each may leave behind.

Clock and chance stand still, so an operation does the same every time. A rehearsal without faults
writes down its *stages*: the vault before it, and after each of its intents. Whatever strikes, the
vault must afterwards be at one of them.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import cast
from unittest import mock

from tests.crash.faults import SPAWN, Counter, Diary, Watcher, arm, in_child, origin
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.documents.bodies import Experience
from vaultmem.errors import BadInput, CannotOpen, VaultError
from vaultmem.integrations.chat import Chat
from vaultmem.integrations.chat.types import Answer, ModelRequest, ToolCall, Usage
from vaultmem.integrations.claude_code import events
from vaultmem.knowledge.cards.types import Patch
from vaultmem.memory import memory_index, sessions
from vaultmem.memory.messages.message import Message
from vaultmem.memory.working import Note
from vaultmem.storage import journal
from vaultmem.storage.files import TEMP
from vaultmem.storage.journal import Intent
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.transcripts import Turn

AGENT, SESSION = "ada", "spring"
BY_HAND = f"agents/{AGENT}/memories/by-hand.md"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MORNING = NOON - timedelta(hours=3)
WORKINGS = frozenset({".git", ".vaultmem"})
_REGRETTED, _REGRETTED_NAME = (
    "Quincy hides the lantern under",
    "/memories/2026/11/20261120-090000-quincy",
)
_LINE = "Oranges for Saturday, a person wrote.\n"
_SUBJECTS = (
    "tea",
    "the harbour",
    "a green bicycle",
    "Lisbon",
    "chess",
    "the red door",
    "rye bread",
)

_PARTS = (
    *(
        "vaultmem.memory.compaction.runner",
        "vaultmem.memory.compaction",
        "vaultmem.maintenance.fsck",
        "vaultmem.maintenance.history",
    ),
    *(
        "vaultmem.knowledge.cards",
        "vaultmem.knowledge.corrections",
        "vaultmem.maintenance.dream.service",
        "vaultmem.maintenance.forgetting",
    ),
    *(
        "vaultmem.exchange.importing.service",
        "vaultmem.memory.remember",
        "vaultmem.retrieval.search",
        "vaultmem.api.housekeeping",
    ),
    "vaultmem.nlp.summarization.extractive",
)
Tree = Mapping[str, bytes]
Act = Callable[[Path], Iterator[str]]
Step = Callable[[Vault], str]


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing to do to a vault: what it starts from, and how; *act* yields when it promises.

    *steps* are what several promises are made of, one each: who was promised some does the others.
    *after* says what is wrong with a recovered vault beside what is wrong with any; *by_itself*
    that a round of the daemon does the same.
    """

    name: str
    prepare: Callable[[Path], None]
    act: Act
    rested: bool = False
    git: bool = True
    steps: tuple[Step, ...] = ()
    after: Callable[[Vault], Iterator[str]] = lambda _: iter(())
    by_itself: bool = False

    def again(self, path: Path, promises: int) -> Iterator[str]:
        """Do what so many *promises* left to do."""
        return in_steps(path, self.steps[promises:]) if self.steps else self.act(path)


@dataclass(frozen=True, slots=True)
class Prepared:
    """An operation with its starting point and its end on disk, its stages, and the calls it makes.

    *promised* says which stage is reached at least by each promise.
    """

    name: str
    start: Path
    done: Path
    stages: tuple[Tree, ...]
    promised: tuple[int, ...]
    calls: tuple[str, ...]
    seconds: float

    @property
    def operation(self) -> Operation:
        """What is done."""
        return OPERATIONS[self.name]

    @property
    def spawns(self) -> tuple[int, ...]:
        """The numbers of the calls that start a git."""
        return tuple(n for n, what in enumerate(self.calls, 1) if what == SPAWN)


# --- a vault to start from --------------------------------------------------------------------


def warm() -> None:
    """Load what an operation may load, so that a forked child need not."""
    for name in _PARTS:
        import_module(name)


def fixed(count: int) -> bytes:
    """Return so many bytes of no chance at all."""
    return b"\x2a" * count


def earlier(path: Path) -> Vault:
    """Open the vault as what came before the operation did."""
    return Vault.open(path, clock=lambda: MORNING, random=fixed)


def opened(path: Path) -> Vault:
    """Open the vault as the operation does: clock and chance stand still."""
    return Vault.open(path, clock=lambda: NOON, random=fixed)


def later(path: Path) -> Vault:
    """Open the vault as whoever comes after the fault: an hour later, with real chance."""
    return Vault.open(path, clock=lambda: NOON + timedelta(hours=1))


def _messages(folder: Path, first: int, count: int) -> Path:
    file = folder.parent / f"{folder.name}-{first}.jsonl"
    if file.exists():  # on a full disk it cannot be written
        return file
    with file.open("w") as stream:
        for n in range(first, first + count):
            said = {
                "id": n,
                "session": "spring",
                "speaker": ("Sarah", "Mara")[n % 2],
                "content": f"On day {n} we spoke of {_SUBJECTS[n % 7]} and paid {n + 3} euros.",
                "at": (NOON - timedelta(hours=500 - n)).isoformat(),
            }
            stream.write(json.dumps(said) + "\n")
    return file


def _vault(path: Path, *, git: bool, window: int, memories: int) -> None:
    create.create(path, lambda: MORNING, with_git=git, random=fixed)
    config = path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("_window: 64", f"_window: {window}"))
    with earlier(path) as vault:
        _rest(path)
        vault.tick()
        if memories:
            vault.import_files("jsonl", [_messages(path, 1, memories)], agent=AGENT)
        vault.tick()
        _rest(path)
        vault.tick()


def _rest(path: Path) -> None:
    for file in people(path):
        os.utime(path / file, (0, 0))


def _with_a_person(path: Path) -> None:
    """Leave a person's work in the vault: untracked, edited, staged, and staged then edited."""
    (path / "diary.md").write_text("Dear diary.\n")
    write_a_line(path / "AGENTS.md")
    write_a_line(path / "README.md")
    _git(path, "add", "README.md")
    write_a_line(path / "README.md")


def _with_an_edited_index(path: Path) -> None:
    write_a_line(path / "MEMORY.md")


def write_a_line(path: Path, line: str = _LINE) -> None:
    with path.open("a") as stream:
        stream.write(line)


def _git(path: Path, *args: str) -> str:
    argv = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *args]
    return subprocess.run(argv, cwd=path, check=True, capture_output=True, text=True).stdout


def tree(path: Path) -> dict[str, bytes]:
    """Return every file of the vault but the workings of git and of the program."""
    return {n: (path / n).read_bytes() for n in people(path) if not Path(n).name.startswith(TEMP)}


def people(path: Path) -> list[str]:
    """Return the paths of the files that a person sees, in order."""
    found: list[str] = []
    for base, folders, names in os.walk(path):
        here = Path(base).relative_to(path)
        if not here.parts:
            folders[:] = [f for f in folders if f not in WORKINGS]
        found.extend((here / n).as_posix() for n in names)
    return sorted(found)


# --- what is done -----------------------------------------------------------------------------


def _init(path: Path, *, git: bool = True) -> Iterator[str]:
    create.create(path, lambda: NOON, with_git=git, random=fixed)
    yield "init"


def in_steps(path: Path, steps: Iterable[Step]) -> Iterator[str]:
    """Take one step after the other, each of them a promise."""
    with opened(path) as vault:
        for step in steps:
            yield step(vault)
        vault.store.writer.commit_pending()


def _remembering(text: str) -> Step:
    return lambda vault: vault.remember(text, agent=AGENT).id


_REMEMBER = tuple(map(_remembering, ("Sarah is allergic to peanuts.", "Mara moved to Lisbon.")))
_TASK = (lambda vault: str(vault.tasks.create("Buy oranges").id),)
_REMEMBER_ONE = (_remembering("The boat leaves at noon."),)


def _import(path: Path, *, first: int, count: int) -> Iterator[str]:
    with opened(path) as vault:
        vault.import_files("jsonl", [_messages(path, first, count)], agent=AGENT)
        yield "import"


def _compact(path: Path) -> Iterator[str]:
    with opened(path) as vault:
        vault.compact(AGENT, force=True)
        yield "compact"


def _undo(path: Path, kind: str) -> Iterator[str]:
    with opened(path) as vault:
        last = next(o for o in vault.log() if o.subject.startswith(kind))
        vault.undo(last.ops[0])
        yield "undo"


def _tick(path: Path) -> Iterator[str]:
    with opened(path) as vault:
        vault.tick()
        yield "tick"


def _plan(path: Path) -> Iterator[str]:
    """Create, update and delete in three folders at once."""
    with opened(path) as vault:
        old = vault.store.texts.read("AGENTS.md") or b""
        gone = vault.store.texts.read("templates/topic.md") or b""
        changes = (
            Change("topics/tea.md", None, b"---\ntype: topic\n---\nOolong.\n", "new"),
            Change("AGENTS.md", old, old + b"One more rule.\n", "more"),
            Change("templates/topic.md", gone, None, "not used"),
        )
        vault.store.apply(Plan(vault.store.mint(), "plan", "plan: three files", changes))
        vault.store.writer.commit_pending()
        yield "plan"


def _dream(path: Path) -> Iterator[str]:
    """Tidy what `_untidy` left, in one commit."""
    with opened(path) as vault:
        vault.dreams.apply(everything=True)
        yield "dream"


def _card(path: Path) -> Iterator[str]:
    """Patch a card, and let a claim that is trusted less wait for a person."""
    with opened(path) as vault:
        vault.cards.set("medical/sarah", Patch(fields={"phone": "0456"}, source="user"))
        yield "patched"
        vault.cards.set("medical/sarah", Patch(fields={"city": "Nice"}, source="web"))
        yield "waits"


def _forget(path: Path) -> Iterator[str]:
    """Forget a memory that a summary tells of."""
    with opened(path) as vault:
        vault.forget(_first(path), reason="asked to")
        yield "forgotten"


def _archive(path: Path) -> Iterator[str]:
    """Put a memory away that a summary tells of, and bring it back."""
    with opened(path) as vault:
        if not vault.memories.archived():
            vault.memories.archive([_first(path)])
        yield "archived"
        vault.memories.unarchive([it.path for it in vault.memories.archived()])


def _correct(path: Path) -> Iterator[str]:
    """Correct a memory that a summary tells of; the summary is told again after it."""
    with opened(path) as vault:
        vault.correct(_first(path), "On day 1 we spoke of the sea.")
        yield "corrected"


def _first(path: Path) -> str:
    """Return the path of the first memory; a fault may have made the index blind to it."""
    return min(name for name in people(path) if "/memories/" in name)


def _saying(n: int) -> Step:
    said = Turn("user", f"On day {n} we spoke of {_SUBJECTS[n % 7]}.\n" * 40)
    return lambda vault: _say(vault, said)


def _talk(count: int = 5) -> Iterator[Step]:
    """Yield turn by turn, and something to remember in between."""
    for n in range(count):
        yield _saying(n)
        if n % 2:
            yield _remembering(f"On day {n} it rained.")


def _say(vault: Vault, *turns: Turn) -> str:
    return str(len(sessions.say(vault.store, AGENT, SESSION, turns).turns))


def _a_session(path: Path) -> None:
    with earlier(path) as vault:
        _say(vault, Turn("user", "Where were we?"), Turn("assistant", "At the harbour."))
        vault.tick()


def _adopt(path: Path) -> Iterator[str]:
    """Let a round of the daemon give a memory that was written by hand what it lacks."""
    with opened(path) as vault:
        vault.tick()
        yield "adopted"


def _by_hand(path: Path) -> None:
    """Leave a memory that a person wrote, in history and without an id."""
    file = path / BY_HAND
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("Rye bread is baked on Fridays, a person wrote.\n")
    if (path / ".git").exists():
        _git(path, "add", BY_HAND)
        _git(path, "commit", "-qm", "by hand")


def _hook(path: Path) -> Iterator[str]:
    """Note a conversation of Claude Code as its hook does, and take it in."""
    talk = _client_transcript(path)
    said = {"session_id": "claude", "transcript_path": str(talk), "hook_event_name": "SessionEnd"}
    events.run(events.Call("SessionEnd", json.dumps(said).encode(), str(path), AGENT))
    yield "noted"
    with opened(path) as vault:
        vault.tick()
        yield "taken in"


def _client_transcript(vault: Path) -> Path:
    """Write what Claude Code noted beside *vault*, long ago: each struck process has its own."""
    talk = vault.parent / "claude.jsonl"
    talk.write_text("".join(_event(n) for n in range(4)))
    os.utime(talk, (0, 0))
    return talk


def _event(n: int) -> str:
    role = ("user", "assistant")[n % 2]
    text = f"On day {n} we spoke of {_SUBJECTS[n % 7]}."
    content: object = text if role == "user" else [{"type": "text", "text": text}]
    said = {
        "type": role, "uuid": f"u{n}", "sessionId": "claude",
        "timestamp": f"2026-11-20T09:{n:02}:00.000Z", "message": {"role": role, "content": content},
    }  # fmt: skip
    return json.dumps(said) + "\n"


def _working(path: Path) -> Iterator[str]:
    """Set a goal, and get on with it."""
    with opened(path) as vault:
        bench = vault.workbench(AGENT)
        bench.change(lambda it: replace(it, goal="Bake rye bread"))
        yield "goal"
        bench.change(lambda it: replace(it, scratchpad=(Note("The oven is hot."),)))
        yield "scratchpad"
        vault.store.writer.commit_pending()


def _share(path: Path) -> Iterator[str]:
    """Offer a memory to all agents."""
    with opened(path) as vault:
        vault.shares.share(_first(path))
        yield "shared"


def _review(path: Path) -> Iterator[str]:
    """Let in what waited for a person."""
    with opened(path) as vault:
        waits = sorted(name for name in people(path) if name.startswith("inbox/review/"))
        vault.reviews.accept(waits[:1])
        yield "accepted"


def _from_a_page(path: Path) -> None:
    with earlier(path) as vault:
        vault.remember("The ferry leaves at nine, a page said.", agent=AGENT, source="web")


def _from_a_page_and_ticked(path: Path) -> None:
    _from_a_page(path)
    (waits,) = (path / "inbox/review").glob("*.md")
    waits.write_text(waits.read_text().replace("approved: false", "approved: true"))


def _tick_a_dream(path: Path) -> None:
    _untidy(path)
    for plan in (path / "inbox").glob("dream-*.md"):
        plan.write_text(plan.read_text().replace("- [ ]", "- [x]"))


def _ticked(path: Path) -> Iterator[str]:
    """Do what a person ticked in the inbox."""
    with opened(path) as vault:
        vault.rounds.apply_ticked_boxes()
        yield "ticked"


def _is_said_once(vault: Vault, text: bytes, where: str = "") -> Iterator[str]:
    """Look for what was ticked, which stands in one file; pointers may have its words."""
    files = tree(vault.path)
    index = files.pop(memory_index.PATH, b"").decode()
    files[memory_index.PATH] = memory_index.own_text(index).encode()
    told = [p for p, data in files.items() if p.startswith(where) and text in data]
    if len(told) != 1:
        yield f"{text.decode()!r} stands in {len(told)} files"


class _Script:
    """A model that calls a tool, then answers."""

    name, model, most_tokens, window = "script", "script-1", 1000, 100_000

    def __init__(self) -> None:
        self.asked = 0

    def has_tools(self) -> bool:
        return True

    def is_base(self) -> bool:
        return False

    def talk(self, _asked: ModelRequest, hear: Callable[[str], None]) -> Answer:
        self.asked += 1
        text = ("I keep that.", "Saturday it is.")[self.asked > 1]
        hear(text)
        kept = {"text": "The party is on Saturday."}
        calls = (ToolCall("call-1", "remember", kept),) if self.asked == 1 else ()
        said = Message("assistant", text)
        return Answer(text, calls, said, Usage(10, 10), "tools" if calls else "done")

    def close(self) -> None:
        pass


def _chat(path: Path) -> Iterator[str]:
    """Let the agent answer a person, and keep a memory on the way."""
    with opened(path) as vault:
        answered = Chat(vault, _Script(), SESSION, AGENT).answer("When is the party?")
        if answered.problem:
            raise answered.problem
        yield "answered"
        vault.store.writer.commit_pending()


def _export(path: Path) -> Iterator[str]:
    """Write what recall may return into a folder beside the vault, where a person has a file."""
    with opened(path) as vault:
        vault.export("okf", _exported(path))
        yield "exported"


def _exported(path: Path) -> Path:
    return path.with_name("exported")


def _is_exported(vault: Vault) -> Iterator[str]:
    """Export again over what was left, and compare that with an export into an empty folder."""
    there, fresh = _exported(vault.path), vault.path.with_name("exported-afresh")
    vault.export("okf", there)
    vault.export("okf", fresh)
    odd = {*tree(there).items()} ^ {*tree(fresh).items()}
    if odd:
        yield f"exported again, the folder holds something else than it should: {min(odd)[0]}"


def _regretted(path: Path) -> None:
    with earlier(path) as vault:
        vault.remember(f"{_REGRETTED} the blue stone.", agent=AGENT)


def _purge(path: Path) -> Iterator[str]:
    """Forget a memory that a summary tells of, and take it out of the history."""
    with opened(path) as vault:
        there = [name for name in people(path) if "-quincy-hides-" in name]
        vault.forgetting.purge(there or [p.stem for p in (path / "tombstones").glob("*.md")])
        yield "purged"


def _is_purged(vault: Vault) -> Iterator[str]:
    """Look for the words in every version that is left, once the purge was asked for again."""
    with suppress(BadInput):  # it never began, and asks for what is gone by now
        stones = [p.stem for p in (vault.path / "tombstones").glob("*.md")]
        if stones:
            vault.forgetting.purge(stones)
            if _REGRETTED in _git(vault.path, "log", "--all", "-p", "--format=%B"):
                yield "purged again, the history still says it"


def _hooks(path: Path) -> Iterator[str]:
    """Begin a session of Claude Code, ask something, and end it."""
    talk = _client_transcript(path)
    said = {"session_id": "claude", "transcript_path": str(talk), "cwd": str(path),
            "source": "startup", "prompt": "What of the harbour?"}  # fmt: skip
    for event in ("SessionStart", "UserPromptSubmit", "SessionEnd"):
        call = events.Call(
            event, json.dumps({**said, "hook_event_name": event}).encode(), str(path), AGENT
        )
        events.run(call, lambda: NOON)
        yield event
    with opened(path) as vault:
        vault.tick()
        yield "taken in"


def _memory_tool(path: Path) -> Iterator[str]:
    """Create, edit, rename and delete notes by path, as an agent does."""
    with opened(path) as vault:
        reach = vault.reach(AGENT)
        reach.create("notes/ferry.md", "# Ferry\n\nIt leaves at nine.\n")
        yield "created"
        reach.str_replace("notes/ferry.md", "nine", "ten")
        yield "edited"
        reach.rename("notes/ferry.md", "notes/boat.md")
        yield "renamed"
        reach.remove("notes/boat.md", reason="no longer needed")
        yield "removed"


def _fold(path: Path) -> Iterator[str]:
    """Make an episode of a session."""
    with opened(path) as vault:
        vault.fold(AGENT, force=True)
        yield "folded"


def _sync(path: Path) -> Iterator[str]:
    """Bring the vault in step with another clone, by a remote that lies in its own git folder."""
    with opened(path) as vault:
        vault.sync_clones()
        yield "synced"


def _another_clone(path: Path) -> None:
    """Let a clone push a memory and a note, while here others were written."""
    bare, other = path / ".git/remote.git", path.with_name("clone")
    branch = _git(path, "symbolic-ref", "--short", "HEAD").strip()
    _git(path.parent, "clone", "--quiet", "--bare", str(path), str(bare))
    _git(path.parent, "clone", "--quiet", str(bare), str(other))
    with Vault.open(other, clock=lambda: MORNING + timedelta(minutes=5), random=fixed) as vault:
        vault.remember("The clone has a dog.", agent=AGENT)
        vault.reach(AGENT).create("notes/clone.md", "# Clone\n\nIt is far away.\n")
    _git(other, "push", "--quiet", "origin", f"HEAD:{branch}")
    shutil.rmtree(other)
    _git(path, "remote", "add", "origin", ".git/remote.git")
    with earlier(path) as vault:
        vault.remember("Here is a cat.", agent=AGENT)


def _starts(*steps: Callable[[Path], object], **how: int) -> Callable[[Path], None]:
    """Return what prepares a vault (*git*, *window*, *memories*) and then does *steps* to it."""

    def prepare(path: Path) -> None:
        git = bool(how.get("git", 1))
        _vault(path, git=git, window=how.get("window", 4), memories=how.get("memories", 0))
        for step in steps:
            step(path)

    return prepare


def _nothing(path: Path) -> None:
    path.mkdir()


def _a_persons_folder(path: Path) -> None:
    path.mkdir()
    (path / ".gitignore").write_text("*.bak\n")
    (path / "diary.md").write_text("Dear diary.\n")
    _git(path, "init", "--quiet")


def _as_cloned(path: Path) -> None:
    shutil.rmtree(path / ".vaultmem")


def _untidy(path: Path) -> None:
    """Leave two topics that say the same, and a plan to fix that."""
    (path / "topics").mkdir(exist_ok=True)
    said = "---\ntype: topic\ntitle: {}\ncreated: 2026-11-0{}T09:00:00Z\n---\n## Facts\n"
    same = "- Deploys go out on Tuesdays at 10:00.\n"
    (path / "topics/deploy.md").write_text(said.format("Deploy", 1) + same)
    more = "- Yesterday the disk was full.\n- See [[gone]] for more.\n"
    (path / "topics/notes.md").write_text(said.format("Notes", 2) + same + more)
    with earlier(path) as vault:
        vault.store.writer.commit_edits(quiet=0)
        vault.tick()
        vault.dream()


def _proven(path: Path) -> None:
    """Leave three ways of doing the same that succeeded, and a plan to make a skill of them."""
    steps = "Make a new key\nDeploy it\nRevoke the old one"
    with earlier(path) as vault:
        for n, shop in enumerate(("A", "B", "C")):
            told = Experience(
                f"Rotate the API keys of shop {shop}", "success", steps, "", (), (), ("heron",), ()
            )
            at = MORNING - timedelta(days=n + 1)
            vault.experiences.add(told, agent=AGENT, session=f"s{n}", at=at)
        vault.tick()
        vault.dream()


def _a_card(path: Path) -> None:
    said = Patch(
        fields={"city": "Lyon"}, person="Sarah", relationship="daughter",
        backstory="Said at the school.", source="user",
    )  # fmt: skip
    with earlier(path) as vault:
        vault.cards.set("medical/sarah", said)


def _one_more(path: Path) -> None:
    with earlier(path) as vault:
        vault.remember("The boat leaves at noon.", agent=AGENT)


def _all_compacted(path: Path) -> None:
    with earlier(path) as vault:
        vault.compact(AGENT, force=True)


def _stepwise(name: str, prepare: Callable[[Path], None], steps: tuple[Step, ...]) -> Operation:
    return Operation(name, prepare, functools.partial(in_steps, steps=steps), steps=steps)


_PLAIN_INIT = functools.partial(_init, git=False)
_MANY = functools.partial(_import, first=1, count=150)
_SOME = functools.partial(_import, first=12, count=9)
_UNDO_COMPACT = functools.partial(_undo, kind="compact")
_UNDO_REMEMBER = functools.partial(_undo, kind="remember")

OPERATIONS: Mapping[str, Operation] = {
    o.name: o
    for o in (
        Operation("init", _nothing, _init),
        Operation("init beside a person's files", _a_persons_folder, _init),
        Operation("init without git", _nothing, _PLAIN_INIT, git=False),
        _stepwise("remember beside a person's edits", _starts(_with_a_person), _REMEMBER),
        _stepwise("remember without git", _starts(git=0), _REMEMBER),
        _stepwise(
            "remember the 129th", _starts(_with_a_person, window=64, memories=128), _REMEMBER_ONE
        ),
        Operation("import 150", _starts(_with_a_person, window=64), _MANY),
        Operation("import that is compacted in pages", _starts(window=2), _MANY),
        Operation("import without git", _starts(git=0, memories=11), _SOME),
        Operation(
            "compact --force",
            _starts(_with_a_person, _with_an_edited_index, memories=15),
            _compact,
        ),
        Operation("compact without git", _starts(git=0, memories=15), _compact),
        Operation("compact in a fresh clone", _starts(_as_cloned, memories=15), _compact),
        Operation(
            "undo a compaction",
            _starts(_all_compacted, _with_a_person, memories=15),
            _UNDO_COMPACT,
        ),
        Operation(
            "undo a remember",
            _starts(_one_more, _with_a_person, memories=6),
            _UNDO_REMEMBER,
        ),
        Operation(
            "tick after a person's edits",
            _starts(_with_a_person, _with_an_edited_index, memories=15),
            _tick,
            rested=True,
        ),
        _stepwise("turns", _starts(_a_session, _with_a_person), tuple(_talk())),
        _stepwise("task", _starts(_with_a_person), _TASK),
        _stepwise("turns without git", _starts(git=0), tuple(_talk())),
        Operation("adopt", _starts(_by_hand, memories=6), _adopt, rested=True),
        Operation("adopt without git", _starts(_by_hand, git=0), _adopt, rested=True, git=False),
        Operation("hook and intake", _starts(_with_a_person), _hook),
        Operation("hook and intake without git", _starts(git=0), _hook),
        Operation("hooks", _starts(_with_a_person, memories=6), _hooks),
        Operation("chat", _starts(_a_session, _with_a_person), _chat),
        Operation("export", _starts(_with_a_person, memories=6), _export, after=_is_exported),
        Operation("skill", _starts(_proven, _with_a_person), _dream),
        Operation(
            "ticked review", _starts(_from_a_page_and_ticked, _with_a_person), _ticked,
            after=functools.partial(_is_said_once, text=b"The ferry leaves at nine"),
            by_itself=True,
        ),
        Operation(
            "ticked dream", _starts(_tick_a_dream, _with_a_person), _ticked,
            after=functools.partial(_is_said_once, text=b"the disk was full", where="topics/"),
            by_itself=True,
        ),
        Operation(
            "purge", _starts(_regretted, _all_compacted, memories=14), _purge, after=_is_purged
        ),
        Operation("working memory", _starts(_with_a_person), _working),
        Operation("share", _starts(_with_a_person, memories=6), _share),
        Operation("review", _starts(_from_a_page, _with_a_person), _review),
        Operation("files by path", _starts(_with_a_person), _memory_tool),
        Operation("fold", _starts(_a_session, _with_a_person), _fold),
        Operation("sync", _starts(_another_clone, memories=6), _sync),
        Operation("dream", _starts(_untidy, _with_a_person), _dream),
        Operation("card", _starts(_a_card, _with_a_person), _card),
        Operation("card without git", _starts(_a_card, git=0), _card),
        Operation("archive", _starts(_all_compacted, _with_a_person, memories=15), _archive),
        Operation("forget", _starts(_all_compacted, _with_a_person, memories=15), _forget),
        Operation("forget without git", _starts(_all_compacted, git=0, memories=15), _forget),
        Operation("correct", _starts(_all_compacted, _with_a_person, memories=15), _correct),
        Operation("create, update, delete", _starts(_with_a_person), _plan),
        Operation("create, update, delete without git", _starts(git=0), _plan),
        Operation("compact in a copy without .vaultmem", _starts(_as_cloned, git=0, memories=15),
                  _compact),
    )
}  # fmt: skip


# --- rehearsal --------------------------------------------------------------------------------

_ROUNDS = ("adopt", "hook", "ticked", "chat")
ANSWERED = tuple(name for name in OPERATIONS if not name.startswith(_ROUNDS))
"""The operations that end in one answer, which must be true when the disk refuses.

What a round leaves undone the next one does, a hook never fails, and a chat answers turn by turn.
"""


def rehearse(operation: Operation, folder: Path) -> Prepared:
    """Prepare the operation below *folder* and go through it twice without faults."""
    start = folder / "start"
    folder.mkdir(parents=True)
    operation.prepare(start)
    diary = Diary(folder / "rehearsal")
    arena = copy(start, folder / "done" / start.name, rested=operation.rested)
    began = datetime.now(UTC)
    if code := in_child(functools.partial(_noted, operation, arena, diary)):
        raise RuntimeError(f"{operation.name}: the rehearsal ended with {code}")
    seconds = (datetime.now(UTC) - began).total_seconds()
    again = copy(start, folder / "again" / start.name, rested=operation.rested)
    in_child(functools.partial(_counted, operation, again, diary))
    return Prepared(
        operation.name,
        start,
        arena,
        tuple(_stages(tree(start), diary)),
        tuple(cast("Iterable[int]", diary.read("promised"))),
        tuple(cast("Iterable[str]", next(diary.read("calls")))),
        seconds,
    )


def copy(start: Path, target: Path, *, rested: bool = False) -> Path:
    """Copy a vault; a person has just touched its files, unless they have rested."""
    shutil.copytree(start, target)
    for name in people(target):
        os.utime(target / name, (0, 0) if rested else None)
    return target


def _noted(operation: Operation, path: Path, diary: Diary) -> None:
    tell, real = diary.open(), journal.begin
    count = itertools.count(1)
    reached = [0]

    def begin(root: object, todo: Intent) -> None:
        reached[0] = next(count)
        tell("intent", [[w.path, _text(w.new), w.at] for w in todo.writes])
        real(root, todo)  # type: ignore[arg-type]

    with mock.patch.object(journal, "begin", begin):
        for _ in operation.act(path):
            tell("promised", reached[0])


def _counted(operation: Operation, path: Path, diary: Diary) -> None:
    tell, counter = diary.open(), Counter()
    arm(counter)
    for _ in operation.act(path):
        pass
    tell("calls", counter.names)


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("latin-1")


def _stages(first: Tree, diary: Diary) -> Iterator[Tree]:
    yield first
    now = dict(first)
    for intent in diary.read("intent"):
        for path, text, at in cast("list[tuple[str, str | None, int | None]]", intent):
            old = now.pop(path, b"")
            if text is not None:
                now[path] = old[: at or 0] + text.encode("latin-1")
        yield dict(now)


def perform(operation: Operation, path: Path, diary: Diary, watcher: Watcher | None) -> None:
    """Do the operation under the eyes of *watcher*, noting each promise and how it was refused."""
    tell = diary.open()
    if watcher is not None:
        arm(watcher)
    try:
        for promise in operation.act(path):
            tell("promise", promise)
    except VaultError as e:
        tell("refused", [type(e).__name__, origin(e)])
    except (OSError, sqlite3.Error) as e:
        tell("untyped", [type(e).__name__, origin(e)])


def come_back(path: Path, *, git: bool) -> Vault:
    """Open what a fault left; make it a vault again when it was not one yet."""
    with suppress(CannotOpen):
        return later(path)
    create.create(path, lambda: NOON + timedelta(hours=1), with_git=git)
    return later(path)
