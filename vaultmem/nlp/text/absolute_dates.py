"""Write out the dates that a text counts from the day on which it was written.

`yesterday` becomes a day, `last month` a month; what names none keeps its words, and the day that
it counts from beside them: `a few weeks before 2026-06-15`. A phrase is replaced whole or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from vaultmem.nlp.text import date_formats
from vaultmem.nlp.text.absolute_dates_de import month_away
from vaultmem.records import lowered

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_AMOUNT = rf"\d{{1,3}}|an?|{'|'.join(_NUMBERS[1:])}"
_NUMBER = rf"(?:{_AMOUNT})"
_PART = "morning|afternoon|evening"
_UNIT = "day|week|month|year"
_SEASON = "spring|summer|autumn|fall|winter"
_ABOUT = "about|around|roughly|approximately"
_HEDGE = (
    rf"(?:{_ABOUT}|almost|nearly|quite|just|well|over|under|(?:more|less)[ ]than|at[ ]least|some)"
)
_SEVERAL = r"(?:an?[ ](?:few|couple(?:[ ]of)?|number[ ]of)|few|several|many|half[ ]an?)"
_LOOSELY = rf"""(?:
      (?:{_HEDGE}[ ])*{_SEVERAL}
    | (?:{_HEDGE}[ ])*{_NUMBER}(?:[ ](?:or|to)[ ]|[\u2013-]){_NUMBER}
    | (?:{_HEDGE}[ ])*{_NUMBER}[ ]and[ ]a[ ]half
    | (?!(?:{_ABOUT})[ ]{_NUMBER}[ ])(?:{_HEDGE}[ ])+{_NUMBER}
    )"""
"""An amount that names no day, nor a week: `quite a few`, `two or three`, `almost 3`."""
_ENGLISH = re.compile(
    rf"""(?<![\w-])(?:
      the[ ]day[ ](?P<beyond>before[ ]yesterday|after[ ]tomorrow)
    | the[ ]week[ ](?P<weeks>before[ ]last|after[ ]next)
    | (?P<day>yesterday|today|tomorrow)(?P<own>['\u2019]s)?(?:[ ](?P<part>{_PART}|night)\b)?
    | (?P<night>tonight|last[ ]night) | this[ ](?P<half>{_PART})
    | last[ ](?P<season>{_SEASON})
    | (?:(?:{_ABOUT})[ ])?(?P<six>half[ ]a[ ]year)[ ]ago
    | (?P<loose>{_LOOSELY}[ ](?P<whole>{_UNIT})s?|{_NUMBER}[ ](?P<plus>{_UNIT})[ ]and[ ]a[ ]half)
      [ ](?P<side>ago|from[ ]now)
    | in[ ](?P<soon>{_SEVERAL}[ ](?P<later>{_UNIT})s?)
    | (?P<turn>last|next|this)[ ](?:(?P<span>week|weekend|month|year)
      |(?P<weekday>{"|".join(_DAYS)})|(?P<month>{"|".join(_MONTHS)}))
    | (?P<vague>(?:{_ABOUT})[ ])?
      (?P<count>{_AMOUNT})[ ](?P<unit>{_UNIT}|weekend|fortnight)s?
      [ ](?P<way>ago|from[ ]now|from[ ]today)
    | in[ ](?P<ahead>{_AMOUNT})[ ](?P<hence>{_UNIT})s?
    )(?![\w'\u2019-])""",
    re.VERBOSE | re.IGNORECASE,
)
# What no English date that is counted is without: most texts have none.
_MAYBE = re.compile(
    rf"\b(?:to(?:day|night|morrow)|yesterday|ago\b|(?:last|next|this)\b|from now"
    rf"|in (?:\d|an? |few|several|many|half|{'|'.join(_NUMBERS[1:])}))",
    re.IGNORECASE,
)
_NUMERALS = "\u96f6\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341"
_CHINESE = re.compile(
    r"(?P<day>\u5927?[\u524d\u540e]\u5929|[\u6628\u4eca\u660e]\u5929|[\u6628\u4eca\u660e][\u665a\u65e9])"
    r"|(?P<week>[\u4e0a\u4e0b\u672c\u8fd9]\u4e2a?(?:\u5468|\u661f\u671f|\u793c\u62dc))"
    r"(?P<weekday>[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u65e5\u5929])?(?!\u672b)"
    r"|(?P<month>[\u4e0a\u4e0b]\u4e2a?\u6708)|(?P<year>[\u53bb\u660e\u4eca\u524d]\u5e74)"
    rf"|(?P<count>\d{{1,3}}|[{_NUMERALS[1:]}\u4e24])(?P<unit>\u5929|\u5468|\u4e2a\u661f\u671f"
    r"|\u4e2a\u6708|\u5e74)(?:\u4ee5|\u4e4b)?\u524d"
)
_MASKED = re.compile(
    r"`+[^`]*`+|\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|\u300c[^\u300d\n]*\u300d"
    r"|\u300a[^\u300b\n]*\u300b|\u2018[^\u2019\n]*\u2019(?!\w)"
    r"|<!--.*?-->|!?\[\[[^\]]*\]\]|!?\[[^\]]*\]\([^)]*\)|https?://\S+"
    r"|(?<![\w*])\*(?![*\s])[^*\n]+\*(?!\*)|(?<!\w)_(?!\s)[^_\n]+_(?!\w)|~~.*?~~"
)
_OPENS = re.compile(
    r"(?:\A|[.!?\u2026]\s|(?P<colon>:)|\n\s*(?:[-*+]|\d+[.)])\s)[\s>*_\-+\"'(\[\]x]*\Z"
)
_GOVERNS = re.compile(
    r"\b(?:since|until|till|by|before|after|from|for|of|to|than|around|starting|through|between"
    r"|on|during|in|within|at|as of|due|effective)\s+\Z",
    re.IGNORECASE,
)
_IN = re.compile(r"\bin\s+\Z", re.IGNORECASE)
"""What governs no day: of `what came in today` it belongs to the verb."""
_LIKENED = re.compile(
    r"\b(?:like|it were|the|every|each|any|no|not born|this time)\s+\Z", re.IGNORECASE
)
_OWNED = re.compile(r"\b(?:the|my|our|his|her|their|its|your)\s+\Z", re.IGNORECASE)
_LOOSE = re.compile(
    r"\b(?:almost|nearly|over|more than|less than|at least|a|few|some|or|to|and|half|(?<!as )of)"
    r"\s+\Z|[\u2013\u2014-]\Z",
    re.IGNORECASE,
)
_NAMES_MORE = re.compile(
    rf"\s+(?:today|yesterday|tomorrow|last|this|next|{'|'.join(_DAYS)}|{'|'.join(_MONTHS)})\b",
    re.IGNORECASE,
)
"""What stands behind `a year ago`, and says when by itself."""
_GOES_ON = re.compile(
    r"\s+(?:but\s+(?:one|two)\b|week\b|by\s+(?!\d|noon\b|midnight\b|then\b))"
    r"|,?\s*(?:no|sorry|i mean|or rather|wait)\b",
    re.IGNORECASE,
)
"""What makes another day of the words before it, takes them back, or names who wrote a work."""
_TITLE = re.compile(
    r"\s+(?:Always|Are|Comes|Dies|Ever|Is|Knows|Never|No|Not|Once|Only|The|Was|Were|Will)\b"
)
"""What nobody writes so behind the first word of a sentence: it is a work's name."""
_SPAN = rf"day|night|morning|noon|afternoon|evening|hour|time|quarter|{_UNIT}|weekend|{_SEASON}"
_HABIT = re.compile(
    rf"\b(?:each|every)\s+(?:(?:other|second|third|single|first|last)\s+)?"
    rf"(?:{_SPAN}|{'|'.join(_DAYS)}|{'|'.join(_MONTHS)})\b"
    rf"|\b(?:(?:{'|'.join(_DAYS)})s|mornings|evenings|nights|weekends)\b"
    r"|\b(?:always|never|usually|whatever|whoever|whenever|as a rule)\b"
    r"|\b(?:the|a|our|my|one) rule\b|(?:\A|[:;,]\s)(?:what|who)\s"
    r"|\b(?:hourly|daily|nightly|weekly|monthly|yearly)(?=\s*(?:[.,;!?]|\Z)|\s+(?:at|by|from)\b)"
    # A rule: of things of a kind, which no word picks out, or of what is to be done with some.
    r"|\A[\s>*+-]*[a-z]+s (?:are|older|newer|dated)\b"
    r"|\A[\s>*+-]*[a-z]+ (?:must|should|may|can) (?:not )?be [a-z]+(?:ed|en|ne)\b",
    re.IGNORECASE,
)
"""What is so again and again: there `yesterday` is the day before each of the days."""
_ELSEWHEN = re.compile(
    r"\b(?:in|of|from|since|until|by|for|spring|summer|autumn|fall|winter) (?:19|20)\d\d\b"
    rf"|\b(?:in|of|since|until|by) (?:early |mid-?|late )?(?:{'|'.join(_MONTHS)})\b"
    r"|\bin (?:the|a|this|that|my|our|his|her|their) (?:film|movie|book|story|novel|play|song|dream"
    r"|game|series|episode)\b",
    re.IGNORECASE,
)
"""Another time than that of writing, from which a sentence may count."""
_LIKE = re.compile(r" (?:felt|feels|seems?|seemed|sounds?|sounded|was|is) (?:like|as if)\b")
_IS = re.compile(r"\s+(?:is|was|will|has|had|would|marks|marked)\b")
_USUALLY = re.compile(
    r"\b(?:nowadays|these days|most|many|people|usually|typically|generally|commonly|widely|still"
    r"|every|always|often|ever|modern|world)\b",
    re.IGNORECASE,
)
_TO_COME = re.compile(
    r"\b(?:will|shall|going to|due|expires?|starts?|begins?|ends?|opens?|closes?|renews?|leaves?"
    r"|arrives?|launch(?:es)?|deadline|meeting|retires?|releases?|ships?|comes?|returns?|moves?|visits?"
    r"|(?:have|has) to|must|need(?:s)? to|gets? married)\b|['\u2019]ll\b",
    re.IGNORECASE,
)
_HAN = re.compile("[\u3400-\u9fff]")
_SENTENCE = re.compile(r"[.!?\u3002\uff01\uff1f](?=\s|\Z|[^\x00-\x7f])|\n")


def absolute(text: str, today: date) -> str:
    """Return *text* with the dates that it counts from *today* written out.

    The same line breaks stay. Speech, code, links, habits and what is dated already stay, too.
    """
    if not _MAYBE.search(text) and (text.isascii() or not _HAN.search(text)):
        return text
    hidden = _MASKED.sub(lambda m: re.sub(r"[^\n]", "\x00", m[0]), text)
    found = [*_ENGLISH.finditer(hidden), *_CHINESE.finditer(hidden)]
    replacements = {m.span(): _instead(m, today) for m in found if not _is_dated(text, m)}
    for (start, stop), instead in sorted(replacements.items(), reverse=True):
        if instead:
            text = text[:start] + instead + text[stop:]
    return text


def spelled(day: date, year: int = 0) -> str:
    """Return *day* as `May 8, 2023`, without its year where that is *year*."""
    words = f"{_MONTHS[day.month - 1].capitalize()} {day.day}"
    return words if day.year == year else f"{words}, {day.year:04}"


def month(name: str) -> int:
    """Return the number of the month of that English *name*; raises ValueError for none."""
    return _MONTHS.index(name.lower()) + 1


def _instead(m: re.Match[str], today: date) -> str:
    """Return what is to stand in the place of *m*, "" when it has to stay."""
    try:
        return _english(m, today) if m.re is _ENGLISH else _chinese(m, today)
    except (OverflowError, ValueError):  # before the first year, or after the last
        return ""


def _is_dated(text: str, m: re.Match[str]) -> bool:
    """Whether the sentence around *m* names a day already, or another time."""
    stops = [stop.end() for stop in _SENTENCE.finditer(text)]
    start = max((stop for stop in stops if stop <= m.start()), default=0)
    stop = min((stop for stop in stops if stop >= m.end()), default=len(text))
    if _ELSEWHEN.search(text, start, m.start()) or _ELSEWHEN.search(text, m.end(), stop):
        return True
    return any(day for _, _, day in date_formats.readings(text[start:stop]))


# --- English ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _When:
    """A date as words: with what leads to it, and bare, as `since` has it."""

    lead: str
    bare: str


def _english(m: re.Match[str], today: date) -> str:
    before, after = m.string[: m.start()], m.string[m.end() :]
    opens = _OPENS.search(before)
    a_title = m[0][0].isupper() and not (opens or m[0].isupper())
    when = None if a_title or _stays(m, before, after) else _when(m, today)
    if when is None:
        return ""
    leads = _GOVERNS.search(before) and not (m["day"] and _IN.search(before))
    governed = leads or (opens and m["day"] and _IS.match(after))
    words = when.bare if governed or not when.lead else f"{when.lead} {when.bare}"
    begins = m[0][0].isdigit() and opens and not opens["colon"]
    return words[0].upper() + words[1:] if m[0][0].isupper() or begins else words


def _stays(m: re.Match[str], before: str, after: str) -> bool:
    """Whether it is a habit, a length of time, a figure of speech, or too loose for a date."""
    sentence = _sentence(m)
    is_title = _TITLE.match(after) and _OPENS.search(before)
    is_likened = _LIKENED.search(before) or _LIKE.match(after)
    if is_title or is_likened or _GOES_ON.match(after) or _HABIT.search(sentence):
        return True
    if m["own"]:  # "today's world", "tomorrow's leaders"
        return lowered(m["day"]) != "yesterday" or m["part"] is not None
    if m["day"]:
        usual = _USUALLY.search(sentence) is not None or before.endswith("ago ")
        return usual and lowered(m["day"]) == "today"
    if m["turn"] or m["season"]:
        of = after.startswith(" of ") or before.endswith("ago ")
        return of or _OWNED.search(before) is not None
    if m["count"] or m["loose"] or m["six"]:
        return _LOOSE.search(before) is not None or _NAMES_MORE.match(after) is not None
    counts_on = re.match(r" (?:after|before|from|of)\b", after) is not None
    return bool(m["ahead"] or m["soon"]) and (counts_on or not _is_to_come(m))


def _is_to_come(m: re.Match[str]) -> bool:
    """Whether `in 3 weeks` is when something will be, and not how long it took."""
    sentence = _sentence(m)
    before = sentence[: sentence.find(m[0])]
    return _TO_COME.search(before if before.strip(" -*+") else sentence) is not None


def _sentence(m: re.Match[str]) -> str:
    before = re.split(r"[.!?\n]\s", m.string[: m.start()])[-1]
    return before + re.split(r"[.!?](?:\s|\Z)|\n", m.string[m.start() :])[0]


def _when(m: re.Match[str], today: date) -> _When | None:
    if m["turn"]:
        return _turned(m, today)
    if m["season"]:  # which months it has, another half of the world says otherwise
        return _When("in", f"the last {lowered(m['season'])} before {today}")
    if m["weeks"]:
        return _span("week", -2 if lowered(m["weeks"]).startswith("before") else 2, today)
    if m["six"]:
        return _When("around", month_away(today, -6))
    if m["loose"] or m["soon"]:
        return _loosely(m, today)
    return _counted(m, today) if m["count"] or m["ahead"] else _day(m, today)


def _day(m: re.Match[str], today: date) -> _When:
    if m["beyond"]:
        return _on(today, -2 if lowered(m["beyond"]).startswith("before") else 2)
    if m["day"]:
        shift = {"yesterday": -1, "today": 0, "tomorrow": 1}[lowered(m["day"])]
        if m["own"]:
            return _When("", f"the {today + timedelta(shift)}")
        return _on(today, shift, m["part"])
    last = not m["half"] and lowered(m["night"]) != "tonight"
    return _on(today, -1, "night") if last else _on(today, 0, m["half"] or "evening")


def _on(today: date, shift: int, part: str | None = None) -> _When:
    day = today + timedelta(shift)
    return _When("on", f"the {part.casefold()} of {day}" if part else str(day))


def _turned(m: re.Match[str], today: date) -> _When | None:
    """Read `last`, `this` and `next` before a span, a weekday or a month; the nearest is meant."""
    way = {"last": -1, "this": 0, "next": 1}[lowered(m["turn"])]
    if m["weekday"]:
        ahead = (_DAYS.index(lowered(m["weekday"])) - today.weekday()) % 7
        return _on(today, ahead - 7) if way < 0 else _on(today, ahead or 7 * way)
    if m["month"]:
        return _named_month(_MONTHS.index(lowered(m["month"])) + 1, way, today)
    return _span(lowered(m["span"]), way, today)


def _named_month(month: int, way: int, today: date) -> _When:
    year = today.year + (way > 0 and month <= today.month) - (way < 0 and month >= today.month)
    return _When("in", f"{year:04}-{month:02}")


def _span(span: str, count: int, today: date) -> _When:
    """Return the week, weekend, month or year that is *count* of them away."""
    monday = today - timedelta(today.weekday()) + timedelta(7 * count)
    spans: Mapping[str, Callable[[], _When]] = {
        "week": lambda: _When("in", f"the week of {monday}"),
        "weekend": lambda: _When("on", f"the weekend of {monday + timedelta(5)}"),
        "month": lambda: _When("in", month_away(today, count)),
        "year": lambda: _When("in", f"{today.replace(day=1, year=today.year + count).year:04}"),
    }
    return spans[span]()


def _counted(m: re.Match[str], today: date) -> _When:
    word = lowered(m["count"] or m["ahead"])
    known = _NUMBERS.index(word) if word in _NUMBERS else 0
    number = int(word) if word.isdigit() else max(1, known)
    count = -number if lowered(m["way"] or "") == "ago" else number
    unit = lowered(m["unit"] or m["hence"])
    if unit == "fortnight":
        return _span("week", 2 * count, today)
    when = _on(today, count) if unit == "day" else _span(unit, count, today)
    return _When("around", when.bare) if m["vague"] else when


def _loosely(m: re.Match[str], today: date) -> _When:
    """Keep an amount that names no day, and say from when on it counts."""
    unit = lowered(m["whole"] or m["plus"] or m["later"])
    day = {"month": month_away(today, 0), "year": f"{today.year:04}"}.get(unit, str(today))
    amount = m["loose"] or m["soon"]
    side = "before" if lowered(m["side"] or "") == "ago" else "after"
    return _When("", f"{amount[0].lower()}{amount[1:]} {side} {day}")


# --- Chinese ----------------------------------------------------------------------------------

_SHIFTS = {
    "\u5927\u524d\u5929": -3, "\u524d\u5929": -2, "\u6628\u5929": -1, "\u4eca\u5929": 0,
    "\u660e\u5929": 1, "\u540e\u5929": 2, "\u5927\u540e\u5929": 3,
    "\u6628\u665a": -1, "\u4eca\u665a": 0, "\u660e\u665a": 1, "\u6628\u65e9": -1, "\u4eca\u65e9": 0,
    "\u660e\u65e9": 1,
}  # fmt: skip
_PARTS = {"\u665a": "\u665a\u4e0a", "\u65e9": "\u65e9\u4e0a"}
_YEARS = {"\u524d": -2, "\u53bb": -1, "\u4eca": 0, "\u660e": 1}
_WEEKS = {"\u4e0a": -1, "\u4e0b": 1}
_UNITS = {
    "\u5468": "week", "\u4e2a\u661f\u671f": "week", "\u4e2a\u6708": "month", "\u5e74": "year"
}  # fmt: skip
_COUNTS = f"\\d{_NUMERALS}\u4e24\u51e0\u591a"
_HABITS = re.compile(f"[\u6bcf\u5404{_COUNTS}]\\Z")
_ALWAYS_ZH = re.compile(
    "\u6bcf(?:\u5929|\u665a|\u65e9|\u6b21|\u5e74|\u5468|\u4e2a)|\u603b\u662f|\u7ecf\u5e38|\u901a\u5e38|\u4ece\u4e0d|\u4ece\u6765"
)


def _chinese(m: re.Match[str], today: date) -> str:
    before, after = m.string[: m.start()], m.string[m.end() :]
    if (
        _HABITS.search(before)
        or _ALWAYS_ZH.search(_sentence_zh(m))
        or (m[0] == "\u4eca\u5929" and after.startswith("\u7684"))
    ):
        return ""
    words = _absolute_zh(m, today)
    return f"{words} " if words[-1].isdigit() and "\u3040" < after[:1] < "\uff00" else words


def _sentence_zh(m: re.Match[str]) -> str:
    stops = "[.!?\u3002\uff01\uff1f\n]"
    return re.split(stops, m.string[: m.start()])[-1] + re.split(stops, m.string[m.start() :])[0]


def _absolute_zh(m: re.Match[str], today: date) -> str:
    if m["day"]:
        return f"{today + timedelta(_SHIFTS[m['day']])}{_PARTS.get(m['day'][-1], '')}"
    if m["week"]:
        monday = today + timedelta(7 * _WEEKS.get(m["week"][0], 0) - today.weekday())
        return _in_week(monday, m["weekday"])
    if m["month"]:
        return month_away(today, _WEEKS[m["month"][0]])
    if m["year"]:
        return f"{today.year + _YEARS[m['year'][0]]:04}\u5e74"
    return _ago(m, today)


def _in_week(monday: date, weekday: str | None) -> str:
    if weekday is None:
        return f"{monday} \u90a3\u4e00\u5468"
    day = "\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u65e5".find(weekday)
    return str(monday + timedelta(day if day >= 0 else 6))


def _ago(m: re.Match[str], today: date) -> str:
    numeral = m["count"].replace("\u4e24", "\u4e8c")
    count = int(numeral) if numeral.isdigit() else _NUMERALS.index(numeral)
    if m["unit"] == "\u5929":
        return str(today - timedelta(count))
    unit = _UNITS[m["unit"]]
    if unit == "week":
        return f"{today - timedelta(today.weekday() + 7 * count)} \u90a3\u4e00\u5468"
    return month_away(today, -count) if unit == "month" else f"{today.year - count:04}\u5e74"
