"""What a person adds to a file stays byte for byte, whatever the program takes out around it.

Each scene adds a line, one nested in each bullet that tells of what goes, and a key with a comment
to every file that people and the program both write; then something goes.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Clock, Prepared
from vaultmem import Vault, config
from vaultmem.documents.bodies import Decision, Experience
from vaultmem.knowledge.cards.types import Patch
from vaultmem.knowledge.topics.types import TopicPatch
from vaultmem.maintenance import withdrawal
from vaultmem.maintenance.forgetting import Forgetting, Forgotten
from vaultmem.memory.experiences import Experiences
from vaultmem.storage.git import Entry, Repository
from vaultmem.storage.index import Filter

NEEDLE = "The heliotrope umbrella of Ottokar was left in Graz."
LATER = "The heliotrope umbrella of Ottokar was left in Linz."
OTHERS = (
    "The stove must be swept in autumn.",
    "The cellar door sticks when it rains.",
    "Bo mends the roof on Friday.",
    "The well is deep and cold.",
)
TALK = "agents/ada/sessions/s.jsonl"
WORDS = (
    "Kaminkehrer", "Zaunpfahl", "Bratapfel", "Schneeschuh", "Wanduhr", "Kirschkern", "Teekanne",
    "Radfahrer", "Mondschein", "Leuchtturm", "Birnbaum", "Fasching", "Grasmahd", "Hufeisen",
    "Igelnest", "Jausenbrot", "Kuhglocke", "Lampion", "Mohnkipferl", "Nudelholz",
)  # fmt: skip
"""One for each file: a line that another one repeats would be the forgotten's, too."""
OF_PEOPLE = ("notes.md", "skills/sweep/SKILL.md", "agents/ada/working.md")
SHARED = ("cards/", "topics/", "skills/", "tasks/", "agents/", "notes.md")


def fill(vault: Vault) -> None:
    """Fill the vault with what tells of one memory, in every kind of file."""
    settings = vault.path / config.PATH
    settings.write_bytes(settings.read_bytes().replace(b"window: 64", b"window: 2"))
    vault.tick()
    told = [vault.remember(text, agent="ada", source="user") for text in (NEEDLE, *OTHERS)]
    vault.compact("ada", force=True)
    vault.shares.share(told[0].id)
    who = {"person": "Ottokar", "relationship": "friend", "backstory": NEEDLE, "lost": "umbrella"}
    vault.cards.set("people/ottokar", Patch(who, source="agent"))
    vault.tasks.create("Fetch the umbrella of Ottokar")
    vault.tasks.create("Sweep the stove", blocked_by=(1,))
    for text in (NEEDLE, "Ada swept the stove.", "The landlord must agree first."):
        vault.say("s", text, agent="ada")
    vault.compact_session("s", agent="ada")
    vault.fold("ada", force=True)
    done = Experience(
        "Sweep the stove", "success", "By hand", NEEDLE, (Decision("Take the broom"),), ("Well",)
    )
    Experiences(vault.store, lambda: None).add(done, agent="ada", session="x")
    files = {
        "notes.md": f"---\ntype: note\n---\nSee [[{Path(told[0].path).stem}]].\n",
        "skills/sweep/SKILL.md": f"---\nname: sweep\ndescription: To sweep\n---\n{NEEDLE}\n",
        "topics/lamp.md": "---\ntype: topic\ntitle: Lamp\n---\n" + "- It is of brass.\n" * 2,
        "agents/ada/working.md": f"---\ntype: working\nagent: ada\n---\n## Plan\n- [ ] {NEEDLE}\n",
    }
    for path, text in files.items():
        (vault.path / path).parent.mkdir(parents=True, exist_ok=True)
        (vault.path / path).write_text(text)


@pytest.fixture
def full(prepared: Prepared) -> Vault:
    """Return a vault in which every kind of file tells of one memory."""
    return prepared(fill)


def added(vault: Vault) -> dict[str, list[str]]:
    """Write a person's lines into every file, and let them rest; return them by the path."""
    own: dict[str, list[str]] = {}
    paths = sorted(p.relative_to(vault.path).as_posix() for p in vault.path.rglob("*.md"))
    meant = [p for p in paths if p.startswith(SHARED) and "/memories/" not in p]
    for path, word in zip(meant, WORDS, strict=False):
        file = vault.path / path
        own[path] = [f"My own {word}.\n"]
        text = f"{file.read_text()}\n{own[path][0]}"
        if not path.startswith(("tasks/", "skills/", "agents/ada/working.md")):
            own[path].append(f"mood: {word} # mine\n")
            text = text.replace("---\n", f"---\n{own[path][1]}", 1)
        if path.startswith(("topics/", "agents/")):
            nested = f"  - {word} hangs here\n"
            lines = text.splitlines(keepends=True)
            text = "".join(x + nested * (x.startswith("- ") and "Ottokar" in x) for x in lines)
            own[path] += [nested] if nested in text else []
        file.write_text(text)
    vault.tick()
    return own


def forget_all(vault: Vault, _: str) -> None:
    for path in sorted((vault.path / "agents/ada/memories").rglob("*.md")):
        vault.forget(path.relative_to(vault.path).as_posix())


def correct(vault: Vault, first: str) -> None:
    vault.correct(first, LATER)
    vault.compact("ada", force=True)


def purge(vault: Vault, first: str) -> None:
    for path in (*OF_PEOPLE, "cards/people/ottokar.md"):
        file = vault.path / path
        file.write_text(file.read_text().replace(NEEDLE, "It was there."))
    subprocess.run(["git", "add", "."], cwd=vault.path, check=True)
    subprocess.run(["git", "commit", "-qm", "mine"], cwd=vault.path, check=True)
    Forgetting(vault.store, vault.summarizer).purge([first])


def dream(vault: Vault, _: str) -> None:
    vault.dream()
    assert vault.dreams.apply(everything=True).applied, "the scene is void"
    vault.dreams.undo()


GOES: dict[str, Callable[[Vault, str], object]] = {
    "a memory is forgotten": lambda vault, first: vault.forget(first),
    "every memory is forgotten": forget_all,
    "a memory is corrected": correct,
    "a memory is shared no more": lambda vault, first: vault.shares.withdraw(first),
    "a turn is forgotten": lambda vault, _: vault.forget(f"{TALK}:1"),
    "a session is forgotten": lambda vault, _: vault.forget(TALK),
    "a memory is purged": purge,
    "a dream is undone": dream,
}


@pytest.mark.long
@pytest.mark.parametrize("goes", GOES)
def test_what_a_person_added_to_a_file_stays_byte_for_byte_when(
    full: Vault, clock: Clock, goes: str
) -> None:
    memories = full.store.index.every(Filter(type="memory"))
    first = next(it.id for it in memories if NEEDLE in it.body)
    own = added(full)
    clock.advance(hours=1)
    GOES[goes](full, first)
    left = {
        p.relative_to(full.path).as_posix(): p.read_text() for p in full.path.rglob("*.md")
        if p.name not in {"MEMORY.md", "longterm.md"} or "summaries" in p.parts
    }  # fmt: skip
    lost = [
        (path, line) for path, lines in own.items() for line in lines
        if line not in left.get(path, "") and not any(line in text for text in left.values())
    ]  # fmt: skip
    assert lost == []
    assert {it.code for it in full.fsck().problems} <= {"forgotten"}, full.fsck().problems


BOILER = "The boiler of the mill is a Ferro from Graz."
SWEEP = "The chimney sweep comes every March at dawn."
HEATING = "topics/heating.md"


@pytest.fixture
def heating(vault: Vault) -> str:
    """Let a topic tell of two memories; return the line of that which will be forgotten."""
    vault.tick()
    for text in (BOILER, SWEEP):
        vault.topics.set("Heating", TopicPatch((text,), "merge", agent="ada"))
    vault.tick()
    text = (vault.path / HEATING).read_text()
    return next(line for line in text.splitlines() if line.startswith(f"- {BOILER}"))


def forget_boiler(vault: Vault, how: str = "forget") -> Forgotten:
    """Forget the memory of the boiler."""
    of_it = next(r for r in vault.store.index.every(Filter(type="memory")) if BOILER in r.body)
    forgetting = Forgetting(vault.store, vault.summarizer)
    if how == "purge":
        return forgetting.purge([of_it.id])[0]
    return forgetting.forget([of_it.id])


def wrote(vault: Vault, line: str, instead: str, below: str = "") -> None:
    """Let a person put *instead* in the place of *line* of the topic, and *below* at its end."""
    file = vault.path / HEATING
    file.write_text(file.read_text().replace(f"{line}\n", instead) + below)
    subprocess.run(["git", "commit", "-qam", "mine"], cwd=vault.path, check=True)


@pytest.mark.long
@pytest.mark.parametrize("how", ["forget", "purge"])
def test_no_line_of_a_topic_goes_for_a_word_that_it_shares_with_what_is_forgotten(
    vault: Vault, heating: str, how: str
) -> None:
    vault.topics.set("Heating", TopicPatch(("We ate dumplings in Graz.",), agent="ada"))
    own = "\n### Graz\n- Uncle Emil lives in Graz.\n- mill\n## The mill\nFerro, Graz and me.\n"
    wrote(vault, heating, f"{heating}\n", own)
    before = (vault.path / HEATING).read_text().partition("## Facts")[2]

    done = forget_boiler(vault, how)

    left = (vault.path / HEATING).read_text().partition("## Facts")[2]
    assert left == before.replace(f"{heating}\n", "")
    assert HEATING in done.mentions
    assert "We ate dumplings in Graz." in left


@pytest.mark.long
def test_what_a_person_continued_below_a_bullet_of_a_topic_stays_when_the_bullet_goes(
    vault: Vault, heating: str
) -> None:
    own = "  continued by me: serial 77-A\n  - **Phone:** 0676 44\n"
    wrote(vault, heating, f"{heating}\n{own}")

    forget_boiler(vault)

    assert f"## Facts\n-\n{own}- {SWEEP} (" in (vault.path / HEATING).read_text()


def test_what_a_person_mended_inside_a_bullet_of_a_topic_loses_the_copy_alone_and_is_named(
    vault: Vault, heating: str
) -> None:
    key = "Its key from Graz hangs behind the clock."
    wrote(vault, heating, heating.replace(BOILER, f"{BOILER} {key}") + "\n")

    done = forget_boiler(vault)

    assert f"## Facts\n- [forgotten] {key}\n- {SWEEP} (" in (vault.path / HEATING).read_text()
    assert HEATING in done.mentions


def test_what_a_person_labelled_below_a_step_stays_when_the_step_is_forgotten(
    vault: Vault,
) -> None:
    gone = vault.remember(NEEDLE, agent="ada", source="user")
    steps = f"- Drained the tank.\n- {NEEDLE}\n- Refilled it."
    it = Experience("Fix the heating", "success", steps, decisions=(Decision(NEEDLE, "It rained"),))
    path = Experiences(vault.store, lambda: None).add(it, agent="ada", session="x").path
    file = vault.path / path
    own = ("  - **Smith:** 0676 44 12\n", "  - Ask Emil\n", "    - **Price:** 1200\n")
    file.write_text(file.read_text().replace(f"- {NEEDLE}\n", f"- {NEEDLE}\n{''.join(own)}"))
    vault.tick()
    vault.forget(gone.id)
    left = file.read_text()
    assert left.count(f"-\n{''.join(own)}") == 2
    assert "Ottokar" not in left
    assert "It rained" not in left


def test_a_person_s_line_of_a_session_stays_for_a_word_it_shares_with_what_goes(
    vault: Vault,
) -> None:
    gone = "We decided on the Ferro from Graz, because the Calda needs a new flue."
    for text in ("The boiler must be replaced.", gone, "We decided on copper pipes."):
        vault.say("s", text, agent="ada")
    vault.compact_session("s", agent="ada")
    file = vault.path / "agents/ada/sessions/s.compact.md"
    assert "**Why:** the Calda needs a new flue" in file.read_text(), "the scene is void"
    own = "\n## My own\n- Uncle Emil lives in Graz.\n- Ask Tom.\n"
    file.write_text(file.read_text() + own)
    vault.tick()
    done = vault.forget(f"{TALK}:2")
    left = file.read_text()
    assert left.endswith(own)
    assert not {"Ferro", "Calda"} & {*left.replace(".", "").split()}
    assert "agents/ada/sessions/s.compact.md" in done.mentions


@pytest.mark.long
def test_a_persons_lines_of_a_topic_stay_and_are_named_when_what_they_share_words_with_is_hidden(
    vault: Vault, heating: str
) -> None:
    own = "  continued by me: serial 77-A\n  - **Smith:** 0676 44, ask in Graz\n"
    below = "\n### Graz\n- Uncle Emil lives in Graz.\n"
    wrote(vault, heating, f"{heating}\n{own}", below)
    of_it = next(r for r in vault.store.index.every(Filter(type="memory")) if BOILER in r.body)
    file = vault.path / of_it.path
    file.write_text(file.read_text().replace(BOILER, f"<private>{BOILER}</private> Nice day."))

    vault.tick()

    text = (vault.path / HEATING).read_text()
    assert BOILER not in text
    assert f"## Facts\n-\n{own}- {SWEEP} (" in text
    assert text.endswith(below)
    assert HEATING in {it.path for it in vault.fsck().problems if it.code == "withheld"}


def test_git_s_log_is_read_once_for_all_the_files_from_which_something_hidden_goes(
    vault: Vault, heating: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.topics.set("Mill", TopicPatch((BOILER, SWEEP), "merge", agent="ada"))
    vault.tick()
    for it in vault.store.index.every(Filter(type="memory")):
        if BOILER in it.body:
            file = vault.path / it.path
            text = file.read_text()
            file.write_text(text.replace(BOILER, f"<private>{BOILER}</private> Nice day."))
    vault.store.sync()
    read, log = list[int | None](), Repository.log

    def noting(self: Repository, limit: int | None, *, since: str | None = None) -> list[Entry]:
        read.append(limit)
        return log(self, limit, since=since)

    with monkeypatch.context() as patched:
        patched.setattr(Repository, "log", noting)
        changed = withdrawal.withdraw(vault.store)

    assert changed == (HEATING, "topics/mill.md")
    assert not any(heating in (vault.path / path).read_text() for path in changed)
    assert read == [None]


@pytest.mark.long
def test_what_a_person_calls_a_topic_stays_though_it_shares_a_word_with_what_is_forgotten(
    vault: Vault, heating: str
) -> None:
    mine = "title: Heating\ndescription: What we have from Graz\n"
    file = vault.path / HEATING
    file.write_text(file.read_text().replace("title: Heating\n", mine))
    wrote(vault, heating, f"{heating}\n")

    done = forget_boiler(vault)

    assert mine in file.read_text()
    assert BOILER not in file.read_text()
    assert HEATING in done.mentions
