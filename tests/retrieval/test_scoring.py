"""Each signal lifts what it should, alone; and in their sum the better answer is first."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.retrieval.search import MaxSim, scoring, signals, weights
from vaultmem.retrieval.search.parsed_query import ParsedQuery, parse_query
from vaultmem.retrieval.search.scoring import Signal, rank, shares
from vaultmem.retrieval.search.types import Candidate, Found, ScorePart, Scores

NOTHING = parse_query("")


def found(*candidates: Candidate) -> dict[int, Candidate]:
    """Return the candidates by doc."""
    return {c.doc: c for c in candidates}


def said(doc: int, **known: object) -> Candidate:
    """Return a turn of the session `s`, long enough to stand for itself."""
    return Candidate(**({"doc": doc, "session": "s", "length": 30} | known))  # type: ignore[arg-type]


def order(question: ParsedQuery, those: Found) -> list[int]:
    """Return the docs, best first."""
    scores = rank(question, those)
    return sorted(scores, key=lambda doc: -scores[doc])


# --- what it says -----------------------------------------------------------------------------


def test_words_are_worth_their_share_of_the_best() -> None:
    those = found(said(1, words=8.0, passage=8.0), said(2, words=2.0, passage=2.0), said(3))
    assert signals.by_words(NOTHING, those) == {1: 1.0, 2: 0.25, 3: 0.0}


def test_a_long_note_that_answers_in_one_place_beats_a_text_that_touches_it() -> None:
    """As a whole the long one is diluted; its passage is the best there is."""
    long, short = Candidate(1, words=4.0, passage=9.0), Candidate(2, words=5.0, passage=5.0)
    assert order(NOTHING, found(long, short)) == [1, 2]


def test_meaning_counts_from_the_usual_cosine_up() -> None:
    """To some models everything is alike to 0.6: what is usual there says nothing."""
    those = found(*(said(n, cosine=c) for n, c in ((1, 0.6), (2, 0.8), (3, 0.6), (4, 0.6))))
    near = signals.by_meaning(NOTHING, those)
    assert near[2] == 1.0
    assert near[1] == near[3] == near[4] == 0.0


def test_without_vectors_meaning_says_nothing() -> None:
    assert set(signals.by_meaning(NOTHING, found(said(1), said(2))).values()) == {0.0}


def test_an_answer_is_as_near_as_the_question_it_follows() -> None:
    those = found(
        said(1, cosine=0.9, asks=True), said(2, cosine=0.2, before=1), said(3, cosine=0.2)
    )
    near = signals.by_meaning(NOTHING, those)
    assert (near[2], near[3]) == (1.0, 0.0)


def test_the_token_that_is_rare_decides() -> None:
    """Here `oolong`, which one candidate holds; `tea` is in all of them."""
    those = found(said(1, held=(0.0, 2.0)), said(2, held=(5.0, 2.0)), said(3, held=(0.0, 2.0)))
    told = MaxSim(
        ("oo", "oolong", "tea"), {1: (0.1, 0.2, 1.0), 2: (0.1, 0.9, 0.5), 3: (1.0, 0.2, 0.5)}
    )
    question = replace(parse_query("oolong tea"), max_sim=told)
    near = signals.by_tokens(question, those)
    assert (near[1], near[2], near[3]) == (0.0, 1.0, 0.0)


def test_the_words_of_a_date_weigh_with_its_tokens() -> None:
    """A turn is embedded with its day."""
    those = found(said(1, held=(1.0,)), said(2, held=(1.0,)))
    told = MaxSim(("tea", "june"), {1: (0.5, 0.9), 2: (0.5, 0.1)})
    question = replace(parse_query("tea in June 2023"), max_sim=told)
    near = signals.by_tokens(question, those)
    assert near[1] > near[2]


def test_tokens_of_no_known_word_weigh_the_same() -> None:
    told = MaxSim(("a", "b"), {1: (0.9, 0.1), 2: (0.2, 0.9), 3: (0.0, 0.0)})
    question = replace(NOTHING, max_sim=told)
    near = signals.by_tokens(question, found(said(1), said(2), said(3)))
    assert near[2] == 1.0 > near[1] > near[3] == 0.0


def test_an_answer_is_as_near_by_its_tokens_as_the_question_it_follows() -> None:
    question = replace(NOTHING, max_sim=MaxSim(("a",), {1: (0.9,), 2: (0.1,)}))
    near = signals.by_tokens(question, found(said(1, asks=True), said(2, before=1)))
    assert near == {1: 1.0, 2: 1.0}


def test_turns_together_come_near_where_each_is_near_to_one_token() -> None:
    """One names what is spoken of, the next tells of it; twice the same is no more than once."""
    one, other = (0.9, 0.1), (0.1, 0.9)
    near_to = {1: one, 2: other, 3: one, 4: one}
    question = replace(NOTHING, max_sim=MaxSim(("a", "b"), near_to))
    turns = (said(1, after=2), said(2, before=1), said(3, after=4), said(4, before=3, after=99))
    near = signals.by_tokens_around(question, found(*turns))
    assert near == {1: 1.0, 2: 1.0, 3: 0.0, 4: 0.0}


# --- what was said around it ------------------------------------------------------------------


def test_an_answer_has_the_words_of_the_question_it_follows() -> None:
    asking = said(1, words=4.0, passage=4.0, asks=True)
    telling = said(3, words=4.0, passage=4.0)
    those = found(asking, said(2, before=1), telling, said(4, before=3), said(5, before=99))
    told = signals.by_question_before(NOTHING, those)
    assert told == {1: 0.0, 2: 1.0, 3: 0.0, 4: 0.0, 5: 0.0}


def run_of(*held: tuple[float, ...], **known: object) -> dict[int, Candidate]:
    """Return turns of one session that follow each other, by what they hold."""
    last = len(held)
    return found(
        *(
            said(n, held=h, before=n - 1 or None, after=n + 1 if n < last else None, **known)
            for n, h in enumerate(held, 1)
        )
    )


def test_a_turn_is_read_with_four_before_and_four_after_it() -> None:
    """The cello is named once; who told of it in the next turns did not name it again."""
    talk = run_of((0.0,), *[(0.0,)] * 4, (2.0,), *[(0.0,)] * 5)
    read = signals.by_window(NOTHING, talk)
    assert [doc for doc, score in read.items() if score] == [*range(2, 11)]


def test_a_word_in_several_turns_around_it_counts_more_and_less_each_time() -> None:
    one, two, three = (
        max(signals.windows(run_of(*[(2.0,)] * n, *[(0.0,)] * (9 - n))).values()).holders
        for n in (1, 2, 3)
    )
    assert (one, two, three) == ([1], [2], [3])
    talk = run_of(*[(0.0,)] * 5, (2.0,), *[(0.0,)] * 12, (2.0,), (2.0,), *[(0.0,)] * 6)
    read = signals.by_window(NOTHING, talk)
    assert 0.5 < read[6] < read[19]


def test_what_was_said_around_a_turn_and_is_not_known_is_no_reason_to_lift_it() -> None:
    """Alone it would be a text of a few words; it is read as one of the usual length."""
    talk = run_of(*[(0.0,)] * 4, (2.0,), *[(0.0,)] * 4)
    lone = said(99, held=(2.0,), length=3)
    read = signals.by_window(NOTHING, found(*talk.values(), lone))
    assert read[5] < read[99] < read[1]


def test_a_session_that_holds_all_the_words_beats_one_that_repeats_a_single_one() -> None:
    """Each of its turns holds one; no turn says which session is meant."""
    cello, lisbon = (2.0, 0.0), (0.0, 2.0)
    those = found(
        *(said(n, session="both", held=h) for n, h in ((1, cello), (2, lisbon))),
        *(said(n, session="one", held=cello) for n in (3, 4)),
    )
    scores = signals.by_session(NOTHING, those)
    assert scores[1] == scores[2] == 1.0
    assert scores[3] == scores[4] < 1.0


def test_of_two_sessions_with_the_same_words_the_shorter_one_is_about_them() -> None:
    """A long session holds everything sooner or later."""
    those = found(
        said(1, session="short", held=(1.0,), session_length=200),
        said(2, session="long", held=(1.0,), session_length=2000),
    )
    scores = signals.by_session(NOTHING, those)
    assert scores[1] > scores[2] > 0


def test_a_rare_word_tells_more_of_a_session_than_a_common_one() -> None:
    those = found(
        *(said(n, session=f"common {n}", held=(1.0, 0.0)) for n in range(8)),
        said(9, session="rare", held=(0.0, 1.0)),
    )
    scores = signals.by_session(NOTHING, those)
    assert scores[9] > scores[1]


# --- who said it, and when --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "speaker", "lifted"),
    [
        ("What does Ada drink?", "Ada", True),
        ("What is Ada's tea?", "Dr. Ada Lovelace", True),
        ("What does Ben drink?", "Ada", False),
        ("What will she drink?", "Will Smith", False),
        ("What did Will drink?", "Will", True),
        ("What is there?", "", False),
        ("小梅喜欢什么 小梅", "小梅", True),
    ],
)
def test_what_the_named_person_said_is_lifted(query: str, speaker: str, *, lifted: bool) -> None:
    scores = signals.by_speaker(parse_query(query), found(said(1, speaker=speaker)))
    assert scores == ({1: 1.0} if lifted else {})


def test_what_was_said_at_the_named_time_is_lifted_and_the_rest_stays() -> None:
    days = ("2026-05-05", "2026-05-20", "2026-07-05")
    those = found(*(said(n, created=f"{day}T10:00:00Z") for n, day in enumerate(days)))
    assert signals.by_date(parse_query("Where were we on 5 May 2026?"), those) == {
        0: 1,
        1: 0.5,
        2: 0,
    }
    assert signals.by_date(parse_query("Where were we?"), those) == {}


def test_what_tells_of_the_named_time_is_lifted_nearly_as_what_was_said_then() -> None:
    later = {"created": "2026-06-09T10:00:00Z"}
    those = found(said(1, told=("2026-05",), **later), said(2, told=("2025",), **later))
    those |= found(said(3, created="2026-05-20T10:00:00Z"), said(4, **later))
    lifted = signals.by_date(parse_query("Where were we in May 2026?"), those)
    assert 0.5 == lifted[3] > lifted[1] > lifted[2] == lifted[4] == 0


# --- what kind of text it is ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "lifted"),
    [
        ("When did she buy it?", True),
        ("What year was it?", True),
        ("她什么时候去的", True),
        ("What did she buy when it rained?", False),
    ],
)
def test_who_asks_when_is_told_a_time(query: str, *, lifted: bool) -> None:
    those = found(said(1, times=True), said(2))
    assert signals.by_time_mentioned(parse_query(query), those) == ({1: 1.0} if lifted else {})


@pytest.mark.parametrize(
    ("query", "lifted"),
    [("How many cats has she?", True), ("她有多少猫", True), ("What cats has she?", False)],
)
def test_who_asks_how_many_is_told_a_number(query: str, *, lifted: bool) -> None:
    those = found(said(1, counts=True), said(2))
    assert signals.by_number_mentioned(parse_query(query), those) == ({1: 1.0} if lifted else {})


def test_what_asks_is_no_answer() -> None:
    those = found(said(1, asks=True), said(2), Candidate(3, asks=True))
    assert signals.by_asking(NOTHING, those) == {1: -1.0}


def test_the_shorter_a_turn_the_lower_up_to_a_sentence() -> None:
    those = found(said(1, length=3), said(2, length=12), said(3, length=400), Candidate(4))
    assert signals.by_brevity(NOTHING, those) == {1: -0.5, 2: 0.0, 3: 0.0}


def test_what_is_no_longer_so_stands_behind_what_is_and_before_what_says_less() -> None:
    old = Candidate(1, words=5.0, passage=5.0, outdated=True)
    new, other = Candidate(2, words=4.8, passage=4.8), Candidate(3, words=1.0, passage=1.0)
    assert order(NOTHING, found(old, new, other)) == [2, 1, 3]


def test_a_note_in_no_session_does_not_lack_what_turns_have() -> None:
    """It holds all that is asked for; a talk of many turns holds one word of it."""
    note = Candidate(1, words=9.0, passage=9.0, held=(4.0, 5.0), length=9)
    turns = [
        said(n, words=4.0, passage=4.0, held=(4.0, 0.0), length=9, session_length=400)
        for n in range(2, 12)
    ]
    assert order(NOTHING, found(note, *turns))[0] == 1


# --- the sum ----------------------------------------------------------------------------------


def test_a_score_is_the_weighted_sum_of_the_signals() -> None:
    def one(_asked: ParsedQuery, those: Found) -> Scores:
        return dict.fromkeys(those, 1.0)

    def few(_asked: ParsedQuery, _found: Found) -> Scores:
        return {2: -1.0}

    both = (Signal("one", 2.0, one), Signal("few", 0.5, few))
    assert rank(NOTHING, found(said(1), said(2)), both) == {1: 2.0, 2: 1.5}
    assert scoring.parts(NOTHING, found(said(1), said(2)), both, [1, 2]) == {
        1: [ScorePart("one", 1.0, 2.0, 2.0)],
        2: [ScorePart("one", 1.0, 2.0, 2.0), ScorePart("few", -1.0, 0.5, -0.5)],
    }


def test_notes_without_session_and_speaker_are_ranked_by_their_words() -> None:
    """Nothing of a conversation lowers a card of three words, or one that ends in a question."""
    card = Candidate(1, type="card", words=5.0, passage=5.0, length=3, asks=True)
    topic = Candidate(2, type="topic", words=3.0, passage=3.0, length=300)
    words = weights.BY_WORDS["words"]
    assert rank(parse_query("oolong"), found(card, topic)) == {1: words, 2: words * 0.6}


def likely_sessions(question: ParsedQuery, those: Found) -> Mapping[str, float]:
    """Return the share of the likelihood that each session has."""
    return shares(rank(question, those), {doc: it.session for doc, it in those.items()})


def test_a_session_is_as_likely_as_all_that_it_holds() -> None:
    """What stands in no session has its share, too."""
    those = found(
        said(1, session="one", words=5.0, passage=5.0),
        said(2, session="two", words=4.8, passage=4.8),
        said(3, session="two", words=4.8, passage=4.8),
        Candidate(4, words=5.0, passage=5.0),
    )
    likely = likely_sessions(NOTHING, those)
    assert likely["two"] > likely["one"] > 0
    assert 0.5 < sum(likely.values()) < 1


def test_many_weak_memories_of_a_session_do_not_beat_a_strong_one() -> None:
    those = found(
        said(1, session="one", words=5.0, passage=5.0, held=(3.0, 2.0)),
        *(
            said(n, session="two", words=2.0, passage=2.0, held=(0.0, 2.0), session_length=90)
            for n in range(2, 12)
        ),
    )
    likely = likely_sessions(NOTHING, those)
    assert likely["one"] > likely["two"]


def test_nobody_is_found_among_nobody() -> None:
    assert rank(parse_query("tea"), {}) == {}
    assert likely_sessions(parse_query("tea"), {}) == {}


@pytest.mark.parametrize(
    ("similarity", "days", "importance", "worth"),
    [(1.0, 0, 0.0, 0.8), (0.0, 0, 1.0, 0.5), (0.0, 1, 0.0, 0.285), (1.0, math.inf, 0.5, 0.6),
     (0.0, -5, 0.0, 0.3)],
)  # fmt: skip
def test_an_experience_fades_by_a_twentieth_a_day(
    similarity: float, days: float, importance: float, worth: float
) -> None:
    assert scoring.by_experience(similarity, days, importance) == pytest.approx(worth)


SCORES = st.floats(0, 20)
CANDIDATES = st.builds(
    Candidate,
    doc=st.integers(1, 50),
    session=st.sampled_from(["", "s1", "s2"]),
    speaker=st.text(max_size=5),
    created=st.sampled_from(["", "2026-05-05T10:00:00Z", "long ago"]),
    length=st.integers(0, 500),
    session_length=st.integers(0, 5000),
    asks=st.booleans(),
    outdated=st.booleans(),
    words=SCORES,
    passage=SCORES,
    cosine=st.floats(-1, 1),
    held=st.tuples(SCORES, SCORES),
    near=st.just(()) | st.tuples(st.floats(0, 1), st.floats(0, 1)),
    related=st.just(()) | st.tuples(st.booleans(), st.booleans()),
    before=st.none() | st.integers(1, 60),
    after=st.none() | st.integers(1, 60),
)


def test_a_turn_that_follows_itself_ends_the_run_that_leads_to_it() -> None:
    """No index tells so; one that a disk has damaged may."""
    first = Candidate(doc=1, after=2, held=(1.0,))
    loop = Candidate(doc=2, before=2, after=2, held=(1.0,))
    assert signals.windows(found(first, loop)).keys() == {1, 2}


@pytest.mark.long
@given(query=st.text(), those=st.lists(CANDIDATES, max_size=20), more=CANDIDATES)
def test_everything_is_scored_with_a_number_and_the_same_each_time(
    query: str, those: list[Candidate], more: Candidate
) -> None:
    question = parse_query(query, "2026-05-05")
    before, after = rank(question, found(*those)), rank(question, found(*those, more))
    assert all(math.isfinite(score) for score in (*before.values(), *after.values()))
    assert set(after) == {*before, more.doc}
    assert rank(question, dict(reversed(found(*those).items()))) == before
