"""A plan is a value: what it shows is what it would do."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.storage.files import Addition, Step, sha256
from vaultmem.storage.plan import Append, Change, Plan, diff
from vaultmem.storage.three_way_merge import merge

LINE = st.sampled_from(["tea", "", "käse", "--- a", "+x", "\f", "a\rb", "a\u2028b", "x\r", " y "])
TEXT = st.builds(
    lambda lines, end: "\n".join(lines) + end,
    st.lists(LINE, min_size=1, max_size=12), st.sampled_from(["\n", "end"]),
)  # fmt: skip
NAME = st.sampled_from(["a.md", "notes/b c.md", "Käse.md"])


def applied(patch: str, path: str, old: str | None) -> bytes | None:
    """Return what git makes of the file when it is given the patch."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, path)
        file.parent.mkdir(exist_ok=True)
        if old is not None:
            file.write_bytes(old.encode())
        done = subprocess.run(
            ["git", "apply", "--whitespace=nowarn", "-"],
            cwd=folder, input=patch.encode(), capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode() + patch
        return file.read_bytes() if file.exists() else None


@settings(max_examples=60)
@given(NAME, st.none() | TEXT, st.none() | TEXT)
def test_git_applies_the_diff_of_any_change(path: str, old: str | None, new: str | None) -> None:
    """Made, changed or removed; with any line ends, a last line without one, a space in a name."""
    if old == new:
        return
    before, after = (None if x is None else x.encode() for x in (old, new))
    plan = Plan("OP", "test", "s", (Change(path, before, after, "why"),))
    assert applied(diff(plan), path, old) == after


def test_a_diff_reads_as_diffs_do() -> None:
    """Path by path, with the note about a missing last line end."""
    plan = Plan("OP", "test", "s", (
        Change("a.md", b"one\ntwo\n", b"one\n2", "why"), Change("b c.md", None, b"x\n", "why"),
    ))  # fmt: skip
    assert diff(plan) == (
        "--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n\\ No newline at end of file\n"
        "--- /dev/null\n+++ b/b c.md\t\n@@ -0,0 +1 @@\n+x\n"
    )


def test_what_is_added_is_shown_without_what_was_there() -> None:
    """It was not read; a file that begins with it is a new file."""
    first, more = (Append("a.jsonl", at, b"{}\n[]", "why") for at in (0, 512))
    assert (first.op, first.step) == ("create", Addition("a.jsonl", 0, b"{}\n[]"))
    assert (more.op, more.step) == ("append", Addition("a.jsonl", 512, b"{}\n[]"))
    added = "+{}\n+[]\n\\ No newline at end of file\n"
    assert diff(Plan("OP", "turn", "s", (first,))) == (
        f"--- /dev/null\n+++ b/a.jsonl\n@@ -0,0 +1,2 @@\n{added}"
    )
    assert diff(Plan("OP", "turn", "s", (more,))) == (
        f"--- a/a.jsonl\n+++ b/a.jsonl\n@@ after byte 512 @@\n{added}"
    )


@pytest.mark.parametrize(
    ("old", "new", "op", "step"),
    [
        (None, b"x", "create", Step("a.md", None, b"x")),
        (b"o", b"x", "update", Step("a.md", sha256(b"o"), b"x")),
        (b"o", None, "delete", Step("a.md", sha256(b"o"), None)),
    ],
)
def test_a_change_knows_its_kind_and_its_step(
    old: bytes | None, new: bytes | None, op: str, step: Step
) -> None:
    """What it shows and what it writes come from the same bytes."""
    change = Change("a.md", old, new, "why")
    assert (change.op, change.step) == (op, step)
    assert step.post == (None if new is None else sha256(new))


def test_only_trailers_that_say_something_are_there() -> None:
    """In a fixed order."""
    assert Plan("OP", "k", "s", ()).trailers == (("Vaultmem-Op", "OP"),)
    assert Plan("OP", "k", "s", (), "ada", "s1", "user", "m").trailers == (
        ("Vaultmem-Op", "OP"), ("Agent", "ada"), ("Session", "s1"), ("Trust", "user"),
        ("Model", "m"),
    )  # fmt: skip


def test_a_merge_takes_both_sides_or_none() -> None:
    """Changes apart come together; on one line they do not."""
    base = b"a\nb\nc\nd\ne\n"
    assert merge(b"A\nb\nc\nd\ne\n", base, b"a\nb\nc\nd\nE\n") == b"A\nb\nc\nd\nE\n"
    assert merge(b"A\nb\nc\nd\ne\n", base, b"X\nb\nc\nd\ne\n") is None


def test_without_git_there_is_no_merge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nobody guesses."""
    monkeypatch.setenv("PATH", "/nowhere")
    assert merge(b"a", b"b", b"c") is None
