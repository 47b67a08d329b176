"""The few memories that clearly concern a prompt: for a program that adds them to it unasked.

All of it is fenced as data, and what is not trusted is in none of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from vaultmem.api.vault import Vault
from vaultmem.records import Record
from vaultmem.retrieval.context import lookup
from vaultmem.retrieval.context.items import printed, shortened
from vaultmem.retrieval.context.record_queries import Reader
from vaultmem.retrieval.context.types import PREAMBLE
from vaultmem.retrieval.search import LONGEST_QUERY, Hit, Mode, Scope
from vaultmem.storage.index import tokenizer
from vaultmem.storage.turn_names import TYPE, TurnName

_HITS, _SHOWN = 8, 3
_HIT_TOKENS = 250
_WORTH_TELLING = frozenset({"memory", "topic", "note", "file", "episode", TYPE})
_ROOT = 5
"""Letters; words that begin with as many of the same are forms of one, near enough."""

_LEAST, _ENOUGH, _SHARE = 2, 4, 0.4
_ASKING = frozenset({"say", "said", "tell", "told", "talk", "talke", "menti", "remem", "know"})
"""Roots of words that ask for what was said, and tell nothing of what it was about."""


def text(  # noqa: PLR0913  # whose memory, and how much of it, by name
    folder: Path,
    prompt: str,
    *,
    agent: str = "",
    session: str = "",
    room: int = 4_000,
    size: Callable[[str], int] = len,
) -> str:
    """Return the few memories of the vault at *folder* that clearly concern *prompt*, "" for none.

    Who asks in a *session* is told nothing that was said in it. The text has at most *room*, by
    *size*.
    """
    query = prompt.strip()[:LONGEST_QUERY]
    asked = _roots(query)
    if len(asked) < _LEAST:
        return ""
    # A score says only what fits best: a record must speak of enough that was asked.
    wanted = max(_LEAST, min(_ENOUGH, round(_SHARE * len(asked))))
    with Vault.open(folder) as vault:
        records = _found(vault, query, agent, session)
        found = [r for r in records if len(asked & _roots_of(r)) >= wanted]
    pieces = [shortened(printed(record), _HIT_TOKENS) for record in found[:_SHOWN]]
    made = PREAMBLE + "".join(piece.text for piece in pieces if piece)
    return made if any(pieces) and size(made) <= room else ""


def _found(vault: Vault, query: str, agent: str, session: str) -> Iterator[Record]:
    """Yield what recall finds, is trusted, holds now, and is not of this very session.

    Who has no file yet sees what all share, and nothing that is another agent's.
    """
    who = vault.store.agent(agent)
    # An embedder takes longer to load than a person waits; a daemon has it loaded.
    mode: Mode = "auto" if vault.watched else "lexical"
    scope = Scope(agent=who, shared=True, but_session=session)
    found = vault.recall(query, _HITS, scope, mode=mode)
    worth = (hit for hit in found.hits if hit.type in _WORTH_TELLING and not hit.stale)
    hits = [hit for hit in worth if not session or hit.session != session]
    reader = Reader(vault.store, who, vault.store.clock(), vault.store.turns())
    most = lookup.worth([hit.score for hit in hits]) if hits else 0
    records = reader.by_path(map(_name, hits[:most]))
    yield from (records[name] for name in map(_name, hits) if name in records)


def _name(hit: Hit) -> str:
    """Return what names what was found: its file, and of a turn which it is there."""
    return str(TurnName(hit.path, hit.lines[0])) if hit.type == TYPE else hit.path


def _roots(query: str) -> frozenset[str]:
    roots = frozenset(tokenizer.plain(term)[:_ROOT] for term in tokenizer.terms(query))
    return roots - _ASKING


def _roots_of(record: Record) -> frozenset[str]:
    """Return the roots of what *record* says, and of whoever said it."""
    said = f"{record.speaker} {record.title} {record.body}"
    text = tokenizer.plain(tokenizer.indexed(said))
    return frozenset(word[:_ROOT] for word in re.findall(r"[^\W_]+", text))
