"""The export of ChatGPT: the branch that counts, from a zip or alone, however large."""

from __future__ import annotations

import json
import stat
import zipfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import Vault
from vaultmem.errors import BadInput
from vaultmem.exchange.formats import chatgpt, json_stream
from vaultmem.exchange.formats.chatgpt_conversation import Conversation, session_name
from vaultmem.exchange.importing import message_reader, service
from vaultmem.exchange.importing.types import Imported, Settings
from vaultmem.records import Record
from vaultmem.storage import transcript_files, transcripts
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.without_history

GITHUB = "ghp_" + "a1B2c3D4" * 5
Node = dict[str, object]


def node(
    own: str, parent: str | None, role: str, content: object, **message: object
) -> tuple[str, Node]:
    """Return a node of a conversation's tree; a *content* that is text is the only part."""
    told = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    said = {"id": own, "author": {"role": role}, "create_time": 1700000000.0, "content": told}
    return own, {"id": own, "parent": parent, "children": [], "message": said | message}


def talk(*nodes: tuple[str, Node], end: str, title: str = "Trip", key: str = "c1") -> Node:
    """Return a conversation whose last read branch ends at *end*."""
    root: Node = {"id": "r", "parent": None, "children": [], "message": None}
    return {
        "title": title, "create_time": 1699999999.0, "conversation_id": key,
        "current_node": end, "mapping": {"r": root, **dict(nodes)},
    }  # fmt: skip


OSLO = talk(
    node("a", "r", "user", "I fly to Oslo in May."),
    node("b", "a", "assistant", "Noted: Oslo in May."),
    end="b",
)


UNDATED = talk(
    node("a", "r", "user", "I fly to Oslo in May."),
    node("b", "a", "assistant", "Noted: Oslo in May.", create_time=None),
    end="b",
)


def put(folder: Path, *talks: Node, name: str = "conversations.json") -> Path:
    """Write an export."""
    path = folder / name
    path.write_text(json.dumps(talks))
    return path


def take(vault: Vault, *paths: Path, manner: str = "", **how: bool) -> Imported:
    """Import exports for ada."""
    vault.store.sync_soon()
    settings = Settings("ada", vault.store.clock(), form="chatgpt", **how)
    return service.take(vault.store, paths, settings, lambda _: None, manner)


def memories(vault: Vault) -> Sequence[Record]:
    """Return the memories there are."""
    return vault.store.index.records(Filter(type="memory", recallable=True))


def bodies(vault: Vault) -> list[str]:
    """Return what they say, by the alphabet."""
    return sorted(record.body.strip() for record in memories(vault))


def why(done: Imported) -> dict[str, int]:
    """Return how often what was skipped for which reason."""
    return {reason.why: reason.count for reason in done.skipped_because}


def test_a_message_without_a_time_is_of_that_of_the_one_before(
    vault: Vault, tmp_path: Path
) -> None:
    take(vault, put(tmp_path, UNDATED))
    assert {m.created for m in memories(vault)} == {"2023-11-14T22:13:20Z"}


def test_messages_become_memories_of_their_time_and_come_once(vault: Vault, tmp_path: Path) -> None:
    """By whom, when, in which conversation; the title is the session's name."""
    path = put(tmp_path, OSLO)
    assert take(vault, path).imported == 2
    first = next(m for m in memories(vault) if "fly" in m.body)
    assert (first.speaker, first.created, first.origin, first.trust) == (
        "user", "2023-11-14T22:13:20Z", "c1/a", "agent",
    )  # fmt: skip
    assert first.session == session_name("Trip", "c1")
    assert first.session.startswith("trip-")
    done = take(vault, path)
    assert (done.imported, why(done)) == (0, {"imported before": 2})


def test_a_new_title_makes_no_new_memories(vault: Vault, tmp_path: Path) -> None:
    """The conversation's id names them."""
    take(vault, put(tmp_path, OSLO))
    assert take(vault, put(tmp_path, OSLO | {"title": "Norway"})).imported == 0


@pytest.mark.parametrize("manner", ["turns", "memories"])
def test_a_conversation_keeps_its_session_when_it_is_renamed_and_goes_on(
    vault: Vault, tmp_path: Path, manner: str
) -> None:
    """A new title adds nothing, and a message after it that message alone."""
    nodes = (node("a", "r", "user", "I bake on Sundays."), node("b", "a", "assistant", "Noted."))
    on = node("c", "b", "user", "Rye this week.")
    take(vault, put(tmp_path, talk(*nodes, end="b", title="Baking")), manner=manner)
    renamed = talk(*nodes, end="b", title="Renamed talk")
    assert take(vault, put(tmp_path, renamed), manner=manner).imported == 0
    longer = talk(*nodes, on, end="c", title="Renamed again")
    assert take(vault, put(tmp_path, longer), manner=manner).imported == 1
    name = session_name("Baking", "c1")
    if manner == "memories":
        assert {record.session for record in memories(vault)} == {name}
        return
    assert len([*(vault.path / "agents/ada/sessions").iterdir()]) == 1
    found = transcripts.load(vault.store.root, transcript_files.path("ada", name))
    assert found
    assert [turn.origin for turn in found.turns] == ["c1/a", "c1/b", "c1/c"]


def test_only_the_branch_that_was_read_last_counts(vault: Vault, tmp_path: Path) -> None:
    """What was edited away is counted; --all-branches takes it as well."""
    edited = talk(
        node("a", "r", "user", "I fly to Rome."),
        node("b", "r", "user", "I fly to Oslo."),
        node("c", "b", "assistant", "Oslo it is."),
        end="c",
    )
    path = put(tmp_path, edited)
    done = take(vault, path)
    assert bodies(vault) == ["I fly to Oslo.", "Oslo it is."]
    assert why(done) == {"another branch: edited or answered again": 1}
    assert take(vault, path, all_branches=True).imported == 1
    assert "I fly to Rome." in bodies(vault)


UNSAID: list[tuple[tuple[str, Node], str]] = [
    (node("a", "r", "system", "You are ChatGPT."), "a system message"),
    (node("b", "a", "user", {"content_type": "user_editable_context"}), "custom instructions"),
    (node("c", "b", "assistant", {"content_type": "thoughts", "thoughts": []}), "thinking"),
    (node("d", "c", "assistant", ""), "nothing said"),
    (
        node("e", "d", "user", "x", metadata={"is_visually_hidden_from_conversation": True}),
        "hidden from the conversation",
    ),
    (
        node("f", "e", "tool", {"content_type": "execution_output", "text": "42"}),
        "a tool's or a program's word, which only an import as turns keeps",
    ),
]


def test_what_nobody_said_is_skipped_for_a_reason(vault: Vault, tmp_path: Path) -> None:
    """Counted, and not stored."""
    done = take(vault, put(tmp_path, talk(*(told for told, _ in UNSAID), end="f")))
    assert (done.imported, why(done)) == (0, {reason: 1 for _, reason in UNSAID})


def test_parts_of_all_kinds_read_as_text(vault: Vault, tmp_path: Path) -> None:
    """Pictures are named, speech is its words, marks of citations go."""
    parts = [
        {"content_type": "image_asset_pointer", "asset_pointer": "sediment://x"},
        {"content_type": "audio_transcription", "text": "And this?"},
        "A cat\ue200cite\ue202turn0search1\ue201.",
    ]
    said = node("a", "r", "user", {"content_type": "multimodal_text", "parts": parts})
    take(vault, put(tmp_path, talk(said, end="a")))
    assert bodies(vault) == ["[image]\n\nAnd this?\n\nA cat."]


def test_as_turns_tools_are_told_in_short(vault: Vault, tmp_path: Path) -> None:
    """The call by its first line, the result cut, under the tool's name."""
    code = {"content_type": "code", "language": "python", "text": "print(6 * 7)\n# done"}
    out = {"content_type": "execution_output", "text": "42\n" * 1000}
    path = put(
        tmp_path,
        talk(
            node("a", "r", "user", "Six times seven?"),
            node("b", "a", "assistant", code, recipient="python"),
            node("c", "b", "tool", out, author={"role": "tool", "name": "python"}),
            end="c",
        ),
    )
    assert take(vault, path, manner="turns").imported == 3
    assert take(vault, path, manner="turns").imported == 0
    where = transcript_files.path("ada", session_name("Trip", "c1"))
    found = transcripts.load(vault.store.root, where)
    assert found
    _, call, result = found.turns
    assert (call.role, call.content) == ("assistant", "[python: print(6 * 7)]")
    assert (result.role, result.tool, len(result.content) < 600) == ("tool", "python", True)


def test_the_zip_is_read_as_it_was_sent(vault: Vault, tmp_path: Path) -> None:
    """Its parts in order, in a folder or not; what else lies in it is left alone."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations-000.json", json.dumps([OSLO]))
        other = talk(node("z", "r", "user", "I like tea."), end="z", key="c2")
        archive.writestr("export/conversations-001.json", json.dumps([other]))
        archive.writestr("../../evil.json", "[]")
    assert take(vault, path).imported == 3
    assert [p.name for p in tmp_path.parent.rglob("evil.json")] == []


@pytest.mark.parametrize("name", ["../conversations.json", "/conversations.json",
                                  "a/../../conversations-1.json"])  # fmt: skip
def test_a_member_that_leaves_the_zip_is_refused(vault: Vault, tmp_path: Path, name: str) -> None:
    """Whoever made it did not export it; nothing beside it is taken either."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations-000.json", json.dumps([OSLO]))
        archive.writestr(name, json.dumps([OSLO]))
    with pytest.raises(BadInput, match="a path out of the zip"):
        take(vault, path, skip_bad=True)
    assert vault.status().agents == ()


def test_a_member_that_is_a_link_is_refused(vault: Vault, tmp_path: Path) -> None:
    """Its text is a path."""
    link = zipfile.ZipInfo("conversations.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(BadInput, match="a link"):
        take(vault, path)


def test_many_small_bombs_are_one(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each below what is let through."""
    monkeypatch.setattr(chatgpt, "_SMALL", 1_000_000)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(5):
            archive.writestr(f"conversations-{n}.json", b"[]" + b" " * 990_000)
    with pytest.raises(BadInput, match="out of next to nothing"):
        take(vault, path)


class Key(str):
    """A key that counts how often it is looked up."""

    __slots__ = ()
    lookups = 0

    def __str__(self) -> str:
        """Stay what it is."""
        return self

    def __eq__(self, other: object) -> bool:
        """Be equal to the same text."""
        return str.__eq__(self, other)

    def __hash__(self) -> int:
        """Count."""
        Key.lookups += 1
        return str.__hash__(self)


def lookups(n: int) -> int:
    """Return how many lookups a chain of *n* nodes that say nothing takes."""
    Key.lookups = 0
    chain = {Key(str(i)): {"parent": Key(str(i - 1)), "message": None} for i in range(n)}
    raw = {"mapping": chain, "current_node": str(n - 1)}
    (item,) = Conversation("c.json", 1, raw).items()
    assert item.skipped == "a conversation of no message"
    return Key.lookups


def test_a_conversation_takes_as_many_steps_as_it_has_nodes() -> None:
    """Not their square: with edits and tools a long one has tens of thousands."""
    assert lookups(800) <= 8 * lookups(100) + 100


@pytest.mark.long
def test_a_bomb_is_not_unpacked(vault: Vault, tmp_path: Path) -> None:
    """A hundred megabytes of nothing, out of a few kilobytes."""
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b"[" + b" " * 100_000_000)
    with pytest.raises(BadInput, match="unpacks to 95 MiB out of next to nothing"):
        take(vault, path)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'[{"title": "x"', "is no JSON: .* in element 1"),
        (b"", "is no JSON: it ends too early"),
        (b'[{"mapping": {}} {"mapping": {}}]', "no comma after element 1"),
        (b'["\xff"]', "is not UTF-8"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'[{"title": "x"}]', "conversation 1: no conversation: it has no mapping"),
        (b"PK\x03\x04 torn", "a zip that breaks off"),
    ],
)
def test_a_broken_export_is_refused_with_the_place(tmp_path: Path, data: bytes, says: str) -> None:
    """Never a traceback, and nothing imported."""
    path = tmp_path / "conversations.json"
    path.write_bytes(data)
    settings = Settings("ada", datetime(2026, 11, 20, tzinfo=UTC), form="chatgpt")
    with pytest.raises(BadInput, match=says) as e:
        message_reader.refuse_bad(message_reader.lines([path], settings))
    assert str(e.value).startswith("conversations.json")


def test_a_secret_is_named_by_conversation_and_message(vault: Vault, tmp_path: Path) -> None:
    """There are no lines to count in such a file."""
    bad = talk(node("a", "r", "user", f"token {GITHUB}"), end="a", key="c2")
    path = put(tmp_path, OSLO, bad)
    where = r"^conversations\.json, conversation 2, message 1: looks like a secret \(github-token\)"
    with pytest.raises(BadInput, match=where):
        take(vault, path)
    assert bodies(vault) == []
    assert take(vault, path, skip_bad=True).imported == 2


def test_a_tree_that_is_a_ring_ends(vault: Vault, tmp_path: Path) -> None:
    """And one without a current node is read to its newest leaf."""
    ring = talk(node("a", "b", "user", "one"), node("b", "a", "user", "two"), end="a")
    lost = talk(node("c", "r", "user", "three"), end="nowhere", key="c2")
    endless = talk(node("d", "e", "user", "four"), node("e", "d", "user", "five"), end="", key="c3")
    del endless["mapping"]["r"]  # type: ignore[attr-defined]  # a dict
    assert take(vault, put(tmp_path, ring, lost, endless)).imported == 5


def test_a_conversation_of_no_message_is_counted(vault: Vault, tmp_path: Path) -> None:
    done = take(vault, put(tmp_path, OSLO, talk(end="r", key="c2"), {"mapping": {}}))
    assert (done.imported, why(done)) == (2, {"a conversation of no message": 2})
    (reason,) = done.skipped_because
    assert reason.where == "conversations.json, conversation 2"


@given(st.lists(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)), st.integers(1, 7))  # fmt: skip
def test_an_array_is_read_the_same_in_whatever_blocks_it_comes(
    values: list[object], block: int
) -> None:
    """Cut in the middle of a letter, an escape, a number."""

    class Slow(BytesIO):
        def read(self, _size: int | None = -1, /) -> bytes:
            return super().read(block)

    data = json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")
    try:
        data.decode()
    except UnicodeDecodeError:
        return
    assert list(json_stream.objects(Slow(data))) == values


def test_a_type_that_is_not_known_yet_keeps_its_text_or_is_named(
    vault: Vault, tmp_path: Path
) -> None:
    """The format has no description: what comes next year is not passed over in silence."""
    told = talk(
        node("a", "r", "assistant", {"content_type": "widget", "text": "Rain in Oslo."}),
        node("b", "a", "assistant", {"content_type": "widget", "content": "Sun in Rome."}),
        node("c", "b", "assistant", {"content_type": "widget", "content": ["Fog.", "Wind."]}),
        node("d", "c", "assistant", {"content_type": "map_tile", "tile": 7}),
        node("e", "d", "assistant", {"content_type": "<b>odd</b>\n"}),
        end="e",
    )
    done = take(vault, put(tmp_path, told))
    assert bodies(vault) == ["Fog.\n\nWind.", "Rain in Oslo.", "Sun in Rome."]
    assert why(done) == {"no text in it: map_tile": 1, "no text in it": 1}


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda data: data[: len(data) // 2], "a zip that breaks off"),
        (lambda data: data[:80] + bytes(60) + data[140:], "is damaged"),
        (lambda data: _packed(data, 99), "packed in a way that is not read here"),
    ],
    ids=["half", "overwritten", "unknown"],
)
def test_a_damaged_zip_is_told_and_nothing_comes_in(
    vault: Vault, tmp_path: Path, spoil: Callable[[bytes], bytes], why: str
) -> None:
    path = tmp_path / "export.zip"
    said = [{"title": str(n), "mapping": {}} for n in range(2000)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(said))
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(BadInput, match=f"{why}.*nothing was imported"):
        vault.import_files("chatgpt", [path])


def _packed(data: bytes, method: int) -> bytes:
    """Return the zip *data* whose only member says that it is packed by that method."""
    changed = bytearray(data)
    changed[8] = changed[data.rindex(b"PK\1\2") + 10] = method
    return bytes(changed)
