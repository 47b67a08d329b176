"""Item logs: only appended to, and read as they stand."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import Vault
from vaultmem.errors import BadInput
from vaultmem.storage import item_logs


def test_marks_take_items_from_what_is_held_and_torn_lines_are_none() -> None:
    log = b"""{"log": ["a"], "item": {"n": 1}}
{"log": ["a"], "mark": "cleared"}
{"log": ["a"], "item": {"n": 2}}
{"log": ["a"], "item": {"n": 3}}
{"log": ["a"], "mark": "taken back"}
no json
{"log": ["a"], "item": {"n": 4}}
{"log": ["a"], "it"""
    assert item_logs.parse(log) == [{"n": 2}, {"n": 4}]


@given(names=st.lists(st.lists(st.text(max_size=8), min_size=1, max_size=3), unique_by=tuple))
def test_no_two_logs_share_a_file(names: list[list[str]]) -> None:
    paths = {item_logs.path("ada", name).casefold() for name in names}
    assert len(paths) == len(names)
    assert all(map(item_logs.is_path, paths))


JSON = st.recursive(
    st.text(max_size=6) | st.integers() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | inner.map(json.dumps)
    ),
    max_leaves=8,
)


@given(value=JSON)
def test_masking_what_a_value_says_leaves_none_of_it_and_tells_what_it_was(value: object) -> None:
    said = item_logs.texts(value)
    masked = item_logs.masked(value, lambda text: text in said, "[gone]")
    assert not {*item_logs.texts(masked)} & {*said} - {"[gone]"}
    assert {*item_logs.replaced(masked, value, "[gone]")} == {*said} - {"[gone]"}
    assert item_logs.masked(value, lambda _: False, "[gone]") == value


@pytest.mark.parametrize(
    "value", [b"bytes", {1}, float("nan"), 10**5000], ids=["bytes", "set", "nan", "huge"]
)
def test_what_is_no_json_is_refused_and_nothing_is_kept(vault: Vault, value: object) -> None:
    with pytest.raises(BadInput, match="no JSON"):
        vault.item_logs.append(["chat"], [{"n": value}], agent="ada")
    assert vault.item_logs.list(agent="ada") == ()


def test_a_private_part_goes_on_in_the_next_parts_of_what_was_said(vault: Vault) -> None:
    told = [{"text": "Mara came. <private>She owes"}, {"text": "4711 crowns.</private> She left."}]
    (item,) = vault.item_logs.append(["chat"], [{"content": [*told, "and"]}], agent="ada")
    assert item == {"content": [{"text": "Mara came. "}, {"text": "She left."}, "and"]}


def test_a_file_between_the_marks_of_a_private_part_is_in_no_log(vault: Vault) -> None:
    """A run that reads the log again has parts that are whole, and the ids of its calls."""
    said = [
        {"type": "input_text", "text": "Look: <private>"},
        {"type": "input_file", "filename": "pay.txt", "file_data": "4711 a month"},
        {"type": "input_text", "text": "</private> Thanks."},
    ]
    given: list[dict[str, object]] = [
        {"role": "user", "content": said, "id": "m 1"},
        {"arguments": '{"facts": ["<private>4711"]}', "call_id": "c 1", "name": "put it"},
    ]
    kept = vault.item_logs.append(["chat"], given, agent="ada")
    assert kept == (
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "Look: "},
                {"type": "input_text", "text": "Thanks."},
            ],
            "id": "m 1",
        },
        {"arguments": '{"facts": [""]}', "call_id": "c 1", "name": "put it"},
    )
    assert vault.item_logs.read(["chat"], agent="ada") == kept


def test_a_log_needs_a_name_and_a_mark_that_there_is(vault: Vault) -> None:
    with pytest.raises(BadInput, match="a log needs a name"):
        vault.item_logs.append([], [{"n": 1}], agent="ada")
    vault.item_logs.append(["chat"], [{"n": 1}], agent="ada")
    with pytest.raises(BadInput, match="a mark is one of cleared, taken back"):
        vault.item_logs.mark(["chat"], cast("item_logs.Mark", "emptied"), agent="ada")


@pytest.mark.parametrize(
    ("damage", "codes"),
    [
        (lambda data: data[:-9], ["cut-log", "torn-log"]),
        (lambda data: data + b"no JSON\n", ["bad-item"]),
        (lambda _: b"", ["cut-log"]),
    ],
)
def test_a_damaged_log_is_named_and_what_it_lacks_is_not_committed(
    vault: Vault, damage: Callable[[bytes], bytes], codes: list[str]
) -> None:
    vault.item_logs.append(["chat"], [{"n": 1}, {"n": 2}], agent="ada")
    vault.history.commit_pending()
    where = item_logs.path("ada", ["chat"])
    file = vault.path / where
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert sorted(p.code for p in vault.fsck().problems) == codes
    if "cut-log" in codes:
        vault.store.writer.commit_edits(quiet=0)
        shown = ["git", "show", f"HEAD:{where}"]
        done = subprocess.run(shown, cwd=vault.path, capture_output=True, check=True)
        assert done.stdout == whole


def test_a_log_that_is_gone_is_missed(vault: Vault) -> None:
    vault.item_logs.append(["chat"], [{"n": 1}], agent="ada")
    vault.history.commit_pending()
    (vault.path / item_logs.path("ada", ["chat"])).unlink()
    assert [p.code for p in vault.fsck().problems] == ["missing"]
