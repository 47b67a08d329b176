"""Word lists: what two wordings of one fact may differ in, and nothing else.

Safe are only pairs that say the same in every sentence: a quantity, a tense, a negation, a name and
`should` for `must` do not.
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Return the words of *text*."""
    return frozenset(text.split())


def _pairs(text: str) -> dict[str, str]:
    """Read lines `meant: word, several words`: each of these is written as what is meant."""
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        meant, _, others = line.strip().partition(": ")
        found |= dict.fromkeys(others.split(", "), meant)
    return found


ARTICLES = frozenset({"a", "an", "the"})
FILLERS = words("""
    actually also anyway basically currently indeed literally please presently really simply
""")
NEGATIONS = words("""
    not no never nobody nothing none nowhere neither nor without cannot hardly barely rarely seldom
""")
PRESENT = frozenset({"is", "are", "am"})

WORDS = _pairs("""
    about: approximately, roughly, circa, ca, approx, ~
    although: though
    and: &
    begin: start, commence
    begins: starts, commences
    buy: purchase
    bought: purchased
    buys: purchases
    called: named, titled
    child: kid
    children: kids
    closes: shuts
    daily: everyday
    do: does
    dr: doctor
    email: e-mail
    every: each
    father: dad
    has: have
    help: assist
    helps: assists
    mother: mom, mum
    leaves: departs
    needs: requires
    need: require
    needed: required
    percent: %
    phone: telephone
    ends: finishes
    end: finish
    show: display
    shows: displays
    through: via
    until: till
    use: utilize, utilise
    used: utilized, utilised
    uses: utilizes, utilises
    using: utilizing, utilising
    weekly: once-weekly
    yearly: annually
    color: colour
    favorite: favourite
    center: centre
    gray: grey
    license: licence
    whilst: while
    when: whenever
""")

PHRASES = _pairs("""
    about: more or less
    after: subsequent to
    and: as well as
    at least: no fewer than, no less than, a minimum of
    at most: no more than, up to, a maximum of
    because: due to the fact that, on account of the fact that
    because of: due to, owing to, on account of
    before: prior to
    can: is able to, are able to, am able to
    daily: every day, each day, once a day
    for: for the purpose of
    if: in the event that, in case
    in: within the, inside of
    is allergic to: has allergy to, have allergy to
    is in: is located in, is situated in, are located in, is found in
    is on: is located on
    is at: is located at
    is: takes place
    are: take place
    lives in: resides in
    live in: reside in
    nightly: every night, each night
    monthly: every month, each month, once a month
    must: has to, have to, needs to, need to, is required to, are required to
    of month: of every month, of each month
    of year: of every year, of each year
    of week: of every week, of each week
    now: at the moment, at present, right now
    opens at: is open from
    on mondays: every monday, each monday
    on tuesdays: every tuesday, each tuesday
    on wednesdays: every wednesday, each wednesday
    on thursdays: every thursday, each thursday
    on fridays: every friday, each friday
    on saturdays: every saturday, each saturday
    on sundays: every sunday, each sunday
    through: by means of
    to: in order to, so as to
    2 times: twice
    weekly: every week, each week, once a week
    when: at the time when
    yearly: every year, each year, once a year
""")

CONTRACTED = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "let's": ("let", "us"),
}
ENDINGS = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
SUBJECTS = words("it he she that there what who here where")
"""Behind these, 's is short for `is`."""

_SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL = {word: str(number) for number, word in enumerate(_SMALL.split())}
TENS = {word: str(10 * number) for number, word in enumerate(_TENS.split(), 2)}

PREPOSITIONS = words("""
    at by during for from in into on onto over through throughout to under until with within without
""")
OFTEN = words("every daily nightly weekly monthly yearly")
SUBORDINATORS = words("after although because before if once since unless when while")

_IRREGULAR = """
    bring brought brought|buy bought bought|build built built|choose chose chosen|do did done
    draw drew drawn|drive drove driven|eat ate eaten|feed fed fed|find found found
    forget forgot forgotten|get got gotten|give gave given|hold held held|keep kept kept
    know knew known|lead led led|leave left left|lose lost lost|make made made|pay paid paid
    run ran run|say said said|sell sold sold|send sent sent|speak spoke spoken|take took taken
    teach taught taught|tell told told|win won won|write wrote written
"""
_REGULAR = """
    accept access adopt answer approve ask backup block book call change check clean clear close
    collect configure contact control cook cover create deliver deploy design develop document
    fix fund generate handle host install invite join launch like load lock love maintain manage
    mark measure mentor merge monitor move open order organize own pack paint patch plan play
    prefer prepare process produce provide publish push record release remove repair replace
    report review rotate schedule serve sign start store support test trigger update upload use
    validate verify visit want watch archive delete empty
"""


def _regular(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    doubled = base in {"plan", "prefer"}
    return f"{base}{base[-1]}ed" if doubled else f"{base}ed"


def _voices() -> dict[str, tuple[str, str]]:
    rows = [row.split() for line in _IRREGULAR.strip().splitlines() for row in line.split("|")]
    rows += [[base, _regular(base), _regular(base)] for base in _REGULAR.split()]
    return {done: (base, past) for base, past, done in rows}


ACTIVE = _voices()
"""The base and the past of a verb, by its participle."""


def third(base: str) -> str:
    """Return the third person singular of a verb."""
    if base.endswith(("s", "x", "sh", "ch", "o")):
        return f"{base}es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}s"
