"""A tombstone knows what was forgotten again, and tells nobody what it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import Vault
from vaultmem.storage import tombstones
from vaultmem.storage.tombstones import Tombstone, Tombstones

SALT = "00" * tombstones.SALT


def stone(text: str, origin: str = "", agent: str = "", reason: str = "") -> Tombstone:
    digests = (tombstones.digest(text, SALT),)
    return Tombstone(
        "01KB0000000000000000000000", "2026-11-20", SALT, digests, reason=reason, origin=origin,
        agent=agent,
    )  # fmt: skip


@pytest.mark.parametrize(
    "again", ["Ottokar left it.", "  ottokar\n LEFT\tit. ", "\uff2fttokar left it."]
)
def test_a_text_is_known_again_however_it_is_spaced_cased_and_encoded(again: str) -> None:
    assert Tombstones((stone("Ottokar left it."),)).of(again)


@given(st.text(), st.text())
def test_other_texts_pass(forgotten: str, other: str) -> None:
    known = Tombstones((stone(forgotten),)).of(other)
    assert bool(known) == (tombstones.normal(forgotten) == tombstones.normal(other))


def test_an_importers_key_is_forgotten_for_its_agent_alone() -> None:
    graves = Tombstones((stone("x", agent="ada", origin="s/1"),))
    assert graves.of("other words", agent="ada", origin="s/1")
    assert not graves.of("other words", agent="ben", origin="s/1")
    assert not graves.of("other words", agent="ada")


def test_a_tombstone_reads_back_and_a_damaged_one_refuses_nothing(vault: Vault) -> None:
    made = stone("x", agent="ada", origin="s/1", reason="asked to: twice")
    file = vault.path / made.path
    file.parent.mkdir()
    file.write_bytes(tombstones.change(made).new or b"")
    vault.store.sync()
    assert tombstones.load(vault.store).all == (made,)
    assert tombstones.find(vault.store, made.id) == made

    file.write_text(file.read_text().replace(SALT, "no salt"))
    vault.store.sync()
    assert tombstones.load(vault.store).all == ()


def test_a_sentence_is_known_again_inside_a_longer_line_and_over_lines() -> None:
    sentence = "Ottokar left it in Graz."
    made = Tombstone("01KB", "2026-11-20", SALT, ("0",), parts=(tombstones.part(sentence, SALT),))
    found = list(tombstones.stretches("We heard: OTTOKAR left\n> it, in graz, they say.", [made]))
    assert found == ["ottokar left it in graz"]
    assert not list(tombstones.stretches("Ottokar left it in Vienna.", [made]))
    assert "ottokar" not in (tombstones.change(made).new or b"").decode().casefold()


def test_a_chinese_sentence_is_known_again_inside_a_longer_one() -> None:
    part = tombstones.part("雨伞忘在格拉茨", SALT)
    made = Tombstone("01KB", "2026-11-20", SALT, ("0",), parts=(part,))
    assert list(tombstones.stretches("我把雨伞忘在格拉茨了", [made]))
