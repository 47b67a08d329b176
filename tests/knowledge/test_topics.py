"""Topics have kinds and reasons, and a memory folder of Claude Code is read, written and used."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.cli import run
from vaultmem.documents import frontmatter
from vaultmem.errors import BadInput, Refused
from vaultmem.knowledge.topics.service import Topics
from vaultmem.knowledge.topics.types import Imported, Listed
from vaultmem.maintenance.dream import facts
from vaultmem.memory.memory_index import MOST_BYTES, MOST_LINES
from vaultmem.records import Record
from vaultmem.storage import files, reader, tombstone_checks, tombstone_digests, tombstones

pytestmark = pytest.mark.without_history

DEPLOY = """\
---
type: topic
title: Deploy
description: how we deploy
kind: project
created: 2026-11-10T09:00:00Z
---
## Facts
- Deploys go out on Tuesdays ([[20261101-101500-deploys-7q3kzm]])
  - **Why:** the on-call team is whole
  - **How to apply:** merge on Monday
- The staging server is called heron

## Decisions
- Two approvals
  - **Why:** the outage in May
"""
TESTS = """\
---
name: Integration tests
description: tests hit a real database, see issue #12
metadata:
  type: feedback
modified: 2026-11-18T08:00:00Z
---

Integration tests must hit a real database, not mocks.

**Why:** a mock hid a broken migration.

**How to apply:** start Postgres with `make db` before `pytest`.
"""
OLD_STYLE = """\
---
name: Ada is a data scientist
description: who the user is
type: user
---
Ada knows SQL well and is new to Go.
"""
INDEX = """\
# Memory

- [Integration tests](feedback_testing.md) - a real database
- [Ada](user_role.md) - who she is

## Odds and ends

The office moved to Porto in 2021.
- [Lost](gone.md) - the printer is on floor 3
"""
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def topics(vault: Vault) -> Topics:
    return vault.topics


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """Make a memory folder as Claude Code keeps one."""
    made = tmp_path / "projects/-home-ada-shop/memory"
    made.mkdir(parents=True)
    (made / "MEMORY.md").write_text(INDEX)
    (made / "feedback_testing.md").write_text(TESTS)
    (made / "user_role.md").write_text(OLD_STYLE)
    return made


def write(vault: Vault, path: str, text: str) -> None:
    (vault.path / path).parent.mkdir(parents=True, exist_ok=True)
    (vault.path / path).write_text(text)


def record(path: str, text: str) -> Record:
    return reader.record(path, files.content(text.encode()))


# --- kinds and reasons ----------------------------------------------------------------------------


def test_a_topic_shows_its_kind_and_of_every_fact_why_how_and_whence(
    vault: Vault, topics: Topics
) -> None:
    write(vault, "topics/deploy.md", DEPLOY)
    found = topics.get("deploy")
    assert (found.path, found.kind, found.title) == ("topics/deploy.md", "project", "Deploy")
    first, second = found.facts
    assert (first.why, first.how) == ("the on-call team is whole", "merge on Monday")
    assert first.sources == ("20261101-101500-deploys-7q3kzm",)
    assert (second.text, second.why) == ("The staging server is called heron", "")
    assert found.decisions[0].reason == "the outage in May"
    assert found.body.startswith("## Facts")


BAR = """# Coffee bar

Opens at nine.

## Machines
- The machine is a Faema.
  - **Why:** it was there
* Serviced by Anton.
  - His number is 555.

## See also
- [[beans]]
- [The plan](../notes/plan.md)

## Facts
- Ground fresh. ([[m1]])
"""


def test_bullets_below_headings_of_a_persons_own_are_facts_each(vault: Vault) -> None:
    """It is called by its heading; a bullet that only points elsewhere says nothing."""
    (vault.path / "topics").mkdir(exist_ok=True)
    (vault.path / "topics/bar.md").write_text(BAR)
    found = vault.topics.get("coffee bar")
    assert [(it.text, it.why, it.sources) for it in found.facts] == [
        ("Ground fresh.", "", ("m1",)),
        ("The machine is a Faema.", "it was there", ()),
        ("Serviced by Anton.", "", ()),
        ("His number is 555.", "", ()),
    ]
    assert found.title == "Coffee bar"


def test_a_box_and_a_bullet_that_leads_to_others_are_no_facts(vault: Vault) -> None:
    (vault.path / "topics").mkdir(exist_ok=True)
    said = "# Garden\n* Beans:\n    * runner beans, sown in May\n\n1. [x] Oil the shears.\n"
    (vault.path / "topics/garden.md").write_text(said)
    texts = [it.text for it in vault.topics.get("garden").facts]
    assert texts == ["runner beans, sown in May", "Oil the shears."]


def test_without_bullets_each_paragraph_is_a_fact(vault: Vault) -> None:
    (vault.path / "topics").mkdir(exist_ok=True)
    (vault.path / "topics/bar.md").write_text(
        "# Bar\n\nOpens at\nnine.\n\n<!-- x -->\n\n## Beans\n\nFrom Harrer.\n"
    )
    assert [it.text for it in vault.topics.get("bar").facts] == [
        "Opens at nine.",
        "From Harrer.",
    ]


def test_a_list_says_what_a_project_fact_lacks_and_what_is_stale(
    vault: Vault, topics: Topics, clock: Clock
) -> None:
    write(vault, "topics/deploy.md", DEPLOY)
    write(vault, "topics/tea.md", "---\ntype: topic\ntitle: Tea\n---\n## Facts\n- Oolong\n")
    deploy, tea = topics.listing().topics
    assert (deploy.facts, deploy.lacks, deploy.stale) == (3, ("why", "how to apply"), False)
    assert (tea.kind, tea.lacks, tea.stale) == ("", (), False)
    clock.advance(days=31)
    assert topics.listing(kind="project").topics[0].stale


def test_topics_are_listed_by_kind_and_by_agent_the_last_changed_first(
    vault: Vault, topics: Topics
) -> None:
    head = "---\ntype: topic\ntitle: {}\nkind: {}\ncreated: 2026-11-{}\n---\n"
    write(vault, "topics/a.md", head.format("A", "user", "01"))
    write(vault, "topics/b.md", head.format("B", "reference", "03"))
    write(vault, "agents/ada/topics/c.md", head.format("C", "user", "02"))

    def shown(found: tuple[Listed, ...]) -> list[str]:
        return [it.title for it in found]

    assert shown(topics.listing().topics) == ["B", "C", "A"]
    assert shown(topics.listing(kind="user").topics) == ["C", "A"]
    assert shown(topics.listing(agent="ada").topics) == ["C"]
    with pytest.raises(BadInput, match="user, feedback, project, reference"):
        topics.listing(kind="person")


def test_what_names_no_topic_or_two_is_a_sentence(vault: Vault, topics: Topics) -> None:
    write(vault, "topics/deploy.md", DEPLOY)
    write(vault, "agents/ada/topics/deploy.md", DEPLOY)
    with pytest.raises(BadInput, match="no topic 'rain'"):
        topics.get("rain")
    with pytest.raises(BadInput, match=r"agents/ada/topics/deploy\.md, topics/deploy\.md"):
        topics.get("Deploy")
    assert topics.get("topics/deploy.md").path == "topics/deploy.md"


@pytest.mark.long
def test_a_fold_that_tells_a_topic_anew_keeps_a_persons_why(vault: Vault) -> None:
    """Eight sessions that all speak of it do not wash away what a person wrote."""
    for n in range(8):
        said = (
            "We decided to keep hens in the barn because the fox comes at night.",
            f"The red tractor number {n} broke down near the mill and Ben will fix it.",
        )
        for text in said:
            vault.say(f"s{n:02}", text, agent="ada")
        vault.fold("ada", force=True)
    held = [p for p in (vault.path / "agents/ada/topics").glob("*.md") if "- " in p.read_text()]
    path = held[0]
    bullet = next(line for line in path.read_text().splitlines() if line.startswith("- "))
    mine = f"{bullet}\n  - **Why:** Grandmother said so\n  - **How to apply:** ask her"
    path.write_text(path.read_text().replace(bullet, mine))
    for n in range(8, 16):
        vault.say(f"s{n:02}", "The fox comes at night, so keep the hens in.", agent="ada")
        vault.fold("ada", force=True)
    assert "  - **Why:** Grandmother said so\n  - **How to apply:** ask her" in path.read_text()


# --- the form of Claude Code ----------------------------------------------------------------------


def test_a_kind_is_read_wherever_claude_code_writes_it() -> None:
    nested, flat = record("feedback_testing.md", TESTS), record("topics/ada.md", OLD_STYLE)
    assert (nested.type, nested.kind, nested.title) == ("topic", "feedback", "Integration tests")
    assert nested.updated == "2026-11-18T08:00:00Z"
    assert (flat.type, flat.kind, flat.trust) == ("topic", "user", "agent")


def test_a_value_with_a_hash_is_read_whole() -> None:
    assert record("x.md", TESTS).description == "tests hit a real database, see issue #12"
    quoted = TESTS.replace("tests hit a real database, see issue #12", '"a #1" # mine')
    assert record("x.md", quoted).description == "a #1"


def test_a_note_deeper_down_that_happens_to_be_a_project_stays_a_note() -> None:
    assert record("work/porto.md", "---\ntype: project\n---\nMove to Porto.\n").type == "project"


# --- import ---------------------------------------------------------------------------------------


@pytest.mark.with_history
def test_a_memory_folder_becomes_shared_topics_in_one_commit(
    vault: Vault, topics: Topics, memory: Path
) -> None:
    done = topics.bring(memory)
    assert done.imported == (
        "topics/notes-from-memory.md",
        "topics/feedback-testing.md",
        "topics/user-role.md",
    )
    assert done.commit
    assert vault.log(1)[0].subject == "import: 3 topics"
    text = (vault.path / "topics/feedback-testing.md").read_text()
    head = frontmatter.fields(frontmatter.parse(text))
    assert (head["type"], head["kind"], head["title"]) == ("topic", "feedback", "Integration tests")
    assert (head["source"], head["trust"]) == ("import", "agent")
    assert head["description"] == "tests hit a real database, see issue #12"
    assert str(memory) not in text
    assert text.endswith(TESTS.partition("---\n\n")[2])
    (fact,) = topics.get("Integration tests").facts
    assert fact.text == "Integration tests must hit a real database, not mocks."
    assert (fact.why, fact.how[:14]) == ("a mock hid a broken migration.", "start Postgres")
    assert topics.get("Integration tests").lacks == ()
    assert "topics/feedback-testing.md" in (vault.path / "MEMORY.md").read_text()
    assert vault.fsck().ok


def test_what_an_index_holds_beside_pointers_is_kept(topics: Topics, memory: Path) -> None:
    topics.bring(memory)
    assert topics.get("Notes from MEMORY.md").body == (
        "## Odds and ends\n\nThe office moved to Porto in 2021.\n"
        "- [Lost](gone.md) - the printer is on floor 3\n"
    )


@pytest.mark.with_history
def test_a_second_import_adds_nothing_and_neither_does_one_of_a_copy(
    vault: Vault, topics: Topics, memory: Path, tmp_path: Path
) -> None:
    topics.bring(memory)
    before = len(vault.log())
    again = topics.bring(memory)
    assert (again.imported, again.updated, len(again.skipped)) == ((), (), 3)
    assert topics.bring(memory.rename(tmp_path / "elsewhere")).imported == ()
    assert len(vault.log()) == before


def test_a_file_that_changed_updates_its_topic_unless_that_changed_too(
    vault: Vault, topics: Topics, memory: Path
) -> None:
    topics.bring(memory)
    mine = vault.path / "topics/user-role.md"
    mine.write_text(mine.read_text().replace("new to Go", "fluent in Go"))
    (memory / "user_role.md").write_text(OLD_STYLE.replace("SQL", "SQL and R"))
    (memory / "feedback_testing.md").write_text(TESTS.replace("Postgres", "MySQL"))
    done = topics.bring(memory)
    assert (done.imported, done.updated) == ((), ("topics/feedback-testing.md",))
    assert "start MySQL" in topics.get("feedback-testing").body
    (why,) = [s.why for s in done.skipped if s.file == "user_role.md"]
    assert why == "topics/user-role.md was changed here, too: bring the two together by hand"
    assert "fluent in Go" in mine.read_text()


def failing(done: Imported) -> dict[str, str]:
    return {it.file: it.why for it in done.failed}


def test_one_bad_file_is_named_and_the_others_come_in(topics: Topics, memory: Path) -> None:
    (memory / "torn.md").write_text("---\nname: Torn\n")
    (memory / "key.md").write_text(OLD_STYLE + f"The token is {SECRET}\n")
    (memory / "page.md").write_text(OLD_STYLE.replace("type:", "source: web\ntype:"))
    (memory / "empty.md").write_text(OLD_STYLE.partition("Ada knows")[0])
    (memory / "link.md").symlink_to(memory / "user_role.md")
    done = topics.bring(memory)
    assert len(done.imported) == 3
    assert [(it.file, it.why) for it in done.skipped] == [
        ("link.md", "a link, and links are not followed")
    ]
    assert failing(done)["key.md"].startswith("looks like a secret")
    assert failing(done).keys() == {"torn.md", "key.md", "page.md", "empty.md"}
    assert "never ends" in failing(done)["torn.md"]
    assert SECRET not in failing(done)["key.md"]
    assert "topics/key.md" in topics.bring(memory, redact=True).imported


def test_a_description_with_a_colon_is_no_yaml_and_comes_in_all_the_same(
    topics: Topics, memory: Path
) -> None:
    (memory / "colon.md").write_text(OLD_STYLE.replace("who the user is", "Ada: who she is #1"))
    assert "topics/colon.md" in topics.bring(memory).imported
    assert topics.get("colon").description == "Ada: who she is #1"


def test_what_is_left_out_of_a_folder_is_said(topics: Topics, memory: Path) -> None:
    (memory / "MEMORY.md").write_text("# Memory\n- [Ada](user_role.md) - who she is\n")
    (memory / "old").mkdir()
    (memory / "notes.txt").write_text("Tea.")
    assert {it.file: it.why for it in topics.bring(memory).skipped} == {
        "MEMORY.md": "it only points at the files beside it",
        "notes.txt": "no Markdown",
        "old": "a folder: import it by itself",
    }


def test_another_vault_is_no_memory_folder(topics: Topics, tmp_path: Path, clock: Clock) -> None:
    create.create(tmp_path / "other", clock, with_git=False)
    with pytest.raises(BadInput, match="is a vault, no memory folder of Claude Code: open it with"):
        topics.bring(tmp_path / "other")


def test_a_file_of_claude_code_with_a_colon_is_listed_where_it_lies(
    vault: Vault, topics: Topics
) -> None:
    colon = OLD_STYLE.replace("who the user is", "a data scientist: logging focus")
    write(vault, "user_role.md", colon)
    write(vault, "topics/bo.md", colon.replace("Ada", "Bo"))
    shown, other = topics.listing().topics
    assert (shown.path, shown.kind) == ("user_role.md", "user")
    assert (other.path, other.title) == ("topics/bo.md", "Bo is a data scientist")
    assert shown.description == "a data scientist: logging focus"
    assert "YAML" in shown.problem
    assert topics.get("Ada is a data scientist").body == "Ada knows SQL well and is new to Go.\n"


def test_a_topic_is_named_by_the_id_that_it_shows(vault: Vault, topics: Topics) -> None:
    made = DEPLOY.replace("type: topic", "id: 01KADAQZ8RJ9V3T5W7X1Y3Z5B7\ntype: topic")
    write(vault, "topics/deploy.md", made)
    (shown,) = topics.listing().topics
    assert topics.get(shown.id).id == shown.id == "01KADAQZ8RJ9V3T5W7X1Y3Z5B7"
    with pytest.raises(BadInput, match="no topic ''"):
        topics.get("")


def test_two_files_of_one_name_from_two_folders_are_two_topics(
    topics: Topics, memory: Path, tmp_path: Path
) -> None:
    topics.bring(memory)
    other = tmp_path / "other"
    other.mkdir()
    (other / "user_role.md").write_text(OLD_STYLE.replace("Ada", "Bo"))
    assert topics.bring(other).imported == ("topics/user-role-2.md",)


def test_a_file_whose_words_were_forgotten_stays_away(
    vault: Vault, topics: Topics, memory: Path
) -> None:
    salt = "00" * tombstone_checks.SALT
    words = tombstone_digests.digest("Ada knows SQL well and is new to Go.", salt)
    stone = tombstones.Tombstone("01KADAQZ8RJ9V3T5W7X1Y3Z5B7", "2026-11-19", salt, (words,))
    write(vault, stone.path, (tombstones.change(stone).new or b"").decode())
    done = topics.bring(memory)
    assert "topics/user-role.md" not in done.imported
    assert [s.why for s in done.skipped] == ["it was forgotten on 2026-11-19"]


# --- export ---------------------------------------------------------------------------------------


def test_topics_and_cards_go_out_as_claude_code_keeps_them(
    vault: Vault, topics: Topics, tmp_path: Path
) -> None:
    write(vault, "topics/deploy.md", DEPLOY)
    write(vault, "cards/people/mom.md", "---\ntype: card\nperson: Mom\nrelationship: mother\n"
          "backstory: said on the phone\nallergy: nuts\n---\nShe was ill in May.\n")  # fmt: skip
    write(vault, "agents/bo/topics/secret.md", DEPLOY.replace("Deploy", "Private"))
    out = tmp_path / "out/memory"
    done = topics.send(out)
    assert done.written == ("cards-people-mom.md", "deploy.md", "MEMORY.md")
    said = frontmatter.fields(frontmatter.parse((out / "deploy.md").read_text()))
    assert (said["name"], said["description"]) == ("Deploy", "how we deploy")
    assert isinstance(said["metadata"], dict)
    assert said["metadata"]["type"] == "project"
    assert (out / "deploy.md").read_text().endswith(DEPLOY.partition("---\n## ")[2])
    assert "allergy: nuts" in (out / "cards-people-mom.md").read_text()
    assert "[Deploy](deploy.md): how we deploy" in (out / "MEMORY.md").read_text()
    assert "bo-topics-secret.md" in topics.send(tmp_path / "b", agent="bo").written


def test_exporting_again_writes_what_changed_and_importing_it_brings_nothing(
    vault: Vault, topics: Topics, tmp_path: Path
) -> None:
    write(vault, "topics/deploy.md", DEPLOY)
    write(vault, "topics/tea.md", OLD_STYLE)
    topics.send(tmp_path / "out")
    write(vault, "topics/deploy.md", DEPLOY.replace("Tuesdays", "Thursdays"))
    assert topics.send(tmp_path / "out").written == ("deploy.md",)
    assert "Thursdays" in (tmp_path / "out/deploy.md").read_text()
    back = topics.bring(tmp_path / "out")
    assert (back.imported, back.updated, len(back.skipped)) == ((), (), 3)


def test_an_export_has_what_was_edited_in_place_a_moment_ago(
    vault: Vault, topics: Topics, tmp_path: Path
) -> None:
    """An edit in place shows in no folder's time, and a process that lives looks at those alone."""
    write(vault, "topics/deploy.md", DEPLOY)
    rested = time.time() - 3600
    for folder in (vault.path / "topics", vault.path):
        os.utime(folder, (rested, rested))
    topics.send(tmp_path / "out")
    write(vault, "topics/deploy.md", DEPLOY.replace("Tuesdays", "Thursdays"))
    topics.send(tmp_path / "out")
    assert "Thursdays" in (tmp_path / "out/deploy.md").read_text()


@pytest.mark.parametrize("name", ["deploy.md", "MEMORY.md"])
def test_an_export_never_writes_over_what_it_did_not_write(
    vault: Vault, topics: Topics, tmp_path: Path, name: str
) -> None:
    write(vault, "topics/deploy.md", DEPLOY)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine\n")
    with pytest.raises(Refused, match="not written by vaultmem"):
        topics.send(tmp_path / "out")
    assert [p.name for p in (tmp_path / "out").iterdir()] == [name]


def test_an_exported_file_that_was_edited_is_not_written_over(
    vault: Vault, topics: Topics, tmp_path: Path
) -> None:
    write(vault, "topics/deploy.md", DEPLOY)
    topics.send(tmp_path / "out")
    edited = tmp_path / "out/deploy.md"
    edited.write_text(edited.read_text().replace("heron", "stork"))
    write(vault, "topics/deploy.md", DEPLOY.replace("Tuesdays", "Thursdays"))
    with pytest.raises(Refused, match="changed since"):
        topics.send(tmp_path / "out")
    assert "stork" in edited.read_text()


@pytest.mark.long
def test_an_exported_index_stays_within_what_is_loaded(
    vault: Vault, topics: Topics, tmp_path: Path
) -> None:
    for n in range(300):
        write(vault, f"topics/t{n}.md", DEPLOY.replace("how we deploy", f"{n} " + "word " * 40))
    topics.send(tmp_path / "out")
    index = (tmp_path / "out/MEMORY.md").read_bytes()
    assert len(index.splitlines()) <= MOST_LINES
    assert len(index) <= MOST_BYTES
    assert len(list((tmp_path / "out").glob("t*.md"))) == 300


# --- in place -------------------------------------------------------------------------------------


@pytest.fixture
def in_place(memory: Path, clock: Clock) -> Vault:
    create.create(memory, clock)
    return Vault.open(memory, clock=clock)


def test_a_vault_made_in_a_memory_folder_sees_its_files_as_topics_and_leaves_them(
    in_place: Vault, memory: Path
) -> None:
    with in_place as vault:
        found = {it.path: it.kind for it in vault.topics.listing().topics}
        assert found == {"feedback_testing.md": "feedback", "user_role.md": "user"}
        hit = vault.recall("which database do tests hit").hits[0]
        assert (hit.path, hit.type) == ("feedback_testing.md", "topic")
        text = vault.context("which database do the tests hit?", budget=2000).text
        assert "a mock hid a broken migration" in text
        assert [p.message for p in vault.fsck().problems] == ["gone.md is not there"]
        with pytest.raises(BadInput, match="lies in this vault"):
            vault.topics.bring(memory)
    assert (memory / "MEMORY.md").read_text() == INDEX
    assert (memory / "feedback_testing.md").read_text() == TESTS


def test_a_dream_sees_such_a_file_as_a_topic_with_its_lines_as_facts() -> None:
    seen = facts.note("feedback_testing.md", TESTS.encode())
    assert seen is not None
    assert (seen.record.type, seen.record.kind, seen.fixed) == ("topic", "feedback", False)
    assert "**Why:** a mock hid a broken migration." in [fact.text for fact in seen.facts]


# --- the command line -----------------------------------------------------------------------------


def test_scripts_list_get_import_and_export_topics(
    folder: Path, memory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*args: str) -> Any:  # noqa: ANN401  # whatever JSON holds
        assert run(["--vault", str(folder), "--json", "topic", *args]) == 0
        return json.loads(capsys.readouterr().out)

    assert len(said("import", str(memory))["imported"]) == 3
    (row,) = said("list", "--kind", "feedback")["topics"]
    assert row["path"] == "topics/feedback-testing.md"
    assert row["lacks"] == []
    got = said("get", "feedback-testing")
    assert got["facts"] == [
        {
            "text": "Integration tests must hit a real database, not mocks.",
            "why": "a mock hid a broken migration.",
            "how": "start Postgres with `make db` before `pytest`.",
            "sources": [],
        }
    ]
    assert got["kind"] == "feedback"
    assert "MEMORY.md" in said("export", str(tmp_path / "out"))["written"]


def test_people_see_what_a_list_lacks_and_why_an_import_failed(
    vault: Vault, memory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(vault, "topics/deploy.md", DEPLOY)
    (memory / "torn.md").write_text("---\nname: Torn\n")
    assert run(["--vault", str(vault.path), "topic", "import", str(memory)]) == 1
    assert "! torn.md: the frontmatter opens" in capsys.readouterr().err
    assert run(["--vault", str(vault.path), "topic", "list"]) == 0
    assert "topics/deploy.md (no why, no how to apply)" in capsys.readouterr().out
    assert run(["--vault", str(vault.path), "topic", "get", "nothing"]) == 2
