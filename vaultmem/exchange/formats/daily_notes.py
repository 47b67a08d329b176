"""Obsidian's daily notes, or anybody's: files whose names begin with a day, `2026-01-02.md`.

In an Obsidian vault they are looked for in the folder that its settings name, and called as these
say. A note whose frontmatter names a page or a tool is worth as little as those. Fenced code,
embeds, comments, what is still to be done (`- [ ]`) and what was not done (`- [-]`) is nothing that
was.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from vaultmem.documents import frontmatter, secrets
from vaultmem.documents.markdown import code_and_comments
from vaultmem.documents.markdown.code_and_comments import Part
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.exchange.formats import daily_log, day_format, markdown_folder
from vaultmem.exchange.formats.json_fields import as_text
from vaultmem.exchange.formats.types import Format, Item, MessageReader

_SETTINGS = ".obsidian/daily-notes.json"
_USUAL = "YYYY-MM-DD"
_BOX = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+\[(.)\]\s")
_NOT_DONE = {
    " ": "something still to be done",
    "-": "a task that was cancelled",
    ">": "a task that was moved to another day",
    "<": "a task that was moved to another day",
}
"""What the mark of a box says against what stands behind it: that it is nothing that was."""

# Neither goes on where another might begin: a crowd of openings takes no longer.
_EMBED = re.compile(r"!\[\[[^\[\]]*\]\]|!\[[^\[\]]*\]\([^()]*(?:\([^()]*\)[^()]*)?\)")
_LINK = r"(?:\[\[[^\[\]\n]*\]\]|\[[^\[\]\n]*\]\([^()\s]*\.md\))"
_PROPERTY = r"[\w-][\w -]{0,60}::(?:[ \t].*)?"
_NO_MEMORY = (
    (_EMBED, "an embed, or nothing"),
    (re.compile(r"<%(?:(?!<%)[^%]|%(?!>))*%>"), "a template's tag"),
    (re.compile(r"(?m)(?:^|(?<=\S)[ \t])\^[A-Za-z0-9-]+[ \t]*$"), "a name for links, `^id`"),
    (re.compile(rf"\A{_PROPERTY}(?:\n\s*{_PROPERTY})*\Z"), "properties alone, `Priority:: high`"),
    (re.compile(rf"\A(?:[^\w\[\]()]*{_LINK})+[^\w\[\]()]*\Z"), "links to notes alone"),
)
"""What of a paragraph is none of what was, and what is said where nothing else stands there."""

_HIDDEN = {
    "```": "fenced code", "~~~": "fenced code",
    "%%": "a comment, `%% … %%`", "<!--": "a comment, `<!-- … -->`",
}  # fmt: skip
"""What is left out wherever it stands, by the mark that it begins with."""


def files(path: Path) -> Iterator[Path]:
    """Yield the daily notes that *path* is or holds; raises OSError, BadInput for none."""
    path.stat()
    if not path.is_dir():
        yield path
        return
    vault = _Vault.of(path)
    walked = markdown_folder.walk(vault.folder if vault and vault.root == path else path)
    notes = [it.file for it in walked if not it.why]
    if not any(_day(it, vault) for it in notes):
        unread = f"; {vault.unread}" if vault and vault.unread else ""
        raise BadInput(
            f"{path}: no note of a day, as 2026-01-02.md, in this folder or below it{unread}"
        )
    yield from (it for it in notes if _day(it, vault) or (vault and vault.keeps(it)))


@dataclass(frozen=True, slots=True)
class _Vault:
    """An Obsidian vault: its *root*, the *folder* of its daily notes, what their names *fit*.

    *written* is the format of these names, "" for the usual one.
    """

    root: Path
    folder: Path
    written: str
    fits: re.Pattern[str] | None

    @staticmethod
    def of(path: Path) -> _Vault | None:
        """Return the vault that *path* is or lies in, if it has settings for daily notes."""
        around = (it for it in (path, *path.parents) if (it / _SETTINGS).is_file())
        root = next(around, None)
        if root is None:
            return None
        folder, written = root, ""
        with contextlib.suppress(OSError, ValueError, AttributeError, RecursionError):
            settings = json.loads((root / _SETTINGS).read_bytes())
            written = as_text(settings.get("format"))
            named = as_text(settings.get("folder"))
            if ".." not in PurePosixPath(named).parts:
                inner = root / named.strip("/")
                folder = inner if inner.is_dir() and not _has_link(root, inner) else root
        return _Vault(root, folder, written, day_format.pattern(written))

    @property
    def unread(self) -> str:
        """What is wrong with the format of the names, "" for nothing."""
        if self.fits or not self.written:
            return ""
        said = quoted(self.written)
        return f"names in the format of the vault's settings, {said}, tell no day that can be read"

    def keeps(self, file: Path) -> bool:
        """Tell whether *file* lies where the settings have daily notes alone."""
        return self.folder != self.root and file.is_relative_to(self.folder)

    @property
    def why_no_day(self) -> str:
        """Why a note that lies there is left out."""
        said = quoted(self.written or _USUAL)
        return f"a name that tells no day: the settings of the vault say {said}"

    def day(self, file: Path) -> str:
        """Return the day that the name of *file* tells as the settings have it, "" for none."""
        if self.fits is None or not file.is_relative_to(self.folder) or file.suffix != ".md":
            return ""
        name = file.relative_to(self.folder).with_suffix("").as_posix()
        return day_format.day(self.fits, name)


def _day(file: Path, vault: _Vault | None) -> str:
    """Return the day that *file* is of, by the settings of its *vault* or else by its name."""
    return (vault.day(file) if vault else "") or daily_log.day(file.name)


def _has_link(path: Path, inner: Path) -> bool:
    """Tell whether a link stands on the way from *path* to *inner*."""
    return inner.resolve() != path.resolve() / inner.relative_to(path)


def read(path: Path) -> Iterator[Item]:
    """Yield the paragraphs and points of a daily note; raises OSError, BadInput for no day's."""
    vault = _Vault.of(path.parent)
    of = _day(path, vault)
    if not of and vault and vault.keeps(path):
        yield Item(path.name, 1, skipped=vault.why_no_day)
        return
    if not of:
        raise BadInput(f"{path.name} is no note of a day: its name begins like 2026-01-02")
    try:
        text = daily_log.text_of(path)
    except BadInput as e:
        yield Item(path.name, 1, fault=str(e))
        return
    doc = frontmatter.parse(text)
    first = daily_log.first_line(text, doc)
    yield from daily_log.private_parts(path.name, doc.body, first)
    body, number, at = secrets.blanked(doc.body), first, 0
    hidden = [it for it in code_and_comments.parts(body, to_the_end=False) if it.kind != "formula"]
    for part in hidden:
        number, at = number + body.count("\n", at, part.first), part.first
        why = next(why for mark, why in _HIDDEN.items() if body.startswith(mark, at))
        yield Item(path.name, number, skipped=why)
    body = _without(body, hidden)
    lines = body.split("\n")
    for item in daily_log.items(path.name, body, daily_log.worth(doc, "daily"), first, of):
        yield _kept(item, lines[item.number - first])


def _without(body: str, hidden: Sequence[Part]) -> str:
    """Return *body* without the *hidden* parts; each line keeps its number."""
    kept, at = [], 0
    for part in hidden:
        before = body[at : part.first]
        # Of the spaces on both sides of a comment one stays.
        ends_word = part.last == len(body) or body[part.last].isspace()
        kept += [before.rstrip(" \t") if ends_word else before]
        kept += ["\n" * body.count("\n", part.first, part.last)]
        at = part.last
    return "".join([*kept, body[at:]])


def _kept(item: Item, line: str) -> Item:
    """Return *item* without embeds, and skipped where it tells nothing that was."""
    if item.heard is None:
        return item
    if (box := _BOX.match(line.lstrip())) and box[1] in _NOT_DONE:
        return replace(item, heard=None, skipped=_NOT_DONE[box[1]])
    words, why = item.heard.content, ""
    for pattern, reason in _NO_MEMORY:
        left = pattern.sub("", words).strip()
        words, why = left, why if left == words else reason
        if not words:
            return replace(item, heard=None, skipped=why or "an embed, or nothing")
    return replace(item, heard=replace(item.heard, content=words))


FORMAT = Format(
    "daily-notes",
    becomes=("memories",),
    help="Obsidian's notes of a day each, 2026-01-02.md",
    messages=MessageReader(
        files, lambda path, _: read(path), edited=True, wanted="a note as 2026-01-02.md"
    ),
)
