"""The paragraphs and the bullets of a text, as they stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.documents import inner_json
from vaultmem.documents.patterns import compiled
from vaultmem.documents.scripts import CJK

_BLOCK = re.compile(r"\n[ \t]*\n")
_SENTENCE_END = r"(?<=[.!?])[\"\u201d\u2019)]*\s+(?=[^\sa-z])|(?<=[\u3002\uff01\uff1f])"
_FEWEST_WORDS, _FEWEST_HAN = 4, 6
"""What is shorter stands in other texts, too: `Thanks!`."""

_HAN = f"[{CJK}]"
_CODE = re.compile(r"^[^\S\n]*(?:```|~~~)", re.MULTILINE)


def of(text: str) -> Iterator[str]:
    """Yield the paragraphs and the bullets of *text*; what holds code is one."""
    if has_code(text):
        yield text.strip("\n")
        return
    for paragraph in _BLOCK.split(text):
        block: list[str] = []
        for line in paragraph.strip("\n").split("\n"):
            if block and (begins(line) or block[-1].startswith("#")):
                yield "\n".join(block)
                block = []
            block.append(line)
        yield "\n".join(block)


def begins(line: str) -> bool:
    """Tell whether *line* is a heading, or a bullet that is nested in no other."""
    from vaultmem.documents.markdown import outline  # noqa: PLC0415  # `status` cuts no text

    return line.startswith("#") or bool(outline.lead(line) and not line[:1].isspace())


def has_code(text: str) -> bool:
    """Tell whether a block of code begins in *text*."""
    return _CODE.search(text) is not None


def passages(text: str) -> tuple[str, ...]:
    """Return *text*, and what stands in it of four words or more, each by itself.

    That is each paragraph, bullet, line and cell of a table, and up to two sentences in a row. In
    JSON each text is one by itself.
    """
    parts = (*of(text), *text.splitlines(), *_cells(text), *_sentences(text))
    inner = (it for each in inner_json.texts(text) if says_enough(each) for it in passages(each))
    return tuple(dict.fromkeys((text, *filter(says_enough, parts), *inner)))


def says_enough(part: str) -> bool:
    """Tell whether *part* is too long to stand in other texts by chance."""
    return len(part.split()) >= _FEWEST_WORDS or len(compiled(_HAN).findall(part)) >= _FEWEST_HAN


def _cells(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.count("|") > 1:
            yield from (cell.strip() for cell in line.split("|"))


def _sentences(text: str) -> Iterator[str]:
    for block in of(text):
        said = compiled(_SENTENCE_END).split(block)
        if len(said) > 1:
            runs = ((start, count) for count in (1, 2) for start in range(len(said) - count + 1))
            yield from (" ".join(said[start : start + count]) for start, count in runs)


def as_code(text: str) -> str:
    """Return *text* as code, so that nothing in it is a link, a box or a command."""
    return "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())
