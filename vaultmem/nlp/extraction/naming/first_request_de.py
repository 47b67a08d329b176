"""What a user came to an agent for, in German: the first noun that an article announces.

Nouns alone have a capital inside of a sentence, so that the article, what describes and the noun
are read without a dictionary; what stands behind `für`, `in`, `nach` or `zu` tells which one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_LOWER, _NOUN = (
    "[a-z\u00e4\u00f6\u00fc\u00df]",
    "[A-Z\u00c4\u00d6\u00dc][\\w\u00e4\u00f6\u00fc\u00df-]+",
)
_ARTICLE = (
    r"(?:eine?[nmrs]?|d(?:er|ie|as|en|em)|meine?[nmrs]?|unsere?[nmrs]?|deine?[nmrs]?"
    r"|diese[nmrs]?)"
)
_NAMED = re.compile(
    rf"\b(?i:{_ARTICLE}) (?:{_LOWER}+ )*(?P<thing>{_NOUN})"
    rf"(?: (?P<link>de[rs](?= [A-Z\u00c4\u00d6\u00dc])|auf|f\u00fcr|nach|zu|zur|zum|\u00fcber|von"
    rf"|zwischen) (?:{_ARTICLE} )?"
    rf"(?P<which>(?:{_LOWER}+ )?{_NOUN}(?: und (?:{_ARTICLE} )?{_NOUN})?))?"
)
# What a tool is for: `ein Skript, das die Fotos sortiert`.
_DOES = re.compile(rf", d(?:er|ie|as) (?:(?i:{_ARTICLE}) )?(?:{_LOWER}+ )*(?P<what>{_NOUN})")
_TOOL = re.compile(r"(?:Skript|Programm|Funktion|Liste|Tabelle|Abfrage|Test|Seite)")
_NOTHING = re.compile(
    r"(?:Fragen?|Hilfe|Problem\w*|Idee\w*|Thema|Tipps?|Rat|Moment|Tag\w*|Woche\w*|Monat\w*|Jahr\w*"
    r"|Mal|Sache\w*|Ding\w*|Art|Frau|Mann|Freund\w*|Sohn|Tochter|Mutter|Vater|Schwester|Bruder"
    r"|Oma|Opa|Kinder\w{0,1}|Chef\w*|Kolleg\w*|Abend|Morgen|Nacht|Montag|Dienstag|Mittwoch"
    r"|Donnerstag|Freitag|Samstag|Sonntag|Wochenende|Ende|Anfang|Datei\w*|Projekt\w*|Code)"
)
_OPENING = 3


def subject(sentences: Sequence[str]) -> str:
    """Return the thing that the opening of *sentences* announces, "" for none."""
    found = (m for sentence in sentences[:_OPENING] for m in _NAMED.finditer(sentence))
    named = next((m for m in found if _NOTHING.fullmatch(m["thing"]) is None), None)
    if named is None:
        return ""
    does = _DOES.match(named.string, named.end())
    if does and _TOOL.fullmatch(named["thing"]):
        return f"{named['thing']} f\u00fcr {does['what']}"
    which = named["which"] or ""
    is_told = which and _NOTHING.fullmatch(which.rpartition(" ")[2]) is None
    return f"{named['thing']} {named['link']} {which}" if is_told else named["thing"]
