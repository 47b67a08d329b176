"""Which turns an episode or a compact names: by the numbers that a merge gave them.

Of a tool it has the number of the turn that answered, in a line of the program's own. A person's
lines stay as they are.
"""

from __future__ import annotations

import re

from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Document
from vaultmem.exchange.sync.transcript_merge import MergedTranscript
from vaultmem.memory.compaction import human_lines

_COMPACTED = re.compile(r"(Compacted at turn )(\d{1,18})(?=\.)")
_ANSWERED = re.compile(r"(- `[^`]+`: .*?\(turn )([1-9]\d{0,6})(?=\)(?:: .*)?\s*\Z)")


def renumbered(doc: Document, merged: MergedTranscript) -> Document:
    """Return *doc*, which is ours, with the numbers that our turns have in *merged*.

    A compact covers no more than the turns that both sides had. Raises Unreadable and Refused.
    """
    known = str(frontmatter.fields(doc).get("written", "")).split()
    lines = doc.body.splitlines(keepends=True)
    new = [_renumbered(line, merged, own=human_lines.digest(line) in known) for line in lines]
    if new == lines:
        return doc
    now = {human_lines.digest(old): human_lines.digest(line)
           for old, line in zip(lines, new, strict=True)}  # fmt: skip
    due = {"written": " ".join(now.get(it, it) for it in known)} if known else {}
    return frontmatter.update(doc, due, "".join(new))


def _renumbered(line: str, merged: MergedTranscript, *, own: bool) -> str:
    if found := _COMPACTED.match(line):
        return f"{found[1]}{min(int(found[2]), merged.common)}{line[found.end() :]}"
    if own and (found := _ANSWERED.match(line)):
        return f"{found[1]}{merged.place(int(found[2]))}{line[found.end() :]}"
    return line
