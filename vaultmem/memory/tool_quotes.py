"""Whether what an agent wants to keep is its own word, or that of a tool which it has just used.

Asked of whatever an agent brings: its sessions hold what its tools answered.
"""

from __future__ import annotations

from vaultmem.documents import public_text
from vaultmem.errors import Refused
from vaultmem.memory.folding import quotes, recent_turns
from vaultmem.storage.store import Store


def tool_of(store: Store, agent: str, *texts: str) -> str:
    """Return the tool that *agent* used lately and one of *texts* quotes, "" where none does.

    Any agent, where *agent* is empty.
    """
    turns = recent_turns.of(store, agent)
    if not any(turn.role == "tool" for turn in turns):
        return ""
    return public_text.shown(quotes.quoted(turns, *filter(None, texts)))


def refuse(store: Store, agent: str, *texts: str) -> None:
    """Raise Refused where *agent* takes a tool's words for its own, and nothing untrusted is kept.

    Any agent, where *agent* is empty.
    """
    if tool := tool_of(store, agent, *texts):
        raise Refused(
            f"{tool} said this; nothing was stored: `vaultmem remember --source tool` keeps it for "
            "a person to review; where it is a person's word, `--source user` says so"
        )
