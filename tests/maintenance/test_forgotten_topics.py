"""Of a topic a line goes with the turn that it was made of, though its episode stays, told anew."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable

import pytest

from tests.conftest import Prepared
from vaultmem import Vault, config
from vaultmem.maintenance.forgetting import Forgetting
from vaultmem.maintenance.forgetting.purge import Permit
from vaultmem.storage.plan import Change, Plan

BOILER = "We decided on the Zorbo boiler, because the Yilda needs a new flue."
LENA = "My sister Lena lives in Linz with two cats."
PARQUET = "We decided on Parquet, because pandas reads it."
TEA = "I prefer tea over coffee in the morning."
TALK = "agents/ada/sessions/x.jsonl"
FLOWERS = "topics/flowers.md"
SMALL = {"topics": "small", "episodes": "little"}


def hear(vault: Vault) -> None:
    """Let topics be made of the episodes of three sessions."""
    settings = vault.path / config.PATH
    text = settings.read_text()
    for name, value in {"distill_at_episodes": 3, "distill_episodes": 2}.items():
        text = re.sub(rf"(?m)^{name}: .*$", f"{name}: {value}", text)
    settings.write_text(text)
    vault.tick()
    for session, turns in {"x": (BOILER, LENA), "y": (PARQUET,), "z": (TEA,)}.items():
        for turn in turns:
            vault.say(session, turn, agent="ada", speaker="Mara")
        vault.end_session(session, agent="ada")
    vault.fold("ada", force=True)
    assert "the Yilda needs a new flue" in told(vault), "the scene is void"
    assert LENA in told(vault), "the scene is void"


@pytest.fixture
def heard(prepared: Prepared) -> Vault:
    """Return a vault whose topics were made of the episodes of three sessions."""
    return prepared(hear)


def told(vault: Vault) -> str:
    """Return what the topics of the agent say."""
    return "\n".join(p.read_text() for p in sorted(vault.path.glob("agents/ada/topics/*.md")))


def forgetting(vault: Vault) -> Forgetting:
    return Forgetting(vault.store, vault.summarizer)


def git(vault: Vault, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=vault.path, capture_output=True, check=True)
    return done.stdout.decode()


@pytest.mark.long
def test_a_decision_goes_with_its_reason_when_its_turn_is_forgotten_and_the_rest_stays(
    heard: Vault,
) -> None:
    done = forgetting(heard).forget([f"{TALK}:1"])
    assert done.mentions == ()
    assert not re.search("Zorbo|Yilda", told(heard))
    assert LENA in told(heard)
    assert "pandas reads it" in told(heard)
    heard.undo(done.op)
    assert "the Yilda needs a new flue" in told(heard)


def amend(vault: Vault) -> None:
    """Reword the newest commit."""
    git(vault, "commit", "-q", "--amend", "-m", "my words")


def squash(vault: Vault) -> None:
    """Make one commit of all but the first."""
    first = git(vault, "rev-list", "--max-parents=0", "HEAD").strip()
    git(vault, "reset", "-q", "--soft", first)
    git(vault, "commit", "-qm", "all of it")


@pytest.mark.long
@pytest.mark.parametrize("reword", [amend, squash])
def test_what_a_topic_quotes_goes_with_its_turn_though_a_person_reworded_the_commit(
    heard: Vault, reword: Callable[[Vault], None]
) -> None:
    """And what is left of the topic leads to the episode by the name that it has now."""
    reword(heard)
    assert "Vaultmem-Op" not in git(heard, "log", "-1", "--format=%B", "--", "agents/ada/topics")
    done = forgetting(heard).forget([f"{TALK}:1"])
    assert done.mentions == ()
    assert not re.search("(?i)zorbo|yilda", told(heard))
    (episode,) = heard.path.glob("agents/ada/episodes/episode-0001-*.md")
    assert f'{LENA}" ([[agents/ada/episodes/{episode.stem}]])' in told(heard)


@pytest.mark.long
@pytest.mark.parametrize("reword", [amend, squash])
def test_what_a_topic_quotes_goes_when_its_turn_is_marked_though_a_person_reworded_the_commit(
    heard: Vault, reword: Callable[[Vault], None]
) -> None:
    """As what is private; what a person says of it there stays."""
    topic = next(p for p in heard.path.glob("agents/ada/topics/*.md") if LENA in p.read_text())
    reword(heard)
    link = topic.read_text().rpartition(" (")[2]
    topic.write_text(f"{topic.read_text()}- Ask Lena, who lives in Linz with two cats ({link}")
    talk = heard.path / TALK
    talk.write_text(talk.read_text().replace(LENA, f"A note. <private>{LENA}</private>"))
    heard.tick()
    heard.tick()
    assert LENA not in told(heard)
    assert "- Ask Lena, who lives in Linz" in told(heard)


def named(vault: Vault) -> list[str]:
    """Return the files that `fsck` and `status` name as what was forgotten."""
    found = [it.path for it in vault.fsck().problems if it.code == "forgotten"]
    assert [it.path for it in vault.status().problems if it.code == "forgotten"] == found
    return found


@pytest.mark.long
def test_what_a_person_reworded_stays_and_is_named_until_they_change_it(heard: Vault) -> None:
    """In a topic and in the episode that it was made of, which has another name by then."""
    for file in heard.path.glob("agents/ada/*/*.md"):
        text, own = file.read_text(), f"on the {SMALL[file.parent.name]} Zorbo boiler"
        file.write_text(text.replace("on the Zorbo boiler", own))
    git(heard, "commit", "-qam", "it is small")
    done = forgetting(heard).forget([f"{TALK}:1"])
    files = sorted(p for p in heard.path.glob("agents/ada/*/*.md") if "Zorbo" in p.read_text())
    assert [file.parent.name for file in files] == ["episodes", "topics"]
    assert [*done.mentions] == [p.relative_to(heard.path).as_posix() for p in files]
    assert named(heard) == [*done.mentions]
    for file in files:
        own = f"the {SMALL[file.parent.name]} Zorbo boiler"
        file.write_text(file.read_text().replace(own, "something"))
    assert named(heard) == []


@pytest.mark.long
def test_a_share_that_a_person_reworded_is_named_until_its_memory_is_allowed_again(
    vault: Vault,
) -> None:
    """Not so a line that says something else."""
    made = vault.remember(TEA, agent="ada")
    file = vault.path / vault.shares.share(made.id).path
    text = file.read_text().replace("in the morning", "in the early morning")
    file.write_text(f"{text}- The kettle is green\n")
    git(vault, "commit", "-qam", "early")
    vault.tick()
    done = vault.forget(made.id)
    assert "early morning" in file.read_text()
    shared = file.relative_to(vault.path).as_posix()
    assert [*done.mentions] == [shared] == named(vault)
    tombstone = (vault.path / f"tombstones/{made.id}.md").read_text()
    assert "stays:" in tombstone
    assert "early" not in tombstone
    vault.forgetting.allow_again([made.id])
    assert named(vault) == []


@pytest.mark.long
def test_a_line_leads_to_the_episode_that_has_another_name_and_goes_with_the_next_turn(
    heard: Vault,
) -> None:
    forgetting(heard).forget([f"{TALK}:1"])
    (episode,) = heard.path.glob("agents/ada/episodes/episode-0001-*.md")
    assert f'{LENA}" ([[agents/ada/episodes/{episode.stem}]])' in told(heard)
    forgetting(heard).forget([f"{TALK}:2"])
    assert "Lena" not in told(heard)


@pytest.mark.parametrize("person", ["", "Mara"])
def test_topics_tell_nothing_of_a_session_or_a_person_that_is_forgotten(
    heard: Vault, person: str
) -> None:
    found = forgetting(heard).find(person=person) if person else ()
    forgetting(heard).forget([it.path for it in found] or [TALK])
    assert not re.search("Zorbo|Yilda|Lena", told(heard))
    assert ("Parquet" in told(heard)) == (not person)


@pytest.mark.long
def test_a_topic_of_the_program_stops_no_purge_and_leaves_the_history(heard: Vault) -> None:
    for number in (1, 2):
        _, done = forgetting(heard).purge([f"{TALK}:{number}"], permit=Permit())
        assert done.proof.verified
    assert not re.search("Zorbo|Yilda|Lena", told(heard))
    assert not re.search("Zorbo|Yilda|Lena", git(heard, "log", "-p", "--all"))
    assert heard.fsck().ok, heard.fsck().problems


@pytest.mark.long
def test_of_what_the_program_made_that_goes_which_no_source_bears_out_any_more(
    vault: Vault,
) -> None:
    for session, turn in (
        ("x", f"The key is under the third pot, and {LENA}"),
        ("x", "Tom comes on Sunday at nine."),
        ("y", "The key is under the third pot."),
    ):
        vault.say(session, turn, agent="ada", speaker="Mara")
    vault.fold("ada", force=True)
    episodes = sorted(p.stem for p in vault.path.glob("agents/ada/episodes/*.md"))
    x, y = (f"[[agents/ada/episodes/{stem}]]" for stem in episodes)
    ours = (
        f"- Lena lives in Linz ({x})\n  - **Why:** she has two cats\n"
        f"- The key is under the third pot ({x}, {y})\n"
        f"- Tom comes on Sunday ({x})\n"
    )
    head = (
        f"---\ntype: topic\ntitle: Flowers\nsource: agent\ntrust: agent\n"
        f'sources:\n  - "{x}"\n  - "{y}"\nmodel: extractive\n---\n## Facts\n'
    )
    made = Change(FLOWERS, None, f"{head}{ours}".encode(), "made")
    vault.store.apply(Plan(vault.store.mint(), "fold", "fold: 1 topic", (made,)))
    vault.history.commit_pending()
    own = f"- Ask Lena, who lives in Linz with two cats ({x})\n"
    (vault.path / FLOWERS).write_text(f"{head}{ours}{own}")
    vault.tick()

    done = forgetting(vault).forget([f"{TALK}:1"])

    left = (vault.path / FLOWERS).read_text().partition("## Facts\n")[2]
    assert left == f"{''.join(ours.splitlines(keepends=True)[2:])}{own}"
    assert FLOWERS in done.mentions


def test_what_was_shared_goes_with_its_memory_though_a_person_amended_the_commit(
    vault: Vault,
) -> None:
    """What the person wrote beside it, and cites it, stays."""
    made = vault.remember(TEA, agent="ada")
    file = vault.path / vault.shares.share(made.id).path
    (line,) = (it for it in file.read_text().splitlines() if it.startswith("- ada: "))
    own = "- Ask for the green pot"
    file.write_text(f"{file.read_text()}{own} {line[line.rindex('(') :]}\n")
    git(vault, "commit", "-qa", "--amend", "-m", "tidied")
    done = vault.forget(made.id)
    assert file.read_text().partition("## Facts\n")[2] == f"{own}\n"
    assert done.mentions == ()
