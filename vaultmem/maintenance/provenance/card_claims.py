"""Take a line of a card for one of its facts: who said that, when, and what it was drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vaultmem.documents import ended_facts, frontmatter
from vaultmem.documents.frontmatter import yaml_spans
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.knowledge.cards import parser, persons
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.types import Json
from vaultmem.nlp.extraction.personal_facts import claims
from vaultmem.nlp.tasks import ClaimsTask, Utterance
from vaultmem.records import Record, compact_stamp, moment
from vaultmem.storage.store import Store

DIRECT = "set on the command line or by a tool: it does not come from a memory"
OF_WHO_SAYS = "follows from who spoke: they said of themselves what stands in their card"
_SPEAKERS = frozenset({persons.SELF, persons.SPEAKER})
_SOME_DAY = "2000-01-01T00:00:00Z"
BY_HAND = "written into the card by hand: it does not come from a memory"


@dataclass(frozen=True, slots=True)
class CardFact:
    """A fact of a card: who said it, when, and what that is worth.

    *is_known* tells whether the card notes who said its facts at all. Text and lists may have grown
    from several sources, so that no time tells which: *grows*. *said* is what it says, as words, of
    what is over the sentence that says so; "" for what nobody said, and is *derived*. *sentence* is
    that of a line below the facts, which was somebody's in these words.
    """

    said: str
    by: str
    at: str
    trust: str
    is_known: bool
    grows: bool
    derived: str = ""
    sentence: str = ""

    @property
    def otherwise(self) -> str:
        """How it came into the card, where it was drawn from nothing."""
        return DIRECT if self.at else BY_HAND

    def drawn(self, targets: Sequence[str], known: dict[str, Record]) -> list[str]:
        """Return which of *targets*, the card's sources, it was drawn from: those of its time."""
        if self.grows or not self.is_known:
            return list(targets)
        return [t for t in targets if self.at and self._is_of(t, known.get(t))]

    def _is_of(self, target: str, source: Record | None) -> bool:
        if source:
            return source.created == self.at
        return target.rpartition("/")[2].startswith(_stamp(self.at))


def fact_at(store: Store, record: Record, line: int) -> CardFact | None:
    """Return who said the fact of a card in *line* of its file; None where it is none of its."""
    card = _card(store, record.path)
    return fact_of(card, line) if record.type == "card" and card and line else None


def fact_of(card: Card, line: int) -> CardFact | None:
    """Return who said the fact of a *card* in *line* of its file; None where it is none of its."""
    field = field_at(card, line)
    mark = card.marks.get(field)
    value = card.attributes.get(field, "")
    if mark is None:
        return None
    grows = bool(mark.at) and (field == "backstory" or not isinstance(value, str))
    derived = OF_WHO_SAYS if field == "relationship" and value in _SPEAKERS and mark.at else ""
    sentence = _sentence(card, line) if field == "backstory" else ""
    said = "" if derived else sentence or _said_of(card, field)
    is_known = bool(card.raw.get("claims"))
    return CardFact(
        said, mark.joined_sources, mark.at, mark.trust, is_known, grows, derived, sentence
    )


def _sentence(card: Card, line: int) -> str:
    """Return what *line* of a card's file says, "" where it is blank."""
    lines = frontmatter.render(card.doc).splitlines()
    return " ".join(lines[line - 1].split()) if line <= len(lines) else ""


def _said_of(card: Card, field: str) -> str:
    """Return what a fact says: its name and value, or the words by which another one is over."""
    story = str(card.attributes.get("backstory", "")).split("\n\n")
    is_over = ended_facts.ended(field) != ""
    words = next((it for it in story if is_over and _ends(card.record.person, it, field)), "")
    if field == "relationship":  # it may be told in another language: who it is tells as well
        its = card.record.relationship
        return f"{card.record.person} {persons.whose(its)} {persons.relation(its)}"
    return words or " ".join([field, *_words(card.attributes.get(field, ""))])


def _ends(person: str, sentence: str, field: str) -> bool:
    """Tell whether *person* says in *sentence* until when something was so, as *field* tells it."""
    heard = Utterance(sentence, person, "user", _SOME_DAY)
    return any(claim.field == field for claim in claims.claims(ClaimsTask((heard,))))


def _words(value: Json) -> Iterator[str]:
    """Yield the texts that *value* is made of, keys of mappings as well."""
    match value:
        case dict():
            for key, each in value.items():
                yield key
                yield from _words(each)
        case list():
            for each in value:
                yield from _words(each)
        case _:
            yield str(value)


def lines(store: Store, path: str) -> dict[str, int]:
    """Return the facts of the card at *path* by their names, each with the line that holds it."""
    card = _card(store, path)
    found = {field: _line_of(card, field) for field in card.attributes} if card else {}
    return {field: line for field, line in found.items() if line}


def _line_of(card: Card, field: str) -> int:
    head = len(card.doc.opening) + len(card.doc.head) + len(card.doc.closing)
    text = frontmatter.render(card.doc)
    if field == "backstory" and card.doc.body.strip():
        at = head + len(card.doc.body) - len(card.doc.body.lstrip())
    else:
        spans = _spans(card)
        top = next((k for k in spans if field == k or field.startswith(f"{k}.")), None)
        if top is None:
            return 0
        at = len(card.doc.opening) + spans[top].start
    return 1 + text.count("\n", 0, at)


def field_at(card: Card, line: int) -> str:
    """Return the attribute on *line* of a card's file, below a key that nests the key itself."""
    above = card.doc.opening.count("\n")
    at = sum(map(len, card.doc.head.splitlines(keepends=True)[: line - 1 - above]))
    if at >= len(card.doc.head):
        return "backstory"
    return next((k for k, e in _spans(card).items() if e.start <= at < e.stop), "")


def _spans(card: Card) -> dict[str, yaml_spans.Entry]:
    try:
        return yaml_spans.find(card.doc.head)
    except Refused:
        return {}


def _card(store: Store, path: str) -> Card | None:
    try:
        return parser.read(path, store.texts.read(path) or b"")
    except (BadInput, Unreadable):
        return None


def _stamp(at: str) -> str:
    try:
        return compact_stamp(moment(at))
    except BadInput:
        return at
