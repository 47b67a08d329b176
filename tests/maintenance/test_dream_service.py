"""Dreams on real vaults: planned, reviewed, applied in part and late, refused, taken back."""

from __future__ import annotations

import fcntl
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from tests.bench import dreaming as random_vaults
from tests.cases import rarely
from tests.conftest import Clock
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import BadInput, Busy, Refused, Unavailable
from vaultmem.knowledge.cards.types import Patch
from vaultmem.maintenance.dream import planner
from vaultmem.maintenance.dream.choices import CONTESTED, REWORDED
from vaultmem.maintenance.dream.gates import Gates
from vaultmem.maintenance.dream.lock import LOCK
from vaultmem.maintenance.dream.planner import NEEDS_GIT, PROTECTED, not_in_git
from vaultmem.maintenance.dream.service import Dreams
from vaultmem.maintenance.dream.types import Gate, Kept, Lines, Make, Proposal, Remove, Seen
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.storage.plan import Change, Plan

KITCHEN = "topics/kitchen.md"
TEA = "topics/tea.md"
SHOUTED = "- TEA IS AT FIVE.\n"
TEXTS = {
    KITCHEN: "---\ntype: topic\ntitle: Kitchen\n---\n- Tea is at five.\n- Milk first.\n",
    TEA: f"---\ntype: topic\ntitle: Tea\n---\n{SHOUTED}- Sugar is out.\n- MILK FIRST.\n",
}


def shouted(seen: Seen) -> Iterator[Proposal]:
    """Propose to take away what stands elsewhere in small letters."""
    calm = {f.text.casefold(): f for note in seen.notes for f in note.facts if not f.text.isupper()}
    for note in seen.notes:
        for fact in note.facts if not note.fixed else ():
            if fact.text.isupper() and (stays := calm.get(fact.text.casefold())):
                yield Proposal(
                    "merge",
                    note.path,
                    f"repeats what {stays.path} says",
                    (Lines(note.path, fact.at, fact.lines, ()),),
                    kept=(Kept(fact.text, stays.text),),
                )


@pytest.fixture
def _only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for what is shouted, and for nothing else."""
    monkeypatch.setattr(planner, "DETECTORS", (shouted,))


@pytest.fixture
def dreams(vault: Vault, _only: None) -> Dreams:
    """Return the dreams of a vault with two topics, committed by a person."""
    for path, text in TEXTS.items():
        put(vault, path, text)
    commit(vault)
    return dreaming(vault)


def dreaming(vault: Vault, gate: Gate | None = None, gates: Gates | None = None) -> Dreams:
    """Return the dreams of *vault*, whose probes come out as *gate*."""
    return Dreams(
        vault.store, Extractive, lambda *_: gate or Gate(1.0, 1.0, 10), lambda: gates or Gates()
    )


def put(vault: Vault, path: str, text: str) -> None:
    """Write a file as a person does."""
    file = vault.path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def says(vault: Vault, path: str) -> str:
    """Return what a file says."""
    return (vault.path / path).read_text()


def git(vault: Vault, *args: str) -> str:
    """Run git as a person does."""
    done = subprocess.run(
        ["git", *args], cwd=vault.path, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def commit(vault: Vault) -> None:
    """Commit all there is as a person does."""
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "by hand")


def subjects(vault: Vault, count: int) -> list[str]:
    """Return the subjects of the newest commits."""
    return git(vault, "log", f"-{count}", "--format=%s").splitlines()


def note(vault: Vault) -> Path:
    """Return the one review note there is."""
    (found,) = (vault.path / "inbox").glob("dream-*.md")
    return found


def mark(vault: Vault, name: str, sign: str = "x") -> None:
    """Put a sign into the box of a change, as a person does."""
    file = note(vault)
    file.write_text(file.read_text().replace(f"- [ ] `{name}`", f"- [{sign}] `{name}`"))


# --- plan ---------------------------------------------------------------------------------------


def test_a_plan_changes_nothing_but_the_inbox(vault: Vault, dreams: Dreams) -> None:
    found = dreams.plan()
    assert [(p.op, p.path) for p in found.proposals] == [("merge", TEA), ("merge", TEA)]
    assert f"-{SHOUTED}" in found.diff
    assert found.note == "inbox/dream-2026-11-20.md"
    assert found.commit == git(vault, "rev-parse", "HEAD")
    assert git(vault, "show", "--name-only", "--format=%s").splitlines() == [
        "plan a dream: 2 changes", "", found.note,
    ]  # fmt: skip
    assert {path: says(vault, path) for path in TEXTS} == TEXTS
    assert note(vault).read_text().count("- [ ]") == 2


@pytest.mark.usefixtures("_only")
def test_without_anything_to_better_there_is_no_note(vault: Vault) -> None:
    found = dreaming(vault).plan()
    assert (found.proposals, found.note, found.commit) == ((), "", None)
    assert found.reason == "no improvement was found"
    assert subjects(vault, 1) == ["init: a vault"]


def test_the_same_plan_again_leaves_the_note_as_it_is(vault: Vault, dreams: Dreams) -> None:
    first = dreams.plan()
    text = note(vault).read_text()
    again = dreams.plan()
    assert (again.id, again.note, again.commit) == (first.id, first.note, None)
    assert note(vault).read_text() == text


def test_another_plan_takes_the_place_of_an_untouched_one(vault: Vault, dreams: Dreams) -> None:
    dreams.plan()
    put(vault, TEA, TEXTS[TEA].replace(SHOUTED, ""))
    second = dreams.plan()
    assert note(vault).read_text().count("- [ ]") == 1
    kept = [file.name for file in (vault.path / ".vaultmem/dreams").glob("*.json")]
    assert kept == [f"{second.id}.json"]


def test_a_note_that_a_person_wrote_in_stays_and_is_not_asked_twice(
    vault: Vault, dreams: Dreams
) -> None:
    first, _ = dreams.plan().proposals
    mark(vault, first.id)
    before = note(vault).read_text()
    put(vault, "topics/loud.md", "- SUGAR IS OUT.\n")
    put(vault, TEA, TEXTS[TEA].replace("- MILK FIRST.\n", ""))
    second = dreams.plan()
    assert second.note == "inbox/dream-2026-11-20-b.md"
    assert (vault.path / "inbox/dream-2026-11-20.md").read_text() == before
    assert says(vault, second.note).count("- [ ]") == 1
    assert first.id not in says(vault, second.note)


def test_what_was_struck_out_is_asked_again_only_by_force(vault: Vault, dreams: Dreams) -> None:
    first, second = dreams.plan().proposals
    mark(vault, first.id, "-")
    put(vault, TEA, f"A remark.\n{TEXTS[TEA]}")
    assert [p.id for p in dreams.plan().proposals] == [second.id]
    assert {p.id for p in dreams.plan(force=True).proposals} == {first.id, second.id}


def test_two_do_not_dream_at_once(
    vault: Vault, dreams: Dreams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock goes with the process that held it."""
    monkeypatch.setattr("vaultmem.maintenance.dream.lock._PATIENCE", 0.05)
    with (vault.path / LOCK).open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(Busy, match="another dream"):
            dreams.plan()
    assert dreams.plan().proposals


@pytest.mark.long
def test_what_was_said_of_people_becomes_cards(vault: Vault) -> None:
    """Of a long conversation only what a person would want to keep on a card."""
    talk = resources.files("vaultmem.cli.demo") / "conversation.jsonl"
    with resources.as_file(talk) as file:
        vault.import_files("jsonl", [file], agent="ada")
    found = dreaming(vault).plan()
    card, other = (p for p in found.proposals if p.op == "card")
    assert (card.path, other.path) == ("cards/medical/sarah.md", "cards/preferences/mara.md")
    assert card.reason == (
        "Sarah's allergy: hazelnuts; birthday: 14 November, as was said on 2026-08-03: "
        "One thing you must never forget: Sarah is allergic to hazelnuts / "
        "She's seven, and she turns eight on 14 November"
    )
    assert {
        "+relationship: Mara's daughter",
        "+daughter: Sarah",
        "+allergy: hazelnuts",
        "+source: import",
    } <= set(found.diff.splitlines())
    dreaming(vault).apply(everything=True)
    assert vault.cards.get("medical/sarah")["allergy"] == "hazelnuts"
    assert dreaming(vault).plan(force=True).proposals == ()


def test_what_disagrees_with_a_card_waits_in_the_inbox(vault: Vault, clock: Clock) -> None:
    patch = Patch({"allergy": "walnuts"}, person="Sarah", relationship="daughter",
                  backstory="Told by her doctor.", source="human")  # fmt: skip
    vault.cards.set("medical/sarah", patch)
    before = says(vault, "cards/medical/sarah.md")
    clock.advance(days=1)
    vault.remember("My daughter Sarah is allergic to hazelnuts.", agent="ada", source="user")
    found = dreaming(vault).plan()
    assert (found.proposals, found.reason) == ((), "no improvement was found")
    where = "inbox/card-medical.sarah.md"
    assert found.left == (f"what was said disagrees with cards/medical/sarah.md: see {where}",)
    assert "- [ ] allergy: hazelnuts (user, 2026-11-21)" in says(vault, where)
    assert says(vault, "cards/medical/sarah.md") == before


# --- apply --------------------------------------------------------------------------------------


def test_all_of_it_is_one_commit_that_tells_what_it_did(vault: Vault, dreams: Dreams) -> None:
    dreams.plan()
    done = dreams.apply(everything=True)
    assert says(vault, TEA) == TEXTS[TEA].replace(SHOUTED, "").replace("- MILK FIRST.\n", "")
    assert subjects(vault, 2) == ["dream: 2 changes in 1 file", "plan a dream: 2 changes"]
    body = git(vault, "log", "-1", "--format=%B")
    assert f"merge {TEA}: repeats what {KITCHEN} says" in body
    assert f"Vaultmem-Op: {done.op}" in body
    assert done.commit == git(vault, "rev-parse", "HEAD")
    assert git(vault, "status", "--short") == ""
    text = note(vault).read_text()
    assert text.count("- [x]") == 2
    assert f"op: {done.op}" in text
    assert f"2 applied by {done.op}" in text


def test_a_second_dream_is_empty(dreams: Dreams) -> None:
    dreams.plan()
    dreams.apply(everything=True)
    assert dreams.plan(force=True).proposals == ()


def test_only_what_is_ticked_is_done(vault: Vault, dreams: Dreams) -> None:
    _, second = dreams.plan().proposals
    mark(vault, second.id, "X")
    done = dreams.apply()
    assert [p.id for p in done.applied] == [second.id]
    assert says(vault, TEA) == TEXTS[TEA].replace("- MILK FIRST.\n", "")
    assert git(vault, "status", "--short") == ""


def test_what_is_ticked_later_is_done_later(vault: Vault, dreams: Dreams) -> None:
    first, second = dreams.plan().proposals
    mark(vault, second.id)
    dreams.apply()
    mark(vault, first.id)
    assert [p.id for p in dreams.apply().applied] == [first.id]


@pytest.mark.parametrize("shown", ["", "-MILK FIRST.", "+- Milk at once."])
def test_of_a_change_whose_diff_was_edited_nothing_is_done_unless_it_is_named(
    vault: Vault, dreams: Dreams, shown: str
) -> None:
    first, second = dreams.plan().proposals
    whole = note(vault).read_text()
    assert whole.count("  -- MILK FIRST.\n") == 1
    note(vault).write_text(whole.replace("  -- MILK FIRST.\n", f"  {shown}\n" * bool(shown)))
    mark(vault, first.id)
    mark(vault, second.id)
    done = dreams.apply()
    assert [p.id for p in done.applied] == [first.id]
    (skipped,) = done.skipped
    assert (skipped.id, skipped.reason) == (second.id, REWORDED.format(id=second.id))
    assert f"Skipped `{second.id}`: its diff was edited" in note(vault).read_text()
    assert "- MILK FIRST.\n" in says(vault, TEA)
    assert [p.id for p in dreams.apply(ids=[second.id]).applied] == [second.id]


def test_a_note_without_its_diffs_and_with_other_line_ends_is_done_as_it_is_ticked(
    vault: Vault, dreams: Dreams
) -> None:
    first, second = dreams.plan().proposals
    mark(vault, first.id)
    mark(vault, second.id)
    text = note(vault).read_text()
    text = text.replace("\n  ", "\n    ")  # as an editor may set it out
    box, _, diff = text.partition(f"`{second.id}`")
    bare = diff.partition("\n")[0]
    note(vault).write_bytes(f"{box}`{second.id}`{bare}\n".replace("\n", "\r\n").encode())
    assert {p.id for p in dreams.apply().applied} == {first.id, second.id}


def test_single_changes_are_done_by_name(dreams: Dreams) -> None:
    first, _ = dreams.plan().proposals
    assert [p.id for p in dreams.apply(ids=[first.id]).applied] == [first.id]


def test_nothing_ticked_and_nothing_planned_say_what_to_do(dreams: Dreams) -> None:
    with pytest.raises(BadInput, match="`vaultmem dream plan` makes a plan"):
        dreams.apply()
    dreams.plan()
    with pytest.raises(BadInput, match=r"nothing is ticked: tick boxes in inbox/dream-2026-11-20"):
        dreams.apply()
    dreams.apply(everything=True)
    with pytest.raises(BadInput, match="nothing is ticked, and nothing waits"):
        dreams.apply()


def test_what_no_longer_fits_is_skipped_and_said(vault: Vault, dreams: Dreams) -> None:
    first, second = dreams.plan().proposals
    put(vault, TEA, says(vault, TEA).replace(SHOUTED, "- Tea? AT SIX.\n"))
    mark(vault, first.id)
    mark(vault, second.id)
    done = dreams.apply()
    assert [p.id for p in done.applied] == [second.id]
    assert [(s.id, s.path) for s in done.skipped] == [(first.id, TEA)]
    assert "changed since" in done.skipped[0].reason
    text = note(vault).read_text()
    assert f"*Skipped `{first.id}`: {TEA} was changed since" in text
    assert f"- [ ] `{first.id}`" in text
    assert "- Tea? AT SIX." in says(vault, TEA)


def test_a_plan_that_was_lost_is_made_again(vault: Vault, dreams: Dreams) -> None:
    """The folder of the program may be deleted at any time."""
    _, second = dreams.plan().proposals
    mark(vault, second.id)
    for kept in (vault.path / ".vaultmem/dreams").glob("*.json"):
        kept.unlink()
    assert [p.id for p in dreams.apply().applied] == [second.id]


def test_a_change_that_is_not_proposed_is_told_from_one_that_never_was(
    vault: Vault, dreams: Dreams
) -> None:
    first, _ = dreams.plan().proposals
    for kept in (vault.path / ".vaultmem/dreams").glob("*.json"):
        kept.unlink()
    put(vault, TEA, TEXTS[TEA].replace("- ", "- Not so: "))
    done = dreams.apply(ids=["zzz", first.id])
    assert (done.applied, done.commit) == ((), None)
    assert {s.id: s.reason.partition(":")[0] for s in done.skipped} == {
        first.id: "it is no longer proposed",
        "zzz": "no review note has a change of this id",
    }


@pytest.mark.long
def test_unasked_no_line_of_a_persons_goes_before_the_first_dream_or_later(
    vault: Vault, dreams: Dreams
) -> None:
    """Committed with plain git or not at all; a person may still have it all done."""
    put(vault, TEA, TEXTS[TEA] + "- TEA IS AT FIVE.\n")
    ids = [p.id for p in dreams.plan().proposals]
    assert (len(ids), dreams.apply_unasked(ids).applied) == (3, ())
    dreams.apply(ids=ids[:1])
    before = says(vault, TEA)
    assert dreams.apply_unasked(ids[1:]).applied == ()
    assert says(vault, TEA) == before
    assert len(dreams.apply(everything=True).applied) == 2


@pytest.mark.usefixtures("_only")
def test_unasked_what_the_program_wrote_is_bettered_beside_a_persons(vault: Vault) -> None:
    put(vault, KITCHEN, TEXTS[KITCHEN])
    commit(vault)
    change = Change(TEA, None, TEXTS[TEA].encode(), "as it writes topics")
    vault.store.apply(Plan(vault.store.mint(), "topic", "topic: tea", (change,)))
    dreams = dreaming(vault)
    done = dreams.apply_unasked([p.id for p in dreams.plan().proposals])
    assert [p.path for p in done.applied] == [TEA, TEA]


def test_a_dream_that_recall_would_suffer_from_is_refused(vault: Vault, dreams: Dreams) -> None:
    dreams.plan()
    before = git(vault, "rev-parse", "HEAD")
    with pytest.raises(Refused, match="would answer 90% of 20 probes, and it answers 95% now"):
        dreaming(vault, Gate(0.95, 0.9, 20)).apply(everything=True)
    assert (says(vault, TEA), git(vault, "rev-parse", "HEAD")) == (TEXTS[TEA], before)
    assert dreaming(vault, Gate(0.95, 0.94, 20)).apply(everything=True).applied


def test_a_persons_edits_are_committed_first_and_stay(vault: Vault, dreams: Dreams) -> None:
    dreams.plan()
    put(vault, TEA, TEXTS[TEA] + "- A new thought.\n")
    dreams.apply(everything=True)
    assert subjects(vault, 2) == ["dream: 2 changes in 1 file", f"human: edit {TEA}"]
    assert says(vault, TEA).endswith("- Sugar is out.\n- A new thought.\n")


@pytest.mark.long
def test_what_a_person_wrote_since_the_last_dream_is_only_asked(
    vault: Vault, dreams: Dreams
) -> None:
    """Ticked by itself, or meant by all, it is done."""
    dreams.plan()
    dreams.apply(everything=True)
    mine = says(vault, TEA) + SHOUTED
    put(vault, TEA, mine)
    commit(vault)
    (asked,) = dreams.plan().proposals
    assert asked.protected
    assert dreams.apply(everything=True).applied == ()
    assert says(vault, TEA) == mine
    done = dreams.apply(everything=True, include_protected=True)
    assert [p.id for p in done.applied] == [asked.id]


def test_lines_that_became_a_persons_after_the_plan_are_protected(
    vault: Vault, dreams: Dreams
) -> None:
    dreams.plan()
    dreams.apply(everything=True)
    put(vault, KITCHEN, TEXTS[KITCHEN] + "- SUGAR IS OUT.\n")
    (asked,) = dreams.plan().proposals
    assert asked.protected
    done = dreams.apply(ids=[asked.id])
    assert done.applied
    assert PROTECTED not in {s.reason for s in done.skipped}


@pytest.mark.usefixtures("_only")
def test_without_git_nothing_goes_and_the_plan_says_so(tmp_path: Path, clock: Clock) -> None:
    create.create(tmp_path / "plain", clock, with_git=False)
    with Vault.open(tmp_path / "plain", clock=clock) as vault:
        for path, text in TEXTS.items():
            put(vault, path, text)
        dreams = dreaming(vault)
        found = dreams.plan()
        assert (found.proposals, found.left) == ((), (f"2 left: {NEEDS_GIT}",))
        with pytest.raises(BadInput, match="`vaultmem dream plan` makes a plan"):
            dreams.apply(everything=True)
        assert says(vault, TEA) == TEXTS[TEA]
        with pytest.raises(Unavailable, match="git init"):
            dreams.log()


def test_ticks_are_applied_once_the_note_rests(vault: Vault, dreams: Dreams) -> None:
    first, _ = dreams.plan().proposals
    touched = note(vault).stat().st_mtime
    assert dreams.apply_ticked(touched + 1) is None
    mark(vault, first.id)
    touched = note(vault).stat().st_mtime
    assert dreams.apply_ticked(touched - 1) is None
    done = dreams.apply_ticked(touched + 1)
    assert done
    assert [p.id for p in done.applied] == [first.id]
    assert dreams.apply_ticked(note(vault).stat().st_mtime + 1) is None


def test_a_tick_that_fits_nothing_is_answered_once(vault: Vault, dreams: Dreams) -> None:
    first, _ = dreams.plan().proposals
    put(vault, TEA, TEXTS[TEA].replace(SHOUTED, ""))
    mark(vault, first.id)
    done = dreams.apply_ticked(note(vault).stat().st_mtime + 1)
    assert done
    assert (done.applied, len(done.skipped)) == ((), 1)
    assert subjects(vault, 1) == ["review a dream: 1 change did not fit"]
    assert dreams.apply_ticked(note(vault).stat().st_mtime + 1) is None


# --- nothing goes that git does not hold --------------------------------------------------------


def test_while_git_is_busy_nothing_is_applied_or_undone(
    vault: Vault, dreams: Dreams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock of another git, or a merge that is half done; what was ticked waits for its end."""
    monkeypatch.setattr("vaultmem.maintenance.dream.lock._PATIENCE", 0.05)
    first, _ = dreams.plan().proposals
    mark(vault, first.id)
    for name in ("index.lock", "MERGE_HEAD"):
        (vault.path / ".git" / name).touch()
        with pytest.raises(Refused, match="git cannot commit now, and nothing was applied"):
            dreams.apply(everything=True)
        with pytest.raises(Refused, match="may wait for its commit"):
            dreams.undo()
        assert dreams.apply_ticked(note(vault).stat().st_mtime + 1) is None
        assert {path: says(vault, path) for path in TEXTS} == TEXTS
        (vault.path / ".git" / name).unlink()
    assert dreams.apply().commit


@pytest.mark.usefixtures("_only")
def test_what_git_never_saw_is_committed_before_it_goes(vault: Vault) -> None:
    for path, text in TEXTS.items():
        put(vault, path, text)
    dreams = dreaming(vault)
    dreams.plan()
    assert dreams.apply(everything=True).applied
    assert git(vault, "show", f"HEAD^:{TEA}") == TEXTS[TEA].strip()


def test_what_was_staged_and_then_edited_is_skipped_with_the_reason(
    vault: Vault, dreams: Dreams
) -> None:
    """The rest is done."""
    put(vault, "topics/loud.md", f"{SHOUTED}- My own.\n")
    git(vault, "add", "topics/loud.md")
    mine = f"{SHOUTED}- My own.\n- half typed"
    put(vault, "topics/loud.md", mine)
    dreams.plan()
    done = dreams.apply(everything=True)
    assert {p.path for p in done.applied} == {TEA}
    assert [s.reason for s in done.skipped] == [not_in_git("topics/loud.md")]
    assert says(vault, "topics/loud.md") == mine


@pytest.mark.usefixtures("_only")
def test_what_git_ignores_is_never_cleaned(vault: Vault) -> None:
    put(vault, ".gitignore", "topics/\n")
    for path, text in TEXTS.items():
        put(vault, path, text)
    commit(vault)
    assert dreaming(vault).plan().proposals == ()


def test_a_split_is_made_whole_or_not_at_all(
    vault: Vault, dreams: Dreams, monkeypatch: pytest.MonkeyPatch
) -> None:
    def split(seen: Seen) -> Iterator[Proposal]:
        edit = Lines(TEA, 4, (SHOUTED.strip(),), ("- See [[new]].",))
        make = Make("topics/new.md", SHOUTED)
        if make.path not in seen.paths:
            yield Proposal("split", TEA, "too long", (make, edit))

    monkeypatch.setattr(planner, "DETECTORS", (split,))
    put(vault, TEA, f"{TEXTS[TEA]}- Staged.\n")
    git(vault, "add", TEA)
    put(vault, TEA, f"{TEXTS[TEA]}- Staged.\n- Typed.\n")
    dreams.plan()
    assert dreams.apply(everything=True).applied == ()
    assert not (vault.path / "topics/new.md").exists()


# --- what is a person's -------------------------------------------------------------------------


def test_what_is_older_than_the_first_dream_is_nobodys_news(vault: Vault, dreams: Dreams) -> None:
    """Committed or not when that was made."""
    put(vault, "topics/loud.md", f"{SHOUTED}- My own.\n")
    first, *others = dreams.plan().proposals
    assert first.path == "topics/loud.md"
    dreams.apply(ids=[others[0].id])
    done = dreams.apply(everything=True)
    assert {p.id for p in done.applied} == {first.id, *(p.id for p in others[1:])}
    assert done.skipped == ()


@pytest.mark.long
def test_all_of_it_never_takes_a_persons_lines_however_often(vault: Vault, dreams: Dreams) -> None:
    dreams.plan()
    dreams.apply(everything=True)
    mine = says(vault, TEA) + SHOUTED
    put(vault, TEA, mine)
    put(vault, "topics/loud.md", "- MILK FIRST.\n")
    for path in ("topics/x1.md", "topics/x2.md"):
        dreams.plan()
        vault.path.joinpath(path).write_text("- Something.\n")
        assert dreams.apply(everything=True).applied == ()
    assert says(vault, TEA) == mine


@pytest.mark.long
def test_lines_that_are_a_persons_by_now_stay_so_in_the_next_dream(
    vault: Vault, dreams: Dreams
) -> None:
    first, second = dreams.plan().proposals
    put(vault, "topics/loud.md", "- SUGAR IS OUT.\n- Rum.\n")
    dreams.plan()
    dreams.apply(ids=[first.id])
    put(vault, TEA, says(vault, TEA).replace("- MILK FIRST.\n", ""))
    commit(vault)
    put(vault, TEA, f"{says(vault, TEA)}- MILK FIRST.\n")
    mine = says(vault, TEA)
    reasons = [s.reason for s in dreams.apply(everything=True).skipped]
    assert reasons == [PROTECTED]
    for _ in range(2):
        assert second.id not in {p.id for p in dreams.apply(everything=True).applied}
    assert says(vault, TEA) == mine


def test_a_tick_and_a_stroke_for_one_change_do_nothing_and_say_so(
    vault: Vault, dreams: Dreams
) -> None:
    first, _ = dreams.plan().proposals
    mark(vault, first.id)
    note(vault).write_text(f"{note(vault).read_text()}\n- [-] `{first.id}` merge\n")
    done = dreams.apply()
    assert (done.applied, [s.reason for s in done.skipped]) == ((), [CONTESTED])
    assert dreams.apply_ticked(note(vault).stat().st_mtime + 1) is None
    assert f"- [x] `{first.id}`" in note(vault).read_text()


def test_a_plan_names_the_note_that_each_change_waits_in(vault: Vault, dreams: Dreams) -> None:
    first, second = dreams.plan().proposals
    note(vault).write_text(f"{note(vault).read_text()}A remark.\n")
    put(vault, "topics/loud.md", SHOUTED)
    found = dreams.plan()
    older, newer = "inbox/dream-2026-11-20.md", "inbox/dream-2026-11-20-b.md"
    (third,) = {p.id for p in found.proposals} - {first.id, second.id}
    assert found.note == newer
    assert found.waits == {first.id: older, second.id: older, third: newer}


# --- past ---------------------------------------------------------------------------------------


def test_undo_brings_every_byte_back_and_keeps_later_work(vault: Vault, dreams: Dreams) -> None:
    dreams.plan()
    applied = dreams.apply(everything=True)
    put(vault, "topics/mine.md", "- Written after the dream.\n")
    commit(vault)
    done = dreams.undo()
    assert done.undone == applied.op
    assert {path: says(vault, path) for path in TEXTS} == TEXTS
    assert says(vault, "topics/mine.md") == "- Written after the dream.\n"
    assert done.commit == git(vault, "rev-parse", "HEAD")


@pytest.mark.long
def test_what_was_taken_back_is_done_again_only_when_it_is_chosen_anew(
    vault: Vault, dreams: Dreams
) -> None:
    ids = [p.id for p in dreams.plan().proposals]
    for name in ids:
        mark(vault, name)
    first = dreams.apply()
    dreams.undo()
    assert dreams.apply_ticked(note(vault).stat().st_mtime + 1) is None
    with pytest.raises(BadInput, match="nothing is ticked"):
        dreams.apply()
    assert dreams.apply(everything=True).applied == ()
    assert {path: says(vault, path) for path in TEXTS} == TEXTS
    again = dreams.plan()
    assert [p.id for p in again.proposals] == ids
    assert again.note == "inbox/dream-2026-11-20-b.md"
    assert [p.id for p in dreams.apply(everything=True).applied] == ids
    assert len([d for d in dreams.log() if d.undone]) == 1
    assert first.op


@pytest.mark.long
def test_the_log_tells_of_dreams_and_which_were_taken_back(
    vault: Vault, dreams: Dreams, clock: Clock
) -> None:
    dreams.plan()
    first = dreams.apply(ids=[dreams.plan().proposals[0].id])
    clock.advance(days=1)
    second = dreams.apply(everything=True)
    assert [d.op for d in dreams.log()] == [second.op, first.op]
    assert dreams.log()[0].when == "2026-11-21T10:15:00Z"
    assert dreams.log()[0].changes == (f"merge {TEA}: repeats what {KITCHEN} says",)
    undone = dreams.undo()
    assert [d.undone for d in dreams.log()] == [True, False]
    vault.undo(undone.op)
    assert [d.undone for d in dreams.log()] == [False, False]
    dreams.undo()
    assert dreams.undo().undone == first.op
    assert [d.undone for d in dreams.log()] == [True, True]


def test_when_the_newest_dream_was_planned_is_known(vault: Vault, dreams: Dreams) -> None:
    assert dreams.last_planned() is None
    dreams.plan()
    vault.queries.refresh_index()
    assert dreams.last_planned() == "2026-11-20T10:15:00Z"


def test_there_may_be_nothing_to_undo(dreams: Dreams) -> None:
    with pytest.raises(BadInput, match="there is no dream to undo"):
        dreams.undo()
    with pytest.raises(BadInput, match="no dream '01J5XK3M9QZ7V4T8R2N6W7Q3KZ'"):
        dreams.undo("01J5XK3M9QZ7V4T8R2N6W7Q3KZ")


# --- gates --------------------------------------------------------------------------------------


def talk(vault: Vault, sessions: int) -> None:
    """Remember something in so many sessions."""
    for number in range(sessions):
        vault.remember(f"Lantern {number} hangs.", agent="ada", session=f"s{number}")


def due(vault: Vault, **gates: object) -> str:
    """Return why it is not time to dream; "" when it is, and a plan was made."""
    return dreaming(vault, gates=Gates(**gates)).plan(if_due=True).reason  # type: ignore[arg-type]


@pytest.mark.long
def test_it_is_time_after_five_sessions(vault: Vault, dreams: Dreams, clock: Clock) -> None:
    talk(vault, 4)
    assert due(vault) == "4 of 5 sessions are new since the last dream"
    talk(vault, 5)
    assert due(vault) == "it was checked within the last 10 minutes"
    clock.advance(minutes=11)
    assert due(vault) == ""
    assert note(vault).exists()
    assert dreams.plan().proposals


@pytest.mark.long
def test_a_day_must_pass_and_something_be_new(vault: Vault, dreams: Dreams, clock: Clock) -> None:
    talk(vault, 5)
    dreams.plan()
    dreams.apply(everything=True)
    clock.advance(hours=1)
    assert due(vault) == "nothing is new since the last dream"
    talk(vault, 6)
    clock.advance(hours=1)
    assert due(vault) == "the last dream was less than 24 hours ago"
    clock.advance(hours=23)
    assert due(vault) == "no improvement was found"


def test_other_gates(vault: Vault) -> None:
    assert due(vault, enabled=False) == "dreams are switched off in the config"
    (vault.path / ".git/MERGE_HEAD").touch()
    assert due(vault) == "git is busy: a merge is in progress"


def test_a_person_passes_every_gate(dreams: Dreams) -> None:
    assert dreams.plan(if_due=True, force=True).proposals


# --- nothing is ever lost -----------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("seed", [353, *rarely(0, 1, 2, 3)])
def test_random_vaults_lose_nothing_and_come_back(folder: Path, seed: int) -> None:
    """Each planted fact is there or named; a second plan is empty; undo restores every byte."""
    random_vaults.dream(folder, random_vaults.plant(folder, seed))


def test_what_is_safe_needs_nobody(dreams: Dreams) -> None:
    """Losses, files that go, a person's lines and a model's ideas do."""
    (plain, _) = dreams.plan().proposals
    assert planner.is_safe(plain)
    unsafe: list[Callable[[Proposal], Proposal]] = [
        lambda p: replace(p, losses=("x",)),
        lambda p: replace(p, by="a model"),
        lambda p: replace(p, protected=True),
        lambda p: replace(p, op="delete"),
        lambda p: replace(p, edits=(Remove(TEA, ""),)),
    ]
    assert not any(planner.is_safe(change(plain)) for change in unsafe)


def test_what_stands_on_later_lines_is_asked_about(vault: Vault, dreams: Dreams) -> None:
    """The rest of the dream comes back, and the older text waits in the inbox."""
    dreams.plan()
    done = dreams.apply(everything=True)
    changed = next(p.path for p in done.applied)
    put(vault, changed, "All of it is new.\n")
    vault.store.sync()
    with pytest.raises(Refused, match="`partly=true`"):
        dreams.undo()
    dreams.undo(partly=True)
    assert says(vault, changed) == "All of it is new.\n"
    assert list((vault.path / "inbox").glob("conflict-*.md"))
