"""A long text is cut into passages that lose nothing, and each knows where it stands."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.records import Record
from vaultmem.storage.index import passages
from vaultmem.storage.index.passages import OVERLAP, WHOLE, cut

PARTS = st.sampled_from(
    [
        *("# One\n", "\n## Two ##\n", "- a bullet of some words\n", "```\n# no heading\n```\n"),
        *(
            "She came home. ",
            'Did he say "no"? ',
            "What a day! ",
            "其他的事情。",
            "他来了\uff01",
            "\r\n\n",
        ),
        *("word " * 60, "wörter" * 40, "x" * 700, "深色" * 400, "a. " * 200, "\t \n", "\x0c"),
    ]
)
BODIES = st.lists(PARTS | st.text(max_size=30), max_size=40).map("".join)
LETTER = "Dear Ada, the kettle sang and I thought of you. " * 100


def pieces(body: str) -> list[str]:
    """Return what stands in each passage."""
    return [body[p.first : p.last] for p in cut(body)]


@given(body=BODIES)
def test_passages_cover_all_that_is_said_in_order(body: str) -> None:
    """What lies in none of them is blank."""
    cuts = cut(body)
    covered = {at for p in cuts for at in range(p.first, p.last)}
    assert not "".join(c for at, c in enumerate(body) if at not in covered).strip()
    assert [p.number for p in cuts] == list(range(len(cuts)))
    assert all(a.first < b.first and a.last < b.last for a, b in pairwise(cuts))


@given(body=BODIES)
def test_passages_are_bounded_and_overlap_a_little(body: str) -> None:
    """None is blank, none longer than an embedder reads, none mostly the one before."""
    cuts = cut(body)
    assert all(0 < p.last - p.first <= WHOLE for p in cuts)
    assert all(text == text.strip() for text in pieces(body))
    assert all(one.last - other.first <= OVERLAP for one, other in pairwise(cuts))


@given(body=BODIES)
def test_a_passage_knows_its_lines(body: str) -> None:
    """The first and the last line that it touches, counted from nought."""
    for p in cut(body):
        assert p.line_first == body[: p.first].count("\n")
        assert p.line_last == body[: p.last].count("\n")


@given(body=BODIES)
def test_the_same_text_is_cut_the_same_way(body: str) -> None:
    """And what is blank around it changes no passage's text."""
    assert cut(body) == cut(body)
    if len(body) > WHOLE and body == body.strip() and not body.startswith(("#", "`")):
        assert len(cut(body)) >= 2


def test_a_short_text_is_one_passage() -> None:
    """Headings or not, without the blank around it."""
    (one,) = cut("\n\n# Tea\n\nOolong.\n\n## Green\n\nSencha.\n\n")
    assert (one.first, one.line_first, one.line_last, one.heading) == (2, 2, 8, "Tea")
    assert cut(" \n\t\n") == ()


def test_a_long_text_is_cut_after_sentences_and_each_piece_repeats_the_last_ones() -> None:
    """So a sentence that refers to the one before stands beside it somewhere."""
    found = pieces(LETTER.strip())
    assert len(found) == 6
    assert all(text.startswith("Dear") and text.endswith("you.") for text in found)
    assert all(800 <= len(text) <= 1000 for text in found[:-1])
    for one, other in pairwise(found):
        repeated = next(n for n in range(OVERLAP, 0, -1) if one.endswith(other[:n]))
        assert 90 <= repeated <= OVERLAP


def test_chinese_is_cut_after_its_own_marks() -> None:
    """They are followed by no space."""
    found = pieces("她喜欢深色烘焙的咖啡。" * 200)
    assert len(found) > 2
    assert all(text.endswith("。") and text.startswith("她") for text in found)


def test_a_line_without_end_is_cut_hard() -> None:
    """Like a key, or a picture in base64."""
    assert [len(text) for text in pieces("x" * 3000)] == [1000, 1000, 1000, 450]


def test_a_long_text_is_cut_at_its_headings_first() -> None:
    """No passage is of two sections, but that a lone title goes with what follows it."""
    body = f"# Drinks\n\n## Tea\n{'Oolong is mild. ' * 40}\n\n## Coffee\n{'It is black. ' * 60}\n"
    cuts = cut(body)
    assert [p.heading for p in cuts] == ["Drinks", "Coffee"]
    assert body[cuts[1].first :].startswith("## Coffee")
    assert "Coffee" not in body[: cuts[0].last]


def test_a_heading_in_code_is_a_comment() -> None:
    """A fence hides it."""
    body = "## Setup\n```\n# install it\n" + "make all\n" * 160 + "```\n"
    assert {p.heading for p in cut(body)} == {"Setup"}


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            Record("a", "", type="memory", speaker="Ada", created="2026-11-05T10:00:00Z"),
            "Ada (5 November 2026): Oolong.",
        ),
        (Record("a", "", speaker="Ada"), "Ada: Oolong."),
        (Record("a", "", title="Tea", created="2026-11-05"), "Tea (5 November 2026): Oolong."),
        (Record("a", "", title="Tea", description="What to drink"), "Tea. What to drink: Oolong."),
        (Record("a", "", type="memory", created="long ago"), "Oolong."),
        (
            Record("notes/Gas kiln.md", "", type="note", aliases=("Brennofen",)),
            "Gas kiln. Brennofen: Oolong.",
        ),
    ],
)
def test_what_is_embedded_says_who_or_what_and_when(said: Record, text: str) -> None:
    """A passage by itself does not."""
    said = replace(said, body=" Oolong.\n")
    assert [passages.embedded(said, p) for p in cut(said.body)] == [text]


def test_what_is_embedded_names_the_heading_it_stands_below() -> None:
    """Each passage of a long text is told apart."""
    body = f"## Tea\n{'Oolong is mild. ' * 60}\n## Coffee\n{'It is black. ' * 60}\n"
    said = Record("topics/drinks.md", "", title="Drinks", body=body)
    starts = [passages.embedded(said, p)[:24] for p in cut(body)]
    assert starts == ["Drinks. Tea: ## Tea\nOolo", "Drinks. Coffee: ## Coffe"]
