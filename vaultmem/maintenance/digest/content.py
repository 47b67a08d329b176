"""Decide what a digest says: material in, values out, nothing read and nothing asked.

Untrusted text and the text of what was forgotten are in none of them; secrets are taken out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath

from vaultmem.documents import public_text
from vaultmem.documents.bodies import Episode
from vaultmem.documents.bodies.markdown import parse_episode, read_topic
from vaultmem.maintenance.digest.types import (
    Correction,
    Counts,
    Digest,
    Dream,
    Earlier,
    Learnt,
    Loss,
    Material,
    Memory,
    Net,
    Note,
    Open,
    Outcome,
    Proposed,
    Step,
    SummaryBrief,
    is_gone,
    is_new,
    removed,
    rewritten,
)
from vaultmem.maintenance.dream import log as dream_log
from vaultmem.maintenance.dream.review_note import Review
from vaultmem.memory.remember import REVIEW
from vaultmem.records import Record, first_line, iso, visible, visible_line
from vaultmem.storage import reader, ulids
from vaultmem.storage.index.count_queries import MemoryBrief

MOST = 12

_Session = tuple[str, str]
_MENTIONED = 0.5
"""A sentence tells of the memory that has this share of its words; a quotation has nearly all."""
_WORD = re.compile(r"\w{3,}|\d+")
_LINE = 200
_SESSION = re.compile(r"agents/([^/]+)/sessions/([^/]+)\.jsonl")
_TAKEN_BACK = re.compile(r"undo: ([\w-]+(?:\([^()]*\))?)")
_PASSING = ("inbox/", "supersessions/", "tombstones/")


def digest(found: Material) -> Digest:
    """Return what was learnt, corrected and forgotten, and what is open."""
    episodes = [(r, parse_episode(r.body, r.title)) for r in _trusted(found.made, "episode")]
    return Digest(
        since=iso(found.period.since),
        until=iso(found.period.until),
        learnt=_learnt(found, episodes),
        corrected=tuple(_corrected(found, episodes)),
        forgotten=tuple(_forgotten(found)),
        open=_open(found, episodes),
        dreams=tuple(_dreams(found)),
        degraded_reason=found.degraded_reason,
    )


# --- learnt -----------------------------------------------------------------------------------


def _learnt(found: Material, episodes: Sequence[tuple[Record, Episode]]) -> Learnt:
    notes = (r for r in found.made if r.type in {"topic", "card"} and r.trust != "untrusted")
    return Learnt(
        counts=_counts(found),
        memories=tuple(_memory(r) for r in sorted(found.foremost, key=lambda r: r.id)),
        topics=tuple(_note(r) for r in notes),
        decisions=tuple(
            Outcome(_shown(r.path), r.created, _clean(d.decision), _clean(d.reason))
            for r, episode in episodes
            for d in episode.decisions
        ),
        preferences=tuple(_outcome(r, text) for r, e in episodes for text in e.preferences),
        summaries=tuple(_newest_told(found)),
    )


def _counts(found: Material) -> Counts:
    since = iso(found.period.since)
    trusted = [h for h in found.heard if h.trust != "untrusted"]
    said = [h for h in trusted if h.created >= since]
    held, old = _sessions(found, since)
    kinds = Counter(r.type if r.type != "summary" else r.tier for r in found.made)
    return Counts(
        memories=len(said),
        by_agent=dict(Counter(h.agent for h in said).most_common()),
        untrusted=len(found.heard) - len(trusted),
        sessions=len(held),
        summaries=kinds["recent"],
        episodes=kinds["episode"],
        topics=kinds["topic"],
        cards=kinds["card"],
        commits=len(found.steps),
        earlier=_earlier([h for h in trusted if h.created < since], old),
    )


def _earlier(heard: Sequence[MemoryBrief], sessions: Collection[tuple[str, str]]) -> Earlier:
    days = sorted(h.created[:10] for h in heard)
    return Earlier(len(heard), len(sessions), *(days[:1] + days[-1:] if days else ("", "")))


def _sessions(found: Material, since: str) -> tuple[set[_Session], set[_Session]]:
    """Return the sessions that were held in the period, and those that were held before *since*.

    One is old when all that is known of it was said before then.
    """
    last: dict[_Session, str] = {}
    heard = [(h.agent, h.session, h.created) for h in found.heard]
    told = [(r.agent, r.session, r.created) for r in found.made if r.type == "episode"]
    for agent, session, when in (*heard, *told):
        if session:
            last[agent, session] = max(last.get((agent, session), ""), when)
    rows = (row for step in found.steps for row in step.rows if not is_gone(row))
    transcripts = {(m[1], m[2]) for row in rows if (m := _SESSION.fullmatch(row.path))}
    old = {session for session, said in last.items() if said < since}
    return (transcripts | last.keys()) - old, old


def _memory(record: Record) -> Memory:
    accepted = iso(datetime.fromtimestamp(ulids.minted_at(record.id), UTC))
    return Memory(
        record.id, _shown(record.path), accepted, record.created, record.agent,
        _clean(record.speaker), record.importance, _clean(record.body),
    )  # fmt: skip


def _note(record: Record) -> Note:
    title = _clean(record.title or record.stem)
    description = _clean(record.description or _below_headings(record.body))
    return Note(_shown(record.path), record.created, record.type, title, description)


def _below_headings(body: str) -> str:
    """Return *body* from the first line on that is no heading, without the mark of a list."""
    lines = [line.strip() for line in body.splitlines()]
    said = (line for line in lines if line and not line.startswith("#"))
    return next(said, "").removeprefix("- ")


def _outcome(record: Record, text: str) -> Outcome:
    return Outcome(_shown(record.path), record.created, _clean(text))


def _newest_told(found: Material) -> Iterator[SummaryBrief]:
    """Yield the newest short-term summary of each agent."""
    recents = [r for r in _trusted(found.made, "summary") if r.tier == "recent"]
    for record in {r.agent: r for r in recents}.values():
        text = " ".join(visible(public_text.shown(record.body)).split())
        yield SummaryBrief(_shown(record.path), record.created, record.agent, text)


# --- corrected --------------------------------------------------------------------------------


def _corrected(found: Material, episodes: Sequence[tuple[Record, Episode]]) -> Iterator[Correction]:
    yield from _edits(found)
    for step in found.steps:
        if step.kind == "correct":
            path = next((row.path for row in step.rows if is_new(row)), "")
            shown = _masked(path, found.untrusted)
            yield Correction("correct", shown, step.when, _subject(step), op=step.op)
    for record, episode in episodes:
        for text in episode.corrections:
            yield Correction("correct", _shown(record.path), record.created, _clean(text))
    for path, again in rewritten(found.steps).items():
        yield from _rewritten_files(found, path, again)


def _edits(found: Material) -> Iterator[Correction]:
    """Yield what people edited and is still there, most lines first."""
    gone = removed(found.steps)
    newest: dict[str, str] = {}
    lines: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for step in (s for s in found.steps if not s.op):
        for path in (row.path for row in step.rows if row.path not in gone):
            shown = _masked(path, found.untrusted)
            newest.setdefault(shown, step.when)
            lines[shown].append(found.line_counts.get((step.entry.commit, path), (0, 0)))
    edits = [
        Correction("edit", path, newest[path], "", sum(a for a, _ in n), sum(r for _, r in n))
        for path, n in lines.items()
    ]
    yield from sorted(edits, key=lambda e: (-e.added - e.removed, e.path))


def _rewritten_files(found: Material, path: str, again: Net) -> Iterator[Correction]:
    old, new = (found.texts.get(row) for row in (again.first.old.id, again.last.new.id))
    if old is None or new is None:
        return
    kind, op, when = reader.kind_of(path), again.step.op, again.step.when
    if kind == "topic":
        before, after = _bullets(old), _bullets(new)
        added, gone = len(after - before), len(before - after)
        title = "" if "untrusted" in {old.trust, new.trust} else _clean(new.title)
        if added or gone:
            yield Correction("topic", _masked(path, found.untrusted), when, title, added, gone, op)
    elif old.degraded and not new.degraded:
        yield Correction("summary", _shown(path), when, "rewritten by a model", op=op)
    elif old.tier == "recent":
        text = "rewritten: its memories changed"
        yield Correction("summary", _shown(path), when, text, op=op)


def _bullets(topic: Record) -> set[str]:
    it = read_topic(topic.body, topic.stem, topic.title, topic.description)
    return {
        *(fact.text for fact in (*it.facts, *it.patterns)),
        *(decision.decision.decision for decision in it.decisions),
        *(eliminated.eliminated.approach for eliminated in it.eliminated),
    }


def _subject(step: Step) -> str:
    """Return what an operation says of itself, without what untrusted text said."""
    subject = step.entry.subject
    if step.trailer("Trust") == "untrusted":
        return _clean(subject.partition(":")[0])
    return _clean(subject.partition(": ")[2] or subject)


# --- forgotten --------------------------------------------------------------------------------


def _forgotten(found: Material) -> Iterator[Loss]:
    raised = {row.path: step.op for step in found.steps for row in step.rows if is_new(row)}
    for tomb in found.tombstones:
        date = iso(tomb.when) if tomb.when else ""
        op = raised.get(tomb.path, "")
        yield Loss("tombstone", date, "", _clean(tomb.id), _clean(tomb.reason), op)
    for step in found.steps:
        yield from _operation(step)
    forgotten_ids = {tomb.id for tomb in found.tombstones}
    for path, gone in removed(found.steps).items():
        yield from _deleted(found, path, gone, forgotten_ids)


def _operation(step: Step) -> Iterator[Loss]:
    """Yield an operation that took something away; of its subject only what names no text."""
    what = _TAKEN_BACK.match(step.entry.subject) if step.kind == "undo" else None
    if what and what[1].startswith("dream"):
        return  # told among the dreams: what it had done is gone, and nothing else
    if step.kind == "undo":
        reason = f"{what[1] if what else 'it'} was undone"
        yield Loss("undo", step.when, "", step.op, reason, step.op)
    elif step.kind == "forget" and not any(r.path.startswith("tombstones/") for r in step.rows):
        yield Loss("forget", step.when, "", step.op, _subject_kind(step), step.op)


def _subject_kind(step: Step) -> str:
    return _clean(step.entry.subject.partition(":")[0])


def _deleted(found: Material, path: str, gone: Net, forgotten_ids: set[str]) -> Iterator[Loss]:
    """Yield a file that somebody deleted; one that only moved, or is told of above, is none."""
    step, was = gone.step, found.texts.get(gone.last.old.id)
    moved = any(is_new(row) and row.new.id == gone.last.old.id for row in step.rows)
    if moved or step.kind in {"undo", "forget"} or path.startswith(_PASSING):
        return
    if was is None or was.id not in forgotten_ids:
        hidden = frozenset({path}) if was and was.trust == "untrusted" else frozenset[str]()
        who = _subject_kind(step) if step.op else "by hand"
        name = was.id if was else ""
        yield Loss("deleted", step.when, _masked(path, hidden), _clean(name), who, step.op)


# --- open, and dreams -------------------------------------------------------------------------


def _open(found: Material, episodes: Sequence[tuple[Record, Episode]]) -> Open:
    waiting = [r for r in found.inbox if not _to_review(r) and r.body.strip()]
    return Open(
        questions=tuple(_outcome(r, text) for r, e in episodes for text in e.open_questions),
        inbox=tuple(_shown(r.path) for r in waiting),
        review=sum(map(_to_review, found.inbox)),
        degraded=tuple(_outcome(r, r.degraded) for r in found.degraded),
        dreams=tuple(p for record, review in found.reviews if (p := _proposed(record, review))),
    )


def _to_review(record: Record) -> bool:
    return record.path.startswith(f"{REVIEW}/") or record.trust == "untrusted"


def _proposed(record: Record, review: Review) -> Proposed | None:
    """Return what of a dream still waits for a person, None when nothing does."""
    left = review.boxes.known - review.boxes.declined - review.applied
    if not left:
        return None
    return Proposed(_shown(record.path), record.created, len(left), len(review.fresh))


def _dreams(found: Material) -> Iterator[Dream]:
    known = {it.op: it for it in dream_log.dreams(found.steps)}
    for step in (s for s in found.steps if s.kind == "dream" and s.op in known):
        it, untrusted = known[step.op], found.untrusted
        yield Dream(
            op=step.op,
            date=step.when,
            text=_subject(step),
            trailers={key: _clean(value) for key, value in step.entry.trailers},
            counts=dict(Counter(_clean(line.partition(" ")[0]) for line in it.changes)),
            changes=tuple(_clean(x) for x in it.changes if not any(p in x for p in untrusted)),
            undone=it.undone,
        )


# --- what may be shown ------------------------------------------------------------------------


def _trusted(records: Sequence[Record], kind: str) -> list[Record]:
    return [r for r in records if r.type == kind and r.trust != "untrusted"]


def _clean(text: str) -> str:
    """Return the first line of *text* as one may print it, without secrets."""
    return first_line(public_text.shown(text), _LINE)


def _shown(path: str) -> str:
    return visible_line(public_text.shown(path))


def _masked(path: str, untrusted: frozenset[str]) -> str:
    """Return *path*, or only its folder where the name holds the words of untrusted text."""
    if path in untrusted or path.startswith(f"{REVIEW}/"):
        return _shown(f"{PurePosixPath(path).parent}/…")
    return _shown(path)


# --- which memories are shown -----------------------------------------------------------------


def highlights(
    memories: Sequence[MemoryBrief], scores: Mapping[str, float], since: str
) -> list[MemoryBrief]:
    """Return the memories to show, the most important first, then those that summaries mention.

    What was said before *since*, and came in later, comes last. None is untrusted, or was
    corrected.
    """
    shown = [h for h in memories if h.trust != "untrusted" and not h.superseded_by]
    newest_first = sorted(shown, key=lambda h: h.id, reverse=True)
    ranks = {h.id: (h.created < since, -h.importance, -scores.get(h.stem, 0.0)) for h in shown}
    return sorted(newest_first, key=lambda h: ranks[h.id])[:MOST]


def mention_scores(
    summaries: Sequence[Record], sources: Mapping[str, Mapping[str, str]]
) -> dict[str, float]:
    """Return how surely summaries tell of a memory, by its stem: 0.5 to 1, or left out.

    *sources* holds for each summary's path the texts it was made from, by stem.
    """
    found: dict[str, float] = {}
    for summary in summaries:
        texts = {stem: _words(text) for stem, text in sources.get(summary.path, {}).items()}
        for line in summary.body.splitlines():
            stem, share = _closest(_words(line), texts)
            if share >= _MENTIONED:
                found[stem] = max(share, found.get(stem, 0.0))
    return found


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _closest(said: set[str], texts: Mapping[str, set[str]]) -> tuple[str, float]:
    """Return the text that has most of the words *said*, and what share of them."""
    shares = {stem: len(said & held) / len(said) for stem, held in texts.items() if said}
    best = max(shares, key=lambda stem: (shares[stem], stem), default="")
    return best, shares.get(best, 0.0)
