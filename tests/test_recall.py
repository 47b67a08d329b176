"""A question finds what answers it: in scope, as the files stand now, the same each time."""

from __future__ import annotations

import json
import math
import statistics
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem import Vault, files, skeleton, store
from vaultmem.errors import BadInput
from vaultmem.files import Root
from vaultmem.index import Index
from vaultmem.recall import LONGEST_QUERY, Question, Scope, search
from vaultmem.recall.ranking import Candidate, rank

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
DATA = Path(__file__).resolve().parents[2] / "shared/data/locomo-dev"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Vault]:
    """Open a vault without history."""
    skeleton.create(tmp_path / "shelf", lambda: NOW, with_git=False)
    with Vault.open(tmp_path / "shelf", clock=lambda: NOW) as opened:
        yield opened


def put(vault: Vault, path: str, text: str) -> Path:
    """Write a file as a person does."""
    target = vault.path / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    return target


def note(**head: object) -> str:
    """Return a note about tea with this frontmatter."""
    return "".join(["---\n", *(f"{k}: {v}\n" for k, v in head.items()), "---\nOolong tea.\n"])


def paths(vault: Vault, query: str, scope: Scope | None = None) -> list[str]:
    """Return where the hits are."""
    return [hit.path for hit in vault.recall(query, scope=scope).hits]


# --- scope ------------------------------------------------------------------------------------


def test_scope_comes_before_rank(shelf: Vault) -> None:
    """A hundred better answers elsewhere do not hide the one that was asked for."""
    for n in range(250):
        put(shelf, f"agents/bob/notes/{n}.md", "Oolong tea, oolong tea, oolong tea.\n")
    put(shelf, "agents/ada/notes/a.md", "Once upon a time somebody spoke of some kind of oolong.\n")
    assert paths(shelf, "oolong tea", Scope(agent="ada")) == ["agents/ada/notes/a.md"]


def test_scope_by_type(shelf: Vault) -> None:
    """The frontmatter's type counts."""
    put(shelf, "topics/tea.md", note(type="topic"))
    put(shelf, "cards/food/tea.md", note(type="card"))
    assert paths(shelf, "oolong", Scope(type="card")) == ["cards/food/tea.md"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (("tea",), ["tea.md"]),
        (("te",), []),
        (("tea/green",), ["green.md"]),
        (("t_a",), ["wild.md"]),
        (("50%",), ["wild.md"]),
        (("%",), []),
        (("a\\b",), ["wild.md"]),
        (("50%", "t_a"), ["wild.md"]),
        (("tea", "t_a"), []),
    ],
)
def test_scope_by_tag_takes_tags_whole_and_by_the_letter(
    shelf: Vault, asked: tuple[str, ...], expected: list[str]
) -> None:
    """A tag is no prefix and no pattern."""
    put(shelf, "tea.md", note(tags="[tea, drink]"))
    put(shelf, "green.md", note(tags="[tea/green]"))
    put(shelf, "wild.md", note(tags="['t_a', '50%', 'a\\b']"))
    assert paths(shelf, "oolong", Scope(tags=asked)) == expected


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (Scope(after="2026-03-02"), {"b", "c", "d", "e"}),
        (Scope(before="2026-03-02"), {"a", "b", "c", "d"}),
        (Scope(after="2026-03-02", before="2026-03-02"), {"b", "c", "d"}),
        (Scope(after="2026-03-02T10:00:00Z"), {"c", "d", "e"}),
        (Scope(before="2026-03-02T10:00:00Z"), {"a", "b", "c"}),
        (Scope(after="2026-03-02T12:00:00+02:00"), {"c", "d", "e"}),
    ],
)
def test_scope_by_time_counts_both_ends_and_days_whole(
    shelf: Vault, scope: Scope, expected: set[str]
) -> None:
    """A hand-written day and an offset are times like any other."""
    times = {
        "a": "2026-03-01T23:59:59Z",
        "b": "2026-03-02",
        "c": "2026-03-02T12:00:00+02:00",
        "d": "2026-03-02T23:59:59Z",
        "e": "2026-03-03T00:00:00Z",
    }
    for name, when in times.items():
        put(shelf, f"{name}.md", note(created=when))
    assert {p.removesuffix(".md") for p in paths(shelf, "oolong", scope)} == expected


def test_scaffolding_is_not_recalled(shelf: Vault) -> None:
    """What explains the vault, and what waits for a person, is no memory."""
    for path in ("README.md", "AGENTS.md", "CLAUDE.md", "MEMORY.md", "config/x.md", "inbox/x.md",
                 "templates/x.md", "tombstones/x.md", "inbox/review/x.md"):  # fmt: skip
        put(shelf, path, "Oolong tea.\n")
    put(shelf, "tea.md", "Oolong tea.\n")
    assert paths(shelf, "oolong") == ["tea.md"]


@pytest.mark.parametrize(
    "asked",
    [
        lambda v: v.recall("  \n"),
        lambda v: v.recall("x" * (LONGEST_QUERY + 1)),
        lambda v: v.recall("x", k=0),
        lambda v: v.recall("x", k=51),
        lambda v: v.recall("x", scope=Scope(after="soon")),
        lambda v: v.recall("x", scope=Scope(agent="nobody")),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(shelf: Vault, asked: Callable[[Vault], object]) -> None:
    """And no traceback."""
    put(shelf, "x.md", "x\n")
    with pytest.raises(BadInput):
        asked(shelf)


# --- as the files stand -----------------------------------------------------------------------


def test_a_deleted_file_is_not_returned(shelf: Vault) -> None:
    """Also when nothing told the index."""
    target = put(shelf, "tea.md", "Oolong tea.\n")
    put(shelf, "too.md", "Oolong tea, too.\n")
    assert set(paths(shelf, "oolong")) == {"tea.md", "too.md"}
    target.unlink()
    assert paths(shelf, "oolong") == ["too.md"]


def test_files_that_vanished_in_a_crowd_are_not_returned(shelf: Vault) -> None:
    """The index keeps them until a person decides, and others take their places in the hits."""
    for n in range(60):
        put(shelf, f"gone/{n}.md", "Oolong tea.\n")
        put(shelf, f"here/{n}.md", "A long text that speaks of oolong among much else.\n")
    assert len(paths(shelf, "oolong tea")) == 10
    for n in range(60):
        (shelf.path / f"gone/{n}.md").unlink()
    hits = paths(shelf, "oolong tea")
    assert len(hits) == 10
    assert {p.partition("/")[0] for p in hits} == {"here"}


def test_an_edited_file_returns_its_new_text(shelf: Vault) -> None:
    """An edit in place moves no folder's time: the hit itself is looked at."""
    target = put(shelf, "tea.md", "Ada drinks oolong.\n")
    assert [h.snippet for h in shelf.recall("ada drinks").hits] == ["Ada drinks oolong."]
    target.write_text("Ada drinks sencha.\n")
    hits = shelf.recall("ada drinks").hits
    assert [(h.snippet, h.sha256) for h in hits] == [
        ("Ada drinks sencha.", files.sha256(target.read_bytes()))
    ]


def test_a_torn_file_is_found_by_what_it_said_last(shelf: Vault) -> None:
    """Never dropped, though reported."""
    target = put(shelf, "tea.md", note(title="Tea"))
    assert paths(shelf, "oolong") == ["tea.md"]
    target.write_text("---\ntitle: T")
    assert paths(shelf, "oolong") == ["tea.md"]


def test_lines_point_at_the_line_of_the_snippet(shelf: Vault) -> None:
    """Counted from the top of the file, frontmatter and all."""
    body = "\n# Tea\n\n#tag\n\n## Green ##\n\nSencha.\n\nOolong café.\n"
    text = f"---\ntitle: Tea\ntags: [a]\n---\n{body}"
    put(shelf, "tea.md", text)
    for query, line, heading in (("sencha", 12, "Green"), ("cafe", 14, "Green"), ("tag", 8, "Tea")):
        (hit,) = shelf.recall(query).hits
        assert (hit.lines, hit.heading) == ((line, line), heading)
        assert text.split("\n")[line - 1] == hit.snippet


@pytest.mark.parametrize(
    "text", ["Oolong.\n", "\r\n\r\nOolong.\r\n", "\ufeff---\r\na: b\r\n---\r\nOolong."]
)
def test_lines_are_right_without_frontmatter_with_crlf_and_bom(shelf: Vault, text: str) -> None:
    """Whatever editor wrote it."""
    (shelf.path / "tea.md").write_bytes(text.encode())
    (hit,) = shelf.recall("oolong").hits
    assert text.split("\n")[hit.lines[0] - 1].strip() == hit.snippet == "Oolong."


def test_a_long_line_is_cut_around_what_was_asked(shelf: Vault) -> None:
    """The word stands in the snippet, between ellipses."""
    put(shelf, "tea.md", "word " * 500 + "Oolong " + "word " * 500 + "\n")
    (hit,) = shelf.recall("oolong").hits
    assert "Oolong" in hit.snippet
    assert hit.snippet[0] == hit.snippet[-1] == "…"
    assert len(hit.snippet) == 242


def test_a_hit_past_its_time_is_stale(shelf: Vault) -> None:
    """It is found all the same, and says so."""
    put(shelf, "old.md", note(stale_after="2026-11-19"))
    put(shelf, "new.md", note(stale_after="2026-11-21"))
    assert {h.path: h.stale for h in shelf.recall("oolong").hits} == {
        "old.md": True,
        "new.md": False,
    }


def test_a_damaged_index_answers_after_a_rebuild(shelf: Vault) -> None:
    """The part that recall alone reads is gone."""
    put(shelf, "tea.md", "Oolong tea.\n")
    assert paths(shelf, "oolong") == ["tea.md"]
    shelf.site.index.db.execute("UPDATE words_data SET block = x'00'")
    assert paths(shelf, "oolong") == ["tea.md"]


def test_hits_are_the_same_after_a_rebuild_and_each_time(shelf: Vault) -> None:
    """Equals stand in the order of their paths, not of their indexing."""
    for name in ("c", "a", "b"):
        put(shelf, f"{name}.md", "Oolong tea.\n")
        shelf.site.index.sync()
    first = shelf.recall("oolong").hits
    assert [h.path for h in first] == ["a.md", "b.md", "c.md"]
    assert shelf.recall("oolong").hits == first
    shelf.site.index.rebuild()
    shelf.site.index.sync()
    assert shelf.recall("oolong").hits == first


# --- conversations ----------------------------------------------------------------------------


def told(vault: Vault, *turns: tuple[str, str, str]) -> None:
    """Let people talk: (speaker, time, text)."""
    for speaker, at, text in turns:
        vault.remember(text, speaker=speaker, session=at[:10], at=f"{at}Z", agent="ada")


def snippets(vault: Vault, query: str) -> list[str]:
    """Return what is found, best first."""
    return [hit.snippet for hit in vault.recall(query).hits]


def test_the_answer_to_a_telling_question_is_found(shelf: Vault) -> None:
    """It shares no word with what is asked; the turn before it does."""
    told(
        shelf,
        ("Ben", "2026-01-05T10:00:00", "Which instrument did you learn as a child in Lisbon?"),
        ("Ada", "2026-01-05T10:01:00", "It was the cello for seven years, then I gave it up."),
        ("Ben", "2026-02-05T10:00:00", "The weather has been rather dull for weeks on end now."),
    )
    found = snippets(shelf, "What instrument was learnt as a child?")
    assert [text.split()[0] for text in found] == ["Which", "It"]


@pytest.mark.parametrize("speaker", ["Ada", "Ada Lovelace", "Dr. Ada"])
def test_a_named_speaker_lifts_what_she_said(shelf: Vault, speaker: str) -> None:
    """Who says it is no word of the text."""
    text = "My favourite tea of all those I have tried so far is oolong from Taiwan"
    told(
        shelf,
        ("Ben", "2026-01-05T10:00:00", f"{text}."),
        (speaker, "2026-02-05T10:00:00", f"{text}!"),
    )
    assert snippets(shelf, "What is Ada's favourite tea?")[0].endswith("!")
    assert snippets(shelf, "What is Ben's favourite tea?")[0].endswith(".")


@pytest.mark.parametrize("when", ["on 5 May 2026", "on May 5th", "on 2026-05-05", "in May 2026"])
def test_a_named_date_lifts_what_was_said_then(shelf: Vault, when: str) -> None:
    """However it is written."""
    text = "We had a cup of oolong tea in the garden behind the old house"
    told(
        shelf,
        ("Ben", "2026-03-05T10:00:00", f"{text}."),
        ("Ben", "2026-05-05T10:00:00", f"{text}!"),
        ("Ben", "2026-07-05T10:00:00", f"{text}?!"),
    )
    assert snippets(shelf, f"Where was the tea {when}?")[0].endswith("house!")


CANDIDATES = st.builds(
    Candidate,
    doc=st.integers(1, 50),
    words=st.floats(0, 1),
    path=st.just("x.md"),
    session=st.sampled_from(["", "s1", "s2"]),
    speaker=st.text(max_size=5),
    created=st.sampled_from(["", "2026-05-05T10:00:00Z", "long ago"]),
    length=st.integers(0, 500),
    asks=st.booleans(),
    before=st.none() | st.integers(1, 60),
    after=st.none() | st.integers(1, 60),
)


@given(query=st.text(), found=st.lists(CANDIDATES, max_size=20), more=CANDIDATES)
def test_ranking_scores_everything_with_a_number(
    query: str, found: list[Candidate], more: Candidate
) -> None:
    """Whatever is asked, one candidate more changes no other's being ranked."""
    before = rank(query, {c.doc: c for c in found})
    after = rank(query, {c.doc: c for c in [*found, more]})
    assert all(math.isfinite(score) for score in (*before.values(), *after.values()))
    assert set(after) == {*before, more.doc}
    assert rank(query, {c.doc: c for c in found}) == before


# --- floors -----------------------------------------------------------------------------------


def questions(name: str) -> list[tuple[str, set[str]]]:
    """Return what is asked of a conversation, with the messages that answer it."""
    lines = (DATA / f"{name}.questions.jsonl").read_text("utf-8").splitlines()
    asked = [q for q in map(json.loads, lines) if q["category"] != "adversarial" and q["evidence"]]
    return [(q["question"], set(q["evidence"])) for q in asked]


def share_answered(folder: Path, name: str) -> tuple[float, int]:
    """Import a conversation and return the share of questions with evidence in ten hits."""
    skeleton.create(folder, lambda: NOW, with_git=False)
    with Vault.open(folder, clock=lambda: NOW) as vault:
        vault.import_jsonl([DATA / f"{name}.messages.jsonl"], agent="ada")
        origins = {r.path: r.origin.rpartition("/")[2] for r in vault.site.index.records()}
        scope = Scope(agent="ada", type="memory")
        asked = questions(name)
        answered = sum(
            not gold.isdisjoint(origins[h.path] for h in vault.recall(query, scope=scope).hits)
            for query, gold in asked
        )
    return answered / len(asked), len(asked)


@pytest.mark.skipif(not DATA.is_dir(), reason="the conversations are not beside the project")
def test_most_questions_of_real_conversations_find_their_evidence(tmp_path: Path) -> None:
    """recall_any@10 over all questions that have an answer, words alone."""
    names = sorted(p.name.split(".")[0] for p in DATA.glob("*.messages.jsonl"))
    shares = {name: share_answered(tmp_path / name, name) for name in names}
    assert min(share for share, _ in shares.values()) >= 0.78
    total = sum(n for _, n in shares.values())
    assert sum(share * n for share, n in shares.values()) / total >= 0.80


def test_ten_thousand_memories_answer_in_milliseconds(tmp_path: Path) -> None:
    """The median question takes under 45 ms in one process."""
    things = [f"{a}{b}" for a in ("tea", "cup", "road", "song", "lamp") for b in range(300)]
    texts = {
        f"agents/ada/memories/2026/01/m{n:05}.md": (
            f"---\nid: {n:026}\ntype: memory\ncreated: 2026-01-{n % 28 + 1:02}T10:00:00Z\n"
            f"session: s{n // 20}\nspeaker: {('Ada', 'Ben')[n % 2]}\n---\n"
            f"We spoke of {things[n % 1500]} and {things[n * 7 % 1500]} near the old house.\n"
        ).encode()
        for n in range(10_000)
    }
    listing = files.Listing({p: files.content(d).stamp for p, d in texts.items()}, {}, ())
    root = Root(tmp_path)
    index = Index(
        tmp_path / "catalog.sqlite3",
        lambda: listing,
        lambda path: files.content(texts[path]) if path in texts else None,
        store.record,
        lambda _: {},
    )
    index.sync()
    taken = []
    for n in range(40):
        asked = Question(f"What did Ada say about {things[n * 11]} near the house in January?")
        start = time.perf_counter()
        assert len(search(index, asked, lambda _path, _sha: True).hits) == 10
        taken.append(time.perf_counter() - start)
    index.close()
    root.close()
    assert statistics.median(taken) < 0.045
