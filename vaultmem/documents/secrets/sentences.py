"""Find the credentials that a sentence tells, by one grammar for every language.

A sentence has the word for a secret, may say whose it is, joins a value to it (is, now, changed to)
and tells the value; or it is told the other way round: `tr0ub4dor is my password`. The parts are
those of all languages at once, since people mix them. A value is judged by its characters alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from vaultmem.documents.secrets import heuristics
from vaultmem.documents.secrets.labels import CALLED
from vaultmem.documents.secrets.rules import compiled
from vaultmem.documents.secrets.separators import LONE, OF_WHAT, SIGN, WHOSE, WORD

_NOW = (
    r"(?:now|still|just|simply|actually|currently|again|always|immer\snoch|noch\simmer|"
    r"nach\swie\svor|(?:seit|ab)\s(?:heute|gestern|sofort)|jetzt|"
    r"nun|noch|derzeit|aktuell|momentan|heute|wieder|weiterhin|einfach|maintenant|d\u00e9sormais|"
    r"toujours|actuellement|ahora|todav\u00eda|actualmente|agora)"
)
_IS = (
    rf"(?:is|are|remains?|(?:ha[sd]|have)(?:\s{_NOW})?\sbe(?:en|come)|"
    rf"(?:will|should|would)(?:\s{_NOW})?\sbe|ist|lautet|hei\u00dft|bleibt|sollte|w\u00e4re|"
    r"es|est|\u00e9|\u00e8)"
)
_WAS = r"(?:was|were|became|used\sto\sbe|war|blieb|lautete|hie\u00df|era|\u00e9tait|foi)"
_NO_YEAR = (
    rf"(?!(?:\s{_NOW}){{0,2}}\s(?:19|20)\d\d\s(?!(?:and|or|but|since|for|if|until|und|oder|aber|seit|"
    r"wenn|bis)\b)[^\W\d_])"
)
"""`was 2019 still valid`"""

_JOINED = (
    rf"(?:(?:\s{_NOW}){{0,2}},?\s(?:c')?(?:{_IS}|{_WAS}{_NO_YEAR})(?:\s{_NOW}){{0,2}}|['\u2019]s)"
)
_DONE = (
    r"\s(?:[^\s.:;,=?!]{1,20}\s){0,4}?(?!gewesen|geblieben|geworden)"
    r"(?:worden|[^\W\d_]{0,9}(?:ge[^\W\d_]{2,12}(?:t|en)|g\u00fcltig))(?!\w)"
)
_FIGURE = (
    rf"(?:die\s(?=\d))?(?!(?:19|20)\d\d{_DONE}|\d+\s(?:mal|times|tage|days|jahre|years|"
    r"zeichen|characters|ziffern|digits|stellen|euros?|dollars?|meter|metres?|km)\b)"
)
"""What may begin a value: no figure with more of the predicate behind it (`2019 still valid`)."""

_MACHINE = r"(?!(?:windows|android|ios|macos|iphone|ipad|server|router|room)[\s-]?\d)"
_WHICH = (
    r"(?:,?\s(?:that|which|i|we|he|she|they|you|das|die|den|der|"
    rf"{WORD}\s(?:sets?|use[sd]?|chose|has|had|gave|picked|took))(?:\s{WORD}){{0,6}}?,?)?"
)
"""The clause that says more of it: `that Tom set`, `I use for Netflix`, `, das ich habe,`."""
_LINE = (
    r":?[ \t\r]{0,3}\n(?:[ \t\r]{0,12}\n){0,2}[ \t]{0,12}"
    rf"(?:(?:>|[-*+])[ ]{{0,3}}|```\w{{0,10}}\n)?{LONE}"
)
_MEASURES_OF_IT = (
    r"(?:\u6709\u6548|\u671f|[\u957f\u9577\u5f3a\u5f37]\u5ea6|\u4f4d|\u89c4|\u898f|\u7b56|\u6b21|\u7c7b"
    r"|\u683c|\u54c8|\u7b97|\u7248|\u7f16|\u63d0\u793a|[\u9519\u932f]|\u4e0a\u9650|\u6570\u91cf|\u540d"
    r"|\u6587\u4ef6|\u8def|\u5730\u5740|\u56e0)"
)
_CHINESE = (
    rf"\s?(?![\u4e00-\u9fff]{{0,6}}?{_MEASURES_OF_IT})[\u4e00-\u9fff]{{0,8}}?"
    r"(?:[\u662f\u4e3a\u70ba\u53eb]|\u6210\u4e86?)\s?[:\uff1a]?\s{0,3}"
)
_VALUE = rf"(?:{_LINE}|:\s?|\s){_FIGURE}"
_SAYS = rf"{WHOSE}(?:{_WHICH}{_JOINED}{_VALUE}|(?:\s{_NOW})?(?:{SIGN}|:{_LINE})|{_CHINESE})"
"""What stands between the word and its value."""

_BESIDE = (
    r"(?<=[\u4e00-\u9fff])(?<!(?:\u5fd8\u8bb0|\u627e\u56de|\u5fd8\u8a18)..)"  # who forgot it
    r"[ \uff08(]{0,2}(?=[a-z0-9!#$%&@*_-])"
)
"""In Chinese a value may stand right behind the word, in any other language behind whose it is."""

_OWNED = rf"\s(?:{'|'.join(OF_WHAT)})\s{WORD}(?:\s{WORD}){{0,2}}?\s"
_HAVING = (
    rf"(?:{_NOW}|was|were|is|are|got|has\sbeen|have\sbeen|wurden?|ist|sind|habe\sich|gestern|vorhin|"
    r"yesterday|today|hier|ayer|fue|a\s\u00e9t\u00e9|ha\ssido|changed|set|reset|updated|"
    r"ge\u00e4ndert|umgestellt|gesetzt|chang\u00e9|cambiad[ao])"
)
_INTO = rf"\s(?:(?P<on>to|auf)|(?:in|zu|en|\u00e0|par|a|por)(?!\s(?:19|20)\d\d\b))\s{_MACHINE}"
_TO = rf"{WHOSE}(?P<verb>(?:\s{_HAVING}){{0,3}}){_INTO}"
_FROM = rf"{WHOSE}(?P<verb>(?:\s{_HAVING}){{0,3}})\s(?:from|von|de)\s(?P<old>\S{{4,100}}){_INTO}"
_THEN = (
    rf"{WHOSE}(?:(?:\s(?:{_HAVING}|please|bitte)){{1,3}}:\s{{1,3}}(?!(?:19|20)\d\d\b)"
    rf"|(?:\s{_HAVING}){{0,3}}[.,;?!]\s(?:(?:and|und)\s)?(?:it|es|sie|er|neu){_JOINED}{_VALUE})"
    rf"{_MACHINE}"
)
"""What was done to it, and then what it is: `changed: …`, `ge\u00e4ndert. Es lautet \u2026`."""

_CHANGES = (
    r"(?<![^\W_])(?:(?:ge|um)?(?:\u00e4nder|setz|stell|wechs|aktualisier)|chang|reset|set|updat"
    r"|switch|cambi|modifi|pus[eo]|mis\s)"
)
_CHANGED = (
    r"\S{4,100}(?:\s[^\s.:;?!]{1,20}){0,3}?\s(?:um|neu|fest|ab|zur\u00fcck)?(?:ge|zu)?"
    r"(?:\u00e4nder|setz|stell|wechsel|leg|aktualisier)[tne]"
)
"""The verbs of a change, before the word and, in German, behind the value."""

_HERS = (
    r"(?:my|the|our|his|her|their|your|(?:[mds]?ein|ihr|unser|eure?)e?[mnrs]?|d(?:as|ie|er|em|en)|"
    r"mi|tu|su|la|el|nuestra|mon|ma|le|notre|votre|(?:a\s)?(?:minha|nossa))"
)
_TURNED = (
    rf"(?:\s(?:(?:{_NOW}\s)?(?:{_IS}|{_WAS})\s(?:{_NOW}\s)?{_HERS}\s|(?:as|als|como|comme)\s"
    rf"(?:{_HERS}\s)?)(?:(?!and\s|or\s|und\s|oder\s){WORD}\s){{0,2}}[^\s.:;,=?!]{{0,20}}"
    r"|\s?(?:\u5c31|\u624d)?\u662f(?:[\u6211\u4f60\u4ed6\u5979\u5b83]\u4eec?|\u54b1\u4eec)?"
    r"[\u4e00-\u9fff]{0,8}[ ]?)\Z"
)
_LAST_WORD = r"[!-~]{4,100}\Z"
_CLAUSE_ENDS = (
    rf"\s{{0,3}}(?:[.,;!?)\n\uff0c\u3002\uff01\uff1f\uff1b\uff09]|\Z)"
    rf"|\s(?:{_NOW}|and|but|und|aber|y|et|{'|'.join(OF_WHAT)})\s"
)
_REACH = 120
"""Characters before the word among which a value or a verb is looked for."""

_BULLET = r"(?m)^([ \t]{0,12})[-*+][ ]{1,3}[^\n]{0,60}\Z"
_BELOW = rf":?[*_`]{{0,3}}:?[ \t\r]{{0,3}}\n([ \t]{{1,16}})[-*+][ ]{{1,3}}{LONE}"
_HINTS = frozenset(hint for _, hints, _, _ in CALLED for hint in hints)


class _Place(NamedTuple):
    """Where a value may stand, and who judges it."""

    start: int
    judge: str
    end: int | None = None


def secret_values(text: str, small: str, hints: AbstractSet[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the rule and the place of each value that a sentence of *text* calls a secret.

    *small* is the text in lower case, and *hints* are words that it has.
    """
    if _HINTS.isdisjoint(hints):
        return
    long = range(0)  # where the last value stands; one without blanks may hold a thousand others
    for rule, names, label, judge in CALLED:
        found = () if hints.isdisjoint(names) else compiled(label).finditer(small)
        for name in found:
            for place in _places(small, name, judge):
                value = heuristics.at(text[: place.end], place.start, place.judge)
                if value is not None and heuristics.convinces(place.judge, value):
                    if value.start + len(value.text) not in long:
                        long = range(value.start, heuristics.end(text, value))
                    yield rule, value.start, long.stop


def _places(small: str, name: re.Match[str], judge: str) -> Iterator[_Place]:
    start, end = name.span()
    before = small[max(0, start - _REACH) : start]
    if said := compiled(_SAYS).match(small, end):
        yield _Place(said.end(), judge)
    if beside := compiled(_BESIDE).match(small, end):
        yield _Place(beside.end(), "beside" if judge == "said" else judge)
    if judge == "said" and (owned := compiled(_OWNED).match(small, end)):
        yield _Place(owned.end(), "marked")
    if then := compiled(_THEN).match(small, end):
        yield _Place(then.end(), judge)
    if (old := compiled(_FROM).match(small, end)) and _changes(before + old["verb"], small, end):
        yield _Place(old.start("old"), judge, old.end("old"))
        yield _Place(old.end(), judge)
    if (to := compiled(_TO).match(small, end)) and _changes(before + to["verb"], small, to.end()):
        yield _Place(to.end(), judge if to["on"] or judge != "said" else "beside")
    if (below := compiled(_BELOW).match(small, end)) and _is_above(before, below[1]):
        yield _Place(below.end(), judge)
    if (told := compiled(_TURNED).search(before)) and compiled(_CLAUSE_ENDS).match(small, end):
        value = compiled(_LAST_WORD).search(before, 0, told.start())
        if value:
            first = start - len(before)
            yield _Place(first + value.start(), judge, first + value.end())


def _changes(before: str, small: str, value: int) -> bool:
    """Tell whether a verb of change stands *before* the word, or behind what begins at *value*."""
    clause = compiled(r"[^.:;?!\n]*\Z").search(before)
    changed = clause is not None and compiled(_CHANGES).search(clause[0])
    return bool(changed or compiled(_CHANGED).match(small, value))


def _is_above(before: str, indent: str) -> bool:
    """Tell whether the line that ends with *before* is an item above one of that *indent*."""
    item = compiled(_BULLET).search(before)
    return item is not None and len(item[1]) < len(indent)
