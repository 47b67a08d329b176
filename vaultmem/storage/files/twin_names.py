"""Names that a disk may take for one, as it tells neither case nor Unicode forms apart; purely."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator


def twins(news: Iterable[str], known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each path of *news*, and each folder above it, that is one of *known* but for its form.

    Each comes with the first of its twins; *known* holds *news*, too.
    """
    spelt: dict[str, set[str]] = {}
    for path in known:
        for name in with_folders(path):
            spelt.setdefault(folded(name), set()).add(name)
    for path in sorted(news):
        for name in with_folders(path):
            for twin in sorted(spelt[folded(name)] - {name})[:1]:
                yield name, twin


def apart_by(name: str, twin: str) -> str:
    """Say how *name* and its *twin* differ."""
    is_form = unicodedata.normalize("NFC", name) == unicodedata.normalize("NFC", twin)
    return "in how their letters are encoded (the Unicode form)" if is_form else "by case"


def with_folders(path: str) -> Iterator[str]:
    """Yield *path* and the folders it lies in, the innermost first."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def folded(path: str) -> str:
    """Return *path* as a disk compares it that tells neither case nor Unicode form apart."""
    return unicodedata.normalize("NFC", path).casefold()
