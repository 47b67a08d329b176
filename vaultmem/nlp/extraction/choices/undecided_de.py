"""Tell what German leaves undecided: `wer am Samstag fährt, steht noch nicht fest`.

A sentence leaves open where its predicate does (`steht nicht fest`, `haben wir nicht entschieden`,
`überlegen wir`), with a word that it is yet to be settled (`noch`, `bisher`), and of a matter: a
question that depends on the predicate, two things to choose from, or a thing by its article. German
has the matter before the finite verb, between this and what closes its clause, or behind both (the
topological fields: Drach 1937, *Grundgedanken der deutschen Satzlehre*), and chat marks neither.
What one says at a loss for words (`keine Ahnung, was ich sagen soll`), of others, or of what only
the talk names is not open.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.nlp.extraction.grammar import german


class Predicate(NamedTuple):
    """A finite verb and what closes its clause: `haben`, `nicht entschieden`.

    A question that depends on it is open by itself where it is *alone*, else with a word like
    `noch`; with such a word a *thing* is, too, if a pattern of one is given.
    """

    verb: str
    close: str
    alone: bool = False
    thing: str = ""


_LEAD = re.compile(
    r"(?i)^\W*(?:(?:ok(?:ay)?|hm+|also|ja|ne+|nein|und|aber|so|na ja|naja|tja|\u00e4hm?|puh|oh|ach"
    r"|leider|\u00fcbrigens|btw|(?:ganz )?ehrlich gesagt|ehrlich"
    r"|keine ahnung(?=,| (?:ob|wer|wann|wo)\b.*,))\b,? )*"
)
_STILL = re.compile(
    r"(?i)\b(?:noch|bisher|bislang|weiterhin|nach wie vor|bis (?:jetzt|\w*(?:tag|woche|mai|ende))"
    r"|bleib(?:t|en)|n\u00e4chste[nrm]? \w+)\b"
)
_ADVERBS = (
    r"(?: (?:noch|immer|erst|erstmal|mal|nochmal|bisher|bislang|weiterhin|nach wie vor"
    r"|bis [\w.]+|ganz|so|sehr|v\u00f6llig|total|komplett|echt|wirklich|selbst|selber|auch|ja|halt"
    r"|gar|einfach|leider|derzeit|momentan|irgendwie|dringend|unbedingt|genau|ehrlich gesagt"
    r"|langsam|bald|endlich|jetzt|wohl|beim? \w+ \w+"
    r"|(?!ehrlich )\w+lich|mir|uns|mich|f\u00fcr uns|f\u00fcr mich))*"
)
_WHO = r"(?: (?:ich|wir))?"
_QUESTION = (
    r"(?:(?:um|ab|bis|seit|f\u00fcr|mit|von|zu|an|auf|bei|in|\u00fcber) )?"
    r"(?:ob|wer|wen|wem|wessen|was|wann|wo|wohin|woher|womit|wie|wie ?viele?|welche[rsnm]?)\b .+?"
)
_PAIR = r"(?:zwischen .+? (?:und|oder) .+?|(?:entweder )?[^,?]{2,40}? oder [^,?]{2,40}?)"
_THE = r"(?:der|die|das|den|dem|unser(?:e[rnms]?)?|mein(?:e[rnms]?)?|beide[nr]?)"
_THING = (
    rf"(?:(?:(?:\u00fcber|um|bei|wegen|auf|bez\u00fcglich|mit|zwischen) )?{_THE} [\w-]+"
    r"(?: (?!(?:ich|wir|noch|nicht|hat|haben|ist|sind|war|wird|kann|muss)\b)[\w-]+){0,4}?|(?:beim?"
    r"|zum|zur) [\w-]+(?: [\w-]+)?)"
)
# Such a phrase may stand behind what closes the clause: `bin am \u00dcberlegen wegen dem Rad`.
_BEHIND = (
    rf"(?:(?:\u00fcber|bei|wegen|bez\u00fcglich|mit|zwischen) {_THE}|beim|zum|zur) [\w-]+"
    r"(?: (?!(?:ich|wir|nicht)\b)[\w-]+){0,4}?"
)
# What is to be settled, by a word for it, and of what: `die Frage mit dem Stellplatz`.
_OF = r" (?:mit|nach|wegen|f\u00fcr|von|vom|zum|zur|zu|\u00fcber|um|bei|beim|im|in|am|an|auf) .+?"
_POINT = (
    r"(?:(?:der|die|das|unsere?|meine?) [\w-]*(?:frage|sache|entscheidung|punkt|thema|termin|datum"
    rf"|budget|urlaubsziel)\b(?:{_OF})?|das{_OF})"
)
_MADE = (
    r"(?:entschieden|gekl\u00e4rt|festgelegt|geeinigt|beschlossen|ausgemacht|abgemacht"
    r"|ausdiskutiert"
    r"|besprochen|abgesprochen|festgemacht)"
)
_SETTLE = (
    r"(?:(?:ab|aus)?(?:zu)?kl\u00e4ren|entscheiden|festlegen|festmachen|einigen|\u00fcberlegen"
    r"|ausdiskutieren)"
)
_DONE = rf"(?:{_MADE}|bestimmt|abgestimmt)"
_LEARN = (
    r"(?:(?:he)?rausfinden|(?:nach|er)?fragen|checken|pr\u00fcfen|besprechen|absprechen|diskutieren"
    r"|abw\u00e4gen|nachdenken)"
)
# Who is but to look does so at once, unless they are to do it yet.
_LOOK = r"(?:schauen|gucken|sehen|nachsehen|nachschauen|schlafen)"
_MUST = r" (?:muss|m\u00fcssen|m\u00fcsste|m\u00fcssten)"
_OURS = (
    Predicate(r" (?:wei(?:\u00df|ss)|wissen)", r" nicht(?: genau| sicher)?"),
    Predicate(r"(?: (?:bin|sind))?", r" nicht (?:einig|klar|weiter|durch)", thing=_THING),
    Predicate(
        r"(?: (?:bin|sind))?",
        r" (?:nicht (?:sicher|schl\u00fcssig)|unsicher|unschl\u00fcssig|uneinig|unentschlossen"
        r"|hin und hergerissen"
        r"|am (?:\u00fcberlegen|gr\u00fcbeln|schwanken|hadern|diskutieren|r\u00e4tseln"
        r"|abw\u00e4gen))",
        alone=True,
        thing=_THING,
    ),
    Predicate(r"(?: (?:hab|habe|haben))?", rf" (?:nicht|nix|nichts) {_MADE}", thing=_THING),
    Predicate(r"(?: (?:hab|habe|haben))?", r" nicht raus"),
    Predicate(r" haben", r" nicht entschieden", alone=True),
    Predicate(r"(?: (?:hab|habe|haben))?", r" keine?n? (?:plan|ahnung|schimmer|entscheidung)"),
    Predicate(_MUST, rf" {_SETTLE}", alone=True, thing=_THING),
    Predicate(
        _MUST, rf"(?: (?:{_THE}|bei|beim|mit) [\w-]+(?: [\w-]+)?)?{_ADVERBS} {_LEARN}", alone=True
    ),
    Predicate(_MUST, rf" {_LOOK}(?=,? ob\b|\W*$)"),
    Predicate(r" (?:kl\u00e4ren|entscheiden|besprechen|diskutieren)", ""),
    Predicate(r" legen", r"(?= wir).*? fest", thing=_THING),
    Predicate(r" (?:kann|k\u00f6nnen)", r" nicht entscheiden", alone=True),
    Predicate(r" schwanke?n?", "", alone=True, thing=_THING),
    Predicate(
        r" (?:\u00fcberlege?n?|gr\u00fcbe?le?n?|diskutieren|debattieren|r\u00e4tse?le?n?|streiten)",
        "",
        thing=_THING,
    ),
    Predicate(
        r" frage?n?",
        r"(?=,? ob (?:wir\b|es .*(?:de[rmn]|die|das) .+ oder .*(?:de[rmn]|die|das) ))",
        alone=True,
    ),
    Predicate(r" (?:\u00fcberlege?n?|gr\u00fcbe?le?n?)", r"(?=,? ob (?:ich|wir)\b)", alone=True),
    Predicate(r" (?:wei(?:\u00df|ss)|wissen)", r" nicht(?=,? ob (?:ich|wir) .*soll)", alone=True),
)
_THEIRS = (
    Predicate(
        r" (?:steht|stehen)",
        r" (?:nicht(?: fest)?|in den sternen|auf der kippe|offen|aus)",
        thing=_POINT,
    ),
    Predicate(r" (?:steht|stehen)", r" nicht fest", thing=_THING),
    # It is settled by those who talk, whoever it is.
    Predicate(r" (?:wird|werden)", rf" {_DONE}", alone=True),
    Predicate(r" (?:muss|m\u00fcssen)", rf" {_DONE} werden", alone=True, thing=_POINT),
    Predicate(r" (?:kann|konnte)", r" (?:keiner|niemand) sagen"),
    Predicate(r" wei(?:\u00df|ss)", r" (?:keiner|niemand)(?: von uns)?"),
    Predicate(r" ist", r" (?:offen|ungekl\u00e4rt|unentschieden)", alone=True),
    Predicate(r" gehen", r" die meinungen(?: noch)? auseinander", alone=True),
    Predicate(
        r"(?: (?:ist|sind|bleibt|bleiben))?",
        r" (?:offen|unklar|ungekl\u00e4rt|ungewiss|unentschieden|in der schwebe"
        rf"|nicht (?:klar|raus|sicher|fix|spruchreif|{_MADE}))",
        thing=_POINT,
    ),
    Predicate(
        r" (?:ist|sind)",
        r" (?:ungekl\u00e4rt|unentschieden|nicht (?:entschieden|festgelegt|fix|spruchreif))",
        thing=_THING,
    ),
    Predicate(r" h\u00e4ngt", r" (?:davon|von .+) ab", alone=True),
)
_AGAIN = r",?(?: (?:das|da|dar\u00fcber|darum|dazu|dr\u00fcber))?"
_TAIL = r"(?:,? (?:-|\u2013) .*|[,;.:].*)?\W*$"


def _asked(predicate: Predicate, who: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of what is asked with the *predicate*, behind it or before it."""
    verb, close = predicate.verb, f"{_ADVERBS}{predicate.close}"
    what = rf" (?P<what>{_QUESTION}|{_PAIR})"
    return _folded(
        rf"{_opened(verb, who)}{close}{_ADVERBS}[,:]*{what}\W*$",
        rf"{what}{_AGAIN}{verb}{who}{close}{_TAIL}",
        # As in `Offen ist noch, wer zahlt`.
        *([] if who else [rf"(?: noch)?{predicate.close}{verb}{_ADVERBS},?{what}\W*$"]),
    )


def _named(predicate: Predicate, who: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a thing that the *predicate* has before it, within it or behind it.

    What stands before the verb is the matter only where who is to settle it stands behind that: it
    may be who has not decided (`Der Richter hat noch nicht entschieden`).
    """
    if not predicate.thing:
        return ()
    verb, close = predicate.verb, f"{_ADVERBS}{predicate.close}"
    what = rf" (?P<what>{predicate.thing})"
    within = rf"{_opened(verb, who)}{_ADVERBS}{what}{close}{_TAIL}"
    behind = rf"(?: noch)?{predicate.close}{verb}{_ADVERBS}{what}\W*$"
    theirs = who.removesuffix("?")
    closed = rf"{_opened(verb, who)}{close}{_ADVERBS} (?P<what>{_BEHIND})\W*$"
    of_us = (within, closed) if who else (behind,)
    return _folded(rf"{what}{_AGAIN}{verb}{theirs}{close}{_TAIL}", *of_us)


def _opened(verb: str, who: str) -> str:
    return rf"(?: bis [\w.]+)?{who}{verb}{who}" if who else rf"(?: (?:es|mir|uns))?{verb}"


def _folded(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(f"(?i)^{pattern}") for pattern in patterns)


_PREDICATES = tuple((p, who) for ps, who in ((_OURS, _WHO), (_THEIRS, "")) for p in ps)
_ALONE = tuple(it for p, who in _PREDICATES if p.alone for it in _asked(p, who))
_YET = tuple(it for p, who in _PREDICATES for it in (*_asked(p, who), *_named(p, who)))
# What heads what is open, or waits for it, without such a predicate.
_HEADED = _folded(
    r" (?:noch |bisher )?(?:(?:ungekl\u00e4rt|offen|unklar|offene fragen?)(?: ist| sind)?"
    rf"|nicht {_MADE}|steht noch aus):"
    r" ?(?P<what>.{8,})",
    rf"(?: die)? frage ist(?: (?:nur|noch|halt|jetzt))*,?:? (?P<what>{_QUESTION})$",
    rf"{_WHO} (?:kann|k\u00f6nnen)(?: (?:ich|wir|mich|uns|noch))* nicht"
    r" (?P<what>zwischen .+ (?:und|oder) .+) entscheiden\W*$",
    rf"{_WHO} (?:hab|haben) noch (?P<what>keine?n? (?!lust|zeit|bock).+ f\u00fcr .+) gefunden\W*$",
    r" mal (?:sehen|schauen|gucken),? (?P<what>ob (?:ich|wir)\b.+)",
    rf" (?:noch )?keine entscheidung (?P<what>(?:bei|zu|\u00fcber|f\u00fcr|wegen) {_THE} .+)",
    r" (?:da ist )?noch (?:nix|nichts) (?:fix|fest|sicher) (?P<what>(?:bei|zu|wegen|mit|f\u00fcr)"
    r" .+)",
    r" (?:keine ahnung|kein plan|kp|ka),? (?P<what>ob (?:ich|wir) .+ oder (?!nicht\b|so\b"
    r"|was\b).+)",
    rf"{_WHO}(?: (?:hab|haben))? noch (?:nix|nichts) {_MADE} (?P<what>(?:bei|zu|wegen|mit"
    rf"|f\u00fcr) .+)",
    rf"(?: (?:bei|f\u00fcr|zu) .+?)? fehlt noch die entscheidung,? (?P<what>{_QUESTION}|{_THING})$",
    rf" (?P<what>{_QUESTION}),? keine ahnung,? mal (?:sehen|schauen|gucken)\W*$",
    rf"{_WHO} warten?(?: (?:noch|immer))* (?:drauf|darauf|auf (?:die )?(?:antwort|nachricht"
    rf"|bescheid)),? (?P<what>{_QUESTION})$",
    rf"{_WHO} warten? noch auf (?P<what>(?:die |eine |den |das )?(?:antwort|r\u00fcckmeldung|zusage"
    r"|nachricht|bescheid|termin|ergebnis\w*) (?:von|vom|aus) .+)",
    # What one is to take, which is nothing that one is to say.
    rf"{_WHO}(?: (?:hab(?:en?)?))? (?:keine ahnung|(?:wei(?:\u00df|ss)|wissen) nicht),?"
    r" (?P<what>welche[rsnm]? [\w-]+ (?:ich|wir) .*soll(?:en)?)\W*$",
)
_NOT_OURS = re.compile(
    r"(?i)\b(?:du|dich|dir|dein\w*|ihr|euch|eure?\w*|man|er|ihm|ihn|das|es|sagen|denken|glauben"
    r"|dies\w*(?! (?:jahr|monat|woche|sommer|winter|herbst|semester|wochenende|fr\u00fchjahr)\b)"
    r"|f\u00fchle\w*|leben|welt|w\u00fcrde\w*|w\u00e4re\w*|h\u00e4tte\w*|passiert\w*|war|waren"
    r"|warum|wieso|gerade|jetzt|haha\w*|lol|xd|dort|da|lachen|weinen)\b"
    # What was, and what has been done, is nothing to settle: `ob ich die T\u00fcr zugemacht habe`.
    r"|(?:\bge\w{2,}|\w{2,}ge\w{2,}(?:t|en)|\w+iert) (?:hab|habe|haben|hat)\W*$"
    r"|\b(?:hie\u00df|kam|ging|gab|sah|fand|lag|stand|lief|blieb|sagte|machte|meinte|wusste"
    r"|dachte)\W*$"
)
# `Das` before a noun is an article: `das Konzert`, in chat `das konzert`, but not `das schaffen`.
_ARTICLE = re.compile(
    r"\b[Dd]as (?=(?!(?:ist|war|wird|geht|hat|kann|ich|wir)\b|[a-z]\w*en\b)[\w-]{3,})"
)
# As in `ob es an der Batterie liegt oder an der Lampe`.
_EXPLETIVE = re.compile(r"\bob es (?=.+ oder )")
# Of what those who talk may do, one word says which: `ob ich kandidiere`.
_OWN_DEED = (
    r"(?i)(?:ob|wann|wohin) (?:ich|wir) "
    r"(?!.*\b(?:komm|geh|mach|ess|k\u00f6nn|soll|woll)\w*\W*$)"
)
_SHORT = re.compile(r"(?i)\b(?:nich|is|jetz)\b")
_LEAST = 2


def spelled(text: str) -> str:
    """Return *text* with the letters that chat leaves out of common words: `nich`, `is`."""
    return _SHORT.sub(lambda found: found[0] + "t", text)


def is_open(text: str) -> bool:
    """Whether *text*, in German, tells by itself what its speakers have still to settle."""
    if "?" in text:
        return False
    said = " " + _LEAD.sub("", spelled(text), count=1)
    patterns = (*_HEADED, *(_YET if _STILL.search(text) else _ALONE))
    return any(_is_matter(found["what"]) for p in patterns if (found := p.match(said)))


def _is_matter(what: str) -> bool:
    """Whether *what* is open names something: a question by two words, a thing or a deed by one."""
    is_asked = re.match(rf"(?i){_QUESTION}$", what) and not re.match(_OWN_DEED, what)
    return is_named(what, _LEAST if is_asked else 1)


def is_named(what: str, least: int) -> bool:
    """Whether *what* has so many telling words, and is of those who talk."""
    bare = _EXPLETIVE.sub("ob ", _ARTICLE.sub("", what))
    return _NOT_OURS.search(bare) is None and len(german.content(bare)) >= least
