"""What the daemon does when: its present as a value, and the times that follow from it.

Nothing here waits or looks at a clock: every time is an argument, in seconds of a clock that never
goes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from vaultmem.storage.commits import QUIET as _UNTOUCHED
from vaultmem.storage.daemon_lock import BEAT

Step = Literal["beat", "look", "answer", "condense", "settle", "embed", "dream", "sync", "pack"]
"""Say that one lives; scan; answer notes; compact; MEMORY.md and commits; vectors; dreams; sync;
pack what git has."""

LOOK = 2.0
"""From the first hint to the look: an editor writes a file several times."""
SCAN = 60.0
"""From one look to the next without any hint: hints get lost."""
POLL = 3.0
"""The same where the system gives no hints."""
QUIET = 2.0
"""From the last news to a compaction, or to vectors: an import is not over between two files."""
PATIENCE = 60.0
"""The same when news keep coming."""
REST = _UNTOUCHED + 0.5
"""From the last change to the commit of what people wrote, with the grain of a file's time."""
LONGEST = 120.0
"""The same when changes keep coming; each file rests for itself."""
SWEEP = 600.0
"""From one of these steps to its next time when nothing seems to have changed."""
PACK = 3600.0
"""From one look whether git has much to pack to the next, which waits until nothing changes."""
_FIRST_HOLD, _LONGEST_HOLD = 30.0, 600.0
_NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class Hold:
    """A step that failed: how often in a row, and until when it waits."""

    failures: int
    until: float


@dataclass(frozen=True, slots=True)
class Present:
    """What happened so far, each by its time; None where nothing waits to be done about it."""

    polling: bool = False
    beaten: float = _NEVER
    looked: float = _NEVER
    condensed: float = _NEVER
    settled: float = _NEVER
    embedded: float = _NEVER
    dreamt: float = _NEVER
    synced: float = _NEVER
    packed: float = _NEVER
    sync_every: int = 0
    """Seconds from one sync with the remote to the next; 0 for none."""
    hinted: float | None = None
    """The first hint since the last look."""
    news: float | None = None
    """The last look that found something."""
    unread: float | None = None
    """The first such look since the last compaction began."""
    unsettled: float | None = None
    """The first such look since the last commit round."""
    unembedded: float | None = None
    """The first such look since the last embedding began."""
    undreamt: float | None = None
    """The first such look since somebody last looked for ticked boxes, and for a dream due."""
    answerable: float | None = None
    """When the next note with a question will have rested."""
    busy: frozenset[Step] = frozenset()
    """Steps that are under way beside the loop."""
    halted: bool = False
    """A crowd of files is gone: nothing is written."""
    held: Mapping[Step, Hold] = field(default_factory=dict)


# --- what follows from it -----------------------------------------------------------------------


def due(now: Present, time: float) -> list[Step]:
    """Return the steps to take at *time*, in the order to take them."""
    return [step for step, when in _times(now) if when <= time]


def idle_time(now: Present, time: float) -> float:
    """Return for how many seconds from *time* nothing is to be done."""
    return max(min(when for _, when in _times(now)) - time, 0.0)


def _times(now: Present) -> Iterator[tuple[Step, float]]:
    for step, when in _wanted(now):
        if step not in now.busy:
            hold = now.held.get(step)
            yield step, max(when, hold.until) if hold else when


def _wanted(now: Present) -> Iterator[tuple[Step, float]]:
    yield "beat", now.beaten + BEAT
    anyway = now.looked + (POLL if now.polling else SCAN)
    yield "look", anyway if now.hinted is None else min(now.hinted + LOOK, anyway)
    if not now.halted:
        if now.answerable is not None:
            yield "answer", now.answerable
        yield "condense", _next_beside(now, now.unread, now.condensed)
        yield "settle", _when_quiet(now, now.unsettled, now.settled)
        yield "embed", _next_beside(now, now.unembedded, now.embedded)
        yield "dream", _when_quiet(now, now.undreamt, now.dreamt)
        yield "pack", max(now.packed + PACK, _NEVER if now.news is None else now.news + REST)
        if now.sync_every:
            yield "sync", now.synced + now.sync_every


def _next_beside(now: Present, since: float | None, done: float) -> float:
    """Return when to do what waits *since* a look for the news to end, and was *done* last."""
    if since is None or now.news is None:
        return done + SWEEP
    longest = since + PATIENCE
    return longest if now.hinted is not None else min(now.news + QUIET, longest)


def _when_quiet(now: Present, since: float | None, done: float) -> float:
    """Return when to do what waits *since* a look for files to rest, and was *done* last."""
    if since is None or now.news is None:
        return done + SWEEP
    return min(now.news + REST, since + LONGEST)


# --- what changes it ----------------------------------------------------------------------------


def after_hint(now: Present, time: float) -> Present:
    """Take note that something may have changed."""
    return now if now.hinted is not None else replace(now, hinted=time)


def after_beat(now: Present, time: float) -> Present:
    """Take note that the daemon said it lives."""
    return _free(replace(now, beaten=time), "beat")


def after_look(now: Present, time: float, *, news: bool, halted: bool) -> Present:
    """Take note of what a look found: by whatever hand, ours too."""
    seen = _free(replace(now, looked=time, hinted=None, halted=halted), "look")
    if not news:
        return seen
    unread = time if now.unread is None else now.unread
    unsettled = time if now.unsettled is None else now.unsettled
    unembedded = time if now.unembedded is None else now.unembedded
    undreamt = time if now.undreamt is None else now.undreamt
    return replace(
        seen, news=time, unread=unread, unsettled=unsettled, unembedded=unembedded,
        undreamt=undreamt,
    )  # fmt: skip


def after_reading(now: Present, sync_every: int) -> Present:
    """Take note of how often the settings want a sync, in seconds; 0 for never."""
    return replace(now, sync_every=sync_every)


def after_asking(now: Present, answerable: float | None) -> Present:
    """Take note of when the next note with a question will have rested."""
    return replace(now, answerable=answerable)


def after_commit(now: Present, time: float) -> Present:
    """Note that everything is committed but what was too young for it."""
    rested = now.news is None or now.news + REST <= time
    return _free(replace(now, settled=time, unsettled=None if rested else time), "settle")


def on_begin(now: Present, step: Step, time: float) -> Present:
    """Take note that *step* began beside the loop; what comes from now on is for its next time."""
    begun = replace(now, busy=now.busy | {step})
    if step == "condense":
        return replace(begun, unread=None, condensed=time)
    if step == "embed":
        return replace(begun, unembedded=None, embedded=time)
    if step == "dream":
        return replace(begun, undreamt=None, dreamt=time)
    if step == "sync":
        return replace(begun, synced=time)
    if step == "pack":
        return replace(begun, packed=time)
    return replace(begun, answerable=None)


def on_end(now: Present, step: Step) -> Present:
    """Take note that *step*, beside the loop, is over."""
    return _free(replace(now, busy=now.busy - {step}), step)


def on_failure(now: Present, step: Step, time: float) -> Present:
    """Let a step that could not be taken wait, twice as long each time."""
    failures = now.held[step].failures + 1 if step in now.held else 1
    hold = Hold(failures, time + min(_FIRST_HOLD * 2 ** (failures - 1), _LONGEST_HOLD))
    waits = replace(now, busy=now.busy - {step}, held={**now.held, step: hold})
    if step == "condense":
        return replace(waits, condensed=_NEVER)
    if step == "embed":
        return replace(waits, embedded=_NEVER)
    if step == "dream":
        return replace(waits, dreamt=_NEVER)
    if step == "sync":
        return replace(waits, synced=_NEVER)
    return replace(waits, answerable=time) if step == "answer" else waits


def _free(now: Present, step: Step) -> Present:
    return replace(now, held={s: hold for s, hold in now.held.items() if s != step})
