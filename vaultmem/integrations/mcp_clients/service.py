"""Put our entry into the file in which a program looks for MCP servers, and take it out again."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from vaultmem.api import project_folder
from vaultmem.api.project_folder import sha256
from vaultmem.errors import BadInput, Refused
from vaultmem.integrations.claude_code import json_merge, server_entry
from vaultmem.integrations.claude_code.json_merge import Insertion
from vaultmem.integrations.claude_code.plugin_files import Target
from vaultmem.integrations.claude_code.receipt import WrittenFile, pretty
from vaultmem.integrations.mcp_clients import mcp_receipt, toml_table
from vaultmem.integrations.mcp_clients.clients import CLIENTS, SERVER, McpClient


@dataclass(frozen=True, slots=True)
class Entered:
    """The file that has the entry, or had it, and whether it was *changed* just now.

    *made* is the folder of the project where there was none: its name may be mistyped.
    """

    client: str
    path: str
    changed: bool
    then: str
    made: str = ""


def install(project: Path, name: str, target: Target) -> Entered:
    """Let the program called *name* find our server in *project*; all else in its file stays.

    An entry of ours that named no agent is replaced.

    Raises Refused, with nothing written, where another entry of our name stands or the file cannot
    be read, and DiskRefused.
    """
    client, made = _client(name), "" if project.exists() else str(project)
    with project_folder.opened(project, make=True) as root:
        have = bare = root.read(client.file)
        if have is not None:
            written = mcp_receipt.read(root.read(client.receipt))
            bare = _without_earlier(client, have, target, written)
        new, seams = _with(client, bare, target)
        if new != have:
            if bare is not None:  # first: whatever breaks off behind it can be taken back
                root.write(client.receipt, mcp_receipt.dumped(new, seams))
            root.write(client.file, new)
        return Entered(name, str(root.path / client.file), new != have, client.then, made)


def uninstall(project: Path, name: str, target: Target) -> Entered:
    """Take our entry out of the program's file, which is then as it was; ours alone goes away.

    Raises BadInput where there is no such folder, Refused where the entry is not as we wrote it.
    """
    client = _client(name)
    if not project.is_dir():
        raise BadInput(f"there is no folder {project}")
    with project_folder.opened(project) as root:
        have = root.read(client.file)
        written = mcp_receipt.read(root.read(client.receipt))
        new = _without_earlier(client, have, target, written) if have is not None else None
        if have is not None and new == have:
            new = _without(client, have, target, written)
        if new is not None and new != have:
            root.write(client.file, new)
        elif new is None and have is not None:
            root.remove(client.file)
            root.remove_folder(str(PurePosixPath(client.file).parent))
        if written and new != have:
            root.remove(client.receipt)
        return Entered(name, str(root.path / client.file), new != have, "")


def _client(name: str) -> McpClient:
    if (found := CLIENTS.get(name)) is None:
        raise BadInput(f"no program {name!r} is known; there are: {', '.join(CLIENTS)}")
    return found


def _entry(client: McpClient, target: Target) -> dict[str, json_merge.Json]:
    if not (target.program.isprintable() and target.vault.isprintable()):
        raise BadInput(f"{target.vault!r} cannot stand in a file of settings: rename it")
    return client.entry(target.program, target.server_args())


def _with(
    client: McpClient, have: bytes | None, target: Target
) -> tuple[bytes, tuple[Insertion, ...]]:
    entry = _entry(client, target)
    try:
        text = (have or b"").decode()
        if client.form == "json" and not text.strip():
            return pretty(entry).encode(), (Insertion(0, len(pretty(entry)), text),)
        there, ours = _there(client, text), _table(client, entry)
        server_entry.refuse_other(f"{client.key}.{SERVER}", there, ours)
        if client.form == "toml":
            return toml_table.merge(text, client.key, SERVER, ours).encode(), ()
        new, seams = json_merge.merge(text, entry, comments=client.comments)
        return new.encode(), seams
    except (Refused, UnicodeDecodeError) as e:
        why = json_merge.by_hand(e, _by_hand(client, entry))
        raise Refused(f"{client.file}: {why}") from e


def _without(
    client: McpClient, have: bytes, target: Target, written: WrittenFile | None
) -> bytes | None:
    """Return the file without our entry; None where we made it, and it says nothing else."""
    if SERVER.encode() not in have:
        return have  # however little of it can be read: we have nothing in it
    entry = _entry(client, target)
    if written is None and have == _with(client, None, target)[0]:
        return None
    try:
        if written and written.seams and written.sha256 == sha256(have):
            bare = json_merge.revert(have.decode(), written.seams).encode()
            # A receipt may say anything of a text that its author knows.
            if _with(client, bare, target) == (have, written.seams):
                return bare
        if client.form == "toml":
            table = _table(client, entry)
            return toml_table.remove(have.decode(), client.key, SERVER, table).encode()
        return json_merge.remove(have.decode(), entry, comments=client.comments).encode()
    except (Refused, UnicodeDecodeError) as e:
        why = e if isinstance(e, Refused) else "it is not UTF-8"
        raise Refused(
            f"{client.file}: {why}; nothing was written: take this out by hand\n"
            f"{_by_hand(client, entry)}"
        ) from e


def _without_earlier(
    client: McpClient, have: bytes, target: Target, written: WrittenFile | None
) -> bytes | None:
    """Return the file without an entry of ours that names no agent, if there is one.

    None where we made the file, and it says nothing else.
    """
    for each in (replace(target, agent="", scoped=False), replace(target, agent="")):
        if each.server_args() != target.server_args() and _has(client, have, each):
            return _without(client, have, each, written)
    return have


def _has(client: McpClient, have: bytes, target: Target) -> bool:
    """Tell whether the file has the very entry of *target*, whatever else it says there."""
    ours = _table(client, _entry(client, target))
    with contextlib.suppress(Refused, UnicodeDecodeError):
        there = _there(client, have.decode())
        return isinstance(there, dict) and {key: there.get(key) for key in ours} == ours
    return False


def _there(client: McpClient, text: str) -> object:
    """Return what the file says of our server; raises Refused."""
    if client.form == "toml":
        return toml_table.value_of(text, client.key, SERVER)
    return json_merge.value_at(text, client.key, SERVER, comments=client.comments)


def _table(client: McpClient, entry: dict[str, json_merge.Json]) -> dict[str, json_merge.Json]:
    servers = entry[client.key]
    table = servers[SERVER] if isinstance(servers, dict) else {}
    return table if isinstance(table, dict) else {}


def _by_hand(client: McpClient, entry: dict[str, json_merge.Json]) -> str:
    if client.form == "toml":
        return toml_table.block(client.key, SERVER, _table(client, entry))
    return pretty(entry)
