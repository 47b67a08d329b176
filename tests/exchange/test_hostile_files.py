"""Files that mean harm, or came to by accident: nothing of theirs comes in that may not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.errors import BadLine
from vaultmem.exchange.importing import Imported
from vaultmem.records import Record
from vaultmem.storage.index import Filter

GITHUB = "ghp_" + "a1B2c3D4" * 5
BLOCK = "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----"
KEY = BLOCK.format(
    "\n".join(["MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgHcTz6sE2I2yPB"] * 40)
)


def take(vault: Vault, form: str, path: Path, **how: bool) -> Imported:
    """Import *path* for Ada, and return what came of it."""
    return vault.import_files(form, [path], agent="ada", **how).done  # type: ignore[misc]


def put(path: Path, found: object) -> Path:
    """Write *found* as JSON, a text as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(found if isinstance(found, str) else json.dumps(found))
    return path


def mem0(folder: Path, *memories: dict[str, object]) -> Path:
    """Write what mem0 returns."""
    return put(folder / "mem0.json", {"results": memories})


def letta(folder: Path, *messages: dict[str, object], **more: object) -> Path:
    """Write an agent file of Letta's."""
    agent = {"id": "a1", "name": "mate", "messages": messages, "block_ids": []}
    return put(folder / "mate.af", {"agents": [agent], "blocks": [], **more})


def remembered(vault: Vault) -> Sequence[Record]:
    """Return the memories that the vault has, those that await review, too."""
    vault.store.sync()
    found = vault.store.index.records(Filter(type="memory"))
    return [it for it in found if not it.path.startswith("templates/")]


def kept(vault: Vault) -> str:
    """Return all that lies in the vault, as one text."""
    files = (p for p in vault.path.rglob("*") if p.is_file() and ".git" not in p.parts)
    return "\n".join(p.read_text(errors="replace") for p in files)


# --- pieces of what is long -------------------------------------------------------------------


def test_a_private_part_stays_out_however_far_its_marks_are_apart(
    vault: Vault, tmp_path: Path
) -> None:
    """Its end lies in another piece than its beginning."""
    hidden = "The alarm code is 4711.\n" * 3000
    text = f"Tea at four.\n<private>\n{hidden}</private>\nAnd scones."
    assert take(vault, "mem0", mem0(tmp_path, {"id": "1", "memory": text})).imported == 1
    (made,) = remembered(vault)
    assert "4711" not in kept(vault)
    assert made.body == "Tea at four.\n\nAnd scones.\n"


@pytest.mark.parametrize("secret", [GITHUB, KEY], ids=["token", "key of many lines"])
@pytest.mark.parametrize("inside", [6, 30, 38])
def test_a_credential_is_found_where_a_long_text_is_cut(
    vault: Vault, tmp_path: Path, secret: str, inside: int
) -> None:
    """At any place of it; redacted, the rest comes in."""
    text = "x" * 25_000 + "\u2003" * (600 - inside) + secret + "\n" + "y" * 30_000
    path = mem0(tmp_path, {"id": "1", "memory": text})
    with pytest.raises(BadLine, match="looks like a secret"):
        take(vault, "mem0", path)
    assert take(vault, "mem0", path, redact=True).imported > 1
    assert secret[-20:] not in kept(vault)
    assert secret[:20] not in kept(vault)


def test_a_credential_is_not_halved_where_a_result_is_shortened(
    vault: Vault, tmp_path: Path
) -> None:
    """Half a key is no key that anybody could find, and most of one."""
    said = {"id": "1", "role": "tool", "content": f"{'x ' * 1990}{GITHUB}{' y' * 999}"}
    assert take(vault, "letta", letta(tmp_path, said)).imported == 1
    assert GITHUB[:8] not in kept(vault)
