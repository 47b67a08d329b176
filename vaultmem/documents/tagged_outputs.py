"""What a tool answered, between tags in a line that a person is said to have typed.

Programs that know two roles alone put a result there, `<tool_result>…</tool_result>`, or remind an
agent of something. What stands in such a tag may say its end, and begin another, so it goes from
the first one to the last end; what is around it is the person's.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.documents import speakers
from vaultmem.documents.hidden_text import INVISIBLE

_UNSEEN = re.compile(f"[{INVISIBLE}]+")
_TAG = re.compile(
    rf"<\\?(?P<end>/?)[{INVISIBLE}]*(?:\w{{1,20}}:)?"
    rf"(?P<name>[a-z][\w.{INVISIBLE}-]{{1,60}})(?:\s[^>]{{0,1000}})?>",
    re.IGNORECASE,
)
"""A tag; what nobody sees in its name a model reads over."""
_STREAMS = ("stdout", "stderr")
_ANSWER = re.compile(r"(?:result|response|output|return)s?")
_NAMED = frozenset((
    "system-reminder", "fetched-web-content", "mcp-resource", "untrusted_external_data",
))  # fmt: skip

_IN_A_SENTENCE = re.compile(r"[^\W_] ")
"""Ahead of a tag that a person speaks of, rather than a program puts."""
_CLOSES = re.compile(r"[ \t]*(?:\r?\n|\Z)")
_SAYS_SOMETHING = 4
"""So many words between a tag and one that closes a line are what they were put around."""

_ENDS_SPOKEN = frozenset(" ,.;:?!)`'\"")


class Parted(NamedTuple):
    """What of a line is its speaker's *own*, and what was *tagged* in it, with the first *tag*."""

    own: str
    tagged: str = ""
    tag: str = ""


def read(text: str) -> Parted:
    """Return whose words *text* has; of a tag that is not closed they are all its speaker's.

    Unless all of the text stands behind it.
    """
    if "<" not in text:
        return Parted(text)
    tags = [it for it in _TAG.finditer(text) if _is_a_tools(_seen(it["name"]))]
    last = next((it for it in reversed(tags) if it["end"]), None)
    first = next((it for it in tags if not it["end"] and not _is_spoken_of(text, it, last)), None)
    if first is None:
        return Parted(text)
    ends = [it.end() for it in tags if it["end"] and it.start() >= first.end()]
    ahead = text[: first.start()]
    if not ends and ahead.strip():
        return Parted(text)
    end = ends[-1] if ends else len(text)
    behind = text[end:].lstrip() if ahead[-1:].isspace() else text[end:]
    own, tag = f"{ahead}{behind}".strip(), _seen(first["name"]).lower()
    return Parted(own, text[first.start() : end], tag)


def _is_a_tools(name: str) -> bool:
    letters = re.sub(r"[\W\d_]+", "", name.lower())
    if name.lower() in _NAMED or letters.endswith(_STREAMS):
        return True
    *_, last = speakers.words_of(name) or ("",)
    return _ANSWER.fullmatch(last) is not None and speakers.speaks_for_a_tool(name)


def _seen(name: str) -> str:
    return _UNSEEN.sub("", name)


def _is_spoken_of(text: str, tag: re.Match[str], last: re.Match[str] | None) -> bool:
    """Tell whether a person names *tag*; *last* is the last end of one.

    Not where that closes a line, and what stands between them says something.
    """
    ahead = text[max(tag.start() - 2, 0) : tag.start()]
    if ahead.endswith("`"):
        return True
    between = text[tag.end() : last.start()] if last and _CLOSES.match(text, last.end()) else ""
    if len(between.split(None, _SAYS_SOMETHING)) >= _SAYS_SOMETHING:
        return False
    return bool(_IN_A_SENTENCE.fullmatch(ahead)) and text[tag.end() : tag.end() + 1] in _ENDS_SPOKEN
