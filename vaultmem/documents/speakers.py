"""Who said a line of a conversation that another program saved, by a closed set of shapes.

A line is a person's or an agent's where its role is one of theirs, or where it has none, a name;
nothing that it says of a tool makes it so. Whatever else speaks is nobody whose word is known.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Literal

from vaultmem.documents.foreign_fields import CASE_TURN, key_of, plain, texts

Who = Literal["talker", "tool", "unknown"]
"""Whose line it is: somebody's who talks, a tool's, or that of none who is known."""

_TALKERS = frozenset((
    "user", "human", "person", "people", "assistant", "ai", "agent", "bot", "model", "gpt",
    "chatgpt", "claude", "gemini", "llama", "copilot", "speaker", "author",
    "me", "you", "customer", "client", "caller", "operator", "support", "admin", "owner", "member",
    "participant", "guest", "host", "student", "teacher", "tutor", "doctor", "patient", "therapist",
    "interviewer", "interviewee", "moderator", "narrator", "character", "peer", "friend", "mother",
    "father", "partner", "colleague", "manager", "coach", "nutzer", "benutzer", "mensch",
))  # fmt: skip
"""The roles of those who talk; a number or a letter may tell several apart, `speaker_2`."""

_NAMES_OF_TOOLS = (
    r"tools?|functions?|observations?|ipython|environment|mcp|browser|plugin|web(?:page|site)?"
)
_CALLS = r"(?:call|use|execution|invocation)"
_PROGRAMS = frozenset(("system", "developer"))
"""The roles of what a program put before an agent: it may be a page, and nobody here said it."""

_OF_A_TOOL = re.compile(
    rf"{_NAMES_OF_TOOLS}|(?:(?:{_NAMES_OF_TOOLS}|page|search|fetch|command|shell|bash|terminal|code|python"
    rf"|interpreter|computer|server|custom|local|execution){_CALLS}?)+"
    r"(?:results?|responses?|outputs?|returns?|answers?|reply)"
    rf"|(?:{_NAMES_OF_TOOLS}|page|fetch){_CALLS}?(?:message|content)"
)
"""Who speaks where a tool does, or what a tool gave back, in letters alone; its call is none."""

_OWNER = frozenset(("", "user", "human", "me"))
"""Under which whoever owns a vault speaks, besides a name."""

_LONGEST_NAME = 60

TOOL_WORDS = frozenset((
    "api", "atom", "bash", "bing", "bookmarklet", "browse", "browser", "browsing", "chrome",
    "clip", "clipped", "clipper", "clipping", "clippings", "command", "crawl", "crawled",
    "crawler", "curl", "download", "downloaded", "feed", "fetch", "fetched", "fetcher",
    "firefox", "function", "google", "grep", "html", "http", "https", "instapaper",
    "internet", "markdownload", "mcp", "newsletter", "omnivore", "online", "page",
    "playwright", "plugin", "pocket", "puppeteer", "raindrop", "readability", "readwise",
    "rss", "safari", "scrape", "scraped", "scraper", "search", "selenium", "shell", "stdout",
    "terminal", "tool", "tools", "url", "wallabag", "web", "webclipper", "webfetch",
    "webpage", "website", "websearch", "wget", "wikipedia",
))  # fmt: skip
"""What fetches, and what is fetched by it: in a source, and in what a line is called."""

_NO_NAMES = frozenset((
    "bash", "browser", "crawler", "curl", "fetch", "fetcher", "function", "grep", "mcp",
    "playwright", "puppeteer", "rss", "scraper", "selenium", "shell", "stdout", "terminal", "tool",
    "tools", "webclipper", "webfetch", "webpage", "websearch", "wget",
))  # fmt: skip
"""Those that nobody is called by: a person may be a Page, and a cat a Pocket."""

_FETCHERS = _NO_NAMES | {"search"}
"""What a name in one word with others ends in that is a tool's: `file_search`, `pageBrowser`."""

_CONNECTED = "connector"
"""What a name begins with of what reads mails or files elsewhere: `connector_gmail`."""

SPEAKERS = frozenset(("role", "from", "sender", "author"))
"""Keys of a message that say who speaks, of whatever type the text is."""

ACTORS = frozenset(("actor", "actor_id", "actor_name"))
"""Those of what a program took from a message, beside for whom it was kept."""

_OF_A_KIND = frozenset(("type", "kind", "message_type"))
"""Those of the line of a conversation: what has a type of its own may be a note about a tool."""

_SPEAK = SPEAKERS | ACTORS | {"speaker", "name"} | _OF_A_KIND

_ANSWERS = re.compile(
    r"(?:tool|function|plugin|mcp)(?:call|use|result|response|invocation|request|execution|output)?id"
    r"|(?:tool|function|plugin)name"
)
"""Keys, in letters alone, that name the call which a message answers, or the tool that does."""

_MORE = frozenset(("additional_kwargs", "metadata"))
"""Under which LangChain, among others, says so of its messages."""

_ASKS = frozenset(("call", "calls", "use", "uses", "request", "query", "invocation"))
"""What an agent's line is, last in its type, where it calls a tool."""


def named(name: str, owner: str) -> str:
    """Return *name*, or the vault's *owner* where that is a role in which the owner speaks."""
    return owner if name.casefold() in _OWNER else name


def of_line(line: Mapping[str, object]) -> Who:
    """Return who said the *line* of a conversation, however its program spells it.

    A tool speaks by its name or role (`tool`, `function_response`, `environment`), by its type
    (`mcp_tool_result`, `toolResult`), or where the line is the answer to a call; a program in the
    role of the `system`.
    """
    named = [(key_of(key), value) for key, value in line.items()]
    said = [
        (key, text)
        for of, value in named
        if of in _SPEAK
        for key, found in ([(of, value)] if not isinstance(value, Mapping) else _inside(value))
        for text in texts(found)
    ]
    more = (it for of, it in named if of in _MORE and isinstance(it, Mapping))
    answered = [*named, *((key_of(key), value) for it in more for key, value in it.items())]
    is_answer = any(answers_a_call(key, value) for key, value in answered)
    is_shown = any(key == "role" and plain(text) in _PROGRAMS for key, text in said)
    if is_answer or is_shown or any(speaks_for_a_tool(text) for _, text in said):
        return "tool"
    return "talker" if all(_may_talk(key, text) for key, text in said) else "unknown"


def _inside(value: Mapping[object, object]) -> Iterator[tuple[str, object]]:
    """Yield what a `sender` is called, and by which key: not how to find or to picture them."""
    return ((it, found) for key, found in value.items() if (it := key_of(key)) in _SPEAK)


def _may_talk(key: str, text: str) -> bool:
    if key in _OF_A_KIND:
        return not _is_fetched_kind(text)
    return (key != "role" or _is_a_talker(text)) and not _is_a_tools_name(text)


def says_who(line: Mapping[str, object], keys: AbstractSet[str]) -> bool:
    """Tell whether *line* names who spoke, under one of *keys*."""
    return any(key_of(key) in keys and [*texts(it)] for key, it in line.items())


def answers_a_call(key: str, value: object) -> bool:
    """Tell whether *key* names the call that a message answers; what is blank names none."""
    return _names_a_call(key) and bool(value.strip() if isinstance(value, str) else value)


@lru_cache(maxsize=256)
def _names_a_call(key: str) -> bool:
    return _ANSWERS.fullmatch(key.replace("_", "")) is not None  # asked of the same few keys


@lru_cache(maxsize=256)
def speaks_for_a_tool(name: str) -> bool:
    """Tell whether *name* is that of a tool, or of what one gave back."""
    letters = re.sub(r"[\W\d_]+", "", plain(name))
    return len(letters) <= _LONGEST_NAME and _OF_A_TOOL.fullmatch(letters) is not None


@lru_cache(maxsize=256)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a *name* in any notation, `web_fetch` or `WebFetch`."""
    spaced = CASE_TURN.sub(" ", unicodedata.normalize("NFKC", name))
    return tuple(filter(None, re.split(r"[\W_]+", plain(spaced))))


def _is_a_talker(role: str) -> bool:
    words = [word for word in words_of(role) if not word.isdigit() and len(word) > 1]
    return bool(words) and all(word.rstrip("0123456789") in _TALKERS for word in words)


def _is_a_tools_name(name: str) -> bool:
    """Tell whether somebody called *name* is a tool: all words of it are, and no person's.

    Written as a program writes names, in one word, it is by the last of them.
    """
    words = [word for word in words_of(name) if not word.isdigit()]
    if not words:
        return False
    if words[0] in {"mcp", "www", _CONNECTED} or "://" in name:
        return True
    if len(words) > 1 and words[-1] in _FETCHERS and not re.search(r"\s", name.strip()):
        return True
    return TOOL_WORDS.issuperset(words) and (len(words) > 1 or words[0] in _NO_NAMES)


def _is_fetched_kind(kind: str) -> bool:
    words = words_of(kind)
    return not TOOL_WORDS.isdisjoint(words) and words[-1] not in _ASKS and len(words) > 1
