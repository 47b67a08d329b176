"""One proposal made of bytes: all of its edits, or none and why; every other byte stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.maintenance.dream.edits import Misfit, fit, takes_away, touches
from vaultmem.maintenance.dream.types import Edit, Lines, Make, Proposal, Remove
from vaultmem.storage.files import sha256

TEA = b"---\ntype: topic\n---\n- Tea is at five.\n- Milk first.\n- Tea is at five.\n"


def reader(**files: bytes) -> Callable[[str], bytes | None]:
    """Return what reads `tea` as topics/tea.md."""
    return lambda path: files.get(path.removeprefix("topics/").removesuffix(".md"))


def proposal(*edits: Edit) -> Proposal:
    """Return a proposal of those edits."""
    return Proposal("merge", edits[0].path, "because", edits)


def swap(at: int, old: str, *new: str) -> Lines:
    """Return the edit of one line of topics/tea.md."""
    return Lines("topics/tea.md", at, (old,), new)


def made(tea: bytes, *edits: Edit) -> bytes | None:
    """Return topics/tea.md after the edits."""
    return fit(proposal(*edits), reader(tea=tea)).files["topics/tea.md"]


def test_of_several_places_the_nearest_is_meant() -> None:
    assert made(TEA, swap(5, "- Tea is at five.")) == TEA[: -len(b"- Tea is at five.\n")]
    first = TEA.replace(b"- Tea is at five.\n", b"- Noon.\n", 1)
    assert made(TEA, swap(0, "- Tea is at five.", "- Noon.")) == first


def test_lines_are_found_where_they_stand_now() -> None:
    moved = TEA.replace(b"---\n- Tea", b"---\nA person's line.\n- Tea")
    done = fit(proposal(swap(4, "- Milk first.", "- No milk.")), reader(tea=moved))
    assert done.files == {"topics/tea.md": moved.replace(b"Milk first", b"No milk")}
    assert done.proposal.edits == (swap(5, "- Milk first.", "- No milk."),)


def test_what_earlier_changes_left_undone_shifts_the_place() -> None:
    """A plan that counted on two lines more above means the first of the two."""
    drift = {"topics/tea.md": [(0, 2)]}
    done = fit(proposal(swap(5, "- Tea is at five.")), reader(tea=TEA), drift)
    assert done.files["topics/tea.md"] == TEA.replace(b"- Tea is at five.\n", b"", 1)


def test_all_edits_of_a_proposal_are_made_or_none() -> None:
    move = (swap(4, "- Milk first."), Make("topics/milk.md", "- Milk first.\n"))
    done = fit(proposal(*move), reader(tea=TEA)).files
    assert done["topics/milk.md"] == b"- Milk first.\n"
    assert b"Milk" not in (done["topics/tea.md"] or b"")
    with pytest.raises(Misfit, match=r"topics/milk\.md exists by now"):
        fit(proposal(*move), reader(tea=TEA, milk=b""))


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (swap(3, "- Coffee."), "changed since"),
        (Lines("topics/gone.md", 0, ("x",), ()), "is gone"),
        (Remove("topics/tea.md", "0" * 64), "changed since"),
        (Make("topics/con.md", "x"), "no name for every file system"),
        (Make("../out.md", "x"), "not a path inside the vault"),
        (Make("topics/key.md", "ghp_" + "a1B2c3D4" * 5), "looks like a secret"),
        (swap(4, "- Milk first.", "ghp_" + "a1B2c3D4" * 5), "looks like a secret"),
    ],
)
def test_what_does_not_fit_says_why(edit: Edit, why: str) -> None:
    with pytest.raises(Misfit, match=why):
        fit(proposal(edit), reader(tea=TEA))


def test_a_secret_that_was_there_may_stay_and_not_spread() -> None:
    token = "ghp_" + "a1B2c3D4" * 5
    assert made(f"- {token}\n".encode(), swap(0, f"- {token}", f"- Old: {token}"))


def test_a_file_is_removed_only_as_it_was_seen() -> None:
    assert made(TEA, Remove("topics/tea.md", sha256(TEA))) is None


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_line_ends_bom_and_the_last_newline_stay(eol: str, bom: str, *, last: bool) -> None:
    text = f"{bom}# Tea{eol}- One.{eol}- Two." + eol * last
    done = made(text.encode(), swap(2, "- Two.", "- Two.", "- Three."))
    assert done == (text[: len(text) - len(eol) * last] + f"{eol}- Three." + eol * last).encode()
    gone = made(text.encode(), swap(2, "- Two."))
    assert gone == f"{bom}# Tea{eol}- One.{eol * last}".encode()


def test_lines_that_an_edit_only_names_keep_their_own_ends() -> None:
    mixed = b"- One.\r\n- Two.\n- Three.\r\n"
    edit = Lines("topics/tea.md", 0, ("- One.", "- Two."), ("- One.", "- New.", "- Two."))
    assert made(mixed, edit) == b"- One.\r\n- New.\r\n- Two.\n- Three.\r\n"


def test_only_what_removes_words_takes_away() -> None:
    added = Lines("topics/tea.md", 0, ("- One.",), ("- One.", "- Two."))
    assert not takes_away(proposal(added))
    assert not takes_away(proposal(Make("topics/x.md", "x")))
    assert takes_away(proposal(swap(0, "- One.", "- one")))
    assert takes_away(proposal(Remove("topics/x.md", "")))
    assert not takes_away(proposal(Lines("topics/tea.md", 0, ("- One.", ""), ("- One.",))))


MINE = {"topics/tea.md": frozenset({"- Milk first."})}


def touched(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Tell whether replacing those lines touches a person's."""
    return touches(proposal(Lines("topics/tea.md", 0, old, new)), MINE, reader(tea=TEA))


def test_replacing_or_removing_a_persons_line_touches_it() -> None:
    assert touched(("- Milk first.",), ())
    assert touched(("- Tea is at five.", "- Milk first."), ("- Tea is at five, milk first.",))


def test_writing_beside_a_persons_line_does_not_touch_it() -> None:
    assert not touched(("- Milk first.",), ("- Milk first.", "- No sugar."))
    assert not touched(("- Tea is at five.", "- Milk first."), ("- Milk first.",))


def test_removing_a_file_touches_the_persons_lines_that_it_has() -> None:
    gone = proposal(Remove("topics/tea.md", ""))
    assert touches(gone, MINE, reader(tea=TEA))
    assert not touches(gone, MINE, reader(tea=b"- Tea.\n"))


@given(st.lists(st.sampled_from(["a", "b", "", "c\u2028d"])), st.data())
def test_an_edit_is_what_it_would_be_on_a_list(lines: list[str], data: st.DataObject) -> None:
    """Any run of lines, replaced by any others."""
    start = data.draw(st.integers(0, len(lines)))
    stop = data.draw(st.integers(start, len(lines)))
    new = data.draw(st.lists(st.sampled_from(["x", "a", ""])))
    text = "".join(f"{line}\n" for line in lines)
    edit = Lines("topics/tea.md", start, tuple(lines[start:stop]), tuple(new))
    want = [*lines[:start], *new, *lines[stop:]]
    assert made(text.encode(), edit) == "".join(f"{line}\n" for line in want).encode()
