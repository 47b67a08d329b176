"""What German sentences that say the same have in common.

An article tells who does it to whom, so it stays with its noun: `der Mann`, `den Mann`. Where it
does not tell, as of `die`, `das` and names, the order does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.maintenance.dream import synonyms
from vaultmem.maintenance.dream.paraphrases_en import Terms

_GERMAN = re.compile(
    r"(?i)\b(?:der|das|dem|ist|sind|haben|nicht|eine[mnrs]?|keine?[mnrs]?|wir|ich|unsere?[mnrs]?|wird"
    r"|werden|und|f\u00fcr|zum|zur|vom|jeden|aus|bei|mit|nach|auf|gegen|jetzt|seit"
    r"|(?:arbeitet|l\u00e4uft|kommt|wohnt|isst|hei\u00dft|stammt|geh\u00f6rt))\b"
)
_BUILDS = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"\ADer Name (?P<whose>(?:uns|mein|sein|ihr)\w+|des \w+) (?P<what>\w+) ist (?=[A-Z]\w+\Z)",
         "\\g<whose> \\g<what> hei\u00dft "),
        (r"\barbeite[tn]? als (?=[A-Z])", "ist "),
        (r"\bhat eine (?P<what>\w{3,}?)-?allergie\b", r"ist gegen \g<what> allergisch"),
        (r"\bstamm(?=t aus|en aus)", "komm"),
        (r"\b(?:[Jj]eden|[Aa]n jedem) (?P<day>\w+tag|Mittwoch)\b", r"\g<day>s"),
        (r"\b(?:\u00fcberhaupt|gar|ganz|auch|zurzeit|derzeit|momentan|immer) (?=\w)", ""),
    )
)  # fmt: skip
_ARTICLES = synonyms.words(
    "der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner"
)
_TELLS = synonyms.words("der den dem des einen einem eines")
"""By these one sees who does it to whom."""

_BINDS = synonyms.words("""
    am an auf aus bei beim bis durch f\u00fcr gegen im in mit nach nicht nie ohne seit \u00fcber um
    unter vom von vor w\u00e4hrend zu zum zur
""")
_BE = re.compile(r"\b(?:ist|sind|hei\u00dft|hei\u00dfen|geh\u00f6rt|geh\u00f6ren)\b")
_UMLAUTS = str.maketrans("\u00e4\u00f6\u00fc", "aou")
_ENDING = re.compile(r"(?<=\w{3})(?:e|en|er|n)\Z")


def is_german(sentence: str) -> bool:
    """Tell whether *sentence* has a word that only German has."""
    return _GERMAN.search(sentence) is not None


def terms(sentence: str) -> Terms:
    """Return what *sentence* shares with others that say the same."""
    for pattern, instead in _BUILDS:
        sentence = pattern.sub(instead, sentence, count=1)
    spoken = re.findall(r"[\w'.:-]+", sentence)
    bound = tuple(_bound(spoken))
    order = () if _BE.search(sentence) else tuple(word for word, tells in bound if not tells)
    folded = frozenset(word.casefold() for word in spoken)
    return Terms(tuple(word for word, _ in bound), order, folded)


def _bound(spoken: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield each word with article and preposition, and whether its place is of no account."""
    before, tells = "", False
    for word in spoken:
        low = word.casefold()
        if low in _BINDS or low in _ARTICLES:
            before += f"{low}+"
            tells = tells or low in _BINDS or low in _TELLS
            continue
        # Verbs, adverbs and figures are in small letters; who and whom are not.
        named = word[0].isupper() and low not in _PRONOUNS
        yield f"{before}{_bare(low)}", tells or not named
        before, tells = "", False
    if before:
        yield before, True


_PRONOUNS = synonyms.words(
    "wir ich unser unsere mein meine mittwochs freitags montags dienstags "
    "donnerstags samstags sonntags"
)


def _bare(word: str) -> str:
    return _ENDING.sub("", word.translate(_UMLAUTS)) if word.isalpha() else word
