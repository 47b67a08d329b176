"""JSON lines, one message each: `{"id", "session", "speaker" or "role", "content", "at"}`.

Only `content` is required; `importance`, from 0 to 1, and `tags` are taken, too, and a date that
other programs call `timestamp` or `created_at`. In what `export json` wrote a line may be a note or
a turn, and says so by its `path`, its `type` and its `frontmatter`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.documents import frontmatter, speakers
from vaultmem.documents import origin as document_origin
from vaultmem.errors import BadInput, Unreadable
from vaultmem.exchange.formats import attribution, bounded_lines, shown_texts
from vaultmem.exchange.formats.bounded_lines import Line
from vaultmem.exchange.formats.json_fields import as_text, date, object_of, texts_of
from vaultmem.exchange.formats.types import (
    Format,
    ImportedMessage,
    Item,
    MessageReader,
    Shown,
    VaultNote,
    VaultTurn,
)
from vaultmem.storage.transcripts import Turn

if TYPE_CHECKING:
    from vaultmem.exchange.formats.jsonl_message import Message

LONGEST = 16 * 1024 * 1024
"""Bytes of one line: a memory has a hundredth of it, and other programs keep more beside it."""

OWN_KEY = "vault"
"""What names the memories of an export that were said in no session."""

YAML = "yaml"
"""Where a line has those lines of its frontmatter that say more than texts: numbers, yes and no."""

TURN = "turn"
_NOTES = frozenset(("topic", "card", "task", "skill", "note"))
"""What `export json` writes beside memories and turns, and is taken in again."""

_TELLING = frozenset(("role", "speaker", "type", "tags"))
"""The fields of a message that may say whose it is; what others it has does, too."""

_ROLE = frozenset({"role"})
_PARTS = frozenset(("text", "thinking", "reasoning"))
"""The parts of a message that its sender wrote, each under the name of its type."""

_CALLS = frozenset(("tool_calls", "function_call", "arguments", "args", "input"))
"""What an agent calls tools with: its own words."""

_DERIVED = frozenset(("summary", "episode", "file", "working"))
"""What it writes, too, and is made anew of what is taken in, or belongs to that vault alone."""


def read(path: Path) -> Iterator[Item]:
    """Yield every line of *path* that is not blank; raises OSError."""
    from vaultmem.exchange.formats.jsonl_message import parse  # noqa: PLC0415  # brings pydantic

    for line in bounded_lines.read(path, LONGEST):
        yield item(path.name, path.stem, line, parse)


def item(name: str, stem: str, line: Line, parse: Callable[[str], Message]) -> Item:
    """Return what the *line* of the file *name* says; *stem* is the session of what has none."""
    if line.fault:
        return Item(name, line.number, fault=line.fault)
    try:
        said = parse(line.text)
        kind = str(said.type) if said.path else ""
        if kind == TURN and _is_exported(said):
            return Item(name, line.number, turn=_turn(said))
        if _is_exported(said) and (kind in _NOTES or _is_experience(said)):
            return Item(name, line.number, note=_note(said))
        if kind in _NOTES | _DERIVED:
            article = "an" if kind == "episode" else "a"
            return Item(name, line.number, skipped=f"{article} {kind} of a vault, no message")
        return Item(name, line.number, _message(said, stem), shown=_shown(said))
    except BadInput as e:
        return Item(name, line.number, fault=str(e))


def _is_exported(said: Message) -> bool:
    """Tell whether the line has what `export json` writes of a file."""
    head = (said.model_extra or {}).get("frontmatter")
    return isinstance(said.path, str) and isinstance(head, dict)


def _is_experience(said: Message) -> bool:
    """Tell whether the line is an episode that somebody told: the others are made of turns."""
    return said.type == "episode" and bool(_head(said).get("outcome"))


def _head(said: Message) -> Mapping[str, object]:
    more = said.model_extra or {}
    return _typed(object_of(more.get("frontmatter")), as_text(more.get(YAML)))


def _typed(head: Mapping[str, object], lines: str) -> Mapping[str, object]:
    """Return *head* with those of its values in their own *lines* that these say."""
    try:
        found = frontmatter.verbatim(frontmatter.parse(f"---\n{lines}---\n"))
    except Unreadable:
        return head
    said = {key: it for key, it in found.items() if head.get(key) == it.value}
    return {**head, **said}


def _note(said: Message) -> VaultNote:
    return VaultNote(str(said.path), str(said.type), _head(said), said.content)


def _turn(said: Message) -> VaultTurn:
    """Return the turn that the line is; raises BadInput for one without its session or number."""
    more = said.model_extra or {}
    number = more.get("turn")
    since, tool, origin = (as_text(more.get(key)) for key in ("since", "tool", "origin"))
    if not said.session or not said.role or type(number) is not int or number < 1:
        raise BadInput("a turn says its `session`, its `role`, and its number, `turn`, from 1")
    turn = Turn(said.role, said.content, said.speaker or "", said.when, tool, origin, since=since)
    return VaultTurn(_agent(said), said.session, number, turn)


def _agent(said: Message) -> str:
    """Return whose the line was, "" where it is no vault's: others call other things an agent."""
    agent = (said.model_extra or {}).get("agent")
    return agent if isinstance(agent, str) and _is_exported(said) else ""


def _shown(said: Message) -> Shown | None:
    """Return what stands beside what was *said*: results, pages that were found for it, say."""
    if _is_exported(said):
        return None
    beside = {key: it for key, it in (said.model_extra or {}).items() if it != said.content}
    texts = shown_texts.of(_unsaid(beside), _CALLS)
    return Shown.of(shown_texts.A_PROGRAM, texts, date(said.when))


def _unsaid(found: object) -> object:
    """Return *found* without what is said in it again: a part that is text, or a whole message."""
    if isinstance(found, list):
        return [_unsaid(it) for it in found]
    if not isinstance(found, dict):
        return found
    kind = as_text(found.get("type"))
    talks = speakers.says_who(found, _ROLE) and speakers.of_line(found) == "talker"
    own = {kind} if kind in _PARTS else {"content", "text"} if talks else set()
    return {key: _unsaid(value) for key, value in found.items() if key not in own}


def _message(said: Message, stem: str) -> ImportedMessage:
    session = said.session or ("" if _is_exported(said) else stem)
    beside = {key: value for key, value in said if key in _TELLING} | (said.model_extra or {})
    origin = document_origin.read if _is_exported(said) else document_origin.of_message
    whose = attribution.of(beside, said.role or "", origin(beside))
    return ImportedMessage(
        said.content,
        "" if said.id is None else str(said.id),
        session or OWN_KEY,
        session,
        said.speaker or said.role or "",
        whose.role,
        said.when,
        source=whose.source,
        trust=whose.trust,
        importance=said.weight,
        unread_time=said.unread_time,
        tags=texts_of(said.tags),
        path=str(said.path) if _is_exported(said) else "",
        agent=_agent(said),
        supersedes=texts_of((said.model_extra or {}).get("supersedes")),
        more=_head(said) if _is_exported(said) else {},
    )


FORMAT = Format(
    "jsonl",
    becomes=("memories", "turns"),
    help='{"id", "session", "speaker", "content", "at"} a line',
    messages=MessageReader(
        lambda path: (path,), lambda path, _: read(path), strict=True, wanted="a JSONL file"
    ),
)
