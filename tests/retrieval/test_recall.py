"""A question finds what answers it: in scope, as the files stand now, the same each time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import Once
from tests.work import calls
from vaultmem import Vault
from vaultmem.api import create
from vaultmem.errors import BadInput, ModelAway
from vaultmem.retrieval.search import (
    LONGEST_QUERY,
    Answer,
    Likeness,
    Mode,
    Question,
    Scope,
    candidates,
    reranking,
    search,
)
from vaultmem.retrieval.search.parsed_query import parse_query
from vaultmem.retrieval.search.scoring import BY_WORDS, WITH_VECTORS, rank
from vaultmem.retrieval.search.types import Candidate, MaxSim
from vaultmem.storage import files, reader
from vaultmem.storage.files import Root
from vaultmem.storage.index import Filter, Index, Source, word_queries

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
DATA = Path(__file__).resolve().parents[3] / "shared/data/locomo-dev"


def _empty(folder: Path) -> None:
    """Make a vault without history, and its index."""
    create.create(folder, lambda: NOW, with_git=False)
    with Vault.open(folder, clock=lambda: NOW) as made:
        made.estimate()


@pytest.fixture
def shelf(tmp_path: Path, once: Once) -> Iterator[Vault]:
    """Open a copy of it."""
    with Vault.open(once(_empty).write(tmp_path / "shelf"), clock=lambda: NOW) as opened:
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


@pytest.mark.parametrize("name", ["Ines", "Ane", "Ase", "Ise"])
def test_a_name_is_not_taken_for_the_little_word_that_is_its_stem(shelf: Vault, name: str) -> None:
    """As an English stemmer has it, `Ines` is `in`."""
    said = f"When we met at the fair I heard that {name} must never eat sesame."
    kept = shelf.remember(said, agent="ada").path
    for n in range(20):
        shelf.remember(f"It is in the cellar, or on an oven as of {n}.", agent="ada")
    for query in (name, f"Who is {name}?", f"{name}'s", f"Tell me about {name.lower()}"):
        assert paths(shelf, query)[0] == kept, query
    assert paths(shelf, "Ores") == []


@pytest.mark.parametrize("asked", ["kiln", "#kiln", "#Kiln"])
def test_a_tag_is_found_with_and_without_its_mark(shelf: Vault, asked: str) -> None:
    put(shelf, "notes/a.md", note(tags="[project, kiln]"))
    put(shelf, "notes/b.md", note(tags="['#kiln']"))
    assert len(paths(shelf, "tea", Scope(tags=(asked,)))) == 2


def test_a_note_is_found_by_its_name_and_its_aliases(shelf: Vault) -> None:
    """As Obsidian has it, the name is the title, which the text need not say again."""
    put(shelf, "notes/Wetterhahn.md", "Stands on the roof.\n")
    put(shelf, "notes/Boat.md", "---\naliases: [Zephyr, Ost Wind]\n---\nLies in the harbour.\n")
    put(shelf, "notes/gas-kiln.md", "Fires at 1200 degrees.\n")
    put(shelf, "notes/Project Phoenix.md", "Needs the [[gas-kiln]], and a gas kiln is dear.\n")
    put(shelf, "agents/ada/files/guest_rules.txt", "Be kind.\n")
    assert paths(shelf, "Wetterhahn") == ["notes/Wetterhahn.md"]
    assert paths(shelf, "what is the Zephyr?") == ["notes/Boat.md"]
    assert paths(shelf, "Where is the Ost Wind?") == ["notes/Boat.md"]
    assert paths(shelf, "gas kiln") == ["notes/gas-kiln.md", "notes/Project Phoenix.md"]
    assert paths(shelf, "guest rules") == ["agents/ada/files/guest_rules.txt"]


def test_scope_comes_before_rank(shelf: Vault) -> None:
    """A hundred better answers elsewhere do not hide the one that was asked for."""
    for n in range(250):
        put(shelf, f"agents/bob/notes/{n}.md", "Oolong tea, oolong tea, oolong tea.\n")
    put(shelf, "agents/ada/notes/a.md", "Once upon a time somebody spoke of some kind of oolong.\n")
    assert paths(shelf, "oolong tea", Scope(agent="ada")) == ["agents/ada/notes/a.md"]


@pytest.mark.parametrize("head", ["source: https://tea.example/oolong", "trust: untrusted"])
def test_a_page_that_nobody_let_in_is_not_found_unless_it_is_asked_for(
    shelf: Vault, head: str
) -> None:
    """A crowd of them does not push out what a person wrote, either."""
    for n in range(250):
        page = f"---\n{head}\n---\nOolong tea, oolong tea, oolong tea.\n"
        put(shelf, f"knowledge/web/{n}.md", page)
    put(shelf, "notes/a.md", "Once upon a time somebody spoke of some kind of oolong.\n")
    assert paths(shelf, "oolong tea") == ["notes/a.md"]
    assert paths(shelf, "oolong tea", Scope(shared=True)) == ["notes/a.md"]
    found = shelf.recall("oolong tea", scope=Scope(untrusted=True)).hits
    assert {hit.trust for hit in found} == {"untrusted"}


def test_scope_by_type(shelf: Vault) -> None:
    """The frontmatter's type counts."""
    put(shelf, "topics/tea.md", note(type="topic"))
    put(shelf, "cards/food/tea.md", note(type="card"))
    assert paths(shelf, "oolong", Scope(type="card")) == ["cards/food/tea.md"]


@pytest.mark.parametrize("name", ["tag", "type", "person", "below"])
def test_what_narrows_a_question_is_no_longer_than_one(shelf: Vault, name: str) -> None:
    def scope(text: str) -> Scope:
        return Scope(tags=(text,)) if name == "tag" else Scope(**{name: text})  # type: ignore[arg-type]  # a text each

    assert not shelf.recall_here(Question("oat milk", scope=scope("%" * 4096))).hits
    with pytest.raises(BadInput, match=f"^a {name} to search by has at most 4096 characters"):
        scope("x" * 4097)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (("tea",), ["green.md", "tea.md"]),
        (("#Tea",), ["green.md", "tea.md"]),
        (("te",), []),
        (("tea/gr",), []),
        (("green",), []),
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
    """A tag is no prefix and no pattern, and has those that are nested in it."""
    put(shelf, "tea.md", note(tags="[tea, drink]"))
    put(shelf, "green.md", note(tags="[tea/green]"))
    put(shelf, "wild.md", note(tags="['t_a', '50%', 'a\\b']"))
    assert sorted(paths(shelf, "oolong", Scope(tags=asked))) == expected


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


def test_a_daily_note_is_of_its_day(shelf: Vault) -> None:
    put(shelf, "Daily Notes/2026-11-28.md", "A walrus was seen at the pier.\n")
    (hit,) = shelf.recall("walrus", scope=Scope(after="2026-11-28", before="2026-11-28")).hits
    assert (hit.path, hit.date) == ("Daily Notes/2026-11-28.md", "2026-11-28T00:00:00Z")
    assert not shelf.recall("walrus", scope=Scope(after="2026-11-29")).hits


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (Scope(person="mara"), {"said", "of Mara"}),
        (Scope(person="Mar"), set()),
        (Scope(person="Mara", trust="user"), {"said"}),
        (Scope(trust="user"), {"said"}),
        (Scope(trust="agent"), {"said", "of Mara", "of Jonas"}),
        (Scope(trust="verified"), set()),
    ],
)
def test_scope_by_person_and_by_the_least_trust(
    shelf: Vault, scope: Scope, expected: set[str]
) -> None:
    said = shelf.remember("Oolong at four.", agent="ada", speaker="Mara", source="user")
    put(shelf, "of-mara.md", note(person="Mara", source="agent", trust="agent"))
    put(shelf, "of-jonas.md", note(person="Jonas", source="agent", trust="agent"))
    names = {said.path: "said", "of-mara.md": "of Mara", "of-jonas.md": "of Jonas"}
    assert {names[path] for path in paths(shelf, "oolong", scope)} == expected


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
        lambda v: v.recall("x", trust="much"),
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


def test_a_day_is_asked_for_however_it_is_written(shelf: Vault) -> None:
    """Without a word of what was said on it."""
    said = {"2023-12-29": "We ate plums.", "2023-11-05": "A green kitchen.", "2024-05-02": "Snow."}
    for day, text in said.items():
        shelf.remember(text, agent="ada", at=f"{day}T10:00:00Z")
    for query in ("29.12.2023", "12/29/2023", "29 December 2023", "29. Dezember 2023",
                  "2023年12月29日"):  # fmt: skip
        assert shelf.recall(f"What happened on {query}?").hits[0].snippet == "We ate plums."


_ODD = (
    "\u0130\u0130\u0130\u0130 in may", "\u1e9e\u1e9e in march", "\ufb03 in june", "\0", "\u0301",
     "a\0b", "99999999999/99/9999", "\u0665.\u0665.\u0665\u0665\u0665\u0665", "last\u0130week",
     '"* NEAR(', "\u00b2\u00bd on 0000-00-00", "in 0000", "\U0001f600" * 9, "年月日", "十十月十日",
)  # fmt: skip


def test_any_question_is_answered(shelf: Vault) -> None:
    """With hits or none, in whatever letters."""
    shelf.remember("Last \u0130week in Apr\u0131l we ate \ufb03gs.", agent="ada")
    for query in _ODD:
        shelf.recall(query)
        shelf.context(query, agent="ada")


def test_a_snippet_of_letters_that_come_apart_shows_the_word(shelf: Vault) -> None:
    """A syllable of Korean is three letters to what compares words, an accent none."""
    for word, filler in (("plums", "한국어 문장 "), ("pomelo", "e\u0301te\u0301 ")):
        shelf.remember(f"{filler * 60}{word} {filler * 60}", agent="ada")
        (hit,) = shelf.recall(word).hits
        assert word in hit.snippet


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


def test_a_long_line_is_cut_where_most_of_what_was_asked_stands(shelf: Vault) -> None:
    """Of words that are all there, around the one that is rare in the line."""
    put(shelf, "log.md", "The crate holds figs. " * 50 + "One crate holds tea. " + "A crate. " * 50)
    (hit,) = shelf.recall("Which crate holds tea?").hits
    assert "One crate holds tea." in hit.snippet


@pytest.mark.parametrize(
    ("head", "stale"),
    [
        ({}, False),
        ({"stale_after": "2026-11-19"}, True),
        ({"stale_after": "2026-11-20"}, False),
        ({"stale_after": "2026-11-20T11:59:59Z"}, True),
        ({"stale_after": "2026-11-20T13:30:00+02:00"}, True),
        ({"valid_to": "2026-11-19"}, True),
        ({"valid_to": "2026-11-20"}, False),
        ({"valid_to": "soon"}, False),
        ({"valid_from": "2026-11-20"}, False),
        ({"valid_from": "2026-11-21"}, True),
        ({"superseded_by": "'[[new]]'"}, True),
    ],
)
def test_a_hit_whose_time_is_over_or_not_yet_come_is_stale(
    shelf: Vault, head: dict[str, object], *, stale: bool
) -> None:
    """It is found all the same, and says so; a bare day counts to its end."""
    put(shelf, "tea.md", note(**head))
    (hit,) = shelf.recall("oolong").hits
    assert hit.stale is stale
    assert hit.superseded_by == ("new" if "superseded_by" in head else "")


def test_a_damaged_index_answers_after_a_rebuild(shelf: Vault) -> None:
    """The part that recall alone reads is gone."""
    put(shelf, "tea.md", "Oolong tea.\n")
    assert paths(shelf, "oolong") == ["tea.md"]
    shelf.store.index.db.execute("UPDATE words_data SET block = x'00'")
    assert paths(shelf, "oolong") == ["tea.md"]


def test_hits_are_the_same_after_a_rebuild_and_each_time(shelf: Vault) -> None:
    """Equals stand in the order of their paths, not of their indexing."""
    for name in ("c", "a", "b"):
        put(shelf, f"{name}.md", "Oolong tea.\n")
        shelf.store.index.sync()
    first = shelf.recall("oolong").hits
    assert [h.path for h in first] == ["a.md", "b.md", "c.md"]
    assert shelf.recall("oolong").hits == first
    shelf.store.index.rebuild()
    shelf.store.index.sync()
    assert shelf.recall("oolong").hits == first


# --- passages ---------------------------------------------------------------------------------

FILLER = "The kettle sang and the garden lay in the rain for another day. " * 60


def test_a_long_note_is_found_by_one_passage_and_shown_there(shelf: Vault) -> None:
    """As well as a short one that holds fewer of the words."""
    put(shelf, "long.md", f"# House\n{FILLER}\n## Heating\nThe boiler is a Vitodens.\n{FILLER}\n")
    for n in range(30):
        put(shelf, f"short-{n}.md", f"The boiler was {n} times repaired in the old house.\n")
    hit = shelf.recall("Vitodens boiler heating").hits[0]
    assert (hit.path, hit.lines, hit.heading) == ("long.md", (4, 4), "Heating")
    assert hit.snippet == "The boiler is a Vitodens."


def test_a_scope_holds_for_passages_too(shelf: Vault) -> None:
    """The best passage of another agent's long note is nobody's but his."""
    put(shelf, "agents/bob/notes/long.md", f"{FILLER}\n## Boiler\nA Vitodens boiler.\n{FILLER}")
    put(shelf, "agents/ada/notes/a.md", "Somebody spoke of a boiler once.\n")
    assert paths(shelf, "Vitodens boiler", Scope(agent="ada")) == ["agents/ada/notes/a.md"]


# --- meaning ----------------------------------------------------------------------------------


@dataclass
class Meanings:
    """A dense leg that is told how alike files are to whatever is asked."""

    index: Index
    cosines: dict[str, float]
    degraded: str = ""
    away: ModelAway | None = None
    asked: list[str] = field(default_factory=list)
    words: tuple[str, ...] = ()
    tokens: dict[str, tuple[float, ...]] = field(default_factory=dict)

    def ask(self, query: str) -> Likeness:
        """Note the question."""
        self.asked.append(query)
        if self.away:
            raise self.away
        return self

    def nearest(self, where: Filter, k: int) -> Mapping[int, float]:
        """Return the nearest in scope."""
        meant = {r.path for r in self.index.records(where, body=False)} & self.cosines.keys()
        docs = word_queries.paths(self.index, word_queries.docs_at(self.index, [*meant]))
        near = {doc: self.cosines[path] for doc, path in docs.items()}
        return dict(sorted(near.items(), key=lambda item: -item[1])[:k])

    def of(self, docs: Iterable[int]) -> Mapping[int, float]:
        """Return the cosines of *docs*."""
        wanted = set(docs)
        return {d: c for d, c in self.nearest(Filter(), 999).items() if d in wanted}

    def passage(self, doc: int) -> str:
        """Return the last passage: what is far down is nearest."""
        last = "SELECT sha FROM passages WHERE doc = ? ORDER BY number DESC LIMIT 1"
        return str(self.index.value(last, doc) or "")

    def max_sim(self, docs: Iterable[int]) -> MaxSim:
        """Return the tokens that are told, of *docs*."""
        rows = dict(self.index.db.execute("SELECT doc, path FROM docs"))
        near = {d: self.tokens[rows[d]] for d in docs if rows[d] in self.tokens}
        return MaxSim(self.words, near)


def test_what_shares_no_word_is_shown_at_its_nearest_passage(shelf: Vault) -> None:
    put(shelf, "long.md", f"# Moss\n\n{'Moss grows. ' * 120}\n\n# Wheels\n\nAn automobile.\n")
    shelf.store.sync()
    dense = Meanings(shelf.store.index, {"long.md": 0.9})
    question = Question("purchase a car", mode="semantic")
    (hit,) = search(shelf.store.index, question, shelf.store.exists, dense).hits
    assert (hit.heading, hit.lines, hit.snippet) == ("Wheels", (7, 7), "An automobile.")


CARS = {"automobile.md": 0.8, "cat.md": 0.1, "buying.md": 0.2}


@pytest.fixture
def cars(shelf: Vault) -> Meanings:
    """Fill the vault with three notes, of which one is about cars without saying so."""
    put(shelf, "automobile.md", "She chose an electric automobile.\n")
    put(shelf, "buying.md", "Things to buy: milk and bread for the weekend.\n")
    put(shelf, "cat.md", "The kitten sleeps on the sofa.\n")
    shelf.store.index.sync()
    return Meanings(shelf.store.index, CARS)


def answer(dense: Meanings | None, shelf: Vault, query: str, mode: Mode = "auto") -> Answer:
    """Ask with a dense leg or without."""
    question = Question(query, now="2026-11-20T12:00:00Z", mode=mode)
    return search(shelf.store.index, question, shelf.store.exists, dense)


def test_what_shares_no_word_is_found_by_meaning(shelf: Vault, cars: Meanings) -> None:
    """Beside what shares one; nothing is said to be amiss."""
    both = answer(cars, shelf, "buy a car")
    assert {h.path for h in both.hits[:2]} == {"automobile.md", "buying.md"}
    assert both.degraded_reason is None
    assert {h.snippet for h in both.hits[:2]} >= {"She chose an electric automobile."}


def test_the_text_that_comes_near_to_each_token_is_before_one_nearer_as_a_whole(
    shelf: Vault, cars: Meanings
) -> None:
    """What shares a word with the question stands by that."""
    cars.words = ("buy", "car")
    cars.tokens = {"automobile.md": (0.2, 0.3), "cat.md": (0.9, 0.9)}
    found = [hit.path for hit in answer(cars, shelf, "buy a car").hits]
    assert found.index("cat.md") < found.index("automobile.md")


def test_without_token_vectors_the_scores_are_those_of_words_and_meaning(
    shelf: Vault, cars: Meanings
) -> None:
    """To the last digit."""
    question = parse_query("buy a car")
    found = candidates.find(shelf.store.index, question, Scope(), cars)
    assert reranking.rank(question, found, cars).scores == rank(question, found, WITH_VECTORS)
    assert reranking.rank(question, found, None).scores == rank(question, found, BY_WORDS)


@pytest.mark.parametrize("query", ["Ada 在哪里买了绿茶", "茶"])
def test_chinese_is_left_to_words_and_meaning(shelf: Vault, cars: Meanings, query: str) -> None:
    """To an English model it is noise, also where a name stands in it."""
    put(shelf, "tea.md", "Ada 在龙井村买了绿茶。\n")
    shelf.store.index.sync()
    cars.words, cars.tokens = (
        (query.split(maxsplit=1)[0].lower(),),
        {"cat.md": (0.9,), "tea.md": (0.1,)},
    )
    assert answer(cars, shelf, query).hits[0].path == "tea.md"


def test_the_tokens_of_the_best_and_of_what_was_said_around_them_are_compared() -> None:
    """Not those of all: reading them takes time."""
    found = {n: Candidate(n, words=1000.0 - n, passage=1000.0 - n) for n in range(300)}
    found[99] = found[99]._replace(after=250)
    near = Meanings(None, {})  # type: ignore[arg-type]
    read: list[set[int]] = []
    near.max_sim = lambda docs: read.append(set(docs)) or MaxSim()  # type: ignore[method-assign, func-returns-value]
    reranking.rank(parse_query("tea"), found, near)
    assert read == [{*range(100), 250}]


def test_semantic_is_led_by_meaning_alone(shelf: Vault, cars: Meanings) -> None:
    """A word in common does not help."""
    hits = answer(cars, shelf, "kitten on the sofa", "semantic").hits
    assert [h.path for h in hits] == ["automobile.md", "buying.md", "cat.md"]


def test_lexical_never_asks_for_meaning(shelf: Vault, cars: Meanings) -> None:
    """And has nothing to excuse."""
    found = answer(cars, shelf, "buy a car", "lexical")
    assert ([h.path for h in found.hits], found.degraded_reason) == (["buying.md"], None)
    assert cars.asked == []


@pytest.mark.parametrize("mode", ["auto", "semantic"])
def test_without_an_embedder_words_answer_and_say_so(shelf: Vault, mode: Mode) -> None:
    """Also where meaning alone was asked for."""
    put(shelf, "buying.md", "Things to buy.\n")
    shelf.store.index.sync()
    found = answer(None, shelf, "buy a car", mode)
    assert [h.path for h in found.hits] == ["buying.md"]
    assert str(found.degraded_reason).startswith("no embedder is set up:")


@pytest.mark.parametrize("mode", ["auto", "semantic"])
def test_with_the_embedder_away_words_answer_and_name_it(
    shelf: Vault, cars: Meanings, mode: Mode
) -> None:
    """It heals by itself: the next question asks it again."""
    cars.away = ModelAway("ollama", "nobody listens")
    found = answer(cars, shelf, "buy a car", mode)
    assert [h.path for h in found.hits] == ["buying.md"]
    assert "ollama" in str(found.degraded_reason)
    cars.away = None
    assert answer(cars, shelf, "buy a car", mode).degraded_reason is None


def test_a_dense_leg_not_at_its_best_is_reported(shelf: Vault, cars: Meanings) -> None:
    """Its hits count all the same."""
    cars.degraded = "the Chroma server does not answer"
    found = answer(cars, shelf, "buy a car")
    assert found.degraded_reason == "the Chroma server does not answer"
    assert "automobile.md" in {h.path for h in found.hits}


def test_a_vanished_crowd_is_not_near_either(shelf: Vault, cars: Meanings) -> None:
    """Nor does it take the places of what is there."""
    for n in range(60):
        put(shelf, f"gone/{n}.md", f"Number {n}.\n")
        cars.cosines = cars.cosines | {f"gone/{n}.md": 0.9}
    shelf.store.index.sync()
    for n in range(60):
        (shelf.path / f"gone/{n}.md").unlink()
    shelf.store.index.sync()
    found = answer(cars, shelf, "what is near", "semantic")
    assert [h.path for h in found.hits] == ["automobile.md", "buying.md", "cat.md"]


# --- experiences ------------------------------------------------------------------------------


def episode(vault: Vault, name: str, day: str, weight: float, text: str) -> None:
    """Write an episode as a person may."""
    head = f"---\ntype: episode\ncreated: {day}\nimportance: {weight}\n---\n"
    put(vault, f"agents/ada/episodes/{name}.md", f"{head}{text}\n")


def test_of_equal_experiences_the_fresh_and_the_weighty_come_first(shelf: Vault) -> None:
    """By half for likeness, three tenths for freshness, two tenths for weight."""
    episode(shelf, "old", "2025-01-01", 0.5, "We brewed oolong.")
    episode(shelf, "old-but-weighty", "2025-01-01", 0.9, "We brewed oolong.")
    episode(shelf, "fresh", "2026-11-19", 0.5, "We brewed oolong.")
    found = [Path(p).stem for p in paths(shelf, "oolong", Scope(type="episode"))]
    assert found == ["fresh", "old-but-weighty", "old"]


def test_experiences_share_the_places_that_relevance_gives_them(shelf: Vault) -> None:
    """A fresh one that says less takes the better place of an old one, and no note's place."""
    episode(shelf, "old", "2024-01-01", 0.1, "Oolong, oolong and oolong again.")
    episode(shelf, "fresh", "2026-11-19", 0.9, "Among much else that day we had some oolong too.")
    put(shelf, "note.md", "Oolong, oolong among some other things.\n")
    assert [Path(p).stem for p in paths(shelf, "oolong")] == ["fresh", "note", "old"]


def test_scores_fall_in_the_order_in_which_hits_are_shown(shelf: Vault) -> None:
    """A place keeps its score, whichever experience takes it."""
    episode(shelf, "old", "2024-01-01", 0.1, "Oolong, oolong and oolong again.")
    episode(shelf, "fresh", "2026-11-19", 0.9, "Among much else that day we had some oolong too.")
    scores = [hit.score for hit in shelf.recall("oolong").hits]
    assert len(scores) == 2
    assert scores == sorted(scores, reverse=True)


# --- sessions ---------------------------------------------------------------------------------


def told(vault: Vault, *turns: tuple[str, str, str]) -> None:
    """Let people talk: (speaker, time, text)."""
    for speaker, at, text in turns:
        vault.remember(text, speaker=speaker, session=at[:10], at=f"{at}Z", agent="ada")


def snippets(vault: Vault, query: str) -> list[str]:
    """Return what is found, best first."""
    return [hit.snippet for hit in vault.recall(query).hits]


def test_the_answer_to_a_telling_question_is_found(shelf: Vault) -> None:
    """It shares no word with what is asked; the turn before it does, and asks."""
    told(
        shelf,
        ("Ben", "2026-01-05T10:00:00", "Which instrument did you learn as a child in Lisbon?"),
        ("Ada", "2026-01-05T10:01:00", "It was the cello for seven years, then I gave it up."),
        ("Ben", "2026-02-05T10:00:00", "The weather has been rather dull for weeks on end now."),
    )
    found = snippets(shelf, "What instrument was learnt as a child?")
    assert sorted(text.split()[0] for text in found) == ["It", "Which"]


def test_the_sessions_that_answer_best_are_named(shelf: Vault) -> None:
    """Each once, as many as hits are asked for."""
    told(
        shelf,
        (
            "Ben",
            "2026-01-05T10:00:00",
            "The weather has been rather dull, said the instrument man.",
        ),
        ("Ada", "2026-02-05T10:00:00", "I learned an instrument as a child in Lisbon, the cello."),
        ("Ben", "2026-02-05T10:01:00", "What an instrument for a child to have learned in Lisbon."),
    )
    asked_for = "What instrument was learned as a child in Lisbon?"
    found = shelf.recall(asked_for)
    assert found.sessions == ("2026-02-05", "2026-01-05")
    assert [h.session for h in found.hits] == ["2026-02-05", "2026-02-05", "2026-01-05"]
    assert shelf.recall(asked_for, k=1).sessions == ("2026-02-05",)


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


@pytest.mark.parametrize(
    ("when", "told_then"),
    [("in May 2026", "last month"), ("in 2025", "last year")],
)
def test_a_named_date_lifts_what_tells_of_it_later(shelf: Vault, when: str, told_then: str) -> None:
    """Who asks names the time when it was, not that of the talk about it."""
    text = "My colleagues and I had a cup of oolong tea in the garden"
    told(
        shelf,
        ("Ben", "2026-03-05T10:00:00", f"{text} last week."),
        ("Ben", "2026-06-09T10:00:00", f"{text} {told_then}!"),
        ("Ben", "2026-08-09T10:00:00", f"{text} last week?!"),
    )
    assert told_then in snippets(shelf, f"Where was the tea {when}?")[0]


def test_a_named_day_lifts_what_was_said_on_the_next_above_what_was_said_that_month(
    shelf: Vault,
) -> None:
    text = "We had a cup of oolong tea in the garden behind the old house"
    told(
        shelf,
        ("Ben", "2026-05-01T10:00:00", f"{text}."),
        ("Ben", "2026-05-06T10:00:00", f"{text}!"),
    )
    assert snippets(shelf, "Where was the tea on 5 May 2026?")[0].endswith("house!")


def test_the_marks_of_a_chinese_date_are_no_words(shelf: Vault) -> None:
    told(
        shelf,
        ("Ben", "2025-03-05T10:00:00", "去年六月我们搬到了成都。"),
        ("Ben", "2026-05-05T10:00:00", "她把钥匙放在书架上面。"),
    )
    assert snippets(shelf, "2026年5月5日说了什么") == ["她把钥匙放在书架上面。"]


@pytest.mark.parametrize("when", ["on 5 May 2026", "in May 2026"])
def test_what_was_said_on_a_named_day_is_found_though_it_shares_no_word(
    shelf: Vault, when: str
) -> None:
    told(
        shelf,
        ("Ben", "2026-03-05T10:00:00", "The dentist talked of nothing but crowns."),
        ("Ben", "2026-05-05T10:00:00", "We had oolong in the garden behind the old house."),
    )
    assert snippets(shelf, f"What happened {when}?")[0].startswith("We had oolong")


@pytest.mark.parametrize(
    ("asked", "said"),
    [("What happened in May 2026?", "It may rain on the ninth."),
     ("What happened in March 2026?", "We march against the road on Sunday."),
     ("What was it two weeks ago?", "Two weeks of holiday are left, or so they say."),
     ("Was war letztes Jahr im Mai?", "Das letzte Los kostete 640 Euro im Jahr.")],
)  # fmt: skip
def test_the_words_of_a_date_are_not_looked_for_where_they_mean_something_else(
    shelf: Vault, asked: str, said: str
) -> None:
    told(shelf, ("Ben", "2024-02-05T10:00:00", said))
    assert snippets(shelf, asked) == []


@pytest.mark.parametrize(
    "asked", ["May 7th", "7 May", "on the 7th of May", "am 7. Mai", "What happened on May 7?"]
)
def test_a_day_without_a_year_is_that_of_each_year(shelf: Vault, asked: str) -> None:
    told(
        shelf,
        ("Ben", "2024-05-07T10:00:00", "The piano is sold."),
        ("Ben", "2025-05-07T10:00:00", "The lease is signed."),
        ("Ben", "2025-06-14T10:00:00", "It may rain for seven days."),
    )
    assert sorted(snippets(shelf, asked)) == ["The lease is signed.", "The piano is sold."]


def test_what_writes_a_day_out_is_found_by_it_whenever_it_was_said(shelf: Vault) -> None:
    told(
        shelf,
        ("Ben", "2026-02-05T10:00:00", "The dentist sees me on May 12 at nine."),
        ("Ben", "2026-02-06T10:00:00", "Twelve of us may come."),
    )
    assert snippets(shelf, "What is on 12 May 2026?") == ["The dentist sees me on May 12 at nine."]


def test_what_hangs_on_a_word_is_no_word(shelf: Vault) -> None:
    told(
        shelf,
        ("Ben", "2026-02-05T10:00:00", "Visited Kyoto with Pepper's walker."),
        ("Ben", "2026-02-06T10:00:00", "Pepper is not well, the vet found arthritis."),
    )
    assert snippets(shelf, "What's the capital of Mongolia?") == []
    assert snippets(shelf, "What isn't well with Pepper?")[0].startswith("Pepper is not well")


@pytest.mark.parametrize("asked", ["last year", "letztes Jahr", "去年", "el año pasado"])
def test_a_year_that_is_named_alone_finds_what_was_said_in_it(shelf: Vault, asked: str) -> None:
    told(
        shelf,
        ("Ben", "2025-08-05T10:00:00", "The kettle broke."),
        ("Ben", "2026-02-06T10:00:00", "The rug was delivered."),
    )
    assert snippets(shelf, asked) == ["The kettle broke."]


@pytest.mark.parametrize(
    ("asked", "said"),
    [("Wie funktioniert die Photosynthese?", "Wie ist die Wohnung?"),
     ("presidente de Francia", "Entonces nada de galletas."),
     ("光合成とは何ですか", "名前はさくらです。"),
     ("我的银行密码是什么", "我的猫叫豆豆。")],
)  # fmt: skip
def test_grammar_alone_concerns_no_question(shelf: Vault, asked: str, said: str) -> None:
    told(shelf, ("Ben", "2026-02-05T10:00:00", said))
    assert snippets(shelf, asked) == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("¿Cuánto pesa un protón?", "¿Cuánto tarda?"),
        ("火箭多少钱?", "多少钱一片?"),
        ("蒙古的首都在哪裡?", "住哪里?"),
        ("健太はどこで働いている?", "正月はどこへ行く?"),
        ("Wieviele Monde umkreisen den Jupiter?", "Wieviele kommen?"),
    ],
)
def test_a_word_that_asks_concerns_no_question(shelf: Vault, asked: str, said: str) -> None:
    told(shelf, ("Ben", "2026-02-05T10:00:00", said))
    assert snippets(shelf, asked) == []


@pytest.mark.parametrize(
    ("asked", "question", "answer"),
    [
        ("¿Qué azulejos elegimos?", "¿Qué azulejos ponemos en el baño?", "Los biselados."),
        ("厨房地砖什么颜色?", "厨房的地砖选什么颜色?", "浅灰色,六十乘六十的。"),
        ("厨房地砖什么颜色?", "厨房的地砖颜色选好了吗", "浅灰色,六十乘六十的。"),
        ("正月の旅館は?", "正月の旅館は?", "杉乃井、二泊で六万円。"),
        ("Was kostet die Solaranlage?", "Was kostet die Anlage?", "14.300 Euro mit Speicher."),
        ("Which tiles did we choose?", "Which tiles shall we take for the bathroom?", "White."),
    ],
)
def test_a_question_stands_behind_what_answers_it(
    shelf: Vault, asked: str, question: str, answer: str
) -> None:
    told(shelf, ("Kim", "2026-01-05T10:00:00", question), ("Lou", "2026-01-05T10:01:00", answer))
    assert snippets(shelf, asked) == [answer, question]


def test_what_is_named_once_is_found_four_turns_later(shelf: Vault) -> None:
    talk = [
        "My cello teacher lived by the river.",
        "That sounds lovely, all that water.",
        "It was, until the flood came through.",
        "Did the house survive all of that?",
        "Seven years of lessons, and then I gave it up.",
        "Nothing lasts.",
    ]
    told(shelf, *(("Ben", f"2026-01-05T10:0{n}:00", text) for n, text in enumerate(talk)))
    found = snippets(shelf, "cello")
    assert found[0] == talk[0]
    assert set(found) == set(talk[:5])


# --- floors -----------------------------------------------------------------------------------


def questions(name: str) -> list[tuple[str, set[str]]]:
    """Return what is asked of a conversation, with the messages that answer it."""
    lines = (DATA / f"{name}.questions.jsonl").read_text("utf-8").splitlines()
    asked = [q for q in map(json.loads, lines) if q["category"] != "adversarial" and q["evidence"]]
    return [(q["question"], set(q["evidence"])) for q in asked]


def share_answered(folder: Path, name: str) -> tuple[float, int]:
    """Import a conversation and return the share of questions with evidence in ten hits."""
    create.create(folder, lambda: NOW, with_git=False)
    with Vault.open(folder, clock=lambda: NOW) as vault:
        vault.import_files("jsonl", [DATA / f"{name}.messages.jsonl"], agent="ada")
        origins = {r.path: r.origin.rpartition("/")[2] for r in vault.store.index.records()}
        scope = Scope(agent="ada", type="memory")
        probes = questions(name)
        answered = sum(
            not gold.isdisjoint(origins[h.path] for h in vault.recall(query, scope=scope).hits)
            for query, gold in probes
        )
    return answered / len(probes), len(probes)


@pytest.mark.long
@pytest.mark.skipif(not DATA.is_dir(), reason="the conversations are not beside the project")
def test_most_questions_of_real_conversations_find_their_evidence(tmp_path: Path) -> None:
    """recall_any@10 over all questions that have an answer, words alone."""
    names = sorted(p.name.split(".")[0] for p in DATA.glob("*.messages.jsonl"))
    shares = {name: share_answered(tmp_path / name, name) for name in names}
    assert min(share for share, _ in shares.values()) >= 0.81
    total = sum(n for _, n in shares.values())
    assert sum(share * n for share, n in shares.values()) / total >= 0.86


def work_among(count: int, folder: Path) -> int:
    """Return the work of a question among *count* memories, each of which holds a word of it."""
    things = [f"{a}{b}" for a in ("tea", "cup", "road", "song", "lamp") for b in range(300)]
    texts = {
        f"agents/ada/memories/2026/01/m{n:05}.md": (
            f"---\nid: {n:026}\ntype: memory\ncreated: 2026-01-{n % 28 + 1:02}T10:00:00Z\n"
            f"session: s{n // 20}\nspeaker: {('Ada', 'Ben')[n % 2]}\n---\n"
            f"We spoke of {things[n % 1500]} and {things[n * 7 % 1500]} near the old house.\n"
        ).encode()
        for n in range(count)
    }
    stamps = {path: files.content(data).stamp for path, data in texts.items()}
    root = Root(folder)
    index = Index(
        folder / f"catalog-{count}.sqlite3",
        Source(
            lambda *_: [files.Folder("", files.DOUBTED, stamps)],
            lambda _: stamps,
            lambda: nullcontext(lambda path: files.content(texts[path]) if path in texts else None),
        ),
        reader.record,
    )
    index.sync()
    question = Question(f"What did Ada say about {things[11]} near the house in January?")

    def ask() -> None:
        assert len(search(index, question, lambda _path, _sha: True).hits) == 10

    ask()  # what is looked up once is looked up
    work = calls(ask)
    index.close()
    root.close()
    return work


@pytest.mark.long
def test_a_question_among_four_times_as_many_is_hardly_more_work(tmp_path: Path) -> None:
    """Beside what SQLite does; `tests/bench/run.py` says how long it takes."""
    assert work_among(2000, tmp_path) < 1.2 * work_among(500, tmp_path)


FACTS = {
    "Which drawer holds the narwhal tooth?": "The narwhal tooth lies in drawer 4.",
    "When does my passport expire?": "The passport expires in March 2031, renew it in time.",
    "Where is the spare key of the van?": "The spare key of the van hangs behind the boiler.",
    "When does the piano tuner come?": "Piano tuner: Mr. Abel, comes in October.",
    "What is the blood type of Ines?": "The blood type of Ines is B negative.",
}


@pytest.mark.long
@pytest.mark.skipif(not DATA.exists(), reason="the conversations are not here")
def test_facts_said_in_no_session_stand_above_the_talk_beside_them(shelf: Vault) -> None:
    shelf.import_files("jsonl", [DATA / "conv-26.messages.jsonl"], agent="ada")
    for fact in FACTS.values():
        shelf.remember(fact, agent="ada")
    found = {question: shelf.recall(question, 1).hits[0].snippet for question in FACTS}
    assert found == FACTS


# --- showing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_a_comment_in_fenced_code_is_no_heading(shelf: Vault, fence: str) -> None:
    put(shelf, "tea.md", f"# Brewing\n\n{fence}python\n# warm the pot\npour(oolong)\n{fence}\n")
    (hit,) = shelf.recall("oolong").hits
    assert (hit.lines, hit.heading) == ((5, 5), "Brewing")


def test_a_whole_word_points_at_its_line_before_those_that_begin_alike(shelf: Vault) -> None:
    put(shelf, "parts.md", "".join(f"Part sn000{n}x is in drawer {n}.\n" for n in range(10, 60)))
    (hit,) = shelf.recall("Where is sn00042x?").hits
    assert (hit.lines, hit.snippet) == ((33, 33), "Part sn00042x is in drawer 42.")


def test_a_long_line_is_cut_around_the_whole_word(shelf: Vault) -> None:
    put(shelf, "parts.md", " ".join(f"Part sn000{n}x is in drawer {n}." for n in range(10, 60)))
    (hit,) = shelf.recall("Where is sn00042x?").hits
    assert "Part sn00042x is in drawer 42." in hit.snippet


def test_what_matches_in_its_title_alone_is_shown_by_its_first_sentence(shelf: Vault) -> None:
    put(shelf, "a.md", "---\ntitle: Oolong\n---\n\n# Origin\n\nIt comes from Taiwan.\n")
    (hit,) = shelf.recall("oolong").hits
    assert (hit.lines, hit.heading, hit.snippet) == ((7, 7), "Origin", "It comes from Taiwan.")


def test_a_card_found_by_a_field_shows_the_field(shelf: Vault) -> None:
    head = "---\ntype: card\nperson: Ben\nphone: +49 170 5550123\nallergy: nuts\n---\n"
    put(shelf, "cards/ben.md", f"{head}# Ben\nA friend of Ada.\n")
    (hit,) = shelf.recall("phone number").hits
    assert (hit.lines, hit.heading, hit.snippet) == ((1, 1), "", "phone: +49 170 5550123")
    (hit,) = shelf.recall("friend allergy").hits
    assert hit.snippet == "A friend of Ada."
