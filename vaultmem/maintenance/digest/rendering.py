"""Lay a digest out on one page: sections of one-line items, for a terminal or as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from vaultmem.maintenance.digest.content import MOST
from vaultmem.maintenance.digest.types import (
    Correction,
    Counts,
    Digest,
    Dream,
    Earlier,
    Loss,
    Outcome,
    Proposed,
)

_MOST = 6
_MEMORIES = "Memories"
_ACTIVE = re.compile(r"<(?=[A-Za-z/!?])|!(?=\[)|\[(?=\[)|%%|```|\\")
_DATED = re.compile(r"(?:On )?\d{4}-\d\d-\d\d\b")
_NO_LINK = re.compile(r"[\[\]|#^`\\]")


@dataclass(frozen=True, slots=True)
class Item:
    """One line: what it says, and the file that says more."""

    text: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, if any, and its lines; what is not *main* is part of the main one above it."""

    heading: str
    items: tuple[Item, ...] = ()
    main: bool = True


def title(found: Digest) -> str:
    """Return the headline: the period."""
    return f"Memory digest, {_minute(found.since)} to {_minute(found.until)}"


def sections(found: Digest) -> Iterator[Section]:
    """Yield what there is to say, most important first; a section without a word is left out."""
    yield Section("", (Item(_counted(found.learnt.counts)),))
    for heading, parts in (
        ("Learnt", _learnt(found)),
        ("Corrected", _corrected(found)),
        ("Forgotten", {"": list(map(_loss, found.forgotten))}),
        ("Dreams", _dreams(found)),
        ("Still open", _open(found)),
    ):
        shown = [(name, items) for name, items in parts.items() if items]
        if shown:
            yield Section(heading)
            for name, items in shown:
                most = MOST if name == _MEMORIES else _MOST
                yield Section(name, _cut(items, most), main=False)
    if found.degraded_reason:
        yield Section("", (Item(found.degraded_reason),))


def markdown(found: Digest) -> str:
    """Return the page as Markdown that can be piped into a note: nothing quoted acts in it."""
    blocks = [f"# {title(found)}", *(b for s in sections(found) for b in _blocks(s))]
    return "\n\n".join(blocks) + "\n"


def _blocks(section: Section) -> Iterator[str]:
    if section.heading:
        yield f"{'##' if section.main else '###'} {section.heading}"
    bullet = "" if section.main else "- "
    if section.items:
        yield "\n".join(f"{bullet}{_quoted(i.text)}{_link(i.path)}" for i in section.items)


def _quoted(text: str) -> str:
    """Return *text* so that no HTML, link, comment or fence begins in it."""
    return _ACTIVE.sub(lambda found: f"\\{found[0]}", text)


def _link(path: str) -> str:
    if not path:
        return ""
    if _NO_LINK.search(path) or not path.endswith(".md"):
        return f" ({_quoted(path)})"
    return f" ([[{path.removesuffix('.md')}]])"


def _counted(counts: Counts) -> str:
    who = ", ".join(f"{agent} {n}" for agent, n in counts.by_agent.items())
    counted = [
        _many(counts.memories, "memory", "memories", f" learnt ({who})"),
        f"{counts.untrusted} untrusted and not shown" if counts.untrusted else "",
        _many(counts.sessions, "session", "sessions", " held"),
        _old(counts.earlier),
        _many(counts.summaries, "short-term summary", "short-term summaries"),
        _many(counts.episodes, "episode", "episodes"),
        _many(counts.topics, "new topic", "new topics"),
        _many(counts.cards, "new card", "new cards"),
        _many(counts.commits, "commit", "commits"),
    ]
    return (", ".join(filter(None, counted)) or "Nothing was learnt, corrected or forgotten") + "."


def _old(it: Earlier) -> str:
    days = f" of {it.first}" if it.first == it.last else f" of {it.first} to {it.last}"
    brought = [
        _many(it.memories, "memory", "memories", days),
        _many(it.sessions, "session", "sessions"),
    ]
    told = " and ".join(filter(None, brought))
    return f"{told} brought in from before" if told else ""


def _many(number: int, one: str, many: str, after: str = "") -> str:
    return f"{number} {one if number == 1 else many}{after}" if number else ""


def _learnt(found: Digest) -> dict[str, list[Item]]:
    it = found.learnt
    return {
        _MEMORIES: [Item(_line(m.said, m.speaker or m.agent, m.text), m.path) for m in it.memories],
        "Topics and cards": [
            Item(f"{_day(n.date)} {n.title}: {n.description}", n.path) for n in it.topics
        ],
        "Decisions": _outcomes(it.decisions),
        "Preferences": _outcomes(it.preferences),
        "In short": [Item(_line(s.date, s.agent, s.text), s.path) for s in it.summaries],
    }


def _line(date: str, who: str, text: str) -> str:
    day = "" if _DATED.match(text) else f"{_day(date)} "
    return f"{day}{who}: {text}" if who else f"{day}{text}"


def _outcomes(outcomes: Iterable[Outcome]) -> list[Item]:
    return [Item(f"{_line(o.date, '', o.text)}{_because(o)}", o.path) for o in outcomes]


def _because(outcome: Outcome) -> str:
    return f" (why: {outcome.why})" if outcome.why else ""


def _corrected(found: Digest) -> dict[str, list[Item]]:
    def of(kind: str, say: Callable[[Correction], str]) -> list[Item]:
        return [Item(say(c), c.path) for c in found.corrected if c.kind == kind]

    return {
        "By hand": of("edit", lambda c: f"{_day(c.date)} {_change(c, 'line')}"),
        "Corrections": of("correct", lambda c: f"{_day(c.date)} {c.text}"),
        "Topics": of("topic", lambda c: f"{_day(c.date)} {c.text} {_change(c, 'bullet')}"),
        "Summaries": of("summary", lambda c: f"{_day(c.date)} {c.text}"),
    }


def _change(correction: Correction, noun: str) -> str:
    plural = noun if correction.added + correction.removed == 1 else f"{noun}s"
    return f"+{correction.added} -{correction.removed} {plural}"


def _loss(loss: Loss) -> Item:
    """Return what is gone in a line; a link to it would only invite to make it anew."""
    return Item(f"{_day(loss.date)} {loss.path or loss.id}{': ' * bool(loss.reason)}{loss.reason}")


def _dreams(found: Digest) -> dict[str, list[Item]]:
    return {
        "Applied": [_applied(d) for d in found.dreams if not d.undone],
        "Taken back": [_applied(d) for d in found.dreams if d.undone],
        "To be reviewed": [_proposed(p) for p in found.open.dreams],
    }


def _proposed(it: Proposed) -> Item:
    changes = _many(it.changes, "change", "changes")
    return Item(f"{_day(it.date)} {changes}, {it.ticked} ticked", it.path)


def _applied(dream: Dream) -> Item:
    kinds = ", ".join(f"{kind} {count}" for kind, count in dream.counts.items())
    return Item(f"{_day(dream.date)} {dream.text}{': ' * bool(kinds)}{kinds} ({dream.op})")


def _open(found: Digest) -> dict[str, list[Item]]:
    it = found.open
    inbox = [Item(PurePosixPath(path).stem, path) for path in it.inbox]
    review = [Item(f"{it.review} untrusted in inbox/review")] if it.review else []
    return {
        "Questions": _outcomes(it.questions),
        f"Inbox ({len(it.inbox) + it.review})": inbox + review,
        "Summarized offline, in a model's place": _outcomes(it.degraded),
    }


def _cut(items: list[Item], most: int) -> tuple[Item, ...]:
    """Return the first of *items*, and how many more there are."""
    rest = [Item(f"and {len(items) - most} more, all of them as JSON")] if items[most:] else []
    return (*items[:most], *rest)


def _day(date: str) -> str:
    return date[:10]


def _minute(date: str) -> str:
    return date[:16].replace("T", " ")
