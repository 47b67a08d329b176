"""What a person said to Claude Code in a dialog of its own, and what stands in their role for it.

The program asks the person: which answer, may this call go on, is this plan good? What they type
there comes back inside a tool's result, and a plan that they approve as a message of theirs. So
nothing is known here by its words alone, which a tool or a page may say, too: it is by what the
program writes beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from vaultmem.exchange.formats import claude_code_prompt
from vaultmem.exchange.formats.json_fields import as_text, every_text_in, object_of, text_of

ASKS = "AskUserQuestion"
"""The tool whose result is what the person answered."""

_EDITS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit", "ExitPlanMode"})
"""Tools whose errors are in the program's own words: of any other, an error may be a page's."""

_REJECTED = "User rejected tool use"
_SAID = re.compile(
    r"The user doesn't want to proceed with this tool use\. The tool use was rejected \(eg\. if it "
    r"was a file edit, the new_string was NOT written to the file\)\. (?:To tell you how to "
    r"proceed, the user said|The user provided the following reason for the rejection):\s*"
)
_NOTE = "\n\nNote: The user's next message may contain a correction or preference."
"""How the program goes on behind what the person said."""

_BETWEEN = ", "
"""What stands between several answers to one question."""


def approved_plan(event: Mapping[str, object]) -> Mapping[str, object] | None:
    """Return the message of the agent's that *event* is where a person approved a plan, else None.

    The program begins a session with it, in the person's role.
    """
    if text_of(event, "type") != "user" or not text_of(event, "planContent"):
        return None
    kept = {key: value for key, value in event.items() if key != "planContent"}
    return {**kept, "type": "assistant"}


def typed(
    event: Mapping[str, object],
    result: Mapping[str, object],
    tool: str,
    given: Mapping[str, object],
) -> str:
    """Return what a person typed of the *result* of *tool* that *event* brings, "" for nothing.

    *given* is what the agent called the tool with, as far as it is known: that is not theirs.
    """
    said = _answers(event, given) if tool == ASKS else _reason(event, result, tool)
    return "\n".join(filter(None, (claude_code_prompt.read(text).typed for text in said)))


def _answers(event: Mapping[str, object], given: Mapping[str, object]) -> Iterator[str]:
    """Yield the answers in a person's own words: the options are the agent's, or a page's."""
    came = object_of(event.get("toolUseResult"))
    offered = [*every_text_in(dict(given)), *every_text_in(came.get("questions"))]
    if not offered:
        return
    notes = (object_of(it).get("notes") for it in object_of(came.get("annotations")).values())
    for answer in (*object_of(came.get("answers")).values(), *notes):
        for text in answer if isinstance(answer, list) else (answer,):
            yield _own(as_text(text), offered)


def _own(answer: str, offered: list[str]) -> str:
    """Return *answer* without what was *offered*."""
    rest = f"{_BETWEEN}{answer.strip()}{_BETWEEN}"
    for text in sorted({it.strip() for it in offered}, key=len, reverse=True):
        rest = rest.replace(f"{_BETWEEN}{text}{_BETWEEN}", _BETWEEN) if text else rest
    return rest.removeprefix(_BETWEEN).removesuffix(_BETWEEN).strip()


def _reason(event: Mapping[str, object], result: Mapping[str, object], tool: str) -> Iterator[str]:
    """Yield why a person rejected the call: by what the program alone can write beside it.

    Of questions nothing: the program repeats them there.
    """
    content = _text(result.get("content"))
    came, kind = event.get("toolUseResult"), event.get("toolDenialKind")
    is_theirs = kind == "user-rejected" or came == _REJECTED
    is_theirs = is_theirs or (not kind and tool in _EDITS and came == f"Error: {content}")
    found = _SAID.match(content)
    if is_theirs and found and result.get("is_error") is True:
        yield content[found.end() :].partition(_NOTE)[0].strip()


def _text(content: object) -> str:
    """Return the one text that the *content* of a result is."""
    if isinstance(content, list):
        return text_of(object_of(content[0]), "text") if len(content) == 1 else ""
    return as_text(content)
