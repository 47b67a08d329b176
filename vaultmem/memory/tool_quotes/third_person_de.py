"""What persons say in German, as another tells it: `Die Nutzerin wohnt` for `Ich wohne`.

Of a verb, a possessive or an object the form is taken that is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from vaultmem.memory.tool_quotes import plain_words

USERS = (
    "die Nutzerin", "der Nutzer", "die Benutzerin", "der Benutzer", "die Anwenderin",
    "der Anwender", "Nutzerin", "Nutzer", "Benutzerin", "Benutzer",
)  # fmt: skip
AGAIN = ("sie", "er")
"""How who was named is called further on in a sentence."""

_SELF = re.compile(r"(?i)\bich\b")
_OWN = re.compile(r"mein(?:e[mnrs]?)?")
_BESIDE = re.compile(r"(?i)(?:\b(?P<ahead>[^\W\d_]+)\s+)?\bich\b(?:\s+(?P<behind>[^\W\d_]+))?")
_WORD = re.compile(r"[^\W\d_]+")
_OTHERS = {"mich": ("sich", "sie", "ihn"), "mir": ("sich", "ihr", "ihm")}
_VERBS = {
    "bin": "ist", "habe": "hat", "werde": "wird", "esse": "isst", "lese": "liest",
    "nehme": "nimmt", "spreche": "spricht", "sehe": "sieht", "gebe": "gibt", "helfe": "hilft",
    "treffe": "trifft", "vergesse": "vergisst", "empfehle": "empfiehlt", "trete": "tritt",
    "werfe": "wirft", "verspreche": "verspricht",
}  # fmt: skip


def selves(text: str) -> int:
    """Return how often somebody names themselves in *text*, as who does something."""
    return len(_SELF.findall(text))


def told(known: Collection[str], name: str, again: str, text: str) -> str:
    """Return *text* as told of *name*, *again* further on, in the forms that are *known*.

    Only what is said with an `ich`: without a name beside it, `ihr Konto` may be anybody's.
    """
    if not selves(text):
        return text
    beside = {at for it in _BESIDE.finditer(text) for at in (it.start("ahead"), it.start("behind"))}
    called = name

    def other(found: re.Match[str]) -> str:
        nonlocal called
        word = found[0].casefold()
        if word == "ich":
            of, called = called, again
            return of
        is_own = word in _OTHERS or _OWN.fullmatch(word)
        if not is_own and found.start() not in beside and _is_known(word, known):
            return found[0]
        return next((it for it in _forms(word) if _is_known(it, known)), found[0])

    return _WORD.sub(other, text)


def _forms(word: str) -> Iterator[str]:
    """Yield what *word*, in no case, may be of a third person."""
    if word in _OTHERS:
        yield from _OTHERS[word]
    elif _OWN.fullmatch(word):
        yield from (f"ihr{word[4:]}", f"sein{word[4:]}")
    elif word in _VERBS:
        yield _VERBS[word]
    elif word.endswith("e"):
        stem = word[:-1]
        yield from (f"{stem}t", f"{stem}et")
        if stem.endswith("t"):  # halte, hält
            yield stem
        if stem.endswith("l"):  # sammle, sammelt
            yield f"{stem[:-1]}elt"


def _is_known(word: str, known: Collection[str]) -> bool:
    # A vowel that changes in the third person, `fährt`, is compared without its dots.
    return all(it.text in known for it in plain_words.words(word))
