"""Where a text says it comes from, and what that is worth: one reader for all that comes in.

Files and lines of other programs name a source under many keys, in any case, as an address, as the
name of a tool, or in a word of ours. What they say may lower trust and never raises it: above an
agent's word is only what the program itself, or a person through it, gave more (`attestations`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from vaultmem.records import TRUST, TRUST_OF_SOURCE, lowest

CEILING = "agent"
"""The most that a text is worth by its own word: who wrote a file cannot be told."""

BETWEEN = ", "

_SOURCES = frozenset((
    "source", "src", "via", "clipper", "clipped", "clip", "url", "uri", "href", "link", "permalink",
    "canonical", "tool", "quelle", "fuente", "fonte", "bron", "kilde", "källa",
))  # fmt: skip
_ENDINGS = ("_from", "_source", "_src", "_url", "_uri", "_link", "_href", "_via")
# Of a person's card, or of a task, `link: …` is a fact.
_WITH_FACTS = frozenset({"card", "task"})
_MADE = frozenset({"summary", "episode", "working", "index", "config", "supersession", "tombstone"})
"""Types whose body the program makes, and whose addresses are settings: `endpoint: …`."""

_POINTERS = frozenset((
    "title", "name", "description", "aliases", "alias", "image", "images", "cover", "banner",
    "thumbnail", "icon", "favicon", "avatar", "logo", "photo", "picture", "poster",
    "homepage", "website", "site", "repo", "repository", "issue", "ticket",
))  # fmt: skip
"""What a note is about or looks like: an address there is no word on who wrote the text."""

_OF_THEM = ("source", "src", "via", "clip")
_TOOLS = frozenset((
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
# What can only be a place of the web, or a mail: a letter or a book is a person's to have read.
_PLACES = frozenset((
    "arxiv", "bluesky", "email", "facebook", "github", "gitlab", "gmail", "hackernews", "imap",
    "instagram", "linkedin", "mail", "mastodon", "pinterest", "quora", "reddit", "smtp",
    "stackoverflow", "substack", "tiktok", "tumblr", "twitter", "vimeo", "youtube",
))  # fmt: skip
_SENDERS = frozenset(("from", "sender", "reply_to", "return_path", "message_id", "in_reply_to"))
"""Headers of a mail: an address there is who wrote it, a name may be anybody's."""

_NAMES_OF_TOOLS = (
    r"tools?|functions?|observations?|ipython|environment|mcp|browser|plugin|web(?:page|site)?"
)
_CALLS = r"(?:call|use|execution|invocation)"
_OF_A_TOOL = re.compile(
    rf"{_NAMES_OF_TOOLS}|(?:(?:{_NAMES_OF_TOOLS}|page|search|fetch|command|shell|bash|terminal|code|python"
    rf"|interpreter|computer|server|custom|local|execution){_CALLS}?)+"
    r"(?:results?|responses?|outputs?|returns?|answers?|reply|message|content)"
)
"""Who speaks where a tool does, or what a tool gave back, in letters alone; its call is none."""

_LONGEST_NAME = 60

_SPEAKERS = frozenset(("role", "from", "sender", "author"))
"""Keys of a message that say who speaks, of whatever type the text is."""

_FOREIGN = _SENDERS | _SPEAKERS | {"origin"}
"""Keys whose value may say that a tool or a mail spoke."""

_SPOKEN_BY = _SPEAKERS | {"speaker", "type", "kind", "message_type"}
"""Those of the line of a conversation: what has a type of its own may be a note about a tool."""

_ANSWERS = frozenset(("toolcallid", "tooluseid", "functioncallid", "toolresultid"))
"""Keys, in letters alone, that name the call which a message answers."""

_FETCHED_FIRST = re.compile(
    r"(?:(?:the|an?|die|eine?) )?(?:(?:web|search|tool|function|browser|mcp|internet) "
    r"(?:pages?|sites?|search|results?|outputs?|responses?|contents?|fetch|articles?)\b"
    r"|(?:web(?:page|site|fetch|search|clip)|url|mcp|browser|crawler|scraper)\b)"
)
"""How a sentence begins that names a page or a tool: `web page of the depot`."""

# Names of ours, wikilinks and keys of messages, which may look like a host and are none.
_LINKS = frozenset({"sources", "origin"})
_TAGS = frozenset({"clipping", "clippings", "webclip", "webclips", "webclipping", "webclippings"})
_SCHEME = re.compile(r"\b(?!file:)[a-z][a-z0-9+.-]*:/{2}", re.IGNORECASE)
_HOST = re.compile(
    r"(?:www\.\S+|(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?/\S*|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?:/\S*)?)"
)
_ADDRESS_ALONE = re.compile(r"(?:(?!file:)[a-z][a-z0-9+.-]*://|//|www\.)[^\s/]+\.[^\s]+")
_MAIL = re.compile(r"[^\s@<>,;]@(?:[\w-]+\.)+[^\W\d_]{2,}")
_TOML = re.compile(r"\s*\+{3}[ \t]*\r?\n(.*?)^\+{3}[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_TOML_LINE = re.compile(r"""^[ \t]*([\w.-]+)[ \t]*=[ \t]*["']+(.*?)["']+[ \t]*\r?$""", re.MULTILINE)
_SAID_FIRST = re.compile(
    r"[\s*_>#-]*(\w[\w -]{0,20}?)[*_ ]*:[*_ ]*(?:\[[^\]\n]*\]\(|<)?"
    r"((?:[a-z]+:)?//\S+|www\.\S+)",
    re.IGNORECASE,
)
_BARE_HOST = re.compile(r"(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?")
# A book in a folder is no host, whatever country its ending may be of.
_FILE = re.compile(r"\.(?:md|txt|pdf|docx?|csv|json|jsonl|epub|html?|rtf|odt|org|tex|py|sh)$")
_CASE_TURN = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SEPARATOR = re.compile(r"[\s+,;]+")
_NAME = 3
"""Words: what has more is no name of a tool."""
_JOINED = re.compile(r"[,;+]")
_EDGES = "()[]<>\"'.,;"


@dataclass(frozen=True, slots=True)
class Origin:
    """What a text says of itself.

    *source* is what it names under `source`. *worth* is the trust of the least that it names
    anywhere, at most an agent's. *claimed* is the trust that it asks for, "" when it asks for none.
    """

    source: str
    worth: str
    claimed: str

    @property
    def trust(self) -> str:
        """What it has by its own word: it may ask for less than it is worth, and for no more."""
        return lowest((self.worth, self.claimed or self.worth))

    def source_or(self, otherwise: str) -> str:
        """Return what it is kept as: `web` where what it names is, or may be, else *otherwise*."""
        return "web" if self.worth == "untrusted" else otherwise

    @property
    def wanted(self) -> str:
        """The trust that it asks for and has not, "" when there is none."""
        asks = self.claimed in TRUST and TRUST.index(self.claimed) > TRUST.index(self.trust)
        return self.claimed if asks else ""


def read(head: Mapping[str, object], kind: str = "", body: str = "") -> Origin:
    """Return what the *head* of a file, or the keys of a line, say of a text of the type *kind*.

    The *body* counts where it begins with a frontmatter in TOML or with a line `Source: …`; what
    else it mentions says nothing of who wrote it.
    """
    named = [(_key(key), value) for key, value in head.items()]
    leading = _leading(kind, body)
    inner = _nested([it for it in head.values() if not isinstance(it, str)])
    told = (*named, *inner, *leading)
    sources = [text for key, value in named if key == "source" for text in texts(value)]
    others = _sourced((*named, *leading), kind)
    tags = [t for key, value in named if key == "tags" for t in texts(value)]
    addressed = [t for key, value in named if key in _LINKS for t in texts(value)]
    fetched = (
        any(is_fetched(text) for text in (*sources, *others))
        or any(_plain(tag).replace("-", "").lstrip("#") in _TAGS for tag in tags)
        or any(_SCHEME.search(_plain(text)) for text in addressed)
        or any(_is_from_an_address(key, value, kind) for key, value in told)
        or any(_is_foreign(key, value, kind) for key, value in told if key in _FOREIGN)
        or any(_answers_a_call(key, value) for key, value in named)
    )
    worth = TRUST_OF_SOURCE["web"] if fetched else lowest([CEILING, *map(worth_of, sources)])
    claims = [_plain(t) for key, value in named if key == "trust" for t in texts(value)]
    claimed = lowest(claims) if claims else "untrusted" if "trust" in dict(named) else ""
    return Origin(BETWEEN.join(t.strip() for t in sources), worth, claimed)


def is_of_a_tool(line: Mapping[str, object]) -> bool:
    """Tell whether the *line* of a conversation is what a tool said, however its program spells it.

    By who speaks (`tool`, `function_response`, `environment`), by its type (`mcp_tool_result`,
    `toolResult`), or as the answer to a call.
    """
    named = [(_key(key), value) for key, value in line.items()]
    return any(
        (key in _SPOKEN_BY and any(map(_speaks_for_a_tool, texts(value))))
        or _answers_a_call(key, value)
        for key, value in named
    )


def _answers_a_call(key: str, value: object) -> bool:
    return bool(value) and key.replace("_", "") in _ANSWERS


@lru_cache(maxsize=256)
def _speaks_for_a_tool(name: str) -> bool:
    letters = re.sub(r"[\W\d_]+", "", _plain(name))
    return len(letters) <= _LONGEST_NAME and _OF_A_TOOL.fullmatch(letters) is not None


def _nested(value: object) -> Iterator[tuple[str, object]]:
    """Yield the keys inside the *value* of a key, however deep, with what they hold."""
    left = [value]
    while left:
        for key, inner in _inside(left.pop()):
            if key:
                yield key, inner
            left.append(inner)


def _sourced(pairs: Iterable[tuple[str, object]], kind: str) -> Iterator[str]:
    """Yield every text under a key that names a source, once, however many of them it is under."""
    left = list(pairs)
    while left:
        key, value = left.pop()
        if _names_source(key, kind):
            yield from texts(value)
        elif not isinstance(value, str):
            left.extend(_inside(value))


def _inside(value: object) -> Iterator[tuple[str, object]]:
    """Yield what *value* holds by its keys, what a list holds under ""."""
    if isinstance(value, Mapping):
        yield from ((_key(key), inner) for key, inner in value.items())
    elif isinstance(value, list | tuple):
        yield from (("", inner) for inner in value)


def _leading(kind: str, body: str) -> list[tuple[str, object]]:
    return [] if kind in _MADE or kind in _WITH_FACTS else _leading_keys(body)


def _leading_keys(body: str) -> list[tuple[str, object]]:
    """Return the keys with which *body* begins: a frontmatter in TOML, or a line `Source: …`."""
    if toml := _TOML.match(body):
        return [(_key(key), text) for key, text in _TOML_LINE.findall(toml[1])]
    first = _SAID_FIRST.match(body)
    return [(_key(first[1]), first[2])] if first and _names_source(_key(first[1]), "") else []


def _is_from_an_address(key: str, value: object, kind: str) -> bool:
    """Tell whether *value* is an address and nothing else, under a key that may tell the origin."""
    if kind in _WITH_FACTS or kind in _MADE or key in _POINTERS or not isinstance(value, str):
        return False
    if value.isascii() and "." not in value:
        return False
    return bool(_ADDRESS_ALONE.fullmatch(_plain(value).strip(_EDGES)))


def _is_foreign(key: str, value: object, kind: str) -> bool:
    """Tell whether *key* says that a tool spoke, a mail came, or in a word that it was fetched.

    Other words under `origin` are names of ours.
    """
    is_made = kind in _WITH_FACTS or kind in _MADE
    says_who = key == "role" or (key in _SPEAKERS and not is_made)
    if says_who and any(map(_speaks_for_a_tool, texts(value))):
        return True
    if key == "origin":
        return any(_plain(text) in _TOOLS | _PLACES for text in texts(value))
    if key in _SENDERS and not is_made:
        return any(_MAIL.search(_plain(text)) for text in texts(value))
    return False


@lru_cache(maxsize=256)
def is_fetched(source: str) -> bool:
    """Tell whether *source* is the web or a tool, whose words nobody here has written.

    By a word of ours, an address with or without its scheme, a mail's, or the name of a program
    that fetches or of a place of the web.
    """
    plain = _plain(source)
    words = (word.strip(_EDGES) for word in _SEPARATOR.split(plain))
    if (
        _SCHEME.search(plain)
        or _MAIL.search(plain)
        or any(_is_address(word) for word in words if word)
    ):
        return True
    if len(plain.split()) > _NAME:  # a sentence about it, as of a book or of somebody's words
        said = re.sub(r"[\W_]+", " ", _plain(source)).strip()
        return _FETCHED_FIRST.match(said) is not None
    spaced = _CASE_TURN.sub(" ", unicodedata.normalize("NFKC", source))
    parts = {*re.split(r"[\W_]+", _plain(spaced)), *re.split(r"[\W_]+", plain)}
    return not parts.isdisjoint(_TOOLS | _PLACES)


@lru_cache(maxsize=256)
def worth_of(source: str) -> str:
    """Return what the word of *source* is worth; of several, joined, that of the least."""
    if is_fetched(source):
        return TRUST_OF_SOURCE["web"]
    named = (part.strip() for part in _JOINED.split(_plain(source)))
    return lowest(TRUST_OF_SOURCE.get(name, CEILING) for name in named if name)


def texts(value: object) -> Iterator[str]:
    """Yield every text inside the *value* of a key, lists and mappings in order."""
    left = [value]
    while left:
        found = left.pop()
        if isinstance(found, str):
            if found.strip():
                yield found
        elif isinstance(found, Mapping):
            left.extend(reversed([*found.values()]))
        elif isinstance(found, list | tuple):
            left.extend(reversed(found))


@lru_cache(maxsize=256)
def _names_source(key: str, kind: str) -> bool:
    if kind in _WITH_FACTS:
        return key.startswith(_OF_THEM)
    return key in _SOURCES or key.startswith("source_") or key.endswith(_ENDINGS)


def _is_address(word: str) -> bool:
    word = word.removeprefix("//")
    if _HOST.fullmatch(word):
        return True
    return bool(_BARE_HOST.fullmatch(word)) and not _FILE.search(word)


@lru_cache(maxsize=256, typed=True)
def _key(key: object) -> str:
    # Asked for the same few keys of every file.
    return re.sub(r"[\s-]+", "_", _plain(_CASE_TURN.sub("_", str(key)))).strip("_")


def _plain(text: str) -> str:
    """Return *text* as it reads: one form of each letter, no case, nothing that is not seen."""
    if text.isascii() and text.isprintable():  # nearly always: nothing to fold or to leave out
        return text.lower().strip()
    folded = unicodedata.normalize("NFKC", text)
    seen = (c for c in folded if unicodedata.category(c) not in {"Cf", "Cc", "Mn"})
    return "".join(seen).casefold().strip()
