"""What programs show in a line of Claude Code: all its words that nobody typed, and no agent wrote.

A tool, a page or a file may say its words in any field and block of a line. So that none of them
is missed there is no list of those that do: every text counts, however deep it lies, but what a
person typed, and what the agent wrote itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from vaultmem.exchange.formats import claude_code_prompt
from vaultmem.exchange.formats.json_fields import every_text_in, object_of, text_of, without

_ID = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"
    r"|(?:msg|req|toolu|srvtoolu)_[0-9A-Za-z]{16,32}"
)
"""What the program counts lines, messages and calls by: it tells nothing."""

_DATA = re.compile(r"(?:data:[\w/.+-]{1,80};base64,)?[A-Za-z0-9+/]+={0,2}")
_LONGEST_WORD = 1000
"""Characters of one word, beyond which letters and digits are the bytes of an image, say."""

_NUMBERS = re.compile(r"^ *\d+[\u2192\t]", re.MULTILINE)
"""Before the lines of a file that is read, which stands there a second time without them."""

_REPEATED = 200
"""Characters of a text that is left out where one text before it in the line has all of it."""


def texts(event: Mapping[str, object], *, is_said: bool, origin: str) -> list[str]:
    """Return what programs show in *event*.

    *is_said* where it is a person's message or the agent's own; *origin* is the kind of sender that
    the program noted, if any.
    """
    kept, longest = list[str](), ("", "")
    for text in filter(_may_tell, _every(event, origin, is_said=is_said)):
        if len(text) >= _REPEATED and any(text.rstrip() in look for look in longest):
            continue
        kept.append(text)
        if len(text) > len(longest[0]):
            longest = (text, _NUMBERS.sub("", text))
    return kept


def _may_tell(text: str) -> bool:
    if not text.strip() or _ID.fullmatch(text):
        return False
    return len(text) <= _LONGEST_WORD or _DATA.fullmatch(text) is None


def _every(event: Mapping[str, object], origin: str, *, is_said: bool) -> Iterator[str]:
    message = event.get("message")
    said = object_of(message)
    content = said.get("content")
    if text_of(event, "type") == "assistant":
        # What a subagent writes is its own, too, until the agent is told of it.
        is_own = is_said or event.get("isSidechain") is True
        yield from _beside(content) if is_own else every_text_in(content)
    elif event.get("isCompactSummary") is not True:
        # A summary is the agent's own. What it repeats of a tool is in the lines before.
        yield from _untyped(content, origin) if is_said else every_text_in(content)
    more = without(said, {"content"}) if said else message
    yield from every_text_in(more)
    yield from every_text_in(without(event, {"message"}))


def _beside(content: object) -> Iterator[str]:
    """Yield what stands in an agent's message beside what it wrote: results, what it cites."""
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            own = _own(text_of(block, "type"))
            yield from every_text_in(without(block, {own}))
        else:
            yield from every_text_in(block)
    if isinstance(content, dict):
        yield from every_text_in(content)


def _own(kind: str) -> str:
    """Return the field of a block of this *kind* that an agent writes itself, "" for none."""
    return "input" if kind.endswith("tool_use") else kind if kind in {"text", "thinking"} else ""


def _untyped(content: object, origin: str) -> Iterator[str]:
    """Yield what stands in a message of the user's role that no person typed."""
    for block in content if isinstance(content, list) else (content,):
        if isinstance(block, dict) and block.get("type") == "text":
            yield from _rest(text_of(block, "text"), origin)
            yield from every_text_in(without(block, {"text"}))
        elif isinstance(content, str):
            yield from _rest(content, origin)
        else:
            yield from every_text_in(block)


def _rest(text: str, origin: str) -> Iterator[str]:
    """Yield what is left of *text* without that which a person typed of it."""
    typed, text = claude_code_prompt.read(text, origin).typed, text.strip()
    if typed == text:
        return
    start = _same(text, typed)
    text, typed = text[start:], typed[start:]
    end = _same(text[::-1], typed[::-1])
    text, typed = text[: len(text) - end], typed[: len(typed) - end]
    for line in _lines(typed):
        text = text.replace(line, "", 1)
    yield text


def _lines(typed: str) -> Iterator[str]:
    """Yield the lines of what was *typed*, and of a command what it was given, too."""
    for line in filter(str.strip, typed.splitlines()):
        yield line
        if given := line.partition(" ")[2].strip():
            yield given


def _same(one: str, other: str) -> int:
    """Return with how many same characters both begin."""
    pairs: Iterable[tuple[str, str]] = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
