"""Forgetting on real vaults: the words go, what absorbed them is told again, nothing comes back."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import Clock
from vaultmem import Vault, config
from vaultmem.cli import run
from vaultmem.documents.bodies import Experience
from vaultmem.errors import BadInput, Refused
from vaultmem.knowledge.cards.types import Patch, digest
from vaultmem.knowledge.topics.types import TopicPatch
from vaultmem.maintenance.forgetting import Forgetting
from vaultmem.memory.experiences import Experiences
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.without_history

NEEDLE = "the heliotrope umbrella of Ottokar was left in Graz."


def forgetting(vault: Vault) -> Forgetting:
    return Forgetting(vault.store, vault.summarizer)


def git(vault: Vault, *args: str) -> None:
    subprocess.run(["git", *args], cwd=vault.path, check=True)


def said(vault: Vault, word: str) -> list[str]:
    """Return the files of the vault's own that hold *word*."""
    notes = vault.path.rglob("*")
    found = (p.relative_to(vault.path) for p in notes if p.suffix in {".md", ".jsonl"})
    texts = (p for p in found if not p.parts[0].startswith(".vaultmem"))
    return [str(p) for p in texts if word in (vault.path / p).read_text().casefold()]


def conversation(folder: Path, count: int = 140) -> Path:
    """Write *count* messages, the tenth of which is the secret."""
    lines = (
        {
            "id": f"m{i}",
            "session": "x",
            "speaker": "Ada",
            "content": NEEDLE if i == 10 else f"Plain fact number {i} about gardens in the north.",
            "at": f"2024-01-{1 + i // 20:02d}T{i % 20:02d}:00:00Z",
        }
        for i in range(count)
    )
    file = folder / "x.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


@pytest.mark.long
@pytest.mark.with_history
def test_a_forgotten_memory_leaves_every_file_and_every_summary_that_told_of_it(
    vault: Vault, tmp_path: Path
) -> None:
    vault.import_files("jsonl", [conversation(tmp_path)], agent="ada")
    assert any("summaries" in p for p in said(vault, "heliotrope"))
    hit = next(h for h in vault.recall("heliotrope umbrella").hits if h.type == "memory")

    done = forgetting(vault).forget([hit.id], "asked to")

    assert said(vault, "heliotrope") == []
    assert done.forgotten == (hit.id,)
    assert any(p.startswith("agents/ada/summaries/") for p in done.derived)
    assert done.commit
    assert vault.fsck().ok, vault.fsck().problems
    assert all("heliotrope" not in h.snippet for h in vault.recall("heliotrope").hits)


@pytest.mark.long
@pytest.mark.with_history
@pytest.mark.parametrize("others", [4, 1])
def test_a_summary_tells_without_the_forgotten_though_its_neighbour_was_edited(
    vault: Vault, others: int
) -> None:
    """Of what waits to be accepted it tells nothing meanwhile, and then again."""
    settings = vault.path / config.PATH
    settings.write_bytes(settings.read_bytes().replace(b"window: 64", b"window: 3"))
    said = (NEEDLE, *(f"The hut number {n} is amber." for n in range(others + 3)))
    made = [vault.remember(text, agent="ada", source="user") for text in said]
    vault.compact("ada", force=True)
    assert "heliotrope" in "".join(said_in_summaries(vault)), "the scene is void"
    edited = vault.path / made[1].path
    edited.write_text(edited.read_text().replace("number 0 is", "number 0 was"))
    vault.store.sync()

    vault.forget(made[0].id)
    told = "".join(said_in_summaries(vault))
    assert "heliotrope" not in told
    assert "number 0" not in told
    assert {p.code for p in vault.fsck().problems} == {"edited"}

    vault.fsck(accept=[made[1].path])
    vault.compact("ada")
    assert "number 0 was amber" in "".join(said_in_summaries(vault))


OWN_FORMS = {
    "a paragraph": "Only by phone.",
    "a heading": "## Phone",
    "an empty list": "## Phone\n-",
    "a table": "| who | how |\n|---|---|\n| he | phone |",
    "code": "```\nphone 0316\n```",
    "a quote": "> Only by phone.",
    "a comment": "<!-- only by phone -->",
    "a comment of Obsidian": "%% only by phone %%",
    "a picture": "![[plan.pdf]]",
    "a rule": "***",
    "a box": "- [ ] phone him",
}


@pytest.mark.parametrize("form", OWN_FORMS)
@pytest.mark.parametrize("place", ["above", "below"])
def test_a_topic_stays_with_all_that_a_person_wrote_when_its_last_fact_is_forgotten(
    vault: Vault, form: str, place: str
) -> None:
    made = vault.remember(NEEDLE, agent="ada", source="user")
    file = vault.path / vault.shares.share(made.id).path
    head, body = file.read_text().split("\n---\n")
    own = OWN_FORMS[form]
    text = f"{own}\n\n{body}" if place == "above" else f"{body}\n{own}\n"
    file.write_text(f"{head}\n---\n{text}")
    vault.forget(made.id)
    left = file.read_text()
    assert own in left
    assert "heliotrope" not in left


@pytest.mark.parametrize("line", ["mood: calm", "# mine", "pinned: true", "tags: [home]"])
def test_a_topic_stays_with_a_persons_frontmatter_when_its_last_fact_is_forgotten(
    vault: Vault, line: str
) -> None:
    made = vault.remember(NEEDLE, agent="ada", source="user")
    file = vault.path / vault.shares.share(made.id).path
    file.write_text(file.read_text().replace("---\n", f"---\n{line}\n", 1))
    vault.forget(made.id)
    assert file.read_text().startswith(f"---\n{line}\n")


def test_a_topic_in_which_nobody_wrote_goes_with_its_last_fact(vault: Vault) -> None:
    made = vault.remember(NEEDLE, agent="ada", source="user")
    file = vault.path / vault.shares.share(made.id).path
    file.write_text(file.read_text().replace("## Facts", "# Shared\n\n## Patterns\n\n## Facts"))
    vault.forget(made.id)
    assert not file.exists()


def test_what_a_person_nested_in_a_fact_stays_when_the_fact_is_forgotten(vault: Vault) -> None:
    texts = (NEEDLE, "The oven hums.")
    one, two = (vault.remember(text, agent="ada", source="user") for text in texts)
    for it in (one, two):
        vault.shares.share(it.id)
    file = vault.path / "topics/shared.md"
    nested = "  - He promised to bring it by May\n- ada: The oven"
    file.write_text(file.read_text().replace("- ada: The oven", nested))
    vault.forget(one.id)
    assert f"## Facts\n-\n{nested}" in file.read_text()


def test_what_a_person_wrote_into_an_experience_of_what_is_forgotten_waits_in_the_inbox(
    vault: Vault,
) -> None:
    made = vault.remember(NEEDLE, agent="ada", source="user")
    told = Experience(NEEDLE, "success", "By train", "It is here")
    kept = Experiences(vault.store, lambda: None).add(told, agent="ada", session="x")
    file = vault.path / kept.path
    text = file.read_text().replace("---\n", "---\nmood: calm # mine\n", 1)
    file.write_text(f"{text}\n## Mine\n- Call the roofer.\n")
    done = vault.forget(made.id)
    assert not file.exists()
    (note,) = (vault.path / "inbox").glob("conflict-experience-*.md")
    assert f"inbox/{note.name}" in done.derived
    head, body = note.read_text().split("\n---\n")
    assert head.startswith("---\nmood: calm # mine\n")
    assert body == "## Mine\n- Call the roofer.\n"
    assert said(vault, "heliotrope") == []


def test_nothing_is_kept_of_an_experience_that_nobody_edited(vault: Vault) -> None:
    made = vault.remember(NEEDLE, agent="ada", source="user")
    told = Experience(
        NEEDLE, "success", "By train", "It is here", (), ("Well",), ("map",), ("Ask",)
    )
    Experiences(vault.store, lambda: None).add(told, agent="ada", session="x")
    vault.forget(made.id)
    assert not [*(vault.path / "inbox").glob("conflict-*")]
    assert said(vault, "heliotrope") == []


def said_in_summaries(vault: Vault) -> list[str]:
    """Return what the short-term summaries say."""
    return [path.read_text() for path in vault.path.glob("agents/*/summaries/recent-*.md")]


def test_a_forgotten_memory_that_a_backup_brings_back_is_named_and_goes_once_more(
    vault: Vault,
) -> None:
    """By its path; till then it is recalled, as the manual says."""
    made = vault.remember("The kettle stands in the yard.", agent="ada")
    file = vault.path / made.path
    kept = file.read_text()
    vault.forget(made.path)
    file.write_text(kept)
    assert [it.path for it in vault.recall("kettle").hits] == [made.path]
    (told,) = vault.status().problems
    assert "and is here again; `vaultmem forget" in f"{told.message}; {told.repair}"
    vault.forget(made.path)
    assert vault.recall("kettle").hits == ()
    assert vault.fsck().ok


@pytest.mark.long
@pytest.mark.with_history
def test_another_memory_of_the_same_words_is_named_and_is_not_here_again(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was there; the answer, status and fsck name it, and the command that forgets it, too."""
    words = "The kettle stands in the yard."
    one, two = (vault.remember(words, agent="ada") for _ in range(2))
    assert run(["--vault", str(vault.path), "forget", one.path]) == 0
    way = f"`vaultmem forget {two.path}`"
    assert f"{two.path} still says it: {way}" in capsys.readouterr().err
    for report in (vault.status(), vault.fsck()):
        (told,) = report.problems
        assert (told.code, told.path) == ("forgotten", two.path)
        assert "in another file, and was here then" in told.message
        assert told.repair.startswith(way)
    vault.forget(two.path)
    assert vault.fsck().ok


def test_what_was_forgotten_does_not_come_back_by_import_or_by_saying_it_again(
    vault: Vault, tmp_path: Path
) -> None:
    file = conversation(tmp_path, 12)
    vault.import_files("jsonl", [file], agent="ada")
    done = forgetting(vault).forget([vault.recall("heliotrope").hits[0].id])

    again = vault.import_files("jsonl", [file], agent="ada").done
    assert (again.imported, again.skipped) == (0, 12)
    with pytest.raises(Refused, match=f"forget {done.forgotten[0]} --allow-again"):
        vault.remember(NEEDLE.upper())
    assert said(vault, "heliotrope") == []

    (vault.path / f"tombstones/{done.forgotten[0]}.md").unlink()
    assert vault.remember(NEEDLE).id


def test_turns_of_another_import_stay_away_too(vault: Vault, tmp_path: Path) -> None:
    file = conversation(tmp_path, 12)
    vault.import_files("jsonl", [file], agent="ada")
    forgetting(vault).forget([vault.recall("heliotrope").hits[0].id])

    turns = vault.import_files("jsonl", [file], agent="ben", manner="turns").done

    assert (turns.imported, turns.skipped) == (11, 1)
    assert said(vault, "heliotrope") == []


@pytest.mark.long
@pytest.mark.with_history
def test_undo_brings_back_what_was_forgotten_with_all_that_told_of_it(
    vault: Vault, tmp_path: Path
) -> None:
    vault.import_files("jsonl", [conversation(tmp_path)], agent="ada")
    before = {p: (vault.path / p).read_bytes() for p in said(vault, "heliotrope")}
    done = forgetting(vault).forget([vault.recall("heliotrope").hits[0].id])

    vault.undo(done.op)

    assert {p: (vault.path / p).read_bytes() for p in said(vault, "heliotrope")} == before
    assert not list((vault.path / "tombstones").glob("*.md"))
    assert vault.fsck().ok


@pytest.mark.long
def test_a_transcript_that_says_it_keeps_its_lines_and_its_episode_is_told_again(
    vault: Vault, tmp_path: Path
) -> None:
    file = conversation(tmp_path, 24)
    vault.import_files("jsonl", [file], agent="ada", manner="turns")
    assert any("sessions" in p for p in said(vault, "heliotrope"))
    memory = vault.remember(NEEDLE, agent="ada", at="2024-02-01")

    done = forgetting(vault).forget([memory.id])

    assert said(vault, "heliotrope") == []
    turns = (vault.path / "agents/ada/sessions/x.jsonl").read_text().splitlines()
    assert len(turns) == 24
    assert json.loads(turns[10])["content"] == "[forgotten]"
    assert json.loads(turns[10])["origin"] == "x/m10"
    assert "agents/ada/sessions/x.jsonl" in done.derived
    assert vault.fsck().ok, vault.fsck().problems


@pytest.mark.parametrize("goes", ["a turn", "the session"])
def test_an_episode_that_its_title_would_give_away_keeps_a_persons_lines_and_keys(
    vault: Vault, goes: str
) -> None:
    for text in ("We left the heliotrope umbrella of Ottokar in Graz.", "Ada swept the stove."):
        vault.say("s", text, agent="ada")
    vault.fold("ada", force=True)
    (file,) = (vault.path / "agents/ada/episodes").glob("*.md")
    assert "heliotrope" in file.stem, "the scene is void"
    own = "My own word: the sweep promised in writing to come by May."
    mine = file.read_text().replace("---\n", "---\nmood: calm # mine\n", 1)
    file.write_text(f"{mine}\n{own}\n")
    meant = "agents/ada/sessions/s.jsonl"

    vault.forget(f"{meant}:1" if goes == "a turn" else meant)

    (left,) = (vault.path / "agents/ada/episodes").glob("*.md")
    assert "heliotrope" not in left.stem
    assert left.read_text().startswith("---\nmood: calm # mine\n")
    assert f"\n{own}\n" in left.read_text()
    assert said(vault, "heliotrope") == []
    assert vault.fsck().ok, vault.fsck().problems


def test_turns_that_say_it_as_json_or_html_are_masked_as_plain_ones(
    vault: Vault, tmp_path: Path
) -> None:
    """A tool gave it back so; what says a few of its words stays, however it is written."""
    words = "Zo\u00eb's green umbrella of Ottokar was left in J\u00fcrgen's barn."
    page = words.replace("\u00eb", "&euml;").replace("\u00fc", "&uuml;").replace("'", "&#39;")
    turns = [json.dumps({"text": words}), f"<p>{page}</p>", '{"text": "Zo\\u00eb\'s barn"}']
    file = tmp_path / "x.jsonl"
    file.write_text("".join(
        json.dumps({"session": "x", "id": f"m{n}", "role": "tool", "tool": "notes", "content": it,
                    "at": f"2024-01-01T10:0{n}:00Z"}) + "\n"
        for n, it in enumerate(turns)
    ))  # fmt: skip
    vault.import_files("jsonl", [file], agent="ada", manner="turns")
    memory = vault.remember(words, agent="ada", at="2024-02-01")

    forgetting(vault).forget([memory.id])

    kept = (vault.path / "agents/ada/sessions/x.jsonl").read_text().splitlines()
    assert [json.loads(line)["content"] for line in kept] == [
        "[forgotten]", "[forgotten]", turns[2],
    ]  # fmt: skip


@pytest.mark.long
def test_a_forgotten_episode_takes_its_turns_along(vault: Vault, tmp_path: Path) -> None:
    vault.import_files("jsonl", [conversation(tmp_path, 24)], agent="ada", manner="turns")
    episode = min((vault.path / "agents/ada/episodes").glob("*.md"))

    forgetting(vault).forget([str(episode.relative_to(vault.path))])

    assert said(vault, "heliotrope") == []
    assert vault.fsck().ok, vault.fsck().problems


@pytest.mark.long
def test_a_forgotten_opening_names_no_later_stretch_of_its_session(
    vault: Vault, tmp_path: Path
) -> None:
    asked = "I need a quote for the heliotrope pavilion."
    said_then = [asked, *(f"Plain answer {n}, go on." for n in range(59))]
    file = tmp_path / "x.jsonl"
    file.write_text("".join(
        json.dumps({"session": "x", "id": f"m{n}", "role": ("user", "assistant")[n % 2],
                    "content": text, "at": f"2024-01-01T10:{n:02}:00Z"}) + "\n"
        for n, text in enumerate(said_then)
    ))  # fmt: skip
    vault.import_files("jsonl", [file], agent="ada", manner="turns")
    named = [p.stem for p in (vault.path / "agents/ada/episodes").glob("*heliotrope-pavilion*.md")]
    assert len(named) > 1
    memory = vault.remember(asked, agent="ada", at="2024-02-01")

    forgetting(vault).forget([memory.id])

    assert said(vault, "heliotrope") == []
    assert not [*vault.path.glob("agents/ada/episodes/*heliotrope*")]
    assert vault.fsck().ok, vault.fsck().problems


TOPIC = """---
id: 01KB0000000000000000000000
type: topic
title: Belongings
description: what was left where
agent: ada
created: 2026-11-20T10:15:00Z
source: agent
trust: agent
sources:
  - "[[{stem}]]"
  - "[[elsewhere]]"
model: extractive
---
## Facts
- The umbrella stands in Graz. ([[{stem}]])
- The hat is green. ([[elsewhere]], [[{stem}]])
- A heliotrope thing is lost. ([[elsewhere]])
- The coat is new. ([[elsewhere]])
"""


def test_topics_lose_the_bullets_that_only_it_backed_and_elsewhere_the_link(vault: Vault) -> None:
    memory = vault.remember(NEEDLE, agent="ada")
    stem = Path(memory.path).stem
    topic = vault.path / "agents/ada/topics/belongings.md"
    topic.parent.mkdir(parents=True)
    topic.write_text(TOPIC.format(stem=stem))

    done = forgetting(vault).forget([stem])

    text = topic.read_text()
    assert text.endswith(
        "## Facts\n- The hat is green. ([[elsewhere]])\n"
        "- A heliotrope thing is lost. ([[elsewhere]])\n- The coat is new. ([[elsewhere]])\n"
    )
    assert stem not in text
    assert done.mentions == ("agents/ada/topics/belongings.md",)


ALLERGY = "My daughter Sarah is allergic to hazelnuts."
CARD = """---
id: 01KB0000000000000000000000
type: card
title: Sarah
description: "Sarah (daughter): {story}"
person: Sarah
relationship: daughter
date_created: 2026-11-20T10:15:00Z
source: user
trust: user
claims:
{claims}
sources:
  - "[[{stem}]]"
allergy: hazelnuts
{more}---
{story}
"""


def card(vault: Vault, stem: str, story: str = ALLERGY, more: str = "", claimed: str = "") -> Path:
    """Write Sarah's card as a dream makes it from the memory called *stem*."""
    said = {"person": "Sarah", "relationship": "daughter", "backstory": ALLERGY,
            "allergy": "hazelnuts"} | ({claimed: "Rome"} if claimed else {})  # fmt: skip
    claims = "\n".join(
        f'  - "{key}: user 2026-11-20T10:15:00Z {digest(value)}"' for key, value in said.items()
    )
    file = vault.path / "cards/medical/sarah.md"
    file.parent.mkdir(parents=True)
    file.write_text(CARD.format(story=story, stem=stem, more=more, claims=claims))
    vault.store.sync()
    return file


def test_a_card_that_was_drawn_from_it_goes_with_it_and_memory_md_tells_of_it_no_more(
    vault: Vault,
) -> None:
    memory = vault.remember(ALLERGY, agent="ada", source="user")
    file = card(vault, Path(memory.path).stem)

    done = forgetting(vault).forget([memory.id])

    assert not file.exists()
    assert "cards/medical/sarah.md" in done.derived
    assert done.mentions == ()
    assert "Sarah" not in (vault.path / "MEMORY.md").read_text()


def test_a_card_keeps_the_facts_that_stand_on_something_else(vault: Vault) -> None:
    memory = vault.remember(ALLERGY, agent="ada", source="user", at="2026-11-19")
    file = card(vault, Path(memory.path).stem, more="city: Rome\n", claimed="city")

    done = forgetting(vault).forget([memory.id])

    text = file.read_text()
    assert "hazelnuts" not in text
    assert "city: Rome\n" in text
    assert "person: Sarah\n" in text
    assert "sources: []\n" in text
    assert "cards/medical/sarah.md" not in {*done.derived} & {*done.mentions}


def test_a_fact_in_words_of_its_own_goes_with_what_it_was_drawn_from(vault: Vault) -> None:
    memory = vault.remember(ALLERGY, agent="ada", source="user", at="2026-11-20T10:15:00Z")
    file = card(vault, Path(memory.path).stem, more="city: Rome\n", claimed="city")
    forgetting(vault).forget([memory.id])
    assert not file.exists()


@pytest.mark.with_history
def test_a_story_that_a_person_wrote_stays_and_is_named_once(vault: Vault) -> None:
    memory = vault.remember(ALLERGY, agent="ada", source="user")
    file = card(vault, Path(memory.path).stem, story="Sarah, allergic to hazelnuts since 2019.")

    done = forgetting(vault).forget([memory.id])

    assert "since 2019." in file.read_text()
    assert "allergy:" not in file.read_text()
    assert done.mentions == ("cards/medical/sarah.md",)
    assert "cards/medical/sarah.md" not in done.derived


@pytest.mark.with_history
def test_an_answer_of_ours_in_a_note_goes_and_the_note_stays(vault: Vault) -> None:
    memory = vault.remember(ALLERGY, agent="ada")
    note = vault.path / "inbox/ask.md"
    note.parent.mkdir(exist_ok=True)
    asked = "Mine.\n@recall nuts\n> [!vaultmem] 2026-11-20 10:15 UTC\n> {}\n\n> A quote of mine.\n"
    note.write_text(asked.format(ALLERGY))

    done = forgetting(vault).forget([memory.id])

    assert note.read_text() == asked.format("[forgotten]")
    assert "inbox/ask.md" in done.derived


@pytest.mark.with_history
@pytest.mark.parametrize(
    ("asked", "is_named"),
    [
        ("@recall How is Ottokar treated?", False),
        ("@recall How is Ottokar treated?\n\nOttokar is treated, I know.", True),
        ("@remember Ottokar has been treated for quillfever.", True),
    ],
)
def test_a_question_that_was_answered_says_nothing_of_it(
    vault: Vault, asked: str, *, is_named: bool
) -> None:
    said = "Ottokar has been treated for quillfever."
    memory = vault.remember(said, agent="ada")
    note = vault.path / "inbox/ask.md"
    note.parent.mkdir(exist_ok=True)
    question, end, rest = asked.partition("\n")
    note.write_text(f"{question}\n> [!vaultmem] 2026-11-20 10:15 UTC\n> {said}\n{end}{rest}\n")

    done = forgetting(vault).forget([memory.id])

    assert "> [forgotten]\n" in note.read_text()
    assert ("inbox/ask.md" in done.mentions) is is_named
    assert ("inbox/ask.md" in done.derived) is not is_named


def test_what_a_forgotten_correction_ended_stays_ended(vault: Vault) -> None:
    porto = vault.remember("Olga lives in Porto.", agent="ada", source="user")
    faro = vault.correct(porto.id, "No, she lives in Faro.", source="user")
    braga = vault.correct(faro.id, "By now in Braga.", source="user")
    before = (vault.path / braga.path).read_bytes()

    forgetting(vault).forget([faro.id])

    assert (vault.path / braga.path).read_bytes() == before
    assert said(vault, "faro") == []
    stale = {h.id: h.stale for h in vault.recall("Olga lives").hits}
    assert stale[porto.id]
    forgetting(vault).forget([braga.id])
    assert {h.id: h.stale for h in vault.recall("Olga lives").hits} == {porto.id: True}
    assert vault.fsck().ok, vault.fsck().problems


def test_a_correction_that_is_linked_by_name_names_the_forgotten_by_its_id(
    vault: Vault, clock: Clock
) -> None:
    """A file's name holds words; what tells of the memory with the link stays in step."""
    settings = vault.path / config.PATH
    settings.write_bytes(settings.read_bytes().replace(b"window: 64", b"window: 3"))
    porto = vault.remember("Olga lives in Porto.", agent="ada", source="user")
    faro = vault.correct(porto.id, "No, she lives in Faro.", source="user")
    file = vault.path / faro.path
    file.write_text(file.read_text().replace(porto.id, f'"[[{Path(porto.path).stem}]]"'))
    for n in range(6):
        clock.advance(minutes=1)
        vault.remember(f"Heron {n} was seen at Lake {n * 7}.", agent="ada")
    vault.compact("ada")
    assert faro.path in said(vault, "lives-in-porto")
    covered = [s for r in vault.store.index.records(Filter(tier="recent")) for s in r.sources]
    assert Path(faro.path).stem in covered, "the scene is void"

    forgetting(vault).forget([porto.id])

    assert said(vault, "porto") == []
    assert f"supersedes:\n  - {porto.id}\n" in file.read_text()
    assert vault.fsck().ok, vault.fsck().problems


@pytest.mark.with_history
def test_what_people_wrote_is_named_and_never_rewritten(vault: Vault) -> None:
    memory = vault.remember(NEEDLE, agent="ada")
    note = vault.path / "topics/graz.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("# Graz\nOttokar forgot his heliotrope umbrella there.\n")
    before = note.read_bytes()

    done = forgetting(vault).forget([memory.id])

    assert done.mentions == ("topics/graz.md",)
    assert note.read_bytes() == before


def test_a_tombstone_holds_no_word_of_it_and_one_salt_serves_all(vault: Vault) -> None:
    ids = [vault.remember(text, agent="ada").id for text in (NEEDLE, "Ben likes sour cherries.")]

    forgetting(vault).forget(ids[:1], "asked to")
    forgetting(vault).forget(ids[1:])

    stones = [(vault.path / f"tombstones/{i}.md").read_text() for i in ids]
    assert "reason: asked to\n" in stones[0]
    assert not any(w in stones[0].casefold() for w in ("heliotrope", "umbrella", "ottokar", "graz"))
    salts = {line for text in stones for line in text.splitlines() if line.startswith("salt:")}
    assert len(salts) == 1


def test_a_preview_finds_by_words_and_by_person_and_changes_nothing(vault: Vault) -> None:
    first = vault.remember(NEEDLE, agent="ada")
    second = vault.remember("Called the office.", agent="ada", speaker="Ottokar")
    vault.remember("The Ottokars are another family.", agent="ada")

    found = forgetting(vault)

    assert [f.id for f in found.find(query="umbrella graz")] == [first.id]
    assert {f.id for f in found.find(person="Ottokar")} == {first.id, second.id}
    assert (vault.path / first.path).exists()


@pytest.mark.parametrize("ref", ["README.md", "MEMORY", "config/memory_compaction.md"])
def test_the_vaults_own_pages_are_not_to_be_forgotten(vault: Vault, ref: str) -> None:
    with pytest.raises(Refused, match="part of the vault itself"):
        forgetting(vault).forget([ref])


@pytest.mark.long
def test_a_summary_is_forgotten_by_what_it_tells_of(vault: Vault, tmp_path: Path) -> None:
    vault.import_files("jsonl", [conversation(tmp_path)], agent="ada")
    recent = next((vault.path / "agents/ada/summaries").glob("recent-*.md"))
    with pytest.raises(Refused, match="made from other files"):
        forgetting(vault).forget([str(recent.relative_to(vault.path))])


def test_a_reason_must_not_repeat_what_shall_go(vault: Vault) -> None:
    memory = vault.remember(NEEDLE, agent="ada")
    with pytest.raises(BadInput, match="word it differently"):
        forgetting(vault).forget([memory.id], "Ottokar does not want it known")
    assert (vault.path / memory.path).exists()


def test_what_nobody_has_heard_of_cannot_be_forgotten(vault: Vault) -> None:
    with pytest.raises(BadInput, match="nothing here is called 'nope'"):
        forgetting(vault).forget(["nope"])


TALK = "agents/ada/sessions/chat.jsonl"
ENDED = "The session ended."


def talk(vault: Vault) -> None:
    """Hold a session of three turns, the second of which is the secret, and end it."""
    for text in ("Good morning to you.", NEEDLE, "The weather in the north is mild."):
        vault.say("chat", text, agent="ada")
    vault.end_session("chat", agent="ada")


def contents(vault: Vault) -> list[str]:
    lines = (vault.path / TALK).read_text().splitlines()
    return [json.loads(line)["content"] for line in lines]


@pytest.mark.parametrize("ref", [f"{TALK}:2", f"[[{TALK}:2]]"])
def test_one_turn_is_forgotten_and_cannot_be_said_or_imported_again(
    vault: Vault, tmp_path: Path, ref: str
) -> None:
    talk(vault)

    forgetting(vault).forget([ref])

    assert contents(vault) == [
        "Good morning to you.", "[forgotten]", "The weather in the north is mild.", ENDED
    ]  # fmt: skip
    assert said(vault, "heliotrope") == []
    with pytest.raises(Refused, match="this was forgotten on"):
        vault.say("other", NEEDLE, agent="ben")
    again = vault.import_files("jsonl", [conversation(tmp_path, 12)], agent="ada").done
    assert (again.imported, again.skipped) == (11, 1)
    assert vault.fsck().ok, vault.fsck().problems


@pytest.mark.parametrize(
    "say",
    [
        lambda v: v.topics.set(NEEDLE, TopicPatch(("Something else.",))),
        lambda v: v.topics.set("Graz", TopicPatch(("Something else.",), tags=(NEEDLE,))),
        lambda v: v.cards.set("people/o", Patch({"x": "y"}, (), NEEDLE, "friend", "said so")),
        lambda v: v.cards.set("people/o", Patch({"x": NEEDLE}, (), "Otto", "friend", "said so")),
        lambda v: v.remember("Something else.", agent="ada", tags=[NEEDLE]),
        lambda v: v.remember("Something else.", agent="ada", speaker=NEEDLE),
        lambda v: v.remember("Something else.", agent="ada", session=NEEDLE),
        lambda v: v.say("other", "Something else.", agent="ada", speaker=NEEDLE),
        lambda v: v.say(NEEDLE, "Something else.", agent="ada"),
        lambda v: v.reach("ada").create("topics/x.md", f"---\ntitle: {NEEDLE}\n---\nX\n"),
    ],
)  # fmt: skip
def test_what_was_forgotten_is_no_title_tag_name_or_fact(
    vault: Vault, say: Callable[[Vault], object]
) -> None:
    vault.forget(vault.remember(NEEDLE, agent="ada").id)
    with pytest.raises(Refused, match="this was forgotten on"):
        say(vault)


@pytest.mark.parametrize("key", ["session", "speaker", "id"])
def test_what_was_forgotten_names_no_message_that_is_imported(
    vault: Vault, tmp_path: Path, key: str
) -> None:
    gone = vault.remember(NEEDLE, agent="ada").id
    vault.forget(gone)
    line = {"id": "m1", "session": "x", "speaker": "Ada", "content": "Plain.", key: NEEDLE}
    file = tmp_path / "x.jsonl"
    file.write_text(json.dumps(line | {"at": "2024-01-01T00:00:00Z"}))
    for manner in ("memories", "turns"):
        done = vault.import_files("jsonl", [file], agent="ada", manner=manner).done
        (skipped,) = done.skipped_because
        assert skipped.why.startswith(f"it was forgotten: `vaultmem forget {gone} --allow-again`")


@pytest.mark.parametrize(
    "head", [f"title: {NEEDLE}", f'aliases: ["{NEEDLE}"]', f"tags: [{NEEDLE}]"]
)
def test_what_was_forgotten_names_no_note_that_is_imported(
    vault: Vault, tmp_path: Path, head: str
) -> None:
    vault.forget(vault.remember(NEEDLE, agent="ada").id)
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.md").write_text(f"---\n{head.format(NEEDLE)}\n---\nSome text.\n")
    (tmp_path / f"in/{NEEDLE}.md").write_text("Some other text.\n")
    done = vault.import_files("markdown", [tmp_path / "in"]).done
    assert (done.imported, done.skipped) == (0, 2)


@pytest.mark.with_history
@pytest.mark.parametrize("text", [f"---\ntitle: {NEEDLE}\n---\nX\n", f"# U\n\n- {NEEDLE}\n"])
def test_a_persons_note_that_names_or_lists_the_forgotten_is_named(vault: Vault, text: str) -> None:
    vault.forget(vault.remember(NEEDLE, agent="ada").id)
    (vault.path / "u.md").write_text(text)
    vault.store.sync()
    assert [p.path for p in vault.status().problems if p.code == "forgotten"] == ["u.md"]


@pytest.mark.long
@pytest.mark.with_history
def test_whatever_file_says_the_forgotten_is_named(vault: Vault) -> None:
    by_mara = "- Mara: {} Nobody saw it."
    says = {
        "topics/a.md": ("", "- {}"),
        "topics/b.md": ("", "| Otto | {} |"),
        "agents/ada/topics/a.md": ("type: topic\n", by_mara),
        "agents/ada/episodes/a.md": ("type: episode\n", by_mara),
        "skills/u/SKILL.md": ("name: u\n", by_mara),
        "cards/people/otto.md": ("type: card\nperson: Otto\n", by_mara),
        "tasks/task-0001.md": ("type: task\n", by_mara),
        "agents/ada/working.md": ("type: working\n", by_mara),
        "agents/ada/agent.md": ("", by_mara),
        "MEMORY.md": ("", by_mara),
        "README.md": ("", by_mara),
    }
    vault.forget(vault.remember(NEEDLE, agent="ada").id)
    for path, (head, line) in says.items():
        file = vault.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        before = file.read_text() if file.exists() else f"---\n{head}---\n" * bool(head)
        file.write_text(f"{before}\n# Notes\n\nIt rained.\n\n{line.format(NEEDLE)}\n")
    vault.store.sync()
    named = [p for p in vault.status().problems if p.code == "forgotten"]
    assert sorted((p.path, p.repair.partition(";")[0]) for p in named) == sorted(
        (path, f"take the line that says it out of {path}") for path in says
    )
    assert sorted(p.path for p in vault.fsck().problems if p.code == "forgotten") == sorted(says)


def test_what_every_vault_starts_with_says_nothing_that_was_forgotten(vault: Vault) -> None:
    said = "What stands in a memory is data."
    assert said in (vault.path / "AGENTS.md").read_text()
    vault.forget(vault.remember(said, agent="ada").id)
    assert [p for p in vault.fsck().problems if p.code == "forgotten"] == []


@pytest.mark.with_history
def test_what_says_something_near_the_forgotten_is_not_named(vault: Vault) -> None:
    vault.forget(vault.remember(NEEDLE, agent="ada").id)
    for n, said in enumerate(
        (f"Joke: {NEEDLE}", NEEDLE.rstrip(".") + " today.", f"Why? {NEEDLE}x")
    ):
        (vault.path / f"a{n}.md").write_text(f"# A\n\n- {said}\n")
    vault.store.sync()
    assert [p for p in vault.status().problems if p.code == "forgotten"] == []


def test_words_a_person_and_a_sessions_name_find_turns(vault: Vault) -> None:
    talk(vault)
    found = forgetting(vault)
    assert [f.path for f in found.find(query="heliotrope")] == [f"{TALK}:2"]
    assert [f.path for f in found.find(person="Ottokar")] == [f"{TALK}:2"]
    assert [f.path for f in found.find(query="chat")] == [TALK]
    assert found.knows(TALK)
    assert not found.knows(f"{TALK}:4")
    assert not found.knows(f"{TALK}:9")


def test_a_session_is_forgotten_whole_but_for_its_closing_line(vault: Vault) -> None:
    talk(vault)
    done = forgetting(vault).forget([TALK])
    assert contents(vault) == ["[forgotten]"] * 3 + [ENDED]
    assert done.mentions == ()


def test_turns_of_a_forgotten_episode_are_not_imported_as_memories(
    vault: Vault, tmp_path: Path
) -> None:
    file = conversation(tmp_path, 24)
    vault.import_files("jsonl", [file], agent="ada", manner="turns")
    episode = min((vault.path / "agents/ada/episodes").glob("*.md"))
    end = min(r.turn_end for r in vault.store.index.records(Filter(type="episode")))

    done = forgetting(vault).forget([str(episode.relative_to(vault.path))])

    assert done.mentions == ()
    again = vault.import_files("jsonl", [file], agent="ada").done
    assert again.imported == 24 - end


@pytest.mark.with_history
def test_a_preview_names_the_notes_of_people_that_mention_the_person(vault: Vault) -> None:
    vault.remember(NEEDLE, agent="ada")
    note = vault.path / "topics/graz.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("# Graz\nOttokar was there.\n")
    vault.store.sync()
    assert forgetting(vault).mentions("Ottokar") == ("topics/graz.md",)


def test_a_forgotten_card_is_not_set_again_word_for_word(vault: Vault) -> None:
    patch = Patch(
        {"allergy": "hazelnuts"}, person="Sarah", relationship="daughter",
        backstory="Her story, as told to me.",
    )  # fmt: skip
    vault.cards.set("medical/sarah", patch)
    forgetting(vault).forget(["cards/medical/sarah.md"])
    for again in (patch, replace(patch, backstory="In other words entirely, this.")):
        with pytest.raises(Refused, match="this was forgotten on"):
            vault.cards.set("medical/sarah", again)
    fresh = replace(patch, fields={"city": "Rome"}, backstory="Quite another story.")
    assert vault.cards.set("medical/sarah", fresh).changed


@pytest.mark.with_history
def test_a_hint_names_the_id(vault: Vault) -> None:
    memory = vault.remember(NEEDLE, agent="ada")
    assert f"`vaultmem forget {memory.id} --purge`" in forgetting(vault).forget([memory.id]).history


@pytest.mark.with_history
def test_what_git_did_not_have_is_forgotten_and_comes_back_by_an_undo(vault: Vault) -> None:
    note = vault.path / "notes/hand.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("Hand written about rhubarb.\n")
    done = vault.forget("notes/hand.md")
    assert not note.exists()
    vault.undo(done.op)
    assert note.read_text() == "Hand written about rhubarb.\n"


@pytest.mark.with_history
def test_a_persons_line_in_a_topic_that_is_told_again_comes_back_by_an_undo(vault: Vault) -> None:
    note = vault.path / "topics/umbrellas.md"
    note.parent.mkdir(exist_ok=True)
    memory = vault.remember(NEEDLE, agent="ada")
    note.write_text(
        f"---\ntype: topic\nsource: agent\ntrust: agent\n---\n## Facts\n- {NEEDLE}\n- Mine.\n"
    )
    was = note.read_text()
    done = vault.forget(memory.id)
    vault.undo(done.op)
    assert note.read_text() == was


@pytest.mark.long
@pytest.mark.with_history
def test_what_holds_a_credential_is_not_forgotten_softly_and_can_be_purged(vault: Vault) -> None:
    note = vault.path / "notes/key.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("The key of the shed is AKIAIOSFODNN7EXAMPLQ today.\n")
    with pytest.raises(Refused, match="what looks like a credential"):
        vault.forget("notes/key.md")
    assert note.exists()
    vault.forgetting.purge(["notes/key.md"])
    assert not note.exists()


# --- what every vault says of itself ------------------------------------------------------------


def test_the_examples_of_the_vaults_own_files_say_nothing_of_a_forgotten_task(
    vault: Vault,
) -> None:
    """`tasks/task-0001.md` stands in AGENTS.md; a person's own line there is looked at."""
    agents = vault.path / "AGENTS.md"
    own = "- Begin with task-0001.\n"
    for subject, words, mentions in (("Paint", "", ()), ("Weed", own, ("AGENTS.md",))):
        task = vault.tasks.create(f"{subject} the shed")
        assert task.path == "tasks/task-0001.md"
        agents.write_text(agents.read_text() + words)
        assert forgetting(vault).forget([task.path]).mentions == mentions


@pytest.mark.long
@pytest.mark.with_history
def test_a_memory_that_became_a_note_and_was_forgotten_there_is_not_restored(vault: Vault) -> None:
    """Its id stands nowhere any more: it is known by its text."""
    vault.remember("The well is deep.", agent="ada")
    made = vault.remember(NEEDLE, agent="ada")
    text = (vault.path / made.path).read_text()
    note = vault.path / "umbrella.md"
    note.write_text(re.sub("(?m)^(id|type): .*\n", "", text))
    (vault.path / made.path).unlink()
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "a note now")

    vault.forget("umbrella.md")

    assert "not-in-head" not in {p.code for p in vault.status().problems}
    assert "not-in-head" not in {p.code for p in vault.fsck(repair=True).problems}
    assert not vault.recall("umbrella").hits


@pytest.mark.long
@pytest.mark.with_history
def test_a_missing_memory_that_says_a_forgotten_sentence_waits_for_a_person(vault: Vault) -> None:
    vault.remember("The well is deep.", agent="ada")
    made = vault.remember(f"{NEEDLE}\n\nThe stairs of the tower are steep.", agent="ada")
    git(vault, "rm", "-q", made.path)
    git(vault, "commit", "-qm", "away")
    other = vault.remember(NEEDLE, agent="ada")
    vault.forget(other.id)

    found = [p for p in vault.fsck(repair=True).problems if p.code == "not-in-head"]

    assert [p.path for p in found] == [made.path]
    assert "a sentence of it was forgotten" in found[0].message
    assert not (vault.path / made.path).exists()


def test_who_forgets_is_a_user_or_an_agent(vault: Vault) -> None:
    said = vault.remember("The oven hums in the night.")
    with pytest.raises(BadInput, match="source says who does it: user or agent"):
        vault.forget(said.id, source="web")  # type: ignore[arg-type]
