"""Write `vaultmem/documents/languages/han_variants.py` from the Unihan database.

python .github/han_variants.py Unihan_Variants.txt

The file is part of the Unicode Character Database, and of Debian's package `unicode-data`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

_MODULE = Path(__file__).parents[1] / "vaultmem/documents/languages/han_variants.py"
_HEAD = '''\
"""Traditional Chinese characters and the simplified ones that are written for them.

Made by `python .github/han_variants.py`; not to be edited. Derived from Unihan_Variants.txt of the
Unicode Character Database, copyright (c) Unicode, Inc., under the Unicode License V3
(https://www.unicode.org/license.txt). One for one: what is written as two simplified characters
apart has the more general of them, which is enough to find and not enough to convert.
"""

from __future__ import annotations'''
_CHARSETS = ("big5", "shift_jis")
"""A character that neither of them has is in no text that anybody searches."""
_BESIDE = "裏里爲为喫吃峯峰羣群衆众牀床麪面綫线啓启週周"
"""Pairs that Unihan calls variants of another kind."""
_WIDTH = 40


def _read(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        if "\tkSimplifiedVariant\t" in line:
            code, _, variants = line.rstrip().split("\t")
            traditional = chr(int(code.removeprefix("U+"), base=16))
            others = [chr(int(v.removeprefix("U+"), base=16)) for v in variants.split()]
            simplified = next((v for v in others if v != traditional), "")
            if simplified and max(traditional, simplified) < "\ufaff" and _is_common(traditional):
                yield traditional, simplified


def _is_common(character: str) -> bool:
    return any(character.encode(charset, "ignore") for charset in _CHARSETS)


def _constant(name: str, characters: str) -> Iterator[str]:
    yield f"\n{name} = ("
    for start in range(0, len(characters), _WIDTH):
        yield f'    "{characters[start : start + _WIDTH]}"'
    yield ")"


def main() -> None:
    """Write the module from the file that the command names."""
    with Path(sys.argv[1]).open(encoding="utf-8") as lines:
        pairs = dict(
            sorted({**dict(_read(lines)), **dict(zip(*[iter(_BESIDE)] * 2, strict=True))}.items())
        )
    # A chain of two would make folding twice another thing than folding once.
    ends = {old: pairs.get(new, new) for old, new in pairs.items()}
    text = [
        _HEAD,
        *_constant("TRADITIONAL", "".join(ends)),
        *_constant("SIMPLIFIED", "".join(ends.values())),
    ]
    _MODULE.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
