"""What goes wrong when an agent names a file or a place in it, with the facts as attributes."""

from __future__ import annotations

from vaultmem.documents import public_text, secrets
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, NameTaken, NotFound, Refused

_LONGEST = 80
_NO_FOLDER = "a file, which holds no other"
_ONE_NAME = "and some file systems do not tell these names apart"


class Missing(NotFound):
    """There is no such file or folder, or none that an agent may know of."""

    def __init__(self, path: str) -> None:
        """Name the *path*."""
        self.path = path
        super().__init__(f"there is no {quoted(path)} in the vault: list the folder, or search")


class InTheWay(NameTaken):
    """Another file keeps this one from being made: one above it, or one a case of letters apart."""

    def __init__(self, path: str, other: str) -> None:
        """Name the *path* and the *other*, which is there; *why* says why both cannot be."""
        super().__init__(path)
        self.other = other
        is_above = path.startswith(f"{other}/")
        self.why = _NO_FOLDER if is_above else _ONE_NAME
        self.args = (f"{path} cannot be made: {other} is there, {self.why}; nothing was written",)


class IsFolder(BadInput):
    """A folder stands where a file was asked for."""

    def __init__(self, path: str) -> None:
        """Name the *path*."""
        self.path = path
        super().__init__(f"{path or 'the vault itself'} is a folder: name one of its files")


class LedOut(Refused):
    """A link stands in the way, and no link is followed."""

    def __init__(self, path: str) -> None:
        """Name the *path* of the link."""
        self.path = path
        super().__init__(f"{path} is a link or a device, which is not followed: name a file itself")


class NoMatch(BadInput):
    """The text to be replaced does not stand in the file."""

    def __init__(self, path: str, old: str) -> None:
        """Name the *path* and the *old* text; *quoted* is what an answer may say of that."""
        self.path, self.old, self.quoted = path, old, _public(old)
        super().__init__(
            f"{path} does not contain {_shown(self.quoted)} verbatim; nothing was changed: "
            "read it again"
        )


class ManyMatches(BadInput):
    """The text to be replaced stands in more than one place."""

    def __init__(self, path: str, old: str, lines: tuple[int, ...]) -> None:
        """Name the *path*, the *old* text, and the *lines*, from 1, where it begins.

        *quoted* is what an answer may say of the text.
        """
        self.path, self.old, self.lines, self.quoted = path, old, lines, _public(old)
        where = ", ".join(map(str, lines))
        super().__init__(
            f"{path} says {_shown(self.quoted)} more than once, in lines {where}; nothing was "
            "changed: include some of the text around it"
        )


class NoSuchLine(BadInput):
    """There is no such place between the lines of a file."""

    def __init__(self, path: str, line: int, lines: int) -> None:
        """Name the *path*, the *line* that was asked for, and how many *lines* there are."""
        self.path, self.line, self.lines = path, line, lines
        super().__init__(f"{path} has {lines} lines: insert after one of 0 to {lines}, not {line}")


def _public(text: str) -> str:
    """Return *text* without private marks: one in a sentence would hide the rest of it."""
    kept = public_text.shown(secrets.strip_private(text))
    return kept if kept.strip() or not text.strip() else "(private text, which no file shows)"


def _shown(text: str) -> str:
    if not text.strip():
        return "that text"
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
