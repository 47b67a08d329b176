"""What German sentences that say the same have in common.

Words keep their order, and articles stay with their nouns: `der Mann`, `den Mann`. One phrase of
where or when may open the sentence, or stand behind the verb: `Bis Juni steht das Zelt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.nlp.facts import synonyms
from vaultmem.nlp.facts.paraphrases_en import Terms

_GERMAN = re.compile(
    r"(?i)\b(?:der|das|dem|ist|sind|haben|nicht|eine[mnrs]?|keine?[mnrs]?|wir|ich|unsere?[mnrs]?|wird"
    r"|werden|und|f\u00fcr|zum|zur|vom|jeden|aus|bei|mit|nach|auf|gegen|jetzt|seit"
    r"|(?:arbeitet|l\u00e4uft|kommt|wohnt|isst|hei\u00dft|stammt|geh\u00f6rt))\b"
)
_HOW_FAR = "(?i:nicht|nie|niemand|nichts|ohne|keine?[mnrs]?|nur|fast|noch|schon|erst|genau|sogar)"
"""Behind one of these no word is a filler: `nicht immer`, `fast immer`."""

_BUILDS = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"\ADer Name (?P<whose>(?:unser|mein|sein|ihr)e)r (?P<what>\w+) ist (?=[A-Z]\w+\Z)",
         "\\g<whose> \\g<what> hei\u00dft "),
        (r"\A(?P<who>(?!Der |Die |Das )[A-Z]\w+(?: [A-Z]\w+)?) arbeitet als (?=[A-Z])",
         r"\g<who> ist "),
        (r"\bhat eine (?P<what>\w{3,}?)-?allergie\b", r"ist gegen \g<what> allergisch"),
        (r"\A(?P<who>(?!Der |Die |Das )[A-Z]\w+) stammt (?=aus [A-Z]\w+\Z)", r"\g<who> kommt "),
        (r"\b(?:[Jj]eden|[Aa]n jedem) (?P<day>\w+tag|Mittwoch)\b", r"\g<day>s"),
        (r"\b(?:\u00fcberhaupt|gar) (?=(?:nicht|nie|keine?[mnrs]?)\b)", ""),
        ((rf"\A(?P<before>(?:(?!\b(?:{_HOW_FAR})\b).)*)"
         r"\b(?:zurzeit|derzeit|momentan) (?=[^\W\dA-Z])"), r"\g<before>"),
    )
)  # fmt: skip
_ARTICLES = synonyms.words(
    "der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner"
)
_BINDS = synonyms.words("""
    am an auf aus bei beim bis durch f\u00fcr gegen im in mit nach nicht nie ohne seit \u00fcber um
    unter vom von vor w\u00e4hrend zu zum zur
""")
_OWNERS = "mein dein sein ihr unser euer dies".split()  # noqa: SIM905 -- reads better
_WHERE = synonyms.words("""
    ab am an auf aus bei beim bis durch f\u00fcr gegen hinter im in mit nach neben ohne seit
    \u00fcber um unter vom von vor w\u00e4hrend zu zum zur zwischen
""")
_TIMES = synonyms.words("""
    montags dienstags mittwochs donnerstags freitags samstags sonntags morgens mittags abends nachts
    t\u00e4glich w\u00f6chentlich monatlich j\u00e4hrlich
""")
_LONGEST_OWNER = 7
_EVERY = synonyms.words("jede jeden jedem jeder jedes")
_SUBJECTS = synonyms.words("wir ich er sie es man")
_NUMBERS = synonyms.words(
    "eins zwei drei vier f\u00fcnf sechs sieben acht neun zehn elf zw\u00f6lf"
)
_FOCUS = synonyms.words("nicht nie nur erst schon fast genau sogar auch")
"""What stands behind one of these is what it says that of."""

_TITLES = synonyms.words("frau herr herrn familie dr")

# Of each word a letter: Preposition, Article, Noun, Every, Time, Subject, Heading of a name, Uhr,
# Mark, or any other word.
_PHRASE = "(?:PA?w{0,2}H?NU?|Ew?N|T)"
_ABOUT = "(?:Aw{0,2}H?N{1,2}|H?N{1,2}|S)"
_OPENED = re.compile(rf"(?P<phrase>{_PHRASE}+)(?P<verb>w)(?P<about>{_ABOUT})(?P<rest>[^M]*)")
_CLOSED = re.compile(
    rf"(?P<about>{_ABOUT}w(?:(?!{_PHRASE})[^MPET])*?)(?P<phrase>{_PHRASE})(?P<rest>[^MPET]*)"
)
_UMLAUTS = str.maketrans("\u00e4\u00f6\u00fc", "aou")
_ENDING = re.compile(r"(?<=\w{3})(?:e|en|er|n)\Z")


def is_german(sentence: str) -> bool:
    """Tell whether *sentence* has a word that only German has."""
    return _GERMAN.search(sentence) is not None


def terms(sentence: str) -> Terms:
    """Return what *sentence* shares with others that say the same."""
    for pattern, instead in _BUILDS:
        sentence = pattern.sub(instead, sentence, count=1)
    first, *others = re.findall(r"[\w'.:-]+|[,;]", sentence)
    told = [f"{word}+" if word in synonyms.CAPITALS else word for word in others]
    spoken = _closed(_unopened([first, *told]))
    return Terms(tuple(_bound(spoken)), frozenset(word.casefold() for word in spoken))


def _unopened(words: list[str]) -> list[str]:
    """Put the phrase that opens the sentence behind its verb."""
    m = _OPENED.fullmatch(_kinds(words))
    if not m:
        return words
    phrase, verb, about, rest = (words[slice(*m.span(it))] for it in range(1, 5))
    return [*about, *verb, *phrase, *rest]


def _closed(words: list[str]) -> list[str]:
    """Put the phrase behind the verb last, where the sentence has no other."""
    m = _CLOSED.fullmatch(_kinds(words))
    if not m or words[m.end("about") - 1].casefold() in _FOCUS:
        return words
    about, phrase, rest = (words[slice(*m.span(it))] for it in range(1, 4))
    return [*about, *rest, *phrase]


def _kinds(words: list[str]) -> str:
    return "".join(map(_kind, words))


def _kind(word: str) -> str:
    low = word.casefold()
    sets = {"P": _WHERE, "A": _ARTICLES, "E": _EVERY, "T": _TIMES, "S": _SUBJECTS, "N": _NUMBERS,
            "H": _TITLES, "U": {"uhr"}}  # fmt: skip
    if found := next((kind for kind, words in sets.items() if low in words), ""):
        return found
    if word in {",", ";"}:
        return "M"
    if any(low.startswith(owner) for owner in _OWNERS) and len(low) <= _LONGEST_OWNER:
        return "A"
    return "N" if word[0].isupper() or word[0].isdigit() else "w"


def _bound(spoken: list[str]) -> Iterator[str]:
    """Yield each word with article and preposition.

    Endings and umlauts stay: they tell names, numbers and tenses apart.
    """
    before = ""
    allergic = "allergisch" in spoken
    for word in spoken:
        low = word.casefold()
        if low in _BINDS or low in _ARTICLES:
            before += f"{low}+"
        else:
            yield f"{before}{_bare(low) if allergic and before == 'gegen+' else low}"
            before = ""
    if before:
        yield before


def _bare(word: str) -> str:
    """Return what `Erdnussallergie` and `gegen Erdn\u00fcsse allergisch` are said of."""
    return _ENDING.sub("", word.translate(_UMLAUTS)) if word.isalpha() else word
