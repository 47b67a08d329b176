"""A summarizer is asked once for each task."""

from __future__ import annotations

import gc
import weakref

import pytest

from vaultmem.nlp.summarization.memoized_answers import memoized
from vaultmem.nlp.tasks import Passage, Summary, Task

pytestmark = pytest.mark.without_history


class _Said(str):
    """A text of which is known whether anybody holds it still."""

    __slots__ = ("__weakref__",)


def test_a_task_is_asked_once_and_not_kept() -> None:
    """Of many tasks each holds texts; whoever asks again has the same words, not the same task."""
    asked: list[str] = []

    def ask(task: Task) -> Summary:
        asked.append(task.tier)
        return Summary(f"of {task.passages[0].text}", "extractive", "1", 1.0, 1.0)

    answer = memoized(ask)
    text = _Said("oolong")
    assert answer(Task("recent", (Passage(text),))).text == "of oolong"
    gone = weakref.ref(text)
    del text
    gc.collect()
    assert gone() is None
    assert answer(Task("recent", (Passage("oolong"),))).text == "of oolong"
    assert answer(Task("longterm", (Passage("oolong"),))).text == "of oolong"
    assert asked == ["recent", "longterm"]
