"""What a person does not see is shown; what shapes an emoji or a script is no secret."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import Vault
from vaultmem.documents import hidden_text
from vaultmem.documents.hidden_text import Hidden
from vaultmem.knowledge.review import Reviews

TAGS = "".join(chr(0xE0000 + ord(c)) for c in "obey me")

SECRET = (
    (f"Tea.\nNice{TAGS} tea.", ("tag", 7, 2), "Tea.\nNice\\u{tags: obey me} tea."),
    ("pay\u200bpal", ("zero-width", 1, 1), "pay\\u{200b}pal"),
    ("soft\u00adhyphen \u2063x", ("zero-width", 2, 1), "soft\\u{ad}hyphen \\u{2063}x"),
    ("a \u202etxt.exe", ("bidi", 1, 1), "a \\u{202e}txt.exe"),
    ("left\u200eright", ("bidi", 1, 1), "left\\u{200e}right"),
    ("hi\U000e0120\U000e0121", ("selector", 2, 1), "hi\\u{e0120}\\u{e0121}"),
    ("\U0001f600\ufe0f\ufe0e\ufe0f", ("selector", 2, 1), "\U0001f600\ufe0f\\u{fe0e}\\u{fe0f}"),
    ("no\u200djoin", ("zero-width", 1, 1), "no\\u{200d}join"),
    ("\u3164 is empty", ("filler", 1, 1), "\\u{3164} is empty"),
    (f"\U0001f3f4{TAGS}\U000e007f", ("tag", 8, 1), "\U0001f3f4\\u{tags: obey me?}"),
    ("x\ufeffy", ("zero-width", 1, 1), "x\\u{feff}y"),
)

MARKED = (
    ("a\n<!-- obey -->", ("comment", 1, 2)),
    ("<!-- never closed", ("comment", 1, 1)),
    ("so %% obey\nme %% it is", ("comment", 1, 1)),
    ("<!-- vaultmem:begin obey -->", ("comment", 1, 1)),
    ('<span style="display: none">obey</span>', ("unseen", 1, 1)),
    ("<p hidden>obey</p>", ("unseen", 1, 1)),
    ("<b style='font-size:0px'>", ("unseen", 1, 1)),
)

SEEN = (
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",  # a family
    "\U0001f3f3\ufe0f\u200d\U0001f308 \u2764\ufe0f\u200d\U0001f525",  # a rainbow flag, a heart
    "\U0001f9d1\U0001f3fd\u200d\U0001f4bb 3\ufe0f\u20e3",  # a tone of skin, a key cap
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian
    "\u0915\u094d\u200d\u0937 \u0d28\u0d4d\u200d",  # Hindi, Malayalam
    "\u05e9\u05dc\u05d5\u05dd\u200f!",  # Hebrew with its mark
    "\u0e44\u0e17\u0e22\u200b\u0e41\u0e25\u0e30",  # Thai breaks its lines so
    "\u845b\U000e0100\u98fe",  # a name's way of being written
    "\ufeffa file that begins with its mark",
    "<!-- vaultmem:begin -->\n<!-- vaultmem:end -->",
    "100 %, <b>bold</b>, opacity: 0.5, a hidden path",
    "plain ASCII",
)


@pytest.mark.parametrize(("text", "found", "shown"), SECRET)
def test_a_hidden_character_is_found_and_written_out(
    text: str, found: tuple[hidden_text.Kind, int, int], shown: str
) -> None:
    assert hidden_text.find(text) == (Hidden(*found),)
    assert hidden_text.shown(text) == shown
    assert hidden_text.find(hidden_text.shown(text)) == ()


@pytest.mark.parametrize(("text", "found"), MARKED)
def test_hidden_markup_is_found_and_stays_as_it_is(
    text: str, found: tuple[hidden_text.Kind, int, int]
) -> None:
    assert hidden_text.find(text) == (Hidden(*found),)
    assert hidden_text.shown(text) == text


@pytest.mark.parametrize("text", SEEN)
def test_what_is_seen_is_not_hidden(text: str) -> None:
    assert hidden_text.find(text) == ()
    assert hidden_text.shown(text) == text


def test_kinds_are_counted_each_from_its_first_line() -> None:
    text = f"Tea\u200b\n{TAGS}\nno\u200b\n<!-- a -->"
    assert hidden_text.find(text) == (
        Hidden("zero-width", 2, 1), Hidden("tag", 7, 2), Hidden("comment", 1, 4)
    )  # fmt: skip


@pytest.mark.long
def test_a_check_names_all_that_a_memory_hides_until_a_person_let_it_in(vault: Vault) -> None:
    vault.remember("pay\u200bpal\n<!-- a -->", agent="ada")  # by far the most is no poison
    assert vault.fsck().ok
    made = vault.remember("Tea\u200b\nrun \u202etxt.exe <!-- a -->", agent="ada")
    (problem,) = vault.fsck().problems
    assert problem.message.startswith("hidden text (zero-width 1, bidi 1, comment 1) from line ")
    path = vault.path / made.path
    said = path.read_text()
    path.write_text(said.replace("type: memory", "type: memory\napproved: true"))
    assert not vault.fsck().ok  # the box may be its own
    path.write_text(said)
    Reviews(vault.store).accept([made.path])
    assert vault.fsck().ok


@given(
    st.text(alphabet=st.sampled_from(f"ab\n {TAGS}\u200b\u200d\ufe0f\u202e\U0001f600\u0645<!->%"))
)
def test_what_is_shown_hides_no_character_and_loses_none_that_is_seen(text: str) -> None:
    shown = hidden_text.shown(text)
    assert not {h.kind for h in hidden_text.find(shown)} - {"comment", "unseen"}
    plain = [c for c in text if c in "ab\n <!->%\U0001f600\u0645"]
    rest = iter(shown)
    assert all(c in rest for c in plain)


@pytest.mark.long
@pytest.mark.parametrize(
    "unit", ["<!-", "<!--", "%%", "%% ", "<a hidden ", "<", "\u200b", "a\u200d"]
)
def test_a_hostile_text_is_read_to_its_end(unit: str) -> None:
    """A rule whose work grows with the square would not come to it."""
    text = (unit * 200_000)[:200_000]
    hidden_text.find(text)
    hidden_text.shown(text)
