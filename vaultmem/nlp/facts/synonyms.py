"""Word lists: what two wordings of one fact may differ in, and nothing else.

Safe are only pairs that say the same in every sentence that has either: a quantity, a tense, a
negation, a name and `should` for `must` do not. A word of two senses stands here in neither, unless
the words beside it tell in which it is meant: a false pair loses a fact, a missing one leaves two.
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
MEASURED = words("""
    bit couple few fewest fifth fourth half least less little lot majority minority more most number
    quarter second third
""")
"""Before one of these an article tells how many: `few` came, `a few` did, `the few` are ours."""

CAPITALS = words("Sie Ihnen Ihr Ihre Ihrem Ihren Ihrer Ihres Paar")
"""What is another word in small letters inside a German sentence: you or her, a pair or a few."""

FILLERS = words("""
    actually also anyway currently indeed literally please really simply
""")
NEGATIONS = words("""
    not no never nobody nothing none nowhere neither nor without cannot hardly barely rarely seldom
""")
PRESENT = frozenset({"is", "are", "am"})

WORDS = _pairs("""
    although: though
    and: &
    begin: start, commence
    begins: starts, commences
    buy: purchase
    bought: purchased
    buys: purchases
    child: kid
    children: kids
    closes: shuts
    do: does
    every: each
    father: dad
    has: have
    mother: mom, mum
    leaves: departs
    percent: %
    phone: telephone
    until: till
    use: utilize, utilise
    used: utilized, utilised
    uses: utilizes, utilises
    using: utilizing, utilising
    yearly: annually
    color: colour
    favorite: favourite
    center: centre
    gray: grey
    license: licence
    whilst: while
""")

PHRASES = _pairs("""
    after: subsequent to
    at least: no fewer than, no less than
    at most: no more than
    because of: on account of
    before: prior to
    daily: every day, each day
    end at: finish at
    end on: finish on
    ends at: finishes at
    ends on: finishes on
    is allergic to: has allergy to, have allergy to
    is in: is located in, is situated in, are located in
    is on: is located on
    is at: is located at
    is: takes place
    are: take place
    lives in: resides in
    live in: reside in
    nightly: every night, each night
    monthly: every month, each month
    of month: of every month, of each month
    of year: of every year, of each year
    of week: of every week, of each week
    now: at moment, at present, right now
    opens at: is open from
    on mondays: every monday, each monday
    on tuesdays: every tuesday, each tuesday
    on wednesdays: every wednesday, each wednesday
    on thursdays: every thursday, each thursday
    on fridays: every friday, each friday
    on saturdays: every saturday, each saturday
    on sundays: every sunday, each sunday
    2 times: twice
    weekly: every week, each week
    yearly: every year, each year
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


def regular(base: str) -> str:
    """Return the past of a regular verb."""
    if base.endswith("e"):
        return f"{base}d"
    doubled = base in {"plan", "prefer"}
    return f"{base}{base[-1]}ed" if doubled else f"{base}ed"


def _voices() -> dict[str, tuple[str, str]]:
    rows = [row.split() for line in _IRREGULAR.strip().splitlines() for row in line.split("|")]
    rows += [[base, regular(base), regular(base)] for base in _REGULAR.split()]
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
