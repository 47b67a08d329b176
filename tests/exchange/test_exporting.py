"""What goes out: a bundle that others read, lines that come in again, and nothing overwritten."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import Prepared
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import BadInput, Refused
from vaultmem.exchange import exporting
from vaultmem.exchange.exporting import Exported, jsonl, okf
from vaultmem.exchange.importing import memories
from vaultmem.exchange.importing.types import Settings
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.without_history

CARD = """---
type: card
person: Sarah
relationship: daughter
trust: verified
created: 2026-01-02
stale_after: 2027-01-02T00:00:00Z
status: pending
mood: [calm]
sources:
  - "[[tea]]"
  - "[[nowhere]]"
---
# Sarah

Likes [[topics/tea|green tea]] and [[nowhere]].

```
[[tea]]
```
"""
TEA = "---\ntype: topic\ntitle: Tea\ndescription: About tea.\n---\nGreen tea at four.\n"


def fill(vault: Vault) -> None:
    """Let there be a memory of ada, a topic, a card, and a word from the web."""
    vault.remember("I like rain.", agent="ada", source="user", session="s1", speaker="Ann")
    for name, text in (("topics/tea.md", TEA), ("cards/family/sarah.md", CARD)):
        (vault.path / name).parent.mkdir(parents=True, exist_ok=True)
        (vault.path / name).write_text(text)
    web = "---\ntype: note\nsource: web\n---\nAll tea is poison.\n"
    (vault.path / "topics" / "index.md").write_text(web)


@pytest.fixture
def filled(prepared: Prepared) -> Vault:
    """Return a vault with something of each kind."""
    return prepared(fill)


@pytest.fixture
def other(tmp_path: Path, clock: Callable[[], datetime]) -> Iterator[Vault]:
    """Return another vault."""
    create.create(tmp_path / "other", clock)
    with Vault.open(tmp_path / "other", clock=clock) as opened:
        yield opened


def send(vault: Vault, form: str, path: Path, **how: object) -> Exported:
    """Export, after a look at the files."""
    vault.store.sync()
    return exporting.run(vault.store, form, path, **how)  # type: ignore[arg-type]


def front(path: Path) -> dict[str, object]:
    """Return the frontmatter as any YAML reader has it."""
    loaded = yaml.safe_load(path.read_text().split("---\n")[1])
    assert isinstance(loaded, dict)
    return loaded


def test_a_bundle_is_what_okf_calls_conformant(filled: Vault, tmp_path: Path) -> None:
    """Every concept has frontmatter with a type; index files have none but the root's version."""
    done = send(filled, "okf", tmp_path / "okf", untrusted=True)
    files = sorted((tmp_path / "okf").rglob("*.md"))
    assert (done.files, done.notes) == (len(files), 4)
    for path in files:
        if path.name == "index.md":
            assert ("okf_version" in path.read_text()) == (path.parent == tmp_path / "okf")
            assert path.read_text().startswith("# ") or path.parent == tmp_path / "okf"
        else:
            assert front(path)["type"]
    assert front(tmp_path / "okf/index.md") == {"okf_version": "0.2"}
    assert (tmp_path / "okf/topics/index-note.md").exists()
    index = (tmp_path / "okf/topics/index.md").read_text()
    assert "# Topics\n\n* [Tea](tea.md) - About tea.\n" in index


def test_okf_says_in_its_words_what_it_has_words_for(filled: Vault, tmp_path: Path) -> None:
    """Who wrote it, who confirmed it, from what, until when; the rest goes along."""
    send(filled, "okf", tmp_path / "okf")
    card = tmp_path / "okf/cards/family/sarah.md"
    told = front(card)
    assert (told["title"], told["mood"], told["person"]) == ("Sarah (daughter)", ["calm"], "Sarah")
    assert "verified" not in told  # the file says so, and anybody may have written it
    assert told["sources"] == [{"resource": "/topics/tea.md"}, {"resource": "nowhere"}]
    assert date.fromisoformat(str(told["stale_after"])) == date(2027, 1, 2)
    assert (told.get("status"), told["card_status"]) == (None, "pending")
    body = card.read_text()
    assert "Likes [green tea](../../topics/tea.md) and [[nowhere]]." in body
    assert "```\n[[tea]]\n```" in body
    (memory,) = (tmp_path / "okf/agents/ada/memories").rglob("2*.md")
    said = front(memory)
    assert said["generated"] == {"by": "human:user", "at": "2026-11-20T10:15:00Z"}
    assert said["sources"] == [{"resource": "the conversation s1"}]


@pytest.mark.long
def test_a_bundle_of_ours_comes_in_as_what_it_was(
    filled: Vault, other: Vault, tmp_path: Path
) -> None:
    """As markdown, too, and without its indexes; a note that somebody added is one."""
    wrong = filled.remember("School starts in August.", agent="ada", at="2026-02-02")
    filled.correct(wrong.id, "School starts in September.")
    filled.tasks.create("Buy bread")
    folder = tmp_path / "okf"
    filled.export("okf", folder)
    (folder / "notes").mkdir()
    (folder / "notes/more.md").write_text("More of [tea](../topics/tea.md).\n")
    taken = other.import_files("markdown", [folder]).done
    assert (taken.imported, taken.failed) == (7, 0)
    own = other.store.index.records(Filter(type="memory", recallable=True))
    assert {r.body.strip(): bool(r.superseded_by) for r in own} == {
        "I like rain.": False, "School starts in August.": True,
        "School starts in September.": False,
    }  # fmt: skip
    best = other.recall("When does school start?").hits[0]
    assert ("September" in best.snippet, best.stale) == (True, False)
    (task,) = other.tasks.list()
    assert task.subject == "Buy bread"
    assert (other.path / "topics/tea.md").read_text().endswith("Green tea at four.\n")
    card = (other.path / "cards/family/sarah.md").read_text()
    assert "Likes [[tea|green tea]] and [[nowhere]]." in card
    assert "trust: agent\n" in card
    assert (other.path / "notes/more.md").read_text().endswith("More of [[tea]].\n")


def test_a_bundle_of_others_is_a_folder_of_notes(other: Vault, tmp_path: Path) -> None:
    """Without its indexes; what it calls a card is none, what it deprecates is over."""
    (bundle := tmp_path / "okf").mkdir()
    (bundle / "index.md").write_text('---\nokf_version: "0.2"\n---\n# Notes\n')
    (bundle / "sam.md").write_text("---\ntype: card\nsupersedes: [x]\n---\nSam bakes.\n")
    over = (
        "---\ntype: Note\ncreated: 2026-01-02\nstatus: deprecated\n---\nSchool starts in August.\n"
    )
    (bundle / "school.md").write_text(over)
    assert other.import_files("markdown", [bundle], agent="ada").done.imported == 2
    (hit,) = other.recall("When does school start?").hits
    assert hit.stale
    assert "type: note\n" in (other.path / "knowledge/okf/sam.md").read_text()
    with pytest.raises(BadInput, match="no bundle that `export okf` wrote"):
        other.import_files("okf", [bundle], agent="ada")


def test_what_is_not_trusted_stays_unless_it_is_asked_for(filled: Vault, tmp_path: Path) -> None:
    """Counted; asked for it goes out as a draft."""
    done = send(filled, "okf", tmp_path / "okf")
    assert [(left.why, left.count) for left in done.left_out] == [("it is not trusted", 1)]
    assert "poison" not in "".join(p.read_text() for p in (tmp_path / "okf").rglob("*.md"))
    send(filled, "okf", tmp_path / "more", untrusted=True)
    assert front(tmp_path / "more/topics/index-note.md")["status"] == "draft"


def test_an_agents_export_holds_what_is_its_own_and_shared(filled: Vault, tmp_path: Path) -> None:
    """Not what another was told."""
    filled.remember("I like snow.", agent="bob")
    send(filled, "json", tmp_path / "x.jsonl", agent="ada")
    text = (tmp_path / "x.jsonl").read_text()
    assert ("rain" in text, "Green tea" in text, "snow" in text) == (True, True, False)
    with pytest.raises(BadInput, match="no agent 'eve'"):
        send(filled, "json", tmp_path / "x.jsonl", agent="eve")


def test_an_export_again_writes_only_what_changed(filled: Vault, tmp_path: Path) -> None:
    """Byte for byte the same; what left the vault leaves the bundle, and its empty folder."""
    root = tmp_path / "okf"
    first = send(filled, "okf", root)
    again = send(filled, "okf", root)
    assert (again.written, again.unchanged) == (0, first.files)
    (filled.path / "cards/family/sarah.md").unlink()
    done = send(filled, "okf", root)
    assert (done.removed, (root / "cards").exists()) == (3, False)


def test_what_is_not_ours_is_never_overwritten(filled: Vault, tmp_path: Path) -> None:
    """A strange folder, a file that somebody changed, a link: nothing at all is written."""
    root = tmp_path / "okf"
    root.mkdir()
    (root / "mine.md").write_text("mine")
    with pytest.raises(Refused, match="was not written by vaultmem, nothing was written"):
        send(filled, "okf", root)
    (root / "mine.md").unlink()
    send(filled, "okf", root)
    (root / "topics/tea.md").write_text("edited")
    filled.remember("More rain.", agent="ada")
    (filled.path / "topics/tea.md").write_text(TEA + "And at six.\n")
    before = sorted(p.name for p in root.rglob("*"))
    with pytest.raises(Refused, match=r"tea\.md was not written by vaultmem or was changed since"):
        send(filled, "okf", root)
    assert sorted(p.name for p in root.rglob("*")) == before
    with pytest.raises(BadInput, match="lies in this vault"):
        send(filled, "okf", filled.path / "out")


@pytest.mark.parametrize("form", ["okf", "json", "claude-code"])
@pytest.mark.parametrize(
    ("inner", "said"),
    [("", "is the folder of this vault itself"), ("topics/new", "lies in this vault")],
)
def test_an_export_through_a_link_to_the_vault_says_where_that_leads(
    vault: Vault, tmp_path: Path, form: str, inner: str, said: str
) -> None:
    """A person may not know that the path they give is a link."""
    (link := tmp_path / "link").symlink_to(vault.path)
    with pytest.raises(BadInput) as refused:
        vault.export(form, link / inner)
    leads = f"{link / inner} (it leads to {vault.path / inner}) {said}"
    assert str(refused.value).startswith(leads)
    assert f"nothing was written: name a place outside of {vault.path}" in str(refused.value)


def test_what_a_killed_export_left_half_written_goes_with_the_next(
    filled: Vault, tmp_path: Path
) -> None:
    """Even where it had not come further than that."""
    out = tmp_path / "okf"
    out.mkdir()
    nobody = 1 << 22  # above any process id
    left, own = (
        out / f".vaultmem-new-{nobody}-0123abcd",
        out / f".vaultmem-new-{os.getpid()}-0123abcd",
    )
    left.write_text("half")
    own.write_text("half")
    filled.export("okf", out)
    assert not left.exists()
    assert own.exists()


def test_a_link_in_the_way_is_not_followed(filled: Vault, tmp_path: Path) -> None:
    """It may lead to somebody's files."""
    root = tmp_path / "okf"
    send(filled, "okf", root)
    (tmp_path / "elsewhere").mkdir()
    (root / "topics").rename(tmp_path / "kept")
    (root / "topics").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="is a link, lies behind one"):
        send(filled, "okf", root)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_lines_come_in_again_as_what_they_were(filled: Vault, tmp_path: Path, other: Vault) -> None:
    """Into another vault once, into this one never."""
    path = tmp_path / "x.jsonl"
    assert send(filled, "json", path).notes == 3
    line = next(x for x in map(json.loads, path.read_text().splitlines()) if x["type"] == "memory")
    assert (line["content"], line["speaker"], line["frontmatter"]["trust"]) == (
        "I like rain.", "Ann", "user",
    )  # fmt: skip
    for vault, new in ((other, 3), (other, 0), (filled, 0)):
        settings = Settings("ada", vault.store.clock())
        done = memories.run(vault.store, [path], settings, lambda _: None)
        assert (done.imported, done.skipped) == (new, 3 - new)
    (made,) = other.store.index.records(Filter(type="memory", recallable=True))
    assert (made.body, made.created, made.session) == (
        "I like rain.\n", "2026-11-20T10:15:00Z", "s1",
    )  # fmt: skip


def test_a_file_of_another_kind_is_not_overwritten(filled: Vault, tmp_path: Path) -> None:
    """An export of ours is."""
    path = tmp_path / "x.jsonl"
    path.write_text('{"content": "mine"}\n')
    with pytest.raises(Refused, match="was not written by vaultmem"):
        send(filled, "json", path)
    path.unlink()
    send(filled, "json", path)
    filled.remember("More rain.", agent="ada")
    assert send(filled, "json", path).written == 1
    assert "More rain." in path.read_text()


def test_a_memory_folder_says_what_stays_behind_and_links_nowhere_else(
    filled: Vault, other: Vault, tmp_path: Path
) -> None:
    """A link to a topic leads to its file there; one to a note is what it shows."""
    told = f"../{filled.remember('Milk is white.', agent='ada').path}"
    said = Path(told).stem
    milk = "See [[tea]], [[topics/tea|green tea]], [[notes/cow]] and [[notes/cow|the cow]].\n"
    milk += "Or [the cow](../notes/cow.md), [green](<tea.md>), [w](https://a.example/b.md).\n"
    milk += f"\n| [[tea\\|it]] | [[notes/cow\\|her]] | [[{said}\\|so]] |\n|---|---|---|\n"
    milk += f"\nAs [told]({told}) in [1], ([proof](<{told}> 'So')).\n\n[1]: {told}\n[2]: tea.md\n"
    milk += "\n## Facts\n- Milk is white ([[20260101-101500-milk-7q3kzm]])\n"
    notes = {
        "topics/milk.md": f"---\ntype: topic\ntitle: Milk\n---\n{milk}",
        "notes/cow.md": "Moo.\n",
    }
    for name, text in notes.items():
        (filled.path / name).parent.mkdir(exist_ok=True)
        (filled.path / name).write_text(text)
    done = filled.export("claude-code", tmp_path / "memory")
    assert done.notes == 3
    assert {left.why: left.count for left in done.left_out} == {
        "it is no topic and no card, and the folder has these alone": 4,
    }  # fmt: skip
    text = (tmp_path / "memory/milk.md").read_text()
    assert "See [[tea]], [[tea|green tea]], cow and the cow.\n" in text
    assert "Or the cow, [green](<tea.md>), [w](https://a.example/b.md).\n" in text
    assert "| [[tea\\|it]] | her | so |\n" in text
    assert "As told in [1], (proof).\n\n\n[2]: tea.md\n" in text
    assert "- Milk is white ([[20260101-101500-milk-7q3kzm]])\n" in text
    other.topics.bring(tmp_path / "memory")
    assert [it for it in other.checks.lint() if it.code == "broken-link"] == []
    assert "- Milk is white\n" in (other.path / "topics/milk.md").read_text()


def test_basic_memory_gets_its_own_grammar(filled: Vault, other: Vault, tmp_path: Path) -> None:
    """A title, a permalink, observations by their heading, links by permalink."""
    milk = "---\ntype: topic\ntitle: Milk\npermalink: mine\n---\nSee [[tea]] and [[cow|the cow]].\n"
    items = "\n## Decisions\n- Oat, not soy\n- [decision] Cold\n- [x] Bought\n"
    (filled.path / "topics/milk.md").write_text(milk + items)
    done = filled.export("basic-memory", folder := tmp_path / "notes")
    assert (done.notes, done.files) == (4, 4)
    told = front(folder / "topics/milk.md")
    assert (told["title"], told["type"], told["permalink"]) == ("Milk", "topic", "topics/milk")
    body = (folder / "topics/milk.md").read_text().partition("---\n\n")[2]
    assert body == (
        "See [[topics/tea]] and [[cow|the cow]].\n\n## Decisions\n"
        "- [decision] Oat, not soy\n- [decision] [decision] Cold\n- [x] Bought\n"
    )
    assert other.import_files("basic-memory", [folder]).done.imported == 4
    came = (other.path / "topics/milk.md").read_text()
    assert came.endswith(f"---\nSee [[tea]] and [[cow|the cow]].\n{items}")
    assert "permalink: mine\n" in came


@pytest.mark.parametrize("form", ["okf", "json", "basic-memory"])
def test_an_attachment_that_stays_behind_is_named(vault: Vault, tmp_path: Path, form: str) -> None:
    (note := tmp_path / "vault/notes/boat.md").parent.mkdir(exist_ok=True)
    note.write_text("# Boat\n\n![[hull.png]] and [the plan](plan.pdf), as in [[Harbour]].\n")
    (told,) = (it for it in send(vault, form, tmp_path / "out").left_out if "attach" in it.why)
    assert told.count == 2
    assert told.why.endswith("leads nowhere ('hull.png', 'plan.pdf')")


def test_each_note_is_written_as_json_before_the_next_is_read(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a vault of any size takes no more memory than its largest notes."""
    events = list[str]()
    read, line = okf.concept, jsonl._line  # what every line goes through

    def reading(*args: Any) -> Any:  # noqa: ANN401  # as it is read
        events.append("read")
        return read(*args)

    def writing(fields: Any) -> bytes:  # noqa: ANN401  # as it is written
        events.append("written")
        return line(fields)

    fill(vault)
    monkeypatch.setattr(okf, "concept", reading)
    monkeypatch.setattr(jsonl, "_line", writing)
    done = vault.export("json", tmp_path / "v.jsonl")
    assert done.notes == 3
    assert events == ["read", "written"] * done.notes
    assert (done.written, vault.export("json", tmp_path / "v.jsonl").written) == (1, 0)


def _put_away(vault: Vault) -> None:
    """Remember a price, correct it, and archive the correction, and an umbrella."""
    kiln = vault.remember("The kiln costs 400 euros.", agent="ada", source="user")
    dear = vault.correct(kiln.path, "The kiln costs 450 euros.")
    umbrella = vault.remember("The umbrella is in Leeds.", agent="ada", source="user")
    vault.remember("The gate is green.", agent="ada", source="user")
    vault.memories.archive([dear.path, umbrella.path])


ARCHIVED = ["The kiln costs 450 euros.", "The umbrella is in Leeds."]


@pytest.mark.long
@pytest.mark.parametrize(("form", "taken"), [("json", "jsonl"), ("okf", "okf")])
def test_what_is_archived_comes_back_into_an_archive(
    vault: Vault, other: Vault, tmp_path: Path, form: str, taken: str
) -> None:
    """And is said once more to be there by the import; the rest is recalled as before."""
    _put_away(vault)
    assert not send(vault, form, tmp_path / "out").left_out
    done = other.import_files(taken, [tmp_path / "out"]).done
    assert done.imported == 4
    assert [it.count for it in done.remarks if "in the archive here" in it.why] == [2]
    assert sorted(it.text for it in other.memories.archived("ada")) == ARCHIVED
    assert not other.recall("umbrella").hits
    assert [(it.snippet.strip(), it.stale) for it in other.recall("gate is").hits] == [
        ("The gate is green.", False)
    ]
    assert [it.stale for it in other.recall("kiln").hits] == [True]
    assert other.import_files(taken, [tmp_path / "out"]).done.imported == 0
    assert other.fsck().ok


def test_an_archived_memory_becomes_no_turn(vault: Vault, other: Vault, tmp_path: Path) -> None:
    _put_away(vault)
    send(vault, "json", tmp_path / "out")
    done = other.import_files("jsonl", [tmp_path / "out"], manner="turns").done
    assert (done.imported, [it.count for it in done.skipped_because]) == (2, [2])
    assert not other.recall("umbrella").hits


def test_notes_of_basic_memory_are_without_what_is_archived_and_what_it_corrected(
    vault: Vault, tmp_path: Path
) -> None:
    """A reader of theirs would take all of it for what holds."""
    _put_away(vault)
    done = send(vault, "basic-memory", tmp_path / "out")
    assert [(it.count, "archived" in it.why) for it in done.left_out] == [(3, True)]
    assert len([*(tmp_path / "out").rglob("*ada/memories/**/*.md")]) == 1
    assert front(next((tmp_path / "out").rglob("*gate*.md")))["type"] == "memory"
