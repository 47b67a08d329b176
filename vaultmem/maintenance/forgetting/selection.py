"""Find what is to be forgotten: by id, path or wikilink; or what a query or a person concerns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, NotFound, Refused
from vaultmem.maintenance.forgetting import line_names, logged_items, redaction
from vaultmem.maintenance.forgetting.line_names import LineName
from vaultmem.maintenance.forgetting.logged_items import ITEM
from vaultmem.memory import folding
from vaultmem.records import SUMMARIES, Record, first_line
from vaultmem.storage import files, transcript_files, transcripts
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.transcripts import Transcript

_HOOK = 100
_DERIVED = (
    "it is made from other files and would come back: forget those, `vaultmem why {}` names them"
)
TURN = "turn"
"""The type of what was said in a session: a turn, or all of them."""
LINES = frozenset({TURN, ITEM})
"""The types of what is no file of its own, but lines of one."""
_MADE = frozenset({*SUMMARIES, "index", "tombstone"})
_NOT_RAW = frozenset({*_MADE, "topic", "config"})


@dataclass(frozen=True, slots=True)
class ForgetTarget:
    """One thing that would be forgotten, as a person is shown it."""

    id: str
    path: str
    type: str
    date: str
    text: str


def shown(records: Iterable[Record]) -> tuple[ForgetTarget, ...]:
    """Return *records* as a preview."""
    hooks = ((r, first_line(r.title or r.body or r.facts, _HOOK)) for r in records)
    return tuple(ForgetTarget(r.id, r.path, r.type, r.created, hook) for r, hook in hooks)


def named(store: Store, refs: Sequence[str]) -> tuple[Record, ...]:
    """Return what *refs* name, each once; raises BadInput for none, Refused for what is derived."""
    return tuple({r.path: r for r in (_one(store, ref) for ref in refs)}.values())


def candidates(store: Store, ref: str) -> list[Record]:
    """Return what *ref* may name: one thing, or none, or several of one name."""
    name = ref.strip().removeprefix("[[").removesuffix("]]").partition("|")[0].strip()
    if not name:
        return []
    if line := line_names.parse(name):
        return _turns_at(store, *line) or logged_items.at(store, *line)
    path = name if files.is_note(name) else f"{name}.md"
    found = store.index.named(name)
    meant = [r for r in found if not r.path.startswith("tombstones/")]
    return [r for r in meant if r.path == path or r.id == name.upper()] or meant


def _one(store: Store, ref: str) -> Record:
    exact = candidates(store, ref)
    if not exact:
        raise NotFound(
            f"nothing here is called {quoted(ref)}: `vaultmem recall` gives ids and paths"
        )
    if len(exact) > 1:
        paths = ", ".join(r.path for r in exact)
        raise BadInput(f"{quoted(ref)} is more than one thing: name one by its path: {paths}")
    _check(exact[0])
    return exact[0]


def _check(record: Record) -> None:
    if record.type in LINES:
        return
    if record.problem:
        raise Refused(f"{record.path}: {record.problem.message}; fix it first")
    if record.type == "summary":
        raise Refused(f"{record.path} is a summary; {_DERIVED.format(record.path)}")
    review = record.path.startswith("inbox/review/")
    if record.type in {"index", "config"} or not (record.kept or review):
        raise Refused(f"{record.path} is part of the vault itself: edit or remove it by hand")


def saying(store: Store, query: str) -> tuple[Record, ...]:
    """Return the raw files that say every word of *query*; raises BadInput for no words."""
    wanted = set(redaction.words(query))
    if not wanted:
        raise BadInput("name what to forget: an id, a path, or words")
    found = _in_time(r for r in _raw(store) if wanted <= set(redaction.words(_text(r))))
    name = query.strip().casefold()
    sessions = (it for it in _transcripts(store) if it.session.casefold() == name)
    whole = (r for it in sessions for r in _as_one(it, turn_records(it)))
    turns = (r for r in _turns(store) if wanted <= set(redaction.words(_text(r))))
    said = [*found, *whole, *turns]
    return (*said, *_items_beside(store, wanted, said))


def about(store: Store, person: str) -> tuple[Record, ...]:
    """Return the raw files that a *person* said, that concern them, or that name them."""
    wanted = redaction.words(person)
    if not wanted:
        raise BadInput("give the name of the person to forget")
    found = _in_time(r for r in _raw(store) if _concerns(r, wanted))
    said = [*found, *(r for r in _turns(store) if _concerns(r, wanted))]
    items = _items_beside(store, set(wanted), said)
    return (*said, *(r for r in items if _concerns(r, wanted)))


def _items_beside(
    store: Store, wanted: AbstractSet[str], said: Sequence[Record]
) -> Iterator[Record]:
    """Yield the items that say all *wanted* words beside what others *said* in the same words."""
    told = {r.body.strip() for r in said}
    for item in logged_items.every(store):
        own = (text for text in item.body.split("\n\n") if text.strip() not in told)
        if wanted <= set(redaction.words("\n\n".join(own))):
            yield item


def mentions(store: Store, query: str, gone: Iterable[Record]) -> tuple[str, ...]:
    """Return the files of people that hold the words of *query* in a row, and would stay."""
    wanted, paths = redaction.words(query), {r.path for r in gone}
    stay = (r for r in store.index.every() if r.path not in paths and not _is_ours(r))
    said = ((r.path, redaction.words(f"{_text(r)}\n{r.speaker}")) for r in stay)
    return tuple(sorted(path for path, text in said if redaction.stand_in(wanted, text)))


def _is_ours(record: Record) -> bool:
    """Tell whether the program wrote a file, and would write it again."""
    return record.type in _MADE or bool(record.model or record.prompt)


# --- what was said in sessions ------------------------------------------------------------------


def _turns_at(store: Store, path: str, number: int) -> list[Record]:
    """Return the turn with that *number* of the transcript at *path*, or all of them as one."""
    if not (transcript_files.holds(path) and files.fits(path.rpartition("/")[2])):
        return []
    transcript = transcripts.load(store.root, path)
    if transcript is None:
        return []
    every = turn_records(transcript)
    return [r for r in every if r.turn_start == number] if number else _as_one(transcript, every)


def _transcripts(store: Store) -> Iterator[Transcript]:
    paths = (found.path for found in transcript_files.every(store.root))
    yield from filter(None, (transcripts.load(store.root, path) for path in paths))


def _turns(store: Store) -> Iterator[Record]:
    return (r for it in _transcripts(store) for r in turn_records(it))


def turn_records(transcript: Transcript) -> list[Record]:
    """Return the turns that say something of their own, each as a record."""
    numbered = enumerate(transcript.turns, 1)
    return [
        Record(
            str(LineName(transcript.path, n)), "", type=TURN, agent=transcript.agent,
            created=turn.at, session=transcript.session, speaker=turn.speaker, origin=turn.origin,
            turn_start=n, turn_end=n, body=turn.content,
        )
        for n, turn in numbered
        if turn.content.strip() not in {"", MARK} and turn.origin != folding.ENDED
    ]  # fmt: skip


def _as_one(transcript: Transcript, told: Sequence[Record]) -> list[Record]:
    if not told:
        return []
    body = "\n\n".join(r.body for r in told)
    return [
        Record(
            transcript.path, "", type=TURN, agent=transcript.agent, created=told[0].created,
            session=transcript.session, turn_start=1, turn_end=len(transcript.turns), body=body,
        )
    ]  # fmt: skip


# --- what it takes ------------------------------------------------------------------------------


def _raw(store: Store) -> Iterator[Record]:
    found = (r for r in store.index.every() if r.type not in _NOT_RAW)
    return (r for r in found if r.kept or r.path.startswith("inbox/review/"))


def _in_time(records: Iterable[Record]) -> list[Record]:
    return sorted(records, key=lambda r: (r.created, r.id, r.path))


def _concerns(record: Record, name: Sequence[str]) -> bool:
    fields = (record.person, record.speaker, record.title, record.body, record.facts)
    return any(redaction.stand_in(name, redaction.words(field)) for field in fields)


def _text(record: Record) -> str:
    r = record
    return f"{r.title}\n{r.description}\n{r.person}\n{r.facts}\n{r.body}"
