"""What a hook tells the model: of a vault when a session starts, and what fits a prompt.

All of it is fenced as data. What is not trusted is in none of it: it is loaded unasked.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.integrations.claude_code.types import HookInput
from vaultmem.memory import memory_index
from vaultmem.records import Record, utc_now
from vaultmem.retrieval.context import layers, lookup, packing
from vaultmem.retrieval.context.fencing import fenced
from vaultmem.retrieval.context.items import printed, shortened
from vaultmem.retrieval.context.record_queries import Reader
from vaultmem.retrieval.context.types import PREAMBLE, SITUATION, Context, Wanted
from vaultmem.retrieval.search import LONGEST_QUERY, Hit, Mode
from vaultmem.storage import reader as storage_reader
from vaultmem.storage import transcripts
from vaultmem.storage.index import Filter, tokenizer
from vaultmem.storage.store import Store, open_store

if TYPE_CHECKING:
    from vaultmem.api.vault import Vault

MOST = 10_000
"""Characters that Claude Code takes from a hook, as JavaScript counts them."""

_PROMPT_MOST = 4_000
_HITS, _SHOWN = 8, 3
_EPISODES = 3
_HIT_TOKENS, _SO_FAR_TOKENS = 250, 1000
_BUDGETS = (2600, 2000, 1400, 800, 400, 200)
_POINTERS = 2_500
"""Characters kept for MEMORY.md: whatever else there is, it says where to look."""

_TAKEN_UP = frozenset({"compact", "resume"})
_WORTH_TELLING = frozenset({"memory", "topic", "note", "episode"})
_COMMENT = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_ROOT = 5
"""Letters; words that begin with as many of the same are forms of one, near enough."""

_LEAST, _ENOUGH, _SHARE = 2, 4, 0.4


def at_start(folder: Path, told: HookInput, agent: str) -> str:
    """Return what a session should know of the vault from its first moment on."""
    with closing(open_store(folder, utc_now)) as store:
        store.sync_soon()
        who = store.agent(agent)
        text = _HEAD.format(vault=folder, named=shlex.quote(str(folder))) + PREAMBLE
        for part in (_taken_up, _remembered, _pointed_at):
            text += part(store, who, told, MOST - size(text))
        return text


_HEAD = """\
A memory that outlasts this session is kept in {vault}, as Markdown files.
`vaultmem --vault {named} recall "QUESTION"` finds more, with `remember "FACT"` it keeps a new fact.
"""


def size(text: str) -> int:
    """Return the length of *text* as JavaScript counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


# --- when a session starts --------------------------------------------------------------------


def _taken_up(store: Store, who: str, told: HookInput, room: int) -> str:
    """Return where this very session stood, if it goes on: its compact, else its episodes."""
    if told.source not in _TAKEN_UP or not told.session_id:
        return ""
    from vaultmem.memory import sessions  # noqa: PLC0415  # most sessions just begin

    reader = Reader(store, who, store.clock())
    path = sessions.compact_path(transcripts.path(who, told.session_id))
    episodes = Filter(type="episode", agent=who, session=told.session_id)
    compact = list(reader.by_path([path]).values())
    newest = compact or reader.records(episodes, newest=_EPISODES)
    pieces = [shortened(reader.piece(each), _SO_FAR_TOKENS // len(newest)) for each in newest]
    text = "".join(piece.text for piece in pieces if piece)
    return _within(f"\n## This Session So Far\n{text}" if text else "", room - _POINTERS)


def _remembered(store: Store, who: str, _told: HookInput, room: int) -> str:
    """Return the vault's context without a question, the largest one that has room."""
    wanted = [Wanted(who, "", budget, 0) for budget in _BUDGETS]
    gathered = layers.gather(store, wanted[0], None)
    tries = (_context(packing.pack(gathered, each)) for each in wanted)
    return next((text for text in tries if size(text) <= room - _POINTERS), "")


def _context(made: Context) -> str:
    return "".join(s.printed for s in made.sections if s.heading != SITUATION)


def _pointed_at(store: Store, who: str, _told: HookInput, room: int) -> str:
    """Return as many lines of MEMORY.md as have room; a person's own lines are among them.

    What points at another agent's own files is not.
    """
    found = storage_reader.load(store.root, memory_index.PATH)
    if found is None or found.problem:
        return ""
    body = memory_index.seen_by(_COMMENT.sub("", found.body), who)
    lines = body.strip().splitlines(keepends=True)
    index = replace(found, trust="agent", created="", title="")
    around = size(_index(index, ""))
    return _index(index, _first(lines, room - around)) if lines else ""


def _index(index: Record, body: str) -> str:
    return f"\n## Where To Look\n{fenced(replace(index, body=body), {})}"


def _first(lines: Sequence[str], room: int) -> str:
    text = ""
    for line in lines:
        if size(text + line) > room:
            break
        text += line
    return text


def _within(text: str, room: int) -> str:
    return text if size(text) <= room else ""


# --- with a prompt ----------------------------------------------------------------------------


def to_prompt(folder: Path, told: HookInput, agent: str) -> str:
    """Return the few memories that clearly concern a prompt, "" when there are none."""
    query = told.prompt.strip()[:LONGEST_QUERY]
    asked = _roots(query)
    if query.startswith("/") or len(asked) < _LEAST:
        return ""
    from vaultmem.api.vault import Vault  # noqa: PLC0415  # a start asks nothing

    with Vault.open(folder) as vault:
        who = vault.store.agent(agent)
        found = [r for r in _found(vault, query, who, told.session_id) if _fits(asked, r)]
        return _told(found[:_SHOWN])


def _found(vault: Vault, query: str, who: str, session: str) -> Iterator[Record]:
    """Yield what recall finds, is trusted, holds now, and is not of this very session.

    Who has no file yet sees what all share, and nothing that is another agent's.
    """
    from vaultmem.retrieval.search import Scope  # noqa: PLC0415  # a start asks nothing

    # An embedder takes longer to load than a person waits; a daemon has it loaded.
    mode: Mode = "auto" if vault.watched else "lexical"
    found = vault.recall(query, _HITS, Scope(agent=who, shared=True), mode=mode)
    hits = [h for h in found.hits if _is_news(h, session)]
    reader = Reader(vault.store, who, vault.store.clock())
    records = reader.by_path(hit.path for hit in hits[: _worth(hits)])
    yield from (records[hit.path] for hit in hits if hit.path in records)


def _is_news(hit: Hit, session: str) -> bool:
    here = bool(session) and hit.session == session
    return hit.type in _WORTH_TELLING and not hit.stale and not here


def _worth(hits: Sequence[Hit]) -> int:
    return lookup.worth([hit.score for hit in hits]) if hits else 0


def _fits(asked: frozenset[str], record: Record) -> bool:
    """Tell whether *record* speaks of enough that was asked; a score says only what fits best."""
    wanted = max(_LEAST, min(_ENOUGH, round(_SHARE * len(asked))))
    return len(asked & _roots_of_all(f"{record.title} {record.body}")) >= wanted


def _roots(query: str) -> frozenset[str]:
    return frozenset(tokenizer.plain(term)[:_ROOT] for term in tokenizer.terms(query))


def _roots_of_all(text: str) -> frozenset[str]:
    return frozenset(
        word[:_ROOT] for word in re.findall(r"[^\W_]+", tokenizer.plain(tokenizer.indexed(text)))
    )


def _told(found: Sequence[Record]) -> str:
    pieces = [shortened(printed(record), _HIT_TOKENS) for record in found]
    text = PREAMBLE + "".join(piece.text for piece in pieces if piece)
    return text if any(pieces) and size(text) <= _PROMPT_MOST else ""
