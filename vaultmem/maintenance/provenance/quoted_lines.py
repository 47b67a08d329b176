"""Lines of a topic that say nothing but what the source says that they cite, or hang below.

They are the program's, whoever committed them: a commit that a person amended or squashed names no
operation any more. A line with a word of its own is its person's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies.bullets import LABELS
from vaultmem.documents.markdown import outline
from vaultmem.maintenance.dream.link_graph import proofs
from vaultmem.maintenance.provenance import sources, support
from vaultmem.maintenance.provenance.changed_lines import TITLED
from vaultmem.maintenance.provenance.sources import Cited
from vaultmem.nlp.tasks import Passage
from vaultmem.nlp.text import analysis, quotation
from vaultmem.records import Record
from vaultmem.storage.index.tokenizer import indexed

Told = Callable[[Iterable[Cited]], Sequence[Passage]]
"""Returns what sources say, by what they may be called."""

_WORD = re.compile(r"[^\W_]+")
_LINKED = re.compile(r"\s*- [\"']?\[\[[^\[\]\n]+\]\][\"']?\s*")
"""A source as the frontmatter names it, or a bullet that says no word."""
_CLAUSE = re.compile(r"[;:,.]\s")
_LABEL = re.compile(rf"\*\*(?:{'|'.join(LABELS)}):\*\*\s*", re.IGNORECASE)
_UNSAID = frozenset({
    "a", "an", "the", "i", "my", "we", "our", "der", "die", "das", "den", "dem", "des", "ein",
    "eine", "einen", "einem", "einer", "ich", "mein", "meine", "meinen", "wir", "unser", "unsere",
})  # fmt: skip
"""What the program leaves out where it repeats a text: articles, and who spoke."""

_ADDED = frozenset({"about", "from", "on", "said", "s"})
"""What it puts before a text of others, beside who said it, and when."""


@dataclass(frozen=True, slots=True)
class Said:
    """What sources were *told* of, and the *agents* by whose names it may be labelled."""

    told: Told
    agents: AbstractSet[str]

    def has(self, line: str, cited: Iterable[Cited]) -> bool:
        """Tell whether *line* says nothing but what those say that are *cited*."""
        passages = self.told(cited)
        labels = (*self.agents, *(f"{p.speaker} {p.created[:10]}" for p in passages))
        voices = _ADDED.union(*map(_words, labels))
        texts = [_words(p.text) for p in passages]
        return all(
            any(_stands_in(said, text, voices) for text in texts)
            for said in map(_words, _clauses(line))
        )


def lines(record: Record, text: str, said: Said, *, made: bool) -> frozenset[str]:
    """Return those lines of the *text* of the file of *record*.

    Those of its frontmatter only if the program *made* it.
    """
    every = [line.removesuffix("\r") for line in text.split("\n")]
    head, body = every[: record.body_line - 1], every[record.body_line - 1 :]
    citing = (*_of_head(record, head if made else ()), *_of_body(record, body))
    return frozenset(
        line for line, cited in citing if _LINKED.fullmatch(line) or said.has(line, cited)
    )


def _of_head(record: Record, lines: Sequence[str]) -> Iterator[tuple[str, Sequence[Cited]]]:
    """Yield the title, the description and the sources, with all that the file cites."""
    every = sources.cited(record, "")
    for line in lines:
        found = frontmatter.KEY_LINE.match(line)
        if _LINKED.fullmatch(line) or (found and found["key"] in TITLED):
            yield line, every


def _of_body(record: Record, lines: Sequence[str]) -> Iterator[tuple[str, Sequence[Cited]]]:
    """Yield the lines that cite something, or hang below one that does, with what is cited."""
    above: tuple[int, Sequence[Cited]] | None = None
    for line in filter(str.strip, lines):
        indent = len(line) - len(line.lstrip())
        if any(proofs(line)):
            above = indent, sources.cited(record, line)
        elif above and indent <= above[0]:
            above = None
        if above:
            yield line, above[1]


def _clauses(line: str) -> Iterator[str]:
    """Yield what *line* says, in the parts that the program may have put together."""
    found = frontmatter.KEY_LINE.match(line)
    bare = line[found.end() :] if found else line[len(outline.lead(line)) :]
    said = _LABEL.sub("", sources.without_proofs(bare), count=1)
    for one in analysis.sentences(quotation.unframed(said)):
        yield from _CLAUSE.split(one)


def _stands_in(said: Sequence[str], text: Sequence[str], voices: AbstractSet[str]) -> bool:
    """Tell whether *text* has what is *said* in a row, but for what is left out there.

    Whose *voices* are named first need not stand there.
    """
    first = next((n for n, word in enumerate(said) if word not in voices), len(said))
    wanted = said[first:]
    return not wanted or any(_begins(wanted, text, at) for at in range(len(text)))


def _begins(wanted: Sequence[str], text: Sequence[str], at: int) -> bool:
    for word in wanted:
        while at < len(text) and text[at] in _UNSAID and text[at] != word:
            at += 1
        if at == len(text) or not support.is_related(word, text[at]):
            return False
        at += 1
    return True


def _words(text: str) -> list[str]:
    return _WORD.findall(indexed(text.casefold()))
