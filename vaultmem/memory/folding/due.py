"""Which turns are to become episodes, and which episodes topics: pure, from what the files say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from vaultmem.config import Config
from vaultmem.errors import BadInput
from vaultmem.memory.folding import own_calls, pleasantries
from vaultmem.records import Record, is_trusted, moment
from vaultmem.storage.transcripts import Turn

ENDED = "vaultmem:ended"
"""The origin of the turn that says a session is over."""

CARRIED = "folded:"
"""How the origins begin of what a folded memory brought: its session goes on here."""

EXPORTED = "vault:"
"""How the origins begin of turns that another vault exported and that had none there."""

_QUIET = timedelta(days=1)
_NUMBERED = re.compile(r"episode-(\d{1,9})\b")

Manner = Literal["compact", "fold"]
_Full = Callable[[Sequence[Turn]], bool]


@dataclass(frozen=True, slots=True)
class Folded:
    """The turns that one episode tells of, counted from 1, both ends included."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive turns that become one episode."""

    first: int
    turns: tuple[Turn, ...]

    @property
    def last(self) -> int:
        """The number of its last turn."""
        return self.first + len(self.turns) - 1


@dataclass(frozen=True, slots=True)
class Held:
    """A session as it is: all its turns, what episodes tell of already, and whether it is over."""

    session: str
    turns: tuple[Turn, ...]
    folded: tuple[Folded, ...]
    over: bool


def faults(turns: Sequence[Turn], told: Sequence[Record]) -> Iterator[tuple[str, str, str]]:
    """Yield (code, path, message) for what is wrong with a session's episodes.

    Together they tell of a session of these *turns* from the first on, without a gap, each turn
    once. Turns whose words are elsewhere need none, nor do pleasantries. An experience tells of a
    task, whichever its turns were.
    """
    end = 0
    ours = (it for it in told if not it.outcome)
    for it in sorted(ours, key=lambda e: (e.turn_start, e.id)):
        where = f"turns {it.turn_start} to {it.turn_end}"
        if not 1 <= it.turn_start <= it.turn_end <= len(turns):
            yield "bad-episode", it.path, f"{where} of a session that has {len(turns)}"
            continue
        if it.turn_start <= end:
            yield "episode-overlap", it.path, f"{where}: {end} is covered by another episode, too"
        elif not _needs_none(turns[end : it.turn_start - 1]):
            yield "episode-gap", it.path, f"{where}: no episode covers turn {end + 1} and later"
        end = max(end, it.turn_end)


def _needs_none(turns: Sequence[Turn]) -> bool:
    return all(map(is_elsewhere, turns)) or pleasantries.are_all(_spoken(turns))


def manner(config: Config, turns: int) -> Manner:
    """Return how a session of so many *turns* is kept small, by the config's `session_strategy`.

    Below `fold_from_turns` one compact serves a session better than episodes.
    """
    if config.session_strategy == "auto":
        return "fold" if turns >= config.fold_from_turns else "compact"
    return "fold" if config.session_strategy == "fold" else "compact"


def is_elsewhere(turn: Turn) -> bool:
    """Tell whether the words of *turn* are not here: a folded memory has only told of it."""
    return not turn.content and turn.origin.startswith(CARRIED)


def is_closed(turns: Sequence[Turn]) -> bool:
    """Tell whether a session was ended, or imported as one that is over.

    One that another vault exported is only where it was closed there.
    """
    origin = turns[-1].origin if turns else ""
    return bool(origin) and not origin.startswith((CARRIED, EXPORTED))


def over(turns: Sequence[Turn], *, newest: bool, now: datetime) -> bool:
    """Tell whether a session is over.

    It is when it is closed, and when it is not the agent's *newest* and was quiet for a day. A turn
    without a time says nothing of that.
    """
    if not turns:
        return False
    if is_closed(turns):
        return True
    try:
        return not newest and now - moment(turns[-1].at) >= _QUIET
    except BadInput:
        return False


def unfolded(held: Held) -> tuple[Stretch, ...]:
    """Return the runs of turns that no episode tells of, in order; not those without words."""
    folded = {n for part in held.folded for n in range(part.first, part.last + 1)}
    folded |= {n for n, turn in enumerate(held.turns, 1) if is_elsewhere(turn)}
    runs: list[list[int]] = []
    for n in range(1, len(held.turns) + 1):
        if n in folded:
            continue
        if runs and runs[-1][-1] == n - 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    return tuple(Stretch(run[0], held.turns[run[0] - 1 : run[-1]]) for run in runs)


def stretches(held: Held, config: Config) -> tuple[Stretch, ...]:
    """Return the stretches of a session that are to become episodes now.

    A gap before the newest episode is filled: that one was taken away, or could not be read.
    """
    if config.session_strategy == "compact":
        return ()
    lives = manner(config, len(held.turns)) == "fold"
    full = partial(_is_full if lives else _is_too_heavy, config)
    made: list[Stretch] = []
    for run in unfolded(held):
        if held.over or run.last < len(held.turns):
            made += _cut(run, full)
        elif lives:
            made += _flushed(run, full)
    return tuple(s for s in made if not pleasantries.are_all(_spoken(s.turns)))


def _spoken(turns: Iterable[Turn]) -> list[Turn]:
    told = (turn for turn in turns if turn.origin != ENDED)
    return [replace(turn, content=own_calls.without(turn)) for turn in told]


def _cut(stretch: Stretch, full: _Full) -> list[Stretch]:
    """Cut *stretch* in halves until each of them fits: an episode tells of no more than that."""
    if not full(stretch.turns):
        return [stretch]
    older, newer = _halves(stretch)
    return [*_cut(older, full), *_cut(newer, full)]


def _flushed(window: Stretch, full: _Full) -> list[Stretch]:
    """Flush older halves until the window fits."""
    made: list[Stretch] = []
    while full(window.turns):
        older, window = _halves(window)
        made += _cut(older, full)
    return made


def _halves(stretch: Stretch) -> tuple[Stretch, Stretch]:
    half = len(stretch.turns) // 2
    older, newer = stretch.turns[:half], stretch.turns[half:]
    return Stretch(stretch.first, older), Stretch(stretch.first + half, newer)


def _is_full(config: Config, turns: Sequence[Turn]) -> bool:
    """Tell whether *turns* are more than the window holds."""
    return len(turns) > config.session_window_turns or _is_too_heavy(config, turns)


def _is_too_heavy(config: Config, turns: Sequence[Turn]) -> bool:
    # A turn alone stays whole, however long.
    return len(turns) > 1 and sum(t.tokens for t in turns) > config.session_window_tokens


def to_distill(episodes: Sequence[Record], config: Config) -> tuple[Record, ...]:
    """Return the episodes to distill now: the oldest `distill_episodes`, when enough of them wait.

    Experiences are none of them: what they have in common becomes a skill. Nor is what tools
    alone said: a topic that took it up would be no more trusted than that.
    """
    folded = (e for e in episodes if not e.distilled and not e.outcome)
    waiting = sorted((e for e in folded if is_trusted(e)), key=lambda e: (e.created, e.id))
    if len(waiting) < config.distill_at_episodes:
        return ()
    return tuple(waiting[: config.distill_episodes])


def number(stems: Iterable[str]) -> int:
    """Return the number of an agent's next episode, whose files have these *stems* so far."""
    taken = (int(found[1]) for stem in stems if (found := _NUMBERED.match(stem)))
    return max(taken, default=0) + 1
