"""Redaction, purely: what gives a text away goes, and what others say stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents import frontmatter
from vaultmem.maintenance.forgetting import redaction
from vaultmem.storage.tombstones import MARK

SAID = "The heliotrope umbrella of Ottokar was left in Graz."
TELLING = redaction.distinctive_words(
    [SAID], {"20240101-the-heliotrope-umbrella-abc123"}
).is_kept_by(["Ottokar is here."])


@pytest.mark.parametrize(
    ("text", "gives_away"),
    [
        ("A HELIOTROPE thing", True),
        ("agents/ada/x-heliotrope-y.md", True),
        ("heliotropes grow", False),
        ("Ottokar is well", False),
        ("It was left in Vienna", False),
        ("see [[20240101-the-heliotrope-umbrella-abc123]]", True),
    ],
)
def test_a_text_is_given_away_by_words_that_nobody_else_says(text: str, gives_away: bool) -> None:  # noqa: FBT001  # a row of a table
    assert TELLING.says(text) is gives_away


def test_a_common_phrase_gives_nothing_away_and_a_run_of_five_words_does() -> None:
    others = ["We went to the sea.", "Ben saw the sea and the boat.", "They saw Ben at noon."]
    telling = redaction.distinctive_words(["Ben saw the boat at noon."], ()).is_kept_by(others)
    assert telling.terms == frozenset()
    assert not telling.says("We saw the sea at noon")
    assert telling.says("I know that Ben saw the boat at noon, really")


def test_chinese_is_given_away_by_a_pair_of_letters() -> None:
    telling = redaction.distinctive_words(["我把雨伞忘在格拉茨了"], ()).is_kept_by(["我在这里"])
    assert telling.says("他的雨伞")
    assert not telling.says("我在家")


def test_the_mark_itself_gives_nothing_away() -> None:
    telling = redaction.distinctive_words(["I had forgotten the keys."], ())
    assert not telling.says(MARK)


def test_an_old_note_keeps_its_shape() -> None:
    old = (
        f"---\nid: 01KB\ntitle: {SAID}\nsources:\n  - '[[a]]'\n"
        "  - '[[20240101-the-heliotrope-umbrella-abc123]]'\ntags: [x]\n---\n"
        f"# Things\n- [ ] {SAID}\n- The coat is new.\n"
    )
    new = redaction.note(old.encode(), TELLING).decode()
    doc = frontmatter.parse(new)
    assert frontmatter.fields(doc) == {
        "id": "01KB", "title": MARK, "sources": ["[[a]]"], "tags": ["x"],
    }  # fmt: skip
    assert doc.body == f"# Things\n- [ ] {MARK}\n- The coat is new.\n"


def test_words_that_say_it_only_over_two_lines_go_too() -> None:
    others = ["saw the", "boat at noon", "Ben"]
    telling = redaction.distinctive_words(["Ben saw the boat at noon."], ()).is_kept_by(others)
    new = redaction.note(b"First.\nWe know Ben saw the\nboat at noon.\nLast.\n", telling).decode()
    assert not telling.says(new)
    assert new.startswith("First.\n")
    assert new.endswith("Last.\n")


@given(st.lists(st.sampled_from(["heliotrope", "umbrella", "Ottokar", "sea", "---", "- ", "x: ",
                                 "\n", " ", "[[", "# "]), max_size=40))  # fmt: skip
def test_nothing_that_is_redacted_says_it_and_no_line_is_added(parts: list[str]) -> None:
    text = "".join(parts)
    new = redaction.note(text.encode(), TELLING).decode()
    assert not TELLING.says(new)
    assert new.count("\n") <= text.count("\n")
    assert redaction.note(new.encode(), TELLING).decode() == new


def test_a_commits_message_keeps_its_kind_and_its_trailers() -> None:
    old = f"remember(ada): {SAID}\n\na-heliotrope-path.md\n\nVaultmem-Op: 01KB\nAgent: ada\n"
    assert redaction.message(old, TELLING) == (
        f"remember(ada): {MARK}\n\n{MARK}\n\nVaultmem-Op: 01KB\nAgent: ada\n"
    )


def test_a_transcript_keeps_lines_numbers_and_origins() -> None:
    turns = [{"turn": n, "origin": f"s/{n}", "content": c} for n, c in enumerate(("a", SAID, "b"))]
    old = "".join(json.dumps(t) + "\n" for t in turns).encode()
    copies = redaction.copies([SAID])
    new = redaction.spoken(old, copies.without, frozenset({"s/2"})).decode()
    assert [json.loads(line)["content"] for line in new.splitlines()] == ["a", MARK, MARK]
    assert [json.loads(line)["origin"] for line in new.splitlines()] == ["s/0", "s/1", "s/2"]


def test_a_diff_that_says_it_goes_whole_and_another_stays() -> None:
    other = "  ```diff\n  +ours: yes\n  ```\n"
    old = f"- [x] a\n\n  ```diff\n  +person: Ben\n  +{SAID}\n  +city: Rome\n  ```\n\n{other}"
    new = redaction.note(old.encode(), TELLING).decode()
    assert new == f"- [x] a\n\n  ```diff\n  {MARK}\n  ```\n\n{other}"


GONE = (SAID, "I met Dr. Huber in Graz. He gave me 3.5 mg of it.", "我把雨伞忘在格拉茨了。")
STAYS = (
    "Tom owes us 400 euros.",
    "The heliotrope umbrella of Ottokar was left in Wien, and he wants it back.",
    "He gave me 3.5 mg.",
    "Is it so?",
    "- a | b",
    "> quoted by Ann",
    "雨伞在家。",
)


@given(st.lists(st.tuples(st.sampled_from((*GONE, *STAYS)), st.sampled_from((" ", "\n", "\n\n")))))
def test_copies_go_and_every_other_sentence_stays(parts: list[tuple[str, str]]) -> None:
    text = "".join(said + space for said, space in parts)
    copies = redaction.copies(GONE)
    left = copies.without(text)
    assert copies.without(left) == left
    if left == MARK:
        assert {said for said, _ in parts} <= {*GONE}
    else:
        assert [left.count(said) for said in STAYS] == [text.count(said) for said in STAYS]


@pytest.mark.parametrize(
    ("body", "left"),
    [
        (f"- {SAID}\n  - The coat is new.\n- Tea.\n", "-\n  - The coat is new.\n- Tea.\n"),
        (f"- {SAID}\n  - {SAID}\n    - Tea.\n", "-\n  -\n    - Tea.\n"),
        (f"- {SAID}\n  - **Why:** it rained\n- Tea.\n", "- Tea.\n"),
        (f"- {SAID}\n  - **Must:** ask first\n    - Tea.\n", "-\n    - Tea.\n"),
        (f"- {SAID}\n  - **Smith:** 0676 44\n", "-\n  - **Smith:** 0676 44\n"),
        (
            f"- {SAID}\n  - Tea.\n    - **Why:** I like it\n",
            "-\n  - Tea.\n    - **Why:** I like it\n",
        ),
        (f"{SAID}\n  - **Why:** I like it\n", "  - **Why:** I like it\n"),
        (f"- {SAID}\n  The coat is new.\n", "-\n  The coat is new.\n"),
        (f"{SAID[:-1]}:\n  The coat is new.\n", "  The coat is new.\n"),
        (f"- Home:\n  - {SAID}\n- Tea.\n", "- Home:\n- Tea.\n"),
        ("- Home:\n  - The coat is new.\n", "- Home:\n  - The coat is new.\n"),
    ],
)
def test_what_stands_below_a_line_that_goes_stays_but_for_our_fields_of_it(
    body: str, left: str
) -> None:
    assert redaction.without(body, TELLING.says) == left
    assert redaction.told(body, redaction.copies([SAID]).without) == left


def test_a_copy_over_two_lines_of_a_body_goes_whole() -> None:
    body = "It rained.\nAddress:\n12 Alder Row in Graz.\nTom came.\n"
    copies = redaction.copies(["Address: 12 Alder Row in Graz."])
    assert redaction.told(body, copies.without) == "It rained.\nTom came.\n"
