"""What a sentence that tells of a change says is so now, in plain sentences of the present.

`Anna has moved to Linz` says that she lives there, `Luis quit smoking` that he does not smoke, and
`The standup was moved to 10:00` that it is at ten. What is so by another word, too, is told beside:
whatever is forbidden is not allowed. A sentence may mean several things, of which the others find
nothing that they contradict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vaultmem.nlp.facts import synonyms
from vaultmem.nlp.text.word_order import capitalized


class Plain(NamedTuple):
    """A plain sentence, and whether it was *changed*: was otherwise before, as somebody says."""

    text: str
    changed: bool


_UNSURE = re.compile(
    r"(?i)\b(?:if|when|unless|until|before|maybe|perhaps|probably|might|(?-i:may)|could|would|should"
    r"|wants?|plans?|hopes?|almost|nearly|used to|never|said|says|thinks?|wenn|falls|vielleicht"
    r"|k\u00f6nnte|w\u00fcrde|will)\b|[?;:](?!\d)"
)
_WHO = r"(?P<who>(?!(?:It|He|She|They|This|That|There|Er|Sie|Es)\b)[^,;:?!]{1,50}?)"
_HAS = r"(?: has| have|['\u2019]s| was| were| has been| have been| got| gets)?"
_WHEN = (
    r"(?: (?:in|on|since|last|this) (?:\w+day|\d{4}|(?:early |late )?(?:Jan|Feb|Mar|Apr|May|Jun"
    r"|Jul|Aug|Sep|Oct|Nov|Dec)\w*(?: \d{4})?|spring|summer|autumn|winter|week|month|year)"
    r"|,? recently| \(?(?:in |on )?\d{4}-\d\d(?:-\d\d)?\)?)?"
)
_OBJECT = r"(?:(?:the|her|his|their|our|my|an?) )?(?P<what>[^,;:?!]{2,40}?)"
_NOW = re.compile(
    r"(?i),? (?:now|currently|instead|these days|from now on)(?= |\Z)|\A(?:now|these days),? "
    r"| jetzt(?= |\Z)|(?<=[a-z]) nun(?= )"
)
_NEW = re.compile(r"\b(?P<whose>[Oo]ur|[Mm]y|[Tt]he|\w+['\u2019]s) new (?=\w+ (?:is|are)\b)")
_DENIES = re.compile(r"\bnot\b|n['\u2019]t\b")
_AGAIN = re.compile(r" again\Z")

_OVER = tuple(
    (re.compile(pattern + _WHEN), instead)
    for pattern, instead in (
        ((rf"{_WHO} (?:no longer|does not|do not|doesn't|don't) (?P<verb>[a-z]+)(?P<rest>.*?)"
         r"(?:,? any ?more)?"), ("{who} {not_do} {base}{rest}",)),
        (rf"{_WHO} (?P<be>is|are) (?:no longer|not|n't)(?P<rest> .+?)(?:,? any ?more)?",
         ("{who} {be} not{rest}",)),
        (rf"{_WHO}{_HAS} (?:quit|quitted|stopped|given up|gave up) (?P<ing>[a-z]+ing)(?P<rest>.*?)",
         ("{who} {not_do} {stem}{rest}", "{who} {not_do} {stem}e{rest}",
          "{who} is not {ing}{rest}")),
        (rf"{_WHO}{_HAS} (?:gave up|given up|dropped) {_OBJECT}",
         ("{who} is not learning {what}", "{who} does not learn {what}",
          "{who} does not play {what}", "{who} does not study {what}", "{who} does not eat {what}",
          "{who} does not drink {what}")),
        (rf"{_WHO}{_HAS} (?:sold|gave away|given away|scrapped|lost) {_OBJECT}",
         ("{who} does not have a {what}", "{who} does not own a {what}",
          "{who} does not drive a {what}", "{who} does not own the {what}",
          "{who} does not have the {what}", "{who} does not ride a {what}")),
        (rf"{_WHO}{_HAS} (?:broke up|broken up|split up|split) with (?P<what>[A-Z]\w+)",
         ("{who} is not engaged to {what}", "{who} is not dating {what}",
          "{who} is not together with {what}", "{who} does not date {what}")),
        (rf"{_WHO}{_HAS} (?:left|quit|resigned from) (?P<what>[A-Z][^,;:?!]{{1,40}}?)",
         ("{who} does not work at {what}", "{who} does not work for {what}",
          "{who} does not study at {what}", "{who} does not teach at {what}")),
        ((rf"{_WHO} (?:is|are|came|has come|is home) (?:back|home) from (?:the )?"
         r"(?P<what>[^,;:?!]{2,40}?)"),
         ("{who} is not in {what}", "{who} is not on {what}", "{who} is not at {what}")),
    )
)  # fmt: skip
_TIME = r"(?:\d{1,2}:\d\d|\d{1,2} ?[ap]\.?m\.?|noon)"
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_FROM = r"(?: from [^,;:?!]{1,30}?)?"
_MOVED = (
    r"(?:moved|changed|shifted|extended|postponed|rescheduled|pushed back|brought forward|put off"
    r"|raised|lowered|increased|reduced|cut|set|went up|gone up|rose|risen|fell|fallen|dropped"
    r"|came down|renamed)"
)
_BECAME = tuple(
    (re.compile(pattern + _WHEN), instead)
    for pattern, instead in (
        (rf"{_WHO}{_HAS} {_MOVED}{_FROM} to (?P<what>{_TIME})",
         ("{who} is at {what}", "{who} starts at {what}")),
        (rf"{_WHO}{_HAS} {_MOVED}{_FROM} to (?:the )?(?P<what>{_DAY})",
         ("{who} is on {what}",)),
        (rf"{_WHO}{_HAS} moved{_FROM} to (?P<what>[Rr]oom \w+)",
         ("{who} takes place in {what}", "{who} is in {what}")),
        (rf"{_WHO}{_HAS} {_MOVED}{_FROM} to (?P<what>.*\d[^,;:?!]{{0,30}})",
         ("{who} is {what}", "{who} costs {what}")),
        ((rf"{_WHO}{_HAS} (?:just |recently )?moved(?: house| home| away)?{_FROM}"
         r" to (?P<what>[A-Z][^,;:?!]{1,30}?)"), ("{who} lives in {what}", "{who} live in {what}")),
        ((rf"{_WHO}{_HAS} (?:switched|changed|moved)(?: over)?{_FROM} to"
         r" (?P<what>(?!(?:the|an?|our|my|her|his|their) )[^,;:?!\d]{2,30}?)"),
         ("{who} uses {what}", "{who} use {what}", "{who} studies {what}")),
        ((rf"(?:We|They) (?:have )?(?:migrated|moved|converted)"
         r" (?P<who>the [a-z ]{3,30}?)"
         rf"{_FROM} to (?P<what>[A-Z][^,;:?!]{{1,30}}?)"), ("{who} is {what}",)),
        (rf"{_WHO}{_HAS} (?:got )?married(?: to [A-Z]\w+)?", ("{who} is married",)),
        ((r"(?P<who>[^,;:?!]{1,40}?) (?:ist|sind) (?:von \S+ )?nach (?P<what>[A-Z]\S+)"
         r" (?:um)?gezogen"),
         ("{who} wohnt in {what}",)),
        ((r"(?P<who>[^,;:?!]{1,40}?) (?:ist|wurde) (?:von \S+ )?auf (?P<what>\w+tag|Mittwoch)"
         r" (?:verschoben|verlegt)(?: worden)?"), ("{who} ist am {what}",)),
    )
)  # fmt: skip
_SOMEBODY = r"(?P<who>[A-Z]\w+(?: [A-Z]\w+)?)"
_MEANS = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"(?P<who>.+) (?P<be>is|are) (?:forbidden|prohibited|banned)(?P<rest>.*)",
         "{who} {be} not allowed{rest}"),
        (r"(?P<who>[A-Z]\w+(?: [A-Z]\w+)?) was born on (?P<rest>.*\d)",
         "{who}'s birthday is {rest}"),
        (rf"{_SOMEBODY} is (?:single|divorced|widowed)", "{who} is not married"),
        (rf"{_SOMEBODY} is married to .+", "{who} is married"),
        (rf"{_SOMEBODY} is (?:retired|unemployed|out of work)", "{who} does not have a job"),
        (rf"{_SOMEBODY} works (?:at|for|as|part-time|full-time)\b.*", "{who} has a job"),
        (r"(?P<who>[A-Z]\w+) is (?:an? )?(?:vegetarian|vegan)", "{who} does not eat meat"),
        (r"(?P<who>.+) (?:every (?:day|morning|evening|night)|daily|a lot)", "{who}"),
    )
)  # fmt: skip
_TWO = re.compile(
    rf"{_WHO} (?P<one>(?:has |have )?(?:left|sold|quit|moved|gave up|stopped|switched)\b[^,;:?!]+?)"
    r",? and (?:now )?(?P<two>[a-z]+s (?!and\b)[^,;:?!]+)"
)


def plain(text: str) -> Iterator[Plain]:
    """Yield what *text*, one sentence, says is so, as plain sentences; itself when it is one."""
    said = " ".join(text.split()).rstrip(".!\u3002")
    if _UNSURE.search(said) or len(said) > _LONGEST:
        return
    if m := _TWO.fullmatch(said):
        yield from _one(f"{m['who']} {m['one']}", changed=True)
        yield from _one(f"{m['who']} {m['two']}", changed=True)
    else:
        yield from _one(said, changed=False)


_LONGEST = 200


def _one(said: str, *, changed: bool) -> Iterator[Plain]:
    bare = _AGAIN.sub("", _NEW.sub(r"\g<whose> ", _NOW.sub("", said)))
    changed = changed or bare != said
    over = re.search(r"\b(?:no longer|any ?more)\b", bare) is not None
    for pattern, meant in (*_OVER, *_BECAME):
        if m := pattern.fullmatch(bare):
            told = changed or over or not _DENIES.search(bare)
            yield from (Plain(_written(m, text), told) for text in meant)
            return
    yield Plain(capitalized(bare), changed)
    for pattern, instead in _MEANS:
        if m := pattern.fullmatch(bare):
            yield Plain(instead.format(**m.groupdict()), changed)


def _written(m: re.Match[str], meant: str) -> str:
    words = {name: value or "" for name, value in m.groupdict().items()}
    many = words["who"].casefold() in {"i", "we", "you", "they"}
    words["not_do"] = "do not" if many else "does not"
    words["base"] = _base(words.get("verb", ""))
    words["stem"] = re.sub(r"([bdgmnprt])\1\Z", r"\1", words.get("ing", "")[:-3])
    return capitalized(meant.format(**words))


def _base(verb: str) -> str:
    """Return the base of a verb that stands behind `no longer` or `does not`."""
    if verb in {"has", "goes", "does"}:
        return {"has": "have", "goes": "go", "does": "do"}[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith("es") and synonyms.third(verb[:-2]) == verb:
        return verb[:-2]
    return verb.removesuffix("s") if not verb.endswith("ss") else verb
