"""What of JSON may be kept: its texts in the order of reading are one text for private marks."""

from __future__ import annotations

import json

import pytest

from vaultmem.documents import public_values

BEGINS, ENDS = "Look: <private>my salary", "it is</private> Thanks."

KEPT = [
    (["a", "b"], ["a", "b"]),
    ({"a": 1, "b": [None, True, {}], "c": ""}, {"a": 1, "b": [None, True, {}], "c": ""}),
    (["<private>hush", "hush", 4711, "hush</private>", "tea"], ["", "", "tea"]),
    (
        {"facts": [{"f": "<private>hush"}, {"f": "hush", "code": 4711}, {"f": "hush</private>"}]},
        {"facts": [{"f": ""}, {"f": ""}]},
    ),
    (
        {"a": "<private>hush", "b": "hush", "hush": [], "c": "</private> tea"},
        {"a": "", "c": "tea"},
    ),
    (
        {"a": {"b": "<private>hush"}, "c": {"d": {"e": "hush</private>"}}},
        {"a": {"b": ""}, "c": {"d": {"e": ""}}},
    ),
    (["<private>", {"fact": "hush"}, "</private>", "tea"], ["", "", "tea"]),
    ({"<private>hush": "hush", "hush</private>": "tea"}, {"": "tea"}),
    (
        [{"type": "input_text", "text": BEGINS},
         {"type": "input_file", "filename": "hush.txt", "file_data": "hush"},
         {"type": "input_text", "text": ENDS}],
        [{"type": "input_text", "text": "Look: "}, {"type": "input_text", "text": "Thanks."}],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("value", "kept"), KEPT)
def test_a_private_part_goes_on_over_whatever_stands_in_it(value: object, kept: object) -> None:
    """Whatever the keys are: what stands in it all through is left out, and nothing else."""
    assert public_values.shown(value) == kept
    assert "hush" not in str(public_values.shown(value))


def test_a_part_within_a_part_goes_on_over_the_parts_of_a_message() -> None:
    said = ["a <private>b <private>hush", "c</private> hush", "hush</private> tea"]
    for parts in (said, [{"text": text} for text in said], [{"fact": [text]} for text in said]):
        shown = str(public_values.shown(parts))
        assert "hush" not in shown
        assert "tea" in shown


def test_what_nothing_closes_takes_the_list_and_leaves_the_fields_of_a_record() -> None:
    """A tool that says half a mark must not cost the next run the call it answered."""
    item = {
        "content": [{"text": "<private>hush", "b": "hush", "type": "output_text"}, {"a": "hush"}],
        "call_id": "c 1", "author": "the model", "at": 4711,
    }  # fmt: skip
    assert public_values.shown(item) == {
        "content": [{"text": "", "type": "output_text"}],
        "call_id": "c 1", "author": "the model", "at": 4711,
    }  # fmt: skip
    assert public_values.shown({"a": "<private>hush", "b": "tea"}) == {"a": "", "b": "tea"}


def test_what_says_which_object_it_is_stays_where_a_part_begins_or_ends() -> None:
    """Of a call its tool and its id, and no sentence that is called so."""
    calls = [
        {"args": "<private>hush", "name": "look_up", "id": "call-1", "status": "hush hush"},
        {"name": "hush", "id": "hush"},
        {"name": "hush", "type": "card", "text": "hush</private>tea"},
    ]
    assert public_values.shown(calls) == [
        {"args": "", "name": "look_up", "id": "call-1"}, {"type": "card", "text": "tea"},
    ]  # fmt: skip


@pytest.mark.parametrize(("given", "kept"), [
    ({"password": "Kx7ssdf99Aq!"}, {"password": "[REDACTED:secret-in-json]"}),
    ({"env": ["PW=1", "DB_PASSWORD=Kx7ssdf99Aq!"]},
     {"env": ["PW=1", "DB_PASSWORD=[REDACTED:password-in-prose]"]}),
    ({"Authorization": "Basic bWFyYTpLeDdzc2RmOTlBcXo1"},
     {"Authorization": "Basic [REDACTED:basic-auth]"}),
    ({"cmd": "mysql -pKx7ssdf99Aqz9"}, {"cmd": "mysql -p[REDACTED:command-line-secret]"}),
    (["<private>hush", {"a": 4711}, "</private>", "tea"], ["", "", "tea"]),
    (["<private>hush", {"a": 4711}], [""]),
])  # fmt: skip
def test_a_text_that_is_json_stays_json(given: object, kept: object) -> None:
    """What a tool is called with is a text in an item, and may have such a text itself."""
    for deep in range(3):
        text, told = given, kept
        for _ in range(deep + 1):
            text, told = json.dumps(text), json.dumps(told)
            assert public_values.shown({"arguments": text}) == {"arguments": told}
            text, told = [text], [told]


def test_what_is_private_all_through_is_an_empty_value_of_its_kind() -> None:
    """Whoever gave it gets an object for an object, and JSON for a text that is JSON."""
    hidden = {"<private>": 4711}
    for value in (hidden, [hidden]):
        empty = type(value)()
        assert public_values.shown(value, is_one=True) == empty
        assert public_values.shown({"args": json.dumps(value)}) == {"args": json.dumps(empty)}


@pytest.mark.long
def test_a_long_value_in_which_a_part_is_open_is_read_once() -> None:
    """Many fields behind a mark are looked through for its end no more often than there are."""
    many = {f"f{n}": "hush" for n in range(2_000)}
    assert public_values.shown({"a": "<private>hush", **many, "z": "</private>"}) == {
        "a": "",
        "z": "",
    }
    assert public_values.shown({"a": "<private>hush", **many}) == {"a": "", **many}
    open_ones = dict.fromkeys(many, "<private>hush")
    assert public_values.shown(open_ones) == dict.fromkeys(many, "")
    assert public_values.shown(["<private>hush"] * 16_000) == [""]
