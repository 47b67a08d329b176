"""Intents: what is promised survives any byte, and what cannot be read is nobody's promise."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.storage import files, journal
from vaultmem.storage.files import Root
from vaultmem.storage.journal import Intent, Write
from vaultmem.storage.plan import Append, Change, Plan

ID = "01KA2B3C4D5E6F7G8H9JKMNPQR"
BYTES = st.none() | st.binary(max_size=200)
PATHS = st.lists(st.sampled_from(["a", "Käse", "b c", "x.md"]), min_size=1).map("/".join)
APPENDS = st.builds(Append, PATHS, st.integers(0, 2**40), st.binary(max_size=200), st.just("why"))
CHANGES = st.builds(Change, PATHS, BYTES, BYTES, st.just("why")) | APPENDS


@given(st.lists(CHANGES, max_size=5), st.text(max_size=20), st.none() | st.just("f" * 40))
def test_an_intent_comes_back_as_it_was_whatever_its_bytes(
    changes: list[Change | Append], text: str, base: str | None
) -> None:
    """Bytes that are no UTF-8, and texts that end anywhere, go through JSON and return."""
    plan = Plan(ID, "undo", text, tuple(changes), "ada", text, "agent", "", (text,), 7)
    todo = journal.intent(plan, ID, base)
    assert journal.load(journal._dump(todo), applied=False) == todo
    assert [w.step for w in todo.writes] == [c.step for c in changes]


def test_an_intent_of_what_is_added_holds_that_alone(root: Root) -> None:
    """However long the file is: a turn costs a turn."""
    plan = Plan(ID, "turn", "s", (Append("a.jsonl", 10**9, b"{}\n", "why"),))
    journal.begin(root, journal.intent(plan, ID, None))
    assert (root.path / journal.FOLDER / f"{ID}.json").stat().st_size < 400


def test_an_intent_of_before_files_could_grow_is_read(root: Root) -> None:
    """The journal of a crash may be older than the program that finds it."""
    todo = Intent(ID, ID, "remember", "ada", "s", (), (), None, (Write("a.md", None, b"x", None),))
    raw = json.loads(journal._dump(todo))
    del raw["count"], raw["writes"][0]["at"]
    assert journal.load(json.dumps(raw).encode(), applied=False) == todo
    assert journal.writes(root, f"{ID}.json") == ()


@pytest.mark.parametrize("at", [-1, "4", 1.5, []])
def test_a_place_that_is_none_makes_no_intent(at: object) -> None:
    todo = Intent(ID, ID, "turn", "ada", "s", (), (), None, (Write("a", None, b"x", None, 4),))
    raw = json.loads(journal._dump(todo))
    raw["writes"][0]["at"] = at
    assert journal.load(json.dumps(raw).encode(), applied=False) is None


def test_an_intent_waits_once_it_is_applied_and_is_gone_once_finished(root: Root) -> None:
    """The file's name alone says how far it came."""
    todo = Intent(ID, ID, "remember", "ada", "s", (), (), None, (Write("a.md", None, b"x", None),))
    journal.begin(root, todo)
    assert (journal.names(root), journal.waiting(root)) == ([f"{ID}.json"], [])
    assert journal.half_done(root)
    journal.applied(root, todo)
    done = replace(todo, applied=True)
    name = f"{ID}.applied.json"
    assert journal.get(root, name) == done
    assert journal.waiting(root) == [
        (name, replace(done, writes=(Write("a.md", None, None, None),)))
    ]
    assert not journal.half_done(root)
    journal.finish(root, done)
    assert journal.names(root) == []


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"{}", b"null", b"\xff", b'{"writes": 5}', b'{"writes": [{"old": 5}]}'],
)
def test_bytes_that_are_no_intent_are_none(data: bytes) -> None:
    """A torn one is looked at by a person; nothing is carried out."""
    assert journal.load(data, applied=False) is None


@pytest.mark.parametrize("path", ["../out.md", "/etc/passwd", ".git/config", "a/.git/hooks/x"])
def test_an_intent_for_a_path_outside_is_none(root: Root, path: str) -> None:
    """A vault that was cloned may bring a journal along; it gets no hand on git's config."""
    todo = Intent(ID, ID, "undo", "", "s", (), (), None, (Write("a.md", None, b"x", None),))
    raw = json.loads(journal._dump(todo))
    raw["writes"][0]["path"] = path
    file = root.path / journal.FOLDER / f"{ID}.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(raw))
    assert journal.get(root, file.name) is None
    assert files.read(root, f"{journal.FOLDER}/{file.name}") is not None
