"""A turn in its fence, which says who said it, when, and how far it is trusted."""

from __future__ import annotations

from vaultmem.memory.folding.material import trust_of
from vaultmem.records import Record
from vaultmem.retrieval.context.items import Piece, printed
from vaultmem.storage.transcripts import Turn

_MINUTE = 16


def fenced_turn(turn: Turn, number: int, text: str, path: str = "") -> Piece:
    """Return turn *number* of the transcript at *path* with *text* for what it says.

    One that no transcript of the vault has yet has the number 0.
    """
    # Where a task begins and ends its working memory is noted, which may be what a tool answered.
    trust = "untrusted" if turn.role == "system" else trust_of(turn)
    record = Record(path, "", type="turn", created=turn.at, body=text, trust=trust)
    marks = {
        "date": turn.at[:_MINUTE].replace("T", " "), "turn": str(number or ""), "role": turn.role,
        "speaker": turn.speaker, "tool": turn.tool,
    }  # fmt: skip
    return printed(record, marks)
