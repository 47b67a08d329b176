"""What the index knows of sessions: their episodes, how far those go, and what is new."""

from __future__ import annotations

from vaultmem.records import Record
from vaultmem.storage.index.filters import Filter
from vaultmem.storage.index.queries import Queries


def episode_stems(index: Queries, agent: str) -> list[str]:
    """Return the stems of all episodes of *agent*, which count them."""
    sql = "SELECT stem FROM docs WHERE type = 'episode' AND agent = ?"
    return [stem for (stem,) in index.db.execute(sql, (agent,))]


def episodes(index: Queries, agent: str, session: str, *, body: bool = True) -> list[Record]:
    """Return the episodes that tell of turns of a session, in order of time; no experience does.

    Without *body* their texts are left out.
    """
    told = Filter(type="episode", agent=agent, session=session, outcome="", below="agents")
    return index.records(told, body=body)


def last_folded_turn(index: Queries, agent: str, session: str) -> int:
    """Return up to which turn the episodes of a session tell of it; 0 without one."""
    found = index.value(
        "SELECT max(turn_end) FROM docs WHERE type = 'episode' AND agent = ? AND session = ?"
        " AND outcome = ''",
        agent, session,
    )  # fmt: skip
    return found if isinstance(found, int) else 0


def overlapping_episode(
    index: Queries, agent: str, session: str, turns: tuple[int, int]
) -> str | None:
    """Return the path of an episode that tells of one of these *turns*, the first and the last."""
    first, last = turns
    found = index.value(
        "SELECT path FROM docs WHERE type = 'episode' AND agent = ? AND session = ?"
        " AND outcome = '' AND turn_start <= ? AND turn_end >= ? AND path LIKE 'agents/%'",
        agent, session, last, first,
    )  # fmt: skip
    return None if found is None else str(found)


def has_news(index: Queries, since: str) -> bool:
    """Tell whether anything that may be recalled was made after the time *since*."""
    sql = "SELECT 1 FROM docs WHERE recallable AND created > ? LIMIT 1"
    return index.value(sql, since) is not None


def sessions_since(index: Queries, since: str) -> set[tuple[str, str]]:
    """Return agent and session of what was made after *since*; outside of sessions, the day."""
    rows = index.db.execute(
        "SELECT DISTINCT agent, CASE session WHEN '' THEN substr(created, 1, 10) ELSE session END"
        " FROM docs WHERE recallable AND type IN ('memory', 'episode') AND created > ?",
        (since,),
    )
    return set(rows.fetchall())
