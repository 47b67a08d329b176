"""Cut what somebody says in free wording into clauses that say something by themselves.

`We moved staging over last week` says that it moved, `Lena had the steak, she eats meat again` that
Lena eats meat, and `deploy key: moved to Vault` that the deploy key did. What is in doubt, planned
or told of another is cut into nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vaultmem.nlp.text.word_order import capitalized


class Clause(NamedTuple):
    """A clause, and whether it says that something was otherwise before."""

    text: str
    changed: bool


_LONGEST, _LONGEST_TITLE = 200, 100
_UNSURE = re.compile(
    r"(?i)\b(?:if|when|whenever|while|unless|until|before|maybe|perhaps|probably|possibly|might"
    r"|(?-i:may)|could|would|should|will|shall|wants?|wanted|plans? to|planning|hopes?|considers?"
    r"|considering|thinking|almost|nearly|used to|said|says|thinks?|thought|asked|asks|heard|except"
    r"|only|not sure|tomorrow|next|going to|gonna|sometimes|usually|often|mostly|either|or|also|too"
    r"|another|both|temporarily|wenn|falls|vielleicht|k\u00f6nnte|w\u00fcrde|sollte|wird|werden"
    r"|will|m\u00f6chte|manchmal|meistens|auch|oder|morgen|n\u00e4chste\w*|noch)\b"
    r"|['\u2019]ll\b|[?\"\u201c\u201e`~{}=<>|]|\(\)|\bfor (?:a while|now|the moment)\b"
)
_SENTENCE = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\d)[.!]\s+|;\s+")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*|Mai|M\u00e4rz|Okt\w*|Dez\w*"
_SPAN = rf"(?:{_MONTH}|\w+day|(?:early |late )?(?:spring|summer|autumn|fall|winter))"
"""When something was without a year: who names that tells of the past."""

_SINCE = re.compile(
    rf"(?i),? (?:(?:since|from|as of|starting|effective) (?:{_SPAN}|(?:this|last) \w+|today"
    rf"|yesterday)(?: \d{{4}})?(?: on)?|(?:seit|ab) (?:{_SPAN}|gestern|heute|\w+tag|diesem \w+))\Z"
    r"|,? since we (?:dropped|left|moved|switched|changed)\b.*\Z"
)
_WHEN = re.compile(
    rf"(?i),? (?:(?:last|this|earlier this) (?:week|month|year|\w+day|spring|summer|autumn|winter)"
    rf"|yesterday|today|recently|lately|already|(?:back )?in {_SPAN}"
    r"|(?:a|one|two|three|\d+) (?:days?|weeks?|months?|years?) ago"
    rf"|gestern|heute|letzte[nsr]? (?:Woche|Monat|Jahr|\w+tag)|im {_SPAN}|vor kurzem)\Z"
)
_NOW = re.compile(
    r"(?i),? (?:now|currently|instead|these days|nowadays|from now on|again|any ?more|jetzt"
    r"|inzwischen|mittlerweile|neuerdings|wieder|nun)(?= |,|\Z)"
    r"|\A(?:now|these days|jetzt|inzwischen|mittlerweile|as of (?:now|today)),? "
)
_LABELLED = re.compile(r"(?P<label>[^,;:.?!]{2,40}): (?P<rest>\S.*)")
_NO_SUBJECT = re.compile(
    r"(?i)(?:(?:quick |small |new )?(?:decision|decided|note|notes|update|fix|fixed|todo|done|fact"
    r"|info|fyi|news|change|changes|reminder|idea|plan|goal|status|result|summary|correction|important|ps"
    r"|\w+day|achtung|neu|hinweis|stand|wichtig))\Z"
)
_TELLS_TO = re.compile(
    r"(?i)(?:add|allow|avoid|bump|change|check|clean|create|delete|do|don['\u2019]t|drop|enable|ensure"
    r"|fix|handle|implement|improve|make|move|never|always|refactor|remove|rename|replace|run|set|support"
    r"|test|try|update|upgrade|use|write)\b"
)
_PRONOUN = r"(?:she|he|it|they|sie|er|es)"
_BREAK = re.compile(
    r",? (?:and|und) (?=(?:now |jetzt )?(?:has |have |hat )?(?:[a-z]+s|bought|got|joined|started"
    r"|became|took) (?!and\b|or\b))"
    rf"|, (?:and |so |und )?(?={_PRONOUN} )|, (?=(?:the|our|my|[A-Z]\w+) (?:\w+ )?(?:is|are|was|has"
    r"|had|came|got|did) )|,? (?:because|so that|weil) (?=\w+ \w+)|, (?:as|da) (?=\w+ \w+)"
)
_MORE = re.compile(r"(?i)[,;?\n]|\b(?:and|but|und|aber)\b")
_OPENS = re.compile(
    r"(?P<who>(?:(?:The|Our|My|Mr|Mrs|Ms|Dr|Herr|Frau|Der|Die|Das|Unsere?)\.? )?"
    r"(?!(?:The|Our|My)\b)[\w'\u2019-]+(?: (?!(?:is|was|has|had|got)\b)[\w-]+)??)"
    r" (?:is|was|are|were|has|had|got|did|[a-z]+(?:s|ed)|sold|bought|left|quit|took|went|hat|ist)\b"
)
_MEANT = re.compile(rf"(?:{_PRONOUN} )?(?P<rest>[a-z]\w*s?\b(?<!\bthe)(?<!\bour)(?<!\bmy) .+)")
_WE = re.compile(r"(?i)(?:we|it|they|wir|es) (?P<rest>\w.*)")
_VERB = re.compile(
    r"(?:(?:was|were|has|have|got|had) )?(?:now )?\w+ed\b|got |went |rose |switch|runs |uses "
)


def of(text: str) -> Iterator[Clause]:
    """Yield the clauses of *text*, a fact of a sentence or two; none where it is in doubt."""
    said = " ".join(text.split())
    if len(said) > _LONGEST:
        return
    for sentence in _SENTENCE.split(said):
        plain = sentence.strip().rstrip(".!")
        if plain and not _UNSURE.search(plain):
            yield from _labelled(plain)


def is_one(text: str) -> bool:
    """Tell whether *text* says one thing and no more."""
    plain = " ".join(text.split()).rstrip(".!")
    return len(plain) <= _LONGEST and not _SENTENCE.search(plain) and not _MORE.search(plain)


def untitled(body: str) -> str:
    """Return what a memory says below its title, all of it where there is none."""
    title, _, rest = body.strip().partition("\n\n")
    is_title = len(title) <= _LONGEST_TITLE and "\n" not in title and title[-1:] not in {*".!?:"}
    return rest if rest and is_title else body


def _labelled(plain: str) -> Iterator[Clause]:
    m = _LABELLED.fullmatch(plain)
    if m is None:
        yield from _parts(plain)
    elif _NO_SUBJECT.fullmatch(m["label"]):
        yield from _parts(capitalized(m["rest"]))
    elif we := _WE.fullmatch(m["rest"]):
        yield from (_bare(we["rest"], m["label"]), _bare(m["rest"]))
    elif _VERB.match(m["rest"]):
        yield _bare(m["rest"], m["label"])
    elif not _TELLS_TO.match(m["rest"]):
        yield _bare(f"is {m['rest']}", m["label"])


def _parts(plain: str) -> Iterator[Clause]:
    """Yield the clauses of a sentence; who opens it is meant by the pronouns that open the rest."""
    first, *others = _BREAK.split(plain)
    yield _bare(first)
    opens = _OPENS.match(first)
    for other in others:
        meant = _MEANT.fullmatch(other) if opens else None
        yield _bare(meant["rest"], opens["who"]) if opens and meant else _bare(other)


def _bare(said: str, who: str = "") -> Clause:
    """Return what is *said*, of *who* if that is told apart, without when that is or was so."""
    whole = f" {said}"
    plain = _NOW.sub("", _SINCE.sub("", _NOW.sub("", whole)))
    timeless = _WHEN.sub("", plain).strip()
    return Clause(capitalized(f"{who} {timeless}".strip()), plain != whole)
