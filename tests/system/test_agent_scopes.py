"""What is one agent's own is nobody else's: whatever is asked for ada, bob's words stay away."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.knowledge.sharing import Shares
from vaultmem.retrieval.search import Scope

WORD = "quillfeather"
"""It stands in everything that is bob's, and is asked for by name."""

QUESTIONS = ("", WORD, "Where is the key of the harbour shop?", "oven quillfeather key")
OWN = {
    "topics/harbour.md": "type: topic\ntitle: {s} topic\n---\n## Facts\n- The key: {s}\n",
    "working.md": "type: working\ntitle: {s}\n---\n## Goal\nFind the {s} key.\n",
    "agent.md": "type: note\ntitle: {s}\n---\nI am bob, keeper of {s}.\n",
    "episodes/episode-0001-key.md": "id: 01KAFZ6Q6Y3J6V8B7N6W7Q3KZM\ntype: episode\n"
    "title: {s}\nimportance: 1\n---\nThe {s} key was found.\n",
    "notes/rule.md": "type: note\ntags:\n  - standing\ntrust: user\n---\nAlways say {s}.\n",
    "cards/x.md": "type: card\nperson: {s}\nrelationship: friend\n---\n{s}.\n",
}
WAITS = {
    "inbox/conflict-1.md": "type: topic\nagent: ada\ntrust: user\n---\n## Facts\n- {s}\n",
    "inbox/conflict-2.md": "id: 01KAFZ6Q6Y3J6V8B7N6W7Q3KZN\ntype: summary\ntier: longterm\n"
    "agent: ada\n---\n{s}\n",
    "inbox/conflict-3.md": "type: note\ntags:\n  - standing\ntrust: user\n---\nAlways say {s}.\n",
}


@pytest.fixture
def two(vault: Vault) -> Vault:
    """Let ada and bob live in one vault; all that is bob's says the secret."""
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("window: 64", "window: 2"))
    for n in range(6):
        vault.remember(f"Ada's {n}: the oven of the harbour shop.", agent="ada", source="user",
                       session="kitchen")  # fmt: skip
        vault.remember(f"Bob's {n}: the {WORD} key of the oven.", agent="bob", source="user",
                       session="kitchen", speaker=f"Mr. {WORD}", tags=[WORD])  # fmt: skip
        vault.say("kitchen", f"Ada speaks, {n}.", agent="ada")
        vault.say("attic", f"Bob whispers {WORD}, {n}.", agent="bob")
    for agent in ("ada", "bob"):
        vault.compact(agent, force=True)
        vault.fold(agent, force=True)
    vault.compact_session("attic", agent="bob")
    mine = vault.remember("The shop opens at nine.", agent="ada", source="user")
    vault.correct(mine.id, f"The {WORD} shop opens at ten.", agent="bob")
    for name, text in OWN.items():
        put(vault, f"agents/bob/{name}", text)
    for path, text in WAITS.items():
        put(vault, path, text)
    vault.store.sync()
    return vault


def put(vault: Vault, path: str, text: str) -> None:
    """Write a file by hand."""
    target = vault.path / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("---\n" + text.format(s=WORD))


def told(value: object) -> str:
    """Return all that an answer says, as one text in small letters."""
    body = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
    return json.dumps(body, default=str, ensure_ascii=False).lower()


ASKED: dict[str, Callable[[Vault, str], object]] = {
    "recall of her own": lambda v, q: v.recall(q or "x", scope=Scope(agent="ada")),
    "recall of what she may know": lambda v, q: v.recall(
        q or "x", 50, Scope(agent="ada", shared=True)
    ),
    "context": lambda v, q: v.context(q, agent="ada", budget=60_000),
    "messages": lambda v, q: v.context(q, agent="ada", budget=60_000).messages(),
    "context of the past": lambda v, q: v.context(q, agent="ada", as_of="2026-11-20T23:59:59Z"),
    "recent context": lambda v, _: v.get_recent_context("ada"),
    "compaction": lambda v, _: v.plan_compaction("ada", force=True).compactions,
    "sessions": lambda v, _: v.sessions("ada"),
    "session": lambda v, _: v.session("kitchen", agent="ada"),
    "topics": lambda v, _: v.topics.listing(agent="ada"),
    "digest": lambda v, _: v.digest("365d", agent="ada"),
    "working memory": lambda v, _: v.workbench("ada").read(),
}


@pytest.mark.long
def test_nothing_of_bob_s_is_in_what_ada_is_told_until_he_shares_it(two: Vault) -> None:
    assert WORD in told(two.context(WORD, agent="bob", budget=60_000).text)
    for name, ask in ASKED.items():
        for question in QUESTIONS:
            answer = ask(two, question)
            text = getattr(answer, "text", None)
            said = told(answer) + (text.lower() if isinstance(text, str) else "")
            own = told(question).strip('"')
            assert WORD not in (said.replace(own, "") if own else said), (name, question)

    two.compact("ada", force=True)
    two.fold("ada", force=True)
    files = [p for p in Path(two.path, "agents/ada").rglob("*") if p.is_file()]
    assert not [p for p in files if WORD in p.read_text().lower()]

    assert {hit.agent for hit in two.recall("oven").hits} == {"ada", "bob"}
    memory = two.remember("The lighthouse closes at six.", agent="bob", source="user")
    assert "lighthouse" not in two.context("lighthouse", agent="ada", budget=60_000).text
    Shares(two.store).share(memory.id)
    for agent in ("ada", "bob"):
        assert "lighthouse" in two.context("lighthouse", agent=agent, budget=60_000).text
