"""The text that may leave a file: what is hidden of it, where its lines are, how it is edited."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents import frontmatter, public_text, wide_text

TOKEN = "gh" + "p_" + "w8Kq2Zr5Lm9Xv3Bn7Tc1Yd4Fg6Hj0Ps8Qe2R"

SEEN = [
    ("Tea at four.\n", "Tea at four.\n"),
    ("Tea <private>hush</private> at four.\n", "Tea at four.\n"),
    ("On Friday. <private>hush</private>\n", "On Friday.\n"),
    ("a\n<private>\nhush\n</private>\nb\n", "a\n\n\n\nb\n"),
    ("a\r\n<private>hush\r\nhush</private>\r\nb\r\n", "a\r\n\r\n\r\nb\r\n"),
    ("a <PRIVATE>hush</Private> b", "a b"),
    ("a < private >hush< / private > b", "a b"),
    ("a <private>hush <private>hush</private> hush</private> b", "a b"),
    ("a <private>hush\nhush", "a\n"),
    ("```\n<private>hush</private>\n```\n", "```\n\n```\n"),
    ("`<private>hush</private>` is code", "`` is code"),
    ("---\ntitle: Visit <private>hush</private>\n---\nb\n", "---\ntitle: Visit\n---\nb\n"),
    ("---\ntitle: <private>hush</private>\n---\nb\n", "---\ntitle:\n---\nb\n"),
    ("---\ntitle: <private>hush\n---\nhush\n", "---\ntitle:\n\n\n"),
    ("a <pri<private>hush</private>vate>hush", "a "),
    (f"The token is {TOKEN} now.\n", "The token is [REDACTED:github-token] now.\n"),
    (f"---\nci: {TOKEN}\n---\nb\n", "---\nci: REDACTED:github-token\n---\nb\n"),
]


@pytest.mark.parametrize(("own", "seen"), SEEN)
def test_what_is_hidden_leaves_its_lines(own: str, seen: str) -> None:
    """Neither a private part nor a credential is in the public text, which has as many lines."""
    assert public_text.of(own).text == seen
    assert seen.count("\n") == own.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "Put `<private>…</private>` around what must not be kept.\n",
        "Nothing <private> </private> here.\n",
        "A closing </private> alone hides nothing.\n",
        "A private matter.\n",
    ],
)
def test_marks_around_nothing_hide_nothing(text: str) -> None:
    """A manual that names the marks is no file with a secret."""
    assert public_text.of(text) == public_text.PublicText(text)


def test_why_a_file_is_held_back() -> None:
    """Both reasons are told, and none where nothing is hidden."""
    both = f"<private>hush</private> {TOKEN}"
    assert public_text.of(both).held == "private secret"
    assert public_text.of("<private>hush</private>").held == "private"
    assert public_text.of(TOKEN).held == "secret"
    assert public_text.of("tea").held == ""
    assert public_text.is_held(b"\xff <private>hush</private>")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("tea", "'tea'"),
        ("a 'b'\n", repr("a 'b'\n")),
        ("<private>hush</private>", "'[private]'"),
        ("k <private>hush", "'k [private]'"),
        ("k <private>", "'k'"),
        ("<private\n>hush</private\n>", "'[private]'"),
        (f"key {TOKEN}", "'key [REDACTED:github-token]'"),
    ],
)
def test_a_sentence_that_quotes_what_is_private_stays_whole(value: str, told: str) -> None:
    sentence = f"{public_text.quoted(value)} is none: name another"
    assert sentence == f"{told} is none: name another"
    assert public_text.shown(sentence) == sentence


def test_a_credential_around_a_private_part_hides_both() -> None:
    """What is left when the private part is out is a credential: nothing of it stays."""
    assert public_text.of(f"a {TOKEN[:20]}<private>hush</private>{TOKEN[20:]} b").text == (
        "a [REDACTED:github-token] b"
    )


def test_a_redacted_value_is_still_yaml() -> None:
    """What stands in a credential's place may begin a value, a list's too."""
    doc = public_text.parsed(f"---\na: {TOKEN}\nb: [{TOKEN}, x]\nc: {TOKEN} in CI\n---\n")
    mark = "REDACTED:github-token"
    assert frontmatter.fields(doc) == {"a": mark, "b": [mark, "x"], "c": f"{mark} in CI"}


def test_lines_of_a_transcript_are_texts_of_their_own() -> None:
    """A mark that is not closed hides the rest of its line, not of the session."""
    own = b'{"a":"<private>hush"}\n{"a":"tea"}\n'
    assert public_text.public("agents/a/sessions/s.jsonl", own) == b'{"a":"\n{"a":"tea"}\n'


OWN = "# Visit\nOn Friday. <private>hush one</private>\n<private>hush\ntwo</private>\nBring tea.\n"

EDITS = [
    ("On Friday.\n", "On Monday.\n", "On Monday. <private>hush one</private>\n"),
    ("Bring tea.\n", "Bring tea and cake.\n", "Bring tea and cake.\n"),
    ("Bring tea.\n", "Bring tea.\nAnd cake.\n", "Bring tea.\nAnd cake.\n"),
    ("# Visit\n", "# Visit\nWith Mara.\n", "# Visit\nWith Mara.\nOn Friday. <private>hush one"),
    ("On Friday.\n", "On Friday.\nAt ten.\n", "On Friday. <private>hush one</private>\nAt ten.\n"),
]


@pytest.mark.parametrize(("old", "new", "there"), EDITS)
def test_an_edit_of_the_public_text_leaves_what_is_hidden(old: str, new: str, there: str) -> None:
    """The file's own text gets it, and every private part stays where it was."""
    made = public_text.edited(OWN, public_text.of(OWN).text.replace(old, new))
    assert made is not None
    assert there in made
    assert "<private>hush one</private>" in made
    assert "<private>hush\ntwo</private>" in made


@pytest.mark.parametrize("new", ["", "# Visit\n", "# Visit\nOn Friday. Bring tea.\n"])
def test_an_edit_across_what_is_hidden_is_none(new: str) -> None:
    """Neither is a private part dropped, nor put elsewhere."""
    assert public_text.edited(OWN, new) is None


def test_nothing_is_added_behind_an_unclosed_mark() -> None:
    """It would be private itself: gone from whoever wrote it."""
    own = "Tea.\n<private>hush\n"
    assert public_text.edited(own, public_text.of(own).text + "Cake.\n") is None
    assert public_text.edited(own, "Hot tea.\n\n") == "Hot tea.\n<private>hush\n"


def test_edits_before_and_behind_what_is_hidden_are_done_at_once() -> None:
    """A program notes in the frontmatter that the body has changed."""
    own = f"---\nupdated: 1\n---\n{OWN}"
    new = public_text.of(own).text.replace("updated: 1", "updated: 2").replace("tea", "cake")
    made = public_text.edited(own, new)
    assert made == own.replace("updated: 1", "updated: 2").replace("tea", "cake")


MARKS = ("<private>", "</private>", "< private >", "\n", "\r\n", " ", "tea", "<pri", "vate>", TOKEN)


@given(st.lists(st.sampled_from(MARKS), max_size=12).map("".join))
def test_what_is_public_hides_nothing_more(own: str) -> None:
    """The public text has no credential and no private part, and the lines of the file."""
    public = public_text.of(own)
    assert public_text.of(public.text).hidden == ()
    assert public.text.count("\n") == own.count("\n")


@given(
    st.lists(st.sampled_from((*MARKS, "a", "b\n")), max_size=9).map("".join),
    st.integers(0, 40),
    st.integers(0, 3),
    st.sampled_from(["", "x", "x\n", "\nx"]),
)
def test_an_edit_does_what_was_asked_or_nothing(own: str, at: int, cut: int, new: str) -> None:
    """Its public text is the one that was meant, and the hidden parts are the same ones."""
    public = public_text.of(own)
    meant = public.text[:at] + new + public.text[at + cut :]
    made = public_text.edited(own, meant)
    if made is not None and public.hidden:
        parts = [own[p.start : p.end].strip() for p in public.hidden]
        there = public_text.of(made)
        assert there.text == meant
        assert [made[p.start : p.end].strip() for p in there.hidden] == parts


@pytest.mark.parametrize(
    ("head", "why"),
    [
        (r'title: "p\x61ssword: Kx7ssdf99Aq!"', "secret"),
        ('description: "pass\\\n  word: Kx7ssdf99Aq!"', "secret"),
        ('title: "<pri\\\n  vate>hush</private>"', "private"),
        (r'tags: ["\x3cpriv\x61te>hush", hush, "</private>"]', "private"),
        (r'title: "He said \"tea\" in C:\\private\\keys"', ""),
    ],
)
def test_what_a_field_says_is_hidden_however_yaml_writes_it(head: str, why: str) -> None:
    """Its value is what is recalled; where something is written so, nothing of the file leaves."""
    own = f"---\ntype: topic\n{head}\n---\nTea.\n"
    found = public_text.of(own)
    assert found.held == why
    assert found.text == (own if not why else "\n" * own.count("\n"))


WIDE = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be")


@pytest.mark.parametrize("encoding", WIDE)
@pytest.mark.parametrize(
    ("said", "why"),
    [
        (f"Heron\r\nThe token is {TOKEN}\r\n", "secret"),
        ("Heron\r\npassword: Kx7ssdf99Aq!\r\n", "secret"),
        ("苍鹭\r\n密码: Kx7ssdf99Aq!\r\n", "secret"),
        ("The password for \u0141\u00f3d\u017a is Kx7ssdf99Aq!\r\n", "secret"),
        ("Heron\r\n<private>the door</private>\r\n", "private"),
    ],
)
def test_a_text_in_wide_letters_is_read_as_who_opens_it_reads_it(
    encoding: str, said: str, why: str
) -> None:
    """PowerShell and Excel write UTF-16: what is hidden in UTF-8 is so there."""
    found = public_text.of_bytes(said.encode(encoding))
    assert why in found.held
    assert not public_text.of(found.text).hidden
    assert "Kx7" not in found.text.replace("\0", "")


@pytest.mark.parametrize("cut", [0, 1])
def test_a_line_in_wide_letters_behind_others_is_read_too(cut: int) -> None:
    """`>>` of two shells, in one file: the second begins at an odd byte, or an even one."""
    data = b"Heron at the weir."[cut:] + f"password: {TOKEN}\r\n".encode("utf-16-le")
    assert public_text.of_bytes(data).held == "secret"
    assert public_text.of_bytes(data + b"<private>hush</private>").held == "private secret"


@given(
    st.lists(st.sampled_from(["tea ", "\u0141\u00f3", "\u043f\u0430", "\u82cd", "x: ", "\r\n"])),
    st.sampled_from(WIDE),
    st.sampled_from([b"", b"t", b"tea at the weir\n"]),
)
def test_letters_of_any_script_are_read_beside_those_of_ascii(
    parts: list[str], encoding: str, tail: bytes
) -> None:
    """Whatever stands before and behind: a letter without a zero puts none out of step."""
    said = f"{''.join(parts)} the heron"
    data = said.encode(encoding) + tail
    found = wide_text.readings(data.decode("utf-8", "surrogateescape"))
    assert any(said[-20:] in reading for reading in found)


@pytest.mark.parametrize("encoding", WIDE)
def test_a_text_in_wide_letters_without_secrets_is_not_held_back(encoding: str) -> None:
    data = "Reiher am Wehr, um 16 Uhr.\r\nA private matter; no password.\r\n".encode(encoding)
    assert public_text.of_bytes(data).held == ""
    assert public_text.public("notes/a.txt", data) == data
    assert not public_text.is_held(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 64)
