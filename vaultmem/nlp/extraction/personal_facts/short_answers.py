"""Read a short reply by what was asked: "And your date of birth?" "August 9th, 1979."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vaultmem.nlp.extraction.grammar import assertion_en, phrases_en, relations
from vaultmem.nlp.extraction.grammar.relations import Circle, Person
from vaultmem.nlp.extraction.grammar.traits import Attribute
from vaultmem.nlp.extraction.personal_facts import attributes_zh
from vaultmem.nlp.text import analysis, salience
from vaultmem.nlp.text.stopwords import CHAT, STOP, words


class _Form(NamedTuple):
    """A question about the user, what a reply fills in, and the shape that a reply must have."""

    asks: str
    category: str
    field: str
    value: str


# What somebody replies who keeps their name.
_UNNAMED = words(
    "anonymous guest user nobody none private secret skip pass same idk nope nah nothing"
)
_OPENING = (
    r"(?i:(?:yes|sure|of course|certainly|yeah|ok|okay|it['\u2019]s|it is|that['\u2019]s|that is"
    r"|i was born|on|at|my \w+(?: \w+)? is)\b[\s,.:!]*)*"
)
_CLOSING = r"(?=\s*(?:[.;!\u3002\uff0c\uff01]|$)|, (?:and|but)\b)"
_FORMS = (
    _Form(
        r"(?i)\byour (?:full |legal |first and last |complete )*name\b(?! of)"
        r"|\bwhat (?:should|shall|can|may|do) (?:i|we) call you\b"
        r"|\bwho am i (?:speaking|talking) (?:to|with)\b|\bhow should (?:i|we) address you\b",
        "personal", "name", rf"(?P<v>{relations.NAME}|[a-z]{{2,20}}(?=[.!]?$))",
    ),
    _Form(
        "\u53eb\u4ec0\u4e48(?:\u540d\u5b57)?[?\uff1f]|\u600e\u4e48\u79f0\u547c|(?:\u60a8"
        "|\u4f60)\u7684?(?:\u540d\u5b57|\u59d3\u540d)|\u8d35\u59d3",
        "personal", "name",
        f"(?:\u6211(?:\u53eb|\u662f)|\u53eb)?(?P<v>{attributes_zh.FAMILY_NAME})",
    ),
    _Form(
        "(?:\u60a8|\u4f60).{0,6}(?:\u505a\u4ec0\u4e48(?:\u5de5\u4f5c|\u7684)"
        "|\u4ec0\u4e48(?:\u5de5\u4f5c|\u804c\u4e1a)|\u804c\u4e1a\u662f)",
        "work", "occupation",
        f"(?:\u6211?(?:\u662f|\u5f53"
        f"|\u505a)?)(?:\u4e00?[\u540d\u4f4d\u4e2a])?(?P<v>{attributes_zh.OCCUPATION})\u7684?",
    ),
    _Form(
        r"(?i)\byour (?:date of birth|birth ?date|birthday)\b|\bwhen were you born\b",
        "dates", "birthday", rf"(?P<v>{phrases_en.DATE})",
    ),
    _Form(
        r"(?i)\b(?:phone|mobile|cell|contact) number\b|\bnumber to reach you\b",
        "contact", "phone", r"(?P<v>\+?\(?\d[\d ().-]{5,20}\d)",
    ),
    _Form(r"(?i)\bemail\b", "contact", "email", r"(?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"),
    _Form(
        r"(?i)\byour (?:current |home |mailing |street |residential )*address\b",
        "contact", "address", r"(?P<v>\d+ [^.;:!?()\"]{6,90}?)",
    ),
    _Form(
        r"(?i)\byour (?:current )?employer\b|\bwho do you work for\b",
        "work", "employer", rf"(?P<v>{phrases_en.PLACE})",
    ),
)  # fmt: skip


def question(text: str) -> str:
    """Return the question that *text* ends with, "" when it ends otherwise."""
    last = analysis.sentences(text)[-1:]
    return last[0] if last and salience.is_question(last[0]) else ""


def attributes(text: str, question: str, circle: Circle) -> Iterator[tuple[Person, Attribute]]:
    """Yield what *text*, the first sentence of a reply to *question*, tells of the user."""
    if salience.is_question(text) or re.search(assertion_en.DOUBT, text):
        return
    for form in _FORMS:
        found = re.fullmatch(rf"{_OPENING}{form.value}{_CLOSING}.*", text)
        if found and re.search(form.asks, question) and _fits(form, found["v"]):
            if form.field == "name":
                circle.me = circle.speaker or found["v"]
            yield Person(circle.me, "self"), Attribute(form.category, form.field, found["v"])


def _fits(form: _Form, value: str) -> bool:
    if form.field != "name":
        return True
    is_word = value.islower() and analysis.head(value) in STOP | CHAT | _UNNAMED
    return relations.is_name(value) and not is_word
