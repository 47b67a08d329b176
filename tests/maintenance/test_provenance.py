"""From a fact down to who said it: through summaries, episodes and topics, to turn and commit."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import BadInput, Unreadable
from vaultmem.knowledge.cards.types import Json, Patch, digest
from vaultmem.knowledge.corrections import Corrections
from vaultmem.maintenance.provenance import support
from vaultmem.maintenance.provenance.tracing import trace
from vaultmem.maintenance.provenance.types import Link, Why
from vaultmem.memory.compaction import human_lines
from vaultmem.memory.remember import MemoryInput
from vaultmem.nlp.summarization.extractive import Extractive

pytestmark = pytest.mark.without_history

TRIP = "agents/ada/sessions/trip.jsonl"
LONGTERM = "agents/ada/summaries/longterm.md"


@pytest.fixture
def walks(folder: Path, vault: Vault, clock: Clock) -> Vault:
    """Fill a vault of small windows, until a long-term summary tells of herons in Porto."""
    path = folder / "config/memory_compaction.md"
    path.write_text(path.read_text().replace("_window: 64", "_window: 4"))
    for text in ("Ben saw 12 herons at the harbour of Porto at 7:40.",
                 *(f"Walk {n} was wet." for n in range(16))):  # fmt: skip
        clock.advance(minutes=1)
        vault.remember(text, agent="ada", speaker="Ben", source="user")
    return vault


def put(vault: Vault, path: str, text: str) -> str:
    """Write a file as a person does."""
    target = vault.path / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    return path


def asked(vault: Vault, ref: str) -> Why:
    """Ask why, and see that each link hangs below the one it explains, on one screen."""
    found = trace(vault.store, ref)
    depths = [link.depth for link in found.chain]
    assert depths[0] == 0
    assert all(b <= a + 1 for a, b in pairwise(depths))
    assert len(found.chain) <= 24
    return found


def kinds(chain: tuple[Link, ...]) -> list[str]:
    """Return what the links are."""
    return [link.kind for link in chain]


def place_of(vault: Vault, path: str, words: str) -> str:
    """Return `path:line` of the line that holds *words*."""
    lines = (vault.path / path).read_text().split("\n")
    return f"{path}:{next(n for n, line in enumerate(lines, 1) if words in line)}"


@pytest.mark.long
@pytest.mark.with_history
def test_a_line_of_the_long_term_summary_leads_to_who_said_it(walks: Vault) -> None:
    ref = place_of(walks, LONGTERM, "heron")
    found = asked(walks, ref)
    assert kinds(found.chain) == ["summary", "summary", "memory", "commit"]
    top, recent, memory, commit = found.chain
    assert (top.path, top.lines) == (LONGTERM, (int(ref.rpartition(":")[2]),) * 2)
    assert "heron" in top.text
    assert (recent.path.rpartition("/")[2][:7], recent.more) == ("recent-", 4)
    assert (memory.text, memory.by) == ("Ben saw 12 herons at the harbour of Porto at 7:40.", "Ben")
    assert memory.date == "2026-11-20T10:16:00Z"
    assert (walks.path / memory.path).exists()
    assert all(link.commit for link in found.chain)
    assert commit.text.startswith("remember(ada): Ben saw 12 herons")
    assert commit.id == memory.id
    assert commit.commit == memory.commit


@pytest.mark.with_history
@pytest.mark.long
def test_a_whole_summary_leads_to_the_few_that_bear_it_best(walks: Vault) -> None:
    chain = asked(walks, LONGTERM).chain
    assert kinds(chain)[:3] == ["summary", "summary", "memory"]
    assert "Ben saw 12 herons at the harbour of Porto at 7:40." in [link.text for link in chain]
    assert chain[0].more + kinds(chain).count("summary") - 1 == len(
        walks.store.index.at([LONGTERM])[0].sources
    )


@pytest.mark.with_history
@pytest.mark.parametrize("form", ["{id}", "{path}", "{stem}", "[[{stem}]]", "[[{stem}|that day]]"])
def test_a_memory_is_named_in_any_way(vault: Vault, form: str) -> None:
    made = vault.remember("Ben saw a heron.", agent="ada")
    ref = form.format(id=made.id, path=made.path, stem=Path(made.path).stem)
    found = asked(vault, ref)
    assert kinds(found.chain) == ["memory", "commit"]
    assert found.chain[0].id == made.id
    assert found.taken == made.path


def test_what_has_the_very_title_is_meant_before_a_line_that_says_it(vault: Vault) -> None:
    vault.tasks.create("Order the oven")
    path = put(vault, "notes/n-1.md", "---\ntitle: Order an oven\n---\nFrom Hull.\n")
    assert asked(vault, "order an oven").chain[0].path == path


def test_a_task_says_what_it_is_about_and_is_named_in_any_case(vault: Vault) -> None:
    vault.tasks.create("Measure the door")
    assert asked(vault, "Measure the door").chain[0].text == "Measure the door"
    path = put(vault, "topics/t.md", "---\ntype: topic\n---\n- It is measured. ([[Task-0001]])\n")
    assert asked(vault, f"{path}:4").chain[1].path == "tasks/task-0001.md"


def test_words_are_asked_of_recall_and_what_was_taken_is_said(walks: Vault) -> None:
    put(walks, "topics/birds.md", "---\ntype: topic\ntitle: Birds\n---\n# Birds\n- Owls hunt.\n")
    found = asked(walks, "owls hunt")
    assert found.taken == "topics/birds.md:6"
    assert found.chain[0].text == "Owls hunt."
    with pytest.raises(BadInput, match="nothing in the vault says"):
        trace(walks.store, "zeppelin")


@pytest.mark.with_history
def test_an_episode_leads_to_the_turns_it_tells_of(vault: Vault) -> None:
    for text in (
        "Hello there.",
        "I bought a boat in Setubal last week.",
        "Yes.",
    ):
        vault.say("trip", text, agent="ada", speaker="Ben")
    vault.end_session("trip", agent="ada")
    episode = vault.fold("ada", force=True).episodes or [
        str(p.relative_to(vault.path)) for p in (vault.path / "agents/ada/episodes").glob("*")
    ]
    chain = asked(vault, place_of(vault, episode[0], "Setubal")).chain
    assert kinds(chain)[:2] == ["episode", "turn"]
    assert (chain[1].turn, chain[1].by, chain[1].path) == (
        2,
        "Ben",
        "agents/ada/sessions/trip.jsonl",
    )
    assert all(link.commit for link in chain)
    (turn, _) = asked(vault, f"{TRIP}:3").chain
    assert (turn.kind, turn.text, turn.turn) == ("turn", "Yes.", 3)
    with pytest.raises(BadInput, match="no turn 9"):
        trace(vault.store, f"{TRIP}:9")


def test_a_bullet_leads_to_its_own_sources_alone(vault: Vault) -> None:
    one = vault.remember("Deploys go out on Tuesdays.", agent="ada")
    two = vault.remember("The server is called heron.", agent="ada")
    stems = [Path(made.path).stem for made in (one, two)]
    path = put(
        vault,
        "topics/deploy.md",
        f"---\ntype: topic\ntitle: Deploy\nsources:\n  - '[[{stems[0]}]]'\n  - '[[{stems[1]}]]'\n"
        f"---\n## Facts\n- On Tuesdays. ([[{stems[0]}]])\n- It is heron. ([[{stems[1]}]])\n",
    )
    chain = asked(vault, place_of(vault, path, "heron. (")).chain
    assert [link.id for link in chain[:2]] == ["", two.id]
    assert chain[0].text == "It is heron."
    assert {link.id for link in asked(vault, path).chain if link.kind == "memory"} == {
        one.id,
        two.id,
    }


PROOFS = (
    "([proof](../{path}))", "([proof](/{path}))", "([proof]({path}))", '([proof](../{path} "Ann"))',
    "([Ann's proof](<../{path}>))", "[proof](../{path}#place)", r"([[{stem}\|Ann's]])",
    "([[{stem}#place|Ann's]])",
)  # fmt: skip


@pytest.mark.parametrize("proof", PROOFS)
def test_a_proof_is_linked_in_any_way(vault: Vault, proof: str) -> None:
    made = vault.remember("Sarah cannot eat hazelnuts.", agent="ada")
    link = proof.format(path=made.path, stem=Path(made.path).stem)
    lines = f"- Sarah cannot eat hazelnuts. {link}\n- Judit sold 9 boats. {link}\n"
    path = put(vault, "topics/food.md", f"---\ntype: topic\n---\n{lines}")
    top, source, *_ = asked(vault, f"{path}:4").chain
    assert (source.kind, source.id, top.supported) == ("memory", made.id, True)
    assert top.text in {"Sarah cannot eat hazelnuts.", "Sarah cannot eat hazelnuts. proof"}
    assert [it.line for it in vault.fsck().unsupported] == [5]


def test_a_note_is_proof_by_its_bare_name_where_no_other_has_it(vault: Vault) -> None:
    put(vault, "notes/plan.md", "# Plan\n## Budget\nThe flue costs 900 euros.\n")
    line = "- The flue costs 900 euros ([[plan#Budget|b]])\n"
    path = put(vault, "topics/flue.md", f"---\ntype: topic\n---\n{line}")
    assert asked(vault, f"{path}:4").chain[1].path == "notes/plan.md"
    put(vault, "notes/old/plan.md", "# Plan\n")
    assert kinds(asked(vault, f"{path}:4").chain)[1:] == ["gone"]


def test_a_field_of_a_card_leads_to_the_memory_that_says_it(vault: Vault) -> None:
    one = vault.remember("Sarah's doctor is Dr. Lee.", agent="ada")
    two = vault.remember("Sarah's phone is 0123.", agent="ada")
    links = "".join(f"\n  - '[[{Path(made.path).stem}]]'" for made in (one, two))
    head = f"type: card\nperson: Sarah\ndoctor: Dr. Lee\nphone: '0123'\nsources:{links}"
    path = put(vault, "cards/people/sarah.md", f"---\n{head}\n---\nSaid once.\n")
    chain = asked(vault, f"{path}:4").chain
    assert [link.id for link in chain[:2]] == ["", one.id]
    assert (chain[0].text, chain[0].more) == ("doctor: Dr. Lee", 1)
    with pytest.raises(BadInput, match="no line 40"):
        trace(vault.store, f"{path}:40")


def test_a_value_that_was_put_right_leads_to_both_sentences(vault: Vault) -> None:
    """The first of them alone would bear out the value that was wrong."""
    said = "My birthday is on 3 May. Sorry, 5 May."
    memory = vault.remember(said, agent="ada", speaker="Mara", source="user")
    links = f'\n  - "[[{Path(memory.path).stem}]]"'
    head = f"type: card\nperson: Mara\nbirthday: 5 May\nsources:{links}"
    path = put(vault, "cards/people/mara.md", f"---\n{head}\n---\n{said}\n")
    assert [link.text for link in asked(vault, f"{path}:4").chain if link.kind == "memory"] == [
        said
    ]


def test_a_field_of_a_card_that_cannot_be_read_says_so(vault: Vault) -> None:
    card = vault.path / "cards/people/sarah.md"
    card.parent.mkdir(parents=True, exist_ok=True)
    card.write_text("---\nschool: [Lyceum\n---\n")
    with pytest.raises(Unreadable, match=r"cards/people/sarah\.md: line \d is not YAML"):
        vault.why("people/sarah.school")


@pytest.mark.with_history
def test_the_sentence_that_says_it_is_shown_with_its_words(vault: Vault) -> None:
    made = vault.remember("We had lunch. The boat lies in Setubal now. It rained.", agent="ada")
    line = f"- The boat lies in Setubal (2026-11-20). ([[{Path(made.path).stem}]])"
    path = put(vault, "topics/boat.md", f"---\ntype: topic\n---\n{line}\n")
    top, memory, _ = asked(vault, f"{path}:4").chain
    assert (memory.text, top.supported) == ("The boat lies in Setubal now.", True)
    assert [memory.text[a:b] for a, b in memory.spans] == ["boat", "lies", "Setubal"]


def test_what_no_source_says_is_told_and_counted(vault: Vault) -> None:
    made = vault.remember("The boat lies in Setubal.", agent="ada")
    stem = Path(made.path).stem
    body = f"## Facts\n- It was sold to Mara in May. ([[{stem}]])\n- A person's own remark.\n"
    path = put(vault, "topics/boat.md", f"---\ntype: topic\n---\n{body}")
    assert asked(vault, f"{path}:5").chain[0].supported is False
    assert asked(vault, f"{path}:4").chain[0].supported is None
    report = vault.fsck()
    assert [(it.path, it.line, it.text) for it in report.unsupported] == [
        (path, 5, "It was sold to Mara in May.")
    ]
    assert report.ok


def test_a_number_or_a_name_that_no_source_has_is_not_borne_out(vault: Vault) -> None:
    made = vault.remember("Tom paid the deposit of 3000 euros to Mrs. Okafor.", agent="ada")
    link = f"([[{Path(made.path).stem}]])"
    lines = (
        f"- Tom paid the deposit of {many} euros to {whom}. {link}"
        for many, whom in (("3000", "Mrs. Okafor"), ("9000", "Mrs. Okafor"), ("3000", "Judit"))
    )
    put(vault, "topics/flat.md", "---\ntype: topic\n---\n" + "\n".join(lines))
    assert [it.line for it in vault.fsck().unsupported] == [5, 6]


def test_an_episode_that_tells_what_nobody_said_is_counted(vault: Vault) -> None:
    for text in ("Let us moor the boat in Setubal, the harbour is cheaper.", "Yes, it is."):
        vault.say("trip", text, agent="ada", speaker="Ben")
    vault.end_session("trip", agent="ada")
    (file,) = (vault.path / "agents/ada/episodes").glob("*.md")
    assert vault.fsck().unsupported == ()
    told = "Mara bought another yacht yesterday."
    head = re.sub(r"(?m)^written: .*", f"written: {human_lines.digest(told)}", file.read_text())
    file.write_text(f"{head}{told}\n")
    assert [it.text for it in vault.fsck().unsupported] == [told]


def test_how_a_tool_went_is_borne_out_by_what_it_answered(vault: Vault) -> None:
    """Figures and turn are the program's own words; another count is nobody's."""
    answer = "\n".join((*(f"tests/test_{n}.py ..." for n in range(9)), "2 failed, 118 passed"))
    vault.say("ci", "Does the oven's test run pass?", agent="ada", speaker="Ben")
    vault.say("ci", f"{answer}\nexit code 1", role="tool", tool="bash", agent="ada")
    vault.say("ci", "No, two tests of the oven fail.", role="assistant", agent="ada")
    vault.end_session("ci", agent="ada")
    (file,) = (vault.path / "agents/ada/episodes").glob("*.md")
    told = "`bash`: (turn 2): 2 failed, 118 passed, exit code 1"
    assert told in file.read_text()
    assert vault.fsck().unsupported == ()
    assert asked(vault, place_of(vault, str(file.relative_to(vault.path)), told)).chain[0].supported
    wrong = told.replace("118", "120")
    head = re.sub(
        r"(?m)^written: .*", f"written: {human_lines.digest(f'- {wrong}')}", file.read_text()
    )
    file.write_text(head.replace(told, wrong))
    assert [it.text for it in vault.fsck().unsupported] == [wrong]


def test_a_whole_card_leads_from_each_fact_to_its_own_source(vault: Vault, clock: Clock) -> None:
    bees = vault.remember("We met in May. Bob is allergic to bees.", agent="ada")
    clock.advance(minutes=5)
    card(vault, at="2026-11-20T10:15:00Z", allergy="bees")
    card(vault, city="Rome")
    path = vault.path / "cards/home/bob.md"
    link = f"\nsources:\n  - '[[{Path(bees.path).stem}]]'\nallergy"
    path.write_text(path.read_text().replace("\nallergy", link))
    found = asked(vault, "cards/home/bob.md").chain
    facts = [(link.depth, link.kind, link.text) for link in found]
    assert facts[0][:2] == (0, "card")
    at = facts.index((1, "card", "allergy: bees"))
    assert facts[at + 1] == (2, "memory", "Bob is allergic to bees.")
    assert found[at].supported
    assert found[at + 1].date == "2026-11-20T10:15:00Z"
    assert (1, "card", "city: Rome") in facts
    assert asked(vault, "home/bob").chain == found


def card(vault: Vault, at: str = "", source: str = "user", **fields: Json) -> None:
    """Say something of Bob, as `card set` does or as a dream that heard it *at* a time."""
    bob = Patch(fields, person="Bob", relationship="friend", backstory="Met.", source=source, at=at)
    vault.cards.set("home/bob", bob)


@pytest.mark.with_history
def test_a_fact_of_a_card_is_who_said_it_and_the_commit_of_its_line(vault: Vault) -> None:
    card(vault, city="Rome")
    card(vault, source="agent", tea="oolong")
    top, said, commit = asked(vault, "home/bob.city").chain
    assert (top.text, top.by, top.date) == ("city: Rome", "user", "2026-11-20T10:15:00Z")
    assert (said.kind, said.text) == (
        "said", "set on the command line or by a tool: it does not come from a memory"
    )  # fmt: skip
    assert commit.commit == top.commit != asked(vault, "cards/home/bob.tea").chain[0].commit
    assert asked(vault, "home/bob.backstory").chain[0].text == "Met."
    with pytest.raises(BadInput, match=r"cards/home/bob\.md has no 'phone'"):
        trace(vault.store, "home/bob.phone")


@pytest.mark.with_history
def test_a_fact_of_a_card_leads_to_the_source_of_its_claim_alone(
    vault: Vault, clock: Clock
) -> None:
    bees = vault.remember("Bob is allergic to bees, in the city too.", agent="ada")
    clock.advance(minutes=5)
    stem = Path(bees.path).stem
    card(vault, at="2026-11-20T10:15:00Z", allergy="bees")
    card(vault, at="2026-11-20T10:20:00Z", source="agent", city="Rome")
    path = vault.path / "cards/home/bob.md"
    path.write_text(path.read_text().replace("\nallergy", f"\nsources:\n  - '[[{stem}]]'\nallergy"))
    assert kinds(asked(vault, "home/bob.city").chain)[:2] == ["card", "said"]
    chain = asked(vault, "home/bob.allergy").chain
    assert kinds(chain) == ["card", "memory", "commit"]
    assert chain[1].id == bees.id


@pytest.mark.with_history
def test_a_line_comes_from_the_commit_that_wrote_it_not_the_last_of_its_file(
    vault: Vault,
) -> None:
    path = put(vault, "topics/house.md", "---\ntype: topic\n---\n- The oven is broken.\n")
    rest(vault, path)
    wrote = vault.tick().edits
    put(vault, path, "---\ntype: topic\n---\n- The oven is broken.\n- The roof leaks.\n")
    rest(vault, path)
    assert vault.tick().edits != wrote
    assert [link.commit for link in asked(vault, "The oven is broken").chain] == [wrote, wrote]
    put(vault, path, "---\ntype: topic\n---\n- The oven is new.\n- The roof leaks.\n")
    assert [link.commit for link in asked(vault, f"{path}:4").chain] == [None]


def rest(vault: Vault, path: str) -> None:
    """Let a person's edit be an old one."""
    os.utime(vault.path / path, (1_700_000_000, 1_700_000_000))


@pytest.mark.with_history
def test_a_memory_that_was_brought_back_comes_from_the_commit_that_made_it(vault: Vault) -> None:
    made = vault.remember("Ben saw a heron.", agent="ada")
    gone = vault.forget(made.id)
    vault.undo(gone.op)
    assert [link.commit for link in asked(vault, made.id).chain] == [made.commit, made.commit]


@pytest.mark.with_history
def test_each_source_is_followed_by_its_own_commit(vault: Vault) -> None:
    made = [vault.remember(f"Ben saw {n} herons.", agent="ada") for n in (3, 4)]
    links = "".join(f"\n  - '[[{Path(m.path).stem}]]'" for m in made)
    path = put(vault, "topics/birds.md", f"---\ntype: topic\nsources:{links}\n---\nHerons.\n")
    chain = asked(vault, path).chain
    assert kinds(chain) == ["topic", "memory", "commit", "memory", "commit"]
    assert [link.commit for link in chain[2::2]] == [m.commit for m in made]


def test_words_that_nothing_says_are_not_answered_by_what_is_near(vault: Vault) -> None:
    card(vault, city="Rome")
    with pytest.raises(BadInput, match=r"nothing in the vault says 'city: Lviv'; nearest to it is"):
        trace(vault.store, "city: Lviv")


@pytest.mark.parametrize(
    ("words", "unsaid"),
    [
        ("Ada is allergic to cats", ("cats",)),
        ("Ada is allergic to hazelnuts", ()),
        ("Is Ada allergic to hazelnut?", ()),
        ("Ada has lived in Bern since 2012", ("Bern", "2012")),
        ("Ada has lived in Berlin since 2011", ()),
        ("Ada has lived in Berlin since 201", ("201",)),
    ],
)
def test_words_that_the_answer_does_not_say_are_told(
    vault: Vault, words: str, unsaid: tuple[str, ...]
) -> None:
    """Most of the words lead to a fact, and one of them may be what the question is about."""
    said = "- Ada is allergic to hazelnuts.\n- Ada has lived in Berlin since 2011.\n"
    head = "---\ntype: topic\ntitle: Ada\ncategory: medical\n---\n"
    put(vault, "topics/ada.md", f"{head}{said}")
    assert asked(vault, words).unsaid == unsaid
    assert asked(vault, "topics/ada.md").unsaid == ()


@pytest.mark.parametrize(
    ("words", "turned"),
    [
        ("Nora lends Emil 30 crowns", True),
        ("Emil lends Nora 30 crowns", False),
        ("30 crowns Emil lends Nora", False),
        ("Does Nora lend Emil 30 crowns?", False),
        ("Nora must not wake Otto", False),
        ("Otto must not wake Nora", True),
        ("Emil is the keeper of the boat", False),
        ("The gate is painted by Mila", False),
        ("The stew gets basil, the soup gets thyme", True),
    ],
)
def test_words_that_the_answer_has_in_exchanged_places_are_told(
    vault: Vault, words: str, *, turned: bool
) -> None:
    said = "- Emil lends Nora 30 crowns.\n- Nora must not wake Otto.\n"
    said += "- The keeper of the boat is Emil.\n- Mila paints the gate.\n"
    said += "- The soup gets basil, the stew gets thyme.\n"
    put(vault, "topics/ada.md", f"---\ntype: topic\ntitle: Ada\n---\n{said}")
    assert asked(vault, words).turned_round is turned


@pytest.mark.parametrize("line", ["0", "-1"])
def test_lines_count_from_one(vault: Vault, line: str) -> None:
    put(vault, "topics/tea.md", "---\ntype: topic\n---\n- Tea.\n")
    with pytest.raises(BadInput, match="lines count from 1"):
        trace(vault.store, f"topics/tea.md:{line}")


def test_a_pointer_leads_to_what_it_points_at(vault: Vault) -> None:
    put(vault, "topics/deploy.md", "---\ntype: topic\ntitle: Deploy\n---\n- On Tuesdays.\n")
    put(vault, "MEMORY.md", "# Memory\n- [Deploy](topics/deploy.md): how\n")
    assert kinds(asked(vault, "MEMORY.md:2").chain)[:2] == ["note", "topic"]


@pytest.mark.with_history
def test_a_correction_leads_to_what_it_corrects(vault: Vault) -> None:
    old = vault.remember("The shop opens on Monday.", agent="ada")
    said = MemoryInput("The shop opens on Tuesday.", "", vault.store.clock())
    made = Corrections(vault.store, Extractive).correct(old.id, said)
    chain = asked(vault, made.id).chain
    assert kinds(chain) == ["memory", "commit", "memory", "commit"]
    assert [link.id for link in chain] == [made.id, made.id, old.id, old.id]
    assert chain[2].superseded_by == Path(made.path).stem
    vault.forget(old.id)
    gone = asked(vault, made.id).chain[2]
    assert (gone.kind, gone.text) == ("gone", "gone: forgotten on 2026-11-20")


def test_what_is_gone_says_so(vault: Vault) -> None:
    stone = (
        "id: 01KAFXFAAAAAAAAAAAAA7Q3KZM\ntype: tombstone\ncreated: 2026-11-20T10:15:00Z\n"
        f"hash: {'0' * 64}\nsalt: {'0' * 32}"
    )
    put(vault, "tombstones/01KAFXFAAAAAAAAAAAAA7Q3KZM.md", f"---\n{stone}\n---\n")
    path = put(
        vault,
        "topics/tea.md",
        "---\ntype: topic\nsources:\n  - '[[20261101-101500-oolong-7q3kzm]]'\n"
        "  - '[[20261101-101500-sencha-aaaaaa]]'\n---\n- Tea.\n",
    )
    _, forgotten, lost = asked(vault, path).chain
    assert (forgotten.kind, forgotten.text) == ("gone", "gone: forgotten on 2026-11-20")
    assert lost.text == "gone: 20261101-101500-sencha-aaaaaa is not in the vault"


def test_sources_in_a_circle_end(vault: Vault) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        both = f"sources:\n  - '[[topics/{other}]]'\n  - '[[topics/{one}]]'"
        put(vault, f"topics/{one}.md", f"---\ntype: topic\n{both}\n---\nIt.\n")
    assert [link.path for link in asked(vault, "topics/a.md").chain] == [
        "topics/a.md", "topics/b.md"
    ]  # fmt: skip


@pytest.mark.with_history
def test_what_git_has_not_got_has_no_commit(vault: Vault, tmp_path: Path, clock: Clock) -> None:
    put(vault, "topics/tea.md", "---\ntype: topic\n---\n- Tea.\n")
    assert [link.commit for link in asked(vault, "topics/tea.md").chain] == [None]
    create.create(tmp_path / "bare", clock, with_git=False)
    with Vault.open(tmp_path / "bare", clock=clock) as bare:
        made = bare.remember("Ben saw a heron.", agent="ada")
        assert kinds(asked(bare, made.id).chain) == ["memory"]


def test_a_name_of_several_files_is_no_answer(vault: Vault) -> None:
    for agent in ("ada", "bo"):
        put(vault, f"agents/{agent}/topics/tea.md", "---\ntype: topic\n---\n- Tea.\n")
    with pytest.raises(BadInput, match=r"agents/ada/topics/tea\.md, agents/bo"):
        trace(vault.store, "tea")


def test_a_line_is_borne_out_by_what_holds_its_words() -> None:
    texts = ["Ben saw a heron in Porto.", "It was wet.", "A heron in Porto, said Ben.", "Porto."]
    assert support.best("a heron in Porto", texts, 2) == [0, 2]
    assert support.best("Ben saw a heron in Porto", texts, 1) == [0]
    oolong = "\u4e4c\u9f99\u8336"
    assert support.best(f"\u5979\u559c\u6b22{oolong}", ["Tea", f"{oolong}\u5f88\u597d"], 1) == [1]


WORD = st.text("abe1", min_size=1, max_size=7)


@given(st.lists(WORD, max_size=4), st.lists(WORD, max_size=8))
def test_a_word_is_held_by_any_that_begins_as_it_does(said: list[str], text: list[str]) -> None:
    """However the two are compared, each with each would find the same."""
    wanted, held = (support._words(" ".join(it)) for it in (said, text))
    found = [any(support.is_related(one, other) for other in held) for one in wanted]
    expected = sum(found) / len(found) if found else 1.0
    assert support.share(" ".join(said), " ".join(text)) == pytest.approx(expected)


def test_of_the_words_of_a_source_only_those_that_begin_alike_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who hides a word has each line judged that rests on it, beside all of its sources."""
    compared = list[tuple[str, str]]()
    is_related = support.is_related

    def counting(one: str, other: str) -> bool:
        compared.append((one, other))
        return is_related(one, other)

    monkeypatch.setattr(support, "is_related", counting)
    others = " ".join(f"w{n}ord" for n in range(500))
    assert support.share("hunting herons", f"Ben hunts. {others}") == 0.5
    assert len(compared) < 5


def test_where_an_untrusted_line_comes_from_is_told_to_who_asks(vault: Vault) -> None:
    """Recall leaves it out: all the more a person wants to know whence it is."""
    put(vault, "knowledge/web.md", "---\nsource: https://x.example\n---\nHerons like marmalade.\n")
    (first, *_) = asked(vault, "herons like marmalade").chain
    assert (first.path, first.trust) == ("knowledge/web.md", "untrusted")


@pytest.mark.with_history
def test_words_of_an_archived_memory_lead_to_it_and_say_so(vault: Vault) -> None:
    """What recall may return goes before it."""
    made = vault.remember("The greenhouse key hangs behind the barometer.", agent="ada")
    vault.remember("The tram to the harbour leaves at six.", agent="ada")
    vault.memories.archive([made.id])
    memory, commit = asked(vault, "greenhouse key barometer").chain
    assert (memory.id, memory.archived, commit.kind) == (made.id, True, "commit")
    vault.remember("A spare greenhouse key hangs by the barometer.", agent="ada")
    assert not asked(vault, "greenhouse key barometer").chain[0].archived
    with pytest.raises(BadInput, match="nothing in the vault says"):
        trace(vault.store, "lighthouse keeper")


def test_what_follows_from_who_spoke_says_so_and_what_is_over_leads_to_its_words(
    vault: Vault, clock: Clock
) -> None:
    for text in ("I work at Halden.", "Big news for you. I quit yesterday."):
        clock.advance(days=1)
        vault.remember(text, source="user", speaker="Ana")
    vault.dreams.plan()
    vault.dreams.apply(everything=True)
    whose = asked(vault, "work/ana.relationship").chain
    assert [(it.kind, it.supported) for it in whose[:2]] == [("card", None), ("derived", None)]
    over = asked(vault, "work/ana.employer_valid_to").chain
    assert (over[0].supported, over[1].text) == (True, "I quit yesterday.")
    assert vault.fsck().unsupported == ()


def test_a_sentence_of_a_card_leads_to_the_turn_that_says_it(vault: Vault, clock: Clock) -> None:
    """However many others of the same person stand beside it, and whenever each was said."""
    said = ("I am allergic to penicillin. My wife is called Nora.", "I work as a plumber.")
    for text in said:
        clock.advance(days=1)
        vault.say("s", text, agent="ada", speaker="Ana")
    vault.end_session("s", agent="ada")
    vault.dreams.plan()
    vault.dreams.apply(everything=True)
    [path] = (vault.path / "cards").rglob("ana.md")
    lines = path.read_text().splitlines()
    for sentence, turn in ((said[0][:28], 1), (said[0][29:], 1), (said[1], 2)):
        place = f"{path.relative_to(vault.path)}:{lines.index(sentence) + 1}"
        top, found, *_ = asked(vault, place).chain
        assert (top.text, found.text, found.turn) == (sentence, sentence, turn)


def test_a_fact_of_a_card_that_its_source_does_not_say_is_counted(vault: Vault) -> None:
    vault.remember("I live in Leeds.", source="user", speaker="Ana")
    vault.dreams.plan()
    vault.dreams.apply(everything=True)
    [path] = (vault.path / "cards").rglob("*.md")
    old, new = digest("Leeds"), digest("Porto")
    text = path.read_text().replace("city: Leeds", "city: Porto").replace(old, new)
    path.write_text(text)
    assert [it.text for it in vault.fsck().unsupported] == ["city Porto"]


def test_each_clause_of_a_line_brings_the_source_that_says_it() -> None:
    texts = [
        "Edda bought a canoe.", "Owls hunt at night.", "Edda sold the tent in May.",
        "Edda paints the shed green.", "Edda likes canoes and tents.",
    ]  # fmt: skip
    said = "Edda on things, May 3: bought a canoe; May 9: sold the tent; May 20: paints the shed"
    assert {0, 2, 3} <= set(support.best(said, texts, 1))
    assert 1 not in support.best(said, texts, 1)
