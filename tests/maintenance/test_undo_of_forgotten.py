"""No undo, and nothing that repairs a vault, brings back what was forgotten, whatever it said once.

Only the undo of the forgetting itself does.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cases import rarely
from vaultmem import Vault
from vaultmem.errors import ForgottenText, Refused
from vaultmem.knowledge.cards.types import Patch

TEXT = "The heliotrope umbrella of Ottokar was left in Graz."
LATER = "The vermilion kettle of Ottokar was left in Linz."
AGAIN = "would say again what was forgotten"


def edited(vault: Vault, path: str, old: str, new: str) -> str:
    """Write *new* for *old* into a file and commit it, as a person does; return the commit."""
    file = vault.path / path
    file.write_text(file.read_text().replace(old, new))
    vault.store.writer.commit_edits(quiet=0)
    return vault.log(1)[0].commit


def undone(vault: Vault, op: str) -> str:
    """Undo *op*; return the operation that did."""
    return vault.undo(op)[0].op


def assert_gone(vault: Vault, path: str) -> None:
    """See that the file at *path* is gone, and that nothing says what was forgotten."""
    assert not (vault.path / path).exists()
    assert vault.fsck().problems == ()


@pytest.mark.long
@pytest.mark.parametrize("partly", [False, True])
def test_what_a_memory_said_before_it_was_edited_does_not_come_back(
    vault: Vault,
    partly: bool,  # noqa: FBT001  # a row of a table
) -> None:
    """Its tombstone knows the text that was accepted last, and its id."""
    made = vault.remember(TEXT, agent="ada")
    first = undone(vault, made.id)
    undone(vault, first)
    edited(vault, made.path, TEXT, LATER)
    vault.fsck(accept=[made.path])
    vault.forget(made.id)
    with pytest.raises(Refused, match=AGAIN):
        vault.undo(first, partly=partly)
    assert_gone(vault, made.path)


@pytest.mark.long
def test_a_line_that_a_person_took_out_of_a_note_does_not_come_back(vault: Vault) -> None:
    """The note said it when it was forgotten, too."""
    made = vault.remember(TEXT, agent="ada")
    (vault.path / "notes").mkdir(exist_ok=True)
    note = vault.path / "notes/trip.md"
    note.write_text(f"# Trip\n\n- {TEXT}\n- We came by train.\n")
    vault.store.writer.commit_edits(quiet=0)
    vault.forget(made.id)
    assert [p.path for p in vault.fsck().problems] == ["notes/trip.md"]
    out = edited(vault, "notes/trip.md", f"- {TEXT}\n", "")
    with pytest.raises(Refused, match=AGAIN):
        vault.undo(out)
    assert vault.fsck().ok


def test_a_line_of_a_persons_in_memory_md_does_not_come_back(vault: Vault) -> None:
    made = vault.remember(TEXT, agent="ada")
    vault.tick()
    edited(vault, "MEMORY.md", "<!-- vaultmem:begin -->", f"- {TEXT}\n\n<!-- vaultmem:begin -->")
    out = edited(vault, "MEMORY.md", f"- {TEXT}\n\n", "")
    vault.forget(made.id)
    with pytest.raises(Refused, match=AGAIN):
        vault.undo(out)
    assert TEXT not in (vault.path / "MEMORY.md").read_text()


@pytest.mark.long
def test_a_list_as_it_was_does_not_tell_of_it_either(vault: Vault) -> None:
    """Of an edited memory MEMORY.md told until it was edited."""
    made = vault.remember(TEXT, agent="ada")
    vault.tick()
    edited(vault, made.path, TEXT, LATER)
    vault.tick()
    told = vault.log(1)[0]
    assert told.subject == "index: MEMORY.md"
    vault.forget(made.id)
    with pytest.raises(Refused, match=f"MEMORY.md would point at {made.path}, which is gone"):
        vault.undo(told.ops[0])
    assert vault.history.plan_newest_undo()[0] not in told.ops
    assert "heliotrope" not in (vault.path / "MEMORY.md").read_text()


@pytest.mark.long
def test_a_card_that_was_forgotten_does_not_come_back(vault: Vault) -> None:
    def told(fact: str) -> Patch:
        return Patch({"keeps": fact}, person="Tom", relationship="friend", backstory="A friend.",
                     source="user")  # fmt: skip

    vault.cards.set("family/tom", told(TEXT))
    vault.tick()
    op = next(o.ops[0] for o in vault.log() if o.subject.startswith("card"))
    first = undone(vault, op)
    undone(vault, first)
    vault.cards.set("family/tom", told(LATER))
    vault.forget("cards/family/tom.md")
    with pytest.raises(Refused, match=AGAIN):
        vault.undo(first)
    assert_gone(vault, "cards/family/tom.md")


def archived(vault: Vault, path: str) -> str:
    """Put the memory at *path* away; return where it is."""
    vault.memories.archive([path])
    (where,) = vault.path.glob("agents/*/archive/**/*.md")
    return where.relative_to(vault.path).as_posix()


def moved(vault: Vault, path: str) -> str:
    """Give a note another name, as a person does; return it."""
    (vault.path / path).rename(vault.path / "notes/moved.md")
    vault.store.writer.commit_edits(quiet=0)
    vault.tick()
    return "notes/moved.md"


def remembered(vault: Vault) -> str:
    """Remember it; return the path."""
    return vault.remember(TEXT, agent="ada").path


def written(vault: Vault) -> str:
    """Write it as a note, as a person does; return the path."""
    (vault.path / "notes").mkdir(exist_ok=True)
    (vault.path / "notes/trip.md").write_text(f"{TEXT}\n")
    vault.store.writer.commit_edits(quiet=0)
    return "notes/trip.md"


@pytest.mark.long
@pytest.mark.parametrize(("made", "moves"), [(written, moved), *rarely((remembered, archived))])
def test_nothing_is_called_forgotten_that_is_elsewhere_now(
    vault: Vault, made: Callable[[Vault], str], moves: Callable[[Vault, str], str]
) -> None:
    """Who takes the undo of a forgetting back is told where that stands now."""
    path = made(vault)
    back = undone(vault, vault.forget(path).op)
    where = moves(vault, path)
    with pytest.raises(Refused, match=f"{where} .*`vaultmem forget"):
        vault.undo(back)
    assert vault.fsck().ok


def test_what_was_allowed_again_is_not_forbidden_while_it_is_back(vault: Vault) -> None:
    path = remembered(vault)
    forgot = vault.forget(path)
    allowed = vault.forgetting.allow_again(forgot.forgotten)
    undone(vault, forgot.op)
    with pytest.raises(Refused, match=f"{path} .*`vaultmem forget"):
        vault.undo(allowed.op)
    assert vault.fsck().ok


@pytest.mark.long
def test_a_text_file_that_an_agent_deleted_and_wrote_anew_comes_back(vault: Vault) -> None:
    """The tombstone of the first is there for imports, and bars no text file."""
    path, reach = "agents/ada/files/state.json", vault.reach("ada")
    reach.create(path, TEXT)
    reach.remove(path)
    reach.create(path, TEXT)
    op = vault.log(1)[0].ops[0]
    undone(vault, undone(vault, op))
    assert (vault.path / path).read_text() == TEXT
    assert vault.fsck().ok


@pytest.mark.long
def test_what_a_person_put_back_into_the_archive_stays_there(vault: Vault) -> None:
    """With what it said before it was edited; `unarchive` asks for its id, too."""
    path = remembered(vault)
    where = archived(vault, path)
    first = (vault.path / where).read_bytes()
    edited(vault, where, TEXT, LATER)
    vault.fsck(accept=[where])
    vault.forget(where)
    (vault.path / where).write_bytes(first)
    with pytest.raises(ForgottenText):
        vault.memories.unarchive([where])
    assert [p.path for p in vault.status().problems if p.code == "forgotten"] == [where]
