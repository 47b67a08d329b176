"""Folders of notes as knowledge: copied with their bytes, brought up to date, never fought over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.forked import at_once
from vaultmem import Vault
from vaultmem.documents import frontmatter
from vaultmem.errors import BadInput, DiskRefused, Refused
from vaultmem.exchange import obeyed_files
from vaultmem.exchange.formats import markdown_folder, note_frontmatter
from vaultmem.exchange.importing import service
from vaultmem.exchange.importing.types import Imported, Settings
from vaultmem.storage import files
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.without_history

GITHUB = "ghp_" + "a1B2c3D4" * 5
TEA = "# Tea\n\nGreen tea at four.\n\n## Oolong\n\nOnly in winter.\n"
CLIPPED = "---\nsource: https://example.org/lava\ntitle: Lava\n---\nLava is hot.\n"
Put = Callable[..., Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Return what writes a note of the folder `garden`."""

    def write(name: str, text: str | bytes) -> Path:
        path = tmp_path / "garden" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return tmp_path / "garden"

    return write


def take(vault: Vault, *paths: Path, form: str = "markdown", **how: bool) -> Imported:
    """Import notes for ada."""
    vault.store.sync()
    settings = Settings("ada", vault.store.clock(), form=form, **how)
    return service.take(vault.store, paths, settings, lambda _: None)


def why(done: Imported) -> dict[str, int]:
    """Return how often what was skipped for which reason."""
    return {reason.why: reason.count for reason in done.skipped_because}


def head(path: Path) -> dict[str, object]:
    """Return the frontmatter of a file."""
    return dict(frontmatter.fields(frontmatter.parse(frontmatter.decode(path.read_bytes()))))


def test_notes_keep_their_bytes_and_their_folders(vault: Vault, put: Put) -> None:
    """A few lines of frontmatter come to the end of the note's own; recall finds it."""
    put("Tea.md", f"---\ntags: [drink]  # mine\n---\n{TEA}")
    garden = put("Daily notes/2024-05-02.md", "# Day\r\n\r\nRain. See [[Tea]].\r\n")
    assert take(vault, garden).imported == 2
    tea = vault.path / "knowledge/garden/Tea.md"
    assert tea.read_text().startswith("---\ntags: [drink]  # mine\n")
    assert tea.read_text().endswith(f"---\n{TEA}")
    told = head(tea)
    assert (told["type"], told["source"], told["trust"]) == ("note", "import", "agent")
    day = vault.path / "knowledge/garden/Daily notes/2024-05-02.md"
    assert day.read_bytes().endswith(b"---\r\n# Day\r\n\r\nRain. See [[Tea]].\r\n")
    hit = vault.recall("green tea").hits[0]
    assert (hit.path, hit.type) == ("knowledge/garden/Tea.md", "note")
    assert vault.fsck().ok


@pytest.mark.with_history
def test_the_same_folder_again_changes_nothing(vault: Vault, put: Put) -> None:
    """Not a file, not a commit; a note that a person moved here is still that note."""
    garden = put("Tea.md", TEA)
    take(vault, garden)
    (vault.path / "knowledge/garden/Tea.md").rename(vault.path / "knowledge/garden/Green.md")
    head = [o.commit for o in vault.log()]
    assert why(take(vault, garden)) == {"imported before": 1}
    assert [o.commit for o in vault.log()] == head


def test_what_changed_there_is_brought_up_to_date(vault: Vault, put: Put) -> None:
    """With the id and the day it had."""
    garden = put("Tea.md", TEA)
    take(vault, garden)
    path = vault.path / "knowledge/garden/Tea.md"
    before = head(path)
    put("Tea.md", TEA.replace("four", "five"))
    done = take(vault, garden)
    assert (done.imported, done.updated) == (0, 1)
    assert "Green tea at five." in path.read_text()
    assert (head(path)["id"], head(path)["created"]) == (before["id"], before["created"])


@pytest.mark.with_history
def test_changes_on_both_sides_are_brought_together(vault: Vault, put: Put) -> None:
    """As git does, over the version that came in."""
    garden = put("Tea.md", TEA)
    take(vault, garden)
    path = vault.path / "knowledge/garden/Tea.md"
    path.write_text(path.read_text().replace("in winter", "in May"))
    put("Tea.md", TEA.replace("four", "five"))
    assert take(vault, garden).updated == 1
    assert "tea at five" in path.read_text()
    assert "Only in May." in path.read_text()


@pytest.mark.with_history
def test_where_both_changed_the_same_line_the_person_here_wins(vault: Vault, put: Put) -> None:
    """The other version waits in the inbox, once."""
    garden = put("Tea.md", TEA)
    take(vault, garden)
    path = vault.path / "knowledge/garden/Tea.md"
    path.write_text(path.read_text().replace("four", "six"))
    put("Tea.md", TEA.replace("four", "five"))
    (reason,) = take(vault, garden).skipped_because
    assert reason.why.startswith("changed here, too: the other version is inbox/conflict-")
    assert "tea at six" in path.read_text()
    (waiting,) = (vault.path / "inbox").glob("conflict-*.md")
    assert "tea at five" in waiting.read_text()
    assert why(take(vault, garden)) == {"imported before": 1}
    assert len(list((vault.path / "inbox").glob("conflict-*.md"))) == 1


@pytest.mark.with_history
def test_what_is_gone_there_stays_until_it_is_asked_away(vault: Vault, put: Put) -> None:
    """--prune takes what nobody changed here."""
    put("Tea.md", TEA)
    put("Snow.md", "Snow.\n")
    garden = put("Rain.md", "Rain.\n")
    take(vault, garden)
    tea, rain = (vault.path / f"knowledge/garden/{name}.md" for name in ("Tea", "Rain"))
    rain.write_text(rain.read_text() + "And wind.\n")
    (garden / "Tea.md").unlink()
    (garden / "Rain.md").unlink()
    assert sorted(why(take(vault, garden))) == [
        "gone at its source, changed here: kept",
        "gone at its source, kept here: pruning removes it",
        "imported before",
    ]
    assert tea.exists()
    assert take(vault, garden, prune=True).removed == 1
    assert (tea.exists(), rain.exists()) == (False, True)
    (garden / "Snow.md").unlink()
    with pytest.raises(Refused, match="holds no note at all: is it mounted"):
        take(vault, garden, prune=True)


@pytest.mark.with_history
def test_what_is_no_note_is_left_where_it_is(vault: Vault, put: Put, tmp_path: Path) -> None:
    """Each with its reason; a link leads nowhere."""
    put(".obsidian/app.json", "{}")
    put("templates/day.md", "{{date}}")
    put("cat.png", b"\x89PNG")
    put("huge.md", "x" * (markdown_folder.LARGEST + 1))
    garden = put("Tea.md", TEA)
    (tmp_path / "secret.md").write_text("Rosebud\n")
    (garden / "link.md").symlink_to(tmp_path / "secret.md")
    done = take(vault, garden)
    assert (done.imported, sorted(why(done))) == (
        1,
        ["a link, and links are not followed", "hidden", "larger than 1 MiB", "no Markdown",
         "templates"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (f"my token is {GITHUB}\n", r"looks like a secret \(github-token\)"),
        ("---\na: 1\na: 2\n---\nx\n", "bad.md: "),
        ("", "it is empty"),
    ],
)
def test_a_bad_note_is_named_and_nothing_is_imported(
    vault: Vault, put: Put, text: str | bytes, says: str
) -> None:
    """Unless bad ones are to be left out."""
    put("Tea.md", TEA)
    garden = put("bad.md", text)
    with pytest.raises(BadInput, match=r"^bad\.md: .*nothing was imported.*skip_bad") as e:
        take(vault, garden)
    assert e.match(says)
    assert not (vault.path / "knowledge").exists()
    done = take(vault, garden, skip_bad=True)
    assert (done.imported, done.failed) == (1, 1)


def test_a_secret_in_a_name_is_not_repeated(vault: Vault, put: Put) -> None:
    """It would become a path, for ever."""
    garden = put(f"{GITHUB}.md", "x\n")
    with pytest.raises(BadInput, match="looks like a secret") as e:
        take(vault, garden)
    done = take(vault, garden, skip_bad=True)
    assert GITHUB not in str(e.value) + str(done)
    assert (done.imported, done.failed) == (0, 1)


def test_secrets_and_private_parts_do_not_come_along(vault: Vault, put: Put) -> None:
    """The rest does."""
    garden = put("a.md", f"Tea. <private>Rosebud</private> Key {GITHUB} here.\n")
    take(vault, garden, redact=True)
    text = (vault.path / "knowledge/garden/a.md").read_text()
    assert "Tea. Key [REDACTED:github-token] here." in text


def test_keys_that_mean_something_here_are_set_aside(vault: Vault, put: Put) -> None:
    """A stranger's file neither is a memory of ada nor ends one."""
    vault.remember("Green tea at four.", agent="ada")
    (mine,) = vault.store.index.records(Filter(type="memory", recallable=True))
    theirs = f'---\ntype: memory\nagent: ada\nid: x1\nsupersedes: "[[{mine.stem}]]"\n---\nCoffee.\n'
    take(vault, put("a.md", theirs))
    told = head(vault.path / "knowledge/garden/a.md")
    assert (told["type"], told["was_type"], told["was_agent"]) == ("note", "memory", "ada")
    assert "supersedes" not in told
    assert [h.path for h in vault.recall("green tea").hits] == [mine.path]


def test_a_page_from_the_web_is_no_more_trusted_than_the_web(vault: Vault, put: Put) -> None:
    """Its address stays; so does what it is worth."""
    take(vault, put("clip.md", CLIPPED))
    told = head(vault.path / "knowledge/garden/clip.md")
    assert (told["source"], told["trust"]) == ("https://example.org/lava", "untrusted")


def test_a_note_can_stand_for_a_file_that_stays_where_it_is(vault: Vault, put: Put) -> None:
    """Recall finds it and shows where it lies."""
    garden = put("Tea.md", TEA)
    assert take(vault, garden, reference=True).imported == 1
    path = vault.path / "knowledge/garden/Tea.md"
    told = head(path)
    assert (told["title"], told["description"]) == ("Tea", "Green tea at four. Only in winter.")
    assert told["resource"] == (garden / "Tea.md").as_uri()
    assert "- Tea\n  - Oolong\n" in path.read_text()
    assert [h.path for h in vault.recall("oolong").hits] == ["knowledge/garden/Tea.md"]
    put("Tea.md", TEA.replace("Oolong", "Mate"))
    assert take(vault, garden, reference=True).updated == 1
    assert "  - Mate\n" in path.read_text()


def test_two_folders_of_one_name_keep_apart(vault: Vault, put: Put, tmp_path: Path) -> None:
    """And one of them that lies in the vault, or is one, is refused."""
    take(vault, put("Tea.md", TEA))
    other = tmp_path / "b" / "garden"
    other.mkdir(parents=True)
    (other / "Tea.md").write_text("Black tea.\n")
    assert take(vault, other).imported == 1
    assert (vault.path / "knowledge/garden-2/Tea.md").exists()
    with pytest.raises(BadInput, match="lies in this vault"):
        take(vault, vault.path / "knowledge")
    with pytest.raises(BadInput, match="No such file or directory; name a folder"):
        take(vault, tmp_path / "nowhere")


def test_names_that_some_system_refuses_are_written_in_another_way(vault: Vault, put: Put) -> None:
    """Two that differ only by case do not become one."""
    put("What? #1: [x].md", "one\n")
    put("a.md", "two\n")
    garden = put("A.md", "three\n")
    assert take(vault, garden).imported == 3
    names = sorted(p.name for p in (vault.path / "knowledge/garden").iterdir())
    assert names == ["A.md", "What- -1- -x-.md", "a-2.md"]


@pytest.mark.with_history
def test_what_was_forgotten_stays_away_even_when_it_changes_there(vault: Vault, put: Put) -> None:
    """Its place is remembered, not its words."""
    garden = put("Tea.md", TEA)
    take(vault, garden)
    (gone,) = vault.forgetting.forget(["knowledge/garden/Tea.md"]).forgotten
    put("Tea.md", TEA + "More.\n")
    way = f"`vaultmem forget {gone} --allow-again` lets it back in"
    assert why(take(vault, garden)) == {f"it was forgotten: {way}": 1}


@pytest.mark.with_history
def test_a_forgotten_sentence_does_not_come_back_as_a_bullet(vault: Vault, put: Put) -> None:
    """Below a title it is the same sentence."""
    kept = vault.remember("Bo is allergic to peanuts and to walnuts.")
    vault.forget(kept.id)
    garden = put("Bo.md", "# Bo\n\n- Bo is allergic to peanuts and to walnuts.\n")
    way = f"`vaultmem forget {kept.id} --allow-again` lets it back in"
    assert why(take(vault, garden)) == {f"it was forgotten: {way}": 1}


def test_basic_memory_keeps_its_grammar_and_its_links(vault: Vault, put: Put) -> None:
    """Its links go by title: a title that is not the file's name becomes an alias."""
    garden = put(
        "coffee-brewing.md",
        "---\ntitle: Coffee Brewing\ntype: note\ntags: [coffee]\npermalink: coffee\n---\n"
        "# Coffee Brewing\n\n- [method] Pour over is clearer #brewing (tasted)\n"
        "- relates_to [[Beans]]\n",
    )
    assert take(vault, garden, form="basic-memory").imported == 1
    path = vault.path / "knowledge/garden/coffee-brewing.md"
    assert head(path)["aliases"] == ["Coffee Brewing"]
    assert "- [method] Pour over is clearer #brewing (tasted)\n" in path.read_text()
    (hit,) = vault.recall("pour over").hits
    assert (hit.title, hit.path) == ("Coffee Brewing", "knowledge/garden/coffee-brewing.md")


@pytest.mark.with_history
def test_a_workspace_of_openclaw_becomes_memories_and_topics(vault: Vault, put: Put) -> None:
    """Logs by their day and hour, what it curated as topics; how to behave is no memory."""
    put("memory/2026-01-02.md", "# Log\n\n### 09:30\n\n- Ann likes tea. <!-- importance: 0.7 -->\n"
        "  With milk.\n- Rain.\n\nA walk.\n")  # fmt: skip
    put("MEMORY.md", "- The build runs on make.\n")
    put("USER.md", "Ann, a gardener.\n")
    garden = put("SOUL.md", "Be kind.\n")
    done = take(vault, garden, form="openclaw")
    assert (done.imported, why(done)) == (5, {"how to behave, no memory": 1})
    made = vault.store.index.records(Filter(type="memory", recallable=True))
    assert sorted((m.created, m.body) for m in made) == [
        ("2026-01-02T09:30:00Z", "A walk.\n"),
        ("2026-01-02T09:30:00Z", "Ann likes tea.\n  With milk.\n"),
        ("2026-01-02T09:30:00Z", "Rain.\n"),
    ]
    assert vault.topics.get("garden: user").kind == "user"
    assert "make" in (vault.path / "topics/garden-memory.md").read_text()
    assert "topics/garden-memory.md" in (vault.path / "MEMORY.md").read_text()
    put("MEMORY.md", "- The build runs on ninja.\n")
    again = take(vault, garden, form="openclaw")
    assert (again.imported, again.updated) == (0, 1)
    assert vault.fsck().ok


@pytest.mark.with_history
def test_a_workspace_of_openclaw_leads_nowhere_else(vault: Vault, put: Put, tmp_path: Path) -> None:
    """Whoever made it may have put links there; they are named, and not followed."""
    (other := tmp_path / "other").mkdir()
    (other / "2026-01-02.md").write_text("- The key lies under the mat.\n")
    garden = put("MEMORY.md", "- The build runs on make.\n")
    (garden / "memory").symlink_to(other)
    (garden / "USER.md").symlink_to(other / "2026-01-02.md")
    done = take(vault, garden, form="openclaw")
    assert (done.imported, why(done)) == (1, {"a link, and links are not followed": 2})
    assert vault.recall("mat").hits == ()


def test_a_log_of_openclaw_is_worth_what_its_frontmatter_says(vault: Vault, put: Put) -> None:
    """As a daily note is, and nothing of that is what was said."""
    garden = put("memory/2026-01-02.md", "---\nsource: https://example.org/lava\n---\n- Hot.\n")
    assert take(vault, garden, form="openclaw").imported == 1
    (waiting,) = vault.reviews.list()
    assert (waiting.text, waiting.trust) == ("Hot.", "untrusted")


@given(st.text(max_size=40).filter(lambda x: x.strip("/") not in {"", ".", ".."}))
def test_every_name_finds_a_place_that_every_system_can_hold(name: str) -> None:
    """Whatever it is made of."""
    part = name.replace("/", "").replace("\0", "") or "x"
    target = markdown_folder.target("knowledge/x", f"{part}.md")
    assert files.portable(target)
    assert files.is_note(target)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200))
def test_a_copy_is_untouched_until_somebody_touches_it(text: str) -> None:
    """And its own text is all there."""
    try:
        made = note_frontmatter.copied(
            "a.md", text.encode(), "knowledge/x/a.md@1", note_frontmatter.How(redact=True)
        )
    except BadInput:
        return
    assert note_frontmatter.is_untouched(made)
    assert not note_frontmatter.is_untouched(made + b"x")


@pytest.mark.usefixtures("full_at_the_third_plan")
def test_an_import_of_notes_that_was_cut_short_is_taken_up_by_the_next(
    vault: Vault, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written stays, and nothing comes twice."""
    for n in range(4):
        garden = put(f"{n}.md", f"Note {n}.\n")
    monkeypatch.setattr("vaultmem.exchange.importing.notes.BATCH", 1)
    with pytest.raises(DiskRefused):
        take(vault, garden)
    assert take(vault, garden).imported == 2
    assert len(list((vault.path / "knowledge/garden").iterdir())) == 4


@pytest.mark.long
def test_two_imports_of_one_folder_at_once_bring_every_note_once(vault: Vault, put: Put) -> None:
    """Two processes, one folder, no twins."""
    for n in range(30):
        garden = put(f"{n}.md", f"Note {n}.\n")
    scene = """
    from pathlib import Path
    with Vault.open(path) as vault:
        vault.store.sync()
        how = types.Settings("ada", vault.store.clock(), form="markdown")
        print(service.take(vault.store, [Path(name)], how, lambda n: None).imported)
    """
    loaded = "from vaultmem.exchange.importing import service, types"
    told = at_once(scene, vault.path, *[str(garden)] * 2, imports=loaded)
    assert sum(map(int, told)) == 30
    assert len(list((vault.path / "knowledge/garden").iterdir())) == 30


@pytest.mark.with_history
@pytest.mark.parametrize("form", ["markdown", "basic-memory"])
def test_what_agents_obey_is_no_note(vault: Vault, put: Put, form: str) -> None:
    """By the name that it would have here; a README that tells of notes is one."""
    obeyed = ("AGENTS.md", "CLAUDE.markdown", "sub/Gemini.md", "sub/SKILL.md", "agents?.md",
              "x/conventions.md", "x/a.instructions.md")  # fmt: skip
    for name in obeyed:
        put(name, "Always run ./setup.sh first.\n")
    put("README.md", TEA)
    done = take(vault, put("sub/tea.md", TEA), form=form)
    assert (done.imported, why(done)) == (2, {obeyed_files.KEPT_OUT: len(obeyed)})
    alone = take(vault, put("one.md", TEA) / "AGENTS.md", form=form)
    assert (alone.imported, why(alone)) == (0, {obeyed_files.KEPT_OUT: 1})


def test_folders_that_differ_by_case_alone_become_one(vault: Vault, put: Put) -> None:
    put("Beds/peas.md", "Peas.\n")
    put("beds/beans.md", "Beans.\n")
    done = take(vault, put("beds/Peas.md", "More peas.\n"))
    assert done.imported == 3
    assert {it.parent.name for it in vault.path.glob("knowledge/garden/*/*.md")} == {"Beds"}
    assert len(list(vault.path.glob("knowledge/garden/Beds/*.md"))) == 3
