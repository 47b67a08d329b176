"""A file's text comes apart and together again without a byte lost, and is read strictly."""

from __future__ import annotations

from pathlib import Path

import frontmatter
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vaultmem.documents import frontmatter as document_frontmatter
from vaultmem.documents.frontmatter import (
    Document,
    comments,
    fields,
    new,
    parse,
    plain_reader,
    render,
    update,
    yaml_reader,
)
from vaultmem.errors import Refused, Unreadable

NOTE = """---
id: 01KAX7Q2N4F8Z6R1T3V5W7Y9B0
type: memory
# what a person wrote stays
created: 2026-11-20T10:15:00Z
tags:
  - coffee   # not tea
  - "NO"
up: [[home]]

mood: calm  # today
quote: |
  one
  # two

importance: 0.7
---
# Roast

Prefers dark roast.

---

Really.
"""

# A loaded machine is no reason to fail.
UNHURRIED = settings(deadline=None)

PIECES = st.sampled_from(
    [
        "---",
        "...",
        "\n",
        "\r\n",
        "\r",
        "\x85",
        "\u2028",
        "\ufeff",
        "key: v",
        "tags:",
        "  - a",
        "#",
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        ":",
        " ",
        "\t",
        "&a",
        "*a",
        "!t",
        "|",
        ">",
        "x",
        "☕",
        "\0",
    ]
)
MESS = st.one_of(st.text(), st.lists(PIECES).map("".join))
TORN_MESS = MESS.map("---\nkey: ".__add__)
KEYS = st.text(max_size=60)
SCALARS = st.one_of(MESS, st.integers(-(10**9), 10**9))
LISTS = st.lists(MESS, max_size=4)


def code_of(text: str) -> str:
    """Return the code with which *text* is unreadable."""
    with pytest.raises(Unreadable) as caught:
        fields(parse(text))
    return caught.value.code


def head_of(**values: document_frontmatter.Field) -> str:
    """Return the frontmatter of a new file with *values*."""
    return parse(new(values, "")).head


# Splitting


@UNHURRIED
@given(st.one_of(MESS, TORN_MESS))
def test_any_text_survives_the_split(text: str) -> None:
    """Whatever a file holds, its four pieces are the file."""
    assert render(parse(text)) == text


def test_lone_surrogates_survive_the_split_and_are_no_yaml() -> None:
    """Even text that UTF-8 cannot hold is split, and then refused by name."""
    text = "---\na: \ud800\n---\n"
    assert render(parse(text)) == text
    assert code_of(text) == "yaml"


def test_frontmatter_is_split_from_a_body_that_has_rules_of_its_own() -> None:
    """Only the first closing fence closes."""
    doc = parse("---\na: b\n---\nText\n\n---\n\nMore\n")
    assert doc == Document("---\n", "a: b\n", "---\n", "Text\n\n---\n\nMore\n")


def test_bom_and_crlf_belong_to_the_fences() -> None:
    """Head and body start clean."""
    doc = parse("\ufeff---\r\na: b\r\n---\r\nText\r\n")
    assert doc == Document("\ufeff---\r\n", "a: b\r\n", "---\r\n", "Text\r\n")


def test_three_dots_close_and_the_last_newline_may_be_missing() -> None:
    """YAML's own end mark is a fence too."""
    assert parse("---\na: b\n...") == Document("---\n", "a: b\n", "...", "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\n",
        "---\n\nSome text\n\n---\nrest\n",
        "---\n- a: b\n---\n",
        "---\n# Slide\n---\n# Slide: two\n",
        "---\n[a: b]\n---\n",
        "---\n**Note:** bold\n---\n",
        "---\n> Note: quoted\n---\n",
        "---\n| a: | b |\n---\n",
        "---\n{{title: x}}\n---\n",
        '---\n"title: a scalar"\n---\n',
        "---\nplain # with: comment\n---\n",
        "---\nhttp://example.org\n---\n",
        "\n---\na: b\n---\n",
        " ---\na: b\n---\n",
        "----\na: b\n----\n",
        "---\x85a: b\n---\n",
        "---\ra: b\r---\r",
        "\ufeffText\n",
    ],
)
def test_what_is_no_mapping_is_body(text: str) -> None:
    """Prose between two rules is never taken for frontmatter and lost."""
    assert parse(text) == Document("", "", "", text)
    assert fields(parse(text)) == {}


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("", {}),
        ("\n", {}),
        ("\n# a comment\na: b\n", {"a": "b"}),
        ("{a: b,\n c: [d]}\n", {"a": "b", "c": ["d"]}),
        ("? a\n: b\n", {"a": "b"}),
        ('"a: b" : c\n', {"a: b": "c"}),
        ("'it''s': c\n", {"it's": "c"}),
        ("  a: b\n  c: d\n", {"a": "b", "c": "d"}),
        ("-a: b\n", {"-a": "b"}),
        ("two words: b\n", {"two words": "b"}),
        ("c#: b\n", {"c#": "b"}),
    ],
)
def test_every_way_to_open_a_mapping_is_frontmatter(
    head: str, found: document_frontmatter.Value
) -> None:
    """The first line that says something decides."""
    doc = parse(f"---\n{head}---\nText\n")
    assert doc == Document("---\n", head, "---\n", "Text\n")
    assert fields(doc) == found


def test_broken_frontmatter_is_still_frontmatter() -> None:
    """A slip further down is reported and does not turn the keys into prose."""
    doc = parse("---\ntitle: Foo: bar\n---\nText\n")
    assert doc.body == "Text\n"
    assert code_of(render(doc)) == "yaml"


def test_bytes_decode_strictly_and_keep_their_bom() -> None:
    """No byte is guessed at."""
    assert document_frontmatter.decode(b"\xef\xbb\xbf---\r\n") == "\ufeff---\r\n"
    for data in (b"caf\xe9", b"a\0b", b"\xed\xa0\x80", b"\xff\xfea\0"):
        with pytest.raises(Unreadable) as caught:
            document_frontmatter.decode(data)
        assert caught.value.code == "encoding"


# Reading


@pytest.mark.parametrize("written", ["NO", "yes", "1.10", "12:30", "0123", "1e5", "2026-11-20"])
def test_a_scalar_is_the_string_that_was_written(written: str) -> None:
    """Norway stays a country and 1.10 a version."""
    assert fields(parse(f"---\na: {written}\n---\n")) == {"a": written}


def test_a_note_reads_as_people_wrote_it() -> None:
    """Comments, blank lines, lists and blocks of all styles."""
    assert fields(parse(NOTE)) == {
        "id": "01KAX7Q2N4F8Z6R1T3V5W7Y9B0",
        "type": "memory",
        "created": "2026-11-20T10:15:00Z",
        "tags": ["coffee", "NO"],
        "up": [["home"]],
        "mood": "calm",
        "quote": "one\n# two\n",
        "importance": "0.7",
    }


def test_null_is_empty_and_a_quoted_null_is_a_word() -> None:
    """An empty property and a word are told apart."""
    text = '---\na:\nb: ~\nc: null\nd: "null"\ne: #x\ntags:\n- a\n-\n---\n'
    found = {"a": "", "b": "", "c": "", "d": "null", "e": "", "tags": ["a", ""]}
    assert fields(parse(text)) == found


NEARLY_PLAIN = st.lists(
    st.sampled_from(
        [
            *("a: ", "\nb: ", "\nc:\n  - ", "\n  - ", "\n", ": ", ":", " #", "#", "- ", " ", "\\"),
            *("null", "~", '"', "'", "[]", "[x, null]", "x", "1.5", "é", "\u2028", "\xa0"),
            *("&", "*", "!", "|", '"\\n', '\\""', '\\\\"', "\\x41"),
        ]
    ),
    max_size=9,
)


@UNHURRIED
@example("one two")
@example('"one: # two"')
@example("\n  - one\n  - null")
@given(NEARLY_PLAIN.map("".join))
def test_what_is_read_at_a_glance_is_what_yaml_says(value: str) -> None:
    """PyYAML is spared where it would say the same, and asked wherever it might not."""
    head = f"key: {value}\n".replace(": \n", ":\n")
    found = plain_reader.read(head)
    assert found is None or found == yaml_reader.load(head)


def test_what_the_program_writes_is_read_at_a_glance() -> None:
    """Each kind of value that `new` writes."""
    values: dict[str, str | float | list[str]] = {"id": "01K", "said": "no", "none": "", "ok": True}
    values |= {"when": "2026-11-20T10:15:00Z", "links": ["[[tea]]", "oolong: green"], "empty": []}
    values |= {"stop": ["\n\n", '\n"no"\t\\'], "quoted": 'so "it" is\n'}
    assert plain_reader.read(parse(new(values, "")).head) == {**values, "ok": "true"}


def test_crlf_reads_as_lf_does() -> None:
    """The line ending is no part of a value, and stays in the body."""
    lf, crlf = parse(NOTE), parse(NOTE.replace("\n", "\r\n"))
    assert fields(crlf) == fields(lf)
    assert crlf.body == lf.body.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("---\na: b\n", "torn"),
        ("---\r\na: b\r\n---\r", "torn"),
        ("---\na: &x b\n---\n", "anchor"),
        ("---\na: b\n&x c: d\n---\n", "anchor"),
        ("---\na: &x [b]\n---\n", "anchor"),
        ("---\na: *x\n---\n", "alias"),
        ("---\na: b\n*x : c\n---\n", "alias"),
        ("---\na: !!str b\n---\n", "tag"),
        ("---\na: ! b\n---\n", "tag"),
        ("---\na: !!python/tuple [b]\n---\n", "tag"),
        ("---\n!t a: b\n---\n", "tag"),
        ("---\na: b\nc: d\n'a': e\n---\n", "duplicate"),
        ("---\na: {b: c, b: d}\n---\n", "duplicate"),
        ("---\na: {b: {c: {d: {}}}}\n---\n", "depth"),
        ("---\na: [[[[]]]]\n---\n", "depth"),
        ("---\na: b\n--- c\n---\n", "documents"),
        ("---\na: b\n--- # c\nd: e\n---\n", "documents"),
        ("---\na: b\r---\rc: d\n---\n", "documents"),
        ("---\na: [\n---\n", "yaml"),
        ("---\na: b\n\tc: d\n---\n", "yaml"),
        ('---\na: "\\q"\n---\n', "yaml"),
        ("---\na: b\x07\n---\n", "yaml"),
        ("---\n? [a]\n: b\n---\n", "yaml"),
        ("---\na: b\u2028c\n---\n", "yaml"),
        (f"---\na: {'b' * 16384}\n---\n", "size"),
        (f"---\na: {'☕' * 6000}\n---\n", "size"),
        ("---\na: b\n<<<<<<< HEAD\nc: d\n=======\nc: e\n>>>>>>> x\n---\n", "conflict"),
        ("---\na: b\n---\n<<<<<<< HEAD\nc\n=======\r\nd\n>>>>>>> x\n", "conflict"),
        ("<<<<<<< HEAD\n---\na: b\n---\n=======\n---\na: c\n---\n>>>>>>> x\n", "conflict"),
    ],
)
def test_what_readers_disagree_on_is_refused_by_name(text: str, code: str) -> None:
    """Each refusal has its own code."""
    assert code_of(text) == code


@pytest.mark.parametrize(
    "body",
    [">>>>>>> x\n=======\n<<<<<<< y\n", "Title\n=======\n", " <<<<<<< a\n =======\n >>>>>>> b\n"],
)
def test_marks_out_of_order_or_indented_are_no_conflict(body: str) -> None:
    """A heading underlined with = is no conflict."""
    assert fields(parse(f"---\na: b\n---\n{body}")) == {"a": "b"}


def test_four_levels_and_the_last_byte_below_the_limit_are_read() -> None:
    """The limits themselves are allowed."""
    assert fields(parse("---\na: {b: {c: {d: e}}}\n---\n")) == {"a": {"b": {"c": {"d": "e"}}}}
    value = "b" * (document_frontmatter.MAX_BYTES - len("a: \n"))
    assert fields(parse(f"---\na: {value}\n---\n")) == {"a": value}


def test_a_complaint_names_the_line_of_the_file() -> None:
    """The line is counted from the top of the file, as an editor does."""
    with pytest.raises(Unreadable, match=r"^line 4 has an anchor \(&x\)"):
        fields(parse("---\na: b\n\nc: &x d\n---\n"))


@pytest.mark.parametrize(
    "head",
    [
        "a: " + "[" * 5000 + "]" * 5000,
        "a: " + "{a: " * 4000,
        "a:\n" + "- " * 8000,
        "a: " + "[[" * 8000,
        "\n".join(f"k{n}: &k{n} [*k{n - 1}, *k{n - 1}]" for n in range(1, 20)),
        "".join(f"k{n}: v\n" for n in range(1500)) + "k0: v",
        "a: b\n" * 250_000,
        "a: " + "b" * (1 << 20),
        "a: '" + "''" * 8000,
        "? " * 8000,
        "a: b\n" + "<<<<<<< \n" * 100_000,
    ],
)
def test_a_bomb_is_rejected(head: str) -> None:
    """Neither nesting nor size nor aliases keep the reader from coming to an end."""
    assert code_of(f"---\n{head}\n---\n")


def test_the_heaviest_frontmatter_allowed_is_read_and_updated() -> None:
    """What the size limit lets through does not stall an index or a writer."""
    doc = parse("---\na: [" + "{b: c}, " * 2000 + "]\nd: e\n---\n")
    assert update(doc, {"d": "f"}).head.endswith("]\nd: f\n")
    assert len(fields(doc)["a"]) == 2000


@UNHURRIED
@given(st.one_of(MESS, TORN_MESS).map(lambda text: f"{text}\n---\n"))
def test_any_text_is_read_or_unreadable(text: str) -> None:
    """No third outcome, whatever stands between the fences."""
    doc = parse(text)
    try:
        found = fields(doc)
    except Unreadable:
        return
    assert doc.closing or found == {}


def test_a_prefix_of_a_note_is_torn_or_has_not_begun() -> None:
    """A half-written note is never mistaken for a whole one once its first key is there."""
    whole = parse(NOTE)
    begun, closed = len("---\nid:"), len(NOTE) - len(whole.body) - 1
    for size in range(begun, closed):
        assert code_of(NOTE[:size]) == "torn"
    for size in range(begun):
        assert parse(NOTE[:size]) == Document("", "", "", NOTE[:size])
    for size in range(closed, len(NOTE)):
        assert fields(parse(NOTE[:size])) == fields(whole)


# python-frontmatter


def test_a_post_has_metadata_and_the_body_untouched() -> None:
    """Keys named as the constructor's arguments are keys like any other."""
    found = document_frontmatter.post(
        parse("---\ncontent: a\nhandler: b\nnr: 012\n---\n    code first\n\n")
    )
    assert isinstance(found, frontmatter.Post)
    assert found.metadata == {"content": "a", "handler": "b", "nr": "012"}
    assert found.content == "    code first\n\n"
    assert frontmatter.dumps(found) == (
        '---\ncontent: a\nhandler: b\nnr: "012"\n---\n    code first\n\n'
    )


def test_python_frontmatter_is_strict_through_our_handler(tmp_path: Path) -> None:
    """python-frontmatter's own doors follow our rules."""
    handler = document_frontmatter.strict_handler()
    path = tmp_path / "note.md"
    path.write_text("---\nb: NO\na: 1.10\n---\nText\n", encoding="utf-8")
    found = frontmatter.load(path, handler=handler)
    assert (found.metadata, found.content) == ({"b": "NO", "a": "1.10"}, "Text")
    assert handler.export(found.metadata) == 'b: "NO"\na: "1.10"'
    assert frontmatter.loads("---\n\nText\n\n---", handler=handler).content == "---\n\nText\n\n---"
    with pytest.raises(Unreadable):
        frontmatter.loads("---\na: &b c\n---\n", handler=handler)
    with pytest.raises(Unreadable):
        frontmatter.loads("---\na: b\n", handler=handler)


def test_a_post_that_frontmatter_cannot_hold_is_refused() -> None:
    """Nested values are read and never written."""
    found = document_frontmatter.post(parse("---\na: {b: c}\n---\n"))
    with pytest.raises(Refused, match="cannot be written"):
        frontmatter.dumps(found)


# Writing a new file


def test_a_new_file_is_canonical() -> None:
    """Keys in the order given, quotes where they are needed."""
    values: dict[str, document_frontmatter.Field] = {
        "id": "01KAX7Q2N4F8Z6R1T3V5W7Y9B0",
        "created": "2026-11-20T10:15:00Z",
        "valid_from": "2026-11-20",
        "importance": 0.7,
        "turns": 12,
        "tags": ["coffee", "NO"],
        "aliases": [],
        "sources": ["[[20261120-101500-prefers-dark-roast-7q3kzm]]"],
        "title": "Prefers dark roast, café ☕",
    }
    assert new(values, "Text") == (
        "---\n"
        "id: 01KAX7Q2N4F8Z6R1T3V5W7Y9B0\n"
        "created: 2026-11-20T10:15:00Z\n"
        "valid_from: 2026-11-20\n"
        "importance: 0.7\n"
        "turns: 12\n"
        "tags:\n"
        "  - coffee\n"
        '  - "NO"\n'
        "aliases: []\n"
        "sources:\n"
        '  - "[[20261120-101500-prefers-dark-roast-7q3kzm]]"\n'
        "title: Prefers dark roast, café ☕\n"
        "---\n"
        "Text\n"
    )


@pytest.mark.parametrize(
    "value",
    [
        "",
        " a",
        "a ",
        "NO",
        "yes",
        "On",
        "null",
        "~",
        "y",
        "1.10",
        "12:30",
        "0123",
        "1e5",
        "0x1F",
        "1_000",
        "+1",
        "-1",
        ".5",
        "#x",
        "a #b",
        "a#b",
        "a: b",
        "a:",
        "[a",
        "{a",
        "'a",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "%a",
        "@a",
        "`a",
        "- a",
        "---",
        "?a",
        "[[x]]",
        "see [[x]]",
        ".inf",
        "<<",
        "2026-02-30",
        "2026-11-20 10:15:00",
        "2026-13-01T00:00:00Z",
        "a\u2028b",
        "\x85",
        "=",
        ",",
    ],
)
def test_a_string_that_some_reader_would_change_is_quoted(value: str) -> None:
    """YAML 1.1, YAML 1.2 and Obsidian see the same string."""
    assert head_of(a=value).startswith('a: "')


@pytest.mark.parametrize(
    "value",
    [
        "a:b",
        "http://x.org/a?b=c",
        'say "hi"',
        "it's",
        "a - b",
        "3 cups",
        "a, b",
        "Nora",
        "01KE5Z",
        "2026-11-20T10:15:00.123+02:00",
        "20261120-101500-tea-7q3kzm",
        "back\\slash",
        "<b>",
        "née",
    ],
)
def test_a_string_that_all_readers_agree_on_is_plain(value: str) -> None:
    """Quotes only where they are needed."""
    assert head_of(a=value) == f"a: {value}\n"


def test_control_characters_are_escaped_on_one_line() -> None:
    """What an editor would not show is written out."""
    assert head_of(a='1\n2\r\t"\\\0\x1b\ufeff\U000e0041') == (
        'a: "1\\n2\\r\\t\\"\\\\\\u0000\\u001b\\ufeff\\U000e0041"\n'
    )


@UNHURRIED
@given(st.dictionaries(KEYS, st.one_of(SCALARS, LISTS), max_size=5), MESS)
def test_what_is_written_reads_back(values: dict[str, str | int | list[str]], body: str) -> None:
    """Any strings, numbers and lists survive a new file."""
    text = new(values, body)
    read = {k: v if isinstance(v, list) else str(v) for k, v in values.items()}
    assert fields(parse(text)) == read
    assert parse(text).body in {body, body + "\n"}
    assert text.endswith("\n")


@UNHURRIED
@given(st.dictionaries(KEYS, st.one_of(MESS, LISTS), min_size=1, max_size=5))
@example({"2026-11-20": "a day as a key"})
def test_another_yaml_reader_sees_the_same_strings(values: dict[str, str | list[str]]) -> None:
    """YAML 1.1 with all its types finds strings where strings were given."""
    found = yaml.load(parse(new(values, "")).head, Loader=yaml.CSafeLoader)
    assert found == values


def test_flags_and_numbers_are_plain_and_the_numberless_refused() -> None:
    """Numbers are numbers for every reader."""
    assert head_of(a=True, b=-1, c=1e22) == "a: true\nb: -1\nc: 1e+22\n"
    for value in (float("nan"), float("inf")):
        with pytest.raises(Refused, match="finite"):
            new({"a": value}, "")


@pytest.mark.parametrize(
    ("values", "body"),
    [
        ({"a": "b" * 20_000}, ""),
        ({"a" * 2000: "b"}, ""),
        ({"a": "\ud800"}, ""),
        ({"a": "b"}, "<<<<<<< a\n=======\n>>>>>>> b\n"),
    ],
)
def test_a_file_that_could_not_be_read_again_is_not_written(
    values: dict[str, str], body: str
) -> None:
    """What `fields` would refuse is refused before it is on the disk."""
    with pytest.raises(Refused, match="nothing was written"):
        new(values, body)


# Updating


def test_one_key_changes_one_line() -> None:
    """The comment behind the value stays."""
    assert render(update(parse(NOTE), {"mood": "NO"})) == NOTE.replace(
        "mood: calm  # today", 'mood: "NO"  # today'
    )


@pytest.mark.parametrize(
    ("key", "value", "was", "now"),
    [
        ("quote", "x", "quote: |\n  one\n  # two\n", "quote: x\n"),
        ("quote", None, "quote: |\n  one\n  # two\n", ""),
        ("tags", ["coffee", "NO", "on"], '  - "NO"\n', '  - "NO"\n  - "on"\n'),
        ("tags", ["NO"], "  - coffee   # not tea\n", ""),
        ("tags", [], 'tags:\n  - coffee   # not tea\n  - "NO"\n', "tags: []\n"),
        ("up", "[[x]]", "up: [[home]]\n", 'up: "[[x]]"\n'),
        ("importance", 0.9, "importance: 0.7\n", "importance: 0.9\n"),
        ("mood", None, "mood: calm  # today\n", ""),
        ("mood", ["a"], "mood: calm  # today\n", "mood:  # today\n  - a\n"),
        ("new", ["a"], "importance: 0.7\n", "importance: 0.7\nnew:\n  - a\n"),
    ],
)
def test_an_update_owns_the_lines_of_its_key(
    key: str, value: document_frontmatter.Field | None, was: str, now: str
) -> None:
    """One replacement in the text, with any line ending, with and without a BOM."""
    for eol in ("\n", "\r\n"):
        text = NOTE.replace("\n", eol)
        assert was.replace("\n", eol) in text
        changed = text.replace(was.replace("\n", eol), now.replace("\n", eol))
        assert render(update(parse(text), {key: value})) == changed
        assert render(update(parse("\ufeff" + text), {key: value})) == "\ufeff" + changed


def test_a_value_that_is_already_there_is_not_touched() -> None:
    """Saying the same again changes no byte."""
    same: dict[str, document_frontmatter.Field | None] = {
        "tags": ["coffee", "NO"],
        "importance": 0.7,
        "mood": "calm",
        "nothing": None,
    }
    assert update(parse(NOTE), same) == parse(NOTE)


@pytest.mark.parametrize(
    ("head", "key", "value", "after"),
    [
        ("tags:\n- a\n# why\n- b\nx: y\n", "tags", ["b", "c"], "tags:\n# why\n- b\n- c\nx: y\n"),
        ("tags: # c\n  - a\n", "tags", "x", "tags: x # c\n"),
        ("tags: [a,\n  b] # c\nx: y\n", "tags", ["a"], "tags: # c\n  - a\nx: y\n"),
        ("a: > # c\n  one\n  two\n\n# d\nx: y\n", "a", "z", "a: z # c\n\n# d\nx: y\n"),
        ("a:\n# c\nx: y\n", "a", "z", "a: z\n# c\nx: y\n"),
        ("a:   # c\nx: y\n", "a", "z", "a: z   # c\nx: y\n"),
        ("a: one\n  two\nx: y\n", "a", "z", "a: z\nx: y\n"),
        ('"a" : "b#c" # d\n', "a", "z", '"a": z # d\n'),
        ("a: {b: c}\nx: y\n", "a", "z", "a: z\nx: y\n"),
        ("a:\n  b:\n    - c\n\n# d\nx: y\n", "a", "z", "a: z\n\n# d\nx: y\n"),
        ("  a: b\n  c: d\n", "e", ["x"], "  a: b\n  c: d\n  e:\n    - x\n"),
        ("  a: b\n  c: d\n", "a", ["x"], "  a:\n    - x\n  c: d\n"),
        ("é☕: b\na: ☕\nx: y\n", "a", "z", "é☕: b\na: z\nx: y\n"),
        ("a: b\n\n# end\n", "c", "d", "a: b\n\n# end\nc: d\n"),
        ("? a\n: b\nx: y\n", "x", "z", "? a\n: b\nx: z\n"),
        ("a: b\n", "a", None, ""),
        ("", "a", "b", "a: b\n"),
        ("\n", "a", "b", "\na: b\n"),
    ],
)
def test_an_update_keeps_to_the_style_it_finds(
    head: str, key: str, value: document_frontmatter.Field | None, after: str
) -> None:
    """Indentation, comments, quoting and blank lines as they were."""
    doc = parse(f"---\n{head}---\nText")
    assert update(doc, {key: value}) == Document("---\n", after, "---\n", "Text")


@pytest.mark.parametrize(
    "head", ["{a: b}\n", "? a\n: b\n", "x: y\ra: b\n", "a: b # c\rx: y\n", "a: b\rx: y\n"]
)
def test_a_key_that_shares_its_lines_is_refused(head: str) -> None:
    """What cannot be replaced alone is not replaced."""
    with pytest.raises(Refused, match="one key a line"):
        update(parse(f"---\n{head}---\n"), {"a": "c"})


def test_an_update_that_would_lose_the_frontmatter_is_refused() -> None:
    """The result is read again before anyone gets it."""
    with pytest.raises(Refused, match="would not read back"):
        update(parse("---\n# only this comment stays\na: b\n---\n"), {"a": None})
    with pytest.raises(Refused, match="larger than"):
        update(parse("---\na: b\n---\n"), {"a": "b" * 20_000})
    with pytest.raises(Refused, match="would not read back"):
        update(parse("Text\n"), {}, "---\na: b\n---\n")


def test_an_unreadable_document_is_not_updated() -> None:
    """Bytes we cannot trust stay as they are."""
    for text in ("---\na: b\n", "---\na: &x b\n---\n", "<<<<<<< a\n=======\n>>>>>>> b\n"):
        with pytest.raises(Unreadable):
            update(parse(text), {"a": "c"})


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Text\n", "---\na: b\n---\nText\n"),
        ("", "---\na: b\n---\n"),
        ("\ufeffText\r\n", "\ufeff---\r\na: b\r\n---\r\nText\r\n"),
        ("---\n\nText\n\n---\n", "---\na: b\n---\n---\n\nText\n\n---\n"),
    ],
)
def test_a_file_without_frontmatter_gets_one_in_front(text: str, after: str) -> None:
    """A BOM stays first; taking a key away from nothing adds nothing."""
    assert render(update(parse(text), {"a": "b"})) == after
    assert render(update(parse(text), {"a": None})) == text


def test_a_body_is_replaced_as_it_is_given() -> None:
    """Only a missing line end before it is supplied."""
    doc = parse("\ufeff---\r\na: b\r\n---")
    assert render(update(doc, {}, "x\ny")) == "\ufeff---\r\na: b\r\n---\r\nx\ny"
    assert render(update(parse("Text\n"), {"a": "b"}, "New\n")) == "---\na: b\n---\nNew\n"


VALUES = st.sampled_from(
    [
        "v",
        "v # c",
        '"v # w"',
        "",
        " # c",
        "[a, b]",
        "|\n  t\n\n",
        ">-\n  t\n  # u\n",
        "one\n  two",
        "\n- a\n# c\n- b",
        "\n  - a\n\n  - b # c",
        "{b: c}",
        "'it''s'",
        "\n  b: c\n  d:\n",
    ]
)
FILLERS = st.sampled_from(["", "\n", "# note\n", " # indented\n", "\n\n"])


@UNHURRIED
@given(
    st.lists(st.tuples(VALUES, FILLERS), min_size=1, max_size=6),
    st.data(),
    st.sampled_from(["\n", "\r\n"]),
    st.one_of(st.none(), MESS, LISTS),
)
def test_every_line_of_another_key_survives(
    parts: list[tuple[str, str]], data: st.DataObject, eol: str, value: str | list[str] | None
) -> None:
    """Whatever styles meet, the neighbours are byte-identical and in order."""
    chunks = [f"k{n}: {v.rstrip()}\n{f}".replace("\n", eol) for n, (v, f) in enumerate(parts)]
    at = data.draw(st.integers(0, len(parts) - 1))
    before, after = "".join(chunks[:at]), "".join(chunks[at + 1 :])
    doc = parse(f"---{eol}top: t{eol}{before}{chunks[at]}{after}---{eol}Text{eol}")
    now = update(doc, {f"k{at}": value})
    assert now.head.startswith(f"top: t{eol}{before}")
    assert now.head.endswith(parts[at][1].replace("\n", eol) + after)
    was = fields(doc)
    kept = {k: v for k, v in was.items() if k != f"k{at}"}
    assert fields(now) == kept | ({} if value is None else {f"k{at}": value})
    assert (now.opening, now.closing, now.body) == (doc.opening, doc.closing, doc.body)


def test_a_comment_is_what_no_text_of_frontmatter_holds() -> None:
    doc = parse(
        "---\n# All of it\ntitle: 'No #1' # Of Mara's\ntags: [\"a #b\", c#d]  # Two\n"
        "note: | # A block\n  # A line\n\n# Below\nempty: |\nlast: # None yet\n---\nBody # x\n"
    )
    assert comments(doc) == {
        "# All of it": "# All of it",
        "# Of Mara's": "title: 'No #1' # Of Mara's",
        "# Two": 'tags: ["a #b", c#d]  # Two',
        "# A block": "note: | # A block",
        "# Below": "# Below",
        "# None yet": "last: # None yet",
    }
