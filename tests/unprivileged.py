"""Commands as somebody runs them whom permissions bind, which root is not.

One process takes one after another: what is to be seen is the user, and a start costs more than
most commands do.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

_POWERS = "-dac_override,-dac_read_search"
_UNDER = ("setpriv", f"--bounding-set={_POWERS}", f"--inh-caps={_POWERS}")
_ANSWERING = """
import contextlib, io, json, os, sys
from vaultmem.cli import run

os.umask(0o077)
for line in sys.stdin:
    environment, argv = json.loads(line)
    os.environ.clear()
    os.environ.update(environment)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(argv)
    print(json.dumps([code, out.getvalue(), err.getvalue()]), flush=True)
"""


class Commands:
    """A process that runs commands until it is told no more."""

    def __init__(self, asked: IO[str], answers: IO[str]) -> None:
        """Write what is *asked* to it, and read its *answers*."""
        self._asked, self._answers = asked, answers

    def __call__(self, *args: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command in the environment of the scene."""
        argv = [*map(str, args)]
        print(json.dumps([dict(os.environ), argv]), file=self._asked, flush=True)
        code, out, err = json.loads(self._answers.readline())
        return subprocess.CompletedProcess(argv, code, out, err)


@contextlib.contextmanager
def commands() -> Iterator[Commands]:
    """Yield what runs commands until the block ends; skip where root keeps its powers."""
    under = _UNDER if os.geteuid() == 0 else ()
    if under and subprocess.run([*under, "true"], check=False, capture_output=True).returncode:
        pytest.skip("root cannot lay down its powers here")
    argv, pipe = [*under, sys.executable, "-c", _ANSWERING], subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, text=True) as running:
        assert running.stdin
        assert running.stdout
        yield Commands(running.stdin, running.stdout)
