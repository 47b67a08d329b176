"""The six commands of the tool as values, read from whatever a model sends.

A model may leave an argument out, or send a word where a number belongs: that is said, not raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vaultmem.errors import BadInput

MEMORIES = "/memories"


@dataclass(frozen=True, slots=True)
class View:
    """Show a folder, or a file from its line *first* to *last*; -1 is the end."""

    path: str
    first: int = 1
    last: int = -1


@dataclass(frozen=True, slots=True)
class Create:
    """Make a file."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Replace:
    """Put *new* where *old* stands."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Insert:
    """Put *text* below *line*."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove a file or a folder."""

    path: str


@dataclass(frozen=True, slots=True)
class Rename:
    """Give a file or a folder another path."""

    path: str
    new: str


Command = View | Create | Replace | Insert | Delete | Rename


def read(said: object) -> Command:
    """Return the command that *said*, a mapping or one of the SDK's models, stands for.

    Raises BadInput, which names the argument that is missing or wrong.
    """
    args = _Arguments(_mapping(said))
    match args.text("command"):
        case "view":
            return View(args.text("path"), *args.range("view_range"))
        case "create":
            return Create(args.text("path"), args.text("file_text"))
        case "str_replace":
            return Replace(args.text("path"), args.text("old_str"), args.text("new_str"))
        case "insert":
            return Insert(args.text("path"), args.line("insert_line"), args.text("insert_text"))
        case "delete":
            return Delete(args.text("path"))
        case "rename":
            return Rename(args.text("old_path"), args.text("new_path"))
        case other:
            raise BadInput(
                f"Unknown command: {other[:_SHOWN]}. "
                "Use view, create, str_replace, insert, delete or rename."
            )


_SHOWN = 80
_ENDS = 2


def _mapping(said: object) -> Mapping[str, object]:
    if isinstance(said, Mapping):
        return said
    held = getattr(said, "__dict__", None)  # a model's fields, unchecked as the SDK makes it
    if not isinstance(held, dict):
        raise BadInput("The input is not an object: send a `command` and its arguments.")
    return held


@dataclass(frozen=True, slots=True)
class _Arguments:
    """What a model sent, to be asked for by name and kind."""

    said: Mapping[str, object]

    def text(self, name: str) -> str:
        """Return a text; raises BadInput."""
        value = self._given(name)
        if not isinstance(value, str):
            raise BadInput(f"Invalid `{name}` parameter: it should be a string.")
        return value

    def line(self, name: str) -> int:
        """Return a whole number; raises BadInput."""
        value = self._given(name)
        if not _is_number(value):
            raise BadInput(f"Invalid `{name}` parameter: it should be a whole number.")
        return int(str(value))

    def range(self, name: str) -> tuple[int, ...]:
        """Return two whole numbers, nothing where none are given; raises BadInput."""
        value = self.said.get(name)
        if value is None:
            return ()
        if isinstance(value, list | tuple) and len(value) == _ENDS and all(map(_is_number, value)):
            first, last = value
            if first >= 1 and (last >= first or last == -1):
                return first, last
        raise BadInput(
            f"Invalid `{name}` parameter: it should be [first, last], lines that count from 1; "
            "[first, -1] shows the rest."
        )

    def _given(self, name: str) -> object:
        value = self.said.get(name)
        if value is None:
            raise BadInput(f"The `{name}` parameter is missing.")
        return value


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
