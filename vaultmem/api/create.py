"""Make a folder a vault: the listed files of the sample vault, and its first commit."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from vaultmem import config
from vaultmem.errors import BadInput, DiskRefused, Refused, disk_errors
from vaultmem.maintenance import starter_files
from vaultmem.records import Clock
from vaultmem.storage import git, tombstone_ledger
from vaultmem.storage.files import READ_ONLY, Root
from vaultmem.storage.git import Repository
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.tombstone_ledger import Noted
from vaultmem.storage.ulids import Entropy
from vaultmem.storage.writer import Writer


@dataclass(frozen=True, slots=True)
class Made:
    """A new vault: the files written, the first commit, and whose history it has.

    *repository* is the top of the one that keeps its history, empty without; it is *shared* where
    it holds other things, too. *left_out* is the file by which a repository around it ignores it,
    where one was written to. *notes* say it to a person.
    """

    files: tuple[str, ...]
    commit: str | None
    repository: str = ""
    shared: bool = False
    left_out: str = ""
    notes: tuple[str, ...] = ()


def create(  # noqa: PLR0913  # all but two are by name
    path: Path,
    clock: Clock,
    *,
    with_git: bool = True,
    in_repo: bool = False,
    layout: str = "month",
    random: Entropy = os.urandom,
) -> Made:
    """Make *path* a vault, with a repository of its own.

    Not so *with_git* off, and with *in_repo*: then it shares the one it lies in. Its memories lie
    in folders of their month or their day, as *layout* says. A folder that holds other files keeps
    them. Raises Refused when it is a vault already, lies in one, or holds files of a repository
    around it; BadInput when there is none to share.
    """
    _read_layout(layout)
    around = _checked(path, in_repo=in_repo)
    with disk_errors(path):
        _make_folders(path)
    before = git.find(path) if with_git else None
    is_new = with_git and git.available() and not in_repo and (before is None or before.is_shared)
    if is_new:
        before = None
        git.create(path)
    left_out, notes = _left_out(around, with_git=with_git) if around and not in_repo else ("", ())
    root = Root(path)
    try:
        writer = Writer(root, clock, git.find if with_git else lambda _: None, random)
        files, commit = _fill(writer, path, layout)
        if is_new:
            tombstone_ledger.note_branches(path, {}, Noted())
        top = str(writer.repository.top) if writer.repository else ""
    finally:
        root.close()
    if in_repo:
        notes = (_SHARED.format(top=top),)
    elif before and before.head():
        notes = (*notes, _ADOPTED.format(top=top))
    if with_git and not git.available():
        notes = (*notes, _NO_GIT)
    return Made(files, commit, top, in_repo, left_out, notes)


def _checked(path: Path, *, in_repo: bool) -> Repository | None:
    """Return the repository around *path*; raise where that cannot be a vault, or share one."""
    if path.exists() and not path.is_dir():
        raise BadInput(f"{path} is a file: name a folder, existing or new")
    _refuse_vault(path)
    around = git.around(path)
    if in_repo:
        _check_shared(path, around)
    elif around:
        _refuse_tracked(path, around)
    return around


def _make_folders(path: Path) -> None:
    """Make the folder *path* and those above it that are missing, for nobody else to look into."""
    if not path.parent.exists():
        _make_folders(path.parent)
    # Path.mkdir(parents=True) gives those above whatever mode the umask leaves.
    path.mkdir(mode=0o700, exist_ok=True)


def specification() -> str:
    """Return the specification of a vault's format: the README.md of every new vault."""
    return starter_files.text("README.md").decode()


_SHARED = (
    "it shares the repository {top}: its commits go to the branch you are on there, and hold "
    "nothing else; to sync it, and to purge from it, is refused"
)
_NO_GIT = (
    "git is not installed, so there is no history: nothing can be undone or synced; install git, "
    "and run `git init` in the vault"
)
_ADOPTED = "the history of {top} is the vault's now: it can be synced, and purged from"


def _read_layout(layout: str) -> None:
    try:
        config.OPTIONS["layout"](layout)
    except ValueError as e:
        raise BadInput(f"the layout is {layout!r}, it takes {e}") from e


def _refuse_vault(path: Path) -> None:
    if (path / config.PATH).exists():
        named = shlex.quote(str(path))
        raise Refused(
            f"{path} is already a vault: `vaultmem --vault {named} status` shows it, and "
            f"{config.PATH} has its settings, such as layout"
        )
    known = git.find(path)
    if known and known.head() and config.PATH in known.files("HEAD", config.PATH):
        raise Refused(
            f"{path} is a vault whose {config.PATH} is not checked out: "
            f"`git checkout -- config` or `git sparse-checkout add config` brings it back"
        )
    above = next((p for p in path.resolve().parents if (p / config.PATH).exists()), None)
    if above:
        raise Refused(
            f"{path} lies in the vault {above}, which treats every note below it as its own: "
            "name a folder elsewhere"
        )


def _check_shared(path: Path, around: Repository | None) -> None:
    """Raise unless there is a repository around *path* that a vault can share."""
    if (path / ".git").exists():
        raise Refused(
            f"{path} has a repository of its own: leave out `in_repo=true`, or remove its .git"
        )
    if around is None:
        raise BadInput(
            f"{path} does not lie in the work tree of a repository: leave out `in_repo=true`"
        )
    if git.is_ignored(around):
        raise Refused(
            f"git ignores {path} in {around.top}, so there would be no history of it: mend "
            "its .gitignore or .git/info/exclude, or leave out `in_repo=true`"
        )


def _refuse_tracked(path: Path, around: Repository) -> None:
    if count := git.tracked(around):
        files = "1 file" if count == 1 else f"{count} files"
        raise Refused(
            f"the repository {around.top} has {files} in {path}: `vaultmem init --in-repo` shares "
            "it, `git rm -r --cached` and a commit there leave them to it, or name another folder"
        )


def _left_out(around: Repository, *, with_git: bool) -> tuple[str, tuple[str, ...]]:
    """Let the repository *around* ignore the vault; return the file that says so, and a note."""
    own = ", and has one of its own" if with_git and git.available() else ""
    lies = f"it lies in the repository {around.top}"
    if git.is_submodule(around):
        return "", (f"it is a submodule of {around.top}",)
    if git.is_ignored(around):
        return "", (f"{lies}, which ignores it{own}",)
    say = f"add `{git.pattern(around.prefix)}` to {around.top}/.gitignore"
    try:
        file = git.leave_out(around)
    except DiskRefused as e:
        return "", (f"{lies}{own}; {e.path} could not be written ({e.why}): {say}",)
    if not git.is_ignored(around):
        return str(file), (f"{lies}{own}; a .gitignore there includes it again: {say}",)
    return str(file), (f"{lies}{own}; {file} leaves it out there",)


def _starter(name: str, layout: str) -> bytes:
    text = starter_files.text(name)
    if name != config.PATH:
        return text
    return text.replace(b"\nlayout: month\n", f"\nlayout: {layout}\n".encode())


def _fill(writer: Writer, path: Path, layout: str) -> tuple[tuple[str, ...], str | None]:
    # What an existing folder has under one of these names is a person's, and stays.
    changes = tuple(
        Change(name, None, _starter(name, layout), "in every vault")
        for name in starter_files.FILES
        if not (path / name).exists()
    )
    op = writer.mint()[0]
    plan = Plan(op, "init", "init: a vault", changes)
    # What a failed fsync left when a first try promised nothing yet.
    with disk_errors(path / READ_ONLY):
        (path / READ_ONLY).unlink(missing_ok=True)
    with writer.writing() as put:
        put(plan)
    return tuple(c.path for c in changes), writer.commit_pending().get(op)
