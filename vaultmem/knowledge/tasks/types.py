"""A task as a value, and how it is named: 4, `task-0004`, `[[task-0004]]`, `tasks/task-0004.md`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.records import TRUST, TRUST_OF_SOURCE

Status = Literal["pending", "in_progress", "completed"]

STATUSES: tuple[Status, ...] = get_args(Status)
UNTRUSTED = "a task that is not trusted"
"""What stands for the words of such a task where nobody asked for them."""

LONGEST_RESULT = 2000
"""Characters of a result or an error, which are a line of frontmatter."""

_SAID: Mapping[Status, frozenset[str]] = {
    "pending": frozenset({"todo", "to_do"}),
    "in_progress": frozenset({"doing", "started", "active"}),
    "completed": frozenset({"done", "complete", "finished"}),
}
_NAMED = re.compile(r"(?:tasks/)?(?:task-)?0*([1-9]\d{0,8})(?:\.md)?", re.IGNORECASE)
_LINK = re.compile(r"\[\[([^\[\]|#]+)[^\[\]]*\]\]")


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do: who does it, what it waits for and what waits for it, by number.

    *result* is what came of it, *error* why it failed last, *log* the path of the file in the vault
    that tells how it went. *commit* is the one that a change just made; None while git has not got
    it, and when only read. *uncommitted* says why git never gets a change, and what to do. *trust*
    is that of its file, *outcome_trust* that of the result and the error: a tool may have said it.
    """

    id: int
    subject: str
    status: Status = "pending"
    owner: str = ""
    blocked_by: tuple[int, ...] = ()
    blocks: tuple[int, ...] = ()
    description: str = ""
    path: str = ""
    created: str = ""
    updated: str = ""
    result: str = ""
    error: str = ""
    log: str = ""
    commit: str | None = None
    uncommitted: str = ""
    trust: str = TRUST_OF_SOURCE["agent"]
    outcome_trust: str = TRUST_OF_SOURCE["agent"]

    @property
    def unasked(self) -> Task:
        """The task as who did not ask for it is told: one not trusted, without its words."""
        if self.trust != TRUST[0]:
            return self
        return replace(
            self, subject=UNTRUSTED, owner="", description="", result="", error="", log=""
        )  # fmt: skip

    @property
    def words(self) -> str:
        """All that its file says in words, a line each."""
        named = (("owner", self.owner), ("result", self.result), ("error", self.error),
                 ("log", self.log))  # fmt: skip
        lines = (f"{name}: {said}" for name, said in named if said)
        return "\n".join((self.subject, *lines, self.description))

    @property
    def is_open(self) -> bool:
        """Whether it is still to be done."""
        return self.status != "completed"


def number(ref: int | str) -> int:
    """Return the number of the task that *ref* names; raises BadInput."""
    found = named(str(ref))
    if found is None:
        raise BadInput(f"{quoted(str(ref))} names no task: write its number, 4 or task-0004")
    return found


def named(text: str) -> int | None:
    """Return the number of the task that *text* names, None when it names none."""
    link = _LINK.search(text)
    found = _NAMED.fullmatch((link[1] if link else text).strip().removeprefix("#"))
    return int(found[1]) if found else None


def status_named(text: str) -> Status | None:
    """Return the status that *text* says, in whatever words it is set; None for none of the three.

    `done`, `doing` and `todo` are such words.
    """
    name = re.sub(r"[\s-]+", "_", text.strip().casefold())
    return next((s for s in STATUSES if name == s or name in _SAID[s]), None)


def required_status(text: str) -> Status:
    """Return the status that *text* says; raises BadInput for none of the three."""
    found = status_named(text)
    if found is None:
        raise BadInput(f"{quoted(text)} is not a status: use one of {', '.join(STATUSES)}")
    return found
