"""The protocol's requests answered: tools, resources, prompts, completion, over any transport."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from vaultmem.api.agent_files.fenced_page import fenced
from vaultmem.api.rendering import defused_outside, left_out, quoted
from vaultmem.errors import VaultError
from vaultmem.integrations.mcp import errors as mcp_errors
from vaultmem.integrations.mcp import schema
from vaultmem.integrations.mcp.prompts import PROMPTS, instructions
from vaultmem.integrations.mcp.registry import TOOLS, Tool
from vaultmem.integrations.mcp.tools.arguments import inner
from vaultmem.integrations.mcp.vault_session import ServerSession
from vaultmem.integrations.mcp.worker import Worker
from vaultmem.version import __version__

_log = logging.getLogger(__name__)
_INDEX = "MEMORY.md"
_MARKDOWN = "text/markdown"
_MOST_COMPLETED = 100
_UNSEEN = re.compile(r"[^\x20-\x7e\n]")
_AGENT = types.PromptArgument(name="agent", description="Whose memories", required=False)


def server(worker: Worker, tools: Sequence[Tool] = TOOLS) -> Server[Any]:
    """Return the server that offers *tools* on what *worker* has open."""
    answers = _Answers(worker, tools)
    return Server(
        "vaultmem",
        version=__version__,
        title="vaultmem",
        description="A memory kept as Markdown files in git.",
        instructions=instructions(read_only=worker.limits.read_only),
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
        on_completion=answers.complete,
    )


class _Answers:
    """Every request of the protocol, answered on the vault's thread."""

    def __init__(self, worker: Worker, tools: Sequence[Tool]) -> None:
        self._worker = worker
        read_only = worker.limits.read_only
        self._tools = {t.name: t for t in tools if t.reads_only or not read_only}

    # --- tools ----------------------------------------------------------------------------------

    async def list_tools(self, _context: object, _asked: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[t.described() for t in self._tools.values()])

    async def call_tool(
        self, context: ServerRequestContext[Any, Any], asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = self._tools.get(asked.name)
        if tool is None:
            known = ", ".join(self._tools)
            raise _invalid(f"no tool {quoted(asked.name)}; there are: {known}")
        try:
            given = tool.takes.model_validate(asked.arguments or {})
        except ValidationError as e:
            return _failed(schema.mistakes(tool.name, tool.takes, e))
        try:
            done, reminder = await self._worker.do(
                lambda server: (tool.run(server, given), server.reminder()),
                context.session.report_progress,
                writes="" if tool.reads_only or given.is_preview else tool.name,
            )
        except mcp_errors.EXPECTED as e:
            _log.info("%s: %s", tool.name, e)
            return _failed(mcp_errors.error_text(e, self._worker.path, self._worker.agent))
        private = "" if tool.reads_only else left_out(asked.arguments)
        return _done(done if isinstance(done, str) else tool.plain(done), private, reminder)

    # --- resources ------------------------------------------------------------------------------

    async def list_resources(self, _context: object, _asked: object) -> types.ListResourcesResult:
        index = types.Resource(
            name=_INDEX, title="Memory index", uri=f"memory://{_INDEX}", mime_type=_MARKDOWN,
            description="What is remembered, a pointer a line",
        )  # fmt: skip
        return types.ListResourcesResult(resources=[index])

    async def list_templates(
        self, _context: object, _asked: object
    ) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            name="memory file", title="Memory file", uri_template="memory://{+path}",
            mime_type=_MARKDOWN, description="A file by its path in the vault",
        )  # fmt: skip
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        self, _context: object, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        try:
            page = await self._worker.do(lambda server: server.reach.page(inner(asked.uri)))
        except mcp_errors.EXPECTED as e:
            why = mcp_errors.error_text(e, self._worker.path)
            raise _invalid(why, {"uri": asked.uri}) from e
        said = _without_marks(fenced(page).text)
        text = types.TextResourceContents(uri=asked.uri, mime_type=_MARKDOWN, text=said)
        return types.ReadResourceResult(contents=[text])

    # --- prompts and completion -----------------------------------------------------------------

    async def list_prompts(self, _context: object, _asked: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=name, title=it.title, description=it.description, arguments=[_AGENT]
                )
                for name, it in PROMPTS.items()
            ]
        )

    async def get_prompt(
        self, _context: object, asked: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        prompt = PROMPTS.get(asked.name)
        if prompt is None:
            known = ", ".join(PROMPTS)
            raise _invalid(f"no prompt {quoted(asked.name)}; there are: {known}")
        agent = " ".join((asked.arguments or {}).get("agent", "").split())
        text = types.TextContent(type="text", text=_without_marks(prompt.text(agent)))
        return types.GetPromptResult(
            description=prompt.description,
            messages=[types.PromptMessage(role="user", content=text)],
        )

    async def complete(
        self, _context: object, asked: types.CompleteRequestParams
    ) -> types.CompleteResult:
        begun = asked.argument.value
        choose = _COMPLETED.get(asked.argument.name)
        found = await self._worker.do(lambda server: choose(server, begun)) if choose else []
        values = [_without_marks(value) for value in found if value.startswith(begun)]
        return types.CompleteResult(
            completion=types.Completion(
                values=values[:_MOST_COMPLETED],
                total=len(values),
                has_more=len(values) > _MOST_COMPLETED,
            )
        )


def _paths(server: ServerSession, begun: str) -> list[str]:
    folder = begun.rpartition("/")[0]
    try:
        return [e.path for e in server.reach.listing(folder, depth=1)]
    except VaultError:  # half a path names no folder yet
        return []


def _agents(server: ServerSession, _begun: str) -> list[str]:
    return [server.agent] if server.agent else list(server.vault.known_agents)


_COMPLETED: Mapping[str, Callable[[ServerSession, str], list[str]]] = {
    "path": _paths,
    "agent": _agents,
}


def _done(result: str | dict[str, Any], private: str, reminder: str) -> types.CallToolResult:
    """Return *result*, with what of the arguments was *private*, and a *reminder*."""
    beside = [_without_marks(reminder)] * bool(reminder)
    if isinstance(result, str):
        return types.CallToolResult(
            content=_texts(_without_marks(result), *[private] * bool(private), *beside)
        )
    structured = _without_marks({**result, "left_out": private} if private else result)
    return types.CallToolResult(
        content=_texts(as_text(structured), *beside), structured_content=structured
    )


def _invalid(why: str, about: Mapping[str, str] | None = None) -> MCPError:
    return MCPError(types.INVALID_PARAMS, _without_marks(why), data=about and {**about})


def _failed(why: str) -> types.CallToolResult:
    return types.CallToolResult(content=_texts(_without_marks(why)), is_error=True)


def _texts(*told: str) -> list[types.ContentBlock]:
    return [types.TextContent(type="text", text=it) for it in told]


def _without_marks(value: Any) -> Any:  # noqa: ANN401  # JSON's own types
    """Return JSON's *value* as it leaves: no text in it ends or begins a fence, but for ours.

    Whatever an answer has from the vault, or from a client, goes through here.
    """
    if isinstance(value, str):
        return defused_outside(value)
    if isinstance(value, dict):
        return {_without_marks(key): _without_marks(it) for key, it in value.items()}
    return [_without_marks(it) for it in value] if isinstance(value, list) else value


def as_text(result: object) -> str:
    """Return *result* as JSON on a line: a string in it ends only where it ends.

    What cannot be seen is written out, so that a person and a model read the same.
    """
    text = json.dumps(result, ensure_ascii=False, separators=(",", ":"))
    return text if text.isascii() else _UNSEEN.sub(_written_out, text)


def _written_out(found: re.Match[str]) -> str:
    char = found[0]
    return char if char.isprintable() else json.dumps(char)[1:-1]
