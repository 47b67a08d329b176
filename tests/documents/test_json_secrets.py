"""Credentials in JSON: blanked out by what they are called, and JSON it stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents import inner_json, secrets

KEY = "Kx7ssdf99Aq!z1"
GONE = "[REDACTED:secret-in-json]"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"password": KEY}, {"password": GONE}),
        ({"dbPassword": KEY}, {"dbPassword": GONE}),
        ({"login": {"user": "m", "secret": KEY}}, {"login": {"user": "m", "secret": GONE}}),
        ({"passwords": [KEY]}, {"passwords": [GONE]}),
        ({"name": "DB_PASSWORD", "value": KEY}, {"name": "DB_PASSWORD", "value": GONE}),
        ([{"label": "Password", "text": KEY}], [{"label": "Password", "text": GONE}]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_what_is_called_a_credential_is_one(value: object, kept: object, depth: int) -> None:
    """Also in JSON that stands in a text of JSON."""
    for _ in range(depth):
        value, kept = {"arguments": json.dumps(value)}, {"arguments": json.dumps(kept)}
    assert secrets.redact_json(value) == kept


@pytest.mark.parametrize(
    "value",
    [
        {"password": "The password must have 12 characters."},
        {"password": "$DB_PASSWORD"},
        {"passes": "test_walrus_12", "fails": "test_heron_3"},
        {"next_page_token": "page-2-of-17"},
        {"type": "password", "id": "field-12a", "ref": "e17"},
        {"secret_name": "walrus-2024-12"},
        {"said": "I row on Sundays at 10:15, boat 12."},
        {"n": 4711, "is": True, "none": None, "list": [], "object": {}, "text": '{"a": 1}'},
    ],
)
def test_what_only_sounds_like_one_stays(value: object) -> None:
    assert secrets.redact_json(value) == value


def test_a_number_that_is_one_is_a_text_afterwards() -> None:
    assert secrets.redact_json({"door code": 4711, "n": 12}) == {
        "door code": "[REDACTED:pin-in-prose]", "n": 12,
    }  # fmt: skip


@pytest.mark.parametrize("depth", [1, 63, 480, 900, 990, 5000])
def test_a_text_of_json_however_deep_is_a_text(depth: int) -> None:
    """No tool that answers with brackets keeps an item out."""
    answer = {"output": f"{'[' * depth}{']' * depth}"}
    assert secrets.redact_json(answer) == answer
    key = {"output": f"{'[' * depth}password: {KEY}"}
    assert KEY not in json.dumps(secrets.redact_json(key))


LEAF = st.sampled_from([f"mysql -p{KEY}", f"DB_PASSWORD={KEY}", f'say "{KEY}"', "tea", "\\", 4711])
JSON = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "pin", "password"]), inner, max_size=3)
        | inner.map(json.dumps)
        | inner.map(lambda it: json.dumps(it, separators=(",", ":")))
    ),
    max_leaves=8,
)


def form(value: object) -> object:
    """Return what stands where in *value*: what of it is no text, and JSON in texts."""
    if isinstance(value, list):
        return [form(part) for part in value]
    if isinstance(value, dict):
        return {key: form(part) for key, part in value.items()}
    if isinstance(value, str) and (inner := inner_json.of(value)) is not None:
        return ["json", form(inner)]
    return "leaf"


@given(value=JSON)
def test_json_keeps_its_form_and_is_blanked_once(value: object) -> None:
    made = secrets.redact_json(value)
    assert form(made) == form(value)
    assert secrets.redact_json(made) == made
    assert f"-p{KEY}" not in json.dumps(made)


@pytest.mark.long
def test_many_numbers_that_are_credentials_are_blanked_out_soon() -> None:
    """The whole tells of each: a number is no text that could be looked through for itself."""
    many = [{"password": 1_234_567 + n} for n in range(32_000)]
    assert secrets.redact_json(many) == [{"password": "[REDACTED:password-in-prose]"}] * len(many)
