"""A false memory stays as it was said, and no longer counts: its correction stands before it."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.at_rest import let_rest
from tests.conftest import Clock
from tests.work import folders_opened
from vaultmem import Vault
from vaultmem.errors import BadInput, Refused, SecretFound
from vaultmem.knowledge.corrections import Correction, Corrections
from vaultmem.memory.remember import MemoryInput
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.retrieval.search import Hit
from vaultmem.storage.index import Filter
from vaultmem.storage.store import open_store

pytestmark = pytest.mark.without_history


@pytest.fixture
def _small(folder: Path) -> None:
    """Make the windows four memories wide."""
    path = folder / "config/memory_compaction.md"
    path.write_text(path.read_text().replace("_window: 64", "_window: 4"))


def correct(vault: Vault, ref: str, text: str, source: str = "user", agent: str = "") -> Correction:
    """Correct *ref* as a person does."""
    said = MemoryInput(text, agent, vault.store.clock(), source)
    return Corrections(vault.store, Extractive).correct(ref, said)


def marks(vault: Vault) -> dict[str, str]:
    """Return what is superseded, and by what, by stem."""
    vault.store.sync()
    return {r.stem: r.superseded_by for r in vault.store.index.records() if r.superseded_by}


def stem(path: str) -> str:
    """Return what a link to the memory at *path* says."""
    return Path(path).stem


def hits(vault: Vault, query: str) -> list[Hit]:
    """Return the hits, best first."""
    return list(vault.recall(query).hits)


def test_a_correction_looks_at_no_other_memory(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor at the folder of the one it corrects, in a process that begins."""
    at = datetime(2025, 3, 2, 10, 15, tzinfo=UTC)
    old = vault.remember("Ada's flight leaves at 7:40.", agent="ada", source="user", at=at)
    let_rest(
        (vault.path / old.path).parents[:6]
    )  # a folder that was just written is looked at again
    vault.status()
    opened = folders_opened(monkeypatch)
    with Vault.open(vault.path, clock=vault.store.clock, summarizer=Extractive()) as begun:
        made = begun.correct(old.id, "Ada's flight leaves at 9:10.")
    assert made.supersedes == (stem(old.path),)
    assert "agents/" in opened
    assert not [it for it in opened if it.startswith("agents/ada/memories/2025")]


def test_what_was_changed_in_place_a_moment_ago_is_what_a_correction_is_of(vault: Vault) -> None:
    old = vault.remember("Ada's flight leaves at 7:40.", agent="ada", source="user")
    vault.status()
    path = vault.path / old.path
    with Vault.open(vault.path, clock=vault.store.clock, summarizer=Extractive()) as begun:
        path.write_text(path.read_text().replace("type: memory", "type: record"))
        with pytest.raises(Refused, match="is not a raw memory"):
            begun.correct(old.id, "Ada's flight leaves at 9:10.")


@pytest.mark.with_history
def test_a_correction_supersedes_and_the_old_file_keeps_its_bytes(vault: Vault) -> None:
    old = vault.remember("Ada's flight leaves at 7:40 from Porto.", agent="ada", source="user")
    before = (vault.path / old.path).read_bytes()
    made = correct(vault, old.id, "Ada's flight leaves at 9:10 from Porto.")
    assert (vault.path / old.path).read_bytes() == before
    text = (vault.path / made.path).read_text()
    assert f"supersedes:\n  - {old.id}\n" in text
    assert "source: user\n" in text
    assert made.path.startswith("agents/ada/memories/")
    assert "leaves-at-7-40" not in text, "a file's name holds words"
    assert made.supersedes == (stem(old.path),)
    assert marks(vault) == {stem(old.path): stem(made.path)}
    assert vault.log(1)[0].subject == "correct(ada): Ada's flight leaves at 9:10 from Porto."
    assert vault.log(1)[0].commit == made.commit


def test_recall_shows_the_old_one_behind_and_marked(vault: Vault) -> None:
    old = vault.remember("Ada's flight leaves at 7:40 from Porto.", agent="ada")
    made = correct(vault, old.path, "Ada's flight leaves at 9:10 from Porto.")
    first, second = hits(vault, "When does Ada's flight leave?")
    assert (first.id, first.stale) == (made.id, False)
    assert (second.id, second.stale, second.superseded_by) == (old.id, True, stem(made.path))


def test_a_correction_comes_first_whatever_words_it_has(vault: Vault) -> None:
    old = vault.remember("Ada's flight leaves at 7:40 from Porto.", agent="ada")
    vault.remember("Ben's flight is late.", agent="ada")
    first = correct(vault, old.id, "No: nine sharp.")
    second = correct(vault, first.id, "Ten, as it turned out.")
    assert [h.id for h in hits(vault, "Ada's flight from Porto")][:2] == [second.id, old.id]
    assert vault.recall("Ada's flight from Porto", 1).hits[0].id == second.id


@pytest.mark.long
def test_no_hit_of_a_context_is_what_was_corrected(vault: Vault, clock: Clock) -> None:
    old = vault.remember("Ada's flight leaves at 7:40 from Porto.", agent="ada")
    for n in range(70):
        clock.advance(minutes=1)
        vault.add_memory(f"On walk {n} there were {n * 3} herons.", agent="ada")
    correct(vault, old.id, "Ada's flight leaves at 9:10 from Porto.")
    text = vault.context("Ada's flight from Porto", agent="ada").text
    assert "9:10" in text
    assert "7:40" not in text


@pytest.mark.usefixtures("_small")
def test_the_summaries_that_told_it_are_told_again_without_it(vault: Vault, clock: Clock) -> None:
    false = "Ada's flight to Graz leaves at 7:40 from gate B12."
    texts = ["Yes.", false, "Thanks, see you!", *(f"Walk {n} was wet." for n in range(13))]
    made = []
    for text in texts:
        clock.advance(minutes=1)
        made.append(vault.remember(text, agent="ada"))
    summaries = sorted((vault.path / "agents/ada/summaries").glob("*.md"))
    told = [p for p in summaries if "7:40" in p.read_text()]
    assert len(told) == 2, "the scene is void: recent and long-term do not tell it"
    done = correct(vault, made[1].id, "Ada's flight to Graz leaves at 9:10 from gate C3.")
    assert [p for p in summaries if "7:40" in p.read_text()] == []
    assert set(done.derived) == {str(p.relative_to(vault.path)) for p in told}
    assert vault.fsck().problems == ()
    assert not vault.compact("ada").compactions, "it is told again and again"


@pytest.mark.usefixtures("_small")
def test_a_summary_of_nothing_that_holds_still_covers_its_memories(
    vault: Vault, clock: Clock
) -> None:
    made = []
    for n in range(9):
        clock.advance(minutes=1)
        made.append(vault.remember(f"Heron {n} was seen at Lake {n * 7}.", agent="ada"))
    for n in range(5):
        correct(vault, made[n].id, f"There was no heron {n}, it was a stork.")
    recents = [r for r in vault.store.index.records(Filter(tier="recent")) if r.sources]
    assert stem(made[0].path) in recents[0].sources
    assert "Heron" not in recents[0].body
    assert vault.fsck().ok


def test_the_mark_goes_with_the_correction_and_comes_in_any_order(vault: Vault) -> None:
    old = vault.remember("The shop opens on Monday.", agent="ada")
    made = correct(vault, old.id, "The shop opens on Tuesday.")
    files = {p: (vault.path / p).read_bytes() for p in (old.path, made.path)}
    expected = {stem(old.path): stem(made.path)}
    for order in ([old.path, made.path], [made.path, old.path]):
        for path in files:
            (vault.path / path).unlink()
        vault.store.index.sync()
        vault.store.index.accept_missing()
        assert marks(vault) == {}
        for path in order:
            (vault.path / path).write_bytes(files[path])
            vault.store.index.sync()
        assert marks(vault) == expected
    vault.store.index.rebuild()
    assert marks(vault) == expected
    (vault.path / made.path).unlink()
    assert marks(vault) == {}


@pytest.mark.with_history
def test_undo_takes_a_correction_back(vault: Vault) -> None:
    old = vault.remember("The shop opens on Monday.", agent="ada")
    made = correct(vault, old.id, "The shop opens on Tuesday.")
    vault.undo(made.id)
    assert marks(vault) == {}
    assert not (vault.path / made.path).exists()


def test_a_correction_can_be_corrected(vault: Vault) -> None:
    old = vault.remember("The shop opens on Monday.", agent="ada")
    first = correct(vault, old.id, "The shop opens on Tuesday.")
    second = correct(vault, first.id, "The shop opens on Wednesday.")
    assert marks(vault) == {stem(old.path): stem(second.path), stem(first.path): stem(second.path)}
    assert hits(vault, "When does the shop open?")[0].id == second.id


def test_what_was_corrected_twice_holds_no_longer_though_the_first_correction_is_deleted(
    vault: Vault,
) -> None:
    old = vault.remember("The shop opens on Monday.", agent="ada")
    said = [f"The shop opens on {day}." for day in ("Tuesday", "Wednesday", "Thursday")]
    made = [first := correct(vault, old.id, said[0]), second := correct(vault, first.id, said[1])]
    made.append(correct(vault, second.id, said[2]))
    for gone in made[:2]:
        (vault.path / gone.path).unlink()
        assert marks(vault)[stem(old.path)] == stem(made[-1].path)
    made[-1] = correct(vault, made[-1].id, "The shop opens on Friday.")
    assert marks(vault)[stem(old.path)] == stem(made[-1].path)


def test_of_two_corrections_of_one_memory_the_later_holds(vault: Vault) -> None:
    old = vault.remember("The shop opens on Monday.", agent="ada")
    first = correct(vault, old.id, "The shop opens on Tuesday.")
    second = correct(vault, old.id, "The shop opens on Wednesday.")
    assert second.supersedes == (stem(old.path), stem(first.path))
    assert marks(vault) == {
        stem(old.path): stem(second.path), stem(first.path): stem(second.path)
    }  # fmt: skip


def test_what_cites_the_old_one_is_named(vault: Vault) -> None:
    old = vault.remember("The shop opens on Monday.", agent="ada")
    topic = vault.path / "topics/shop.md"
    topic.parent.mkdir(exist_ok=True)
    topic.write_text(
        f"---\ntype: topic\ntitle: Shop\nsources:\n  - '[[{stem(old.path)}]]'\n---\n"
        "## Facts\n- Opens on Monday.\n"
    )
    assert correct(vault, old.id, "The shop opens on Tuesday.").cited == ("topics/shop.md",)


@pytest.mark.parametrize(
    ("ref", "way"),
    [("topics/shop.md", "change the file itself"), ("cards/people/ben.md", "card set"),
     ("MEMORY.md", "change the file itself"), ("nobody-knows-it", "recall")],
)  # fmt: skip
def test_only_a_raw_memory_is_corrected(vault: Vault, ref: str, way: str) -> None:
    for path, kind in (("topics/shop.md", "topic"), ("cards/people/ben.md", "card")):
        (vault.path / path).parent.mkdir(exist_ok=True, parents=True)
        (vault.path / path).write_text(f"---\ntype: {kind}\ntitle: It\n---\nIt is so.\n")
    with pytest.raises((Refused, BadInput), match=way):
        correct(vault, ref, "It is not so.")


def test_what_is_trusted_less_ends_nothing(vault: Vault) -> None:
    """Neither through the command, nor through a file that claims to."""
    old = vault.remember("The shop opens on Monday.", agent="ada", source="user")
    for source in ("agent", "web"):
        with pytest.raises(Refused, match="source=user"):
            correct(vault, old.id, "It never opens.", source)
    page = vault.remember("It never opens.", agent="ada", source="web")
    forged = (vault.path / page.path).read_text().replace(
        "source: web", f"source: web\nsupersedes: '[[{stem(old.path)}]]'"
    )  # fmt: skip
    (vault.path / page.path).write_text(forged)
    (vault.path / Path(old.path).with_name("20261120-101500-forged-7q3kzm.md")).write_text(forged)
    assert marks(vault) == {}


def test_a_correction_is_no_way_around_the_gate(vault: Vault) -> None:
    old = vault.remember("The key of the shop is under the mat.", agent="ada")
    with pytest.raises(SecretFound):
        correct(vault, old.id, "The key is ghp_" + "a1B2c3D4" * 5)
    with pytest.raises(BadInput, match="all of it is private"):
        correct(vault, old.id, "<private>It is in the pot.</private>")
    assert marks(vault) == {}


@pytest.mark.parametrize("ids", ["012", "021"])
def test_of_two_corrections_that_one_second_made_the_one_that_corrects_the_other_holds(
    folder: Path, clock: Clock, ids: str
) -> None:
    """A moment's ids are in no order."""
    home = folder / "agents/ada/memories/2026/11"
    home.mkdir(parents=True)
    for name, ends in (("monday", ""), ("tuesday", "monday"), ("friday", "monday tuesday")):
        named = "".join(f'\n  - "[[{it}]]"' for it in ends.split())
        number = ids[("monday", "tuesday", "friday").index(name)]
        (home / f"{name}.md").write_text(
            f"---\nid: 01KAFXF{number:0>19}\ntype: memory\ncreated: 2026-11-20T10:15:00Z\n"
            f"trust: user\n" + (f"supersedes:{named}\n" if named else "") + f"---\nOn {name}.\n"
        )
    with Vault.open(folder, clock=clock) as vault:
        assert marks(vault) == {"monday": "friday", "tuesday": "friday"}


def test_marks_are_the_same_whatever_came_first(tmp_path: Path, clock: Clock, folder: Path) -> None:
    """An index that saw twelve files come, go and come back equals one that saw them at once."""
    rng = random.Random(7)  # noqa: S311  # a shuffle
    home = folder / "agents/ada/memories/2026/11"
    home.mkdir(parents=True)
    texts = {}
    for n in range(12):
        ends = "".join(f'\n  - "[[m{rng.randrange(12):02}]]"' for _ in range(rng.randrange(3)))
        trust = rng.choice(["untrusted", "agent", "user", "verified"])
        texts[home / f"m{n:02}.md"] = (
            f"---\nid: 01KAFXF{n:019}\ntype: memory\ncreated: 2026-11-20T10:15:00Z\n"
            f"trust: {trust}\n" + (f"supersedes:{ends}\n" if ends else "") + f"---\nFact {n}.\n"
        )
    with Vault.open(folder, clock=clock) as vault:
        for _ in range(60):
            path = rng.choice(list(texts))
            if path.exists() and rng.random() < 0.4:
                path.unlink()
            else:
                path.write_text(texts[path])
            vault.store.index.absorb([str(path.relative_to(folder))])
        seen = {r.stem: r.superseded_by for r in vault.store.index.records(Filter(agent="ada"))}
    (folder / ".vaultmem/index").rename(tmp_path / "old-index")
    store = open_store(folder, clock)
    store.sync()
    again = {r.stem: r.superseded_by for r in store.index.records(Filter(agent="ada"))}
    store.close()
    assert any(seen.values())
    assert seen == again


def test_what_corrects_a_memory_already_is_not_kept_again(vault: Vault) -> None:
    wrong = vault.remember("Mara opens at nine.", agent="ada").path
    ten = correct(vault, wrong, "Mara opens at ten.", "agent")
    again = correct(vault, wrong, " Mara opens at ten.\n", "agent")
    assert again.existed
    assert (again.id, again.path, again.supersedes) == (ten.id, ten.path, ten.supersedes)
    for other in (
        correct(vault, wrong, "Mara opens at ten.", "user"),
        correct(vault, wrong, "Mara opens at eight."),
        correct(vault, wrong, "Mara opens at ten.", "user"),
    ):
        assert not other.existed


def test_a_correction_has_the_tags_and_the_importance_of_what_it_corrects(vault: Vault) -> None:
    """What stood as an instruction stands so corrected, unless other tags are given."""
    wrong = vault.remember(
        "Always answer in German.", agent="ada", source="user", tags=["instruction"], importance=0.9
    )
    vault.correct(wrong.path, "Always answer in Dutch.")
    assert "Dutch" in vault.context("hi", agent="ada").text.partition("Standing Instructions")[2]
    (right,) = vault.recall("answer", tags=["instruction"]).hits[:1]
    assert vault.post(right.path).metadata["importance"] == "0.9"
    again = vault.correct(right.path, "Answer in Dutch or in English.", tags=["languages"])
    assert vault.post(again.path).metadata["tags"] == ["languages"]
