"""A vault as LangGraph's store: what its own store in memory answers, the vault answers, too."""

from __future__ import annotations

import asyncio
import copy
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vaultmem import Vault
from vaultmem.api.agent_files.service import Reach
from vaultmem.errors import BadInput, Refused

pytest.importorskip("langgraph.store.base", reason="the extra `langgraph` is not installed")

from langgraph.store.base import GetOp, InvalidNamespaceError, PutOp
from langgraph.store.memory import InMemoryStore

from vaultmem.integrations.langgraph import VaultStore

KEY = "ghp_w8Kq2Zr5Lm9Xv3Bn7Tc1Yd4Fg6Hj0Ps8Qe2R"
MARA = ("users", "mara")


@pytest.fixture
def store(folder: Path) -> Iterator[VaultStore]:
    """Open the vault as a store of ada's."""
    with VaultStore(folder, agent="ada") as opened:
        yield opened


def note(folder: Path, name: str) -> str:
    """Return the file of an item."""
    return (folder / "agents/ada/notes/langgraph" / name).read_text()


def test_an_item_is_a_note_that_people_can_correct(store: VaultStore, folder: Path) -> None:
    store.put(MARA, "prefs", {"roast": "dark", "cups": 2})
    path = folder / "agents/ada/notes/langgraph/users/mara/prefs.md"
    path.write_text(path.read_text().replace('"cups": 2', '"cups": 3'))
    found = store.get(MARA, "prefs")
    assert found is not None
    assert (found.namespace, found.key) == (MARA, "prefs")
    assert found.value == {"roast": "dark", "cups": 3}


def test_a_second_put_is_a_new_version_and_git_has_the_first(
    store: VaultStore, folder: Path
) -> None:
    store.put(MARA, "prefs", {"roast": "dark"})
    store.put(MARA, "prefs", {"roast": "decaf"})
    with Vault.open(folder) as vault:
        (newer, older) = vault.log(2)
        assert "decaf" in vault.diff(newer.ops[0])
        assert "dark" in vault.diff(older.ops[0])
        assert vault.fsck().ok


def test_what_is_deleted_leaves_a_tombstone_and_does_not_come_back(
    store: VaultStore, folder: Path
) -> None:
    store.put(MARA, "prefs", {"text": "Mara drinks dark roast before nine."})
    store.delete(MARA, "prefs")
    store.delete(MARA, "never")
    assert store.get(MARA, "prefs") is None
    assert len([*(folder / "tombstones").glob("*.md")]) == 1
    with pytest.raises(Refused):
        store.put(MARA, "prefs", {"text": "Mara drinks dark roast before nine."})


def test_a_credential_is_blanked_out_and_a_private_part_left_out(
    store: VaultStore, folder: Path
) -> None:
    store.put(MARA, "login", {"token": KEY, "note": "Her <private>PIN is 4711</private> card."})
    kept = note(folder, "users/mara/login.md")
    assert KEY not in kept
    assert "4711" not in kept
    found = store.get(MARA, "login")
    assert found is not None
    assert found.value == {"token": "[REDACTED:github-token]", "note": "Her card."}


def test_a_private_part_goes_on_over_the_items_of_a_list(store: VaultStore, folder: Path) -> None:
    """Whatever they are called, numbers and objects in it included."""
    facts = [
        {"fact": "<private>The door"},
        {"fact": "opens by", "code": 4711},
        {"fact": "</private>"},
    ]
    store.put(MARA, "door", {"facts": [*facts, {"fact": "It is green."}]})
    found = store.get(MARA, "door")
    assert found is not None
    assert found.value == {"facts": [{"fact": ""}, {"fact": ""}, {"fact": "It is green."}]}
    store.put(MARA, "gate", {"facts": facts[:1], "more": "4711"})
    assert not any("4711" in note(folder, f"users/mara/{it}.md") for it in ("door", "gate"))


@pytest.mark.parametrize("told", ["<private>Bertil</private>", KEY])
def test_a_name_that_nobody_may_be_shown_names_no_file(
    store: VaultStore, folder: Path, told: str
) -> None:
    for namespace, key in (((*MARA, told), "prefs"), (MARA, told)):
        with pytest.raises(BadInput, match="a namespace or a key holds a private part"):
            store.put(namespace, key, {"text": "Decaf."})
        assert store.get(namespace, key) is None
    assert not [*folder.glob("agents/*/notes/**/*ertil*"), *folder.glob("agents/*/notes/**/*ghp*")]


def test_what_a_page_said_is_untrusted_and_found_by_its_key_alone(
    store: VaultStore, folder: Path
) -> None:
    store.put(MARA, "page", {"url": "https://roast.example/", "text": "Roasters must pay."})
    store.put(MARA, "own", {"text": "Roasters open at nine."})
    assert "trust: untrusted" in note(folder, "users/mara/page.md")
    assert store.get(MARA, "page") is not None
    assert [item.key for item in store.search(("users",), query="roasters")] == ["own"]
    with Vault.open(folder) as vault:
        hits = vault.recall("roasters", agent="ada").hits
        assert [hit.path.rpartition("/")[2] for hit in hits] == ["own.md"]


@pytest.mark.parametrize(
    "message",
    [
        {"type": "tool", "content": "Roasters must pay."},
        {"type": "tool", "data": {"content": "Roasters must pay.", "tool_call_id": "c1"}},
        {"role": "tool", "content": "Roasters must pay."},
        {"toolCallId": "c1", "result": "Roasters must pay."},
    ],
)
def test_what_holds_a_tools_message_is_found_by_its_key_alone(
    store: VaultStore, folder: Path, message: dict[str, object]
) -> None:
    asked = {"type": "ai", "content": "", "tool_calls": [{"id": "c1", "name": "browse"}]}
    said = {"type": "human", "content": "Which tool roasters use? A drum. Roasters open at nine."}
    store.put(MARA, "talk", {"messages": [said, asked, message]})
    store.put(MARA, "own", {"messages": [said, asked], "kit": {"type": "tool", "name": "drum"}})
    assert "trust: untrusted" in note(folder, "users/mara/talk.md")
    assert store.get(MARA, "talk") is not None
    assert [item.key for item in store.search(("users",), query="roasters")] == ["own"]


def test_a_question_ranks_what_it_finds_and_leaves_the_rest_for_the_end(store: VaultStore) -> None:
    store.put(MARA, "tea", {"text": "Sencha is steeped at seventy degrees."})
    store.put(MARA, "boat", {"text": "Sam rows on Sundays."})
    store.put(MARA, "hidden", {"text": "Rowing is for Sundays."}, index=False)
    found = store.search(("users",), query="Who rows on Sundays?")
    assert found[0].key == "boat"
    assert found[0].score
    assert {item.key: item.score for item in found[1:]} == {"tea": None, "hidden": None}
    assert store.search(("others",), query="Who rows on Sundays?") == []


def test_a_long_message_is_a_question_by_its_beginning(store: VaultStore) -> None:
    store.put(MARA, "tea", {"text": "Sencha is steeped at seventy degrees."})
    store.put(MARA, "boat", {"text": "Sam rows on Sundays."})
    found = store.search(("users",), query=f"Who rows on Sundays? {'bread ' * 5000}")
    assert found[0].key == "boat"
    assert found[0].score


@pytest.mark.parametrize("key", ["readme", "con", "Käse/Brot", "a" * 300, "../../x", "x-0123abcd"])
def test_any_key_names_a_file_of_its_own(store: VaultStore, key: str) -> None:
    store.put(("Users", "ünï"), key, {"n": 1})
    store.put(("users", "ünï"), key, {"n": 2})
    found = [store.get((label, "ünï"), key) for label in ("Users", "users")]
    assert [item.value for item in found if item] == [{"n": 1}, {"n": 2}]


def test_threads_and_event_loops_may_ask_it(store: VaultStore) -> None:
    async def both() -> list[Any]:
        await asyncio.gather(*(store.aput(MARA, f"a{n}", {"n": n}) for n in range(4)))
        return list(await store.asearch(MARA))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: store.put(MARA, f"t{n}", {"n": n}), range(4)))
    assert len(asyncio.run(both())) == 8


def test_a_batch_reads_before_it_writes_and_the_last_put_of_a_key_counts(
    store: VaultStore,
) -> None:
    puts = [PutOp(MARA, "k", {"n": n}) for n in range(3)]
    assert store.batch([*puts, GetOp(MARA, "k")])[-1] is None
    found = store.get(MARA, "k")
    assert found is not None
    assert found.value == {"n": 2}


def test_namespaces_are_checked_as_langgraph_does(store: VaultStore) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(("a.b",), "k", {"n": 1})
    with pytest.raises(NotImplementedError):
        store.put(MARA, "k", {"n": 1}, ttl=5)


@pytest.mark.parametrize("namespace", ["users", ["users"], ("users", 5), None, 5])
def test_what_is_no_namespace_is_refused_wherever_it_is_named(
    store: VaultStore,
    folder: Path,
    namespace: Any,  # noqa: ANN401  # what is no namespace
) -> None:
    prefixed = namespace is not None  # which means: whatever the prefix is
    asked: list[Callable[[], object]] = [
        lambda: store.put(namespace, "k", {"n": 1}),
        lambda: store.get(namespace, "k"),
        lambda: store.delete(namespace, "k"),
        lambda: store.search(namespace),
        lambda: store.batch([PutOp(MARA, "k", {"n": 1}), PutOp(namespace, "k", {"n": 1})]),
        lambda: asyncio.run(store.aput(namespace, "k", {"n": 1})),
        *([lambda: store.list_namespaces(prefix=namespace)] if prefixed else []),
    ]
    for ask in asked:
        with pytest.raises((InvalidNamespaceError, TypeError)):
            ask()
    assert not (folder / "agents/ada").exists()


def test_what_is_no_operation_or_no_key_is_refused_before_anything_is_done(
    store: VaultStore,
) -> None:
    nothing: Any = "x"
    with pytest.raises(ValueError, match="Unknown operation type"):
        store.batch([PutOp(MARA, "k", {"n": 1}), nothing])
    number: Any = 5
    with pytest.raises(BadInput, match="key takes a string, not 'int'"):
        store.batch([PutOp(MARA, "k", {"n": 1}), GetOp(MARA, number)])
    assert store.get(MARA, "k") is None


@pytest.mark.parametrize("depth", ["x", -1])
def test_a_depth_that_is_none_is_named(store: VaultStore, depth: Any) -> None:  # noqa: ANN401  # likewise
    with pytest.raises(BadInput, match=r"^max_depth"):
        store.list_namespaces(max_depth=depth)


def test_what_another_process_deletes_first_is_deleted(
    store: VaultStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = Reach.has_file

    def looks_too_early(reach: Reach, path: str) -> bool:
        found = looks(reach, path)
        monkeypatch.undo()
        with VaultStore(folder, agent="ada") as other:
            other.delete(MARA, "prefs")
        return found

    store.put(MARA, "prefs", {"roast": "dark"})
    monkeypatch.setattr(Reach, "has_file", looks_too_early)
    store.delete(MARA, "prefs")
    assert store.get(MARA, "prefs") is None


@pytest.mark.parametrize("is_there", [False, True])
def test_what_another_process_puts_or_deletes_meanwhile_gets_a_new_version(
    store: VaultStore, folder: Path, monkeypatch: pytest.MonkeyPatch, *, is_there: bool
) -> None:
    plans = Reach._plan  # where what is there was read, and nothing is written yet

    def plans_too_early(reach: Reach, *args: Any, **named: Any) -> Any:  # noqa: ANN401  # likewise
        monkeypatch.undo()
        with VaultStore(folder, agent="ada") as other:
            if is_there:
                other.delete(MARA, "prefs")
            else:
                other.put(MARA, "prefs", {"roast": "medium"})
        return plans(reach, *args, **named)

    if is_there:
        store.put(MARA, "prefs", {"roast": "light"})
    monkeypatch.setattr(Reach, "_plan", plans_too_early)
    store.put(MARA, "prefs", {"roast": "dark"})
    found = store.get(MARA, "prefs")
    assert found is not None
    assert found.value == {"roast": "dark"}


@pytest.mark.parametrize("value", [{1: "a", "1": "b"}, {"in": [{None: 1}]}])
def test_a_key_of_a_value_that_is_no_text_is_refused(store: VaultStore, value: Any) -> None:  # noqa: ANN401  # likewise
    with pytest.raises(BadInput, match="objects whose keys are texts"):
        store.put(MARA, "k", value)
    assert store.get(MARA, "k") is None


def test_a_blank_message_asks_nothing(store: VaultStore) -> None:
    store.put(MARA, "tea", {"text": "Sencha."})
    for query in ("", " ", "\n"):
        assert [it.key for it in store.search(MARA, query=query)] == ["tea"]


def test_an_open_store_is_not_copied(store: VaultStore) -> None:
    for make in (copy.copy, copy.deepcopy):
        with pytest.raises(Refused, match="cannot be copied"):
            make(store)


LABELS = st.lists(st.sampled_from(["users", "mara", "Sam", "c d"]), min_size=1, max_size=3)
NAMESPACES = LABELS.map(tuple)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("abc ä\n\"'`{}", max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xyz"), inner),
    max_leaves=4,
)
KEYS = st.sampled_from(["one", "Two", "readme", "th ree"])
PUTS = st.tuples(st.just("put"), NAMESPACES, KEYS, st.dictionaries(st.sampled_from("pq"), JSON))
DELETES = st.tuples(st.just("delete"), NAMESPACES, KEYS, st.none())
FILTERS = st.sampled_from([None, {"n": {"$gte": 2}}, {"n": 1}, {"n": {"$ne": 1}, "p": None}])


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(PUTS | DELETES, max_size=8), wanted=FILTERS, depth=st.sampled_from([None, 1]))
def test_it_answers_what_langgraphs_own_store_does(
    folder: Path, tmp_path: Path, steps: list[Any], wanted: dict[str, Any] | None, depth: int | None
) -> None:
    shutil.copytree(folder, vault := tmp_path / "copy")
    model = InMemoryStore()
    with VaultStore(vault, agent="ada") as store:
        for n, (verb, namespace, key, value) in enumerate(steps):
            args = (namespace, key, {**value, "n": n}) if verb == "put" else (namespace, key)
            for each in (store, model):
                getattr(each, verb)(*args)
        asked = {(namespace, key) for _, namespace, key, _ in steps}
        for namespace, key in asked:
            assert _told([store.get(namespace, key)]) == _told([model.get(namespace, key)])
            for prefix in (namespace, namespace[:1]):
                found = [it.search(prefix, filter=wanted, limit=99) for it in (store, model)]
                assert _told(found[0]) == _told(found[1])
            # It goes on listing a namespace that nothing is left of.
            there = {item.namespace[:depth] for item in model.search((), limit=99)}
            assert set(store.list_namespaces(max_depth=depth)) == there
            ours = store.list_namespaces(prefix=("users",), suffix=("*",), limit=99)
            theirs = model.list_namespaces(prefix=("users",), suffix=("*",), limit=99)
            assert set(ours) <= set(theirs)
    shutil.rmtree(vault)


def _told(items: list[Any]) -> dict[Any, Any]:
    return {(item.namespace, item.key): item.value for item in items if item}


def test_what_can_be_no_agent_is_refused_at_once(folder: Path) -> None:
    for agent in ("../x", "Ada", 5):
        with pytest.raises(BadInput, match=r"cannot name an agent|agent takes a string"):
            VaultStore(folder, agent=cast("str", agent))


@pytest.mark.parametrize("bad", [[1], "text", 3])
def test_one_value_that_cannot_be_kept_keeps_a_whole_batch_out(
    store: VaultStore, bad: object
) -> None:
    puts = [PutOp(MARA, "good", {"a": 1}), PutOp(MARA, "bad", cast("dict[str, Any]", bad))]
    with pytest.raises(BadInput, match="nothing was stored"):
        store.batch(puts)
    assert store.get(MARA, "good") is None


def test_what_was_stored_before_one_was_refused_is_told(store: VaultStore, folder: Path) -> None:
    store.put(MARA, "k", {"a": "the umbrella was left in Graz"})
    store.delete(MARA, "k")
    again = PutOp(MARA, "k", {"a": "the umbrella was left in Graz"})
    with pytest.raises(Refused, match=r"^'k': .* the 1 before it were stored$"):
        store.batch([PutOp(MARA, "good", {"a": 1}), again])
    assert store.get(MARA, "good") is not None
    with Vault.open(folder) as vault:
        assert "langgraph: put good" in vault.log(1)[0].subject


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"query": 3}, "query"),
        ({"limit": -1}, "limit"),
        ({"offset": -2}, "off"),
        ({"filter": "x"}, "filter takes a Mapping"),
    ],
)
def test_a_search_that_cannot_be_names_the_argument(
    store: VaultStore, asked: dict[str, Any], named: str
) -> None:
    with pytest.raises(BadInput, match=f"^{named}"):
        store.search(MARA, **asked)
