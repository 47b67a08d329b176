"""Frozen values as plain data, and back: exactly as they are here, or not at all.

What another version of the program means by them is no answer to ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Plain = dict[str, object]
"""What JSON calls an object."""

T = TypeVar("T")


class Malformed(ValueError):
    """Data that nothing of ours is written as."""


def plain(value: DataclassInstance) -> Plain:
    """Return a dataclass as JSON can say it."""
    return asdict(value)


def read(kind: type[T], data: object) -> T:
    """Return the value that *data* is, of a dataclass whose fields are all annotated.

    They may be plain types, literals, tuples, such dataclasses again, or one of several. Raises
    Malformed where *data* has a field more or less, or anything of another type.
    """
    value: T = _built(kind, data)
    return value


def _built(kind: Any, data: object) -> Any:  # noqa: ANN401  # any dataclass
    known = _fields(kind)
    if not isinstance(data, dict) or data.keys() != known.keys():
        raise Malformed(f"no {kind.__name__}")
    return kind(**{name: _read(type_, data[name]) for name, type_ in known.items()})


@cache
def _fields(kind: Any) -> Mapping[str, Any]:  # noqa: ANN401  # any dataclass
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _read(type_: Any, data: object) -> object:  # noqa: ANN401  # an annotation
    inner = get_args(type_)
    if is_dataclass(type_):
        return _built(type_, data)
    if get_origin(type_) is tuple:
        return _tuple(inner, data)
    if get_origin(type_) is UnionType:
        return _plain(inner, data)
    if get_origin(type_) is Literal:
        if not isinstance(data, str) or data not in inner:
            raise Malformed(f"none of {inner}")
        return data
    # A whole number is the float it stands for; True is no number.
    return _plain((float, int) if type_ is float else (type_,), data)


def _tuple(inner: tuple[Any, ...], data: object) -> tuple[object, ...]:
    # Before it was said in JSON it was a tuple.
    if not isinstance(data, list | tuple):
        raise Malformed("no list")
    types = (inner[0],) * len(data) if inner[-1] is ... else inner
    if len(types) != len(data):
        raise Malformed(f"{len(data)} where {len(types)} are due")
    return tuple(map(_read, types, data))


def _plain(types: tuple[type, ...], data: object) -> object:
    if type(data) not in types:
        raise Malformed(f"{type(data).__name__} where {types[0].__name__} is due")
    return data
