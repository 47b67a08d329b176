"""No way out of a vault tells what is hidden since, whatever file was made of it before.

Each scene says a thing in a session that has a compact, an experience and a working memory; then
the turn is hidden, and before any round the vault is asked in one of its ways.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Never

import pytest

from tests.summarizers import Silent
from vaultmem import Memory, Vault
from vaultmem.api import session_start
from vaultmem.api.agent_files.visible_files import VisibleFiles
from vaultmem.documents.bodies import Experience, markdown
from vaultmem.errors import ModelAway
from vaultmem.integrations.chat import prompt
from vaultmem.memory.experiences import Experiences
from vaultmem.memory.working.service import Workbench
from vaultmem.nlp.tasks import AnyTask
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.with_history

WORD = "Zebrowski"
HIDDEN = f"We decided to see Doctor {WORD} about the scan."
ASKED = "which doctor does Mara see about the scan?"
TALK = "agents/ada/sessions/talk.jsonl"
COMPACT = "agents/ada/sessions/talk.compact.md"
WORKING = "agents/ada/working.md"


@pytest.fixture
def talked(vault: Vault) -> Vault:
    """Return a vault in which a compact, an experience and a working memory tell of a turn."""
    for text in (HIDDEN, "We decided to paint the depot green.", "Anna sorts the folders."):
        vault.say("talk", text, agent="ada", speaker="Mara")
    vault.compact_session("talk", agent="ada")
    done = Experience("Find a doctor", "success", "By phone", HIDDEN)
    Experiences(vault.store, lambda: None).add(done, agent="ada", session="talk")
    Workbench(vault.store, "ada").change(lambda now: replace(now, goal=HIDDEN))
    vault.tick()
    return vault


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
