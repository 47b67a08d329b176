"""Every setting: documented, defaulted, and refused by name when it cannot be."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from vaultmem import config
from vaultmem.config import Config, Raw
from vaultmem.documents import frontmatter
from vaultmem.errors import BadInput, TooNew
from vaultmem.maintenance import starter_files

FILE = frontmatter.parse(starter_files.text(config.PATH).decode())
ABOUT_THE_FILE = {"type", "title", "id", "description"}


def test_every_option_is_a_key_and_is_explained_in_the_file() -> None:
    """And nothing is explained that is no option; all in the order of the table."""
    keys = [key for key in frontmatter.fields(FILE) if key not in ABOUT_THE_FILE]
    explained = re.findall(r"(?m)^- `([a-z_]+)`:", FILE.body)
    assert keys == explained == list(config.OPTIONS) == [f.name for f in fields(Config)]


def test_the_file_states_the_defaults() -> None:
    """Deleting a line changes nothing."""
    assert config.load(frontmatter.fields(FILE)) == config.load({}) == Config()


def test_every_option_is_read() -> None:
    """One of each, other than its default."""
    raw: dict[str, Raw] = {
        "format": "1", "agent": "ada", "owner": "Mara  Lind",
        "immediate_window": "1", "recent_window": "2",
        "layout": "day", "profile": "quick", "strategy": "off",
        "strategies": ["ada: rolling", "ben: off"], "resummarize_every": "3",
        "session_strategy": "fold", "fold_from_turns": "5",
        "session_window_turns": "6", "session_window_tokens": "700", "distill_at_episodes": "3",
        "distill_episodes": "3", "compact_after_turns": "10", "compact_at_percent": "100",
        "context_window": "9000", "session_compression": "30",
        "session_model_from": "40", "context_shares": ["10", "40", "40", "10"],
        "context_episodes": "0", "context_topic_items": "7", "max_llm_calls_per_hour": "0",
        "max_tokens_per_day": "5", "dream": "off", "dream_apply": "safe", "dream_hours": "12",
        "dream_sessions": "2", "commit_human_edits": "No", "sync_every": "5m", "max_memories": "9",
        "stale_after_hours": "24", "states": ["asked", "paid"],
        "disabled_agents": ["a", "b"], "disabled_sessions": ["s"],
    }  # fmt: skip
    assert config.load(raw) == Config(
        1, "ada", "Mara Lind", 1, 2, "day", "quick", "off", (("ada", "rolling"), ("ben", "off")), 3,
        "fold", 5, 6, 700, 3, 3, 10, 100, 9000, 30, 40, (10, 40, 40, 10), 0, 7, 0, 5,
        False, "safe", 12, 2, False, 300, 9, 24, ("asked", "paid"), ("a", "b"), ("s",)  # noqa: FBT003
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "raw", "takes"),
    [
        ("format", "0", "a whole number from 1 to 999999999"),
        ("agent", "Ada", "the name of an agent"),
        ("agent", "../x", "the name of an agent"),
        ("agent", ["ada"], "the name of an agent"),
        ("immediate_window", "0", "a whole number from 1 to 999999999"),
        ("immediate_window", "-1", "a whole number from 1 to 999999999"),
        ("recent_window", "many", "a whole number from 1 to 999999999"),
        ("recent_window", ["64"], "a whole number from 1 to 999999999"),
        ("profile", "../../etc/passwd", "a lower-case name"),
        ("profile", "", "a lower-case name"),
        ("strategy", "sometimes", "one of cascade, rolling, off"),
        ("strategies", ["ada=off"], 'a list of "AGENT: STRATEGY", each one of cascade'),
        ("strategies", ["ada: never"], 'a list of "AGENT: STRATEGY", each one of cascade'),
        ("strategies", ["Ada: off"], 'a list of "AGENT: STRATEGY", each one of cascade'),
        ("commit_human_edits", "maybe", "true or false"),
        ("sync_every", "5", "a time such as 30s, 5m or 1h, or never"),
        ("sync_every", "0m", "a time such as 30s, 5m or 1h, or never"),
        ("max_memories", "1e3", "a whole number from 0 to 999999999"),
        ("context_shares", ["20", "30", "50"], "a list of four whole numbers"),
        ("context_shares", "20", "a list of four whole numbers"),
        (
            "context_shares",
            ["20", "30", "30", "30"],
            "four numbers that sum to 100, and these sum to 110",
        ),
        ("session_window_turns", "0", "a whole number from 1 to 999999999"),
        ("compact_at_percent", "101", "a whole number from 1 to 100"),
        ("compact_at_percent", "0", "a whole number from 1 to 100"),
        ("stale_after_hours", "9999999999", "a whole number from 0 to 999999999"),
        ("disabled_agents", "ada", "a list of names"),
        ("disabled_sessions", [["s"]], "a list of names"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_its_file_and_option(
    name: str, raw: Raw, takes: str
) -> None:
    """The sentence says where, what stands there, and what it takes."""
    with pytest.raises(BadInput) as refusal:
        config.load({name: raw})
    said = str(refusal.value)
    assert said.startswith(f"config/memory_compaction.md: {name} is {raw!r}, it takes {takes}")


def test_no_more_episodes_can_be_distilled_than_wait() -> None:
    """Both keys are named, whichever of them stands in the file."""
    with pytest.raises(BadInput, match="distill_episodes is 9, and distill_at_episodes is 8: no "):
        config.load({"distill_episodes": "9"})
    with pytest.raises(BadInput, match="distill_episodes is 4, and distill_at_episodes is 3: no "):
        config.load({"distill_at_episodes": "3"})


@pytest.mark.parametrize("raw", ["2", "99999999999", "new", "\u00b2", "", ["1"]])
def test_another_format_is_left_alone(raw: Raw) -> None:
    """Whatever is not a number we know may be a newer one's way to say it."""
    with pytest.raises(TooNew):
        config.load({"format": raw})


@pytest.mark.parametrize("name", ["ada", "a", "0", "a.b", "a-b_c", "x" * 63])
def test_a_lower_case_name_names_an_agent(name: str) -> None:
    """It becomes a folder."""
    assert config.agent_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Ada",
        "a/b",
        "..",
        "a..b",
        ".a",
        "-a",
        "a.",
        "a b",
        "ä",
        "a\n",
        "x" * 64,
        "a\0",
        "\u0661",
    ],
)
def test_another_name_names_none(name: str) -> None:
    """And says what would."""
    with pytest.raises(BadInput, match="use lower-case letters, digits, - and _, at most 63"):
        config.agent_name(name)


def test_the_file_in_a_new_vault_is_the_one_that_is_documented(folder: Path) -> None:
    """`init` copies it."""
    assert (folder / config.PATH).read_bytes() == starter_files.text(config.PATH)


@pytest.mark.parametrize("said", ["never", "1s", "90s", "10m", "2h"])
def test_a_time_to_wait_is_told_as_the_file_has_it(said: str) -> None:
    assert config.interval_text(config.interval(said)) == said
