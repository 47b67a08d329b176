"""What was forgotten, without a word of it: enough to know it again when somebody brings it back.

`tombstones/<id>.md` names the id, an importer's key, and keyed hashes of the text and of its
sentences. Who holds both the file and a guess of the text can test that guess, as the program does;
nobody can read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from vaultmem.documents import frontmatter, speakers
from vaultmem.documents.frontmatter import Field
from vaultmem.documents.markdown import blocks
from vaultmem.errors import DamagedTombstone, ForgottenText, NotAFile
from vaultmem.storage import (
    files,
    gone_tombstones,
    tombstone_checks,
    tombstone_ledger,
)
from vaultmem.storage.plan import Change
from vaultmem.storage.reader import TEXT, link_target
from vaultmem.storage.store import Store
from vaultmem.storage.tombstone_checks import FOLDER, PART, listed
from vaultmem.storage.tombstone_digests import candidate_digests, name_digests, phrase, tokens
from vaultmem.storage.tombstone_ledger import Noted

MARK = tombstone_checks.MARK

_ID = re.compile(r"[0-9A-Za-z]{26}")
_LEFT = re.compile(rb"(?m)^(?:purged|rewritten):")
_TOLD = ("reason", "origin", "agent", "purged", "rewritten", "trust", "of")
_BODY = "Forgotten. {} allows it again.\n"


class Tombstone(NamedTuple):
    """One thing that was forgotten: what named it, when and why, and what tells it again.

    *digests* has one or two for each text it stands for, *parts* one for each sentence that nobody
    else says, as `words:digest`; *salt* is the key they were made with, in hex. *supersedes* has
    the ids of what it had ended, which stays ended, and *trust* is what its word was worth.
    *purged* is when it left the history, too, empty before; *rewritten* is when a purge rewrote the
    history and found something of it left elsewhere; *phrases* are the rows of its words
    that other files still said then, as `words:digest`. *of* is `file` for a text that was kept
    as it was, "" for all else. *whose* has digests of the words of its speaker's name, where it is
    that one's own matter. *stays* has one for each line of a person's that says it where it was
    absorbed. *place* is where it stands while it is not here, empty for one that is.
    """

    id: str
    created: str
    salt: str
    digests: tuple[str, ...]
    reason: str = ""
    origin: str = ""
    agent: str = ""
    purged: str = ""
    rewritten: str = ""
    parts: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    trust: str = ""
    phrases: tuple[str, ...] = ()
    of: str = ""
    whose: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()
    place: str = ""

    @property
    def bars_texts(self) -> bool:
        """Whether no text file may say it again: not one that was a text file itself.

        That is there for imports, and who writes such a file anew means it. What a person purged
        from the history stays away in any case.
        """
        return self.of != TEXT or bool(self.purged or self.rewritten)

    @property
    def path(self) -> str:
        """Where it stands; there are no words in it."""
        return path(self.id)


def path(forgotten_id: str) -> str:
    """Return where the tombstone of *forgotten_id* stands."""
    return f"{FOLDER}/{forgotten_id}.md"


def allow_again(forgotten_id: str) -> str:
    """Return the command by which a person lets in again what *forgotten_id* stands for."""
    return f"`vaultmem forget {forgotten_id} --allow-again`"


def is_path(name: str) -> bool:
    """Tell whether a tombstone may stand at *name*."""
    return name.startswith(f"{FOLDER}/")


def stretches(text: str, tombstones: Iterable[Tombstone]) -> Iterator[str]:
    """Yield the stretches of *text*, as words in a row, that are parts of *tombstones*."""
    said = tokens(text)
    for salt, count, known in _wanted(tombstones):
        for at in range(len(said) - count + 1):
            row = said[at : at + count]
            if phrase(row, salt) in known:
                yield " ".join(row)


def _wanted(tombstones: Iterable[Tombstone]) -> Iterator[tuple[str, int, set[str]]]:
    found: dict[tuple[str, int], set[str]] = {}
    for tombstone in tombstones:
        for match in filter(None, map(PART.fullmatch, tombstone.parts)):
            count = int(match["count"])
            found.setdefault((tombstone.salt, count), set()).add(f"{count}:{match['digest']}")
    yield from ((salt, count, known) for (salt, count), known in found.items())


def change(tombstone: Tombstone) -> Change:
    """Return the new file of *tombstone*."""
    named = {
        "agent": tombstone.agent, "origin": tombstone.origin, "reason": tombstone.reason,
        "trust": tombstone.trust, "of": tombstone.of,
    }  # fmt: skip
    listed = {
        "parts": tombstone.parts, "whose": tombstone.whose, "stays": tombstone.stays,
        "supersedes": [f"[[{x}]]" for x in tombstone.supersedes],
    }  # fmt: skip
    head: dict[str, str | Sequence[str]] = {
        "id": tombstone.id,
        "type": "tombstone",
        "created": tombstone.created,
        **{key: value for key, value in named.items() if value},
        "hash": list(tombstone.digests),
        **{key: list(value) for key, value in listed.items() if value},
        "salt": tombstone.salt,
    }
    data = frontmatter.new(head, _BODY.format(allow_again(tombstone.id))).encode()
    return Change(tombstone.path, None, data, "so that it does not come back")


def purged(old: bytes, tombstone: Tombstone, now: str, phrases: Sequence[str] = ()) -> Change:
    """Return the change that records when *tombstone*, whose file is *old*, left the history.

    And which *phrases* of it stay in files that are not its own.
    """
    new = _noted(old, "purged", now, phrases)
    return Change(tombstone.path, old, new, "purged from the history")


def rewritten(old: bytes, tombstone: Tombstone, now: str, phrases: Sequence[str] = ()) -> Change:
    """Return the change that records when a purge of *tombstone* rewrote the history.

    And which *phrases* of it stay: once the history is another, nobody can tell.
    """
    new = _noted(old, "rewritten", now, phrases)
    return Change(tombstone.path, old, new, "the history is another")


def _noted(old: bytes, key: str, now: str, phrases: Sequence[str]) -> bytes:
    due: dict[str, Field | None] = {key: now, **({"phrases": list(phrases)} if phrases else {})}
    return frontmatter.edited(old, due)


def has_left_history(data: bytes | None) -> bool:
    """Tell whether *data*, a tombstone, says that the history was rewritten for it."""
    return bool(_LEFT.search(data or b""))


class Tombstones(NamedTuple):
    """All tombstones of a vault, as they are asked of a text that wants in."""

    all: tuple[Tombstone, ...] = ()

    @property
    def salt(self) -> str:
        """The salt that the vault uses already, "" before the first tombstone."""
        return self.all[0].salt if self.all else ""

    def of(self, *texts: str, agent: str = "", origin: str = "") -> Tombstone | None:
        """Return what says that one of *texts*, or *agent*'s *origin*, was forgotten.

        A key of an importer is forgotten for its agent alone; a text is for everybody, unless there
        is not one word in it.
        """
        if not self.all:
            return None
        salts = {s.salt for s in self.all}
        said = [text for text in texts if tokens(text)]
        known = {it for salt in salts for text in said for it in candidate_digests(text, salt)}
        named = (s for s in self.all if _is_named(s, agent, origin) or known & {*s.digests})
        return next(named, None)

    def of_a_stretch(self, text: str) -> Tombstone | None:
        """Return what says that some words in a row of *text* were forgotten."""
        if not any(stretches(text, self.all)):
            return None
        return next(it for it in self.all if any(stretches(text, [it])))

    def of_any(self, text: str, agent: str = "") -> Tombstone | None:
        """Return what says that *text*, a passage or some words in a row of it were forgotten."""
        if not self.all:
            return None
        return self.of(*blocks.passages(text), agent=agent) or self.of_a_stretch(text)

    def of_id(self, forgotten_id: str) -> Tombstone | None:
        """Return what says that the thing with this id was forgotten, whatever it said."""
        named = forgotten_id.upper()
        return next((stone for stone in self.all if stone.id == named), None)

    def of_speaker(self, name: str, owner: str = "") -> Tombstones:
        """Return those of what *name* may have said: not of what is another one's own matter.

        One who is named by a part of the name is no other, nor is one who is not named, or speaks
        as `user` in the vault of its *owner*.
        """
        said = speakers.named(name, owner) if name else ""
        salts = {s.salt for s in self.all if s.whose} if said else set[str]()
        known = {salt: {*name_digests(said, salt)} for salt in salts}
        return Tombstones(tuple(s for s in self.all if not _is_anothers(s, known)))

    def barring(self, path: str) -> Tombstones:
        """Return those that bar a text from the file at *path*: a text file may be one again."""
        if not files.is_text(path):
            return self
        return Tombstones(tuple(stone for stone in self.all if stone.bars_texts))


def _is_anothers(tombstone: Tombstone, names: Mapping[str, set[str]]) -> bool:
    own, whose = names.get(tombstone.salt, set()), {*tombstone.whose}
    return bool(own and whose) and not (own <= whose or whose <= own)


def _is_named(tombstone: Tombstone, agent: str, origin: str) -> bool:
    return bool(origin) and (tombstone.origin, tombstone.agent) == (origin, agent)


def load(store: Store) -> Tombstones:
    """Return the tombstones there are, to ask them whether a text may come in.

    With those of other branches that this clone has seen, all of them where its ledger is missing
    or damaged; not with one that was deleted here.
    Raises DiskRefused where one cannot be read, DamagedTombstone where one is not whole, NotAFile
    where something stands in the place of their folder: what was forgotten cannot be told then.
    """
    kind = files.kind_of(store.root, FOLDER)
    if kind not in {"", files.FOLDER}:
        raise NotAFile(FOLDER, kind)
    read = {path: store.texts.read(path) for path in store.index.tombstones()}
    found = {path: data for path, data in read.items() if data is not None}
    here = tuple(_whole(path, data) for path, data in found.items())
    noted = gone_tombstones.learn_once(store)
    seen = noted.seen
    if changed := next((p for p, d in found.items() if _is_altered(p, d, seen)), ""):
        raise DamagedTombstone(changed)
    own = {path: data for path, data in found.items() if tombstone_checks.is_one(path)}
    known = tombstone_ledger.note(store.root.path, own, noted)
    return Tombstones((*here, *_elsewhere(store, known)))


def _elsewhere(store: Store, known: Noted) -> Iterator[Tombstone]:
    for it in gone_tombstones.find(store, known):
        if it.place and (stone := parsed(it.path, it.text.encode())):
            yield stone._replace(place=it.place)


def altered(store: Store, known: Noted) -> Iterator[str]:
    """Yield the tombstones that have another salt than is *known* of them, or lack a hash."""
    seen = known.seen
    for it in store.index.at(path for path in store.index.tombstones() if path in seen):
        as_noted = it.sha == files.sha256(seen[it.path].encode())
        data = None if as_noted else store.texts.read_if_allowed(it.path)
        if data is not None and _is_altered(it.path, data, seen):
            yield it.path


def _is_altered(path: str, data: bytes, seen: Mapping[str, str]) -> bool:
    return path in seen and tombstone_checks.is_altered(path, seen[path].encode(), data)


def readable(store: Store) -> Tombstones:
    """Return the tombstones that can be read, for who only tells of what there is."""
    found = ((path, store.texts.read_if_allowed(path)) for path in store.index.tombstones())
    made = (parsed(path, data) for path, data in found if data is not None)
    return Tombstones(tuple(filter(None, made)))


def _whole(path: str, data: bytes) -> Tombstone:
    found = parsed(path, data)
    if found is None:
        raise DamagedTombstone(path)
    return found


def refuse(  # what it is known by, by name
    store: Store, *texts: str, agent: str = "", origin: str = "", named: str = "", speaker: str = ""
) -> None:
    """Raise ForgottenText when one of *texts* was forgotten, and shall not come back unbidden.

    So it does for what *agent*'s importer calls *origin*, and for what has *named* as its id; not
    for what a *speaker* says of themselves in the words in which another did.
    Raises DiskRefused as `load` does.
    """
    known = load(store)
    _refuse(known, agent=agent, origin=origin, named=named)
    own = known.of_speaker(speaker, store.config().owner) if known.all and speaker else known
    _refuse(own, *texts, agent=agent)


def refuse_file(store: Store, path: str, *texts: str, agent: str) -> None:
    """Raise ForgottenText as `refuse` does for what *agent* writes into the file at *path*."""
    _refuse(load(store).barring(path), *texts, agent=agent)


def _refuse(known: Tombstones, *texts: str, agent: str, origin: str = "", named: str = "") -> None:
    if tombstone := known.of_id(named) or known.of(*texts, agent=agent, origin=origin):
        raise ForgottenText(tombstone.created[:10], tombstone.agent, way_back(tombstone))


def way_back(tombstone: Tombstone) -> str:
    """Say what lets in again what *tombstone* stands for."""
    allowing = f"{allow_again(tombstone.id)} lets it back in"
    if not tombstone.place:
        return allowing
    if tombstone.place == gone_tombstones.LEFT_OUT:
        return (
            f"{tombstone.path} is {tombstone.place}: once `git sparse-checkout disable` has "
            f"brought it here, {allowing}"
        )
    return (
        f"{tombstone.path} is {tombstone.place}, and `vaultmem fsck --repair` brings it here; "
        f"{allowing}"
    )


def find(store: Store, forgotten_id: str) -> Tombstone | None:
    """Return the tombstone of *forgotten_id*, None when there is none; raises as `load` does."""
    where = path(forgotten_id.upper())
    data = store.texts.read(where) if _ID.fullmatch(forgotten_id) else None
    return None if data is None else _whole(where, data)


def parsed(path: str, data: bytes) -> Tombstone | None:
    """Return what the tombstone at *path* says in *data*, None for one that is not whole."""
    raw = tombstone_checks.whole(path, data)
    if raw is None:
        return None
    text = {key: str(raw.get(key, "")) for key in _TOLD}
    digests, parts, supersedes = (listed(raw, key) for key in ("hash", "parts", "supersedes"))
    return Tombstone(
        str(raw["id"]), str(raw.get("created", "")), str(raw["salt"]), digests, **text,
        parts=parts, supersedes=tuple(map(link_target, supersedes)),
        phrases=listed(raw, "phrases"), whose=listed(raw, "whose"), stays=listed(raw, "stays"),
    )  # fmt: skip
