"""What a vault makes of a summarizer of the caller's own, whatever that raises or returns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from tests.summarizers import Silent
from vaultmem import Vault
from vaultmem.documents.bodies import Episode, SessionCompact
from vaultmem.errors import BadInput, BadLine, Unavailable, Unusable
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.summarization.given import given
from vaultmem.nlp.tasks import (
    AnyTask,
    CompactTask,
    DistillTask,
    FoldTask,
    Made,
    Passage,
    Summarizer,
    Summary,
    Task,
)
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history

GITHUB = "ghp_" + "a1B2c3D4" * 5
SUMMARY = Summary("Ann baked bread.", "model-1", "mine", 1.0, 1.0)


class Answers(Silent):
    """What returns the same to any question, or raises it."""

    name = "mine"

    def __init__(self, answer: object) -> None:
        """Return *answer*; one that is an exception is raised."""
        self.always = answer

    def say(self, task: AnyTask) -> Any:  # noqa: ANN401, ARG002  # that is the point
        """Return or raise it."""
        if isinstance(self.always, Exception):
            raise self.always
        return self.always


def asked(answer: object) -> Summarizer:
    """Return what says *answer*, as a vault asks it."""
    return given(Answers(answer))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (RuntimeError("no GPU"), "away: mine: failed (RuntimeError: no GPU)"),
        (TimeoutError(), "away: mine: failed (TimeoutError)"),
        (ConnectionError("refused"), "away: mine: failed (ConnectionError: refused)"),
        (None, "refused: answer is NoneType, not"),
        ("Ann baked bread.", "refused: answer is str, not"),
    ],
)
def test_the_offline_summarizer_steps_in_and_says_why(
    folder: Path, answer: object, why: str
) -> None:
    """For a session's compact, a compaction, episodes, a round and the end of the vault."""
    with Vault.open(folder, summarizer=Answers(answer)) as vault:
        for n in range(8):
            vault.say("bill", f"We pay bill number {n}, for {n * 7} loaves.", agent="ada")
            vault.remember(f"Bill number {n} was for {n * 7} loaves.", agent="ada")
        compact, _ = vault.compact_session("bill", agent="ada")
        assert compact.made.degraded.startswith(why)
        config = folder / "config/memory_compaction.md"
        config.write_text(config.read_text().replace("_window: 64", "_window: 3"))
        done = vault.compact("ada").compactions
        assert {it.summary.degraded[: len(why)] for it in done} == {why}
        vault.end_session("bill", agent="ada")
        assert vault.fold("ada")
        vault.dream()
        vault.tick()


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (replace(SUMMARY, text=cast("str", None)), "answer.text is NoneType, not str"),
        (replace(SUMMARY, coverage=float("nan")), "answer.coverage is nan, not float"),
        (Made(SUMMARY, "", ""), "answer is Made, not Summary"),
    ],
)
def test_a_summary_is_whole_or_refused(answer: object, fault: str) -> None:
    with pytest.raises(Unusable, match=fault):
        asked(answer).summarize(Task("recent", (Passage("Ann baked bread."),)))


def test_a_fault_inside_an_answer_is_named_with_its_place() -> None:
    turns = (Turn("user", "Bake bread."),)
    listed = SessionCompact("Bread", "Baked", next_steps=cast("tuple[str, ...]", ["Eat it."]))
    with pytest.raises(Unusable, match=r"answer\.value\.next_steps is list, not tuple"):
        asked(Made(listed, "", "")).compact(CompactTask(turns, 1))
    numbered = Episode("Bread", "Baked", corrections=cast("tuple[str, ...]", (7,)))
    with pytest.raises(Unusable, match=r"answer\.value\.corrections\[0\] is int, not str"):
        asked(Made(numbered, "", "")).episode(FoldTask(turns))
    with pytest.raises(Unusable, match=r"answer\.value is Episode, not tuple"):
        asked(Made(Episode("Bread", "Baked"), "", "")).topics(DistillTask(()))


def test_a_good_answer_comes_as_it_is() -> None:
    task = Task("recent", (Passage("Ann baked bread."),))
    assert asked(SUMMARY).summarize(task) == SUMMARY
    offline = Extractive()
    assert given(offline) is offline


def test_an_error_of_another_vault_and_a_key_in_it_stay_where_they_are() -> None:
    """It may ask a vault itself, or quote what it sent."""
    task = Task("recent", (Passage("Ann baked bread."),))
    for error in (BadLine("a.jsonl", 1, "no JSON"), RuntimeError(f"key {GITHUB} refused")):
        with pytest.raises(Unavailable) as caught:
            asked(error).summarize(task)
        assert GITHUB not in str(caught.value)


class Nameless(Silent):
    """A summarizer whose name is no name."""

    name = "two\nlines"


@pytest.mark.parametrize(
    ("part", "why"), [(object(), "summarizer takes an object"), (Nameless(), "summarizer.name")]
)
def test_what_is_no_summarizer_is_refused_at_once(folder: Path, part: Any, why: str) -> None:  # noqa: ANN401  # that is the point
    with pytest.raises(BadInput, match=why):
        Vault.open(folder, summarizer=part)
