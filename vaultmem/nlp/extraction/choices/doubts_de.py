"""Tell what German asks that may stay open, and what leaves it so: `wann fährt die Fähre?`.

Open is what somebody asked of something that both know, where the other did not know it either.
What is said to be undecided is found in `undecided_de`.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.choices import undecided_de

_LEAD = (
    r"(?:(?:ok(?:ay)?|hm+|also|ja|ne+|nein|und|aber|so|na ja|naja|\u00e4hm?|puh|oh|ach|leider"
    r"|\u00fcbrigens|btw)\b,? )*"
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


def asks(text: str) -> bool:
    """Whether *text* asks, in German, for what can be found out, of something that is named."""
    is_shared = _ASKS.match(text) is not None and _SHARED.search(text) is not None
    return is_shared and undecided_de.is_named(text, least=1)


def is_unknown(reply: str) -> bool:
    """Whether *reply*, in German, owns that who was asked does not know, or is to look."""
    return _UNKNOWN.match(reply) is not None


def has_learnt(text: str) -> bool:
    """Whether *text*, in German, says that its speaker found out, or need not know."""
    return _LEARNT.match(text) is not None
