"""What of an episode becomes a durable fact, and what was only said in passing."""

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Decision, Episode
from vaultmem.nlp.extraction.choices import preferences
from vaultmem.nlp.extraction.durable import durable_facts
from vaultmem.nlp.extraction.sessions import episodes
from vaultmem.nlp.extraction.talk import self_contained
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import DistillTask, FoldTask
from vaultmem.nlp.text import quotation
from vaultmem.storage.transcripts import Turn


def durable(*said: str) -> list[str]:
    lines = [f'On 2026-03-01 Ana said: "{text}"' for text in said]
    episode = Episode("Talk", "\n".join([*lines, 'On 2026-03-01 Ben said: "Fine."']))
    return [b.item.text.split('"')[1] for b in durable_facts.bullets([("e1", episode)])]


def liked(*said: str) -> list[str]:
    lines = tuple(f'On 2026-03-01 Ana said: "{text}"' for text in said)
    found = durable_facts.bullets([("e1", Episode("Talk", "", preferences=lines))])
    return [b.item.text.split('"')[1] for b in found]


@pytest.mark.parametrize(
    "said",
    [
        "I just talked to someone yesterday.",
        "Just had a busy day today.",
        "We hung out yesterday, played games and laughed a lot.",
        "I'm going to keep trying and see what happens next week.",
        "Ben, I'm sorry to hear you lost Rex yesterday.",
        "They finished painting the wall last night.",
        "Yesterday I finally visited them again.",
        "I'm baking and resting this weekend with my brother.",
        "No, it was 40 dollars in May.",
        "Part-time, 10 hours a week in Ulm.",
        "Typically 30 days if Oslo agrees.",
        "She needs the F-1 visa for college.",
        "My neighbour Petra did that for years.",
        "Or I could learn with old Mr. Brandt in Ulm.",
        "It's 17 Harbour Street in Ulm.",
        "Could be 15% federal in Ohio.",
        "We can freeze it if somebody pays 500 euros.",
        "Try 20 minutes of rowing in the morning.",
        "so gutted, i'd already paid 45 quid for it",
        "hes from the rescue, called Biscuit",
        "nm just got back from the gym in ulm",
        "yeah starting tuesday w some guy called Maddox",
        "before even living in Ulm",
        "we went with the other one, on Chapel Street",
        "did u get the flat in Ulm on monday",
        "I can offer a room from 11 to 15 April.",
        "Saturday, 23 March from 8 to 11 is free.",
        "I financed it through Harbour Bank.",
        "An adjuster will inspect it within 48 hours.",
        "Quarterly, and the next one is in Ulm.",
        "Last filled in May, 3 refills remaining.",
        "Plus the 20% copay on covered items.",
        "I have a morning slot from 8 to 12 in Ulm.",
        "Yes, new total would be $859 for everything.",
        "Rex is in good hands, Mr. Brandt.",
        "The build must be broken, since the badge is red.",
        "I just pushed the branch fix-login.",
        "PR 41 was merged on Monday.",
        "I am working on the login of the shop at the moment.",
        "The newest version is 2.3.",
        "The gate must be repaired, because the dog runs off.",
        "Only kidding, because it was fun.",
        "Rex eats every shoe because he is bored.",
        "The kids must never know, because they would cry.",
        "Mara prefers the second one.",
        "i labelled my oat milk in Ulm and she drank it",
        "My neighbour, Mrs. Brandt, can let him in on Monday.",
        "my boss let me do fridays from there since May",
        "Okafor twice and some kid i never heard of in Ulm",
        "climbing instead, theres a wall in Ulm called Bloc Yard",
        "bouldering in Ulm is like 4 metres its fine",
        "got the results in Ulm last tuesday",
        "if i fail anatomy im moving to Peru",
        "i dont, thats the point of the class in Ulm",
        "a guy named Paolo hes a vet in Ulm",
        "On Saturday, when the fitter from Ulm unpacked it.",
        "Our server at the site in Ulm!",
        "Pay stubs, tax returns, I-94 records, approval notices",
        "The monthly fee there is 39 euros instead of 44.",
        "The first is 130 euros, the second 80 euros in May.",
        "school's closed in Ulm so i've got all three at home",
        "the big blue one sold in Ulm already",
        "We have 11:40 today with Dr. Brandt.",
        "I have an afternoon slot in Ulm on Monday.",
        "Basic is \u00a3612 a year, plus \u00a374 for goods in transit.",
    ],
)
def test_what_is_said_in_passing_is_no_durable_fact(said: str) -> None:
    assert durable(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "I opened a bakery last week and it's been great!",
        "I moved to Oslo in May.",
        "I adopted a dog last month, and I walk it every morning.",
        "My grandmother died last week.",
        "Petra signs off every release because she answers for the audit.",
        "The endpoint must answer within 300 ms, since the till waits for it.",
        "Deploys only on Tuesdays, because Ferro is on call then.",
        "Mara prefers tests without mocks.",
        "咖啡馆在 10 月 3 日开张。",
    ],
)
def test_what_happened_or_holds_is_one(said: str) -> None:
    assert durable(said) == [said]


def test_a_line_without_a_name_says_whose_i_it_is() -> None:
    """An assistant's booking and a user's wish are told apart; the wish heads no topic `user`."""
    turns = (
        Turn("user", "I need a room in Ulm from 11 to 15 April."),
        Turn("assistant", "I've booked room 12 in Ulm from 11 to 15 April."),
    )
    task = FoldTask(turns, agent="ada")
    asked = episodes.summary_task(task)
    assert [passage.speaker for passage in asked.passages] == ["user", "ada"]
    line = quotation.framed(turns[0].content, asked.passages[0], "ada")
    found = durable_facts.bullets([("e1", Episode("Room", line))])
    assert [(b.subject, b.item.text) for b in found] == [("", line)]


def test_praise_of_what_was_shown_is_no_lasting_liking() -> None:
    said = ("I love the smell and the light.", "I like his humour.", "I enjoy watching them run.")
    assert liked(*said, "I love sourdough bread.", "I love the Alps.") == [
        "I love sourdough bread.",
        "I love the Alps.",
    ]


def test_a_decision_that_ends_with_a_word_for_what_was_chosen_is_not_kept() -> None:
    open_end = Decision("I decided to paint about this", "it is close to me")
    whole = Decision("We decided on Parquet for the report", "DuckDB reads it")
    found = durable_facts.bullets([("e1", Episode("Talk", "", decisions=(open_end, whole)))])
    assert [b.item.text for b in found] == [whole.decision]


def test_only_a_request_stands_for_good() -> None:
    assert preferences.is_standing("Don't squash commits.")
    assert preferences.is_standing("When you test, do not use the network.")
    assert not preferences.is_standing("I don't expect much, I like the rain.")


def test_each_rule_of_a_session_is_told_beside_its_news() -> None:
    """News alone made the summary, and of four rules one was told."""
    rules = (
        "Petra signs off every release because she answers for the audit.",
        "Deploys only on Tuesdays, because Ferro is on call then.",
        "Mara prefers tests without mocks.",
        "The importer must finish within ten minutes, since the shop opens at six.",
    )
    turns = [turn for said in rules for turn in (Turn("user", said), Turn("assistant", "Noted."))]
    news = Turn("user", "I just moved the shop to Ghent last week, and we opened on Monday.")
    summary = Extractive().episode(FoldTask((news, *turns))).value.summary
    assert all(rule in summary for rule in rules)


def test_what_was_ruled_out_is_no_fact_besides_and_a_swap_ends_with_what_takes_it_back() -> None:
    said = (
        "Redis is out, Valkey is in, because of the licence.",
        "We ruled out MongoDB because nobody can run it.",
        "We're back to Redis because Valkey loses jobs.",
    )
    turns = [turn for text in said for turn in (Turn("user", text), Turn("assistant", "OK."))]
    whole = Extractive().episode(FoldTask(tuple(turns))).value
    first, last = (Extractive().episode(FoldTask(tuple(t))).value for t in (turns[:4], turns[4:]))
    for told in ((whole,), (first, last)):
        episodes = tuple((f"e{n}", episode) for n, episode in enumerate(told))
        topics = Extractive().topics(DistillTask(episodes)).value
        assert not [fact for topic in topics for fact in topic.facts]
        assert [d.decision.decision for t in topics for d in t.decisions] == ["We're back to Redis"]
        assert [e.eliminated.approach for t in topics for e in t.eliminated] == ["MongoDB"]


def test_a_decision_is_told_as_such_and_is_no_fact_besides() -> None:
    """As a fact it stood beside the decision that replaced it."""
    decided = "We decided on the nightly export because the office is empty then."
    lines = [f'On 2026-03-01 Ana said: "{text}"' for text in (decided, "It writes to Ghent.")]
    decision = Decision("We decided on the nightly export", "the office is empty then")
    episode = Episode("Export", "\n".join(lines), decisions=(decision,))
    found = [*durable_facts.bullets([("e1", episode)])]
    assert [b.kind for b in found if "nightly" in b.item.text] == ["decisions"]


def test_a_figure_needs_what_it_is_of_and_an_episode_quotes_what_stands() -> None:
    """Of talk in which something stands, nothing else is quoted."""
    for fragment in (
        "We paid $3,800 for the year.",
        "Average is $200-300 per class",
        "Standard is $40 per month",
        "Yes, Form 1098 by January 31st",
        "T/Th at 11 would work",
        "I'm tempted to buy the red one",
        "vet says he needs to lose 3 kilos",
    ):
        assert not self_contained.stands(fragment)
    assert self_contained.stands("We paid $3,800 for the roof of the barn.")
    said = ("and u told me NOTHING", "viewing two on the 25th", "i moved to Leeds on the 3rd")
    turns = tuple(Turn("user", text, "Dre", "2024-03-04T10:00:00Z") for text in said)
    made = Extractive().episode(FoldTask(turns, agent="ada"))
    assert made.value.summary == 'On 2024-03-04 Dre said: "i moved to Leeds on the 3rd"'
