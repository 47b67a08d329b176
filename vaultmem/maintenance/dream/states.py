"""Read all that a fact of a note says is so: its statements, and what a change means for today.

Where somebody drives to, what they ride or study may be several things at a time. Such a claim is
loose: it gives way only to one that says that something changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.maintenance.dream import changes, clauses, slots, statements
from vaultmem.maintenance.dream.statements import Statement
from vaultmem.nlp.facts import fact_similarity

_WHO = r"(?P<who>(?!(?:It|He|She|They|This|That|There)\b)[^,;:?!]{1,50}?)"
_LOOSE = re.compile(
    rf"{_WHO} (?P<verb>goes to|lives with|attends|teaches at|plays for|plays in|trains at|studies"
    r"|drives|rides|uses?|runs? on|works as|works in|sleeps in|takes? place in|(?:is|are) (?:in|on"
    r"|at|with)|is(?= an? ))(?: an?| the)? (?P<value>(?!(?:not|to)\b)[^,;:?!]{1,40})"
)
_WAY = re.compile(
    rf"{_WHO} (?P<value>walks|cycles|drives|bikes|runs|commutes|takes the \w+|goes by \w+)"
    r" to (?P<verb>work|school|the office|university)"
)
_DAY = re.compile(
    r"\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags"
    r"|mittwochs|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch)\b"
)
_ONE_DAY = re.compile(r"(?i)(?:das|der|die|unser|unsere) \w+ (?:ist|findet) am \w+(?: statt)?")
_GERMAN = re.compile(
    r"(?P<who>[^,;:?!]{1,50}?) (?P<verb>arbeitet bei|wohnt in|lebt in|hei\u00dft|studiert in"
    r"|kostet|betr\u00e4gt) (?P<value>[^,;:?!]{1,30}?)(?P<unit> (?:Euro|\u20ac|Franken|Prozent))?"
)
_SAME_DE = {"lebt in": "wohnt in", "betr\u00e4gt": "kostet"}
_NO_DE = re.compile(r"(?<= )(?:nicht mehr|nicht|keine?[nmrs]? ?|nie)(?= |\b)")
_SPEAKS_GERMAN = re.compile(
    r"(?i)\b(?:nicht|keine?[nmrs]?|mehr|und|ist|hat|der|das|ein|eine|isst|raucht|trinkt|mag|wohnt)\b"
)
_DATE = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)")
_WHO_ZH, _VALUE_ZH = "(?P<who>[^\uff0c]{1,8}?)", "(?P<value>[^\uff0c]{2,8}?)"
_CHINESE = tuple(
    (re.compile(pattern), about)
    for pattern, about in (
        (f"{_WHO_ZH}(?:\u73b0\u5728)?\u4f4f\u5728{_VALUE_ZH}", "lives"),
        (f"{_WHO_ZH}(?:\u5df2\u7ecf)?\u642c\u5230{_VALUE_ZH}\u4e86?", "lives"),
        (f"{_WHO_ZH}(?:\u73b0\u5728)?\u5728{_VALUE_ZH}\u5de5\u4f5c", "works"),
        (f"{_WHO_ZH}\u662f?\u5728(?P<value>\u5468.)", "day"),
        (f"{_WHO_ZH}\u6539\u5230(?P<value>\u5468.)\u4e86?", "day"),
        (("(?P<who>(?:[^\uff0c]{1,8}?\u7684)?(?:\u5bc6\u7801|\u7535\u8bdd|\u623f\u79df))\u662f"
         "(?P<value>[^\uff0c]{1,16})"), "is"),
    )
)  # fmt: skip
_NO_ZH = re.compile("\u4e0d\u518d|\u4e0d(?!\u8fc7|\u540c|\u4f46)|\u6ca1(?:\u6709)?(?=[^\u4e8b])")
_CHANGED_ZH = re.compile("\u4e86\\Z|\u6539|\u73b0\u5728|\u4e0d\u518d")


def told(text: str) -> Iterator[Statement]:
    """Yield all that *text* says is so, each once."""
    met: set[tuple[str, str]] = set()
    found = (*_read(text), *statements.all_claimed(text), *slots.told(text))
    for statement in (day for it in found for day in _birthdays(it)):
        if (statement.about, statement.value) not in met:
            met.add((statement.about, statement.value))
            yield statement


def _birthdays(statement: Statement) -> Iterator[Statement]:
    """Yield *statement*, of a birthday day and year apart: not everybody names both."""
    m = _DATE.fullmatch(statement.value) if "birthday" in statement.about else None
    if not m:
        yield statement
        return
    yield statement._replace(value=f"m{m['month']}d{m['day']}")
    yield statement._replace(about=f"{statement.about} year", value=m["year"])


def _read(text: str) -> Iterator[Statement]:
    if not text.isascii() and re.search("[\u4e00-\u9fff]", text):
        yield from _chinese(text.strip(" \u3002\uff01.!"))
        return
    yield from _plain(text, text, changed=False)
    for clause in clauses.of(text):
        if clause.text != text:
            yield from _plain(clause.text, text, changed=clause.changed)


def _plain(said: str, text: str, *, changed: bool) -> Iterator[Statement]:
    """Yield what is *said* in plain sentences; *text* itself is read elsewhere."""
    for sentence in changes.plain(said):
        found = (*_loose(sentence.text), *_german(sentence.text))
        whole = statements.all_claimed(sentence.text) if sentence.text != text else ()
        for statement in (*whole, *found):
            yield statement._replace(changed=changed or sentence.changed)


def _loose(text: str) -> Iterator[Statement]:
    if m := _LOOSE.fullmatch(text):
        verb = re.sub(r"^are\b", "is", m["verb"])
        yield _frame(m["who"], verb, m["value"])
    if m := _WAY.fullmatch(text):
        yield _frame(m["who"], f"gets to {m['verb']}", m["value"])
    days = _DAY.findall(text)
    if len(days) == 1:
        about = fact_similarity.form(_DAY.sub("xweekday", text))
        loose = not _ONE_DAY.fullmatch(text)
        yield Statement(
            text, f"{about} ~", days[0].casefold().removesuffix("s"), days[0], loose=loose
        )


def _frame(who: str, verb: str, value: str) -> Statement:
    about = f"{fact_similarity.form(who)} {verb} ~"
    return Statement(who, about, fact_similarity.form(value), value, loose=True)


def _german(text: str) -> Iterator[Statement]:
    if not _SPEAKS_GERMAN.search(text) and not _GERMAN.fullmatch(text):
        return
    if m := _GERMAN.fullmatch(text):
        verb = _SAME_DE.get(m["verb"], m["verb"])
        about = f"{fact_similarity.form(m['who'])} {verb}{m['unit'] or ''} ~"
        yield Statement(m["who"], about, fact_similarity.form(m["value"]), m["value"])
    if len(_NO_DE.findall(text)) == 1:
        yes = " ".join(_NO_DE.sub("", text).split())
        yield Statement(text, f"{fact_similarity.form(yes)} ?", "no", "")


def _chinese(text: str) -> Iterator[Statement]:
    changed = _CHANGED_ZH.search(text) is not None
    for pattern, about in _CHINESE:
        if m := pattern.fullmatch(text):
            yield Statement(
                m["who"], f"{m['who']} {about} ~", m["value"], m["value"], changed=changed
            )
            return
    if len(_NO_ZH.findall(text)) == 1:
        yield Statement(text, f"{_NO_ZH.sub('', text)} ?", "no", "", changed=changed)
