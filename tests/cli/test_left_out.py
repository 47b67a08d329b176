"""What is left out of what was given to keep is said, in whatever form the answer comes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from vaultmem.cli import run

pytestmark = pytest.mark.without_history

HIDDEN = "narwhal"
ONE = f"Rent is due, <private>code {HIDDEN}</private> and the van is red."
TWO = f"<private>{HIDDEN}</private> Rent is due. <private>{HIDDEN}</private>"
OPEN = f"Rent is due. <private>code {HIDDEN}. The van is red."
NOT_CLOSED = (
    "1 private part was left out; one was not closed, so all that follows it was left out: "
    "end it with </private>"
)
STRAY = "a </private> has no <private> ahead of it: nothing was left out there"
CASES = [
    ("Rent is due in May</private> in cash.", STRAY),
    (f"{ONE} It rains. </ PRIVATE> so it does.", f"1 private part was left out; {STRAY}"),
    (ONE, "1 private part was left out"),
    (TWO, "2 private parts were left out"),
    (OPEN, NOT_CLOSED),
]
COMMANDS = [
    ("remember", "{}", "--agent", "ada"),
    ("session", "turn", "--session", "monday", "{}", "--agent", "ada"),
    ("task", "create", "Pay the rent", "--description", "{}"),
    ("topic", "set", "Rent", "{}"),
    ("note", "set", "Rent", "{}"),
    ("card", "set", "home/rent", "--person", "Mara", "--relationship", "tenant",
     "--backstory", "{}"),
    ("working", "set", "--agent", "ada", "--goal", "{}"),
    ("experience", "Pay the rent", "--outcome", "success", "--result", "{}", "--agent", "ada"),
]  # fmt: skip


def told(folder: Path, capsys: pytest.CaptureFixture[str], *args: str) -> tuple[str, str]:
    """Return what a command says on stdout and on stderr."""
    assert run(["--vault", str(folder), *args]) == 0
    out, err = capsys.readouterr()
    assert HIDDEN not in out + err
    return out, err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("text", "said"), CASES)
def test_a_command_that_keeps_a_text_says_what_of_it_was_private(
    folder: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...], text: str, said: str
) -> None:
    args = [part.format(text) for part in command]
    assert json.loads(told(folder, capsys, *args, "--json")[0])["left_out"] == said
    assert told(folder, capsys, *args)[1] == f"! {said}\n"


def test_marks_that_stand_in_words_of_their_own_are_one_text(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("Rent", "<private>", HIDDEN, "</private>", "is", "due")
    assert told(folder, capsys, "remember", *words)[1] == "! 1 private part was left out\n"


def test_of_standard_input_it_is_said_too(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ONE.encode())))
    assert told(folder, capsys, "remember", "-")[1] == "! 1 private part was left out\n"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [("It is \x1b[31mred\x1b[0m.", "control"), ("The van\u200b is \u202ered.", "zero-width, bidi")],
)
@pytest.mark.parametrize(
    "command", [("remember",), ("topic", "set", "Van"), ("note", "set", "Van")]
)
def test_what_nobody_sees_is_kept_and_said(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...],
    text: str,
    kinds: str,
) -> None:
    """What was said stays as it was; but a person would never know."""
    err = told(folder, capsys, *command, text)[1]
    assert err == f"! it has what nobody sees and an agent reads: {kinds}\n"


def test_where_nothing_is_left_out_nothing_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = told(folder, capsys, "remember", "The van is red.", "--json")
    assert (json.loads(out)["left_out"], err) == ("", "")


def test_a_mark_that_holds_nothing_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = told(folder, capsys, "remember", "Write <private>...</private> around it.")[1]
    assert said.startswith("! a <private> mark that holds nothing was left out")


def test_a_correction_says_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory = json.loads(told(folder, capsys, "remember", "Rent is 900.", "--json")[0])["id"]
    said = json.loads(told(folder, capsys, "correct", memory, ONE, "--json")[0])["left_out"]
    assert said == "1 private part was left out"


@pytest.mark.parametrize(
    "command",
    [
        ["remember"],
        ["session", "turn", "--session", "monday"],
        ["task", "create"],
        ["experience", "--outcome", "success"],
    ],
)
def test_a_text_that_is_private_all_through_is_refused_as_that(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    for text, why in (
        (f"<private>{HIDDEN}</private>", "all of it is private\n"),
        (f"<private>{HIDDEN}", "all of it is private; it is not closed: end it with </private>\n"),
        (" ", "the text is empty\n"),
    ):
        assert run(["--vault", str(folder), *command, text]) == 2
        assert capsys.readouterr().err.endswith(why)


def test_an_import_says_of_how_many_messages_something_was_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = [ONE, TWO, ONE, OPEN, "The van is red."]
    rows = ({"id": n, "session": "s", "content": text} for n, text in enumerate(said))
    file = folder.parent / "talk.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    args = ("import", "jsonl", str(file), "--agent", "ada")
    done = json.loads(told(folder, capsys, *args, "--json")[0])
    remarks = {it["why"]: it["count"] for it in done["remarks"]}
    assert remarks == {CASES[2][1]: 2, CASES[3][1]: 1, CASES[4][1]: 1}
    assert json.loads(told(folder, capsys, *args, "--json")[0])["remarks"] == []


def test_an_import_of_notes_says_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = folder.parent / "notes"
    notes.mkdir()
    (notes / "rent.md").write_text(f"# Rent\n\n{TWO}\n")
    out, _ = told(folder, capsys, "import", "markdown", str(notes), "--json")
    (remark,) = json.loads(out)["remarks"]
    assert (remark["why"], remark["count"]) == (CASES[3][1], 1)


@pytest.mark.parametrize(
    "facts", [("Rent is due.\n<private>a\nnarwhal\n</private>",), ("one <private>x", "narwhal")]
)
def test_a_private_part_that_goes_over_several_facts_is_in_none_of_them(
    folder: Path, capsys: pytest.CaptureFixture[str], facts: tuple[str, ...]
) -> None:
    _, err = told(folder, capsys, "topic", "set", "Rent", *facts)
    assert "1 private part was left out" in err
    assert HIDDEN not in (folder / "topics/rent.md").read_text()


@pytest.mark.parametrize(
    "command",
    [
        ("remember", "Rent is due.", "--tag", "<private>", "--tag", HIDDEN, "--tag", "</private>"),
        ("experience", "Pay the rent", "--outcome", "success", "--lesson", "<private>pay",
         "--lesson", f"{HIDDEN}</private> soon"),
        ("experience", "Pay the rent", "--outcome", "success", "--tool", "<private>",
         "--tool", HIDDEN, "--tool", "</private>"),
        ("experience", "Pay the rent", "--outcome", "success", "--decision",
         f"<private>Rent: {HIDDEN}</private>"),
        ("experience", "Pay the rent", "--outcome", "success", "--decision", "<private>rent: a",
         "--decision", f"due: {HIDDEN}</private> soon"),
    ],
)  # fmt: skip
def test_a_private_part_that_goes_over_the_items_of_a_list_is_in_none_of_them(
    folder: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    assert told(folder, capsys, *command, "--agent", "ada")[1] == "! 1 private part was left out\n"
    kept = [path.read_text() for path in (folder / "agents/ada").rglob("*.md")]
    assert not any(HIDDEN in text or "private" in text for text in kept)


def test_a_decision_is_taken_apart_once_it_is_clean(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A key is one by the word ahead of its colon."""
    key = "Xk9zqsec0006" + "x!vQ7"
    args = ("experience", "Pay", "--outcome", "success", "--decision", f"key password: {key}")
    assert run(["--vault", str(folder), *args]) == 3
    assert "a decision: looks like a secret" in capsys.readouterr().err
    assert key not in told(folder, capsys, *args, "--redact")[0]
    told(folder, capsys, *args[:-1], "Wait: the bank is shut")
    assert "- Wait\n  - **Why:** the bank is shut" in "".join(
        path.read_text() for path in folder.rglob("episode-*.md")
    )
    assert not any(key in path.read_text() for path in folder.rglob("episode-*.md"))


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("card", "set", "people/k", "--person", "K", "--field", f"<private>{HIDDEN}=1</private>"),
         "'[private]' is not the name of a fact: begin with a letter"),
        (("card", "set", f"people/<private>{HIDDEN}", "--person", "K"),
         "'people/[private]' is not the name of a card: write category/key"),
        (("show", f"<private\n>{HIDDEN}</private\n>"),
         "nothing here is called '[private]': `vaultmem recall`"),
        (("remember", "tea", "--agent", f"<private\n>{HIDDEN}</private\n>"),
         "a text with < in it cannot name an agent: use lower-case letters"),
    ],
)  # fmt: skip
def test_a_mistake_that_is_quoted_is_told_to_its_end(
    folder: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], said: str
) -> None:
    assert run(["--vault", str(folder), *args]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert HIDDEN not in err


@pytest.mark.parametrize("key", ["k <private>", f"k <private>{HIDDEN}"])
def test_of_a_card_whose_key_is_private_an_import_says_what_is_wrong(
    folder: Path, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    file = folder.parent / "cards.json"
    card = {"person": "Zo", "relationship": "friend", "backstory": "met", key: "v"}
    file.write_text(json.dumps({"categories": {"people": {"zo": card}}}))
    assert run(["--vault", str(folder), "card", "import", str(file)]) == 2
    err = capsys.readouterr().err
    assert "is not the name of a fact: begin with a letter" in err
    assert HIDDEN not in err
