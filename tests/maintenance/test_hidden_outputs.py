"""No way out of a vault tells what is hidden since, whatever file was made of it before.

Each scene says a thing in a session that has a compact, an experience, a working memory, a card
and a topic; then the turn is hidden, and before any round the vault is asked in one of its ways.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Never

import pytest

from tests.cli.test_forget import called
from tests.conftest import Prepared
from tests.summarizers import Silent
from vaultmem import Memory, Vault
from vaultmem.api import session_start
from vaultmem.api.agent_files.visible_files import VisibleFiles
from vaultmem.documents.bodies import Experience, markdown
from vaultmem.errors import HeldBack, ModelAway
from vaultmem.integrations.chat import prompt
from vaultmem.knowledge.cards.types import Claim
from vaultmem.memory.experiences import Experiences
from vaultmem.memory.working.service import Workbench
from vaultmem.nlp.tasks import AnyTask
from vaultmem.storage.index import Filter, catalog

pytestmark = pytest.mark.with_history

WORD = "Zebrowski"
HIDDEN = f"We decided to see Doctor {WORD} about the scan."
ASKED = "which doctor does Mara see about the scan?"
TALK = "agents/ada/sessions/talk.jsonl"
COMPACT = "agents/ada/sessions/talk.compact.md"
WORKING = "agents/ada/working.md"
CARD = "medical/scan"
TOPIC = "topics/scan.md"


def talk(vault: Vault) -> None:
    """Let whatever is made of a turn tell of it."""
    for text in (HIDDEN, "We decided to paint the depot green.", "Anna sorts the folders."):
        vault.say("talk", text, agent="ada", speaker="Mara")
    vault.compact_session("talk", agent="ada")
    done = Experience("Find a doctor", "success", "By phone", HIDDEN)
    Experiences(vault.store, lambda: None).add(done, agent="ada", session="talk")
    Workbench(vault.store, "ada").change(lambda now: replace(now, goal=HIDDEN))
    drawn = Claim(
        "Mara", "user", "medical", "scan", "doctor", f"Doctor {WORD}", HIDDEN, "user",
        "2025-06-01", TALK,
    )  # fmt: skip
    vault.cards.take([drawn])
    topic = vault.path / TOPIC
    topic.parent.mkdir(exist_ok=True)
    topic.write_text(
        f"---\ntype: topic\ntitle: Scan\nkind: project\ndescription: {HIDDEN}\n"
        f"sources:\n  - '[[{TALK}]]'\n---\n- {HIDDEN}\n"
    )
    vault.tick()


@pytest.fixture
def talked(prepared: Prepared) -> Vault:
    """Return a vault in which whatever is made of a turn tells of it."""
    return prepared(talk)


def hide(vault: Vault) -> None:
    """Mark the turn as private."""
    file = vault.path / TALK
    file.write_text(file.read_text().replace(HIDDEN, f"A note. <private>{HIDDEN}</private>"))


def experience(vault: Vault) -> str:
    """Return what is shown of the experience."""
    (found,) = vault.store.index.records(Filter(type="episode", outcome="success"))
    return VisibleFiles(vault.store).page(found.path).text


WAYS: dict[str, Callable[[Vault], str]] = {
    "a session's compact": lambda v: repr(v.session("talk", agent="ada").compact),
    "sessions": lambda v: repr([it.compact for it in v.sessions("ada")]),
    "a compact for a system prompt": lambda v: v.sessions.restore("talk", agent="ada"),
    "a compact for a message": lambda v: v.sessions.restore("talk", agent="ada", as_="message"),
    "a compact made anew": lambda v: markdown.render_compact(
        v.compact_session("talk", agent="ada")[0].made.value
    ),
    "what a chat is told of earlier": lambda v: prompt.earlier(
        v.start_session("talk", agent="ada"), set(), 5
    ),
    "a system prompt": lambda v: Memory(v, agent="ada", session="talk").system_prompt(),
    "a built context": lambda v: Memory(v, agent="ada", session="talk").build_context(ASKED).text,
    "a context": lambda v: v.context(ASKED, agent="ada").text,
    "recall": lambda v: repr(v.recall(ASKED, k=20).hits),
    "a session that starts": lambda v: session_start.text(v.path, agent="ada"),
    "a session that goes on": lambda v: session_start.text(v.path, agent="ada", session="talk"),
    "the file of the compact": lambda v: VisibleFiles(v.store).page(COMPACT).text,
    "the file of the working memory": lambda v: VisibleFiles(v.store).page(WORKING).text,
    "the working memory": lambda v: repr(Workbench(v.store, "ada").read()),
    "an experience": experience,
}


@pytest.mark.parametrize("way", WAYS)
def test_what_a_turn_hides_since_is_not_told_by(talked: Vault, way: str) -> None:
    assert WORD in WAYS[way](talked)
    hide(talked)
    with Vault.open(talked.path) as again:
        assert WORD not in WAYS[way](again)


COMMANDS = (
    "session show talk --agent ada",
    "session restore talk --agent ada",
    "session start talk --agent ada",
    "working show --agent ada",
    "--json card list",
    f"card get {CARD}",
    f"--json card get {CARD}",
    f"--json card set {CARD} --field city=Linz --source user",
    "card export",
    "card export --mode json",
    "--json topic list",
    "topic get Scan",
    f"topic get {TOPIC}",
    "topic export {out}",
    "export claude-code {out}",
    "export json {out}/lines.jsonl",
    "export okf {out}",
    "export basic-memory {out}",
    "export folded talk {out}/folded.json --agent ada",
    f"show cards/{CARD}.md",
    f"show {TOPIC}",
    f"show {COMPACT}",
    f"show {WORKING}",
    "show MEMORY.md",
    f"why {TOPIC}",
    f"why cards/{CARD}.md",
    "log",
    "recall scan --agent ada",
    "context scan --agent ada",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_turn_hides_since_is_not_printed_by(
    talked: Vault, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """Nor written to the files that it exports."""

    def printed(out: Path) -> str:
        out.mkdir()
        found = called(capsys, talked.path, *command.format(out=out).split())
        return "\n".join([repr(found), *(file.read_text() for file in out.rglob("*.*"))])

    assert WORD in printed(tmp_path / "before")
    hide(talked)
    assert WORD not in printed(tmp_path / "after")


@pytest.mark.parametrize("path", [COMPACT, TOPIC, f"cards/{CARD}.md"])
def test_who_lives_reads_no_line_of_a_file_that_its_source_hides_a_moment_ago(
    talked: Vault, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Though it looks at the whole vault now and then: at what the file was made from it does."""
    monkeypatch.setattr(catalog, "_SHARE", 1_000_000)
    seen = VisibleFiles(talked.store)
    talked.recall(ASKED)
    assert WORD in seen.page(path).text
    file = talked.path / TALK
    text = file.read_text().replace(HIDDEN, f"A note. <private>{HIDDEN}</private>")
    with file.open("r+") as in_place:
        in_place.write(text)
    assert WORD not in seen.page(path).text


def test_who_lives_gets_no_card_with_what_its_source_hides_a_moment_ago(
    talked: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "_SHARE", 1_000_000)
    talked.recall(ASKED)
    assert WORD in repr(talked.cards.get(CARD))
    file = talked.path / TALK
    text = file.read_text().replace(HIDDEN, f"A note. <private>{HIDDEN}</private>")
    with file.open("r+") as in_place:
        in_place.write(text)
    assert WORD not in repr(talked.cards.get(CARD))


def test_the_next_compact_is_made_without_what_a_turn_hides_since(talked: Vault) -> None:
    """Nor does a model that makes it get to know it, nor the file have it again."""
    asked: list[str] = []

    class Listening(Silent):
        def say(self, task: AnyTask) -> Never:
            asked.append(repr(task))
            raise ModelAway(self.name, "no answer")

    hide(talked)
    with Vault.open(talked.path, summarizer=Listening()) as again:
        again.say("talk", "We decided to keep the old gate.", agent="ada", speaker="Mara")
        again.compact_session("talk", agent="ada")
    assert asked
    assert WORD not in "\n".join(asked)
    assert WORD not in (talked.path / COMPACT).read_text()


@pytest.mark.long
def test_a_persons_line_of_a_compact_that_is_not_told_stays_in_the_next_one(talked: Vault) -> None:
    own = f"Ask Doctor {WORD} about the scan again.\n"
    file = talked.path / COMPACT
    file.write_text(file.read_text().replace("## Task\n", f"## Task\n{own}"))
    hide(talked)
    with Vault.open(talked.path) as again:
        assert WORD not in again.sessions.restore("talk", agent="ada")
        again.say("talk", "We decided to keep the old gate.", agent="ada", speaker="Mara")
        again.compact_session("talk", agent="ada")
        assert WORD not in again.sessions.restore("talk", agent="ada")
    assert [line for line in file.read_text().splitlines(keepends=True) if WORD in line] == [own]


@pytest.mark.long
def test_a_compact_tells_up_to_which_turn_it_tells_whatever_a_turn_hides(talked: Vault) -> None:
    """It is no word of a turn's, though `come` begins as `compacted` does."""
    talked.say("talk", "Lena wants to come to the depot.", agent="ada", speaker="Mara")
    talked.compact_session("talk", agent="ada")
    file = talked.path / TALK
    file.write_text(file.read_text().replace("wants to come", "<private>wants to come</private>"))
    with Vault.open(talked.path) as again:
        again.tick()
        found = again.session("talk", agent="ada").compact
        assert found
        assert found.compacted_at_turn == 4


@pytest.mark.parametrize("path", [COMPACT, WORKING, TOPIC, f"cards/{CARD}.md"])
def test_a_draft_has_marks_for_what_a_turn_hides_since_and_saving_keeps_the_lines(
    talked: Vault, path: str
) -> None:
    file = talked.path / path
    before = file.read_text()
    hide(talked)
    with Vault.open(talked.path) as again:
        draft = again.edits.draft(path)
        assert WORD not in draft.text
        again.edits.save(draft, f"{draft.text}The depot is green.\n")
    assert file.read_text() == f"{before}The depot is green.\n"


def test_a_draft_whose_marks_stand_for_what_is_told_again_saves_the_lines(talked: Vault) -> None:
    file, turns = talked.path / TOPIC, (talked.path / TALK).read_text()
    before = file.read_text()
    hide(talked)
    with Vault.open(talked.path) as again:
        draft = again.edits.draft(TOPIC)
    (talked.path / TALK).write_text(turns)
    with Vault.open(talked.path) as again:
        again.edits.save(draft, f"{draft.text}- More.\n")
    assert file.read_text() == f"{before}- More.\n"


def test_a_draft_that_lost_the_mark_of_a_withheld_line_is_not_saved(talked: Vault) -> None:
    hide(talked)
    with Vault.open(talked.path) as again:
        draft = again.edits.draft(TOPIC)
        kept = [x for x in draft.text.splitlines(keepends=True) if "private line" not in x]
        with pytest.raises(HeldBack):
            again.edits.save(draft, "".join(kept))
