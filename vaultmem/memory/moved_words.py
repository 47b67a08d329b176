"""What somebody took out of one note and laid into another: it is no news there, whoever read it.

A person renames a note, or cuts a line from one and pastes it into the next, after a tool of an
agent had shown it. Git tells that the note had the words before: it has the file as it was. Another
agent's note vouches for nothing, moved or not.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from vaultmem.documents import public_text
from vaultmem.errors import Refused, Unavailable, Unreadable
from vaultmem.records import Record, is_trusted
from vaultmem.storage import files
from vaultmem.storage.store import Store


def of(store: Store, agent: str) -> Record:
    """Return what notes that may vouch for words of *agent* had in the last commit.

    Those that have not got it as it was. It stands in the body of one record, of no file.
    """
    from vaultmem.memory.tool_quotes import trusted_words  # noqa: PLC0415  # few notes are near what a tool said

    texts: list[str] = []
    for path, data in _committed(store).items():
        with contextlib.suppress(Refused, Unreadable):
            record = store.texts.record(path, files.content(data))
            is_sound = is_trusted(record) and not record.tool_lines
            if is_sound and trusted_words.may_vouch(record, agent):
                texts.append(public_text.of_bytes(data).text)
    return Record("", "", body="\n\n".join(texts), trust="agent")


def _committed(store: Store) -> Mapping[str, bytes]:
    """Return what the last commit has of the notes that are changed, moved or gone, by path."""
    with contextlib.suppress(Unavailable):
        if repository := store.writer.repository:
            staged = repository.staged()
            changed = {*staged, *(it.path for it in repository.unstaged(staged))}
            had = repository.in_head([path for path in changed if files.is_note(path)])
            texts = repository.contents(had.values())
            return {path: texts[blob.id] for path, blob in had.items() if blob.id in texts}
    return {}
