"""A note that is too long becomes several that link each other, with every line as it was."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dreamt import Vault, reasons, topic
from vaultmem.maintenance.dream.detectors import broken_links, long_notes


def split(text: str) -> dict[str, str]:
    """Return the vault after the dream, which finds nothing more to do."""
    after = Vault({"topics/deploy.md": text}).dreamt(long_notes.find, broken_links.find)
    assert not after.planned(long_notes.find, broken_links.find).proposals
    return dict(after.texts)


def facts(count: int, of: str = "Fact") -> str:
    return "".join(f"- {of} {n} is so.\n" for n in range(count))


def test_sections_go_whole_where_they_fit() -> None:
    head = {"id": "01M81B5H802X2Z9RRETYFY7R0Z", "kind": "project", "mood": "calm  # mine"}
    after = split(topic(f"# Deploy\n## A\n{facts(90, 'A')}\n## B\n{facts(120, 'B')}", **head))
    assert sorted(after) == ["topics/deploy-2.md", "topics/deploy.md"]
    assert after["topics/deploy.md"].endswith(
        "- A 89 is so.\n\nContinued in [Deploy, part 2](deploy-2.md).\n"
    )
    second = after["topics/deploy-2.md"]
    front, body = second.split("---\n")[1:]
    assert body.startswith("Continued from [Deploy](deploy.md).\n\n## B\n- B 0 is so.\n")
    assert "title: Deploy, part 2\n" in front
    assert "kind: project\nmood: calm  # mine\n" in front
    assert head["id"] not in front
    assert "id: 01M81B5H80" in front


def test_a_section_that_is_too_long_is_cut_between_bullets_and_says_its_heading_again() -> None:
    after = split(topic(f"## Facts\n{facts(400)}"))
    assert len(after) == 3
    assert all(len(text.splitlines()) <= 160 for text in after.values())
    assert all("## Facts" in text for text in after.values())
    everything = "".join(after.values())
    assert all(everything.count(f"- Fact {n} is so.\n") == 1 for n in range(400))


def test_a_block_is_never_cut() -> None:
    code = "```\n" + "\n\n".join(f"- line {n}" for n in range(60)) + "\n```\n"
    after = split(topic(f"{facts(90)}\n{code}\nEnd.\n"))
    assert code in after["topics/deploy-2.md"]
    nested = "".join(f"- Fact {n}\n  goes on\n  - **Why:** so\n" for n in range(80))
    for text in split(topic(nested)).values():
        assert text.split("---\n")[2].count("- Fact") == text.count("  - **Why:** so")


def test_what_cannot_be_cut_well_is_left() -> None:
    code = "```\n" + "x\n" * 220 + "```\n"
    paragraph = "".join(f"line {n} of it\n" for n in range(220))
    for text in (topic(code), topic(paragraph)):
        assert split(text) == {"topics/deploy.md": text}


def test_two_hundred_lines_are_not_too_long() -> None:
    text = topic(facts(196))
    assert len(text.splitlines()) == 200
    assert split(text) == {"topics/deploy.md": text}


def test_line_ends_stay() -> None:
    after = split(topic(facts(220)).replace("\n", "\r\n"))
    assert len(after) == 2
    assert all(text.count("\n") == text.count("\r\n") for text in after.values())


def test_a_reason_says_how_long_it_was() -> None:
    planned = Vault({"topics/deploy.md": topic(facts(220))}).planned(long_notes.find)
    assert reasons(planned.proposals) == ["224 lines are too many for one note: split into 2"]


LINES = st.sampled_from([
    "- a fact", "  - hangs on it", "", "prose", "## A heading", "```", "    code", "1. first",
    "> quoted", "---", "<!-- hidden -->", "| a | b |", "- [x](y.md)", "* * *",
])  # fmt: skip


@pytest.mark.long
@settings(max_examples=30)
@given(st.lists(LINES, min_size=205, max_size=330))
def test_whatever_it_says_no_line_is_lost(lines: list[str]) -> None:
    text = topic("\n".join(lines) + "\n")
    vault = Vault({"topics/deploy.md": text, "topics/y.md": topic("")})
    assert not vault.planned(long_notes.find).left
    after = vault.dreamt(long_notes.find)
    assert not after.planned(long_notes.find).proposals
    everything = "\n".join(t for _, t in sorted(after.texts.items())).split("\n")
    assert all(everything.count(line) >= lines.count(line) for line in set(lines) if line)
