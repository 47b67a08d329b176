"""`memory_forget`: forget a file, or purge it where the server allows that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import Field, TypeAdapter

from vaultmem.api.types import Permit
from vaultmem.errors import Refused
from vaultmem.integrations.mcp import commands
from vaultmem.integrations.mcp.tools.arguments import LONGEST_PATH, PATH, Arguments, also, path_of
from vaultmem.integrations.mcp.tools.types import TAKES_AWAY, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession


class Forget(Arguments):
    """What `memory_forget` is given."""

    path: str = Field(max_length=LONGEST_PATH, validation_alias=PATH, description="path or id")
    reason: str = Field(
        "",
        validation_alias=also("reason", "why"),
        description="kept, so do not repeat the text",
    )
    purge: bool = Field(default=False, description="erase it from the git history, for good")


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten; *undo* brings it back, "" when nothing can."""

    tombstones: Sequence[str]
    undo: str
    retold: Sequence[str]
    mentions: Sequence[str]
    history: str
    commit: str | None


def forget(server: ServerSession, given: Forget) -> Forgotten:
    """Forget a file, or an id; a purge only where the server was started to allow it."""
    path, forgetting = path_of(server, given.path), server.vault.forgetting
    if given.purge and not server.limits.allow_purge:
        raise Refused(
            "this server does not purge: leave purge out, and tell the person that the history "
            "still has it, which they can purge"
        )
    if forgetting.is_final and not given.purge:
        raise Refused(
            "this vault has no history, so what is forgotten is gone for good: ask the person to "
            f"forget {path}"
        )
    if given.purge:
        done, purged = forgetting.purge([path], given.reason, Permit(), source="agent")
        still = [it.place for it in purged.proof.still]
        done = replace(done, mentions=(*dict.fromkeys((*done.mentions, *still)),))
    else:
        done = server.vault.forget(path, reason=given.reason, source="agent")
    stones = [f"tombstones/{stone}.md" for stone in done.forgotten]
    undo = "" if given.purge else done.op
    derived, mentions = ([p for p in told if server.scope.knows_of(p)]
                         for told in (done.derived, done.mentions))  # fmt: skip
    history = commands.for_client(done.history)
    if not (given.purge or forgetting.is_final):
        history = _WITH_PURGE if server.limits.allow_purge else _KEPT
    return Forgotten(stones, undo, derived, mentions, history, done.commit)


_KEPT = "git still has it: a person may ask for it to be purged, which only they can do"
_WITH_PURGE = "git still has it: memory_forget with purge takes it out, if the person wants that"
TOOL = Tool(
    "memory_forget", "Forget",
    "Forget a file; what was made from it is rewritten without it. memory_undo brings it "
    "back, unless purged.",
    TAKES_AWAY, Forget, TypeAdapter(Forgotten), forget,
)  # fmt: skip
