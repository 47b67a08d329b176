"""Find credentials in a text, and redact them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vaultmem.documents import dress, plain_letters
from vaultmem.documents.hidden_text import INVISIBLE
from vaultmem.documents.secrets import delimited, heuristics, rules, tables
from vaultmem.documents.secrets.labels import NAMED, VARIABLES
from vaultmem.documents.secrets.rules import PREFIXED, SHAPED
from vaultmem.records import lowered


@dataclass(frozen=True, slots=True)
class Finding:
    """A credential in a text: the *rule* that knew it and the characters it occupies."""

    rule: str
    start: int
    end: int


_LONG_WORD = r"[\w.+/=-]{15,}"
"""What holds a whole key of any of PREFIXED: the shortest has 15 characters."""

_UNSEEN_WITHIN = rf"(?<=[!-~])[{INVISIBLE}]+(?=[!-~])"
"""Characters that nobody sees, within what is one word to who reads it."""

_SHORT, _MANY = 4 * 1024, 2048
"""The characters of the longest text of those of which many are kept in mind, and how many are.

As many as an import writes, indexes and commits at a time: with fewer each of the three would look.
"""

_LONG, _FEW = 128 * 1024, 64
"""And of those of which a few are: the README of every vault is one."""

_WITHIN_A_WORD = frozenset({"eyJ", "1//0", ".", "-", "-us", ".atlasv1."})
"""The hints of those of SHAPED that a long word holds whole, too."""

_WHOLE = 16 * 1024
"""The characters of the longest credential, a private key with its lines, and more."""

_HINTS = tuple(dict.fromkeys(hint for _, hints, _, _ in NAMED for hint in hints))
_PREFIXES = tuple((rule, prefix, body) for rule, prefixes, body in PREFIXED for prefix in prefixes)


def find(text: str) -> tuple[Finding, ...]:
    """Return the credentials in *text*, in order and without overlap."""
    if len(text) > _LONG:
        return _found(text)
    return _found_in_short(text) if len(text) <= _SHORT else _found_in_long(text)


def boundary(text: str, near: int) -> int:
    """Return where *text* can be cut, at *near* or before it, without cutting a credential in two.

    Half a credential is none that could be found.
    """
    first = max(0, near - _WHOLE)
    for found in find(text[first : near + _WHOLE]):
        if first + found.start < near < first + found.end:
            return first + found.start
    return near


# On its way into a vault a text is looked at by each who writes, indexes or commits it.
@functools.lru_cache(maxsize=_MANY)
def _found_in_short(text: str) -> tuple[Finding, ...]:
    return _found(text)


@functools.lru_cache(maxsize=_FEW)
def _found_in_long(text: str) -> tuple[Finding, ...]:
    return _found(text)


def _found(text: str) -> tuple[Finding, ...]:
    return tuple(_merged([*_written(text), *_read(text)]))


def _written(text: str) -> Iterator[Finding]:
    """Yield the credentials that stand in *text* letter by letter."""
    # A key is one long word: of most texts little is left to look for a hundred beginnings in.
    words = " ".join(rules.compiled(_LONG_WORD).findall(text))
    yield from _prefixed(text, words)
    yield from _shaped(text, words)
    yield from _named(text)


def _read(text: str) -> Iterator[Finding]:
    """Yield those that a person reads in *text*, with what they do not see in them."""
    yield from _read_past_marks(text)
    yield from _read_as_latin(text)
    unseen = () if text.isascii() else tuple(rules.compiled(_UNSEEN_WITHIN).finditer(text))
    if not unseen:
        return
    gone = {at for found in unseen for at in range(*found.span())}
    kept = [at for at in range(len(text)) if at not in gone]
    for it in _written("".join(text[at] for at in kept)):
        yield Finding(it.rule, kept[it.start], kept[it.end - 1] + 1)


def _read_past_marks(text: str) -> Iterator[Finding]:
    r"""Yield the keys that are whole where a page of *text* is shown: `ghp\_…`, `ghp_**…**`."""
    look = dress.whole_words(text)
    if look.text == text:
        return
    words = " ".join(rules.compiled(_LONG_WORD).findall(look.text))
    places = (*look.places, len(text))
    for it in (*_prefixed(look.text, words), *_shaped(look.text, words)):
        yield Finding(it.rule, places[it.start], places[it.end])


def _read_as_latin(text: str) -> Iterator[Finding]:
    """Yield the keys that are whole where each letter of *text* is the Latin one it looks like."""
    latin = plain_letters.as_latin(text)
    if latin != text:
        words = " ".join(rules.compiled(_LONG_WORD).findall(latin))
        yield from _prefixed(latin, words)
        yield from _shaped(latin, words)


@functools.cache
def _begins_a_key() -> re.Pattern[str]:
    beginnings = "|".join(re.escape(prefix) for _, prefix, _ in _PREFIXES)
    return re.compile(f"(?<![A-Za-z0-9])(?:{beginnings})")


def _prefixed(text: str, words: str) -> Iterator[Finding]:
    if not _begins_a_key().search(words):
        return
    for rule, prefix, body in _PREFIXES:
        if prefix in words:
            for match in rules.prefixed(prefix, body).finditer(text):
                if heuristics.is_genuine(match[0]):
                    yield Finding(rule, *match.span())


def _shaped(text: str, words: str) -> Iterator[Finding]:
    for rule, hint, pattern in SHAPED:
        if hint not in text:
            continue
        shape = rules.compiled(pattern)
        if hint not in _WITHIN_A_WORD or shape.search(words):
            for match in shape.finditer(text):
                group = "v" if "v" in match.re.groupindex else 0
                if heuristics.fits(rule, match[group]):
                    yield Finding(rule, *match.span(group))


def _named(text: str) -> Iterator[Finding]:
    small = lowered(_narrow(text))
    there = {hint for hint in _HINTS if hint in small}
    if not there:
        return
    for rows, read in ((NAMED, small), (VARIABLES, text)):
        for rule, hints, pattern, judge in rows:
            if not there.isdisjoint(hints):
                for start, end in _spans(text, read, pattern, judge):
                    yield Finding(rule, start, end)
    if not there.isdisjoint(tables.HINTS):
        for start, end in (*tables.secret_cells(text), *tables.secret_rows(text)):
            yield Finding(tables.RULE, start, end)
    for start, end in delimited.secret_fields(text, small, there):
        yield Finding(tables.RULE, start, end)


def _narrow(text: str) -> str:
    """Return *text* with its full width letters as those of ASCII, each in its place."""
    if text.isascii() or not rules.compiled(r"[\uff21-\uff5a]").search(text):
        return text
    return text.translate({wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)})


def _spans(text: str, small: str, pattern: str, judge: str) -> Iterator[tuple[int, int]]:
    """Yield where the values begin and end that *pattern* announces and *judge* believes."""
    position = 0
    while match := rules.compiled(pattern).search(small, position):
        position = match.end()
        value = heuristics.at(text, position, judge)
        if value is not None and heuristics.convinces(judge, value):
            position = heuristics.end(text, value)
            yield value.start, position


def _merged(found: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the *found* in order, overlapping ones as one under the name of the better rule."""
    open_: Finding | None = None
    for finding in sorted(found, key=lambda each: (each.start, _rank(each.rule))):
        if open_ is not None and finding.start < open_.end:
            rule = min(open_.rule, finding.rule, key=_rank)
            open_ = Finding(rule, open_.start, max(open_.end, finding.end))
            continue
        if open_ is not None:
            yield open_
        open_ = finding
    if open_ is not None:
        yield open_


@functools.cache
def _rank(rule: str) -> int:
    rows = (*PREFIXED, *SHAPED, *VARIABLES, *NAMED)
    return [*(row[0] for row in rows), tables.RULE].index(rule)


def redact(text: str) -> str:
    """Return *text* with every credential replaced by `[REDACTED:<rule>]`."""
    pieces, end = [], 0
    for finding in find(text):
        pieces += [text[end : finding.start], f"[REDACTED:{finding.rule}]"]
        end = finding.end
    return "".join([*pieces, text[end:]])
