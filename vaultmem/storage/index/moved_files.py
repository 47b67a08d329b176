"""Which of the files that are gone lie elsewhere: somebody renamed a folder, or moved them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from vaultmem.storage.index.cache_database import Connection

_WERE = (
    "SELECT seen.path, seen.sha, ifnull(id, '') FROM seen LEFT JOIN docs USING(doc)"
    " WHERE seen.path IN (SELECT value FROM json_each(?))"
)
_IDS = (
    "SELECT id FROM docs WHERE id IN (SELECT value FROM json_each(?))"
    " AND path NOT IN (SELECT value FROM json_each(?))"
)
_SHAS = (
    "SELECT sha, count(*) FROM seen WHERE sha IN (SELECT value FROM json_each(?))"
    " AND path NOT IN (SELECT value FROM json_each(?)) GROUP BY sha"
)


def among(db: Connection, gone: Sequence[str]) -> AbstractSet[str]:
    """Return those of *gone* whose id, or whose bytes, a file has that is there.

    One that is there stands for one that is gone, where neither has an id. It reads what is known
    of all files.
    """
    paths = json.dumps(gone)
    were = db.execute(_WERE, (paths,)).fetchall()
    named = json.dumps([name for _, _, name in were if name])
    ids = {name for (name,) in db.execute(_IDS, (named, paths)).fetchall()}
    shas = json.dumps([sha for _, sha, name in were if not name])
    left = Counter[str](dict(db.execute(_SHAS, (shas, paths)).fetchall()))
    moved = set[str]()
    for path, sha, name in were:
        if name in ids:
            moved.add(path)
        elif not name and left[sha]:
            left[sha] -= 1
            moved.add(path)
    return moved
