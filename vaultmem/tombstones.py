"""What was forgotten, without a word of it: enough to know it again when somebody brings it back.

`tombstones/<id>.md` names the id, an importer's key, and a keyed hash of the text. Who holds both
the file and a guess of the text can test that guess, as the program does; nobody can read it.
"""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vaultmem import document
from vaultmem.errors import Unreadable
from vaultmem.plan import Change
from vaultmem.site import Site

FOLDER = "tombstones"
SALT = 16
"""Bytes of a salt; one serves a whole vault, so that a text is hashed once to be looked up."""

_BODY = "Forgotten. Delete this file to let it back in.\n"


@dataclass(frozen=True, slots=True)
class Tombstone:
    """One thing that was forgotten: what named it, when and why, and what tells it again.

    *digests* has one for each text it stands for; *salt* is the key they were made with, in hex.
    *purged* is when it left the history, too, empty before.
    """

    id: str
    created: str
    salt: str
    digests: tuple[str, ...]
    reason: str = ""
    origin: str = ""
    agent: str = ""
    purged: str = ""

    @property
    def path(self) -> str:
        """Where it stands; there are no words in it."""
        return path(self.id)


def path(forgotten_id: str) -> str:
    """Return where the tombstone of *forgotten_id* stands."""
    return f"{FOLDER}/{forgotten_id}.md"


def digest(text: str, salt: str) -> str:
    """Return the HMAC-SHA256 of *text*, however it is spaced and cased, keyed with *salt*."""
    return hmac.new(bytes.fromhex(salt), normal(text).encode(), hashlib.sha256).hexdigest()


def normal(text: str) -> str:
    """Return *text* as it is compared: NFKC, case folded, single spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.encode(errors="replace").decode().split())


def change(stone: Tombstone) -> Change:
    """Return the new file of *stone*."""
    named = {"agent": stone.agent, "origin": stone.origin, "reason": stone.reason}
    head: dict[str, str | Sequence[str]] = {
        "id": stone.id,
        "type": "tombstone",
        "created": stone.created,
        **{key: value for key, value in named.items() if value},
        "hash": list(stone.digests),
        "salt": stone.salt,
    }
    return Change(stone.path, None, document.new(head, _BODY).encode(), "so that it stays away")


def purged(old: bytes, stone: Tombstone, now: str) -> Change:
    """Return the change that notes on *stone*, whose file is *old*, when it left the history."""
    doc = document.update(document.parse(document.decode(old)), {"purged": now})
    return Change(stone.path, old, document.render(doc).encode(), "purged from the history")


@dataclass(frozen=True, slots=True)
class Graves:
    """All tombstones of a vault, as they are asked of a text that wants in."""

    stones: tuple[Tombstone, ...] = ()

    @property
    def salt(self) -> str:
        """The salt that the vault uses already, "" before the first tombstone."""
        return self.stones[0].salt if self.stones else ""

    def of(self, text: str, *, agent: str = "", origin: str = "") -> Tombstone | None:
        """Return what says that *text*, or what *agent*'s importer calls *origin*, was forgotten.

        A key of an importer is forgotten for its agent alone; a text is for everybody.
        """
        if not self.stones:
            return None
        known = {digest(text, salt) for salt in {s.salt for s in self.stones}}
        named = (s for s in self.stones if _is_named(s, agent, origin) or known & {*s.digests})
        return next(named, None)


def _is_named(stone: Tombstone, agent: str, origin: str) -> bool:
    return bool(origin) and (stone.origin, stone.agent) == (origin, agent)


def load(site: Site) -> Graves:
    """Return the tombstones there are; one that cannot be read refuses nothing."""
    rows = site.index.db.execute(
        "SELECT path FROM docs WHERE path LIKE 'tombstones/%' AND type = 'tombstone' ORDER BY path"
    )
    found = (_read(site, name) for (name,) in rows.fetchall())
    return Graves(tuple(stone for stone in found if stone))


def find(site: Site, forgotten_id: str) -> Tombstone | None:
    """Return the tombstone of *forgotten_id*, None when there is none to be read."""
    return _read(site, path(forgotten_id.upper()))


def _read(site: Site, where: str) -> Tombstone | None:
    data = site.read(where)
    try:
        raw = document.fields(document.parse(document.decode(data or b"")))
        salt = str(raw.get("salt", ""))
        bytes.fromhex(salt)
    except (Unreadable, ValueError):
        return None
    text = {key: str(raw.get(key, "")) for key in ("reason", "origin", "agent", "purged")}
    digests = tuple(_texts(raw.get("hash", ())))
    if not salt or not digests:
        return None
    return Tombstone(str(raw.get("id", "")), str(raw.get("created", "")), salt, digests, **text)


def _texts(value: object) -> Iterable[str]:
    return (value,) if isinstance(value, str) else map(str, value)  # type: ignore[call-overload]  # a list
