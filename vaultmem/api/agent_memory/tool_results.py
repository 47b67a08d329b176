"""What was said, and what a tool gave back, as texts that a transcript can hold.

Pure: from any value to the parts that keep all of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from vaultmem import arguments
from vaultmem.documents import secrets, wide_text
from vaultmem.errors import BadInput
from vaultmem.memory import remember

LARGEST = 64 * 1024
"""Bytes of one turn; a longer text is kept in several."""


def written(content: object) -> str:
    """Return what a tool gave back as text: a text as it is, else as JSON.

    Raises BadInput for what JSON cannot say: a list that holds itself, a key that is no text.
    """
    if isinstance(content, str):
        return content
    try:
        return json.dumps(content, ensure_ascii=False, default=str, indent=1)
    except (ValueError, TypeError, RecursionError) as e:
        raise BadInput(f"the tool's result cannot be written as JSON ({e}): give a text") from e


def readable(text: str) -> str:
    """Return *text* without what no file can hold: half characters, and NUL."""
    return wide_text.without_zeros(text).encode("utf-8", "replace").decode()


def clean(text: str, where: str) -> str:
    """Return *text* as memories hold it, secrets blanked out; raises BadInput, naming *where*."""
    arguments.check(where, text, "str")
    return remember.clean(text, where, redact=True)


def line(text: str) -> str:
    """Return *text* clean, in one line."""
    return " ".join(clean(text, "a note").split())


def lines(texts: Iterable[str]) -> list[str]:
    """Return *texts*, the items of one list, clean, each in one line: a private part may go on."""
    return [line(text) for text in secrets.strip_each(texts)]


def parts(text: str, most: int = LARGEST) -> list[str]:
    """Return *text* in parts of at most *most* bytes, cut behind a line where there is one."""
    data, made = text.encode(), list[str]()
    while len(data) > most:
        cut = data.rfind(b"\n", most // 2, most) + 1
        # Else where a letter begins: none is cut in two.
        cut = cut or next(n for n in range(most, 0, -1) if data[n] & 0xC0 != 0x80)  # noqa: PLR2004  # UTF-8
        made.append(data[:cut].decode())
        data = data[cut:]
    return [*made, data.decode()]
