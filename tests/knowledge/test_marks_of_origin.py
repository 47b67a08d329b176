"""What a card says of where it comes from is none of its facts."""

from __future__ import annotations

import pytest

from vaultmem import Vault
from vaultmem.errors import BadInput
from vaultmem.knowledge.cards import Cards
from vaultmem.knowledge.cards.types import Patch

PATH = "cards/office/mara.md"


@pytest.mark.parametrize("mark", ["via: letter", "Via: letter", "source: user", "trust: agent"])
def test_a_mark_of_origin_is_no_fact_of_a_card(vault: Vault, mark: str) -> None:
    said = Patch({"job": "clerk"}, person="Mara", relationship="self", backstory="Said at work.")
    Cards(vault.store).set("office/mara", said)
    file = vault.path / PATH
    key = mark.partition(" ")[0]
    lines = [it for it in file.read_text().splitlines(keepends=True) if not it.startswith(key)]
    file.write_text("".join(lines).replace("job: clerk\n", f"job: clerk\n{mark}\n"))
    vault.store.sync()
    told = vault.cards.get("office/mara")["facts"]
    assert isinstance(told, dict)
    assert told.keys() == {"job"}
    assert not [link for link in vault.why(PATH).chain if mark in link.text]
    assert "job: clerk" in (shown := vault.context("Mara").text)
    assert mark not in shown
    assert [it.facts for it in vault.store.index.at([PATH])] == ["job: clerk"]


@pytest.mark.parametrize("mark", ["via", "source", "trust"])
def test_no_fact_of_a_card_may_be_called_like_a_mark_of_origin(vault: Vault, mark: str) -> None:
    with pytest.raises(BadInput, match="the program uses that key itself"):
        Cards(vault.store).set("office/mara", Patch({mark: "x"}))
