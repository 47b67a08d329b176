"""Sessions of Claude Code: `~/.claude/projects/<project>/<session>.jsonl`, an event a line.

What people and the agent said stays as it was said, also where the conversation was rewound later.
Tool calls and results are told in short; thinking, reminders and the program's own lines are not.
There is no official description of the format: what is unknown is skipped by its type.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from vaultmem.errors import BadInput
from vaultmem.exchange.formats import (
    bounded_lines,
    claude_code_dialogs,
    claude_code_prompt,
    claude_code_shown,
    discovery,
    tool_results,
)
from vaultmem.exchange.formats.bounded_lines import Line
from vaultmem.exchange.formats.json_fields import (
    as_text,
    every_text_in,
    object_of,
    objects_of,
    text_of,
)
from vaultmem.exchange.formats.types import Format, ImportedMessage, Item, MessageReader, Shown
from vaultmem.records import first_line

LONGEST = 64 * 1024 * 1024
"""Bytes of one line: a message with documents attached has some ten million."""

_CALL, _RESULT = 200, 500
"""Characters that are kept of a tool call's main argument, and of a tool's result."""

_MAIN = (
    "command", "file_path", "notebook_path", "path", "pattern", "query", "url", "description",
    "prompt", "skill", "subject", "question",
)  # fmt: skip
_NO_ANSWER = "No response requested."
"""What the program writes in the assistant's place."""

_NO_JSON = "Invalid JSON"
_TALK = frozenset(("user", "assistant"))
_SYSTEM = "system"
_PROGRAM = "Claude Code"
"""Who is told to have shown what stands in a line of the talk, where no tool is."""

_LONGEST_NAME = 200
"""Characters of a path, say, that comes again and again."""

NOTHING = "nothing said: thinking, reminders or empty"
"""Why a line with none of the talk in it is skipped."""

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}", re.ASCII)


def files(path: Path) -> Iterator[Path]:
    """Return the sessions that *path* is or holds, in the order of their names; follow no link."""
    return discovery.named(path, lambda name: name.endswith(".jsonl"), "session (*.jsonl)")


def read(path: Path) -> Iterator[Item]:
    """Yield what every line of a session is; raises OSError."""
    for _, items in read_from(path, 0, {}):
        yield from items


def read_from(
    path: Path, start: int, tools: dict[str, str]
) -> Iterator[tuple[int, Iterator[Item]]]:
    """Yield what every line from the byte *start* on is, and where it ends; raises OSError.

    A last line that has no end yet ends where it begins, to be read again. *tools* has the names
    of the tools that were called before, by the call's id, and gets those that are called here.
    """
    reader, end = _Reader(path, tools), start
    for line in bounded_lines.read(path, LONGEST, start):
        end = line.end if line.ended else end
        yield end, reader.line(line)


def read_in_full(
    path: Path, start: int, tools: dict[str, str], *, by_subagent: bool = False
) -> Iterator[tuple[int, Iterator[Item]]]:
    """Yield what `read_from` does, of tools what they showed; of a subagent's that alone."""
    reader, end = _Reader(path, tools, in_full=True), start
    for line in bounded_lines.read(path, LONGEST, start):
        end = line.end if line.ended else end
        yield end, reader.shown(line) if by_subagent else reader.line(line)


@dataclass(slots=True)
class _Reader:
    """One file being read: the tools that were called in it, by the call's id."""

    path: Path
    tools: dict[str, str] = field(default_factory=dict)
    in_full: bool = False
    """Whether what tools answered is left to what was shown: to be compared, and not to be kept."""
    asked: dict[str, Mapping[str, object]] = field(default_factory=dict)
    """What the person was asked by a tool, by the call's id."""
    told: set[str] = field(default_factory=set)
    """Words without a blank that were shown before, a folder, say, or the name of a model."""

    def line(self, line: Line) -> Iterator[Item]:
        """Yield what *line* says."""
        name, number = self.path.name, line.number
        try:
            event = _event(line)
        except BadInput as e:
            # A session that goes on is read while its last line is being written.
            half = not line.ended and e.args == (_NO_JSON,)
            yield Item(
                name, number, skipped="half a line" if half else "", fault="" if half else str(e)
            )
            return
        event = _typed_meanwhile(event) or event
        why = _why_not(event)
        items = [Item(name, number, skipped=why)] if why else self._messages(number, event)
        items[0] = replace(items[0], shown=self._shown(event, is_said=not why))
        yield from items

    def shown(self, line: Line) -> Iterator[Item]:
        """Yield what programs showed in *line*, to whomever."""
        with contextlib.suppress(BadInput):
            event = _event(line)
            self._messages(line.number, event)
            is_said = text_of(event, "type") == "assistant"
            if shown := self._shown(event, is_said=is_said):
                yield Item(self.path.name, line.number, shown=shown)

    def _messages(self, number: int, event: Mapping[str, object]) -> list[Item]:
        messages = self._event_messages(event)
        kept = [it for it in messages if not self.in_full or it.role != "tool"]
        items = [Item(self.path.name, number, message) for message in kept]
        return items or [Item(self.path.name, number, skipped=NOTHING)]

    def _shown(self, event: Mapping[str, object], *, is_said: bool) -> Shown | None:
        """Return what programs showed in *event*, what is no talk by the first tool's name."""
        found = claude_code_shown.texts(event, is_said=is_said, origin=_origin(event))
        texts = tuple(filter(self._is_new, found))
        ids = (text_of(block, "tool_use_id") for block in _blocks(event))
        tool = next((self.tools[it] for it in ids if it in self.tools), "")
        kind = text_of(event, "type")
        by = tool or (kind if _NAME.fullmatch(kind) and kind not in _TALK else "")
        return Shown.of(by or _PROGRAM, texts, text_of(event, "timestamp"))

    def _is_new(self, text: str) -> bool:
        if len(text) > _LONGEST_NAME or len(text.split(None, 1)) > 1:
            return True
        is_new = text not in self.told
        self.told.add(text)
        return is_new

    def _event_messages(self, event: Mapping[str, object]) -> Iterator[ImportedMessage]:
        """Yield the results of tools that *event* brings, then what it says itself."""
        role = text_of(event, "type")
        blocks = _blocks(event)
        # To shorten it takes longer than all else, and in full it is what was shown.
        kept = () if self.in_full else blocks
        results = [block for block in kept if block.get("type") == "tool_result"]
        parts = [
            (*self._result(b), "tool", self.tools.get(text_of(b, "tool_use_id"), "tool"))
            for b in results
        ]
        origin, texts, given = _origin(event), list[str](), list[str]()
        for block in blocks:
            text = self._part(block)
            if role == "user" and block.get("type") == "text":
                prompt = claude_code_prompt.read(text, origin)
                parts += ((sent.text, "", "tool", sent.by) for sent in prompt.sent)
                text = prompt.typed
            elif role == "user" and block.get("type") == "tool_result":
                text = self._typed_in(event, block)
            texts.append(text)
            if block.get("type") == "tool_use":
                given += every_text_in(block.get("input"))
        parts.append((_paragraphs(texts), _paragraphs(given), role, ""))
        uuid, session = text_of(event, "uuid"), text_of(event, "sessionId") or self.path.stem
        for n, (text, whole, who, tool) in enumerate((x for x in parts if x[0]), 1):
            yield ImportedMessage(
                text,
                uuid if n == 1 or not uuid else f"{uuid}.{n}",
                session,
                session,
                tool or who,
                who,
                text_of(event, "timestamp"),
                tool,
                whole=whole,
            )

    def _part(self, block: Mapping[str, object]) -> str:
        kind = text_of(block, "type")
        if kind == "text":
            return text_of(block, "text").strip()
        if kind in {"image", "document"}:
            return f"[{kind}]"
        return self._call(block) if kind == "tool_use" else ""

    def _result(self, block: Mapping[str, object]) -> tuple[str, str]:
        """Return what a tool answered in short, and all of it where that is more."""
        whole = _words(block.get("content")).strip()
        kept = claude_code_prompt.without_reminders(whole).strip()
        text = tool_results.shortened(kept, _RESULT)
        more = whole if text != whole else ""
        return f"error: {text}" if block.get("is_error") and text else text, more

    def _typed_in(self, event: Mapping[str, object], block: Mapping[str, object]) -> str:
        """Return what a person typed where a tool's answer tells of it."""
        call = text_of(block, "tool_use_id")
        tool, given = self.tools.get(call, ""), self.asked.get(call, {})
        return claude_code_dialogs.typed(event, block, tool, given)

    def _call(self, block: Mapping[str, object]) -> str:
        name = first_line(text_of(block, "name"), _CALL) or "tool"
        self.tools[text_of(block, "id")] = name
        given = block.get("input")
        if name == claude_code_dialogs.ASKS:
            self.asked[text_of(block, "id")] = object_of(given)
        what = _main(given) if isinstance(given, dict) else ""
        return f"[{name}: {what}]" if what else f"[{name}]"


def _event(line: Line) -> Mapping[str, object]:
    """Return the event of *line*, as one of whom it is of; raises BadInput for what is none."""
    if line.fault:
        raise BadInput(line.fault)
    try:
        line.text.encode()
        event = json.loads(line.text)
    except UnicodeEncodeError as e:
        raise BadInput("not UTF-8") from e
    except (ValueError, RecursionError) as e:
        raise BadInput(_NO_JSON) from e
    if not isinstance(event, dict):
        raise BadInput("no JSON object")
    return claude_code_dialogs.approved_plan(event) or event


def _typed_meanwhile(event: Mapping[str, object]) -> Mapping[str, object] | None:
    """Return the message that *event* attaches, which was typed while the agent worked, if any.

    It is worth no more than a line of the user's, with the sender that the program noted.
    """
    attached = object_of(event.get("attachment"))
    kinds = event.get("type"), attached.get("type"), attached.get("commandMode")
    if kinds != ("attachment", "queued_command", "prompt"):
        return None
    message = {"role": "user", "content": attached.get("prompt")}
    beside = {key: value for key, value in attached.items() if key != "prompt"}
    sender = event if _origin(event) not in claude_code_prompt.PERSONS else attached
    is_meta = event.get("isMeta") or attached.get("isMeta")
    noted = {key: sender.get(key) for key in ("origin", "promptSource")} | {"isMeta": is_meta}
    return {**event, **noted, "type": "user", "message": message, "attachment": beside}


def _why_not(event: Mapping[str, object]) -> str:
    """Say why *event* is no message of the conversation, "" when it is one."""
    kind = text_of(event, "type")
    if kind not in _TALK:
        return f"no message: {kind}" if _NAME.fullmatch(kind) else "no message"
    if event.get("isSidechain"):
        return "a subagent's"
    if event.get("isCompactSummary"):
        return "a summary of what was said before"
    is_marked = event.get("isMeta") or event.get("isVisibleInTranscriptOnly")
    if is_marked or (kind == "assistant" and _said(event) == [_NO_ANSWER]):
        return "added by the program"
    if event.get("isApiErrorMessage"):
        return "an error of the API"
    return "" if isinstance(event.get("message"), dict) else "no message"


def _said(event: Mapping[str, object]) -> list[str]:
    return [text_of(block, "text").strip() for block in _blocks(event)]


def _origin(event: Mapping[str, object]) -> str:
    """Return what kind of sender *event* names, "" for none.

    Where it names none, a prompt that nobody wrote has a source that says so.
    """
    kind = text_of(object_of(event.get("origin")), "kind")
    return kind or (_SYSTEM if event.get("promptSource") == _SYSTEM else "")


def _blocks(event: Mapping[str, object]) -> list[Mapping[str, object]]:
    message = event.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    found = content if isinstance(content, list) else []
    return [block for block in found if isinstance(block, dict)]


def _main(given: Mapping[str, object]) -> str:
    """Return a tool call's main argument, in one line; of questions to the person all of them."""
    asked = [text_of(it, "question") for it in objects_of(given.get("questions"))]
    if any(asked):
        return first_line(" ".join(filter(None, asked)), _CALL)
    texts = {key: value for key, value in given.items() if isinstance(value, str) and value.strip()}
    key = next((key for key in _MAIN if key in texts), next(iter(texts), ""))
    return first_line(texts.get(key, ""), _CALL)


def _paragraphs(texts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, texts))


def _words(content: object) -> str:
    if isinstance(content, list):
        blocks = [block for block in content if isinstance(block, dict)]
        words = (text_of(b, "text") or f"[{as_text(b.get('type')) or 'block'}]" for b in blocks)
        return "\n".join(words)
    return as_text(content)


FORMAT = Format(
    "claude-code",
    becomes=("turns", "memories"),
    help="sessions or folders of them, as turns",
    messages=MessageReader(files, lambda path, _: read(path), copies=True),
)
