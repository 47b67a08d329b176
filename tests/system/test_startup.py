"""The first moment of a command: what loads. `tests/bench/startup.py` says how long it takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem import Vault

HEAVY = ["anthropic", "chromadb", "ollama", "mcp", "rich", "pydantic", "frontmatter", "watchdog"]
WRITERS = [
    "vaultmem.storage.git",
    "vaultmem.storage.writer",
    "vaultmem.nlp.summarization.extractive",
]
SPARED = [
    *("email", "importlib.metadata", "vaultmem.documents.bodies", "yaml"),
    *("difflib", "html", "logging", "random", "tempfile"),
]
"""What a package loads to tell its version; what conversations come to; YAML of a person's; and
what one text in a thousand needs, or nobody who writes."""


def loaded(*args: str) -> set[str]:
    """Return the modules that a command has loaded when it ends."""
    code = (
        "import sys; from vaultmem.cli import run; code = run(sys.argv[1:]);"
        "print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.fixture
def used(vault: Vault) -> Path:
    """Return a vault that remembers something."""
    vault.remember("The well is deep.", agent="ada")
    return vault.path


def test_help_loads_no_command() -> None:
    """Not even the vault."""
    there = loaded("--help")
    assert there.isdisjoint([*HEAVY, *WRITERS, "vaultmem.api.vault", "yaml", "sqlite3"])


def test_help_of_import_loads_no_vault() -> None:
    """Only which formats there are."""
    there = loaded("import", "--help")
    assert there.isdisjoint([*HEAVY, *WRITERS, "vaultmem.api.vault", "yaml", "sqlite3"])


@pytest.mark.long
@pytest.mark.parametrize("command", ["status", "@memory-status", "@memory-budget"])
def test_status_loads_nothing_heavy(used: Path, command: str) -> None:
    """No model, no vector store, no table drawer, and nothing that only writers need."""
    assert loaded("--vault", str(used), command).isdisjoint([*HEAVY, *WRITERS])


@pytest.mark.long
def test_status_of_a_vault_at_rest_loads_nobody_who_reads_or_decides(used: Path) -> None:
    """Files that are as they were are not read, and tasks, sessions, compactions not decided on."""
    loaded("--vault", str(used), "status")
    at_work = [
        *("documents.origin", "storage.index.texts", "knowledge.tasks", "memory.compaction"),
        *("exchange.running_sessions", "api.vault.types", "models.embeddings.minilm.embedder"),
        "documents.markdown.outline",
    ]
    there = loaded("--vault", str(used), "status")
    assert there.isdisjoint(
        ["importlib.resources", "subprocess", *(f"vaultmem.{name}" for name in at_work)]
    )


@pytest.mark.long
@pytest.mark.parametrize("command", [["recall", "well"], ["remember", "more"], ["fsck"], ["log"]])
def test_everyday_commands_load_nothing_heavy(used: Path, command: list[str]) -> None:
    """A hook calls them many times an hour."""
    assert loaded("--vault", str(used), *command).isdisjoint(HEAVY)


@pytest.mark.long
def test_remembering_loads_no_more_than_it_needs(used: Path) -> None:
    """Of the fifth of a second that it takes, loading is the half."""
    there = loaded("--vault", str(used), "remember", "Some more.", "--agent", "ada")
    assert there.isdisjoint(SPARED)


@pytest.mark.long
def test_at_its_end_nothing_is_looked_through_for_garbage(used: Path) -> None:
    """All that was loaded goes with the process: to look at it took a tenth of a command's time."""
    code = (
        "import atexit, gc, sys; from vaultmem.cli import main;"
        "tell = lambda: print(len(gc.get_objects()), gc.get_freeze_count(), file=sys.stderr);"
        "atexit.register(tell); main()"
    )
    argv = [sys.executable, "-c", code, "--vault", str(used), "status"]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    looked_at, left_alone = map(int, done.stderr.split())
    assert looked_at < left_alone / 100


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [
        ["remember", "Some more.", "--agent", "ada"],
        ["session", "turn", "Some more.", "--session", "farm", "--agent", "ada"],
        ["task", "create", "Dig a well."],
        ["log"],
    ],
)
def test_what_tells_of_nothing_loads_nobody_who_does(used: Path, command: list[str]) -> None:
    """Neither who compacts nor who folds, with all their patterns: a hook says a turn a time."""
    there = loaded("--vault", str(used), *command)
    tellers = ("summarization.guarded", "extraction.personal_facts", "extraction.choices")
    known = tuple(f"vaultmem.nlp.{name}" for name in tellers)
    assert not [name for name in there if name.startswith(known)]


@pytest.mark.long
def test_what_shows_and_checks_loads_neither_dreams_nor_who_tells_offline() -> None:
    """`show` and `why` look at links as a dream does, and `fsck` at what a compaction covers."""
    code = (
        "import sys, vaultmem.api.views, vaultmem.maintenance.provenance.tracing;"
        "import vaultmem.maintenance.fsck, vaultmem.maintenance.forgetting; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    tellers = ("maintenance.dream.service", "nlp.summarization.extractive")
    assert {f"vaultmem.{name}" for name in tellers}.isdisjoint(done.stdout.split())


@pytest.mark.parametrize("module", ["documents.rendered_text", "storage.comparable_text"])
def test_what_few_texts_need_is_compiled_by_the_first_that_does(module: str) -> None:
    """Every memory loads these, and nearly none has what they look for."""
    code = f"import dataclasses, re; re.compile = None; import vaultmem.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_the_package_itself_loads_nothing() -> None:
    """`import vaultmem` costs next to nothing; the vault comes when it is asked for."""
    code = "import sys, vaultmem; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [m for m in done.stdout.split() if m.startswith("vaultmem.")] == ["vaultmem.version"]
