"""Sessions as they are lived: turns on disk, compacts when due, going on after a restart."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.at_rest import let_rest
from tests.cases import rarely
from tests.summarizers import Silent
from tests.work import folders_opened
from vaultmem import Vault
from vaultmem.config import Config
from vaultmem.documents.bodies import (
    Decision,
    Eliminated,
    SessionCompact,
    ToolResult,
    markdown,
    prompt_blocks,
)
from vaultmem.errors import BadInput, ModelAway, Refused, SecretFound, SwitchedOff
from vaultmem.memory import session_compacts, session_status
from vaultmem.memory.compaction.runner import Wanted
from vaultmem.memory.folding import runner as folding_runner
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import CompactTask, Made
from vaultmem.storage import transcripts
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history

GITHUB = "ghp_" + "a1B2c3D4" * 5
WHOLE = SessionCompact(
    "Move billing to Postgres.", "The backfill is half done.",
    (Decision("Use optimistic locking.", "There is no SELECT FOR UPDATE.", "MySQL is readable."),),
    (Eliminated("Polling every 5 s.", "Rate limits."),), ("Who owns the cutover?",),
    ("Finish the backfill.",), (ToolResult("row_count", "48213 rows"),), 0,
)  # fmt: skip


class Scribe(Extractive):
    """A summarizer whose compacts say *value*, and that remembers what it was given."""

    def __init__(self, value: SessionCompact = WHOLE) -> None:
        """Say *value*."""
        self.value, self.given = value, list[CompactTask]()
        self.during: Callable[[], object] = int

    def compact(self, task: CompactTask) -> Made[SessionCompact]:
        """Return the value, after what happens meanwhile."""
        self.given.append(task)
        self.during()
        return Made(self.value, "scribe-1", "compact-1")


def set_option(vault: Vault, line: str) -> None:
    """Set one option of the config."""
    path, key = vault.path / "config/memory_compaction.md", line.partition(":")[0]
    path.write_text(re.sub(rf"(?m)^{key}:.*$", line, path.read_text()))


def talk(vault: Vault, count: int, session: str = "bill") -> session_status.SavedTurn:
    """Say *count* turns; return where that leaves the session."""
    for n in range(count):
        last = vault.say(session, f"We pay bill number {n}.", agent="ada")
    return last


def run_git(vault: Vault, *args: str) -> str:
    """Return what git prints, as a person runs it in the vault."""
    done = subprocess.run(
        ["git", *args], cwd=vault.path, capture_output=True, text=True, check=True
    )
    return done.stdout


def compact_file(vault: Vault) -> Path:
    """Return the file of the compact."""
    return vault.path / "agents/ada/sessions/bill.compact.md"


# --- saying ---------------------------------------------------------------------------------------


def test_a_turn_is_on_disk_when_it_is_said(vault: Vault) -> None:
    """With its number, role, speaker, tool and time; nothing else is written."""
    vault.say("bill", "How many rows?", agent="ada", speaker="Ann")
    said = vault.say("bill", "48213\nrows", agent="ada", role="tool", tool="psql")
    assert (said.turn, said.path, said.due) == (2, "agents/ada/sessions/bill.jsonl", "")
    first, second = map(json.loads, (vault.path / said.path).read_text().splitlines())
    assert first == {
        "turn": 1, "session": "bill", "role": "user", "speaker": "Ann",
        "at": "2026-11-20T10:15:00Z", "content": "How many rows?",
    }  # fmt: skip
    assert (second["role"], second["tool"], second["content"]) == ("tool", "psql", "48213\nrows")


@pytest.mark.parametrize(
    "session", ["Team/Mtg 1", "team/mtg 1", "会议", "会話", "../../etc", "CON"]
)
def test_no_name_of_a_session_leaves_its_folder_or_meets_another(
    vault: Vault, session: str
) -> None:
    """Slashes, other scripts, and names that differ in case alone."""
    others = ["team-mtg-1", "TEAM/MTG 1", "会", "etc", "con"]
    for name in (session, *others):
        assert vault.say(name, f"This is {name}.", agent="ada").turn == 1
    folder = vault.path / "agents/ada/sessions"
    assert len(list(folder.iterdir())) == 6
    found = vault.session(session, agent="ada").transcript
    assert (found.session, found.turns[0].content) == (session, f"This is {session}.")


def test_two_agents_may_have_a_session_of_one_name(vault: Vault) -> None:
    """They are two."""
    vault.say("bill", "Mine.", agent="ada")
    assert vault.say("bill", "Mine too.", agent="bob").turn == 1
    assert [s.transcript.agent for s in vault.sessions()] == ["ada", "bob"]


@pytest.mark.parametrize("role", ["", "boss", "User"])
def test_a_role_that_is_none_is_refused(vault: Vault, role: str) -> None:
    """The four are named."""
    with pytest.raises(BadInput, match="use one of user, assistant, tool, system"):
        vault.say("bill", "Hello.", role=role, agent="ada")
    assert not (vault.path / "agents").exists()


@pytest.mark.parametrize("text", ["", " \n", "<private>all of it</private>"])
def test_a_turn_that_says_nothing_is_refused(vault: Vault, text: str) -> None:
    """So is one that is all private."""
    with pytest.raises(BadInput, match="nothing was said"):
        vault.say("bill", text, agent="ada")


def test_a_name_is_needed_and_only_tools_have_tools(vault: Vault) -> None:
    """Mistakes that are easily made."""
    with pytest.raises(BadInput, match="needs a name"):
        vault.say(" ", "Hello.", agent="ada")
    with pytest.raises(BadInput, match="only a turn of the role tool"):
        vault.say("bill", "Hello.", tool="psql", agent="ada")


def test_a_credential_is_refused_wherever_it_stands(vault: Vault) -> None:
    """In the text, and in every name."""
    for session, text, speaker, tool in (
        ("bill", f"The key is {GITHUB}.", "", ""),
        (GITHUB, "Hello.", "", ""),
        ("bill", "Hello.", GITHUB, ""),
        ("bill", "Hello.", "", GITHUB),
    ):
        with pytest.raises(SecretFound):
            vault.say(session, text, role="tool", agent="ada", speaker=speaker, tool=tool)
    assert not (vault.path / "agents").exists()


def test_a_credential_may_be_blanked_out(vault: Vault) -> None:
    """The turn is kept without it."""
    vault.say("bill", f"The key is {GITHUB}.", agent="ada", redact=True)
    assert vault.session("bill", agent="ada").window[0].content == (
        "The key is [REDACTED:github-token]."
    )


def test_a_switched_off_agent_or_session_keeps_nothing(vault: Vault) -> None:
    """Said as an error, not in silence."""
    set_option(vault, "disabled_agents: [eve]")
    set_option(vault, "disabled_sessions: [secret]")
    with pytest.raises(SwitchedOff):
        vault.say("bill", "Hello.", agent="eve")
    with pytest.raises(SwitchedOff):
        vault.say("secret", "Hello.", agent="ada")
    assert not (vault.path / "agents").exists()


@pytest.mark.with_history
def test_many_turns_are_committed_together(vault: Vault) -> None:
    """A commit each would be one a second."""
    talk(vault, 3)
    assert vault.status().uncommitted == 3
    vault.end_session("bill", agent="ada")
    assert vault.status().uncommitted == 0


def test_to_end_what_was_told_of_looks_into_no_folder_that_rests(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process that begins: only who folds looks at what files say."""
    at = vault.store.clock()
    old = vault.remember("The heron eats.", agent="ada", at=at - timedelta(days=300)).path
    vault.say("s", "The heron eats at noon.", agent="ada")
    vault.end_session("s", agent="ada")
    let_rest((vault.path / old).parents[:3])  # a folder that was just written is looked at again
    vault.status()
    opened = folders_opened(monkeypatch)
    with Vault.open(vault.path, clock=vault.store.clock) as begun:
        begun.end_session("s", agent="ada")
    assert not [it for it in opened if it.startswith("agents/ada/memories/")]


def test_a_session_ends_once(vault: Vault) -> None:
    """And may be taken up again all the same."""
    talk(vault, 2)
    assert vault.end_session("bill", agent="ada").turn == 3
    assert vault.end_session("bill", agent="ada").turn == 3
    assert vault.session("bill", agent="ada").over
    vault.say("bill", "One more thing.", agent="ada")
    assert not vault.session("bill", agent="ada").over


# --- due ------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_compact_is_due_at_turn_forty_and_again_forty_later(vault: Vault) -> None:
    """Counted from the last one."""
    set_option(vault, "session_strategy: compact")
    assert talk(vault, 39).due == ""
    assert talk(vault, 1).due == "turns"
    vault.compact_session("bill", agent="ada")
    assert talk(vault, 39).due == ""
    assert talk(vault, 1).due == "turns"


def test_a_compact_is_due_when_seventy_percent_of_the_window_are_used(vault: Vault) -> None:
    """By the provider's count, cached tokens included, or by our own estimate."""
    set_option(vault, "context_window: 1000")
    assert vault.say("bill", "Hello.", agent="ada", tokens=700).due == ""
    assert vault.say("bill", "Hello.", agent="ada", tokens=701).due == "tokens"
    said = vault.say("bill", "many words " * 500, agent="ada")
    assert said.due == "tokens"
    assert said.tokens > 700


def test_a_compact_is_due_where_a_phase_ends_until_it_is_made(vault: Vault) -> None:
    """When the caller says so; whoever says the next turn need not know of it."""
    assert vault.say("bill", "Done.", agent="ada", phase=True).due == "phase"
    assert vault.say("bill", "Next.", agent="ada").due == "phase"
    vault.compact_session("bill", agent="ada")
    assert vault.say("bill", "And on.", agent="ada").due == ""


def test_the_config_says_when_a_compact_is_due_and_is_read_again_by_each_turn(vault: Vault) -> None:
    """By turns and by tokens, of which a percentage fills the window."""
    assert talk(vault, 3).due == ""
    set_option(vault, "compact_after_turns: 4")
    assert talk(vault, 1).due == "turns"
    set_option(vault, "compact_after_turns: 400")
    set_option(vault, "context_window: 1000")
    assert vault.say("bill", "Hello.", agent="ada", tokens=300).due == ""
    set_option(vault, "compact_at_percent: 25")
    assert vault.say("bill", "Hello.", agent="ada", tokens=300).due == "tokens"


def since(
    turns: int, *counts: int, compacted: int = 0, phase: bool = False
) -> session_status.Since:
    """Return so many turns, the last ones with their *counts* of the context."""
    said = (*(0 for _ in range(turns - len(counts))), *counts)
    made = tuple(
        Turn("user", "Pay.", context_tokens=n, phase=phase and i == len(said))
        for i, n in enumerate(said, 1)
    )
    return session_status.Since(made, compacted, 0)


@pytest.mark.parametrize(("it", "why"), [
    (since(2, 999, compacted=2, phase=True), ""),
    (since(1, 701, phase=True), "tokens"),
    (since(39, 700), ""),
    (since(41, compacted=1, phase=True), "turns"),
    (since(41, 690, 690, compacted=40, phase=True), "phase"),
])  # fmt: skip
def test_without_a_new_turn_nothing_is_due(it: session_status.Since, why: str) -> None:
    """Tokens come before turns, turns before phases."""
    assert session_status.due(it, "compact", Config(context_window=1000)) == why


def test_a_context_that_stays_full_needs_a_compact_only_once_it_has_grown() -> None:
    """One that was emptied and is full again needs it at once."""
    for counts, why in (((720,), ""), ((760,), ""), ((780,), "tokens"), ((300, 710), "tokens")):
        it = since(2 + len(counts), 720, *counts, compacted=2)
        assert session_status.due(it, "compact", Config(context_window=1000)) == why


@pytest.mark.with_history
@pytest.mark.parametrize(
    ("turns", "why"), [(3, "phase"), *rarely((3, "tokens"), (60, "tokens"), (60, "phase"))]
)
def test_what_a_turn_made_due_is_made_by_the_next_round(folder: Path, turns: int, why: str) -> None:
    """Though another process takes it, other turns follow, and the session is folded."""
    with Vault.open(folder) as vault:
        talk(vault, turns)
        full = 141_000 if why == "tokens" else 0
        said = vault.say("bill", "Paid.", agent="ada", tokens=full, phase=why == "phase")
        assert said.due == why
        assert vault.say("bill", "Then May.", agent="ada").due == why
    with Vault.open(folder) as vault:
        vault.tick()
        assert f"Compacted at turn {turns + 2}." in compact_file(vault).read_text()
        vault.tick()
        history = vault.log()
    assert sum("compact of bill" in operation.subject for operation in history) == 1


def test_a_round_compacts_the_sessions_that_are_due(vault: Vault) -> None:
    """Those that last; a folded one has its episodes."""
    talk(vault, 40)
    talk(vault, 39, "short")
    vault.tick()
    assert [p.name for p in (vault.path / "agents/ada/sessions").glob("*.md")] == [
        "bill.compact.md"
    ]


@pytest.mark.long
def test_a_compact_older_than_the_episodes_is_no_state_until_it_is_made_anew(
    folder: Path,
) -> None:
    """The newest turns and the episodes are; MEMORY.md follows."""
    scribe = Scribe()
    with Vault.open(folder, summarizer=scribe) as vault:
        talk(vault, 40)
        vault.tick()
        assert vault.session("bill").compact
        talk(vault, 9)
        folding_runner.run(vault.store, "ada", scribe, Wanted(force=True))
        found = vault.session("bill")
        assert (found.compact, found.episodes[-1].turn_end) == (None, 49)
        scribe.value = replace(WHOLE, task="Pay by card.")
        vault.tick()
        made = vault.session("bill").compact
        assert made
        assert (made.task, made.compacted_at_turn) == ("Pay by card.", 49)
        assert "Pay by card." in (vault.path / "MEMORY.md").read_text()
        assert "Move billing" not in (vault.path / "MEMORY.md").read_text()


@pytest.mark.long
def test_a_session_that_is_folded_as_it_goes_on_keeps_its_compact_current(vault: Vault) -> None:
    """Long after the fifty turns from which on it is folded."""
    talk(vault, 40)
    vault.tick()
    talk(vault, 100)
    found = vault.session("bill")
    assert found.compact
    assert found.compact.compacted_at_turn >= found.episodes[-1].turn_end


def test_a_compact_of_a_session_that_ended_is_made_anew_once(folder: Path) -> None:
    """When its last episode told of more; the turn that ends it is nothing more."""
    scribe = Scribe()
    with Vault.open(folder, summarizer=scribe) as vault:
        for session in ("bill", "rent"):
            talk(vault, 3, session)
            vault.compact_session(session, agent="ada")
        talk(vault, 2)
        for session in ("bill", "rent"):
            vault.end_session(session, agent="ada")
        vault.tick()
        assert [task.turn for task in scribe.given] == [3, 3, 6]
        assert "Compacted at turn 6." in compact_file(vault).read_text()


def test_a_compact_that_a_person_must_look_at_keeps_no_round_from_the_others(
    vault: Vault,
) -> None:
    talk(vault, 40)
    talk(vault, 40, "rent")
    vault.compact_session("bill")
    compact_file(vault).write_bytes(b"\xff\0")
    vault.tick()
    assert (vault.path / "agents/ada/sessions/rent.compact.md").is_file()
    assert compact_file(vault).read_bytes() == b"\xff\0"


# --- compacting -----------------------------------------------------------------------------------


@pytest.mark.with_history
def test_a_compact_is_merged_not_stacked(folder: Path) -> None:
    """The second one is made of the first and of the turns since."""
    scribe = Scribe()
    with Vault.open(folder, summarizer=scribe) as vault:
        talk(vault, 3)
        done, commit = vault.compact_session("bill", agent="ada")
        assert (done.made.value.compacted_at_turn, bool(commit)) == (3, True)
        talk(vault, 2)
        vault.compact_session("bill", agent="ada")
        first, second = scribe.given
        assert (first.prior, len(first.turns), first.turn) == (None, 3, 3)
        assert second.prior == markdown.parse_compact(markdown.render_compact(done.made.value))
        assert (len(second.turns), second.turn) == (2, 5)
        assert compact_file(vault).read_text().count("## Task") == 1


def test_a_compact_and_an_episode_say_how_true_and_how_complete_they_are(vault: Vault) -> None:
    """As summaries do, whoever made them."""
    vault.say("bill", "Mara decided on the Calda on 3 May because it costs 2310.", agent="ada")
    vault.compact_session("bill")
    vault.end_session("bill")
    (episode,) = vault.session("bill").episodes
    for path in ("agents/ada/sessions/bill.compact.md", episode.path):
        said = vault.post(path).metadata
        assert said["faithfulness"] == "1.0"
        assert 0.5 < float(str(said["coverage"])) <= 1.0


def test_a_compact_is_not_made_again_without_a_new_turn(folder: Path) -> None:
    """Nobody is asked, nothing is written, and what there is comes back whole."""
    scribe = Scribe()
    with Vault.open(folder, summarizer=scribe) as vault:
        talk(vault, 3)
        done, _ = vault.compact_session("bill", agent="ada")
        before = compact_file(vault).read_bytes()
        again, commit = vault.compact_session("bill", agent="ada")
        assert (again.made.value, again.made.model, commit) == (done.made.value, "scribe-1", "")
        assert compact_file(vault).read_bytes() == before
        assert len(scribe.given) == 1


def test_a_persons_edit_of_a_compact_is_taken_up(folder: Path) -> None:
    """It is what the next one starts from; a section of their own stays byte for byte."""
    scribe = Scribe()
    with Vault.open(folder, summarizer=scribe) as vault:
        talk(vault, 3)
        vault.compact_session("bill", agent="ada")
        path = compact_file(vault)
        mine = "\n## Ann's notes\nAsk *Bob*  first.\n\n- he knows\n"
        path.write_text(path.read_text().replace("Rate limits.", "It woke Bob.") + mine)
        for _ in range(2):
            talk(vault, 1)
            vault.compact_session("bill", agent="ada")
        prior = scribe.given[1].prior
        assert prior
        assert prior.eliminated_approaches == (Eliminated("Polling every 5 s.", "It woke Bob."),)
        assert path.read_text().endswith(mine)
        assert path.read_text().count("Ann's notes") == 1


class Away(Silent):
    """A model that says *value* in words of the turns, once it is there."""

    name = "away"

    def __init__(self) -> None:
        """Be away."""
        self.there = False

    def compact(self, task: CompactTask) -> Made[SessionCompact]:
        """Return a compact that is true to its turns."""
        if not self.there:
            raise ModelAway(self.name, "no answer")
        said = [turn.content for turn in task.turns]
        return Made(SessionCompact(said[0], said[-1]), "model-1", "compact-1")


def test_a_compact_made_without_the_model_is_bettered_when_it_is_back(folder: Path) -> None:
    """Unless a person has had a hand in it."""
    away = Away()
    with Vault.open(folder, summarizer=away) as vault:
        talk(vault, 3)
        done, _ = vault.compact_session("bill", agent="ada")
        assert done.made.degraded.startswith("away:")
        path, text = compact_file(vault), compact_file(vault).read_text()
        away.there = True
        path.write_text(text.replace("## Task\n", "## Task\nAnn says: "))
        assert vault.compact_session("bill", agent="ada")[0].made.degraded
        path.write_text(text)
        done, _ = vault.compact_session("bill", agent="ada")
        assert (done.made.model, done.made.degraded) == ("model-1", "")
        assert "degraded:" not in path.read_text()


def test_a_compact_is_made_again_when_the_ground_moved_and_nobody_is_asked_twice(
    folder: Path,
) -> None:
    """Another process wrote MEMORY.md while the model was thinking."""
    scribe = Scribe()

    def meanwhile() -> None:
        with Vault.open(folder, summarizer=Extractive()) as other:
            talk(other, 2, "else")
            other.compact_session("else", agent="ada")

    scribe.during = meanwhile
    with Vault.open(folder, summarizer=scribe) as vault:
        talk(vault, 3)
        vault.compact_session("bill", agent="ada")
        assert len(scribe.given) == 1
        pointers = (vault.path / "MEMORY.md").read_text()
        assert "bill.compact.md" in pointers
        assert "else.compact.md" in pointers


@pytest.mark.parametrize("way", ["system", "message"])
def test_restoring_drops_no_field(folder: Path, way: prompt_blocks.Way) -> None:
    """After a restart, from the file alone."""
    with Vault.open(folder, summarizer=Scribe()) as vault:
        talk(vault, 12)
        vault.compact_session("bill", agent="ada")
    with Vault.open(folder) as vault:
        found = vault.session("bill", agent="ada").compact
        assert found
        text = prompt_blocks.restore(found, "bill", way)
    for part in ("Postgres", "half done", "optimistic locking", "SELECT FOR UPDATE", "readable",
                 "Polling every 5 s", "Rate limits", "cutover", "Finish", "48213 rows",
                 "turn 12", "row_count"):  # fmt: skip
        assert part in text


def test_a_session_is_restored_below_the_own_system_prompt_or_as_a_message(folder: Path) -> None:
    with Vault.open(folder, summarizer=Scribe()) as vault:
        talk(vault, 3)
        with pytest.raises(BadInput, match="no compact that is up to date"):
            vault.sessions.restore("bill")
        made, _ = vault.compact_session("bill")
        block = prompt_blocks.restore(made.made.value, "bill", "system")
        assert vault.sessions.restore("bill") == block
        system = vault.sessions.restore("bill", base_system="You are ada.\n")
        assert system == f"You are ada.\n\n{block}"
        message = vault.sessions.restore("bill", as_="message")
        assert message == prompt_blocks.restore(made.made.value, "bill", "message")
        with pytest.raises(BadInput, match="no base prompt"):
            vault.sessions.restore("bill", base_system="You are ada.", as_="message")


def test_an_empty_transcript_has_nothing_to_compact(vault: Vault) -> None:
    """Nor has a session that is none."""
    with pytest.raises(BadInput, match="has no session 'bill'"):
        vault.compact_session("bill")
    empty = transcripts.Transcript("agents/ada/sessions/x.jsonl", "ada", "x", (), 0)
    with pytest.raises(BadInput, match="no turn yet"):
        session_compacts.compact(vault.store, empty, vault.summarizer)


# --- going on -------------------------------------------------------------------------------------


def test_after_a_restart_the_newest_turns_stand_for_themselves(folder: Path) -> None:
    """Twenty at least, and all that nothing else tells of."""
    with Vault.open(folder) as vault:
        set_option(vault, "session_strategy: fold")
        talk(vault, 45)
    with Vault.open(folder) as vault:
        found = vault.session("bill", agent="ada")
    assert [(e.turn_start, e.turn_end) for e in found.episodes] == [(1, 10), (11, 20), (21, 30)]
    assert (found.first, len(found.window)) == (26, 20)
    assert found.window[-1].content == "We pay bill number 44."


def test_the_config_says_how_many_turns_stand_after_a_restart(vault: Vault) -> None:
    """All of a smaller window, though the episodes tell of more."""
    for line in ("session_strategy: fold", "session_window_turns: 6"):
        set_option(vault, line)
    talk(vault, 10)
    found = vault.session("bill", agent="ada")
    assert [(e.turn_start, e.turn_end) for e in found.episodes] == [(1, 3), (4, 6)]
    assert (found.first, len(found.window)) == (5, 6)


def test_what_no_compact_tells_of_yet_is_in_the_window(vault: Vault) -> None:
    """A long session under `auto`, compacted at turn ten."""
    talk(vault, 10)
    vault.compact_session("bill", agent="ada")
    talk(vault, 28)
    found = vault.session("bill", agent="ada")
    assert (found.first, len(found.window)) == (11, 28)
    assert found.compact
    assert found.compact.compacted_at_turn == 10


def test_a_session_begins_with_its_first_turn(vault: Vault) -> None:
    """Starting one writes nothing; without a name it is called by the time."""
    begun = vault.start_session(agent="ada")
    assert begun.transcript.session == "session-20261120-101500"
    assert not (vault.path / "agents").exists()
    vault.say(begun.transcript.session, "Hello.", agent="ada")
    assert len(vault.start_session(begun.transcript.session, agent="ada").window) == 1


def test_sessions_are_listed_the_newest_first(vault: Vault, clock: Callable[[], datetime]) -> None:
    """By when they were last heard of."""
    for name in ("one", "two", "one"):
        vault.say(name, "Hello.", agent="ada")
        clock.advance(minutes=5)  # type: ignore[attr-defined]
    assert [s.transcript.session for s in vault.sessions()] == ["one", "two"]


def test_a_line_that_a_crash_tore_counts_as_a_turn_that_says_nothing(vault: Vault) -> None:
    """The numbers of the others stay."""
    talk(vault, 3)
    path = vault.path / "agents/ada/sessions/bill.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + '{"turn": 2, "ro\n' + lines[2])
    assert talk(vault, 1).turn == 4
    vault.fold("ada", force=True)
    assert [e.turn_end for e in vault.session("bill", agent="ada").episodes] == [4]


# --- what people and accidents do -----------------------------------------------------------------


def test_a_turn_is_said_once_though_its_compact_cannot_be_read(vault: Vault) -> None:
    """Whoever hears of a failure says it again; who wants the compact hears which file it is."""
    talk(vault, 3)
    vault.compact_session("bill")
    compact_file(vault).write_bytes(b"\xff\0")
    assert vault.say("bill", "We pay in May.").turn == 4
    with pytest.raises(Refused, match=r"bill\.compact\.md: .*fix it by hand"):
        vault.compact_session("bill")


@pytest.mark.with_history
def test_what_a_person_wrote_into_a_compact_is_in_git_before_it_is_told_anew(vault: Vault) -> None:
    """At once, though it has not rested."""
    talk(vault, 3)
    vault.compact_session("bill")
    path = compact_file(vault)
    path.write_text(
        path.read_text().replace("## Current state\n", "## Current state\nBy hand: red.\n")
    )
    talk(vault, 1)
    vault.compact_session("bill")
    history = subprocess.run(
        ["git", "-C", str(vault.path), "log", "--format=%s", "-SBy hand: red."],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "human: edit agents/ada/sessions/bill.compact.md" in history


@pytest.mark.long
@pytest.mark.with_history
def test_a_compact_with_a_private_part_keeps_what_a_person_wrote(vault: Vault) -> None:
    talk(vault, 3)
    vault.compact_session("bill")
    path = compact_file(vault)
    said = "## Current state\nBy hand: red.\n<private>pin 1234</private>\n"
    path.write_text(path.read_text().replace("## Current state\n", said))
    before = path.read_text()
    talk(vault, 60)
    with pytest.raises(Refused, match="marked private, which is not committed"):
        vault.compact_session("bill")
    vault.tick()
    assert path.read_text() == before


def test_a_session_is_found_by_its_name_and_told_apart_by_its_agent(vault: Vault) -> None:
    """One named without an agent goes on where it is."""
    talk(vault, 1)
    vault.remember("Something else.", agent="bea")
    assert vault.say("bill", "We pay in May.").path == "agents/ada/sessions/bill.jsonl"
    vault.say("bill", "Mine.", agent="bea")
    with pytest.raises(BadInput, match=r"name one \(`agent=NAME`\): ada, bea"):
        vault.say("bill", "Whose?")


@pytest.mark.with_history
def test_a_turn_behind_an_old_copy_is_in_order_once_the_advice_was_followed(vault: Vault) -> None:
    path = vault.path / talk(vault, 3).path
    vault.tick()
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    vault.say("bill", "We pay in May.")
    vault.tick()
    assert [p.code for p in vault.fsck().problems] == ["cut-transcript"]
    run_git(vault, "checkout", "--", str(path.relative_to(vault.path)))
    assert vault.fsck().ok
    assert path.read_text().splitlines()[-1].startswith('{"turn": 4')


@pytest.mark.with_history
def test_lines_that_were_put_in_order_by_hand_are_sound_and_get_into_git(vault: Vault) -> None:
    path = vault.path / talk(vault, 4).path
    vault.tick()
    path.write_text('{"turn": 2'.join(path.read_text().rsplit('{"turn": 4', 1)))
    run_git(vault, "commit", "-qam", "mine")
    assert [p.code for p in vault.fsck().problems] == ["bad-turn"]
    path.write_text('{"turn": 4'.join(path.read_text().rsplit('{"turn": 2', 1)))
    assert vault.fsck().ok
    os.utime(path, (0, 0))
    vault.tick()
    assert vault.fsck().ok
    assert run_git(vault, "show", f"HEAD:{path.relative_to(vault.path)}") == path.read_text()
    assert run_git(vault, "log", "-1", "--format=%s").startswith("human: edit agents/ada/sessions")


@pytest.mark.long
@pytest.mark.with_history
@pytest.mark.parametrize(
    "bad", ['{"turn": 2, "se\n', '{"turn": 2, "session": "hill", "role": "x", "content": "Hi"}\n']
)
def test_a_line_that_nobody_could_read_or_of_another_session_may_go(vault: Vault, bad: str) -> None:
    path = vault.path / talk(vault, 1).path
    path.write_text(path.read_text() + bad)
    os.utime(path, (0, 0))
    vault.tick()
    assert [p.code for p in vault.fsck().problems] == ["bad-turn"]
    path.write_text(path.read_text().replace(bad, ""))
    os.utime(path, (0, 0))
    vault.tick()
    assert vault.fsck().ok
    assert run_git(vault, "status", "--porcelain") == ""


@pytest.mark.long
@pytest.mark.with_history
def test_turns_that_git_has_and_the_disk_has_not_are_reported_and_stay_in_git(vault: Vault) -> None:
    """A transcript is only added to: cut or changed, it is never committed so."""
    path = vault.path / talk(vault, 4).path
    vault.tick()
    whole = path.read_text()
    for less in ("".join(whole.splitlines(keepends=True)[:2]), whole.replace("bill", "hill")):
        path.write_text(less)
        os.utime(path, (0, 0))
        vault.tick()
        assert [p.code for p in vault.fsck().problems] == ["cut-transcript"]
    path.unlink()
    assert [p.code for p in vault.fsck().problems] == ["missing"]
    path.write_text(whole)
    assert vault.fsck().ok
