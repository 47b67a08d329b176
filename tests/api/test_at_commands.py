"""An @command from a program: what the command line prints, and its errors by their kind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import Vault
from vaultmem.api import at_commands
from vaultmem.cli.at_commands import COMMANDS
from vaultmem.errors import BadInput, CannotOpen, Refused, Unavailable

pytestmark = pytest.mark.without_history

GITHUB = "ghp_" + "a1B2c3D4" * 5


@pytest.mark.long
def test_a_command_returns_what_the_command_line_prints(vault: Vault) -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "vaultmem", "--vault", str(vault.path), "@memory-status"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert vault.command("@memory-status") == printed.stdout
    assert "no memories yet" in printed.stdout


@pytest.mark.long
def test_what_a_command_kept_is_found_by_the_vault_that_asked(vault: Vault) -> None:
    said = vault.command("@remember --agent ada Zoë's café opens at nine: -k is not an option here")
    assert said.startswith("remembered agents/ada/memories/")
    hit = vault.recall("café").hits[0]
    assert (
        vault.post(hit.path).content.strip() == "Zoë's café opens at nine: -k is not an option here"
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hello there", "'hello' is not an @command"),
        ("", "'' is not an @command"),
        ("status", "'status' is not an @command"),
        ("@memory-statos", "there is no command '@memory-statos', did you mean"),
        ("@recall --vault /elsewhere tea", "--vault is not an option"),
        ("@forget what-nobody-said", "what-nobody-said"),
        ("@remember a\0b", "embedded null byte"),
    ],
)
def test_what_makes_no_sense_is_bad_input_in_one_sentence(
    vault: Vault, line: str, why: str
) -> None:
    with pytest.raises(BadInput) as e:
        vault.command(line)
    assert why in str(e.value)
    assert "\n" not in str(e.value)
    assert not str(e.value).startswith("vaultmem:")


@pytest.mark.long
def test_the_kind_of_an_error_follows_from_the_exit_code(vault: Vault, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="looks like a secret") as e:
        vault.command(f"@remember the key is {GITHUB}")
    assert GITHUB not in str(e.value)
    with pytest.raises(CannotOpen):
        at_commands.run(tmp_path, "@memory-status", {})


@pytest.mark.long
def test_text_goes_through_no_shell_and_is_no_option(vault: Vault) -> None:
    text = "$(touch gone) ; `id` | cat > x && echo --agent bob \"quoted\" 'too' *"
    vault.command(f"@remember {text}")
    assert vault.post(vault.recall("touch gone quoted").hits[0].path).content.strip() == text
    assert not list(vault.path.rglob("gone"))


@pytest.mark.long
def test_the_settings_are_those_that_the_vault_was_opened_with(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTMEM_EMBEDDER", "of this process")
    monkeypatch.setenv("VAULTMEM_VAULT", "/elsewhere")
    with Vault.open(folder, env={}) as vault:
        assert "of this process" not in vault.command("@memory-status")
    with Vault.open(folder, env={"VAULTMEM_EMBEDDER": "unheard"}) as vault:
        assert "unheard" in vault.command("@memory-status")


@pytest.mark.long
def test_modules_beside_the_program_are_not_mistaken_for_ours(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vaultmem.py").write_text("print('somebody else')")
    monkeypatch.chdir(tmp_path)
    assert "no memories yet" in vault.command("@memory-status")


def test_a_command_that_takes_too_long_is_ended(vault: Vault) -> None:
    with pytest.raises(Unavailable, match=r"@memory-status was ended after 0\.01 s"):
        at_commands.run(vault.path, "@memory-status", os.environ, seconds=0.01)


@given(st.text())
def test_a_lines_arguments_never_hold_an_option_that_may_not_be_said(text: str) -> None:
    try:
        name, *rest = at_commands.arguments(f"@recall {text}")
    except BadInput:
        return
    assert name == "@recall"
    before = rest[: rest.index("--")] if "--" in rest else rest
    assert set(before[::2]) <= {"--agent", "-k"}


@given(st.text(alphabet="abc $'\"-\n").filter(lambda t: t.strip() and t.strip()[0] != "-"))
def test_the_text_of_a_line_is_one_argument_as_it_stands(text: str) -> None:
    assert at_commands.arguments(f"@remember {text}") == ["@remember", "--", text.strip()]


@pytest.mark.long
def test_a_command_that_names_nobody_is_asked_for_the_agent_of_the_chat(vault: Vault) -> None:
    vault.remember("Bob saw a zebrafish.", agent="bob")
    vault.remember("Ada saw a zebrafish.", agent="ada")

    def found(line: str) -> list[str]:
        told = at_commands.run(vault.path, line, {}, agent="ada")
        return [name for name in ("Ada saw", "Bob saw") if name in told]

    assert found("@recall zebrafish") == ["Ada saw"]
    assert found("@recall -k 3 zebrafish") == ["Ada saw"]
    assert found("@recall --agent bob zebrafish") == ["Bob saw"]
    assert at_commands.arguments("@forget zebrafish", "ada") == ["@forget", "--", "zebrafish"]


def test_every_command_that_has_an_agent_is_asked_for_one() -> None:
    having = {name for name, it in COMMANDS.items() if "agent" in {p.name for p in it.params}}
    assert {n for n in COMMANDS if "ada" in at_commands.arguments(n, "ada")} == having
