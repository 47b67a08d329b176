"""The paragraphs and the bullets of a text, as they stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.documents.bodies import outline

_BLOCK = re.compile(r"\n[ \t]*\n")
_CODE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)


def of(text: str) -> Iterator[str]:
    """Yield the paragraphs and the bullets of *text*; what holds code is one."""
    if has_code(text):
        yield text.strip("\n")
        return
    for paragraph in _BLOCK.split(text):
        block: list[str] = []
        for line in paragraph.strip("\n").split("\n"):
            if block and (_begins(line) or block[-1].startswith("#")):
                yield "\n".join(block)
                block = []
            block.append(line)
        yield "\n".join(block)


def _begins(line: str) -> bool:
    """Tell whether *line* is a heading, or a bullet that is nested in no other."""
    return line.startswith("#") or bool(outline.lead(line) and not line[:1].isspace())


def has_code(text: str) -> bool:
    """Tell whether a block of code begins in *text*."""
    return _CODE.search(text) is not None


def passages(text: str) -> tuple[str, ...]:
    """Return *text*, each of its paragraphs and bullets, and each of their lines."""
    return tuple(dict.fromkeys((text, *of(text), *text.splitlines())))
