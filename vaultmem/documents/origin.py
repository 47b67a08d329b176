"""Where a text says it comes from, and what that is worth: one reader for all that comes in.

Files and lines of other programs name a source under many keys, in any case, as an address, as the
name of a tool, or in a word of ours. What they say may lower trust and never raises it: above an
agent's word is only what the program itself, or a person through it, gave more (`attestations`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from vaultmem.documents import source_lines
from vaultmem.documents.foreign_fields import key_of, plain, texts
from vaultmem.documents.speakers import (
    SPEAKERS,
    TOOL_WORDS,
    answers_a_call,
    says_who,
    speaks_for_a_tool,
    words_of,
)
from vaultmem.records import TRUST, TRUST_OF_SOURCE, lowest

CEILING = "agent"
"""The most that a text is worth by its own word: who wrote a file cannot be told."""

BETWEEN = ", "

_SOURCES = frozenset((
    "source", "src", "via", "clipper", "clipped", "clip", "url", "uri", "href", "link", "permalink",
    "canonical", "tool", "quelle", "originalquelle", "fuente", "fonte", "bron", "kilde", "källa",
))  # fmt: skip
_ENDINGS = ("_from", "_source", "_src", "_url", "_uri", "_link", "_href", "_via")
# Of a person's card, or of a task, `link: …` is a fact.
_WITH_FACTS = frozenset({"card", "task"})
_MADE = frozenset({"summary", "episode", "working", "index", "config", "supersession", "tombstone"})
"""Types whose body the program makes, and whose addresses are settings: `endpoint: …`."""

_TOLD = frozenset({"memory", "topic", "skill"})
"""Types of what somebody told here: a source that is named in it further down is one of a fact."""

_POINTERS = frozenset((
    "title", "name", "description", "aliases", "alias", "image", "images", "cover", "banner",
    "thumbnail", "icon", "favicon", "avatar", "logo", "photo", "picture", "poster",
    "homepage", "website", "site", "repo", "repository", "issue", "ticket",
))  # fmt: skip
"""What a note is about or looks like: an address there is no word on who wrote the text."""

_OF_THEM = ("source", "src", "via", "clip")
# What can only be a place of the web, or a mail: a letter or a book is a person's to have read.
_PLACES = frozenset((
    "arxiv", "bluesky", "email", "facebook", "github", "gitlab", "gmail", "hackernews", "imap",
    "instagram", "linkedin", "mail", "mastodon", "pinterest", "quora", "reddit", "smtp",
    "stackoverflow", "substack", "tiktok", "tumblr", "twitter", "vimeo", "youtube",
))  # fmt: skip
_SENDERS = frozenset(("from", "sender", "reply_to", "return_path", "message_id", "in_reply_to"))
"""Headers of a mail: an address there is who wrote it, a name may be anybody's."""

_FOREIGN = _SENDERS | SPEAKERS | {"origin"}
"""Keys whose value may say that a tool or a mail spoke."""

_FETCHED_FIRST = re.compile(
    r"(?:(?:the|an?|die|eine?) )?(?:(?:web|search|tool|function|browser|mcp|internet) "
    r"(?:pages?|sites?|search|results?|outputs?|responses?|contents?|fetch|articles?)\b"
    r"|(?:web(?:page|site|fetch|search|clip)|url|mcp|browser|crawler|scraper)\b)"
)
"""How a sentence begins that names a page or a tool: `web page of the depot`."""

# Names of ours, wikilinks and keys of messages, which may look like a host and are none.
_LINKS = frozenset({"sources", "origin"})

_META = frozenset(("meta", "metadata"))
_ABOUT = _LINKS | (_SENDERS - SPEAKERS) | {"role", "tags", "trust", "source_url"}
"""What else a message tells of its origin by: not its sender's address."""

_ADDRESSED = ("url", "uri", "href", "link", "canonical")
_OWN_ADDRESS = frozenset(_ADDRESSED)
_ROLE = frozenset({"role"})
_SPEAK = SPEAKERS | {"speaker"}
_CLIPPERS = frozenset((
    "clipping", "clippings", "instapaper", "markdownload", "omnivore", "raindrop", "readwise",
    "wallabag", "webclip", "webclipper", "webclippings", "webclipping", "webclips",
))  # fmt: skip
"""What a tag, a category or a folder of pages is called that were saved as notes."""

_SORTED = frozenset(("tags", "tag", "category", "categories", "collection", "type", "kind"))
"""Keys by which notes are sorted."""

_SCHEME = re.compile(r"\b(?!file:)[a-z][a-z0-9+.-]*:/{2}", re.IGNORECASE)
_HOST = re.compile(
    r"(?:www\.\S+|(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?/\S*|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?:/\S*)?)"
)
_ADDRESS_ALONE = re.compile(r"(?:(?!file:)[a-z][a-z0-9+.-]*://|//|www\.)[^\s/]+\.[^\s]+")
_MAIL = re.compile(r"[^\s@<>,;]@(?:[\w-]+\.)+[^\W\d_]{2,}")
_TOML = re.compile(r"\s*\+{3}[ \t]*\r?\n(.*?)^\+{3}[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_TOML_LINE = re.compile(r"""^[ \t]*([\w.-]+)[ \t]*=[ \t]*["']+(.*?)["']+[ \t]*\r?$""", re.MULTILINE)
_SAID_FIRST = re.compile(
    r"[\s*_>#-]*(\w[\w -]{0,20}?)[*_ ]*[:\uff1a][*_ ]*(?:\[[^\]\n]*\]\(|<)?"
    r"((?:[a-z]+:)?//\S+|www\.\S+)",
    re.IGNORECASE,
)
_BARE_HOST = re.compile(r"(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?")
# A book in a folder is no host, whatever country its ending may be of.
_FILE = re.compile(r"\.(?:md|txt|pdf|docx?|csv|json|jsonl|epub|html?|rtf|odt|org|tex|py|sh)$")
_SEPARATOR = re.compile(r"[\s+,;]+")
_NAME = 3
"""Words: what has more is no name of a tool."""
_JOINED = re.compile(r"[,;+]")
_EDGES = "()[]<>\"'.,;"


class Origin(NamedTuple):
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


def read(
    head: Mapping[str, object], kind: str = "", body: str = "", folders: Iterable[str] = ()
) -> Origin:
    """Return what the *head* of a file, or the keys of a line, say of a text of the type *kind*.

    The *body* counts where it begins with a frontmatter in TOML, or names its source in a line of
    its own below its title, or as the last one; what else it mentions says nothing of who wrote it.
    So does one of the *folders* that it lies in, if it is called by what saves pages.
    """
    named = [(key_of(key), value) for key, value in head.items()]
    leading = _leading(kind, body)
    inner = _nested([it for it in head.values() if not isinstance(it, str)])
    told = (*named, *inner, *leading)
    sources = [text for key, value in named if key == "source" for text in texts(value)]
    others = _sourced((*named, *leading), kind)
    sorts = [text for key, value in named if key in _SORTED for text in texts(value)]
    addressed = [t for key, value in named if key in _LINKS for t in texts(value)]
    fetched = (
        any(is_fetched(text) for text in (*sources, *others))
        or any(map(_is_clippers, (*sorts, *folders)))
        or any(_SCHEME.search(plain(text)) for text in addressed)
        or any(_is_from_an_address(key, value, kind) for key, value in told)
        or any(_is_foreign(key, value, kind) for key, value in told if key in _FOREIGN)
        or any(answers_a_call(key, value) for key, value in named)
    )
    worth = TRUST_OF_SOURCE["web"] if fetched else lowest([CEILING, *map(worth_of, sources)])
    claims = [plain(t) for key, value in named if key == "trust" for t in texts(value)]
    claimed = lowest(claims) if claims else "untrusted" if "trust" in dict(named) else ""
    return Origin(BETWEEN.join(t.strip() for t in sources), worth, claimed)


def of_message(line: Mapping[str, object]) -> Origin:
    """Return what the *line* of a conversation says of itself.

    Where it names who spoke, a link in it is none to what it was taken from: a picture's, that of
    an attachment, or, where the role says who it was, its own.
    """
    if not says_who(line, _SPEAK):
        return read(line)
    return read(_told(line, frozenset() if says_who(line, _ROLE) else _OWN_ADDRESS))


def _told(line: Mapping[str, object], links: AbstractSet[str]) -> dict[str, object]:
    """Return those keys of *line*, and of its `meta`, that are about where its text comes from."""
    named = [(key_of(key), str(key), value) for key, value in line.items()]
    kept = {key: value for name, key, value in named if name in links or _tells(name)}
    inner = [(key, it) for name, key, it in named if name in _META and isinstance(it, Mapping)]
    return {**kept, **{key: _told(value, links) for key, value in inner}}


def _tells(key: str) -> bool:
    return key in _ABOUT or (_names_source(key, "") and not key.endswith(_ADDRESSED))


@lru_cache(maxsize=256)
def _is_clippers(name: str) -> bool:
    """Tell whether *name*, `[[Clippings]]` or `clippings/tea`, is that of pages saved as notes."""
    first = plain(name).partition("/")[0].partition("|")[0]
    return re.sub(r"[\W\d_]+", "", first) in _CLIPPERS


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
        yield from ((key_of(key), inner) for key, inner in value.items())
    elif isinstance(value, list | tuple):
        yield from (("", inner) for inner in value)


def _leading(kind: str, body: str) -> list[tuple[str, object]]:
    """Return the keys that *body* names its source by: in TOML, or in a line of its own."""
    if kind in _MADE or kind in _WITH_FACTS:
        return []
    if toml := _TOML.match(body):
        return [(key_of(key), text) for key, text in _TOML_LINE.findall(toml[1])]
    if kind not in _TOLD:
        return [*source_lines.named(body)]
    first = _SAID_FIRST.match(body)
    return [(key_of(first[1]), first[2])] if first and _names_source(key_of(first[1]), "") else []


def _is_from_an_address(key: str, value: object, kind: str) -> bool:
    """Tell whether *value* is an address and nothing else, under a key that may tell the origin."""
    if kind in _WITH_FACTS or kind in _MADE or key in _POINTERS or not isinstance(value, str):
        return False
    if value.isascii() and "." not in value:
        return False
    return bool(_ADDRESS_ALONE.fullmatch(plain(value).strip(_EDGES)))


def _is_foreign(key: str, value: object, kind: str) -> bool:
    """Tell whether *key* says that a tool spoke, a mail came, or in a word that it was fetched.

    Other words under `origin` are names of ours.
    """
    is_made = kind in _WITH_FACTS or kind in _MADE
    says_who = key == "role" or (key in SPEAKERS and not is_made)
    if says_who and any(map(speaks_for_a_tool, texts(value))):
        return True
    if key == "origin":
        said = [*texts(value)]
        is_named = any(plain(text) in TOOL_WORDS | _PLACES for text in said)
        return is_named or any(map(speaks_for_a_tool, said))
    if key in _SENDERS and not is_made:
        return any(_MAIL.search(plain(text)) for text in texts(value))
    return False


@lru_cache(maxsize=256)
def is_fetched(source: str) -> bool:
    """Tell whether *source* is the web or a tool, whose words nobody here has written.

    By a word of ours, an address with or without its scheme, a mail's, or the name of a program
    that fetches or of a place of the web.
    """
    said = plain(source)
    words = (word.strip(_EDGES) for word in _SEPARATOR.split(said))
    if (
        _SCHEME.search(said)
        or _MAIL.search(said)
        or any(_is_address(word) for word in words if word)
    ):
        return True
    if len(said.split()) > _NAME:  # a sentence about it, as of a book or of somebody's words
        return _FETCHED_FIRST.match(re.sub(r"[\W_]+", " ", said).strip()) is not None
    parts = {*words_of(source), *re.split(r"[\W_]+", said)}
    return not parts.isdisjoint(TOOL_WORDS | _PLACES)


@lru_cache(maxsize=256)
def worth_of(source: str) -> str:
    """Return what the word of *source* is worth; of several, joined, that of the least."""
    if is_fetched(source):
        return TRUST_OF_SOURCE["web"]
    named = (part.strip() for part in _JOINED.split(plain(source)))
    return lowest(TRUST_OF_SOURCE.get(name, CEILING) for name in named if name)


@lru_cache(maxsize=256)
def _names_source(key: str, kind: str) -> bool:
    if kind in _WITH_FACTS:
        return key.startswith(_OF_THEM)
    if key in _SOURCES or key.startswith("source_") or key.endswith(_ENDINGS):
        return True
    return not key.isascii() and source_lines.is_source(key)


def _is_address(word: str) -> bool:
    word = word.removeprefix("//")
    if _HOST.fullmatch(word):
        return True
    return bool(_BARE_HOST.fullmatch(word)) and not _FILE.search(word)
