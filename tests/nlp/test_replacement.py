"""What a later sentence makes of an earlier one: decisions replaced, steps taken, patterns."""

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Decision, Eliminated, Episode, SessionCompact, Topic
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import CompactTask, DistillTask, FoldTask
from vaultmem.storage.transcripts import Turn


def said(*texts: str) -> tuple[Turn, ...]:
    """Let a person say *texts*, a turn each, before and behind which a tool answered."""
    answered = Turn("tool", "214 passed", tool="bash")
    return (answered, *(Turn("user", text) for text in texts), answered)


def fold(*texts: str) -> Episode:
    return Extractive().episode(FoldTask(said(*texts), session="s")).value


def compact(*texts: str, prior: SessionCompact | None = None) -> SessionCompact:
    turns = said(*texts)
    return Extractive().compact(CompactTask(turns, len(turns), prior)).value


def compacted_twice(earlier: str, later: str) -> SessionCompact:
    """Return the compact of *later*, made on top of one of *earlier*."""
    return compact(later, prior=compact(earlier))


def decided(of: Episode | SessionCompact) -> list[str]:
    decisions = of.decisions if isinstance(of, Episode) else of.key_decisions
    return [decision.decision for decision in decisions]


# --- what is decided and ruled out in so many words ------------------------------------------


@pytest.mark.parametrize(
    ("text", "decision", "reason"),
    [
        ("Picked Hetzner because the bill was a third.", "Picked Hetzner", "the bill was a third"),
        ("Settled on weekly releases, because daily ones wore everybody out.",
         "Settled on weekly releases", "daily ones wore everybody out"),
        ("Going with Tailwind since the designers know it.", "Going with Tailwind",
         "the designers know it"),
        ("The carpenter is fully booked until May, so we hire his brother instead.",
         "we hire his brother instead", "The carpenter is fully booked until May"),
        ("Since the printer is discontinued, we buy the Brother instead.",
         "we buy the Brother instead", "the printer is discontinued"),
        ("OK, so Friday it is, because Mara is away on Monday.", "Friday it is",
         "Mara is away on Monday"),
    ],
)  # fmt: skip
def test_a_choice_is_found_without_its_subject_and_after_what_forced_it(
    text: str, decision: str, reason: str
) -> None:
    assert fold(text).decisions == (Decision(decision, reason),)


@pytest.mark.parametrize(
    "text",
    [
        "Picked some apples yesterday!",
        "Picked the kids up since it rained.",
        "Chose my words carefully because she was upset.",
        "Went with Sarah to the beach because it was sunny.",
        "I went with my sister because she asked me.",
        "If the Ferro is sold out, we take the Calda instead.",
        "Maybe we take the train instead.",
        "The flights were cancelled, so we slept at the airport.",
        "We go for pizza instead of cooking on Fridays.",
        "Yes, keep me informed.",
    ],
)
def test_a_deed_or_a_maybe_is_no_decision(text: str) -> None:
    assert fold(text).decisions == ()


@pytest.mark.parametrize(
    ("text", "approach", "why"),
    [
        ("We tried a shared spreadsheet; it was a waste of time, let's not repeat it.",
         "a shared spreadsheet", "it was a waste of time, let's not repeat it"),
        ("Tried caching in the browser - stale data everywhere, never again.",
         "caching in the browser", "stale data everywhere, never again"),
        ("We tried the websocket; ruled out because the proxy kills idle connections.",
         "the websocket", "the proxy kills idle connections"),
        ("Let's ditch the carousel: nobody scrolls it.", "the carousel", "nobody scrolls it"),
        ("Let's stop using Slack for approvals because they get lost.", "Slack for approvals",
         "they get lost"),
        ("We decided to drop Kafka because nobody can run it.", "Kafka", "nobody can run it"),
        ("Python 3.8 is no longer supported, so we move to 3.12 instead.", "Python 3.8",
         "is no longer supported"),
    ],
)  # fmt: skip
def test_what_was_tried_or_dropped_is_ruled_out_with_why(
    text: str, approach: str, why: str
) -> None:
    assert fold(text).eliminated == (Eliminated(approach, why),)


@pytest.mark.parametrize(
    "text",
    [
        "I tried pottery, it wasn't easy but I love it.",
        "We tried the migration on staging, no errors.",
        "We tried the patch, it fixed the crash.",
        "We tried to reach Okafor, but he didn't pick up.",
        "Let's drop by Ana's place, she baked a cake.",
        "Let's drop the kids at school, then have coffee.",
        "Let's ditch work, it is sunny.",
        "Not sure this qualifies as sudden.",
        "They rejected other requests.",
        "No, your checking account and any other cards are unaffected.",
        "For now we stay with Jenkins instead of moving to Actions.",
    ],
)
def test_what_went_well_or_was_no_approach_is_not_ruled_out(text: str) -> None:
    assert fold(text).eliminated == ()


# --- what a later sentence ends --------------------------------------------------------------


@pytest.mark.parametrize(
    ("earlier", "later", "stands"),
    [
        ("We decided on polling every 5 s because it is simple.",
         "We decided on webhooks instead of polling.", "We decided on webhooks instead of polling"),
        ("We settled on the Kestrel kit because it is light.",
         "The Kestrel kit is out of stock, so I'll take the Merlin instead.",
         "I'll take the Merlin instead"),
        ("We settled on Mapbox because it is quick.",
         "Mapbox has tripled its price, so we use MapLibre instead.", "we use MapLibre instead"),
    ],
)  # fmt: skip
def test_a_replaced_decision_is_gone_from_the_compact_and_the_episode(
    earlier: str, later: str, stands: str
) -> None:
    for made in (compacted_twice(earlier, later), compact(earlier, later), fold(earlier, later)):
        assert decided(made)[-1].endswith(stands)
        assert len(decided(made)) == 1


def test_what_is_ruled_out_is_decided_no_more_and_so_back() -> None:
    chosen, dropped = "We decided on the heat pump.", "Let's drop the heat pump, it is too loud."
    for made in (compacted_twice(chosen, dropped), compact(chosen, dropped)):
        assert decided(made) == []
        assert [e.approach for e in made.eliminated_approaches] == ["the heat pump"]
    after_all = "The noise was the fan, so let's go with the heat pump."
    for made in (compact(after_all, prior=compact(dropped)), compact(dropped, after_all)):
        assert decided(made) == ["let's go with the heat pump"]
        assert made.eliminated_approaches == ()


@pytest.mark.parametrize(
    ("earlier", "later", "given_up"),
    [
        ("We decided on the nightly export.",
         "We no longer use the nightly export; we decided on the hourly.", "the nightly export"),
        ("We decided on the nightly export.",
         "No longer the nightly export; we decided on the hourly one.", "the nightly export"),
        ("We decided on Mailgun for the newsletters.", "Mailgun is out, Postmark is in.",
         "Mailgun"),
        ("We decided on GraphQL for the API.",
         "We dropped GraphQL; we're back to REST for the API.", "GraphQL"),
        ("We decided on weekly releases.", "Weekly releases are out, we decided on daily ones.",
         "Weekly releases"),
    ],
)  # fmt: skip
def test_what_is_given_up_beside_its_successor_is_decided_no_more(
    earlier: str, later: str, given_up: str
) -> None:
    for made in (compacted_twice(earlier, later), compact(earlier, later)):
        assert decided(made) == [later.rstrip(".")]
        assert made.eliminated_approaches == (Eliminated(given_up),)


@pytest.mark.parametrize(
    "later",
    [
        "We no longer use Redis for the cache.",
        "Okafor is out today, he is back on Monday.",
        "The new Redis is out, and it is faster.",
        "If Redis is out, we take the train.",
        "I heard they no longer use Redis at Siemens.",
        "We no longer need to discuss Redis for the queue.",
        "We dropped Redis a line about the queue.",
    ],
)
def test_what_is_not_given_up_stays_decided(later: str) -> None:
    earlier = "We decided on Redis for the queue."
    for made in (compacted_twice(earlier, later), fold(earlier, later)):
        assert decided(made)[0] == earlier.rstrip(".")


@pytest.mark.parametrize(
    "later",
    [
        "Not Redis, because it needs a server.",
        "The mill is fully booked, so we book the barn instead.",
        "We ruled out a second queue because nobody can run it.",
    ],
)
def test_a_refusal_of_something_else_ends_no_decision(later: str) -> None:
    """Nor does one of a word that only says what the choice is for."""
    earlier = "We decided on Postgres for the queue of the mill."
    assert decided(compacted_twice(earlier, later))[0] == earlier.rstrip(".")


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("Next I call Okafor about the flue.", "I called Okafor, he agreed to the flue."),
        ("We need to send the invoice to Bruno.", "I've sent the invoice to Bruno this morning."),
        ("TODO: pay the deposit", "The deposit was paid yesterday."),
        ("I still have to book the mill.", "Booked the mill, finally."),
        ("Next we talk to Mrs. Hill about the roof.", "I talked to Mrs. Hill; the roof is ok."),
        ("Next I ask Mara for the key.", "Mara was asked for the key."),
    ],
)  # fmt: skip
def test_a_step_whose_deed_is_told_is_no_next_step(step: str, told: str) -> None:
    planned = compact("Fix up the mill.", step)
    assert len(planned.next_steps) == 1
    assert compact(told, prior=planned).next_steps == ()


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("Next I call Okafor about the flue.", "I called Okafor, but there was no answer."),
        ("Next I call Okafor about the flue.", "I called Mara about the stove."),
        ("Next I call Okafor about the flue.", "Have you called Okafor about the flue?"),
        ("Next I call Okafor about the flue.", "If I called Okafor about the flue, he would sigh."),
        ("Next I call Okafor about the flue.", "Okafor called about the flue."),
        ("We need to send the invoice to Bruno.", "Bruno sent us an invoice."),
        ("We need to replace the failed drive.", "The failed drive is in bay two."),
        ("Then we write the retry queue.", "Nobody wrote the retry queue."),
    ],
)  # fmt: skip
def test_a_step_stays_while_its_deed_is_not_told(step: str, told: str) -> None:
    planned = compact("Fix up the mill.", step)
    (kept,) = planned.next_steps
    assert kept in compact(told, prior=planned).next_steps


def test_what_an_assistant_says_is_no_tool_result() -> None:
    turns = (Turn("assistant", "The import wrote 48213 rows."),)
    assert Extractive().episode(FoldTask(turns)).value.tool_results == ()
    assert Extractive().compact(CompactTask(turns, 1)).value.relevant_tool_results == ()


# --- topics ----------------------------------------------------------------------------------


def distil(
    *episodes: tuple[str, Episode], topics: tuple[Topic, ...] = (), **sessions: str
) -> tuple[Topic, ...]:
    return Extractive().topics(DistillTask(episodes, topics, sessions=sessions)).value


POLLING = Episode("Sync", "", (Decision("We decided on polling every 5 s", "it is simple"),))
WEBHOOKS = Episode(
    "Sync", "", (Decision("We decided on webhooks instead of polling", "they push at once"),),
    (Eliminated("polling", "they push at once"),),
)  # fmt: skip


@pytest.mark.parametrize("at_once", [True, False])
def test_a_topic_holds_a_decision_or_its_opposite(*, at_once: bool) -> None:
    """Whether both are distilled in one go, or one after the other."""
    before = () if at_once else distil(("e1", POLLING))
    new = (("e1", POLLING), ("e2", WEBHOOKS)) if at_once else (("e2", WEBHOOKS),)
    (topic,) = distil(*new, topics=before)
    assert [d.text for d in topic.decisions] == ["We decided on webhooks instead of polling"]
    assert [e.text for e in topic.eliminated] == ["polling"]
    back = Episode("Sync", "", (Decision("We decided on polling", "the proxy drops webhooks"),))
    (topic,) = distil(("e3", back), topics=(topic,))
    assert topic.eliminated == ()


def test_what_comes_of_three_sessions_is_a_pattern() -> None:
    """Of three episodes of two sessions it is a fact still."""
    told = Episode("Import", "The import of the Oslo branch stalls at 4 GB.")
    episodes = [(name, told) for name in ("e1", "e2", "e3")]
    (topic,) = distil(*episodes, e1="mon", e2="mon", e3="tue")
    assert (len(topic.facts), topic.patterns) == (1, ())
    (topic,) = distil(("e4", told), topics=(topic,), e1="mon", e2="mon", e3="tue", e4="wed")
    assert [fact.sources for fact in topic.patterns] == [("e1", "e2", "e3", "e4")]
    assert topic.facts == ()
    (topic,) = distil(("e5", told), topics=(topic,), e5="thu")
    assert [fact.sources[-1] for fact in topic.patterns] == ["e5"]
    assert topic.facts == ()
