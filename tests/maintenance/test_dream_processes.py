"""A dream beside other processes: nothing is lost, and what it does is one commit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.storage.index import Filter

ROUNDS = 6
_REMEMBERED = Filter(type="memory", below="agents")
TOPICS = {
    "deploy": "- Deploys go out on Tuesdays at 10:00.\n",
    "notes": "- Deploys go out on Tuesdays at 10:00.\n- The disk holds 40 GB.\n",
}


@pytest.fixture
def path(vault: Vault) -> Path:
    """Return a vault in which two topics say the same, and a dream is planned to fix that."""
    (vault.path / "topics").mkdir(exist_ok=True)
    for n, (name, text) in enumerate(TOPICS.items(), 1):
        head = f"---\ntype: topic\ntitle: {name.title()}\ncreated: 2026-11-0{n}T09:00:00Z\n---\n"
        (vault.path / f"topics/{name}.md").write_text(f"{head}## Facts\n{text}")
    vault.store.writer.commit_edits(quiet=0)
    assert vault.dream().proposals
    return vault.path


def started(path: Path, code: str) -> subprocess.Popen[str]:
    """Start a process that opens the vault, says so, waits for a line, and does *code*."""
    begin = (
        "import sys; from vaultmem import Vault; from vaultmem.knowledge.cards.types import Patch"
    )
    whole = f"{begin}\nwith Vault.open(sys.argv[1]) as v:\n print('open', flush=True); input()\n"
    return subprocess.Popen(
        [sys.executable, "-c", f"{whole} {code}", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def together(*processes: subprocess.Popen[str]) -> list[str]:
    """Let all go at once; return what each said."""
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    told = [process.communicate() for process in processes]
    assert [(p.returncode, err) for p, (_, err) in zip(processes, told, strict=True)] == (
        [(0, "")] * len(processes)
    )
    return [out for out, _ in told]


@pytest.mark.long
def test_a_dream_beside_remember_and_cards_loses_nothing_and_is_one_commit(
    vault: Vault, path: Path
) -> None:
    who = "person='Sarah', relationship='daughter', backstory='At school.', source='user'"
    dream, _, _ = together(
        started(path, "print(len(v.dreams.apply(everything=True).applied))"),
        started(
            path,
            f"[v.remember(f'On walk {{n}} we saw herons.', agent='ada') for n in range({ROUNDS})]",
        ),
        started(
            path,
            f"[v.cards.set('family/sarah', Patch(fields={{f'walk{{n}}': f'{{n}} km'}}, {who}))"
            f" for n in range({ROUNDS})]",
        ),
    )
    assert int(dream) > 0
    vault.tick()
    said = {r.body.strip() for r in vault.store.index.records(_REMEMBERED)}
    assert said == {f"On walk {n} we saw herons." for n in range(ROUNDS)}
    walks = {f"walk{n}": f"{n} km" for n in range(ROUNDS)}
    assert walks.items() <= vault.cards.get("family/sarah").items()
    told = "".join(file.read_text() for file in (path / "topics").glob("*.md"))
    assert told.count("Deploys go out on Tuesdays at 10:00.") == 1
    assert "- The disk holds 40 GB." in told
    assert len([o for o in vault.log(None) if o.subject.startswith("dream: ")]) == 1
    assert vault.fsck().ok, vault.fsck().problems
