"""What every importer keeps to: its sample comes in once, nonsense not at all, and it says so.

A new format is a line in SAMPLES: its name, what writes a sample below a folder, and how many
pieces that has.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.errors import BadInput
from vaultmem.exchange.formats.types import Format, Item
from vaultmem.exchange.importing import registry
from vaultmem.exchange.importing.types import Settings

MANUAL = Path(__file__).parents[2] / "vaultmem/manual/import-export.md"
NONSENSE = b"\x00\xff{oops\n[\n"
AT = "2026-01-02T10:00:00Z"


# --- samples ----------------------------------------------------------------------------------


def jsonl(folder: Path) -> Path:
    """Write two messages, one of them without an id."""
    path = folder / "chat.jsonl"
    lines = ({"id": "m1", "content": "Ada drinks tea.", "at": AT}, {"content": "At four."})
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def claude_code(folder: Path) -> Path:
    """Write a session of one question and one answer."""
    path = folder / "s1.jsonl"
    said = (("user", "u1", "Use tabs."), ("assistant", "u2", "Tabs it is."))
    lines = (
        {
            "type": role, "uuid": uuid, "sessionId": "s1", "timestamp": AT,
            "message": {"role": role, "content": text},
        }
        for role, uuid, text in said
    )  # fmt: skip
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def chatgpt(folder: Path) -> Path:
    """Write an export of one conversation with one message."""
    message = {
        "id": "m1", "author": {"role": "user"}, "create_time": 1767348000.0,
        "content": {"content_type": "text", "parts": ["Ada drinks tea."]},
    }  # fmt: skip
    tree = {
        "root": {"id": "root", "parent": None, "children": ["m1"], "message": None},
        "m1": {"id": "m1", "parent": "root", "children": [], "message": message},
    }
    path = folder / "conversations.json"
    path.write_text(json.dumps([{"id": "c1", "title": "Tea", "mapping": tree,
                                 "current_node": "m1"}]))  # fmt: skip
    return path


def mem0(folder: Path) -> Path:
    """Write what `get_all` returns: two memories, one of them from a page."""
    path = folder / "mem0.json"
    kept = {"hash": "x", "created_at": AT, "user_id": "ada"}
    results = [{"id": "m1", "memory": "Ada drinks tea.", "metadata": None, **kept},
               {"id": "m2", "memory": "The shop opens at nine.",
                "metadata": {"source": "https://example.org/"}, **kept}]  # fmt: skip
    path.write_text(json.dumps({"results": results}))
    return path


def letta(folder: Path) -> Path:
    """Write an agent with a block, a question as older agents have it, and an answer."""
    path = folder / "agent.af"
    says = json.dumps({"message": "At four, then."})
    asks = json.dumps({"type": "user_message", "message": "I drink tea at four."})
    call = {"id": "c1", "function": {"name": "send_message", "arguments": says}}
    messages = [
        {"id": "l1", "role": "system", "content": "You are Letta.", "created_at": AT},
        {"id": "l2", "role": "user", "content": [{"type": "text", "text": asks}],
         "created_at": AT},
        {"id": "l3", "role": "assistant", "content": "Thinking.", "tool_calls": [call],
         "created_at": AT},
        {"id": "l4", "role": "tool", "content": "None", "tool_call_id": "c1", "created_at": AT},
        {"id": "l5", "role": "user", "content": '{"type": "heartbeat"}', "created_at": AT},
    ]  # fmt: skip
    agent = {"id": "agent-0", "name": "mate", "block_ids": ["b1", "b2"], "messages": messages}
    blocks = [{"id": "b1", "label": "human", "value": "Ada, who drinks tea."},
              {"id": "b2", "label": "persona", "value": ""}]  # fmt: skip
    path.write_text(json.dumps({"agents": [agent], "blocks": blocks}))
    return path


def claude_mem(folder: Path) -> Path:
    """Write a database of a prompt, two observations, one of them empty, and a summary."""
    path = folder / "claude-mem.db"
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(f"""
            CREATE TABLE user_prompts(id, content_session_id, prompt_text, created_at);
            CREATE TABLE observations(id, memory_session_id, type, title, narrative, facts,
                                      created_at);
            CREATE TABLE session_summaries(id, sdk_session_id, request, learned, created_at);
            INSERT INTO user_prompts VALUES(1, 's1', 'Use tabs.', '{AT}');
            INSERT INTO observations VALUES(1, 'm1', 'change', 'Tabs', 'All files have tabs.',
                                            '["Four wide."]', '{AT}');
            INSERT INTO observations VALUES(2, 'm1', 'change', NULL, '', '[]', '{AT}');
            INSERT INTO session_summaries VALUES(1, 'm1', 'Tabs', 'Makefiles need them.', '{AT}');
        """)
    return path


def notes(folder: Path) -> Path:
    """Write a folder of two notes."""
    (folder / "notes/below").mkdir(parents=True)
    (folder / "notes/tea.md").write_text("---\ntitle: Tea\n---\n# Tea\n\nGreen, at four.\n")
    (folder / "notes/below/lake.md").write_text("# Lake\n\nA heron. [[Tea]]\n")
    return folder / "notes"


def okf(folder: Path) -> Path:
    """Write a bundle of a memory and a topic, as `export okf` does."""
    (folder / "bundle/topics").mkdir(parents=True)
    (folder / "bundle/index.md").write_text('---\nokf_version: "0.2"\n---\n# Folders\n')
    said = (
        f"---\ntype: memory\ncreated: {AT}\nvaultmem:\n  path: agents/ada/memories/a.md\n  id: m1\n"
    )
    (folder / "bundle/a.md").write_text(f"{said}---\n\nAda drinks tea.\n")
    topic = "---\ntype: topic\ntitle: Tea\nvaultmem:\n  path: topics/tea.md\n  head: {title: Tea}\n"
    (folder / "bundle/topics/tea.md").write_text(f"{topic}---\n\nGreen, at four.\n")
    return folder / "bundle"


def openclaw(folder: Path) -> Path:
    """Write a workspace: a log of two points, and what was curated."""
    (folder / "claw/memory").mkdir(parents=True)
    (folder / "claw/memory/2026-01-02.md").write_text("# 10:00\n\n- Tea.\n- A heron.\n")
    (folder / "claw/MEMORY.md").write_text("# Memory\n\nAda drinks tea.\n")
    return folder / "claw"


def daily_notes(folder: Path) -> Path:
    """Write an Obsidian vault: a day with a point, one to do, an embed; and a note of no day."""
    (folder / "own/.obsidian").mkdir(parents=True)
    (folder / "own/.obsidian/daily-notes.json").write_text('{"folder": "days"}')
    (folder / "own/days").mkdir()
    day = "## 10:00\n- Tea.\n- [ ] Buy bread\n\n![[heron.png]]\n\n```\nx\n```\n"
    (folder / "own/days/2026-01-02.md").write_text(f"---\nmood: calm\n---\n{day}")
    (folder / "own/days/2026-01-03 Friday.md").write_text("A heron.\n")
    (folder / "own/2026-01-04.md").write_text("Not there.\n")
    return folder / "own"


def folded(folder: Path) -> Path:
    """Write a folded memory: a fact, an episode, and a turn since."""
    episode = {"episode_id": 0, "turn_range": [1, 2], "summary": "They met."}
    memory = {"semantic": {"facts": ["Ada drinks tea."]}, "episodes": [episode],
              "current_episode_id": 1, "total_turns_seen": 3}  # fmt: skip
    path = folder / "s1_folded.json"
    turns = [{"role": "user", "content": "At four."}]
    path.write_text(json.dumps({"memory": memory, "l1_turns": turns}))
    return path


@dataclass(frozen=True, slots=True)
class Sample:
    """What *writes* a sample and returns what to import, and how many *pieces* come in."""

    writes: Callable[[Path], Path]
    pieces: int


SAMPLES = {
    "jsonl": Sample(jsonl, 2),
    "claude-code": Sample(claude_code, 2),
    "chatgpt": Sample(chatgpt, 1),
    "mem0": Sample(mem0, 2),
    "letta": Sample(letta, 3),
    "claude-mem": Sample(claude_mem, 3),
    "markdown": Sample(notes, 2),
    "basic-memory": Sample(notes, 2),
    "okf": Sample(okf, 2),
    "openclaw": Sample(openclaw, 3),
    "daily-notes": Sample(daily_notes, 2),
    "folded": Sample(folded, 3),
}

every_format = pytest.mark.parametrize("form", registry.FORMATS.values(), ids=registry.FORMATS)


def sample(form: Format, folder: Path) -> Path:
    """Return where a sample of *form* lies, below *folder*."""
    return SAMPLES[form.name].writes(folder)


def files(root: Path) -> Mapping[str, bytes]:
    """Return the files that a vault has for people."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.relative_to(root).parts[0].startswith(".")
    }


# --- the contract -----------------------------------------------------------------------------


def test_every_format_has_a_sample() -> None:
    """And no sample is of a format that is gone."""
    assert list(SAMPLES) == list(registry.FORMATS)


@every_format
def test_a_format_says_what_it_is(form: Format) -> None:
    """A reader for what it becomes, in the words of the command line."""
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z]+)*", form.name)
    assert form.help
    assert form.becomes
    assert bool(form.messages) == bool({"memories", "turns"} & set(form.becomes))
    assert form.notes or "notes" not in form.becomes
    assert {option.name for option in form.options} <= {field.name for field in fields(Settings)}


@every_format
def test_a_sample_comes_in_once(form: Format, vault: Vault, tmp_path: Path) -> None:
    """Imported again, it changes not a byte; and it stays as it was, which is somebody else's."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    path = sample(form, theirs)
    as_it_was = files(theirs)
    done = vault.import_files(form.name, [path], agent="ada").done
    assert (done.imported, done.failed, done.failed_because) == (
        SAMPLES[form.name].pieces, 0, (),
    )  # fmt: skip
    before = files(vault.path)
    again = vault.import_files(form.name, [path], agent="ada").done
    assert (again.imported, again.updated, again.removed, again.failed) == (0, 0, 0, 0)
    assert again.skipped >= SAMPLES[form.name].pieces
    assert files(vault.path) == before
    assert files(theirs) == as_it_was


@every_format
def test_all_that_a_format_becomes_takes_its_sample(
    form: Format, vault: Vault, tmp_path: Path
) -> None:
    """A dry run counts the same, and writes nothing."""
    path, before = sample(form, tmp_path), files(vault.path)
    for manner in form.becomes:
        done = vault.import_files(form.name, [path], agent="ada", manner=manner, dry_run=True).done
        assert (manner, done.imported) == (manner, SAMPLES[form.name].pieces)
    assert files(vault.path) == before


@every_format
def test_reading_twice_yields_the_same(form: Format, tmp_path: Path) -> None:
    """A file has no other order or other ids the second time."""
    path = sample(form, tmp_path)
    if reader := form.messages:

        def read() -> list[Item]:
            return [item for file in reader.files(path) for item in reader.read(file, frozenset())]

        assert read() == read() != []
    if found := form.notes:
        assert list(found.find(path)) == list(found.find(path)) != []


@every_format
@pytest.mark.parametrize("there", [True, False], ids=["nonsense", "nothing"])
def test_what_is_none_of_it_is_refused(
    form: Format, vault: Vault, tmp_path: Path, *, there: bool
) -> None:
    """By its name, and nothing is written."""
    path, before = tmp_path / "nonsense.bin", files(vault.path)
    if there:
        path.write_bytes(NONSENSE)
    with pytest.raises(BadInput, match=r"nonsense\.bin"):
        vault.import_files(form.name, [path], agent="ada")
    assert files(vault.path) == before


@every_format
def test_an_option_of_others_is_refused(form: Format, vault: Vault, tmp_path: Path) -> None:
    """One that would do nothing would be taken for done."""
    path = sample(form, tmp_path)
    for option, names in registry.options().items():
        if form.name not in names:
            with pytest.raises(BadInput, match=f"{option.flag} is for {names[0]}"):
                vault.import_files(form.name, [path], agent="ada", **{option.name: True})  # type: ignore[arg-type]


def test_the_command_line_tells_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    """With what it takes, and its options."""
    assert run(["import", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    for form in registry.FORMATS.values():
        assert f"{form.name} ({form.help})" in told
    for option, names in registry.options().items():
        assert f"{option.flag} {names[0]}: {option.help}" in told


def test_the_manual_has_a_row_for_every_format() -> None:
    """In the order in which the command line tells them."""
    page = MANUAL.read_text(encoding="utf-8")
    told = re.findall(r"^\| `([a-z0-9-]+)` \|", page, re.MULTILINE)
    assert told == ["import", *registry.FORMATS]
