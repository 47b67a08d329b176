"""Whether a German sentence states something by itself, and of those who talk."""

from __future__ import annotations

import re

from vaultmem.documents.languages import detection
from vaultmem.nlp.text import analysis

# What leans on what was said before, answers, bids or lacks its verb: `Dann der Grieche`.
_LEANS = re.compile(
    r"(?i)\W*(?:(?:ja+|jo|nein|ok|okay|gut|super|klar|ach|oh+|na+|hm+|puh|boah|also|und|aber|so"
    r"|doch"
    r"|haha\w*|lol|wow)[,.!]? )*"
    # Who bids, and of whom it is spoken to: `sag mal`, `dein Bruder ist ein Schatz`.
    r"(?:(?:sag|frag|schau|guck|h\u00f6r|komm|gib|lies|zeig|nimm|warte?)\b(?! ich)"
    # When somebody has time, which only the question needs.
    r"|(?:am )?\w*(?:tag|abend|mittag|morgen|woche) (?:kann|k\u00f6nnte|passt|geht|ginge)"
    r"|dein\w*|eure?\w*|du|\d+|dann|da|dort|darum|deshalb|daf\u00fcr|damit|davon|dazu|daran"
    r"|darauf|dabei|der|das"
    r"|die(?= (?:ist"
    r"|sind|war|hat|haben|kann|wird|kommt|geht)\b)|das|dies\w*|es|er|sie|ihr|ihm|ihn|ihnen|man"
    r"|jene\w*"
    r"|wir k\u00f6nnten|wir sollten|ich k\u00f6nnte|ich w\u00fcrde|lass|lasst|bitte|denk|danke"
    r"|gern\w*"
    r"|vielleicht|weil|dass|ob|wenn|oder|sondern|nur|auch|aber|und|ja|nein|doch|genau|stimmt|klar"
    r"|okay|ok|gut|super|toll|sch\u00f6n|wei\u00df|war|w\u00e4re|warum|wann|wo|wie|was|wer"
    r"|kannst|hast|bist"
    r"|willst|k\u00f6nntest|sollen|sollte|freu\w*|mach|mal|hier|jetzt|noch)\b"
)
_OF_IT = re.compile(
    r"\b(?:f\u00fcr|mit|von|zu|bei|ohne) (?:sie|ihn|ihm|ihr|ihnen|denen)(?=\s*(?:[.,;!]|$| und\b))"
    # Who bids, in whatever verb: `Plane bitte ein Fest`.
    r"|^\w+ (?:(?:mir|uns|doch|mal) )*bitte\b"
    r"|(?:wohn|leb|arbeit|w[a\u00e4]r|ist|bin|sind|steh|lieg)\w* (?:\w+ )?dort(?=\s*(?:[.,;!]|$))"
    r"|\b(?:aber|und|weil|denn) (?:es|er|sie|das)\b|\bohne\W*$|\bm\u00fcssen? [^.]*(?:reden"
    r"|sprechen)\b|\b[Ii]ch \w+ (?:es|ihn|sie|das|ihm"
    r"|ihr|den|die)\b(?! [A-Z\u00c4\u00d6\u00dc])"
)
_VERB = re.compile(
    r"(?i)\b(?:bin|ist|sind|war|waren|habe?|hat|haben|hatte\w*|wird|werden|wurde\w*|werde|kann"
    r"|k\u00f6nnen"
    r"|muss|m\u00fcssen|soll|will|wollen|darf|mag|kommt?|komme|geht|gehe|gehen|fahre?|f\u00e4hrt"
    r"|fahren"
    r"|mache?|macht|machen|kostet?|nehme?n?|nimmt|bringe?|bringt|arbeite\w*|wohne?|wohnt|lebe?|lebt"
    r"|braucht?|brauche|bekomm\w+|bleib\w+|sag\w*|steht|liegt|beginnt|f\u00e4ngt|feiern|zieh\w+"
    r"|esse?|isst"
    r"|trinke?|trinkt|spiele?|spielt|lerne?|lernt|kauf\w+|hei\u00dft|gibt|gebe|findet|finde"
    r"|plan\w+|\w+ieren|\w+iert)\b"
)
# German chat leaves `ich` out: `hab ein Rad gekauft`.
_OF_SELF = (
    r"(?i)\b(?:ich|wir|mir|mich|uns|mein\w*|unser\w*|hab|bin|war|werd)\b"
    r"|(?<=[a-z\u00e4\u00f6\u00fc\u00df,] )(?-i:[A-Z])\w+ (?:ist|hat|wird|kommt|geht|wohnt)\b"
)


def stands(text: str) -> bool:
    """Whether *text*, in German, states something by itself: leans on nothing, and has a verb."""
    leans = _LEANS.match(text) or _OF_IT.search(text)
    return not leans and _VERB.search(text) is not None


def is_first_hand(text: str) -> bool:
    """Whether *text*, in German, is of its speaker, of theirs, or of somebody with a name."""
    return re.search(_OF_SELF, text) is not None


def is_talk(text: str) -> bool:
    """Whether *text* is plainly German."""
    return detection.language(text) == "de"


def content(text: str) -> list[str]:
    """Return the words of *text* that say something, in lower case: no function words."""
    heads = analysis.heads(text)
    return [head for head in heads if head not in detection.FUNCTION_WORDS["de"]]
