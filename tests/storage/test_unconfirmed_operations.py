"""What was carried out and confirmed to nobody is found by whoever asks again, and done once."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import Once
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.documents.bodies import Experience
from vaultmem.errors import BadInput, DiskRefused, Unconfirmed
from vaultmem.storage import journal
from vaultmem.storage.files import new_file

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def _at(place: Path, hours: float = 0) -> Vault:
    return Vault.open(place, clock=lambda: NOON + timedelta(hours=hours))


def _empty(folder: Path) -> None:
    create.create(folder, lambda: NOON, with_git=False)
    with _at(folder) as made:
        made.estimate()


@pytest.fixture
def place(tmp_path: Path, once: Once) -> Path:
    return once(_empty).write(tmp_path / "v")


@contextmanager
def _unable_to_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let all files be written, and the disk refuse to take note of it."""

    def refuse(*_: object) -> None:
        raise DiskRefused("the journal", os.strerror(errno.ENOSPC))

    with monkeypatch.context() as fault:
        fault.setattr(journal, "finish", refuse)
        yield


def _memories(place: Path) -> list[str]:
    return sorted(
        p.read_text().rpartition("---\n")[2] for p in place.glob("agents/*/memories/**/*.md")
    )


_ASKED: dict[str, Callable[[Vault], object]] = {
    "remember": lambda v: v.remember("Thanks!", agent="ada").path,
    "remember with all": lambda v: (
        v.remember(
            "Thanks!", agent="ada", at="2026-11-01", tags=["tea"], session="s", source="user"
        ).path
    ),
    "turn": lambda v: v.say("spring", "Thanks!", agent="ada").turn,
    "task": lambda v: v.tasks.create("Buy tea").id,
    "experience": lambda v: v.experiences.add(Experience("tea", "success"), agent="ada").path,
}


@pytest.mark.parametrize("what", _ASKED)
def test_what_nobody_was_told_of_is_not_done_twice(
    place: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The second time is answered with what the first one did; the third is a new one."""
    ask = _ASKED[what]
    with _unable_to_end(monkeypatch), _at(place) as vault, pytest.raises(Unconfirmed):
        ask(vault)
    with _at(place, 1) as vault:
        vault.store.sync()
        first = _made(place)
        told = ask(vault)
        assert (_made(place), str(told) in {*first, "1"}) == (first, True)
        ask(vault)
        assert _made(place) != first


def _made(place: Path) -> list[str]:
    """Return the files of tasks, memories and experiences, and each turn by itself."""
    turns = place / "agents/ada/sessions/spring.jsonl"
    found = [*place.glob("agents/*/[me]*/**/*.md"), *place.glob("tasks/*.md")]
    said = turns.read_text().splitlines() if turns.exists() else []
    return [*sorted(p.relative_to(place).as_posix() for p in found), *said]


@pytest.mark.parametrize("what", _ASKED)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_what_is_done_is_confirmed_though_the_disk_refuses_the_end_of_its_note(
    place: Path, monkeypatch: pytest.MonkeyPatch, what: str, number: int
) -> None:
    """All files are durable then, and the note of them is gone: whoever asks again would double."""
    real = new_file.sync_folder

    def refuse(folder: int, name: str) -> None:
        if name.startswith(journal.FOLDER) and not list((place / journal.FOLDER).glob("*.json")):
            raise OSError(number, os.strerror(number), name)
        real(folder, name)

    with _at(place) as vault:
        monkeypatch.setattr(new_file, "sync_folder", refuse)
        told = _ASKED[what](vault)
    monkeypatch.undo()
    with _at(place, 1) as vault:
        assert (len(_made(place)), str(told) in {*_made(place), "1"}) == (1, True)
        failing = ["read-only"] if number == errno.EIO else []
        assert [problem.code for problem in vault.fsck().problems] == failing


def test_a_correction_that_nobody_was_told_of_is_made_once(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _at(place) as vault:
        wrong = vault.remember("The shop opens on Monday.", agent="ada")
        with _unable_to_end(monkeypatch), pytest.raises(Unconfirmed):
            vault.correct(wrong.id, "The shop opens on Tuesday.")
    with _at(place, 1) as vault:
        done = vault.correct(wrong.id, "The shop opens on Tuesday.")
        assert (place / done.path).exists()
        assert done.supersedes == (Path(wrong.path).stem,)
    assert len(_memories(place)) == 2


def test_the_same_process_asks_again_and_it_is_there_once(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _at(place) as vault:
        with _unable_to_end(monkeypatch), pytest.raises(Unconfirmed, match="not done twice"):
            vault.remember("Thanks!", agent="ada")
        assert vault.remember("Thanks!", agent="ada").id
    assert _memories(place) == ["Thanks!\n"]


@pytest.mark.parametrize("other", [{"agent": "bea"}, {"session": "s"}, {"at": "2026-11-01"}])
def test_what_is_said_otherwise_is_another_memory(
    place: Path, monkeypatch: pytest.MonkeyPatch, other: dict[str, str]
) -> None:
    with _unable_to_end(monkeypatch), _at(place) as vault, pytest.raises(Unconfirmed):
        vault.remember("Thanks!", agent="ada")
    with _at(place, 1) as vault:
        vault.remember("Thanks!", **{"agent": "ada", **other})  # type: ignore[arg-type]
    assert len(_memories(place)) == 2


def test_what_was_confirmed_may_be_said_again(place: Path) -> None:
    with _at(place) as vault:
        vault.remember("Thanks!", agent="ada")
        vault.remember("Thanks!", agent="ada")
    assert len(_memories(place)) == 2


@pytest.mark.parametrize("later", [25, -25])
def test_a_day_later_the_same_words_are_meant_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch, later: float
) -> None:
    with _unable_to_end(monkeypatch), _at(place) as vault, pytest.raises(Unconfirmed):
        vault.remember("Thanks!", agent="ada")
    with _at(place, later) as vault:
        vault.remember("Thanks!", agent="ada")
    assert len(_memories(place)) == 2


def test_a_memory_that_was_deleted_since_is_written_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _unable_to_end(monkeypatch), _at(place) as vault, pytest.raises(Unconfirmed):
        vault.remember("Thanks!", agent="ada")
    with _at(place, 1) as vault:
        vault.store.sync()
        for made in place.glob("agents/ada/memories/**/*.md"):
            made.unlink()
        vault.remember("Thanks!", agent="ada")
    assert _memories(place) == ["Thanks!\n"]


def test_a_memory_that_a_correction_superseded_since_is_written_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else who says once more what was corrected hears that it is kept, and it does not hold."""
    with _unable_to_end(monkeypatch), _at(place) as vault, pytest.raises(Unconfirmed):
        vault.remember("Sarah eats no nuts.", agent="ada")
    with _at(place, 1) as vault:
        vault.store.sync()
        (wrong,) = place.glob("agents/ada/memories/**/*.md")
        vault.correct(wrong.relative_to(place).as_posix(), "Sarah eats nuts.")
        again = vault.remember("Sarah eats no nuts.", agent="ada")
        (record,) = vault.store.index.at([again.path])
        assert (record.superseded_by, again.path == record.path) == ("", True)
    assert len(_memories(place)) == 3


@pytest.mark.parametrize("what", ["remember", "task", "experience"])
def test_what_a_person_changed_since_is_made_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    ask = _ASKED[what]
    with _unable_to_end(monkeypatch), _at(place) as vault, pytest.raises(Unconfirmed):
        ask(vault)
    with _at(place, 1) as vault:
        vault.store.sync()
        (first,) = _made(place)
        text = (place / first).read_text()
        (place / first).write_text(text.replace("tea", "coffee").replace("Thanks", "Hello"))
        vault.store.sync()
        ask(vault)
        made = _made(place)
        assert (len(made), [it for it in made if (place / it).read_text() == text]) == (2, [])


def test_a_task_beside_which_another_was_made_is_answered_for_once(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board, which the first one made, has both by then."""
    with _unable_to_end(monkeypatch), _at(place) as vault, pytest.raises(Unconfirmed):
        vault.tasks.create("Buy tea")
    with _at(place, 1) as vault:
        assert (vault.tasks.create("Boil water").id, vault.tasks.create("Buy tea").id) == (2, 1)


def test_a_turn_after_which_more_was_said_is_said_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands at the end of its session, or it is another one, and the refusal says so."""
    told = "not done twice, unless .* or it is a turn and its session went on"
    with _unable_to_end(monkeypatch), _at(place) as vault, pytest.raises(Unconfirmed, match=told):
        vault.say("spring", "Yes.", agent="ada")
    with _at(place, 1) as vault:
        vault.say("spring", "Tea?", role="assistant", agent="ada")
        assert vault.say("spring", "Yes.", agent="ada").turn == 3


def test_a_mistake_is_told_as_one_whatever_was_unconfirmed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _unable_to_end(monkeypatch), _at(place) as vault, pytest.raises(Unconfirmed):
        vault.remember("Thanks!", agent="ada")
    with _at(place, 1) as vault, pytest.raises(BadInput):
        vault.remember("", agent="ada")
