"""A session of Claude Code, as its program writes it down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(slots=True)
class ClaudeSession:
    """The transcript at *path* of the session *name*, to which events are added."""

    path: Path
    name: str = "s1"
    count: int = 0

    def person(self, text: str) -> None:
        """Let a person say something."""
        self._add("user", text)

    def agent(self, text: str) -> None:
        """Let the agent say something."""
        self._add("assistant", [{"type": "text", "text": text}])

    def used(self, answer: str, tool: str = "WebFetch", **given: str) -> None:
        """Let the agent use a tool, which is *given* something, and the tool answer."""
        call = f"t{self.count}"
        self._add("assistant", [{"type": "tool_use", "id": call, "name": tool, "input": given}])
        self._add("user", [{"type": "tool_result", "tool_use_id": call, "content": answer}])

    def add(self, event: Mapping[str, object]) -> None:
        """Let the program write a line, which it numbers and dates."""
        self.count += 1
        numbered = {
            "uuid": f"{self.name}-{self.count}", "sessionId": self.name,
            "timestamp": f"2026-01-02T10:{self.count // 60:02d}:{self.count % 60:02d}.000Z",
            **event,
        }  # fmt: skip
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as stream:
            stream.write(json.dumps(numbered) + "\n")

    def _add(self, role: str, content: object) -> None:
        self.add({"type": role, "message": {"role": role, "content": content}})
