"""The files of the plugin for Claude Code, as texts: hooks, skills, commands, an MCP server.

As a plugin they lie in `.claude/skills/vaultmem/`, where Claude Code loads them as
`vaultmem@skills-dir`; in a project's own settings, beside what the person has there.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files as resources
from typing import Literal

from vaultmem.config import VAULT_AGENT
from vaultmem.errors import BadInput
from vaultmem.integrations.claude_code.events import EVENTS
from vaultmem.integrations.claude_code.json_merge import Json
from vaultmem.version import __version__

Scope = Literal["plugin", "settings"]

HOME = ".claude/skills/vaultmem"
SETTINGS, SERVERS = ".claude/settings.json", ".mcp.json"
_SECONDS = 10
_PARENTHESIS = re.compile(r"[()]")


@dataclass(frozen=True, slots=True)
class Target:
    """What the plugin calls: the *program*, on which vault, for which agent ("": the vault's).

    Where no vault is named, it is the one that `VAULTMEM_VAULT` names, or that of the folder. What
    is not *scoped* and names no agent serves all there are, as earlier versions had it installed.
    """

    program: str
    vault: str
    agent: str = ""
    scoped: bool = True

    @property
    def _named(self) -> tuple[str, ...]:
        return ("--vault", self.vault) if self.vault else ()

    def line(self, *args: str) -> str:
        """Return a line for the shell that calls the program with *args*."""
        whose = ("--agent", self.agent) if self.agent else ()
        return shlex.join((self.program, *args, *self._named, *whose))

    def on_vault(self, *args: str) -> str:
        """Return the same for a command that names no agent."""
        return shlex.join((self.program, *self._named, *args))

    def as_agent(self, *args: str) -> str:
        """Return the same for a command that would look at all agents' files."""
        return shlex.join((self.program, *self._named, *args, *self._whose))

    @property
    def _whose(self) -> tuple[str, ...]:
        # A hook without a name is the vault's agent's; of a server that is said.
        whose = self.agent or VAULT_AGENT * self.scoped
        return ("--agent", whose) if whose else ()

    def server_args(self) -> list[str]:
        """Return what the program is called with to serve MCP."""
        return ["mcp", *self._named, *self._whose]


@dataclass(frozen=True, slots=True)
class Parts:
    """What an installation puts into a project: *files* of its own, entries in others (*woven*)."""

    files: Mapping[str, str]
    merged: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)


def parts(scope: Scope, target: Target) -> Parts:
    """Return all there is to install; raises BadInput for paths that no command can hold."""
    if not all(text.isprintable() and "`" not in text for text in (target.program, target.vault)):
        raise BadInput(
            f"{target.vault!r} cannot stand in a command: rename what has line breaks or backticks"
        )
    if scope == "plugin":
        files = {f"{HOME}/{name}": text for name, text in _plugin(target)}
        return Parts(files)
    files = {f".claude/{name}": text for name, text in _own(target)}
    return Parts(files, {SETTINGS: {"hooks": _hooks(target)}, SERVERS: _servers(target)})


def names() -> frozenset[str]:
    """Return the paths of all files that an installation makes its own, in either scope."""
    anybody = Target("vaultmem", "")
    return frozenset({*parts("plugin", anybody).files, *parts("settings", anybody).files})


def _plugin(target: Target) -> Iterator[tuple[str, str]]:
    yield ".claude-plugin/plugin.json", _json(_MANIFEST)
    yield "hooks/hooks.json", _json({"description": _ABOUT, "hooks": _hooks(target)})
    yield ".mcp.json", _json(_servers(target))
    yield from _own(target)


def _own(target: Target) -> Iterator[tuple[str, str]]:
    """Yield the skills and the commands, which lie in the same folders either way."""
    for name, lines in _skills(target).items():
        text = resources(__package__).joinpath("skills", f"{name}.md").read_text(encoding="utf-8")
        yield (
            f"skills/{name}/SKILL.md",
            text.format(name=name, vault=target.vault or _UNNAMED, **lines),
        )
    for name, (about, then) in _COMMANDS.items():
        line = target.on_vault(f"@{name}")
        # A rule ends with its first parenthesis; a star stands for anything.
        rule = f"Bash({_PARENTHESIS.sub('*', line)})"
        allowed = json.dumps(rule, ensure_ascii=False)
        text = f"---\ndescription: {about}\nallowed-tools: {allowed}\n---\n!`{line}`\n\n{then}\n"
        yield f"commands/{name}.md", text


def _skills(target: Target) -> dict[str, dict[str, str]]:
    """Return the skills by name, each with the lines of the shell that its text holds."""
    return {
        "long-term-memory": {
            "recall": target.as_agent("recall", "QUESTION"),
            "remember": target.line("remember", "FACT"),
            "correct": target.on_vault("correct", "PATH", "WHAT HOLDS INSTEAD"),
            "card": target.on_vault("card", "set", "CATEGORY/KEY", "--field", "NAME=VALUE"),
            "experience": target.line("experience", "TASK", "--outcome", "success"),
        },
        "memory-clean-up": {
            "status": target.on_vault("status"),
            "plan": target.on_vault("dream", "plan"),
            "apply": target.on_vault("dream", "apply"),
            "only": target.on_vault("dream", "apply", "--only", "ID"),
            "undo": target.on_vault("dream", "undo"),
        },
    }


def _hooks(target: Target) -> dict[str, Json]:
    # Whatever happens to the program: an exit code of 2 would take a prompt from a person.
    lines = {event: f"{target.line('hook', event)} || exit 0" for event in EVENTS}
    return {
        event: [{"hooks": [{"type": "command", "command": line, "timeout": _SECONDS}]}]
        for event, line in lines.items()
    }


def _servers(target: Target) -> dict[str, Json]:
    args: list[Json] = [*target.server_args()]
    return {"mcpServers": {"vaultmem": {"command": target.program, "args": args}}}


def _json(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


_ABOUT = "A memory that people own: a folder of Markdown files in git."
_MANIFEST: dict[str, Json] = {
    "name": "vaultmem",
    "version": __version__,
    "description": _ABOUT,
    "author": {"name": "The vaultmem authors"},
    "license": "MIT",
    "keywords": ["memory", "markdown", "git", "obsidian"],
}
_UNNAMED = "$VAULTMEM_VAULT"
_SHOW = "Briefly show the person what is above. Do nothing else."
_COMMANDS = {
    "compact-memories": ("Compact the long-term memory now, even below the threshold.", _SHOW),
    "memory-status": ("Show counts, windows and health of the long-term memory.", _SHOW),
    "dream": (
        "Plan a clean-up of the long-term memory, for a person to review.",
        "Tell the person what is proposed above and in which note to tick it. Change nothing.",
    ),
}
