"""How German asks and answers, as far as `replies` must know."""

from __future__ import annotations

from vaultmem.nlp.extraction.talk.question_forms import Forms

_LEAD = (
    r"(?i)(?:(?:und|aber|also|so|nun|jetzt|gut|ok(?:ay)?|super|perfekt|danke|alles klar|zuletzt"
    r"|zun\u00e4chst|noch eine frage|letzte frage)[,.:!]* )+"
)
_NO_START = (
    r"(?i)(?:sonst noch|noch etwas|wirklich|stimmt|richtig|oder|ist (?:das|alles)|was ist mit \S+$"
    r"|(?:kann|darf|soll|k\u00f6nnte|d\u00fcrfte) ich (?:ihnen|dir|euch|sonst|noch|helfen|weiter"
    r"|etwas|kurz)|(?:k\u00f6nnen|k\u00f6nnten|w\u00fcrden|m\u00f6chten|wollen) sie"
    r" (?:bitte|mir|uns|noch|das)|(?:kannst|k\u00f6nntest|w\u00fcrdest|m\u00f6chtest|willst) du"
    r" (?:bitte|mir|uns|noch|das)|wie (?:kann|darf) ich|womit kann|was (?:kann|darf) ich"
    r"|was brauch\w+"
    r"|welche (?:unterlagen|dokumente|angaben|informationen))\b"
)
_POINTS = (
    r"\b(?:[Ee]s|[Ee]r|ihn|ihm|sie|[Dd]iese[rsmn]?|[Jj]ene[rsmn]?|[Dd]ies|dort|dann|da|dabei"
    r"|davon|damit|daf\u00fcr|dazu|daran|darauf|dar\u00fcber|sonst|gleichen?|andere[nrsm]?|beide[nrs]?)"
    r"\b|\b[Dd]as(?=\W*$| (?:ist|war|wird|kostet|geht|hei\u00dft|dauert)\b)"
    r"|\b(?:der|die|das) (?:preis|betrag|termin|grund|unterschied|nummer|kosten|frist)\W*$"
)
_NAMED = (
    r"(?i)\b(?:ihr(?:e[nmrs]?)?|dein(?:e[nmrs]?)?|der|die|das|den|dem|ein(?:e[nmrs]?)?"
    r"|mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|welche[nmrs]?|was f\u00fcr|wie (?:viele?|lange|oft|alt"
    r"|hoch|gro\u00df|weit))\b|^(?:wann|wo|wohin|woher|wer|wen|wem|warum|wie|womit|worauf)\b"
)
_CONFIDED = (
    r"(?i)passwor|kennwort|\bpin\b|\btan\b|\bcv[vc]\b|pr\u00fcf(?:ziffer|nummer)"
    r"|sicherheits(?:code|frage)|geheim|kartennummer|ablaufdatum|code\b|m\u00e4dchenname|zahlen\b"
)
_NO_ANSWER = (
    r"(?i)\W*(?:(?:das )?(?:wei\u00df|kann|hab\w*) ich (?:leider |gerade |jetzt )*nicht"
    r"|ich wei\u00df (?:es |das )?(?:leider |gerade )?nicht|keine ahnung|nicht sicher|noch nicht"
    r"|moment|einen moment|augenblick|gute frage|kommt (?:ganz )?(?:drauf|darauf) an"
    r"|danke|bitte|gern\w*"
    r"|entschuldigung|tut mir leid|ich (?:schaue?|pr\u00fcfe|frage|sehe|melde|glaube nicht)"
    r"|das (?:ist|war|sind)|dies\w*)\b"
)
_YES = r"(?i)\W*(?:ja|jo|nein|nee|genau|richtig|stimmt|klar|nat\u00fcrlich|sicher)\b"
_YOURS = (
    r"(?i)(?:(?:super|perfekt|ok(?:ay)?|gut|so|ja|erledigt)[,.!:]* )*(?:ihre?|deine?)"
    r" (?:(?!oder\b|und\b|wenn\b|dass?\b|der\b|die\b)[\w'-]+ ){1,5}?(?:ist|sind|war|waren|lautet"
    r"|hei\u00dft|betr\u00e4gt|kostet|beginnt|endet|l\u00e4uft|hat|wird)\b"
)
_OF_USER = r"\b(?:[Ii]hr(?:e[nmrs]?)?|[Dd]ein\w*|[Mm]ein\w*|[Uu]nser\w*|Sie|Ihnen|du|dir|dich)\b"

FORMS = Forms(
    lead=_LEAD,
    no_start=_NO_START,
    points=_POINTS,
    named=_NAMED,
    confided=_CONFIDED,
    no_answer=_NO_ANSWER,
    yes=_YES,
    yours=_YOURS,
    of_user=_OF_USER,
)
