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
    from vaultmem.exchange.importing.registry import FORMATS as FORMATS
    from vaultmem.exchange.importing.registry import manner as manner
    from vaultmem.exchange.importing.service import How as How
    from vaultmem.exchange.importing.service import take as take
    from vaultmem.exchange.importing.types import Imported as Imported
    from vaultmem.exchange.importing.types import Reason as Reason
    from vaultmem.exchange.importing.types import Settings as Settings

_HOME = {
    "Message": "formats.jsonl_message",
    "Line": "importing.message_reader",
    "lines": "importing.message_reader",
    "refuse_bad": "importing.message_reader",
    "run": "importing.messages",
    "run_turns": "importing.messages",
    "FORMATS": "importing.registry",
    "manner": "importing.registry",
    "How": "importing.service",
    "take": "importing.service",
    "Imported": "importing.types",
    "Reason": "importing.types",
    "Settings": "importing.types",
}


def __getattr__(name: str) -> object:
    """Load the part that *name* is of."""
    if name in _HOME:
        module = importlib.import_module(f"vaultmem.exchange.{_HOME[name]}")
        found: object = getattr(module, name)
        return found
    raise AttributeError(name)
