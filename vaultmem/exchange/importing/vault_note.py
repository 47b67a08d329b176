"""A note that another vault exported, as this one keeps it: where it goes, and its bytes.

It comes with its id, by which it is known when it comes again. What it says of its own worth may
lower its trust and never raises it, and what tells of operations in its vault stays behind.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from vaultmem.documents import frontmatter
from vaultmem.documents import origin as document_origin
from vaultmem.documents.frontmatter import Value, Verbatim
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.exchange import obeyed_files
from vaultmem.exchange.formats import note_frontmatter
from vaultmem.exchange.formats.types import VaultNote
from vaultmem.exchange.importing import folder_names
from vaultmem.knowledge import tasks
from vaultmem.knowledge.cards import parser as cards
from vaultmem.knowledge.cards.types import Mark, digest
from vaultmem.records import Record, lowest, moment
from vaultmem.storage import files, reader, ulids
from vaultmem.storage.ulids import ULID

_OF_AN_AGENT = 2  # the agent's name, and what lies in its folder
_LEFT_BEHIND = frozenset(
    ("accepted", "approved", "claims", "op", "sources", "supersedes", "tier", "written")
)
_CLOSED = frozenset((*_LEFT_BEHIND, "source", "trust"))
"""What of a head is never taken as it comes."""

_OF_A_MEMORY = _CLOSED | frozenset(
    ("id", "type", "agent", "created", "updated", "session", "speaker", "origin", "importance",
     "tags", "superseded_by", "role", "model", "prompt", "faithfulness")
)  # fmt: skip
"""What of a memory's head is told apart from the rest, or is the program's to say."""

UNWRITABLE = "its frontmatter cannot be written so that it reads the same"

COUNTED = frozenset(("task", "episode"))
"""What has a number for its name, which another may have here."""

SOURCES = "sources"
"""Where a note names the memories that it was made of."""

TASK_LINKS = ("blocked_by", "blocks")
"""Where a task names others, by numbers that may be others here."""


@dataclass(frozen=True, slots=True)
class NewNote:
    """A note as it would be kept: its *path*, its *id* ("" where it brought none), its bytes.

    An experience says whose it is, and its *title*.
    """

    path: str
    id: str
    type: str
    data: bytes
    agent: str = ""
    title: str = ""

    @property
    def text(self) -> str:
        """The file as text."""
        return self.data.decode()


def made(note: VaultNote, agent: str, *, redact: bool = False) -> NewNote:
    """Return *note* as it would be kept here; what an agent had of its own becomes *agent*'s.

    Raises Refused for what has no place here, SecretFound, and BadInput for a head or a body that
    no file can hold.
    """
    path = _place(note, agent)
    head = {key: value for key, said in note.head.items() if (value := value_of(said)) is not None}
    if "agent" in head:
        head["agent"] = agent
    record = _record(path, head, note.body)
    if not record.recallable or record.type != note.type:
        raise Refused(f"a {note.type} that lay where none has its place")
    own = record.id if ULID.fullmatch(record.id) else ""
    if note.type in COUNTED and not own:  # by its number nobody knows it when it comes again
        own = head["id"] = _minted(note, head, record.created)
    typed = {key: said for key, said in note.head.items() if isinstance(said, Verbatim)}
    written = _written(_vouched(head, record), note.body, typed)
    text = note_frontmatter.let_in(path, written, redact=redact)
    data = _claimed(path, text) if note.type == "card" else text.encode()
    return NewNote(path, own, note.type, data, record.agent, record.title)


def _minted(note: VaultNote, head: Mapping[str, Value], created: str) -> str:
    """Return the id of a *note* that brought none: the same whenever it says the same."""
    kept = _without(_kept(head, note.type), _CLOSED.union(("id",)))
    said = json.dumps([note.path, kept, note.body.strip("\n")], sort_keys=True)
    try:
        when = moment(created)
    except BadInput:
        when = datetime.fromtimestamp(0, UTC)
    return next(ulids.increasing("", when, 1, hashlib.sha256(said.encode()).digest()[:10]))


def whose(note: VaultNote) -> str:
    """Return whose *note* was: by where it lay, else by what it says; "" for nobody's."""
    parts = folder_names.of_format(note.path).split("/")
    named = parts[1] if parts[0] == "agents" and len(parts) > _OF_AN_AGENT else ""
    return named or str(note.head.get("agent") or "")


def of_a_memory(head: Mapping[str, object]) -> dict[str, str | list[str] | Verbatim]:
    """Return what a memory takes along of the *head* that it had, beside what the program knows."""
    rest = {key: said for key, said in head.items() if key not in _OF_A_MEMORY}
    typed = {key: said for key, said in rest.items() if isinstance(said, Verbatim)}
    plain = {key: value for key, said in rest.items() if (value := value_of(said)) is not None}
    return {
        key: typed.get(key) or (Verbatim(value, _yaml({key: value})) if text is None else text)
        for key, value in plain.items()
        for text in (flat(value),)
    }


def says_the_same(note: NewNote, data: bytes) -> bool:
    """Tell whether the file *data* says what *note* does, whoever vouches for it."""
    return _said(note.type, note.data) == _said(note.type, data)


def _said(kind: str, data: bytes) -> tuple[Mapping[str, Value], str] | None:
    try:
        doc = frontmatter.read(data)
        head = frontmatter.fields(doc)
    except Unreadable:
        return None
    # Whoever vouches for it, and whatever number a task has here.
    aside = _CLOSED.union(("id",), TASK_LINKS if kind == "task" else ())
    return _without(_kept(head, kind), aside), doc.body.strip("\n")


# --- where it goes --------------------------------------------------------------------------------


def _place(note: VaultNote, agent: str) -> str:
    """Return the path of *note* here; raises Refused where no note of its type may lie."""
    parts = folder_names.of_format("/".join(files.portable(note.path))).split("/")
    if parts[0] == "agents" and len(parts) > _OF_AN_AGENT:
        parts[1] = agent
    path = "/".join(parts)
    lies_as = reader.kind_of(path)
    is_note = path.endswith(".md") and files.is_note(path) and not folder_names.is_in_hand(path)
    if not is_note or lies_as not in {note.type, "note"}:
        raise Refused(f"a {note.type} that lay where none has its place")
    if note.type == "task" and tasks.number_of(path) is None:
        raise Refused("a task without a number")
    if lies_as != "skill" and obeyed_files.is_kept_out(path):
        raise Refused(obeyed_files.KEPT_OUT)
    return path


# --- what it says ---------------------------------------------------------------------------------


def value_of(said: object) -> Value | None:
    """Return what a head may hold of *said*: None for nothing."""
    if isinstance(said, str | Verbatim):
        return said if isinstance(said, str) else said.value
    if isinstance(said, bool):
        return str(said).lower()
    if isinstance(said, int | float):
        return str(said)
    if isinstance(said, list):
        return [value for it in said if (value := value_of(it)) is not None]
    if isinstance(said, dict):
        pairs = ((key, value_of(it)) for key, it in said.items())
        return {key: value for key, value in pairs if value is not None}
    return None


def _record(path: str, head: Mapping[str, Value], body: str) -> Record:
    found = reader.record(path, files.content(_written(head, body).encode()))
    if found.problem:
        raise BadInput(found.problem.message)
    return found


def _vouched(head: Mapping[str, Value], record: Record) -> dict[str, Value]:
    """Return *head* as it may stand here: from an import, worth an agent's word at most."""
    fetched = document_origin.is_fetched(record.source)
    worth: dict[str, Value] = {
        "source": record.source if fetched else "import",
        "trust": lowest((document_origin.CEILING, record.trust)),
    }
    kept = _kept(head, record.type)
    if record.type != "skill":
        return kept | worth
    # Agent Skills want what is not in their standard below `metadata`.
    inner = kept.get("metadata")
    return kept | {"metadata": (inner if isinstance(inner, dict) else {}) | worth}


def _kept(head: Mapping[str, Value], kind: str) -> dict[str, Value]:
    """Return what a note of type *kind* takes along of *head*.

    On a card `origin` is where somebody comes from, elsewhere an import's mark.
    """
    if kind == "card":
        return _without(head, _LEFT_BEHIND - {"claims", SOURCES})
    kept = _without(head, (_LEFT_BEHIND | {"origin"}) - {SOURCES})
    inner = kept.get("metadata")
    if kind == "skill":
        kept = _without(kept, _CLOSED)
        kept |= {"metadata": _without(inner, _CLOSED)} if isinstance(inner, dict) else {}
    return kept


def _claimed(path: str, text: str) -> bytes:
    """Return the card *text* with each fact as the import's: else a person would have said it."""
    try:
        card = cards.read(path, text.encode())
    except Unreadable as e:
        raise BadInput(e.why) from e
    if not (arose := card.record.created):
        raise Refused("a card that does not say when it arose")
    claims = [
        cards.written(name, Mark(("import",), card.marks[name].at or arose, digest(value)))
        for name, value in card.attributes.items()
    ]
    return frontmatter.render(frontmatter.update(card.doc, {"claims": claims})).encode()


def _without(head: Mapping[str, Value], keys: frozenset[str]) -> dict[str, Value]:
    return {key: value for key, value in head.items() if key not in keys}


def _written(
    head: Mapping[str, Value], body: str, typed: Mapping[str, Verbatim] = MappingProxyType({})
) -> str:
    """Return the text of a file; raises BadInput where it would not read back as what it says.

    What of *head* is *typed* stands in its own lines.
    """
    stood = {key: it for key, it in typed.items() if head.get(key) == it.value}
    plain = {
        key: text
        for key, value in head.items()
        if (text := stood.get(key) or flat(value)) is not None
    }
    nested = _without(head, frozenset(plain))
    try:
        text = frontmatter.new(plain, body.strip("\n"))
        text = text.replace("---\n", f"---\n{_yaml(nested)}", 1) if nested else text
        found = frontmatter.fields(frontmatter.parse(text))
    except Refused as e:
        raise BadInput(UNWRITABLE) from e
    except Unreadable as e:
        raise BadInput(e.why) from e
    if found != head:
        raise BadInput(UNWRITABLE)
    return text


def flat(value: Value) -> str | list[str] | None:
    """Return *value* as a property of Obsidian's, None for what nests."""
    if isinstance(value, str):
        return value
    texts = [it for it in value if isinstance(it, str)]
    return texts if isinstance(value, list) and len(texts) == len(value) else None


def _yaml(nested: Mapping[str, Value]) -> str:
    import yaml  # noqa: PLC0415  # few notes have such keys

    return yaml.safe_dump(nested, sort_keys=False, allow_unicode=True, width=10_000)
