"""Find what is out of date: notes whose time is over, and old episodes when there are too many.

Git is the archive: what goes from the vault is still there. What only such a note says is a loss,
and named.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from vaultmem.maintenance.dream import importance
from vaultmem.maintenance.dream.link_graph import Places, links
from vaultmem.maintenance.dream.types import Note, Proposal, Remove, Seen, key
from vaultmem.records import Record, is_over
from vaultmem.storage import transcript_files

_IMPORTANT = 0.7


def find(seen: Seen) -> Iterator[Proposal]:
    """Yield the removal of each note and episode that is out of date."""
    yield from _notes(seen)
    yield from _episodes(seen)


# --- notes ------------------------------------------------------------------------------------


def _notes(seen: Seen) -> Iterator[Proposal]:
    places = Places(seen)
    overdue = [(note, why) for note in seen.notes if (why := _over(note, seen, places))]
    if not overdue:
        return
    counts = Counter(key(fact.text) for note in seen.notes for fact in note.facts)
    for note, why in overdue:
        yield _gone(note, why, counts)


def _over(note: Note, seen: Seen, places: Places) -> str:
    """Return why a note's time is over, "" when it is not."""
    record = note.record
    if note.fixed or record.type not in {"topic", "card", "note"}:
        return ""
    if is_over(record.valid_to, seen.now):
        return f"was valid until {record.valid_to} only"
    if is_over(record.stale_after, seen.now):
        return f"is stale after {record.stale_after}, by its own date"
    return _replaced(record, places)


def _replaced(record: Record, places: Places) -> str:
    if not record.superseded_by:
        return ""
    target = record.superseded_by
    found = places.meant(target, record.path)
    there = len(found) == 1 and found[0] != record.path
    return f"is superseded by {found[0]}" if there else ""


def _gone(note: Note, why: str, said: Counter[str]) -> Proposal:
    facts = [(fact.text, key(fact.text)) for fact in note.facts]
    own = Counter(k for _, k in facts)
    fields = note.record.facts.splitlines()
    losses = (*(text for text, k in facts if said[k] == own[k]), *fields)
    reason = f"{note.path} {why}"
    remove = Remove(note.path, note.sha)
    return Proposal("delete", note.path, reason, (remove,), losses=tuple(dict.fromkeys(losses)))


# --- episodes ---------------------------------------------------------------------------------


def _episodes(seen: Seen) -> Iterator[Proposal]:
    """Yield the old episodes an agent has too many of, those worth least first.

    One that alone backs a fact stays, and one whose transcript is there, for the next fold would
    only tell it again.
    """
    by_agent: dict[str, list[Record]] = defaultdict(list)
    for episode in seen.episodes:
        by_agent[episode.agent].append(episode)
    most = seen.retention.max_episodes
    full = [group for group in by_agent.values() if len(group) > most]
    cited = _cited(seen) if full else frozenset()
    for episodes in full:
        may_go = [e for e in episodes if e.stem not in cited and _is_spent(e, seen)]
        may_go.sort(key=lambda e: (importance.worth(e, seen.now), e.created, e.id))
        yield from (_forgotten(e, most) for e in may_go[: len(episodes) - most])


def _cited(seen: Seen) -> frozenset[str]:
    """Return what a link leads to, or is the only source of a fact."""
    facts = (fact for note in seen.notes for fact in note.facts)
    alone = (fact.sources[0] for fact in facts if len(set(fact.sources)) == 1)
    linked = (link.target for note in seen.notes for link in links(note))
    return frozenset(target.rpartition("/")[2] for target in (*alone, *linked))


def _is_spent(episode: Record, seen: Seen) -> bool:
    """Tell whether topics took up an old episode that nobody called important."""
    old = importance.age(episode.created, seen.now) > seen.retention.max_age_days
    kept = episode.session and transcript_files.path(episode.agent, episode.session) in seen.paths
    return bool(episode.distilled) and old and episode.importance < _IMPORTANT and not kept


def _forgotten(episode: Record, most: int) -> Proposal:
    reason = f"{episode.agent} has over {most} episodes, and topics took up what this one says"
    losses = tuple(line.strip() for line in episode.body.splitlines() if line.strip())
    edit = Remove(episode.path, episode.sha)
    return Proposal("delete", episode.path, reason, (edit,), losses=losses)
