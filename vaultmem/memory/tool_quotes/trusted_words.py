"""What the vault holds as trusted of the words that a tool showed.

A tool may have read them there: the vault's own, `cat`, an editor. By its name no tool is known,
since any program may call its own `recall`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import islice

from vaultmem.documents import rendered_text
from vaultmem.documents.part_trust import MAY_QUOTE
from vaultmem.memory import task_turns
from vaultmem.memory.tool_quotes import (
    candidates,
    earlier_text,
    plain_words,
    quotes,
    recent_turns,
    statements,
)
from vaultmem.memory.tool_quotes.earlier_text import EarlierTexts
from vaultmem.memory.tool_quotes.near_quotes import Row
from vaultmem.memory.tool_quotes.plain_words import Word
from vaultmem.memory.tool_quotes.quotes import Quotations
from vaultmem.records import PERSONS, Record, is_trusted
from vaultmem.storage import committed_files, withheld_lines
from vaultmem.storage.index import Filter, tokenizer, word_queries, word_ranking
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript, Turn

_MOST, _NEAREST = 32, 8
"""Passages that are looked up, and records that may hold one."""

_WORDS = 40
_LEAST = 4
"""Words of a sentence that is known by them."""

_Known = Mapping[Row, Mapping[int, AbstractSet[Row]]]
"""Sentences by how they begin, and how long they are."""

_TRUSTED = Filter(recallable=True, trusted=True)


def beside(store: Store, transcript: Transcript) -> list[Turn]:
    """Return what the agent's other sessions said lately, and what the vault holds of that.

    It is what *transcript* is compared with when it is told of.
    """
    others = recent_turns.heard(store, transcript.agent, but=[transcript.path])
    return [*of(store, transcript.turns, transcript.agent, others=others), *others]


def of(
    store: Store, turns: Sequence[Turn], agent: str, *, others: Sequence[Turn] = ()
) -> list[Turn]:
    """Return what the vault holds of what *agent* in *turns* takes from a tool."""
    return _held(store, quotes.found(turns, None, others=others), agent, [*turns, *others])


def quotations(store: Store, transcript: Transcript) -> Quotations:
    """Return what *transcript* quotes of tools, compared with what is `beside` it.

    Where the vault holds nothing of these, they are looked for once.
    """
    turns = [*map(task_turns.headline, transcript.turns)]
    others = recent_turns.heard(store, transcript.agent, but=[transcript.path])
    found = quotes.found(turns, others=others)
    if held := _held(store, found, transcript.agent, [*turns, *others]):
        return quotes.found(turns, others=[*held, *others])
    return found


def _held(store: Store, found: Quotations, agent: str, turns: Sequence[Turn]) -> list[Turn]:
    until = earlier_text.before(store, candidates.near(turns, *found.passages))
    held = holding(store, found.passages, agent, turns, EarlierTexts(store, until))
    return [Turn("user", record.body) for record in held]


def holding(
    store: Store,
    passages: Iterable[str],
    agent: str,
    turns: Sequence[Turn],
    earlier: EarlierTexts,
) -> list[Record]:
    """Return those that may hold one of *passages*: a person vouches for them, or *agent*'s own.

    Another agent's are none: its sessions need not have the tool that told it. Nor is an
    experience, since what came of a task may be what a tool answered, nor a session's compact,
    which is made of what others vouch for, nor a file that was dropped in and is no memory, or in
    no commit, yet: it may have come in after the tool said so. Of an agent's own it is that which
    it says before a tool of *turns* does, and of notes that were changed, moved or removed since
    also what they said before: what git had *earlier*.
    """
    wanted = [*dict.fromkeys(passages)][:_MOST]
    docs = {doc for passage in wanted for doc in _nearest(store, passage)}
    found = store.index.numbered(docs).values() if docs else ()
    vouching = [it for it in found if may_vouch(it, agent)]
    asked = [it.path for it in vouching if it.trust not in PERSONS]
    committed = committed_files.committed(store, asked)
    kept = [it for it in vouching if it.trust in PERSONS or it.path in committed]
    said = (it if it.trust in PERSONS else _before(store, it, turns, earlier) for it in kept)
    return [*filter(None, said), *_replaced(store, earlier, wanted, agent)]


def may_vouch(record: Record, agent: str) -> bool:
    """Tell whether *record* may vouch for words of *agent*, of none in particular where it is "".

    A person's may, and that agent's own, or one that no agent has to itself.
    """
    if record.type in MAY_QUOTE or record.outcome or not _is_kept(record):
        return False
    is_shared = not record.path.startswith("agents/")  # a file may claim to be of any agent
    return record.trust in PERSONS or is_shared or record.path.startswith(f"agents/{agent}/")


def _before(
    store: Store, record: Record, turns: Sequence[Turn], earlier: EarlierTexts
) -> Record | None:
    """Return *record* with what it said before a tool of *turns* did."""
    return (
        _own(store, record, turns) if record.path.startswith("agents/") else earlier.of(record.path)
    )


def _replaced(
    store: Store, earlier: EarlierTexts, passages: Sequence[str], agent: str
) -> Iterator[Record]:
    """Yield what may say one of *passages* of the notes that say something else since.

    Not of one that is untrusted by now.
    """
    old = (it for it in earlier.replaced(passages) if may_vouch(it, agent) and it.recallable)
    for record in islice(old, _NEAREST):
        if all(is_trusted(it) for it in store.index.at([record.path], body=False)):
            yield record


def _own(store: Store, record: Record, turns: Sequence[Turn]) -> Record:
    """Return an agent's *record* without what it had from a tool when it was written.

    Where that was in the same second it is the agent's own if nearly all of it is the same: such a
    copy of a tool's words would wait for a person.
    """
    written = record.updated or record.created
    at_once = [it for it in turns if it.role == "tool" and it.earliest in {"", written}]
    is_asked = bool(quotes.each_quoted(at_once, [record.body]))
    heard = [
        it
        for it in turns
        if it.role != "tool" or (not is_asked if it in at_once else it.earliest < written)
    ]
    near = candidates.near(heard, record.body)
    told = Turn("assistant", record.body, at=written)
    own = quotes.mentioned([*near, told], None)[-1].content if near else record.body
    if own == record.body:
        return record
    if record.updated in {"", record.created}:
        return replace(record, body=own)
    before = EarlierTexts(store, earlier_text.before(store, near)).of(record.path)
    had = frozenset(before.body.splitlines() if before else ())
    earlier = (line for line in record.body.splitlines() if line in had)
    return replace(record, body="\n".join([own, "", *earlier]))


def _is_kept(record: Record) -> bool:
    if withheld_lines.is_of_a_session(record.path):
        return False
    return record.type != "memory" or bool(record.id and record.created)


def _nearest(store: Store, passage: str) -> list[int]:
    forms = word_queries.forms(store.index, tokenizer.terms(passage)[:_WORDS])
    found = word_ranking.leading(store.index, forms, _TRUSTED, _NEAREST)
    scores = {**found.texts, **found.passages}
    return sorted(scores, key=lambda doc: (-scores[doc], doc))[:_NEAREST]


def without_held(turns: Iterable[Turn], held: Sequence[Record]) -> list[Turn]:
    """Return *turns* without what tools show of *held*, and ahead of them what persons said of it.

    A sentence of an agent's that is nearly the same as a tool's has not become its own by that.
    """
    known: dict[Row, dict[int, set[Row]]] = {}
    for record in held:
        for row in _stated(record.body):
            if len(row) >= _LEAST:
                known.setdefault(row[:_LEAST], {}).setdefault(len(row), set()).add(row)
    said = [Turn("user", it.body, it.speaker) for it in held if it.trust in PERSONS]
    return [*said, *(_unheld(it, known) if it.role == "tool" else it for it in turns)]


def _stated(text: str) -> Iterator[Row]:
    """Yield the sentences that *text* states, and those that it denies or quotes within that."""
    words = plain_words.words(text)
    told = statements.of(text)
    for at, row in plain_words.whole_sentences(words):
        near = statements.between(told, words[at].start, words[at + len(row) - 1].end)
        if all(it.is_plain for it in near):
            yield row
    for within in dict.fromkeys(
        (it.within.start, it.within.stop) for it in told if not it.is_plain
    ):
        yield tuple(word.text for word in words if within[0] <= word.start < within[1])


def _unheld(turn: Turn, known: _Known) -> Turn:
    """Return a tool's *turn* without the sentences that are *known*."""
    spans = sorted(
        (words[first].start, words[last].end)
        for look in rendered_text.looks(turn.content)
        for words in (plain_words.whole_words(look),)
        for first, last in _known_spans(words, known)
    )
    kept, done = [], 0
    for start, end in spans:
        kept.append(turn.content[done : max(done, start)])
        done = max(done, end)
    return replace(turn, content="\n\n".join([*kept, turn.content[done:]])) if done else turn


def _known_spans(words: Sequence[Word], known: _Known) -> Iterator[tuple[int, int]]:
    """Yield where the first and the last word of each stands that is a sentence here, too."""
    texts = tuple(word.text for word in words)
    ends = {n for n, word in enumerate(words) if word.ends >= plain_words.LINE} | {len(words) - 1}
    for at in sorted(n + 1 for n in ends | {-1}):
        for size, rows in known.get(texts[at : at + _LEAST], {}).items():
            last = at + size - 1
            if last in ends and texts[at : last + 1] in rows:
                yield at, last
