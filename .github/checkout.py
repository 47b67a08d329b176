"""Write files of the checkout; the scripts beside this one make their texts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_TOP = Path(__file__).parents[1]


def write(files: Mapping[str, str]) -> None:
    """Write *files*, each by its path in the checkout."""
    for path, text in files.items():
        target = _TOP / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
