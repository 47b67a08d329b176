"""Tell what people leave open in German: `weiß noch nicht, ob wir ein Visum brauchen`.

As in English it is open what those who talk have yet to find out, to ask or to decide, and what
somebody asked and the other did not know either. What one says at a loss for words (`keine Ahnung,
was ich sagen soll`), of others, or of what only the talk names is not.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.grammar import german

_LEAD = (
    r"(?:(?:ok(?:ay)?|hm+|also|ja|ne+|nein|und|aber|so|na ja|naja|\u00e4hm?|puh|oh|ach|leider"
    r"|\u00fcbrigens|btw)\b,? )*"
)
_WHO = r"(?:(?:ich|wir) )?"
_STILL = r"(?:(?:immer )?noch(?: immer)?(?: gar)?|gar|echt|wirklich|leider|selbst|auch)"
_ASKED = (
    r"(?:ob|wer|wen|wem|was|wann|wo|wohin|woher|womit|wie(?: viele?| lange?| oft)?|welche[rsnm]?)"
)
# What is not known, or is to be found out, asked and decided yet; then of what.
_OPEN_NOW = (
    rf"{_WHO}(?:wei(?:\u00df|ss)|wissen)(?: {_STILL})+ nicht(?: genau| sicher)?",
    rf"{_WHO}(?:hab(?:en?)? )?noch keine(?:n)? (?:ahnung|plan|schimmer)",
    rf"{_WHO}(?:(?:bin|sind) )?(?:mir |uns )?(?:noch )?(?:unsicher|unschl\u00fcssig|nicht sicher)",
    (
        rf"{_WHO}(?:muss|m\u00fcssen)(?: (?:ich|wir))?(?: (?:noch|erst|mal|bis [\w.]+|\w+lich))*"
        r"(?: (?:den|die|das|meine?n?|unsere?n?|bei|beim|mit) [\w-]+(?: [\w-]+)?)?"
        r"(?: (?:noch|mal|erst))* (?:(?:ab)?kl\u00e4ren|(?:he)?rausfinden|(?:nach|er)?fragen"
        r"|checken"
        r"|entscheiden|\u00fcberlegen|schauen|gucken|nachsehen|nachschauen|pr\u00fcfen)"
    ),
    (
        rf"{_WHO}(?:muss|m\u00fcssen)(?: (?:ich|wir))?(?: (?:noch|erst|mal))*"
        r" (?:den|die|das|meine?n?|unsere?n?|beim?) [\w-]+ (?:nach)?fragen"
    ),
    r"bis [\w.]+ (?:muss|m\u00fcssen) (?:ich|wir)(?: uns)? (?:noch )?entscheiden",
    (
        rf"{_WHO}warten? (?:noch|immer noch) (?:drauf|darauf|auf (?:die )?(?:antwort|nachricht"
        rf"|bescheid))"
    ),
    (
        rf"{_WHO}(?:(?:hab(?:en?)?|hat) (?:mich|uns|sich)) noch nicht"
        r"(?: (?:entschieden|festgelegt|geeinigt))"
    ),
    rf"{_WHO}(?:kann|k\u00f6nnen) (?:mich|uns) nicht entscheiden",
    r"(?:es )?(?:steht|ist) noch (?:nicht fest|offen|unklar|nicht klar|ungekl\u00e4rt)",
    r"(?:offen|unklar|ungekl\u00e4rt) ist (?:(?:immer )?noch|bisher)",
    r"(?:die )?frage ist (?:nur |noch |halt )?",
    r"mal (?:sehen|schauen|gucken)(?=,? ob (?:ich|wir)\b)",
    rf"{_WHO}\u00fcberlege?n? (?:mir |uns )?noch",
)
_TELLS = tuple(
    re.compile(rf"(?i)^{_LEAD}{head},?:? (?P<what>(?:{_ASKED}\b|zwischen \w+ und ) ?.+)")
    for head in _OPEN_NOW
)
_OTHERS = tuple(
    re.compile(f"(?i)^{_LEAD}{pattern}")
    for pattern in (
        # As in `ob Oma am 14. kann, wei\u00df ich noch nicht`.
        (
            rf"(?P<what>{_ASKED}\b .+?),? (?:(?:wei(?:\u00df|ss)|wissen) (?:ich|wir)"
            r" (?:auch |immer )?noch nicht|(?:steht|ist) (?:immer )?noch"
            r" (?:nicht fest|offen|unklar|nicht klar)"
            r"|(?:muss ich|m\u00fcssen wir) (?:noch|erst) (?:kl\u00e4ren|fragen|schauen|entscheiden"
            r"|\u00fcberlegen|herausfinden|rausfinden))\W*$"
        ),
        (
            r"(?:noch |bisher )?(?:ungekl\u00e4rt|offen|unklar|offene frage)(?: ist)?:"
            r" ?(?P<what>.{8,})"
        ),
        rf"{_WHO}schwanke?n? (?:noch )?(?P<what>zwischen .+ und .+)",
        (
            rf"{_WHO}warten? noch auf (?P<what>(?:die |eine |den |das )?(?:antwort"
            rf"|r\u00fcckmeldung|zusage"
            r"|nachricht|bescheid|termin|ergebnis\w*) (?:von|vom|aus) .+)"
        ),
        (
            r"(?P<date>)(?P<what>(?:der |mein |unser )?[\w-]+(?: termin|termin)) steht noch"
            r" nicht(?: fest)?\W*$"
        ),
        # What one is to take, which is nothing that one is to say.
        (
            rf"{_WHO}(?:hab(?:en?)? )?keine ahnung,? (?P<what>welche[rsnm]? [\w-]+ (?:ich|wir)"
            rf" .*soll(?:en)?)"
        ),
        (
            rf"{_WHO}(?:wei(?:\u00df|ss)|wissen) nicht,? (?P<what>welche[rsnm]? [\w-]+ (?:ich|wir)"
            rf" .*soll(?:en)?)"
        ),
    )
)
_NOT_OURS = re.compile(
    r"(?i)\b(?:du|dich|dir|dein\w*|ihr|euch|eure?\w*|man|er|ihm|ihn|das|dies\w*|es|sagen|denken"
    r"|glauben"
    r"|f\u00fchle\w*|leben|welt|w\u00fcrde\w*|w\u00e4re\w*|h\u00e4tte\w*|passiert\w*|war|waren"
    r"|warum|wieso"
    r"|gerade|jetzt|haha\w*|lol|xd|dort|da)\b(?! (?:ganze )?[A-Z\u00c4\u00d6\u00dc]\w+\b)"
)
# `Das` before a noun is an article: `das Konzert`, in chat `das konzert`.
_ARTICLE = re.compile(
    r"(?i)\b(?:das) (?=(?!ist\b|war\b|wird\b|geht\b|hat\b|kann\b|ich\b|wir\b)[\w-]{3,})"
)
_ASKS = re.compile(
    rf"(?i)^{_LEAD}(?:(?:um|ab|bis|seit|f\u00fcr) )?(?:(?:wer|wen|wann|wo|wohin|womit|wie"
    rf" (?:viele?|lange?"
    r"|oft|teuer|weit)|welche[rsnm]?|was (?:kostet|kosten|brauchen wir))\b"
    r"|(?:hat|haben|gibt es|gibts|brauchen wir|ist|sind|kommt|f\u00e4hrt|geht|m\u00fcssen wir"
    r"|d\u00fcrfen wir"
    r"|nimmt|reicht|passt|wird) (?:der|die|das|den|wir|ein\w*|mein\w*|unser\w*"
    r"|[A-Z\u00c4\u00d6\u00dc]\w+)\b"
    r"|(?:brauchen|m\u00fcssen|d\u00fcrfen) wir\b|(?:d\u00fcrfen|m\u00fcssen|brauchen) (?!wir\b"
    r"|sie\b|du\b)\w+"
    r"|wie (?:gro\u00df|hoch|breit|schwer|alt|lang|tief) (?:ist|sind) ).+\?\W*$"
)
# What both know has its article, or is theirs: not `Wo schlafen V\u00f6gel?`.
_SHARED = re.compile(
    r"(?i)\b(?:der|die|das|den|dem|wir|uns\w*|mein\w*|am|im|beim|vom|zum|zur|ins)\b"
)
_UNKNOWN = re.compile(
    r"(?i)^(?:(?:hm+|puh|oh|ach|tja|ja|n\u00f6|nee?|gute frage|sorry|\u00e4hm?|ehrlich"
    r" gesagt)\b[,.! ]*)*"
    r"(?:keine ahnung|ka\b|kp\b|kein plan|(?:das )?wei(?:\u00df|ss) (?:ich )?(?:(?:auch|gerade"
    r"|leider"
    r"|gar|echt)"
    r" )*(?:noch )?nicht|(?:ich )?wei(?:\u00df|ss) (?:es )?nicht|nicht sicher"
    r"|(?:das )?(?:schaue?|gucke?|frage?|kl\u00e4re?|pr\u00fcfe?) ich|(?:ich )?(?:schaue?|gucke?"
    r"|frage?|sehe?)"
    r" (?:mal )?(?:noch )?(?:nach|mal)|(?:ich )?(?:kann mich|erinnere? mich) (?:auch )?nicht"
    r"|muss (?:ich )?(?:(?:erst|mal|noch) )*(?:nach)?(?:schauen|sehen|fragen|gucken)"
    r"|(?:vergessen|hab ich vergessen)\b)"
)
_LOOKED = (
    r"(?:(?:nach|an)?(?:geschaut|geguckt|gesehen|gerufen)|gefragt|gefunden|gecheckt"
    r"|(?:he)?rausgefunden)\b"
)
_LEARNT = re.compile(
    r"(?i)^(?:(?:ok(?:ay)?|ah|ach|oh|so|also|ja|nein|nee?|n\u00f6|update)\b[,.! ]*)*"
    rf"(?:(?:hab(?:s| es)? )?(?:(?:gerade?|grad|eben|jetzt|mal) )*{_LOOKED}"
    r"|(?<=ach )(?:er|sie|es|da|hier)\b|hat sich (?:gekl\u00e4rt|erledigt)"
    r"|schon (?:gut|gekl\u00e4rt)|egal\b)"
)
_LEAST = 2


def is_open(text: str) -> bool:
    """Whether *text*, in German, tells by itself what its speakers have still to settle."""
    found = next((m for p in (*_TELLS, *_OTHERS) if (m := p.search(text))), None)
    if found is None or "?" in text.replace(found["what"], ""):
        return False
    return _is_named(found["what"], 1 if "date" in found.re.groupindex else _LEAST)


def asks(text: str) -> bool:
    """Whether *text* asks, in German, for what can be found out, of something that is named."""
    is_shared = _ASKS.match(text) is not None and _SHARED.search(text) is not None
    return is_shared and _is_named(text, least=1)


def _is_named(what: str, least: int = _LEAST) -> bool:
    bare = _ARTICLE.sub("", what)
    return _NOT_OURS.search(bare) is None and len(german.content(bare)) >= least


def is_unknown(reply: str) -> bool:
    """Whether *reply*, in German, owns that who was asked does not know, or is to look."""
    return _UNKNOWN.match(reply) is not None


def has_learnt(text: str) -> bool:
    """Whether *text*, in German, says that its speaker found out, or need not know."""
    return _LEARNT.match(text) is not None
