"""Run git: a clean environment, and nothing that a hostile repository's config would start."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from vaultmem.errors import Unavailable
from vaultmem.storage import subprocesses
from vaultmem.storage.git import named_pipes
from vaultmem.storage.git.types import Place

_KEEP = frozenset(
    {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"}
)
_KEEP_PREFIXES = ("GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_SSL_")
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone fetches a missing object through any transport its config names. A git that
    # does not know the first of these is left without a transport by the second.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}
_CONFIG = (
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "core.alternateRefsCommand=",
    "core.sshCommand=false",
    "core.askPass=",
    "core.pager=cat",
    "core.editor=false",
    "credential.helper=",
    "diff.external=",
    "commit.gpgSign=false",
    "log.showSignature=false",
    "gpg.program=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "core.fsync=all",
    "core.fsyncMethod=fsync",
    # Nobody who writes waits longer than for the index, see `types.PATIENCE`.
    "core.filesRefLockTimeout=500",
    # A split or sparse index names its other half by path, which a copy would get wrong.
    "core.splitIndex=false",
    "index.sparse=false",
    "core.quotePath=false",
    "i18n.commitEncoding=UTF-8",
    "fastimport.unpackLimit=100",
)
_FLAGS = (
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    *itertools.chain.from_iterable(("-c", setting) for setting in _CONFIG),
)
_SECONDS = 60.0
_BLOCK = 1 << 16
_WHY = ("fatal: ", "error: ")
LONG = 900.0


def available() -> bool:
    """Say whether there is a git to run."""
    return shutil.which("git") is not None


def version() -> str:
    """Return which git there is, `2.43.0`, "" where none runs."""
    with contextlib.suppress(Unavailable):
        said = run(["version"], Path.cwd()).stdout.decode("utf-8", "replace").split()
        return next((word for word in said if word[:1].isdigit()), "")
    return ""


def git(
    place: Place,
    *args: str,
    stdin: bytes = b"",
    extra: Mapping[str, str] | None = None,
    okay: tuple[int, ...] = (0,),
) -> bytes:
    """Return what git prints in *place*.

    Raises Unavailable when it cannot run or ends otherwise than *okay*.
    """
    done = run(argv(place, args), place.top, stdin=stdin, extra=extra)
    return _printed(done, place, args[0], okay)


def stored(
    place: Place,
    *args: str,
    stdin: bytes = b"",
    extra: Mapping[str, str] | None = None,
    okay: tuple[int, ...] = (0,),
) -> bytes:
    """Do as `git`, for what is stored alone: attributes in the work tree do not count.

    What compares texts would read them there, and wait at a named pipe of that name.
    """
    named_pipes.refuse_own(place)
    alone = ("--bare", f"--git-dir={place.git_dir}", *args)
    # Not at the top: the attributes that lie in the current folder are read in any case.
    done = run(alone, place.git_dir, stdin=stdin, extra=extra)
    return _printed(done, place, args[0], okay)


def _printed(
    done: subprocess.CompletedProcess[bytes], place: Place, verb: str, okay: tuple[int, ...]
) -> bytes:
    if done.returncode not in okay:
        raise failed(place, verb, done.stderr)
    return done.stdout


def run(
    args: Sequence[str],
    cwd: Path,
    *,
    stdin: bytes = b"",
    extra: Mapping[str, str] | None = None,
    limit: float = _SECONDS,
) -> subprocess.CompletedProcess[bytes]:
    """Run git to its end, however it ends; raises Unavailable when it cannot run."""
    with _unavailable():
        manner = _manner(cwd, extra or {}, limit)
        return subprocesses.run(["git", *_FLAGS, *args], stdin=stdin, **manner)


def run_holding(
    fd: int, place: Place, *args: str, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run git as `run` does; it holds the file *fd* of ours, and its lock, until it ends.

    Also where we are dead by then.
    """
    line = ["git", *_FLAGS, *argv(place, args)]
    with _unavailable():
        manner = _manner(place.top, {}, _SECONDS)
        return subprocesses.run(line, stdin=stdin, pass_fds=(fd,), **manner)


def _manner(cwd: Path, extra: Mapping[str, str], limit: float) -> dict[str, Any]:
    """Return how a git is run to its end."""
    # A session of its own: a signal to our whole group would kill `update-ref` between its lock
    # and its rename, and the reference lock it leaves is one that nobody may remove but a person.
    return {"cwd": cwd, "env": _environ(extra), "timeout": limit, "start_new_session": True}


@contextlib.contextmanager
def fed(
    place: Place, args: Sequence[str], extra: Mapping[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a git that is given a stream, and answers what that asks, until the block ends.

    Raises Unavailable when it cannot run or did not take it all. A block that hears nothing more
    may end by a BrokenPipeError.
    """
    running = _start(place, args, extra)
    with running, _killed_at_the_end(running):
        with contextlib.suppress(BrokenPipeError):
            yield running
        _, err = running.communicate()
    if running.returncode != 0:
        # What fast-import leaves when it dies says no more than its error, and nobody clears it.
        (place.git_dir / f"fast_import_crash_{running.pid}").unlink(missing_ok=True)
        raise failed(place, args[0], err)


@contextlib.contextmanager
def talking(place: Place, *args: str) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a git that answers what it is asked for as long as the block lasts.

    Raises Unavailable when it cannot run.
    """
    # Nobody reads what it complains of: a pipe full of that would stop it.
    running = _start(place, args, {}, complaints=subprocess.DEVNULL)
    with running, _killed_at_the_end(running):
        yield running


def parts(place: Place, *args: str) -> Iterator[bytes]:
    """Yield what git prints, cut where a NUL byte is, and hold little of it at once.

    Raises Unavailable when it cannot run or fails.
    """
    with talking(place, *args) as running:
        assert running.stdout  # noqa: S101  # for mypy: it is a pipe
        rest = b""
        while block := running.stdout.read(_BLOCK):
            *whole, rest = (rest + block).split(b"\0")
            yield from whole
        if running.wait() != 0:
            raise failed(place, args[0], b"")


def started(args: Sequence[str], cwd: Path, extra: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Return a git that runs and is given nothing; who started it sees to its end."""
    with _unavailable():
        return subprocesses.start(
            ["git", *_FLAGS, *args],
            cwd=cwd,
            env=_environ(extra),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )


def argv(place: Place, args: Sequence[str]) -> tuple[str, ...]:
    """Return *args* for the repository in *place*, whatever lies around the current folder.

    Raises Unavailable where a named pipe in its own folder would keep git.
    """
    named_pipes.refuse_own(place)
    return (f"--git-dir={place.git_dir}", f"--work-tree={place.top}", *args)


def failed(place: Place, verb: str, stderr: bytes) -> Unavailable:
    """Return the error for a git that said no, with the line that tells why."""
    said = stderr.decode(errors="replace").strip().splitlines()
    why = next((line for line in said if line.startswith(_WHY)), said[0] if said else "")
    for label in _WHY:
        why = why.removeprefix(label)
    why = why or "no reason given"
    return Unavailable(
        f"git {verb} failed in {place.top}: {why}; the files are safe, only history waits"
    )


def _start(
    place: Place,
    args: Sequence[str],
    extra: Mapping[str, str],
    *,
    complaints: int = subprocess.PIPE,
) -> subprocess.Popen[bytes]:
    with _unavailable():
        return subprocesses.start(
            ["git", *_FLAGS, *argv(place, args)],
            cwd=place.top,
            env=_environ(extra),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            start_new_session=True,
        )


@contextlib.contextmanager
def _unavailable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unavailable(f"cannot run git: {error}; the files are safe, history waits") from error
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"git did not answer within {error.timeout:g} s; try again") from error


def _environ(extra: Mapping[str, str]) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if _is_kept(key)}
    return kept | _ENVIRONMENT | dict(extra)


def _is_kept(key: str) -> bool:
    return not key.startswith("GIT_") or key in _KEEP or key.startswith(_KEEP_PREFIXES)


@contextlib.contextmanager
def _killed_at_the_end(running: subprocess.Popen[bytes]) -> Iterator[None]:
    # Told that its input ended early, fast-import would leave a crash report in the git folder.
    timer = threading.Timer(LONG, running.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        running.kill()
        with contextlib.suppress(BrokenPipeError):
            running.stdin.close()  # type: ignore[union-attr]
