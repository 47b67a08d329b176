"""What one agent may know of a vault's files and history: what all share, and its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vaultmem.api.agent_files import paths
from vaultmem.maintenance import starter_files
from vaultmem.memory import memory_index
from vaultmem.memory.remember import REVIEW


def waits_for_review(path: str) -> bool:
    """Tell whether the file at *path* waits for a person's review: its text is not shown."""
    return path.casefold().startswith(f"{REVIEW}/")


@dataclass(frozen=True, slots=True)
class AgentScope:
    """What *agent* may know; "" may know all."""

    agent: str = ""

    def knows_of(self, path: str) -> bool:
        """Tell whether the agent may know of *path*: what is shared, and its own.

        Of what waits for review, too, though nobody reads it: whose it is the commit tells.
        """
        if path == starter_files.INBOX:  # an empty file, which keeps the folder
            return True
        return paths.concerns(path, self.agent) or waits_for_review(path)

    def did(self, trailers: Iterable[tuple[str, str]]) -> bool:
        """Tell by a commit's *trailers* whether the agent did it, or all share it."""
        return not self.agent or dict(trailers).get("Agent", "") in {"", self.agent}

    def visible_diff(self, diff: str) -> str:
        """Return *diff* without the pointers of MEMORY.md that lead to what is another agent's."""
        if not self.agent:
            return diff
        return "\n".join(line for line in diff.split("\n") if self._is_visible(line[1:]))

    def _is_visible(self, line: str) -> bool:
        return memory_index.seen_by(line, self.agent) == line
