"""Put the plugin into a project and take it out again; what is a person's stays as it is.

The receipt tells which files are ours, by their digests, which entries were merged into files of
others, which folders were made. All is decided before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from vaultmem.api import project_folder
from vaultmem.api.project_folder import ProjectFolder, sha256
from vaultmem.errors import BadInput, Refused
from vaultmem.integrations.claude_code import json_merge, receipt, server_entry
from vaultmem.integrations.claude_code.json_merge import Insertion, Json
from vaultmem.integrations.claude_code.plugin_files import SERVERS, Parts, Scope, Target, parts
from vaultmem.integrations.claude_code.receipt import RECEIPT, Receipt, WrittenFile, pretty

_QUESTIONS = (
    "start Claude Code in that folder; it asks two things:",
    "  whether you trust the folder: Yes, I trust this folder",
    "  whether to use the server vaultmem that it found: Use this MCP server",
)
_THEN: Mapping[Scope, tuple[str, ...]] = {
    "plugin": (
        *_QUESTIONS,
        "then leave it and start it again: what is remembered is told from the second start on",
        "claude -p asks nothing: in a folder that was not trusted so it knows of no memory",
    ),
    "settings": (
        *_QUESTIONS,
        "what is remembered is told from then on; one that runs already is started again",
        "claude -p asks nothing: the tools are there once the second question was answered",
    ),
}
"""What a person sees; as Claude Code 2.1.197 does it."""


@dataclass(frozen=True, slots=True)
class Installed:
    """The files that are installed, and those of them that were written just now.

    *then* is what a person does and sees next. *made* when not even the project's folder was there:
    its name may be mistyped.
    """

    path: str
    scope: Scope
    files: tuple[str, ...]
    written: tuple[str, ...]
    then: tuple[str, ...]
    made: bool = False


@dataclass(frozen=True, slots=True)
class Uninstalled:
    """The files that were removed or are now without us; *kept* were changed by hand."""

    path: str
    removed: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Due:
    """What is to be written, and how it came about in a file of somebody's."""

    data: bytes
    insertions: tuple[Insertion, ...] = ()

    @property
    def written_file(self) -> WrittenFile:
        return WrittenFile(sha256(self.data), self.insertions)


def install(project: Path, scope: Scope, target: Target) -> Installed:
    """Install the plugin into *project*; what is there already as it should be is left alone.

    Raises Refused, with nothing written, where a file of somebody else or a link stands in the
    way, and DiskRefused.
    """
    wanted, is_new = parts(scope, target), not project.exists()
    with project_folder.opened(project, make=True) as root:
        written = _install(root, scope, wanted)
    files = (*wanted.files, *wanted.merged, RECEIPT)
    return Installed(str(project), scope, files, written, _THEN[scope], made=is_new)


def _install(root: ProjectFolder, scope: Scope, wanted: Parts) -> tuple[str, ...]:
    before = receipt.read(root)
    if before.scope not in {"", scope}:
        raise Refused(
            f"{root.path} has it as {before.scope} already: "
            f"`vaultmem hook uninstall {root.path}` first"
        )
    due = dict(_due(root, before, wanted))
    made = dict.fromkeys([*before.made, *(p for p in due if root.read(p) is None)])
    made |= dict.fromkeys(folder for path in due for folder in root.new_folders(path))
    digests = {path: sha256(text.encode()) for path, text in wanted.files.items()}
    # What an older version put there, and this one does not, is ours to take away some day.
    written = {path: it for path, it in before.written.items() if path not in due}
    written |= {path: it.written_file for path, it in due.items() if it.insertions}
    now = Receipt(scope, {**before.files, **digests}, wanted.merged, tuple(made), written)
    if due:
        # First: whatever breaks off behind it can be taken back.
        root.write(RECEIPT, receipt.dumped(now))
    for path, it in due.items():
        root.write(path, it.data)
    return (*due, RECEIPT) if due else ()


def uninstall(project: Path) -> Uninstalled:
    """Take out of *project* exactly what was installed, and nothing out of any other folder.

    Raises BadInput where nothing was, Refused where a file can no longer be read or the receipt is
    not ours, and DiskRefused.
    """
    if not project.is_dir():
        raise _none(project)
    with project_folder.opened(project) as root:
        return _uninstall(root)


def _uninstall(root: ProjectFolder) -> Uninstalled:
    before = receipt.read(root)
    if not before.scope:
        raise _none(root.path)
    gone = [path for path, sha in before.files.items() if root.holds(path, sha)]
    kept = [p for p in before.files.keys() - set(gone) if root.read(p) is not None]
    bare = {p: text for p in before.merged if (text := _bare(root, p, before))}
    for path in gone:
        root.remove(path)
    for path, text in bare.items():
        if path in before.made and json_merge.is_empty(text):
            root.remove(path)
        else:
            root.write(path, text.encode())
    root.remove(RECEIPT)
    for path in sorted(before.made, key=len, reverse=True):
        root.remove_folder(path)
    return Uninstalled(str(root.path), (*gone, *bare, RECEIPT), tuple(sorted(kept)))


def changed_by_hand(path: str) -> str:
    """Say of a file that an installation wrote what a person's change to it means."""
    return f"{path} was changed by hand and stays"


def _none(project: Path) -> BadInput:
    return BadInput(f"{project} has no plugin of vaultmem: {RECEIPT} is not there")


# --- what is due ------------------------------------------------------------------------------


def _due(root: ProjectFolder, before: Receipt, wanted: Parts) -> Iterator[tuple[str, _Due]]:
    """Yield what must be written; raises Refused where that would take something from somebody."""
    for path, text in wanted.files.items():
        have = root.read(path)
        if have not in {None, text.encode()} and sha256(have or b"") != before.files.get(path):
            whole = str(root.path / path)
            why = changed_by_hand(whole) if path in before.files else f"{whole} is not vaultmem's"
            raise Refused(f"{why}; nothing was written: move it away first")
        if have != text.encode():
            yield path, _Due(text.encode())
    for path, ours in wanted.merged.items():
        have = root.read(path)
        new = _merged_file(root, path, have, before, ours)
        if new.data != have:
            yield path, new


def _merged_file(
    root: ProjectFolder, path: str, have: bytes | None, before: Receipt, ours: Mapping[str, Json]
) -> _Due:
    if have is None:
        return _Due(pretty(ours).encode())
    try:
        text = have.decode()
        if is_other := before.merged.get(path, ours) != ours:
            text = _without_ours(text, path, before)
        if path == SERVERS:
            _refuse_other_server(text, ours)
        new, insertions = json_merge.merge(text, ours)
    except (Refused, UnicodeDecodeError) as e:
        raise Refused(f"{root.path / path}: {json_merge.by_hand(e, pretty(ours))}") from e
    # What is put back among others of ours has no seams: undone alone, it would leave those.
    return _Due(new.encode(), insertions if is_other or path not in before.merged else ())


def _refuse_other_server(text: str, ours: Mapping[str, Json]) -> None:
    for key, servers in ours.items():
        for name, entry in servers.items() if isinstance(servers, dict) else ():
            if isinstance(entry, dict):
                there = json_merge.value_at(text, key, name)
                server_entry.refuse_other(f"{key}.{name}", there, entry)


def _without_ours(text: str, path: str, before: Receipt) -> str:
    """Return *text* without what is ours: as it was, unless somebody changed it since."""
    written, ours = before.written.get(path), before.merged[path]
    if written and written.sha256 == sha256(text.encode()):
        bare = json_merge.revert(text, written.seams)
        # A receipt may say anything of a text that its author knows.
        if json_merge.merge(bare, ours) == (text, written.seams):
            return bare
    return json_merge.remove(text, ours)


def _bare(root: ProjectFolder, path: str, before: Receipt) -> str:
    """Return the text of a file without what is ours, "" when nothing of it is there."""
    data = root.read(path)
    if not data:
        return ""
    try:
        have = data.decode()
        text = _without_ours(have, path, before)
    except (Refused, UnicodeDecodeError) as e:
        ours = pretty(before.merged[path])
        why = e if isinstance(e, Refused) else "it is not UTF-8"
        raise Refused(f"{root.path / path}: {why}; take this out by hand\n{ours}") from e
    return "" if text == have else text
