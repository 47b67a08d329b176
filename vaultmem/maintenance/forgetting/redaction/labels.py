"""Words with a colon before a text: they may say of it that it is so, or that it is not."""

from __future__ import annotations

import re

from vaultmem.maintenance.forgetting.redaction.word_rows import Run, stand_in, words
from vaultmem.nlp.text.stopwords import DAYS, MONTH_NAMES, MONTHS
from vaultmem.storage import comparable_text

_COLON = re.compile(r"[:\uff1a](?![^\W_]|//)")
_GREETING = re.compile(r"\W*(?:hi|hey|hello|dear|hallo|liebe[rs]?|bonjour|hola)\b", re.IGNORECASE)
_FIGURE = re.compile(r"\d+(?:st|nd|rd|th|[ap]m|h|t\d+)?z?")
_AMOUNT = re.compile("[%$\u00a3\u00a5\u20ac]")
_DATED = {
    *DAYS, *MONTHS, *MONTH_NAMES, "januar", "februar", "m\u00e4rz", "mai", "juni", "juli",
    "oktober", "dezember", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag",
    "sonntag",
}  # fmt: skip
_BETWEEN = {"on", "at", "the", "of", "a", "p", "m", "am", "pm", "um", "den", "der", "uhr"}


def is_labelled(text: str, row: Run) -> bool:
    """Tell whether words with a colon that say something stand before the words of *row* in *text*.

    A date and a time, a greeting, and a label that says nothing (`Note:`) are none.
    """
    at = 0
    for colon in _COLON.finditer(text):
        if not stand_in(row, words(text[colon.end() :])):
            return False
        if _says_something(text[at : colon.start()]):
            return True
        at = colon.end()
    return False


def is_dated(lead: str) -> bool:
    """Tell whether a date or a time with a colon stands at the end of *lead*."""
    *_, label, rest = ("", *_COLON.split(lead))
    return not words(rest) and _is_a_date(label)


def _says_something(label: str) -> bool:
    said = words(label)
    if not said or _GREETING.match(label) or "x" in comparable_text.readings(f"{label.strip()}: x"):
        return False
    return not _is_a_date(label)


def _is_a_date(label: str) -> bool:
    said = {*words(label)}
    dated = {word for word in said if word in _DATED or _FIGURE.fullmatch(word)}
    return bool(dated) and said <= {*dated, *_BETWEEN} and not _AMOUNT.search(label)
