"""Where money goes: an IBAN, a card's number, an address of a crypto currency, however grouped.

Whoever says one may lead money astray, whatever words stand beside it. What only looks like one
(an order's number, a hash) fails its check digits, or has not the length of its country.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from vaultmem.documents import rendered_text

_LENGTHS = {
    country: int(length)
    for country, length in re.findall(
        r"([a-z]{2})(\d\d)",
        "ad24 ae23 al28 at20 az28 ba20 be16 bg22 bh22 br29 by28 ch21 cr22 cy28 cz24 de22 dk18 do28"
        " ee20 eg29 es24 fi18 fo18 fr27 gb22 ge22 gi23 gl18 gr27 gt28 hr21 hu28 ie22 il23 iq23 is26"
        " it27 jo30 kw30 kz20 lb28 lc32 li21 lt20 lu20 lv21 ly25 mc27 md24 me22 mk19 mr27 mt31 mu30"
        " nl18 no15 pk24 pl28 ps29 pt25 qa29 ro24 rs22 sa24 sc31 se24 si19 sk24 sm27 st25 sv28 tl23"
        " tn24 tr26 ua29 va22 vg24 xk20",
    )
}
"""Letters and digits of an IBAN, by country."""

_BETWEEN = r"[\W_]{0,3}"
_START = re.compile(r"(?i)(?<![^\W_])(?:[a-z]{2}\d{2}|0x(?=\W?[\da-f])|bc1(?=\W?[a-z\d])|[2-6]\d)")
_REST = {
    size: re.compile(rf"(?i)(?:{_BETWEEN}[a-z\d]){{{size}}}(?![^\W_])")
    for size in {length - 4 for length in _LENGTHS.values()}
}
_LEAST_DIGITS = 10
_GAP = r"[ \u00a0\u2009\u200b-\u200d\u202f._/-]{0,2}"
_CARD = re.compile(
    rf"(?:(?:4\d|5[1-5]|2[2-7]|6[0245])(?:{_GAP}\d){{14}}|3[47](?:{_GAP}\d){{13}})(?![^\W_])"
)
_COIN = re.compile(
    rf"(?i)(?:0x(?:{_BETWEEN}[\da-f]){{40}}|bc1(?:(?:{_BETWEEN}[ac-hj-np-z02-9]){{59}}"
    rf"|(?:{_BETWEEN}[ac-hj-np-z02-9]){{39}}))(?![^\W_])"
)


class Payment(NamedTuple):
    """A payment *address*, closed up and in small letters, and where it stands in a text."""

    address: str
    start: int
    end: int


def found(text: str) -> list[Payment]:
    """Return the payment addresses of *text*, in each of its looks."""
    if not re.search(r"\d", text):
        return []
    return [
        Payment(address, look.places[start], look.places[end - 1] + 1)
        for look in rendered_text.looks(text)
        for address, start, end in _written(look.text)
    ]


def addresses(text: str) -> frozenset[str]:
    """Return the payment addresses of *text* without their places."""
    return frozenset(it.address for it in found(text))


def _written(text: str) -> Iterator[Payment]:
    done = 0
    for start in _START.finditer(text):
        at = start.start()
        end = _end(text, at, start[0].casefold()) if at >= done else 0
        if end:
            done = end
            yield Payment(_closed(text[at:end]), at, end)


def _end(text: str, at: int, start: str) -> int:
    """Return where the payment address ends that begins at *at*, 0 where none does."""
    if start in {"0x", "bc1"}:
        coin = _COIN.match(text, at)
        return coin.end() if coin else 0
    if start.isdigit():
        card = None if text[max(0, at - 1) : at] in {"+", "."} else _CARD.match(text, at)
        return card.end() if card and _is_card(_closed(card[0])) else 0
    rest = _REST[_LENGTHS[start[:2]] - 4].match(text, at + 4) if start[:2] in _LENGTHS else None
    return rest.end() if rest and _is_iban(_closed(text[at : rest.end()])) else 0


def _closed(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\W_]+", "", plain)


def _is_iban(closed: str) -> bool:
    if not closed.isascii() or sum(map(str.isdigit, closed)) < _LEAST_DIGITS:
        return False
    return int("".join(str(int(sign, 36)) for sign in closed[4:] + closed[:4])) % 97 == 1


def _is_card(digits: str) -> bool:
    """Tell whether the last of *digits* is right (Luhn), and they are not all the same."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(doubled) + sum(map(int, digits[::-2]))) % 10 == 0 and len({*digits}) > 1
