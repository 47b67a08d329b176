"""Bring in what other programs keep: conversations as memories or turns, notes as knowledge.

The readers of the formats are `exchange.formats`; here what they read is cleaned, named and
written. Each part loads when it is first used: the command line asks only which formats there are.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.exchange.formats.jsonl_message import Message as Message
    from vaultmem.exchange.importing.message_reader import Line as Line
    from vaultmem.exchange.importing.message_reader import lines as lines
    from vaultmem.exchange.importing.message_reader import refuse_bad as refuse_bad
    from vaultmem.exchange.importing.messages import run as run
    from vaultmem.exchange.importing.messages import run_turns as run_turns
    from vaultmem.exchange.importing.messages import turns_told as turns_told
    from vaultmem.exchange.importing.registry import FORMATS as FORMATS
    from vaultmem.exchange.importing.registry import manner as manner
    from vaultmem.exchange.importing.service import How as How
    from vaultmem.exchange.importing.service import take as take
    from vaultmem.exchange.importing.types import Imported as Imported
    from vaultmem.exchange.importing.types import Reason as Reason
    from vaultmem.exchange.importing.types import Settings as Settings

_NAMES = {
    "formats.jsonl_message": ("Message",),
    "importing.message_reader": ("Line", "lines", "refuse_bad"),
    "importing.messages": ("run", "run_turns", "turns_told"),
    "importing.registry": ("FORMATS", "manner"),
    "importing.service": ("How", "take"),
    "importing.types": ("Imported", "Reason", "Settings"),
}


def __getattr__(name: str) -> object:
    """Load the part that *name* is of."""
    for module, names in _NAMES.items():
        if name in names:
            found: object = getattr(importlib.import_module(f"vaultmem.exchange.{module}"), name)
            return found
    raise AttributeError(name)
