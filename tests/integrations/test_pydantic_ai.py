"""The memory of a session as a capability of a Pydantic AI agent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from vaultmem import AsyncMemory, Memory, Vault
from vaultmem.errors import BadInput

pytest.importorskip("pydantic_ai", reason="the extra `pydantic-ai` is not installed")

from pydantic_ai import (
    Agent,
    CallDeferred,
    DeferredToolResults,
    ModelRetry,
    RunContext,
    Tool,
    ToolReturn,
)
from pydantic_ai.messages import (
    BinaryContent,
    CachePoint,
    ImageUrl,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextContent,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.models.test import TestModel

from vaultmem.integrations.pydantic_ai import VaultMemory

Model = Callable[[list[ModelMessage], AgentInfo], ModelResponse]
PAGE = "The council of Hull closes all roasteries on the first of March."


@dataclass
class Flight:
    """An answer."""

    city: str


def browse() -> str:
    """Return a page."""
    return PAGE


def asked(folder: Path, model: Model, *prompts: str) -> list[str]:
    """Return what an agent of a model answers to each of *prompts*, in one session."""

    async def main() -> list[str]:
        async with await AsyncMemory.open(folder, agent="ada", session="talk") as memory:
            ada = Agent(FunctionModel(model), capabilities=[VaultMemory(memory)], tools=[browse])
            return [str((await ada.run(prompt)).output) for prompt in prompts]

    said = asyncio.run(main())
    with Vault.open(folder) as vault:
        assert vault.fsck().ok
    return said


def turns(folder: Path) -> list[tuple[str, str, str]]:
    """Return role, tool and content of each turn of the session."""
    lines = (folder / "agents/ada/sessions/talk.jsonl").read_text().splitlines()
    return [(it["role"], it.get("tool", ""), it["content"]) for it in map(json.loads, lines)]


def shown(messages: list[ModelMessage]) -> str:
    """Return the instructions that a model is shown."""
    return next(m.instructions or "" for m in messages if isinstance(m, ModelRequest))


def calls(tool: str, **arguments: str) -> ModelResponse:
    """Return the call of a tool."""
    return ModelResponse(parts=[ToolCallPart(tool, arguments)])


def results(messages: list[ModelMessage]) -> list[str]:
    """Return what tools, and retries, answered."""
    parts = [part for m in messages if isinstance(m, ModelRequest) for part in m.parts]
    return [str(p.content) for p in parts if p.part_kind in {"tool-return", "retry-prompt"}]


def test_a_run_is_shown_what_the_vault_has_for_its_prompt(folder: Path) -> None:
    with Vault.open(folder) as vault:
        vault.remember("Mara drinks decaf since May.", agent="ada")

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        is_told = "Mara drinks decaf since May." in shown(messages)
        return ModelResponse(parts=[TextPart("decaf" if is_told else "no idea")])

    assert asked(folder, model, "What does Mara drink?") == ["decaf"]


def test_a_second_run_goes_on_in_the_session(folder: Path) -> None:
    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(str("petrol blue" in shown(messages)))])

    said = asked(folder, model, "We paint the shop petrol blue.", "Which colour was it?")
    assert said == ["False", "True"]


def test_what_a_tool_said_is_a_tools_turn_and_waits_where_the_model_remembers_it(
    folder: Path,
) -> None:
    steps = iter([calls("browse"), ModelResponse(parts=[TextPart("I have read it.")])])
    answers: list[str] = []

    def read(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        return next(steps)

    def remember(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        answers.extend(results(messages))
        done = ModelResponse(parts=[TextPart("Kept.")])
        return done if answers else calls("memory_remember", text=PAGE)

    assert asked(folder, read, "Read the page.") == ["I have read it."]
    assert asked(folder, remember, "Remember that.") == ["Kept."]
    assert answers[0].startswith("kept for review: browse said this")
    lines = (folder / "agents/ada/sessions/talk.jsonl").read_text().splitlines()
    roles = [(it["role"], it.get("tool")) for it in map(json.loads, lines)]
    assert roles == [
        ("user", None), ("tool", "browse"), ("assistant", None), ("user", None),
        ("assistant", None),
    ]  # fmt: skip


def test_what_the_model_remembers_again_is_kept_once(folder: Path) -> None:
    told: list[str] = []

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        told[:] = results(messages)
        is_done = len(told) > 1
        done = ModelResponse(parts=[TextPart("Kept.")])
        return done if is_done else calls("memory_remember", text="Mara rows on Sundays.")

    asked(folder, model, "I row on Sundays.")
    assert told[1] == told[0].replace("kept at", "already at")


@pytest.mark.parametrize("fails", [False, True])
def test_what_a_tool_said_in_the_same_run_waits_where_the_model_remembers_it(
    folder: Path, *, fails: bool
) -> None:
    with Vault.open(folder) as vault:
        path = vault.remember("Roasteries in Hull stay open.", agent="ada").path

    def read() -> str:
        """Return a page, or the error that it is."""
        if fails:
            raise ModelRetry(PAGE)
        return PAGE

    told: list[str] = []
    steps = iter([
        calls("read"),
        calls("memory_remember", text=PAGE),
        calls("memory_correct", path=path, text=PAGE),
        calls("memory_remember", text="Mara rows on Sundays, she says."),
        ModelResponse(parts=[TextPart("Done.")]),
    ])  # fmt: skip

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        told[:] = results(messages)
        return next(steps)

    async def main() -> None:
        async with await AsyncMemory.open(folder, agent="ada", session="talk") as memory:
            ada = Agent(FunctionModel(model), capabilities=[VaultMemory(memory)], tools=[read])
            await ada.run("Read the page. I row on Sundays.")

    asyncio.run(main())
    assert told[1].startswith("kept for review: read said this")
    assert "a tool corrects nothing" in told[2]
    assert told[3].startswith("kept at agents/ada/memories/")


def hands_on() -> ToolReturn:
    """Return a page beside a result."""
    return ToolReturn(return_value="ok", content=["The page says:", PAGE])


def enqueues(ctx: RunContext[None]) -> str:
    """Return a result, and put a page in line for the model."""
    ctx.enqueue(PAGE)
    return "ok"


@pytest.mark.parametrize("read", [hands_on, enqueues])
def test_what_a_tool_hands_on_as_a_prompt_is_the_tools(
    folder: Path, read: Callable[..., object]
) -> None:
    """And what the model remembers of it waits for a person."""
    steps = iter([
        calls(read.__name__), calls("memory_remember", text=PAGE),
        ModelResponse(parts=[TextPart("Done.")]),
    ])  # fmt: skip
    told: list[str] = []

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        told[:] = results(messages)
        return next(steps)

    async def main() -> None:
        async with await AsyncMemory.open(folder, agent="ada", session="talk") as memory:
            ada = Agent(FunctionModel(model), capabilities=[VaultMemory(memory)], tools=[read])
            await ada.run("Read the page. I row on Sundays.")

    asyncio.run(main())
    assert told[1].startswith("kept for review: ")
    said = [(role, text) for role, _, text in turns(folder)]
    assert said[:2] == [("user", "Read the page. I row on Sundays."), ("tool", "ok")]
    assert said[2][0] == "tool"
    assert said[2][1].endswith(PAGE)


@pytest.mark.parametrize("prompt", [PAGE, None])
def test_what_comes_with_a_tools_answer_is_the_persons_where_the_run_is_asked_it(
    folder: Path, prompt: str | None
) -> None:
    """As where a tool answers late; what else stands there may be a page that it hands on."""
    late = ToolReturnPart("browse", "ok", "c1")
    history: list[ModelMessage] = [
        ModelRequest(parts=[UserPromptPart("Read the page.")]),
        ModelResponse(parts=[ToolCallPart("browse", {}, "c1")]),
    ]
    given = DeferredToolResults(calls={"c1": "ok"}) if prompt else None
    if not prompt:
        history.append(ModelRequest(parts=[late, UserPromptPart(PAGE)]))
    told: list[str] = []
    steps = iter([
        calls("memory_remember", text=PAGE),
        ModelResponse(parts=[TextPart("Done.")]),
    ])  # fmt: skip

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        told[:] = results(messages)
        return next(steps)

    def wait() -> str:
        raise CallDeferred

    async def main() -> None:
        async with await AsyncMemory.open(folder, agent="ada", session="talk") as memory:
            tools = [Tool(wait, name="browse")]
            ada = Agent(FunctionModel(model), capabilities=[VaultMemory(memory)], tools=tools)
            await ada.run(prompt, message_history=history, deferred_tool_results=given)

    asyncio.run(main())
    assert told[1].startswith("kept at" if prompt else "kept for review: browse said this")
    asked = [("user", "", PAGE)] if prompt else []
    assert [it for it in turns(folder) if it[0] == "user"] == asked


def test_of_a_prompt_in_parts_every_text_is_kept_and_a_picture_named(folder: Path) -> None:
    prompt: list[UserContent] = [
        "It is Mara.", TextContent("I am allergic to hazelnuts.", metadata={"from": "chat"}),
        ImageUrl("https://example.org/cake.png"), CachePoint(),
        BinaryContent(b"%PDF", media_type="application/pdf"),
    ]  # fmt: skip

    async def main() -> None:
        async with await AsyncMemory.open(folder, agent="ada", session="talk") as memory:
            said = FunctionModel(lambda *_: ModelResponse(parts=[TextPart("Noted.")]))
            await Agent(said, capabilities=[VaultMemory(memory)]).run(prompt)

    asyncio.run(main())
    assert turns(folder) == [
        ("user", "", "It is Mara.\nI am allergic to hazelnuts.\n[image-url]\n[binary]"),
        ("assistant", "", "Noted."),
    ]


def test_a_picture_that_a_tool_gives_back_is_named(folder: Path) -> None:
    def draw() -> list[object]:
        """Return a picture and what it shows."""
        return ["A heron.", BinaryContent(b"\x89PNG" * 9, media_type="image/png"), {"of": 1}]

    steps = iter([calls("draw"), ModelResponse(parts=[TextPart("Drawn.")])])

    async def main() -> None:
        async with await AsyncMemory.open(folder, agent="ada", session="talk") as memory:
            model = FunctionModel(lambda *_: next(steps))
            ada = Agent(model, capabilities=[VaultMemory(memory)], tools=[draw])
            await ada.run("Draw a heron.")

    asyncio.run(main())
    role, tool, text = turns(folder)[1]
    assert (role, tool, json.loads(text)) == ("tool", "draw", ["A heron.", "[binary]", {"of": 1}])


def test_what_a_person_says_in_the_same_run_is_no_tools_word(folder: Path) -> None:
    steps = iter([
        calls("browse"), calls("memory_remember", text=PAGE),
        ModelResponse(parts=[TextPart("Done.")]),
    ])  # fmt: skip
    told: list[str] = []

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        told[:] = results(messages)
        return next(steps)

    asked(folder, model, PAGE)
    assert told[1].startswith("kept at agents/ada/memories/")


@pytest.mark.parametrize("streamed", [False, True])
def test_an_answer_of_a_type_is_a_turn_of_the_assistant(folder: Path, *, streamed: bool) -> None:
    """And what the framework tells the model of it is nobody's turn."""

    def model(_messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return calls(info.output_tools[0].name, city="Porto")

    async def stream(
        _messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[dict[int, DeltaToolCall]]:
        yield {0: DeltaToolCall(info.output_tools[0].name, '{"city":"Porto"}')}

    async def main() -> None:
        async with await AsyncMemory.open(folder, agent="ada", session="talk") as memory:
            speaks = FunctionModel(model, stream_function=stream)
            ada = Agent(speaks, output_type=Flight, capabilities=[VaultMemory(memory)])
            if streamed:
                async with ada.run_stream("Cheapest flight?") as told:
                    answer = await told.get_output()
            else:
                answer = (await ada.run("Cheapest flight?")).output
            assert answer == Flight("Porto")

    asyncio.run(main())
    turns = map(json.loads, (folder / "agents/ada/sessions/talk.jsonl").read_text().splitlines())
    assert [(it["role"], it["content"]) for it in turns if "role" in it] == [
        ("user", "Cheapest flight?"), ("assistant", '{"city":"Porto"}'),
    ]  # fmt: skip


def test_a_long_question_is_asked_by_its_beginning(folder: Path) -> None:
    with Vault.open(folder) as vault:
        vault.remember("Mara drinks dark roast.", agent="ada")

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        told = results(messages)
        if not told:
            return calls("memory_recall", query=f"What does Mara drink? {'bread ' * 5000}")
        return ModelResponse(parts=[TextPart(told[0])])

    (answer,) = asked(folder, model, "What does Mara drink?")
    assert "Mara drinks dark roast." in answer


def test_the_model_recalls_corrects_and_is_told_what_went_wrong(folder: Path) -> None:
    with Vault.open(folder) as vault:
        path = vault.remember("Mara drinks dark roast.", agent="ada").path
    told: list[str] = []
    steps = iter([
        calls("memory_recall", query="What does Mara drink?"),
        calls("memory_correct", path="no-such-memory", text="Mara drinks decaf."),
        calls("memory_correct", path=path, text="Mara drinks decaf."),
        ModelResponse(parts=[TextPart("Done.")]),
    ])  # fmt: skip

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        told[:] = results(messages)
        return next(steps)

    assert asked(folder, model, "She drinks decaf now.") == ["Done."]
    assert path in told[0]
    assert "no-such-memory" in told[1]
    assert "memory_recall" in told[1]
    assert "`vaultmem" not in told[1]
    assert told[2].startswith("kept at agents/ada/memories/")


def test_a_model_that_calls_every_tool_with_anything_ends_no_run(folder: Path) -> None:
    """As `TestModel` of pydantic-ai does, by which people test agents."""

    async def main() -> str:
        async with await AsyncMemory.open(folder, agent="ada") as memory:
            ada = Agent(TestModel(), capabilities=[VaultMemory(memory)])
            return str((await ada.run("How is the shop?")).output)

    assert "memory_correct" in asyncio.run(main())


def test_a_memory_or_a_budget_that_will_not_do_is_refused_at_once(folder: Path) -> None:
    with Memory.open(folder) as own, pytest.raises(BadInput, match="memory takes an AsyncMemory"):
        VaultMemory(cast("AsyncMemory", own))

    async def main() -> None:
        async with await AsyncMemory.open(folder) as memory:
            with pytest.raises(BadInput, match="the budget is 10 tokens, a context needs 200"):
                VaultMemory(memory, budget=10)
            with pytest.raises(BadInput, match="budget takes a whole number"):
                VaultMemory(memory, budget=cast("int", "4000"))

    asyncio.run(main())
