"""What came into the inbox that a round of this machine carries out: ticks, and @commands.

A person may tick and ask on any machine, so it is done; who may push can, too, so it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.documents import frontmatter
from vaultmem.errors import Unreadable
from vaultmem.exchange.sync import obeyed_changes
from vaultmem.exchange.sync.types import Data, Merged, Sides
from vaultmem.knowledge.cards import conflict_note
from vaultmem.maintenance.dream import review_note
from vaultmem.memory.remember import REVIEW
from vaultmem.storage import files, reader

_INBOX = "inbox/"
_COMMAND = re.compile(r"^\ufeff?@[A-Za-z][A-Za-z-]*(?=\s|$)(?!.*\n> \[!vaultmem\]).*", re.MULTILINE)
"""A line that may be a command, and has no answer yet."""


def notices(sides: Sides, made: Merged, tip: str) -> Iterator[str]:
    """Yield what each note of the inbox asks for that it did not ask here, in a line.

    *tip* is the commit there.
    """
    for path, it in sorted(sides.items()):
        new = made.files.get(path)
        if new == it.ours or not (path.startswith(_INBOX) and files.is_note(path)):
            continue
        for what, found in _requests(path, new).items():
            if found - _requests(path, it.ours).get(what, frozenset()):
                shown = obeyed_changes.changed(path, it.ours, new, tip)
                yield f"{path}, {what}, {shown}"


def _requests(path: str, data: Data) -> dict[str, frozenset[str]]:
    """Return what the note asks to be done, by who does what with it."""
    if data is None:
        return {}
    try:
        return {
            "whose tick is taken here for a person's": _ticked(path, data),
            "whose @commands are carried out here": _commands(path, data),
        }
    except Unreadable:  # nothing is done with it
        return {}


def _ticked(path: str, data: bytes) -> frozenset[str]:
    record = reader.record(path, files.content(data))
    if path.startswith(f"{REVIEW}/"):
        return frozenset({path} if record.approved == "true" else ())
    if record.type == conflict_note.TYPE:
        return frozenset(box.text for box in conflict_note.boxes(data) if box.ticked)
    is_dream = path.startswith(f"{_INBOX}dream-")
    return review_note.read(frontmatter.decode(data)).fresh if is_dream else frozenset()


def _commands(path: str, data: bytes) -> frozenset[str]:
    if path.count("/") > 1:
        return frozenset()
    return frozenset(_COMMAND.findall(frontmatter.decode(data).replace("\r\n", "\n")))
