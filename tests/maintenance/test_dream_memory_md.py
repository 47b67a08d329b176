"""A MEMORY.md that holds more than pointers is put in order, and every word of it stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dreamt import Vault, reasons, topic
from vaultmem.maintenance.dream.detectors import (
    broken_links,
    index_marks,
    memory_md,
    passing_state,
)
from vaultmem.maintenance.dream.types import key
from vaultmem.memory import memory_index

DEPLOY = topic("## Facts\n- Deploys go out on Tuesdays.\n")
MARKED = "<!-- vaultmem:begin -->\n- [Deploy](topics/deploy.md)\n<!-- vaultmem:end -->\n"


def repaired(text: str, **others: str) -> dict[str, str]:
    """Return the vault with this MEMORY.md after the dream, which finds nothing more to do."""
    vault = Vault({"MEMORY.md": text, "topics/deploy.md": DEPLOY, **others})
    after = vault.dreamt(memory_md.find, broken_links.find)
    assert not after.planned(memory_md.find, broken_links.find).proposals
    return dict(after.texts)


def test_content_moves_to_topics_and_leaves_pointers() -> None:
    bullets = [f"- The flux capacitor of unit {i} ran at {i * 7} gigawatts." for i in range(230)]
    after = repaired(
        "\n".join(["# Memory", "", *bullets, "", "Wilhelmina moved to Porto in 2021.",
                   "- [Deploy](topics/deploy.md): how"])
    )  # fmt: skip
    text = after["MEMORY.md"]
    assert len(text.splitlines()) == 7
    assert all(target in after for target in memory_index.targets(text))
    assert len(memory_index.targets(text)) == 4
    everything = "".join(after.values())
    assert all(everything.count(bullet) == 1 for bullet in bullets)
    assert "Wilhelmina moved to Porto in 2021." in everything
    assert all(len(t.splitlines()) <= 200 for t in after.values())


@pytest.mark.parametrize("own", ["- Porto has the best bread.", "Porto has the best bread."])
def test_what_a_person_wrote_between_the_marks_moves_in_the_same_dream(own: str) -> None:
    marked = MARKED.replace("<!-- vaultmem:end", f"{own}\n<!-- vaultmem:end")
    after = repaired(f"# Memory\n\n## Bread\n- Rye is sour.\n\n{marked}")
    assert memory_index.regenerate(after["MEMORY.md"], ()).split(memory_index.END)[1].strip() == ""
    assert sum(own in said for path, said in after.items() if path != "MEMORY.md") == 1


def test_the_programs_own_line_is_nobodys_content() -> None:
    """A pointer above it made it a paragraph, which became a topic named Marks."""
    text = f"# Memory\n\n- [Deploy](topics/deploy.md): how\n\n{memory_index.HINT}\n\n{MARKED}"
    assert repaired(text)["MEMORY.md"] == text
    assert memory_index.content(text).paragraphs == 0


@pytest.mark.parametrize("own", ["- It is called heron.", "It stands in Alder Row."])
def test_a_line_or_two_join_the_topic_of_their_title(own: str) -> None:
    text = f"# Memory\n\n## Deploy\n{own}\n\n- [Deploy](topics/deploy.md): how\n"
    after = repaired(text)
    assert sorted(after) == ["MEMORY.md", "topics/deploy.md"]
    assert own in after["topics/deploy.md"].splitlines()
    assert after["MEMORY.md"].count("topics/deploy.md") == 1


def test_a_heading_names_the_topic_of_what_stands_below() -> None:
    after = repaired("# Memory\n\n## Printer\n- It is called heron.\n\nIt stands in Alder Row.\n")
    made = after["topics/printer.md"]
    assert made.split("---\n")[-1] == (
        "## Facts\n- It is called heron.\n\nIt stands in Alder Row.\n"
    )
    for line in ("title: Printer", "kind: project", "source: dream", "trust: agent",
                 '  - "[[MEMORY]]"', "created: 2026-11-22T10:00:00Z"):  # fmt: skip
        assert line in made.splitlines()
    assert after["MEMORY.md"].startswith("# Memory\n\n## Printer\n- [Printer](topics/printer.md): ")


@pytest.mark.parametrize(
    "text",
    [
        (Path(__file__).parents[2] / "vault/MEMORY.md").read_text(encoding="utf-8"),
        "# Memory\n\nI keep the pointers in order.\nMost used first.\n\n" + MARKED,
        "# Memory\n\n- [Deploy](topics/deploy.md): how\n- [[deploy]]: the same\n* * *\n",
        "<!-- a note -->\n# Memory\n## Empty\n",
        "",
    ],
)
def test_pointers_and_a_short_introduction_are_left(text: str) -> None:
    assert repaired(text)["MEMORY.md"] == text


def test_between_marks_nothing_is_touched_and_the_list_there_does_the_pointing() -> None:
    after = repaired("# Memory\n\n- The printer is called heron.\n\n" + MARKED)
    assert after["MEMORY.md"] == "# Memory\n\n" + MARKED
    assert [path for path in after if "printer" in path]


def test_links_that_move_lead_where_they_led() -> None:
    after = repaired(
        "- Ask [him](topics/deploy.md) first.\n  - or ![her](a/b.png) and [web](https://x.org/a)\n"
    )
    (made,) = (text for path, text in after.items() if "MEMORY" not in path and "him" in text)
    assert "- Ask [him](deploy.md) first.\n  - or ![her](../a/b.png)" in made
    assert "(https://x.org/a)" in made


def test_pointers_beyond_the_budget_move_from_the_end() -> None:
    names = [f"topics/n{i}.md" for i in range(260)]
    text = "".join(f"- [Note {i}]({name}): hook {i}\n" for i, name in enumerate(names))
    after = repaired(text, **dict.fromkeys(names, DEPLOY))
    left = after["MEMORY.md"].splitlines()
    assert len(left) < 180
    assert left[0] == "- [Note 0](topics/n0.md): hook 0"
    assert "- [Note 259](n259.md): hook 259" in after["topics/more-pointers.md"]


def test_the_words_of_a_pointer_that_is_too_long_move_to_where_it_points() -> None:
    hook = "how we deploy, " + "and what to do when it fails, " * 6 + "step by step"
    after = repaired(f"- [Deploy](topics/deploy.md): {hook}\n")
    (line,) = after["MEMORY.md"].splitlines()
    assert len(line) <= 150
    assert line.endswith("…")
    assert after["topics/deploy.md"] == f"{DEPLOY}- {hook}\n"


def test_a_mark_ends_no_comment_that_a_person_left_open() -> None:
    """The fence was code where facts were counted, and none where they were moved."""
    text = "<!-- open\n```\n<!-- vaultmem:begin -->\n<!-- vaultmem:end -->\n1. first\n```"
    vault = Vault({"MEMORY.md": text, "topics/deploy.md": DEPLOY})
    assert not vault.planned(memory_md.find).left
    assert "1. first" in "\n".join(vault.dreamt(memory_md.find).texts.values())


def test_code_moves_whole() -> None:
    code = "```sh\n# not a heading\n\n- not a bullet\n```\n"
    after = repaired(f"## Commands\n{code}")
    assert after["topics/commands.md"].endswith(code)
    assert "not a" not in after["MEMORY.md"]


def test_a_bullet_that_was_nested_in_nothing_is_not_nested_in_another() -> None:
    """What hangs on it hangs on it still."""
    after = repaired("## A\n- One.\n## A\n  - Two\n  goes on.\n    - Three.\n")
    assert after["topics/a.md"].endswith("## Facts\n- One.\n- Two\ngoes on.\n  - Three.\n")


def test_what_is_said_twice_moves_to_one_topic() -> None:
    """The copy that goes leaves no empty topic behind."""
    vault = Vault({"MEMORY.md": "# Memory\n\n- The kiln leaks badly.\nThe kiln leaks badly!\n"})
    (move,) = vault.planned(memory_md.find).proposals
    assert move.reason == "2 lines are content, no pointers: moved to topics/kiln-leaks.md"


def test_a_reason_says_how_much_moves_where() -> None:
    vault = Vault({"MEMORY.md": "## Printer\n- It is called heron.\n"})
    assert reasons(vault.planned(memory_md.find).proposals) == [
        "1 line is content, no pointers: moved to topics/printer.md"
    ]


LONG = "The project was founded by Wilhelmina in 2019 and moved to Porto in 2021. " * 6


def test_a_long_paragraph_on_top_is_no_introduction() -> None:
    after = repaired(f"# Memory\n\n{LONG}\n\n- [Deploy](topics/deploy.md): how\n")
    assert LONG not in after["MEMORY.md"]
    assert sum(LONG.strip() in said for said in after.values()) == 1


@pytest.mark.parametrize("place", ["above", "below"])
@pytest.mark.parametrize(
    "text",
    [
        "We use pnpm in the frontend because npm broke the lockfile twice. Tests run with vitest.",
        "Invoices go to Frau Lindner. She wants them as PDF, one per month.",
        "The staging database is restored every Monday from production.",
    ],
)
def test_a_plain_paragraph_above_or_below_the_marks_is_content(text: str, place: str) -> None:
    """However short: an introduction speaks of the file and its list."""
    own = f"{text}\n\n{MARKED}" if place == "above" else f"{MARKED}\n{text}\n"
    written = f"# Memory\n\n{own}"
    assert memory_index.content(written).paragraphs == 1
    after = repaired(written)
    assert text not in after["MEMORY.md"]
    assert sum(text in said for said in after.values()) == 1


@pytest.mark.parametrize(
    "line",
    [
        "Will merge once CI is green.",
        "Fixing the flaky test in the parser. Next I need to look at the tokens.",
        "- We run Python 3.11, as pyproject.toml says.",
        "- Commit 4f2a9c1 fixed the login loop.",
        "Paused at step 3 of the migration; resume tomorrow.",
        "- Today's standup: waiting for Ben's review. Still need to push the branch.",
        "Currently I am fixing the cache.",
        "Today I am in the middle of a migration.",
    ],
)
def test_what_will_not_matter_is_to_be_deleted_and_becomes_no_topic(line: str) -> None:
    vault = Vault({"MEMORY.md": f"# Memory\n\n- [Deploy](topics/deploy.md)\n\n## Now\n{line}\n",
                   "topics/deploy.md": DEPLOY})  # fmt: skip
    (proposal,) = vault.planned(passing_state.find, memory_md.find).proposals
    assert (proposal.op, proposal.losses) == ("delete", (line.removeprefix("- "),))
    after = vault.dreamt(passing_state.find, memory_md.find)
    assert sorted(after.texts) == ["MEMORY.md", "topics/deploy.md"]
    assert line not in after.texts["MEMORY.md"]


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Rye is sour. I'm fixing the cache right now.\n", "Rye is sour.\n"),
        ("Rye is sour.\nI'm fixing the cache right now.\nPorto bakes.\n",
         "Rye is sour.\nPorto bakes.\n"),
        ("- Rye is sour. I'm fixing the cache right now.\n", "- Rye is sour.\n"),
    ],
)  # fmt: skip
def test_of_a_paragraph_that_mixes_both_what_lasts_moves(text: str, stays: str) -> None:
    """The rest of it goes by name; a sentence over two lines is left whole."""
    vault = Vault({"MEMORY.md": f"# Memory\n\n- [Deploy](topics/deploy.md)\n\n## Bread\n{text}",
                   "topics/deploy.md": DEPLOY})  # fmt: skip
    planned = vault.planned(passing_state.find, memory_md.find)
    assert planned.proposals[0].losses == ("I'm fixing the cache right now.",)
    after = vault.dreamt(passing_state.find, memory_md.find).texts
    assert after["topics/bread.md"].endswith(stays)
    assert not [path for path, said in after.items() if "cache" in said]


def test_half_a_sentence_is_not_taken_for_work_of_the_day() -> None:
    text = "The hall with the low roof is the one that we like most when\nfixing the old radios.\n"
    vault = Vault({"MEMORY.md": f"# Memory\n\n- [Deploy](topics/deploy.md)\n\n{text}",
                   "topics/deploy.md": DEPLOY})  # fmt: skip
    assert not vault.planned(passing_state.find).proposals


def test_an_introduction_loses_what_was_going_on_and_stays() -> None:
    vault = Vault({"MEMORY.md": f"# Memory\n\nMost used first.\nI am fixing the cache.\n\n{MARKED}",
                   "topics/deploy.md": DEPLOY})  # fmt: skip
    after = vault.dreamt(passing_state.find, memory_md.find)
    assert after.texts["MEMORY.md"] == f"# Memory\n\nMost used first.\n\n{MARKED}"


def test_however_many_dead_pointers_and_lines_of_the_day_there_are_all_may_go() -> None:
    """An index has no facts of which a share must stay."""
    dead = "".join(f"- [Gone {n}](topics/gone-{n}.md): it went\n" for n in range(6))
    passing = "".join(f"- WIP: attempt {n} at the cache.\n" for n in range(6))
    vault = Vault({"MEMORY.md": f"# Memory\n\n{dead}{passing}- [Deploy](topics/deploy.md): how\n",
                   "topics/deploy.md": DEPLOY})  # fmt: skip
    planned = vault.planned(passing_state.find, broken_links.find, memory_md.find)
    assert (len(planned.proposals), planned.left) == (12, ())
    after = vault.dreamt(passing_state.find, broken_links.find, memory_md.find)
    assert after.texts["MEMORY.md"] == "# Memory\n\n- [Deploy](topics/deploy.md): how\n"


@pytest.mark.parametrize(
    "line",
    ["Testing is done with pytest.", "- We are moving to Porto in May.",
     "- Fixing old radios since 1987.",
     "Fixing the roof costs Ana a fortune.", "Working on Sundays pays double.",
     "Commit 4f2a9c1 removed the cache because it lost rows.",
     "Waiting for a review takes three days at most.", "We still need to eat at noon."],
)  # fmt: skip
def test_what_only_sounds_like_work_of_the_day_is_kept(line: str) -> None:
    after = repaired(f"- [Deploy](topics/deploy.md)\n\n## Work\n{line}\n")
    assert any(line in said for path, said in after.items() if path != "MEMORY.md")


def test_marks_are_offered_below_the_pointers_of_a_person_or_the_title() -> None:
    """Once: then the list is there."""
    for text, offered in [
        ("# Memory\n\n- [Deploy](topics/deploy.md)\n\n## Now\n", "- [Deploy](topics/deploy.md)\n"),
        ("# Memory\n\nOnly prose.\n", "# Memory\n"),
    ]:
        after = Vault({"MEMORY.md": text, "topics/deploy.md": DEPLOY}).dreamt(index_marks.find)
        marks = f"{memory_index.BEGIN}\n{memory_index.END}\n"
        assert after.texts["MEMORY.md"] == text.replace(offered, f"{offered}\n{marks}")
        assert not after.planned(index_marks.find).proposals


LINES = st.sampled_from([
    "# Memory", "## Deploy", "### Ünter", "", "- a fact of deploying", "  - hangs on it", "* other",
    "prose that goes", "  on and on", "- [Deploy](topics/deploy.md): how", "```", "| a | b |",
    "<!-- vaultmem:begin -->", "<!-- vaultmem:end -->", "> quoted", "1. first", "---", "    code",
    "- [x](../y.md)", "<!-- open", "- 事实", "[[deploy]]", "%% hidden %%",
])  # fmt: skip


@pytest.mark.parametrize("after", ["  on and on", "on and on"])
def test_prose_that_stays_behind_a_pointer_stands_apart_from_it(after: str) -> None:
    """It read as more of the pointer, and the dream held it for lost."""
    vault = Vault({"MEMORY.md": f"```\n```\n{after}"})
    assert not vault.planned(memory_md.find).left
    (proposal,) = vault.planned(memory_md.find).proposals[:1]
    (edit,) = [edit for edit in proposal.edits if edit.path == "MEMORY.md"]
    assert edit.new[-1] == ""  # type: ignore[union-attr]  # of lines


@pytest.mark.long
@settings(max_examples=settings().max_examples * 2)
@given(st.lists(LINES, max_size=30))
def test_whatever_stands_in_it_no_word_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    vault = Vault({"MEMORY.md": text, "topics/deploy.md": DEPLOY})
    planned = vault.planned(memory_md.find)
    assert not planned.left
    after = vault.dreamt(memory_md.find)
    assert not after.planned(memory_md.find).proposals
    everything = {key(line) for t in after.texts.values() for line in t.splitlines()}
    assert {key(line) for line in lines if "](" not in line} <= everything | {""}
