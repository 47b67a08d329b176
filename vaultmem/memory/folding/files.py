"""Episodes and topics as files: new ones whole, those that exist changed where they must be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Episode, Topic, markdown, topic_editor
from vaultmem.memory.compaction import human_lines
from vaultmem.memory.folding.due import Stretch
from vaultmem.nlp.tasks import Made
from vaultmem.records import Record, first_line
from vaultmem.storage import files
from vaultmem.storage.plan import Change

Head = dict[str, str | float | Sequence[str] | None]

_HOOK, _TITLE, _SLUG = 160, 80, 40
_LINKS = 96


_KEYS = frozenset({
    "id", "type", "title", "description", "agent", "created", "updated", "trust", "importance",
    "session", "turn_range_start", "turn_range_end", "sources", "origin", "model", "prompt",
    "faithfulness", "coverage", "written", "degraded",
})  # fmt: skip
"""What the program writes into the frontmatter of an episode."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where an episode comes from: whose session it is, which part of it, and its trust."""

    agent: str
    session: str
    transcript: str
    stretch: Stretch
    trust: str


def episode(source: Source, made: Made[Episode], number: int, identity: tuple[str, str]) -> Change:
    """Return the new file of an episode, the agent's *number*-th; *identity* is its id and time."""
    head = _head(source, made, number, identity)
    text = frontmatter.new(_present(head), markdown.render_episode(made.value))
    return Change(path(source.agent, number, str(head["title"])), None, text.encode(), _why(source))


def _head(source: Source, made: Made[Episode], number: int, identity: tuple[str, str]) -> Head:
    new_id, now = identity
    return {
        "id": new_id,
        "type": "episode",
        "title": _title(source.stretch, made.value, source.trust) or f"Episode {number}",
        "description": first_line(made.value.summary, _HOOK),
        "agent": source.agent,
        "created": source.stretch.turns[-1].at or now,
        "trust": source.trust,
        "session": source.session,
        "turn_range_start": source.stretch.first,
        "turn_range_end": source.stretch.last,
        "sources": [f"[[{source.transcript}]]"],
        **_writer(made, markdown.render_episode(made.value)),
    }


def _why(source: Source) -> str:
    return f"turns {source.stretch.first} to {source.stretch.last} of {source.session}"


def path(agent: str, number: int, title: str) -> str:
    """Return where *agent*'s *number*-th episode lies."""
    name = "-".join(x for x in (f"episode-{number:04}", _slug(title)) if x)
    return f"agents/{agent}/episodes/{name}.md"


def _slug(title: str) -> str:
    """Return a file's name for *title*; of people whose names ASCII cannot hold, `talk`."""
    parts = files.slug(title, _SLUG).split("-")
    is_bare = "and" in parts and not any(part.isalpha() and part != "and" for part in parts)
    return (
        "-".join("talk" if part == "and" else part for part in parts)
        if is_bare
        else "-".join(parts)
    )


def _title(stretch: Stretch, told: Episode, trust: str) -> str:
    # It becomes a name, which stands in lists and logs: no tool gives one.
    if trust == "untrusted":
        return f"What tools said in turns {stretch.first} to {stretch.last}"
    return first_line(told.title, _TITLE)


def again(old: Record, data: bytes, made: Made[Episode], now: str, trust: str) -> Change:
    """Return the change that tells an episode again, in its place, a person's lines among it.

    *trust* is that of the turns it is now told from.
    """
    body = markdown.render_episode(made.value)
    head: Head = {
        "description": first_line(made.value.summary, _HOOK),
        "updated": now,
        "trust": trust,
        **_writer(made, body),
    }
    return Change(
        old.path, data, _updated(data, head, human_lines.among(body, old)), "rewritten by a model"
    )


def persons_part(old: Record, data: bytes) -> bytes:
    """Return a note of what a person wrote into an *old* episode, whose file is *data*.

    b"" for nothing. It is no episode: another one tells of these turns.
    """
    own, _ = human_lines.split(old)
    title = f"What a person wrote of turns {old.turn_start} to {old.turn_end} of {old.session}"
    return human_lines.note(first_line(title, _TITLE), frontmatter.read(data), _KEYS, own)


def says(old: Record, made: Made[Episode]) -> bool:
    """Tell whether our lines of the *old* episode are those that were *made*."""
    return human_lines.written(markdown.render_episode(made.value)) == old.written


def renamed(
    old: Record, data: bytes, source: Source, made: Made[Episode], identity: tuple[int, str, str]
) -> Change:
    """Return the new file of an episode told again that its *old* title would give away.

    A person's lines and keys go along; *identity* is its number, its id, and now.
    """
    number, known, now = identity
    head = _head(source, made, number, (known, now))
    body = markdown.render_episode(made.value)
    text = _updated(data, head, human_lines.among(body, old))
    return Change(path(source.agent, number, str(head["title"])), None, text, _why(source))


def numbered(episode: Record) -> int:
    """Return which of its agent's the file of an *episode* says it is, 0 for none."""
    return int(episode.stem.split("-")[1]) if episode.stem[8:12].isdecimal() else 0


def distilled(path: str, data: bytes, now: str) -> Change:
    """Return the change that marks an episode as taken up by topics."""
    return Change(path, data, _updated(data, {"distilled": now}, None), "distilled into topics")


def refused(path: str, data: bytes, why: str) -> Change:
    """Return the change that says of an episode why a model's own telling was refused."""
    return Change(
        path,
        data,
        _updated(data, {"degraded": why}, None),
        "a model's answer did not pass the checks",
    )


def topic(
    agent: str, old: tuple[Topic, bytes] | None, made: Made[Topic], identity: tuple[str, str, str]
) -> Change:
    """Return the change that makes a topic's file say *made*; *identity* is its path, id and time.

    A person's prose in it stays byte for byte, and so does why a fact is so and how to apply it.
    """
    path, new_id, now = identity
    value = topic_editor.kept(old[0], made.value) if old else made.value
    if old is None:
        head = {
            "id": new_id, "type": "topic", "title": first_line(value.title, _TITLE),
            "description": first_line(value.description, _HOOK), "agent": agent, "created": now,
            "source": "agent", "trust": "agent", "sources": _links(value), **_by(made),
        }  # fmt: skip
        text = frontmatter.new(_present(head), markdown.render_topic(value))
        return Change(path, None, text.encode(), "new knowledge")
    before, data = old
    # Whoever wrote it before, from now on it holds an agent's words.
    head = {
        "description": first_line(value.description, _HOOK), "updated": now, "trust": "agent",
        "sources": _links(value), **_by(made),
    }  # fmt: skip
    doc = frontmatter.read(data)
    body = markdown.update_topic(doc.body, before, value)
    return Change(path, data, _updated(data, head, body), "what episodes say about it")


def _links(value: Topic) -> list[str]:
    facts = (s for fact in (*value.facts, *value.patterns) for s in fact.sources)
    decided = (s for it in value.decisions for s in it.sources)
    ruled_out = (s for it in value.eliminated for s in it.sources)
    # The newest of them: frontmatter has its limit, and each bullet names its own.
    known = sorted({*facts, *decided, *ruled_out})
    return [f"[[{s}]]" for s in known[-_LINKS:]]


def _by(made: Made[Topic]) -> Head:
    return {"model": made.model, "prompt": made.prompt, "degraded": made.degraded or None}


def _writer(made: Made[Episode], body: str) -> Head:
    return {
        "model": made.model,
        "prompt": made.prompt,
        "faithfulness": _rounded(made.faithfulness),
        "coverage": _rounded(made.coverage),
        "written": human_lines.written(body),
        "degraded": made.degraded or None,
    }


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 3)


def _present(head: Head) -> dict[str, str | float | Sequence[str]]:
    return {key: value for key, value in head.items() if value is not None}


def _updated(data: bytes, head: Head, body: str | None) -> bytes:
    doc = frontmatter.read(data)
    return frontmatter.render(frontmatter.update(doc, head, body)).encode()
