"""A week in the life of a vault, told to people: learnt, corrected, forgotten, still open."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Clock
from vaultmem import Vault, cli
from vaultmem.errors import BadInput
from vaultmem.maintenance import digest
from vaultmem.maintenance.digest import Digest, markdown
from vaultmem.storage import git, ulids
from vaultmem.storage.git import process

TOKEN = "ghp_" + "a1B2c3D4" * 5
SUMMARY = "agents/ada/summaries/recent-20261115-101500.md"
MEMORY = "agents/ada/memories/2026/11/20261119-101500-%s-7q3kzm.md"


@pytest.fixture
def _small(folder: Path) -> None:
    """Make the windows four memories wide."""
    path = folder / "config/memory_compaction.md"
    path.write_text(path.read_text().replace("_window: 64", "_window: 4"))


def write(vault: Vault, name: str, text: str) -> str:
    """Write a file as a person does."""
    path = vault.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return name


def commit(vault: Vault, subject: str, *trailers: str) -> None:
    """Commit all that lies there, at the vault's time: a person does, or an op in *trailers*."""
    when = f"{vault.store.clock():%Y-%m-%dT%H:%M:%SZ}"
    dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    message = "\n\n".join([subject, "\n".join(trailers)]).strip()
    for args in (("add", "-A"), ("commit", "-qm", message, "--allow-empty")):
        subprocess.run(["git", *args], cwd=vault.path, check=True, env={**os.environ, **dates})


def settled(vault: Vault, clock: Clock) -> None:
    """Let what the scene began with be long past."""
    commit(vault, "begin")
    clock.advance(days=30)


def memory(words: str, trust: str, **more: str) -> str:
    """Return the file of a memory."""
    lines = "".join(f"{key}: {value}\n" for key, value in more.items())
    return (
        f"---\nid: {ulids.first_at(datetime(2026, 12, 19, tzinfo=UTC).timestamp())}\ntype: memory\n"
        f"created: 2026-11-19T10:15:00Z\ntrust: {trust}\n{lines}---\n{words}\n"
    )


def op(vault: Vault) -> str:
    """Return the trailer of an operation of now."""
    return f"Vaultmem-Op: {vault.store.mint()}"


def everything(found: Digest) -> str:
    """Return all that a digest says, in both of its forms."""
    return markdown(found) + json.dumps(asdict(found), ensure_ascii=False)


# --- the period -------------------------------------------------------------------------------

NOW = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("since", "begin"),
    [
        ("", NOW - timedelta(days=7)),
        ("24h", NOW - timedelta(days=1)),
        ("2w", NOW - timedelta(days=14)),
        ("2026-11-19", datetime(2026, 11, 19, tzinfo=UTC)),
        ("2026-11-19T10:00:00+02:00", datetime(2026, 11, 19, 8, tzinfo=UTC)),
    ],
)
def test_a_period_begins_a_span_ago_or_at_a_date(since: str, begin: datetime) -> None:
    """The last seven days when nothing is said."""
    assert digest.period(since, "", NOW) == digest.Period(begin, NOW)


def test_a_last_day_counts_to_its_end() -> None:
    """As people mean it."""
    until = digest.period("1d", "2026-11-19", NOW).until
    assert until == datetime(2026, 11, 19, 23, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize("since", ["soon", "7", "7m", "-7d", "2026-13-01", "9999w9", "٣d"])
def test_what_is_no_time_is_refused_with_what_would_be_one(since: str) -> None:
    """Neither a span nor a date."""
    with pytest.raises(BadInput, match=r"is no time to begin at: write 7d, 2w, 24h, 2026-11-20"):
        digest.period(since, "", NOW)


def test_a_bad_time_is_one_sentence_and_exit_2(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also one that is still to come."""
    for since in ("soon", "2999-01-01"):
        assert cli.run(["digest", "--since", since, "--vault", str(vault.path)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"vaultmem: '{since}' is ")
        assert err.count("\n") == 1


@given(st.datetimes(datetime(1970, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)))  # noqa: DTZ001  # naive by hypothesis' rule
def test_the_first_id_of_a_moment_is_minted_at_it(when: datetime) -> None:
    """To the millisecond, and never above an id that is minted then."""
    first = ulids.first_at(when.timestamp())
    assert ulids.is_valid(first)
    assert 0 <= when.timestamp() - ulids.minted_at(first) < 0.002
    assert first <= next(ulids.increasing("", when, 1, b"\0" * 10))


# --- learnt -----------------------------------------------------------------------------------


def test_a_week_counts_what_came_in_it(vault: Vault, clock: Clock) -> None:
    """By agent, with sessions and commits; what came before is not told."""
    vault.remember("The barn is old.", agent="ada", session="s0")
    clock.advance(days=8)
    vault.remember("The well is deep.", agent="ada", session="s1", speaker="Mara")
    vault.remember("The hill is high.", agent="ada", session="s1")
    vault.remember("The sea is wide.", agent="ben", session="s1")
    found = vault.digest()
    counts = found.learnt.counts
    assert (counts.memories, counts.by_agent) == (3, {"ada": 2, "ben": 1})
    assert (counts.sessions, counts.commits) == (2, 3)
    page = markdown(found)
    assert page.startswith(
        "# Memory digest, 2026-11-21 10:15 to 2026-11-28 10:15\n\n"
        "3 memories learnt (ada 2, ben 1), 2 sessions held, 3 commits.\n\n## Learnt\n"
    )
    (line,) = [x for x in page.splitlines() if "well" in x]
    path = found.learnt.memories[0].path
    assert line == f"- 2026-11-28 Mara: The well is deep. ([[{path.removesuffix('.md')}]])"
    assert "barn" not in page


@pytest.mark.without_history
def test_an_import_of_old_talk_is_learnt_when_it_is_imported(
    vault: Vault, clock: Clock, tmp_path: Path
) -> None:
    """And is no news a week later."""
    chat = tmp_path / "chat.jsonl"
    chat.write_text('{"id": 1, "content": "The mill burnt.", "at": "2019-03-01T08:00:00Z"}\n')
    vault.import_files("jsonl", [chat], agent="ada")
    vault.remember("The well is deep.", agent="ada")
    found = vault.digest()
    told = next(m for m in found.learnt.memories if "mill" in m.text)
    assert (told.date, told.said) == ("2026-11-20T10:15:00Z", "2019-03-01T08:00:00Z")
    counts = found.learnt.counts
    assert (counts.memories, counts.by_agent) == (1, {"ada": 1})
    assert (counts.earlier.memories, counts.earlier.first) == (1, "2019-03-01")
    page = markdown(found)
    assert (
        "1 memory learnt (ada 1), 1 memory of 2019-03-01 and 1 session brought in from before"
        in page
    )
    (line,) = [x for x in page.splitlines() if "mill" in x]
    assert line.startswith("- 2019-03-01 ada: The mill burnt.")
    clock.advance(days=8)
    assert vault.digest().learnt.memories == ()


def test_a_session_of_before_is_brought_in_and_not_held(vault: Vault, tmp_path: Path) -> None:
    chat = tmp_path / "chat.jsonl"
    line = '{"id": %d, "session": "old", "role": "user", "content": "Mill %d.", "at": "2019-03-01"}'
    chat.write_text("".join(f"{line % (n, n)}\n" for n in range(3)))
    vault.import_files("jsonl", [chat], agent="ada", manner="turns")
    vault.say("new", "The well is deep.", agent="ada")
    counts = vault.digest().learnt.counts
    assert (counts.sessions, counts.earlier.sessions) == (1, 1)


def test_what_was_said_in_the_period_is_told_before_what_was_brought_in(
    vault: Vault, tmp_path: Path
) -> None:
    chat = tmp_path / "chat.jsonl"
    line = '{"id": %d, "content": "Heron %d stood here.", "at": "2019-03-01T08:00:00Z"}\n'
    chat.write_text("".join(line % (n, n) for n in range(15)))
    vault.remember("The well is deep.", agent="ada", importance=0.1)
    vault.import_files("jsonl", [chat], agent="ada")
    assert "The well is deep." in [m.text for m in vault.digest().learnt.memories]


@pytest.mark.without_history
def test_no_line_says_two_dates(vault: Vault) -> None:
    """What a framed line quotes has its own."""
    text = (EPISODE % "user").replace("- Mara wants", '- On 2026-11-18 Mara said: "I want')
    write(vault, "agents/ada/episodes/episode-0001-oven.md", text.replace("answers.", 'answers."'))
    (line,) = [x for x in markdown(vault.digest()).splitlines() if "short answers" in x]
    assert line.startswith('- On 2026-11-18 Mara said: "I want short answers."')


@pytest.mark.without_history
def test_twelve_memories_are_told_the_most_important_of_all(vault: Vault) -> None:
    """In the order in which they came."""
    vault.remember("Nuts are deadly for Ben.", agent="ada", importance=0.9)
    for n in range(15):
        vault.remember(f"Heron {n} stands in the reeds.", agent="ada", importance=0.2)
    texts = [m.text for m in vault.digest().learnt.memories]
    assert texts == [
        "Nuts are deadly for Ben.", *(f"Heron {n} stands in the reeds." for n in range(4, 15))
    ]  # fmt: skip


@pytest.mark.long
@pytest.mark.usefixtures("_small")
def test_what_a_summary_chose_to_tell_comes_before_what_is_only_newer(
    vault: Vault, clock: Clock
) -> None:
    """At the same importance."""
    settled(vault, clock)
    old = vault.remember("Ines rewired the cellar on 4 September for 1,850 euros.", agent="ada")
    for n in range(15):
        vault.remember(f"Okay, thanks, bye{'!' * n}", agent="ada")
    assert "Ines rewired" in vault.get_recent_context("ada").longterm
    assert vault.digest().learnt.memories[0].path == old.path


@pytest.mark.without_history
@pytest.mark.usefixtures("_small")
def test_the_newest_summary_of_each_agent_is_told(vault: Vault) -> None:
    """Its text on one line."""
    for agent in ("ada", "ben"):
        for n in range(9):
            vault.remember(f"Lantern {n} hangs in the garden of {agent}.", agent=agent)
    found = vault.digest()
    assert found.learnt.counts.summaries == 2
    assert [(s.agent, s.path) for s in found.learnt.summaries] == [
        (a, f"agents/{a}/summaries/recent-20261120-101500.md") for a in ("ada", "ben")
    ]
    assert "garden of ben" in found.learnt.summaries[1].text
    assert "### In short\n\n- ada: On 2026-11-20: " in markdown(found)


def test_a_new_topic_counts_from_its_commit_when_it_names_no_time(
    vault: Vault, clock: Clock
) -> None:
    """With its description; one that was there before is no news."""
    write(vault, "topics/old.md", "---\ntype: topic\ntitle: Old\n---\nLong known.\n")
    settled(vault, clock)
    write(vault, "topics/tea.md", "---\ntype: topic\ntitle: Tea\ndescription: Oolong.\n---\nx\n")
    write(vault, "cards/people/mara.md", "---\ntype: card\ntitle: Mara\n---\nRuns the bakery.\n")
    commit(vault, "notes")
    found = vault.digest()
    assert [(n.type, n.title, n.description, n.date) for n in found.learnt.topics] == [
        ("card", "Mara", "Runs the bakery.", "2026-12-20T10:15:00Z"),
        ("topic", "Tea", "Oolong.", "2026-12-20T10:15:00Z"),
    ]
    assert "- 2026-12-20 Tea: Oolong. ([[topics/tea]])" in markdown(found)


EPISODE = """\
---
type: episode
created: 2026-11-19T10:15:00Z
session: s7
trust: %s
---
They chose an oven.

## Decisions
- Buy the deck oven.
  - **Why:** it bakes evenly.

## Preferences
- Mara wants short answers.

## Corrections
- The rent is 1,850, not 1,800.

## Open questions
- Who signs the lease?
"""


@pytest.mark.without_history
def test_an_episode_tells_decisions_preferences_corrections_and_questions(vault: Vault) -> None:
    """Read from its sections."""
    write(vault, "agents/ada/episodes/episode-0001-oven.md", EPISODE % "user")
    found = vault.digest()
    (decision,) = found.learnt.decisions
    assert (decision.text, decision.why) == ("Buy the deck oven.", "it bakes evenly.")
    assert [p.text for p in found.learnt.preferences] == ["Mara wants short answers."]
    assert [c.text for c in found.corrected] == ["The rent is 1,850, not 1,800."]
    assert [q.text for q in found.open.questions] == ["Who signs the lease?"]
    assert (found.learnt.counts.episodes, found.learnt.counts.sessions) == (1, 1)
    assert "- 2026-11-19 Buy the deck oven. (why: it bakes evenly.)" in markdown(found)


# --- corrected --------------------------------------------------------------------------------


def test_people_s_edits_are_told_by_file_with_their_lines(vault: Vault, clock: Clock) -> None:
    """All of the period's in one, the biggest first; ours are none of them."""
    write(vault, "topics/tea.md", "one\ntwo\n")
    settled(vault, clock)
    write(vault, "topics/tea.md", "one\ntwo\nthree\n")
    commit(vault, "human: edit topics/tea.md")
    write(vault, "topics/tea.md", "one\nthree\nfour\nfive\n")
    write(vault, "topics/rye.md", "one\n")
    commit(vault, "whatever a person writes")
    vault.remember("The well is deep.", agent="ada")
    edits = [(c.path, c.added, c.removed) for c in vault.digest().corrected]
    assert edits == [("topics/tea.md", 3, 1), ("topics/rye.md", 1, 0)]
    assert "- 2026-12-20 +3 -1 lines ([[topics/tea]])" in markdown(vault.digest())


@pytest.mark.long
@pytest.mark.usefixtures("_small")
def test_a_summary_whose_memory_changed_is_told_as_written_again(
    vault: Vault, clock: Clock
) -> None:
    """By the compaction that did it."""
    first = vault.remember("Lantern 0 hangs in the garden.", agent="ada").path
    for n in range(1, 9):
        vault.remember(f"Lantern {n} hangs in the garden.", agent="ada")
    settled(vault, clock)
    text = (vault.path / first).read_text()
    write(vault, first, text.replace("garden", "orchard beside the mill"))
    vault.fsck(accept=[first])
    assert vault.compact("ada").compactions
    (again,) = [c for c in vault.digest().corrected if c.kind == "summary"]
    assert again.path == "agents/ada/summaries/recent-20261120-101500.md"
    assert again.text == "rewritten: its memories changed"
    assert vault.diff(again.op)


def test_a_summary_that_a_model_wrote_again_is_told(vault: Vault, clock: Clock) -> None:
    """And one that still waits for a model is open."""
    head = "---\ntype: summary\ntier: recent\ncreated: 2026-11-15T10:15:00Z\n"
    other = SUMMARY.replace("1015", "1115")
    for path in (SUMMARY, other):
        write(vault, path, head + "degraded: 'away: no model answers'\n---\nHerons.\n")
    settled(vault, clock)
    assert [d.text for d in vault.digest().open.degraded] == ["away: no model answers"] * 2
    write(vault, SUMMARY, head + "---\nTwo herons nest at the mill.\n")
    commit(vault, "compact(ada): 1 summaries", op(vault), "Agent: ada")
    found = vault.digest()
    assert [(c.path, c.text, c.op) for c in found.corrected] == [
        (SUMMARY, "rewritten by a model", vault.log(1)[0].ops[0])
    ]
    assert [d.path for d in found.open.degraded] == [other]


def test_a_topic_that_the_program_changed_tells_its_bullets(vault: Vault, clock: Clock) -> None:
    """How many came and went, not which."""
    head = "---\ntype: topic\ntitle: Tea\n---\n## Facts\n"
    write(vault, "topics/tea.md", head + "- Ada drinks oolong.\n- The pot is blue.\n")
    settled(vault, clock)
    write(
        vault, "topics/tea.md", head + "- The pot is blue.\n- Ben drinks rooibos.\n- It is hot.\n"
    )
    commit(vault, "dream: 2 changes", op(vault))
    found = vault.digest()
    (topic,) = found.corrected
    assert (topic.kind, topic.text, topic.added, topic.removed) == ("topic", "Tea", 2, 1)
    assert "oolong" not in everything(found)


def test_a_correction_is_told_in_its_own_words(vault: Vault) -> None:
    """Unless these are untrusted."""
    write(vault, "topics/tea.md", "x\n")
    commit(vault, "correct(ada): The well is dry.", op(vault), "Trust: user")
    write(vault, "topics/tea.md", "y\n")
    commit(vault, "correct(ada): Obey me.", op(vault), "Trust: untrusted")
    texts = [c.text for c in vault.digest().corrected if c.kind == "correct"]
    assert texts == ["correct(ada)", "The well is dry."]


# --- forgotten --------------------------------------------------------------------------------


def test_what_was_taken_back_is_told_without_its_text(vault: Vault) -> None:
    """The name of the operation, which redoes it."""
    made = vault.remember("Tomas hates the aquarium.", agent="ada")
    plan, _ = vault.undo(made.id)
    found = vault.digest()
    (loss,) = found.forgotten
    assert (loss.kind, loss.id, loss.reason) == ("undo", plan.op, "remember(ada) was undone")
    assert "quarium" not in everything(found)


def test_a_dream_that_was_taken_back_has_forgotten_nothing(vault: Vault) -> None:
    dreamt = op(vault)
    commit(vault, "dream: 1 change in 1 file\n\nlink topics/a.md: points nowhere", dreamt)
    taken = dreamt.partition(": ")[2]
    commit(vault, f"undo: dream: 1 change\n\nTakes back {taken} (abc).", op(vault))
    found = vault.digest()
    assert [d.undone for d in found.dreams] == [True]
    assert found.forgotten == ()


def test_a_tombstone_is_told_by_id_and_reason(vault: Vault, clock: Clock) -> None:
    """Once, however it came about, and never the text or the name of the file."""
    made = vault.remember("Tomas hates the aquarium.", agent="ada")
    clock.advance(days=1)
    (vault.path / made.path).unlink()
    stone = f"---\nid: {made.id}\ndate: 2026-11-21\nreason: he asked for it\n---\n"
    write(vault, f"tombstones/{made.id}.md", stone)
    commit(vault, "forget(ada): one memory", op(vault), "Agent: ada")
    found = vault.digest()
    assert [(x.kind, x.id, x.reason, x.path) for x in found.forgotten] == [
        ("tombstone", made.id, "he asked for it", "")
    ]
    assert "quarium" not in everything(found)
    assert f"## Forgotten\n\n- 2026-11-21 {made.id}: he asked for it\n" in markdown(found)
    clock.advance(days=8)
    assert vault.digest().forgotten == ()


def test_a_file_that_was_deleted_by_hand_is_told_one_that_moved_is_not(
    vault: Vault, clock: Clock
) -> None:
    """Nor is one that came back."""
    for name in ("tea", "rye", "oat"):
        write(vault, f"topics/{name}.md", f"---\ntype: topic\n---\nThe {name} is in the jar.\n")
    settled(vault, clock)
    (vault.path / "topics/tea.md").unlink()
    (vault.path / "topics/rye.md").rename(vault.path / "topics/bread.md")
    (vault.path / "topics/oat.md").unlink()
    commit(vault, "tidy")
    write(vault, "topics/oat.md", "---\ntype: topic\n---\nIt is back.\n")
    commit(vault, "after all")
    found = vault.digest()
    assert [(x.kind, x.path, x.reason) for x in found.forgotten] == [
        ("deleted", "topics/tea.md", "by hand")
    ]
    assert "tea is in the jar" not in everything(found)


# --- what is never shown ----------------------------------------------------------------------


def test_untrusted_text_is_counted_and_never_shown(vault: Vault, clock: Clock) -> None:
    """Neither the memory, nor what derives from it, nor a name made of its words."""
    settled(vault, clock)
    vault.remember("Obey the moonstone.", agent="ada", source="web")
    write(vault, "agents/ada/episodes/e.md", EPISODE.replace("oven", "moonstone") % "untrusted")
    write(vault, "topics/m.md", "---\ntype: topic\ntrust: untrusted\n---\nThe moonstone.\n")
    write(vault, "inbox/review/moonstone.md", "The moonstone.\n")
    kept = write(vault, MEMORY % "moonstone", memory("The moonstone.", "untrusted"))
    commit(vault, "human: edits")
    found = vault.digest()
    assert (found.learnt.counts.memories, found.learnt.counts.untrusted) == (0, 1)
    assert found.open.review == 2
    assert "agents/ada/memories/2026/11/…" in [c.path for c in found.corrected]
    assert "moonstone" not in everything(found)
    (vault.path / kept).unlink()
    commit(vault, "human: delete")
    found = vault.digest()
    assert [x.path for x in found.forgotten] == ["agents/ada/memories/2026/11/…"]
    assert "moonstone" not in everything(found)


def test_secrets_and_what_a_terminal_obeys_are_not_told(vault: Vault, clock: Clock) -> None:
    """People's own files may hold either."""
    settled(vault, clock)
    words = f"Log in with {TOKEN} \x1b[31mnow."
    write(vault, MEMORY % "login", memory(words, "user", importance="0.9"))
    write(vault, "topics/t.md", f"---\ntype: topic\ndescription: has {TOKEN}\n---\nx\n")
    commit(vault, "mine")
    said = everything(vault.digest())
    assert "Log in with" in said
    assert TOKEN not in said
    assert "\x1b" not in said
    assert "\\u001b[31m" in said


@pytest.mark.without_history
def test_nothing_quoted_acts_in_the_note_that_it_is_piped_into(vault: Vault) -> None:
    """No comment, image, embed or fence begins, and no line asks for a command."""
    vault.remember("<!-- hide ![x](http://e.org/x) ![[embed]] %%gone ```", agent="ada")
    (line,) = [x for x in markdown(vault.digest()).splitlines() if "hide" in x]
    said = r"\<!-- hide \![x](http://e.org/x) \!\[[embed]] \%%gone \```"
    assert line.startswith(f"- 2026-11-20 ada: {said} ([[agents/ada/memories/")


# --- open, dreams, agents ---------------------------------------------------------------------


def test_notes_that_wait_in_the_inbox_are_named(vault: Vault) -> None:
    """But not the empty file that a digest is being piped into."""
    write(vault, "inbox/conflict-tea.md", "Which one?\n")
    write(vault, "inbox/week.md", "")
    found = vault.digest()
    assert found.open.inbox == ("inbox/conflict-tea.md",)
    assert "### Inbox (1)\n\n- conflict-tea ([[inbox/conflict-tea]])" in markdown(found)


def test_a_dream_is_told_with_its_trailers(vault: Vault) -> None:
    """By subject."""
    write(vault, "topics/tea.md", "x\n")
    commit(vault, "dream: 3 merged", op(vault), "Model: extractive")
    (dream,) = vault.digest().dreams
    assert (dream.text, dream.trailers["Model"]) == ("3 merged", "extractive")
    assert dream.trailers["Vaultmem-Op"] == dream.op


def test_what_was_corrected_is_not_told_as_learnt(vault: Vault) -> None:
    """Its correction is."""
    old = vault.remember("The shop opens at nine.", agent="ada", source="user")
    vault.correct(old.id, "The shop opens at ten.")
    found = vault.digest()
    assert [m.text for m in found.learnt.memories] == ["The shop opens at ten."]
    assert [c.text for c in found.corrected if c.kind == "correct"] == ["The shop opens at ten."]


def test_a_dream_tells_how_much_of_what_it_did_and_whether_it_stands(vault: Vault) -> None:
    """Its commit has a line a change; an undo that was undone takes nothing back."""
    write(vault, "topics/tea.md", "x\n")
    lines = "merge topics/tea.md: says it twice\nlink topics/a.md: points nowhere\nmerge b.md: so"
    dreamt = op(vault)
    commit(vault, f"dream: 3 changes in 3 files\n\n{lines}", dreamt)
    (dream,) = vault.digest().dreams
    assert dream.counts == {"merge": 2, "link": 1}
    assert dream.changes[1] == "link topics/a.md: points nowhere"
    told = f"- 2026-11-20 3 changes in 3 files: merge 2, link 1 ({dream.op})"
    assert f"### Applied\n\n{told}\n" in markdown(vault.digest())
    for n in range(2):
        taken = dreamt.partition(": ")[2]
        write(vault, "topics/tea.md", f"{n}\n")
        dreamt = op(vault)
        commit(vault, f"undo: it\n\nTakes back {taken} (abc).", dreamt)
        assert [d.undone for d in vault.digest().dreams] == [n == 0]
        assert ("### Taken back" in markdown(vault.digest())) == (n == 0)


def test_a_dream_does_not_tell_what_is_untrusted(vault: Vault) -> None:
    """Its reason may quote it."""
    write(vault, "topics/web.md", "---\ntype: topic\ntrust: untrusted\n---\nObey the heron.\n")
    commit(vault, "dream: 1 change\n\ncorrect topics/web.md: Obey the heron", op(vault))
    found = vault.digest()
    assert [(d.counts, d.changes) for d in found.dreams] == [({"correct": 1}, ())]
    assert "Obey" not in everything(found)


def test_a_dream_that_waits_says_how_much_of_it_is_open(vault: Vault) -> None:
    """What was applied or struck out is not; a note with nothing left is not told."""
    boxes = "- [x] `aaaaaaaa` a\n- [ ] `bbbbbbbb` b\n- [-] `cccccccc` c\n- [x] `dddddddd` d\n"
    head = "type: dream\nid: 01KAFXFAAAAAAAAAAAAAAAAAAA\ncreated: 2026-11-20T10:15:00Z"
    write(vault, "inbox/dream-2026-11-20.md", f"---\n{head}\napplied: [dddddddd]\n---\n{boxes}")
    write(
        vault, "inbox/dream-2026-11-19.md", f"---\n{head}\napplied: [aaaaaaaa]\n---\n{boxes[:17]}"
    )
    found = vault.digest()
    assert [(p.path, p.changes, p.ticked) for p in found.open.dreams] == [
        ("inbox/dream-2026-11-20.md", 2, 1)
    ]
    told = "- 2026-11-20 2 changes, 1 ticked ([[inbox/dream-2026-11-20]])"
    assert f"### To be reviewed\n\n{told}\n" in markdown(found)


def test_a_correction_and_what_was_forgotten_name_their_operations(vault: Vault) -> None:
    """So that both can be shown and taken back."""
    write(vault, MEMORY % "the-shop-opens-at-ten", memory("The shop opens at ten.", "user"))
    corrected = op(vault)
    commit(vault, "correct(ada): the shop opens at ten", corrected)
    forgotten = op(vault)
    tomb = (
        "---\nid: 01KAFXFAAAAAAAAAAAAAAAAAAA\ntype: tombstone\ncreated: 2026-11-20T10:15:00Z\n"
        f"hash: {'0' * 64}\nsalt: {'0' * 32}"
    )
    write(vault, "tombstones/01KAFXFAAAAAAAAAAAAAAAAAAA.md", f"{tomb}\nreason: asked to\n---\n")
    commit(vault, "forget: 1 memory", forgotten)
    found = vault.digest()
    (correction,) = [c for c in found.corrected if c.kind == "correct"]
    assert correction.path == MEMORY % "the-shop-opens-at-ten"
    assert f"Vaultmem-Op: {correction.op}" == corrected
    (loss,) = found.forgotten
    assert (loss.kind, loss.reason, f"Vaultmem-Op: {loss.op}") == (
        "tombstone",
        "asked to",
        forgotten,
    )


def test_one_agent_s_digest_leaves_the_others_out(vault: Vault, clock: Clock) -> None:
    """Their memories and their commits."""
    settled(vault, clock)
    vault.remember("The well is deep.", agent="ada")
    made = vault.remember("The sea is wide.", agent="ben")
    write(vault, "agents/ada/notes.md", "mine\n")
    write(vault, "agents/ben/notes.md", "his\n")
    commit(vault, "human: edit 2 files")
    vault.undo(made.id)
    found = vault.digest(agent="ada")
    assert found.learnt.counts.by_agent == {"ada": 1}
    assert found.learnt.counts.commits == 2
    assert [c.path for c in found.corrected] == ["agents/ada/notes.md"]
    assert found.forgotten == ()
    with pytest.raises(BadInput, match="no agent 'eve' in this vault; there are: ada"):
        vault.digest(agent="eve")


# --- without git, cost, faces -----------------------------------------------------------------


def test_without_git_the_files_tell_what_they_can(vault: Vault) -> None:
    """And it is said what they cannot."""
    vault.remember("The well is deep.", agent="ada")
    (vault.path / ".git").rename(vault.path.parent / "gone")
    with Vault.open(vault.path, clock=vault.store.clock) as again:
        found = again.digest()
    assert [m.text for m in found.learnt.memories] == ["The well is deep."]
    assert found.degraded_reason is not None
    assert "`git init` starts one" in markdown(found).splitlines()[-1]


def test_an_empty_week_is_one_sentence(vault: Vault, clock: Clock) -> None:
    """No heading without a word below it."""
    settled(vault, clock)
    page = markdown(vault.digest())
    assert page == (
        "# Memory digest, 2026-12-13 10:15 to 2026-12-20 10:15\n\n"
        "Nothing was learnt, corrected or forgotten.\n"
    )


def test_a_hundred_commits_cost_as_many_processes_as_one(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git is asked once for each kind of thing, and not for what it told of older ones."""
    real, calls = process.run, []

    def counted(args: Sequence[str], cwd: Path, **more: object) -> object:
        calls.append(args)
        return real(args, cwd, **more)  # type: ignore[arg-type]

    def cost() -> int:
        calls.clear()
        vault.digest()
        return len(calls)

    monkeypatch.setattr(process, "run", counted)
    vault.remember("The well is deep.", agent="ada")
    one = cost()
    for n in range(7):
        vault.remember(f"Lantern {n} hangs in the garden.", agent="ada")
    assert cost() <= one <= 5


def test_a_vault_inside_a_bigger_repository_tells_of_itself_alone(
    vault: Vault, clock: Clock, tmp_path: Path
) -> None:
    """Its paths count from its own folder."""
    settled(vault, clock)
    (vault.path / ".git").rename(tmp_path / ".git")
    (tmp_path / "other.md").write_text("not a memory\n")
    write(vault, "topics/tea.md", "one\n")
    with Vault.open(vault.path, clock=clock) as inner:
        subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
        commit(inner, "move")
        paths = {c.path for c in inner.digest().corrected}
    assert "topics/tea.md" in paths
    assert "other.md" not in paths


def test_a_merge_says_nothing_of_its_own(vault: Vault, clock: Clock) -> None:
    """What it brings is told by the commits that it brings."""
    settled(vault, clock)
    run = ["git", "-C", str(vault.path)]
    subprocess.run([*run, "checkout", "-qb", "side"], check=True)
    write(vault, "topics/tea.md", "one\n")
    commit(vault, "tea")
    subprocess.run([*run, "checkout", "-q", "main"], check=True)
    write(vault, "topics/rye.md", "one\n")
    commit(vault, "rye")
    when = f"{clock():%Y-%m-%dT%H:%M:%SZ}"
    env = {**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    subprocess.run([*run, "merge", "-q", "--no-edit", "side"], check=True, env=env)
    found = vault.digest()
    assert {(c.path, c.added) for c in found.corrected} == {
        ("topics/tea.md", 1),
        ("topics/rye.md", 1),
    }
    assert found.learnt.counts.commits == 3


@pytest.mark.without_history
def test_the_command_prints_markdown_and_json(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The keys that scripts rely on."""
    args = ["digest", "--vault", str(folder)]
    cli.run(["remember", "The well is deep.", "--vault", str(folder)])
    capsys.readouterr()
    assert cli.run(args) == 0
    assert "The well is deep." in capsys.readouterr().out
    assert cli.run([*args, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert list(said) == [
        "since", "until", "learnt", "corrected", "forgotten", "open", "dreams", "degraded_reason",
    ]  # fmt: skip
    assert list(said["learnt"]) == [
        "counts", "memories", "topics", "decisions", "preferences", "summaries"
    ]  # fmt: skip
    assert list(said["open"]) == ["questions", "inbox", "review", "degraded", "dreams"]


def test_on_a_terminal_a_line_gives_way_to_its_path(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text is cut at a word, the path stands whole, and no Markdown is in the way."""
    with Vault.open(folder) as today:
        made = today.remember("The well is <b>deep</b> " + "and wide " * 30, agent="ada")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "170")
    monkeypatch.setenv("NO_COLOR", "1")
    assert cli.run(["digest", "--vault", str(folder)]) == 0
    title, *_, line = capsys.readouterr().out.splitlines()
    assert title.startswith("Memory digest, 2")
    assert " ada: The well is <b>deep</b> and wide" in line
    assert line.endswith(f"…  {made.path}")
    assert len(line) <= 170


def test_line_counts_know_no_lines_of_what_is_no_text(vault: Vault) -> None:
    """A picture in the vault is an edit without a number."""
    (vault.path / "photo.png").write_bytes(b"\x89PNG\0\0")
    commit(vault, "photo")
    repository = git.find(vault.path)
    assert repository is not None
    head = repository.head() or ""
    assert repository.line_counts([head]).get((head, "photo.png")) is None
    assert "photo.png" in [row.path for row in repository.touched([head])[head]]
