"""Edit a note, correct a memory, and show what only its owner sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from vaultmem.api.vault import Vault
from vaultmem.api.views import View
from vaultmem.errors import BadInput, Refused, StaleWrite
from vaultmem.web.rendering import diffs
from vaultmem.web.rendering.diffs import FileDiff
from vaultmem.web.types import Action, Asked, Done, Form, Options, Page, Reader, one


@dataclass(frozen=True, slots=True)
class Collision:
    """An edit of a file that is another one by now: both texts, and what lies between them."""

    path: str
    mine: str
    theirs: str
    sha256: str
    between: Sequence[FileDiff]


@dataclass(frozen=True, slots=True)
class Revealed:
    """A file whole, private parts and credentials, too."""

    path: str
    text: str


def _nothing(_reader: Reader, _asked: Asked) -> None:
    return None


_COLLISION = Page("/do/edit", "It changed while you were editing", "collision.html", _nothing)
_REVEALED = Page("/do/reveal", "Everything in the file", "revealed.html", _nothing)


def _edit(vault: Vault, form: Form, options: Options) -> Done:
    path, text = one(form, "path"), one(form, "text")
    with vault.views.at(agent=options.agent) as view:
        _require_seen(view, path)
    try:
        done = vault.edits.write(path, text, expected_sha256=one(form, "sha"))
    except StaleWrite:
        return _collided(vault, path, text, options)
    said = "Nothing to save: the file already says that." if done.existed else "Saved."
    said = f"Saved: {done.uncommitted}." if done.uncommitted else said
    op = done.commit or ""
    return Done(said, f"/file/{quote(path)}", op)


def _require_seen(view: View, path: str) -> None:
    """Raise where not all of the file at *path* is seen: who may not see it may not change it."""
    view.file(path)
    if not view.shows_all_of(path):
        raise Refused(f"{path} has lines of other agents, which are not shown here")


def _collided(vault: Vault, path: str, mine: str, options: Options) -> Done:
    with vault.views.at(agent=options.agent) as view:
        _require_seen(view, path)
    now = vault.edits.draft(path)
    between = diffs.parsed(diffs.between(path, now.text, mine.replace("\r\n", "\n")))
    model = Collision(path, mine, now.text, now.sha256, between)
    return Done("", page=_COLLISION, status=409, model=model)


def _correct(vault: Vault, form: Form, options: Options) -> Done:
    text = one(form, "text").strip()
    if not text:
        raise BadInput("say what holds instead")
    path = one(form, "path")
    with vault.views.at(agent=options.agent) as view:
        record = view.file(path).record
    done = vault.correct(path, text, agent=options.agent or record.agent)
    return Done(
        "Corrected: the memory stays, the correction holds.", f"/file/{quote(path)}", done.id
    )


def _reveal(vault: Vault, form: Form, options: Options) -> Done:
    path = one(form, "path")
    with vault.views.at(agent=options.agent) as view:
        model = Revealed(path, view.own_text(path))
    return Done("", page=_REVEALED, model=model)


ACTIONS = (Action("edit", _edit), Action("correct", _correct), Action("reveal", _reveal))
