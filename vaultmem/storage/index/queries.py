"""What one may ask the index; its answers are as old as the last sync."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from vaultmem.records import Problem, Record
from vaultmem.storage import reader
from vaultmem.storage.files import Stamp
from vaultmem.storage.index.cache_database import Connection, meta
from vaultmem.storage.index.diff import Seen
from vaultmem.storage.index.schema import COLUMNS, LISTS
from vaultmem.storage.owner_thread import Owner

_BINDINGS = 500


class Questions:
    """The questions that the database answers, and what it knows of itself."""

    def __init__(self, db: Connection) -> None:
        """Ask *db*."""
        self._db, self._owner = db, Owner("the index of this vault")

    @property
    def db(self) -> Connection:
        """The database, for the thread that opened it; raises Closed or OtherThread."""
        self._owner.check()
        return self._db

    @property
    def why_in_memory(self) -> str:
        """Why the database lives in memory; empty where it is a file."""
        return self.db.why

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let several questions see one state, whatever other processes write meanwhile."""
        self.db.execute("BEGIN")
        try:
            yield
        finally:
            self.db.execute("COMMIT")

    def records(
        self, where: str = "1", args: Sequence[object] = (), *, body: bool = True
    ) -> list[Record]:
        """Return the records that the SQL condition *where* selects, in order of time."""
        text = "bodies.body" if body else "''"
        rows = self.db.execute(
            f"SELECT {text}, {', '.join('docs.' + c for c in (*LISTS, *COLUMNS))}"  # noqa: S608
            f" FROM docs JOIN bodies USING(doc) WHERE {where}"
            " ORDER BY docs.created, docs.id, docs.path",
            tuple(args),
        )
        return [_record(row) for row in rows]

    def named(self, ref: str) -> list[Record]:
        """Return what *ref* names: by id or path, else by its bare name; brackets may be around it.

        Several have one bare name where only their folders tell them apart.
        """
        name = reader.link_target(ref)
        by_id = ("docs.id = ? OR docs.path IN (?, ?)", (name.upper(), name, f"{name}.md"))
        return self.records(*by_id) or self.records("docs.stem = ?", (name,)) if name else []

    def marked(self, record: Record) -> Record:
        """Return *record*, as its own file says it, with the mark that a correction put on it."""
        by = self.value("SELECT superseded_by FROM docs WHERE path = ?", record.path)
        return replace(record, superseded_by=str(by)) if by and not record.superseded_by else record

    def body(self, path: str) -> str | None:
        """Return the text of the file at *path* as it was read last, None when it is not known."""
        found = self.value("SELECT body FROM bodies JOIN docs USING(doc) WHERE path = ?", path)
        return None if found is None else str(found)

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
        rows = self.db.execute("SELECT DISTINCT folder FROM seen WHERE folder > 'agents/'")
        named = {reader.agent_of(folder + "x") for (folder,) in rows}
        return sorted(filter(None, named))

    def stems(self, agent: str) -> list[tuple[str, str]]:
        """Return (stem, created) of the agent's memories, oldest first."""
        return self.db.execute(
            "SELECT stem, created FROM docs WHERE type = 'memory' AND agent = ? AND id != ''"
            " AND path LIKE 'agents/%' ORDER BY created, id",
            (agent,),
        ).fetchall()

    def covered(self, agent: str) -> frozenset[str]:
        """Return the stems that the agent's short-term summaries name as sources."""
        rows = self.db.execute(
            "SELECT target FROM links JOIN docs USING(doc)"
            " WHERE docs.type = 'summary' AND docs.tier = 'recent' AND docs.agent = ?",
            (agent,),
        )
        return frozenset(target for (target,) in rows)

    def origins(self, agent: str, wanted: Sequence[str]) -> frozenset[str]:
        """Return those of the *wanted* origins that the agent already remembers."""
        found: set[str] = set()
        for start in range(0, len(wanted), _BINDINGS):
            part = wanted[start : start + _BINDINGS]
            marks = ",".join("?" * len(part))
            rows = self.db.execute(
                f"SELECT origin FROM docs WHERE agent = ? AND origin IN ({marks})",  # noqa: S608
                (agent, *part),
            )
            found.update(o for (o,) in rows)
        return frozenset(found)

    def problems(self) -> list[Problem]:
        """Return what is wrong with single files, by path."""
        rows = self.db.execute("SELECT code, path, message, repair FROM problems ORDER BY path")
        return [Problem(code, path, message, repair) for code, path, message, repair in rows]

    def value(self, sql: str, *args: object) -> object:
        """Return the first column of the first row of a query, None without one."""
        row = self.db.execute(sql, args).fetchone()
        return row[0] if row else None

    def seen(self) -> dict[str, Seen]:
        """Return what the index knows of every file."""
        rows = self.db.execute("SELECT path, size, mtime_ns, inode, sha, racy FROM seen")
        return {p: Seen(Stamp(s, m, i), sha, bool(r)) for p, s, m, i, sha, r in rows}

    def vanished(self) -> tuple[str, ...]:
        """Return the files that went in a suspicious crowd and are still gone."""
        return tuple(json.loads(meta(self.db, "vanished") or "[]"))

    def generation(self) -> int:
        """Return the number that rises with every change of the catalog."""
        return int(meta(self.db, "generation") or 0)


def _record(row: Sequence[str]) -> Record:
    body, *values = row
    lists = {
        name: tuple(text.split("\n")) for name, text in zip(LISTS, values, strict=False) if text
    }
    known = dict(zip(COLUMNS, values[len(LISTS) :], strict=True))
    return Record(**known, **lists, body=body)  # type: ignore[arg-type]
