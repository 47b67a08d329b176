"""What came of a task is an episode of its own kind: weighed, found again, in nobody's way."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.at_rest import let_rest
from tests.conftest import Clock
from tests.work import folders_opened
from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Decision, Experience, Outcome
from vaultmem.documents.bodies.markdown import parse_experience
from vaultmem.errors import BadInput, Refused, SecretFound, SwitchedOff
from vaultmem.maintenance.dream import planner, session
from vaultmem.maintenance.dream.detectors import skills
from vaultmem.memory.experiences import Added, Experiences, importance
from vaultmem.records import Record
from vaultmem.retrieval.search import Scope
from vaultmem.storage import reader

pytestmark = pytest.mark.without_history

KEYS = Experience(
    "Rotate the API keys of the shop",
    "success",
    "Make a new key\nDeploy it\nRevoke the old one",
    "No request failed",
    (Decision("Revoke last", "a deploy may fail"),),
    ("That went smoothly",),
    ("heron",),
    ("Wait for the caches before revoking",),
)
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def kept(vault: Vault) -> Experiences:
    def commit() -> None:
        vault.history.commit_pending()

    return Experiences(vault.store, commit)


def at(vault: Vault, path: str) -> Record:
    found = reader.load(vault.store.root, path)
    assert found is not None
    return found


# --- the file -----------------------------------------------------------------------------------


@pytest.mark.with_history
def test_an_experience_is_a_committed_episode_with_all_that_was_told(
    vault: Vault, kept: Experiences
) -> None:
    made = kept.add(KEYS, agent="ada", session="s1")
    assert made.path == "agents/ada/episodes/episode-0001-rotate-the-api-keys-of-the-shop.md"
    text = (vault.path / made.path).read_text()
    head = frontmatter.fields(frontmatter.parse(text))
    assert head["type"] == "episode"
    assert (head["outcome"], head["session"], head["trust"]) == ("success", "s1", "agent")
    assert head["tools_used"] == ["heron"]
    assert head["description"] == "success: No request failed"
    assert parse_experience(at(vault, made.path).body) == KEYS
    assert made.commit is None
    assert vault.log(1)[0].subject == "experience(ada): success: Rotate the API keys of the shop"
    assert made.path in (vault.path / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("outcome", "low", "high"),
    [
        ("success", 0.7, 0.9),
        ("failure", 0.8, 1.0),
        ("feedback", 0.9, 1.0),
        ("preference", 0.8, 0.8),
        ("tool", 0.5, 0.7),
    ],
)
def test_the_outcome_says_how_important_it_is_and_what_it_holds_says_where_in_the_range(
    outcome: Outcome, low: float, high: float
) -> None:
    bare = Experience("Rotate the keys", outcome)
    full = Experience("Rotate the keys", outcome, "", "", KEYS.decisions, ("ok",), ("x",), ("y",))
    half = Experience("Rotate the keys", outcome, tools=("x",), lessons=("y",))
    assert importance(bare) == low
    assert importance(half) == pytest.approx((low + high) / 2)
    assert importance(full) == high


def test_a_weight_of_ones_own_stands_and_is_what_recall_reads(
    vault: Vault, kept: Experiences
) -> None:
    made = kept.add(KEYS, agent="ada", weight=0.25)
    assert (made.importance, at(vault, made.path).importance) == (0.25, 0.25)
    with pytest.raises(BadInput, match="importance is 3"):
        kept.add(KEYS, weight=3)


@pytest.mark.with_history
def test_the_very_same_of_one_session_within_a_minute_is_one_experience(
    vault: Vault, kept: Experiences, clock: Clock
) -> None:
    """A hook may run twice; the same task may be done again an hour later."""
    first = kept.add(KEYS, agent="ada", session="s1")
    clock.advance(seconds=50)
    again = kept.add(KEYS, agent="ada", session="s1")
    assert (again.path, again.known) == (first.path, True)
    more = Experience(KEYS.task, "success", KEYS.approach, lessons=("Tell the team",))
    assert not kept.add(more, agent="ada", session="s1").known
    clock.advance(hours=1)
    later = kept.add(KEYS, agent="ada", session="s1")
    assert later.path.startswith("agents/ada/episodes/episode-0003-")
    assert len(vault.log()) == 4


def test_an_experience_looks_into_no_folder_that_rests(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process that begins; the one of a moment ago counts as it is now, edited in place."""
    at = vault.store.clock()
    old = vault.remember("The heron eats at noon.", agent="ada", at=at - timedelta(days=300)).path
    first = Experiences(vault.store).add(KEYS, agent="ada", session="s1")
    let_rest((vault.path / old).parents[:3])  # a folder that was just written is looked at again
    vault.status()
    opened = folders_opened(monkeypatch)
    with Vault.open(vault.path, clock=vault.store.clock) as begun:
        assert Experiences(begun.store).add(KEYS, agent="ada", session="s1").known
    path = vault.path / first.path
    path.write_text(path.read_text().replace("Deploy it", "Try it"))
    with Vault.open(vault.path, clock=vault.store.clock) as begun:
        assert not Experiences(begun.store).add(KEYS, agent="ada", session="s1").known
    assert not [it for it in opened if it.startswith("agents/ada/memories/")]


def test_what_is_told_twice_outside_of_a_session_happened_twice(kept: Experiences) -> None:
    made = [kept.add(KEYS, agent="ada") for _ in range(3)]
    assert len({it.path for it in made}) == 3


# --- what is not kept ---------------------------------------------------------------------------


def test_a_secret_is_refused_wherever_it_stands_and_nothing_is_written(
    vault: Vault, kept: Experiences
) -> None:
    with pytest.raises(SecretFound, match="a lesson"):
        kept.add(Experience("Deploy", "failure", lessons=(f"the token is {SECRET}",)), agent="ada")
    assert not (vault.path / "agents/ada").exists()
    made = kept.add(Experience("Deploy", "failure", f"token {SECRET}"), agent="ada", redact=True)
    assert SECRET not in (vault.path / made.path).read_text()


def test_what_is_private_is_not_stored_and_no_task_is_no_experience(
    vault: Vault, kept: Experiences
) -> None:
    told = Experience(
        "Call the client", "success", decisions=(Decision("Wait", "<private>divorce</private>"),)
    )
    made = kept.add(told, agent="ada")
    assert parse_experience(at(vault, made.path).body).decisions == (Decision("Wait"),)
    with pytest.raises(BadInput, match="no task"):
        kept.add(Experience("<private>all of it</private>", "success"), agent="ada")


def test_what_was_forgotten_is_no_experience_and_no_lesson(vault: Vault) -> None:
    made = vault.remember("The umbrella was left in Graz.", agent="ada")
    vault.forget(made.id)
    for told in (
        Experience("The umbrella was left in Graz.", "success"),
        Experience("Travel", "success", lessons=("The umbrella was left in Graz.",)),
    ):
        with pytest.raises(Refused, match="was forgotten"):
            vault.experiences.add(told, agent="ada")


def test_a_session_that_is_switched_off_leaves_no_experience(
    vault: Vault, kept: Experiences
) -> None:
    config = vault.path / "config/memory_compaction.md"
    config.write_text(
        config.read_text().replace("disabled_sessions: []", "disabled_sessions: [s1]")
    )
    with pytest.raises(SwitchedOff):
        kept.add(KEYS, agent="ada", session="s1")


# --- beside folded episodes -----------------------------------------------------------------------


def converse(vault: Vault, session: str) -> None:
    for n in range(3):
        vault.say(session, f"We decided to use plan {n} for {session}.", agent="ada")


def test_folding_goes_on_counting_and_tells_of_every_turn(vault: Vault, kept: Experiences) -> None:
    converse(vault, "s1")
    assert len(vault.fold("ada", force=True).episodes) == 1
    made = kept.add(KEYS, agent="ada", session="s1")
    assert "/episode-0002-" in made.path
    assert at(vault, made.path).sources == ("agents/ada/sessions/s1.jsonl",)
    converse(vault, "s2")
    (again,) = vault.fold("ada", force=True).episodes
    assert "/episode-0003-" in again
    assert vault.fsck().ok


def test_an_experience_told_before_its_session_is_folded_is_no_part_of_it(
    vault: Vault, kept: Experiences
) -> None:
    vault.say("s1", "We decided to move to Porto.", agent="ada")
    kept.add(KEYS, agent="ada", session="s1")
    (episode,) = vault.fold("ada", force=True).episodes
    assert (at(vault, episode).turn_start, at(vault, episode).turn_end) == (1, 1)
    assert vault.fsck().ok


def test_experiences_are_not_distilled_into_topics(
    vault: Vault, kept: Experiences, clock: Clock
) -> None:
    for n in range(9):
        clock.advance(hours=1)
        kept.add(Experience(f"Task number {n}", "success"), agent="ada")
    assert vault.fold("ada", force=True).topics == ()


# --- found again ----------------------------------------------------------------------------------


def told(kept: Experiences, clock: Clock, task: str, days: int, weight: float) -> Added:
    made = Experience(task, "success")
    return kept.add(made, agent="ada", at=clock() - timedelta(days=days), weight=weight)


def test_of_three_alike_the_fresh_and_the_important_come_first(
    vault: Vault, kept: Experiences, clock: Clock
) -> None:
    """0.5 likeness + 0.3 x 0.95^days + 0.2 importance."""
    old = told(kept, clock, "Rotate the keys of shop A", 200, 0.1)
    heavy = told(kept, clock, "Rotate the keys of shop B", 200, 0.9)
    fresh = told(kept, clock, "Rotate the keys of shop C", 1, 0.1)
    told(kept, clock, "Bake bread for the party", 0, 1.0)
    hits = vault.recall("rotate the keys of the shop", 3, Scope(type="episode")).hits
    assert [hit.path for hit in hits] == [fresh.path, heavy.path, old.path]


def test_a_context_tells_of_the_experience_that_is_like_the_question(
    vault: Vault, kept: Experiences, clock: Clock
) -> None:
    made = kept.add(KEYS, agent="ada")
    for n in range(6):
        clock.advance(hours=1)
        kept.add(Experience(f"Bake bread number {n}", "success"), agent="ada")
    text = vault.context("How do I rotate the API keys?", agent="ada", budget=3000).text
    related = text.partition("## Related Past Experiences")[2].partition("\n## ")[0]
    assert made.path in related
    assert "Wait for the caches before revoking" in related


def test_scripts_keep_an_experience(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = ["Rotate the API keys", "--outcome", "success", "--agent", "ada", "--tool", "heron",
            "--approach", "Make a new key\\nDeploy it", "--decision", "Revoke last: it may fail",
            "--at", "2026-11-12T09:00:00Z"]  # fmt: skip
    assert run(["--vault", str(folder), "--json", "experience", *told]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made.keys() == {"id", "path", "importance", "commit", "known", "left_out"}
    assert made["importance"] == 0.8
    text = (folder / made["path"]).read_text()
    assert "created: 2026-11-12T09:00:00Z" in text
    assert "## Approach\nMake a new key\nDeploy it\n" in text
    assert "- Revoke last\n  - **Why:** it may fail\n" in text
    assert run(["--vault", str(folder), "experience", "Deploy", "--outcome", "fine"]) == 2


# --- what becomes of them -------------------------------------------------------------------------


def test_three_successes_are_dreamt_into_a_skill_that_a_context_offers(
    vault: Vault, kept: Experiences, clock: Clock
) -> None:
    for n in range(3):
        clock.advance(days=1)
        kept.add(replace(KEYS, task=f"Rotate the API keys of shop {n}"), agent="ada")
    seen = session.gather(vault.store, "").seen
    planned = planner.plan(seen, planner.Terms(vault.store.texts.read), (skills.find,))
    (path,) = planned.changed
    assert path == "skills/rotate-the-api-keys-of-shop/SKILL.md"
    (vault.path / path).parent.mkdir(parents=True)
    (vault.path / path).write_bytes(planned.changed[path] or b"")
    vault.store.sync()
    again = session.gather(vault.store, "").seen
    assert planner.plan(again, planner.Terms(vault.store.texts.read)).proposals == ()
    found = vault.context("How do I rotate the API keys?", agent="ada", budget=3000)
    assert [i.path for i in found.items if i.section == "Skills"] == [path]
    assert vault.fsck().ok
