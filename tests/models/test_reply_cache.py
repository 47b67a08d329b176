"""A reply is on disk before anybody has it."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import Clock
from vaultmem.errors import ModelAway
from vaultmem.models.providers import Reply, Request
from vaultmem.models.providers.reply_cache import Kept

ASKED = Request("You keep a diary.", "Summarize.", 300)


class Numbered:
    """A Model that never says the same twice."""

    name = "test"

    def __init__(self, model: str = "test-1") -> None:
        """Be called *model*."""
        self.model, self.calls = model, 0

    def complete(self, request: Request) -> Reply:
        """Answer with the number of the call."""
        if request.prompt == "fail":
            raise ModelAway("test", "is busy")
        self.calls += 1
        return Reply(f"Answer {self.calls} 🦩\n", "test-1-dated", 3, 4, "length")


@pytest.fixture
def kept(tmp_path: Path, clock: Clock) -> Kept:
    """Return a Model whose replies are kept."""
    return Kept(Numbered(), tmp_path / "answers", clock)


def files(tmp_path: Path) -> list[Path]:
    """Return the kept files."""
    return sorted((tmp_path / "answers").iterdir())


def test_who_was_killed_goes_on_with_the_same_answer(
    kept: Kept, tmp_path: Path, clock: Clock
) -> None:
    """Whole, as it was."""
    reply = kept.complete(ASKED)
    again = Numbered()
    assert Kept(again, tmp_path / "answers", clock).complete(ASKED) == reply
    assert again.calls == 0
    assert reply == Reply("Answer 1 🦩\n", "test-1-dated", 3, 4, "length")


@pytest.mark.parametrize(
    "other",
    [
        replace(ASKED, system="You paint."),
        replace(ASKED, prompt="Summarize!"),
        replace(ASKED, most_tokens=301),
        replace(ASKED, schema="{}"),
        Request(ASKED.system + ASKED.prompt, "", 300),
    ],
)
def test_another_request_has_another_answer(kept: Kept, other: Request) -> None:
    """However little it differs."""
    assert kept.complete(ASKED) != kept.complete(other)


def test_another_model_has_another_answer(kept: Kept, tmp_path: Path, clock: Clock) -> None:
    """Its name is part of the question."""
    kept.complete(ASKED)
    other = Numbered("test-2")
    Kept(other, tmp_path / "answers", clock).complete(ASKED)
    assert other.calls == 1


def test_a_model_that_is_found_later_keeps_its_answers(tmp_path: Path, clock: Clock) -> None:
    """None was named, on this start and on the next."""
    for start in range(2):
        inner = Numbered("")
        model = Kept(inner, tmp_path / "answers", clock)
        inner.model = "found"
        model.complete(ASKED)
        assert inner.calls == 1 - start


def test_what_failed_is_not_kept(kept: Kept, tmp_path: Path) -> None:
    """There is nothing."""
    with pytest.raises(ModelAway):
        kept.complete(replace(ASKED, prompt="fail"))
    assert not (tmp_path / "answers").exists()


def test_a_kept_answer_is_private(kept: Kept, tmp_path: Path) -> None:
    """For this user alone."""
    kept.complete(ASKED)
    (path,) = files(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("hours", [25, -25])
def test_a_day_later_it_is_forgotten(kept: Kept, tmp_path: Path, clock: Clock, hours: int) -> None:
    """Or when the clock says it is of tomorrow."""
    first = kept.complete(ASKED)
    clock.advance(hours=hours)
    assert kept.complete(ASKED) != first
    clock.advance(hours=hours)
    kept.forget_old()
    assert files(tmp_path) == []


def test_a_day_is_not_over_too_soon(kept: Kept, clock: Clock) -> None:
    """It lasts for as long as it should."""
    first = kept.complete(ASKED)
    clock.advance(hours=23)
    kept.forget_old()
    assert kept.complete(ASKED) == first


def test_all_can_be_forgotten(kept: Kept, tmp_path: Path) -> None:
    """Once what they were for is done; again is harmless."""
    for n in range(3):
        kept.complete(replace(ASKED, prompt=str(n)))
    assert len(files(tmp_path)) == 3
    kept.clear()
    kept.clear()
    assert files(tmp_path) == []


@settings(max_examples=30)  # as many files, durably
@given(
    st.binary(max_size=80) | st.sampled_from([b"[" * 100_000, b'{"at": "2026-11-20T10:15:00Z"}'])
)
def test_a_damaged_answer_is_no_answer(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    """It is asked for again, and kept."""
    folder = tmp_path_factory.mktemp("answers")
    kept = Kept(Numbered(), folder, Clock())
    kept.complete(ASKED)
    (path,) = folder.iterdir()
    path.write_bytes(data)
    assert kept.complete(ASKED).text == "Answer 2 🦩\n"
    assert kept.complete(ASKED).text == "Answer 2 🦩\n"


def test_a_disk_that_is_full_costs_no_answer(tmp_path: Path, clock: Clock) -> None:
    """It was paid for."""
    (tmp_path / "answers").touch()
    assert Kept(Numbered(), tmp_path / "answers", clock).complete(ASKED).text == "Answer 1 🦩\n"
