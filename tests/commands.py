"""A process that runs one command after another, where its start is not what is to be seen.

A start costs more than most commands do.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

_POWERS = "-dac_override,-dac_read_search"
_UNPRIVILEGED = ("setpriv", f"--bounding-set={_POWERS}", f"--inh-caps={_POWERS}")
# A zero byte ends each field. Asked are the folder, the environment up to an empty field, how many
# arguments, and these; answered are the exit code and what goes to stdout and to stderr.
_ANSWERING = """
import contextlib, io, os, sys
from vaultmem.cli import run

def fields():
    field = bytearray()
    while letter := sys.stdin.buffer.read(1):
        if letter != b"\\0":
            field += letter
        else:
            yield os.fsdecode(bytes(field))
            field.clear()

os.umask(0o077)
asked = fields()
for folder in asked:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(line.split("=", 1) for line in iter(lambda: next(asked), ""))
    argv = [next(asked) for _ in range(int(next(asked)))]
    # Of bytes beneath, as a stream of the system is: what a shell completes is written there.
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\\n") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(argv)
    for it in out, err:
        it.flush()
    said = (f"{code}".encode(), out.buffer.getvalue(), err.buffer.getvalue(), b"")
    sys.stdout.buffer.write(b"\\0".join(said))
    sys.stdout.buffer.flush()
"""
_FUNCTION = r"""
vaultmem() {
    local code out err
    { printf '%%s\0' "$PWD"; env --null; printf '%%s\0' '' "$#" "$@"; } >&%d
    { IFS= read -r -d '' code; IFS= read -r -d '' out; IFS= read -r -d '' err; } <&%d
    printf %%s "$err" >&2
    printf %%s "$out"
    return "$code"
}
"""


class Commands:
    """A process that runs commands until it is told no more."""

    def __init__(self, asked: IO[bytes], answers: IO[bytes]) -> None:
        """Write what is *asked* to it, and read its *answers*."""
        self._asked, self._answers = asked, answers

    def __call__(self, *args: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command in the folder and the environment of the scene."""
        argv = [*map(str, args)]
        environment = (f"{key}={value}" for key, value in os.environ.items())
        asked = (str(Path.cwd()), *environment, "", str(len(argv)), *argv)
        self._asked.write(b"".join(os.fsencode(field) + b"\0" for field in asked))
        self._asked.flush()
        code, out, err = self._field(), self._field(), self._field()
        return subprocess.CompletedProcess(argv, int(code), out, err)

    def script(
        self, text: str, folder: Path, environment: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """Run a script of bash in which `vaultmem` is this process."""
        ends = (self._asked.fileno(), self._answers.fileno())
        argv = ["bash", "-eu", "-c", _FUNCTION % ends + text]
        return subprocess.run(
            argv, cwd=folder, env=environment, pass_fds=ends, capture_output=True, text=True,
            check=False,
        )  # fmt: skip

    def _field(self) -> str:
        field = bytearray()
        while (letter := self._answers.read(1)) not in {b"\0", b""}:
            field += letter
        return field.decode()


@contextlib.contextmanager
def commands(*under: str) -> Iterator[Commands]:
    """Yield what runs commands until the block ends, *under* another one if that is given."""
    argv, pipe = [*under, sys.executable, "-c", _ANSWERING], subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, bufsize=0) as running:
        assert running.stdin
        assert running.stdout
        yield Commands(running.stdin, running.stdout)


@contextlib.contextmanager
def unprivileged() -> Iterator[Commands]:
    """Yield what runs commands as a user whom permissions bind; skip where root keeps its power."""
    under = _UNPRIVILEGED if os.geteuid() == 0 else ()
    if under and subprocess.run([*under, "true"], check=False, capture_output=True).returncode:
        pytest.skip("root cannot lay down its powers here")
    with commands(*under) as running:
        yield running
