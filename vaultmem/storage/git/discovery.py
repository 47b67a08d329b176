"""How the repository that a vault lies in is found, or made."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from vaultmem.errors import Unavailable
from vaultmem.storage.git import named_pipes, process
from vaultmem.storage.git.repository import Repository


def find(root: Path) -> Repository | None:
    """Return the repository *root* lies in.

    None when there is no git, no repository, or one that ignores this folder.
    """
    found = _discovered(root)
    return found if found and not is_ignored(found) else None


def unopened(root: Path) -> str:
    """Say why git does not open the repository *root* lies in, "" where it does, or none is."""
    if not process.available() or not _is_git_above(root):
        return ""
    done = process.run(("rev-parse", "--absolute-git-dir"), root)
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode == 0:
        found = Path(os.fsdecode(done.stdout).removesuffix("\n"))
        return _BROKEN if _is_passed_over(root, found) else ""
    if "safe.directory" in said:
        return "it belongs to another user"
    if _NO_REPOSITORY in said:  # what lies further up, and is none, is no business of ours
        return _BROKEN if os.path.lexists(root / ".git") else ""
    return said.partition("\n")[0].removeprefix("fatal: ")


def _is_git_above(root: Path) -> bool:
    return any(os.path.lexists(folder / ".git") for folder in (root, *root.parents))


_BROKEN = ".git is no repository, or not a whole one"
_NO_REPOSITORY = "not a git repository"


def _is_passed_over(root: Path, found: Path) -> bool:
    """Tell whether the folder has a .git that git does not take for one, and looks further up.

    *found* is the git folder that it came to, if any.
    """
    own = root / ".git"
    return own.is_dir() and own.resolve() != found.resolve()


def around(root: Path) -> Repository | None:
    """Return the repository whose work tree *root*, which need not exist, lies in.

    Another than its own, if it has one; whether it ignores *root* or not.
    """
    here = root.resolve()
    above = next(folder for folder in here.parents if folder.is_dir())
    found = _discovered(above)
    if found is None:
        return None
    return replace(found, root=here, prefix=f"{here.relative_to(found.top).as_posix()}/")


def _discovered(root: Path) -> Repository | None:
    """Return the repository that git finds when it looks from *root* upwards."""
    ask = ("--show-toplevel", "--git-dir", "--git-common-dir", "--show-object-format")
    args = ("rev-parse", "--path-format=absolute", *ask, "--show-prefix")
    here = root.resolve()
    if not (process.available() and here.is_dir() and _is_git_above(here)):
        return None
    done = process.run(args, root)
    lines = os.fsdecode(done.stdout).split("\n")
    if done.returncode != 0 or len(lines) != len(ask) + 2:
        return None
    top, git_dir, common_dir, algorithm, prefix, _ = lines
    # A core.worktree that points elsewhere makes git speak of other files than ours.
    if Path(top, prefix) != here or _is_passed_over(root, Path(git_dir)):
        return None
    return Repository(here, Path(top), Path(git_dir), Path(common_dir), prefix, algorithm)


def create(root: Path) -> Repository:
    """Make *root* a repository of its own, without the hooks of any template.

    Raises Unavailable when git is missing or refuses.
    """
    done = process.run(("init", "--quiet", "--template=", str(root)), Path.cwd())
    repo = find(root) if done.returncode == 0 else None
    if repo is None:
        why = done.stderr.decode(errors="replace").strip() or unopened(root)
        raise Unavailable(f"git init failed in {root}: {why}; the vault works without history")
    return repo


def is_ignored(repo: Repository) -> bool:
    """Tell whether the repository ignores the vault's folder.

    Raises Unavailable where a named pipe there, or above it, would keep git: who guessed could
    commit into a repository that is told to leave the folder alone.
    """
    if not repo.prefix:
        return False
    named_pipes.refuse_above(repo, ("",))
    # check-ignore dies of --literal-pathspecs; a leading "./" disarms the magic of a colon.
    args = process.argv(repo, ("check-ignore", "-q", "--", f"./{repo.prefix}"))
    return process.run(("--no-literal-pathspecs", *args), repo.top).returncode == 0
