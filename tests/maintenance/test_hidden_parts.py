"""What a person hides by `<private>` is told no more, nor what was made of it before."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Never

import pytest

from tests.conftest import Prepared
from tests.summarizers import Silent
from vaultmem import Vault
from vaultmem.api import session_start
from vaultmem.errors import ModelAway
from vaultmem.nlp.tasks import AnyTask
from vaultmem.storage import hidden_texts, hidden_words

pytestmark = pytest.mark.with_history

DAYS = ("The depot opens at nine.", "Tom repaired the boiler.", "Anna bought the garage.")
"""What else is remembered."""


def tell(vault: Vault) -> None:
    """Let a summary tell of the therapist."""
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("immediate_window: 64", "immediate_window: 1"))
    for text in ("The therapist of Mara is Dr. Zebrowski in Linz.", *DAYS):
        vault.remember(text, agent="ada", source="user")
    vault.compact("ada", force=True)
    vault.tick()


@pytest.fixture
def told(prepared: Prepared) -> Vault:
    """Return a vault in which a summary tells of the therapist."""
    return prepared(tell)


def hide(file: Path, words: str) -> None:
    """Mark *words* as private in *file*."""
    text = file.read_text()
    assert words in text
    file.write_text(text.replace(words, f"<private>{words}</private>"))


def raw(vault: Vault) -> Path:
    """Return the file of the memory that names the therapist."""
    return next(vault.path.glob("agents/ada/memories/*/*/*therapist*.md"))


def saying(vault: Vault, word: str) -> set[str]:
    """Return the names of the Markdown files that say *word*."""
    files = (p for p in vault.path.rglob("*.md") if ".git" not in p.parts)
    return {p.name for p in files if word in p.read_text()}


def shown(vault: Vault) -> str:
    """Return what leaves a vault when it is asked for the therapist, and its pages."""
    hits = (h.snippet for h in vault.recall("therapist of Mara", k=20).hits)
    context = vault.context("who is the therapist of Mara?", agent="ada").text
    made = [*vault.path.glob("agents/ada/summaries/*.md"), vault.path / "MEMORY.md"]
    store = vault.store
    pages = ((store.texts.read(str(p.relative_to(vault.path))) or b"").decode() for p in made)
    return "\n".join((*hits, context, *pages))


def test_a_summary_does_not_tell_what_its_memory_hides_since(told: Vault) -> None:
    assert "Zebrowski" in shown(told)
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        assert "Zebrowski" not in shown(again)
        assert "depot" in shown(again)


@pytest.mark.long
def test_a_round_takes_it_out_of_what_was_made_of_the_memory(told: Vault) -> None:
    assert len(saying(told, "Zebrowski")) > 1
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        named = {p.path for p in again.status().problems if p.code == "withheld"}
        assert {Path(path).name for path in named} == saying(again, "Zebrowski") - {raw(again).name}
        again.tick()
        assert saying(again, "Zebrowski") == {raw(again).name}
        assert "depot" in shown(again)
        assert not [p for p in again.status().problems if p.code == "withheld"]
        assert [p.code for p in again.fsck().problems] == ["edited"]


TALK = "agents/ada/sessions/talk.jsonl"


def talk(vault: Vault) -> None:
    """Let an episode and a card tell of a talk."""
    doctor = "My doctor is Dr. Zebrastein. My wife is called Zebrina."
    for text in (doctor, *(f"Please sort folder {n} of the depot." for n in range(3))):
        vault.say("talk", text, agent="ada")
    vault.end_session("talk", agent="ada")
    vault.tick()


@pytest.fixture
def talked(prepared: Prepared) -> Vault:
    """Return a vault in which an episode and a card tell of a talk."""
    return prepared(talk)


@pytest.mark.long
def test_an_episode_and_a_card_do_not_tell_what_a_turn_hides_since(talked: Vault) -> None:
    assert "Zebrastein" in talked.context("doctor", agent="ada").text
    hide(talked.path / TALK, "Dr. Zebrastein")
    with Vault.open(talked.path) as again:
        assert "Zebrastein" not in again.context("doctor", agent="ada").text
        assert not [h for h in again.recall("doctor", k=20).hits if "Zebrastein" in h.snippet]
        again.tick()
        assert saying(again, "Zebrastein") == set()
        assert "Zebrina" in again.context("wife", agent="ada").text


@pytest.mark.long
def test_the_name_of_an_episode_that_tells_what_a_turn_hides_is_said(vault: Vault) -> None:
    for n in range(4):
        vault.say("talk", f"Please sort leukaemia {n} of the depot.", agent="ada")
    vault.end_session("talk", agent="ada")
    vault.tick()
    (episode,) = vault.path.glob("agents/ada/episodes/*.md")
    assert "leukaemia" in episode.name
    hide(vault.path / TALK, "leukaemia")
    with Vault.open(vault.path) as again:
        again.tick()
        named = [p for p in again.status().problems if p.code == "withheld"]
    assert [Path(p.path).name for p in named if "its name says" in p.message] == [episode.name]


def test_a_transcript_that_hides_turns_is_not_named_as_cut(talked: Vault) -> None:
    hide(talked.path / TALK, "Dr. Zebrastein")
    with Vault.open(talked.path) as again:
        (named,) = [p for p in again.status().problems if p.path == TALK]
    assert named.code == "private"
    assert "git checkout" not in named.repair


PARTS = (
    ("奥托得了艾滋病。他在林茨住院。", "艾滋病", "艾滋病"),
    ("王小明的密码是芝麻开门。不要告诉别人。", "王小明的密码是芝麻开门", "芝麻"),
    ("オットーはエイズと診断されました。", "エイズ", "エイズ"),
    ("อ็อตโตเป็นโรคเอดส์และนอนโรงพยาบาล", "โรคเอดส์", "โรคเอดส์"),
    ("오토는 백혈병을 앓고 있다.", "백혈병", "백혈병"),
    ("The clinic is Quirin and Bo weighs 93kg.", "93", "weighs 93kg"),
    ("The cat of Bo is called Sesameling.", "Sesame", "called Sesame"),
    ("Otto has preleukaemia in June.", "leukaemia in June", "has preleukaemia"),
)


@pytest.mark.long
@pytest.mark.parametrize(("text", "part", "told"), PARTS)
def test_a_part_of_a_word_and_of_a_text_without_blanks_is_hidden(
    vault: Vault, text: str, part: str, told: str
) -> None:
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("immediate_window: 64", "immediate_window: 1"))
    raw = vault.path / vault.remember(text, agent="ada", source="user").path
    for other in DAYS:
        vault.remember(other, agent="ada", source="user")
    vault.compact("ada", force=True)
    vault.tick()
    assert len(saying(vault, told)) > 1
    hide(raw, part)
    with Vault.open(vault.path) as again:
        assert told not in shown(again)
        again.tick()
        assert saying(again, told) <= {raw.name}
        assert "depot" in shown(again)


def test_a_word_of_two_signs_that_all_may_read_stays() -> None:
    hidden = hidden_words.of(["奥托的密码是芝麻开门"]).without("他的密码很长")
    assert not hidden.says("密码很长")
    assert hidden.says("芝麻")


def test_what_another_memory_says_of_the_words_is_told_and_not_what_is_hidden(told: Vault) -> None:
    told.remember("Dr. Zebrowski wrote a book on herons.", agent="ada", source="user")
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        assert "Zebrowski wrote a book" in shown(again)
        assert "Zebrowski in Linz" not in shown(again)


WORD = "Dr. Zebrowski wrote a book on herons."


def say_in_a_tools_turn(vault: Vault) -> None:
    vault.say("talk", WORD, agent="ada", role="tool", tool="Bash")


def say_on_a_page(vault: Vault) -> None:
    vault.remember(WORD, agent="ada", source="web")


def say_in_an_answer(vault: Vault) -> None:
    (vault.path / "inbox/ask.md").write_text(f"@recall therapist\n\n> {WORD}\n")


def say_in_a_conflict(vault: Vault) -> None:
    note = "---\ntype: conflict\n---\n- [ ] doctor: Dr. Zebrowski (web, 2026-11-20)\n"
    (vault.path / "inbox/card-mara.md").write_text(note)


def say_in_an_instruction(vault: Vault) -> None:
    readme = vault.path / "AGENTS.md"
    readme.write_text(f"{readme.read_text()}\n{WORD}\n")


@pytest.mark.parametrize(
    "say",
    [
        say_in_a_tools_turn,
        say_on_a_page,
        say_in_an_answer,
        say_in_a_conflict,
        say_in_an_instruction,
    ],
)
def test_what_nobody_vouches_for_makes_nothing_public(
    told: Vault, say: Callable[[Vault], None]
) -> None:
    say(told)
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        again.tick()
        assert "Zebrowski" not in shown(again)


def test_a_conflict_between_claims_does_not_tell_what_is_hidden(told: Vault) -> None:
    say_in_a_conflict(told)
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        again.tick()
        assert "Zebrowski" not in (again.store.texts.read("inbox/card-mara.md") or b"").decode()


@pytest.mark.long
def test_words_that_a_later_turn_says_to_all_give_nothing_away_by_themselves(told: Vault) -> None:
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        assert "Zebrowski" not in shown(again)
        again.say("talk", "Dr. Zebrowski wrote a book on herons.", agent="ada")
    with Vault.open(told.path) as again:
        assert "Zebrowski in Linz" not in shown(again)
        assert not hidden_texts.known(again.store.index).says("Dr. Zebrowski")


def test_the_index_has_nothing_in_doubt_once_a_turn_is_hidden(talked: Vault) -> None:
    hide(talked.path / TALK, "Dr. Zebrastein")
    with Vault.open(talked.path) as again:
        again.recall("doctor")
    index = sqlite3.connect(talked.path / ".vaultmem/index/catalog.sqlite3")
    assert index.execute("SELECT * FROM doubted").fetchall() == []


def test_what_is_shown_again_is_told_again(told: Vault) -> None:
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        assert "Zebrowski" not in shown(again)
    file = raw(told)
    file.write_text(file.read_text().replace("<private>", "").replace("</private>", ""))
    with Vault.open(told.path) as again:
        assert "Zebrowski" in shown(again)


def test_what_a_round_took_out_does_not_come_back_and_status_says_so(told: Vault) -> None:
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        named = [p for p in again.status().problems if p.code == "withheld"]
        assert named
        assert all("do not come back with the mark gone" in p.repair for p in named)
        again.tick()
    file = raw(told)
    file.write_text(file.read_text().replace("<private>", "").replace("</private>", ""))
    with Vault.open(told.path) as again:
        again.tick()
        summaries = again.path.glob("agents/ada/summaries/*.md")
        assert not [p for p in summaries if "Zebrowski" in p.read_text()]


def test_no_file_of_the_program_keeps_what_is_hidden(told: Vault) -> None:
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        again.tick()
        again.wait()
    index = told.path / ".vaultmem/index/catalog.sqlite3"
    words = sqlite3.connect(index).execute("SELECT group_concat(body) FROM bodies").fetchone()
    assert "Zebrowski" not in str(words)


def test_what_was_worked_out_of_a_text_keeps_no_word_that_is_hidden(told: Vault) -> None:
    def terms() -> set[str]:
        index = told.path / ".vaultmem/index/catalog.sqlite3"
        return {it for (it,) in sqlite3.connect(index).execute("SELECT term FROM facet_terms")}

    told.dreams.plan()
    known = terms()
    assert "zebrowski" in known
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        again.store.sync()
        assert "zebrowski" not in terms()
        assert {"depot", "boiler"} <= known & terms()
        again.tick()
        again.dreams.plan()
        assert "zebrowski" not in terms()


def test_what_git_has_of_a_hidden_part_is_said(told: Vault) -> None:
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        again.tick()
        (named,) = [p for p in again.status().problems if p.code == "private"]
    assert named.message.endswith("which nobody is shown")
    assert "--purge" in named.repair


def test_a_part_that_others_tell_is_not_said_to_be_shown_to_nobody(told: Vault) -> None:
    told.remember("Dr. Zebrowski wrote a book on herons.", agent="ada", source="user")
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        (named,) = [p for p in again.status().problems if p.code == "private"]
    assert named.message.endswith("whose words other files tell all the same")


def test_nothing_hidden_goes_to_a_model(told: Vault) -> None:
    hide(raw(told), "Dr. Zebrowski")
    asked: list[str] = []

    class Listening(Silent):
        def say(self, task: AnyTask) -> Never:
            asked.append(repr(task))
            raise ModelAway(self.name, "no answer")

    with Vault.open(told.path, summarizer=Listening()) as again:
        for n in range(6):
            again.remember(f"The depot number {n} has gates of iron.", agent="ada", source="user")
        again.compact("ada", force=True)
    assert asked
    assert "Zebrowski" not in "\n".join(asked)


def test_the_past_does_not_tell_of_a_summary_what_is_hidden_now(told: Vault) -> None:
    def past(vault: Vault) -> list[str]:
        hits = vault.recall("therapist of Mara", k=20, as_of="2100-01-01").hits
        return [h.path for h in hits if "Zebrowski" in h.snippet and "/summaries/" in h.path]

    assert past(told)
    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        assert not past(again)


def test_a_session_that_starts_is_not_told_it(told: Vault) -> None:
    assert "Zebrowski" in session_start.text(told.path, agent="ada")
    hide(raw(told), "Dr. Zebrowski")
    told.close()
    assert "Zebrowski" not in session_start.text(told.path, agent="ada")


def test_what_is_shown_of_the_history_does_not_tell_it(told: Vault) -> None:
    def history(vault: Vault) -> str:
        steps = [it.subject for it in vault.history.log()]
        origins = [it.text for it in vault.why(raw(vault).stem).chain]
        return "\n".join((*steps, *origins, vault.history.diff()))

    hide(raw(told), "Dr. Zebrowski")
    with Vault.open(told.path) as again:
        assert "Zebrowski" not in history(again)


@pytest.mark.parametrize("part", ["in Linz since 20 November 2026", "user said", "Linz"])
def test_what_the_program_writes_around_a_text_gives_nothing_away(told: Vault, part: str) -> None:
    file = raw(told)
    file.write_text(f"{file.read_text()}\n<private>{part}</private>\n")
    with Vault.open(told.path) as again:
        again.tick()
        assert "depot" in shown(again)
        assert not [p for p in again.fsck().problems if p.code not in {"edited", "private"}]
