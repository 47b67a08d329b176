"""What detectors find, put together: in order, within budgets, and without an unsaid loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from vaultmem.maintenance.dream import facts as dream_facts
from vaultmem.maintenance.dream import planner
from vaultmem.maintenance.dream.planner import NEEDS_GIT, PROTECTED, Choice, Planned, Terms
from vaultmem.maintenance.dream.types import Kept, Lines, Make, Note, Proposal, Remove, Seen
from vaultmem.records import Record
from vaultmem.storage.files import content, sha256
from vaultmem.storage.reader import record

NOW = datetime(2026, 11, 20, 10, 15, tzinfo=UTC)
Files = dict[str, str]
Find = Callable[[Seen], Iterator[Proposal]]


def seen(files: Files, *memories: Record) -> Seen:
    """Return what a dream sees of those files."""
    notes = [note for path, text in sorted(files.items()) if (note := noted(path, text))]
    return Seen(tuple(notes), memories, (), frozenset(files), NOW)


def noted(path: str, text: str) -> Note | None:
    """Return a file as a note."""
    return dream_facts.note(path, text.encode())


def terms(files: Files, **more: object) -> Terms:
    """Return terms under which those files are read."""
    read = {path: text.encode() for path, text in files.items()}.get
    return replace(Terms(read), **more)  # type: ignore[arg-type]


def plan(files: Files, *detectors: Find, **more: object) -> Planned:
    """Plan with those detectors alone."""
    return planner.plan(seen(files), terms(files, **more), detectors)


def drops(path: str, line: str, *, kept: str = "", lost: bool = False) -> Find:
    """Return what proposes to take a line away, as long as it stands there."""

    def find(now: Seen) -> Iterator[Proposal]:
        for note in now.notes:
            for at, text in enumerate(note.lines):
                if note.path == path and text == line:
                    fact = line.removeprefix("- ")
                    yield Proposal(
                        "merge",
                        path,
                        f"drops {line}",
                        (Lines(path, at, (line,), ()),),
                        kept=(Kept(fact, kept),) if kept else (),
                        losses=(fact,) if lost else (),
                    )

    return find


def says(planned: Planned, path: str) -> str:
    """Return a file as the plan would leave it."""
    return (planned.changed[path] or b"").decode()


def facts(count: int, name: str = "Fact") -> str:
    """Return so many bullets."""
    return "".join(f"- {name} {n} stands.\n" for n in range(count))


# --- losses -------------------------------------------------------------------------------------


def test_a_fact_that_stands_elsewhere_to_the_letter_may_go() -> None:
    files = {"topics/a.md": "- Tea at five!\n- Milk.\n", "topics/b.md": "- tea at FIVE.\n"}
    found = plan(files, drops("topics/a.md", "- Tea at five!"))
    assert [p.reason for p in found.proposals] == ["drops - Tea at five!"]
    assert says(found, "topics/a.md") == "- Milk.\n"


def test_of_two_that_lean_on_each_other_one_stays() -> None:
    files = {"topics/a.md": "- Tea.\n- Milk.\n", "topics/b.md": "- Tea.\n- Rum.\n"}
    found = plan(files, drops("topics/a.md", "- Tea."), drops("topics/b.md", "- Tea."))
    assert [p.path for p in found.proposals] == ["topics/a.md"]
    assert found.left == ("1 left: a fact would be lost without being listed",)


def test_a_fact_that_is_lost_unsaid_is_never_proposed() -> None:
    found = plan({"topics/a.md": facts(8)}, drops("topics/a.md", "- Fact 1 stands."))
    assert found.proposals == ()
    assert found.left == ("1 left: a fact would be lost without being listed",)


def test_what_it_says_it_keeps_must_be_there() -> None:
    files = {"topics/a.md": "- Tea is at five.\n- We have tea at five o'clock.\n"}
    kept = drops("topics/a.md", "- Tea is at five.", kept="We have tea at five o'clock.")
    assert len(plan(files, kept).proposals) == 1
    gone = drops("topics/a.md", "- Tea is at five.", kept="Coffee is at four.")
    assert plan(files, gone).proposals == ()


def test_what_hangs_on_a_bullet_counts_by_itself() -> None:
    """The why of a fact is lost with it, though the fact stands elsewhere."""
    files = {"topics/a.md": "- Tea.\n  - **Why:** it rains\n- Milk.\n", "topics/b.md": "- Tea.\n"}

    def find(_: Seen) -> Iterator[Proposal]:
        old = ("- Tea.", "  - **Why:** it rains")
        yield Proposal("merge", "topics/a.md", "twice", (Lines("topics/a.md", 0, old, ()),))

    assert plan(files, find).left == ("1 left: a fact would be lost without being listed",)


def test_a_field_of_a_card_is_a_fact() -> None:
    card = "---\ntype: card\nperson: Ada\nallergy: nuts\n---\nSaid at lunch.\n"
    line = drops("cards/a.md", "allergy: nuts")
    assert plan({"cards/a.md": card}, line).proposals == ()


def test_a_memory_goes_only_when_its_words_stay() -> None:
    text = "---\ntype: memory\nid: 01J5XK3M9QZ7V4T8R2N6W7Q3KZ\ncreated: 2026-01-01\n---\nTea.\n"
    path = "agents/ada/memories/2026/01/tea.md"

    def find(now: Seen) -> Iterator[Proposal]:
        for memory in now.memories:
            yield Proposal("delete", path, "twin", (Remove(path, memory.sha),))

    held = record(path, content(text.encode()))
    both = {path: text, "topics/a.md": "- Tea.\n"}
    kept = planner.plan(seen({"topics/a.md": "- Tea.\n"}, held), terms(both), [find])
    assert kept.changed == {path: None}
    assert planner.plan(seen({}, held), terms(both), [find]).proposals == ()


# --- rounds -------------------------------------------------------------------------------------


def test_what_a_change_brings_about_is_found_in_the_next_round() -> None:
    """So that a second dream has nothing to do."""
    files = {"topics/a.md": "- Tea.\n- Milk.\n", "topics/b.md": "- Tea.\n"}

    def alone(now: Seen) -> Iterator[Proposal]:
        if "topics/c.md" not in now.paths and any(n.lines == ("- Milk.",) for n in now.notes):
            yield Proposal("move", "topics/c.md", "alone", (Make("topics/c.md", "- Rum.\n"),))

    found = plan(files, alone, drops("topics/a.md", "- Tea."))
    assert [p.op for p in found.proposals] == ["merge", "move"]


def test_what_a_plan_writes_it_does_not_put_right_in_the_same_breath() -> None:
    """Two boxes would hang together; the next dream finds what there is to mend."""
    made = Make("topics/new.md", "# New\n\n- Sold it yesterday.\n")

    def makes(now: Seen) -> Iterator[Proposal]:
        if "topics/new.md" not in now.paths:
            yield Proposal("abstract", "topics/new.md", "is told", (made,))

    def mends(now: Seen) -> Iterator[Proposal]:
        for note in now.notes:
            for at, line in enumerate(note.lines):
                if "yesterday" in line:
                    new = line.replace("yesterday", "on 2026-11-19")
                    edit = Lines(note.path, at, (line,), (new,))
                    kept = (Kept(line.removeprefix("- "), new.removeprefix("- ")),)
                    yield Proposal("correct", note.path, "a date", (edit,), kept=kept)

    there = {"topics/old.md": "# Old\n\n- Left yesterday.\n"}
    planned = plan(there, makes, mends)
    assert [p.path for p in planned.proposals if p.op == "correct"] == ["topics/old.md"]


def test_a_detector_that_never_rests_is_stopped() -> None:
    def more(now: Seen) -> Iterator[Proposal]:
        yield Proposal("move", "x", "again", (Make(f"topics/{len(now.paths)}.md", "- New.\n"),))

    assert len(plan({}, more).proposals) == planner.MOST_ROUNDS


def test_lines_that_read_the_same_are_told_apart() -> None:
    files = {"topics/a.md": "- Tea.\n- Tea.\n- Milk.\n- Tea.\n"}

    def find(now: Seen) -> Iterator[Proposal]:
        again = [f for note in now.notes for f in note.facts if f.text == "Tea."][1:]
        for fact in again:
            yield Proposal(
                "merge", fact.path, "twice", (Lines(fact.path, fact.at, fact.lines, ()),)
            )

    found = plan(files, find)
    assert len({p.id for p in found.proposals}) == 2
    assert says(found, "topics/a.md") == "- Tea.\n- Milk.\n"
    one = planner.choose(
        found.proposals, Choice(frozenset({found.proposals[1].id})), seen(files), terms(files)
    )
    assert one.changed == {"topics/a.md": b"- Tea.\n- Tea.\n- Milk.\n"}


# --- what may not be ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("topics/a.md", "---\npinned: true\n---\n- Tea.\n"),
        ("topics/a.md", "---\nread_only: yes\n---\n- Tea.\n"),
    ],
)
def test_what_is_fixed_stays(path: str, text: str) -> None:
    files = {path: text, "topics/b.md": "- Tea.\n"}
    assert plan(files, drops(path, "- Tea.")).proposals == ()


@pytest.mark.parametrize(
    "path",
    ["config/memory_compaction.md", "agents/ada/memories/x.md", "README.md", "inbox/x.md", "x.txt"],
)
def test_a_dream_writes_only_where_knowledge_lies(path: str) -> None:
    def find(_: Seen) -> Iterator[Proposal]:
        yield Proposal("move", path, "because", (Make(path, "- New.\n"),))

    assert plan({}, find).left == (f"1 left: {path} is not a place where a dream may write",)


def test_what_was_struck_out_is_not_asked_again() -> None:
    files = {"topics/a.md": "- Tea.\n- Milk.\n", "topics/b.md": "- Tea.\n"}
    find = drops("topics/a.md", "- Tea.")
    (first,) = plan(files, find).proposals
    files["topics/a.md"] = "- Rum.\n" + files["topics/a.md"]
    assert plan(files, find, declined=frozenset({first.id})).proposals == ()


# --- budgets ------------------------------------------------------------------------------------


def test_a_file_loses_a_quarter_of_its_facts_at_most() -> None:
    finds = [drops("topics/a.md", f"- Fact {n} stands.", lost=True) for n in range(3)]
    found = plan({"topics/a.md": facts(8)}, *finds)
    assert [p.losses for p in found.proposals] == [("Fact 0 stands.",), ("Fact 1 stands.",)]
    assert found.left == ("1 left: topics/a.md would lose more than 25% of its facts",)


def test_many_reasons_to_wait_are_told_in_a_few_lines() -> None:
    """The rest is counted."""

    def find(_: Seen) -> Iterator[Proposal]:
        for n in range(12):
            yield Proposal("link", f"x{n}.md", "x", (Remove(f"x{n}.md", ""),))

    left = plan({}, find).left
    assert len(left) == planner.MOST_LEFT + 1
    assert left[-1] == "4 left for other reasons"


def test_a_tenth_of_the_notes_may_lose_facts_and_one_at_least() -> None:
    files = {f"topics/{n}.md": facts(8, f"Note {n}, fact") for n in range(3)}
    finds = [drops(f"topics/{n}.md", f"- Note {n}, fact 1 stands.", lost=True) for n in range(3)]
    found = plan(files, *finds)
    assert [p.path for p in found.proposals] == ["topics/0.md"]
    assert found.left == ("2 left: more than 10% of the notes would lose facts",)


def test_a_file_that_goes_is_none_of_those_that_lose_facts() -> None:
    def goes(now: Seen) -> Iterator[Proposal]:
        for note in (n for n in now.notes if n.path == "topics/0.md"):
            losses = tuple(fact.text for fact in note.facts)
            yield Proposal("delete", note.path, "x", (Remove(note.path, note.sha),), losses=losses)

    files = {f"topics/{n}.md": facts(8, f"Note {n}, fact") for n in range(3)}
    found = plan(files, drops("topics/1.md", "- Note 1, fact 1 stands.", lost=True), goes)
    assert [p.op for p in found.proposals] == ["merge", "delete"]


def test_a_file_may_lose_one_fact_however_little_it_says() -> None:
    finds = [drops("topics/a.md", f"- Fact {n} stands.", lost=True) for n in range(2)]
    assert len(plan({"topics/a.md": facts(2)}, *finds).proposals) == 1


def test_what_was_asked_for_by_itself_is_asked_so_again() -> None:
    files = {"topics/a.md": "- Tea.\n- Milk.\n", "topics/b.md": "- Tea.\n"}
    find = drops("topics/a.md", "- Tea.")
    (first,) = plan(files, find).proposals
    (again,) = plan(files, find, protected=frozenset({first.id})).proposals
    assert (first.protected, again.protected, again.id) == (False, True, first.id)


def test_what_stays_elsewhere_is_no_loss_whatever_it_is_called() -> None:
    files = {"topics/a.md": "- Tea.\n", "topics/b.md": "- Tea.\n- Milk.\n"}
    assert len(plan(files, drops("topics/b.md", "- Tea.", lost=True)).proposals) == 1


def test_fifty_files_may_go() -> None:
    files = {f"topics/{n:02}.md": "- Tea.\n" for n in range(60)}

    def find(now: Seen) -> Iterator[Proposal]:
        for note in now.notes[1:]:
            yield Proposal("merge", note.path, "twice", (Remove(note.path, note.sha),))

    found = plan(files, find)
    assert len(found.proposals) == 50
    assert found.left == ("9 left: more than 50 files would be removed",)


@pytest.mark.long
def test_a_review_holds_two_hundred_changes_the_surest_first() -> None:
    """The next dream takes up the rest, and what was said of people waits for no other."""
    files = {"topics/a.md": "".join(f"- Tea {n}.\n" for n in range(300))}

    def find(now: Seen) -> Iterator[Proposal]:
        for n in range(300):
            new = Make(f"topics/{n}.md", "- Rum.\n")
            yield from () if new.path in now.paths else (Proposal("split", new.path, "x", (new,)),)
            (line,) = (f"- Tea {n}.",)
            if line in now.notes[-1].lines:
                edit = Lines("topics/a.md", n, (line,), (line.upper(),))
                yield Proposal("correct", "topics/a.md", "x", (edit,))
        if "cards/a/b.md" not in now.paths:
            yield Proposal("card", "cards/a/b.md", "x", (Make("cards/a/b.md", "- Ada.\n"),))

    found = plan(files, find)
    assert [p.op for p in found.proposals] == ["card", *["correct"] * 199]
    assert found.left == (f"401 left: {planner.ENOUGH}",)


# --- protected ----------------------------------------------------------------------------------


def test_a_persons_lines_are_proposed_and_left_as_they_are() -> None:
    files = {"topics/a.md": "- Tea.\n- Milk.\n", "topics/b.md": "- Tea.\n"}
    own = {"topics/a.md": frozenset({"- Tea."})}
    found = plan(files, drops("topics/a.md", "- Tea."), own=lambda _: own)
    (asked,) = found.proposals
    assert asked.protected
    assert found.changed == {}


# --- choosing -----------------------------------------------------------------------------------

TWO = {"topics/a.md": "- Tea.\n- Milk.\n- Rum.\n", "topics/b.md": "- Tea.\n- Milk.\n"}


def two() -> tuple[Proposal, ...]:
    """Return a plan with two changes to a file."""
    return plan(TWO, drops("topics/a.md", "- Tea."), drops("topics/a.md", "- Milk.")).proposals


def chosen(files: Files, choice: Choice, **more: object) -> planner.Chosen:
    """Return what comes of a choice of the two."""
    return planner.choose(two(), choice, seen(files), terms(files, **more))


def every(*, ticked: bool = False, protected: bool = False) -> Choice:
    """Return the choice of both."""
    ids = frozenset(p.id for p in two())
    return Choice(ids, ids if ticked else frozenset(), protected)


def test_only_what_was_chosen_is_done() -> None:
    first, second = two()
    done = chosen(TWO, Choice(frozenset({second.id})))
    assert done.changed == {"topics/a.md": b"- Tea.\n- Rum.\n"}
    assert (done.applied, done.skipped) == ((second,), ())
    assert first.id != second.id


def test_what_no_longer_fits_is_skipped_and_the_rest_is_done() -> None:
    files = TWO | {"topics/a.md": "- Tea, at five.\n- Milk.\n- Rum.\n"}
    done = chosen(files, every())
    assert [p.edits[0].path for p in done.applied] == ["topics/a.md"]
    assert done.changed == {"topics/a.md": b"- Tea, at five.\n- Rum.\n"}
    assert "changed since" in done.skipped[0][1]


def test_what_it_was_to_stay_in_is_looked_for_again() -> None:
    """The other copy was deleted meanwhile."""
    done = chosen(TWO | {"topics/b.md": "- Milk.\n"}, every())
    assert [why for _, why in done.skipped] == ["a fact would be lost without being listed"]
    assert done.changed == {"topics/a.md": b"- Tea.\n- Rum.\n"}


@pytest.mark.parametrize(
    ("choice", "free"),
    [(every(), False), (every(ticked=True), True), (every(protected=True), True)],
)
def test_a_persons_lines_change_only_when_that_was_meant(choice: Choice, *, free: bool) -> None:
    own: Mapping[str, frozenset[str]] = {"topics/a.md": frozenset({"- Tea.", "- Milk."})}
    done = chosen(TWO, choice, own=lambda _: own)
    assert [why for _, why in done.skipped] == [] if free else [PROTECTED, PROTECTED]


def test_without_history_nothing_goes() -> None:
    done = chosen(TWO, every(ticked=True), history=False)
    assert {why for _, why in done.skipped} == {NEEDS_GIT}
    new = Proposal("move", "topics/c.md", "new", (Make("topics/c.md", "- New.\n"),))
    made = planner.choose([new], Choice(frozenset({new.id})), seen(TWO), terms(TWO, history=False))
    assert made.changed == {"topics/c.md": b"- New.\n"}


def test_a_removed_file_must_be_the_one_that_was_seen() -> None:
    gone = Proposal("merge", "topics/b.md", "x", (Remove("topics/b.md", sha256(b"other")),))
    done = planner.choose([gone], Choice(frozenset({gone.id})), seen(TWO), terms(TWO))
    assert done.applied == ()


# --- noting -------------------------------------------------------------------------------------


def test_a_generated_heading_says_nothing_of_a_persons_lines() -> None:
    marks = (
        "<!-- vaultmem:begin -->",
        "## Topics\n- [Tea](topics/tea.md)",
        "<!-- vaultmem:end -->",
    )
    note = noted("MEMORY.md", "# Mine\n" + "\n".join(marks) + "\nA line of my own.\n")
    assert note
    assert [(fact.text, fact.section) for fact in note.facts] == [("A line of my own.", "mine")]


@pytest.mark.parametrize(
    ("path", "cleaned"),
    [
        ("topics/tea.md", True),
        ("agents/ada/topics/tea.md", True),
        ("notes/tea.md", True),
        ("tea.md", True),
        ("MEMORY.md", True),
        ("README.md", False),
        ("notes/README.md", False),
        ("agents/ada/working.md", False),
        ("agents/ada/memories/2026/11/tea.md", False),
        ("inbox/tea.md", False),
        (".obsidian/tea.md", False),
        ("topics/tea.txt", False),
    ],
)
def test_where_dreams_clean_up(path: str, *, cleaned: bool) -> None:
    assert dream_facts.is_cleaned(path) is cleaned
