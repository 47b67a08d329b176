"""Links to memories lead to what came of these in the vault that takes an export in."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from signal import SIGKILL

import pytest
import yaml
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from tests.cases import rarely
from vaultmem import Vault
from vaultmem.api.types import Experience, Imported
from vaultmem.documents.markdown import links
from vaultmem.exchange.importing.moved_links import MovedLinks
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.without_history

few = settings(
    max_examples=5,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # to shrink opens hundreds of vaults
)
FORMS = pytest.mark.parametrize(
    "forms", [("okf", "okf"), *rarely((("json", "jsonl"),), (("basic-memory",) * 2,))]
)
TAIL = st.sampled_from(["", "#Why", "|as she said", "#Why|„so“", "#^a1"])
FACT = st.sampled_from(["Mara roasts on Monday.", "Søren malt „Öl“.", "李雷 likes tea."])


def move(folder: Path, work: Path, vault: Vault, forms: tuple[str, str]) -> tuple[Vault, Imported]:
    """Bring what *vault* knows into a copy of the empty vault *folder*."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    vault.export(forms[0], work / "out")
    shutil.copytree(folder, work / "other")
    other = Vault.open(work / "other")
    return other, other.import_files(forms[1], [work / "out"]).done


def write(vault: Vault, path: str, text: str) -> None:
    """Write a note as a person does."""
    (vault.path / path).parent.mkdir(parents=True, exist_ok=True)
    (vault.path / path).write_text(text)


@pytest.mark.long
@FORMS
@few
@given(facts=st.lists(st.tuples(FACT, TAIL), min_size=1, max_size=3), where=st.booleans())
def test_proofs_and_headings_lead_where_they_led(
    folder: Path,
    tmp_path: Path,
    forms: tuple[str, str],
    facts: list[tuple[str, str]],
    *,
    where: bool,
) -> None:
    """In a text, in frontmatter, by name or whole path; what stands in a fence is no link."""
    shutil.rmtree(tmp_path / "one", ignore_errors=True)
    shutil.copytree(folder, tmp_path / "one")
    with Vault.open(tmp_path / "one") as one:
        made = [one.remember(text, agent="ada") for text, _ in facts]
        right = one.correct(made[0].id, "Mara roasts on Friday.", source="user")
        every = [*(it.path for it in made), right.path]
        paths = [path.removesuffix(".md") for path in every]
        names = paths if where else [Path(path).name for path in paths]
        tails = [*(tail for _, tail in facts), ""]
        said = "".join(f"- Fact. ([[{n}{t}]])\n" for n, t in zip(names, tails, strict=True))
        proofs = "".join(f'  - "[[{name}]]"\n' for name in names)
        head = f"type: topic\ntitle: Über\ndescription: d\nsources:\n{proofs}"
        fence = f"```\n[[{names[0]}]]\n```\n"
        write(one, "topics/t.md", f"---\n{head}---\n## Facts\n\n{said}\n{fence}")
        write(one, "notes/n.md", f"See [[t#Facts]] and [[t#Facts|it]].\n\n{said}")
        other, _ = move(folder, tmp_path / "work", one, forms)
    with other:
        other.store.sync()
        came = {r.stem: r for r in other.store.index.records(Filter(type="memory", kept=True))}
        (topic,) = other.store.index.records(Filter(type="topic", kept=True))
        assert {came[Path(it).name].body.strip() for it in topic.sources} == {
            "Mara roasts on Friday.", *(text for text, _ in facts)
        }  # fmt: skip
        for path in ("topics/t.md", "notes/n.md"):
            text = (other.path / path).read_text().partition("```")[0]
            for stem, tail in zip((Path(n).name for n in topic.sources), tails, strict=True):
                assert f"[[{stem}{tail}]]" in text
        note = (other.path / "notes/n.md").read_text()
        assert "See [[t#Facts]] and [[t#Facts|it]]." in note
        assert fence in (other.path / "topics/t.md").read_text()
        again = other.import_files(forms[1], [tmp_path / "work/out"]).done
        assert (again.imported, again.updated, again.failed) == (0, 0, 0)
        assert "says something else" not in str(again.skipped_because)


@FORMS
def test_a_link_to_what_did_not_come_stays_and_vouches_for_nothing(
    folder: Path, tmp_path: Path, forms: tuple[str, str]
) -> None:
    shutil.copytree(folder, tmp_path / "one")
    with Vault.open(tmp_path / "one") as one:
        gone = one.remember("Mara has no dog.", agent="ada")
        stem = Path(gone.path).stem
        head = f'type: topic\ntitle: T\ndescription: d\nsources:\n  - "[[{stem}]]"\n'
        write(one, "topics/t.md", f"---\n{head}---\n## Facts\n\n- Tea at four. ([[{stem}]])\n")
        (one.path / gone.path).rename(tmp_path / "gone.md")
        other, done = move(folder, tmp_path / "work", one, forms)
    with other:
        assert done.failed == 0
        text = (other.path / "topics/t.md").read_text()
        assert "sources" not in text
        assert f"([[{stem}]])" in text


PROPERTIES = {
    "year": "2024", "version": "1.10", "code": '"0123"', "done": "true", "old": "yes",
    "empty": "", "none": "[]", "void": "{}", "blank": '""', "due": "2026-03-01", "nums": "[1, 2.5]",
    "mixed": "\n  - a\n  - 3", "deep": "{a: 1, b: x}", "title": "1984", "tags": "[2024, tea]",
}  # fmt: skip


@pytest.mark.long
@FORMS
@few
@given(keys=st.sets(st.sampled_from(sorted(PROPERTIES)), min_size=1))
def test_properties_keep_their_type(
    folder: Path, tmp_path: Path, forms: tuple[str, str], keys: set[str]
) -> None:
    """What a person wrote as a number, a box to tick, a date or nothing is no text elsewhere."""
    shutil.rmtree(tmp_path / "one", ignore_errors=True)
    shutil.copytree(folder, tmp_path / "one")
    head = "".join(f"{key}: {PROPERTIES[key]}\n" for key in sorted(keys))
    with Vault.open(tmp_path / "one") as one:
        write(one, "notes/n.md", f"---\n{head}---\nA note.\n")
        write(one, "topics/t.md", f"---\ntype: topic\ndescription: d\n{head}---\n- A fact.\n")
        said = one.path / one.remember("Tea at four.", agent="ada").path
        said.write_text(said.read_text().replace("type: memory\n", f"type: memory\n{head}"))
        other, done = move(folder, tmp_path / "work", one, forms)
    with other:
        assert done.failed == 0, done.failed_because
        (memory,) = other.store.index.records(Filter(type="memory", kept=True))
        for path in ("notes/n.md", "topics/t.md", memory.path):
            came = yaml.safe_load((other.path / path).read_text().split("---\n")[1])
            wanted = yaml.safe_load(head)
            if path == memory.path and "tags" in wanted:  # a memory's are texts by themselves
                wanted["tags"] = ["2024", "tea"]
            assert {key: came.get(key, "gone") for key in wanted} == wanted


@FORMS
def test_what_a_memory_says_in_its_lines_is_let_in_as_its_words_are(
    folder: Path, tmp_path: Path, forms: tuple[str, str]
) -> None:
    shutil.copytree(folder, tmp_path / "one")
    key = "sk-ant-api03-" + "aB3dE5fG7h" * 9
    head = f'plain: [1, "<private>mine</private>"]\ndeep: {{a: 1, k: {key}}}\nn: 3\n'
    with Vault.open(tmp_path / "one") as one:
        said = one.path / one.remember("Tea at four.", agent="ada").path
        said.write_text(said.read_text().replace("type: memory\n", f"type: memory\n{head}"))
        one.export(forms[0], tmp_path / "out")
    shutil.copytree(folder, tmp_path / "other")
    with Vault.open(tmp_path / "other") as other:
        other.import_files(forms[1], [tmp_path / "out"], redact=True)
        (memory,) = other.store.index.records(Filter(type="memory", kept=True))
        text = (other.path / memory.path).read_text()
    assert "mine" not in text
    assert key not in text
    assert "n: 3\n" in text


@pytest.mark.parametrize("said", ["y" * 20_000, {"a": {"b": {"c": {"d": {"e": "f"}}}}}])
def test_a_memory_whose_properties_no_file_can_hold_is_bad_alone(
    folder: Path, tmp_path: Path, said: object
) -> None:
    own = {"path": "agents/ada/memories/x.md", "type": "memory"}
    lines = [{"content": "Tea.", **own, "frontmatter": {"x": said}}, {"content": "Milk."}]
    (tmp_path / "in.jsonl").write_text("".join(f"{json.dumps(it)}\n" for it in lines))
    with Vault.open(folder) as vault:
        done = vault.import_files("jsonl", [tmp_path / "in.jsonl"], agent="ada", skip_bad=True).done
    assert (done.imported, done.failed) == (1, 1)


def topic_line(name: str, *proofs: str, body: str = "") -> dict[str, object]:
    """Return what a file says of a topic that names *proofs*."""
    head = {"type": "topic", "description": "d", "sources": [f"[[{it}]]" for it in proofs]}
    path = f"topics/{name}.md"
    return {"path": path, "type": "topic", "content": body or "- A fact.", "frontmatter": head}


def memory_line(text: str, its_id: str, stem: str, **more: str) -> dict[str, object]:
    """Return what a file says of a memory."""
    path = f"agents/ada/memories/2026/{stem}.md"
    own = {"path": path, "type": "memory", "id": its_id, "agent": "ada", "frontmatter": {}}
    return {"content": text, **own, **more}


def take(vault: Vault, file: Path, *lines: dict[str, object]) -> Imported:
    """Import *lines*, written to *file*."""
    file.write_text("".join(f"{json.dumps(it)}\n" for it in lines))
    return vault.import_files("jsonl", [file]).done


def proofs(vault: Vault) -> dict[str, list[str]]:
    """Return what the memories say that each topic names as its sources."""
    vault.store.sync()
    said = {r.stem: r.body.strip() for r in vault.store.index.records(Filter(type="memory"))}
    topics = vault.store.index.records(Filter(type="topic", kept=True))
    return {r.stem: [said[Path(it).name] for it in r.sources] for r in topics}


def test_a_file_proves_nothing_by_a_memory_that_it_did_not_bring(
    folder: Path, tmp_path: Path
) -> None:
    """Nor by one that came earlier with other words, which a line claims to be."""
    file = tmp_path / "in.jsonl"
    with Vault.open(folder) as vault:
        own = vault.remember("Mara roasts on Monday.", agent="ada")
        claimed = memory_line("Mara owns the house.", own.id, "claimed")
        take(vault, file, claimed, topic_line("own", "claimed"))
        assert proofs(vault) == {"own": []}
        when = {"at": "2026-03-02T10:00:00Z"}
        take(vault, file, memory_line("Søren sells tea.", "m1", "first", **when))
        older = memory_line("Søren owns it.", "m1", "first", at="2026-03-01T10:00:00Z")
        take(vault, file, older, topic_line("older", "first"))
        same = memory_line("Søren sells tea.", "m1", "first", **when)
        take(vault, file, same, topic_line("same", "first"))
        later = memory_line("Søren sells salt.", "m1", "first", at="2026-03-03T10:00:00Z")
        take(vault, file, later, topic_line("later", "first"))
        assert proofs(vault) == {
            "own": [], "older": [], "same": ["Søren sells tea."], "later": ["Søren sells salt."]
        }  # fmt: skip


LINKS = (
    "[[{stem}]]", "[[{stem}#Why|her]]", "![[{stem}]]", "[[{whole}|her]]",
    r"| her | [[{stem}\|words]] | [[{stem}#Why\|why]] |", "| [[{stem}]] | [her](../{whole}.md) |",
    "[her](../{whole}.md)", "[her](../{whole}.md#Why 'So')", '[her](../{whole}.md "So")',
    "[her](<../{whole}.md>)", "[her](<../{whole}.md#Why> (So))", "[her](../{whole})",
    "[her]({whole}.md)", "[her](/{whole}.md)", "[her\nwords](../{whole}.md)",
    "[a [b] c](../{whole}.md)", "[![her](her.png)](../{whole}.md)",
    "[1]: ../{whole}.md", '[her]: ../{whole}.md "So"', "> [1]: <../{whole}.md>",
)  # fmt: skip
NO_LINKS = (
    "`[[{stem}]]`", "```\n[x](../{whole}.md)\n```", "%% [[{stem}]] %%",
    "[w](https://a.example/{stem}.md)", "[^1]: ../{whole}.md", "{stem}",
)  # fmt: skip


def cells(text: str) -> list[int]:
    """Return how many bars each row of a table has that end a cell."""
    rows = (line for line in text.split("\n") if line.startswith("|"))
    return [len(re.findall(r"(?<!\\)\|", row)) for row in rows]


@pytest.mark.long
@FORMS
@few
@given(
    forms_of_links=st.lists(st.sampled_from(LINKS), min_size=6, unique=True),
    others=st.lists(st.sampled_from(NO_LINKS), unique=True),
)
@example(forms_of_links=list(LINKS), others=list(NO_LINKS))
def test_links_lead_where_they_led_whatever_their_form(
    folder: Path, tmp_path: Path, forms: tuple[str, str], forms_of_links: list[str],
    others: list[str],
) -> None:  # fmt: skip
    """They are called as they were, no check finds one that leads nowhere, code stays as it is."""
    shutil.rmtree(tmp_path / "one", ignore_errors=True)
    shutil.copytree(folder, tmp_path / "one")
    with Vault.open(tmp_path / "one") as one:
        said = one.remember("Mara roasts on Monday.", agent="ada")
        names = {"stem": Path(said.path).stem, "whole": said.path.removesuffix(".md")}
        there = "\n\n".join(text.format(**names) for text in forms_of_links)
        plain = [text.format(**names) for text in others]
        write(one, "notes/n.md", "\n\n".join([there, *plain, ""]))
        write(one, "notes/her.png", "")
        other, _ = move(folder, tmp_path / "work", one, forms)
    write(other, "notes/her.png", "")
    with other:
        (came,) = other.store.index.records(Filter(type="memory", kept=True))
        note = (other.path / "notes/n.md").read_text().partition("---\n")[2].partition("---\n")[2]
        assert [it for it in other.checks.lint() if it.code == "broken-link"] == []
    assert all(text in note for text in plain)
    assert cells(note) == cells(there)

    def read(text: str, stem: str) -> list[tuple[bool, str, str]]:
        every = [it for it in links.read(text) if "://" not in it.target]
        return [(stem in it.target, it.called, it.heading) for it in every]

    assert read(note, came.stem) == read(there, names["stem"])
    if forms[0] != "okf":  # a bundle has wikilinks as Markdown does, which come home as such
        for path in (came.path, said.path):
            note = note.replace(path.removesuffix(".md"), "W").replace(Path(path).stem, "S")
            there = there.replace(path.removesuffix(".md"), "W").replace(Path(path).stem, "S")
        assert there.replace("[[W|her]]", "[[S|her]]").replace("](W.md)", "](../W.md)") in note


@pytest.mark.long
@FORMS
def test_links_to_experiences_follow_the_numbers_that_these_have_here(
    folder: Path, tmp_path: Path, forms: tuple[str, str]
) -> None:
    shutil.copytree(folder, tmp_path / "one")
    with Vault.open(tmp_path / "one") as one:
        first = one.experiences.add(Experience("Sell", "success"), agent="ada")
        stem, whole = Path(first.path).stem, first.path.removesuffix(".md")
        second = one.experiences.add(Experience("Pack", "success"), agent="ada")
        own = one.path / second.path
        own.write_text(own.read_text() + f"\nSee [[{stem}]].\n")
        text = f'[[{stem}|x]], [[{whole}#Why]], [her](../{whole}.md "So")'
        head = f'about: "[[{stem}]]"\ndeep:\n  under:\n    - "[[{stem.upper()}|y]]"\n    - 3\n'
        write(one, "notes/n.md", f"---\n{head}---\n{text}\n")
        one.export(forms[0], tmp_path / "out")
    with Vault.open(folder) as vault:
        for name in ("Sell", "Sell more"):
            vault.experiences.add(Experience(name, "failure"), agent="ada")
        vault.import_files(forms[1], [tmp_path / "out"])
        note = (vault.path / "notes/n.md").read_text()
        came = vault.path / "agents/ada/episodes/episode-0003-sell.md"
        assert "success" in came.read_text()
        follows = (vault.path / "agents/ada/episodes/episode-0002-pack.md").read_text()
        assert f"[[{came.stem}]]" in follows
        again = vault.import_files(forms[1], [tmp_path / "out"]).done
    assert f'about: "[[{came.stem}]]"' in note
    assert f'    - "[[{came.stem}|y]]"\n    - 3\n' in note
    assert f"[[{came.stem}|x]], " in note
    assert f"{came.stem}#Why]], " in note
    assert f'[her](../agents/ada/episodes/{came.name} "So")' in note
    assert again.imported == 0
    assert "says something else" not in str(again.skipped_because)


@FORMS
def test_links_follow_to_the_agent_that_takes_everything_in(
    folder: Path, tmp_path: Path, forms: tuple[str, str]
) -> None:
    """Also to experiences that have another number there."""
    shutil.copytree(folder, tmp_path / "one")
    with Vault.open(tmp_path / "one") as one:
        whole = one.experiences.add(Experience("Sell", "success"), agent="bob").path[:-3]
        write(one, "agents/bob/topics/t.md", "---\ntype: topic\ndescription: d\n---\n- A fact.\n")
        name = whole.rpartition("/")[2]
        links_there = f"[[{whole}]] [[agents/bob/topics/t]] [a](../episodes/{name}.md 'So')"
        write(one, "agents/bob/topics/u.md", f"---\ntype: topic\n---\n- {links_there}\n")
        one.export(forms[0], tmp_path / "out")
    with Vault.open(folder) as vault:
        vault.experiences.add(Experience("Sell", "failure"), agent="zoe")
        vault.import_files(forms[1], [tmp_path / "out"], agent="zoe")
        text = (vault.path / "agents/zoe/topics/u.md").read_text()
        assert [it for it in vault.checks.lint() if it.code == "broken-link"] == []
    assert "agents/bob" not in text
    assert len(re.findall(r"episode-0002-sell\b", text)) == len(("wiki", "inline"))


@FORMS
def test_a_task_without_an_id_comes_once_whatever_its_number_here(
    folder: Path, tmp_path: Path, forms: tuple[str, str]
) -> None:
    """Also where it was worked on since, and where two files bring it."""
    shutil.copytree(folder, tmp_path / "one")
    with Vault.open(tmp_path / "one") as one:
        write(one, "tasks/task-0001.md", "---\nsubject: Roast\nstatus: pending\n---\nSlowly.\n")
        one.export(forms[0], tmp_path / "out")
        one.export(forms[0], tmp_path / "twice")
    with Vault.open(folder) as vault:
        own = vault.tasks.create("My own task")
        files = [tmp_path / "out", tmp_path / "twice"]
        assert vault.import_files(forms[1], files).done.imported == 1
        (came,) = (it for it in vault.tasks.list() if it.id != own.id)
        vault.tasks.update(came.id, status="completed")
        again = vault.import_files(forms[1], files).done
        assert again.imported == 0
        assert len(vault.tasks.list()) == len((own, came))


@FORMS
def test_proofs_of_two_vaults_stay_apart_where_others_have_their_names(
    folder: Path, tmp_path: Path, forms: tuple[str, str]
) -> None:
    """As another agent's, too; and one whose memory was forgotten there proves nothing."""
    facts = {"one": "Mara roasts on Monday.", "two": "Jonas sells boats.", "gone": "Ana paints."}
    made = {}
    for name, fact in facts.items():
        shutil.copytree(folder, tmp_path / name)
        with Vault.open(tmp_path / name) as vault:
            made[name] = vault.remember(fact, agent="bob").path
            head = f'type: topic\ndescription: d\nsources:\n  - "[[{Path(made[name]).stem}]]"\n'
            write(vault, f"topics/{name}.md", f"---\n{head}---\n- A fact.\n")
            vault.export(forms[0], tmp_path / f"{name}-out")
    with Vault.open(folder) as vault:
        here = "type: memory\nagent: bob\ncreated: 2026-01-01T10:00:00Z\nsource: user\n"
        own = f"---\nid: 01ARZ3NDEKTSV4RRFFQ69G5FAV\n{here}---\nOther words.\n"
        write(vault, made["one"], own)
        vault.forget(vault.remember(facts["gone"], agent="zoe").id)
        files = [tmp_path / f"{name}-out" for name in facts]
        done = vault.import_files(forms[1], files, agent="zoe").done
        assert (done.failed, done.agents) == (0, ("zoe",))
        assert proofs(vault) == {"one": [facts["one"]], "two": [facts["two"]], "gone": []}
        assert (vault.path / made["one"]).read_text() == own


def test_notes_that_waited_when_an_import_was_killed_come_with_their_links(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = {f"t{n}": f"Mara roasts {n} kettles." for n in range(3)}
    lines = [memory_line(fact, name, f"m-{name}") for name, fact in facts.items()]
    lines += [topic_line(name, f"m-{name}") for name in facts]
    pid = os.fork()
    if pid == 0:  # pragma: no cover  # the child is killed
        with Vault.open(folder) as vault:
            monkeypatch.setattr(MovedLinks, "relinked", lambda *_: os.kill(os.getpid(), SIGKILL))
            take(vault, tmp_path / "in.jsonl", *lines)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -SIGKILL
    with Vault.open(folder) as vault:
        assert proofs(vault) == {}
        done = take(vault, tmp_path / "in.jsonl", *lines)
        assert (done.imported, done.failed) == (3, 0)
        assert proofs(vault) == {name: [fact] for name, fact in facts.items()}


@FORMS
def test_links_to_tasks_follow_the_numbers_that_these_have_here(
    folder: Path, tmp_path: Path, forms: tuple[str, str]
) -> None:
    """In bodies and properties, both ways at once, and the same export brings nothing again."""
    shutil.copytree(folder, tmp_path / "one")
    with Vault.open(tmp_path / "one") as one:
        one.tasks.create("First", description="Then [[task-0002]].")
        one.tasks.create("Second", description="After [[task-0001|first]].")
        text = "[[task-0001]], [[tasks/task-0002|two]], [t](../tasks/task-0001.md), [[task-0009]]"
        write(one, "notes/n.md", f'---\nnext: "[[task-0002]]"\n---\n{text}\n')
        one.export(forms[0], tmp_path / "out")
    with Vault.open(folder) as vault:
        for name in ("Own", "Other", "Third"):
            vault.tasks.create(name)
        done = vault.import_files(forms[1], [tmp_path / "out"]).done
        assert done.failed == 0
        assert "[[task-0005]]" in (vault.path / "tasks/task-0004.md").read_text()
        assert "[[task-0004|first]]" in (vault.path / "tasks/task-0005.md").read_text()
        note = (vault.path / "notes/n.md").read_text()
        again = vault.import_files(forms[1], [tmp_path / "out"]).done
    assert "[[task-0005]]" in note.partition("\n---\n")[0]
    assert "[[task-0004]], [[task-0005|two]], " in note
    assert "(../tasks/task-0004.md)" in note or "[[task-0004|t]]" in note
    assert "[[task-0009]]" in note
    assert again.imported == 0
    assert "says something else" not in str(again.skipped_because)
