"""Many conversations at once over one vault: a thread of its own each, and the event loop free."""

import asyncio

from vaultmem import AsyncMemory, AsyncVault


async def talk(name: str, text: str) -> None:
    async with await AsyncMemory.open("memory", agent="ada", session=f"with-{name}") as memory:
        await memory.on_user_message(text, speaker=name)
        await memory.remember(f"{name} says: {text}", source="user", speaker=name)
        context = await memory.build_context(text, budget=2000)
        await memory.on_assistant_message(f"Noted, {name}. I read {context.tokens} tokens first.")
        await memory.maintenance()


async def main() -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(talk("Mara", "We open at nine."))
        group.create_task(talk("Sam", "I am back on Monday."))
    async with await AsyncVault.open("memory") as vault:
        for hit in (await vault.recall("When is Sam back?", k=2)).hits:
            print(hit.date[:10], hit.snippet)
        print(await vault.do(lambda it: sorted(s.transcript.session for s in it.sessions("ada"))))


asyncio.run(main())
