"""What somebody says of a job, a home, a tie or a thing that is over: `I quit`, `We broke up`."""

from __future__ import annotations

from typing import NamedTuple

from vaultmem.documents.patterns import compiled
from vaultmem.nlp.extraction.grammar import assertion_en
from vaultmem.nlp.extraction.grammar.phrases_en import PLACE
from vaultmem.nlp.text import salience

JOB = ("employer", "workplace")
HOME = ("city", "address")
TIES = (
    "girlfriend",
    "boyfriend",
    "partner",
    "fianc\u00e9",
    "fianc\u00e9e",
    "wife",
    "husband",
    "spouse",
)
VEHICLE = ("drives", "rides", "owns", "car", "van", "motorbike", "bike", "boat")
_CATEGORIES = {JOB: "work", HOME: "contact", TIES: "family", VEHICLE: "belongings"}


class Departure(NamedTuple):
    """That *fields* of a card of the *category* are over, those of *where* alone if it is said."""

    category: str
    fields: tuple[str, ...]
    where: str = ""


_WHEN = (
    r"(?: (?:today|yesterday|last (?:week|month|year|\w+day)|this (?:week|month|morning)"
    r"|(?:in|on|at the end of) [A-Z]?\w+|(?:a|two|three) (?:days?|weeks?|months?) ago))?"
)
_WHY = (
    r"(?:,? (?:because|since|due to|after \w+ (?:years?|months?)|to (?:focus|start|study|be|look))"
    r"\b[^?]*)?"
)
_HAVE = r"(?:have |['\u2019]ve )?(?:just |finally |recently |officially )?"
_AT = rf"(?: (?:at|with|from) (?P<where>(?-i:{PLACE})))"
_FROM = rf"(?P<where>(?-i:{PLACE}))"
_DISMISSED = "(?:laid off|fired|sacked|let go|made redundant)"
_JOB_EN = (
    rf"{_HAVE}(?:quit|resigned){_AT}?",
    rf"{_HAVE}(?:quit|left|lost|gave up) my job{_AT}?",
    rf"{_HAVE}(?:quit|left) {_FROM}",
    rf"(?:was|got|(?:have|['\u2019]ve) been) (?:just )?{_DISMISSED}{_AT}?",
    rf"{_HAVE}retired{_AT}?",
    rf"{_HAVE}stopped working{_AT}",
    rf"no longer work{_AT}",
    rf"(?:am|['\u2019]m) no longer{_AT}",
    rf"(?:don['\u2019]t|do not) work{_AT} any ?more",
)
_HOME_EN = (
    rf"{_HAVE}moved (?:out of|away from) {_FROM}",
    rf"{_HAVE}left {_FROM} for good",
    rf"no longer live in {_FROM}",
    rf"(?:don['\u2019]t|do not) live in {_FROM} any ?more",
)
_WITH = r"(?P<where>(?-i:[A-Z][\w'\u2019-]+))"
_PARTED = (
    r"(?:(?:have |['\u2019]ve )?(?:just |recently |finally )?(?:broke(?:n)? up|split up|separated"
    r"|parted ways)|(?:are|got)(?: now)? (?:divorced|separated)|are no longer together)(?: now)?"
)
_TIES_EN = (rf"{_WITH} and I {_PARTED}", rf"I (?:just |recently )?(?:broke|split) up with {_WITH}")
_SOLD_EN = (rf"{_HAVE}(?:sold|scrapped|gave away) (?:the|my|our) (?P<where>(?-i:[A-Z][\w-]+))",)
_LEADS_DE = r"(?:(?:\u00fcbrigens|also|ja|und|aber|leider|hallo|so)[,!]? )*"
_TIMES_DE = (
    r"(?:gestern|heute|jetzt|gerade|endlich|\u00fcbrigens|leider|letzte Woche|letzten Monat"
    r"|letztes Jahr|vor \w+ (?:Tagen|Wochen|Monaten)|(?:Anfang|Mitte|Ende|im) [A-Z]\w+)"
)
_WHEN_DE = rf"(?: {_TIMES_DE})*"
_SITE = r"[A-Z\u00c4\u00d6\u00dc][\w\u00e4\u00f6\u00fc\u00df&-]*(?: [A-Z]\w+)?"
_BEI = rf"(?: (?:bei|von) (?:der |dem )?(?P<where>(?-i:{_SITE})))"
_AUS = rf" (?:aus|von) (?P<where>(?-i:{_SITE}))"
_I_HAVE = rf"(?:ich habe|{_TIMES_DE} habe ich){_WHEN_DE}"
_MY_JOB = "(?:meinen Job|meine Stelle|meine Arbeit)"
_JOB_DE = (
    rf"{_I_HAVE}{_BEI}?{_WHEN_DE} (?:gek\u00fcndigt|aufgeh\u00f6rt zu arbeiten)",
    rf"{_I_HAVE}{_BEI}{_WHEN_DE} aufgeh\u00f6rt",
    rf"{_I_HAVE} {_MY_JOB}{_BEI}?{_WHEN_DE} (?:gek\u00fcndigt|verloren|aufgegeben)",
    rf"ich wurde{_WHEN_DE}{_BEI}? (?:entlassen|gefeuert|gek\u00fcndigt)",
    rf"mir wurde{_WHEN_DE}{_BEI}? gek\u00fcndigt",
    rf"ich arbeite{_WHEN_DE} nicht mehr{_BEI}",
    rf"ich bin{_WHEN_DE} nicht mehr{_BEI}",
    rf"ich bin{_WHEN_DE} in Rente(?: gegangen)?",
)
_HOME_DE = (
    rf"ich bin{_WHEN_DE}{_AUS}{_WHEN_DE} (?:weggezogen|ausgezogen|fortgezogen)",
    rf"ich (?:wohne|lebe){_WHEN_DE} nicht mehr in (?P<where>(?-i:{_SITE}))",
)
_LEADS_ZH = "(?:对了|另外|其实|不过|但是?|所以|嗯|[^\\w]){0,6}"
_WHEN_ZH = "(?:今天|昨天|前天|上周|上个月|这周|这个月|去年|最近|已经|刚刚?|终于|前几天)*"
_WHERE_ZH = "(?P<where>(?:(?![不了没])\\w){2,16}?)"
_AWAY_ZH = "(?:了|啦)?"
_JOB_ZH = (
    f"(?:从{_WHERE_ZH})?(?:辞职|离职|退休)(?:了|啦)",
    f"(?:辞掉|辞去|丢)了?(?:在?{_WHERE_ZH}的)?(?:工作|职务)了?",
    f"被(?:{_WHERE_ZH})?(?:裁员?|解雇|辞退|开除|炒(?:鱿鱼)?)(?:了|啦)",
    f"(?:已经)?不再在{_WHERE_ZH}(?:工作|上班|任职){_AWAY_ZH}",
    f"(?:已经)?不在{_WHERE_ZH}(?:工作|上班|任职)(?:了|啦)",
    f"离开了?{_WHERE_ZH}(?:公司)?{_AWAY_ZH}",
)
_HOME_ZH = (
    f"(?:已经)?不再住在?{_WHERE_ZH}{_AWAY_ZH}",
    f"(?:已经)?不住在?{_WHERE_ZH}(?:了|啦)",
    f"(?:已经)?从{_WHERE_ZH}(?:搬走|搬出来?|搬离){_AWAY_ZH}",
    f"(?:搬离|搬出)了?{_WHERE_ZH}{_AWAY_ZH}",
)


def _whole(opening: str, said: tuple[str, ...], end: str) -> tuple[str, ...]:
    return tuple(rf"(?i)^\W*{opening}{each}{end}\W*$" for each in said)


_EN = rf"{assertion_en.LEADS}I ?"
_PATTERNS = (
    (JOB, _whole(_EN, _JOB_EN, f"{_WHEN}{_WHY}")),
    (HOME, _whole(_EN, _HOME_EN, f"{_WHEN}{_WHY}")),
    (TIES, _whole(assertion_en.LEADS, _TIES_EN, f"{_WHEN}{_WHY}")),
    (VEHICLE, _whole(_EN, _SOLD_EN, f"{_WHEN}{_WHY}")),
    (JOB, _whole(_LEADS_DE, _JOB_DE, "")),
    (HOME, _whole(_LEADS_DE, _HOME_DE, "")),
    (JOB, _whole(f"{_LEADS_ZH}{_WHEN_ZH}我{_WHEN_ZH}", _JOB_ZH, "")),
    (HOME, _whole(f"{_LEADS_ZH}{_WHEN_ZH}我{_WHEN_ZH}", _HOME_ZH, "")),
)


def departure(sentence: str) -> Departure | None:
    """Return what *sentence* says its speaker has left; None if nothing.

    What is asked, denied, hoped or only nearly so ends no job: each has to be the whole sentence.
    """
    if salience.is_question(sentence):
        return None
    for fields, patterns in _PATTERNS:
        for pattern in patterns:
            if found := compiled(pattern).match(sentence):
                where = found.groupdict().get("where") or ""
                return Departure(_CATEGORIES[fields], fields, where)
    return None
