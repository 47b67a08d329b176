"""Nothing that is private leaves its file, by whatever way something leaves a vault.

A vault has a word in private parts, and a credential, in every kind of file. All commands, tools,
resources, prompts, hooks, formats and models are asked; then what was said, what git holds and what
lies on the disk is searched. A new command has to name its arguments here.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_plus, urlencode

import click
import mcp_types as types
import pytest
from anthropic.tools import ToolError

from tests.conftest import Clock
from tests.mcp_client import served
from tests.web_client import Parsed, browsing
from tests.wire import Wire
from vaultmem import Vault
from vaultmem import cli as command_line
from vaultmem.errors import HeldBack
from vaultmem.exchange import exporting
from vaultmem.integrations.claude_code import events
from vaultmem.integrations.claude_code.events import Call
from vaultmem.integrations.mcp.prompts import PROMPTS
from vaultmem.integrations.mcp.registry import TOOLS
from vaultmem.integrations.memory_tool.executor import answer
from vaultmem.storage.plan import Change, Plan
from vaultmem.web.routes import PAGES
from vaultmem.web.types import Options

WORD = "zqhush"
TOKEN = "gh" + "p_" + "w8Kq2Zr5Lm9Xv3Bn7Tc1Yd4Fg6Hj0Ps8Qe2R"
ID = "01KAFZ6Q6Y3J6V8B7N6W7Q3K{:02d}"
BODY = f"""
# The visit <private>{WORD}</private>

- The visit of Mara is on Friday. <private>{WORD} one</private>
- Bring the papers.
<private>
{WORD}
</private>

    indented <PRIVATE>{WORD}</PRIVATE> code

The token is {TOKEN} for now. < private >{WORD}< / private >
"""
HEAD = f"""\
description: About the visit <private>{WORD}</private>
remark: <private>{WORD} remark</private>
login: {TOKEN}
tags: [visit, "<private>{WORD}</private>"]
"""


def note(number: int, kind: str, more: str = "", title: str = "The visit") -> str:
    """Return a file of a *kind* with all that must not leave it."""
    said = f"title: {title} <private>{WORD}</private>\n" if title else ""
    return f"---\nid: {ID.format(number)}\ntype: {kind}\n{said}{more}{HEAD}---\n{BODY}"


CARD = "person: Mara\nrelationship: friend\ncategory: medical\nkey: mara\n"
MEMORY = "agent: ada\ncreated: 2026-11-20T10:15:00Z\nsource: user\ntrust: user\n"
MADE = "agent: ada\ncreated: 2026-11-20T10:16:00Z\nsources: []\ntrust: user\n"
TURNS = "".join(
    json.dumps({"turn": n, "session": "boiler", "role": role, "at": f"2026-11-20T10:{n:02d}:00Z",
                "content": f"Turn {n} of the visit. <private>{WORD}</private> {TOKEN}"}) + "\n"
    for n, role in enumerate(["user", "assistant"] * 12, 1)
)  # fmt: skip

FILES: Mapping[str, str | bytes] = {
    "cards/medical/mara.md": note(10, "card", CARD + "allergy: nuts\n"),
    "topics/doctor.md": note(11, "topic"),
    "agents/ada/topics/own.md": note(12, "topic", "agent: ada\n"),
    "notes/visit.md": note(13, "note"),
    "tasks/task-0001.md": note(14, "task", "subject: Visit\nstatus: pending\n"),
    "skills/visit/SKILL.md": note(15, "skill", "name: visit\n"),
    "agents/ada/working.md": note(16, "working", "agent: ada\n"),
    "agents/ada/agent.md": note(17, "agent", "agent: ada\n"),
    "inbox/idea.md": note(18, "note"),
    "templates/mine.md": note(19, "note"),
    "agents/ada/memories/valid.md": note(20, "memory", MEMORY),
    "agents/ada/memories/bare.md": f"The visit was long. <private>{WORD}</private>\n",
    "agents/ada/memories/token.md": f"The visit needs {TOKEN} too.\n",
    "agents/ada/memories/all.md": f"<private>{WORD}</private>\n",
    "agents/ada/episodes/episode-0001-visit.md": note(21, "episode", MADE + "session: boiler\n"),
    "agents/ada/summaries/recent-20261120-101600.md": note(22, "summary", MADE + "tier: recent\n"),
    "agents/ada/summaries/longterm.md": note(23, "summary", MADE + "tier: longterm\n"),
    "agents/ada/sessions/boiler.jsonl": TURNS,
    "topics/unclosed.md": f"---\ntype: topic\ntitle: The visit\n---\nPublic.\n<private>{WORD}\n",
    "topics/torn.md": f"---\ntype: topic\ntitle: <private>{WORD}\n{WORD}: 1\n---\nThe visit.\n",
    "topics/odd.md": f"---\n<private>{WORD}: 1\n{WORD}: 2</private>\ntitle: x\n---\nThe visit.\n",
    "topics/crlf.md": f"---\r\ntitle: V\r\n---\r\nThe visit <private>\r\n{WORD}</private>.\r\n",
    "topics/bytes.md": b"\xff The visit <private>" + WORD.encode() + b"</private>\n",
    "notes/plain.txt": f"The visit <private>{WORD}</private> {TOKEN}\n",
}  # fmt: skip
ADDED = ("MEMORY.md", "TASKS.md", "README.md", "AGENTS.md", "config/memory_compaction.md")
OWN = frozenset({*FILES, *ADDED})
SIGNED = "notes/signed.md"
AUTHOR = f"Mara {TOKEN}"  # git itself takes the brackets of a mark out of a name
MESSAGE = f"note: tea {TOKEN} <private>{WORD}\n\n{WORD}</private> at four {TOKEN}\n"


def hide(folder: Path) -> None:
    """Write all those files as a person does, and leave them alone for a while.

    One was committed, by somebody who is not careful with names and messages either.
    """
    (folder / SIGNED).parent.mkdir(exist_ok=True)
    (folder / SIGNED).write_text("# Signed\n\nTea is at four.\n")
    signed = ("git", "-C", folder, "-c", f"user.name={AUTHOR}", "-c", "user.email=mara@x.example")
    subprocess.run([*signed, "add", SIGNED], check=True)
    subprocess.run([*signed, "commit", "-qm", MESSAGE, "--", SIGNED], check=True)
    for path, text in FILES.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    for path in ADDED:
        with (folder / path).open("a") as stream:
            stream.write(f"\nA line of mine. <private>{WORD}</private> {TOKEN}\n")
    rest(folder)


def rest(folder: Path) -> None:
    """Let what was written lie for two minutes."""
    old = time.time() - 120
    for path in OWN:
        if (folder / path).exists():
            os.utime(folder / path, (old, old))


def leaks(text: str | bytes) -> list[str]:
    """Return what of it should have stayed in a file."""
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    return [secret for secret in (WORD, TOKEN) if secret.encode() in data]


def hidden(data: bytes) -> tuple[int, int]:
    """Return how often a file says what it must not."""
    return data.count(WORD.encode()), data.count(TOKEN.encode())


def git_holds(folder: Path) -> bytes:
    """Return every blob and message that git has, reachable or not, but for what Mara signed."""
    ids = subprocess.run(
        ["git", "-C", folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    asked = ("git", "-C", folder, "cat-file", "--batch")
    held = subprocess.run(asked, input=ids, capture_output=True, check=True).stdout
    return held.replace(f" {AUTHOR} <".encode(), b"").replace(f"\n\n{MESSAGE}".encode(), b"")


def lying_about(folder: Path) -> list[str]:
    """Return the files, not a person's own, in which something lies that should not.

    What an editor may still write into, a file that was replaced just now, is one of theirs.
    """
    every = {file.relative_to(folder).as_posix(): file for file in sorted(folder.rglob("*"))}
    theirs = (".git/", ".vaultmem/linger/")
    made = (path for path in every if not path.startswith(theirs) and path not in OWN)
    return [path for path in made if every[path].is_file() and leaks(every[path].read_bytes())]


# --- the command line ---------------------------------------------------------------------------

REF = "topics/doctor.md"
ARGUMENTS: Mapping[str, Sequence[Sequence[str]]] = {
    "init": [["{folder}"]],
    "remember": [["Tea at four.", "--agent", "ada"]],
    "import": [["markdown", "{out}/src", "--agent", "ada"]],
    "recall": [
        ["visit zqhush token", "-k", "50"],
        ["papers", "--untrusted", "--as-of", "2100-01-01"],
        ["visit", "--mode", "lexical", "--agent", "ada"],
    ],
    "context": [
        ["visit zqhush", "--agent", "ada"],
        ["--agent", "ada", "--budget", "60000"],
        ["visit", "--agent", "ada", "--format", "messages"],
    ],
    "embedder status": [[]],
    "eval cases": [["{out}/cases"]],
    "eval compare": [["{out}/questions.json"]],
    "eval retrieval": [["{out}/questions.json"]],
    "eval self": [[]],
    "archive": [[], [ID.format(20)]],
    "unarchive": [[ID.format(20)]],
    "correct": [[ID.format(20), "The visit was short."]],
    "forget": [[REF, "--yes"], ["agents/ada/memories/valid.md"], ["notes/visit.md", "--purge"]],
    "show": [["topics/doctor.md"], ["medical/mara"], ["notes/visit.md", "--raw"], ["AGENTS"]],
    "edit": [["notes/visit.md"], ["topics/doctor.md", "--reason", "Tea"]],
    "open": [["notes/visit.md", "--print"], ["medical/mara", "--print"]],
    "doctor": [[]],
    "check": [[], ["--format", "sarif"], ["--format", "github"]],
    "why": [[SIGNED], [REF], ["cards/medical/mara.md"], ["episode-0001-visit"], ["valid"]],
    "card export": [[], ["--output", "{out}/cards.json"]],
    "card get": [["medical/mara"]],
    "card import": [["{out}/cards.json"]],
    "card list": [[]],
    "card resolve": [["medical/mara", "--field", "allergy", "--keep"]],
    "card set": [
        ["medical/mara", "--field", "allergy=none"],
        ["medical/mara", "--backstory", "Told anew."],
        ["medical/mara", "--field", "a=b", "--source", "{secret}"],
        ["medical/mara", "--field", "a={secret}", "--at", "{secret}"],
    ],
    "topic export": [["{out}/topics"]],
    "topic get": [["doctor"], [REF]],
    "topic import": [["{out}/src"]],
    "topic list": [[]],
    "topic set": [
        ["doctor", "Bring tea"],
        ["doctor", "Bring tea", "--strategy", "merge"],
        ["doctor", "{secret}", "--source", "{secret}"],
    ],
    "note set": [["notes/visit.md", "And tea."], ["{secret}", "{secret}"]],
    "task claim": [["1", "--owner", "ada"]],
    "task create": [["Buy tea"]],
    "task get": [["1"]],
    "task list": [[]],
    "task update": [["1", "--status", "in_progress"], ["1", "--description", "Anew."]],
    "working set": [["--agent", "ada", "--goal", "Tea"]],
    "working show": [["--agent", "ada"]],
    "experience": [["Visit the doctor", "--outcome", "success", "--agent", "ada"]],
    "dream apply": [["--all"], ["--all", "--include-protected"]],
    "dream log": [[]],
    "dream plan": [[]],
    "dream review": [[]],
    "dream undo": [[]],
    "review accept": [["idea"]],
    "review drop": [["idea"]],
    "review list": [[]],
    "session compact": [["boiler", "--agent", "ada"]],
    "session end": [["boiler", "--agent", "ada"]],
    "session restore": [["boiler", "--agent", "ada"]],
    "session show": [["boiler", "--agent", "ada"], []],
    "session shrink": [["-"]],
    "session start": [["kettle", "--agent", "ada"]],
    "session turn": [["Hello", "--session", "kettle", "--agent", "ada", "--role", "{secret}"]],
    "fold": [["--agent", "ada", "--force"]],
    "hook install": [["{out}/project"]],
    "hook uninstall": [["{out}/project"]],
    "share": [["valid"], [REF, "--dry-run"], []],
    "sync": [[], ["--dry-run"]],
    "export": [[form, f"{{out}}/export-{form}"] for form in exporting.FORMS],
    "compact": [["--agent", "ada", "--dry-run"], ["--agent", "ada", "--force"]],
    "status": [[]],
    "watch": [["--once"]],
    "fsck": [[], ["--repair"]],
    "log": [[]],
    "digest": [[], ["--agent", "ada"]],
    "diff": [[], ["HEAD"]],
    "undo": [["HEAD", "--dry-run"], ["HEAD"]],
    "@compact-memories": [[]],
    "@memory-status": [[]],
    "@memory-budget": [[]],
    "@remember": [["Coffee at five."]],
    "@recall": [["visit zqhush"]],
    "@forget": [["coffee"]],
    "@dream": [[]],
    "@bootstrap-summaries": [[]],
}
ELSEWHERE = {
    "demo": "it works on a vault of its own",
    "eval claims": "it works on a vault of its own",
    "eval summaries": "it works on a vault of its own",
    "embedder setup": "it speaks to the network alone",
    "completion": "it speaks of the shell alone",
    "help": "it shows the manual alone",
    "mcp": "its tools are asked below",
    "web": "its pages are asked below",
    "chat": "its tools are the memory's, asked below",
}
LAST = ("forget", "undo", "dream undo", "review drop", "@forget")
"""What takes away: asked when all others were."""


def commands(command: click.Command, *path: str) -> Iterator[str]:
    """Yield the names of all commands there are."""
    if not isinstance(command, click.Group):
        yield " ".join(path)
        return
    for name in command.list_commands(context := click.Context(command)):
        found = command.get_command(context, name)
        assert found
        yield from commands(found, *path, name)


def test_every_command_is_asked() -> None:
    """Who adds one says here how it is called."""
    assert {*commands(command_line.cli)} == ARGUMENTS.keys() | ELSEWHERE.keys()


@dataclass
class Terminal:
    """The command line, as a person and a script call it."""

    folder: Path
    out: Path
    patch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def run(self, *args: str) -> str:
        """Return all that a command prints, whatever comes of it."""
        said = json.dumps([{"role": TOKEN, "content": f"<private>{WORD}</private>"}])
        filled = [
            arg.replace("{folder}", str(self.folder)).replace("{out}", str(self.out))
            .replace("{secret}", f"<private>{WORD}</private>{TOKEN}")
            for arg in args
        ]  # fmt: skip
        with self.patch.context() as scene:
            scene.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(said.encode())))
            scene.setenv("VAULTMEM_VAULT", str(self.folder))
            scene.setenv("VISUAL", "true")
            command_line.run(filled)
        told = self.capsys.readouterr()
        return told.out + told.err


@pytest.fixture
def terminal(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Terminal:
    """Hide things in a vault, and something to import beside it."""
    out = tmp_path / "out"
    (out / "src").mkdir(parents=True)
    (out / "project").mkdir()
    (out / "cases").mkdir()
    (out / "src/Tax.md").write_text(f"# Tax\n\nDue in July. <private>{WORD}</private>\n")
    (out / "questions.json").write_text("[]")
    (out / "cards.json").write_text("{}")
    hide(folder)
    return Terminal(folder, out, monkeypatch, capsys)


def ordered() -> list[tuple[str, Sequence[str]]]:
    """Return every call there is, what takes away at the end."""
    names = sorted(ARGUMENTS, key=lambda name: name in LAST)
    return [(name, args) for name in names for args in ARGUMENTS[name]]


@pytest.mark.long
def test_no_command_tells_what_is_private(terminal: Terminal) -> None:
    """Nor does anything that a command writes: into the vault, git, the index or elsewhere."""
    before = {path: hidden((terminal.folder / path).read_bytes()) for path in FILES}
    told: dict[str, list[str]] = {}
    terminal.run("watch", "--once")
    for name, args in ordered():
        for form in ([], ["--json"]):
            said = terminal.run(*name.split(), *args, *form)
            told[" ".join([name, *args, *form])] = leaks(said)
        assert lying_about(terminal.folder) == [], name
    assert {call: found for call, found in told.items() if found} == {}
    assert leaks(git_holds(terminal.folder)) == []
    written = (file for file in terminal.out.rglob("*") if file.is_file())
    ours = [file for file in written if file.parent.name != "src"]
    assert [str(f) for f in ours if leaks(f.read_bytes())] == []
    assert {path: hidden((terminal.folder / path).read_bytes()) for path in FILES} == before


# --- what agents call ---------------------------------------------------------------------------

SECRET = f"<private>{WORD}</private>{TOKEN}"
TOOL_ARGUMENTS: Mapping[str, Sequence[Mapping[str, object]]] = {
    "memory_search": [{"query": "visit zqhush token", "k": 20}, {"query": SECRET, "after": SECRET}],
    "memory_read": [*({"path": path} for path in FILES), {"path": SECRET}],
    "memory_list": [{}, {"path": "agents/ada", "depth": 5}, {"path": SECRET}],
    "memory_write": [
        {"content": "Tea at four."},
        {"content": "Bring tea.", "kind": "task", "title": "Tea"},
        {"content": f"A secret. {SECRET}", "kind": "topic", "title": SECRET},
        {"content": "The visit was moved.", "kind": "topic", "title": "Doctor"},
        {"content": "It was moved.", "kind": "topic", "title": "Doctor", "strategy": "merge"},
        {"content": WORD, "kind": "note", "title": SECRET, "strategy": "append"},
    ],
    "memory_correct": [
        {"path": "topics/doctor.md", "content": "No."},
        {"path": "visit", "content": SECRET},
    ],
    "memory_edit": [
        {"path": "topics/doctor.md", "old": "Bring the papers", "new": "Bring all papers"},
        {"path": "topics/doctor.md", "old": WORD, "new": "x"},
        {"path": "topics/doctor.md", "old": f"<private>{WORD}</private>", "new": "x"},
        {"path": "notes/visit.md", "op": "append", "new": "And tea."},
    ],
    "memory_forget": [{"path": "notes/visit.md"}, {"path": SECRET, "reason": SECRET}],
    "memory_task": [
        {"op": "list"},
        {"op": "get", "id": 1},
        {"op": "claim", "id": 1},
        {"op": "update", "id": 1, "result": SECRET},
        {"op": "create", "subject": SECRET},
        {"op": "create", "subject": "Buy tea", "blocked_by": [1]},
    ],
    "memory_working": [
        {},
        {"goal": SECRET},
        {"goal": "Tea", "note": "at four", "key": "when", "items": [{"text": "Boil water."}]},
        {"items": [{"text": SECRET}]},
    ],
    "memory_status": [{}],
    "memory_compact": [{}, {"force": True, "scope": SECRET}],
    "memory_history": [
        {},
        {"path": "topics/doctor.md", "why": True},
        {"path": "MEMORY.md"},
        {"path": SIGNED, "why": True},
    ],
    "memory_undo": [{"id": SECRET}],
}


def test_every_tool_is_asked() -> None:
    """Who adds one says here what it is given."""
    assert {tool.name for tool in TOOLS} == TOOL_ARGUMENTS.keys()


@pytest.mark.long
def test_no_tool_resource_or_prompt_tells_what_is_private(folder: Path) -> None:
    """Over MCP, with a client of the official SDK; nor does git hear of it."""
    hide(folder)
    told: list[str] = []
    with served(folder) as client:
        call, it = client.portal.call, client.client
        for name, some in TOOL_ARGUMENTS.items():
            for given in some:
                said = str(client.ask(name, **given))
                told.append(said.replace(str(given.get("old", SECRET)), "what was asked"))
        told += [str(call(it.list_resources)), str(call(it.list_prompts))]
        told += [str(call(it.read_resource, f"memory://{r}")) for r in ("MEMORY.md", *READ)]
        told += [str(call(it.get_prompt, name, {"agent": "ada"})) for name in PROMPTS]
        found = types.ResourceTemplateReference(type="ref/resource", uri="memory://{+path}")
        told.append(str(call(it.complete, found, {"name": "path", "value": "topics/"})))
    assert [text for text in told if leaks(text)] == []
    assert leaks(git_holds(folder)) == []
    assert lying_about(folder) == []


@pytest.mark.long
@pytest.mark.parametrize("agent", ["", "ada"])
def test_no_page_tells_what_is_private(folder: Path, agent: str) -> None:
    """Nor what an edit of it comes to; git hears of nothing."""
    hide(folder)
    places = [page.path.replace("{rest:path}", "") for page in PAGES]
    files = [f"/file/{path}" for path in (*FILES, SIGNED)]
    asked = [f"/{name}?{urlencode({key: ref})}" for ref in (*FILES, SIGNED, "visit", SECRET)
             for name, key in (("why", "ref"), ("forget", "ref"), ("search", "q"))]  # fmt: skip
    with browsing(folder, Options(agent=agent)) as browser:
        told = {path: browser.get(path).text for path in (*places, *files, *asked, "/moments")}
        for path in files:
            forms = [f for f in Parsed(told[path]).forms if f.does == "edit"]
            told[f"{path} edited"] = "".join(browser.send(f).text for f in forms)
    # What was asked stands in the box where it was typed, as in any browser.
    shown = {path: text for path, text in told.items() if SECRET not in unquote_plus(path)}
    assert [path for path, text in shown.items() if leaks(text)] == []
    assert leaks(git_holds(folder)) == []


READ = ("topics/doctor.md", "notes/visit.md", "agents/ada/working.md", "cards/medical/mara.md")
COMMANDS: Sequence[Mapping[str, object]] = [
    {"command": "view", "path": "/memories"},
    {"command": "view", "path": "/memories/agents/ada"},
    *({"command": "view", "path": f"/memories/{path}"} for path in FILES),
    {"command": "create", "path": "/memories/notes/new.md", "file_text": f"Tea. {SECRET}"},
    {"command": "create", "path": f"/memories/{SECRET}.md", "file_text": "Tea."},
    {"command": "str_replace", "path": "/memories/topics/doctor.md", "old_str": "Bring the papers.",
     "new_str": "Bring the papers. Bring all papers."},
    {"command": "str_replace", "path": "/memories/topics/doctor.md", "old_str": WORD,
     "new_str": "x"},
    {"command": "str_replace", "path": "/memories/topics/doctor.md", "old_str": "Friday.\n- Bring",
     "new_str": "x"},
    {"command": "str_replace", "path": "/memories/topics/doctor.md",
     "old_str": f"Friday. <private>{WORD} one</private>", "new_str": "x"},
    {"command": "insert", "path": "/memories/notes/visit.md", "insert_line": 4,
     "insert_text": "Inserted."},
    {"command": "rename", "old_path": "/memories/notes/visit.md",
     "new_path": "/memories/notes/moved.md"},
    {"command": "delete", "path": "/memories/topics/doctor.md"},
]  # fmt: skip


@pytest.mark.long
def test_the_memory_tool_tells_nothing_private(folder: Path, vault: Vault) -> None:
    """And what it changes keeps every private part where it was."""
    hide(folder)
    before = {path: hidden((folder / path).read_bytes()) for path in FILES}
    told = []
    for command in COMMANDS:
        try:
            said = answer(vault.reach("ada"), command)
        except ToolError as e:
            said = str(e)
        told.append(said.replace(str(command.get("old_str", WORD)), "what was asked"))
    assert [said for said in told if leaks(said)] == []
    assert {path: hidden((folder / path).read_bytes()) for path in FILES} == before
    assert "Bring all papers." in (folder / "topics/doctor.md").read_text()
    assert leaks(git_holds(folder)) == []


def test_no_hook_tells_what_is_private(folder: Path) -> None:
    """At any event; nor does its log."""
    hide(folder)
    asked = f"When is the visit of Mara, papers and token? {SECRET}"
    heard = {"session_id": "x", "source": "startup", "cwd": str(folder), "prompt": asked}
    said = json.dumps(heard)
    told = [events.run(Call(event, said.encode(), str(folder), "ada")) for event in events.EVENTS]
    assert [leaks(text) for text in told] == [[]] * len(told)
    assert "visit" in "".join(told)
    assert lying_about(folder) == []


@pytest.mark.long
def test_no_model_is_sent_what_is_private(folder: Path, clock: Clock) -> None:
    """Neither to summarize nor to embed; and no vector's text is kept."""
    hide(folder)
    with Wire(lambda _: "", models=[{"name": "test-model:latest"}]) as wire:
        env = {
            **wire.environment("ollama"),
            "VAULTMEM_EMBEDDER": "ollama",
            "VAULTMEM_EMBED_MODEL": "test",
        }
        with Vault.open(folder, clock=clock, env=env) as vault:
            config = folder / "config/memory_compaction.md"
            config.write_text(config.read_text().replace("_window: 64", "_window: 1"))
            for n in range(4):
                vault.remember(f"The visit number {n} was in Oslo.", agent="ada")
            vault.tick()
            vault.compact("ada", force=True)
            vault.recall("visit papers", mode="semantic")
            vault.dreams.plan()
        asked = [json.dumps(call.body) for call in wire.calls]
    assert {call.path for call in wire.calls} >= {"/api/embed"}
    assert len(asked) > 2
    assert [leaks(text) for text in asked if leaks(text)] == []
    assert lying_about(folder) == []


@pytest.mark.long
def test_status_names_every_file_and_nothing_of_it(folder: Path, vault: Vault) -> None:
    """Those that no index knows, too, once they were looked at; ignored ones are a person's."""
    hide(folder)
    vault.tick()
    problems = vault.status().problems
    named = {p.path for p in problems if p.code in {"private", "secret"}}
    assert named == OWN
    assert leaks(" ".join(f"{p.message} {p.repair}" for p in problems)) == []
    with (folder / ".gitignore").open("a") as stream:
        stream.write("/topics/\n")
    subprocess.run(["git", "-C", folder, "add", "--force", "cards"], check=True)
    subprocess.run(["git", "-C", folder, "commit", "-qm", "mine"], check=True)
    left = {p.path for p in vault.status().problems if p.code in {"private", "secret"}}
    assert left == {p for p in OWN if not p.startswith(("topics/", "cards/"))}


def test_status_says_no_more_of_a_file_in_gitignore_though_git_has_it(
    folder: Path, vault: Vault
) -> None:
    """As the advice about it says; the private part stays out of the history all the same."""
    note = folder / "notes/plan.md"
    note.parent.mkdir()
    note.write_text("Go on Friday.\n")
    subprocess.run(["git", "-C", folder, "add", "notes"], check=True)
    subprocess.run(["git", "-C", folder, "commit", "-qm", "mine"], check=True)
    note.write_text(f"Go on Friday.\n<private>{WORD}</private>\n")
    (told,) = (p for p in vault.status().problems if p.path == "notes/plan.md")
    assert "with its path in .gitignore to hear no more of it" in told.repair
    with (folder / ".gitignore").open("a") as stream:
        stream.write("/notes/plan.md\n")
    os.utime(note, (time.time() - 120,) * 2)
    vault.tick()
    assert [p for p in vault.status().problems if p.path == "notes/plan.md"] == []
    assert leaks(git_holds(folder)) == []


def test_what_was_committed_before_stays_as_it_was(folder: Path, vault: Vault) -> None:
    """A private part that comes later holds the file back, whoever edits it then."""
    made = vault.reach().create("notes/plan.md", "# Plan\n\nGo on Friday.\n")
    text = (folder / made.path).read_text()
    (folder / made.path).write_text(text + f"With Mara. <private>{WORD}</private>\n")
    old = time.time() - 120
    os.utime(folder / made.path, (old, old))
    vault.tick()
    vault.reach().str_replace(made.path, "Friday", "Friday or on Monday")
    vault.tick()
    assert f"<private>{WORD}</private>" in (folder / made.path).read_text()
    assert "Go on Friday or on Monday." in (folder / made.path).read_text()
    assert leaks(git_holds(folder)) == []
    with pytest.raises(HeldBack, match="marked private"):
        vault.reach().str_replace(made.path, "With Mara.\n", "")


def test_the_index_forgets_what_is_private_from_now_on(folder: Path, vault: Vault) -> None:
    """A file that cannot be trusted keeps what it said last, but not what was hidden since."""
    vault.store.sync()
    for name, now in {
        "memory": "{head}<private>The walrus is called Otto.</private>\n",
        "torn": "---\ntype: topic\ntitle: <private>x\n---\nThe walrus is called Otto.\n",
        "bytes": "---\ntype: topic\n---\n<private>The walrus is called Otto.</private>\udcff\n",
    }.items():
        head = f"---\nid: {ID.format(30)}\ntype: memory\ncreated: 2026-11-20\n---\n"
        file = folder / ("agents/ada/memories/m.md" if name == "memory" else f"topics/{name}.md")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{head if name == 'memory' else ''}The walrus is called Otto.\n")
        vault.store.sync()
        assert vault.recall("walrus").hits
        file.write_bytes(now.format(head=head).encode("utf-8", "surrogateescape"))
        vault.store.sync()
        assert not vault.recall("walrus").hits, name


def test_no_program_takes_a_private_part_out(folder: Path, vault: Vault) -> None:
    """Whoever plans on a file's own bytes is refused by the one who writes."""
    hide(folder)
    own = (folder / REF).read_bytes()
    without = own.replace(f"<private>{WORD} one</private>".encode(), b"")
    plan = Plan(vault.store.mint(), "edit", "edit: x", (Change(REF, own, without, "shorter"),))
    with pytest.raises(HeldBack, match=REF):
        vault.store.apply(plan)
    assert (folder / REF).read_bytes() == own
    assert vault.store.writer.waiting() == 0


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_file_in_wide_letters_is_held_back_as_one_in_utf_8(
    folder: Path, vault: Vault, clock: Clock, encoding: str
) -> None:
    """Windows writes such texts: what hides nothing is committed, and the rest is named."""
    (folder / "notes").mkdir()
    for name, said in (
        ("key.txt", f"Heron\r\nThe token is {TOKEN}\r\n"),
        ("visit.csv", f"day;what\r\nmonday;<private>{WORD}</private>\r\n"),
        ("tea.txt", "day;what\r\nmonday;tea at four\r\n"),
    ):
        (folder / "notes" / name).write_bytes(said.encode(encoding))
    clock.advance(days=400)
    vault.tick()
    held = git_holds(folder).replace(b"\0", b"")
    assert b"tea at four" in held
    assert TOKEN.encode() not in held
    assert WORD.encode() not in held
    named = {p.path: p.code for p in vault.status().problems if p.path.startswith("notes/")}
    assert named == {"notes/key.txt": "secret", "notes/visit.csv": "private"}


@pytest.mark.long
def test_a_file_that_is_held_back_is_not_summarized(folder: Path, vault: Vault) -> None:
    """A summary would name a source that no other machine has; the others are told of."""
    hide(folder)
    config = folder / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("_window: 64", "_window: 1"))
    for n in range(5):
        vault.remember(f"Tea number {n} was bought in Oslo.", agent="bea")
    own = folder / "agents/bea/memories/own.md"
    own.write_text(note(31, "memory", "agent: bea\ncreated: 2026-11-20T10:15:00Z\n", ""))
    vault.compact("bea", force=True)
    told = "".join(f.read_text() for f in folder.glob("agents/bea/summaries/*.md"))
    assert "Tea number 1" in told
    assert "visit" not in told
    assert "[[own]]" not in told
    assert not [p for p in vault.fsck().problems if p.path.startswith("agents/bea/")]


def test_memory_md_points_only_at_what_git_has(folder: Path, vault: Vault, clock: Clock) -> None:
    """Neither at what is held back nor at what waits; at that once it is committed."""
    (folder / "topics").mkdir(exist_ok=True)
    (folder / "topics/tea.md").write_text("---\ntype: topic\ntitle: Tea\n---\nOolong.\n")
    (folder / "topics/doctor.md").write_text(note(11, "topic"))
    now = clock().timestamp()
    for name in ("tea", "doctor"):
        os.utime(folder / f"topics/{name}.md", (now, now))
    vault.tick()
    assert "topics/" not in (folder / "MEMORY.md").read_text()
    clock.advance(seconds=60)
    vault.tick()
    text = (folder / "MEMORY.md").read_text()
    assert "(topics/tea.md)" in text
    assert "doctor" not in text
    head = ["git", "-C", str(folder), "show", "HEAD:MEMORY.md"]
    assert subprocess.run(head, capture_output=True, text=True, check=True).stdout == text


@pytest.mark.parametrize("name", [f"gardens {TOKEN}.md", "AKIAIOSFODNN7EXAMPLQ.md", "plan.txt"])
def test_a_name_that_is_a_credential_is_nowhere(
    folder: Path, vault: Vault, clock: Clock, name: str
) -> None:
    """Neither committed nor shown; status names the folder alone."""
    where = f"notes/{TOKEN}" if name == "plan.txt" else "notes"
    key = TOKEN if name != "AKIAIOSFODNN7EXAMPLQ.md" else "AKIAIOSFODNN7EXAMPLQ"
    (folder / where).mkdir(parents=True)
    (folder / where / name).write_text("The walnut tree is in the garden.\n")
    clock.advance(days=400)
    vault.tick()
    assert key.encode() not in git_holds(folder)
    assert not vault.recall("walnut").hits
    problems = [p for p in vault.status().problems if p.code == "secret"]
    assert [p.path for p in problems] == ["notes/"]
    assert key not in str(vault.status())
    for command in ("view", "delete"):
        with pytest.raises(ToolError, match="the path: looks like a secret") as told:
            answer(vault.reach(), {"command": command, "path": f"/memories/{where}/{name}"})
        assert key not in str(told.value)
    (folder / where / name).rename(folder / "notes/garden.md")
    if where != "notes":
        (folder / where).rmdir()
    clock.advance(days=1)
    vault.tick()
    assert vault.recall("walnut").hits
    assert not [p for p in vault.status().problems if p.code == "secret"]
