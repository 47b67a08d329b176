"""Count what git is started for."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest

from vaultmem.storage.git import config


class Later:
    """A clock by which no file is young."""

    @staticmethod
    def time_ns() -> int:
        """Return the nanoseconds of a minute from now."""
        return time.time_ns() + 60_000_000_000


def no_config_is_young(patch: pytest.MonkeyPatch) -> None:
    """Let no config have changed so shortly ago that it could change again unseen."""
    patch.setattr(config, "time", Later())


def counted(patch: pytest.MonkeyPatch) -> list[str]:
    """Return what git is started for, in order, as it comes; of another program all it is told."""
    found: list[str] = []

    class Counted(subprocess.Popen[bytes]):
        def __init__(self, args: Sequence[str], **how: Any) -> None:  # noqa: ANN401  # as it comes
            found.append(next(_verbs(args), " ".join(args)))
            super().__init__(args, **how)

    patch.setattr(subprocess, "Popen", Counted)
    return found


def _verbs(args: Sequence[str]) -> Iterator[str]:
    """Yield what a git is told to do, and then what with."""
    for before, arg in pairwise(args):
        if args[0] == "git" and before != "-c" and not arg.startswith("-"):
            yield arg
