"""Tell what people like, dislike and want to be kept in German: `Koriander geht gar nicht`.

A taste is of its speaker, lasts, and is of something that is named; so is what somebody asks for
once and for all (`schreib mir lieber als anzurufen`). What is of the hour, of the one who is spoken
to, or of what only the talk names is none.
"""

from __future__ import annotations

import re

from vaultmem.nlp.extraction.choices import undecided_de
from vaultmem.nlp.extraction.grammar import german

_LEAD = (
    r"(?:(?:ok(?:ay)?|also|ja|nee?|nein|und|aber|ehrlich gesagt|ganz ehrlich|\u00fcbrigens|btw"
    r"|sorry"
    r"|naja|na ja|oh|ach|boah|haha|puh|tja|eigentlich)\b,? )*"
)
# What one does by choice, time and again, with the ending that chat leaves out.
_HABIT = (
    r"(?:trink|ess|les|fahr|reis|zahl|bezahl|sitz|schlaf|arbeit|h\u00f6r|schau|guck|koch|kauf|trag"
    r"|bestell|lauf|geh|flieg|wohn|lern|schreib|telefonier|back|spiel|bleib)(?:e|en)?"
)
_HOW = (
    r"(?:lieber|meistens|meist|am liebsten|gerne?|ungerne?|immer|nie|nur|grunds\u00e4tzlich"
    r"|ausschlie\u00dflich)(?! (?:den|die|das|der|dem|kurz|schnell|eben|mal|nichts?|nix|schon|doch"
    r"|erst|noch|wieder"
    r"|hin|weg|heim|mit"
    r" (?:wenn|weil|und)|mit\W*$)\b)"
)
_THING = (
    r"(?!(?:sie|ihn|ihm)\b|(?:es|das|dies\w*|den|die|dem|so|da|mich|mir|hier)(?=\s*(?:[^\w\s]"
    r"|$)))[\w\u00df-]+"
)
_NOT_SO = (
    r"(?:gar |echt |\u00fcberhaupt |so |wirklich |absolut |auf den tod )*(?:nichts?|nix)(?: so)?"
)
# A taste is of a kind of thing, and a kind has no article that points at one of them.
_KIND = (
    r"(?!(?:der|die|das|den|dem|des|dies\w*|jene\w*|es|er|sie|ihn|ihm|was|so|hier|da|dort|mein\w*"
    r"|unser\w*|ich|wir|wer|wie|wo|ob|wenn|weil|dass|mir|mich|alles|nichts|nix|immer|nie|noch"
    r"|mal|nur|essen|\w*tags?|\w*abends?|morgens?|\w*wochenende)\b)[\w-]+(?: [\w-]+){0,3}?"
)
_MUCH = (
    r"(?:sehr|total|richtig|echt|wirklich|einfach|mega|voll|ja|immer|wie die pest|am"
    r" (?:aller)?(?:liebsten"
    rf"|besten|meisten)|besser als {_THING}|mehr als {_THING}|\u00fcber alles|viel|{_NOT_SO})"
)
_VERDICT = (
    r"(?:furchtbar|schrecklich|super|toll|klasse|eklig|ekelhaft|langweilig|spannend|grausig"
    r"|herrlich|gro\u00dfartig|doof|bl\u00f6d|geil)"
)
# A lone word may be a name, unless it tells of several or of a deed: `Katzen`, `schwimmen`.
_LONE = r"(?![\w-]+en\b)[\w-]+(?= (?:echt |total |voll |so )*[\w-]+\W*$)"
_MAYBE_NAME = r"(?![\w-]+en\b)[\w-]+\W*(?:$|[,;.])"
_END = r"\W*(?:[,;.] .*)?$"
# Whoever does not want to (`mag nicht reden`) tells of the hour.
_NOT_NOW = r"(?:nicht \w+en\W*$|sein\b|noch\b|mal\b|jemand\b|wer\b|wohl\b)"
_KIN = (
    r"(?:mein\w* (?:mann|frau|freund(?:in)?|kind(?:er)?|tochter|sohn|mama|papa|mutter|vater"
    r"|schwester|bruder|oma|opa|familie|leben|chef(?:in)?|kolleg\w+"
    r"|nachbar\w*|schwieger\w+)\b)"
)
_TASTE = tuple(
    re.compile(f"(?i){pattern}")
    for pattern in (
        # As in `ich mag keine Pilze`, `mag Horrorfilme gar nicht`.
        (
            rf"^{_LEAD}(?:ich )?(?:mag|(?<=ich )liebe?|liebe(?= es\b)|hasse?|bevorzuge?"
            rf"|verabscheue) (?!{_NOT_NOW}|{_KIN})(?!(?<=liebe ){_MAYBE_NAME})"
            rf"(?!es\b(?!,?(?: nicht)?,? wenn)|(?:den|die|das) [\w-]+\W*$)(?:es(?: nicht)?,? wenn"
            rf" (?!du\b|ihr\b)|{_THING}).*"
        ),
        # In front, and with who likes it as the object: `Musik gef\u00e4llt mir sehr`.
        (
            rf"^{_LEAD}{_KIND} (?:mag|liebe?|hasse?|genie(?:\u00df|ss)e?|bevorzuge?) ich"
            rf"(?: {_MUCH})*{_END}"
        ),
        rf"^{_LEAD}ich genie(?:\u00df|ss)e? {_KIND}(?: {_MUCH})*{_END}",
        rf"^{_LEAD}{_KIND} (?:gef\u00e4llt|gefallen|schmeckt|schmecken) mir(?: {_MUCH})+{_END}",
        rf"^{_LEAD}{_KIND} mach(?:t|en) mir(?: {_MUCH}| keinen?)* (?:spa\u00df|freude){_END}",
        (
            rf"^{_LEAD}{_KIND} (?:is|ist|sind) mir(?: {_MUCH})* (?:ein graus|ein gr\u00e4uel"
            rf"|zuwider|am (?:aller)?liebsten|lieber(?: als {_KIND})?){_END}"
        ),
        rf"^{_LEAD}mir (?:ist|sind) (?:eine? )?{_KIND} lieber als {_THING}",
        rf"^{_LEAD}{_KIND} (?:geht|gehen) (?:bei|f\u00fcr) (?:mir|mich) immer{_END}",
        rf"^{_LEAD}mit {_KIND} kann ich(?: {_MUCH})* (?:viel|wenig|{_NOT_SO}) anfangen{_END}",
        rf"^{_LEAD}(?:ich )?kann mit {_KIND} (?:wenig|{_NOT_SO}) anfangen{_END}",
        (
            rf"^{_LEAD}(?:ich )?(?:kann|krieg|bekomm)(?:e)?(?: (?:einfach|gar))* (?:nie|nicht)"
            rf" genug(?: (?:kriegen|bekommen))? von (?:de[mnr] )?{_THING}"
        ),
        rf"^{_LEAD}(?:mir (?:schmeckt|schmecken|gef\u00e4llt|gefallen)) {_KIND} (?!nicht\W*$).+",
        rf"^{_LEAD}am (?:aller)?(?:liebsten|meisten) (?:mag|liebe?|hasse?) ich .+",
        rf"^{_LEAD}auf {_KIND} (?:steh|fahr)e? ich(?: {_MUCH}| nicht| ab)*{_END}",
        rf"^{_LEAD}auf {_KIND} kann ich (?:gut |gern )?verzichten{_END}",
        rf"^{_LEAD}mein herz schl\u00e4gt (?:f\u00fcr|nur f\u00fcr) {_THING}",
        rf"^{_LEAD}(?:ich )?halte? (?:viel|wenig|{_NOT_SO}) von {_KIND}{_END}",
        rf"^{_LEAD}(?:ich )?ziehe? {_KIND} (?:dem|der|den|einem|einer)? ?{_KIND} vor{_END}",
        (
            rf"^{_LEAD}{_KIND} (?:entspannt|nervt|stresst|langweilt|begeistert|fasziniert) mich"
            rf"(?: {_MUCH})*{_END}"
        ),
        (
            rf"^{_LEAD}{_KIND} (?:ist|sind) (?:genau|voll|total|echt|absolut) (?:mein ding"
            rf"|meins){_END}"
        ),
        rf"^{_LEAD}(?:ich )?find(?:e)? (?!{_LONE}){_KIND}(?: {_MUCH})* {_VERDICT}{_END}",
        rf"^{_LEAD}{_KIND} find(?:e)? ich(?: {_MUCH})* {_VERDICT}{_END}",
        rf"^{_LEAD}lieblings[\w-]+ ?: ?{_THING}",
        rf"^{_LEAD}ohne {_KIND} geht (?:bei )?mir .*(?:nichts?|nix)\b{_END}",
        (
            rf"^{_LEAD}{_KIND} k\u00f6nnte? ich (?:jeden tag|immer|st\u00e4ndig|t\u00e4glich)"
            rf" \w+en{_END}"
        ),
        rf"^{_LEAD}(?:ich )?mag mein\w* (?:tee|kaffee|ei(?:er)?|steak|brot|essen|pizza) \w+{_END}",
        rf"^{_LEAD}am (?:aller)?liebsten {_HABIT} ich (?!mit dir\b|bei dir\b).+",
        # As in `ich trinke nur Hafermilch`, `lese lieber Papier als E-Books`.
        rf"^{_LEAD}(?:ich )?{_HABIT}(?: ich)?(?: [\w-]+){{0,3}}? {_HOW} (?:{_THING})\b.*",
        rf"^{_LEAD}(?!{_HABIT} )(?:[\w-]+ ){{1,3}}{_HABIT} ich {_HOW}\b.*",
        (
            rf"^{_LEAD}(?!(?:ich|er|sie|du|wir|ihr|es|das|man)\b)[\w-]+ am liebsten"
            rf" (?!als\b)[\w-]+\W*$"
        ),
        (
            rf"^{_LEAD}(?:ich )?(?:ess|trink|rauch|les|trag|kauf)(?:e)?(?: ich)? keine?n? "
            rf"(?!lust|zeit|hunger){_THING}"
        ),
        (
            rf"^{_LEAD}(?:ich )?(?:schlaf|arbeit|lern|denk|schreib)(?:e)? (?:viel )?(?:besser|am"
            rf" besten),?"
            r" (?:wenn (?!du\b|er\b|sie\b)|bei |mit |in |ohne |abends|morgens|nachts)"
        ),
        # As in `bin eher der Teetrinker`, `bin kein Morgenmensch`.
        (
            rf"^{_LEAD}(?:ich )?bin (?:(?:eher|mehr|ja|halt|echt|absolut|so|voll|total|mega) )*"
            rf"(?:(?:ein|eine|der|die|kein|keine) )"
            r"(?:(?:gro\u00dfer?|echter?|absoluter?|totaler?) )?(?:[\w-]*(?:mensch|typ|fan|trinker"
            r"|trinkerin|junkie|nerd|gucker|esser"
            r"|esserin|liebhaber|liebhaberin|aufsteher|aufsteherin|freund|muffel|eule|person))\b.*"
        ),
        (
            rf"^{_LEAD}(?:ich )?bin (?:ja |jetzt |seit [\w ]+ )?(?:vegan\w*|vegetarier\w*"
            rf"|laktoseintolerant)\b"
        ),
        rf"^{_LEAD}(?:ich )?(?:bin )?(?:ein )?(?:gro\u00dfer|riesiger|riesen) ?fan von {_THING}",
        (
            rf"^{_LEAD}(?:ich )?steh(?:e)? (?:ja )?(?:total|voll|mega|sehr|echt|{_NOT_SO}) auf"
            rf" {_THING}"
        ),
        rf"^{_LEAD}(?:ich )?(?:bin )?allergisch (?:gegen|auf) {_THING}",
        rf"^{_LEAD}(?:ich )?vertrage?(?: ich)? (?:keine?n?|{_THING} nicht)\b",
        (
            rf"^{_LEAD}{_THING}(?: [\w-]+){{0,2}} (?:ist|sind) (?:einfach )?{_NOT_SO}"
            r" (?:mein ding|meins|mein fall|f\u00fcr mich)\b"
        ),
        (
            rf"^{_LEAD}{_THING}(?: [\w-]+){{0,1}} (?:geht|gehen)(?: f\u00fcr mich| bei mir)? gar"
            rf" nicht\b"
        ),
        (
            rf"^{_LEAD}{_THING}(?: [\w-]+){{0,2}} kann ich {_NOT_SO} (?:leiden|ab|ausstehen|riechen"
            rf"|essen)\b"
        ),
        rf"^{_LEAD}(?:ich )?kann {_THING}(?: [\w-]+)? {_NOT_SO} (?:leiden|ab|ausstehen)\b",
        rf"^{_LEAD}[\w-]+(?: [\w-]+){{0,2}} liegt mir (?:mehr|besser|{_NOT_SO})\b",
        (
            rf"^{_LEAD}(?:meine?|mein) (?:absolute[rs]? )?lieblings[\w-]+ (?:ist|sind|bleibt|war"
            rf" schon"
            rf" immer) {_THING}"
        ),
        (
            rf"^{_LEAD}lieber (?!nicht\b){_THING} als (?!nie\b|nix\b|nichts\b|gar\b){_THING}"
            r"(?: (?:bei mir|f\u00fcr mich|immer))?\W*$"
        ),
        (
            rf"^{_LEAD}(?!ich\b)(?:mein\w* )?{_THING} (?:mag ich (?!nicht\b)\w+|vertrage? ich"
            rf" (?:nicht"
            rf"|kaum|schlecht))\W*$"
        ),
        rf"^{_LEAD}bitte (?:keine?n?|ohne) {_THING}(?: [\w-]+){{0,2}} f\u00fcr mich\b",
        (
            rf"^{_LEAD}ohne (?!dich|ihn|sie|euch){_THING} kann ich nicht"
            r" (?:schlafen|arbeiten|lernen)\W*$"
        ),
        rf"^{_LEAD}nichts geht \u00fcber (?:ein\w*|meine?n?|den|die|das) .+",
        (
            rf"^{_LEAD}lieber (?!sp\u00e4t|heute|nicht)(?:ein\w* )?[\w -]{{3,30}}"
            r" als (?!nie\b|gar)[\w -]{3,30}\W*$"
        ),
        rf"^{_LEAD}nennt? mich (?:bitte )?(?!nicht\b|ein)\w+\W*$",
        # What somebody is asked for each time.
        (
            rf"^{_LEAD}(?:bitte )?(?:schreib|ruf|schick|sag|mail)(?:e|t)? (?:mir|mich|uns)(?:"
            rf" bitte)?"
            rf" (?:immer|lieber|keine?n?|nie|nicht)\b.*"
        ),
        (
            rf"^{_LEAD}bitte (?:nie(?:mals)?|nicht (?:vor|nach|w\u00e4hrend)|immer|keine?n?"
            rf"|k\u00fcnftig)\b"
            r".*\b(?:anrufen|schreiben|schicken|klingeln|wecken|mailen|antworten|vorbeikommen"
            r"|senden"
            r"|duzen|siezen|reden|nennen|benutzen|verwenden|nutzen)\b"
        ),
        rf"^{_LEAD}(?:ab jetzt|k\u00fcnftig|in zukunft) bitte .+",
    )
)
_PASSING = re.compile(
    r"(?i)\b(?:heute?|(?<!am )(?<!jeden )morgen(?!mensch)|gestern|gerade|grad"
    r"|jetzt(?! bitte)|diesmal|fr\u00fcher"
    r"|damals|nachher"
    r"|sp\u00e4ter|w\u00fcrde\w*|w\u00e4re|h\u00e4tte|vielleicht|wohl|falls|angeblich|einen? \w+"
    r" gemacht"
    r"|dein\w*|eure?\w*|euch|dich|dir|du|ihr|darf|haha\w*|lol|xd|als kind|mit \d+|nie wieder|nicht"
    r" mehr)\b|\?"
)
# Of what only the talk names: `das geht gar nicht`, `ich liebe dieses Lied`.
_OF_IT = re.compile(
    rf"(?i)^{_LEAD}(?:das|es|dies\w*|ihn|sie|so|was|da|den|die) (?:geht|gehen|kann|ist|sind|mag"
    rf"|lieb"
    r"|hass|liegt|vertrag)|\b(?:diese[mnrs]?|denen)\b"
)
_LATELY = re.compile(r"(?i)(?<=\bab )jetzt|\bheute(?=\w)")


def is_told(text: str) -> bool:
    """Whether *text*, in German, tells a taste or a wish of its speaker's that is to last."""
    text = undecided_de.spelled(text)
    if _PASSING.search(_LATELY.sub("", text)) or _OF_IT.search(text):
        return False
    found = next((m for pattern in _TASTE if (m := pattern.search(text))), None)
    return found is not None and bool(german.content(found[0]))
