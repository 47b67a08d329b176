"""What was proposed and not taken stays on offer, until a person says never."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from tests.conftest import Clock, Prepared
from vaultmem import Vault
from vaultmem.documents.bodies import Claim
from vaultmem.maintenance.dream.service import Dreams
from vaultmem.maintenance.dream.types import Gate, Proposal
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import ClaimsTask, DreamTask, Made, Suggestion, Summarizer

pytestmark = pytest.mark.without_history


def tell(vault: Vault) -> None:
    """Let two people say something of themselves."""
    say(vault, "Mara", "I am allergic to kiwi.")
    say(vault, "Jonas", "I live in Hull.")


@pytest.fixture
def told(prepared: Prepared) -> Vault:
    """Return a vault to which two people said something of themselves."""
    return prepared(tell)


def say(vault: Vault, who: str, text: str) -> None:
    """Let somebody say something of themselves."""
    vault.remember(text, agent="ada", source="user", speaker=who)


def dreams(vault: Vault, model: object = None) -> Dreams:
    """Return the dreams of *vault*, for whose probes nothing changes."""
    summarizer = cast("Summarizer", model or Extractive())
    return Dreams(vault.store, lambda: summarizer, lambda *_: Gate(1.0, 1.0, 10))


def cards(found: Sequence[Proposal]) -> set[str]:
    """Return who the cards among proposals are about."""
    return {Path(p.path).stem for p in found if p.op == "card"}


def offered(vault: Vault, *, force: bool = False) -> set[str]:
    """Return who the cards are about that a dream proposes now."""
    return cards(dreams(vault).plan(force=force).proposals)


def note(vault: Vault) -> Path:
    """Return the review note there is."""
    (found,) = (vault.path / "inbox").glob("dream-*.md")
    return found


def mark(vault: Vault, who: str, sign: str, behind: str = "") -> None:
    """Put a sign into the box of a person's card, and words behind it."""
    text = note(vault).read_text()
    line = next(x for x in text.splitlines() if x.startswith("- [ ]") and f"/{who}.md" in x)
    note(vault).write_text(text.replace(line, f"- [{sign}]{line[5:]}{behind}"))


@pytest.mark.with_history
def test_a_box_not_taken_returns_when_its_note_is_gone(told: Vault, clock: Clock) -> None:
    assert offered(told) == {"mara", "jonas"}
    mark(told, "mara", "x")
    dreams(told).apply()
    note(told).unlink()
    clock.advance(days=1)
    (again,) = dreams(told).plan().proposals
    assert (again.path.rpartition("/")[2], again.offered) == ("jonas.md", True)


@pytest.mark.long
@pytest.mark.with_history
def test_a_dream_that_was_undone_is_offered_again(told: Vault, clock: Clock) -> None:
    dreams(told).plan()
    dreams(told).apply(everything=True)
    clock.advance(days=1)
    assert offered(told) == set()
    dreams(told).undo()
    assert offered(told) == {"mara", "jonas"}


def test_never_is_kept_with_its_reason_when_the_note_is_gone(told: Vault, clock: Clock) -> None:
    """What is said later is offered by itself; deleting the line takes the never back."""
    offered(told)
    mark(told, "mara", "-", ": that was a joke")
    done = dreams(told).apply()
    assert (len(done.declined), done.applied) == (1, ())
    note(told).unlink()
    (line,) = [x for x in _declined(told).splitlines() if x.startswith("- ")]
    assert "Mara's allergy: kiwi" in line
    assert ": that was a joke ([[" in line
    assert offered(told) == {"jonas"}
    assert offered(told, force=True) == {"mara", "jonas"}
    clock.advance(days=1)
    say(told, "Mara", "I live in Porto.")
    (card,) = (p for p in dreams(told).plan().proposals if "mara" in p.path)
    assert "Porto" in card.reason
    assert "kiwi" not in repr(card)
    (told.path / "inbox/declined.md").write_text(_declined(told).replace(line, ""))
    assert "kiwi" in repr(dreams(told).plan().proposals)


def _declined(vault: Vault) -> str:
    return (vault.path / "inbox/declined.md").read_text()


def test_a_round_notes_a_never_once(told: Vault) -> None:
    offered(told)
    mark(told, "mara", "-")
    rested = note(told).stat().st_mtime + 1
    assert dreams(told).apply_ticked(rested - 2) is None
    assert not (told.path / "inbox/declined.md").exists()
    done = dreams(told).apply_ticked(rested)
    assert done is not None
    assert len(done.declined) == 1
    assert dreams(told).apply_ticked(rested) is None
    assert told.fsck().ok


def test_forgetting_what_was_declined_leaves_no_word_of_it(told: Vault) -> None:
    offered(told)
    mark(told, "mara", "-")
    dreams(told).apply()
    (path,) = told.path.glob("agents/ada/memories/**/*kiwi*.md")
    told.forget(path.relative_to(told.path).as_posix())
    assert "kiwi" not in _declined(told)


@pytest.mark.long
@pytest.mark.with_history
def test_a_fact_that_was_removed_by_hand_is_not_offered_again(told: Vault, clock: Clock) -> None:
    dreams(told).plan()
    dreams(told).apply(everything=True)
    (card,) = told.path.glob("cards/*/mara.md")
    card.write_text(card.read_text().replace("allergy: kiwi\n", "", 1))
    clock.advance(days=1)
    assert offered(told) == set()
    say(told, "Mara", "I am allergic to pollen.")
    assert offered(told) == {"mara"}


def test_who_moved_back_is_where_they_said_last(vault: Vault, clock: Clock) -> None:
    for city in ("Porto", "Hull", "Porto"):
        say(vault, "Ines", f"I live in {city}.")
        clock.advance(days=30)
        dreams(vault).plan()
        dreams(vault).apply(everything=True)
    (card,) = vault.path.glob("cards/*/ines.md")
    assert "Porto" in card.read_text().partition("sources:")[2].partition("---")[0]
    clock.advance(days=1)
    assert offered(vault) == set()


class Model:
    """A model that finds an allergy in all that is said, and two facts to merge."""

    name = "a-model"

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self.asked: list[object] = []

    def claims(self, task: ClaimsTask) -> Made[tuple[Claim, ...]]:
        """Find it where kiwi is spoken of."""
        self.asked += [it.text for it in task.items]
        found = (
            Claim(it.speaker, "self", "medical", "allergy", "kiwi", it.text, it.at, it.origin)
            for it in task.items
            if "kiwi" in it.text
        )
        return Made(tuple(found), self.name, "1")

    def suggest(self, task: DreamTask) -> Made[tuple[Suggestion, ...]]:
        """Merge the two facts there are."""
        self.asked.append(len(task.facts))
        return Made(
            (Suggestion("merge", (1, 2), "Tea is served at four, at 16:00.", "one thing"),),
            self.name,
            "1",
        )


@pytest.mark.with_history
def test_what_a_model_found_is_paid_for_once_and_stays_on_offer(told: Vault, clock: Clock) -> None:
    model = Model()
    (told.path / "topics").mkdir(exist_ok=True)
    (told.path / "topics/tea.md").write_text("- Tea is at four.\n- At 16:00 tea is served.\n")
    first = dreams(told, model).plan().proposals
    assert sorted(map(str, model.asked)) == [
        "2", "I am allergic to kiwi.", "I live in Hull.",
    ]  # fmt: skip
    assert {(p.op, p.by) for p in first} == {("card", "a-model"), ("merge", "a-model")}
    note(told).unlink()
    clock.advance(days=2)
    again = dreams(told, model).plan().proposals
    assert {p.id for p in again} == {p.id for p in first}
    say(told, "Mara", "I like plums.")
    dreams(told, model).plan()
    assert [x for x in model.asked[3:] if isinstance(x, str)] == ["I like plums."]
