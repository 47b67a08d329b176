"""Start programs that nobody keeps waiting who was forked meanwhile.

A fork has a copy of every pipe that is open. Had it the end that is written to, whoever reads the
other one would wait until the fork ends: we for the program to start, or the program for its input.
"""

from __future__ import annotations

import os
import subprocess
import weakref
from collections.abc import Sequence
from typing import Any

from vaultmem.storage.fork_gate import STARTS


class _Inputs:
    """The programs that are given something; a fork has none of their pipes."""

    def __init__(self) -> None:
        self._running = weakref.WeakSet[subprocess.Popen[bytes]]()

    def add(self, running: subprocess.Popen[bytes]) -> None:
        """Leave the input of *running* to this process."""
        self._running.add(running)

    def detach_copies(self) -> None:
        """Let the copies of a fork lead nowhere, with what it has of the data.

        They are not closed: another file would get the number, and the data at the end.
        """
        given = [it.stdin for it in self._running if it.stdin and not it.stdin.closed]
        if given:
            nowhere = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
            for pipe in given:
                os.dup2(nowhere, pipe.fileno(), inheritable=False)
            os.close(nowhere)


_INPUTS = _Inputs()
os.register_at_fork(after_in_child=_INPUTS.detach_copies)


def start(args: Sequence[str], **how: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401  # as Popen
    """Return the program that *args* name, which runs as `subprocess.Popen` is told *how*.

    Raises OSError as that does.
    """
    with STARTS.at_work():
        running = subprocess.Popen(args, **how)
        if running.stdin:
            _INPUTS.add(running)
    return running


def run(
    args: Sequence[str],
    *,
    stdin: bytes = b"",
    timeout: float,
    **how: Any,  # noqa: ANN401  # as Popen
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end, and return what it printed; it is given *stdin*.

    Raises OSError where it cannot start, TimeoutExpired when it takes more than *timeout* seconds.
    """
    # A pipe that nothing goes through would cost a sixth of what a small git does.
    given = subprocess.PIPE if stdin else subprocess.DEVNULL
    printed = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with start(args, stdin=given, **printed, **how) as running:
        try:
            out, err = running.communicate(stdin or None, timeout=timeout)
        except BaseException:
            running.kill()
            raise
    return subprocess.CompletedProcess(running.args, running.returncode, out, err)
