"""Tables of cases that ask for nothing but their values: one scene tells of all their cases.

To collect a case in each worker, to send it there and to report on it takes longer than most pure
functions do.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping

import pytest

Case = dict[str, object]


def named(config: pytest.Config) -> bool:
    """Tell whether somebody asks for scenes by name, who is shown each case apart."""
    return bool(config.getoption("keyword")) or any("::" in it for it in config.args)


def scene(collector: pytest.Module, name: str, function: Callable[..., None]) -> pytest.Item | None:
    """Return the scene of all cases of *function*, or None where they need to stand apart.

    They do where one has a mark, or where a fixture is asked for that not every scene has: each
    case has one of its own then.
    """
    cases = [*_cases(function)]
    if not cases:
        return None
    made = pytest.Function.from_parent(collector, name=name, callobj=_each(function, cases))
    return made if set(made.fixturenames) <= _OF_ALL else None


_OF_ALL = {"home", "only_home", "request", "tmp_path_factory"}


def _cases(function: Callable[..., None]) -> Iterator[Case]:
    marks = getattr(function, "pytestmark", [])
    if not marks or not all(map(_is_plain, marks)) or hasattr(function, "hypothesis"):
        return
    tables = [[*_rows(mark)] for mark in reversed(marks)]
    asked = set(inspect.signature(function).parameters)
    for rows in itertools.product(*tables):
        case = {key: value for row in rows for key, value in row.items()}
        if set(case) != asked:
            return
        yield case


def _is_plain(mark: pytest.Mark) -> bool:
    """Tell whether it is a table that can be read twice, and no value of it has a mark."""
    if mark.name != "parametrize" or len(mark.args) != 2 or set(mark.kwargs) - {"ids"}:
        return False
    values = mark.args[1]
    return iter(values) is not values and not any(getattr(it, "marks", ()) for it in values)


def _rows(mark: pytest.Mark) -> Iterator[Case]:
    names, values = mark.args
    split = [it.strip() for it in names.split(",")] if isinstance(names, str) else [*names]
    for value in values:
        if hasattr(value, "marks"):
            row: Iterable[object] = value.values
        else:
            row = [value] if isinstance(names, str) and len(split) == 1 else value
        yield dict(zip(split, row, strict=True))


def _each(function: Callable[..., None], cases: list[Case]) -> Callable[[], None]:
    """Return what calls *function* with every case, and raises what all of those raised."""

    @functools.wraps(function)
    def called() -> None:
        raised = [it for it in (_raised(function, case) for case in cases) if it]
        failed = [it for it in raised if not isinstance(it, pytest.skip.Exception)]
        if len(failed) > 1:
            raise BaseExceptionGroup(f"{len(failed)} of {len(cases)} cases", failed)
        if failed or len(raised) == len(cases):
            raise (failed or raised)[0]

    called.__signature__ = inspect.Signature()  # type: ignore[attr-defined]
    return called


def _raised(function: Callable[..., None], case: Mapping[str, object]) -> BaseException | None:
    try:
        function(**case)
    except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:  # noqa: BLE001  # told of
        error.add_note(f"case: {case!r}")
        return error
    return None
