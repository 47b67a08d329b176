"""Bring the hits of another retriever and those of the vault into one order."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from vaultmem import records
from vaultmem.errors import BadInput
from vaultmem.records import Record, first_line, is_trusted, moment
from vaultmem.retrieval.external.types import ExternalHit
from vaultmem.retrieval.search.service import Still, stands
from vaultmem.retrieval.search.types import Answer, Hit, Scope, reaching
from vaultmem.storage.index import Index

TYPE = "external"
"""The type of a hit that is no file of the vault."""

_SNIPPET, _TITLE = 1000, 80


class Found(NamedTuple):
    """What a retriever found as a record, of the vault or from outside, and its relevance."""

    record: Record
    relevance: float


def resolved(
    hits: Sequence[ExternalHit], name: str, index: Index, scope: Scope, still: Still
) -> Iterator[Found]:
    """Yield what *hits* of the retriever *name* stand for, best first.

    One that names a memory of the vault is that memory, if it lies in *scope* and its file is as
    the index says; all others are texts from outside.
    """
    named = {r.id: r for r in index.matching(ids=[h.memory.upper() for h in hits if h.memory])}
    often: Counter[str] = Counter()
    for hit in hits:
        if record := named.get(hit.memory.upper()):
            if _is_within(record, scope) and stands(still, record.path, record.sha):
                yield Found(record, hit.relevance)
        elif hit.text:
            often[hit.source] += 1
            yield Found(_outside(hit, name, often[hit.source]), hit.relevance)


def _is_within(record: Record, scope: Scope) -> bool:
    owners = {scope.agent, *([""] if scope.shared else [])}
    is_owned = not scope.agent or record.agent in owners
    is_of = scope.person.casefold() in {"", record.speaker.casefold(), record.person.casefold()}
    is_known = record.trust in reaching(scope.trust) and (scope.untrusted or is_trusted(record))
    return record.recallable and is_owned and is_of and is_known


def _outside(hit: ExternalHit, name: str, nth: int) -> Record:
    path = f"{name}:{hit.source}" + (f"#{nth}" if nth > 1 else "")
    sha = hashlib.sha256(hit.text.encode()).hexdigest()
    return Record(
        path, sha, type=TYPE, created=hit.date, title=hit.source, trust="untrusted", body=hit.text
    )


def merged(answer: Answer, found: Sequence[Found], name: str, k: int, now: str) -> Answer:
    """Return *answer* with what the retriever *name* *found*: the *k* best of both.

    Scores of two searches cannot be compared, so the places are: the best, the second and so on of
    each in turn, the vault's first; what is half as relevant counts as if it stood twice as low.
    While the vault has hits, no more than half of the places are for the others. What both found is
    told once, as the vault has it.
    """
    known = {hit.path for hit in answer.hits}
    theirs = sorted((it for it in found if it.record.path not in known), key=_relevance)
    room = max(k - len(answer.hits), k // 2)
    worth = [(1 / n, it) for n, it in enumerate(answer.hits, 1)]
    worth += [
        (it.relevance / n, _hit(it, name, now)) for n, it in enumerate(theirs[:room], 1)
    ]  # fmt: skip
    worth.sort(key=lambda each: -each[0])
    return replace(answer, hits=tuple(_falling([hit for _, hit in worth[:k]])))


def _relevance(found: Found) -> float:
    return -found.relevance


def _falling(hits: Sequence[Hit]) -> Iterator[Hit]:
    """Yield *hits*, those of the other retriever with the score of the vault's hit above them."""
    above: float | None = None
    for hit in hits:
        if not hit.retriever:
            above = hit.score
        yield hit if above is None else replace(hit, score=above)


def _hit(found: Found, name: str, now: str) -> Hit:
    it = found.record
    text = " ".join(it.body.split())
    return Hit(
        id=it.id,
        path=it.path,
        lines=(it.body_line, it.body_line),
        heading="",
        title=it.title or first_line(it.body, _TITLE),
        date=it.created,
        type=it.type,
        agent=it.agent,
        snippet=text if len(text) <= _SNIPPET else f"{text[: _SNIPPET - 1].rstrip()}…",
        score=found.relevance,
        sha256=it.sha,
        trust=it.trust,
        stale=_is_outdated(it, now),
        session=it.session,
        retriever=name,
    )


def _is_outdated(record: Record, now: str) -> bool:
    try:
        when = moment(now)
    except BadInput:
        return bool(record.superseded_by)
    over = records.is_over(record.stale_after, when)
    holds = records.holds(record.valid_from, record.valid_to, when)
    return bool(record.superseded_by) or over or not holds
