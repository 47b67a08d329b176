"""Episodes, experiences, topics, compacts as Markdown bodies: `parse(render(x)) == x`.

A person may edit them. Sections come in any order, at any level, in any case; a section of another
name and prose between the bullets are the person's, and parsing passes them by.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from vaultmem.documents.bodies import Episode, Experience, Outcome, SessionCompact, Topic
from vaultmem.documents.bodies import sections as _l
from vaultmem.documents.bodies.bullets import plain_text, prose_lines
from vaultmem.documents.bodies.topic_editor import update_topic
from vaultmem.documents.markdown.outline import Section, sections, words
from vaultmem.records import Record

__all__ = [
    "parse_compact",
    "parse_episode",
    "parse_experience",
    "parse_topic",
    "read_topic",
    "render_compact",
    "render_episode",
    "render_experience",
    "render_topic",
    "tells_turn",
    "update_topic",
]

_EPISODE = (
    _l.DECISIONS,
    _l.RULED_OUT,
    _l.OPEN_QUESTIONS,
    _l.CORRECTIONS,
    _l.PREFERENCES,
    _l.TOOL_RESULTS,
)
_WORDS: dict[Outcome, str] = {
    "success": "Success",
    "partial": "Partial success",
    "failure": "Failure",
    "feedback": "Feedback",
    "preference": "New preference",
    "tool": "New tool",
}
_OF_EPISODES = frozenset({"summary", *(words(listing.heading) for listing in _EPISODE)})
# At most 18 digits: no person counts further, and no integer is refused.
_TURN = re.compile(r"Compacted at turn (\d{1,18})\.", re.IGNORECASE)


def render_episode(episode: Episode) -> str:
    """Return the body of *episode*'s file; its title belongs in the frontmatter."""
    return _body(
        _prose(episode.summary),
        _l.DECISIONS.write(episode.decisions),
        _l.RULED_OUT.write(episode.eliminated),
        _l.OPEN_QUESTIONS.write(episode.open_questions),
        _l.CORRECTIONS.write(episode.corrections),
        _l.PREFERENCES.write(episode.preferences),
        _l.TOOL_RESULTS.write(episode.tool_results),
    )


def parse_episode(body: str, title: str = "") -> Episode:
    """Read an episode from its *body*; the summary is what stands above the first section."""
    found = sections(body)
    return Episode(
        title,
        _text(_opening(found)),
        _l.DECISIONS.read(found),
        _l.RULED_OUT.read(found),
        _l.OPEN_QUESTIONS.read(found),
        _l.CORRECTIONS.read(found),
        _l.PREFERENCES.read(found),
        _l.TOOL_RESULTS.read(found),
    )


def render_experience(experience: Experience) -> str:
    """Return the body of *experience*'s file; its outcome opens the section of that name."""
    outcome = "\n".join([_WORDS[experience.outcome], experience.result])
    return _body(
        _prose(experience.task, "Task"),
        _prose(experience.approach, "Approach"),
        _prose(outcome, "Outcome"),
        _l.KEY_DECISIONS.write(experience.decisions),
        _l.USER_FEEDBACK.write(experience.feedback),
        _l.TOOLS.write(experience.tools),
        _l.LESSONS.write(experience.lessons),
    )


def parse_experience(body: str, outcome: Outcome = "success") -> Experience:
    """Read an experience from its *body*; *outcome* is what its frontmatter says.

    What the body says of that counts first: it is what a person sees, and mends.
    """
    found = sections(body)
    first, _, rest = _text(_called(found, "Outcome")).partition("\n")
    named = next((o for o, name in _WORDS.items() if words(name) == words(first)), None)
    return Experience(
        _text(_called(found, "Task")),
        named or outcome,
        _text(_called(found, "Approach")),
        rest if named else f"{first}\n{rest}".strip(),
        _l.KEY_DECISIONS.read(found),
        _l.USER_FEEDBACK.read(found),
        _l.TOOLS.read(found),
        _l.LESSONS.read(found),
    )


def render_topic(topic: Topic) -> str:
    """Return the body of *topic*'s file; slug, title and description are not in it."""
    return _body(
        _l.FACTS.write(topic.facts),
        _l.TOPIC_DECISIONS.write(topic.decisions),
        _l.TOPIC_RULED_OUT.write(topic.eliminated),
        _l.PATTERNS.write(topic.patterns),
    )


def topic_of(record: Record) -> Topic:
    """Return the topic that the file of *record* is."""
    return parse_topic(record.body, record.stem, record.title, record.description)


def parse_topic(body: str, slug: str, title: str, description: str) -> Topic:
    """Read a topic from the sections of its *body* that a program writes."""
    found = sections(body)
    return Topic(
        slug,
        title,
        description,
        _l.FACTS.read(found),
        _l.TOPIC_DECISIONS.read(found),
        _l.TOPIC_RULED_OUT.read(found),
        _l.PATTERNS.read(found),
    )


def read_topic(body: str, slug: str, title: str, description: str) -> Topic:
    """Read a topic from its *body*, bullets below a person's own headings as facts, too.

    `update_topic` changes none of those: they stay as they were written.
    """
    found = parse_topic(body, slug, title, description)
    return replace(found, facts=(*found.facts, *_l.own_facts(sections(body))))


def render_compact(compact: SessionCompact) -> str:
    """Return the body of a session's *compact*."""
    return _body(
        f"Compacted at turn {compact.compacted_at_turn}.",
        _prose(compact.task, "Task"),
        _prose(compact.current_state, "Current state"),
        _l.KEY_DECISIONS.write(compact.key_decisions),
        _l.RULED_OUT.write(compact.eliminated_approaches),
        _l.OPEN_QUESTIONS.write(compact.open_questions),
        _l.NEXT_STEPS.write(compact.next_steps),
        _l.TOOL_RESULTS.write(compact.relevant_tool_results),
    )


def parse_compact(body: str) -> SessionCompact:
    """Read a session's compact from its *body*; turn 0 where none is named."""
    found = sections(body)
    return SessionCompact(
        _text(_called(found, "Task")),
        _text(_called(found, "Current state")),
        _l.KEY_DECISIONS.read(found),
        _l.RULED_OUT.read(found),
        _l.OPEN_QUESTIONS.read(found),
        _l.NEXT_STEPS.read(found),
        _l.TOOL_RESULTS.read(found),
        _turn(found),
    )


def tells_turn(line: str) -> bool:
    """Tell whether *line* of a session's compact says up to which turn that tells, as ours does."""
    return _TURN.fullmatch(line.strip()) is not None


def _body(*parts: str) -> str:
    return "\n\n".join(filter(None, parts)) + "\n" * any(parts)


def _prose(text: str, heading: str = "") -> str:
    """Return *text*, a line for each of its lines, as a section where it has a *heading*."""
    lines = list(map(_line, prose_lines(text)))
    return "\n".join([*([f"## {heading}"] * bool(heading)), *lines]) if lines else ""


def _line(line: str) -> str:
    return rf"{line[:-1]}\." if _TURN.fullmatch(line) else line


def _text(found: Sequence[Section]) -> str:
    prose = (line for section in found for line in section.prose() if not _TURN.fullmatch(line))
    return "\n".join(filter(None, map(plain_text, prose)))


def _called(found: Sequence[Section], heading: str) -> list[Section]:
    return [section for section in found if section.name == words(heading)]


def _opening(found: Sequence[Section]) -> list[Section]:
    """Return the sections that hold a summary; a title on top of all does not hide it."""
    first, named = found[0], _called(found, "Summary")
    if not first.prose():
        named = [s for s in found[1:2] if s.is_title and s.name not in _OF_EPISODES] + named
    return [first, *named]


def _turn(found: Sequence[Section]) -> int:
    lines = (line for section in found for line in section.prose())
    turns = (int(hit[1]) for line in lines if (hit := _TURN.fullmatch(line)))
    return next(turns, 0)
