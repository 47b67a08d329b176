"""What is folded of talk that tools show to be work."""

from __future__ import annotations

from vaultmem.documents.bodies import Episode
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

AT = "2026-03-01T10:00:00Z"
_TESTED = Turn("tool", "$ make check\n214 passed", at=AT, tool="bash")


def at_work(text: str) -> Episode:
    """Return the episode of *text*, said between two runs of the tests."""
    return Extractive().episode(FoldTask((_TESTED, Turn("user", text, at=AT), _TESTED))).value
