"""Other programs find our MCP server where their documentation says they look."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.errors import Refused
from vaultmem.integrations.claude_code import json_comments
from vaultmem.integrations.claude_code.json_merge import Json
from vaultmem.integrations.claude_code.plugin_files import Target
from vaultmem.integrations.mcp_clients import CLIENTS, service, toml_table

TARGET = Target("/opt/bin/vaultmem", '/srv/it\'s a "vault"', "ada")
ARGS = ["mcp", "--vault", TARGET.vault, "--agent", "ada"]
ENTRY = {"command": TARGET.program, "args": ARGS}
JSON = {
    "cursor": (".cursor/mcp.json", {"mcpServers": {"vaultmem": ENTRY}}),
    "gemini": (".gemini/settings.json", {"mcpServers": {"vaultmem": ENTRY}}),
    "vscode": (".vscode/mcp.json", {"servers": {"vaultmem": {"type": "stdio", **ENTRY}}}),
}
TOML = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "other"  # stays'


def test_every_program_has_its_scene() -> None:
    assert {*JSON, "codex"} == CLIENTS.keys()


@pytest.mark.parametrize("name", JSON)
def test_a_file_of_json_gets_the_entry_and_loses_it_again(tmp_path: Path, name: str) -> None:
    path, said = JSON[name]
    made = service.install(tmp_path, name, TARGET)
    assert made.changed
    assert Path(made.path) == tmp_path / path
    assert json.loads((tmp_path / path).read_text()) == said
    assert not service.install(tmp_path, name, TARGET).changed
    assert service.uninstall(tmp_path, name, TARGET).changed
    assert [*tmp_path.iterdir()] == []
    assert not service.uninstall(tmp_path, name, TARGET).changed


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("text", [None, '{"mcpServers": {}, "servers": {}}\n'])
def test_an_entry_that_serves_all_agents_is_replaced_by_the_next_install(
    tmp_path: Path, name: str, text: str | None
) -> None:
    """As earlier versions wrote it; what stood there before comes back with `uninstall`."""
    file = tmp_path / CLIENTS[name].file
    if text is not None:
        file.parent.mkdir()
        file.write_text(text := "a = 1\n" if name == "codex" else text)
    nobody = Target("/opt/bin/vaultmem", "/srv/vault")
    service.install(tmp_path, name, replace(nobody, scoped=False))
    assert "--agent" not in file.read_text()

    assert service.install(tmp_path, name, nobody).changed
    assert '"--agent"' in file.read_text()
    assert "@vault" in file.read_text()
    assert not service.install(tmp_path, name, nobody).changed

    named = replace(nobody, agent="ada")
    assert service.install(tmp_path, name, named).changed
    assert "@vault" not in file.read_text()
    assert service.uninstall(tmp_path, name, named).changed
    assert (file.read_text() if file.exists() else None) == text


@pytest.mark.parametrize("name", JSON)
def test_an_entry_for_another_vault_is_told_and_not_merged(tmp_path: Path, name: str) -> None:
    """Of two lists of arguments there is no one list that means either."""
    service.install(tmp_path, name, TARGET)
    before = (tmp_path / JSON[name][0]).read_bytes()
    with pytest.raises(Refused, match=f"there already, as `{TARGET.program} mcp --vault"):
        service.install(tmp_path, name, replace(TARGET, vault="/srv/other"))
    assert (tmp_path / JSON[name][0]).read_bytes() == before


def test_an_entry_that_serves_all_agents_is_taken_out(tmp_path: Path) -> None:
    nobody = Target("/opt/bin/vaultmem", "/srv/vault")
    service.install(tmp_path, "cursor", replace(nobody, scoped=False))
    assert service.uninstall(tmp_path, "cursor", nobody).changed
    assert not (tmp_path / ".cursor/mcp.json").exists()


def test_what_a_person_has_in_the_file_stays_to_the_byte(tmp_path: Path) -> None:
    file = tmp_path / ".gemini/settings.json"
    file.parent.mkdir()
    text = '{\n    "theme": "Dracula",\n    "mcpServers": {"git": {"command": "uvx"}}\n}\n'
    file.write_text(text)
    service.install(tmp_path, "gemini", TARGET)
    now = json.loads(file.read_text())
    assert now["mcpServers"] == {"git": {"command": "uvx"}, "vaultmem": ENTRY}
    service.uninstall(tmp_path, "gemini", TARGET)
    assert json.loads(file.read_text()) == json.loads(text)


@pytest.mark.parametrize("text", ["", TOML, f"{TOML}\n"])
def test_codex_gets_a_table_at_the_end_of_its_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / ".codex/config.toml"
    file.parent.mkdir()
    file.write_text(text)
    service.install(tmp_path, "codex", TARGET)
    assert file.read_text().startswith(text)
    assert tomllib.loads(file.read_text())["mcp_servers"]["vaultmem"] == ENTRY
    assert not service.install(tmp_path, "codex", TARGET).changed
    service.uninstall(tmp_path, "codex", TARGET)
    left = file.read_text() if file.exists() else ""
    assert left == text


@pytest.mark.parametrize("value", ["[" * 100_000, "9" * 5000], ids=["deep", "long"])
def test_toml_that_python_reads_no_more_is_told_and_left(tmp_path: Path, value: str) -> None:
    file = tmp_path / ".codex/config.toml"
    file.parent.mkdir()
    file.write_text(text := f"a = {value} # vaultmem")
    for act in (service.install, service.uninstall):
        with pytest.raises(Refused, match="nested too deeply, or has a number that is too long"):
            act(tmp_path, "codex", TARGET)
    assert file.read_text() == text


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("codex", "mcp_servers = {}\n", "takes no further table"),
        ("codex", "[[mcp_servers]]\na = 1\n", "takes no further table"),
        ("codex", "= 1\n", "it is no TOML"),
        ("cursor", '{ // mine\n "mcpServers": {}}', "not plain JSON"),
        ("cursor", '\ufeff{"mcpServers": {}}', "not plain JSON .a byte order mark"),
        ("vscode", '{ // mine\n "servers": {', "not plain JSON"),
        ("vscode", "[] // mine", "not a JSON object"),
    ],
)
def test_what_cannot_be_added_is_told_to_be_added_by_hand(
    tmp_path: Path, name: str, text: str, why: str
) -> None:
    file = tmp_path / CLIENTS[name].file
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(Refused, match=f"{why}(.|\n)*add this by hand\n(.|\n)*vaultmem"):
        service.install(tmp_path, name, TARGET)
    assert file.read_text() == text


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("codex", '[mcp_servers.vaultmem]\ncommand = "old"\n', ", as `old`"),
        ("codex", "[mcp_servers.vaultmem]\nenabled = true\n", ", and says something else"),
        ("cursor", '{"mcpServers": {"vaultmem": {"command": "old"}}}', ", as `old`"),
        (
            "cursor",
            '{"mcpServers": {"vaultmem": {"url": "https://a.org"}}}',
            ", as `https://a.org`",
        ),
        ("gemini", '{"mcpServers": {"vaultmem": []}}', ""),
        (
            "vscode",
            '{"servers": {"vaultmem": {"type": "http", "url": "http://o"}}}',
            ", as `http://o`",
        ),
    ],
)
def test_another_entry_of_our_name_is_told_with_what_to_put_in_its_place(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    file = tmp_path / CLIENTS[name].file
    file.parent.mkdir()
    file.write_text(text)
    said = f"vaultmem is there already{told}; nothing was written: to replace it, put this in its"
    with pytest.raises(Refused, match=f"{re.escape(said)} place\n(.|\n)*vaultmem"):
        service.install(tmp_path, name, TARGET)
    assert file.read_text() == text


def test_a_credential_in_another_entry_of_our_name_is_not_told(tmp_path: Path) -> None:
    (file := tmp_path / ".cursor/mcp.json").parent.mkdir()
    key = "ghp_w8Kq2Zr5Lm9Xv3Bn7Tc1Yd4Fg6Hj0Ps8Qe2R"
    file.write_text(json.dumps({"mcpServers": {"vaultmem": {"command": "x", "args": [key]}}}))
    with pytest.raises(Refused, match="there already, as `x ") as e:
        service.install(tmp_path, "cursor", TARGET)
    assert key not in str(e.value)


COMMENTED = """\
{
\t// ours, of the "team" /* not this */
\t"servers": {
\t\t"git": {"command": "uvx", "args": ["a,]", "// no comment"]}, // stays
\t},
\t/* asked for */ "inputs": [],
}
"""


@pytest.mark.parametrize(
    "text",
    [
        "{}", "{}\n", "{ }", "{\r\n}\r\n", "", " \n", '{"servers": {}}', COMMENTED,
        "{ // nothing yet\n}\n", "// mine\n{}", '{"a": 1 /* one */}', '{"a": 1, // one\n}',
        '{\n  "a": 1 // one\n}\n', '{"servers": {/* none */}, }', '{"a": "x, }"}',
    ],
)  # fmt: skip
def test_a_file_that_was_there_is_as_it_was_when_the_entry_is_out_again(
    tmp_path: Path, text: str
) -> None:
    file = tmp_path / ".vscode/mcp.json"
    file.parent.mkdir()
    file.write_bytes(text.encode())
    assert service.install(tmp_path, "vscode", TARGET).changed
    now = file.read_bytes().decode()
    said = json.loads(json_comments.plain(now))
    assert said["servers"]["vaultmem"] == JSON["vscode"][1]["servers"]["vaultmem"]
    assert {line.strip() for line in re.findall(r"//.*|/\*.*?\*/", text)} <= {
        line.strip() for line in re.findall(r"//.*|/\*.*?\*/", now)
    }
    assert not service.install(tmp_path, "vscode", TARGET).changed
    assert service.uninstall(tmp_path, "vscode", TARGET).changed
    assert file.read_bytes().decode() == text
    assert [p.name for p in file.parent.iterdir()] == ["mcp.json"]


@pytest.mark.parametrize("client", ["cursor", "codex"])
def test_a_file_that_cannot_be_read_is_left_where_nothing_of_ours_is_in_it(
    tmp_path: Path, client: str
) -> None:
    file = tmp_path / CLIENTS[client].file
    file.parent.mkdir()
    file.write_bytes(b'{"torn: \xff')
    assert not service.uninstall(tmp_path, client, TARGET).changed
    assert file.read_bytes() == b'{"torn: \xff'


def test_beside_comments_nothing_is_taken_out_that_was_changed_since(tmp_path: Path) -> None:
    file = tmp_path / ".vscode/mcp.json"
    file.parent.mkdir()
    file.write_text(COMMENTED)
    service.install(tmp_path, "vscode", TARGET)
    file.write_text(changed := file.read_text().replace("asked for", "asked twice"))
    with pytest.raises(Refused, match=r"take this out by hand\n(.|\n)*vaultmem"):
        service.uninstall(tmp_path, "vscode", TARGET)
    assert file.read_text() == changed


def test_an_entry_that_a_person_changed_is_not_taken_out(tmp_path: Path) -> None:
    service.install(tmp_path, "codex", TARGET)
    file = tmp_path / ".codex/config.toml"
    file.write_text(file.read_text().replace("ada", "bob"))
    with pytest.raises(Refused, match="changed by hand"):
        service.uninstall(tmp_path, "codex", TARGET)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])), st.lists(st.text()))
def test_any_path_is_read_back_from_toml(program: str, args: list[str]) -> None:
    shown: list[Json] = [text for text in args if text.isprintable()]
    entry: dict[str, Json] = {"command": program, "args": shown}
    text = toml_table.block("mcp_servers", "vaultmem", entry)
    assert tomllib.loads(text) == {"mcp_servers": {"vaultmem": entry}}


def test_the_command_says_what_is_next(
    vault: Vault, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "project"
    told = ["--vault", str(vault.path), "hook"]
    assert run([*told, "install", str(project), "--for", "vscode"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"made the folder {project}: there was none\n")
    assert f"wrote {project}/.vscode/mcp.json" in said
    assert "next: open the project in VS Code" in said
    assert run([*told, "uninstall", str(project), "--for", "vscode"]) == 0
    assert not (project / ".vscode/mcp.json").exists()
