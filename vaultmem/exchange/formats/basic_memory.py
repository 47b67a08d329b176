"""The notes of basic-memory: a folder of Markdown whose links go by the titles of notes."""

from __future__ import annotations

from vaultmem.exchange.formats import markdown_folder
from vaultmem.exchange.formats.types import Format, NoteReader

FORMAT = Format(
    "basic-memory",
    becomes=("notes",),
    help="likewise",
    notes=NoteReader(markdown_folder.notes, titled=True),
    options=markdown_folder.OPTIONS,
)
