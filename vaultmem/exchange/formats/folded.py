"""A folded memory, `{session}_folded.json`: one session's episodes, knowledge and newest turns."""

from __future__ import annotations

from vaultmem.exchange.formats.types import Format

SUFFIX = "_folded.json"

FORMAT = Format("folded", becomes=("folded",), help="{session}_folded.json, a session to go on")
