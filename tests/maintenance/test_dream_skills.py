"""A way of working that succeeded three times becomes a skill; a later failure is noted in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests import skill_format
from tests.work import calls
from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Experience, Outcome
from vaultmem.maintenance.dream import facts
from vaultmem.maintenance.dream.detectors.skills import find, unproven
from vaultmem.maintenance.dream.types import Lines, Make, Note, Proposal, Seen
from vaultmem.memory.experiences import ExperienceInput, change
from vaultmem.records import Record
from vaultmem.storage import files, reader

NOW = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
STEPS = "Make a new key\nDeploy it\nRevoke the old one"
PATH = "skills/rotate-the-api-keys-of-shop/SKILL.md"


def told(  # noqa: PLR0913  # what tells one experience from another
    number: int,
    task: str,
    *,
    outcome: Outcome = "success",
    approach: str = STEPS,
    day: int = 0,
    session: str = "",
    lessons: Sequence[str] = (),
    feedback: Sequence[str] = (),
) -> Record:
    """Return the episode of an experience, as it lies in the vault."""
    it = Experience(task, outcome, approach, "", (), tuple(feedback), ("heron",), tuple(lessons))
    when = datetime(2026, 11, day or number, 9, tzinfo=UTC)
    made = change(
        ExperienceInput(it, "ada", session, when, 0.8, "agent"),
        number,
        f"01KADAQZ8RJ9V3T5W7X1Y3Z{number:03}",
    )
    return reader.record(made.path, files.content(made.new or b""))


def seen(episodes: Sequence[Record], *notes: Note) -> Seen:
    paths = frozenset([e.path for e in episodes] + [n.path for n in notes])
    return Seen(notes, (), tuple(episodes), paths, NOW)


def made(proposal: Proposal) -> str:
    (edit,) = proposal.edits
    assert isinstance(edit, Make)
    return edit.text


def as_note(path: str, text: str) -> Note:
    found = facts.note(path, text.encode())
    assert found is not None
    return found


THREE = (
    told(1, "Rotate the API keys of shop A", lessons=("Tell the team",)),
    told(2, "Rotate the API keys of shop B", approach=f"- Check the logs\n{STEPS}"),
    told(3, "Rotate the API keys of shop C", lessons=("Wait for the caches", "Tell the team!")),
)


# --- a new skill ----------------------------------------------------------------------------------


def test_three_successes_alike_become_a_skill_that_conforms() -> None:
    (proposal,) = find(seen(THREE))
    assert (proposal.op, proposal.path) == ("skill", PATH)
    assert proposal.reason == (
        "this way of working succeeded 3 times, on 2026-11-01, 2026-11-02, 2026-11-03: "
        "Rotate the API keys of shop"
    )
    text = made(proposal)
    assert skill_format.faults(text, "rotate-the-api-keys-of-shop") == []
    assert proposal.sources == tuple(r.path.removesuffix(".md") for r in THREE)
    body = frontmatter.parse(text).body
    assert "## Steps\n1. Make a new key\n2. Deploy it\n3. Revoke the old one\n" in body
    assert "- `heron`" in body
    one, three = proposal.sources[0], proposal.sources[2]
    assert f"- Tell the team! ([[{three}]], [[{one}]])" in body
    assert f"- Wait for the caches ([[{three}]])" in body


def test_steps_that_most_of_the_three_share_are_kept_in_the_newest_ones_words() -> None:
    episodes = (
        told(1, "Deploy the shop", approach="Run the tests. Build the image. Push it to staging."),
        told(2, "Deploy the shop", approach="Run the tests; build the image; ring the bell."),
        told(3, "Deploy the shop", approach="Run all tests. Build the image. Drink coffee."),
    )
    (proposal,) = find(seen(episodes))
    assert "## Steps\n1. Run all tests.\n2. Build the image.\n\n" in made(proposal)


def test_a_skill_is_called_by_what_its_tasks_have_in_common() -> None:
    tasks = ("Ship release 1.2 to staging", "Ship release 1.3 to the staging", "Ship release 2.0")
    (proposal,) = find(seen([told(n, task) for n, task in enumerate(tasks, start=1)]))
    assert proposal.path == "skills/ship-release/SKILL.md"


def test_a_task_in_chinese_becomes_a_skill_with_an_allowed_name() -> None:
    episodes = [
        told(n, "轮换商店的接口密钥", approach="生成新密钥。部署新密钥。撤销旧密钥。")
        for n in (1, 2, 3)
    ]
    (proposal,) = find(seen(episodes))
    assert skill_format.faults(made(proposal), proposal.path.split("/")[1]) == []
    assert "1. 生成新密钥。\n2. 部署新密钥。\n" in made(proposal)


@pytest.mark.parametrize(
    "episodes",
    [
        THREE[:2],
        [*THREE[:2], told(3, "Bake bread for the party")],
        [*THREE[:2], told(3, "Rotate the API keys of shop C", approach="Ask Ben, who knows")],
        [*THREE[:2], told(3, "Rotate the API keys of shop C", approach="")],
        [*THREE[:2], told(3, "Rotate the API keys of shop C", outcome="preference")],
        [told(n, "Rotate the API keys", day=5, session="s1") for n in (1, 2, 3)],
        [*THREE, *(told(n, "Rotate the API keys of shop D", outcome="failure") for n in (4, 5, 6))],
    ],
    ids=["two", "another task", "another way", "no way", "no success", "one day, one session",
         "failed as often"],
)  # fmt: skip
def test_less_than_that_is_no_skill(episodes: Sequence[Record]) -> None:
    assert list(find(seen(episodes))) == []


def test_one_way_of_working_is_one_whatever_names_its_tasks_have_in_them() -> None:
    steps = "Run the tests\nBuild the image\nPush it and watch the logs"
    tasks = ("Deploy the web shop to staging", "Deploy the web shop to production",
             "Deploy the blog to staging")  # fmt: skip
    (proposal,) = find(seen([told(n, it, approach=steps) for n, it in enumerate(tasks, start=1)]))
    assert proposal.path == "skills/deploy-to-staging/SKILL.md"
    assert len(proposal.sources) == 3


@pytest.mark.parametrize(("outcome", "approach"), [("failure", STEPS), ("feedback", "")])
def test_what_went_wrong_since_is_a_caution_of_the_new_skill(
    outcome: Outcome, approach: str
) -> None:
    failed = told(
        4, "Rotate the API keys of shop D", outcome=outcome, approach=approach, lessons=("Ask Ben",)
    )
    (proposal,) = find(seen([*THREE, failed]))
    assert f"and met {outcome} on 2026-11-04: Rotate" in proposal.reason
    assert f"## Watch out\n- Ask Ben ([[{failed.path.removesuffix('.md')}]])\n" in made(proposal)


def test_why_there_is_no_skill_yet_is_said() -> None:
    one_day = [told(n, "Rotate the API keys", day=5, session="s1") for n in (1, 2, 3)]
    (said,) = unproven(seen(one_day))
    assert said == (
        "no skill yet: 'Rotate the API keys' succeeded 3 times, "
        "all on one day and in one session: another day or session proves it"
    )
    failed = [told(n, "Rotate the API keys of shop D", outcome="failure") for n in (4, 5, 6)]
    (said,) = unproven(seen([*THREE, *failed]))
    assert said.endswith("succeeded 3 times, and as often it did not: 3 times")
    assert list(unproven(seen(THREE))) == []
    assert list(unproven(seen(THREE[:2]))) == []


def test_three_on_one_day_in_two_sessions_are_enough() -> None:
    episodes = [told(n, "Rotate the API keys", day=5, session=f"s{n % 2}") for n in (1, 2, 3)]
    assert len(list(find(seen(episodes)))) == 1


def test_three_successes_after_a_failure_make_a_skill_that_warns_of_it() -> None:
    failed = told(
        1, "Rotate the API keys of shop Z", outcome="failure", lessons=("Revoke it last",)
    )
    later = [told(n, f"Rotate the API keys of shop {n}") for n in (2, 3, 4)]
    (proposal,) = find(seen([failed, *later]))
    link = failed.path.removesuffix(".md")
    assert f"## Watch out\n- Revoke it last ([[{link}]])\n" in made(proposal)


def test_what_is_not_trusted_proves_nothing() -> None:
    page = replace(THREE[2], trust="untrusted")
    assert list(find(seen([*THREE[:2], page]))) == []


def test_the_same_experiences_give_the_same_proposal_whenever_they_are_looked_at() -> None:
    (one,) = find(seen(THREE))
    (two,) = find(Seen((), (), THREE[::-1], frozenset(), datetime(2027, 1, 1, tzinfo=UTC)))
    assert one.id == two.id


# --- a skill that is there ------------------------------------------------------------------------


def learnt() -> Note:
    (proposal,) = find(seen(THREE))
    return as_note(PATH, made(proposal))


def test_a_skill_is_not_proposed_again_nor_one_on_its_subject() -> None:
    assert list(find(seen(THREE, learnt()))) == []
    fourth = told(4, "Rotate the API keys of shop D")
    assert list(find(seen([*THREE, fourth], learnt()))) == []
    own = "---\nname: keys\ndescription: How to rotate the API keys of a shop C.\n---\nAsk Ben.\n"
    assert list(find(seen(THREE, as_note("skills/keys/SKILL.md", own)))) == []


def test_a_name_that_is_taken_gets_a_number() -> None:
    other = as_note(PATH, "---\nname: x\ndescription: Bakes bread.\n---\nKnead.\n")
    (proposal,) = find(seen(THREE, other))
    assert proposal.path == "skills/rotate-the-api-keys-of-shop-2/SKILL.md"


def applied(note: Note, proposal: Proposal) -> Note:
    lines = list(note.lines)
    for edit in proposal.edits:
        assert isinstance(edit, Lines)
        assert tuple(lines[edit.at : edit.at + len(edit.old)]) == edit.old
        lines[edit.at : edit.at + len(edit.old)] = edit.new
    return as_note(note.path, "\n".join(lines) + "\n")


def test_a_later_failure_is_noted_in_the_skill_once() -> None:
    failed = told(4, "Rotate the API keys of shop D", outcome="failure", lessons=("Not at noon",))
    spoken = told(
        5, "Rotate the API keys of shop E", outcome="feedback", approach="", feedback=("Ask first",)
    )
    note = learnt()
    (proposal,) = find(seen([*THREE, failed, spoken], note))
    assert (proposal.op, proposal.path) == ("correct", PATH)
    assert proposal.reason.startswith("its way of working met failure on 2026-11-04; feedback on")
    after = applied(note, proposal)
    first, second = (r.path.removesuffix(".md") for r in (failed, spoken))
    text = "\n".join(after.lines)
    assert f"## Watch out\n- Not at noon ([[{first}]])\n- Ask first ([[{second}]])" in text
    assert skill_format.faults(text + "\n", PATH.split("/")[1]) == []
    assert list(find(seen([*THREE, failed, spoken], after))) == []


def test_a_failure_of_another_task_or_a_pinned_skill_is_left_alone() -> None:
    burnt = told(4, "Bake bread for the party", outcome="failure", approach="Knead\nBake")
    assert list(find(seen([*THREE, burnt], learnt()))) == []
    failed = told(5, "Rotate the API keys of shop D", outcome="failure")
    pinned = facts.note(PATH, "\n".join([*learnt().lines, ""]).encode(), fixed=True)
    assert pinned is not None
    assert list(find(seen([*THREE, failed], pinned))) == []


@pytest.mark.long
def test_twice_as_many_experiences_are_about_twice_as_much_work() -> None:
    """Not each is compared to each."""
    episodes = [
        told(n + 1, f"Do chore {n % 60} of area {n % 7} for customer {n % 37}", day=1 + n % 19)
        for n in range(400)
    ]

    def looked_through(most: int) -> int:
        return calls(lambda: list(find(seen(episodes[:most]))))

    assert looked_through(400) < 3 * looked_through(200)
