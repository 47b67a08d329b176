"""What narrows a question is said in one way, whether a command, a vault or a memory is asked."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

import pytest

from vaultmem import Memory, Vault
from vaultmem.api.types import Answer, RecallOptions, Scope
from vaultmem.cli import run
from vaultmem.errors import BadInput

Say = Callable[..., str]

pytestmark = pytest.mark.without_history

ADA, BEN = "Ada keeps the key.", "Ben lost the key."


@pytest.fixture
def told(vault: Vault) -> Vault:
    """Open a vault in which two agents remember a key each."""
    vault.remember(ADA, agent="ada")
    vault.remember(BEN, agent="ben")
    return vault


@pytest.fixture
def say(told: Vault, capsys: pytest.CaptureFixture[str]) -> Say:
    """Return what runs a command on the vault and returns what it prints, or its complaint."""

    def command(*arguments: str) -> str:
        run(["--vault", str(told.path), *arguments])
        return " ".join("".join(capsys.readouterr()).split())

    return command


def said(ask: Callable[..., Answer], **options: object) -> Sequence[str]:
    return sorted(hit.snippet for hit in ask("key", **options).hits)


def test_an_unknown_agent_is_refused_whoever_is_asked(told: Vault, say: Say) -> None:
    why = "no agent 'nobody' in this vault; there are: ada, ben"
    for ask in (told.recall, told.context):
        with pytest.raises(BadInput) as refused:
            ask("key", agent="nobody")
        assert str(refused.value) == why
    for name in ("recall", "context"):
        assert say(name, "key", "--agent", "nobody") == f"vaultmem: {why}"


def test_none_is_as_if_it_were_not_given(told: Vault) -> None:
    given = dict.fromkeys(RecallOptions.__annotations__.keys() - {"untrusted", "mode", "explain"})
    assert said(told.recall, **given) == said(told.recall) == [ADA, BEN]
    assert said(told.recall, agent="ada", person=None) == [ADA]
    with Memory.open(told.path, agent="ada") as memory:
        assert said(memory.recall, agent=None, after=None) == [ADA]


def test_the_agent_of_a_context_may_be_none(vault: Vault) -> None:
    vault.remember(ADA, agent="ada")
    assert vault.context("key", agent=None, as_of=None).agent == "ada"


@pytest.mark.parametrize("name", ["agent", "type", "after", "before", "person", "trust", "as_of"])
def test_an_empty_option_is_refused_whoever_is_asked(told: Vault, say: Say, name: str) -> None:
    option = f"--{name.replace('_', '-')}"
    assert "it is empty: say which, or leave it out" in say("recall", "key", f"{option}=")
    with Memory.open(told.path, agent="ada") as memory:
        for ask in (told.recall, memory.recall):
            with pytest.raises(BadInput, match=f"{name} is empty: say which, or leave it out"):
                ask("key", **{name: ""})  # type: ignore[arg-type]


def test_an_empty_tag_is_refused_too(told: Vault) -> None:
    with pytest.raises(BadInput, match="a tag is empty: say which, or leave it out"):
        told.recall("key", tags=["tea", ""])


def test_an_empty_agent_of_a_context_is_refused(told: Vault) -> None:
    for given in ({"agent": ""}, {"as_of": ""}):
        with pytest.raises(BadInput, match="is empty: say which, or leave it out"):
            told.context("key", **given)  # type: ignore[arg-type]


def test_a_type_that_nothing_has_is_named_with_those_there_are(told: Vault, say: Say) -> None:
    why = "nothing here has the type 'zzz'; there are: memory"
    with pytest.raises(BadInput) as refused:
        told.recall("key", type="zzz")
    assert str(refused.value) == why
    assert say("recall", "key", "--type", "zzz") == f"vaultmem: {why}"
    for kind in ("topic", "session", "working"):
        assert say("recall", "key", "--type", kind) == "nothing found"


def test_a_type_that_a_person_made_up_is_one(told: Vault) -> None:
    path = told.path / "notes" / "tea.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text("---\ntype: recipe\n---\nGreen tea.\n", encoding="utf-8")
    assert [hit.path for hit in told.recall("tea", type="recipe").hits] == ["notes/tea.md"]
    assert not told.recall("key", type="recipe").hits


def test_each_recall_gives_ten_hits_and_takes_a_scope(told: Vault) -> None:
    for n in range(12):
        told.remember(f"Key {n} hangs at door {n}.", agent="ada")
    with Memory.open(told.path, agent="ada") as memory:
        assert len(memory.recall("key").hits) == len(told.recall("key").hits) == 10
        signatures = [list(inspect.signature(it).parameters) for it in (told.recall, memory.recall)]
        assert signatures == [["query", "k", "scope", *RecallOptions.__annotations__]] * 2
        shown = inspect.signature(told.recall).parameters["as_of"]
        assert (shown.annotation, shown.kind) == ("str | None", shown.KEYWORD_ONLY)


def test_a_memory_takes_a_scope_that_is_its_own(told: Vault) -> None:
    with Memory.open(told.path, agent="ada") as memory:
        assert said(memory.recall, scope=Scope()) == [ADA]
        assert said(memory.recall, scope=Scope(agent="ada", type="memory")) == [ADA]
        with pytest.raises(BadInput, match="this is the memory of ada"):
            memory.recall("key", scope=Scope(agent="ben"))
        with pytest.raises(BadInput, match="a scope or type, not both"):
            memory.recall("key", scope=Scope(), type="memory")
        with pytest.raises(BadInput, match="scope takes a Scope, not 'str'"):
            memory.recall("key", scope="ada")  # type: ignore[arg-type]


def test_a_memory_without_files_finds_what_all_share(told: Vault) -> None:
    path = told.path / "topics" / "keys.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text("---\ntype: topic\n---\nKeys are brass.\n", encoding="utf-8")
    with Memory.open(told.path, agent="eve") as memory:
        assert [hit.path for hit in memory.recall("key brass").hits] == ["topics/keys.md"]


def test_help_names_every_option_of_recall() -> None:
    for method in (Vault.recall, Memory.recall):
        text = inspect.getdoc(method) or ""
        assert [it for it in RecallOptions.__annotations__ if f"`{it}" not in text] == []


def test_help_tells_how_many_hits_and_tokens_there_may_be(say: Say) -> None:
    assert "from 1 to 50" in say("recall", "--help")
    assert "200 or more" in say("context", "--help")


def test_a_budget_of_one_is_one_token(told: Vault) -> None:
    with pytest.raises(BadInput, match="the budget is 1 token, a context needs 200"):
        told.context("key", agent="ada", budget=1)
