"""Which formats there are, and what each becomes: memories, turns, notes, a folded session.

Light enough for `import --help`: neither the vault nor what imports are made of is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.exchange.formats import (
    basic_memory,
    chatgpt,
    claude_code,
    claude_mem,
    daily_notes,
    folded,
    jsonl,
    letta,
    markdown_folder,
    mem0,
    okf,
    openclaw,
)
from vaultmem.exchange.formats.types import Format, Manner, MessageReader, NoteReader, Option

_FORMATS = (
    jsonl.FORMAT,
    claude_code.FORMAT,
    chatgpt.FORMAT,
    mem0.FORMAT,
    letta.FORMAT,
    claude_mem.FORMAT,
    markdown_folder.FORMAT,
    basic_memory.FORMAT,
    okf.FORMAT,
    openclaw.FORMAT,
    daily_notes.FORMAT,
    folded.FORMAT,
)
FORMATS: Mapping[str, Format] = {form.name: form for form in _FORMATS}
"""The formats by their names, in the order in which they are listed."""

_EXPORTED = "json"
"""A name that an export has: its file is lines of JSON."""


def find(name: str) -> Format:
    """Return the format *name*; raises BadInput."""
    if name == _EXPORTED:
        raise BadInput(f"what was exported as {name} is imported as {jsonl.FORMAT.name}")
    if name not in FORMATS:
        raise BadInput(
            f"{quoted(name)} is not a format that can be imported; there are: {', '.join(FORMATS)}"
        )
    return FORMATS[name]


def manner(name: str, wanted: str = "") -> Manner:
    """Return what files of a format become when *wanted* is asked for; raises BadInput."""
    becomes = find(name).becomes
    found = next((x for x in becomes if wanted in {"", x}), None)
    if found is None:
        raise BadInput(f"{name} becomes {' or '.join(becomes)}, not {wanted}: leave that out")
    return found


def message_reader(name: str) -> MessageReader:
    """Return what reads the messages of a format; raises BadInput for one of notes."""
    reader = find(name).messages
    if reader is None:
        raise BadInput(f"{name} has notes, no messages")
    return reader


def note_reader(name: str) -> NoteReader:
    """Return what finds the notes of a format; raises BadInput for one of messages."""
    reader = find(name).notes
    if reader is None:
        raise BadInput(f"{name} has messages, no notes")
    return reader


def options() -> dict[Option, tuple[str, ...]]:
    """Return what may be asked of some formats, each with the names of those."""
    every = dict.fromkeys(option for form in FORMATS.values() for option in form.options)
    return {
        option: tuple(name for name, form in FORMATS.items() if option in form.options)
        for option in every
    }
