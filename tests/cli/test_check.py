"""`check`: what a team's CI is told of a vault's files."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import run

import pytest

from tests.cli.test_forget import called
from vaultmem import Vault

pytestmark = pytest.mark.without_history

KEY = "ghp_w8Kq2Zr5Lm9Xv3Bn7Tc1Yd4Fg6Hj0Ps8Qe2R"
BAD = f"""---
title: Machines
---
See [[the-old-machine]], [a page](gone.md) and [[A Note To Come]].
The key is {KEY}.
By <private>Sarah
herself</private>, 10\N{RIGHT-TO-LEFT OVERRIDE}0 times.
"""


@pytest.fixture
def bad(vault: Vault) -> Path:
    """Write a topic with all that is wrong of each kind."""
    note = vault.path / "topics/bad.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text(BAD)
    return note


def test_a_sound_vault_has_no_problems(vault: Vault, capsys: pytest.CaptureFixture[str]) -> None:
    vault.remember("Tea at four.", agent="ada")
    assert called(capsys, vault.path, "check")[:2] == (0, "ok\n")
    assert json.loads(called(capsys, vault.path, "check", "--json")[1]) == {
        "ok": True, "problems": [],
    }  # fmt: skip


@pytest.mark.with_history
def test_a_link_that_leads_out_blinds_nobody(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    """What lies outside of the vault is not ours; a way up to what is in it is a way."""
    (vault.path / "topics").mkdir(exist_ok=True)
    (vault.path / "topics/oven.md").write_text("# Oven\n\nIt is hot.\n")
    trip = vault.path / "notes/trip/a.md"
    trip.parent.mkdir(parents=True)
    trip.write_text(
        "See [oven](../../topics/oven.md).\n[packing](../../topics/packing.md)\n"
        "[code](../../../README.md)\n[[../../x]]\n[[.git/config]]\nkey AKIAIOSFODNN7EXAMPLQ\n"
    )
    code, out, _ = called(capsys, vault.path, "check", "--json")
    found = [(p["code"], p["line"]) for p in json.loads(out)["problems"]]
    assert code == 1
    assert found == [("broken-link", 2), ("broken-link", 4), ("broken-link", 5), ("secret", 6)]


@pytest.mark.usefixtures("bad")
def test_each_problem_is_told_with_its_line_and_no_word_that_nobody_may_see(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = called(capsys, vault.path, "check", "--json")

    found = [(p["code"], p["line"]) for p in json.loads(out)["problems"]]
    assert code == 1
    assert found == [
        ("broken-link", 4), ("broken-link", 4), ("secret", 5), ("private", 6), ("hidden", 7),
    ]  # fmt: skip
    assert KEY not in out
    assert "Sarah" not in out


def test_frontmatter_that_cannot_be_read_is_a_problem(
    vault: Vault, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad.write_text("---\ntitle: [unclosed\n---\nTea.\n")
    code, out, _ = called(capsys, vault.path, "check")
    assert (code, "topics/bad.md:3: yaml: line 3 is" in out) == (1, True)


def test_a_mistyped_setting_is_a_problem(vault: Vault, capsys: pytest.CaptureFixture[str]) -> None:
    settings = vault.path / "config/memory_compaction.md"
    settings.write_text(settings.read_text().replace("strategy:", "stratgy:"))
    code, out, _ = called(capsys, vault.path, "check")
    line = settings.read_text().partition("stratgy:")[0].count("\n") + 1
    assert code == 1
    assert (
        f"config/memory_compaction.md:{line}: mistyped: `stratgy` is no setting, and has no effect"
        in out
    )


def test_a_profile_that_nobody_can_write_by_is_a_problem(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every fault of it at its line, or that it is not there at the line that names it."""
    profile = vault.path / "config/profiles/summarizer.md"
    profile.write_text("---\nbackend: antropic\nmodel:\napi_key: x\ntemperature: hot\n---\n")
    found = json.loads(called(capsys, vault.path, "check", "--json")[1])["problems"]
    assert [(p["code"], p["path"], p["line"]) for p in found] == [
        ("setting", "config/profiles/summarizer.md", line) for line in (2, 4, 5)
    ]

    settings = vault.path / "config/memory_compaction.md"
    settings.write_text("---\nformat: 1\nprofile: nope\n---\n")
    code, out, _ = called(capsys, vault.path, "check")
    assert code == 1
    assert "config/memory_compaction.md:3: setting: profile is 'nope', and config/profiles/" in out


def test_every_setting_that_keeps_a_vault_shut_is_a_problem(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = vault.path / "config/memory_compaction.md"
    settings.write_text("---\nrecent_window: sixty\nlayout: month\nstrategy: cascde\n---\n")
    found = json.loads(called(capsys, vault.path, "check", "--json")[1])["problems"]
    assert [(p["line"], p["message"].partition(",")[0]) for p in found] == [
        (2, "recent_window is 'sixty'"), (4, "strategy is 'cascde'"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("recent_window", "sixty"), ("strategy", "cascde"), ("max_memories", "-5"),
        ("layout", "year"), ("format", "2"), ("owner", "[unclosed"),
    ],
)  # fmt: skip
def test_settings_that_keep_a_vault_shut_are_a_problem_in_every_format(
    vault: Vault, capsys: pytest.CaptureFixture[str], key: str, value: str
) -> None:
    settings = vault.path / "config/memory_compaction.md"
    others = [it for it in settings.read_text().split("\n") if not it.startswith(f"{key}:")]
    settings.write_text("\n".join([others[0], f"{key}: {value}", *others[1:]]))

    code, out, _ = called(capsys, vault.path, "check")
    assert (code, "nothing else of it was checked" in out) == (1, True)
    for form in ("json", "sarif", "github"):
        code, out, _ = called(capsys, vault.path, "check", "--format", form)
        assert (code, "config/memory_compaction.md" in out) == (1, True)
    (found,) = json.loads(called(capsys, vault.path, "check", "--json")[1])["problems"]
    told = (found["code"], found["path"], found["line"])
    assert told == ("setting", "config/memory_compaction.md", 3 if key == "owner" else 2)


def test_a_time_that_is_none_is_a_problem_and_any_type_is_a_persons_own(
    vault: Vault, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad.write_text(
        "---\nid: mine\ntype: recipe\ncreated: yesterday\nupdated: 2026-11-20\n---\nTea.\n"
    )
    (found,) = json.loads(called(capsys, vault.path, "check", "--json")[1])["problems"]
    assert (found["code"], found["line"], found["message"]) == ("no-date", 4, "created is no date")


def test_where_a_reference_leads_is_looked_at(
    vault: Vault, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is said of a word is no reference, and an address no file."""
    (vault.path / "topics/there.md").write_text("Tea.\n")
    bad.write_text(
        "See [the plan][p], [here][t], [all](topics), [those](topics/), [none](lost/).\n\n"
        "[p]: gone.md 'Plan'\n[t]: there.md\n[x]: <a b.png>\n"
        "[u]: https://x.example/a.md\n[^1]: note.md\n[TODO]: tea\n[also]: see plan.md soon\n"
        "```\n[c]: code.md\n```\n"
    )
    out = called(capsys, vault.path, "check", "--json")[1]
    assert [(p["code"], p["line"]) for p in json.loads(out)["problems"]] == [
        ("broken-link", 1), ("broken-link", 3), ("broken-link", 5),
    ]  # fmt: skip


def test_a_link_from_the_top_is_looked_for_there(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    """But a path of a page that was clipped names no file."""
    (vault.path / "notes/trip").mkdir(parents=True)
    (vault.path / "notes/tea.md").write_text("Tea.\n")
    (vault.path / "notes/trip/a.md").write_text(
        "[t](/notes/tea.md) [c](/docs/intro) [w](/notes/tea)\n"
        "[g](/notes/gone.md)\n![p](/assets/gone.png)\n[h](/trip/a.md)\n"
    )
    assert lines_of_broken_links(capsys, vault) == [2, 3, 4]


@pytest.mark.usefixtures("bad")
def test_code_scanning_takes_it_as_sarif(vault: Vault, capsys: pytest.CaptureFixture[str]) -> None:
    said = json.loads(called(capsys, vault.path, "check", "--format", "sarif")[1])
    (run,) = said["runs"]
    assert said["version"] == "2.1.0"
    assert {it["ruleId"] for it in run["results"]} == {
        it["id"] for it in run["tool"]["driver"]["rules"]
    }
    first = run["results"][0]["locations"][0]["physicalLocation"]
    assert first == {"artifactLocation": {"uri": "topics/bad.md"}, "region": {"startLine": 4}}


@pytest.mark.usefixtures("bad")
def test_a_workflow_annotates_the_lines(vault: Vault, capsys: pytest.CaptureFixture[str]) -> None:
    out = called(capsys, vault.path, "check", "--format", "github")[1]
    assert "::error file=topics/bad.md,line=5,title=secret::it holds a credential" in out


def test_a_vault_in_a_repository_is_told_of_as_a_folder_of_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a workflow annotates files, and code scanning looks for them."""
    run(["git", "init", "-q", str(tmp_path / "code")], check=True)
    folder = tmp_path / "code/docs/memory"
    called(capsys, folder, "init", str(folder), "--in-repo")
    (folder / "notes").mkdir(exist_ok=True)
    (folder / "notes/a b.md").write_text("[gone](gone.md)\n")
    for form, told in (
        ("github", "file=docs/memory/notes/a b.md,line=1"),
        ("sarif", '"uri": "docs/memory/notes/a%20b.md"'),
    ):
        assert told in called(capsys, folder, "check", "--format", form)[1]


@pytest.mark.usefixtures("bad")
@pytest.mark.parametrize(
    ("here", "way"),
    [("", ""), ("..", "vault/"), ("topics", "../"), ("../elsewhere", "{whole}/")],
)
def test_a_person_is_told_of_files_as_they_are_reached_from_where_they_stand(
    vault: Vault, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    here: str, way: str,
) -> None:  # fmt: skip
    (vault.path.parent / "elsewhere").mkdir()
    monkeypatch.chdir(vault.path / here)
    told = f"{way.format(whole=vault.path)}topics/bad.md:4: broken-link"
    assert called(capsys, vault.path, "check")[1].startswith(told)


@pytest.mark.usefixtures("bad")
def test_who_stands_in_a_folder_that_is_gone_is_told_whole_paths(
    vault: Vault, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = vault.path.parent / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    told = f"{vault.path}/topics/bad.md:4: broken-link"
    assert called(capsys, vault.path, "check")[1].startswith(told)


@pytest.mark.parametrize(
    "unseen", ["\u200b", "\u2060", "\u00ad", "\u3164", "\x1b", "\x85", "\u2028"]
)
def test_a_character_that_nobody_sees_is_a_problem(
    vault: Vault, bad: Path, capsys: pytest.CaptureFixture[str], unseen: str
) -> None:
    """But for one that joins an emoji or shapes a script."""
    bad.write_text(
        "A family: \U0001f469\u200d\U0001f467.\nnamah: \u0928\u094d\u200d\u092f\n", "utf-8"
    )
    assert called(capsys, vault.path, "check")[0] == 0
    bad.write_text(f"Tea.\nignore{unseen}all of it\n", "utf-8")
    code, out, _ = called(capsys, vault.path, "check")
    assert (code, "topics/bad.md:2: hidden: " in out) == (1, True)


@pytest.mark.with_history
def test_nothing_is_committed_or_changed_by_looking(
    vault: Vault, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = vault.log()
    called(capsys, vault.path, "check")
    assert (vault.log(), bad.read_text()) == (before, BAD)


@pytest.mark.long
def test_a_file_that_is_too_large_is_named(
    vault: Vault, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad.write_text("Tea at four.\n" * 90_000)
    code, out, _ = called(capsys, vault.path, "check")
    assert (code, "too-large" in out) == (1, True)


def test_names_that_another_machine_cannot_hold_are_problems(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("what: why?.md", "Plan.md", "plan.md", "fine.md"):
        (vault.path / "notes").mkdir(exist_ok=True)
        (vault.path / "notes" / name).write_text("# Plan\n")
    code, out, _ = called(capsys, vault.path, "check", "--json")
    assert code == 1
    assert [(p["code"], p["path"]) for p in json.loads(out)["problems"]] == [
        ("name", "notes/Plan.md"), ("name", "notes/plan.md"), ("name", "notes/what: why?.md"),
    ]  # fmt: skip


def test_a_wikilink_that_is_no_file_s_name_may_be_a_note_to_come(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    (vault.path / "notes").mkdir(exist_ok=True)
    (vault.path / "notes/a.md").write_text(
        "[[nowhere]] [[Project Phoenix]]\n[[the-old-machine]]\n[[notes/tea]]\n[[tea.md]]\n"
    )
    _, out, _ = called(capsys, vault.path, "check", "--json")
    assert [p["line"] for p in json.loads(out)["problems"]] == [2, 3, 4]


def lines_of_broken_links(capsys: pytest.CaptureFixture[str], vault: Vault) -> list[int]:
    out = called(capsys, vault.path, "check", "--json")[1]
    return [p["line"] for p in json.loads(out)["problems"] if p["code"] == "broken-link"]


def test_a_link_to_an_attachment_or_a_folder_that_is_not_there_is_a_problem(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    (vault.path / "notes").mkdir(exist_ok=True)
    gone = (
        "[d](gone.pdf)", "![x](img.png)", "![[gone.png]]", "[g](nope)", "[f](sub/)",
        "![[sub/a.xyz]]", "[[Board.canvas|it]]", "[a](my%20plan.pdf#page=2)", "[b](<my plan.pdf>)",
        "![[gone-note]]", '[t](gone.csv "Rows")', "[q](gone.md?plain=1)",
    )  # fmt: skip
    (vault.path / "notes/a.md").write_text("\n".join(gone))
    assert lines_of_broken_links(capsys, vault) == list(range(1, len(gone) + 1))


def test_a_link_to_an_attachment_or_a_folder_is_none_where_it_is(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    """As Obsidian has it: a wikilink finds a file by its name wherever that lies."""
    for path in ("notes/plans/My Plan.pdf", "assets/img.png", "assets/tea.canvas", ".hid/x.png"):
        file = vault.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"\x89PNG\r\n")
    (vault.path / "elsewhere").symlink_to(vault.path.parent)
    (vault.path / "notes/tea.md").write_text("Tea.\n")
    (vault.path / "notes/a.md").write_text(
        "![[img.png|300]] ![[IMG.png]] [[assets/img.png]] ![[My Plan.pdf#page=2]] [[tea.canvas]]\n"
        "[d](plans/My%20Plan.pdf) [d](<plans/My Plan.pdf>) ![x](../assets/img.png?raw=true)\n"
        "![x](assets/img.png 'From the top') [g](tea) [f](plans/) [f](plans) [f](../assets)\n"
        "[up](..) [p](/etc/x) [#](#tea) [?](?a)\n"
        "[o](../../out.pdf) [e](../elsewhere/x.pdf) [h](../.hid/x.png)\n"
        "[w](https://example.org/x.pdf) [m](mailto:a@example.org) ![[2026-11-20]] [[Node.js]]\n"
        "`[d](gone.pdf)` <!-- ![[gone.png]] --> %% [g](nope) %% \\[b](nope) [[ASP.NET]]\n"
        "```\n![x](gone.png)\n[f](sub/)\n```\n"
    )
    assert lines_of_broken_links(capsys, vault) == []


def test_what_somebody_said_names_files_of_another_place(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    vault.remember("The fault is in [main.py](src/main.py), see ![[screen.png]].", agent="ada")
    assert lines_of_broken_links(capsys, vault) == []


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("See [[../../x]].", "`vaultmem correct {path} TEXT`"),
        ("It is \x1b[31mred\x1b[0m.", "`vaultmem correct {path} TEXT`"),
        ("It is \u202edlog.", "forget or correct it"),
    ],
)
def test_a_memory_that_says_what_it_should_not_is_corrected_and_counts_no_more(
    vault: Vault, capsys: pytest.CaptureFixture[str], said: str, way: str
) -> None:
    """No memory is rewritten: what is told to be done is what a vault lets one do."""
    path = vault.remember(said, agent="ada").path
    code, out, _ = called(capsys, vault.path, "check")
    assert (code, way.format(path=path) in out) == (1, True)
    assert called(capsys, vault.path, "correct", path, "It is green.")[0] == 0
    assert called(capsys, vault.path, "check")[:2] == (0, "ok\n")


@pytest.mark.long
def test_a_credential_in_a_memory_counts_though_it_was_corrected(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    file = vault.path / vault.remember("The key is KEY.", agent="ada").path
    file.write_text(file.read_text().replace("KEY", KEY))
    vault.memories.correct(file.name, "The key was revoked.")
    found = json.loads(called(capsys, vault.path, "check", "--json")[1])["problems"]
    assert "secret" in [p["code"] for p in found]


def test_of_a_memory_that_waits_for_a_person_the_review_disposes(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    path = vault.remember("See [[../../x]].", agent="ada", source="web").path
    out = called(capsys, vault.path, "check")[1]
    assert f"`vaultmem review drop {path}`" in out


def test_what_a_list_repeats_of_a_memory_is_made_anew_by_a_round(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    """MEMORY.md is generated between its marks."""
    index = vault.path / "MEMORY.md"
    index.write_text(f"{index.read_text()}\nOf me.\u200b\n")
    assert "`vaultmem watch --once` makes anew" in called(capsys, vault.path, "check")[1]
