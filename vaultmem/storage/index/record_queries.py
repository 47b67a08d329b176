"""What the index is asked of records: by a filter, by what names them, by what leads to them."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from vaultmem.records import Record
from vaultmem.storage import reader
from vaultmem.storage.index import tokenizer
from vaultmem.storage.index.cache_database import Connection
from vaultmem.storage.index.filters import THESE, Condition, Filter, below, both, condition
from vaultmem.storage.index.schema import COLUMNS, LISTS
from vaultmem.storage.owner_thread import Owner

_EVERYTHING = Filter()
_PAGE = 512
"""Records that are read at once where all of them are gone through."""

_ALIKE = frozenset({"type", "agent", "source", "trust", "session", "speaker", "prompt", "model"})
_OFTEN_ALIKE = [at for at, name in enumerate((*LISTS, *COLUMNS)) if name in _ALIKE]
# What lacks an id or a time came past the store: until it is adopted it may tell, not command.
_SOUND = (
    "NOT EXISTS (SELECT 1 FROM problems"
    " WHERE problems.doc = docs.doc AND problems.code = 'incomplete')"
)
_SHORT_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{6,25}")
_TITLED = (
    "lower(docs.title) = lower(?) OR lower(docs.stem) = lower(?)"
    " OR instr(lower(ltrim(bodies.body, char(10)) || char(10)), lower('# ' || ? || char(10))) = 1"
    " OR instr(lower(char(10) || docs.aliases || char(10)), lower(char(10) || ? || char(10)))"
)
_TAGGED = "char(10) || lower(docs.tags) || char(10) LIKE ?"


class RecordQueries:
    """The records of a database, for the thread that opened it."""

    def __init__(self, db: Connection) -> None:
        """Ask *db*."""
        self._db, self._owner = db, Owner("the index of this vault")

    @property
    def db(self) -> Connection:
        """The database, for the thread that opened it; raises as `Root.check` does."""
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
        self,
        where: Filter = _EVERYTHING,
        *,
        body: bool = True,
        newest: int | None = None,
    ) -> list[Record]:
        """Return the records that *where* means, in order of time.

        Without *body* their texts are left out; *newest* takes so many of the last alone.
        """
        meant = condition(where)
        return self._select(meant if newest is None else _last(meant, newest), body=body)

    def each(self, where: Filter = _EVERYTHING) -> Iterator[Record]:
        """Yield the records that *where* means, in order of time, with few of them in memory.

        What is removed meanwhile is left out.
        """
        return self._paged(where, " ORDER BY docs.created, docs.id, docs.path")

    def every(self, where: Filter = _EVERYTHING) -> Iterator[Record]:
        """Yield the same in any order: to put a million in order takes all of their times."""
        return self._paged(where, "")

    def by_path(self, where: Filter = _EVERYTHING) -> Iterator[Record]:
        """Yield the same in the order of their paths."""
        for page in self._pages(where, " ORDER BY docs.path"):
            yield from sorted(page, key=lambda record: record.path)

    def _paged(self, where: Filter, order: str) -> Iterator[Record]:
        return chain.from_iterable(self._pages(where, order))

    def _pages(self, where: Filter, order: str) -> Iterator[list[Record]]:
        sql, args = condition(where)
        found = self.db.execute(f"SELECT doc FROM docs WHERE {sql}{order}", args)  # noqa: S608  # values are bound
        docs = array("q", (doc for (doc,) in found))
        for at in range(0, len(docs), _PAGE):
            page = json.dumps(docs[at : at + _PAGE].tolist())
            yield self._select((f"docs.doc {THESE}", (page,)))

    def has(self, where: Filter) -> bool:
        """Tell whether there is any record that *where* means."""
        sql, args = condition(where)
        return self.value(f"SELECT 1 FROM docs WHERE {sql} LIMIT 1", *args) is not None  # noqa: S608  # values are bound

    def has_more_words(self, where: Filter, words: int) -> bool:
        """Tell whether what *where* means has more than so many words, or more texts than that."""
        sql, args = condition(where)
        lengths = f"SELECT length FROM docs WHERE {sql} LIMIT ?"  # noqa: S608  # values are bound
        total = self.value(f"SELECT sum(max(length, 1)) FROM ({lengths})", *args, words + 1)  # noqa: S608  # likewise
        return isinstance(total, int) and total > words

    def at(self, paths: Iterable[str], *, body: bool = True) -> list[Record]:
        """Return the records at *paths*, in order of time."""
        return self._select((f"docs.path {THESE}", (json.dumps(list(paths)),)), body=body)

    def identified(self, ids: Iterable[str]) -> list[Record]:
        """Return the records that have one of *ids*, without their texts."""
        return self._select((f"docs.id {THESE}", (json.dumps(list(ids)),)), body=False)

    def numbered(self, docs: Iterable[int]) -> dict[int, Record]:
        """Return the records that have the numbers *docs*, by number."""
        wanted = tuple(docs)
        rows = self._rows((f"docs.doc IN ({', '.join('?' * len(wanted))})", wanted))
        return {doc: _record(text, values) for doc, text, *values in rows}

    def named(self, ref: str) -> list[Record]:
        """Return what *ref* names: by id or path, else by its bare name, else by its short id.

        Brackets may be around it. Several have one bare name where only their folders tell them
        apart. A short id is the end of an id, of six letters or more in either case. What is no
        text, as a name of a file may be, names nothing.
        """
        if not (name := reader.link_target(ref)):
            return []
        exact = self.matching(ids=[name.upper()], paths=[name, f"{name}.md"])
        return exact or self.matching(stems=[name]) or self._ending(name.upper())

    def titled(self, title: str) -> list[Record]:
        """Return, without their texts, what has *title*, first heading, bare name or alias.

        In any case.

        It may be recalled or is archived.
        """
        kept = condition(Filter(kept=True))
        return self._select(both(kept, _TITLED, *[title.strip()] * 4), body=False)

    def _ending(self, tail: str) -> list[Record]:
        if not _SHORT_ID.fullmatch(tail):
            return []
        return self._select(("docs.id LIKE ?", (f"%{tail}",)))

    def matching(
        self, *, ids: Sequence[str] = (), paths: Sequence[str] = (), stems: Sequence[str] = ()
    ) -> list[Record]:
        """Return what has one of the *ids*, *paths* or *stems* (file names without `.md`)."""
        sql = f"docs.id {THESE} OR docs.path {THESE} OR docs.stem {THESE}"
        return self._select((sql, tuple(json.dumps(list(names)) for names in (ids, paths, stems))))

    def archived_saying(self, words: Sequence[str], agent: str, most: int) -> list[Record]:
        """Return archived memories, of *agent* or of all, that have *words*, most of them first.

        Words are in lower case. No index of words has what recall leaves out: the archive is read.
        """
        meant, args = condition(Filter(type="memory", agent=agent, archived=True))
        count = " + ".join(["(instr(lower(body), ?) > 0)"] * len(words)) or "0"
        rows = self.db.execute(
            f"SELECT path, {count} AS held FROM docs JOIN bodies USING(doc) WHERE {meant}"  # noqa: S608  # values are bound
            " AND held > 0 ORDER BY held DESC, docs.created DESC LIMIT ?",
            (*words, *args, most),
        )
        paths = [path for path, _ in rows]
        return sorted(self.at(paths), key=lambda record: paths.index(record.path))

    def citing(self, targets: Iterable[str]) -> list[Record]:
        """Return, without their texts, what names one of *targets* among its sources."""
        sql = f"docs.doc IN (SELECT doc FROM links WHERE target {THESE})"  # noqa: S608  # values are bound
        return self._select((sql, (json.dumps(list(targets)),)), body=False)

    def linking(self, targets: Iterable[str]) -> list[Record]:
        """Return, without their texts, what names one of *targets* as a source or in its text."""
        named = json.dumps(list(targets))
        sql = (
            "docs.doc IN (SELECT doc FROM links WHERE target IN (SELECT value FROM json_each(?)))"
            " OR EXISTS (SELECT 1 FROM json_each(?) WHERE instr(bodies.body, '[[' || value))"
        )
        return self._select((sql, (named, named)), body=False)

    def corrections(self) -> list[Record]:
        """Return the memories that supersede something."""
        return self._select(both(condition(Filter(type="memory")), "docs.supersedes != ''"))

    def from_origin(self, start: str) -> list[Record]:
        """Return, without their texts, what is remembered and has an origin below *start*."""
        sql, args = below("docs.origin", start.rstrip("/"))
        known = both(condition(Filter(kept=True)), f"docs.origin != '' AND {sql}", *args)
        return self._select(known, body=False)

    def by_origin(self, agent: str, origin: str) -> Record | None:
        """Return, without its text, the memory that *agent* has from *origin*."""
        sql = "docs.origin = ? AND docs.origin != '' AND docs.agent = ? AND docs.type = 'memory'"
        return next(iter(self._select((sql, (origin, agent)), body=False)), None)

    def of_origins(self, origins: Iterable[str]) -> list[tuple[str, str, str]]:
        """Return the origin, the agent and the id of the memories that came from *origins*."""
        sql = (
            "SELECT origin, agent, id FROM docs WHERE origin != '' AND type = 'memory'"  # noqa: S608  # values are bound
            f" AND origin {THESE}"
        )
        return list(self.db.execute(sql, (json.dumps(list(origins)),)))

    def versions(
        self, agent: str, origins: Iterable[str], behind: str
    ) -> list[tuple[str, str, str, str]]:
        """Return the memories that *agent* has of *origins*, and of these with *behind* after them.

        Of each its origin, when it is of, its text, and the digest of the text that was accepted
        first, "" where that is not known; in the order in which they were written.
        """
        asked = json.dumps(list(origins))
        chosen = (
            "SELECT docs.doc FROM docs WHERE docs.origin != '' AND docs.agent = ?"  # noqa: S608  # values are bound
            f" AND docs.origin {THESE} UNION"
            " SELECT docs.doc FROM json_each(?) AS asked CROSS JOIN docs"
            " ON docs.origin > asked.value || ? AND docs.origin < asked.value || ?"
            " WHERE docs.origin != '' AND docs.agent = ?"
        )
        sql = (
            "SELECT origin, created, body, ifnull(accepted.first, '') FROM docs"  # noqa: S608  # likewise
            " JOIN bodies USING(doc) LEFT JOIN accepted ON accepted.id = docs.id"
            f" WHERE docs.type = 'memory' AND docs.doc IN ({chosen}) ORDER BY docs.id"
        )
        above = chr(ord(behind) + 1)
        return list(self.db.execute(sql, (agent, asked, asked, behind, above, agent)))

    def repeated(
        self, text: str, agent: str, tags: Collection[str] = (), session: str = ""
    ) -> Record | None:
        """Return, without its text, *agent*'s memory that says *text*, and holds.

        It has all of *tags*, and others perhaps, and is of *session* or of none.
        What is looked at of the others is their lengths, in an index.
        """
        sql = (
            "docs.doc IN (SELECT doc FROM docs INDEXED BY docs_session WHERE type = 'memory'"
            " AND agent = ? AND session IN ('', ?) AND length = ?) AND docs.recallable"
            " AND docs.superseded_by = '' AND docs.valid_to = ''"
            " AND trim(bodies.body, ' ' || char(10)) = ?"
        )
        said = text.strip(" \n")
        found = self._select((sql, (agent, session, tokenizer.length(said), said)), body=False)
        return next((it for it in reversed(found) if {*tags} <= {*it.tags}), None)

    def minted_since(self, ulid: str, where: Filter) -> list[Record]:
        """Return what of *where* has an id from *ulid* on, or one that tells no time."""
        return self._select(both(condition(where), "docs.id >= ? OR length(docs.id) != 26", ulid))

    def tombstone_ending(self, tail: str) -> Record | None:
        """Return the last tombstone whose id ends in *tail*, in whatever letters; not its text."""
        where = condition(Filter(below="tombstones", identified=True))
        found = self._select(both(where, "docs.id LIKE ?", f"%{tail}"), body=False)
        return found[-1] if found else None

    def newest_summary(self, agent: str) -> Record | None:
        """Return the agent's newest short-term summary."""
        sql, args = condition(Filter(type="summary", agent=agent, tier="recent", identified=True))
        # By id, which only ever rises, where a clock may go back.
        newest = f"docs.id = (SELECT max(docs.id) FROM docs WHERE {sql})"  # noqa: S608  # values are bound
        return next(iter(self._select((f"{sql} AND {newest}", (*args, *args)))), None)

    def next_turns(self, memory: Record, most: int, *, back: bool = False) -> list[Record]:
        """Return the memories next to *memory* in its session, at *most* so many, nearest first.

        They are those after it, or those before it with *back*.
        """
        sign, order = ("<", "DESC") if back else (">", "ASC")
        sql = (
            "docs.doc IN (SELECT docs.doc FROM docs WHERE docs.type = 'memory' AND docs.agent = ?"  # noqa: S608  # values are bound
            f" AND docs.session = ? AND (docs.created, docs.id) {sign} (?, ?)"
            f" AND docs.recallable ORDER BY docs.created {order}, docs.id {order} LIMIT ?)"
        )
        spot = (memory.agent, memory.session, memory.created, memory.id, most)
        return sorted(self._select((sql, spot)), key=lambda r: (r.created, r.id), reverse=back)

    def tagged(self, tags: Sequence[str], where: Filter) -> list[Record]:
        """Return what of *where* is whole and has one of *tags*, in lower case; but no cards."""
        any_tag = " OR ".join([_TAGGED] * len(tags))
        scope, args = condition(where)
        # In this order: what few rows have is asked first of all of them.
        sql = f"docs.tags != '' AND ({any_tag}) AND docs.type != 'card' AND {scope} AND {_SOUND}"
        return self._select((sql, (*(f"%\n{tag}\n%" for tag in tags), *args)))

    def unvouched(self, types: tuple[str, ...], tags: Sequence[str]) -> list[Record]:
        """Return what of *types* may be recalled and has less trust than it asks for or needs.

        That is what is untrusted, what claims more than it was given, an agent's profile, and what
        has one of *tags*, when an agent's word is all that stands behind it.
        """
        any_tag = " OR ".join([_TAGGED] * len(tags))
        sql = (
            "docs.trust = 'untrusted' OR docs.claimed != ''"
            " OR (docs.trust = 'agent' AND docs.path LIKE 'agents/%/agent.md')"
            " OR (docs.trust = 'agent' AND docs.source != 'agent' AND docs.tags != ''"
            f" AND ({any_tag}))"
        )
        where = condition(Filter(type=types, recallable=True))
        return self._select(both(where, sql, *(f"%\n{tag}\n%" for tag in tags)))

    def claiming(self) -> list[str]:
        """Return the paths of what claims more trust than it was given."""
        rows = self.db.execute("SELECT path FROM docs WHERE claimed != '' ORDER BY path")
        return [path for (path,) in rows.fetchall()]

    def value(self, sql: str, *args: object) -> object:
        """Return the first column of the first row of a query, None without one: for this room."""
        row = self.db.execute(sql, args).fetchone()
        return row[0] if row else None

    def _select(self, where: Condition, *, body: bool = True) -> list[Record]:
        rows, said = self._rows(where, body=body), dict[str, str]()
        return [_record(text, _sharing(values, said)) for _, text, *values in rows]

    def _rows(self, where: Condition, *, body: bool = True) -> sqlite3.Cursor:
        sql, args = where
        text = "bodies.body" if body else "''"
        return self.db.execute(
            f"SELECT docs.doc, {text}, {', '.join('docs.' + c for c in (*LISTS, *COLUMNS))}"  # noqa: S608
            f" FROM docs JOIN bodies USING(doc) WHERE {sql}"
            " ORDER BY docs.created, docs.id, docs.path",
            args,
        )


def _last(where: Condition, many: int) -> Condition:
    """Return the condition that selects the last *many* of what *where* does."""
    sql, args = where
    last = f"SELECT docs.doc FROM docs WHERE {sql} ORDER BY docs.created DESC, docs.id DESC LIMIT ?"  # noqa: S608  # values are bound
    return f"docs.doc IN ({last})", (*args, many)


def _sharing(values: list[str], said: dict[str, str]) -> list[str]:
    """Return *values* with what many records say held once: it is a quarter of their size."""
    for at in _OFTEN_ALIKE:
        values[at] = said.setdefault(values[at], values[at])
    return values


def _record(body: str, values: Sequence[str]) -> Record:
    lists = {
        name: tuple(text.split("\n")) for name, text in zip(LISTS, values, strict=False) if text
    }
    known = dict(zip(COLUMNS, values[len(LISTS) :], strict=True))
    return Record(**known, **lists, body=body)  # type: ignore[arg-type]
