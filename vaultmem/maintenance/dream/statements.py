"""Read what a short text claims: of what, which attribute, and the value.

Only what can have one value at a time is read: where someone lives, what a thing is called, a
limit, a port, a version, a yes or no.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from vaultmem.maintenance.dream import clauses, fact_identity
from vaultmem.nlp.extraction import single_values
from vaultmem.nlp.facts import fact_similarity, paraphrases_zh, rewordings
from vaultmem.nlp.facts.synonyms import third, words
from vaultmem.nlp.text import analysis, word_order

_LONGEST = 400
_MOST_WORDS = 4
_FEWEST_WORDS = 2
_SINCE = re.compile(r",? (?:since|as of|from) (?P<day>\d{4}-\d\d-\d\d)$")
_MORE = re.compile(
    '(?<!Dr)(?<!Mr)(?<!Mrs)(?<!Ms)(?<!St)[.!?\u3002\uff1f]\\s|[?\uff1f]$|~~|["\u201c]'
)
_PERSONAL = r"lives? in|lives? at|works? at|works? for|reports? to"
_BY = re.compile(rf"\b(?:{_PERSONAL})\b", re.IGNORECASE)
_SINGLE = (
    rf"{_PERSONAL}|is (?:called|named)|is (?:located|based) in|is due(?: on)?|is owned by"
    r"|belongs to|is hosted (?:on|by)|costs|weighs|(?:starts|ends|opens|closes) (?:at|on)"
    r"|expires on"
)
_SAYS = re.compile(rf" (?:{_SINGLE}|is|are) ", re.IGNORECASE)
_CLAIM = re.compile(
    r"(?P<what>[^,;:?!]{1,80}?) (?:(?:now|currently) )?"
    rf"(?P<verb>{_SINGLE}|is|are) (?:(?:now|currently) )?"
    r"(?P<value>(?:[^,;:?!]|:(?=\d\d)|, (?=\d{4}$)){1,40}?)(?: now| currently)?",
    re.IGNORECASE,
)
_NOW = r"(?:(?:now|currently) )?"
_SOFTWARE = (
    r"Postgres(?:QL|ql)?|MySQL|MariaDB|Redis|Valkey|MongoDB|Elasticsearch|Kafka|Node(?:\.js)?|Python"
    r"|Java|Ruby|PHP|Django|Rails|React|Angular|Vue|Debian|Ubuntu|Fedora|Android|iOS|Windows"
)
"""What has whole numbers as versions, unlike `Room 15`."""

_FIGURED = re.compile(
    rf"(?P<what>[^,;:?!]{{1,80}}?) {_NOW}(?:"
    r"(?P<port>(?:(?:listens|runs|binds|is(?: reachable| available| exposed| served)?) (?:on|at|to)"
    r"|uses)(?: the)? port) (?P<number>\d{2,5})"
    rf"|(?P<how>(?:is|runs)(?: on| at)?|uses|speaks|targets|requires|is pinned to) {_NOW}(?:the )?"
    r"(?P<thing>(?:[^\W\d]\S* ){0,3}?)(?P<version>v\d+(?:\.\d+)*|\d+(?:\.\d+)+)"
    rf"|(?P<does>uses|runs(?: on)?|requires) {_NOW}(?-i:(?P<software>{_SOFTWARE}))"
    r" (?P<major>\d{1,2})"
    r")(?: now| currently)?",
    re.IGNORECASE,
)
_WEB_PORTS = frozenset({"80", "443"})
"""What listens on one of these mostly does so on the other, too."""

_AT_MOST = r"(?:at most|up to|no more than|a maximum of|max(?:imum)?\.?) "
_LIMITED = re.compile(
    rf"(?P<what>[^,;:?!]{{1,80}}?) {_NOW}(?:(?P<holds>holds|seats|sleeps|fits|has room for)"
    rf" (?:{_AT_MOST})?|(?:allows|admits|accepts|takes|supports|permits) {_AT_MOST})"
    r"(?P<number>\d[\d,.]*)(?: (?P<unit>(?!now\b|currently\b)[^\W\d]+))?(?: now| currently)?",
    re.IGNORECASE,
)
_SENT_OUT = re.compile(
    r"(?:(?:The|Our) )?(?:[Dd]eploy(?:ment)?s|[Rr]eleases|[Ii]nvoices|[Nn]ewsletters|[Rr]eports"
    r"|[Rr]eminders|[Pp]ayslips) go out on xweekday"
)
"""What goes out on one day of the week, as the bins do."""

_PEOPLE = words("guests guest people persons person visitors seats pax attendees")
_UNITS = words("""
    l litres liters litre liter ml kg g t tonnes tons kb mb gb tb cars bikes beds bottles users
    connections requests characters files
""")
"""Of what something holds one number: whoever writes none of these means people, or is not read."""

_CHINESE = re.compile(
    "(?P<what>[^\uff0c\u3002\uff1b\uff1f]{1,20}?)(?:\u73b0\u5728)?"
    "(?P<verb>\u4f4f\u5728|\u540d\u53eb|\u6539\u4e3a|\u5b9a\u5728"
    "|\u7684(?P<of>\u540d\u5b57|\u4f4f\u5740"
    "|\u7535\u8bdd|\u751f\u65e5|\u7aef\u53e3|\u4e0a\u9650|\u8d1f\u8d23\u4eba)\u662f)"
    "(?P<value>[^\uff0c\u3002\uff1b\uff1f\u548c\u3001]{1,16})"
)
_ONE_OF = re.compile(
    r"\b(?:name|owner|lead|manager|maintainer|deadline|due date|birthday|address|phone|email|port"
    r"|limit|quota|budget|price|retention|timeout|version|region|size|capacity|default|capital|code"
    r"|colou?r|favou?rite|main|primary|salary|age|height|weight|headquarters|employer|job|title"
    r"|boss|wife|husband|spouse|status|host|hostname|url|path|editor|time ?zone|diet|password"
    r"|number|window|database|language|doctor|dentist)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:if|when|while|unless|until|before|after|during|usually|sometimes|often|mostly|also|and"
    r"|or|both|either|used to|maybe|perhaps|probably|might|(?-i:may)|could|would|should|one of"
    r"|another|other|some|any|every|each|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|except"
    r"|than|per|(?:plans?|wants?|hopes?) to|said|says|thinks?|was|were|first|second|between"
    r"|not|\w+n['\u2019]t|like"
    r"|such as)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:if|when|unless|until|sometimes|often|usually|maybe|perhaps|probably|might"
    r"|(?-i:may)|could|would|was|were|did|had|only|always|never|yet|still|but|except|said|says|than)\b|ed\b",
    re.IGNORECASE,
)
_PASSIVE = re.compile(r"\b(?:is|are)(?: not|n['\u2019]t)? \w+ed\b")
_PRONOUN = re.compile(
    r"(?:it|he|she|they|this|that|these|those|there|here|what|which|who|one|his|her|its|their)\b",
    re.IGNORECASE,
)
_QUANTIFIED = re.compile(r"(?i)(?:some|many|most|few|a few|several|half|certain)\b")
_ALWAYS = re.compile(r"\A[Aa]lways (?=[a-z]+ )(?!\w+ed\b)")
_NEGATION = re.compile(r" (?:do )?not (?!only|just|always|yet)")
_DENIED = re.compile(
    r"\bdoes(?: not|n['\u2019]t) (?P<verb>[a-z]+)\b|\b(?P<be>is|are)(?: not|n['\u2019]t)\b"
    r"(?! (?:only|just|always|yet)\b)"
)
_POSSESSED = re.compile(
    "\u6211\u7684?(?:\u5988\u5988|\u7238\u7238|\u6bcd\u4eb2|\u7236\u4eb2|\u4e08\u592b|\u59bb\u5b50"
    "|\u8001\u516c|\u8001\u5a46|(?:\u59b9\u59b9|\u59d0\u59d0|\u54e5\u54e5|\u5f1f\u5f1f"
    "|\u513f\u5b50|\u5973\u513f|\u670b\u53cb|\u540c\u4e8b).+)"
)
"""Whom a Chinese sentence means by "my": one there is one of, or one with a name."""
_NUMBER = re.compile(r"[-+]?\d[\d.,:]*")
_PHRASE = re.compile(r"\b(?:in|on|at|for|with|of|by|from|to) ", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:now|currently|moved|no longer|any ?more|these days|since \d{4}-\d\d-\d\d)\b"
    "|\u73b0\u5728",
    re.IGNORECASE,
)
_CEASED = re.compile(
    r"(?P<who>[^,;:?!]{1,60}?) (?:no longer (?P<verb>\w+) (?P<rest>[^,;:?!]{1,60})"
    r"|(?:does|do)(?: not|n['\u2019]t) (?P<base>\w+) (?P<place>[^,;:?!]{1,60}?),? any ?more)",
)
_MOVED = re.compile(
    r"(?P<who>[^,;:?!]{1,60}?)(?: has| have|['\u2019]ve|['\u2019]s)?(?: just| recently)? moved"
    r"(?: house| home| away| out| again| recently)?(?: (?:to|from) [^,;:?!]{1,40}?)?"
    r" and (?:(?:now|currently) )?(?P<rest>(?:lives?|works?) [^,;:?!]{1,60})",
)
_LEFT = re.compile(
    r"(?P<who>[^,;:?!]{1,60}?)(?: has| have|['\u2019]ve|['\u2019]s)?(?: just| recently)? moved"
    r"(?: away)? from (?P<place>[^,;:?!]{1,40}?) to [A-Z]"
)
_I_NOW = re.compile(r"\bI (?:now|currently) (?=(?:live|work)\b)")
_NAME = re.compile(r"[A-Z][\w.-]*")
_COMMON = words("""
    api app backend build client database deploy frontend office production project release server
    service shop site staging team
""")
_EVERYWHERE = words("""
    api app build budget client database deadline meeting office port project release server service
    site team version
""")
_WE = re.compile(r"(?:we|our|you|your)\b", re.IGNORECASE)
_FIRST_PERSON = (
    (re.compile(r"\bI am\b|\bI['\u2019]m\b"), " is"),
    (re.compile(r"\bI live\b"), " lives"),
    (re.compile(r"\bI work\b"), " works"),
    (re.compile(r"\b[Mm]y\b"), "'s"),
)


class Statement(NamedTuple):
    """About *what* a text makes a claim, as a key, too; its value, as a key and as written.

    *since* is a date, "" where the text names none. A *loose* one may be one of several, and gives
    way only to one that says that something *changed*.
    """

    what: str
    about: str
    value: str
    raw: str
    since: str = ""
    loose: bool = False
    changed: bool = False


@lru_cache(maxsize=1 << 15)
def claimed(text: str) -> Statement | None:
    """Return what *text* claims; None where nothing that can be told to have one value only."""
    plain = " ".join(text.split()).rstrip(".!\u3002")
    if len(plain) > _LONGEST or _MORE.search(plain):
        return None
    plain = word_order.usual(plain)
    since = _SINCE.search(plain)
    plain = plain[: since.start()] if since else plain
    found = (
        _chinese(plain)
        or _valued(plain)
        or _figured(plain)
        or _limited(plain)
        or _answered(plain if since else text)
    )
    return found._replace(since=since["day"]) if found and since else found


def all_claimed(text: str) -> Iterator[Statement]:
    """Yield what *text* claims; who says a value says yes to it, too."""
    statement = claimed(text)
    if statement:
        yield statement
    if statement and statement.raw:
        yield answer(statement, "yes")
    else:
        yield from _in_sentences(text)


def _in_sentences(text: str) -> Iterator[Statement]:
    """Yield the values of *text*, each of which is the only one of the sentence around it."""
    plain = " ".join(text.split()).rstrip(".!\u3002")
    if not _MORE.search(plain):
        for slot in single_values.slots(plain):
            # On Tuesdays, and on others perhaps.
            if slot.raw.endswith("days") and not _SENT_OUT.fullmatch(slot.frame):
                continue
            about = fact_similarity.form(slot.frame)
            # What we keep is what is kept.
            what = about.partition(" is ")[0] if slot.what == "We" else slot.what
            yield Statement(what, about, slot.value, slot.raw)


def _valued(text: str) -> Statement | None:
    m = _CLAIM.fullmatch(text) if _SAYS.search(text) else None
    if m is None or _PRONOUN.match(m["what"]) or _UNSURE.search(text):
        return None
    value = re.sub(r"^(?:the|an?) ", "", m["value"])
    form = fact_similarity.form(value)
    figure = _NUMBER.match(form) is not None
    if not _is_single(m, value, figure=figure):
        return None
    unit = _NUMBER.sub("#", form) if figure else ""
    about = fact_similarity.form(f"{m['what']} {m['verb']} x {unit}")
    return Statement(m["what"], about, form, value)


def _figured(text: str) -> Statement | None:
    """Read the port that something listens on, or the version it has or uses."""
    m = _FIGURED.fullmatch(text)
    if m is None or _PRONOUN.match(m["what"]) or _UNSURE.search(text):
        return None
    if m["port"]:
        if m["number"] in _WEB_PORTS:
            return None
        about = fact_similarity.form(f"The port of {m['what']} is x")
        return Statement(m["what"], about, m["number"], m["number"])
    if m["major"]:
        return _figure(m, f"{m['does']} {m['software']} version x", m["major"])
    named = m["thing"] or m["version"].casefold().startswith("v")
    return _figure(m, f"{m['how']} {m['thing']} version x", m["version"]) if named else None


def _limited(text: str) -> Statement | None:
    """Read how many people, or how much of a unit, something holds or allows."""
    m = _LIMITED.fullmatch(text)
    if m is None or _PRONOUN.match(m["what"]) or _UNSURE.search(text):
        return None
    unit = (m["unit"] or "people").casefold()
    if unit not in _PEOPLE | _UNITS:
        return None
    kind = "people" if unit in _PEOPLE else unit
    verb = (m["holds"] or "allows").casefold()
    verb = "holds" if verb in {"fits", "has room for"} else verb
    return _figure(m, f"{verb} {kind} x", m["number"])


def _figure(m: re.Match[str], attribute: str, value: str) -> Statement:
    about = fact_similarity.form(f"{m['what']} {attribute}")
    key = value.casefold().removeprefix("v").replace(",", "")
    return Statement(m["what"], about, key, value)


def _is_single(m: re.Match[str], value: str, *, figure: bool) -> bool:
    """Whether the attribute can have one value only, and *value* is one: a name or a figure."""
    if len(value.split()) > _MOST_WORDS or (_PHRASE.search(value) and not figure):
        return False
    if m["verb"].casefold() in {"is", "are"}:
        return bool(_ONE_OF.search(m["what"])) and not value.endswith(("ed", "ing"))
    return True


def _answered(text: str) -> Statement | None:
    """Read a yes or a no: what stays without its `not` is what it is about."""
    # Who always does a thing gives way to who never does.
    text = _ALWAYS.sub("", rewordings.in_one_form(text))
    plain = text.rstrip(".!")
    # A no to what would else be the value of something: nobody says so of another value.
    if _DENIED.search(plain) and (yes := _affirmative(plain)):
        return answer(yes, "no")._replace(what=text)
    form = f" {fact_similarity.form(text)} "
    if verb := re.search(r"\b[Dd]oes(?: not|n['\u2019]t) ([a-z]+)\b", text):
        form = form.replace(f" not {verb[1]} ", f" not {third(verb[1])} ")
    negations = len(_NEGATION.findall(form))
    hedged = (
        _PRONOUN.match(text) or _QUANTIFIED.match(text) or _HEDGED.search(_PASSIVE.sub(" ", text))
    )
    if hedged or negations > 1 or fact_similarity.content_words(text) < _FEWEST_WORDS:
        return None
    about = " ".join(_NEGATION.sub(" ", form).replace(" is ", " ").split())
    return Statement(text, f"{about} ?", "no" if negations else "yes", "")


def _affirmative(denied: str) -> Statement | None:
    yes = _DENIED.sub(_affirmed, denied, count=1)
    return _valued(yes) or _figured(yes)


def _affirmed(denied: re.Match[str]) -> str:
    return denied["be"] or third(denied["verb"])


def answer(said: Statement, told: str) -> Statement:
    """Return whether it is so, as was *told* (yes or no), of something and one value."""
    return Statement(said.what, f"{said.about} {said.value} ?", told, "", said.since)


def _chinese(text: str) -> Statement | None:
    m = _CHINESE.fullmatch(text)
    if m is None:
        return None
    pronoun = re.match("[\u4ed6\u5979\u5b83\u8fd9\u90a3\u6211\u4f60]", m["what"])
    if pronoun and not _POSSESSED.fullmatch(m["what"]):
        return None
    value = paraphrases_zh.figured(m["value"])
    return Statement(m["what"], f"{m['what']} {m['of'] or m['verb']}", value, m["value"])


def spoken(body: str, speaker: str) -> Statement | None:
    """Return what *speaker* claims by saying *body*, in the third person; None where unclear."""
    body = " ".join((body if speaker else clauses.untitled(body)).split())
    text = _third_person(body, speaker) if len(body) <= _LONGEST else ""
    plain = _SAYS.search(text) or _FIGURED.search(text) or not text.isascii()
    found = claimed(text) if plain else None
    return found if found and found.raw else None


def changed(body: str, speaker: str) -> Iterator[Statement]:
    """Yield what *body* says has become otherwise: is so `now`, or `no longer`; see `spoken`."""
    for sentence in analysis.sentences(body) if _CHANGE.search(body) else ():
        plain = _I_NOW.sub("I ", " ".join(sentence.split()).rstrip(".!"))
        if ceased := _CEASED.fullmatch(plain):
            verb = ceased["verb"] or _inflected(ceased["base"], ceased["who"])
            rest = ceased["rest"] or ceased["place"]
            if was := spoken(f"{ceased['who']} {verb} {rest}", speaker):
                yield answer(was, "no")
            continue
        left = _LEFT.match(plain)
        if left and (
            was := spoken(
                f"{left['who']} {_inflected('live', left['who'])} in {left['place']}", speaker
            )
        ):
            yield answer(was, "no")
        moved = _MOVED.fullmatch(plain)
        text = f"{moved['who']} {moved['rest']}" if moved else plain
        if (moved or _CHANGE.search(sentence)) and (now := spoken(text, speaker)):
            yield now


def _inflected(verb: str, who: str) -> str:
    return verb if who in {"I", "We"} else third(verb)


def is_named(said: Statement) -> bool:
    """Tell whether *said* names whom or what it is about; of a port or a version, by one word."""
    figure = re.search(r"\b(?:port|version)\b", said.about.partition(" ?")[0])
    name = _NAME.fullmatch(said.what) and said.what.casefold() not in _COMMON
    return not _WE.match(said.what) and bool(names_itself(said) or (figure and name))


def is_common(said: Statement) -> bool:
    """Tell whether *said* is of what each of several projects has: the deadline, the server."""
    words = re.findall(r"\w+", said.what.casefold())
    telling = [word for word in words if word not in {"the", "our", "a", "an"}]
    return bool(_WE.match(said.what)) or (len(telling) == 1 and telling[0] in _EVERYWHERE)


def names_itself(*claims: Statement) -> bool:
    """Tell whether each of *claims* says whom or what it is about wherever it stands."""
    return all(
        fact_identity.names_itself(it.what)
        or _BY.search(it.about)
        or not it.what.isascii()
        or (not it.raw and it.about.endswith(" ?") and any(x.isdigit() for x in it.about))
        for it in claims
    )


def _third_person(body: str, speaker: str) -> str:
    who = speaker.strip() or "The user"
    for pattern, instead in _FIRST_PERSON:
        parts = pattern.split(body, maxsplit=1)
        body = f"{who}{instead}".join(parts)
    return body
