"""Transcripts: what was said in a session, turn by turn, as JSON lines that are only appended to.

A session is `agents/<agent>/sessions/<session>.jsonl`; its turns count from 1, a line each.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a session.

    *role* is `user`, `assistant`, `tool` or `system`; *speaker* names a person where one is known;
    *at* is ISO 8601 UTC or empty; *tool* names the tool whose result *content* is; *origin* is an
    importer's key.
    """

    role: str
    content: str
    speaker: str = ""
    at: str = ""
    tool: str = ""
    origin: str = ""
