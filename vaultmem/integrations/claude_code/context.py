"""What a hook tells the model: of a vault when a session starts, and what fits a prompt."""

from __future__ import annotations

import shlex
from pathlib import Path

from vaultmem.config import VAULT_AGENT

MOST = 10_000
"""Characters that Claude Code takes from a hook, as JavaScript counts them."""

_PROMPT_MOST = 4_000
_HEAD = """\
A memory that outlasts this session is kept in {vault}, as Markdown files.
`{line} --agent {agent} "QUESTION"` finds more; with `remember "FACT"` it keeps a fact.
"""


def at_start(
    folder: Path, session: str, agent: str, program: str = "vaultmem", untaken: str = ""
) -> str:
    """Return what a session should know from its first moment on; *session* is one that goes on.

    *program* is what a shell calls vaultmem by, *untaken* a transcript that is not taken in yet as
    far as it goes.
    """
    from vaultmem.api import session_start  # noqa: PLC0415  # a prompt needs none of it

    named = shlex.quote(str(folder))
    line = f"{shlex.quote(program)} --vault {named} recall"
    head = _HEAD.format(vault=folder, line=line, agent=agent or VAULT_AGENT)
    return head + session_start.text(
        folder, agent=agent, session=session, untaken=untaken, room=MOST - size(head), size=size
    )


def to_prompt(folder: Path, prompt: str, session: str, agent: str) -> str:
    """Return the few memories that clearly concern a prompt, "" when there are none."""
    if prompt.strip().startswith("/"):
        return ""
    from vaultmem.api import prompt_memories  # noqa: PLC0415  # a start asks nothing

    return prompt_memories.text(
        folder, prompt, agent=agent, session=session, room=_PROMPT_MOST, size=size
    )


def size(text: str) -> int:
    """Return the length of *text* as JavaScript counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
