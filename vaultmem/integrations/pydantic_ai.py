"""Pydantic AI: the memory of a session as a capability of an agent; needs `pydantic-ai`."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from vaultmem import arguments
from vaultmem.api.agent_memory import Memory, tool_results
from vaultmem.api.async_api import AsyncMemory
from vaultmem.api.rendering import fenced
from vaultmem.api.types import A_TOOL, LONGEST_QUERY, Turn, check_budget
from vaultmem.errors import VaultError
from vaultmem.integrations import turns
from vaultmem.integrations.extras import needs
from vaultmem.integrations.model_sentences import for_model
from vaultmem.records import iso, utc_now

with needs("pydantic-ai", "pydantic-ai-slim>=2.60"):
    from pydantic_ai import FunctionToolset, RunContext
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import (
        MULTI_MODAL_CONTENT_TYPES,
        ModelMessage,
        ModelRequest,
        ModelResponse,
        TextPart,
        ToolCallPart,
        ToolReturnPart,
        UserPromptPart,
    )

_MOST = 5
_BUDGET = 4000
_ANSWERED = "\0the answer"
"""Stands for what Pydantic AI tells the model that gave its answer by calling the output tool."""

_OWN = frozenset({"memory_recall", "memory_remember", "memory_correct"})
_UNSAID = frozenset({"system-prompt", "instruction", "instruction-delta", "thinking", "file"})
"""Parts that are the program's own, a model's thoughts, or what it drew."""

_MARK = "cache-point"
"""What is told of a tool whose name the framework keeps to itself."""

_QUOTED = "kept for review: {tool} said this, so no context shows it until a person accepts it"


class VaultMemory(AbstractCapability[Any]):
    """The memory of an agent's session: `Agent(…, capabilities=[VaultMemory(memory)])`.

    A run begins with what the vault has for its prompt, within *budget* tokens, and fenced as data:
    with the newest turns of the session where the run is given no messages of its own. The model
    may recall (a question's first 4096 characters), remember and correct. Once the run is over,
    what was said in it, and what tools answered, are turns of the session; what the memory's own
    tools answered is not. The vault's laws hold: a tool's words are untrusted, also where the model
    remembers them as its own, credentials are blanked out, and a correction leaves what it corrects
    as it was said.
    """

    def __init__(self, memory: AsyncMemory, *, budget: int = _BUDGET) -> None:
        """Remember in *memory*, which stays the caller's to close.

        Raises BadInput for what is no AsyncMemory, or a budget that no context fits into.
        """
        arguments.check_kind("memory", memory, AsyncMemory)
        arguments.check("budget", budget, "int")
        check_budget(budget)
        self.id = "vault-memory"
        self._memory, self._budget, self._context = memory, budget, ""
        self._begun = ""
        self._prompt: object = None  # what a run was asked; `prompt` of its context may be a tool's

    async def for_run(self, ctx: RunContext[Any]) -> Self:
        """Return the capability with the context of one run."""
        prompt = _text(ctx.prompt, named=False)
        mine = copy.copy(self)
        mine._prompt = ctx.prompt  # noqa: SLF001  # a copy of its own
        mine._begun = iso(utc_now())  # noqa: SLF001  # a copy of its own
        mine._context = await self._memory.do(  # noqa: SLF001  # a copy of its own
            _context, prompt, self._budget, alone=not ctx.messages
        )
        return mine

    def get_instructions(self) -> str | None:
        """Return what the prompt shall hold of the memory."""
        return self._context or None

    def get_toolset(self) -> FunctionToolset[Any]:
        """Return the tools that the model may use."""
        return FunctionToolset([self.memory_recall, self.memory_remember, self.memory_correct])

    async def after_run(self, ctx: RunContext[Any], *, result: Any) -> Any:  # noqa: ANN401, ARG002
        """Keep what was said, and what tools answered, as turns of the session."""
        await self._memory.do(_keep, [*_turns(_new_messages(result), self._prompt)], self._begun)
        return result

    async def memory_recall(self, query: str) -> str:
        """Find what is remembered about a question, best match first, with date and path."""
        return await self._asked(_recall, query)

    async def memory_remember(self, ctx: RunContext[Any], text: str) -> str:
        """Keep one thing that will matter in another conversation, as a sentence of its own."""
        return await self._asked(_remember, text, [*_turns(ctx.messages, self._prompt)])

    async def memory_correct(self, ctx: RunContext[Any], path: str, text: str) -> str:
        """Say what holds instead of the memory at a path that recall named."""
        heard = [*_turns(ctx.messages, self._prompt)]
        return await self._asked(_correct, path, text, heard)

    async def _asked(self, step: Any, *args: object) -> str:  # noqa: ANN401  # one of those below
        try:
            return str(await self._memory.do(step, *args))
        except VaultError as e:
            # No retry: a second one would end the run of the agent.
            return for_model(str(e), _as_tool)


def _as_tool(line: str) -> str:
    """Return the tool that stands for the command *line*, "" where a person has to run it."""
    tool = "memory_" + "".join(line.split()[1:2])
    return tool if tool in _OWN else ""


def _text(content: object, *, named: bool = True) -> str:
    """Return the text of a prompt, and of images and files, which have none, what they are.

    These only where they are to be *named*.
    """
    parts = [content] if isinstance(content, str) else content
    told = (_part(it, named=named) for it in parts) if isinstance(parts, Sequence) else ()
    return "\n".join(filter(None, told))


def _part(part: Any, *, named: bool) -> str:  # noqa: ANN401  # of any version
    text = part if isinstance(part, str) else getattr(part, "content", None)
    if isinstance(text, str):
        return text
    return f"[{part.kind}]" if named and part.kind != _MARK else ""


def _new_messages(result: Any) -> list[ModelMessage]:  # noqa: ANN401  # of any output
    """Return what was said in a run; where the output tool took the answer, it is marked so."""
    try:
        return list(result.new_messages(output_tool_return_content=_ANSWERED))
    except ValueError:  # the answer is a text
        return list(result.new_messages())
    except LookupError:  # it was streamed: nothing follows the call that gave it
        said = list(result.new_messages())
        calls = [
            it for message in said[-1:] for it in message.parts if isinstance(it, ToolCallPart)
        ]
        marks = [ToolReturnPart(it.tool_name, _ANSWERED, it.tool_call_id) for it in calls[:1]]
        return [*said, ModelRequest(parts=marks)]


def _turns(messages: Sequence[ModelMessage], prompt: object) -> Iterator[Turn]:
    """Yield what is said in *messages*, and what tools answered, but for the memory's own.

    A prompt is the person's where it is the *prompt* of this run, or opens another: what comes in
    with a tool's answer, or once the model has spoken, may be a page that the tool hands on.
    """
    every = [part for message in messages for part in message.parts]
    calls = {it.tool_call_id: it for it in every if isinstance(it, ToolCallPart)}
    running = set[str | None]()
    for message in messages:
        tools = [it.tool_name for it in message.parts if isinstance(it, ToolReturnPart)]
        is_opening = message.run_id not in running and not any(map(_is_answer, message.parts))
        for part in message.parts:
            match part:
                case UserPromptPart(content=content) if is_opening or content == prompt:
                    yield Turn("user", _text(content))
                case UserPromptPart(content=content):
                    yield Turn("tool", _text(content), tool=", ".join(tools) or A_TOOL)
                case ToolReturnPart(tool_call_id=call, content=content) if content == _ANSWERED:
                    # An answer of a type, which the output tool took.
                    yield Turn("assistant", calls[call].args_as_json_str())
                case _:
                    yield from _said(part)
        if isinstance(message, ModelResponse) and message.run_id:
            running.add(message.run_id)


def _is_answer(part: Any) -> bool:  # noqa: ANN401  # of any kind
    """Tell whether a part of a request answers a call of a tool."""
    return bool(getattr(part, "tool_call_id", None))


def _said(part: Any) -> Iterator[Turn]:  # noqa: ANN401  # of any kind
    """Yield what *part* says: what neither the model nor a person is known to say, a tool does."""
    if isinstance(part, TextPart):
        if cited := [*_cited(part)]:
            yield Turn("tool", "\n\n".join(cited), tool=A_TOOL)
        yield Turn("assistant", part.content)
    elif speaker := getattr(part, "speaker", ""):
        yield Turn(speaker, part.content)
    elif part.part_kind not in _UNSAID and (content := getattr(part, "content", None)):
        tool = getattr(part, "tool_name", None) or part.part_kind
        if tool not in _OWN:
            yield Turn("tool", tool_results.written(_named(content)), tool=tool)


def _named(content: Any) -> object:  # noqa: ANN401  # what a tool gave back
    """Return *content* with the kind of each picture or file in its place."""
    if isinstance(content, Mapping):
        return {key: _named(part) for key, part in content.items()}
    if isinstance(content, list | tuple):
        return [_named(part) for part in content]
    return _part(content, named=True) if isinstance(content, MULTI_MODAL_CONTENT_TYPES) else content


def _cited(part: TextPart) -> Iterator[str]:
    """Yield the passages of pages that an answer names as what it is taken from."""
    for citation in getattr(part, "citations", None) or ():
        for source in citation.sources:
            yield from source.excerpts


# --- on the thread of the memory ----------------------------------------------------------------


def _context(memory: Memory, query: str, budget: int, *, alone: bool) -> str:
    # A new agent has no turns to tell twice.
    if alone or memory.agent not in memory.vault.known_agents:
        return memory.build_context(query, budget=budget).text
    return memory.vault.context(query, agent=memory.agent, budget=budget).text


def _keep(memory: Memory, said: Sequence[Turn], since: str) -> None:
    for turn in said:
        turns.say(memory, turn, since)


def _recall(memory: Memory, query: str) -> str:
    told = (
        f"{hit.date[:10]} {hit.path}\n"
        f"{fenced(hit.snippet, path=hit.path, kind=hit.type, trust=hit.trust)}"
        for hit in memory.recall(query[:LONGEST_QUERY], _MOST).hits
    )
    return "\n\n".join(told) or "nothing found"


def _remember(memory: Memory, text: str, heard: Sequence[Turn]) -> str:
    made = memory.vault.memories.remember_once(
        text, agent=memory.agent, session=memory.session, redact=True, heard=heard
    )
    if made.quotes:
        return _QUOTED.format(tool=made.quotes)
    return f"{'already' if made.duplicate else 'kept'} at {made.path}"


def _correct(memory: Memory, path: str, text: str, heard: Sequence[Turn]) -> str:
    done = memory.vault.correct(
        path, text, agent=memory.agent, source="agent", redact=True, heard=heard
    )
    return f"kept at {done.path}"
