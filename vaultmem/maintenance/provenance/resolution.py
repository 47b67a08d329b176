"""Find what is asked about: an id, a path, a line of a file, a name, a link, or words of a fact."""

from __future__ import annotations

import re

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Unreadable
from vaultmem.knowledge.cards import names
from vaultmem.maintenance.provenance import card_claims, support
from vaultmem.maintenance.provenance.types import ProvenanceTarget
from vaultmem.records import Record, iso
from vaultmem.retrieval import search
from vaultmem.retrieval.search.types import Question, Scope
from vaultmem.storage import transcript_files, transcripts
from vaultmem.storage.index import tokenizer
from vaultmem.storage.store import Store

_PLACE = re.compile(r"(?P<path>.+\.(?:md|jsonl)):(?P<line>-?\d{1,7})(?:-\d+)?")
_NUMBER = re.compile(r"\d+")
_FIELD = re.compile(r"(?:cards/)?(?P<name>[^.\s]+/[^./\s]+)(?:\.md)?\.(?P<field>\S.*)")
_SHOWN, _LOOKED, _WORDS = 4, 8, 24
_MOST_OF = 0.6
"""What answers words holds this share of them."""


def find(store: Store, ref: str, agent: str = "") -> ProvenanceTarget:
    """Return what *ref* means; words are asked of recall, among what is *agent*'s if one is named.

    Raises BadInput when it means nothing, or several things.
    """
    place = _PLACE.fullmatch(ref.strip())
    path, line = (place["path"], int(place["line"])) if place else (ref.strip(), 0)
    if place and line < 1:
        raise BadInput(f"{ref}: lines count from 1, as in {path}:1")
    if transcript_files.holds(path):
        return _turn(store, path, line)
    if found := store.index.named(path) or store.index.named(names.path(path)):
        return at_line(store, _only(path, found), line)
    if place:
        raise BadInput(f"{path} is not in the vault: `recall` gives the paths of what is")
    return _field(store, path) or _line_saying(store, ref, agent)


def _turn(store: Store, path: str, line: int) -> ProvenanceTarget:
    transcript = transcripts.load(store.root, path)
    if transcript is None or line > len(transcript.turns):
        turns = len(transcript.turns) if transcript else 0
        raise BadInput(f"{path} has {turns} turns, and no turn {line}" if transcript
                       else f"{path} is not in the vault")  # fmt: skip
    record = Record(path, "", type="session", agent=transcript.agent, session=transcript.session)
    return ProvenanceTarget(record, turn=line or 1)


def at_line(store: Store, record: Record, line: int) -> ProvenanceTarget:
    """Return line *line* of the file, frontmatter counted: a field of a card is a fact, too."""
    lines = _text(store, record).split("\n")
    if line > len(lines):
        raise BadInput(f"{record.path} has {len(lines)} lines, and no line {line}")
    return ProvenanceTarget(record, line, lines[line - 1].strip() if line else "")


def _only(ref: str, found: list[Record]) -> Record:
    if len(found) > 1:
        here = ", ".join(r.path for r in found[:_SHOWN])
        raise BadInput(f"{quoted(ref)} names {len(found)} files: name one by its path ({here})")
    return found[0]


def _field(store: Store, ref: str) -> ProvenanceTarget | None:
    """Return the fact of a card that `category/key.field` names, None where *ref* is none."""
    meant = _FIELD.fullmatch(ref)
    found = store.index.named(names.path(meant["name"])) if meant else []
    if meant is None or not found:
        return None
    path = found[0].path
    line = card_claims.lines(store, path).get(meant["field"], 0)
    if not line:
        for it in store.index.problems():
            if it.path == path:
                raise Unreadable(it.code, f"{path}: {it.message}; {it.repair}")
        raise BadInput(f"{path} has no {quoted(meant['field'])}: `card get` shows what it has")
    return at_line(store, found[0], line)


def _line_saying(store: Store, words: str, agent: str) -> ProvenanceTarget:
    """Return the line of the vault that answers *words* best, and holds most of them.

    Where recall finds none, an archived memory does.
    """
    scope = Scope(agent, shared=True, untrusted=True)
    question = Question(words, _LOOKED, scope, iso(store.clock()), "lexical")
    hits = search.search(store.index, question, store.exists).hits
    found = [(hit, store.index.named(hit.path)[0]) for hit in hits]
    for _, record in found:
        if record.title.casefold() == words.casefold():  # it is its name
            return at_line(store, record, 0)
    for hit, record in found:
        if support.share(words, _text(store, record)) >= _MOST_OF:
            unsaid = _unsaid(words, record)
            line, said = (0, "") if record.type == "memory" else (hit.lines[0], hit.snippet)
            turned = support.is_turned_round(words, said or record.body)
            return ProvenanceTarget(record, line, said, unsaid=unsaid, turned_round=turned)
    terms = dict.fromkeys(tokenizer.plain(term) for term in tokenizer.terms(words))
    for memory in store.index.archived_saying([*terms][:_WORDS], agent, _LOOKED):
        if support.share(words, memory.body) >= _MOST_OF:
            turned = support.is_turned_round(words, memory.body)
            return ProvenanceTarget(memory, unsaid=_unsaid(words, memory), turned_round=turned)
    near = f"; nearest to it is {hits[0].path}:{hits[0].lines[0]}" if hits else ""
    raise BadInput(
        f"nothing in the vault says {quoted(words)}{near}: name an id, a path or a path:line"
    )


def _unsaid(words: str, record: Record) -> tuple[str, ...]:
    """Return those of *words* that *record* does not say; the keys of its frontmatter say none.

    What it is called says something, but for the numbers of days and ids.
    """
    called = _NUMBER.sub(" ", record.path)
    return support.unsaid(words, "\n".join((called, *record.labels, record.facts, record.body)))


def _text(store: Store, record: Record) -> str:
    return (store.texts.read(record.path) or b"").decode(errors="replace")
