"""From a file's bytes to a record: everything is read, what cannot be trusted is named."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import config
from vaultmem.config import Config
from vaultmem.documents import frontmatter
from vaultmem.documents.frontmatter import Value
from vaultmem.errors import BadInput, CannotOpen, TooNew
from vaultmem.records import Problem, Record
from vaultmem.storage import files, reader
from vaultmem.storage.files import Root

PATH = "agents/ada/memories/2026/11/20261120-101500-tea-7q3kzm.md"
ID = "01M7W77J507ZHNCNP5MR7VA9RG"
SOUND = f"id: {ID}\ntype: memory\ncreated: 2026-11-20T10:15:00Z\n"


def record(text: str | bytes, path: str = PATH) -> Record:
    """Return the record of a file with *text*."""
    return reader.record(path, files.content(text if isinstance(text, bytes) else text.encode()))


def problem(text: str | bytes, path: str = PATH) -> tuple[str, str]:
    """Return code and sentence of what is wrong with a file."""
    found = record(text, path).problem
    return (found.code, found.message) if found else ("", "")


def test_every_field_of_a_file_reaches_its_record() -> None:
    """One file with everything in it."""
    text = f"""\
---
{SOUND}title: Tea
description: what she drinks
agent: someone
source: user
trust: verified
importance: 0.75
session: s-1
speaker: Ada
origin: s-1/4
person: Ada
relationship: self
stale_after: 2027-01-01
tags: [tea, morning]
sources:
  - "[[20261119-090000-first-aaaaaa|the first]]"
  - "[[agents/ada/summaries/recent-20261120-101500.md#Facts]]"
tier: recent
memory_range_start: 1
memory_range_end: 64
op: 0123abcd
prompt: p1
model: m1
faithfulness: 0.9
coverage: 1
---
Oolong.
"""
    assert record(text) == Record(
        path=PATH, sha=files.sha256(text.encode()), id=ID, type="memory", agent="ada",
        created="2026-11-20T10:15:00Z", title="Tea", description="what she drinks",
        source="user", trust="agent", claimed="verified", importance=0.75, session="s-1",
        speaker="Ada", origin="s-1/4", stale_after="2027-01-01", person="Ada", relationship="self",
        tags=("tea", "morning"),
        sources=("20261119-090000-first-aaaaaa", "agents/ada/summaries/recent-20261120-101500"),
        tier="recent", range_start=1, range_end=64, op="0123abcd", prompt="p1", model="m1",
        faithfulness=0.9, coverage=1.0, body="Oolong.\n", body_line=30,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("---\nid: 1\ntype: mem", "torn", "opens with --- and never ends"),
        ("", "empty", "the file is empty"),
        (" \n\n", "empty", "the file is empty"),
        (b"---\ntype: memory\n---\ncaf\xe9\n", "encoding", "is not UTF-8"),
        (b"nul \0\n", "encoding", "a NUL character"),
        ("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "conflict", "conflict markers"),
        ("---\na: [1\n---\n", "yaml", "is not YAML"),
        ("---\na: &x 1\n---\n", "anchor", "has an anchor"),
        ("---\na: *x\n---\n", "alias", "has an alias"),
        ("---\na: !!python/none 1\n---\n", "tag", "has a tag"),
        ("---\na: 1\na: 2\n---\n", "duplicate", "a second time"),
        ("---\na: [[[[[1]]]]]\n---\n", "depth", "deeper than 4"),
        (f"---\na: {'x' * 17000}\n---\n", "size", "larger than 16 KiB"),
        ("---\na: 1\n--- b\n---\n", "documents", "a second document"),
        ("---\n- a list\n---\n", "incomplete", "without a valid id"),
        ("No frontmatter.\n", "incomplete", "without a valid id"),
        ("---\ntype: memory\nid: 5\n---\nTea.\n", "incomplete", "without a valid id"),
        (f"---\ntype: memory\nid: {ID}\n---\nTea.\n", "incomplete", "a valid created time"),
        (f"---\n{SOUND}created: soon\n---\n".replace("created: 2026-11-20T10:15:00Z\n", ""),
         "incomplete", "a valid created time"),
        (f"---\n{SOUND}---\nTea.\n".replace("2026-11-20T10:15:00Z", "0001-01-01T00:00:00+14:00"),
         "incomplete", "a valid created time"),
        (f"---\n{SOUND}---\nTea.\n", "", ""),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_has_a_code_and_a_sentence(
    text: str | bytes, code: str, says: str
) -> None:
    """A stable code for programs, a sentence for people."""
    found = problem(text)
    assert found[0] == code
    assert says in found[1]


def test_a_broken_file_keeps_its_place() -> None:
    """Whose it is and what it should be is known from where it lies, and how to fix it."""
    data = b"---\ntype: mem"
    assert record(data) == Record(
        PATH, files.sha256(data), type="memory", agent="ada",
        problem=Problem(
            "torn", PATH, "the frontmatter opens with --- and never ends",
            "complete its frontmatter, or restore it with "
            f"`git checkout -- {PATH}` if git has it",
        ),
    )  # fmt: skip


def test_a_note_of_a_person_needs_no_frontmatter() -> None:
    """Outside the folders of agents an empty file or a bare text is nothing wrong."""
    assert record("Just a thought.\n", "notes/x.md").problem is None
    assert record("", "notes/x.md").problem is None
    assert record("Just a thought.\n", "inbox/review/x.md").type == "note"


@pytest.mark.parametrize(
    ("path", "head", "day"),
    [
        ("Daily Notes/2026-11-28.md", "", "2026-11-28"),
        ("notes/2026-11-28.md", "tags: [pier]\n", "2026-11-28"),
        ("notes/2026-11-28.md", "created: 2026-11-29\n", "2026-11-29"),
        ("notes/2026-13-28.md", "", ""),
        ("notes/2026-11-28 pier.md", "", ""),
        ("topics/2026-11-28.md", "", ""),
    ],
)
def test_a_note_that_is_called_by_a_day_is_of_that_day(path: str, head: str, day: str) -> None:
    """Unless its frontmatter says of which it is."""
    text = f"---\n{head}---\nA walrus at the pier.\n" if head else "A walrus at the pier.\n"
    assert record(text, path).created == day


@pytest.mark.parametrize("tags", ["kiln, gas", "[kiln, gas]", "\n  - kiln\n  - gas"])
def test_tags_are_told_apart_however_they_are_written(tags: str) -> None:
    assert record(f"---\ntags: {tags}\n---\nHot.\n", "notes/x.md").tags == ("kiln", "gas")


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda x: f"---\n{x}\n---\n".encode()))
def test_any_bytes_make_a_record(data: bytes) -> None:
    """Reading is total: no file can stop it."""
    assert record(data).sha == files.sha256(data)


@given(st.text(max_size=40))
def test_any_created_time_makes_a_record(created: str) -> None:
    """A time is what a person typed."""
    text = f"---\ntype: memory\nid: {ID}\ncreated: '{created.replace(chr(39), '')}'\n---\nTea.\n"
    assert record(text).path == PATH


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("[[stem]]", "stem"),
        ("[[stem|an alias]]", "stem"),
        ("[[stem#Heading]]", "stem"),
        ("[[stem.md#Heading|alias]]", "stem"),
        ("[[agents/ada/summaries/recent-1]]", "agents/ada/summaries/recent-1"),
        ("see [[ stem ]] there", "stem"),
        ("stem.md", "stem"),
        ("[[open", "[[open"),
        ("[[[[nested]]]]", "nested"),
    ],
)
def test_a_wikilink_points_at_its_stem(link: str, target: str) -> None:
    """Without alias, heading and suffix."""
    assert reader.link_target(link) == target


@pytest.mark.parametrize("evil", ["[[" * 500_000, "[[" + "a" * 1_000_000, "[[a" * 350_000])
def test_a_link_made_to_be_slow_is_read_to_its_end(evil: str) -> None:
    """A megabyte of brackets, where work that grows with the square would not come to it."""
    assert reader.link_target(evil)


@pytest.mark.parametrize(
    ("path", "kind", "agent"),
    [
        (PATH, "memory", "ada"),
        ("agents/ada/summaries/longterm.md", "summary", "ada"),
        ("agents/ada/working.md", "note", "ada"),
        ("agents/readme.md", "note", ""),
        ("cards/people/ben.md", "card", ""),
        ("topics/tea.md", "topic", ""),
        ("tasks/task-0001.md", "task", ""),
        ("notes/memories/x.md", "note", ""),
    ],
)
def test_a_place_tells_kind_and_agent(path: str, kind: str, agent: str) -> None:
    """A file that does not say what it is, is what its folder is for."""
    assert (reader.kind_of(path), reader.agent_of(path)) == (kind, agent)


@pytest.mark.parametrize(
    ("item", "read"),
    [
        ("'<private>zz</private>'", ()),
        ("'tea <private>zz</private>'", ("tea",)),
        ("''", ()),
        ('" \\n "', ()),
        ('"black\\ntea"', ("black tea",)),
    ],
)
def test_a_list_holds_what_is_said_in_one_line_each(item: str, read: tuple[str, ...]) -> None:
    """The index keeps lists by lines, and must give back what it was given."""
    made = record(f"---\n{SOUND}tags:\n  - {item}\n---\nOolong.\n")
    assert (made.tags, made.problem) == (read, None)


@pytest.mark.parametrize("item", ["''", "'<private>zz</private>'", "'.md'"])
def test_a_source_that_names_nothing_is_none(item: str) -> None:
    made = record(f"---\n{SOUND}sources:\n  - {item}\n  - '[[tea]]'\n---\nOolong.\n")
    assert made.sources == ("tea",)


def test_a_trust_nobody_knows_is_no_trust() -> None:
    """One that claims more than there is, is nobody's.

    Who dropped a file cannot be told: it is an agent's.
    """
    assert record("Tea.\n", "notes/tea.md").trust == "agent"
    assert record(f"---\n{SOUND}---\nTea.\n").trust == "agent"
    assert record(f"---\n{SOUND}trust: absolute\n---\nTea.\n").trust == "untrusted"


@pytest.mark.parametrize(
    "source",
    ["web", "Tool", "https://tea.example/a", '"[Tea](https://tea.example)"', "[user, web]"],
)
def test_what_was_fetched_is_not_trusted_whatever_it_says_of_itself(source: str) -> None:
    """A web clipper names the page, and no trust."""
    assert record(f"---\nsource: {source}\n---\nTea.\n", "notes/x.md").trust == "untrusted"
    made = record(f"---\nsource: {source}\ntrust: user\n---\nTea.\n", "x.md")
    assert (made.trust, made.claimed) == ("untrusted", "user")


@pytest.mark.parametrize("source", ["user", "Ada at the market", "a book on the web", ""])
def test_what_a_person_names_as_a_source_is_an_agents_word(source: str) -> None:
    """For an agent may have named it; more is claimed, and not had."""
    assert record(f"---\nsource: {source}\n---\nTea.\n", "notes/x.md").trust == "agent"
    made = record(f"---\nsource: {source}\ntrust: verified\n---\nTea.\n", "notes/x.md")
    assert (made.trust, made.claimed) == ("agent", "verified")


def test_a_vault_is_found_from_below(folder: Path, tmp_path: Path) -> None:
    """Any folder inside will do; outside there is a sentence with the way out."""
    deep = folder / "agents/ada"
    deep.mkdir(parents=True)
    assert reader.find(deep) == folder
    with pytest.raises(CannotOpen, match="vaultmem init"):
        reader.find(tmp_path)


def settings(root: Root, text: str) -> Config:
    """Return the settings of a vault whose config file is *text*."""
    file = root.path / config.PATH
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return reader.settings(root)


def test_settings_are_what_the_file_says(root: Root) -> None:
    """Read anew each time; what it does not name has its default."""
    assert settings(root, "---\nimmediate_window: 8\nmood: calm\n---\n") == Config(
        immediate_window=8
    )
    assert settings(root, "") == Config()


def test_settings_that_cannot_be_read_say_where(root: Root) -> None:
    """Missing, torn, of a newer format: each has its own error."""
    with pytest.raises(CannotOpen, match=r"has no config/memory_compaction\.md"):
        reader.settings(root)
    with pytest.raises(BadInput, match=r"config/memory_compaction\.md: .* never ends"):
        settings(root, "---\nimmediate_window: 8\n")
    with pytest.raises(TooNew):
        settings(root, "---\nformat: 2\n---\n")


def test_a_card_says_whatever_a_person_wrote_beside_what_every_card_has() -> None:
    found = record(
        "---\ntype: card\ncategory: medical\nkey: allergy_sarah\nperson: Sarah\n"
        "date_created: 2024-01-02\nallergy: nuts\nepi_pens:\n  - school bag\n  - kitchen\n---\n",
        "cards/medical/allergy_sarah.md",
    )
    assert found.facts == "allergy: nuts\nepi pens: school bag, kitchen"


def test_of_what_a_memory_may_have_only_what_it_has_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All that is indexed anew, imported or checked goes through here, a million times."""
    asked: list[str] = []

    def noting(fields: Mapping[str, Value], key: str) -> str:
        asked.append(key)
        return frontmatter.text_of(fields, key)

    monkeypatch.setattr("vaultmem.storage.reader.text_of", noting)
    found = record(f"---\n{SOUND}session: farm\nspeaker: Hana\n---\nThe well is deep.\n")
    assert (found.session, found.speaker, found.prompt, found.turn_end) == ("farm", "Hana", "", 0)
    assert {"session", "speaker"} <= {*asked}
    assert {"prompt", "turn_range_end", "faithfulness"}.isdisjoint(asked)
