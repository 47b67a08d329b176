"""A turn is embedded as it is read: between the beginnings of what was said before and after."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.points import Points, Words, nearest, ulid
from tests.retrieval.test_late_interaction import Tokenwise
from tests.wire import bag
from vaultmem import Vault
from vaultmem.models.embeddings.types import Encoded, Tokens
from vaultmem.retrieval.vectors import Vectors, late_interaction
from vaultmem.storage.index import passage_queries
from vaultmem.storage.index.neighbours import Beside, Reading

if TYPE_CHECKING:
    from vaultmem.models.embeddings.types import Matrix

FILE = ".vaultmem/index/vectors.sqlite3"
QUESTION, ANSWER, THANKS = "Which tea is it?", "Oolong, from Taiwan.", "I see, thanks."
DAY = "(20 November 2026)"


class Talk(Points):
    """A folder of what was said in one session."""

    def say(  # noqa: PLR0913  # a turn and what is said of it
        self,
        minute: int,
        text: str,
        speaker: str = "Ada",
        *,
        session: str = "tea",
        source: str = "user",
        hour: int = 10,
    ) -> str:
        """Write a turn and let the catalog know; return its path."""
        path = f"agents/ada/memories/{session}-{hour}-{minute}.md"
        head = (
            f"type: memory\nid: {ulid(f'{session} {hour} {minute}')}\n"
            f"created: 2026-11-20T{hour:02}:{minute:02}:00Z\n"
            f"source: {source}\nsession: {session}\nspeaker: {speaker}\n"
        )
        self.put(path, f"---\n{head}---\n{text}\n")
        self.index.absorb([path])
        return path


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    """Make a folder with three turns."""
    made = Talk(tmp_path / "vault")
    for minute, (speaker, text) in enumerate(
        [("Bea", QUESTION), ("Ada", ANSWER), ("Bea", THANKS)], 1
    ):
        made.say(minute, text, speaker)
    yield made
    made.close()


def embedded(talk: Talk, embedder: Words | None = None) -> list[str]:
    """Embed what has no vector, and return what an embedder was sent for it."""
    by = embedder or Words()
    before = len(by.embedded)
    vectors = Vectors(talk.path, talk.index, by)
    vectors.catch_up()
    vectors.close()
    return by.embedded[before:]


def kept(talk: Talk) -> set[str]:
    """Return the shas of the texts that have a vector."""
    db = sqlite3.connect(talk.path / FILE)
    rows = db.execute("SELECT sha FROM vectors").fetchall()
    db.close()
    return {sha for (sha,) in rows}


def test_a_turn_is_sent_between_those_beside_it(talk: Talk) -> None:
    """The day is said once, by the first of them."""
    assert embedded(talk) == [
        f"Ada {DAY}: {ANSWER}\nBea: {THANKS}",
        f"Bea {DAY}: {QUESTION}\nAda: {ANSWER}\nBea: {THANKS}",
        f"Bea {DAY}: {QUESTION}\nAda: {ANSWER}",
    ]


def test_a_turn_after_midnight_says_its_own_day(talk: Talk) -> None:
    talk.say(59, "Good night.", "Ada", session="late", hour=23)
    path = "agents/ada/memories/late-0.md"
    head = f"type: memory\nid: {ulid('late')}\ncreated: 2026-11-21T00:01:00Z\nsession: late\n"
    talk.put(path, f"---\n{head}speaker: Bea\n---\nSleep well.\n")
    talk.index.absorb([path])
    assert f"Ada {DAY}: Good night.\nBea (21 November 2026): Sleep well." in embedded(talk)


def test_a_neighbours_words_bring_its_answer_up_by_meaning(talk: Talk) -> None:
    """Nothing that was said over there has a word of the question."""
    talk.say(1, "Good morning.", session="other")
    talk.say(2, "From China.", session="other")
    vectors = Vectors(talk.path, talk.index, Words())
    vectors.catch_up()
    assert nearest(vectors, "Which tea", 2) == ["tea-10-1", "tea-10-2"]
    vectors.close()


def test_who_shows_tokens_shows_those_of_the_turn_alone() -> None:
    """The vector is their mean, read where they stand: no word of a neighbour's is among them."""
    reading = Reading("Ada: Oolong.", Beside("Bea: Which tea?", "Bea: I see."))
    (made,) = late_interaction.read(Tokenwise(), [reading])
    assert [made.text[a:b] for a, b in made.encoded.tokens.spans] == ["Ada", ":", "Oolong", "."]
    mean = made.encoded.tokens.vectors.mean(axis=0)
    assert made.encoded.vector @ mean == pytest.approx((mean @ mean) ** 0.5)


class Forgetful(Tokenwise):
    """An embedder that sees no more than twenty characters."""

    def encoded(self, texts: Sequence[str]) -> Iterator[Encoded]:
        """Yield the tokens that it sees of each."""
        for it in super().encoded(texts):
            seen = [n for n, (_, end) in enumerate(it.tokens.spans) if end <= 20]
            tokens = Tokens([it.tokens.spans[n] for n in seen], it.tokens.vectors[seen])
            yield Encoded(it.number, it.vector, tokens)


def test_what_does_not_fit_between_its_neighbours_is_read_alone() -> None:
    readings = [Reading("Ada: Oolong.", Beside("Bea: Which tea is it?")), Reading("Bea: No.")]
    made = {it.number: it.text for it in late_interaction.read(Forgetful(), readings)}
    assert made == {0: "Ada: Oolong.", 1: "Bea: No."}


def test_a_new_turn_is_embedded_with_the_one_before_and_no_other(talk: Talk) -> None:
    embedder = Words()
    embedded(talk, embedder)
    talk.say(4, "You are welcome.")
    sent = embedded(talk, embedder)
    assert [text.splitlines()[-1] for text in sent] == [
        "Ada: You are welcome.",
        "Ada: You are welcome.",
    ]
    assert [THANKS in text for text in sent] == [True, True]
    assert [ANSWER in text for text in sent] == [False, True]


def test_a_long_turn_leaves_less_room_to_those_beside_it(talk: Talk) -> None:
    """What a small model reads of it is not to be less than before."""
    talk.say(1, "Before that. " * 90)
    talk.say(2, "Tea, and more. " * 60)
    talk.say(3, "After that. " * 90)
    (long,) = (text for text in embedded(talk) if "Ada: Tea" in text and len(text) > 1000)
    assert long.count("Before") == 10
    assert long.count("After") == 12
    assert len(long) <= 1200 + len("Ada: ") + 3


def test_of_a_turn_in_several_passages_the_ends_are_read_with_the_others(talk: Talk) -> None:
    talk.say(2, "\n\n".join(f"Number {n}. {'Word after word. ' * 50}" for n in range(4)))
    sent = [text for text in embedded(talk) if "Number" in text and len(text) > 450]
    assert len(sent) > 2
    assert [QUESTION in text for text in sent] == [True] + [False] * (len(sent) - 1)
    assert [THANKS in text for text in sent] == [False] * (len(sent) - 1) + [True]


@pytest.mark.parametrize(
    "beside",
    [
        {"source": "tool"},
        {"session": "other"},
        {"session": "''"},
        {"hour": 23},
    ],
    ids=["a tool's", "another session's", "no session's", "of half a day later"],
)
def test_what_is_no_turn_beside_it_is_not_sent_with_it(talk: Talk, beside: dict[str, str]) -> None:
    talk.say(4, "The heliotrope umbrella.", **beside)  # type: ignore[arg-type]
    sent = [text for text in embedded(talk) if "heliotrope" in text]
    assert len(sent) == 1
    assert THANKS not in sent[0]


@pytest.mark.parametrize(
    "hidden",
    ["<private>The heliotrope umbrella.</private>", "The key is sk-ant-api03-" + "h3liOtrop" * 10],
)
def test_a_neighbours_private_parts_and_credentials_are_not_sent(talk: Talk, hidden: str) -> None:
    talk.say(2, hidden)
    sent = "\n".join(embedded(talk))
    assert "heliotrope" not in sent
    assert "h3liOtrop" not in sent


def test_what_a_tool_said_between_two_turns_parts_them(talk: Talk) -> None:
    talk.say(2, ANSWER, "shell", source="tool")
    assert sorted(embedded(talk)) == [
        f"Bea {DAY}: {THANKS}",
        f"Bea {DAY}: {QUESTION}",
        f"shell {DAY}: {ANSWER}",
    ]


@pytest.mark.parametrize("change", ["edited", "private", "gone", "a tool's"])
def test_a_neighbour_that_changes_has_those_beside_it_embedded_anew(
    talk: Talk, change: str
) -> None:
    embedder = Words()
    embedded(talk, embedder)
    match change:
        case "edited":
            talk.say(2, "Sencha.")
        case "private":
            talk.say(2, "<private>Oolong.</private>")
        case "a tool's":
            talk.say(2, ANSWER, source="tool")
        case _:
            talk.forget("agents/ada/memories/tea-10-2.md")
    sent = "\n".join(text for text in embedded(talk, embedder) if "Bea" in text)
    assert QUESTION in sent
    assert THANKS in sent
    assert "Oolong" not in sent
    assert frozenset(passage_queries.shas(talk.index)) <= kept(talk)


def test_a_catalog_made_anew_reads_each_turn_as_it_was_read(talk: Talk) -> None:
    """In whatever order the files come."""
    before = sorted(passage_queries.shas(talk.index))
    embedder = Words()
    embedded(talk, embedder)
    talk.index.rebuild()
    talk.index.sync()
    assert sorted(passage_queries.shas(talk.index)) == before
    assert embedded(talk, embedder) == []


class Interrupted(Words):
    """An embedder during whose work a turn is forgotten."""

    def __init__(self, talk: Talk) -> None:
        """Forget of *talk*."""
        super().__init__()
        self.talk = talk

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of *texts*, one of which is gone by then."""
        made = super().documents(texts)
        if (self.talk.path / "agents/ada/memories/tea-10-2.md").exists():
            self.talk.forget("agents/ada/memories/tea-10-2.md")
        return made


def test_what_is_forgotten_while_it_is_embedded_leaves_no_vector(talk: Talk) -> None:
    embedded(talk, Interrupted(talk))
    assert kept(talk) <= frozenset(passage_queries.shas(talk.index))


# --- in a vault ---------------------------------------------------------------------------------


class Bags:
    """An embedder that counts words, and notes what it was sent."""

    space = "bags-1"

    def __init__(self) -> None:
        """Note nothing yet."""
        self.sent: list[str] = []

    def documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the counts of the words of each."""
        self.sent += texts
        return [bag(text) for text in texts]

    def query(self, text: str) -> list[float]:
        """Return the counts of its words."""
        return bag(text)


def vectors_of(vault: Vault) -> set[str]:
    """Return the shas of the texts that have a vector."""
    db = sqlite3.connect(vault.path / FILE)
    rows = db.execute("SELECT sha FROM vectors").fetchall()
    db.close()
    return {sha for (sha,) in rows}


def test_a_forgotten_turn_leaves_no_mark_in_its_neighbours_vectors(
    folder: Path, clock: Callable[[], datetime]
) -> None:
    """Nor does its own stay; those beside it are embedded as they are read now."""
    embedder = Bags()
    with Vault.open(folder, clock=clock, embedder=embedder) as vault:
        said = []
        for speaker, text in [("Bea", QUESTION), ("Ada", ANSWER), ("Bea", THANKS)]:
            said.append(vault.remember(text, agent="ada", session="tea", speaker=speaker))
            vault.embed()
        assert len(vectors_of(vault)) == 5  # two of them of turns when nothing had followed yet

        vault.forget(said[1].id)

        assert vectors_of(vault) == set()
        embedder.sent.clear()
        vault.embed()
        assert not any("Oolong" in text for text in embedder.sent)
        assert any(QUESTION in text and THANKS in text for text in embedder.sent)
        assert frozenset(passage_queries.shas(vault.store.index)) <= vectors_of(vault)
