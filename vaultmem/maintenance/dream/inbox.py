"""Where dreams wait: the review notes in the inbox, and the plans that they are of."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, get_args

from vaultmem.documents import frontmatter, public_text
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.maintenance.dream import review_note
from vaultmem.maintenance.dream.review_note import Review
from vaultmem.maintenance.dream.types import (
    Dream,
    Edit,
    Gate,
    Kept,
    Lines,
    Make,
    Move,
    Op,
    Proposal,
    Remove,
)
from vaultmem.records import moment
from vaultmem.storage import files
from vaultmem.storage.files import Step
from vaultmem.storage.plan import Change
from vaultmem.storage.store import Store

FOLDER = ".vaultmem/dreams"
"""What is kept here can be planned anew: losing it costs no more than that."""

_LOOKS = f"{FOLDER}/looks"
_KINDS: Mapping[str, Callable[..., Edit]] = {
    "lines": Lines,
    "make": Make,
    "remove": Remove,
    "move": Move,
}
_OPS = frozenset(get_args(Op))


@dataclass(frozen=True, slots=True)
class PendingReview:
    """A review note, the plan it is of, where that is still kept, and when it was touched last.

    *untouched* when it is as the program wrote it. Of the changes that are *withheld* it says what
    is marked as private since, or what no source bears out any more; of those that are *reworded*
    somebody changed what it shows of them.
    """

    path: str
    data: bytes
    review: Review
    dream: Dream | None
    untouched: bool
    touched: float
    withheld: frozenset[str] = frozenset()
    reworded: frozenset[str] = frozenset()

    @property
    def open(self) -> tuple[Proposal, ...]:
        """What it proposes, may be told, and was neither done nor struck out."""
        done = self.review.applied | self.review.boxes.declined | self.withheld
        return tuple(p for p in self.dream.proposals if p.id not in done) if self.dream else ()


def reviews(store: Store) -> list[PendingReview]:
    """Return the review notes there are, the oldest first; what cannot be read is left out."""
    names, _ = files.entries(store.root, "inbox")
    paths = sorted(f"inbox/{n}" for n in names if n.startswith("dream-") and n.endswith(".md"))
    return sorted((w for path in paths for w in _waiting(store, path)), key=lambda w: w.review.id)


def declined(note: PendingReview, remarks: Mapping[str, str]) -> Change | None:
    """Return the change that strikes out in *note* what *remarks* names; None where that is not."""
    marks = dict.fromkeys(remarks.keys() & {p.id for p in note.open}, "-")
    if not marks:
        return None
    text = review_note.answered(frontmatter.decode(note.data), marks, remarks)
    return Change(note.path, note.data, text.encode(), "was struck out")


def ticked(note: PendingReview, ids: Collection[str], *, on: bool) -> Change | None:
    """Return the change that ticks those of *ids* in *note*, or clears them; None for none."""
    marks = dict.fromkeys(set(ids) & {p.id for p in note.open}, "x" if on else " ")
    text = review_note.answered(frontmatter.decode(note.data), marks, {}).encode()
    return None if text == note.data else Change(note.path, note.data, text, "was ticked")


def _waiting(store: Store, path: str) -> Iterator[PendingReview]:
    found = files.read(store.root, path)
    try:
        data = store.texts.public(path, found.data) if found else b""
        review = review_note.read(frontmatter.decode(data)) if found else None
    except Unreadable:  # fsck tells of it
        return
    if found and review and review.id:
        dream, sha = _kept(store, review.id)
        touched = found.stamp.mtime_ns / 1e9
        whole = frontmatter.decode(public_text.public(path, found.data))
        left = frozenset(review_note.withheld(whole, frontmatter.decode(data)))
        is_own = sha == found.sha
        other = review_note.reworded(whole, dream.proposals if dream and not is_own else ())
        yield PendingReview(path, data, review, dream, is_own, touched, left, frozenset(other))


def _kept(store: Store, name: str) -> tuple[Dream | None, str]:
    """Return the plan called *name* and the sha-256 its note was written with."""
    try:
        found = files.read(store.root, f"{FOLDER}/{name}.json")
        raw = json.loads(found.data) if found else {}
        return loads(raw["dream"]), str(raw["note"])
    except (BadInput, Refused, ValueError, KeyError, TypeError):
        return None, ""


def keep(store: Store, dream: Dream, note: bytes) -> None:
    """Keep the plan of the review *note*."""
    _keep(store, dream, files.sha256(note))


def protect(store: Store, dream: Dream, names: Collection[str]) -> None:
    """Keep the plan *dream* with those of its proposals protected that are called *names*."""
    _, note = _kept(store, dream.id)
    marked = tuple(replace(p, protected=p.protected or p.id in names) for p in dream.proposals)
    _keep(store, replace(dream, proposals=marked), note)


def _keep(store: Store, dream: Dream, note: str) -> None:
    raw = {"note": note, "dream": dumps(dream)}
    path = f"{FOLDER}/{dream.id}.json"
    found = files.read(store.root, path)
    step = Step(path, found.sha if found else None, json.dumps(raw).encode())
    files.write(store.root, [step], dream.id)


def discard_plans(store: Store, names: Collection[str]) -> None:
    """Discard the plans that are none of *names*: their notes are gone or were replaced."""
    held, _ = files.entries(store.root, FOLDER)
    for name in held:
        if name.endswith(".json") and name.removesuffix(".json") not in names:
            files.discard(store.root, f"{FOLDER}/{name}")


@dataclass(frozen=True, slots=True)
class Looks:
    """When the vault was looked at by itself, and when a plan was made; "" for never."""

    looked: str = ""
    planned: str = ""


def looks(store: Store) -> Looks:
    """Return when a dream was last looked for."""
    try:
        found = files.read(store.root, _LOOKS)
        raw = json.loads(found.data) if found else {}
        return Looks(_time(raw["looked"]), _time(raw["planned"]))
    except (Refused, ValueError, KeyError, TypeError):
        return Looks()


def _time(text: object) -> str:
    try:
        return str(text) if moment(str(text)) else ""
    except BadInput:
        return ""


def note_look(store: Store, seen: Looks) -> None:
    """Note when a dream was looked for; nothing stands on it but when that is done again."""
    found = files.read(store.root, _LOOKS)
    data = json.dumps({"looked": seen.looked, "planned": seen.planned}).encode()
    step = Step(_LOOKS, found.sha if found else None, data)
    files.write(store.root, [step], store.mint())


def at(text: str) -> datetime | None:
    """Return the time that *text* says, None for ""."""
    return moment(text) if text else None


# --- plans as JSON ----------------------------------------------------------------------------


def dumps(dream: Dream) -> str:
    """Return *dream* as JSON, to be read back as it was."""
    raw = asdict(dream)
    for each, proposal in zip(raw["proposals"], dream.proposals, strict=True):
        each["edits"] = [{"kind": type(e).__name__.lower(), **asdict(e)} for e in proposal.edits]
    return json.dumps(raw)


def loads(text: str) -> Dream:
    """Read what `dumps` wrote; raises BadInput for anything else."""
    try:
        return _dream(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as e:
        raise BadInput(f"no plan of a dream: {e}; `vaultmem dream plan` makes a new one") from e


def _dream(raw: Mapping[str, Any]) -> Dream:
    gate = Gate(**raw["gate"])
    proposals = tuple(_proposal(p) for p in raw["proposals"])
    return Dream(
        str(raw["id"]), str(raw["made"]), proposals, tuple(raw["losses"]), gate, tuple(raw["left"])
    )


def _proposal(raw: Mapping[str, Any]) -> Proposal:
    if raw["op"] not in _OPS:
        raise ValueError(f"{raw['op']!r} is nothing that a dream does")
    edits = tuple(_edit(e) for e in raw["edits"])
    kept = tuple(Kept(**k) for k in raw["kept"])
    lists = {name: tuple(raw[name]) for name in ("sources", "losses")}
    return Proposal(**{**raw, **lists, "edits": edits, "kept": kept})


def _edit(raw: Mapping[str, Any]) -> Edit:
    fields = {k: tuple(v) if isinstance(v, list) else v for k, v in raw.items() if k != "kind"}
    return _KINDS[raw["kind"]](**fields)
