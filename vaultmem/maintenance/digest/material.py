"""Gather what a digest is decided from: rows of the index, and git's log read in a few processes.

A memory counts from when it was accepted, which its id tells: an import of old talk is news.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from operator import itemgetter

from vaultmem.documents import frontmatter
from vaultmem.errors import BadInput, Unreadable
from vaultmem.maintenance.digest.content import highlights, mention_scores
from vaultmem.maintenance.digest.types import (
    Material,
    Period,
    Step,
    Tombstone,
    is_new,
    removed,
    rewritten,
)
from vaultmem.maintenance.dream import review_note
from vaultmem.maintenance.dream.review_note import Review
from vaultmem.records import DERIVED, Record, iso, moment
from vaultmem.storage import files, git, reader, ulids
from vaultmem.storage.git import Blob, Repository
from vaultmem.storage.index import Filter, count_queries
from vaultmem.storage.store import Store

_REVIEW = re.compile(rf"{files.DREAMS}[^/]*\.md")
_TICK = timedelta(milliseconds=1)
_SUMMARIES = 12
_COMMITS = 512
_ADDS = "remember"  # it only ever adds memories, and there are many: nobody asks git what they did
_REWRITTEN = frozenset({"summary", "topic"})
_NO_GIT = "there is no git on PATH: corrections and removals are not listed; install it"
_NO_HISTORY = "no git history here: corrections and removals are not listed; `git init` starts one"


def gather(store: Store, period: Period, agent: str = "") -> Material:
    """Return all that bears on *period*, or what of it concerns *agent*.

    The caller has synced the index. Raises Unavailable when git fails.
    """
    steps, why_not = _steps(store, period, agent)
    made = _made(store, period, agent, _added(steps))
    first, after = (ulids.first_at(t.timestamp()) for t in (period.since, period.until + _TICK))
    memories = tuple(count_queries.memories_minted(store.index, first, after, agent))
    chosen = highlights(memories, mention_scores(made, _sources(store, made)), iso(period.since))
    repository = store.writer.repository if steps else None
    by_people = [s.entry.commit for s in steps if not s.op]
    inbox = tuple(store.index.records(Filter(below="inbox")))
    degraded = Filter(agent=agent, recallable=True, degraded=True)
    return Material(
        period=period,
        heard=memories,
        foremost=tuple(store.index.at(h.path for h in chosen)),
        made=made,
        steps=steps,
        texts=_texts(repository, steps) if repository else {},
        line_counts=repository.line_counts(by_people) if repository else {},
        tombstones=tuple(_tombstones(store, period, agent)),
        inbox=inbox,
        reviews=tuple(_reviews(store, inbox)),
        degraded=tuple(store.index.records(degraded, body=False)),
        untrusted=store.index.untrusted(),
        degraded_reason=why_not,
    )


# --- the index --------------------------------------------------------------------------------


def _made(
    store: Store, period: Period, agent: str, added: Mapping[str, datetime]
) -> tuple[Record, ...]:
    """Return what else is new, oldest first; its `created` becomes when it was learnt.

    That of an episode stays: it says when the last of its turns was said.
    """
    since = ulids.first_at(period.since.timestamp())
    made = store.index.minted_since(since, Filter(type=DERIVED, agent=agent, recallable=True))
    found = ((learnt_at(r, added), r.path, r) for r in made)
    kept = [(when, path, r) for when, path, r in found if when and period.holds(when)]
    kept.sort(key=itemgetter(0, 1))
    return tuple(
        r if r.type == "episode" and r.created else replace(r, created=iso(when))
        for when, _, r in kept
    )


def learnt_at(record: Record, added: Mapping[str, datetime]) -> datetime | None:
    """Return when *record* came: by its id, else its first commit, else as it says itself."""
    if ulids.is_valid(record.id):
        return datetime.fromtimestamp(ulids.minted_at(record.id), UTC)
    return added.get(record.path) or _moment(record.created)


def _moment(text: str) -> datetime | None:
    try:
        return moment(text)
    except BadInput:
        return None


def _sources(store: Store, made: Sequence[Record]) -> dict[str, Mapping[str, str]]:
    """Return the memories that the newest summaries tell of, as text by stem, by summary."""
    recents = [r for r in made if r.tier == "recent"][-_SUMMARIES:]
    return {r.path: count_queries.source_texts(store.index, r.path) for r in recents}


def _tombstones(store: Store, period: Period, agent: str) -> Iterator[Tombstone]:
    since = iso(period.since)
    for record in store.index.records(Filter(below="tombstones"), body=False):
        is_old = record.created and record.created < since
        tomb = None if is_old else _tombstone(store, record)
        if tomb and period.holds(tomb.when) and agent in {"", record.agent}:
            yield tomb


def _tombstone(store: Store, record: Record) -> Tombstone | None:
    data = store.texts.read_if_allowed(record.path)
    try:
        raw = frontmatter.fields(frontmatter.read(data or b""))
    except Unreadable:  # the index reports it
        return None
    when = _moment(str(raw.get("date", "") or record.created))
    return Tombstone(record.id or record.stem, record.path, str(raw.get("reason", "")), when)


def _reviews(store: Store, inbox: Sequence[Record]) -> Iterator[tuple[Record, Review]]:
    """Yield the notes of *inbox* in which a dream is reviewed."""
    for record in inbox:
        data = store.texts.read(record.path) if _REVIEW.fullmatch(record.path) else None
        with contextlib.suppress(Unreadable):  # the index reports it
            if data is not None and (review := review_note.read(frontmatter.decode(data))).id:
                yield record, review


# --- git --------------------------------------------------------------------------------------


def _steps(store: Store, period: Period, agent: str) -> tuple[tuple[Step, ...], str | None]:
    """Return the commits of the period, newest first, or why there are none to be had."""
    if not git.available():
        return (), _NO_GIT
    repository = store.writer.repository
    if repository is None:
        return (), _NO_HISTORY
    steps = _commits(repository, period)
    touched = repository.touched([s.entry.commit for s in steps if s.kind != _ADDS])
    whole = (replace(s, rows=touched.get(s.entry.commit, ())) for s in steps)
    return tuple(s for step in whole if (s := _of(step, agent))), None


def _commits(repository: Repository, period: Period) -> list[Step]:
    """Return the commits of the period without their rows.

    Clocks differ, so that some may stand behind older ones: reading goes on until half of what was
    read lies before the period.
    """
    most = _COMMITS
    while True:
        steps = [Step(entry, ()) for entry in repository.log(most)]
        if len(steps) < most or all(s.at < period.since for s in steps[most // 2 :]):
            return [s for s in steps if period.holds(s.at)]
        most *= 2


def _of(step: Step, agent: str) -> Step | None:
    """Return what of *step* concerns *agent*, None when nothing does."""
    if not agent or step.trailer("Agent") == agent:
        return step
    rows = tuple(row for row in step.rows if row.path.startswith(f"agents/{agent}/"))
    return replace(step, rows=rows) if rows else None


def _added(steps: Sequence[Step]) -> dict[str, datetime]:
    return {row.path: step.at for step in steps for row in step.rows if is_new(row)}


def _texts(repository: Repository, steps: Sequence[Step]) -> dict[str, Record]:
    """Return the files that were removed, and summaries and topics as they were and became."""
    wanted = {blob.id: (path, blob) for path, blob in _wanted(steps)}
    data = repository.contents(blob for _, blob in wanted.values())
    return {
        oid: reader.record(path, files.content(data[oid]))
        for oid, (path, _) in wanted.items()
        if oid in data
    }


def _wanted(steps: Sequence[Step]) -> Iterator[tuple[str, Blob]]:
    for path, gone in removed(steps).items():
        yield path, gone.last.old
    for path, again in rewritten(steps).items():
        if reader.kind_of(path) in _REWRITTEN:
            yield path, again.first.old
            yield path, again.last.new
