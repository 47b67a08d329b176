"""A sample of editors that save while we write: `python -m tests.bench.editing` is it all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.campaign

_TOP = Path(__file__).parents[2]


def test_what_an_editor_saves_between_two_calls_of_ours_is_kept() -> None:
    """Whatever way it saves, at whatever moment."""
    argv = [sys.executable, "-m", "tests.bench.editing", "--between", "--saves", "60"]
    done = subprocess.run(argv, cwd=_TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 lost" in done.stdout
