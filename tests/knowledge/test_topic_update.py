"""Topics are appended to, written over and merged, by rules and by a model."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import Clock
from tests.summarizers import Silent
from vaultmem import Vault
from vaultmem.api.types import TopicPatch, WrittenTopic
from vaultmem.documents.bodies import Fact, Topic
from vaultmem.errors import BadInput, ModelAway, Refused, SecretFound, SwitchedOff
from vaultmem.nlp.tasks import DistillTask, Made

PUMP, DEEP = "The pump runs on port 8080", "The well is 12 m deep"
MOVED = "The pump runs on port 9090"
BY_HAND = """\
---
type: topic
title: The well
mood: calm
---
# The well

Ask Mara before you dig.

## Facts
- The pump runs on port 8080
  - **Why:** it was free
- The well is 12 m deep

## My own list
- The pump runs on port 8080
"""
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def put(vault: Vault, strategy: str, *facts: str, **more: str) -> WrittenTopic:
    patch = TopicPatch(facts, strategy, agent="ada", **more)  # type: ignore[arg-type]
    return vault.topics.set("The well", patch)


def facts(vault: Vault) -> list[str]:
    return [fact.text for fact in vault.topics.get("The well").facts]


def handwritten(vault: Vault, text: str = BY_HAND) -> Path:
    path = vault.path / "topics/the-well.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    vault.store.sync()
    return path


# --- by rules -----------------------------------------------------------------------------------


def test_a_topic_is_made_and_appended_to_once(vault: Vault) -> None:
    made = put(vault, "append", PUMP, kind="project", description="when the pump fails")
    assert (made.path, made.existed, made.added) == ("topics/the-well.md", False, (PUMP,))
    again = put(vault, "append", f"- {PUMP}.\n- {DEEP}")
    assert (again.added, again.removed, bool(again.commit)) == ((DEEP,), (), True)
    assert again.reworded == (f"{PUMP}.",)
    whole = vault.topics.get("The well")
    assert (whole.kind, whole.description) == ("project", "when the pump fails")
    before = vault.log(1)
    known = put(vault, "append", DEEP, PUMP)
    assert (known.changed, known.commit, known.sha256) == (False, None, again.sha256)
    assert vault.log(1) == before


@pytest.mark.parametrize("source", ["agent", "user"])
@pytest.mark.parametrize(
    ("said", "other"),
    [
        (
            "The nut cake is for Sarah, the milk cake for Bo.",
            "The milk cake is for Sarah, the nut cake for Bo.",
        ),
        ("The job stops when x != 3.", "The job stops when x = 3."),
        ("Few people know the code.", "A few people know the code."),
        ("Bo takes vitamin A daily.", "Bo takes vitamin daily."),
        ("Pass -v to see the log.", "Pass -V to see the log."),
        ("The staging server is called frost.", "The staging server is called Frost."),
        ("Das Lager hat Montag zu.", "Montags ist das Lager geschlossen."),
    ],
)
def test_a_fact_is_told_by_the_same_words_alone(
    vault: Vault, said: str, other: str, source: str
) -> None:
    """No rule is so sure of two wordings that what was given to be kept may go nowhere."""
    put(vault, "append", said)
    assert put(vault, "append", other, source=source).added == (other,)
    assert facts(vault) == [said, other]
    assert not put(vault, "append", f"- {other.rstrip('.')}", source=source).changed


def test_a_merge_by_a_person_words_the_fact_as_they_do(vault: Vault) -> None:
    put(vault, "append", "The staging server is called frost.", DEEP)
    made = put(vault, "merge", "The staging server is called Frost.", source="user")
    assert facts(vault) == ["The staging server is called Frost.", DEEP]
    assert made.removed == ("The staging server is called frost.",)


def test_facts_are_written_over_and_nothing_else_is(vault: Vault) -> None:
    """What a person wrote is in the history first, and one undo brings it back."""
    path = handwritten(vault)
    made = put(vault, "overwrite", DEEP, "Mara has the key", source="user")
    assert (made.added, made.removed) == (("Mara has the key",), (PUMP,))
    above, _, below = BY_HAND.partition("- The pump runs on port 8080\n  - **Why:** it was free\n")
    text = path.read_text()
    assert "mood: calm\n" in text
    assert text.endswith(
        above.partition("---\n# ")[2] + below.replace("deep\n", "deep\n- Mara has the key\n", 1)
    )
    assert not put(vault, "overwrite", DEEP, "Mara has the key", source="user").changed
    vault.undo(vault.log(1)[0].ops[0])
    assert path.read_text() == BY_HAND


def test_a_merge_mends_what_is_contradicted_and_links_to_what_was_said(vault: Vault) -> None:
    put(vault, "append", PUMP, DEEP)
    made = put(vault, "merge", MOVED, DEEP, "Mara has the key")
    stem = Path(made.memory).stem
    assert (
        (vault.path / made.memory)
        .read_text()
        .endswith(f"---\n- {MOVED}\n- {DEEP}\n- Mara has the key\n")
    )
    whole = vault.topics.get("The well")
    assert [(f.text, f.sources) for f in whole.facts] == [
        (MOVED, (stem,)), (DEEP, (stem,)), ("Mara has the key", (stem,)),
    ]  # fmt: skip
    assert (made.removed, made.model, made.degraded) == ((PUMP,), "", "")
    assert not put(vault, "merge", MOVED, DEEP, "Mara has the key").changed
    vault.undo(vault.log(1)[0].ops[0])
    assert facts(vault) == [PUMP, DEEP]
    assert not (vault.path / made.memory).exists()


def test_what_was_merged_and_contradicted_since_is_merged_anew(vault: Vault, clock: Clock) -> None:
    for fact in (PUMP, MOVED, PUMP):
        assert put(vault, "merge", fact).added == (fact,)
        clock.advance(hours=1)
    assert facts(vault) == [PUMP]


# --- by a model ---------------------------------------------------------------------------------


class Model(Silent):
    """A model that answers with the topics it is given, or is away."""

    name = "scripted"

    def __init__(self) -> None:
        """Be away."""
        self.answer: Sequence[Topic] = ()
        self.asked: list[DistillTask] = []

    def topics(self, task: DistillTask) -> Made[tuple[Topic, ...]]:
        """Return what was set, with the memory of the task as the source of new facts."""
        self.asked.append(task)
        if not self.answer:
            raise ModelAway(self.name, "no answer")
        source = (task.episodes[0][0],)
        found = (
            Topic(t.slug, t.title, "", tuple(Fact(f.text, f.sources or source) for f in t.facts))
            for t in self.answer
        )
        return Made(tuple(found), "model-1", "topics-2")


def test_a_model_words_the_topic_that_is_named_and_no_other(folder: Path, clock: Clock) -> None:
    """What its answer does not tell of the facts is added by the rules."""
    model = Model()
    with Vault.open(folder, summarizer=model, clock=clock) as vault:
        put(vault, "append", PUMP, description="when the pump fails")
        model.answer = (
            Topic("the-well", "Wells", "", (Fact("Since 2 May the pump runs on port 9090"),)),
            Topic("mara", "Mara", "", (Fact("Mara has the key"),)),
        )
        made = put(vault, "merge", "The pump runs on port 9090 since 2 May", "Mara has the key")
        assert (made.model, made.degraded) == ("model-1", "")
        assert facts(vault) == ["Since 2 May the pump runs on port 9090", "Mara has the key"]
        whole, stem = vault.topics.get("The well"), Path(made.memory).stem
        assert {fact.sources for fact in whole.facts} == {(stem,)}
        assert (whole.title, whole.description) == ("The well", "when the pump fails")
        assert [t.title for t in vault.topics.listing().topics] == ["The well"]
        again = put(vault, "merge", "The pump runs on port 9090 since 2 May", "Mara has the key")
        assert (again.changed, len(model.asked)) == (False, 1)


@pytest.mark.parametrize("answer", ["", "The pump runs on port 7777"], ids=["away", "invented"])
def test_rules_merge_where_a_model_does_not(folder: Path, clock: Clock, answer: str) -> None:
    model = Model()
    model.answer = (Topic("the-well", "The well", "", (Fact(answer),)),) if answer else ()
    with Vault.open(folder, summarizer=model, clock=clock) as vault:
        put(vault, "append", PUMP, DEEP)
        made = put(vault, "merge", MOVED)
        assert facts(vault) == [MOVED, DEEP]
        assert (made.model, made.degraded.partition(":")[0]) == (
            "", "refused" if answer else "away",
        )  # fmt: skip


# --- what may not be ----------------------------------------------------------------------------


def test_what_is_more_trusted_is_only_appended_to(vault: Vault) -> None:
    put(vault, "append", PUMP, source="user")
    assert vault.topics.get("The well").trust == "user"
    for strategy in ("overwrite", "merge"):
        with pytest.raises(Refused, match="has the trust `user`, and what comes from agent has"):
            put(vault, strategy, MOVED)
    put(vault, "append", "Mara has the key", kind="project")
    whole = vault.topics.get("The well")
    assert (whole.trust, whole.kind) == ("agent", "reference")
    assert facts(vault) == [PUMP, "Mara has the key"]


@pytest.mark.parametrize("strategy", ["overwrite", "merge"])
def test_a_persons_topic_stays_one_when_an_agent_appended_to_it(
    vault: Vault, strategy: str
) -> None:
    """By hand or by a command: what is added lowers its trust, and gives nobody the rest."""
    put(vault, "append", PUMP, source="user")
    put(vault, "append", "Mara has the key")
    with pytest.raises(Refused, match="was begun by a person"):
        put(vault, strategy, MOVED)
    assert facts(vault) == [PUMP, "Mara has the key"]
    put(vault, strategy, MOVED, source="user")
    assert MOVED in facts(vault)


@pytest.mark.parametrize("strategy", ["overwrite", "merge"])
def test_a_topic_that_a_person_wrote_and_committed_stays_a_persons(
    vault: Vault, strategy: str
) -> None:
    path = handwritten(vault)
    for args in (["add", "-A"], ["commit", "-qm", "by hand"]):
        subprocess.run(["git", *args], cwd=vault.path, check=True)
    put(vault, "append", "Mara has the key")
    whole = path.read_text()
    with pytest.raises(Refused, match="was begun by a person"):
        put(vault, strategy, MOVED)
    assert path.read_text() == whole


@pytest.mark.parametrize("strategy", ["overwrite", "merge"])
@pytest.mark.parametrize("by_hand", [True, False])
def test_a_persons_fact_in_an_agents_topic_is_a_persons(
    vault: Vault, strategy: str, *, by_hand: bool
) -> None:
    """What the agent itself said there it may replace, and say again what is there."""
    put(vault, "append", DEEP)
    if by_hand:
        path = vault.path / "topics/the-well.md"
        path.write_text(path.read_text() + f"- {PUMP}\n")
        vault.store.sync()
    else:
        put(vault, "append", PUMP, source="user")
    with pytest.raises(Refused, match=r"what a person wrote or stated \(- The pump runs"):
        put(vault, strategy, MOVED)
    put(vault, strategy, PUMP, "The well is 14 m deep")
    assert PUMP in facts(vault)
    put(vault, strategy, MOVED, source="user")
    assert MOVED in facts(vault)


def test_a_held_file_loses_no_words_and_may_gain_some(vault: Vault) -> None:
    path = handwritten(vault, BY_HAND.replace("Ask", "<private>1234</private> Ask"))
    with pytest.raises(Refused, match="a part marked private, which is not committed"):
        put(vault, "overwrite", DEEP, source="user")
    put(vault, "append", "Mara has the key", source="user")
    assert "<private>1234</private>" in path.read_text()
    assert "- Mara has the key\n" in path.read_text()


def test_topics_that_are_not_the_agents_are_refused(vault: Vault) -> None:
    path = handwritten(vault, BY_HAND.replace("mood: calm", "read_only: true"))
    with pytest.raises(Refused, match="read-only"):
        put(vault, "append", "Mara has the key", source="user")
    path.unlink()
    own = vault.path / "agents/bo/topics/garden.md"
    own.parent.mkdir(parents=True)
    own.write_text("---\ntype: topic\ntitle: Garden\nagent: bo\n---\n## Facts\n- Beans\n")
    vault.store.sync()
    with pytest.raises(Refused, match="an agent's own topic"):
        vault.topics.set("agents/bo/topics/garden.md", TopicPatch(("Peas",)))
    assert vault.topics.set("Garden", TopicPatch(("Peas",))).path == "topics/garden.md"


def test_what_may_not_be_stored_is_not(vault: Vault) -> None:
    put(vault, "merge", "Mara has the key", "<private>The code is 4411</private>")
    assert facts(vault) == ["Mara has the key"]
    for wrong, why in (("", "there are no facts"), ("<private>x</private>", "private")):
        with pytest.raises(BadInput, match=why):
            put(vault, "overwrite", wrong)
    with pytest.raises(SecretFound):
        put(vault, "append", f"The token is {SECRET}")
    with pytest.raises(Refused, match="what nobody vouches for"):
        put(vault, "append", DEEP, source="web")
    gone = vault.remember("The shed is green.", agent="ada")
    vault.forget(gone.id)
    with pytest.raises(Refused, match="was forgotten"):
        put(vault, "append", "The shed is green.")
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("disabled_agents: []", "disabled_agents: [ada]"))
    with pytest.raises(SwitchedOff):
        put(vault, "append", DEEP)


def test_a_fact_for_a_topic_that_a_person_just_wrote_is_committed_after_theirs(
    vault: Vault,
) -> None:
    """What they wrote waits for no round, or git would have the fact without its file."""
    path = handwritten(vault, "# The well\n\n- The pump is old.\n")
    made = put(vault, "append", "The well is 9 m deep.", source="user")
    assert made.commit
    assert vault.store.writer.repository
    assert vault.store.writer.repository.show(made.commit, made.path) == path.read_bytes()
