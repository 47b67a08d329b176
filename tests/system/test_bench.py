"""The benchmarks run, and say a finite number for every figure; none is judged here."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.campaign

_RUN = Path(__file__).parents[1] / "bench" / "run.py"
_SAID = (
    '{"id": "D1:1", "session": "s1", "speaker": "Ada", "content": "Good morning, Bruno!"}\n'
    '{"id": "D1:2", "session": "s1", "speaker": "Bruno", "content": "The kiln cracked at noon."}\n'
)
_ASKED = (
    '{"question": "What happened to the kiln?", "category": "single-hop", "evidence": ["D1:2"]}\n'
    '{"question": "Who mended it?", "category": "adversarial", "evidence": ["D1:2"]}\n'
)


@pytest.mark.timeout(600)
def test_every_figure_is_measured(tmp_path: Path) -> None:
    (tmp_path / "talk.messages.jsonl").write_text(_SAID)
    (tmp_path / "talk.questions.jsonl").write_text(_ASKED)
    argv = [sys.executable, str(_RUN), "--quick", "--json", "--conversations", str(tmp_path)]
    env = os.environ | {"TMPDIR": str(tmp_path)}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout)["rows"]
    assert [r["figure"].split()[0] for r in rows] == [
        *("vaultmem",) * 6,
        *("import", "import", "peak", "peak"),
        *("rescan", "rescan", "one", "one"),
        *("index", "size", "recall", "recall", "recall", "grep", "plain") * 2,
        *("recall_any@10,", "recall_any@10,", "recall_any@10,"),
        *("MRR@10,", "MRR@10,", "MRR@10,"),
        *("compaction", "peak"),
    ]
    assert all(math.isfinite(r["seen"]) and math.isfinite(r["ratio"] or 0) for r in rows)
    assert all((r["holds"] is None) == (r["bound"] == "") for r in rows)
