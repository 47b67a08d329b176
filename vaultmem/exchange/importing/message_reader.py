"""From the files of a format to what may be remembered: cleaned, named, without secrets."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from vaultmem.documents import frontmatter, public_text, secrets, wide_text
from vaultmem.documents.frontmatter import Field, Verbatim
from vaultmem.errors import BadInput, BadLine, Refused, SecretFound, input_errors
from vaultmem.exchange.formats import ImportedMessage, Item, note_frontmatter, tagged_items
from vaultmem.exchange.formats.types import MessageReader, Shown, VaultNote, VaultTurn
from vaultmem.exchange.importing import registry, vault_note, vault_turn
from vaultmem.exchange.importing.known_names import KnownNames
from vaultmem.exchange.importing.types import Settings
from vaultmem.exchange.importing.vault_note import NewNote
from vaultmem.memory import remember
from vaultmem.memory.remember import (
    MemoryInput,
    one_line,
    one_lines,
    refuse_private_names,
    refuse_secrets,
)
from vaultmem.records import first_line, is_archived, moment
from vaultmem.storage.transcripts import ROLES

PRIVATE = "all of it is private, or empty"
_SHOWN = 40
_WIDEST = 4
"""Bytes of a character, at most."""

_MOST = remember.LARGEST // _WIDEST
"""Characters of a piece."""

_MARKERS = re.compile(r"^(?:<{7}|>{7}|\|{7})(?= )|^={7}$", re.MULTILINE)
"""What git leaves of a conflict: a file of ours with such lines would be taken for broken."""

_TWICE = "the same message again"
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
_REPLACED = "NUL or half a character, which no file can hold: \ufffd stands for it"


@dataclass(frozen=True, slots=True)
class Line:
    """One piece read: what it says, a note, why it says nothing for us, or why it is bad."""

    item: Item
    said: MemoryInput | None = None
    skipped: str = ""
    fault: str = ""
    note: NewNote | None = None
    turn: VaultTurn | None = None
    left_out: str = ""
    """What of it was private, in a sentence."""
    replaced: str = ""
    """What of it no file can hold, in a sentence."""
    forgotten: str = ""
    """That passages of it were forgotten, in a sentence."""
    whole: str = ""
    """What it said before a tool's words were taken out of it, "" where none were."""
    shown: tuple[Shown, ...] = ()
    """What programs showed before it, also in lines that are left out."""

    @property
    def agent(self) -> str:
        """Whose it becomes; "" for nothing, and for a note that is everybody's."""
        found = self.said or self.note or self.turn
        return found.agent if found else ""

    @property
    def where(self) -> str:
        """The place as a person looks for it."""
        return self.item.where

    @property
    def tool(self) -> str:
        """The tool whose result it is, "" for what somebody said."""
        return self.item.heard.tool if self.item.heard else ""

    @property
    def in_full(self) -> str:
        """What a tool answered, or was called with, where that is more than is kept of it."""
        return self.item.heard.whole if self.item.heard else ""

    @property
    def is_lasting(self) -> bool:
        """Whether it is a memory also where messages become turns."""
        return self.item.heard is not None and self.item.heard.lasting

    @property
    def unread_time(self) -> str:
        """What should have been its time, in a few words fit to be shown; "" for none."""
        said = self.item.heard.unread_time if self.item.heard else ""
        return public_text.shown(first_line(said, _SHOWN)) if said else ""


def lines(
    paths: Iterable[Path], settings: Settings, reader: MessageReader | None = None
) -> Iterator[Line]:
    """Yield every piece of the files; raises BadInput for what is no readable file.

    The *reader* is that of the format, unless another one reads a part of them.
    """
    reader = reader or registry.message_reader(settings.form)
    options = registry.find(settings.form).options
    asked = frozenset(option.name for option in options if settings.has(option))
    with contextlib.closing(KnownNames()) as known:
        names = _Names(reader.strict, reader.copies, known)
        yield from _lines(paths, settings, reader, asked, names)


def _lines(
    paths: Iterable[Path], settings: Settings, reader: MessageReader, asked: frozenset[str],
    names: _Names,
) -> Iterator[Line]:  # fmt: skip
    for path in paths:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise BadInput(
                f"{path}: a pipe or a device can be read only once: save it to a file first"
            )
        with input_errors(path, reader.wanted):
            for file in reader.files(path):
                names.next_file()
                for item in reader.read(file, asked):
                    private = _left_out(item.heard) if item.heard else ""
                    content = item.heard.content if item.heard else ""
                    is_replaced = not reader.strict and bool(_NO_CHARACTER.search(content))
                    replaced = _REPLACED if is_replaced else ""
                    parts = (item,) if reader.edited else tagged_items.parted(item)
                    pieces = parts if reader.strict else chain.from_iterable(map(_pieces, parts))
                    for n, piece in enumerate(pieces):
                        read = _line(piece, names, settings)
                        yield read if n else replace(read, left_out=private, replaced=replaced)


def _left_out(heard: ImportedMessage) -> str:
    """Say what of *heard* was private: of its words, its tags, and what else its head says."""
    more = {key: vault_note.value_of(said) for key, said in heard.more.items()}
    return secrets.left_out(heard.content, heard.tags, more)


def _pieces(item: Item) -> Iterator[Item]:
    """Yield *item* in pieces that a memory can hold: people paste whole files into a chat.

    So do tools, half letters and bytes of programs with them; these are only marked.
    """
    heard = item.heard
    if heard is None:
        yield item
        return
    text = wide_text.without_zeros(wide_text.whole_letters(heard.content))
    text = _MARKERS.sub(r" \g<0>", text)
    for n, content in enumerate(_cut(text) if len(text) > _MOST else (text,), 1):
        own = f"{heard.id}.part{n}" if heard.id and n > 1 else heard.id
        shown = item.shown if n == 1 else None
        yield replace(item, heard=replace(heard, content=content, id=own), shown=shown)


def _cut(text: str) -> Iterator[str]:
    """Yield *text* in pieces of whole lines, as far as these are not too long themselves.

    Without its private parts, and no credential is cut in two: of half of one nobody could tell.
    """
    text, start = secrets.strip_private(text), 0
    while len(text) - start > _MOST:
        line = text.rfind("\n", start + 1, start + _MOST) + 1 or start + _MOST
        whole = secrets.boundary(text, line)
        end = whole if whole > start else line  # a whole piece of one credential
        yield text[start:end]
        start = end
    yield text[start:]


def _line(item: Item, names: _Names, settings: Settings) -> Line:
    try:
        if item.note:
            return _noted(item, item.note, settings)
        if item.turn:
            return Line(item, turn=vault_turn.made(item.turn, settings))
        if item.heard is None:
            return Line(item, skipped=item.skipped, fault=item.fault)
        return _cleaned(item, item.heard, names, settings)
    except SecretFound as e:
        return Line(item, fault=e.fault)
    except BadInput as e:
        return Line(item, fault=str(e).removeprefix(f"{item.where}: "))


def _noted(item: Item, note: VaultNote, settings: Settings) -> Line:
    try:
        agent = settings.agent_of(vault_note.whose(note))
        return Line(item, note=vault_note.made(note, agent, redact=settings.redact))
    except SecretFound:
        raise  # a refusal, too, and one that stops the import
    except Refused as e:
        return Line(item, skipped=str(e))


def _cleaned(item: Item, heard: ImportedMessage, names: _Names, settings: Settings) -> Line:
    content = remember.clean(heard.content, item.where, redact=settings.redact)
    refuse_secrets(item.where, heard.speaker, heard.session, heard.id, heard.at, *heard.tags)
    refuse_private_names(heard.session, heard.id)
    agent = settings.agent_of(heard.agent)
    key = names.of(heard, agent)
    if not key:
        return Line(item, skipped=_TWICE)
    if not content:
        return Line(item, skipped=PRIVATE)
    return Line(
        item,
        MemoryInput(
            text=content,
            agent=agent,
            created=moment(heard.at) if heard.at else settings.now,
            dated=bool(heard.at),
            source=heard.source,
            asked=heard.trust,
            importance=heard.importance,
            speaker=one_line(heard.speaker, "speaker"),
            session=one_line(heard.session, "session"),
            origin=_as_kept(key),
            role=heard.role if heard.role in ROLES else "",
            tags=one_lines(heard.tags, "tag"),
            archived=is_archived(heard.path),
            supersedes=tuple(map(_as_kept, heard.supersedes)),
            more=_more(item, heard, settings),
        ),
    )


def _more(item: Item, heard: ImportedMessage, settings: Settings) -> Mapping[str, Field | Verbatim]:
    """Return what else the frontmatter of a memory said; raises SecretFound, BadInput.

    What is no text keeps its lines where all of these may come in; what nests has no others.
    """
    if not heard.more:
        return {}

    def told(*texts: str) -> list[str]:
        return [
            note_frontmatter.let_in(item.where, text, redact=settings.redact)
            for text in secrets.strip_each(texts)
        ]

    def let_in(said: str | list[str] | Verbatim) -> Field | Verbatim | None:
        if isinstance(said, str):
            return told(said)[0]
        if isinstance(said, list):
            return told(*said)
        texts = [said.lines, *frontmatter.texts(said.value)]
        plain = vault_note.flat(said.value)
        return said if told(*texts) == texts else None if plain is None else let_in(plain)

    head = vault_note.of_a_memory(heard.more)
    refuse_secrets(item.where, *head)
    more = {key: kept for key, said in head.items() if (kept := let_in(said)) is not None}
    try:
        frontmatter.new(more, "")
    except Refused as e:
        raise BadInput(vault_note.UNWRITABLE) from e
    return more


@dataclass(slots=True)
class _Names:
    """What names every message for ever.

    Without an id the words name it, with how often they came before in the same file: a second
    "Thanks!" is a second memory. *known* holds what all files had so far.
    """

    strict: bool
    copies: bool
    known: KnownNames
    files: int = 0

    def next_file(self) -> None:
        """Count from 1 again: files that overlap say the same words at the same place."""
        self.files += 1

    def of(self, heard: ImportedMessage, agent: str) -> str:
        """Return the name, "" for what came already; raises BadInput for two things of one id.

        Each *agent* has its own.
        """
        text = f"{heard.session}\x1f{heard.at}\x1f{heard.speaker}\x1f{heard.content}"
        words = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        if not heard.id:
            times = self.known.count(f"{self.files}\x1f{words}")
            return f"{heard.key}/{words}-{times}"
        name = _as_kept(f"{heard.key}/{heard.id}")
        own = heard.id if self.copies else f"{agent}/{name}"
        known = self.known.get(own)
        if self.strict and known not in {None, words}:
            raise BadInput(f"id {heard.id} stands for another message further up")
        if self.copies:
            return self._copied(heard, name)
        if known not in {None, words}:  # its program gave an id twice: both are kept
            name = f"{name}.{words}"
            own = f"{agent}/{name}"
        self.known.note(own, words)
        return name

    def _copied(self, heard: ImportedMessage, name: str) -> str:
        """Return *name*, "" for a copy: the same words, or the same id in another conversation."""
        words = hashlib.sha256(heard.content.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        said = f"{name}\x1f{words}"
        known = self.known.get(heard.id)
        if known == said or (known and known.partition("\x1f")[0] != name):
            return ""
        self.known.note(heard.id, said)
        return name


def _as_kept(name: str) -> str:
    """Return *name* as a file holds it: two that differ in spaces alone are one there."""
    return " ".join(name.split())


def refuse_bad(read: Iterable[Line]) -> None:
    """Read all through and raise BadLine, or BadInput, for the first piece that is bad."""
    for line in read:
        if line.fault and not line.item.is_line:
            raise BadInput(f"{line.where}: {line.fault}; nothing was imported: "
                           "fix the file, or leave such out (`skip_bad=true`)")  # fmt: skip
        if line.fault:
            raise BadLine(line.item.file, line.item.number, line.fault)
