"""A damaged file of `supersessions/` is named, with what to do, and a sound one never is."""

from __future__ import annotations

import pytest

from vaultmem import Vault
from vaultmem.maintenance.damaged_supersessions import CODE, circular, fault
from vaultmem.storage import supersessions
from vaultmem.storage.index import supersession
from vaultmem.storage.index.supersession import Statement

pytestmark = pytest.mark.without_history

NOBODY = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


@pytest.fixture
def ids(vault: Vault) -> tuple[str, str]:
    """Return the ids of two memories."""
    one, two = (
        vault.remember(text, agent="ada", source="user").id
        for text in ("Mara lives in Graz.", "Mara lives in Linz.")
    )
    return one, two


def put(vault: Vault, older: str, newer: str, text: str = "") -> str:
    """Write the file that says that *newer* supersedes *older*, or *text*; return its path."""
    path = supersessions.path(older)
    (vault.path / path).parent.mkdir(exist_ok=True)
    fields = f"type: supersession\ntrust: user\nsupersedes: {older}\nsuperseded_by: {newer}\n"
    (vault.path / path).write_text(text or f"---\n{fields}---\n")
    return path


def named(vault: Vault) -> list[str]:
    """Return the files that `fsck` and `status` name alike, each with a way out."""
    found = [p for p in vault.fsck().problems if p.code == CODE]
    assert found == [p for p in vault.status().problems if p.code == CODE]
    assert all("delete" in p.repair for p in found)
    return [p.path for p in found]


def test_a_sound_one_is_not_named(vault: Vault, ids: tuple[str, str]) -> None:
    put(vault, *ids)
    assert named(vault) == []


def test_one_with_an_id_of_nobody_is(vault: Vault, ids: tuple[str, str]) -> None:
    """On either side."""
    older, newer = ids
    assert named(vault) == []
    assert [put(vault, older, NOBODY), put(vault, NOBODY, newer)] == sorted(named(vault))[::-1]


def test_one_without_sense_is(vault: Vault, ids: tuple[str, str]) -> None:
    path = put(vault, *ids, "garbage\n")
    assert named(vault) == [path]
    put(vault, *ids)
    assert named(vault) == []


def test_two_that_say_the_contrary_are_both_named(vault: Vault, ids: tuple[str, str]) -> None:
    older, newer = ids
    assert sorted([put(vault, older, newer), put(vault, newer, older)]) == sorted(named(vault))


def test_one_that_contradicts_itself_ends_no_memory(vault: Vault) -> None:
    """Nothing proves that it holds no more: it stays what is recalled, and the file is named."""
    older, newer = (
        vault.remember(text, agent="ada", source="agent").id
        for text in ("Mara lives in Graz.", "Mara lives in Linz.")
    )
    for text, is_sound in (
        (f"supersedes: {older}\nsuperseded_by: {older}\n", False),
        (f"supersedes: {newer}\nsuperseded_by: {older}\n", False),
        (f"supersedes: {older}\nsuperseded_by: {newer}\n", True),
    ):
        path = put(vault, older, newer, f"---\ntype: supersession\n{text}---\n")
        assert named(vault) == ([] if is_sound else [path])
        ended = [vault.store.index.named(it)[0].superseded_by for it in (older, newer)]
        assert [bool(by) for by in ended] == [is_sound, False]


def said(older: str, newer: str, path: str = "", kind: str = "supersession") -> Statement:
    """Return what a file says, a sound one unless its path or its type is another."""
    path = path or supersessions.path(older)
    return Statement(path, kind, older, newer, knows_older=True, knows_newer=True)


def test_the_name_the_type_and_both_ids_are_looked_at() -> None:
    other = NOBODY[:-1] + "W"
    assert fault(said(NOBODY, other)) == ""
    assert fault(said(NOBODY, NOBODY)) == "it names one memory twice"
    assert "in its name" in fault(said(NOBODY, other, path=supersessions.path(other)))
    assert "does not say `type" in fault(said(NOBODY, other, kind="supersesion"))


def supersede(vault: Vault, newer: str, older: str) -> str:
    """Let the file of the memory *newer* say that it supersedes *older*; return its path."""
    (it,) = vault.store.index.named(newer)
    file = vault.path / it.path
    own = f"type: memory\nsupersedes: {older}\n"
    file.write_text(file.read_text().replace("type: memory\n", own))
    vault.store.sync()
    return it.path


def ended(vault: Vault, *refs: str) -> list[bool]:
    """Return which of *refs* hold no longer."""
    vault.store.sync()
    return [bool(vault.store.index.named(it)[0].superseded_by) for it in refs]


@pytest.mark.parametrize("size", [2, 3])
def test_memories_that_supersede_each_other_are_named_by_fsck_and_hold(
    vault: Vault, size: int
) -> None:
    """What contradicts itself ends nothing; what stands outside of the circle is ended by it."""
    towns = ("Bonn", "Graz", "Linz", "Wels")[: size + 1]
    outside, *circle = (vault.remember(f"Mara lives in {it}.", agent="ada").id for it in towns)
    supersede(vault, circle[0], f"[{outside}, {circle[-1]}]")
    assert ended(vault, *circle, outside) == [it == circle[-1] for it in circle] + [True]
    paths = [supersede(vault, it, circle[n]) for n, it in enumerate(circle[1:])]
    told = [p for p in vault.fsck().problems if p.code == CODE]
    assert len({p.path for p in told}) == len(told) == len(circle)
    assert all("take `supersedes` out" in p.repair for p in told)
    assert ended(vault, *circle, outside) == [False] * len(circle) + [True]
    (vault.path / paths[-1]).unlink()
    assert ended(vault, *circle[:-1]) == [it != circle[-2] for it in circle[:-1]]


def test_two_files_that_say_the_contrary_end_neither_memory(vault: Vault) -> None:
    older, newer = (vault.remember(f"Mara lives in {it}.").id for it in ("Graz", "Linz"))
    put(vault, older, newer)
    assert ended(vault, older, newer) == [True, False]
    put(vault, newer, older)
    assert ended(vault, older, newer) == [False, False]


def test_who_is_trusted_less_takes_no_correction_back_by_a_circle(vault: Vault) -> None:
    old = vault.remember("Mara lives in Wels.", agent="ada").id
    new = vault.correct(old, "Mara lives in Bonn.", source="user").id
    supersede(vault, old, new)
    assert ended(vault, new, old) == [False, True]


def test_an_agent_ends_memories_alone_and_is_named_where_it_says_more(vault: Vault) -> None:
    """A topic, a card or a note may be what a person wrote."""
    (vault.path / "topics").mkdir(exist_ok=True)
    for path, head in (("topics/bees", "type: topic\ntrust: agent"), ("log", "type: note")):
        (vault.path / f"{path}.md").write_text(f"---\n{head}\ntitle: It\n---\nIt is so.\n")
    made = vault.remember("The lake is deep.", agent="ada").id
    path = supersede(vault, made, '["[[topics/bees]]", "[[log]]"]')
    assert ended(vault, "topics/bees.md", "log.md") == [False, False]
    told = [(p.path, p.message) for p in vault.fsck().problems if p.code == CODE]
    assert [it for it, _ in told] == [path] * 2
    assert all("which is no memory" in message for _, message in told)
    assert supersession.may_end("user", "user", "topic")


def test_a_circle_has_those_alone_that_close_it() -> None:
    circle = [said("B", "C"), said("C", "D"), said("D", "B")]
    assert circular([said("A", "B"), *circle, said("E", "F"), said("F", "G")]) == circle
