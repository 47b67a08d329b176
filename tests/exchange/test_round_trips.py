"""What goes out comes in again, into an empty vault, as the same knowledge and no more."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.cases import rarely
from vaultmem import Vault
from vaultmem.api.types import Experience, Patch
from vaultmem.storage import transcript_files, transcripts
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.without_history

few = settings(
    max_examples=settings().max_examples // 10,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # to shrink opens hundreds of vaults
)

WHO = st.sampled_from(["Mara", "Jonas", "Søren", "李雷", "Ana"])
DOES = st.sampled_from(["roasts", "sells", "collects", "paints", "repairs"])
WHAT = st.sampled_from(
    ["kettles", "violas", "“old” maps", "tea & salt", "boats: two", "café signs"]
)
DAY = st.integers(1, 28)
FACT = st.builds(lambda a, b, c, n: f"{a} {b} {c} in house {n}.", WHO, DOES, WHAT, DAY)
FACTS = st.lists(FACT, min_size=1, max_size=4, unique=True)
TITLES = ["Tea: green", "The shop (old)", "Übersicht", "harbour"]
TOPICS = st.dictionaries(st.sampled_from(TITLES), FACTS, min_size=1, max_size=3)


@contextmanager
def vaults(folder: Path) -> Iterator[tuple[Vault, Vault, Path]]:
    """Open two copies of a new vault, and give a folder beside them."""
    with tempfile.TemporaryDirectory() as beside:
        for name in ("one", "other"):
            shutil.copytree(folder, Path(beside) / name)
        with (
            Vault.open(Path(beside) / "one") as one,
            Vault.open(Path(beside) / "other") as other,
        ):
            yield one, other, Path(beside) / "out"


def write(vault: Vault, path: str, text: str) -> None:
    """Write a note as a person does."""
    (vault.path / path).parent.mkdir(parents=True, exist_ok=True)
    (vault.path / path).write_text(text)


def topic(title: str, facts: list[str]) -> str:
    """Return a topic as a person writes it."""
    told = "".join(f"- {fact}\n" for fact in facts)
    return f'---\ntype: topic\ntitle: "{title}"\ndescription: About it.\n---\n## Facts\n\n{told}'


def sentences(vault: Vault, *types: str) -> list[str]:
    """Return each sentence that notes of *types* say, as often as it is said."""
    vault.store.sync()
    found = (r for kind in types for r in vault.store.index.records(Filter(type=kind)))
    own = (r for r in found if r.recallable)
    lines = (line.strip("-* ").strip() for r in own for line in r.body.splitlines())
    return sorted(line for line in lines if line.endswith("."))


@few
@given(said=st.lists(st.tuples(FACT, WHO, DAY), min_size=1, max_size=6, unique_by=lambda x: x[0]))
def test_memories_come_in_from_json_as_they_went_out(
    folder: Path, said: list[tuple[str, str, int]]
) -> None:
    def told(vault: Vault) -> list[tuple[str, ...]]:
        vault.store.sync()
        own = vault.store.index.records(Filter(type="memory", recallable=True))
        return sorted((r.body, r.speaker, r.created, r.session, r.agent) for r in own)

    with vaults(folder) as (one, other, out):
        for text, who, day in said:
            at = f"2026-03-{day:02}T09:30:00Z"
            one.remember(text, agent="ada", speaker=who, session=f"talk {who}", at=at)
        one.export("json", out)
        other.import_files("jsonl", [out], agent="ada")
        assert told(other) == told(one)


AT = "2026-03-01T08:00:00Z"
ORIGIN = st.sampled_from(["Lisbon", "a village: by the sea", "“Old” Town", "42"])


def filled(vault: Vault, topics: dict[str, list[str]], said: list[str], origin: str) -> None:
    """Put something of each kind into *vault*, by hand and by the program."""
    for n, (title, facts) in enumerate(topics.items()):
        write(vault, f"topics/t{n}.md", topic(title, facts))
        write(vault, f"agents/ada/topics/own{n}.md", topic(f"{title} of Ada", facts))
    write(vault, "notes/plan.md", "".join(f"# {text}\n\nA plan.\n" for text in said))
    write(vault, "projects/2026/shop.md", f"---\ntags: [a, b]\ndeep: {{x: y}}\n---\n{said[0]}\n")
    steps = "".join(f"1. {text}\n" for text in said)
    head = 'name: roast\ndescription: How to roast.\nmetadata:\n  author: "Mara"\n'
    write(vault, "skills/roast/SKILL.md", f"---\n{head}---\n## Steps\n\n{steps}")
    liked = {"origin": origin, "likes": "tea"}
    about = Patch(liked, person="Mara", relationship="a neighbour", backstory=said[0], at=AT)
    vault.cards.set("people/mara", about)
    first = vault.tasks.create(said[0], description=said[-1])
    vault.tasks.create("The second one", blocked_by=[first.id])
    spoken(vault, said)


def spoken(vault: Vault, said: list[str]) -> None:
    """Let two agents remember, correct, converse and learn in *vault*."""
    for n, text in enumerate(said):
        for agent in ("ada", "bob"):
            vault.remember(text, agent=agent, tags=["tea", f"n{n}"], importance=n / 8, session="s")
    wrong = vault.remember("Mara roasts on Monday.", agent="bob", at=AT)
    right = vault.correct(wrong.id, "Mara roasts on Tuesday.", source="user")
    vault.correct(right.id, "Mara roasts on Friday.", source="user")
    name = f"20260301-080000-a-person-wrote-this-{wrong.id[-6:].lower()}"
    last = "Y" if wrong.id.endswith("Z") else "Z"  # two memories of one id are no vault's
    head = f"id: {wrong.id[:-1]}{last}\ntype: memory\nagent: ada\ncreated: {AT}\nsource: user\n"
    own = "title: Mine\naliases: [one, two]\nmood: calm\nvalid_to: 2026-12-24\n"
    write(
        vault,
        f"agents/ada/memories/2026/03/{name}.md",
        f"---\n{head}{own}---\nA person wrote this.\n",
    )
    for agent in ("ada", "bob"):
        for n, text in enumerate(said):
            role = ("user", "assistant", "system")[n % 3]
            vault.sessions.say("Talk: one", text, role=role, agent=agent, speaker="Mara")
        told = Experience(said[0], "success", "by hand", said[-1], lessons=("Ask first.",))
        vault.experiences.add(told, agent=agent, session="Talk: one")


def test_a_session_is_over_in_another_vault_only_where_it_was_ended(folder: Path) -> None:
    with vaults(folder) as (one, other, out):
        for session in ("open", "ended"):
            one.sessions.say(session, "Where is the kettle?", agent="ada")
        one.sessions.end("ended", agent="ada")
        one.export("json", out)
        other.import_files("jsonl", [out])
        over = {s: other.session(s, agent="ada").over for s in ("open", "ended")}
        assert over == {"open": False, "ended": True}


def test_a_turn_that_was_told_after_the_fact_says_so_in_another_vault(folder: Path) -> None:
    with vaults(folder) as (one, other, out):
        one.say("s", "It stands.", agent="ada", role="tool", tool="fetch", since=AT)
        one.export("json", out, untrusted=True)
        other.import_files("jsonl", [out])
        (file,) = transcript_files.every(other.store.root)
        said = transcripts.load(other.store.root, file.path)
        assert said is not None
        assert [turn.since for turn in said.turns] == [AT]


def knowledge(out: Path) -> list[str]:
    """Return what an export knows, without what each vault says of it by itself.

    Nor what it made of the turns.
    """
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    names = {f"{it.get('session', 'vault')}/{it.get('id')}": it["content"] for it in lines}
    own = {"id", "source", "trust", "claims", "sources", "updated", "metadata", "supersedes"}

    def told(line: dict[str, Any]) -> str:
        mine = own | (set() if line["type"] == "card" else {"origin"})
        head = {k: v for k, v in line["frontmatter"].items() if k not in mine}
        more = line["frontmatter"].get("metadata", {})
        head["metadata"] = {k: v for k, v in more.items() if k not in own}
        ended = sorted(names[name] for name in line.get("supersedes", ()))
        known = {k: v for k, v in line.items() if k not in {"id", "origin", "supersedes"}}
        if line["type"] == "memory":  # its name ends as its id, which is another here
            known["path"] = line["path"][: -len("123456.md")]
        return json.dumps(known | {"frontmatter": head, "ended": ended}, sort_keys=True)

    made = [x for x in lines if x["type"] == "episode" and "outcome" not in x["frontmatter"]]
    return sorted(told(line) for line in lines if line not in made)


@pytest.mark.long
@few
@given(topics=TOPICS, said=FACTS, origin=ORIGIN)
def test_json_of_a_vault_brings_all_that_is_known_into_an_empty_one(
    folder: Path, topics: dict[str, list[str]], said: list[str], origin: str
) -> None:
    with vaults(folder) as (one, other, out):
        filled(one, topics, said, origin)
        one.export("json", out)
        came = other.import_files("jsonl", [out]).done
        assert (came.failed, came.skipped) == (0, 0), came
        assert came.agents == ("ada", "bob")
        assert came.turns == 2 * len(said)
        other.export("json", out.with_name("back"))
        assert knowledge(out.with_name("back")) == knowledge(out)
        assert other.fsck().ok, other.fsck().problems
        assert {r.trust for r in other.store.index.records(Filter(kept=True))} == {"agent"}
        assert {r.body for r in other.store.index.corrections()} == {
            "Mara roasts on Tuesday.\n", "Mara roasts on Friday.\n"
        }  # fmt: skip
        for vault, exported in ((other, out), (one, out.with_name("back"))):
            again = vault.import_files("jsonl", [exported]).done
            assert (again.imported, again.failed) == (0, 0)
            reasons = {why.why for why in again.skipped_because}
            assert reasons - {"an episode of a vault, no message"} == {"imported before"}


@pytest.mark.long
@few
@given(topics=TOPICS, said=FACTS, origin=ORIGIN)
@pytest.mark.parametrize("forms", [("okf", "markdown"), *rarely((("basic-memory",) * 2,))])
def test_a_folder_of_a_vault_brings_all_that_is_known_into_an_empty_one(
    folder: Path, forms: tuple[str, str], topics: dict[str, list[str]], said: list[str], origin: str
) -> None:
    """But the turns: what was corrected stays so, a card is a card, a task a task."""
    to, by = forms
    with vaults(folder) as (one, other, out):
        filled(one, topics, said, origin)
        write(one, "topics/index.md", topic("Index", said))
        write(one, "notes/see.md", "See [[plan]], [[plan|the plan]] and [[nowhere]].\n")
        sent = out.with_name("sent"), out.with_name("back")
        one.export(to, out)
        one.export("json", sent[0])
        came = other.import_files(by, [out]).done
        assert (came.failed, came.agents) == (0, ("ada", "bob")), came
        other.export("json", sent[1])
        assert known(sent[1]) == known(sent[0])
        assert other.fsck().ok, other.fsck().problems
        assert {r.trust for r in other.store.index.records(Filter(kept=True))} == {"agent"}
        for vault in (one, other):
            again = vault.import_files(by, [out]).done
            assert (again.imported, again.updated, again.failed) == (0, 0, 0)
            made = {"an episode of a vault, no message", "no Markdown", "hidden"}
            indexes = "an index of the bundle, which tells what the notes tell"
            reasons = {why.why for why in again.skipped_because}
            assert reasons - made - {indexes} == {"imported before"}


def known(out: Path) -> list[str]:
    """Return what an export knows but for its turns."""
    return [line for line in knowledge(out) if json.loads(line)["type"] != "turn"]


@few
@given(topics=TOPICS)
def test_topics_come_in_from_claude_codes_folder_as_they_went_out(
    folder: Path, topics: dict[str, list[str]]
) -> None:
    with vaults(folder) as (one, other, out):
        for n, (title, facts) in enumerate(topics.items()):
            write(one, f"topics/t{n}.md", topic(title, facts))
        one.export("claude-code", out)
        other.topics.bring(out)
        assert sentences(other, "topic") == sentences(one, "topic")
        came = other.store.index.records(Filter(type="topic", recallable=True))
        assert {r.title for r in came} == topics.keys()


@pytest.mark.long
@few
@given(notes=TOPICS)
def test_notes_of_basic_memory_come_through_two_vaults_with_their_grammar(
    folder: Path, notes: dict[str, list[str]]
) -> None:
    with vaults(folder) as (one, other, out):
        source = out.with_name("source")
        source.mkdir()
        for n, (title, facts) in enumerate(notes.items()):
            said = "".join(f"- [fact] {fact}\n" for fact in facts)
            tied = "".join(f"- relates_to [[{each}]]\n" for each in notes)
            text = f'---\ntitle: "{title}"\ntype: note\n---\n# {title}\n\n{said}\n{tied}'
            (source / f"n{n}.md").write_text(text)
        one.import_files("basic-memory", [source], agent="ada")
        one.export("okf", out)
        assert other.import_files("basic-memory", [out], agent="ada").done.failed == 0
        assert sentences(other, "note") == sentences(one, "note")
        assert sentences(one, "note") == sorted(f"[fact] {f}" for fs in notes.values() for f in fs)


def test_a_note_that_basic_memory_wrote_beside_ours_keeps_its_title_and_its_tags(
    folder: Path,
) -> None:
    """What nobody exported says them itself, and nowhere else."""
    with vaults(folder) as (one, other, out):
        write(one, "notes/tea.md", "Sencha.\n")
        one.export("basic-memory", out)
        (out / "notes/new-a-b.md").write_text(
            "---\ntitle: 'New: a/b'\ntype: note\npermalink: main/notes/new-a-b\ntags:\n- cold\n"
            "---\n\n- [idea] Matcha #matcha\n"
        )
        assert other.import_files("basic-memory", [out], agent="ada").done.failed == 0
        (hit,) = other.recall("matcha").hits
        assert (hit.path, hit.title) == ("notes/new-a-b.md", "New: a/b")
        assert (other.path / hit.path).read_text() == (
            '---\ntitle: "New: a/b"\npermalink: main/notes/new-a-b\ntags:\n  - cold\n'
            "source: import\ntrust: agent\n---\n- [idea] Matcha #matcha\n"
        )
