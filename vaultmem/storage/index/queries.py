"""What the index can be asked; its answers are as old as the last sync.

All SQL over the tables of the catalog stands in this room: over records in `record_queries`, over
single columns here and in `session_queries`, `file_queries`, `word_queries`, `word_ranking`,
`passage_queries` and `count_queries`.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from vaultmem.records import Problem, Record
from vaultmem.storage import reader, tombstone_checks
from vaultmem.storage.files import Stamp
from vaultmem.storage.index.cache_database import meta
from vaultmem.storage.index.diff import Seen
from vaultmem.storage.index.filters import THESE, Filter, condition
from vaultmem.storage.index.record_queries import RecordQueries

_BINDINGS = 500
# It stands before the table of that name, so that whatever is asked meets only what was true then.
_VALID = """\
CREATE TEMP VIEW IF NOT EXISTS docs AS SELECT * FROM main.docs
WHERE (valid_from = '' AND valid_to = '') OR is_valid(valid_from, valid_to)
"""


class Queries(RecordQueries):
    """What the database says of single files and agents, and what it knows of itself."""

    def marked(self, record: Record) -> Record:
        """Return *record*, as its own file says it, with the mark that a correction put on it."""
        by = self.value("SELECT superseded_by FROM docs WHERE path = ?", record.path)
        return replace(record, superseded_by=str(by)) if by and not record.superseded_by else record

    def body(self, path: str) -> str | None:
        """Return the text of the file at *path* as it was read last, None when it is not known."""
        found = self.value("SELECT body FROM bodies JOIN docs USING(doc) WHERE path = ?", path)
        return None if found is None else str(found)

    def drawn(
        self, where: Filter, most: int, sample: Callable[[Sequence[int], int], Sequence[int]]
    ) -> list[str]:
        """Return the paths of *most* of the records that *where* means, as *sample* draws them.

        It draws from their places in the order of paths, which is the same on every machine; no
        other path is held meanwhile.
        """
        sql, args = condition(where)
        (many,) = self.db.execute(f"SELECT count(*) FROM docs WHERE {sql}", args).fetchone()  # noqa: S608  # values are bound
        chosen = sample(range(many), min(most, many))
        rows = self.db.execute(f"SELECT path FROM docs WHERE {sql} ORDER BY path", args)  # noqa: S608  # likewise
        wanted = frozenset(chosen)
        found = {at: path for at, (path,) in enumerate(rows) if at in wanted}
        return [found[at] for at in chosen if at in found]

    def documents(self) -> int:
        """Return how many files are known."""
        (count,) = self.db.execute("SELECT count(*) FROM docs").fetchone()
        return int(count)

    def memories(self) -> int:
        """Return how many memories the agents have."""
        (count,) = self.db.execute(
            "SELECT count(*) FROM docs WHERE type = 'memory' AND path > 'agents/'"
            " AND path < 'agents0'"
        ).fetchone()
        return int(count)

    def refs(self, paths: Iterable[str]) -> list[str]:
        """Return what names each of the files at *paths* for good: its id, else its path."""
        wanted = json.dumps(list(paths))
        sql = "SELECT id, path FROM docs WHERE path IN (SELECT value FROM json_each(?))"
        return [named or path for named, path in self.db.execute(sql, (wanted,))]

    def agents(self) -> list[str]:
        """Return the agents that have files, by name."""
        found, after = set[str](), "agents/"
        while (folder := self._next_folder(after)).startswith("agents/"):
            found.add(reader.agent_of(folder + "x"))
            after = f"agents/{folder.split('/')[1]}0"  # beyond all folders of that agent
        return sorted(filter(None, found))

    def types(self) -> list[str]:
        """Return the types of what recall may return, by name."""
        found, after = list[str](), ""
        while after := str(self.value("SELECT min(type) FROM docs WHERE type > ?", after) or ""):
            if self.value("SELECT 1 FROM docs WHERE type = ? AND recallable LIMIT 1", after):
                found.append(after)
        return found

    def _next_folder(self, after: str) -> str:
        return str(self.value("SELECT min(folder) FROM seen WHERE folder > ?", after) or "")

    def covered(self, agent: str, stems: Iterable[str]) -> frozenset[str]:
        """Return those of *stems* that the agent's short-term summaries name as sources."""
        rows = self.db.execute(
            "SELECT target FROM json_each(?) AS asked CROSS JOIN links ON target = asked.value"
            " CROSS JOIN docs USING(doc)"
            " WHERE docs.type = 'summary' AND docs.tier = 'recent' AND +docs.agent = ?",
            (json.dumps(list(stems)), agent),
        )
        return frozenset(target for (target,) in rows)

    def origins(self, agent: str, wanted: Sequence[str]) -> frozenset[str]:
        """Return those of the *wanted* origins that the agent already remembers."""
        found: set[str] = set()
        for start in range(0, len(wanted), _BINDINGS):
            part = wanted[start : start + _BINDINGS]
            marks = ",".join("?" * len(part))
            rows = self.db.execute(
                f"SELECT origin FROM docs WHERE agent = ? AND origin != '' AND origin IN ({marks})",  # noqa: S608
                (agent, *part),
            )
            found.update(o for (o,) in rows)
        return frozenset(found)

    def newest_id(self, agent: str = "") -> str:
        """Return the greatest id of a memory, of *agent* alone if one is named; "" without one."""
        # From the greatest id of all down, which mostly is one of a memory.
        sql = "SELECT id FROM docs WHERE +type = 'memory' AND (? = '' OR +agent = ?)"
        return str(self.value(f"{sql} ORDER BY id DESC LIMIT 1", agent, agent) or "")

    def last_created(self, kind: str) -> str:
        """Return when the newest record of the type *kind* was made, "" without one."""
        return str(self.value("SELECT max(created) FROM docs WHERE type = ?", kind) or "")

    def knows(self, path: str) -> bool:
        """Tell whether there is a record at *path*."""
        return self.value("SELECT 1 FROM docs WHERE path = ?", path) is not None

    def known_ids(self, ids: Iterable[str]) -> frozenset[str]:
        """Return those of *ids* that a memory has."""
        sql = f"SELECT id FROM docs WHERE +type = 'memory' AND id {THESE}"  # noqa: S608  # values are bound
        return frozenset(known for (known,) in self.db.execute(sql, (json.dumps(list(ids)),)))

    def held(self) -> list[str]:
        """Return the paths of the files that are kept out of the history."""
        return [path for (path,) in self.db.execute("SELECT path FROM docs WHERE held != ''")]

    def untrusted(self) -> frozenset[str]:
        """Return the paths of all that is not trusted."""
        rows = self.db.execute("SELECT path FROM docs WHERE trust = 'untrusted'")
        return frozenset(path for (path,) in rows)

    def tombstones(self) -> list[str]:
        """Return the paths of the tombstones, the damaged ones too, in order."""
        sql, args = condition(Filter(below=tombstone_checks.FOLDER))
        rows = self.db.execute(f"SELECT path, type FROM docs WHERE {sql} ORDER BY path", args)  # noqa: S608  # values are bound
        return [path for path, kind in rows if tombstone_checks.is_one(path, {"type": kind})]

    def problems(self) -> list[Problem]:
        """Return what is wrong with single files, by path."""
        rows = self.db.execute("SELECT code, path, message, repair FROM problems ORDER BY path")
        return [Problem(code, path, message, repair) for code, path, message, repair in rows]

    def seen(self) -> dict[str, Seen]:
        """Return what the index knows of every file."""
        rows = self.db.execute("SELECT path, size, mtime_ns, inode, ctime_ns, sha, racy FROM seen")
        return {p: Seen(Stamp(*stamp), sha, bool(racy)) for p, *stamp, sha, racy in rows}

    def vanished(self) -> tuple[str, ...]:
        """Return the files that went in a suspicious crowd and are still gone."""
        return tuple(json.loads(meta(self.db, "vanished") or "[]"))

    def generation(self) -> int:
        """Return the number that rises with every change of the catalog."""
        return int(meta(self.db, "generation") or 0)

    def state(self) -> tuple[object, ...]:
        """Return what is the same until this process, another one, or another file changes it."""
        return id(self.db), self.value("PRAGMA data_version"), self.db.total_changes

    def copy_to(self, path: Path) -> None:
        """Write a copy of the database to *path*; raises Busy at once."""
        with contextlib.closing(sqlite3.connect(path)) as db:
            self.db.copy_to(db)

    def show_valid(self, is_valid: Callable[[str, str], bool]) -> None:
        """Let every question from now on meet only what *is_valid*, from and to a time, lets in."""
        self.db.create_function("is_valid", 2, is_valid, deterministic=True)
        self.db.execute(_VALID)
