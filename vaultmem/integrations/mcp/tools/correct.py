"""`memory_correct`: let something else hold than a memory says; both stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field, TypeAdapter

from vaultmem.integrations.mcp.tools.arguments import LONGEST_PATH, PATH, Arguments, also, path_of
from vaultmem.integrations.mcp.tools.types import CHANGES, Tool
from vaultmem.integrations.mcp.vault_session import ServerSession


class Correct(Arguments):
    """What `memory_correct` is given."""

    path: str = Field(
        max_length=LONGEST_PATH, validation_alias=PATH, description="the memory's path or id"
    )
    content: str = Field(
        validation_alias=also("content", "text", "new", "memory"),
        description="what holds instead, in a whole sentence",
    )
    reason: str = Field("", validation_alias=also("reason", "why"), description="how you know")


@dataclass(frozen=True, slots=True)
class Corrected:
    """The memory that holds now; *undo* takes the correction back.

    *derived* are summaries made anew, *cited* the files that rest on the old one still.
    It *existed* when you had corrected it so before: nothing was written.
    """

    path: str
    supersedes: Sequence[str]
    derived: Sequence[str]
    cited: Sequence[str]
    undo: str
    commit: str | None
    existed: bool = False


def correct(server: ServerSession, given: Correct) -> Corrected:
    """Correct a memory that the client may know of, in the agent's own words."""
    wrong = path_of(server, given.path)
    done = server.vault.correct(
        wrong, given.content, agent=server.agent, source="agent", reason=given.reason
    )
    derived, cited = ([p for p in told if server.scope.knows_of(p)]
                      for told in (done.derived, done.cited))  # fmt: skip
    return Corrected(done.path, done.supersedes, derived, cited, done.id, done.commit, done.existed)


TOOL = Tool(
    "memory_correct", "Correct",
    "Correct a memory that no longer holds or never did: yours is recalled instead, and the old "
    "one stays as history. What a person said is theirs to correct.",
    CHANGES, Correct, TypeAdapter(Corrected), correct,
)  # fmt: skip
