"""How a vault is: what status says, and when it warns."""

from __future__ import annotations

import json
import os
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.at_rest import let_rest
from tests.cases import rarely
from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.knowledge.cards.types import Patch
from vaultmem.maintenance.health import Health, WaitingCounts
from vaultmem.storage.git.index_lock import boot_id

pytestmark = pytest.mark.without_history


def set_option(vault: Vault, line: str) -> None:
    """Replace the line of the config that sets the same key."""
    path = vault.path / "config/memory_compaction.md"
    key = line.partition(":")[0] + ":"
    old = path.read_text().splitlines(keepends=True)
    path.write_text("".join(f"{line}\n" if x.startswith(key) else x for x in old))


def bring(vault: Vault, count: int, at: str = "2024-03-01") -> None:
    """Import *count* facts of that day."""
    path = vault.path.parent / "talk.jsonl"
    lines = ({"id": n, "content": f"Fact {n} of the garden.", "at": at} for n in range(count))
    path.write_text("".join(json.dumps(x) + "\n" for x in lines))
    vault.import_files("jsonl", [path], agent="ada")


def told(health: Health) -> list[tuple[str, str]]:
    """Return codes and paths of what status warns of."""
    return [(p.code, p.path) for p in health.problems]


def test_an_empty_vault_is_ok(vault: Vault) -> None:
    """No agents, no problems."""
    found = vault.status()
    assert (found.status, found.agents, found.problems) == ("OK", (), ())
    assert (found.format, found.immediate_window, found.recent_window) == (1, 64, 64)


def test_a_new_vault_warns_when_nothing_was_remembered_for_a_week(
    vault: Vault, clock: Clock
) -> None:
    """Capacity and age are watched without a setting."""
    vault.remember("Ada likes tea.", agent="ada")
    clock.advance(days=6)
    assert not told(vault.status())
    clock.advance(days=2)
    assert told(vault.status()) == [("stale", "agents/ada")]
    assert vault.config.max_memories == 100_000


def test_status_counts_windows(vault: Vault) -> None:
    """What is verbatim, summarized, waiting; and when the next compaction comes."""
    set_option(vault, "immediate_window: 4")
    set_option(vault, "recent_window: 4")
    bring(vault, 11)
    (ada,) = vault.status().agents
    assert (ada.memories, ada.immediate, ada.covered, ada.pending) == (11, 4, 5, 2)
    assert (ada.recent_summaries, ada.longterm, ada.next_compaction_at) == (1, None, 13)
    assert (ada.last_memory, ada.last_compaction) == (
        "2024-03-01T00:00:00Z",
        "2026-11-20T10:15:00Z",
    )


def test_status_shows_the_newest_short_term_summary_and_the_long_term_one(vault: Vault) -> None:
    """With the days they tell of, and their text."""
    set_option(vault, "immediate_window: 4")
    set_option(vault, "recent_window: 4")
    bring(vault, 13)
    (ada,) = vault.status().agents
    assert [it.tier for it in ada.summaries] == ["recent", "longterm"]
    assert {it.covers_from[:10] for it in ada.summaries} == {"2024-03-01"}
    assert all("garden" in it.text for it in ada.summaries)


@pytest.mark.parametrize(
    ("file", "old", "new", "meant"),
    [
        ("config/memory_compaction.md", "layout: month", "layuot: day", "layout"),
        ("config/memory_compaction.md", "dream_hours: 24", "Dream-Hours: 8", "dream_hours"),
        ("config/profiles/summarizer.md", "temperature: 0.2", "temprature: 1", "temperature"),
    ],
)
def test_a_mistyped_setting_is_named_and_stops_nothing(
    vault: Vault, file: str, old: str, new: str, meant: str
) -> None:
    """What is near no setting is a person's own key, as in any note."""
    path = vault.path / file
    own = f"{old}\ntags: [mine]\ncolour: red"
    path.write_text(path.read_text().replace(old, own))
    assert vault.status().status == "OK"
    path.write_text(path.read_text().replace(f"{old}\n", f"{new}\n"))
    found = vault.status()
    assert (found.status, told(found)) == ("WARNING", [("mistyped", file)])
    key = new.partition(":")[0]
    assert found.problems[0].message == f"`{key}` is no setting, and has no effect"
    assert found.problems[0].repair == f"write `{meant}` if you mean that"
    assert vault.remember("Tea at four.", agent="ada").path


def test_no_compaction_comes_where_the_strategy_is_off(vault: Vault) -> None:
    set_option(vault, "strategy: off")
    bring(vault, 3)
    assert vault.status().agents[0].next_compaction_at is None


@pytest.mark.parametrize("count", [1, 4, 9, 13, *rarely(3, 6, 8, 10, 12)])
def test_the_next_compaction_comes_when_status_says(vault: Vault, count: int) -> None:
    """Not one memory earlier, not one later."""
    set_option(vault, "immediate_window: 4")
    set_option(vault, "recent_window: 4")
    bring(vault, count)
    (ada,) = vault.status().agents
    assert ada.next_compaction_at is not None
    bring(vault, ada.next_compaction_at - 1)
    assert vault.status().agents[0].recent_summaries == ada.recent_summaries
    bring(vault, ada.next_compaction_at)
    assert vault.status().agents[0].recent_summaries == ada.recent_summaries + 1


@pytest.mark.parametrize(
    ("count", "code", "status"),
    [(7, None, "OK"), (8, "filling", "WARNING"), (9, "full", "ERROR"), (11, "full", "ERROR")],
)
def test_a_store_that_fills_is_told(
    vault: Vault, count: int, code: str | None, status: str
) -> None:
    """At 75 and 90 % of max_memories, an agent at a time."""
    set_option(vault, "max_memories: 10")
    bring(vault, count)
    found = vault.status()
    assert told(found) == ([(code, "agents/ada/memories")] if code else [])
    assert found.status == status


@pytest.mark.parametrize(
    ("lines", "code"), [(100, None), (145, "filling"), (175, "full"), (250, "full")]
)
def test_a_memory_md_that_fills_is_told(vault: Vault, lines: int, code: str | None) -> None:
    """By lines."""
    path = vault.path / "MEMORY.md"
    path.write_text(path.read_text() + "- [Web](https://web.example)\n" * lines)
    assert told(vault.status()) == ([(code, "MEMORY.md")] if code else [])


def test_a_memory_md_of_few_long_lines_fills_too(vault: Vault) -> None:
    """By bytes."""
    path = vault.path / "MEMORY.md"
    path.write_text(path.read_text() + f"<!-- {'ä' * 10_000} -->\n")
    assert told(vault.status()) == [("filling", "MEMORY.md")]


def test_what_a_memory_md_says_itself_is_counted(vault: Vault) -> None:
    """Until it is moved; a few short lines on top are its introduction."""
    path = vault.path / "MEMORY.md"
    marked = path.read_text()[path.read_text().index("<!-- vaultmem:begin") :]
    path.write_text(f"# Memory\n\nMost used first.\n\n- [Web](https://web.example)\n{marked}")
    assert not vault.status().problems
    path.write_text(f"# Memory\n\n{'It moved to Porto. ' * 30}\n\nIt grew.\n\n- A fact.\n{marked}")
    (problem,) = vault.status().problems
    assert problem.message == "it holds 2 paragraphs and 1 fact beside its pointers"


def test_a_pointer_of_a_person_that_leads_nowhere_is_named(vault: Vault) -> None:
    """Like the one of a topic that was renamed by hand."""
    path = vault.path / "MEMORY.md"
    path.write_text(path.read_text() + "- [Shop](topics/shop.md)\n")
    assert told(vault.status()) == [("dangling-pointer", "MEMORY.md")]


@pytest.mark.parametrize("name", ["MEMORY.md", "TASKS.md"])
@pytest.mark.parametrize("mark", ["<!-- vaultmem:begin -->", "<!-- vaultmem:end -->"])
def test_a_list_that_lost_a_mark_is_named_until_it_is_put_back(
    vault: Vault, name: str, mark: str
) -> None:
    """Until then it stays as it is: nobody knows which of the lines beside the mark are ours."""
    vault.tasks.create("Buy bread")
    list_of_ours = vault.path / name
    before = list_of_ours.read_text()
    list_of_ours.write_text(before.replace(f"{mark}\n", ""))
    vault.tasks.create("Bake a cake")
    vault.tick()
    assert list_of_ours.read_text() == before.replace(f"{mark}\n", "")
    assert told(vault.status()) == [("lost-mark", name)]
    assert [p.code for p in vault.fsck().problems] == ["lost-mark"]
    list_of_ours.write_text(before)
    vault.tick()
    assert "Bake a cake" in list_of_ours.read_text()
    assert not told(vault.status())
    list_of_ours.write_text("Mine alone.\n")
    assert not told(vault.status())


def test_silence_is_told_when_asked_for(vault: Vault, clock: Clock) -> None:
    """stale_after_hours, and not before."""
    set_option(vault, "stale_after_hours: 24")
    vault.remember("x", agent="ada")
    clock.advance(hours=24)
    assert told(vault.status()) == []
    clock.advance(minutes=1)
    assert told(vault.status()) == [("stale", "agents/ada")]
    set_option(vault, "stale_after_hours: 0")
    assert told(vault.status()) == []


def test_old_conversations_that_were_just_imported_are_not_silence(
    vault: Vault, clock: Clock
) -> None:
    """It counts when something was accepted, not when it was said."""
    set_option(vault, "stale_after_hours: 24")
    bring(vault, 3, at="2019-01-01")
    assert told(vault.status()) == []
    clock.advance(hours=25)
    assert told(vault.status()) == [("stale", "agents/ada")]


def test_a_broken_file_is_told_and_the_rest_goes_on(vault: Vault) -> None:
    """One bad file is a warning."""
    made = vault.remember("The well is deep.", agent="ada")
    vault.remember("The hill is high.", agent="ada")
    (vault.path / made.path).write_bytes(b"---\ntype: mem")
    vault.store.sync()
    found = vault.status()
    assert (found.status, told(found)) == ("WARNING", [("torn", made.path)])
    assert vault.recall("hill").hits


def test_what_cannot_be_read_is_not_waiting_for_a_summary(vault: Vault) -> None:
    """Status and fsck count alike."""
    set_option(vault, "immediate_window: 1")
    first = vault.remember("The well is deep.", agent="ada").path
    vault.remember("The hill is high.", agent="ada")
    vault.remember("The sea is wide.", agent="ada")
    (vault.path / first).write_bytes(b"\xff\xfe")
    vault.store.sync()
    assert vault.status().agents[0].pending == vault.fsck().pending == 1


@pytest.mark.with_history
def test_commits_that_wait_are_told_with_the_reason(vault: Vault) -> None:
    """A person's merge comes first."""
    head = (vault.path / ".git/refs/heads/main").read_text()
    (vault.path / ".git/MERGE_HEAD").write_text(head)
    vault.remember("x", agent="ada")
    found = vault.status()
    assert found.uncommitted == 1
    assert [(p.code, p.message) for p in found.problems] == [
        ("uncommitted", "commits wait: a merge is in progress")
    ]


@pytest.mark.with_history
def test_a_missing_git_is_told_when_commits_wait(
    vault: Vault, clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Not before: a vault without git has nothing to commit."""
    vault.store.writer.repository  # noqa: B018  # opened while git was there
    head = (vault.path / ".git/refs/heads/main").read_text()
    (vault.path / ".git/MERGE_HEAD").write_text(head)
    vault.remember("x", agent="ada")
    (vault.path / ".git/MERGE_HEAD").unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    with Vault.open(vault.path, clock=clock) as again:
        assert [p.message for p in again.status().problems] == ["commits wait: there is no git"]


def test_what_is_said_of_a_broken_file_holds_where_git_has_none(vault: Vault) -> None:
    """And can be pasted into a shell; a name that is no UTF-8 cannot, and wants another one."""
    (vault.path / "notes").mkdir()
    (vault.path / "notes/bad nut.md").write_bytes(b"\xff nut\n")
    Path(os.fsdecode(os.fsencode(vault.path) + b"/notes/caf\xe9.md")).write_text("x\n")
    (vault.path / "notes/a link.md").symlink_to(vault.path)
    assert {p.message: p.repair for p in vault.status().problems} == {
        "byte 0 is not UTF-8 (invalid start byte)": "save it as UTF-8, or restore it with "
        "`git checkout -- 'notes/bad nut.md'` if git has it",
        "a name that vaultmem cannot read, which is neither read through nor written": (
            "give it a name in UTF-8, or move it out of the vault"
        ),
        "a symbolic link, which is neither read through nor written": "move it out of the vault; "
        "if git has a file there, `git checkout -- 'notes/a link.md'` brings it back",
    }


def test_a_link_is_told(vault: Vault, tmp_path: Path) -> None:
    """It is not followed."""
    (vault.path / "odd.md").symlink_to(tmp_path)
    assert told(vault.status()) == [("link", "odd.md")]


def test_a_failed_disk_is_told(vault: Vault) -> None:
    """Every write is refused until a person looked."""
    vault.remember("x", agent="ada")
    (vault.path / ".vaultmem/read-only").touch()
    found = vault.status()
    assert (found.status, told(found)) == ("ERROR", [("read-only", ".vaultmem/read-only")])


def test_status_reads_no_memory_that_it_has_seen_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`tests/bench/run.py` says what it takes with ten thousand of them."""
    noon = datetime(2026, 11, 20, tzinfo=UTC)
    create.create(tmp_path / "v", lambda: noon, with_git=False)
    folder = tmp_path / "v/agents/ada/memories/2024/03"
    folder.mkdir(parents=True)
    for n in range(100):
        path = folder / f"20240301-000000-fact-{n:06d}.md"
        path.write_text(
            f"---\nid: 01J5XK3M9QZ7V4T8R2N6{n:06d}\ntype: memory\n"
            f"created: 2024-03-01T00:00:00Z\n---\nFact {n}.\n"
        )
    let_rest(folder.iterdir())  # what has rested is trusted by its stamp
    opened = list[str]()
    real = os.open

    def note(path: str, *args: int, dir_fd: int | None = None) -> int:
        opened.append(str(path))
        return real(path, *args, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", note)
    with Vault.open(tmp_path / "v", clock=lambda: noon) as vault:
        vault.status()
    assert len([p for p in opened if "-fact-" in p]) == 100
    opened.clear()
    with Vault.open(tmp_path / "v", clock=lambda: noon) as vault:
        assert vault.status().agents[0].memories == 100
    assert [p for p in opened if "-fact-" in p] == []


@pytest.mark.parametrize(("path", "kind", "way"), [
    ("summaries/recent-20261120-101500.md", "summary\ntier: recent", "compact --redo-degraded"),
    ("episodes/episode-0001-hens.md", "episode", "fold --redo-degraded"),
])  # fmt: skip
def test_what_stands_in_a_models_place_is_named_with_the_command_that_asks_again(
    vault: Vault, path: str, kind: str, way: str
) -> None:
    """Each kind of file has its own."""
    target = vault.path / "agents/ada" / path
    target.parent.mkdir(parents=True)
    target.write_text(f"---\ntype: {kind}\nagent: ada\ndegraded: 'away: no answer'\n---\nHens.\n")
    vault.store.sync()
    (problem,) = [p for p in vault.status().problems if p.code == "fallback"]
    assert problem.path == f"agents/ada/{path}"
    assert problem.message == "1 written offline as a fallback for a model: away: no answer"
    assert way in problem.repair


def test_status_says_who_writes_why_and_what_it_cost(vault: Vault) -> None:
    """Budgets beside what is spent of them."""
    said = vault.status().summarizer
    assert (said.backend, said.missing) == ("extractive", "")
    assert said.why == "config/profiles/summarizer.md says so"
    assert (said.calls_last_hour, said.tokens_last_day) == (0, 0)
    assert said.max_llm_calls_per_hour > 0 < said.max_tokens_per_day


@pytest.mark.with_history
def test_what_waits_for_a_person_is_counted(vault: Vault) -> None:
    """A dream, a claim against what a user said, a clipping."""
    assert vault.status().inbox == WaitingCounts(0, 0, 0, 0)
    vault.remember("The ferry takes 40 minutes.", agent="ada", source="web")
    said = Patch(
        {"city": "Lyon"}, person="Sarah", relationship="daughter",
        backstory="Said at the school.", source="user",
    )  # fmt: skip
    vault.cards.set("family/sarah", said)
    vault.cards.set("family/sarah", Patch({"city": "Nice"}, source="web"))
    topic = vault.path / "topics/deploy.md"
    topic.parent.mkdir(exist_ok=True)
    topic.write_text("---\ntype: topic\ntitle: Deploy\n---\n- See [[gone-forever]].\n")
    vault.dream()
    assert vault.status().inbox == WaitingCounts(dreams=1, disagreements=1, reviews=1, conflicts=0)
    vault.dreams.apply(everything=True)
    assert vault.status().inbox == WaitingCounts(dreams=0, disagreements=1, reviews=1, conflicts=0)


@pytest.mark.with_history
def test_a_lock_that_a_dead_process_of_ours_left_is_told_and_cleared(vault: Vault) -> None:
    lock = vault.path / ".git/index.lock"
    lock.write_text(f"vaultmem {os.uname().nodename} {boot_id()} 999999999 1\n")
    assert told(vault.status()) == [("left-lock", ".git/index.lock")]
    assert not lock.exists()
    assert told(vault.status()) == []


@pytest.mark.with_history
def test_a_lock_of_another_git_is_left_alone_and_told_while_commits_wait(vault: Vault) -> None:
    lock = vault.path / ".git/index.lock"
    lock.write_bytes(b"DIRC theirs")
    os.utime(lock, (vault.store.clock().timestamp() - 754,) * 2)
    assert told(vault.status()) == []
    assert vault.remember("The well is deep.", agent="ada").commit is None
    (problem,) = vault.status().problems
    assert (problem.code, problem.message) == (
        "uncommitted", "commits wait: .git/index.lock belongs to another git process, 0:12:34 old"
    )  # fmt: skip
    assert problem in vault.fsck().problems
    assert lock.read_bytes() == b"DIRC theirs"
    lock.unlink()
    assert vault.remember("The moon is far.", agent="ada").commit
    assert (told(vault.status()), vault.status().uncommitted) == ([], 0)


@pytest.mark.long
def test_a_transcript_of_gigabytes_is_told_of_and_never_held_whole_nor_looked_through_twice(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line without an end is the worst: whoever looks for its beginning reads all of it."""
    sessions, size = vault.path / "agents/ada/sessions", 1 << 30
    sessions.mkdir(parents=True)
    with (sessions / "talk.jsonl").open("wb") as file:
        file.truncate(size)  # a hole, which takes no room
    tracemalloc.start()
    health = vault.status()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    asked: list[int] = []
    whole = os.pread

    def counted(fd: int, length: int, offset: int) -> bytes:
        asked.append(length)
        return whole(fd, length, offset)

    monkeypatch.setattr(os, "pread", counted)
    assert vault.status().problems == health.problems
    vault.remember("The van is red.", agent="ada")
    assert told(health) == [("large", "agents/ada/sessions/talk.jsonl")]
    assert health.status == "WARNING"
    assert health.problems[0].message.startswith("it has 1.1 GB")
    assert peak < size >> 4
    assert sum(asked) < size >> 10
