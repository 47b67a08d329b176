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
STUDIES = ("studies", "school", "school_year", "status")
SINGLE = ("marital_status",)
SPOUSES = ("wife", "husband", "spouse")
_NAMED = {"status": ("student",), "marital_status": ("single",)}
_CATEGORIES = {
    JOB: "work", HOME: "contact", TIES: "family", VEHICLE: "belongings", STUDIES: "studies",
    SINGLE: "family",
}  # fmt: skip


class Departure(NamedTuple):
    """That *fields* of a card of the *category* are over, those of *where* alone if it is said."""

    category: str
    fields: tuple[str, ...]
    where: str = ""

    def ends(self, field: str) -> tuple[str, ...]:
        """Return what *field* has to name to be over; nothing where it is, whatever it names."""
        if field == self.where.casefold():  # `my car is a Volvo`: sold is the car, whatever it is
            return ()
        return _NAMED.get(field) or ((self.where,) if self.where else ())


_WHEN = (
    r"(?: (?:today|yesterday|last (?:week|month|year|\w+day)|this (?:week|month|morning)"
    r"|last (?:spring|summer|autumn|fall|winter|night)|(?:in|on|since|at the end of) [A-Z]?\w+"
    r"(?: (?:19|20)\d\d)?|at (?:Christmas|Easter)"
    r"|(?:a|two|three|four|five|six) (?:days?|weeks?|months?|years?) ago))?"
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
    (
        rf"{_HAVE}(?:handed|given|gave|put|turned) in (?:my|our) (?:two weeks['\u2019]? )?"
        rf"(?:notice|resignation){_AT}?"
    ),
    rf"{_HAVE}(?:gave|given) (?:my )?(?:two weeks['\u2019]? )?notice{_AT}?",
    rf"(?:was|got|(?:have|['\u2019]ve) been) (?:just )?{_DISMISSED}{_AT}?",
    rf"{_HAVE}retired{_AT}?",
    rf"{_HAVE}stopped working{_AT}",
    rf"no longer work{_AT}",
    rf"(?:am|['\u2019]m) no longer{_AT}",
    rf"(?:am|['\u2019]m) not{_AT},? any ?more",
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
_TIES_EN = (
    rf"{_WITH} and I {_PARTED}",
    rf"I (?:just |recently )?(?:broke|split) up with {_WITH}",
    (
        r"we (?:(?:have |['\u2019]ve )?(?:just |recently |finally )?broke(?:n)? up"
        r"|(?:are|['\u2019]re|got) (?:now )?divorced|are no longer together)"
    ),
    rf"{_WITH} (?:just |has |recently )?(?:dumped|broke up with|split up with) me",
)
_ALONE_EN = (rf"{_HAVE}(?:don['\u2019]t|do not) have a (?:girlfriend|boyfriend|partner) any ?more",)
_TIED = "(?:girlfriend|boyfriend|partner|fianc\u00e9e?|husband|wife)"
_TIED_EN = (
    (
        rf"{_HAVE}(?:have|got|['\u2019]ve got)(?: got)?(?: now)? a(?: new)? {_TIED}(?: now| again)?"
        rf"(?:,? (?:called |named |(?:his|her) name(?: is|['\u2019]s) )?(?-i:[A-Z])[\w'\u2019-]+)?"
    ),
    (
        r"(?:am|['\u2019]m) (?:in a relationship|not single"
        r"|dating (?:someone|somebody|(?-i:[A-Z])\w+))(?: now| again| any ?more)?"
    ),
)
_DEGREE = (
    r"(?:my|the) (?:degree|studies|bachelor(?:['\u2019]?s)?|master(?:['\u2019]?s)?|ph\.?d|doctorate"
    r"|course|law degree)(?: degree)?"
)
_STUDIES_EN = (
    rf"{_HAVE}graduated(?: from (?:uni(?:versity)?|college))?",
    rf"{_HAVE}(?:finished|completed|got) {_DEGREE}",
    rf"{_HAVE}(?:finished|left) (?:uni(?:versity)?|college)",
    rf"{_HAVE}dropped out(?: of (?:uni(?:versity)?|college))?",
    r"(?:am|['\u2019]m) (?:no longer a student|not a student any ?more)",
)
_VEHICLES = r"(?:boat|canoe|kayak|caravan|camper|motorhome|car|van|motorbike|scooter)"
_SOLD_EN = (
    (
        rf"{_HAVE}(?:sold|scrapped|gave away) (?:the|my|our)"
        rf" (?P<where>(?-i:[A-Z][\w-]+)|{_VEHICLES})"
        r"(?: and (?:now )?(?:drive|ride|bought|got|have) [^?]{2,40})?"
    ),
)
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
    rf"ich habe{_WHEN_DE}{_BEI}{_WHEN_DE} (?:meine )?K\u00fcndigung (?:eingereicht|abgegeben)",
    rf"ich habe{_WHEN_DE} meine K\u00fcndigung{_BEI}?{_WHEN_DE} (?:eingereicht|abgegeben)",
    rf"ich bin{_WHEN_DE} in Rente(?: gegangen)?",
)
_HOME_DE = (
    rf"ich bin{_WHEN_DE}{_AUS}{_WHEN_DE} (?:weggezogen|ausgezogen|fortgezogen)",
    rf"ich (?:wohne|lebe){_WHEN_DE} nicht mehr in (?P<where>(?-i:{_SITE}))",
)
_NAME_DE = r"(?P<where>(?-i:[A-Z\u00c4\u00d6\u00dc][a-z\u00e4\u00f6\u00fc\u00df]+))"
_TIES_DE = (
    rf"{_NAME_DE} und ich haben uns{_WHEN_DE} (?:getrennt|scheiden lassen)",
    rf"{_NAME_DE} und ich sind(?: jetzt)?{_WHEN_DE} (?:getrennt|geschieden|nicht mehr zusammen)",
    rf"ich habe mich{_WHEN_DE} von {_NAME_DE}{_WHEN_DE} (?:getrennt|scheiden lassen)",
    rf"ich habe{_WHEN_DE} mit {_NAME_DE}{_WHEN_DE} schluss gemacht",
    rf"{_NAME_DE} hat{_WHEN_DE} mit mir{_WHEN_DE} schluss gemacht",
    rf"ich bin{_WHEN_DE} nicht mehr mit {_NAME_DE} zusammen",
    rf"wir haben uns{_WHEN_DE} (?:getrennt|scheiden lassen)",
    rf"wir sind{_WHEN_DE} (?:geschieden|nicht mehr zusammen)",
)
_SOLD_DE = (
    (
        rf"{_I_HAVE} (?:den|die|das|meinen?|unseren?|unser|mein) (?:alten? )?"
        rf"(?P<where>(?-i:{_SITE})){_WHEN_DE} (?:verkauft|verschrottet|verschenkt|abgegeben)"
    ),
)
_STUDIES_DE = (
    (
        rf"{_I_HAVE} (?:mein|das) (?:\w*studium){_WHEN_DE} (?:abgeschlossen|beendet|abgebrochen"
        r"|geschmissen|aufgegeben|fertig)"
    ),
    (
        rf"ich bin{_WHEN_DE} (?:mit (?:dem|meinem) studium fertig|kein(?:e)? student(?:in)? mehr"
        r"|exmatrikuliert)"
    ),
)
_TIED_DE = (
    (
        rf"ich habe{_WHEN_DE} (?:eine (?:neue )?(?:freundin|partnerin)|einen (?:neuen )?(?:freund"
        r"|partner))(?:,? (?:sie|er) hei\u00dft (?-i:[A-Z])\w+)?"
    ),
    rf"ich bin{_WHEN_DE} (?:nicht mehr single|in einer beziehung|vergeben)",
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
    f"(?:已经)?不在(?!家|乎){_WHERE_ZH}(?:公司)?(?:了|啦)",
    f"(?:已经)?(?:向|跟)?{_WHERE_ZH}?(?:提出?|交|递交)了?(?:辞职信?|辞呈|离职)(?:了|啦)?",
    f"离开了?{_WHERE_ZH}(?:公司)?{_AWAY_ZH}",
)
_HOME_ZH = (
    f"(?:已经)?不再住在?{_WHERE_ZH}{_AWAY_ZH}",
    f"(?:已经)?不住在?{_WHERE_ZH}(?:了|啦)",
    f"(?:已经)?从{_WHERE_ZH}(?:搬走|搬出来?|搬离){_AWAY_ZH}",
    f"(?:搬离|搬出)了?{_WHERE_ZH}{_AWAY_ZH}",
)


_NAME_ZH = "(?P<where>(?:(?![们的了不没])[\u4e00-\u9fff]){2,4}?)"
_TIES_ZH = (
    f"我{_WHEN_ZH}[和跟与同]{_NAME_ZH}{_WHEN_ZH}(?:分手|离婚|分开)(?:了|啦)",
    f"{_NAME_ZH}[和跟与同]我{_WHEN_ZH}(?:分手|离婚|分开)(?:了|啦)",
    f"我{_WHEN_ZH}(?:分手|离婚)(?:了|啦)",
    f"我们{_WHEN_ZH}(?:分手|离婚)(?:了|啦)",
)
_SOLD_ZH = (
    f"我{_WHEN_ZH}[把将](?:我?的|我那辆|那辆|这辆)?{_WHERE_ZH}{_WHEN_ZH}卖(?:掉)?(?:了|啦)",
    f"我{_WHEN_ZH}卖(?:掉)?了(?:我?的|我那辆|那辆|这辆)?{_WHERE_ZH}",
    f"(?:我的){_WHERE_ZH}{_WHEN_ZH}卖(?:掉)?(?:了|啦)",
)
_STUDIES_ZH = (f"我{_WHEN_ZH}(?:大学|研究生|硕士|博士|本科)?{_WHEN_ZH}(?:毕业|退学|辍学)(?:了|啦)",)
_TIED_ZH = (
    f"我{_WHEN_ZH}(?:有|交|谈|找到?)了?(?:个)?(?:女|男)朋友(?:了|啦)",
    f"我{_WHEN_ZH}(?:脱单|恋爱|谈恋爱|不再单身|不单身)(?:了|啦)",
)


def _whole(opening: str, said: tuple[str, ...], end: str) -> tuple[str, ...]:
    return tuple(rf"(?i)^\W*{opening}{each}{end}\W*$" for each in said)


_EN = rf"{assertion_en.LEADS}I ?"
_PATTERNS = (
    (JOB, _whole(_EN, _JOB_EN, f"{_WHEN}{_WHY}")),
    (HOME, _whole(_EN, _HOME_EN, f"{_WHEN}{_WHY}")),
    (TIES, _whole(assertion_en.LEADS, _TIES_EN, f"{_WHEN}{_WHY}")),
    (VEHICLE, _whole(rf"{assertion_en.LEADS}(?:I|we) ?", _SOLD_EN, f"{_WHEN}{_WHY}")),
    (STUDIES, _whole(_EN, _STUDIES_EN, f"{_WHEN}{_WHY}")),
    (TIES, _whole(_EN, _ALONE_EN, f"{_WHEN}")),
    (SINGLE, _whole(_EN, _TIED_EN, "")),
    (JOB, _whole(_LEADS_DE, _JOB_DE, "")),
    (TIES, _whole(_LEADS_DE, _TIES_DE, "")),
    (VEHICLE, _whole(_LEADS_DE, _SOLD_DE, "")),
    (STUDIES, _whole(_LEADS_DE, _STUDIES_DE, "")),
    (SINGLE, _whole(_LEADS_DE, _TIED_DE, "")),
    (HOME, _whole(_LEADS_DE, _HOME_DE, "")),
    (JOB, _whole(f"{_LEADS_ZH}{_WHEN_ZH}我{_WHEN_ZH}", _JOB_ZH, "")),
    (HOME, _whole(f"{_LEADS_ZH}{_WHEN_ZH}我{_WHEN_ZH}", _HOME_ZH, "")),
    (TIES, _whole(f"{_LEADS_ZH}{_WHEN_ZH}", _TIES_ZH, "")),
    (VEHICLE, _whole(f"{_LEADS_ZH}{_WHEN_ZH}", _SOLD_ZH, "")),
    (STUDIES, _whole(f"{_LEADS_ZH}{_WHEN_ZH}", _STUDIES_ZH, "")),
    (SINGLE, _whole(f"{_LEADS_ZH}{_WHEN_ZH}", _TIED_ZH, "")),
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
