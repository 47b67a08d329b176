"""How a vault is: counts, windows, budgets, and all that a person should know about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from vaultmem import git, journal, pointers
from vaultmem.config import Config
from vaultmem.model import Problem
from vaultmem.site import Site

_WARN, _FULL = 0.75, 0.90


@dataclass(frozen=True, slots=True)
class AgentHealth:
    """What one agent remembers, in numbers; times are ISO 8601 or None."""

    agent: str
    memories: int
    immediate: int
    covered: int
    pending: int
    recent_summaries: int
    longterm: str | None
    last_memory: str | None
    last_compaction: str | None
    next_compaction_at: int


@dataclass(frozen=True, slots=True)
class Health:
    """The whole vault at a glance."""

    status: Literal["OK", "WARNING", "ERROR"]
    path: str
    format: int
    agents: tuple[AgentHealth, ...]
    memory_md: pointers.Size
    documents: int
    uncommitted: int
    problems: tuple[Problem, ...]


def check(site: Site) -> Health:
    """Return the state of the vault; the caller has synced its index."""
    config = site.config()
    agents = tuple(_agent(site, config, name) for name in site.index.agents())
    size = pointers.size((site.read(pointers.PATH) or b"").decode("utf-8", "replace"))
    problems = tuple(_problems(site, config, agents, size))
    return Health(
        status=_status(problems),
        path=str(site.root.path),
        format=config.format,
        agents=agents,
        memory_md=size,
        documents=int(str(site.index.value("SELECT count(*) FROM docs"))),
        uncommitted=len(journal.names(site.root)),
        problems=problems,
    )


def _status(problems: tuple[Problem, ...]) -> Literal["OK", "WARNING", "ERROR"]:
    if any(p.code in {"full", "vanished"} for p in problems):
        return "ERROR"
    return "WARNING" if problems else "OK"


def _agent(site: Site, config: Config, name: str) -> AgentHealth:
    stems = site.index.stems(name)
    covered = site.index.covered(name)
    outside = [stem for stem, _ in stems[: -config.immediate_window]]
    pending = sum(stem not in covered for stem in outside)
    size = config.recent_window + (0 if covered else 1)
    short = max(config.immediate_window - len(stems), 0)
    return AgentHealth(
        agent=name,
        memories=len(stems),
        immediate=min(len(stems), config.immediate_window),
        covered=sum(stem in covered for stem, _ in stems),
        pending=pending,
        recent_summaries=_count(site, name, "recent"),
        longterm=_latest(site, name, "path", "longterm"),
        last_memory=max((created for _, created in stems), default=None),
        last_compaction=_latest(site, name, "created", "recent"),
        next_compaction_at=len(stems) + max(size - pending, 0) + short,
    )


def _count(site: Site, agent: str, tier: str) -> int:
    sql = "SELECT count(*) FROM docs WHERE type = 'summary' AND agent = ? AND tier = ?"
    return int(str(site.index.value(sql, agent, tier)))


def _latest(site: Site, agent: str, column: Literal["path", "created"], tier: str) -> str | None:
    sql = f"SELECT max({column}) FROM docs WHERE type = 'summary' AND agent = ? AND tier = ?"  # noqa: S608
    found = site.index.value(sql, agent, tier)
    return str(found) if found else None


def _problems(
    site: Site, config: Config, agents: tuple[AgentHealth, ...], size: pointers.Size
) -> Iterator[Problem]:
    yield from site.index.problems()
    yield from (_link(path) for path in site.index.odd)
    if gone := site.index.vanished():
        yield Problem(
            "vanished", gone[0], f"{len(gone)} files are gone since the last look; writes wait",
            "`git checkout -- .` brings them back, `vaultmem fsck --accept-missing` lets them go",
        )  # fmt: skip
    yield from _fullness("MEMORY.md", pointers.PATH, size.share, "let `vaultmem watch --once` trim")
    if config.max_memories:
        for agent in agents:
            share = agent.memories / config.max_memories
            where = f"agents/{agent.agent}/memories"
            yield from _fullness("the store", where, share, "raise max_memories or forget some")
    yield from _stale(site, config, agents)
    yield from _waiting(site)


def _link(path: str) -> Problem:
    return Problem("link", path, "a link or a device, which vaultmem does not follow", "remove it")


def _fullness(what: str, path: str, share: float, repair: str) -> Iterator[Problem]:
    if share >= _WARN:
        code = "full" if share >= _FULL else "filling"
        yield Problem(code, path, f"{what} is at {share:.0%} of its budget", repair)


def _stale(site: Site, config: Config, agents: tuple[AgentHealth, ...]) -> Iterator[Problem]:
    """Count from when a memory was accepted (its id's time), not from when it was said."""
    if not config.stale_after_hours:
        return
    limit = site.clock() - timedelta(hours=config.stale_after_hours)
    for agent in agents:
        newest = site.index.value(
            "SELECT max(id) FROM docs WHERE type = 'memory' AND agent = ?", agent.agent
        )
        if newest and _accepted(str(newest)) < limit.timestamp():
            message = f"nothing was remembered for more than {config.stale_after_hours} hours"
            yield Problem("stale", f"agents/{agent.agent}", message, "check what feeds it")


def _accepted(memory_id: str) -> float:
    """Return the Unix time in a ULID's first ten characters (Crockford's base 32)."""
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    milliseconds = 0
    for letter in memory_id[:10]:
        milliseconds = milliseconds * 32 + max(alphabet.find(letter), 0)
    return milliseconds / 1000


def _waiting(site: Site) -> Iterator[Problem]:
    """Say why commits wait; asking git costs, so only when some do."""
    if not journal.names(site.root):
        return
    repository = site.door.repository
    why = repository.blocked() if repository else None
    if why:
        yield Problem(
            "uncommitted", "", f"commits wait: {why}", "finish it; the next command commits"
        )
    elif not git.available():
        yield Problem("uncommitted", "", "commits wait: there is no git", "install git")
