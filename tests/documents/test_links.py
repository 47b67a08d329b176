"""The links of a text are read in every form that people write, and led by their address alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents.markdown import links

FORMS = [
    ("[[m]]", "m", "", "[[n]]"),
    ("[[m|her]]", "m", "her", "[[n|her]]"),
    ("[[m#Why]]", "m", "", "[[n#Why]]"),
    ("[[m#Why|her]]", "m", "her", "[[n#Why|her]]"),
    (r"[[m\|her]]", "m", "her", r"[[n\|her]]"),
    (r"[[m#Why\|her]]", "m", "her", r"[[n#Why\|her]]"),
    ("![[m]]", "m", "", "![[n]]"),
    ("[her](../m.md)", "../m.md", "her", "[her](n)"),
    ("[her](../m)", "../m", "her", "[her](n)"),
    ('[her](../m.md#Why "So")', "../m.md", "her", '[her](n#Why "So")'),
    ("[her](../m.md 'So')", "../m.md", "her", "[her](n 'So')"),
    ("[her](../m.md (So))", "../m.md", "her", "[her](n (So))"),
    ("[her](<../m b.md#Why>)", "../m b.md", "her", "[her](<n#Why>)"),
    ("[her](../m%20b.md)", "../m b.md", "her", "[her](n)"),
    ("[her](a(b).md)", "a(b).md", "her", "[her](n)"),
    ("[a [b] c](../m.md)", "../m.md", "a [b] c", "[a [b] c](n)"),
    ("[her\nwords](../m.md)", "../m.md", "her\nwords", "[her\nwords](n)"),
    ('[1]: ../m.md "So"', "../m.md", "1", '[1]: n "So"'),
    ("> [1]: <../m b.md>", "../m b.md", "1", "> [1]: <n>"),
]


@pytest.mark.parametrize(("text", "target", "called", "led"), FORMS)
def test_a_link_of_each_form_says_where_it_leads(
    text: str, target: str, called: str, led: str
) -> None:
    (link,) = links.read(f"Before.\n{text}\nBehind.")
    assert (link.at, link.start, link.raw) == (1, 0, text)
    assert (link.target, link.called) == (target, called)
    assert links.replaced(f"Before.\n{text}\nBehind.", lambda it: it.to("n")) == (
        f"Before.\n{led}\nBehind."
    )


@pytest.mark.parametrize(
    "text",
    ["`[[m]]`", "```\n[[m]]\n```", "%% [[m]] %%", "<!-- [a](m.md) -->", r"\[[m]]", "[^1]: m.md",
     "~~~\n[a](m.md)", "[ ] (m.md)", "[a](m b.md)", "[a\n\nb](m.md)", "`a [b`](m.md)"],
)  # fmt: skip
def test_code_comments_and_what_only_looks_like_one_are_no_links(text: str) -> None:
    assert list(links.read(text)) == []
    assert links.replaced(text, lambda it: it.to("n")) == text


def test_a_picture_in_the_words_of_a_link_is_a_link_of_its_own() -> None:
    text = "See [![pic](p.png) of [it]](../m.md)."
    outer, inner = links.read(text)
    assert (outer.target, inner.target, inner.embed) == ("../m.md", "p.png", True)
    assert text[inner.start : inner.stop] == "![pic](p.png)"
    led = links.replaced(f"\n{text}", lambda it: it.to(f"{it.at}/{it.target}"))
    assert led == "\nSee [![pic](1/p.png) of [it]](1/../m.md)."


@given(st.text("[]()<>|\\#!:`%-\"' \nam.", max_size=60))
def test_any_text_is_read_and_what_is_not_changed_stays(text: str) -> None:
    lines = text.split("\n")
    assert links.replaced(text, lambda it: it.raw) == text
    for link in links.read(text):
        assert "\n".join(lines[link.at :])[link.start :].startswith(link.raw)


def test_openings_without_an_end_are_read_in_one_go() -> None:
    for opening in ("[", "[[", "![[", '[a](b "', "[a\n", "[a [b] ", "[x](<", "[[a#", "[[a|"):
        assert len(list(links.read(opening * 20_000))) == 0
