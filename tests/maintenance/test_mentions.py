"""What stays after a forgetting and says it still."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from vaultmem import Vault
from vaultmem.maintenance.forgetting.redaction import decodings


def test_a_note_is_decoded_once_to_see_whether_it_says_what_is_forgotten(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be base64, and there is a note for each memory."""
    note = "# Garden\n\nThe hedge at the back wants cutting in May.\n"
    (vault.path / "notes").mkdir(exist_ok=True)
    (vault.path / "notes/garden.md").write_text(note)
    memory = vault.remember("Ottokar keeps the spare key under the stone.", agent="ada")
    decoded, decode = Counter[str](), decodings._decoded

    def counting(text: str) -> Iterator[str]:
        decoded[text.partition("---\n# ")[2] or text] += 1
        return decode(text)

    monkeypatch.setattr(decodings, "_decoded", counting)
    vault.forget(memory.id)
    found = {text: n for text, n in decoded.items() if "The hedge" in text}
    assert set(found.values()) == {1}, found
