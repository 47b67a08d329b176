"""Claude with a memory: the loop is the SDK's, what it knows of earlier comes from the vault."""

import sys

from anthropic import Anthropic, beta_tool

from vaultmem import Memory

memory = Memory.open("memory", agent="ada", session="kitchen")


@beta_tool
def recall(query: str) -> str:
    """Search all that was said and learnt before."""
    hits = memory.recall(query).hits
    found = "\n".join(f"{hit.date[:10]} {hit.path}: {hit.snippet}" for hit in hits)
    memory.on_tool_result("recall", found)
    return found or "Nothing is known of that."


memory.on_user_message(question := sys.argv[1])
for reply in Anthropic().beta.messages.tool_runner(
    model="claude-sonnet-5-5",
    max_tokens=2000,
    system=memory.build_context(question).text,
    messages=[{"role": "user", "content": question}],
    tools=[recall],
):
    memory.on_assistant_message(said := "".join(b.text for b in reply.content if b.type == "text"))
print(said)
