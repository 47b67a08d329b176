"""A tombstone knows what was forgotten again, and tells nobody what it was."""

from __future__ import annotations

import html
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import Vault
from vaultmem.errors import Refused
from vaultmem.storage import comparable_text, tombstone_checks, tombstone_digests, tombstones
from vaultmem.storage.tombstones import Tombstone, Tombstones

pytestmark = pytest.mark.without_history

SALT = "00" * tombstone_checks.SALT


def stone(text: str, origin: str = "", agent: str = "", reason: str = "") -> Tombstone:
    digests = tombstone_digests.digests(text, SALT)
    return Tombstone(
        "01KB0000000000000000000000", "2026-11-20", SALT, digests, reason=reason, origin=origin,
        agent=agent,
    )  # fmt: skip


@pytest.mark.parametrize(
    "again", ["Ottokar left it.", "  ottokar\n LEFT\tit. ", "\uff2fttokar left it."]
)
def test_a_text_is_known_again_however_it_is_spaced_cased_and_encoded(again: str) -> None:
    assert Tombstones((stone("Ottokar left it."),)).of(again)


@pytest.mark.parametrize("word", ["3", "ok", "\u662f"])
def test_a_single_word_is_known_again_as_it_was_written_alone(word: str) -> None:
    """It says too little: `3!` is another thing, and so is an item of a list."""
    known = Tombstones((stone(word),))
    assert known.of(f" {word}\n")
    for other in (f"{word}!", f"{word}.", f"- {word}", f"**{word}**", f"Note: {word}"):
        assert not known.of(other)
        assert not Tombstones((stone(other),)).of(word)


@pytest.mark.parametrize(
    "again",
    ["Ottokar left it", "**Ottokar** left _it_.", "Otto\u200bkar left it.", "- Ottokar left it.",
     "Note: Ottokar left it.", "**Note:** Ottokar left it!", "> Remember that Ottokar left it",
     "\u201cOttokar left it.\u201d", "- [ ] Ottokar left it.", "* [x] **Ottokar** left it",
     "> [!note] Ottokar left it.", "> [!tip]-\n> Ottokar left it.", "==Ottokar== left it.",
     "<b>Ottokar</b> left it.", '<span class="x">Ottokar left it.</span><br/>',
     "\u300cOttokar left it.\u300d", "\u201eOttokar left it.\u201c", "\u2039Ottokar left it.\u203a",
     "1) Ottokar left it.", "- (2) Ottokar left it.", "\u2022 Ottokar left it."],
)  # fmt: skip
def test_a_text_is_known_again_in_another_dress(again: str) -> None:
    assert Tombstones((stone("Ottokar left it."),)).of(again)
    assert Tombstones((stone(again),)).of("Ottokar left it.")


@pytest.mark.parametrize(
    ("forgotten", "other"),
    [("Use C++.", "Use C#."), ("x > 5", "x < 5"), ("Ottokar left it.", "Ottokar left it?"),
     ("Ottokar left it.", "Ottokar never left it."), ("2*3", "23"), ("1. Platz", "2. Platz"),
     ("Ottokar left it.", "Ben: Ottokar left it."), ("5 degrees", "- 5 degrees"),
     ("5 degrees of frost in Graz", "- 5 degrees of frost in Graz"),
     ("taking is hard", "Note taking is hard"), ("its use", "it's use"), ("1.5 km", "15 km"),
     ("3. Mai ist frei", "4. Mai ist frei"), ("a <b and c> d", "a  d"), ("x == y", "x y")],
)  # fmt: skip
def test_a_text_that_says_something_else_passes(forgotten: str, other: str) -> None:
    assert not Tombstones((stone(forgotten),)).of(other)


@pytest.mark.parametrize(
    "again", ["1. Ottokar left it.", "- 12. Ottokar left it", "> 1. **Ottokar** left it."]
)
def test_a_number_makes_a_text_an_item_of_a_list(again: str) -> None:
    assert Tombstones((stone("Ottokar left it."),)).of(again)
    assert Tombstones((stone(f"{again} Nobody saw it."),)).of("Ottokar left it. Nobody saw it.")


def test_a_tombstone_of_an_older_vault_knows_its_text_as_before() -> None:
    old = stone("x")._replace(digests=(tombstone_digests.digest("Ottokar left it.", SALT),))
    assert Tombstones((old,)).of("ottokar  LEFT it.")
    assert not Tombstones((old,)).of("Ottokar left it")


TYPED = "Mara's boat isn't insured against the storms of winter."
TYPESET = TYPED.replace("'", "\u2019")
LOOKALIKE = TYPED.replace("boat", "b\u043e\u0430t")


@pytest.mark.parametrize(
    ("forgotten", "again"),
    [(TYPED, TYPESET), (TYPESET, TYPED), (TYPED, LOOKALIKE), (LOOKALIKE, TYPED),
     (TYPED, f"Mara: {TYPESET}"), (TYPESET, f"- {TYPED}")],
)  # fmt: skip
def test_letters_that_read_alike_are_one(forgotten: str, again: str) -> None:
    assert Tombstones((stone(forgotten),)).of(again)


def test_an_older_tombstone_knows_its_apostrophes_however_they_are_written() -> None:
    """It has no digest of how its letters read."""
    old = stone("x")._replace(digests=(tombstone_digests.digest(TYPESET, SALT),))
    assert Tombstones((old,)).of(TYPED)
    assert Tombstones((old,)).of(TYPESET)


@pytest.mark.parametrize("sign", ["\u274c", "\U0001f6ab", "\u2753", "\U0001f6d1"])
def test_a_sign_that_says_no_makes_another_text(sign: str) -> None:
    assert not Tombstones((stone(S),)).of(f"{sign} {S}")


WRAPPED = [
    "[[{}]]", "({})", "{} ^abc123", "{}[^1]", "## {} ##", "| {} |", "<!-- {} -->", "%%{}%%",
    "- [ ] ({}) ^abc123", "{}\n===",
]  # fmt: skip
SAYING = [
    "[{}](https://x.org/a_(b))", "[[note|{}]]", "{} #tag #a/b", "\U0001f4cc {}", "\u2705 {}",
    "\u2714\ufe0f {}", "2026-11-20: {}", "2026-11-20 {}", "[[2026-11-20]] {}", "{} 2026-11-20",
    "{} (2026-11-20)", "#umbrella {}", "TODO: {}", "> Mara: {}", "- {} \u2705 2026-12-01",
    "- **2026-11-20:** [{}](https://x.org) #tag", "{} (2026-11-20).", "{} 2026-11-20.",
    "{} #umbrella.", "\u2728 {}", "\U0001f6a8 {}",
]  # fmt: skip
S = "The heliotrope umbrella of Ottokar was left in Graz."
WITHIN = [
    S.replace("Ottokar", "[[Ottokar]]"), S.replace("Ottokar", "[[people/o|Ottokar]]"),
    S.replace("Graz", "[Graz](https://x.org)"), S.replace(" ", "&nbsp;", 1),
]  # fmt: skip


@pytest.mark.parametrize("again", [*(it.format(S) for it in (*WRAPPED, *SAYING)), *WITHIN])
def test_what_was_forgotten_is_known_in_what_markdown_puts_around_it(again: str) -> None:
    assert Tombstones((stone(S),)).of(again)
    assert Tombstones((stone(again),)).of(S)


FLAWED = "Mara\u2019s boat \u2013 the red one \u2013 isn\u2019t insured until May."


@pytest.mark.parametrize(
    "again",
    [FLAWED.replace("\u2013", "-"), FLAWED.replace("\u2013", "\u2014"), f"[32m{FLAWED}[0m",
     f"\x1b[1m{FLAWED}\x1b[0m", html.escape(f"<p>{FLAWED}</p>"), f"{FLAWED} \u2728",
     FLAWED.replace("\u2019", "&#x27;"), FLAWED.replace("\u2019", "&amp;#39;")],
)  # fmt: skip
def test_what_was_forgotten_is_known_as_a_page_or_a_terminal_writes_it(again: str) -> None:
    assert Tombstones((stone(FLAWED),)).of(again)


ESCAPED = TYPED.replace("boat", '"red" boat')


@pytest.mark.parametrize(
    "again",
    [json.dumps(ESCAPED), json.dumps(json.dumps(ESCAPED)), ESCAPED.replace("'", "\\'"),
     ESCAPED.replace("'", "''"), ESCAPED.replace("'", "\\u2019")],
)  # fmt: skip
def test_what_was_forgotten_is_known_with_its_signs_escaped(again: str) -> None:
    """And the other way round, where it was remembered so."""
    assert Tombstones((stone(ESCAPED),)).of(again)
    assert Tombstones((stone(again),)).of(ESCAPED)
    assert not Tombstones((stone(ESCAPED),)).of(again.replace("storms", "floods"))


@pytest.mark.parametrize("sign", ["\u274c", "\u2705", "\U0001f61c", "\U0001f6ab"])
def test_a_sign_that_may_take_back_what_it_stands_behind_makes_another_text(sign: str) -> None:
    assert not Tombstones((stone(S),)).of(f"{S} {sign}")


LABELLED = [
    "Mara: {}", "**Mara:** {}", "[Mara] {}", "<Mara> {}", "Mara (2026-11-20): {}", "Update: {}",
    'Mara said: "{}"', "\u2192 {}", "=> {}", "<ul><li>{}</li></ul>", "20.11.2026: {}",
    "20 November 2026: {}", "November 20, 2026: {}", "10:15 {}", "On 2026-11-20: {}",
    "2026-11-20T10:15:00Z {}", "[20.11.26, 10:15] Mara: {}", "20/11/2026, 10:15 - Mara: {}",
    "{} [1]", "> {}", "- **Mara:** {} #tag", "{}\u00b9", "{} *", "{} [1, 2]", "[{}]", "[{}].",
    "OK, {}", "By the way, {}", "Also, {}", "And {}", "Anyway, {}", "So, {}", "Well, {}", "TODO {}",
    "Reminder: {}", "OK, so note that {}", "Please remember that {}", "{} https://x.example/a",
    "{} (https://x.example/a)", "(OK, {})", "- **By the way**, {}",
]  # fmt: skip


@pytest.mark.parametrize("dress", LABELLED)
def test_what_was_forgotten_is_known_behind_a_label(dress: str) -> None:
    assert Tombstones((stone(S),)).of(dress.format(S))


def test_a_quote_is_known_over_its_lines() -> None:
    wrapped = S.replace(" of ", "\n> of ").replace(" in ", "\n> in ")
    assert Tombstones((stone(S),)).of(f"> {wrapped}")


@pytest.mark.parametrize(
    "label",
    ["Not so", "Wrong", "No longer", "If asked", "Ottokar denied it", "Joke", "A lie", "Rumour",
     "Myth", "Outdated", "Settled", "Once", "Maybe", "Fiction", "Mara (joking)", "10% sure"],
)  # fmt: skip
def test_a_label_that_judges_what_it_stands_before_is_none(label: str) -> None:
    for said in (f"{label}: {S}", f"[{label}] {S}", f"{S} [{label}]"):
        assert not Tombstones((stone(S),)).of(said)


@pytest.mark.parametrize(
    "more",
    ["But {}", "If {}", "{} 2", "{} 5 m\u00b2", "{} https://x.example/a says so", "{} [settled].",
     "{} [a]", "Note that not {}", "Remember whether {}", "And Otto too: no, {}", "Opposite of {}",
     "({}?)", "Well, {}?", "By the way, {}, by Mara", "Also, {} and Linz", "So they say, {}"],
)  # fmt: skip
def test_what_says_more_than_an_opening_or_a_mark_makes_another_text(more: str) -> None:
    assert not Tombstones((stone(S),)).of(more.format(S.rstrip(".")))


@pytest.mark.parametrize("short", ["Tea now", "We left it"])
@pytest.mark.parametrize("dress", ["OK, {}", "And {}", "Mara: {}", "{} https://x.example/a"])
def test_a_text_of_fewer_than_four_words_has_no_label(short: str, dress: str) -> None:
    assert not Tombstones((stone(short),)).of(dress.format(short))


@pytest.mark.parametrize("dress", LABELLED)
@pytest.mark.parametrize(
    "other",
    [S.replace("Graz", "Linz"), S.replace("was", "was not"), S.replace("Ottokar", "Otto"),
     S.replace(".", " by Mara."), S.replace(".", ", and found."), "Was it left in Graz?"],
)  # fmt: skip
def test_a_label_before_another_text_makes_it_no_forgotten_one(dress: str, other: str) -> None:
    assert not Tombstones((stone(S),)).of(dress.format(other))


@given(
    st.sampled_from([*WRAPPED, *SAYING, "{}"]),
    st.sampled_from([*WRAPPED, *SAYING, "{}"]),
    st.sampled_from(
        ["{} Nobody saw it.", "Ben told us all: {}", "{} 5", "Not so: {}", "{} (never)"]
    ),
)
def test_a_text_that_says_more_is_another_in_any_dress(dress: str, other: str, more: str) -> None:
    longer = more.format(S)
    assert not Tombstones((stone(dress.format(S)),)).of(other.format(longer))
    assert not Tombstones((stone(dress.format(longer)),)).of(other.format(S))


@pytest.mark.parametrize(
    ("forgotten", "other"),
    [("[Docs](https://x.org)", "[Docs](https://y.org)"), ("2026-11-20: Rain", "2026-11-21: Rain"),
     ("Milk #bought", "Milk #wanted"), ("Milk", "\u274c Milk"), ("Three", "Three ^2"),
     ("a b", "a[b](c)"), ("Milk", "Milk (not tea)"), ("a and b", "(a) and (b)"),
     ("Issue", "Issue #12"), ("Rain 2026-11-20", "2026-11-21 Rain"),
     ("Milk", "![Milk](cow.png)"), ("Tea", "| Tea | Milk |")],
)  # fmt: skip
def test_dress_that_says_something_else_makes_another_text(forgotten: str, other: str) -> None:
    assert not Tombstones((stone(forgotten),)).of(other)


@pytest.mark.parametrize(
    "dress",
    ["> [!note] Umbrella\n> {}", "| Ottokar | {} |", "It rained. {} Nobody saw it.",
     "On Monday:\n- first\n- {}"],
)  # fmt: skip
@pytest.mark.parametrize("way", ["remember", "say", "import"])
def test_what_was_forgotten_is_refused_among_other_words(
    vault: Vault, tmp_path: Path, dress: str, way: str
) -> None:
    vault.forget(vault.remember(S, agent="ada").id)
    text = dress.format(S)
    if way == "import":
        file = tmp_path / "told.jsonl"
        file.write_text(json.dumps({"session": "s", "id": "1", "content": text}))
        assert vault.import_files("jsonl", [file], agent="ada").done.imported == 0
    else:
        with pytest.raises(Refused, match="was forgotten"):
            vault.remember(text, agent="ada") if way == "remember" else vault.say("s", text)


def test_a_short_text_that_was_forgotten_stands_among_others(vault: Vault) -> None:
    vault.forget(vault.remember("Thanks!", agent="ada").id)
    assert vault.remember("The train was late. Thanks! We made it.", agent="ada").path


@given(st.text(), st.text())
def test_other_texts_pass(forgotten: str, other: str) -> None:
    """And one without a word in it says nothing that anybody could want to be forgotten."""
    known = Tombstones((stone(forgotten),)).of(other)
    written = {it for n in (False, True) for it in comparable_text.readings(other, number=n)}
    bare = {it for n in (False, True) for it in comparable_text.bare(other, number=n)}
    words = {*comparable_text.readings(forgotten)}
    bare |= comparable_text.unlabelled(other)
    says_it = words & (written | bare) or comparable_text.bare(forgotten) & written
    assert bool(known) == bool(tombstone_digests.tokens(other) and says_it)


def test_an_importers_key_is_forgotten_for_its_agent_alone() -> None:
    graves = Tombstones((stone("x", agent="ada", origin="s/1"),))
    assert graves.of("other words", agent="ada", origin="s/1")
    assert not graves.of("other words", agent="ben", origin="s/1")
    assert not graves.of("other words", agent="ada")


def test_a_tombstone_reads_back(vault: Vault) -> None:
    made = stone("x", agent="ada", origin="s/1", reason="asked to: twice")
    file = vault.path / made.path
    file.parent.mkdir()
    file.write_bytes(tombstones.change(made).new or b"")
    vault.store.sync()
    assert tombstones.load(vault.store).all == (made,)
    assert tombstones.find(vault.store, made.id) == made


DAMAGE: dict[str, Callable[[str], bytes]] = {
    "emptied": lambda _: b"",
    "no salt": lambda text: re.sub("salt: .*\n", "", text).encode(),
    "a short salt": lambda text: re.sub("salt: .*", "salt: 00", text).encode(),
    "a short hash": lambda text: re.sub("(hash:\n  - .{20}).*", r"\1", text).encode(),
    "no hash": lambda text: re.sub("hash:\n  - .*\n", "", text).encode(),
    "another type": lambda text: text.replace("type: tombstone", "type: note").encode(),
    "another id": lambda text: text.replace("id: 01", "id: 02").encode(),
    "a short part": lambda text: re.sub("(parts:\n  - .{20}).*", r"\1", text).encode(),
    "truncated": lambda text: text[:100].encode(),
    "in conflict": lambda text: f"<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> b\n".encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "random": lambda _: bytes(range(128, 250)),
    "no YAML": lambda text: text.replace("hash:", "hash: [").encode(),
}


@pytest.mark.long
@pytest.mark.with_history
def test_a_damaged_tombstone_is_named_and_keeps_new_texts_out_until_it_is_whole(
    vault: Vault,
) -> None:
    made = vault.remember("The umbrella was left in Graz.", agent="ada")
    vault.forget(made.id)
    where = f"tombstones/{made.id}.md"
    file = vault.path / where
    whole = file.read_text()
    for damage, damaged in DAMAGE.items():
        file.write_bytes(damaged(whole))
        vault.store.index.rebuild()
        named = [p for p in vault.status().problems if p.path == where]
        assert [f"git checkout -- {where}" in p.repair for p in named] == [True], damage
        with pytest.raises(Refused, match="is damaged, so nobody can tell what was forgotten"):
            vault.remember("Another thing.", agent="ada")
    assert where in {p.path for p in vault.fsck().problems}
    vault.fsck(repair=True)
    assert file.read_text() == whole
    vault.remember("Another thing.", agent="ada")


@pytest.mark.long
def test_a_long_text_is_forgotten_as_a_short_one_is(vault: Vault) -> None:
    words = " ".join(f"tea{at}" for at in range(10_000))
    vault.forget(vault.remember(words, agent="ada").id)
    vault.remember("Mara drinks oolong.", agent="ben")
    with pytest.raises(Refused, match="was forgotten"):
        vault.remember(words, agent="ben")
    assert vault.fsck().ok
    assert not vault.status().problems


@pytest.mark.long
@pytest.mark.with_history
def test_a_tombstone_that_was_damaged_in_a_commit_comes_back_from_before_it(vault: Vault) -> None:
    made = vault.remember("The umbrella was left in Graz.", agent="ada")
    vault.forget(made.id)
    file = vault.path / f"tombstones/{made.id}.md"
    whole = file.read_text()
    file.write_text(whole.replace("type: tombstone", "type: note"))
    subprocess.run(["git", "commit", "-qam", "a note now"], cwd=vault.path, check=True)
    with pytest.raises(Refused, match="is damaged"):
        vault.remember("The umbrella was left in Graz.", agent="ada")
    vault.fsck(repair=True)
    assert file.read_text() == whole


@pytest.mark.long
@pytest.mark.with_history
@pytest.mark.parametrize("said", ["", "salt: 00\n", f"key: sk-ant-api03-{'Ab3dEf7h' * 12}\n"])
@pytest.mark.parametrize("commits", [False, True])
def test_a_tombstone_that_nobody_ever_had_whole_is_set_aside(
    vault: Vault, said: str, *, commits: bool
) -> None:
    """It came as it is: nothing brings it back, and it would keep out all that is new for good."""
    where = "tombstones/01KB0000000000000000000000.md"
    file = vault.path / where
    file.parent.mkdir(exist_ok=True)
    aside: list[str] = []
    for _ in range(2):  # whoever pushed it pushes it again
        file.write_text(f"---\ntype: tombstone\n{said}---\n")
        if commits:
            subprocess.run(["git", "add", where], cwd=vault.path, check=True)
            subprocess.run(["git", "commit", "-qm", "by hand"], cwd=vault.path, check=True)
        with pytest.raises(Refused, match="the repair sets it aside"):
            vault.remember("Another thing.", agent="ada")
        report = vault.fsck(repair=True)
        assert report.ok
        aside += report.set_aside
        assert not file.exists()
    assert aside == [p.path for p in vault.status().problems if p.code == "two-versions"]
    told = (vault.path / aside[0]).read_text()
    assert f"`{where}` was no whole tombstone" in told
    assert "sk-ant" not in told
    vault.remember("Another thing.", agent="ada")


@pytest.mark.long
@pytest.mark.with_history
def test_a_damaged_tombstone_is_not_set_aside_while_another_branch_has_it_whole(
    vault: Vault,
) -> None:
    made = vault.remember("The umbrella was left in Graz.", agent="ada")
    subprocess.run(["git", "branch", "older"], cwd=vault.path, check=True)
    vault.forget(made.id)
    where = f"tombstones/{made.id}.md"
    whole = (vault.path / where).read_text()
    subprocess.run(["git", "checkout", "-q", "older"], cwd=vault.path, check=True)
    (vault.path / where).parent.mkdir(exist_ok=True)
    (vault.path / where).write_text("---\ntype: tombstone\n---\n")
    (vault.path / ".vaultmem/tombstones.jsonl").unlink()
    vault.fsck(repair=True)
    assert (vault.path / where).read_text() == whole


@pytest.mark.with_history
def test_a_damaged_tombstone_is_not_set_aside_while_git_cannot_be_asked(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = "tombstones/01KB0000000000000000000000.md"
    (vault.path / where).parent.mkdir(exist_ok=True)
    (vault.path / where).write_text("---\ntype: tombstone\n---\n")
    monkeypatch.setenv("PATH", "")
    with Vault.open(vault.path) as opened:
        assert where in {p.path for p in opened.fsck(repair=True).problems}
    assert (vault.path / where).exists()


@pytest.mark.long
@pytest.mark.with_history
@pytest.mark.parametrize("commits", [False, True])
@pytest.mark.parametrize("key", ["salt: ", "  - "])
def test_a_tombstone_with_another_salt_or_hash_is_named_and_comes_back(
    vault: Vault, key: str, *, commits: bool
) -> None:
    """One letter of it is another: it looks whole, and would know another text."""
    text = "The umbrella was left in Graz."
    made = vault.remember(text, agent="ada")
    vault.forget(made.id)
    where = f"tombstones/{made.id}.md"
    file = vault.path / where
    whole = file.read_text()
    file.write_text(
        re.sub(f"^{key}(.)", lambda m: key + "10"[m[1] == "1"], whole, flags=re.MULTILINE)
    )
    if commits:
        subprocess.run(["git", "commit", "-qam", "by hand"], cwd=vault.path, check=True)
    vault.store.sync()
    assert where in {p.path for p in vault.status().problems}
    with pytest.raises(Refused, match="is damaged"):
        vault.remember(text, agent="ada")
    assert where in {p.path for p in vault.fsck().problems}
    assert vault.fsck(repair=True).ok
    assert file.read_text() == whole
    with pytest.raises(Refused, match="was forgotten"):
        vault.remember(text, agent="ada")


def test_a_sentence_is_known_again_inside_a_longer_line_and_over_lines() -> None:
    sentence = "Ottokar left it in Graz."
    made = Tombstone(
        "01KB", "2026-11-20", SALT, ("0",), parts=(tombstone_digests.part(sentence, SALT),)
    )
    found = list(tombstones.stretches("We heard: OTTOKAR left\n> it, in graz, they say.", [made]))
    assert found == ["ottokar left it in graz"]
    assert not list(tombstones.stretches("Ottokar left it in Vienna.", [made]))
    assert "ottokar" not in (tombstones.change(made).new or b"").decode().casefold()


def test_a_chinese_sentence_is_known_again_inside_a_longer_one() -> None:
    part = tombstone_digests.part("雨伞忘在格拉茨", SALT)
    made = Tombstone("01KB", "2026-11-20", SALT, ("0",), parts=(part,))
    assert list(tombstones.stretches("我把雨伞忘在格拉茨了", [made]))
