"""Seconds: of an action here, of a command in a process of its own, of several in turn."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

_SETTINGS = ("VAULTMEM", "GIT_", "XDG_", "PYTHON")
VAULTMEM = str(Path(sys.executable).with_name("vaultmem"))


def spent(action: Callable[[], object]) -> float:
    """Return the seconds that *action* takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def output(argv: Sequence[str], home: Path) -> bytes:
    """Run a command that must succeed, with nothing of the user's own settings."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(_SETTINGS)}
    # Compiled once and kept, whatever the installation has: that is not to be measured.
    env = kept | {"HOME": str(home), "PYTHONPYCACHEPREFIX": str(home / "bytecode")}
    return subprocess.run(argv, env=env, stdout=subprocess.PIPE, check=True).stdout


def interleaved(
    actions: Mapping[str, Callable[[], object]], rounds: int
) -> Mapping[str, Sequence[float]]:
    """Return the seconds of each action, in turn, *rounds* times after one that warms up.

    What else the machine does then falls on all of them alike.
    """
    for action in actions.values():
        action()
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            times[name].append(spent(action))
    return times


def quantile(times: Sequence[float], share: float) -> float:
    """Return the time that *share* of the *times* do not exceed."""
    return sorted(times)[round(share * (len(times) - 1))]
