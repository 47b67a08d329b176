"""Make an agent's context fit: what is taken out of it goes to a transcript first."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vaultmem.documents import public_values, secrets
from vaultmem.errors import NameTaken, SwitchedOff
from vaultmem.memory.folding import material
from vaultmem.memory.messages import message, shrink
from vaultmem.memory.messages.message import Message
from vaultmem.memory.messages.shrink import LIMIT, Level, Older
from vaultmem.memory.tool_quotes import trusted_words
from vaultmem.nlp.extraction.talk import similarity
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.summarization.guarded import Guarded, guarded
from vaultmem.nlp.tasks import Passage, Summarizer, Task
from vaultmem.records import compact_stamp
from vaultmem.storage import files
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_DIGITS = 12
_TOGETHER, _FEWEST = 64, 8
_TELLING = 75
"""Tokens of what is told of turns together: three sentences."""


@dataclass(frozen=True, slots=True)
class Shrunken:
    """Messages that fit, how far it had to go, and where the whole is; empty when none was cut.

    *compression* is what share of the tokens it stands for the summary has, None without one.
    """

    messages: tuple[Message, ...]
    level: Level
    transcript: str
    tokens_before: int
    tokens_after: int
    limit: int = LIMIT
    compression: float | None = None

    @property
    def fits(self) -> bool:
        """Whether they are within the limit; the newest is never cut, however long."""
        return self.tokens_after <= self.limit


def run(  # noqa: PLR0913  # what is known of them, by name
    store: Store,
    agent: str,
    text: str,
    summarizer: Summarizer,
    *,
    tokens: int | None = None,
    limit: int = LIMIT,
) -> Shrunken:
    """Shrink the Anthropic messages in the JSON *text* to *limit* tokens; raises BadInput.

    *tokens* is the provider's own count of their tokens. Raises SwitchedOff for an agent of whom
    the config stores nothing.
    """
    config = store.config()
    if agent in config.disabled_agents:
        raise SwitchedOff("agent", agent)
    given = message.messages(text)

    def summarize(older: Older) -> str:
        rules_do = older.left < config.session_model_from / 100
        who = Extractive() if rules_do else summarizer
        return _summary(store, older, guarded(who), agent)

    compression = config.session_compression / 100
    done = shrink.shrink(
        given, limit=limit, tokens=tokens, compression=compression, summarize=summarize
    )
    where = _keep(store, agent, given) if done.level == "auto" else ""
    return Shrunken(
        done.messages, done.level, where, done.tokens_before, done.tokens_after, limit,
        done.compression,
    )  # fmt: skip


def _summary(store: Store, older: Older, ask: Guarded, agent: str) -> str:
    """Return what the *older* turns came to: a few sentences for each so many of them, in order.

    It stands among the agent's own words from now on, so what tools answered is only named. What
    was said again and again stands in it once, where it was said last; what is private, nowhere.
    """
    public = (replace(it, content=secrets.strip_private(it.content)) for it in older.turns)
    turns = tuple(it for it in public if it.content)
    mentioned = material.mentioned(turns, others=trusted_words.of(store, turns, agent))
    together = _together(len(mentioned), older.room) if ask.is_offline else _TOGETHER
    last = {(turn.role, turn.content): n for n, turn in enumerate(mentioned)}
    lines: list[str] = []
    for start in range(0, len(mentioned), together):
        part = enumerate(mentioned[start : start + together], start)
        passages = tuple(
            Passage(t.content, t.speaker or t.role) for n, t in part if last[t.role, t.content] == n
        )
        if passages:
            lines += ask.summarize(Task("recent", passages, agent)).text.splitlines()
    return "".join(f"{line}\n" for line in reversed(similarity.distinct(reversed(lines))))


def _together(count: int, room: int) -> int:
    """Return how many of *count* turns are told of together, for *room* tokens to be used."""
    return min(max(math.ceil(count * _TELLING / room), _FEWEST), _TOGETHER)


def _keep(store: Store, agent: str, given: Sequence[Message]) -> str:
    """Write all messages, a line each, below the agent's sessions; the same ones once only."""
    public = (public_values.shown(m.plain()) for m in given)
    lines = (json.dumps(it, ensure_ascii=False) + "\n" for it in public)
    data = "".join(lines).encode("utf-8", "replace")
    digest = hashlib.sha256(data).hexdigest()[:_DIGITS]
    folder = f"agents/{agent}/sessions/shrunk"
    known = (n for n in files.names(store.root, folder) if n.endswith(f"-{digest}.jsonl"))
    if name := next(known, ""):
        return f"{folder}/{name}"
    path = f"{folder}/{compact_stamp(store.clock())}-{digest}.jsonl"
    subject = f"shrink({agent}): {len(given)} messages archived"
    change = Change(path, None, data, "what a context held before it was shortened")
    try:
        store.apply(Plan(store.mint(), "shrink", subject, (change,), agent))
    except NameTaken:  # by the same bytes, a moment ago
        return path
    return path
