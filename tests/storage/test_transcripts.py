"""Transcripts: a turn is a line, said once, found again, and never written anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vaultmem import Vault
from vaultmem.errors import BadInput, Refused, SecretFound, StaleWrite
from vaultmem.storage import files, journal, transcript_files, transcripts
from vaultmem.storage.files import Root
from vaultmem.storage.plan import Append, Plan
from vaultmem.storage.transcripts import ROLES, Turn
from vaultmem.storage.writer import Writer

BILL = "agents/ada/sessions/bill.jsonl"
TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
REWRITTEN = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
"""Each example writes the whole file anew."""
TURNS = st.builds(Turn, st.sampled_from(ROLES), TEXT, TEXT, TEXT, TEXT, TEXT)


def put(root: Root, *lines: bytes, path: str = BILL) -> None:
    """Write a transcript as some other program does."""
    file = root.path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"".join(lines))


def said(root: Root) -> list[str]:
    """Return what the turns of the session say."""
    found = transcripts.load(root, BILL)
    return [turn.content for turn in found.turns] if found else []


def faults(root: Root) -> list[tuple[str, str]]:
    """Return what is wrong with the session."""
    found = transcripts.load(root, BILL)
    return [(p.code, p.message) for p in found.faults] if found else []


def say(writer: Writer, *texts: str, session: str = "bill") -> str:
    """Say something in a session; return the operation's id."""
    turns = [Turn("user", text) for text in texts]
    step, op = transcripts.append(writer.root, "ada", session, turns), writer.mint()[0]
    subject = f"turns(ada): {len(turns)} turns of {session}"
    with writer.writing() as do:
        do(Plan(op, "turn", subject, (step,), "ada", session, count=len(turns)))
    return op


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "session",
    ["bill", "session-20261120-101500", "123e4567-e89b-12d3-a456-426614174000", "a.b_c", "conf"],
)
def test_a_session_whose_name_could_be_a_files_has_its_name(session: str) -> None:
    assert transcript_files.path("ada", session) == f"agents/ada/sessions/{session}.jsonl"


@pytest.mark.parametrize(
    ("session", "slug"),
    [("Bill", "bill"), ("a/b: c?", "a-b-c"), ("con", "con"), ("../x", "x"), (".x", "x"), ("", "")],
)
def test_another_name_becomes_a_slug_and_six_digits_of_its_hash(session: str, slug: str) -> None:
    stem = transcript_files.path("ada", session).rpartition("/")[2].removesuffix(".jsonl")
    assert stem[:-7] == (slug or "session")
    assert (stem[-7], stem[-6:].isalnum()) == ("-", True)


def test_names_that_differ_by_case_or_by_letters_no_slug_keeps_have_files_of_their_own() -> None:
    """Nor does the name that another one's file has lead to that file."""
    names = ["bill", "Bill", "BILL", "bill ", "会議", "会议", "x" * 300, "x" * 301, "x" * 100]
    names += [
        transcript_files.path("ada", n).rpartition("/")[2].removesuffix(".jsonl") for n in names
    ]
    folded = {transcript_files.path("ada", name).casefold() for name in names}
    assert len(folded) == len(set(names))


@given(st.text(max_size=300))
def test_any_session_has_a_name_for_every_file_system(session: str) -> None:
    """It leaves room for the names of what stands beside it."""
    path = transcript_files.path("ada", session)
    assert files.portable(path)[:3] == ("agents", "ada", "sessions")
    assert files.portable(path.replace(".jsonl", ".compact.md"))


# --- lines and back -----------------------------------------------------------------------------


@REWRITTEN
@given(st.lists(TURNS, max_size=6))
def test_what_was_said_is_read_as_it_was_said(root: Root, turns: list[Turn]) -> None:
    """Any text, line separators of every kind included, is one line a turn."""
    data = transcripts.lines(turns, 1, "bill")
    assert data.count(b"\n") == len(turns)
    put(root, data)
    found = transcripts.load(root, BILL)
    assert found is not None
    assert (found.turns, found.faults) == (tuple(turns), ())
    assert (found.agent, found.session, found.size) == ("ada", "bill", len(data))


def test_a_line_has_its_keys_in_one_order_and_no_empty_ones() -> None:
    whole = Turn("tool", "12 °C\u2028", "Ada", "2026-11-20T10:15:00Z", "weather", "x/1")
    assert transcripts.lines([whole, Turn("user", "")], 7, "bill").decode() == (
        '{"turn": 7, "session": "bill", "role": "tool", "speaker": "Ada",'
        ' "at": "2026-11-20T10:15:00Z", "tool": "weather", "origin": "x/1",'
        ' "content": "12 °C\u2028"}\n'
        '{"turn": 8, "session": "bill", "role": "user", "content": ""}\n'
    )


def test_half_a_character_is_refused_before_it_is_written() -> None:
    with pytest.raises(BadInput, match="turn 3 of 'bill' holds half a character"):
        transcripts.lines([Turn("user", "\ud83d")], 3, "bill")


def test_there_is_no_transcript_where_there_is_no_file(root: Root) -> None:
    assert transcripts.load(root, BILL) is None
    assert transcript_files.every(root) == []


# --- what others write --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{half", "is no JSON"),
        (b"", "is no JSON"),
        (b'{"role": "user", "content": "\xff"}', "is no JSON"),
        (b"[" * 100_000, "is no JSON"),
        (b"[1]", "is no JSON object"),
        (b'{"content": "x"}', "has no role"),
        (b'{"role": "user", "content": 5}', "has no content"),
        (b'{"role": "user", "content": "\\uD83D"}', "holds half a character"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_and_the_others_keep_their_numbers(
    root: Root, line: bytes, why: str
) -> None:
    one, two = (transcripts.lines([Turn("user", x)], n, "bill") for n, x in ((1, "a"), (3, "b")))
    put(root, one, line + b"\n", two)
    assert said(root) == ["a", "", "b"]
    assert faults(root) == [("bad-turn", f"line 2 {why}")]


def test_half_a_line_is_no_turn_and_is_said(root: Root) -> None:
    """A line that lacks its newline alone is one, and is said all the same."""
    data = transcripts.lines([Turn("user", "a"), Turn("user", "b")], 1, "bill")
    for cut, left in ((5, ["a"]), (1, ["a", "b"])):
        put(root, data[:-cut])
        assert said(root) == left
        assert faults(root) == [("torn-transcript", "ends in half a line")]


def test_numbers_that_go_wrong_are_named_where_they_do(root: Root) -> None:
    """A person took two lines out of a hundred: that is two faults, not ninety."""
    whole = transcripts.lines([Turn("user", str(n)) for n in range(100)], 1, "bill")
    kept = [x for n, x in enumerate(whole.splitlines(keepends=True)) if n not in {3, 50}]
    put(root, *kept)
    assert [m for _, m in faults(root)] == [
        "line 4 calls itself turn 5",
        "line 50 calls itself turn 52",
    ]
    assert len(said(root)) == 98


def test_a_line_of_another_session_is_named(root: Root) -> None:
    put(root, transcripts.lines([Turn("user", "a")], 1, "bill"),
        transcripts.lines([Turn("user", "b")], 2, "rent"))  # fmt: skip
    assert faults(root) == [("bad-turn", "line 2 is of session 'rent'")]


def test_a_later_versions_keys_and_a_providers_blocks_are_understood(root: Root) -> None:
    """Text is taken from wherever it stands, what is new is left where it is."""
    blocks = [
        "plain",
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "name": "weather", "input": {"city": "Lisbon"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "12 °C"}]},
        {"type": "tool_result", "content": "and dry"},
    ]
    line = {"role": "assistant", "content": blocks, "mood": ["calm"], "speaker": None, "turn": "1"}
    put(root, json.dumps(line).encode() + b"\r\n")
    assert transcripts.load(root, BILL) == transcripts.Transcript(
        BILL, "ada", "bill", (Turn("assistant", "plain\nLet me look.\n12 °C\nand dry"),),
        (root.path / BILL).stat().st_size,
    )  # fmt: skip


@REWRITTEN
@given(st.binary(max_size=300))
def test_no_bytes_at_all_break_the_reader(root: Root, data: bytes) -> None:
    """Every ended line counts, and what is not ended is said."""
    put(root, data)
    found = transcripts.load(root, BILL)
    assert found is not None
    assert len(found.turns) - data.count(b"\n") in {0, 1}
    assert any(p.code == "torn-transcript" for p in found.faults) == (data[-1:] not in {b"", b"\n"})


def test_ten_thousand_turns_are_read(root: Root) -> None:
    put(root, transcripts.lines([Turn("user", f"Turn {n}: tea.") for n in range(10_000)], 1, "b"))
    assert len(said(root)) == 10_000


# --- what is there ------------------------------------------------------------------------------


def test_transcripts_are_found_without_following_a_link(root: Root, tmp_path: Path) -> None:
    """Neither notes, nor hidden files, nor what lies deeper is one."""
    put(root, b"x", path=BILL)
    put(root, b"xyz", path="agents/ben/sessions/rent.jsonl")
    for other in ("agents/ada/sessions/bill.compact.md", "agents/ada/sessions/.x.jsonl",
                  "agents/ada/sessions/old/x.jsonl", "agents/ada/x.jsonl"):  # fmt: skip
        put(root, b"", path=other)
    (tmp_path / "far/sessions").mkdir(parents=True)
    (tmp_path / "far/sessions/x.jsonl").touch()
    (root.path / "agents/far").symlink_to(tmp_path / "far")
    (root.path / "agents/ada/sessions/link.jsonl").symlink_to(tmp_path / "far/sessions/x.jsonl")
    found = transcript_files.every(root)
    assert [(f.path, f.agent, f.stamp.size) for f in found] == [
        (BILL, "ada", 1), ("agents/ben/sessions/rent.jsonl", "ben", 3)
    ]  # fmt: skip
    assert found[0].stamp.mtime_ns == (root.path / BILL).stat().st_mtime_ns


# --- going on -----------------------------------------------------------------------------------


def test_turns_are_numbered_on_from_the_last_line(writer: Writer) -> None:
    say(writer, "one")
    say(writer, "two", "three")
    say(writer, "a word aside", session="Bill")
    raw = [json.loads(line) for line in (writer.root.path / BILL).read_bytes().splitlines()]
    assert [(x["turn"], x["content"]) for x in raw] == [(1, "one"), (2, "two"), (3, "three")]
    assert [f.path for f in transcript_files.every(writer.root)] == [
        transcript_files.path("ada", "Bill"), BILL
    ]  # fmt: skip


def test_to_go_on_reads_the_last_line_alone(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the session is, and its last tool result."""
    turns = [Turn("user", "x" * 1000)] * 5000 + [Turn("tool", "y" * 300_000)]
    put(root, transcripts.lines(turns, 1, "bill"))
    monkeypatch.setattr(files, "read", None)
    step = transcripts.append(root, "ada", "bill", [Turn("user", "hi")])
    assert (step.op, step.at) == ("append", (root.path / BILL).stat().st_size)
    assert step.data == b'{"turn": 5002, "session": "bill", "role": "user", "content": "hi"}\n'


def test_lines_are_counted_where_the_last_one_names_no_number(root: Root) -> None:
    put(root, b'{"role": "user", "content": "x"}\n' * 3)
    assert b'"turn": 4' in transcripts.append(root, "ada", "bill", [Turn("user", "hi")]).data


def test_another_sessions_file_is_not_added_to(root: Root) -> None:
    put(root, transcripts.lines([Turn("user", "a")], 1, "rent"))
    with pytest.raises(Refused, match="is the transcript of 'rent', not of 'bill'"):
        transcripts.append(root, "ada", "bill", [Turn("user", "b")])


def test_nothing_is_glued_to_half_a_line(writer: Writer) -> None:
    """What to do is said, and done it goes on."""
    say(writer, "one")
    file = writer.root.path / BILL
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"turn": 2, "sess')
    with pytest.raises(Refused, match="ends in half a line; finish the line by hand"):
        say(writer, "two")
    assert file.read_bytes() == whole + b'{"turn": 2, "sess'
    file.write_bytes(whole)
    say(writer, "two")
    assert said(writer.root) == ["one", "two"]
    file.write_bytes(b"")
    with pytest.raises(Refused, match="is empty: remove it"):
        say(writer, "three")


def test_who_speaks_second_is_told_to_look_again(writer: Writer) -> None:
    """Both said the same word: then it was said twice, and neither is lost."""
    first, second = (
        transcripts.append(writer.root, "ada", "bill", [Turn("user", "Thanks!")]) for _ in range(2)
    )
    with writer.writing() as do:
        do(Plan(writer.mint()[0], "turn", "s", (first,), "ada", "bill"))
    with pytest.raises(StaleWrite), writer.writing() as do:
        do(Plan(writer.mint()[0], "turn", "s", (second,), "ada", "bill"))
    say(writer, "Thanks!")
    assert said(writer.root) == ["Thanks!", "Thanks!"]


# --- what the rest of the vault sees ------------------------------------------------------------


def test_a_secret_is_found_in_what_is_added_though_json_hides_its_beginning(writer: Writer) -> None:
    """The line break before it is written as a letter; what was there before is not asked again."""
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    put(writer.root, transcripts.lines([Turn("tool", f"it is\n{key}")], 1, "bill"))
    say(writer, "fine")
    with pytest.raises(SecretFound, match=r"bill\.jsonl: looks like a secret \(github-token\)"):
        say(writer, f"it is\n{key}")
    assert (len(said(writer.root)), journal.begun(writer.root)) == (2, [])


def test_fsck_names_a_torn_session_and_leaves_it_alone(vault: Vault) -> None:
    say(vault.store.writer, "one", "two")
    vault.store.writer.commit_pending()
    file = vault.path / BILL
    torn = file.read_bytes()[:-9]
    file.write_bytes(torn)
    report = vault.fsck(repair=True)
    named = [(p.code, p.path) for p in report.problems]
    assert named == [("cut-transcript", BILL), ("torn-transcript", BILL)]
    assert file.read_bytes() == torn


def test_a_turn_is_no_note(vault: Vault) -> None:
    """The index neither reads the session nor is moved by it."""
    before = vault.store.index.generation()
    turn = transcripts.append(vault.store.root, "ada", "bill", [Turn("user", "Oolong.")])
    vault.store.apply(Plan(vault.store.mint(), "turn", "s", (turn,), "ada", "bill"))
    assert isinstance(turn, Append)
    assert vault.store.index.generation() == before
    assert vault.fsck().ok


# --- reading again ------------------------------------------------------------------------------

WRITTEN = st.lists(
    st.one_of(
        TURNS.map(lambda turn: transcripts.lines([turn], 1, "bill")),
        st.sampled_from([b"{}\n", b"\n", b"no json\n", b'{"role": "user"', b"\xff\n"]),
    ),
    max_size=4,
).map(b"".join)


@given(first=WRITTEN, then=WRITTEN, grows=st.booleans())
@REWRITTEN
def test_what_is_read_again_is_what_the_file_says(
    root: Root, first: bytes, then: bytes, *, grows: bool
) -> None:
    """Whether it only grew, or a person changed what was read before."""
    reader = transcripts.Reader()
    for data in (first, first + then if grows else then):
        put(root, data)
        assert reader.load(root, BILL) == transcripts.load(root, BILL)


def test_a_turn_that_was_read_is_not_read_again(root: Root) -> None:
    """So a long session costs no more than what is new in it, and no token is counted twice."""
    reader, lines = transcripts.Reader(), transcripts.lines([Turn("user", "One.")], 1, "bill")
    put(root, lines)
    once = reader.load(root, BILL)
    put(root, lines, transcripts.lines([Turn("user", "Two.")], 2, "bill"))
    again = reader.load(root, BILL)
    assert once
    assert again
    assert [turn.content for turn in again.turns] == ["One.", "Two."]
    assert again.turns[0] is once.turns[0]


def test_of_many_sessions_the_last_few_are_kept(root: Root) -> None:
    """A vault that serves many for months does not hold them all."""
    reader = transcripts.Reader()
    paths = [transcript_files.path("ada", f"s{n}") for n in range(6)]
    for path in paths:
        put(root, transcripts.lines([Turn("user", "Hello.")], 1, "s"), path=path)
    known = {path: reader.load(root, path) for path in paths}

    def is_kept(path: str) -> bool:
        before, now = known[path], reader.load(root, path)
        return bool(before and now and now.turns[0] is before.turns[0])

    assert is_kept(paths[5])
    assert not is_kept(paths[0])
