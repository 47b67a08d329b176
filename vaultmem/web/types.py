"""What pages and actions are, and what they are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from vaultmem.api.vault import Vault
from vaultmem.api.views import View

Form = Mapping[str, Sequence[str]]
"""The fields of a form that was sent, each with all of its values."""


@dataclass(frozen=True, slots=True)
class Options:
    """How the server was started: for which *agent*, "" for all, and whether it only reads."""

    agent: str = ""
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page is asked for: its *path*, the *rest* of that behind the page's own, the query.

    *as_of* is the moment in the past to show, "" for now; *now* is the present. *changes* is the
    count of changes at that moment: what comes after it is not in the page.
    """

    now: datetime
    options: Options = Options()
    path: str = "/"
    rest: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    as_of: str = ""
    changes: int = 0

    @property
    def may_write(self) -> bool:
        """Whether the page may offer to change something."""
        return not (self.options.read_only or self.as_of)


@dataclass(frozen=True, slots=True)
class Reader:
    """What a page reads from: the open vault, and the view of it at the moment asked for."""

    vault: Vault
    view: View


@dataclass(frozen=True, slots=True)
class Page:
    """A page: where it is, how it is called, and how it is made.

    *query* returns the values that *template* shows; *path* may end in `{rest:path}`.
    """

    path: str
    title: str
    template: str
    query: Callable[[Reader, Asked], object]


@dataclass(frozen=True, slots=True)
class Done:
    """What an action did, as a sentence, and where to go on; *op* is the operation to undo it by.

    With a *page* that is shown at once, with *status*, instead of going on: what is asked back.
    """

    said: str
    to: str = "/"
    op: str = ""
    page: Page | None = None
    status: int = 200
    model: object = None


@dataclass(frozen=True, slots=True)
class Action:
    """What forms with `data-action` *name* do; they are sent to `/do/NAME`."""

    name: str
    run: Callable[[Vault, Form, Options], Done]


@dataclass(frozen=True, slots=True)
class Notice:
    """What was just done, to be said on the next page."""

    said: str
    op: str = ""


def one(form: Form, name: str) -> str:
    """Return the first value of a field, "" without one."""
    return next(iter(form.get(name, ())), "")
