"""The tools that only look: search, read, list, status, history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from vaultmem.errors import BadInput, Unavailable
from vaultmem.integrations.mcp import arguments, results
from vaultmem.integrations.mcp.vault_session import ServerSession, waits
from vaultmem.maintenance.health import AgentHealth, Health
from vaultmem.maintenance.provenance import Link
from vaultmem.records import TRUST, Record, iso, moment
from vaultmem.retrieval.context import fencing
from vaultmem.retrieval.search import Hit, Scope
from vaultmem.storage import git

_PAGE = 16_000
"""Characters of a file that are read at once, as Anthropic advises for its memory tool."""
_ENTRIES = 200
_PROBLEMS = 12
_DIFF = 6_000
_SOURCES = 40
_COMMITS = 50
"""Commits that git is asked about at once."""
_UNTRUSTED = TRUST[0]


def search(server: ServerSession, asked: arguments.Search) -> results.SearchResult:
    """Find what answers a question; what nobody vouches for is shown where it is asked for."""
    only = asked.kinds[0] if len(asked.kinds) == 1 else ""
    scope = Scope(
        agent=server.agent, shared=bool(server.agent), type=only, tags=tuple(asked.tags),
        after=asked.after, before=asked.before, untrusted=asked.untrusted,
    )  # fmt: skip
    # Of several kinds the best are picked from all that is found: a scope has one.
    k = arguments.MOST_HITS if len(asked.kinds) > 1 else asked.k
    answer = server.vault.recall(asked.query, k, scope, mode=asked.mode, as_of=asked.as_of)
    hits = [h for h in answer.hits if not asked.kinds or h.type in asked.kinds]
    return results.SearchResult([_hit(h) for h in hits[: asked.k]], answer.degraded_reason)


def _hit(hit: Hit) -> results.Hit:
    return results.Hit(
        hit.path, hit.lines, hit.heading, hit.date, hit.type,
        _fenced(hit.path, hit.type, hit.trust, hit.snippet), round(hit.score, 3),
        hit.sha256, hit.stale, hit.trust,
    )  # fmt: skip


def read(server: ServerSession, asked: arguments.Read) -> results.Read:
    """Read a file, at most a page of it at once."""
    page = server.reach.page(
        inner(asked.path), first=asked.from_line, most=asked.max_lines, room=_PAGE,
        as_of=asked.as_of, untrusted=asked.untrusted,
    )  # fmt: skip
    text = _fenced(page.path, page.type, page.trust, page.text)
    return results.Read(
        page.path, text, dict(page.frontmatter), page.sha256, page.trust, page.first_line,
        page.lines, page.next_line,
    )  # fmt: skip


def _fenced(path: str, kind: str, trust: str, text: str) -> str:
    """Return *text*, in a fence that it cannot end where nobody vouches for it."""
    if trust != _UNTRUSTED:
        return text
    return fencing.fenced(Record(path, "", type=kind, trust=trust, body=text), {})


def inner(path: str) -> str:
    """Return *path* as it is in the vault: clients give that of a resource, too."""
    return path.removeprefix("memory://")


def entries(server: ServerSession, asked: arguments.List) -> results.Listing:
    """List files and folders, a page at a time."""
    folder = inner(asked.path).strip("/")
    found = server.reach.listing(folder, depth=asked.depth, kind=asked.kind)
    start = _start(asked.cursor)
    page = [
        results.Entry(e.path, e.folder, e.size, e.date, e.description, e.type)
        for e in found[start : start + _ENTRIES]
    ]
    more = start + _ENTRIES < len(found)
    return results.Listing(page, str(start + _ENTRIES) if more else None)


def _start(cursor: str) -> int:
    if cursor and not (cursor.isascii() and cursor.isdigit()):
        raise BadInput(f"{cursor!r} is no cursor: give next_cursor of the list before")
    return int(cursor or 0)


def status(server: ServerSession, _asked: arguments.Status) -> results.State:
    """Tell how the vault is."""
    found = server.vault.status()
    mine = [a for a in found.agents if server.agent in {"", a.agent}]
    beat = found.daemon.heartbeat if found.daemon.running else None
    return results.State(
        found.status, sum(a.memories for a in mine), [_agent(a) for a in mine],
        found.index.documents, found.index.fresh, found.index.backend,
        round(found.memory_md.share, 3), found.uncommitted,
        found.inbox.dreams + found.inbox.conflicts + found.inbox.reviews, beat,
        _last_dream(server), list(_troubles(server, found)),
    )  # fmt: skip


def _agent(it: AgentHealth) -> results.AgentState:
    return results.AgentState(
        it.agent, it.memories, it.covered, it.pending, it.recent_summaries, it.last_memory,
        it.last_compaction,
    )  # fmt: skip


def _last_dream(server: ServerSession) -> str | None:
    found = server.vault.store.index.value("SELECT max(created) FROM docs WHERE type = 'dream'")
    return str(found) if found else None


def _troubles(server: ServerSession, found: Health) -> Iterator[results.Trouble]:
    here = str(server.vault.path)
    mine = [it for it in found.problems if server.knows_of(it.path)]
    for it in mine[:_PROBLEMS]:
        yield results.Trouble(it.path, it.message.replace(here, "the vault"), it.repair)
    if (left := len(mine) - _PROBLEMS) > 0:
        yield results.Trouble("", f"{left} more", "`vaultmem status` lists all")


def past(server: ServerSession, asked: arguments.Look) -> results.History:
    """Tell what was done, to all or to one file, and where what it says comes from."""
    path = server.reach.page(inner(asked.path), most=1).path if asked.path else ""
    if asked.why and not path:
        raise BadInput("why wants a path: name the file whose sources are asked for")
    sources = _sources(server, path) if asked.why else []
    return results.History(list(_commits(server, path, asked)), sources)


def _commits(server: ServerSession, path: str, asked: arguments.Look) -> Iterator[results.Commit]:
    since = moment(asked.since) if asked.since else None
    most = None if since or server.agent else asked.limit
    mine = commits(server, path, most)
    chosen = (each for each in mine if since is None or each[0].when >= since)
    for entry, touched in islice(chosen, asked.limit):
        diff = _repository(server).diff(entry.commit, [path]) if path else ""
        ops = [value for key, value in entry.trailers if key == git.OP]
        yield results.Commit(
            entry.commit, iso(entry.when), entry.author, _subject(entry, touched),
            ops[-1] if ops else "", shortened(server.shown(diff)),
        )  # fmt: skip


def commits(
    server: ServerSession, path: str = "", most: int | None = None
) -> Iterator[tuple[git.Entry, frozenset[str]]]:
    """Yield what was done, to all or to one file, newest first, and which files it touched.

    What the server's agent may not know of is left out. Raises Unavailable without git.
    """
    repository = _repository(server)
    found = repository.log(most, paths=[path] if path else [])
    for start in range(0, len(found), _COMMITS):
        part = found[start : start + _COMMITS]
        rows = repository.touched([entry.commit for entry in part])
        for entry in part:
            touched = frozenset(row.path for row in rows.get(entry.commit, ()))
            if is_open(server, entry, touched):
                yield entry, touched


def is_open(server: ServerSession, entry: git.Entry, touched: Iterable[str]) -> bool:
    """Tell whether the server's agent may know of a commit that *touched* these files."""
    return server.did(entry.trailers) and all(map(server.knows_of, touched))


def _subject(entry: git.Entry, touched: Iterable[str]) -> str:
    """Return the subject of a commit, which says the first words of what it is about."""
    quiet = sorted(filter(waits, touched))
    return f"{entry.subject.partition(': ')[0]}: {', '.join(quiet)}" if quiet else entry.subject


def _repository(server: ServerSession) -> git.Repository:
    """Return what keeps the history, with all in it that waited; raises Unavailable without."""
    writer = server.vault.store.writer
    writer.settle()
    if writer.repository is None:
        raise Unavailable("this vault has no git history: `git init` in its folder starts one")
    return writer.repository


def shortened(diff: str) -> str:
    """Return *diff* as it is, or what of it a model can bear, and how much is missing."""
    if len(diff) <= _DIFF:
        return diff
    kept = diff[:_DIFF].rpartition("\n")[0]
    return f"{kept}\n… {diff.count(chr(10)) - kept.count(chr(10))} more lines\n"


def _sources(server: ServerSession, path: str) -> list[results.Source]:
    chain = server.vault.why(path, agent=server.agent).chain
    shown = (link for link in chain if link.trust != _UNTRUSTED and server.knows_of(link.path))
    return [_source(link) for link in islice(shown, _SOURCES)]


def _source(it: Link) -> results.Source:
    return results.Source(it.depth, it.kind, it.path, it.line, it.date, it.by, it.trust, it.text)
