"""What of a vault without end MEMORY.md may point at: the newest, and the most important.

All by one order, so that two machines with the same files find the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from vaultmem.storage.index.queries import Queries
from vaultmem.storage.index.schema import TOLD

_NEWEST = "created DESC, id DESC, path DESC"
_RECENT = "type = 'summary' AND tier = 'recent'"
_MEMORY = (
    "type = 'memory' AND doc NOT IN (SELECT doc FROM edited)"  # noqa: S608  # our own
    " AND agent IN (SELECT agent FROM remembering WHERE agent NOT IN"
    f"  (SELECT agent FROM docs WHERE {_RECENT}) OR agent IN (SELECT value FROM json_each(?)))"
)
# From one agent to the next: each may have very many memories, of which none is asked for.
_REMEMBERING = """\
WITH RECURSIVE remembering(agent) AS (SELECT min(agent) FROM docs WHERE type = 'memory' UNION ALL
 SELECT (SELECT min(agent) FROM docs WHERE type = 'memory' AND agent > remembering.agent)
 FROM remembering WHERE remembering.agent IS NOT NULL)"""


def listed(index: Queries, kinds: Iterable[str], most: int) -> list[str]:
    """Return the paths of at most *most* of what is of *kinds*."""
    sql = f"SELECT path FROM docs WHERE type IN (SELECT value FROM json_each(?)) AND {TOLD} LIMIT ?"  # noqa: S608  # our own
    return [path for (path,) in index.db.execute(sql, (json.dumps(sorted(kinds)), most))]


_SUMMARIES = (
    f"SELECT {{}} FROM main.docs INDEXED BY docs_summaries WHERE type = 'summary' AND {TOLD}"  # noqa: S608  # our own
)


def summaries(index: Queries, most: int) -> list[str]:
    """Return the paths of at most *most* summaries, the long-term ones first, then the newest."""
    order = f"ORDER BY tier = 'longterm' DESC, {_NEWEST} LIMIT ?"
    rows = index.db.execute(f"{_SUMMARIES.format('path')} {order}", (most,))
    return [path for (path,) in rows]


def other_summaries(index: Queries, paths: Iterable[str]) -> int:
    """Return how many summaries there are beside those at *paths*."""
    every = _SUMMARIES.format("count(*)")
    among = (
        "SELECT count(*) FROM docs WHERE path IN (SELECT value FROM json_each(?))"  # noqa: S608  # our own
        f" AND +type = 'summary' AND {TOLD}"
    )
    count = index.value(f"SELECT ({every}) - ({among})", json.dumps(list(paths)))
    return count if isinstance(count, int) else 0


def newest_notes(index: Queries, most: int) -> list[str]:
    """Return the paths of the *most* newest notes, but for what was imported."""
    where = "type = 'note' AND path NOT GLOB 'knowledge/*' AND path NOT GLOB 'skills/*'"
    return _paths(index, where, _NEWEST, most)


def newest_knowledge(index: Queries, most: int) -> list[str]:
    """Return the paths of the *most* newest notes that were imported."""
    return _paths(index, "type = 'note' AND path GLOB 'knowledge/*'", _NEWEST, most)


def summarized_only_by(index: Queries, paths: Iterable[str]) -> list[str]:
    """Return the agents all of whose short-term summaries are among those at *paths*."""
    these = "path IN (SELECT value FROM json_each(:paths))"
    other = f"SELECT 1 FROM docs WHERE {_RECENT} AND agent = one.agent AND NOT {these}"  # noqa: S608  # our own
    sql = (
        "SELECT DISTINCT agent FROM main.docs AS one INDEXED BY docs_path"  # noqa: S608  # likewise
        f" WHERE {these} AND {_RECENT} AND NOT EXISTS ({other})"
    )
    return [agent for (agent,) in index.db.execute(sql, {"paths": json.dumps(list(paths))})]


def newest_memories(index: Queries, agents: Iterable[str], most: int) -> list[str]:
    """Return the paths of the *most* newest memories of *agents*, and of those without summary."""
    return _paths(index, _MEMORY, _NEWEST, json.dumps(list(agents)), most)


def important_memories(index: Queries, agents: Iterable[str], most: int) -> list[str]:
    """Return the paths of the *most* important memories of the same."""
    return _paths(index, _MEMORY, f"importance DESC, {_NEWEST}", json.dumps(list(agents)), most)


def _paths(index: Queries, where: str, order: str, *args: object) -> list[str]:
    sql = f"{_REMEMBERING} SELECT path FROM docs WHERE {where} AND {TOLD} ORDER BY {order} LIMIT ?"  # noqa: S608  # our own
    return [path for (path,) in index.db.execute(sql, args)]
