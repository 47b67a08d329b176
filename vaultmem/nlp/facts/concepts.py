"""Whether two short English sentences say the same with other words of one sense.

Each is read as the concepts it names, in order: stems, with one word for those of a class, without
what only builds a sentence. A preposition, a negation or an owner that tells roles apart stays with
its word. Two sentences are alike that name the same concepts in the same order, but for one run of
them that stands elsewhere: `On Fridays the shop is shut`. Words that only change places with each
other, the one who calls with the one who is called, never are.

Looser than `paraphrases`: for proposals that a person reads, and no proof that one says the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from vaultmem.nlp.facts import fact_similarity, paraphrases_de, rewordings, synonyms
from vaultmem.nlp.facts.literals import literals
from vaultmem.nlp.text import analysis

_LONGEST = 160
_SHORT = 4
"""Letters: a bed or a seed ends by chance like what is over."""

_FEWEST = 3
"""So many concepts a sentence needs: of fewer, the words that were left out say too much."""

_APART = re.compile(
    r"(?<!Dr)(?<!Mr)(?<!Mrs)(?<!Ms)(?<!St)[.!?]\s|(?<!\d):|:(?!\d)|[?;~\u201c\u201d\"`\[\]()]|[^\x00-\u024f\u20ac\u2019]"
)
_BUILT = synonyms.words("""
    although and because but either except if neither nor once only or plus so than then
    though unless when whether while respectively
""")
"""With one of these a sentence says two things, or says how they hang together."""

_LIGHT = synonyms.words("""
    a an the is are am be been being has have do does did our we it there that which who please
    currently happen happens take takes place , of
""")
_BE = synonyms.words("is are am be was were been being gets get")
_PLACES = synonyms.words("at in on inside")
_RELATIONS = synonyms.words("for")
_OWNS = "'s"
_NAME = re.compile(r"(?<=[^\W.] )[A-Z]\w+")
_OF_ANY = synonyms.words("can could did had has may might must shall should was will would 's")
_DETERMINES = synonyms.words("a an the our my your his her their its of 's")
_TIME = re.compile(
    r"h\d\d:\d\d|m\d\dd\d\d|\d{4}(?:-\d\d){0,2}|every|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber"
    r"|spring|summer|autumn|winter|noon|midnight|night|morning|afternoon|evening"
)
_BINDS = synonyms.words("""
    about above across after against along among around as before behind below beneath beside
    between beyond by down during except from into like near off onto opposite out outside over past
    since through throughout to toward towards under until up upon via with within without
    his her their its your my me him them you us i he she they this these those
    all any both each every few half least less many more most much some several another other same
    first last next previous new old former
    can could may might must should shall will would
    almost already also always again anymore even hardly just mostly often rarely regularly seldom
    sometimes still too usually yet
""")
"""What stays with the word behind it, as it tells what that has to do with the rest."""
_NOT = synonyms.words("not never no none nobody nothing nowhere")

_CLASSES = {
    word: meant
    for meant, others in {
        "afraid": "scared frightened",
        "begin": "start starts begins started",
        "buy": "purchase purchases buys",
        "child": "kid kids children",
        "deploy": "deployment deployments deploys deploying",
        "detest": "hate hates detests loathe loathes dislike dislikes",
        "dollar": "$ dollars usd",
        "end": "ends expire expires",
        "euro": "\u20ac euros eur",
        "gramme": "g grams gram grammes",
        "invoice": "bill invoices",
        "kilogramme": "kg kilos kilo kilograms kilogram kilogrammes",
        "kilometre": "km kilometres kilometers kilometer",
        "large": "big",
        "live": "reside resides lives living",
        "love": "adore adores loves",
        "meet": "meeting meetings meets",
        "minute": "min mins minutes",
        "hour": "h hr hrs hours",
        "mother": "mum mom",
        "father": "dad",
        "maths": "math mathematics",
        "need": "needs",
        "percent": "%",
        "phone": "telephone mobile cellphone",
        "photo": "picture photograph photos pictures photographs",
        "pound": "\u00a3 pounds gbp",
        "quick": "fast",
        "quit": "stop stops stopped quits",
        "rehearse": "rehearsal rehearsals rehearses rehearsing",
        "repair": "fix fixes repairs mend mends",
        "run": "jog jogs runs",
        "second": "sec secs seconds",
        "small": "little",
        "tyre": "tyres tire tires",
        "use": "uses using utilize",
        "work": "works employed job",
    }.items()
    for word in (meant, *others.split())
}
_VERBS = {
    word: (base, is_past)
    for done, (base, past) in synonyms.ACTIVE.items()
    for word, is_past in (
        (done, True), (past, True),
        (base, False), (synonyms.third(base), False), (rewordings.gerund(base), False),
    )
}  # fmt: skip
"""The base of a verb by its forms, and whether that tells of the past."""
_IN_ORDER = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS = {word: str(number) for number, word in enumerate(_IN_ORDER.split(), 1)}
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PARTS = "(?:morning|afternoon|evening|night|weekend|weekday)"
_OF_ONE = (
    "address|author|boss|budget|captain|capital|chair(?:man|woman)?|coach|colou?r|deadline|director"
    "|editor|founder|head|height|leader|manager|mayor|name|owner|password|port|president|price|rent"
    "|roof|secretary|size|treasurer|version|weight"
)
"""What is somebody's or something's where it is `of` them; a picture of Anna may be another's."""
_KIN = "brother|sister|son|daughter|cousin|uncle|aunt|nephew|niece|friend|neighbou?r|colleague"
_SPORTS = "swimming|running|jogging|hiking|cycling|climbing|dancing|shopping|skiing|sailing|fishing"
_PARTICIPLES = (
    r"\w+(?:ed|en)|bought|brought|built|done|held|kept|led|made|paid|put|run|sent|set|sold|taught"
)
_NO_OWNER = "the|our|my|his|her|their|its|your|this|that|these|those|each|every|all|any|both|some"

_PHRASES = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"(?P<sign>[$\u20ac\u00a3]) ?(?P<much>\d\S*)", r"\g<much> \g<sign>"),
        (rf"\b(?P<day>{_DAYS}) (?P<part>{_PARTS})s\b", r"every \g<day> \g<part>"),
        (rf"\b(?P<each>{_DAYS}|{_PARTS})s\b", r"every \g<each>"),
        (r"\b(?:on|in|at) (?=every\b)", ""),
        (r"\b(?:ca|can|could) ?not stand\b", "detest"),
        (r"\b(?:in charge of|responsible for|takes care of|looks after)\b", "charge"),
        (r"\b(?:gave up|has quit|have quit)\b", "stopped"),
        (r"\b(?:runs? out|finish(?:es)?) (?=(?:on|at) )", "ends "),
        (r"\b(?:works? for|employed (?:by|at)|has a job (?:at|with))\b", "works at"),
        (r"\bworks? (?:at (?P<where>[^,]+?) )?as (?P<what>an? .+)", r"is \g<what> \g<where>"),
        (r"\bis an? (?P<what>\w+) teacher\b", r"teaches \g<what>"),
        (rf"(?P<who>.+?) has an? (?P<kin>{_KIN}) (?:who|that) (?P<rest>.+)",
         r"\g<who> 's \g<kin> \g<rest>"),
        ((r"\bwould rather (?:(?:have|get|take|use|drink|eat) )?(?P<this>.+) than "
          r"(?:(?:an?|have|get|take|use|drink|eat) )?(?P<that>.+)"),
         r"prefers \g<this> to \g<that>"),
        (r"\b(?:has|have|needs?) to (?=be\b)", "must "),
        (r"(?P<what>.+) must (?:never|not) (?:happen|take place)\b", r"never \g<what>"),
        (rf"(?P<what>.+) must (?:never|not) be (?P<done>{_PARTICIPLES})\b",
         r"never be \g<done> \g<what>"),
        ((r"\A(?:every|each|all) (?=(?!other\b|but\b|of\b|the\b|day|week|month|year|night|morning"
          r"|\d|\w+day\b)\w+)"), ""),
        (r"\b(?:is|are) open from\b", "opens at"),
        (r"\b(?P<done>registered|insured|enrolled) (?:with|by)\b", r"\g<done> at"),
        (r"\b(?:stored|retained) (?=for\b)", "kept "),
        (rf"\bgo(?:es)? (?={_SPORTS})", ""),
        (r"\b2 times\b", "twice"),
        (r"\b(?P<be>is|are) shut\b", r"\g<be> closed"),
        (r"\blasts? (?=\d)", ""),
        (r"\bgo(?:es)? for an? (\d+ \w+) (run|walk|swim|ride)\b", r"\2 \1"),
        (r"\bgo(?:es)? for an? (run|walk|swim|ride)\b", r"\1"),
        (r"\b(?:rather than|instead of)\b", "not"),
        (r"\bwith no\b", "without"),
        (r"\bgets? (?!married|engaged|divorced|tired|scared)(?=\w+(?:ed|en)\b)", "is "),
        (r"(?:'s|\bhas|\bhave) got\b", " has"),
        (r"(?P<what>.+) belongs? to (?P<who>.+)", r"\g<who> owns \g<what>"),
        (r"\bon (?:it|them)(?=\Z)", ""),
        ((r"\b(?:parked|located|situated|kept|stored|stands|lies|hangs|sits)"
          r" (?=(?:in|on|at|under|behind)\b)"), ""),
        (r"\b(?:listens|is listening|running) on (?=port)", "runs on "),
        (r"\b(?:takes?|has|have|drinks?) (?:(?:his|her|their) )?(?=(?:coffee|tea) with)",
         "drinks "),
        (r"\bof (?:the )?(?=(?:week|month|year)\b)", "every "),
        ((rf"\b(?P<what>{_OF_ONE}) of (?:the |our )?"
          rf"(?P<whose>(?!(?:{_NO_OWNER})\b)[a-z]\w*)\b"), r"\g<whose> 's \g<what>"),
        (r"\bnightly\b", "every night"),
        (r"\bdaily\b", "every day"),
        (r"\bweekly\b", "every week"),
        (r"\bmonthly\b", "every month"),
        (r"\b(?:yearly|annually|annual)\b", "every year"),
        (r"\bper (?=(?:day|week|month|year)\b)", "every "),
        (r"\b(?:a|an|each) (?=(?:day|week|month|year)\Z)", "every "),
        (r"\b(?:each|all) (?=(?:day|week|month|year|morning|evening|night|\w+day)\b)", "every "),
        (r"\bwritten in\b", "in"),
        (r"\b(?P<use>use|uses) (?P<what>\w+) as\b", r"\g<use> \g<what>"),
        (r"\b(?:is|are) (?:called|named)\b", "is"),
    )
)  # fmt: skip
_HOUR = re.compile(
    r"(?P<hour>\b\d{1,2}(?::\d\d)?) (?:o['\u2019]clock )?"
    r"in the (?:(?P<am>morning)|afternoon|evening)"
)
_SINCE = re.compile(r"\bsince\b")
_HAS_DONE = re.compile(r"\b(?:has|have) (?:been )?")
_DONE_BY = re.compile(
    r"(?P<what>[^,]+?) (?:(?P<be>is|are|was|were) )?"
    rf"(?P<done>{_PARTICIPLES}) by (?P<who>[^,]+?)(?P<rest> (?:is|are|on|in|at|for|every|with) .+)?"
)


def groups(texts: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Yield the places of *texts* that say the same, two or more together, in order."""
    found: defaultdict[tuple[str, ...], list[list[int]]] = defaultdict(list)
    for place, text in enumerate(texts):
        named = of(text)
        if not named:
            continue
        commas = "," * text.count(",") if any(it.startswith("not+") for it in named) else ""
        alike = found[(*sorted(named), commas, *literals(text))]
        for places in alike:
            if _is_one_moved(of(texts[places[0]]), named):
                places.append(place)
                break
        else:
            alike.append([place])
    yield from (tuple(it) for several in found.values() for it in several if len(it) > 1)


@lru_cache(maxsize=1 << 16)
def of(text: str) -> tuple[str, ...]:
    """Return the concepts of *text*, in order; () for what is no short, plain sentence."""
    plain = " ".join(text.strip("* ").split()).rstrip(".!")
    if (
        not plain
        or len(plain) > _LONGEST
        or _APART.search(plain)
        or paraphrases_de.is_german(plain)
    ):
        return ()
    hours = _HOUR.sub(lambda m: f"{m['hour']} {'am' if m['am'] else 'pm'}", plain)
    said = " ".join(fact_similarity.spoken(hours))
    if _SINCE.search(said):  # what somebody has done since then they still do
        said = _HAS_DONE.sub("been ", said)
    for pattern, instead in _PHRASES:
        said = pattern.sub(instead, said)
    if m := _DONE_BY.fullmatch(said):
        said = f"{m['who']} {m['be'] or 'is'} {m['done']} {m['what']}{m['rest'] or ''}"
    words = said.split()
    if not _BUILT.isdisjoint(words):
        return ()
    names = frozenset(name.casefold() for name in _NAME.findall(plain))
    named = (*_concepts(words, names),)
    return named if len(named) >= _FEWEST else ()


def _concepts(words: Sequence[str], names: frozenset[str]) -> Iterator[str]:
    """Yield the concepts of *words*, each with what stands before it and tells its role.

    Of one phrase of a place or a purpose it is plain what it belongs to: the budget for a trip is
    the trip's. The key for the shed is in the hall, and so are two that may change places told.
    """
    held = ""
    places = sum(_kind(word) != "" and not _is_time(after) for word, after in pairwise(words))
    for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False):
        if (kind := _kind(word)) and _is_measure(after):
            held += f"{word}+"
        elif kind:
            held += f"{kind}:" * (places > 1 and not _is_time(after))
        elif word in _NOT:
            held += "not+"
        elif word in _BINDS or _tells_how_many(word, after):
            held += f"{word}+"
        elif word not in _LIGHT and word != _OWNS:
            is_name = word in names or not (before or _is_many(after))
            concept = _CLASSES.get(word, word) if is_name else _concept(word, before)
            yield f"{held}{concept}{_OWNS * (after == _OWNS)}"
            held = ""
    if held:
        yield held


def _is_many(verb: str) -> bool:
    """Tell whether what stands ahead of *verb* is several: a name may end like them."""
    return verb not in _OF_ANY and not verb.endswith(("s", "ed"))


def _tells_how_many(article: str, word: str) -> bool:
    """Tell whether *article* does: a few are no few, and a second key is no second one."""
    if article not in synonyms.ARTICLES:
        return False
    if word in _ORDINALS:
        return article != "the"
    return word in synonyms.MEASURED or word == "most"


def _kind(word: str) -> str:
    return "in" if word in _PLACES else word if word in _RELATIONS else ""


def _is_time(word: str) -> bool:
    return bool(_TIME.fullmatch(word))


def _is_measure(word: str) -> bool:
    """Tell whether *word* is a plain number: in 5 days is not for 5 days."""
    return word.isdecimal() and not _is_time(word)


def _concept(word: str, before: str) -> str:
    if word in _ORDINALS:
        return _ORDINALS[word]
    if word in _CLASSES:
        return _CLASSES[word]
    if before in _DETERMINES:  # the reports are several, and she reports one
        return word
    base, is_past = _VERBS.get(word, (word, len(word) > _SHORT and word.endswith("ed")))
    stem = analysis.stem(base)
    stem = _CLASSES.get(stem, stem)
    return f"{stem}<" if is_past and before not in _BE else stem


def _is_one_moved(one: Sequence[str], two: Sequence[str]) -> bool:
    """Tell whether *two* is *one* with at most one run of its words in another place."""
    start = next((n for n, (a, b) in enumerate(zip(one, two, strict=True)) if a != b), None)
    if start is None:
        return True
    if [it for it in one if ":" in it] != [it for it in two if ":" in it]:
        return False
    end = next(n for n in range(len(one)) if one[-1 - n] != two[-1 - n])
    left, right = one[start : len(one) - end], two[start : len(two) - end]
    return any((*left[n:], *left[:n]) == (*right,) for n in range(1, len(left)))
