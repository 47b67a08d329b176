"""The programs: in which file of a project each looks for MCP servers, and what an entry is there.

As their own documentation says it. Cursor's `.cursor/mcp.json` and Gemini CLI's settings have
`mcpServers`, VS Code's `.vscode/mcp.json` has `servers`, each of a `type`; Codex reads a table of
TOML, in projects that it was told to trust.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from vaultmem.integrations.claude_code.json_merge import Json

SERVER = "vaultmem"


@dataclass(frozen=True, slots=True)
class McpClient:
    """A program, the *file* of a project that it reads, and the *key* that has the servers there.

    *typed* where an entry says that it is spoken to over stdio; *comments* where the program reads
    JSON with comments in it; *then* is what a person does next.
    """

    title: str
    file: str
    key: str
    then: str
    form: Literal["json", "toml"] = "json"
    typed: bool = False
    comments: bool = False

    @property
    def receipt(self) -> str:
        """The file beside it in which we note what stood there before we wrote our entry."""
        return f"{self.file.rpartition('/')[0]}/vaultmem.json"

    def entry(self, program: str, args: list[str]) -> dict[str, Json]:
        """Return what the file says of a server that is *program*, called with *args*."""
        kind: dict[str, Json] = {"type": "stdio"} if self.typed else {}
        return {self.key: {SERVER: {**kind, "command": program, "args": [*args]}}}


CLIENTS: Mapping[str, McpClient] = {
    "cursor": McpClient(
        "Cursor", ".cursor/mcp.json", "mcpServers",
        "open the project in Cursor, and switch the server on in its settings, under MCP",
    ),
    "codex": McpClient(
        "Codex", ".codex/config.toml", "mcp_servers",
        "start codex in the project, trust it when asked, and look with /mcp", form="toml",
    ),
    "gemini": McpClient(
        "Gemini CLI", ".gemini/settings.json", "mcpServers",
        "start gemini in the project, trust its folder (else no server starts), and look with /mcp",
        comments=True,
    ),
    "vscode": McpClient(
        "VS Code", ".vscode/mcp.json", "servers",
        "open the project in VS Code, and start the server when it asks whether you trust it",
        typed=True, comments=True,
    ),
}  # fmt: skip
