"""A topic's file as a list and as a whole show it: its facts, however they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby

from vaultmem import records
from vaultmem.documents import bodies
from vaultmem.documents.bodies import markdown, prompt_blocks
from vaultmem.documents.bodies.bullets import plain_text
from vaultmem.documents.markdown import outline
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.knowledge.topics.types import Decision, Fact, Listed, RuledOut, Whole
from vaultmem.records import TOPIC_KINDS, Record, first_line, moment

WHY, HOW = "why", "how to apply"
_REASONED = frozenset({"feedback", "project"})
_LABEL = re.compile(rf"^[ \t]*\*\*({WHY}|{HOW})(?::\*\*|\*\*:)[ \t]*", re.IGNORECASE | re.MULTILINE)
_IDLE = re.compile(r"[-*_ ]{3,}|<!--.*-->")
# A bullet that only leads to those below it, and the box of a list of things to do.
_LEADS = (":", "\uff1a")
_BOX = re.compile(r"\A\[[ xX-]\] ")
_STALE = timedelta(days=30)
_TITLE = 80


def listed(record: Record, now: datetime) -> Listed:
    """Return *record* as a list shows it at the time *now*."""
    held = topic(record)
    return Listed(
        record.id,
        record.path,
        title(record),
        record.description or first_line(next((it.text for it in held.items), ""), _TITLE),
        record.kind,
        record.agent,
        record.created,
        record.updated or record.created,
        prompt_blocks.size(held),
        is_stale(record, now),
        lacks(record),
        trust=record.trust,
    )


def whole(record: Record, now: datetime) -> Whole:
    """Return all that *record* says."""
    held = topic(record)
    return Whole(
        id=record.id,
        path=record.path,
        title=title(record),
        description=record.description,
        kind=record.kind,
        agent=record.agent,
        created=record.created,
        updated=record.updated or record.created,
        trust=record.trust,
        stale=is_stale(record, now),
        facts=tuple(_fact(it) for it in held.facts if not it.text.endswith(_LEADS)),
        decisions=tuple(map(_decision, held.decisions)),
        ruled_out=tuple(map(_ruled_out, held.eliminated)),
        patterns=tuple(map(_fact, held.patterns)),
        body=record.body,
        lacks=lacks(record),
    )


def check_kind(kind: str) -> None:
    """Raise BadInput for a kind of topic that there is not."""
    if kind not in TOPIC_KINDS:
        raise BadInput(
            f"{quoted(kind)} is not a kind of topic: use one of {', '.join(TOPIC_KINDS)}"
        )


def is_meant(record: Record, ref: str) -> bool:
    """Tell whether *ref* names *record*: its id, path, name or title."""
    names = {record.path, record.path.removesuffix(".md"), record.stem, record.id}
    is_title = ref.casefold() == title(record).casefold()
    return ref in names or ref.upper() == record.id or is_title


def title(record: Record) -> str:
    """Return what *record* is called: its title, else its first heading, else its name."""
    if record.title:
        return record.title
    headings = (section.heading for section in outline.sections(record.body) if section.is_title)
    found = next((heading.text for heading in headings if heading), "")
    return first_line(plain_text(found.lstrip("#")), _TITLE) or record.stem


def topic(record: Record) -> bodies.Topic:
    """Return what *record* says as a topic: where it has no bullets, each paragraph is a fact.

    Claude Code writes one memory a file, with paragraphs `**Why:**` and `**How to apply:**`, which
    speak for all of it.
    """
    found = markdown.read_topic(record.body, record.stem, title(record), record.description)
    if prompt_blocks.size(found):
        return found
    parts = dict(_paragraphs(record.body))
    texts = list(_prose(_LABEL.split(record.body, 1)[0]))
    if parts and texts:
        texts = [" ".join(texts)]
    why, how = parts.get(WHY, ""), parts.get(HOW, "")
    return replace(found, facts=tuple(bodies.Fact(text, (), why, how) for text in texts))


def lacks(record: Record) -> tuple[str, ...]:
    """Return the labels that some fact of a feedback or project topic should carry, and does not.

    A paragraph with the label speaks for all facts.
    """
    if record.kind not in _REASONED:
        return ()
    facts, paragraphs = topic(record).facts, dict(_paragraphs(record.body))
    missing = {WHY: any(not fact.why for fact in facts), HOW: any(not fact.how for fact in facts)}
    return tuple(label for label in missing if missing[label] and label not in paragraphs)


def is_stale(record: Record, now: datetime) -> bool:
    """Tell whether *record* wants to be looked at again: by its dates, or unchanged for 30 days."""
    if record.superseded_by or records.is_over(record.valid_to, now):
        return True
    if record.stale_after:
        return records.is_over(record.stale_after, now)
    try:
        return now - moment(record.updated or record.created) > _STALE
    except BadInput:
        return False


def _fact(it: bodies.Fact) -> Fact:
    return Fact(_BOX.sub("", it.text), it.why, it.how, it.sources)


def _decision(it: bodies.TopicDecision) -> Decision:
    held = it.decision
    return Decision(held.decision, held.reason, held.constraint, it.how, it.sources)


def _ruled_out(it: bodies.TopicEliminated) -> RuledOut:
    return RuledOut(it.eliminated.approach, it.eliminated.why, it.sources)


def _prose(body: str) -> Iterator[str]:
    """Yield the paragraphs of *body* on one line each; headings, rules and comments are none."""
    for section in outline.sections(body):
        for has_text, lines in groupby(section.lines, key=lambda line: bool(line.bare)):
            kept = [line.bare for line in lines if has_text and not _IDLE.fullmatch(line.bare)]
            if text := plain_text("\n".join(kept)):
                yield text


def _paragraphs(body: str) -> Iterator[tuple[str, str]]:
    """Yield what stands behind each label that begins a line, up to the next one or a heading."""
    _, *parts = _LABEL.split(body)
    for label, text in zip(parts[::2], parts[1::2], strict=True):
        yield label.casefold(), plain_text(re.split(r"(?m)^#{1,6}\s", text)[0])
