"""What callers of the Python API give: a mistake is a sentence, and not an error from deep inside.

The annotations of a public method say what it takes; they are read once, when its class is made.
"""

from __future__ import annotations

import functools
import inspect
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from pathlib import Path
from types import FunctionType
from typing import ForwardRef, ParamSpec, TypeVar

from vaultmem.errors import BadInput, IndexFailed, VaultError

C = TypeVar("C", bound=type)
P = ParamSpec("P")
T = TypeVar("T")
Ask = Callable[[], T]

_PLAIN: Mapping[str, tuple[type, ...]] = {
    "str": (str,), "int": (int,), "float": (int, float), "bool": (bool,), "None": (type(None),),
    "datetime": (datetime,), "Path": (Path,),
}  # fmt: skip
_CALLED = {
    "str": "a string", "int": "a whole number", "float": "a number", "bool": "True or False",
    "None": "None", "datetime": "a datetime", "Path": "a Path",
}  # fmt: skip
_LISTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (f"{kind}[str]" for kind in ("Sequence", "Iterable", "Collection", "list", "AbstractSet")),
        ("str",),
    ),
    "tuple[str, ...]": ("str",),
    "Sequence[int | str]": ("int", "str"),
    "Sequence[str | Path]": ("str", "Path"),
}
_SEVERAL = {
    ("str",): "strings",
    ("int", "str"): "numbers or strings",
    ("str", "Path"): "strings or Paths",
}
_DETAILS = "Unpack["
_OR_NONE = " | None"
_DIGITS = 15
"""Of a whole number, at most: it is exact whatever is done with it, and the index can hold it."""


def checked(cls: C) -> C:
    """Let every public method that *cls* itself defines look at what it is given first."""
    for name, made in list(vars(cls).items()):
        if isinstance(made, FunctionType) and not name.startswith("_"):
            setattr(cls, name, checked_method(made))
    return cls


def check(name: str, value: object, annotation: str) -> None:
    """Raise BadInput unless *value*, given as *name*, is what the *annotation* says.

    One that is none of plain values, or of a collection of such, is not looked at.
    """
    if (several := annotation.removesuffix(_OR_NONE)) in _LISTS:
        if value is not None or several == annotation:
            _check_list(name, value, _LISTS[several])
        return
    kinds = annotation.split(" | ")
    if not all(kind in _PLAIN for kind in kinds):
        return
    if _is_one(value, kinds):
        if isinstance(value, int) and abs(value) >= 10**_DIGITS:
            raise BadInput(f"{name} takes a whole number of at most {_DIGITS} digits")
        if isinstance(value, float) and math.isnan(value):
            raise BadInput(f"{name} takes a number, not nan")
        return
    wanted = " or ".join(_CALLED[kind] for kind in kinds)
    raise BadInput(f"{name} takes {wanted}, not {_called(value)}")


def named(name: str, value: str | None) -> str:
    """Return *value*, given as *name*, and "" for None; raises BadInput for an empty one.

    Whoever names what is not set would be told of everybody, or of all there is.
    """
    if value is not None and not value.strip():
        raise BadInput(f"{name} is empty: say which, or leave it out")
    return value or ""


def check_kind(name: str, value: object, kind: type) -> None:
    """Raise BadInput unless *value*, given as *name*, is of that *kind*, a class."""
    if not isinstance(value, kind):
        raise BadInput(f"{name} takes {_a(kind)}, not {_called(value)}")


def _a(kind: type) -> str:
    return f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"


def check_path(value: object) -> None:
    """Raise BadInput unless *value* may be the path of a vault: a variable may be empty."""
    check("path", value, "str | Path")
    if isinstance(value, str) and not value.strip():
        raise BadInput("the path of a vault is empty: name its folder (`.` is the one you are in)")
    if "\0" in str(value):
        raise BadInput("the path of a vault holds a NUL character: write it again")


def check_objects(name: str, value: object) -> None:
    """Raise BadInput unless *value*, given as *name*, is a list of JSON objects."""
    _check_each(f"{name} takes a list of JSON objects", value, Mapping)


def check_each(name: str, value: object, kind: type) -> None:
    """Raise BadInput unless *value*, given as *name*, is a list of values of the class *kind*."""
    _check_each(f"{name} takes a list of {kind.__name__} values", value, kind)


def check_list(name: str, value: object, what: str) -> None:
    """Raise BadInput unless *value*, given as *name*, is a list, of *what* its values are called.

    Which of them are none, whoever reads them says.
    """
    _refuse_single(f"{name} takes a list of {what}", value)


def _check_each(wanted: str, value: object, kind: type) -> None:
    _refuse_single(wanted, value)
    for each in value if isinstance(value, Sequence) else ():
        if not isinstance(each, kind):
            raise BadInput(f"{wanted}, and holds {_called(each)}; nothing was stored")


def _refuse_single(wanted: str, value: object) -> None:
    if isinstance(value, str | bytes | Mapping) or not hasattr(value, "__iter__"):
        raise BadInput(f"{wanted}, not {_called(value)}: put it in brackets")


def _check_list(name: str, value: object, kinds: Sequence[str]) -> None:
    wanted = f"{name} takes a list of {_SEVERAL[tuple(kinds)]}"
    _refuse_single(wanted, value)
    several = value if isinstance(value, Sequence | AbstractSet) else ()  # no iterator is used up
    for each in several:
        if not _is_one(each, kinds):
            raise BadInput(f"{wanted}, and holds {_called(each)}")


def _is_one(value: object, kinds: Sequence[str]) -> bool:
    if isinstance(value, bool):  # which Python takes for a number
        return "bool" in kinds
    return isinstance(value, tuple(each for kind in kinds for each in _PLAIN[kind]))


def _called(value: object) -> str:
    return "None" if value is None else f"{type(value).__name__!r}"


def checked_method(method: Callable[P, T]) -> Callable[P, T]:
    """Let one public method look at what it is given first, as all do of a class that is `checked`.

    One that meets a damaged index is called again, unless it wrote something before.
    For a class that mostly hands on: what it hands to a checked part is looked at there.
    """
    kinds = dict(_annotated(method))
    details = _details(method)
    code = method.__code__
    names = code.co_varnames[: code.co_argcount]

    @functools.wraps(method)
    def call(*args: P.args, **named: P.kwargs) -> T:
        if details is not None and (unknown := [*(named.keys() - details)]):
            # As Python says it of arguments that are not a TypedDict's.
            raise TypeError(
                f"{method.__name__}() got an unexpected keyword argument {unknown[0]!r}"
            )
        for name, value in (*zip(names, args, strict=False), *named.items()):
            if name in kinds:
                check(name, value, kinds[name])
        began = time.monotonic()
        try:
            return method(*args, **named)
        except IndexFailed as e:  # the next sync, with which all begin, rebuilds the index
            used_up = any(isinstance(it, Iterator) for it in (*args, *named.values()))
            if not e.damaged or e.written >= began or used_up:
                raise
        return method(*args, **named)

    return spelled_out(call)


def spelled_out(method: Callable[P, T]) -> Callable[P, T]:
    """Let whoever asks for the signature of *method* see each of its details by its name.

    What is not given is shown as `...`, as in a stub: a `TypedDict` names no defaults.
    """
    whole = inspect.signature(method)
    shown = [it for parameter in whole.parameters.values() for it in _spelled(method, parameter)]
    vars(method)["__signature__"] = whole.replace(parameters=shown)
    return method


def of_a_part(call: Ask[T], failed: Callable[[str], VaultError]) -> T:
    """Return what *call* returns, which asks a part of the caller's own.

    What that raises, whatever it is, is raised as *failed* makes it of its kind and its words; an
    error of ours goes on as it is.
    """
    try:
        return call()
    except VaultError:
        raise
    except Exception as e:  # code that is not ours may raise anything
        raise failed(f"{type(e).__name__}: {e}".rstrip(": ")) from e


def _spelled(
    method: Callable[..., object], parameter: inspect.Parameter
) -> Iterator[inspect.Parameter]:
    """Yield *parameter* of *method*, or if that is what takes its details, one for each of them."""
    text = str(parameter.annotation)
    details = _annotations(inspect.unwrap(method), text) if text.startswith(_DETAILS) else {}
    by_name = functools.partial(inspect.Parameter, kind=inspect.Parameter.KEYWORD_ONLY, default=...)
    yield from (by_name(name, annotation=_written(kind)) for name, kind in details.items())
    if not details:
        yield parameter


def _annotated(method: Callable[..., object]) -> Iterator[tuple[str, str]]:
    """Yield what each argument of *method* is annotated with, those of its details, too."""
    for name, told in method.__annotations__.items():
        text = str(told)
        if text.startswith(_DETAILS):
            for key, kind in _annotations(method, text).items():
                yield key, _written(kind)
        elif name != "return":
            yield name, text


def _written(kind: object) -> str:
    return kind.__forward_arg__ if isinstance(kind, ForwardRef) else str(kind)


def _details(method: Callable[..., object]) -> frozenset[str] | None:
    """Return by which names *method* takes arguments, None where it takes any, or no details."""
    code = method.__code__
    named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    told = (str(it) for it in method.__annotations__.values())
    known = [_annotations(method, text) for text in told if text.startswith(_DETAILS)]
    return frozenset((*named, *known[0])) if known and known[0] else None


def _annotations(method: Callable[..., object], unpacked: str) -> Mapping[str, object]:
    """Return what a `TypedDict` that is *unpacked* in a signature says of its keys."""
    details = method.__globals__.get(unpacked.removeprefix(_DETAILS).removesuffix("]"))
    found: Mapping[str, object] = getattr(details, "__annotations__", {})
    return found
