"""What is forgotten is that text: copies of it go, what says something else stays, named."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Literal

import pytest

from vaultmem import Vault
from vaultmem.cli import run
from vaultmem.documents.bodies import Experience
from vaultmem.errors import ForgottenText, Refused
from vaultmem.integrations.memory_tool import VaultMemoryTool
from vaultmem.maintenance.forgetting import Forgetting

SAID = "Sarah must never take penicillin in the morning."
OTHER = "Sarah must never take penicillin in the evening, she had a seizure."
TALK = "agents/bob/sessions/talk.jsonl"
LOG = "agents/bob/sessions/items/chat.jsonl"


def forgetting(vault: Vault) -> Forgetting:
    return Forgetting(vault.store, vault.summarizer)


def held(vault: Vault, *turns: str) -> None:
    """Let another agent hear *turns* in a session of its own."""
    for text in turns:
        vault.say("talk", text, agent="bob", speaker="Tom")
    vault.history.commit_pending()


def git(vault: Vault, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=vault.path, capture_output=True, check=True)
    return done.stdout.decode()


def told(vault: Vault) -> list[str]:
    return [json.loads(line)["content"] for line in (vault.path / TALK).read_text().splitlines()]


def imported(
    vault: Vault, folder: Path, speaker: str, said: str, manner: Literal["memories", "turns"]
) -> int:
    """Import what *speaker* said as turns or memories; return how many came in."""
    row = {"id": f"{speaker}-{manner}", "session": "past", "speaker": speaker, "role": "user"}
    file = folder / f"{speaker}-{manner}.jsonl"
    file.write_text(json.dumps(row | {"content": said, "at": "2026-05-01T10:00:00Z"}) + "\n")
    return vault.import_files("jsonl", [file], agent="ada", manner=manner).done.imported


@pytest.mark.long
def test_what_was_forgotten_of_one_person_another_may_say_of_themselves(
    vault: Vault, tmp_path: Path
) -> None:
    """In a turn, a memory and an import; she herself may not, under whatever part of her name."""
    text = "I am allergic to hazelnuts."
    vault.say("talk", text, agent="bob", speaker="Mara")
    vault.forget(f"{TALK}:1")
    for name in ("Mara", "Mara Novak", ""):
        with pytest.raises(ForgottenText):
            vault.say("talk", text, agent="bob", speaker=name)
        with pytest.raises(ForgottenText):
            vault.remember(text, agent="ada", source="user", speaker=name)
    assert imported(vault, tmp_path, "Mara", text, "turns") == 0
    assert imported(vault, tmp_path, "Mara", text, "memories") == 0
    held(vault, text)
    vault.remember(text, agent="ada", source="user", speaker="Tom")
    assert imported(vault, tmp_path, "Tom", text, "turns") == 1
    assert told(vault) == ["[forgotten]", text]
    assert vault.fsck().ok


def test_who_speaks_as_the_user_is_the_owner_of_the_vault(vault: Vault) -> None:
    """What was forgotten of the owner by name is refused of the user, too, and no more."""
    settings = vault.path / "config/memory_compaction.md"
    settings.write_text(re.sub(r"(?m)^owner:.*$", "owner: Tom", settings.read_text()))
    assert vault.store.config().owner == "Tom"
    for speaker, text in (("Tom", "I sleep badly on trains."), ("Mara", "I never eat hazelnuts.")):
        vault.say("talk", text, agent="bob", speaker=speaker)
    for number in (1, 2):
        vault.forget(f"{TALK}:{number}")
    with pytest.raises(ForgottenText):
        vault.say("talk", "I sleep badly on trains.", agent="bob", speaker="user")
    vault.say("talk", "I never eat hazelnuts.", agent="bob", speaker="user")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (SAID.upper(), "[forgotten]"),
        (f"Hi Tom, {SAID}", "[forgotten]"),
        (f"Hello! {SAID}", "[forgotten]"),
        (f'- Note: "{SAID}"', "[forgotten]"),
        (f"2. Mai: {SAID}", "2. Mai: [forgotten]"),
        (f"Monday, 5 pm: {SAID}", "Monday, 5 pm: [forgotten]"),
        (f"Dear Mara: {SAID}", "[forgotten]"),
        (f"Please remember that {SAID}", "[forgotten]"),
        (f"{SAID}\n{SAID}", "[forgotten]"),
        (f'{{"text": "{SAID}"}}', "[forgotten]"),
        (f"It rained. {SAID} Tom owes 400 euros.", "It rained. [forgotten] Tom owes 400 euros."),
        (f"On 12 March 2026, {SAID}", "On 12 March 2026, [forgotten]"),
        (f"{SAID} https://example.org/a.pdf", "[forgotten] https://example.org/a.pdf"),
        (f"1. {SAID}", "[forgotten]"),
        (f"- It rained\n- {SAID}\n- Tom came", "- It rained\n- [forgotten]\n- Tom came"),
        (SAID.replace("take ", "take\n") + " Tom came.", "[forgotten] Tom came."),
        (f"| Sarah | {SAID} | yes |", "| Sarah | [forgotten] | yes |"),
    ],
)  # fmt: skip
def test_of_a_turn_of_anybody_the_sentences_go_that_are_copies(
    vault: Vault, text: str, left: str
) -> None:
    held(vault, text)
    done = vault.forget(vault.remember(SAID, agent="ada").id)
    assert told(vault) == [left]
    assert (done.lines, done.mentions) == ((f"{TALK}:1",), ())
    vault.undo(done.op)
    assert told(vault) == [text]


def test_of_two_texts_that_overlap_each_goes_whole(vault: Vault) -> None:
    more = f"{SAID} Tom has the key to the barn."
    last = "Tom has the key to the barn. It hangs by the door."
    held(vault, f"It rained. {more}", f"{more} It hangs by the door.", f"{SAID}\n{last}")
    ids = [vault.remember(text, agent="ada").id for text in (SAID, more, last)]
    forgetting(vault).forget(ids)
    assert told(vault) == ["It rained. [forgotten]", "[forgotten]", "[forgotten]"]


@pytest.mark.parametrize(
    "text",
    [
        OTHER,
        f"I doubt that {SAID}",
        f"Not so: {SAID}",
        f"Hardly: {SAID}",
        f"Tom disagrees: {SAID}",
        f"Except in June: {SAID}",
        f"It rained. Before the move: {SAID}",
        f"Monday: Ask Anna: {SAID}",
        f"Room B12: {SAID}",
        f"\u4e0d\u662f\uff1a{SAID}",
        f'- Mara: "{SAID}"',
        SAID.replace(".", "?"),
        SAID.replace(".", " or at noon, and she owes us 400 euros."),
    ],
)
def test_a_turn_in_other_words_stays_and_is_named_with_what_takes_it(
    vault: Vault, text: str
) -> None:
    held(vault, text)
    done = vault.forget(vault.remember(SAID, agent="ada").id)
    assert told(vault) == [text]
    assert (done.lines, done.mentions) == ((), (f"{TALK}:1",))
    assert vault.forget(done.mentions[0]).lines == ()
    assert told(vault) == ["[forgotten]"]


def test_what_another_speaker_says_of_themselves_stays_and_is_named(vault: Vault) -> None:
    text = "I am allergic to shellfish."
    for speaker in ("Bo", "Tom", "Tom Huber", ""):
        vault.say("talk", text, agent="bob", speaker=speaker)
    vault.history.commit_pending()
    memory = vault.remember(text, agent="ada", speaker="Tom")
    done = vault.forget(memory.id)
    assert told(vault) == [text, *["[forgotten]"] * 3]
    assert done.mentions == (f"{TALK}:1",)


@pytest.mark.parametrize("label", ["Update: ", "Tom: ", "- Tom: "])
def test_a_copy_behind_a_label_goes_where_the_same_speaker_says_it_again(
    vault: Vault, label: str
) -> None:
    held(vault, SAID, f"Hello! {label}{SAID} Bo comes on Sunday.", f"Not so: {SAID}")
    vault.say("talk", f"{label}{SAID}", agent="bob", speaker="Anna")
    vault.history.commit_pending()
    done = forgetting(vault).forget([f"{TALK}:1"])
    first, again, contrary, anna = told(vault)
    assert first == "[forgotten]"
    assert again == "Hello! [forgotten] Bo comes on Sunday."
    assert (contrary, anna) == (f"Not so: {SAID}", f"{label}{SAID}")
    assert done.lines == (f"{TALK}:2",)
    assert done.verbatim == {f"{TALK}:4": "another"}


@pytest.mark.long
def test_a_purge_leaves_no_copy_behind_a_label_in_the_history(vault: Vault) -> None:
    held(vault, SAID, f"Update: {SAID} Bo comes on Sunday at nine.", f"Tom: {SAID}")
    _, done = forgetting(vault).purge([f"{TALK}:1"])
    assert done.proof.verified
    assert "penicillin" not in git(vault, "log", "-p", "--all")


def test_the_owner_is_one_person_by_name_and_as_user(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("\nowner:", "\nowner: Mara #"))
    text = "I am allergic to shellfish."
    for speaker in ("user", "Human", "Mara Weber", "Customer"):
        vault.say("talk", text, agent="bob", speaker=speaker)
    vault.history.commit_pending()
    memory = vault.remember(text, agent="ada", speaker="Mara")
    assert run(["--vault", str(vault.path), "forget", memory.id, "--yes"]) == 0
    assert told(vault) == [*["[forgotten]"] * 3, text]
    said = capsys.readouterr().err
    assert f"{TALK}:4 has the same words, but they are another's, and stays" in said
    assert "in other words" not in said


def test_what_two_speakers_say_of_a_third_is_one_text(vault: Vault) -> None:
    vault.say("talk", SAID, agent="bob", speaker="Bo")
    vault.history.commit_pending()
    vault.forget(vault.remember(SAID, agent="ada", speaker="Tom").id)
    assert told(vault) == ["[forgotten]"]


@pytest.mark.parametrize(
    ("forgotten", "text"),
    [
        ("Anna ist schwanger.", "Anna ist schwanger."),
        ("Otto snores.", "otto snores"),
        ("Otto Kranz was diagnosed with lung cancer.",
         "Otto Kranz was just diagnosed with lung cancer."),
        ("The spare key lies under the blue pot.", "The spare key lies below the blue pot."),
        ("The spare key lies under the blue pot.",
         "It rained. The spare key lies, I think, under the blue pot."),
        ("\u5965\u6258\u5f97\u4e86\u827e\u6ecb\u75c5\u3002",
         "\u5965\u6258\u5f97\u4e86\u827e\u6ecb\u75c5\uff0c\u4f46\u662f\u8bf7\u4fdd\u5bc6\u3002"),
    ],
)  # fmt: skip
def test_a_turn_that_is_as_short_or_has_a_word_more_or_another_one_is_named(
    vault: Vault, forgotten: str, text: str
) -> None:
    held(vault, text)
    done = vault.forget(vault.remember(forgotten, agent="ada").id)
    assert told(vault) == [text]
    assert (done.lines, done.mentions) == ((), (f"{TALK}:1",))


@pytest.mark.parametrize(
    "text",
    [
        "Cancer of the lung is what Kranz reads about, and Otto.",
        "Otto Kranz was in Graz.",
        f"Otto Kranz came. {'It rained again and again. ' * 20}His lung cancer book is here.",
    ],
)
def test_a_turn_with_its_words_far_apart_or_in_another_order_is_not_named(
    vault: Vault, text: str
) -> None:
    held(vault, text)
    memory = vault.remember("Otto Kranz was diagnosed with lung cancer.", agent="ada")
    assert vault.forget(memory.id).mentions == ()


def test_what_has_little_in_common_with_it_is_not_named(vault: Vault) -> None:
    held(vault, "Sarah must never be late in the morning.", "Thanks a lot!")
    done = vault.forget(vault.remember(SAID, agent="ada").id)
    assert (done.lines, done.mentions) == ((), ())


def test_a_turn_that_is_forgotten_takes_no_other_session_along(vault: Vault) -> None:
    held(vault, OTHER)
    vault.say("health", SAID, agent="ada")
    done = vault.forget("agents/ada/sessions/health.jsonl:1")
    assert told(vault) == [OTHER]
    assert done.mentions == (f"{TALK}:1",)


def test_what_an_agent_deletes_of_its_own_changes_no_turn_but_a_copy(vault: Vault) -> None:
    held(vault, OTHER, f"It rained. {SAID}")
    memory = vault.remember(SAID, agent="ada", source="agent")
    vault.history.commit_pending()
    path = f"/memories/{memory.path}"
    VaultMemoryTool(vault, agent="ada").call({"command": "delete", "path": path})
    assert told(vault) == [OTHER, "It rained. [forgotten]"]


def test_few_words_of_an_agent_take_no_sentence_that_has_them(vault: Vault) -> None:
    held(vault, OTHER)
    memory = vault.remember("must never take penicillin", agent="ada", source="agent")
    vault.forget(memory.id, source="agent")
    assert told(vault) == [OTHER]


def test_an_item_of_a_log_goes_by_the_same_law(vault: Vault) -> None:
    said = [OTHER, f"{SAID} Tom came.", SAID, "She likes penicillin."]
    vault.item_logs.append(["chat"], [{"content": text} for text in said], agent="bob")
    done = vault.forget(vault.remember(SAID, agent="ada").id)
    now = [item["content"] for item in vault.item_logs.read(["chat"], agent="bob")]
    assert now == [OTHER, "[forgotten] Tom came.", "[forgotten]", said[3]]
    assert (done.lines, done.mentions) == ((f"{LOG}:2", f"{LOG}:3"), (f"{LOG}:1",))


def test_an_item_that_repeats_a_short_turn_goes_with_it(vault: Vault) -> None:
    held(vault, "Heliotrope: 4711.")
    vault.item_logs.append(["chat"], [{"content": "Heliotrope: 4711."}], agent="bob")
    vault.forget(f"{TALK}:1")
    assert "4711" not in (vault.path / LOG).read_text()


def test_an_experience_loses_the_copy_and_keeps_what_says_something_else(vault: Vault) -> None:
    it = Experience("Plan the day", "success", f"We asked her. {SAID}", "", lessons=(OTHER,))
    made = vault.experiences.add(it, agent="bob")
    vault.history.commit_pending()
    vault.forget(vault.remember(SAID, agent="ada").id)
    body = (vault.path / made.path).read_text()
    assert "We asked her. [forgotten]" in body
    assert OTHER in body


def test_the_command_names_what_says_it_elsewhere_and_what_takes_it(
    vault: Vault, capsys: pytest.CaptureFixture[str]
) -> None:
    held(vault, SAID, OTHER)
    memory = vault.remember(SAID, agent="ada")
    assert run(["--vault", str(vault.path), "forget", memory.id]) == 0
    said = "".join(capsys.readouterr())
    assert f"said the same, [forgotten] now: {TALK}:1" in said
    assert f"says it in other words, and stays: `vaultmem forget {TALK}:2` takes it" in said


@pytest.mark.long
def test_a_purge_keeps_and_names_what_says_it_in_other_words(vault: Vault) -> None:
    held(vault, f"It rained. {SAID}", OTHER)
    memory = vault.remember(SAID, agent="ada")
    vault.history.commit_pending()
    soft, done = forgetting(vault).purge([memory.id])
    assert told(vault) == ["It rained. [forgotten]", OTHER]
    assert (soft.lines, soft.mentions) == ((f"{TALK}:1",), (f"{TALK}:2",))
    assert done.proof.found == ()
    assert soft.verified is False
    assert [it.phrase for it in done.proof.still] == [True]


@pytest.mark.long
def test_a_purge_stops_at_a_turn_that_says_it_among_other_words_and_names_it(vault: Vault) -> None:
    held(vault, "It rained.", f"I doubt that {SAID}")
    memory = vault.remember(SAID, agent="ada")
    vault.history.commit_pending()
    with pytest.raises(Refused, match=f"still say it: {TALK}:2; edit or forget them"):
        forgetting(vault).purge([memory.id])
    assert vault.recall("penicillin").hits


MATTER = "I am allergic to hazelnuts and I take Zyrtec each day."


@pytest.mark.long
@pytest.mark.parametrize("text", [MATTER, MATTER.replace(".", ", too.")])
def test_what_another_speaker_says_of_themselves_stops_no_purge_and_is_named(
    vault: Vault, text: str
) -> None:
    """It is theirs: their turn stays in every version of the session."""
    for speaker, said in (("Mara", MATTER), ("Tom", text), ("Tom", "It rained.")):
        vault.say("talk", said, agent="bob", speaker=speaker)
        vault.history.commit_pending()

    soft, done = forgetting(vault).purge([f"{TALK}:1"])

    assert told(vault) == ["[forgotten]", text, "It rained."]
    assert [it.place for it in done.proof.still] == [TALK]
    assert (done.proof.found, soft.verified) == ((), False)
    log = git(vault, "log", "--all", "-p", "--format=%B", "--", TALK)
    assert '"speaker": "Mara", "at": "2026-11-20T10:15:00Z", "content": "I am' not in log
    assert f'"speaker": "Tom", "at": "2026-11-20T10:15:00Z", "content": "{text}"' in log
    assert '"[forgotten]"' not in "".join(x for x in log.splitlines() if "Tom" in x)


@pytest.mark.long
@pytest.mark.parametrize(
    ("speaker", "text"),
    [("Mara", f"As I said when we met: {MATTER}"), ("Tom", f"Mara told me: {MATTER}")],
)
def test_a_turn_that_retells_it_stops_a_purge_before_anything_is_forgotten(
    vault: Vault, speaker: str, text: str
) -> None:
    for who, said in (("Mara", MATTER), (speaker, text)):
        vault.say("talk", said, agent="bob", speaker=who)
    vault.history.commit_pending()
    with pytest.raises(Refused) as refused:
        forgetting(vault).purge([f"{TALK}:1"])
    assert f"edit or forget them (`vaultmem forget {TALK}:2` takes that turn)" in str(refused.value)
    assert f"then `vaultmem forget {TALK}:1 --purge`" in str(refused.value)
    assert told(vault) == [MATTER, text]


@pytest.mark.long
def test_a_purge_leaves_no_copy_in_older_versions_of_a_turn_that_says_more(vault: Vault) -> None:
    held(vault, f"It rained. {SAID} Tom owes 400 euros.")
    memory = vault.remember(SAID, agent="ada")
    vault.history.commit_pending()
    soft, _ = forgetting(vault).purge([memory.id])
    assert soft.verified
    assert told(vault) == ["It rained. [forgotten] Tom owes 400 euros."]
    log = git(vault, "log", "--all", "-p", "--format=%B")
    assert "penicillin" not in log
    assert "Tom owes 400 euros." in log


def test_messages_that_a_context_held_go_by_the_same_law(vault: Vault) -> None:
    path = "agents/bob/sessions/shrunk/20261120-101500-abc.jsonl"
    file = vault.path / path
    file.parent.mkdir(parents=True)
    file.write_text("".join(json.dumps({"content": text}) + "\n" for text in (SAID, OTHER)))
    done = vault.forget(vault.remember(SAID, agent="ada").id)
    left = [json.loads(line)["content"] for line in file.read_text().splitlines()]
    assert (left, done.mentions) == (["[forgotten]", OTHER], (path,))


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ({"note": SAID, "n": 1}, {"note": "[forgotten]", "n": 1}),
        ([{"say": f"It rained. {SAID}", "a": ""}], [{"say": "It rained. [forgotten]", "a": ""}]),
        (
            {"in": json.dumps({"q": [SAID, "Tom came."]})},
            {"in": json.dumps({"q": ["[forgotten]", "Tom came."]})},
        ),
    ],
)
def test_a_forgotten_text_in_the_json_of_a_tool_is_refused_as_a_bare_one_is(
    vault: Vault, tmp_path: Path, value: object, left: object
) -> None:
    """A turn that is said is refused, and one that is imported comes in without it."""
    vault.forget(vault.remember(SAID, agent="ada").id)
    with pytest.raises(Refused):
        vault.say("talk", json.dumps(value), agent="bob", role="tool", tool="look")
    message = {"id": "m1", "session": "talk", "role": "tool", "content": json.dumps(value)}
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps(message) + "\n")
    done = vault.import_files("jsonl", [path], agent="bob", manner="turns").done
    assert [it.why.partition(":")[0] for it in done.remarks] == [
        "it came in without what was forgotten"
    ]
    assert list(map(json.loads, told(vault))) == [left]


def test_json_of_which_nothing_is_left_but_what_was_forgotten_stays_out(
    vault: Vault, tmp_path: Path
) -> None:
    vault.forget(vault.remember(SAID, agent="ada").id)
    path = tmp_path / "talk.jsonl"
    message = {"id": "m1", "session": "talk", "role": "tool", "content": json.dumps({"text": SAID})}
    path.write_text(json.dumps(message) + "\n")
    done = vault.import_files("jsonl", [path], agent="bob", manner="turns").done
    assert (done.imported, done.skipped) == (0, 1)


def test_json_that_says_something_else_is_said_as_it_is(vault: Vault) -> None:
    vault.forget(vault.remember(SAID, agent="ada").id)
    text = json.dumps({"note": OTHER, "n": [1, None, True], "by": "Sarah"})
    vault.say("talk", text, agent="bob", role="tool", tool="look")
    assert told(vault) == [text]
