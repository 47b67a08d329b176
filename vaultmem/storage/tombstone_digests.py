"""Keyed digests by which a text that was forgotten is known again, however it is written.

Who has the key and a guess of the text can test the guess; nobody can read it.
"""

from __future__ import annotations

import hmac
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from vaultmem.documents import plain_letters, rendered_text
from vaultmem.documents.patterns import compiled
from vaultmem.documents.scripts import CJK
from vaultmem.storage import comparable_text

_WITHIN = re.compile(r"(?<=\w)'(?=\w)")
"""An apostrophe within a word, as keyboards have it."""

_TOKEN = rf"[{CJK}]|(?:(?![{CJK}])[^\W_])+"
_NUMBER = re.compile(r"\d\W*\.")
_FEWEST = 2


def digest(text: str, salt: str) -> str:
    """Return the HMAC-SHA256 of *text*, keyed with *salt*, however it is spaced and cased.

    A text of one word is known as it is written, but for white space around it: `3` is not `3!`.
    """
    return _keyed(f"\0\0{text.strip()}", salt) if _is_a_word(text) else _folded(text, salt)


def phrases(text: str) -> frozenset[str]:
    """Return what a *text* of several words says: as it is, as it reads, and without a label."""
    read = () if text.isascii() else (plain_letters.plain(text),)
    said = frozenset(comparable_text.normal(it) for it in (text, *read))
    return said | comparable_text.unlabelled(text)


def phrase_digests(said: Iterable[str], salt: str) -> set[str]:
    """Return the digests of what was *said*, by `phrases`."""
    return {_keyed(it, salt) for it in said}


def _folded(text: str, salt: str) -> str:
    return _keyed(comparable_text.normal(text), salt)


def _keyed(text: str, salt: str) -> str:
    said = text.encode(errors="replace")
    return hmac.digest(bytes.fromhex(salt), said, "sha256").hex()


def _is_a_word(text: str) -> bool:
    """Whether *text* says too little to be known by what it says."""
    found = compiled(_TOKEN).finditer(unicodedata.normalize("NFKC", text).casefold())
    return len(list(islice(found, _FEWEST))) < _FEWEST


def digests(text: str, salt: str) -> tuple[str, ...]:
    """Return the digests by which *text* is known again: of its letters, and of how these read.

    What it says without a date, a tag or a link that says something, too, has one of another kind:
    that alone is known by it, and not with another date.
    """
    if _is_a_word(text):
        return (digest(text, salt),)
    ways = (text, plain_letters.plain(text), *sorted(_unescaped(text)))
    told = [it for written in ways for it in _digests(written, salt)]
    return tuple(dict.fromkeys(told))


def _digests(text: str, salt: str) -> Iterator[str]:
    known, bare = comparable_text.readings(text), comparable_text.bare(text)
    yield from (digest(it, salt) for it in known if not _is_a_word(it))
    yield from (_bare(it, salt) for it in bare if it not in known and not _is_a_word(it))


def candidate_digests(text: str, salt: str) -> set[str]:
    """Return the digests of what *text* may say again: numbered as an item of a list, too."""
    if _is_a_word(text):  # as older tombstones have it, too
        return {digest(text, salt), _folded(text, salt)}
    read = text if text.isascii() else plain_letters.plain(text)
    # The last is how older tombstones have a text that was written so.
    ways = {text, read, _WITHIN.sub("\u2019", read)}
    if (plain := rendered_text.decoded(text)) != text:
        ways |= {plain, plain_letters.plain(plain)}
    ways |= _unescaped(text)
    return {it for way in ways for it in _as_written(way, salt)}


def _unescaped(text: str) -> frozenset[str]:
    """Return how *text* reads without the escapes of a program, nothing where it has none."""
    if "\\" not in text and "''" not in text:
        return frozenset()
    plain = rendered_text.unescaped(text)
    return frozenset({plain, plain_letters.plain(plain)} - {text})


def _as_written(text: str, salt: str) -> set[str]:
    numbers = (False, True) if _NUMBER.search(text) else (False,)
    known = {it for number in numbers for it in comparable_text.readings(text, number=number)}
    said = known.union(*(comparable_text.bare(text, number=number) for number in numbers))
    said |= comparable_text.unlabelled(text)
    return {_folded(it, salt) for it in said} | {_bare(it, salt) for it in known}


def _bare(text: str, salt: str) -> str:
    return _folded(f"\0 {text}", salt)


def tokens(text: str) -> list[str]:
    """Return the words of *text* as parts are made of them; a CJK letter is a word."""
    return compiled(_TOKEN).findall(unicodedata.normalize("NFKC", text).casefold())


def part(sentence: str, salt: str) -> str:
    """Return what tells the words of *sentence* again, wherever they stand in a row."""
    said = tokens(sentence)
    return phrase(said, salt)


def phrase(row: Sequence[str], salt: str) -> str:
    """Return what tells a *row* of words again."""
    return f"{len(row)}:{_folded(' '.join(row), salt)}"


def name_digests(name: str, salt: str) -> tuple[str, ...]:
    """Return what tells the words of a *name* again, each by itself."""
    return tuple(sorted({_folded(word, salt) for word in tokens(name)}))
