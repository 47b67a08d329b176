"""`card` on the command line: JSON that stays, exit codes, and people's mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultmem.cli import run

pytestmark = pytest.mark.without_history

CARD = [
    "--person", "Sarah Smith", "--relationship", "daughter", "--backstory", "Said at school.",
    "--at", "2024-03-01",
]  # fmt: skip
SARAH = "medical/doctor_sarah"


@pytest.fixture
def card(folder: Path, capsys: pytest.CaptureFixture[str]) -> Card:
    """Return what runs `vaultmem card …` in the vault."""
    return Card(folder, capsys)


class Card:
    """The command line, in a vault."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Work in *folder*."""
        self.folder, self.capsys = folder, capsys

    def run(self, *args: str) -> tuple[int, str, str]:
        """Return exit code, stdout and stderr."""
        code = run(["--vault", str(self.folder), "card", *args])
        told = self.capsys.readouterr()
        return code, told.out, told.err

    def json(self, *args: str, code: int = 0) -> dict[str, object]:
        """Return the one object that is printed."""
        got, out, err = self.run(*args, "--json")
        assert got == code, err
        found = json.loads(out)
        assert isinstance(found, dict)
        return found


@pytest.mark.with_history
def test_set_prints_the_object_and_get_the_same(card: Card) -> None:
    """With what the program knows of it."""
    made = card.json("set", SARAH, *CARD, "--field", "contact.phone=0123", "--field", "x=a=b")
    assert made["contact"] == {"phone": "0123"}
    assert made["x"] == "a=b"
    assert made["conflicts"] == []
    assert made["commit"]
    got = card.json("get", SARAH)
    assert {key: made[key] for key in got} == got


def test_a_fact_given_twice_is_a_list_and_json_is_taken_apart(card: Card) -> None:
    """What only looks like JSON is text."""
    made = card.json(
        "set", SARAH, *CARD, "--field", "a=1", "--field", "a=2", "--field", 'b={"c": [1, 2]}',
        "--field", "d=[draft] x",
    )  # fmt: skip
    assert (made["a"], made["b"], made["d"]) == (["1", "2"], {"c": ["1", "2"]}, "[draft] x")


def test_a_doubt_exits_3_and_still_prints_the_object(card: Card) -> None:
    """Resolving it exits 0."""
    card.json("set", SARAH, *CARD, "--field", "city=Lyon", "--source", "user")
    made = card.json("set", SARAH, "--field", "city=Nice", "--source", "web", code=3)
    assert made["city"] == "Lyon"
    conflicts = made["conflicts"]
    assert isinstance(conflicts, list)
    assert {k: conflicts[0][k] for k in ("field", "kept", "claimed")} == {
        "field": "city", "kept": "Lyon", "claimed": "Nice",
    }  # fmt: skip
    assert card.json("resolve", SARAH, "--field", "city=Nice", "--by", "human")["city"] == "Nice"


@pytest.mark.parametrize(
    ("args", "code", "why"),
    [
        (["set", "medical/nobody", "--field", "x=1"], 2, "no person, relationship, backstory"),
        (["set", SARAH, "--field", "x"], 2, "write NAME=VALUE"),
        (["set", SARAH, "--field", "=x"], 2, "write NAME=VALUE"),
        (["set", SARAH, *CARD, "--create"], 3, "already exists"),
        (["get", "../x"], 2, "no card"),
        (["resolve", "a/b"], 2, "no card"),
        (["import", "nowhere.json"], 2, "nowhere.json: "),
    ],
)
def test_a_mistake_is_one_sentence(card: Card, args: list[str], code: int, why: str) -> None:
    """With the exit code of its kind."""
    card.json("set", SARAH, *CARD)
    got, out, err = card.run(*args)
    assert (got, out) == (code, "")
    assert why in err
    assert err.count("\n") == 1


def test_a_new_card_that_lacks_something_is_told_the_options_for_it(card: Card) -> None:
    code, _, err = card.run("set", "people/bo", "--field", "allergy=nuts", "--person", "Bo")
    assert code == 2
    assert "has no relationship, backstory" in err
    assert err.endswith("; nothing was written: add --relationship --backstory\n")


def test_list_export_and_import(card: Card, tmp_path: Path) -> None:
    """The object of the export is what `card export --json` prints."""
    card.json("set", SARAH, *CARD, "--field", "x=1")
    assert [c["name"] for c in card.json("list", "--person", "sarah")["cards"]] == [SARAH]  # type: ignore[attr-defined]
    assert card.json("list", "--category", "other") == {"cards": []}
    told = card.json("export")
    path = tmp_path / "cards.json"
    card.run("export", "--output", str(path))
    assert json.loads(path.read_text()) == told
    assert card.json("import", str(path)) == {
        "cards": [], "conflicts": 0, "remembered": 0, "skipped": 1, "commit": None,
    }  # fmt: skip


def test_people_read_a_page(card: Card) -> None:
    """What was done, what is known, what waits."""
    code, out, _ = card.run("set", SARAH, *CARD, "--field", "city=Lyon")
    assert (code, out) == (
        0, "cards/medical/doctor_sarah.md: person, relationship, backstory, city\n",
    )  # fmt: skip
    _, out, _ = card.run("set", SARAH, "--field", "city=Nice\u202e", "--source", "web")
    assert out == (
        "cards/medical/doctor_sarah.md: nothing changed\n"
        "  city: web says 'Nice\\u202e', 'Lyon' stays\n"
        "waits for review in inbox/card-medical.doctor_sarah.md\n"
    )
    _, out, err = card.run("get", SARAH)
    assert "city: Lyon\nperson: Sarah Smith\n" in out
    assert "claims disagree about city" in err
    _, out, _ = card.run("list")
    assert out.splitlines()[1].split() == [SARAH, "Sarah", "Smith", "daughter", "agent", "1"]


def test_an_export_goes_over_nothing_and_not_into_the_vault(card: Card, tmp_path: Path) -> None:
    card.run("set", SARAH, *CARD)
    path = tmp_path / "cards.json"
    path.write_text("mine")
    assert card.run("export", "--output", str(path))[0] == 3
    assert path.read_text() == "mine"
    assert card.run("export", "--output", str(path), "--force")[0] == 0
    assert card.run("export", "--output", str(card.folder / "MEMORY.md"), "--force")[0] == 3


def test_an_export_leaves_out_what_cannot_be_read_and_says_so(card: Card) -> None:
    card.run("set", SARAH, *CARD)
    (card.folder / "cards/medical/bin.md").write_bytes(b"\xff\xfe")
    code, out, err = card.run("export")
    assert (code, [*json.loads(out)["categories"]["medical"]]) == (1, ["doctor_sarah"])
    assert "left out: cards/medical/bin.md" in err


def test_a_card_that_waits_whole_is_exit_3_and_names_the_next_step(card: Card) -> None:
    code, out, _ = card.run("set", SARAH, *CARD, "--field", "x=1", "--source", "web")
    assert code == 3
    assert "`vaultmem review accept inbox/review/card-medical.doctor_sarah.md`" in out


def test_what_is_nested_in_a_card_is_shown_as_an_outline(card: Card) -> None:
    """As a person reads it; programs ask for JSON."""
    card.run("set", SARAH, *CARD, "--field", "contact.phone=1", "--field", "contact.mail=a@b.org",
             "--field", "contact.mail=c@d.org", "--field", "born=2001")  # fmt: skip
    shown = card.run("get", SARAH)[1]
    assert "\ncontact:\n  phone: 1\n  mail:\n    - a@b.org\n    - c@d.org\n" in shown
    assert "\nborn: 2001\n" in shown
    assert not {*shown} & {*'{["'}
