"""`tests/tables.py`: what one scene tells of a table, and which tables are scenes case by case."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests import tables

LONG = pytest.param(3, marks=pytest.mark.long)


@pytest.mark.parametrize(("n", "twice"), [(1, 2), pytest.param(2, 5, id="two"), (3, 6)])
@pytest.mark.parametrize("more", [0, 1], ids=["as it is", "one more"])
def doubled(n: int, twice: int, more: int) -> None:
    """Hold for three cases of six."""
    assert n * 2 + more == twice


@pytest.mark.parametrize("n", [1, 2, 3])
def tried(n: int) -> None:
    """Pass once, be skipped once, fail once."""
    if n == 2:
        pytest.skip("not here")
    if n == 3:
        pytest.fail("three")


@pytest.mark.parametrize("n", [1, 2])
def skipped(n: int) -> None:
    """Be skipped in each case."""
    pytest.skip(f"not {n}")


@pytest.mark.parametrize("n", [1, LONG])
def marked(n: int) -> None:
    """Have a case of a mark of its own."""


@pytest.mark.parametrize("n", [1, 2])
def wanting(n: int, tmp_path: Path) -> None:
    """Want a folder for each case."""


@pytest.mark.parametrize("n", iter([1, 2]))
def read_once(n: int) -> None:
    """Have a table that is gone when it was read."""


def alone() -> None:
    """Have no table."""


def scene(request: pytest.FixtureRequest, function: Callable[..., None]) -> pytest.Function | None:
    """Return the scene that *function* would be in this module."""
    module = request.node.getparent(pytest.Module)
    made = tables.scene(module, function.__name__, function)
    return made if isinstance(made, pytest.Function) else None


def test_every_case_that_fails_is_named_however_many_do(request: pytest.FixtureRequest) -> None:
    made = scene(request, doubled)
    assert made
    with pytest.raises(BaseExceptionGroup, match="3 of 6 cases") as raised:
        made.obj()
    notes = {note for it in raised.value.exceptions for note in it.__notes__}
    assert notes == {
        "case: {'n': 2, 'twice': 5, 'more': 0}",
        "case: {'n': 1, 'twice': 2, 'more': 1}",
        "case: {'n': 3, 'twice': 6, 'more': 1}",
    }


def test_a_case_that_is_skipped_hides_none_that_fails(request: pytest.FixtureRequest) -> None:
    made, none = scene(request, tried), scene(request, skipped)
    assert made
    assert none
    with pytest.raises(pytest.fail.Exception, match="three"):
        made.obj()
    with pytest.raises(pytest.skip.Exception, match="not 1"):
        none.obj()


def test_what_has_a_mark_a_fixture_or_no_table_to_be_read_twice_stands_apart(
    request: pytest.FixtureRequest,
) -> None:
    for function in (marked, wanting, read_once, alone):
        assert scene(request, function) is None, function.__name__
