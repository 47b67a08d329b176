"""Every setting, once: its name, its default, what it may be; a vault's config file holds them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields

from vaultmem.errors import BadInput, BadSettings, TooNew

PATH = "config/memory_compaction.md"
FORMAT = 1
"""The vault format this program writes and the newest it reads."""

_AGENT = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}", re.ASCII)
_STRATEGIES = ("cascade", "rolling", "off")
_TRUE, _FALSE = frozenset({"true", "yes", "on"}), frozenset({"false", "no", "off"})

Raw = str | list["Raw"] | dict[str, "Raw"]


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a vault, valid as they stand."""

    format: int = FORMAT
    agent: str = ""
    owner: str = ""
    immediate_window: int = 64
    recent_window: int = 64
    layout: str = "month"
    profile: str = "summarizer"
    strategy: str = "cascade"
    strategies: tuple[tuple[str, str], ...] = ()
    resummarize_every: int = 16
    session_strategy: str = "auto"
    fold_from_turns: int = 50
    session_window_turns: int = 20
    session_window_tokens: int = 30_000
    distill_at_episodes: int = 8
    distill_episodes: int = 4
    compact_after_turns: int = 40
    compact_at_percent: int = 70
    context_window: int = 200_000
    session_compression: int = 25
    session_model_from: int = 50
    context_shares: tuple[int, ...] = (10, 60, 20, 10)
    context_episodes: int = 5
    context_topic_items: int = 20
    max_llm_calls_per_hour: int = 120
    max_tokens_per_day: int = 1_000_000
    dream: bool = True
    dream_apply: str = "never"
    dream_hours: int = 24
    dream_sessions: int = 5
    commit_human_edits: bool = True
    sync_every: int = 0
    max_memories: int = 100_000
    stale_after_hours: int = 168
    states: tuple[str, ...] = ()
    disabled_agents: tuple[str, ...] = ()
    disabled_sessions: tuple[str, ...] = ()

    def strategy_of(self, agent: str) -> str:
        """Return how *agent*'s memories are compacted: its own strategy, else everybody's."""
        return dict(self.strategies).get(agent, self.strategy)

    def chunk(self, *, first: bool) -> int:
        """Return how many memories the next short-term summary tells; the first, one more."""
        return self.recent_window + first

    def next_compaction(self, total: int, pending: int, *, first: bool) -> int:
        """Return how many of now *total* memories there will be when a compaction is due."""
        short = max(self.immediate_window - total, 0)
        return total + max(self.chunk(first=first) - pending, 0) + short


def _whole(low: int) -> Callable[[Raw], int]:
    def read(raw: Raw) -> int:
        if not isinstance(raw, str) or not re.fullmatch(r"\d{1,9}", raw) or int(raw) < low:
            raise ValueError(f"a whole number from {low} to 999999999")
        return int(raw)

    return read


def _percent(raw: Raw) -> int:
    if not isinstance(raw, str) or not re.fullmatch(r"[1-9]\d?|100", raw):
        raise ValueError("a whole number from 1 to 100")
    return int(raw)


def _yes_no(raw: Raw) -> bool:
    word = raw.lower() if isinstance(raw, str) else ""
    if word not in _TRUE | _FALSE:
        raise ValueError("true or false")
    return word in _TRUE


def interval(raw: Raw) -> int:
    """Return the seconds that a time such as `30s`, `5m` or `1h` says; 0 of `never`.

    Raises ValueError.
    """
    if raw == "never":
        return 0
    found = re.fullmatch(r"([1-9]\d{0,5})([smh])", raw) if isinstance(raw, str) else None
    if found is None:
        raise ValueError("a time such as 30s, 5m or 1h, or never")
    return int(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]]


def interval_text(seconds: int) -> str:
    """Return *seconds* as `interval` reads them."""
    if not seconds:
        return "never"
    size, unit = next(it for it in ((3600, "h"), (60, "m"), (1, "s")) if seconds % it[0] == 0)
    return f"{seconds // size}{unit}"


def _names(raw: Raw) -> tuple[str, ...]:
    if raw == "":
        return ()
    if not isinstance(raw, list) or not all(isinstance(x, str) for x in raw):
        raise ValueError("a list of names")
    return tuple(x for x in raw if isinstance(x, str))


def one_of(*allowed: str) -> Callable[[Raw], str]:
    """Return what reads an option that takes one of *allowed*; it raises ValueError."""

    def read(raw: Raw) -> str:
        if not isinstance(raw, str) or raw not in allowed:
            raise ValueError(f"one of {', '.join(allowed)}")
        return raw

    return read


def _agent_or_none(raw: Raw) -> str:
    if raw and (not isinstance(raw, str) or not _names_agent(raw)):
        raise ValueError("the name of an agent: lower-case letters, digits, - and _")
    return str(raw)


def _line(raw: Raw) -> str:
    if isinstance(raw, str):
        return " ".join(raw.split())
    raise ValueError("a name")


def _word(raw: Raw) -> str:
    if not isinstance(raw, str) or not _AGENT.fullmatch(raw):
        raise ValueError("a lower-case name")
    return raw


def _by_agent(raw: Raw) -> tuple[tuple[str, str], ...]:
    pairs = [tuple(x.partition(": ")[::2]) for x in _names(raw)]
    if not all(_names_agent(agent) and what in _STRATEGIES for agent, what in pairs):
        raise ValueError(f'a list of "AGENT: STRATEGY", each one of {", ".join(_STRATEGIES)}')
    return tuple((agent, what) for agent, what in pairs)


def _percents(raw: Raw) -> tuple[int, ...]:
    listed = [x for x in raw if isinstance(x, str) and re.fullmatch(r"[1-9]\d?", x)]
    if isinstance(raw, str) or len(listed) != len(raw) or len(raw) != _SHARES:
        raise ValueError("a list of four whole numbers from 1 up that sum to 100")
    found = tuple(map(int, listed))
    if sum(found) != 100:  # noqa: PLR2004  # percent
        raise ValueError(f"four numbers that sum to 100, and these sum to {sum(found)}")
    return found


_SHARES = 4

OPTIONS: Mapping[str, Callable[[Raw], object]] = {
    "format": _whole(1),
    "agent": _agent_or_none,
    "owner": _line,
    "immediate_window": _whole(1),
    "recent_window": _whole(1),
    "layout": one_of("month", "day"),
    "profile": _word,
    "strategy": one_of(*_STRATEGIES),
    "strategies": _by_agent,
    "resummarize_every": _whole(0),
    "session_strategy": one_of("auto", "compact", "fold"),
    "fold_from_turns": _whole(1),
    "session_window_turns": _whole(1),
    "session_window_tokens": _whole(1),
    "distill_at_episodes": _whole(1),
    "distill_episodes": _whole(1),
    "compact_after_turns": _whole(1),
    "compact_at_percent": _percent,
    "context_window": _whole(1000),
    "session_compression": _percent,
    "session_model_from": _percent,
    "context_shares": _percents,
    "context_episodes": _whole(0),
    "context_topic_items": _whole(0),
    "max_llm_calls_per_hour": _whole(0),
    "max_tokens_per_day": _whole(0),
    "dream": _yes_no,
    "dream_apply": one_of("never", "safe", "all"),
    "dream_hours": _whole(0),
    "dream_sessions": _whole(0),
    "commit_human_edits": _yes_no,
    "sync_every": interval,
    "max_memories": _whole(0),
    "stale_after_hours": _whole(0),
    "states": _names,
    "disabled_agents": _names,
    "disabled_sessions": _names,
}


def load(raw: Mapping[str, Raw]) -> Config:
    """Return the config that the frontmatter *raw* states; what it does not name has its default.

    Raises TooNew for a newer vault format and BadSettings for values that cannot be, or that
    contradict each other.
    """
    _check_format(raw.get("format", str(FORMAT)))
    known = {f.name for f in fields(Config)}
    if wrong := [*faults(raw, OPTIONS)]:
        raise BadSettings(PATH, wrong)
    read = Config(**{k: OPTIONS[k](raw[k]) for k in OPTIONS if k in known and k in raw})  # type: ignore[arg-type]
    if read.distill_episodes > read.distill_at_episodes:
        why = (
            f"is {read.distill_episodes}, and distill_at_episodes is {read.distill_at_episodes}: "
            "no more can be distilled than wait"
        )
        raise BadSettings(PATH, [("distill_episodes", why)])
    return read


def faults(
    raw: Mapping[str, Raw], options: Mapping[str, Callable[[Raw], object]]
) -> Iterator[tuple[str, str]]:
    """Yield the keys of *raw* whose values its *options* do not take, each with why."""
    for name in options:
        if name in raw and (takes := _taken_instead(options[name], raw[name])):
            yield name, f"is {raw[name]!r}, it takes {takes}"


def _check_format(raw: Raw) -> None:
    if isinstance(raw, str) and re.fullmatch(r"[0-9]{1,9}", raw) and int(raw) <= FORMAT:
        return
    raise TooNew(str(raw), FORMAT)


def _taken_instead(read: Callable[[Raw], object], raw: Raw) -> str:
    """Return what *read* takes where it does not take *raw*, else ""."""
    try:
        read(raw)
    except ValueError as e:
        return str(e)
    return ""


def _names_agent(text: str) -> bool:
    return bool(_AGENT.fullmatch(text)) and not text.endswith(".") and ".." not in text


VAULT_AGENT = "@vault"
"""What stands for the agent that a vault means where nobody is named; no agent is called so."""


def agent_name(text: str) -> str:
    """Return *text* when it can name an agent; raises BadInput (a name becomes a folder)."""
    if _names_agent(text):
        return text
    # A mark of something private would take the rest of the sentence away, or stand in it.
    named = "a text with < in it" if "<" in text else repr(text)
    raise BadInput(
        f"{named} cannot name an agent: use lower-case letters, digits, - and _, at most 63"
    )
