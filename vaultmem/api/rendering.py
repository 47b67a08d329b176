"""What the public API returns, as text for people, prompts and other programs.

Importing this module loads no room; each name loads its own module on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from vaultmem.records import TRUST, Record

if TYPE_CHECKING:
    from vaultmem.documents.bodies.json_format import compact_json as session_compact_json
    from vaultmem.documents.bodies.markdown import render_compact as session_compact_markdown
    from vaultmem.documents.bodies.prompt_blocks import restore as session_compact_prompt
    from vaultmem.documents.hidden_text import shown as visible_text
    from vaultmem.documents.hidden_text import unseen
    from vaultmem.documents.public_text import quoted, without_middle
    from vaultmem.documents.public_text import shown as public_text
    from vaultmem.documents.secrets import left_out
    from vaultmem.documents.tokens import estimate as token_count
    from vaultmem.maintenance.digest import markdown as digest_markdown
    from vaultmem.maintenance.digest import sections as digest_sections
    from vaultmem.maintenance.digest import title as digest_title
    from vaultmem.maintenance.dream.review_note import counted as changes_sentence
    from vaultmem.maintenance.dream.review_note import gate as gate_sentence
    from vaultmem.memory.working import Working
    from vaultmem.retrieval.context.fencing import defused_outside
    from vaultmem.storage.plan import diff as plan_diff
    from vaultmem.storage.plan import uncommitted as undo_uncommitted

__all__ = [
    "changes_sentence",
    "defused_outside",
    "digest_markdown",
    "digest_sections",
    "digest_title",
    "fenced",
    "gate_sentence",
    "in_hand",
    "left_out",
    "plan_diff",
    "public_text",
    "quoted",
    "session_compact_json",
    "session_compact_markdown",
    "session_compact_prompt",
    "token_count",
    "undo_uncommitted",
    "unseen",
    "visible_text",
    "without_middle",
]

_HOME = {
    "changes_sentence": "vaultmem.maintenance.dream.review_note.counted",
    "defused_outside": "vaultmem.retrieval.context.fencing.defused_outside",
    "digest_markdown": "vaultmem.maintenance.digest.markdown",
    "digest_sections": "vaultmem.maintenance.digest.sections",
    "digest_title": "vaultmem.maintenance.digest.title",
    "gate_sentence": "vaultmem.maintenance.dream.review_note.gate",
    "left_out": "vaultmem.documents.secrets.left_out",
    "plan_diff": "vaultmem.storage.plan.diff",
    "public_text": "vaultmem.documents.public_text.shown",
    "quoted": "vaultmem.documents.public_text.quoted",
    "session_compact_json": "vaultmem.documents.bodies.json_format.compact_json",
    "session_compact_markdown": "vaultmem.documents.bodies.markdown.render_compact",
    "session_compact_prompt": "vaultmem.documents.bodies.prompt_blocks.restore",
    "token_count": "vaultmem.documents.tokens.estimate",
    "undo_uncommitted": "vaultmem.storage.plan.uncommitted",
    "unseen": "vaultmem.documents.hidden_text.unseen",
    "visible_text": "vaultmem.documents.hidden_text.shown",
    "without_middle": "vaultmem.documents.public_text.without_middle",
}


if not TYPE_CHECKING:  # a type checker shall find names that are not there

    def __getattr__(name: str) -> object:
        """Load the module that *name* is of, on first use."""
        if name in _HOME:
            module, _, attribute = _HOME[name].rpartition(".")
            found: object = getattr(importlib.import_module(module), attribute)
            return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def fenced(text: str, *, path: str, kind: str, trust: str) -> str:
    """Return *text* of the file at *path*, in a fence where nobody vouches for it.

    Agents read it: text that is not trusted must not end its fence, nor be taken for instructions,
    and no text says that it stands in one.
    """
    if trust != TRUST[0]:
        from vaultmem.documents import fence_marks  # noqa: PLC0415  # who only names this loads no room

        return fence_marks.defused(text)
    from vaultmem.retrieval.context import fencing  # noqa: PLC0415  # most text is trusted

    return fencing.fenced(Record(path, "", type=kind, trust=trust, body=text), {})


def in_hand(working: Working, path: str) -> str:
    """Return the *working* memory of the note at *path* as text, a tool's words of it in a fence.

    "" where nothing is in hand.
    """
    from vaultmem.memory.working import divided, prompt  # noqa: PLC0415  # as above

    own, told = divided(working)
    said = fenced(told, path=path, kind="working", trust=TRUST[0]) if told else ""
    return "\n".join(filter(None, (prompt(own), said)))
