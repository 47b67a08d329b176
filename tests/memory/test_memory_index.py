"""MEMORY.md keeps its budget, its person's words, and points only at what can be followed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.memory import memory_index
from vaultmem.memory.memory_index import BEGIN, END, LONGEST_LINE, MOST_BYTES, MOST_LINES
from vaultmem.records import Record

EMPTY = f"# Memory\n\n{BEGIN}\n{END}\n"
TEA = Record("topics/tea.md", "", type="topic", title="Tea", description="What Ada drinks")


def topics(count: int, **more: str) -> list[Record]:
    """Return *count* topics, the last one the newest."""
    return [
        replace(TEA, path=f"topics/t{n:04}.md", created=f"2026-{n:06}", title=f"Topic {n}", **more)  # type: ignore[arg-type]
        for n in range(count)
    ]


def between(text: str) -> list[str]:
    """Return the generated lines."""
    return text.partition(BEGIN)[2].partition(END)[0].splitlines()[1:]


# --- the budget -------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 10, 195, 196, 197, 1000])
@pytest.mark.parametrize("own", [0, 150, 194, 260])
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_the_budget_is_held_around_a_persons_own_lines(count: int, own: int, eol: str) -> None:
    """What does not fit falls from the end and is counted; a person's lines never fall."""
    mine = "".join(f"My own line {n}.\n" for n in range(own))
    text = (mine[: len(mine) // 2] + EMPTY + mine[len(mine) // 2 :]).replace("\n", eol)
    made = memory_index.regenerate(text, topics(count))
    lines = between(made)
    assert made.replace(eol.join(lines) + eol if lines else "", "", 1) == text
    size = memory_index.size(made)
    if own < 200:
        assert (size.lines <= MOST_LINES, size.bytes <= MOST_BYTES) == (True, True)
    shown = [x for x in lines if x.startswith("- [")]
    counted = [int(x.split()[2]) for x in lines if x.startswith("- and ")]
    assert len(shown) + sum(counted) == count or not lines
    assert memory_index.targets(made) == [
        f"topics/t{count - 1 - n:04}.md" for n in range(len(shown))
    ]
    assert memory_index.regenerate(made, topics(count)) == made


def test_bytes_are_counted_as_bytes() -> None:
    """Chinese titles and hooks fill the budget before the lines do."""
    made = memory_index.regenerate(EMPTY, topics(190, description="深色烘焙的咖啡" * 40))
    assert memory_index.size(made).bytes <= MOST_BYTES
    assert memory_index.size(made).lines < 150
    assert max(map(len, made.splitlines())) <= LONGEST_LINE
    assert between(made)[-1].startswith("- and ")


def test_what_is_generated_leaves_room_for_a_person() -> None:
    """A list that filled the budget by itself would make `status` warn for ever."""
    assert memory_index.size(memory_index.regenerate(EMPTY, topics(1_000))).share < 0.75


def test_a_heading_never_stands_alone() -> None:
    """It goes with the last of its pointers."""
    episodes = [replace(TEA, path="episodes/e.md", type="episode")]
    made = memory_index.regenerate(EMPTY, [*topics(134), *episodes])
    assert [x for x in between(made) if x.startswith("## ")] == ["## Topics"]
    assert between(made)[-1] == "- and 1 more: `vaultmem recall` finds them"


# --- what is a person's -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "My own list.\n- [Tea](topics/tea.md)\n",
        f"{BEGIN}\nno end\n",
        f"no begin\n{END}\n",
        f"{END}\nturned round\n{BEGIN}\n",
        f"What stands between `{BEGIN}` and `{END}` is generated.\n",
        f"- {BEGIN}\n- {END}\n",
        f"{BEGIN}{END}\n",
        "\udcff not UTF-8\r\n",
    ],
)
def test_without_both_marks_every_byte_is_a_persons(text: str) -> None:
    """A mark is a line of its own."""
    assert memory_index.regenerate(text, [TEA]) == text


def test_prose_about_the_marks_is_not_the_marks() -> None:
    """Only what stands between the lines is rebuilt."""
    prose = f"Between `{BEGIN}` and `{END}`:\n"
    made = memory_index.regenerate(f"{prose}\n{BEGIN}\n- [old](old.md)\n{END}\n{prose}", [])
    assert made == f"{prose}\n{BEGIN}\n{END}\n{prose}"


def test_a_second_beginning_leaves_what_stands_before_it() -> None:
    """Lines that are not surely ours are a person's."""
    made = memory_index.regenerate(
        f"{BEGIN}\nmine\n{BEGIN}\n- [old](old.md)\n{END}\nmine, too\n{END}\n", []
    )
    assert made == f"{BEGIN}\nmine\n{BEGIN}\n{END}\nmine, too\n{END}\n"


@pytest.mark.parametrize("tail", ["", "\n", "\nMine.\n", "  \nMine."])
def test_what_follows_the_end_stays_as_it_is(tail: str) -> None:
    """Its line end or the lack of one, its blanks."""
    made = memory_index.regenerate(f"{BEGIN}\n- [old](old.md)\n{END}{tail}", [TEA])
    assert made.endswith(f"\n{END}{tail}")
    assert len(between(made)) == 2


def test_crlf_is_not_mixed() -> None:
    """Inside as outside."""
    made = memory_index.regenerate(EMPTY.replace("\n", "\r\n"), [TEA])
    assert made.count("\n") == made.count("\r\n") == 6


def test_bytes_that_are_no_text_stay() -> None:
    """Read and written back as they came."""
    text = b"caf\xe9\n".decode("utf-8", "surrogateescape") + EMPTY
    made = memory_index.regenerate(text, [TEA]).encode("utf-8", "surrogateescape")
    assert made.startswith(b"caf\xe9\n")
    assert b"(topics/tea.md)" in made


# --- one pointer ------------------------------------------------------------------------------


def test_a_pointer_is_a_title_a_path_and_a_hook() -> None:
    """With the agent whose it is."""
    assert memory_index.pointer(TEA) == "- [Tea](topics/tea.md): What Ada drinks"
    mine = replace(TEA, agent="ada", path="agents/ada/topics/tea.md", description="", body="\nx\n")
    assert memory_index.pointer(mine) == "- [ada: Tea](agents/ada/topics/tea.md): x"
    assert memory_index.pointer(replace(TEA, description="")) == "- [Tea](topics/tea.md)"


@pytest.mark.parametrize(
    "body",
    [
        "# Tea\n\n- Oolong\n", "# Tea\r\n\r\n- Oolong\r\n", "-\n  - Oolong\n",
        "  * [ ] Oolong", "> 1. Oolong",
        "| Day | Tea |\n|---|---|\n| Monday | none |\n\nOolong",
    ],
)  # fmt: skip
def test_what_has_no_description_is_told_by_its_first_words_without_marks(body: str) -> None:
    """A list inside of a list would tell nothing, nor does a table in one line."""
    assert memory_index.pointer(replace(TEA, description="", body=body)).endswith(".md): Oolong")


PIECES = st.sampled_from(
    [BEGIN, END, "<!--", "-->", "<!<!----", "--->>", "]", "[", "](x.md)", "\\", "\n", "\r\n",
     "\u2028", "`", " ", "深色烘焙", "a b c", "word"]
)  # fmt: skip
TEXT = st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=200)
NAME = st.text(
    st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=30
)


@given(title=TEXT, hook=TEXT, body=TEXT, name=NAME, agent=st.sampled_from(["", "ada", "a" * 63]))
def test_no_title_or_hook_can_break_its_line(
    title: str, hook: str, body: str, name: str, agent: str
) -> None:
    """One line, at most 150 long, no comment, no mark, and the path can be followed."""
    path = f"topics/{name}.md"
    it = replace(TEA, path=path, title=title, description=hook, body=body, agent=agent)
    line = memory_index.pointer(it)
    assert len(line.splitlines()) == 1
    assert "<!--" not in line
    assert "-->" not in line
    made = memory_index.regenerate(EMPTY, [it])
    assert max(map(len, made.splitlines())) <= LONGEST_LINE
    assert made.startswith(f"# Memory\n\n{BEGIN}\n")
    assert made.endswith(f"\n{END}\n")
    if len(line) <= LONGEST_LINE:
        assert memory_index.targets(made) == [path]
    else:
        assert between(made) == ["- and 1 more: `vaultmem recall` finds them"]


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("topics/tea leaves (green).md", "topics/tea%20leaves%20%28green%29.md"),
        ("topics/[draft] 100%.md", "topics/%5Bdraft%5D%20100%25.md"),
        ("topics/a#b?c.md", "topics/a%23b%3Fc.md"),
        ("topics/深色烘焙.md", "topics/深色烘焙.md"),
        ("cards/x/a_b-c.d~e.md", "cards/x/a_b-c.d~e.md"),
    ],
)
def test_odd_paths_are_encoded_so_that_they_resolve(path: str, link: str) -> None:
    """Letters of other scripts need no encoding."""
    line = memory_index.pointer(replace(TEA, path=path))
    assert line == f"- [Tea]({link}): What Ada drinks"
    assert memory_index.targets(line) == [path]


def test_a_long_path_shortens_the_title_before_it_breaks_the_line() -> None:
    """A path of 120 leaves little else."""
    it = replace(TEA, path=f"topics/{'x' * 113}.md", title="A title of some length, or more")
    line = memory_index.pointer(it)
    assert len(line) <= LONGEST_LINE
    assert memory_index.targets(line) == [it.path]


# --- what is listed ---------------------------------------------------------------------------


def test_the_order_is_that_of_the_groups_the_newest_first() -> None:
    """The long-term summary leads the summaries; what is not trusted is left out."""
    listed = [
        replace(TEA, path=f"{n}.md", type=kind, tier=tier, created=f"2026-11-{n:02}", trust=trust)
        for n, (kind, tier, trust) in enumerate(
            [
                ("episode", "", "user"), ("task", "", "user"), ("summary", "longterm", "user"),
                ("summary", "recent", "agent"), ("summary", "recent", "verified"),
                ("topic", "", "user"), ("card", "", "user"), ("card", "", "user"),
                ("topic", "", "untrusted"), ("memory", "", "user"), ("note", "", "user"),
            ],
            10,
        )
    ]  # fmt: skip
    made = memory_index.regenerate(EMPTY, listed)
    assert between(made) == [
        "## Cards", "- [Tea](17.md): What Ada drinks", "- [Tea](16.md): What Ada drinks",
        "## Topics", "- [Tea](15.md): What Ada drinks",
        "## Summaries", "- [Tea](12.md): What Ada drinks", "- [Tea](14.md): What Ada drinks",
        "- [Tea](13.md): What Ada drinks",
        "## Open tasks", "- [Tea](11.md): What Ada drinks",
        "## Newest notes", "- [Tea](20.md): What Ada drinks",
        "## Memories by day", "- [Tea](19.md): What Ada drinks",
        "## Episodes", "- [Tea](10.md): What Ada drinks",
    ]  # fmt: skip
    assert memory_index.regenerate(EMPTY, reversed(listed)) == made


def test_what_a_persons_own_pointer_leads_to_is_not_listed_again() -> None:
    """Theirs says it better, and an index says a thing once."""
    first, second = topics(2)
    own = f"- [The first one]({first.path}): my words\n"
    made = memory_index.regenerate(EMPTY + own, [first, second])
    assert memory_index.targets("\n".join(between(made))) == [second.path]
    assert made.endswith(own)


def test_a_persons_line_between_the_marks_goes_below_them() -> None:
    """The region is ours, the words are not."""
    mine = EMPTY.replace(END, f"my own line\n- a bullet of mine\n{END}")
    made = memory_index.regenerate(mine, topics(2))
    assert made.endswith("\nmy own line\n- a bullet of mine\n")
    assert memory_index.regenerate(made, topics(2)) == made


def test_an_episode_that_says_no_more_than_who_talked_and_when_is_not_listed() -> None:
    mute = Record(
        "agents/ada/episodes/a.md", "", type="episode", title="Ida and Mo, 2026-03-01",
        description="Ida and Mo talked on 2026-03-01.",
    )  # fmt: skip
    named = replace(mute, path="agents/ada/episodes/b.md", title="Ida and Mo: kiln")
    told = replace(mute, path="agents/ada/episodes/c.md", description="The kiln is warm")
    things = "Ida and Mo talked on 2026-03-01 (kiln, rent)."
    of_things = replace(mute, path="agents/ada/episodes/d.md", description=things)
    lines = between(memory_index.regenerate(EMPTY, [mute, named, told, of_things]))
    assert "a.md" not in "".join(lines)
    assert [line for line in lines if re.search(r"[bcd]\.md", line)] == lines[1:]


def test_many_empty_lines_are_looked_through_in_no_time() -> None:
    assert memory_index.targets("\n" * 200_000 + "- [Tea](notes/tea.md)\n") == ["notes/tea.md"]
