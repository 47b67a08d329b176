"""Find what German chat decides and rules out, without capitals and half of its words.

As in `choices_de` it is those who talk who choose. In chat that is said by a deed that binds by
itself (`hab den Vertrag unterschrieben`), by calling a plan settled (`steht fest`), or by a verdict
on something that is named, with its reason.
"""

from __future__ import annotations

import re

from vaultmem.documents.bodies import Eliminated
from vaultmem.nlp.extraction.grammar import german

_LEAD = (
    r"(?:(?:ok(?:ay)?|also|dann|ja|nee?|n\u00f6|nein|und|aber|gut|so|update|leider|ach|endlich|btw"
    r"|\u00fcbrigens|juhu+)\b[,!:]? )*"
)
_HAVE = r"(?:(?:ich |wir |(?:mein\w* )?\w+ und ich )?(?:hab(?:e|en)?)(?: ich| wir)?)"
_I = r"(?:ich|wir)"
_STEAD = r"(?:statt|anstatt|anstelle)"
_BECAUSE = rf"(?:weil|da(?= \w+ )|denn|{_STEAD})"
_AGREED = (
    r"(?:geeinigt|einig|ausgemacht|abgemacht|vereinbart|verabredet|abgesprochen|durchgerungen"
    r"|entschlossen)"
)
_DECIDES = tuple(
    re.compile(f"(?i)^{_LEAD}{pattern}")
    for pattern in (
        # As in `ich hab beschlossen im Juni zur\u00fcckzuziehen`.
        (
            rf"{_HAVE}(?: (?:mich|uns|jetzt|nun|endlich|gemeinsam|gestern))*"
            r" (?:beschlossen|entschieden|entschlossen),? (?P<what>(?!ob\b|wer\b|wie\b|was\b"
            r"|wann\b).*"
            r"(?:\bzu \w+en\b|zu\w{3,}en\b).*)"
        ),
        (
            rf"{_HAVE}(?: (?:mich|uns|jetzt|nun|endlich|dann|doch))* f\u00fcr (?P<what>.+?)"
            rf" entschieden\b.*"
        ),
        (
            rf"{_HAVE} (?:mich|uns)(?: \w+){{0,2}} (?P<what>.*) (?:angemeldet|eingeschrieben"
            rf"|verpflichtet)\b.*"
        ),
        (
            rf"{_HAVE}(?: (?:jetzt|heute|gestern|endlich|doch))* (?P<what>(?:den|die|das|einen?"
            rf"|unsere?n?"
            r"|meine?n?) [\w-]*(?:vertrag|job|stelle|angebot|wohnung|haus|kredit|lizenz"
            r"|antrag)\w*\b.*?)"
            r" (?:unterschrieben|angenommen|gek\u00fcndigt|zugesagt)\b.*"
        ),
        (
            rf"{_HAVE}(?: (?:jetzt|heute|gestern|endlich|doch))* zugesagt (?P<what>(?:f\u00fcr|bei)"
            rf" .+)"
        ),
        # By a word of agreeing, with oneself or others: `mit Lena ausgemacht dass sie f\u00e4hrt`.
        (
            rf"(?:{_HAVE} |(?:{_HAVE} )?mit (?!dir\b|euch\b)\w+ |wir sind (?=uns einig)"
            rf"|(?:ich )?bin (?=(?:jetzt )?entschlossen))"
            rf"(?:(?:uns|mich|endlich|jetzt|drauf|darauf|dazu|nun) )*{_AGREED},? (?:dass )?"
            r"(?P<what>(?!ob\b|wer\b|wie\b|was\b|wann\b|haben?\b)\w+ .+)"
            r"(?<!\bwar)(?<!\bwaren)(?<!\bist)(?<!\bsind)(?<!\bhat)(?<!\bhaben)(?<!nervt)\W*$"
        ),
        (
            rf"(?P<what>{_I} (?!hab)\w+ .+?) (?:das steht(?: jetzt)?|(?:das )?ist (?:jetzt )?"
            r"(?:beschlossen|fix|entschieden|abgemacht))\W*$"
        ),
        (
            r"(?:ab|von) (?:jetzt an|sofort|n\u00e4chste[mnr] \w+|(?:januar|februar|m\u00e4rz|april"
            r"|mai|juni|juli|august|september|oktober|november|dezember)(?: an)?)"
            rf" \w+ {_I} (?P<what>.+)"
        ),
        # One of several, by comparison: `haben die g\u00fcnstigere Versicherung genommen`.
        (
            rf"{_HAVE}(?: (?:am ende|jetzt|dann|doch|letztlich))* (?P<what>(?:den|die|das)"
            r" (?!ander|sauber|letzt|lecker)\w{3,}er(?:e|en|es) [\w-]+)"
            r" (?:genommen|gew\u00e4hlt|gebucht|gekauft|gemietet)\b.*"
        ),
        (
            r"(?P<what>f\u00fcr .+?) (?:hab(?:e)? ich mich|haben wir uns)(?: \w+)?"
            r" (?:angemeldet|eingeschrieben|entschieden)\b.*"
        ),
        # As in `ich bleib noch ein Jahr bei meinem Vermieter`.
        (
            rf"(?:{_I} bleibe?n?|bleibe?n? {_I})(?: (?:erst ?mal|vorerst|jetzt|doch|weiter(?:hin)?"
            r"|noch ein jahr))* bei(?:m| (?:meine[mr]|unsere[mr]|de[mr]) )"
            r"(?P<what>(?:alten |jetzigen )?[\w-]*(?:vermieter|anbieter|job|firma|bank|versicherung"
            r"|vertrag|verein|arzt|plan|system)\w*\b.*)"
        ),
        # What is taken for years: `ich nehm den Job in Kassel`.
        (
            rf"(?:{_I} nehme?n?|nehm(?:e|en)? {_I}) (?P<what>(?:den|die|das) [\w-]*(?:job|stelle"
            rf"|angebot"
            r"|wohnung|haus|zimmer|ausbildung|kurs|studium|platz)\w*(?! (?:nicht"
            r"|kein))\b(?!.*\bnicht\b).*)"
        ),
        # One thing in the place of another, or for a reason: `wir machen Wichteln statt Geschenke`.
        (
            rf"{_I} (?:machen?|mach|feiern?|holen?|grillen|kochen|fahren)"
            rf" (?P<what>(?!es\b|das\b(?! \w+ )|dies)[^,?]+?,? {_STEAD} .+)"
        ),
        (
            rf"{_I} (?:nehme?n?|buchen?|mieten?|kaufen?)"
            rf" (?P<what>(?!es\b|das\b(?! \w+ )|dies)[^,?]+?,? {_BECAUSE} .+)"
        ),
        (
            rf"{_I} bleiben? beim? (?P<what>(?:den |der |dem )?[\w-]+(?: [\w-]+){{0,2}}),?"
            rf" {_BECAUSE}"
            rf" .+"
        ),
    )
)

_FINAL = (
    r"(?:haben wir (?:so )?(?:entschieden|beschlossen|ausgemacht)|(?:das )?steht (?:jetzt )?fest"
    r"|abgemacht|(?:ist )?beschlossene sache|(?:das |ist"
    r" )*(?:jetzt |nun"
    r" )?(?:beschlossen|fix|endg\u00fcltig|entschieden)|dabei bleibts?(?: es)?|gebongt|kein"
    r" zur\u00fcck(?: mehr)?)"
)
_CLOSED = re.compile(rf"(?i)^{_LEAD}(?P<what>.+?)(?:,| -|!|\.) ?(?:das |und das )?{_FINAL}\W*$")
_ANNOUNCED = re.compile(
    rf"(?i)^{_LEAD}(?:es bleibt dabei|(?:es )?steht (?:jetzt )?fest|beschlossen|entschieden"
    rf"|entscheidung"
    r"|abgemacht)[,:] (?P<what>.+)"
)
# Whose plan it is: a verb in the first person, or none, as in `also dann Freitag um 7`.
_THEIRS = re.compile(
    r"(?i)\b(?:er|sie|ihr|man|die|der|das) (?:hat|haben|ist|sind|will|wollen|wird|geht)\b"
)
_UNSURE = re.compile(
    r"(?i)\b(?:wenn|falls|ob|sobald|vielleicht|eventuell|evtl|k\u00f6nnten?|w\u00fcrden?"
    r"|h\u00e4tten?"
    r"|sollten?|w\u00e4ren?|noch (?:nicht|nix|nichts|kein\w*)|fast|beinahe|damals|fr\u00fcher"
    r"|letzte[snrm]? \w+|vor \w+ (?:jahren|monaten|wochen)|als kind|gleich|gerade|kurz|heute"
    r"|angenommen|danke|lotto|du|dich|dir|dein\w*|euch|haha\w*|lol|xd)\b|\?"
)
_LEANS = re.compile(
    r"(?i)^(?:(?:das|dies\w*|es|ihn|sie|so|beides|alles|nichts|nix|ihm|ihr|die|den"
    r"|der)(?=\s*(?:[^\w\s]|$))"
    r"|da(?:f\u00fcr|gegen|mit|von|zu|ran)\b|diese[mnrs]? )"
)
_THING = r"(?P<approach>(?!{lead})[^\s,;:.?!][^,;:.?!]{{0,50}}?)".format(
    lead=r"(?:ich|wir|er|sie|es|das|dies\w*|was|wer|du|ihr|man|alles|nichts|nix|da|hier)\b(?! \w+ )"
)
_WHY = r"(?P<why>(?:[,;:]| -| \u2013| wegen| weil| denn| da(?= \w+ ))? .{5,})"
_END = rf"(?:{_WHY}|\W*$)"
_REASON = (
    r"(?P<why>(?:,|;| -| \u2013|:)? (?:weil|denn|da|(?:viel |viel zu |echt |einfach )?zu (?!gut\b"
    r"|geil\b|sch\u00f6n\b)\w+"
    r"|doppelt|wegen)\b.*)"
)
_REJECTED = (
    r"(?:verworfen|gestrichen|abgelehnt|ausgeschlossen|aufgegeben|gecancelt|abgesagt"
    r"|gek\u00fcndigt|abgehakt)"
)
_REFUSES = tuple(
    re.compile(f"(?i)^{_LEAD}{pattern}")
    for pattern in (
        (
            rf"(?!(?:die|der|das) (?:sonne|luft|strom|mond|sau|licht)\b){_THING} (?:ist|sind)"
            rf"(?: (?:jetzt|damit|also|leider|f\u00fcr uns|f\u00fcr mich))* raus{_REASON}"
        ),
        (
            rf"{_THING} (?:ist|sind)(?: (?:jetzt|damit|also|leider|f\u00fcr uns|f\u00fcr mich))*"
            rf" (?:vom tisch|gestrichen|keine option|gestorben|nix f\u00fcr uns){_END}"
        ),
        (
            rf"{_THING} (?:kommt|kommen)(?: (?:f\u00fcr uns|f\u00fcr mich|leider|also|einfach))*"
            rf" nicht"
            rf" (?:in frage|infrage)(?: (?:mit|bei|wegen) [^,;]+)?{_END}"
        ),
        (
            rf"{_THING} (?:scheidet|scheiden|f\u00e4llt|fallen)(?: (?:leider|also|damit))* (?:aus"
            rf"|weg"
            rf"|flach){_END}"
        ),
        (
            rf"(?:(?:das|die idee) mit (?:de[mnr] |einem |einer )?)?{_THING} (?:haben wir|hab(?:e)?"
            rf" ich)(?: \w+){{0,2}} {_REJECTED}\b{_END}"
        ),
        (
            rf"von (?:der idee (?:mit|von) (?:de[mnr] |einem |einer )?)?{_THING} (?:haben wir uns"
            rf"|hab(?:e)? ich mich) verabschiedet\b{_END}"
        ),
        (rf"gegen {_THING} (?:haben wir uns|hab(?:e)? ich mich)(?: \w+)? entschieden\b{_END}"),
        rf"{_HAVE} (?:mich|uns)(?: \w+)? gegen {_THING} entschieden\b{_END}",
        # As in `den Kredit nehmen wir nicht, die Zinsen sind irre`.
        (
            rf"{_THING} (?:nehm(?:e|en)?|kauf(?:e|en)?|miet(?:e|en)?|buch(?:e|en)?|mach(?:e|en)?"
            rf"|verl\u00e4nger(?:e|n)?) {_I}(?: (?:doch|diese[ns]|n\u00e4chste[ns]) (?:jahr|sommer"
            rf"|winter|semester))? nicht(?: mehr| an| nochmal)?(?:{_WHY}|\W*$)"
        ),
        (
            rf"{_I} (?:nehm(?:e|en)?|kauf(?:e|en)?|miet(?:e|en)?|buch(?:e|en)?) {_THING} nicht(?:"
            rf" an|"
            rf" mehr)?{_WHY}"
        ),
        (
            rf"{_THING} (?:will|wollen|m\u00f6chten?) {_I}(?: (?:auf keinen fall|echt|gar))*"
            rf" nicht(?:"
            rf" mehr)?(?:,.*(?P<why>)|\W*$(?P<none>))"
        ),
        (
            rf"{_THING} (?:hab(?:e)? ich|haben wir) (?:aus)?probiert(?P<why>,.+?),?"
            r" (?:mach (?:ich|en wir) nicht nochmal|nie wieder|nicht nochmal)\W*$"
        ),
        rf"{_THING} hab(?:e)? ich mir abgeschminkt{_END}",
        (
            rf"(?:das|die idee) mit (?:de[mnr] |einem |einer )?{_THING} (?:k\u00f6nnen wir"
            rf"|kann ich) (?:vergessen|knicken|abhaken){_WHY}"
        ),
        (
            r"keine?n? (?P<approach>(?!bock|lust|zeit|nerv|kraft)[\w-]+) mehr (?:f\u00fcr|bei)"
            r" (?:mich|mir|uns)\b(?P<why>,?(?: [\w-]+){3,})"
        ),
        (
            rf"lass(?:t)? uns {_THING} (?:doch |lieber |besser )*nicht"
            rf" (?:einladen|mieten|kaufen|buchen|nehmen|bestellen|verkaufen){_WHY}"
        ),
        rf"{_THING} wird (?:nix|nichts)(?: mehr)?{_WHY}",
        rf"{_THING} lassen wir(?: sein| bleiben)?{_WHY}",
        (
            rf"(?:zu (?:de[mnr] )?|zu[mr] |in (?:de[nr]|die) ){_THING} geh(?:en)? {_I}"
            rf" nie wieder\b{_END}"
        ),
        rf"zu[mr]? {_THING} (?:hab(?:e)? ich|haben wir) nein gesagt{_WHY}",
        (
            rf"{_THING} (?:ess|trink|rauch|kauf|bestell|nutz)e? ich(?: seit .+?| ab jetzt| jetzt)?"
            rf" (?:nicht|nie) mehr\b{_END}"
        ),
        rf"mit {_THING} (?:hab(?:e)? ich|haben wir) aufgeh\u00f6rt{_WHY}",
    )
)


def is_decision(text: str) -> bool:
    """Whether *text*, in German chat, says that those who talk settle something, and what."""
    if _UNSURE.search(text):
        return False
    found = next((m for pattern in _DECIDES if (m := pattern.search(text))), None)
    closed = _CLOSED.match(text) or _ANNOUNCED.match(text)
    if found is None and closed and _THEIRS.search(text) is None:
        found = closed
    return found is not None and _is_named(found["what"], 1 if found.re in _DECIDES else 2)


def refusal(text: str) -> Eliminated | None:
    """Return what *text*, in German chat, rules out, and why; None where it rules out nothing."""
    if _UNSURE.search(text):
        return None
    found = next((m for pattern in _REFUSES if (m := pattern.search(text))), None)
    if found is None or not _is_named(found["approach"], 1):
        return None
    why = re.sub(r"(?i)^[\s,;:\u2013-]*(?:weil |denn |da |wegen )?", "", found["why"] or "")
    return Eliminated(found["approach"].strip(), why.strip(" .!"))


def _is_named(what: str, least: int) -> bool:
    return _LEANS.match(what.strip()) is None and len(german.content(what)) >= least
