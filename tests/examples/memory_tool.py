"""Claude keeps its own notes: Anthropic's memory tool, on a vault that people read and own."""

import sys

from anthropic import Anthropic

from vaultmem import Vault
from vaultmem.memory_tool import VaultMemoryTool

with Vault.open("memory") as vault:
    answer = (
        Anthropic()
        .beta.messages.tool_runner(
            model="claude-sonnet-5-5",
            max_tokens=2000,
            messages=[{"role": "user", "content": sys.argv[1]}],
            tools=[VaultMemoryTool(vault, agent="ada")],
        )
        .until_done()
    )
    print(*(block.text for block in answer.content if block.type == "text"))
