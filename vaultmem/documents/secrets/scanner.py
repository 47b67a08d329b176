"""Find credentials in a text, and redact them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from vaultmem.documents import plain_letters, rendered_text
from vaultmem.documents.rendered_text import Look
from vaultmem.documents.secrets import delimited, heuristics, rules, sentences, tables
from vaultmem.documents.secrets.labels import AS_WRITTEN, CALLED, NAMED
from vaultmem.documents.secrets.rules import PREFIXED, SHAPED
from vaultmem.records import lowered


class Finding(NamedTuple):
    """A credential in a text: the *rule* that knew it and the characters it occupies."""

    rule: str
    start: int
    end: int


_LONG_WORD = r"[\w.+/=-]{15,}"
"""What holds a whole key of any of PREFIXED: the shortest has 15 characters."""

_SHORT, _MANY = 4 * 1024, 2048
"""The characters of the longest text of those of which many are kept in mind, and how many are.

As many as an import writes, indexes and commits at a time: with fewer each of the three would look.
"""

_LONG, _FEW = 128 * 1024, 64
"""And of those of which a few are: the README of every vault is one."""

_WITHIN_A_WORD = frozenset({"eyJ", "1//0", ".", "-", "-us", "pat", ".atlasv1."})
"""The hints of those of SHAPED that a long word holds whole, too."""

_WHOLE = 16 * 1024
"""The characters of the longest credential, a private key with its lines, and more."""

_HINTS = tuple(dict.fromkeys(hint for _, hints, _, _ in (*NAMED, *CALLED) for hint in hints))
_SHORT_HINTS = tuple(hint for hint in _HINTS if not any(it in hint for it in _HINTS if it != hint))
"""Those that have no other in them: where none of them stands none stands."""

_LONG_HINTS = tuple(hint for hint in _HINTS if hint not in _SHORT_HINTS)
_LATIN_HINTS = tuple(hint for hint in _SHORT_HINTS if hint.isascii())
"""Those that may stand in a text of ASCII, as most are."""

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
    return tuple(_merged([*_written(text), *_shown(text)]))


def _written(text: str) -> Iterator[Finding]:
    """Yield the credentials that stand in *text*, whichever letters look like their own."""
    latin = plain_letters.as_latin(text)
    yield from _keys(latin)
    if latin != text:
        yield from _keys(text)
    yield from _named(latin)


def _shown(text: str) -> Iterator[Finding]:
    r"""Yield those of a page of *text*, as it is shown: `ghp\_…`, `ghp_**…**`, `pass**word**: …`.

    And without what nobody sees in it.
    """
    look = rendered_text.whole_words(text)
    if look.text != text:
        for it in _written(look.text):
            yield Finding(it.rule, look.places[it.start], _end(text, look, it.end))


def _end(text: str, look: Look, end: int) -> int:
    """Return where in *text* that ends which is read of it up to *end*."""
    last = look.places[end - 1]
    if text[last] != "&" or end == len(look.places):  # an entity is more than one letter
        return last + 1
    return look.places[end]


@functools.cache
def _begins_a_key() -> re.Pattern[str]:
    beginnings = "|".join(re.escape(prefix) for _, prefix, _ in _PREFIXES)
    return re.compile(f"(?<![A-Za-z0-9])(?:{beginnings})")


def _keys(text: str) -> Iterator[Finding]:
    """Yield what is a key by its own shape."""
    # A key is one long word: of most texts little is left to look for a hundred beginnings in.
    words = " ".join(rules.compiled(_LONG_WORD).findall(text))
    yield from _prefixed(text, words)
    yield from _shaped(text, words)


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
    small = lowered(text)
    there = {hint for hint in (_LATIN_HINTS if small.isascii() else _SHORT_HINTS) if hint in small}
    if not there:
        return
    there |= {hint for hint in _LONG_HINTS if hint in small}
    for rows, read in ((NAMED, small), (AS_WRITTEN, text)):
        for rule, hints, pattern, judge in rows:
            if not there.isdisjoint(hints):
                for start, end in _spans(text, read, pattern, judge):
                    yield Finding(rule, start, end)
    for rule, start, end in sentences.secret_values(text, small, there):
        yield Finding(rule, start, end)
    if not there.isdisjoint(tables.HINTS):
        for start, end in (*tables.secret_cells(text), *tables.secret_rows(text)):
            yield Finding(tables.RULE, start, end)
    for start, end in delimited.secret_fields(text, small, there):
        yield Finding(tables.RULE, start, end)


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
    rows = (*PREFIXED, *SHAPED, *AS_WRITTEN, *NAMED, *CALLED)
    return [*(row[0] for row in rows), tables.RULE].index(rule)


def redact(text: str) -> str:
    """Return *text* with every credential replaced by `[REDACTED:<rule>]`."""
    pieces, end = [], 0
    for finding in find(text):
        pieces += [text[end : finding.start], f"[REDACTED:{finding.rule}]"]
        end = finding.end
    return "".join([*pieces, text[end:]])
