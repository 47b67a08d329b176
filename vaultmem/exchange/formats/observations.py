"""The items of a topic as observations of basic-memory: `- [fact] Ada drinks tea.`, and back.

The category is the heading that an item stands below.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_HEADING = re.compile(r"#+ (\w+)")
_ITEM = "- "


def marked(body: str) -> str:
    """Return *body* with its items as observations, but those that are something else already."""
    return _each(body, _marked)


def plain(body: str) -> str:
    """Return *body*, which `marked` made, as it was."""
    return _each(
        body,
        lambda text, mark: f"{_ITEM}{text.removeprefix(mark)}" if text.startswith(mark) else "",
    )


def _marked(text: str, mark: str) -> str:
    is_other = text.startswith("[") and not text.startswith(mark)  # a box to tick, a link
    return "" if is_other else f"{_ITEM}{mark}{text}"


def _each(body: str, change: Callable[[str, str], str]) -> str:
    """Return *body* with what *change* makes of each item; where that is "", it stays."""
    category, lines = "fact", []
    for line in body.split("\n"):
        if found := _HEADING.match(line):
            category = found[1].lower().removesuffix("s")
        is_item = line.startswith(_ITEM)
        made = change(line.removeprefix(_ITEM), f"[{category}] ") if is_item else ""
        lines.append(made or line)
    return "\n".join(lines)
