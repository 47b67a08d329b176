"""Write out the dates that a German text counts from the day on which it was written.

As in `absolute_dates`, a phrase is replaced whole or not: `gestern` by a day, `letzten Monat` by a
month. What names none keeps its words, with the day that it counts from beside them.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

_NUMBERS = (
    "null", "ein", "zwei", "drei", "vier", "f\u00fcnf", "sechs", "sieben", "acht", "neun", "zehn"
)  # fmt: skip
_COUNT = rf"(?P<count>\d{{1,3}}|eine[mr]|{'|'.join(_NUMBERS[2:])})"
_UNIT = r"(?P<unit>Tag(?:en)?|Wochen?|Monat(?:en)?|Jahr(?:en)?)"
_WEEKDAYS = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")
_SHIFTS = {"vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "\u00fcbermorgen": 2}
_TURNS = {"letzt": -1, "vorig": -1, "vergangen": -1, "n\u00e4chst": 1, "kommend": 1, "dies": 0}
_PHRASE = re.compile(
    rf"""(?<![\w-])(?:
      (?P<day>(?i:vorgestern|gestern|heute|\u00fcbermorgen)|(?<!am[ ])morgen)
        (?:[ ](?P<part>Morgen|fr\u00fch|Vormittag|Mittag|Nachmittag|Abend|Nacht))?
    | [Vv]or[ ](?P<half>einem[ ]halben[ ]Jahr)
    | [Vv]or[ ](?P<some>ein[ ]paar|einigen|mehreren)[ ](?P<vague>Tagen|Wochen|Monaten|Jahren)
    | (?P<way>[Vv]or|[Ii]n)[ ]{_COUNT}[ ]{_UNIT}
    | (?P<turn>(?i:letzt|vorig|vergangen|n\u00e4chst|kommend|dies))(?:e[nrs]?)[ ]
      (?:(?P<span>Woche|Wochenende|Monat|Jahr)|(?P<weekday>{"|".join(_WEEKDAYS)})
        |(?P<season>Fr\u00fchling|Fr\u00fchjahr|Sommer|Herbst|Winter))
    )(?![\w-])""",
    re.VERBOSE,
)
_MASKED = re.compile(
    r"`+[^`]*`+|[\"\u201e\u201c\u00bb][^\"\u201d\u201c\u00ab\n]*[\"\u201d\u201c\u00ab]|\[\[[^\]]*\]\]|https?://\S+"
)
_USUAL = re.compile(
    r"(?i)\b(?:jede[nrsm]?|immer|meist(?:ens)?|oft|stets|heutzutage|das|der|die|den|dem|bis|ab|seit"
    r"|von|wie|kein)\s+\Z"
)
_HABIT = re.compile(
    r"(?i)\b(?:jede[nrsm]?(?:\s+(?:zweite[nrsm]?|erste[nrsm]?|letzte[nrsm]?))?\s+(?:Tag|Morgen|Abend|Nacht"
    r"|Woche|Wochenende|Monat|Jahr|Stunde|Mal|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag"
    r"|Sonntag)|immer|stets|nie|niemals|t\u00e4glich|w\u00f6chentlich|monatlich|j\u00e4hrlich|\u00fcblicherweise"
    r"|in der Regel|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|abend"
    r"|nacht)s)\b"
    r"|(?:\A|[.!?:;]\s)[\s>*+-]*(?:wer|wenn|falls|sobald|man)\b"
)
"""What is so again and again: there `gestern` is the day before each of the days."""
_TO_COME = re.compile(
    r"\b(?:komm(?:t|en)|beginn(?:t|en)|end(?:et|en)|wird|werden|zieh(?:t|en)|f\u00e4llig|l\u00e4uft|fahren"
    r"|f\u00e4hrt|flieg(?:t|en)|reis(?:t|en)|heirate(?:t|n)|m\u00fcssen|muss|soll|startet|\u00f6ffnet|schlie\u00dft"
    r"|besuch(?:t|en))\b"
)
_DATED = re.compile(r"\d{4}-\d\d|\b(?:19|20)\d\d\b")
_SENTENCE = re.compile(r"[.!?](?=\s|\Z)|\n")


def absolute(text: str, today: date) -> str:
    """Return *text* with the dates that it counts from *today* written out."""
    hidden = _MASKED.sub(lambda m: "\x00" * len(m[0]), text)
    for m in reversed([*_PHRASE.finditer(hidden)]):
        before, after = _around(hidden, m)
        sentence = f"{before}{m[0]}{after}"
        if _DATED.search(before + after) or _USUAL.search(before) or _HABIT.search(sentence):
            continue
        if m["way"] in {"in", "In"} and not _TO_COME.search(before + after):
            continue
        words = _words(m, today)
        if m[0][0].isupper() and not before.strip(" -*+>"):
            words = words[0].upper() + words[1:]
        text = text[: m.start()] + words + text[m.end() :]
    return text


def _around(text: str, m: re.Match[str]) -> tuple[str, str]:
    """Return what stands before and behind *m* in its sentence."""
    stops = [stop.end() for stop in _SENTENCE.finditer(text)]
    start = max((stop for stop in stops if stop <= m.start()), default=0)
    stop = min((stop for stop in stops if stop >= m.end()), default=len(text))
    return text[start : m.start()], text[m.end() : stop]


def _words(m: re.Match[str], today: date) -> str:
    if m["day"]:
        day = today + timedelta(_SHIFTS[m["day"].casefold()])
        return f"am {day} ({m['part']})" if m["part"] else f"am {day}"
    if m["some"]:
        return f"{m['some']} {m['vague']} vor dem {today}"
    if m["turn"]:
        return _turned(m, today)
    return f"um {month_away(today, -6)}" if m["half"] else _counted(m, today)


def _turned(m: re.Match[str], today: date) -> str:
    """Read `letzten` and `kommenden` before a span, a weekday or a season."""
    shift = _TURNS[m["turn"].casefold()]
    if m["season"]:  # which months it has, another half of the world says otherwise
        return f"im {m['turn'].casefold()}en {m['season']} vor dem {today}" if shift < 0 else m[0]
    if m["weekday"]:
        ahead = (_WEEKDAYS.index(m["weekday"]) - today.weekday()) % 7
        return f"am {today + timedelta(ahead - 7 if shift < 0 else ahead or 7 * shift)}"
    return _span(m["span"], shift, today)


def _counted(m: re.Match[str], today: date) -> str:
    word = m["count"]
    number = int(word) if word.isdigit() else 1 if word.startswith("ein") else _NUMBERS.index(word)
    count = number if m["way"].casefold() == "in" else -number
    if m["unit"].startswith("Tag"):
        return f"am {today + timedelta(count)}"
    return _span(m["unit"], count, today)


def _span(span: str, count: int, today: date) -> str:
    """Return the week, weekend, month or year that is *count* of them away."""
    monday = today - timedelta(today.weekday()) + timedelta(7 * count)
    if span == "Wochenende":
        return f"am Wochenende ab {monday + timedelta(5)}"
    if span.startswith("Woche"):
        return f"in der Woche ab {monday}"
    is_month = span.startswith("Monat")
    return f"im Monat {month_away(today, count)}" if is_month else f"{today.year + count:04}"


def month_away(today: date, count: int) -> str:
    """Return the month that is *count* of them away from *today*'s, as ISO 8601."""
    months = 12 * today.year + today.month - 1 + count
    return date(months // 12, months % 12 + 1, 1).isoformat()[:7]
