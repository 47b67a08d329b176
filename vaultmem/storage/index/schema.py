"""The tables of the catalog."""

from __future__ import annotations

from dataclasses import fields

from vaultmem.records import Record
from vaultmem.storage.index import folders
from vaultmem.storage.index.cache_database import CacheDatabase

_REVISION = 25
"""To be raised when the same columns mean something else: the index is rebuilt."""

LISTS = ("aliases", "tags", "sources", "supersedes")
COLUMNS = tuple(f.name for f in fields(Record) if f.name not in {"problem", "body", *LISTS})
_SUMMARY = "type = 'summary' AND id != '' AND path > 'agents/' AND path < 'agents0'"
_RECENT, _LONGTERM = (f"{_SUMMARY} AND tier = '{tier}'" for tier in ("recent", "longterm"))
TOLD = "recallable AND trust IN ('agent', 'user', 'verified') AND superseded_by = ''"
"""What MEMORY.md may point at."""
TOKENIZED = 'tokenize="porter unicode61 remove_diacritics 2"'
"""How FTS5 takes a text apart."""
_TABLES = f"""\
CREATE TABLE seen(doc INTEGER PRIMARY KEY, path TEXT UNIQUE, size INT, mtime_ns INT, inode INT,
                  ctime_ns INT, sha TEXT, racy INT, folder TEXT);
CREATE INDEX seen_folder ON seen(folder);
{folders.TABLES};
CREATE TABLE facets(doc INTEGER PRIMARY KEY, alike BLOB, marks INT, terms BLOB);
CREATE INDEX facets_alike ON facets(alike) WHERE alike IS NOT NULL;
CREATE INDEX facets_marks ON facets(marks) WHERE marks != 0;
CREATE TABLE facet_keys(kind INT, key INT, doc INT, PRIMARY KEY(kind, key, doc)) WITHOUT ROWID;
CREATE INDEX facet_keys_doc ON facet_keys(doc);
CREATE TABLE facet_terms(number INTEGER PRIMARY KEY, term TEXT UNIQUE);
CREATE TABLE docs(doc INTEGER PRIMARY KEY, stem TEXT, recallable INT, archived INT, length INT,
                  asks INT, times INT, counts INT, language TEXT, ended_by TEXT,
                  {", ".join((*LISTS, *COLUMNS))});
CREATE INDEX docs_order ON docs(type, agent, created, id, doc);
CREATE INDEX docs_created ON docs(created);
CREATE INDEX docs_stem ON docs(stem);
CREATE INDEX docs_path ON docs(path);
CREATE INDEX docs_id ON docs(id);
CREATE INDEX docs_ended ON docs(ended_by) WHERE type = 'supersession';
CREATE INDEX docs_held ON docs(path) WHERE held != '';
CREATE INDEX docs_withheld ON docs(path) WHERE withheld;
CREATE INDEX docs_tool_lines ON docs(path) WHERE tool_lines != '';
CREATE TABLE talks(path TEXT PRIMARY KEY, size INT, mtime_ns INT, inode INT, ctime_ns INT,
                   marked TEXT) WITHOUT ROWID;
CREATE INDEX docs_origin ON docs(origin, agent) WHERE origin != '';
CREATE INDEX docs_language ON docs(language) WHERE language != '';
CREATE INDEX docs_recent ON docs(agent, id, path) WHERE {_RECENT};
CREATE INDEX docs_summaries ON docs(tier = 'longterm', created, id, path)
  WHERE type = 'summary' AND {TOLD};
CREATE INDEX docs_longterm ON docs(agent, created, id, path) WHERE {_LONGTERM};
CREATE INDEX docs_session ON docs(agent, session, created, id, length) WHERE type = 'memory';
CREATE TABLE bodies(doc INTEGER PRIMARY KEY, body TEXT);
CREATE TABLE links(doc INT, target TEXT, PRIMARY KEY(doc, target)) WITHOUT ROWID;
CREATE INDEX links_target ON links(target);
CREATE TABLE superseding(doc INT, target TEXT, PRIMARY KEY(doc, target)) WITHOUT ROWID;
CREATE INDEX superseding_target ON superseding(target);
CREATE TABLE passages(id INTEGER PRIMARY KEY, doc INT, number INT, first INT, last INT,
                      line_first INT, line_last INT, heading TEXT, alone TEXT, sha TEXT);
CREATE INDEX passages_doc ON passages(doc);
CREATE INDEX passages_sha ON passages(sha);
CREATE TABLE doubted(doc INTEGER PRIMARY KEY);
CREATE TABLE accepted(id TEXT PRIMARY KEY, path TEXT, first TEXT, text TEXT) WITHOUT ROWID;
CREATE INDEX accepted_path ON accepted(path);
CREATE TABLE edited(doc INTEGER PRIMARY KEY, lost TEXT);
CREATE TABLE uncovered(doc INTEGER PRIMARY KEY, agent TEXT, created TEXT, id TEXT);
CREATE INDEX uncovered_order ON uncovered(agent, created, id);
CREATE TABLE remembered(agent TEXT PRIMARY KEY, memories INT) WITHOUT ROWID;
CREATE TABLE summarized(agent TEXT PRIMARY KEY, summaries INT, total INT) WITHOUT ROWID;
CREATE TABLE unproved(doc INTEGER PRIMARY KEY, stale INT);
CREATE TABLE problems(doc INTEGER PRIMARY KEY, code TEXT, path TEXT, message TEXT, repair TEXT);
CREATE VIRTUAL TABLE words USING fts5(title, body, {TOKENIZED});
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
INSERT INTO meta VALUES ('generation', '0'), ('revision', '{_REVISION}')
"""  # noqa: S608  # column names are our own
CATALOG = CacheDatabase("the index", _TABLES)
