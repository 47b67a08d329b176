"""Find what is decided and ruled out in German: `Wir haben uns für X entschieden`.

As in the other languages it is those who talk who choose, now, in a clause that nothing governs. A
verb of choosing binds alone; `wir nehmen X` may be said of the next hour, and binds with what is
not taken, with a reason, or from a day on.
"""

from __future__ import annotations

import re
from functools import lru_cache

from vaultmem.documents.bodies import Eliminated
from vaultmem.nlp.extraction.choices import refusal_phrases
from vaultmem.nlp.extraction.grammar import german
from vaultmem.nlp.text import analysis, stopwords

# Words that German alone has.
_GERMAN = re.compile(
    r"\b(?:[Ww]ir|[Ii]ch|[Uu]ns|[Nn]icht|[Ll]ass uns|[Ll]ieber|[Aa]m liebsten|steht?|[Ll]iegt"
    r"|[Hh]ab"
    r"|[Kk]eine?|[Nn]ix|[Mm]ich|[Mm]ir|[Mm]einen|[Ll]ieblings\w+|[Bb]leibt|[Dd]er|[Dd]as|wei\u00df)\b"
)
_WE = r"(?:wir|ich)"
_OPENS = r"^(?i:(?:gut|ok(?:ay)?|dann|also|ja|und|aber),? )*"
_HAVE = rf"(?:{_WE} (?:haben?|hab)|(?:haben?|hab) {_WE})\b"
_USE = r"(?:nehme|nutze|benutze|verwende|w\u00e4hle|kaufe|miete|bestelle)n?"
# What alone may mean anything: `wir stellen fest`, `wir setzen uns zusammen`.
_MOVE = (
    r"(?:(?=.*\bauf\b.*\bum\b)(?:steige|stelle)n?"
    r"|(?=.*\b(?:zu|auf|von)\b)wechs(?:le|eln)|(?=.*\bauf\b)setzen?)"
)
_TAKE = rf"\b(?:{_WE} (?:{_USE}|{_MOVE})|(?:{_USE}|{_MOVE}) {_WE})\b"
_FROM_NOW_ON = (
    r"ab (?:jetzt|sofort|heute|n\u00e4chst\w+ \w+)|von (?:jetzt|nun) an|k\u00fcnftig|in Zukunft"
)
_OF_THE_DAY = r"(?i)\b(?:(?<!ab )heute|(?:\u00fcber)?morgen|nachher|sp\u00e4ter)\b"
_BECAUSE = r"(?:weil|denn|damit|da (?=\w+))"
_BINDS = rf"(?:\b{refusal_phrases.STEAD_OF}\b|, {_BECAUSE}\b|\b(?:{_FROM_NOW_ON})\b)"
_CHOOSES = tuple(
    re.compile(f"(?i){pattern}")
    for pattern in (
        # As in `Wir haben uns f\u00fcr X entschieden`.
        (
            rf"\b(?:{_HAVE} (?:uns|mich)|(?:uns|mich) haben? {_WE})\b[^.;:?!]*\b(?:f\u00fcr|gegen"
            rf"|auf|zu) (?P<what>[^.;:?!]+?) (?:entschieden|geeinigt|verst\u00e4ndigt|festgelegt)\b"
        ),
        # As in `Wir haben beschlossen, X zu tun`.
        (
            rf"\b{_HAVE}(?: (?:gestern|heute|nun|jetzt|gemeinsam|also|uns))* (?:beschlossen"
            r"|entschieden|vereinbart|festgelegt|abgemacht|ausgemacht"
            r"|darauf (?:geeinigt|verst\u00e4ndigt|festgelegt)|daf\u00fcr entschieden)(?:,|:| dass)"
            r" (?!ob\b|wann\b|wie\b|wer\b|was\b)(?P<what>.+)"
        ),
        r"^(?:Entscheidung|Beschluss|Entschieden|Beschlossen): (?P<what>.+)",
    )
)
_TAKES = re.compile(rf"(?i){_TAKE} (?P<what>(?:[^.;:?!]|[.](?=\w))+)")
_STAYS = re.compile(
    rf"{_OPENS}(?i:wir bleiben)(?: vorerst| weiterhin)? bei (?P<what>[A-Z\u00c4\u00d6\u00dc].+)"
)
_STORES = re.compile(
    rf"(?i)^(?P<what>[^.,;:?!]+) (?:legen|speichern|halten|lassen|schreiben|verwalten) wir [^?]*"
    rf", {_BECAUSE}\b"
)
_LETS = re.compile(
    rf"{_OPENS}(?i:lass(?:t|en sie)? uns) (?!.*\bnicht\b|.*\bkein)"
    r"(?P<what>.+ (?:nehmen|nutzen|verwenden|bleiben|w\u00e4hlen|wechseln|umsteigen)\b.*)"
)
# Who does not choose now, or not for sure.
_UNSURE = re.compile(
    r"(?i)\b(?:wenn|falls|ob|sobald|vielleicht|eventuell|evtl|m\u00f6glicherweise|wohl"
    r"|k\u00f6nnten?"
    r"|w\u00fcrden?|h\u00e4tten?|sollten?|w\u00e4ren?|noch nicht|noch nichts|nie(?:mals)?|fast"
    r"|beinahe|damals|fr\u00fcher|letzte[snrm]? \w+|vor \w+ (?:jahren|monaten|wochen)"
    r"|seit (?:jahren|langem)|gerade|gleich|heute (?:abend|mittag|morgen)|angeblich"
    r"|angenommen|du|dich|dir)\b|\?"
)
# Of what only the sentence before names.
_LEANS = re.compile(
    r"(?i)(?:(?:das|dies\w*|es|ihn|sie|den|die|dem|dich|euch|ihm|ihr|jene\w*|so|beides|alles|nichts"
    r"|welche\w*|einen?|eins|keine[rsn]?|andere\w*|mich|uns)(?=\W*(?:$|,))|da\w*(?:f\u00fcr"
    r"|gegen|mit|von|zu|ran|rauf|r\u00fcber)\b|(?:es|ihn) |(?:das|dies|sie) (?-i:[a-z]))"
)
_WHY = re.compile(rf"(?i)(?:, (?:{_BECAUSE}) ?|[,;:] | [\u2013\u2014-] )(?P<why>.+)")
_NOUN = "[A-Z\u00c4\u00d6\u00dc]"
_END = r"(?P<why>(?:[,;:]| [\u2013\u2014-]) .*)?[.!]*$"
_THING = r"(?P<approach>(?:[^\s,;:.?!]|[.](?=\w))(?:[^,;:.?!]|[.](?=\w)){0,60}?)"
_REJECTED = r"(?:verworfen|ausgeschlossen|abgelehnt|aufgegeben|fallen ?gelassen)"
_REFUSES = tuple(
    re.compile(pattern)
    for pattern in (
        # As in `X haben wir verworfen, das ist zu teuer`.
        rf"^{_THING} (?:haben wir|hab(?:e)? ich)(?: \w+){{0,2}} {_REJECTED}\b{_END}",
        rf"^[Ww]ir haben(?: (?:uns|auch|jetzt|nun))* {_THING} {_REJECTED}\b{_END}",
        # As in `X kommt nicht in Frage`, `X ist vom Tisch`.
        (
            rf"^{_THING} (?:kommt|kommen)(?: (?:f\u00fcr uns|f\u00fcr mich|leider|also))* nicht"
            rf" (?:in Frage|infrage){_END}"
        ),
        rf"^{_THING} (?:scheidet|scheiden)(?: \w+)? aus\b{_END}",
        (
            rf"^{_THING} (?:ist|sind)(?: (?:damit|also|leider|f\u00fcr uns))* (?:vom Tisch"
            rf"|keine Option){_END}"
        ),
        # As in `Wir haben uns gegen X entschieden`.
        rf"(?:[Ww]ir haben|[Hh]aben wir) uns [^,;:]*?gegen {_THING} entschieden\b{_END}",
        rf"(?:[Ww]ir haben|[Hh]aben wir) uns [^;:]* entschieden, nicht f\u00fcr {_THING}{_END}",
        rf"^[Ww]ir verzichten(?: (?:k\u00fcnftig|vorerst|erst ?mal))? auf {_THING}{_END}",
        (
            rf"^[Ww]ir (?:nehmen|nutzen|verwenden|benutzen) (?:kein(?:e[nrms]?)?) {_THING}"
            rf"(?: mehr{_END}|(?P<because>, {_BECAUSE}\b.+))"
        ),
        rf"^{_THING} (?:nehmen|nutzen|verwenden|benutzen) wir nicht mehr\b{_END}",
        # As in `Lass uns nicht die Tabellen umbenennen`.
        (
            rf"{_OPENS}[Ll]ass(?:t|en Sie)? uns"
            r"(?: (?:bitte|lieber|besser|da|hier|jetzt|erst ?mal))* (?:nicht|kein(?:e[nrms]?)?)"
            rf"(?: (?:auch noch|auch|extra|noch))* {_THING}{_END}"
        ),
    )
)
# What is put off, left or said in passing: `Lass uns nicht streiten`.
_IDLE = re.compile(
    r"(?i).*\b(?:streiten|reden|sprechen|\u00fcbertreiben|vergessen|verlieren|aufgeben"
    r"|wundern|hetzen|warten|anfangen|so tun|sorgen|gedanken|panik|zeit)\b"
)
_PASSING = r"(?i)(?:daf\u00fcr|dazu|damit|davon|hier|jetzt|noch|auch|mehr|wieder) "
_MOST = 36
# What something else is taken in the place of: `statt einer Datei`, `statt latin-1`.
_INSTEAD = re.compile(
    rf"(?i:\b{refusal_phrases.STEAD_OF}) (?:(?:auf|mit|bei|zu) )?"
    rf"(?P<approach>(?:[^\W\d_A-Z]+ ){{0,3}}?{_NOUN}\S*|\S+)"
)


@lru_cache(maxsize=1 << 12)
def is_german(text: str) -> bool:
    """Whether *text*, a sentence, is to be read as German: every kind that is looked for asks."""
    if _GERMAN.search(text) and not stopwords.is_english(analysis.heads(text)):
        return True
    return german.is_talk(text)


def is_decision(text: str, *, at_work: bool) -> bool:
    """Whether *text*, in German, says that those who talk decide something, and what."""
    if _UNSURE.search(text):
        return False
    return _is_settled(text) or _is_taken(text) or (at_work and _is_named(_LETS.match(text)))


def _is_settled(text: str) -> bool:
    """Whether a verb of choosing binds alone: `Wir haben beschlossen, X zu tun`."""
    found = next((m for pattern in _CHOOSES if (m := pattern.search(text))), None)
    if found is None or _LEANS.match(found["what"]):
        return False
    return len(set(analysis.terms(found["what"]))) > 1 or _names(found["what"])


def _is_taken(text: str) -> bool:
    """Whether something is taken for good: `Wir nehmen X statt Y`, `Wir bleiben bei X`."""
    taken = _TAKES.search(text) or _STORES.match(text) or _LETS.match(text)
    is_bound = re.search(rf"(?i){_BINDS}", text) and not re.search(_OF_THE_DAY, text)
    return _is_named(_STAYS.match(text)) or (bool(is_bound) and _is_named(taken))


def _is_named(found: re.Match[str] | None) -> bool:
    return found is not None and _names(found["what"])


def refusal(text: str, *, at_work: bool) -> Eliminated | None:
    """Return what *text*, in German, rules out, and why; None where it rules out nothing.

    What is chosen instead of it rules it out, too.
    """
    if _UNSURE.search(text):
        return None
    patterns = (*_REFUSES, *([_INSTEAD] if is_decision(text, at_work=at_work) else []))
    found = next((m for pattern in patterns if (m := pattern.search(text))), None)
    if found is None:
        return None
    approach = re.sub(_PASSING, "", found["approach"]).strip(" ,;:.")
    said = found.groupdict()
    why = _WHY.match(said.get("because") or said.get("why") or "")
    is_known = _names(approach) and _IDLE.match(approach) is None
    # Who rules out that something is so finds out, and chooses nothing.
    is_known = is_known and not (why and why["why"].startswith("dass "))
    return Eliminated(approach, why["why"].strip(" .!") if why else "") if is_known else None


def _names(what: str) -> bool:
    """Whether *what* names something by itself: German nouns have a capital."""
    if _LEANS.match(what):
        return False
    known = analysis.terms(what) and re.search(rf"\b{_NOUN}|\d|[a-z]\w*[._]\w", what)
    return bool(known) and len(what.split()) <= _MOST
