"""What may be said by name to the methods of a vault."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from vaultmem.retrieval.search import Mode
    from vaultmem.storage.transcripts import Turn


class Details(TypedDict, total=False):
    """What may be said of a memory beside its text; most are keys of its file.

    *reason*, why it is kept, stands in its commit; *redact* blanks secrets out. *heard* are turns
    of a loop that its session has not got yet: what a tool said there is a tool's word.
    """

    agent: str
    source: str
    importance: float | None
    tags: Sequence[str]
    session: str
    speaker: str
    at: str | datetime | None
    reason: str
    redact: bool
    heard: Sequence[Turn]


class RecallOptions(TypedDict, total=False):
    """Where recall looks, and how; `vaultmem recall` has options of the same names.

    With an *agent* it is that one's own files and those that all agents share; *type*, *tags* (all
    of them), *after* and *before* (dates, included) narrow it down, and so do *person*, who said it
    or whom it is about, and *trust*, the least that is wanted. *untrusted* is what nobody vouches
    for, such as pages. *mode* is `lexical` (words), `semantic` (vectors) or `auto` (both,
    where there is an embedder). *as_of*, a date or a time, asks the vault as it was committed then.
    *explain* tells of each hit what its score is the sum of.
    """

    agent: str
    type: str
    tags: Sequence[str]
    after: str
    before: str
    person: str
    trust: str
    untrusted: bool
    mode: Mode
    as_of: str
    explain: bool
