"""Turns become episodes and episodes topics, on disk: once, in order, a person's words kept."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.forked import at_once
from vaultmem import Vault
from vaultmem.documents.bodies import Claim, Episode, SessionCompact, Topic, markdown
from vaultmem.errors import ModelAway, Unusable
from vaultmem.memory.folding import files, held
from vaultmem.memory.folding.runner import Folding
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import (
    ClaimsTask,
    CompactTask,
    DistillTask,
    DreamTask,
    FoldTask,
    Made,
    Reflection,
    ReflectTask,
    Suggestion,
    Summary,
    Task,
)
from vaultmem.records import Record
from vaultmem.storage import journal
from vaultmem.storage.files import Root
from vaultmem.storage.index import Filter
from vaultmem.storage.journal import Intent

pytestmark = pytest.mark.without_history

TOLD = (
    "We decided to keep {n} hens in barn {n} because the fox comes at night.",
    "The red tractor number {n} broke down near the mill and Ben will fix it.",
)


class Model:
    """A model that puts offline answers into its name, and remembers what it was asked."""

    name = "model"

    def __init__(self) -> None:
        """Answer until *trouble* is set."""
        self.asked: list[FoldTask] = []
        self.trouble: Exception | None = None
        self.offline = Extractive()

    def episode(self, task: FoldTask) -> Made[Episode]:
        """Return the offline episode as a model's; raise the trouble there is."""
        self.asked.append(task)
        if self.trouble:
            raise self.trouble
        return Made(self.offline.episode(task).value, "model-1", "episode-1")

    def topics(self, task: DistillTask) -> Made[tuple[Topic, ...]]:
        """Return the offline topics."""
        return self.offline.topics(task)

    def compact(self, task: CompactTask) -> Made[SessionCompact]:
        """Return the offline compact."""
        return self.offline.compact(task)

    def summarize(self, task: Task) -> Summary:
        """Return the offline summary."""
        return self.offline.summarize(task)

    def claims(self, task: ClaimsTask) -> Made[tuple[Claim, ...]]:
        """Return the offline claims."""
        return self.offline.claims(task)

    def suggest(self, task: DreamTask) -> Made[tuple[Suggestion, ...]]:
        """Return the offline suggestions."""
        return self.offline.suggest(task)

    def reflect(self, task: ReflectTask) -> Made[Reflection]:
        """Return the offline reflection."""
        return self.offline.reflect(task)


class Forgetful(Model):
    """A model that leaves out of each topic what it knew of it."""

    def topics(self, task: DistillTask) -> Made[tuple[Topic, ...]]:
        """Return the offline topics of the episodes alone."""
        made = super().topics(task)
        known = {fact.text for topic in task.topics for fact in topic.facts}
        return replace(
            made,
            value=tuple(
                replace(it, facts=tuple(f for f in it.facts if f.text not in known))
                for it in made.value
            ),
        )


def turns(folder: Path, sessions: int, each: int = 4) -> Path:
    """Write *sessions* conversations of *each* messages."""
    path = folder / "turns.jsonl"
    lines = (
        {
            "id": n, "session": f"s{s:02}", "role": "user" if n % 2 == 0 else "assistant",
            "content": TOLD[n % 2].format(n=10 * s + n),
            "at": f"2026-11-{1 + s:02}T{10 + n // 60}:{n % 60:02}:00Z",
        }
        for s in range(sessions) for n in range(each)
    )  # fmt: skip
    path.write_text("".join(json.dumps(x) + "\n" for x in lines))
    return path


def bring(vault: Vault, sessions: int, each: int = 4) -> Folding:
    """Import conversations as turns; return what was folded."""
    path = turns(vault.path.parent, sessions, each)
    folded = vault.import_files("jsonl", [path], agent="ada", manner="turns").folded
    assert folded is not None
    return folded


def set_option(vault: Vault, line: str) -> None:
    """Set one option of the config."""
    path, key = vault.path / "config/memory_compaction.md", line.partition(":")[0]
    path.write_text(re.sub(rf"(?m)^{key}:.*$", line, path.read_text()))


def episodes(vault: Vault) -> list[Record]:
    """Return ada's episodes by session and range."""
    vault.store.sync()
    found = vault.store.index.records(Filter(type="episode"))
    return sorted(found, key=lambda e: (e.session, e.turn_start))


def ranges(vault: Vault) -> list[tuple[int, int]]:
    """Return the ranges of turns that episodes tell of."""
    return [(e.turn_start, e.turn_end) for e in episodes(vault)]


def topics(vault: Vault) -> list[Path]:
    """Return ada's topics."""
    return sorted((vault.path / "agents/ada/topics").glob("*.md"))


def test_an_imported_session_becomes_one_episode_with_its_source(vault: Vault) -> None:
    """Range, trust and time are those of its turns."""
    made = bring(vault, 1)
    only = episodes(vault)[0]
    assert made.episodes == (only.path,)
    assert (only.session, only.turn_start, only.turn_end) == ("s00", 1, 4)
    assert (only.created, only.trust) == ("2026-11-01T10:03:00Z", "agent")
    assert "[[agents/ada/sessions/s00.jsonl]]" in (vault.path / only.path).read_text()
    assert "hens" in only.body


def test_a_session_that_lasts_is_folded_turn_by_turn(vault: Vault) -> None:
    """The ten oldest of twenty-one, while nobody ended it; the rest at the end."""
    set_option(vault, "session_strategy: fold")
    for n in range(21):
        assert ranges(vault) == []
        vault.say("farm", TOLD[n % 2].format(n=n), agent="ada")
    assert ranges(vault) == [(1, 10)]
    vault.end_session("farm", agent="ada")
    assert ranges(vault) == [(1, 10), (11, 22)]
    assert all("session ended" not in e.body for e in episodes(vault))


def test_folding_twice_changes_nothing_the_second_time(vault: Vault) -> None:
    """Neither with force."""
    vault.say("farm", "We decided to keep hens.", agent="ada")
    assert vault.fold("ada").episodes == ()
    assert len(vault.fold("ada", force=True).episodes) == 1
    again = vault.fold("ada", force=True)
    assert (again.episodes, again.topics, again.op) == ((), (), "")
    assert again.reason == "no session has turns that are due"


@pytest.mark.long
def test_a_deleted_episode_is_told_again(vault: Vault) -> None:
    """The gap it left, and nothing else."""
    set_option(vault, "session_strategy: fold")
    for n in range(41):
        vault.say("farm", TOLD[n % 2].format(n=n), agent="ada")
    assert ranges(vault) == [(1, 10), (11, 20), (21, 30)]
    (vault.path / episodes(vault)[1].path).unlink()
    vault.fold("ada")
    assert ranges(vault) == [(1, 10), (11, 20), (21, 30)]
    assert vault.fsck().ok


@pytest.mark.long
def test_a_thousand_turns_at_once_are_cut_into_windows(vault: Vault) -> None:
    """No episode claims more turns than a window holds, and none is left out."""
    bring(vault, 1, 120)
    found = ranges(vault)
    assert (found[0][0], found[-1][1]) == (1, 120)
    assert all(b[0] == a[1] + 1 for a, b in pairwise(found))
    assert (
        max(last - first + 1 for first, last in found) <= vault.store.config().session_window_turns
    )


def test_a_turn_stays_said_when_folding_fails(vault: Vault) -> None:
    """Whoever spoke is not told that nothing was written."""
    set_option(vault, "session_strategy: fold")
    for n in range(20):
        vault.say("farm", TOLD[n % 2].format(n=n), agent="ada")
    episode = vault.path / "agents/ada/episodes"
    episode.write_text("a file in the way of the folder\n")
    assert vault.say("farm", "The last word.", agent="ada").turn == 21
    episode.unlink()
    vault.fold("ada")
    assert ranges(vault) == [(1, 10)]


# --- topics ---------------------------------------------------------------------------------------


@pytest.mark.long
def test_eight_episodes_distill_the_oldest_four_once(vault: Vault) -> None:
    """They are marked, and a second run finds nothing to do."""
    assert bring(vault, 7).topics == ()
    made = bring(vault, 8)
    assert made.topics
    marked = {e.path: e.distilled for e in episodes(vault) if e.distilled}
    assert [e.session for e in episodes(vault) if e.distilled] == ["s00", "s01", "s02", "s03"]
    assert vault.fold("ada").topics == ()
    assert bring(vault, 11).topics == ()
    assert bring(vault, 12).topics
    told = [e for e in episodes(vault) if e.distilled]
    assert [e.session for e in told] == [f"s{n:02}" for n in range(8)]
    assert marked.items() <= {e.path: e.distilled for e in told}.items()


@pytest.mark.long
def test_topics_name_the_episodes_they_come_from(vault: Vault) -> None:
    """In the frontmatter, for backlinks, and behind each bullet."""
    made = bring(vault, 8)
    told = {e.path.removesuffix(".md") for e in episodes(vault) if e.distilled}
    for path in made.topics:
        text = (vault.path / path).read_text()
        head, _, body = text[4:].partition("\n---\n")
        linked = set(re.findall(r"\[\[([^\]]+)\]\]", head))
        assert linked
        assert linked <= told
        assert "description:" in head
        assert all("[[" in line for line in body.splitlines() if line.startswith("- "))
    assert vault.fsck().ok


@pytest.mark.long
def test_a_topic_is_read_again_only_where_it_changed(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a long session, which distills many times, costs no square of what it is about."""
    read: list[tuple[str, str]] = []
    read_topic = markdown.read_topic

    def counting(body: str, slug: str, title: str, description: str) -> Topic:
        read.append((slug, body))
        return read_topic(body, slug, title, description)

    bread = vault.path / "agents/ada/topics/bread.md"
    bread.parent.mkdir(parents=True)
    bread.write_text("---\ntype: topic\ntitle: Bread\n---\n- Mara bakes it on Sundays.\n")
    set_option(vault, "distill_at_episodes: 40")
    bring(vault, 30)
    set_option(vault, "distill_at_episodes: 8")
    monkeypatch.setattr(markdown, "read_topic", counting)
    assert vault.fold("ada").topics
    assert "bread" in {slug for slug, _ in read}
    assert len(read) == len(set(read)) > len(topics(vault))


@pytest.mark.long
@pytest.mark.with_history
def test_a_long_fold_is_committed_part_by_part_and_undone_as_one(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of its steps asks what waits, so that must not grow with them."""
    monkeypatch.setattr("vaultmem.storage.writer.MANY", 2)
    set_option(vault, "distill_at_episodes: 40")
    bring(vault, 24)
    set_option(vault, "distill_at_episodes: 8")
    before = len(vault.log(None))
    done = vault.fold("ada")
    assert len(done.topics) == len(topics(vault)) > 0
    made = vault.log(None)[:-before]
    assert len(made) == 3, "of five steps"
    assert {entry.ops for entry in made} == {(done.op,)}
    vault.undo(done.op)
    assert topics(vault) == []
    assert not any(e.distilled for e in episodes(vault))
    assert vault.fsck().ok


@pytest.mark.long
@pytest.mark.with_history
def test_an_import_of_many_sessions_lets_no_more_wait_than_a_few_parts(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each write looks at all that waits: so neither turns nor episodes pile up until the end."""
    monkeypatch.setattr("vaultmem.storage.writer.MANY", 2)
    waited = list[int]()
    begin = journal.begin

    def counting(root: Root, todo: Intent) -> None:
        waited.append(len(journal.names(root)))
        begin(root, todo)

    monkeypatch.setattr(journal, "begin", counting)
    set_option(vault, "distill_at_episodes: 40")
    done = bring(vault, 6)
    assert len(waited) >= 12, "six sessions, six episodes"
    assert max(waited) == 1
    vault.undo(done.op)
    assert episodes(vault) == []
    assert vault.fsck().ok


@pytest.mark.long
def test_a_topic_that_many_episodes_feed_never_outgrows_its_frontmatter(vault: Vault) -> None:
    """The newest are linked there; each bullet keeps its own."""
    made = bring(vault, 8)
    path = vault.path / made.topics[0]
    many = " ".join(f"[[agents/ada/episodes/episode-{n:04}-{'x' * 40}]]" for n in range(400))
    text = path.read_text()
    first = next(line for line in text.splitlines() if line.startswith("- ") and "[[" in line)
    bullet = first.partition(" [[")[0]
    path.write_text(text.replace(first, f"{bullet} {many}"))
    for _ in range(2):
        bring(vault, 16)
    assert len([e for e in episodes(vault) if e.distilled]) >= 8
    assert vault.fsck().ok


@pytest.mark.long
def test_a_persons_prose_in_a_topic_survives_byte_for_byte(vault: Vault) -> None:
    """Also an odd heading, trailing spaces and an unknown key."""
    path = vault.path / bring(vault, 8).topics[0]
    mine = "\n## My own view\nHens are *clever*.  \n\n> never sell them\n"
    text = path.read_text().replace("type: topic\n", "type: topic\nmood: 'fond'  # of hens\n")
    path.write_text(text + mine)
    changed = bring(vault, 12).topics
    assert path.relative_to(vault.path).as_posix() in changed
    now = path.read_text()
    assert mine in now
    assert "mood: 'fond'  # of hens\n" in now
    assert now != text + mine


@pytest.mark.long
@pytest.mark.with_history
def test_a_topic_with_a_private_part_loses_no_word_of_its_facts(vault: Vault) -> None:
    """What a model makes of it otherwise is written beside it."""
    path = vault.path / bring(vault, 8).topics[0]
    told = path.read_text() + "\n<private>the key lies in the barn</private>\n"
    path.write_text(told.replace("## Facts\n", "## Facts\n- Quincy is the name of the fox.\n"))
    before = path.read_text()
    assert "Quincy" in before
    with Vault.open(vault.path, summarizer=Forgetful()) as other:
        made = bring(other, 12)
    assert made.topics
    assert path.relative_to(vault.path).as_posix() not in made.topics
    assert path.read_text() == before


@pytest.mark.long
def test_a_topic_with_crlf_keeps_its_line_ends(vault: Vault) -> None:
    """Somebody edited it with Notepad."""
    path = vault.path / bring(vault, 8).topics[0]
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert path.relative_to(vault.path).as_posix() in bring(vault, 12).topics
    data = path.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")


@pytest.mark.long
def test_a_topic_that_a_person_renamed_or_retitled_is_found_again(vault: Vault) -> None:
    """What comes later joins it instead of making a second one."""
    path = vault.path / bring(vault, 8).topics[0]
    before = len(topics(vault))
    renamed = path.with_name("what-i-call-it.md")
    path.rename(renamed)
    bring(vault, 12)
    assert len(topics(vault)) == before
    assert "updated:" in renamed.read_text()
    renamed.write_text(re.sub(r"(?m)^title: .*$", "title: Poultry", renamed.read_text()))
    bring(vault, 16)
    assert len(topics(vault)) == before
    assert "title: Poultry" in renamed.read_text()


# --- models ---------------------------------------------------------------------------------------


def test_what_was_told_while_the_model_was_away_is_told_again(folder: Path) -> None:
    """In its place, a person's lines kept; once it answers."""
    model = Model()
    model.trouble = ModelAway("model", "no answer")
    with Vault.open(folder, summarizer=model) as vault:
        bring(vault, 1)
        (first,) = episodes(vault)
        assert (first.degraded[:5], first.model) == ("away:", "extractive")
        path = vault.path / first.path
        path.write_text(path.read_text() + "Ann: the fox was a dog.\n")
        vault.store.sync()
        assert vault.fold("ada", redo_degraded=True).episodes == ()
        model.trouble = None
        assert vault.fold("ada", redo_degraded=True).episodes == (first.path,)
        (again,) = episodes(vault)
        assert (again.degraded, again.model, again.id) == ("", "model-1", first.id)
        assert again.body.endswith("Ann: the fox was a dog.\n")
        assert again.body.count("hens") == first.body.count("hens")
        assert vault.fold("ada", redo_degraded=True).episodes == ()


def test_a_round_asks_again_for_what_the_model_was_away_for_but_never_for_what_it_refused(
    folder: Path,
) -> None:
    """A model that came back and answers badly is asked once more, and then only when told to."""
    model = Model()
    model.trouble = ModelAway("model", "no answer")
    with Vault.open(folder, summarizer=model) as vault:
        bring(vault, 1)
        model.trouble = Unusable("it says nothing")
        asked = len(model.asked)
        vault.tick()
        assert len(model.asked) == asked + 2
        assert episodes(vault)[0].degraded.startswith("refused:")
        vault.tick()
        assert len(model.asked) == asked + 2
        model.trouble = None
        assert vault.fold("ada", redo_degraded=True).episodes
        assert episodes(vault)[0].degraded == ""


def test_the_model_is_asked_for_every_stretch_once(folder: Path) -> None:
    """Turn by turn: a call an episode, with the numbers of its turns."""
    model = Model()
    with Vault.open(folder, summarizer=model) as vault:
        set_option(vault, "session_strategy: fold")
        for n in range(31):
            vault.say("farm", TOLD[n % 2].format(n=n), agent="ada")
    assert [(t.first, len(t.turns)) for t in model.asked] == [(1, 10), (11, 10)]


class Meanwhile(Model):
    """A model during whose answer another process folds."""

    def __init__(self, path: Path) -> None:
        """Fold the vault at *path* the first time."""
        super().__init__()
        self.path = path

    def episode(self, task: FoldTask) -> Made[Episode]:
        """Let the other go first."""
        if not self.asked:
            with Vault.open(self.path, summarizer=Extractive()) as other:
                other.fold("ada", force=True)
        return super().episode(task)


def test_turns_that_another_process_told_of_meanwhile_are_left_to_it(folder: Path) -> None:
    """Each turn is told of once."""
    with Vault.open(folder, summarizer=Extractive()) as vault:
        vault.say("farm", "We decided to keep hens because of the eggs.", agent="ada")
    with Vault.open(folder, summarizer=Meanwhile(folder)) as vault:
        made = vault.fold("ada", force=True)
        assert (made.episodes, ranges(vault)) == ((), [(1, 1)])
        assert [e.model for e in episodes(vault)] == ["extractive"]


@pytest.mark.long
def test_two_processes_that_fold_at_once_tell_of_each_turn_once(vault: Vault) -> None:
    """Whatever their timing."""
    for s in range(6):
        for n in range(3):
            vault.say(f"s{s}", TOLD[n % 2].format(n=n), agent="ada")
    at_once("with Vault.open(path) as v: v.fold('ada', force=True)", vault.path, "1", "2")
    assert ranges(vault) == [(1, 3)] * 6
    assert len({e.path[:32] for e in episodes(vault)}) == 6
    assert vault.fsck().ok


def test_an_episode_is_due_as_soon_as_the_session_ended(vault: Vault) -> None:
    """And not before."""
    vault.say("farm", "We keep hens.", agent="ada")
    open_one = vault.session("farm", agent="ada").transcript
    assert not held.is_due(vault.store, open_one)
    vault.end_session("farm", agent="ada")
    assert ranges(vault) == [(1, 2)]


@pytest.mark.with_history
def test_the_commit_of_a_fold_counts_what_it_made(vault: Vault) -> None:
    """Its subject is what a person reads in the log."""
    for n in range(3):
        vault.say(f"s{n}", TOLD[0].format(n=n), agent="ada")
    vault.fold("ada", force=True)
    assert vault.log()[0].subject == "fold(ada): 3 episodes"


@pytest.mark.long
@pytest.mark.parametrize("strategy", ["auto", "fold"])
def test_folding_leaves_a_vault_that_fsck_finds_sound(vault: Vault, strategy: str) -> None:
    """With sessions of every length."""
    set_option(vault, f"session_strategy: {strategy}")
    bring(vault, 3, 57)
    assert vault.fsck().problems == ()


def test_pleasantries_are_no_episode_and_no_gap_before_one(vault: Vault) -> None:
    for role, text in (("user", "Hello Kevin."), ("assistant", "Hello! How can I help you today?")):
        vault.say("hi", text, role=role, agent="ada")
    vault.end_session("hi", agent="ada")
    assert vault.fold("ada", force=True).episodes == ()
    assert episodes(vault) == []
    vault.say("hi", "Hello, the boiler leaks again.", agent="ada")
    vault.end_session("hi", agent="ada")
    (it,) = episodes(vault)
    assert "boiler" in it.body
    assert vault.fsck().ok


def test_a_file_is_called_talk_where_ascii_cannot_hold_who_talked() -> None:
    """`and` and a day alone would name nothing."""
    assert files.path("ada", 4, "\u5c0f\u96e8 and \u963f\u6770, 2026-10-18").endswith(
        "/episode-0004-talk-2026-10-18.md"
    )
    assert files.path("ada", 5, "Ann and Joe, 2026-10-18").endswith("-ann-and-joe-2026-10-18.md")
