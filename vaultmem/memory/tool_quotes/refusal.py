"""Whether what an agent wants to keep is its own word, or that of a tool which it has just used.

Asked of whatever an agent brings: its sessions hold what its tools answered.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from vaultmem.documents import public_text
from vaultmem.errors import Refused
from vaultmem.memory.tool_quotes import recent_turns
from vaultmem.records import Record, is_trusted
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Turn

_MOST = 32
"""Times at which tools spoke for which the history is asked, the latest ones."""


def tool_of(  # noqa: PLR0913  # what is known of them, by name
    store: Store,
    agent: str,
    *texts: str,
    into: Record | None = None,
    stood: Mapping[str, str] | None = None,
    until: str = "",
    heard: Sequence[Turn] = (),
    at: str = "",
) -> str:
    """Return the tool that *agent* used lately and that *texts* quote, "" where they quote none.

    Each is asked about, and all of them as one text, in this order; *until*, ISO 8601, is when they
    were written: what a tool said later is nothing to them. *heard* is what was said since, and is
    in no session yet.
    Any agent, where *agent* is empty. What a person vouches for in the vault is no tool's word, nor
    is what the agent's own trusted notes say, or a trusted record *into* which they go. What
    *into* said when a tool showed it is no news, nor is what *stood* in the place of some of these.
    Of the file *at* a path only what git had of it before the tool spoke vouches for them.
    """
    asked = [*filter(None, texts)]
    every = dict.fromkeys([*asked, "\n".join(asked)])
    turns = _heard(store, agent, every, until, heard)
    found = _tools_of(store, agent, turns, every, into=into, stood=stood, at=at)
    return next((tool for _, tool in found), "")


def quoting(
    store: Store, agent: str, texts: Collection[str], *, until: str, at: str = ""
) -> tuple[str, ...]:
    """Return those of *texts*, each for itself, that quote a tool, as for `tool_of`."""
    turns = _heard(store, agent, texts, until, ())
    return tuple(text for text, _ in _tools_of(store, agent, turns, texts, at=at))


def tools_of(store: Store, agent: str, texts: Collection[str], *, until: str) -> dict[str, str]:
    """Return the tools by those of *texts*, each for itself, that quote one, as for `tool_of`.

    They are what a transcript says that somebody laid here: none of these counts.
    """
    running = store.running(store, agent)
    laid = recent_turns.laid(store, agent, running)
    lately = recent_turns.with_running(store, agent, running, texts, laid)
    if any(it.role == "tool" for it in lately):
        lately = recent_turns.without(lately, recent_turns.by_hand(store, agent, running))
    turns = _near([it for it in lately if _said(it) <= until], texts)
    return dict(_tools_of(store, agent, turns, texts))


def _heard(
    store: Store, agent: str, texts: Collection[str], until: str, heard: Sequence[Turn]
) -> list[Turn]:
    """Return what was said before *texts* that may say one of them, none where no tool did.

    What stands by hand in a transcript vouches for nothing: it was not said to us.
    """

    def near(lately: Iterable[Turn]) -> list[Turn]:
        said = [it for it in lately if not until or _said(it) <= until]
        return _near([*said, *recent_turns.newest(heard)], texts)

    running = store.running(store, agent)
    turns = near(recent_turns.with_running(store, agent, running, texts))
    if all(turn.role == "tool" for turn in turns):
        return turns
    by_hand = recent_turns.by_hand(store, agent, running)
    if not by_hand:
        return turns
    laid = recent_turns.laid(store, agent, running)
    known = recent_turns.with_running(store, agent, running, texts, laid)
    said = recent_turns.without(known, by_hand)
    return near([*recent_turns.tools_in(store, laid), *said])


def _said(turn: Turn) -> str:
    """Return when *turn* was said, a tool's at the earliest."""
    return turn.earliest if turn.role == "tool" else turn.at


def _near(said: list[Turn], texts: Iterable[str]) -> list[Turn]:
    """Return which of what was said may say one of *texts*, none where no tool answered."""
    if all(turn.role != "tool" for turn in said):
        return []
    from vaultmem.memory.tool_quotes import candidates  # noqa: PLC0415  # most agents used none lately

    return candidates.near(said, *texts)


def _tools_of(  # noqa: PLR0913  # what is known of them, by name
    store: Store,
    agent: str,
    turns: list[Turn],
    texts: Collection[str],
    *,
    into: Record | None = None,
    stood: Mapping[str, str] | None = None,
    at: str = "",
) -> Iterator[tuple[str, str]]:
    """Yield those of *texts* that quote a tool of *turns* which the vault does not hold."""
    if not turns:
        return
    from vaultmem.memory.tool_quotes import earlier_text, quotes, trusted_words  # noqa: PLC0415  # few writes are near what a tool said

    had_until = functools.cache(partial(earlier_text.EarlierTexts, store))
    for text, found in quotes.each_quoted(turns, texts, stood).items():
        store.sync_soon()
        earlier = had_until(earlier_text.before(store, _saying(turns, text) or turns))
        held = trusted_words.holding(store, found.passages, agent, turns, earlier)
        known = [it for it in held if it.path != at]
        if at and (had := earlier.of(at)):
            known.append(had)
        known += [into] if into and is_trusted(into) else []
        told = trusted_words.without_held(turns, known) if known else turns
        still = quotes.quoted(told, text, stood) if known else found
        if still.tool and into and into.path:
            still = quotes.quoted(_but_earlier(store, told, into), text, stood)
        if still.tool:
            yield text, public_text.shown(still.tool)


def _saying(turns: Iterable[Turn], text: str) -> list[Turn]:
    """Return the turns of tools that each alone says what *text* does."""
    from vaultmem.memory.tool_quotes import quotes  # noqa: PLC0415  # few writes are near what a tool said

    return [it for it in turns if it.role == "tool" and quotes.quoted([it], text).tool]


def _but_earlier(store: Store, turns: Sequence[Turn], into: Record) -> list[Turn]:
    """Return *turns* without what tools show of *into* as it was before, if that was trusted."""
    from vaultmem.memory.tool_quotes import earlier_text, trusted_words  # noqa: PLC0415  # few writes are near what a tool said

    tools = {it.earliest: it for it in turns if it.role == "tool"}
    latest = sorted(tools)[-_MOST:]
    until = {at: earlier_text.before(store, [tools[at]]) for at in latest}
    had = {at: earlier_text.EarlierTexts(store, until[at]).of(into.path) for at in latest}
    return [
        trusted_words.without_held([it], [record])[-1]
        if it.role == "tool" and (record := had.get(it.earliest)) else it
        for it in turns
    ]  # fmt: skip


def refuse(store: Store, agent: str, *texts: str) -> None:
    """Raise Refused where *agent* takes a tool's words for its own, and nothing untrusted is kept.

    Any agent, where *agent* is empty.
    """
    if tool := tool_of(store, agent, *texts):
        raise Refused(
            f"{tool} said this; nothing was stored: a memory of it waits for a person's review "
            "(`vaultmem remember`), and a person's word is theirs to say (`source=user`)"
        )
