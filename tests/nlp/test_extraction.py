"""What offline folding finds in turns: said, cut to size, and nothing else."""

# ruff: noqa: RUF001  Chinese is written with its own marks.

from __future__ import annotations

import re
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.work import calls
from vaultmem.documents.bodies import (
    Decision,
    Eliminated,
    Episode,
    Fact,
    SessionCompact,
    ToolResult,
    Topic,
)
from vaultmem.nlp.extraction import distillation
from vaultmem.nlp.extraction.naming import titles
from vaultmem.nlp.extraction.sessions import tool_results
from vaultmem.nlp.extraction.talk import utterances
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import CompactTask, DistillTask, FoldTask, Summarizer
from vaultmem.nlp.text import salience
from vaultmem.storage.transcripts import Turn

LINES = (
    "We decided to use SQLite because it needs no server. It must run offline.",
    "Not polling, because it hits rate limits.",
    "Should we support Windows?",
    "No, actually the window is 2 hours, not 3.",
    "I prefer small commits. Don't push to main.",
    "Next, we need to add a retry queue.",
    "The import finished: 48213 rows in 12.4 s.",
    "Thanks, great job!",
    "我们决定用 SQLite，因为不需要服务器，但是必须离线运行。",
    "不用 Redis，因为重启会丢数据。",
    "备份放在哪里还没定。",
    "更正：窗口是两小时，不是三小时。",
    "以后都用中文回答。",
    "```\nrm -rf build\n```",
)
TURNS = st.lists(
    st.builds(
        Turn,
        role=st.sampled_from(["user", "assistant", "tool", "system"]),
        content=st.lists(st.sampled_from(LINES) | st.text(max_size=80), max_size=4).map(" ".join),
        speaker=st.sampled_from(["", "Ana", "王芳"]),
        at=st.sampled_from(["", "2026-03-01T09:00:00Z"]),
        tool=st.sampled_from(["", "bash"]),
    ),
    max_size=12,
).map(tuple)


def user(*texts: str, speaker: str = "") -> tuple[Turn, ...]:
    """Let a person say *texts*, a turn each."""
    return tuple(Turn("user", text, speaker, "2026-03-01T09:00:00Z") for text in texts)


def agent(*texts: str) -> tuple[Turn, ...]:
    """Let the assistant say *texts*, a turn each."""
    return tuple(Turn("assistant", text) for text in texts)


def tool(*results: str, name: str = "bash") -> tuple[Turn, ...]:
    """Let a tool answer."""
    return tuple(Turn("tool", result, tool=name) for result in results)


def fold(*turns: Turn) -> Episode:
    """Make an episode of *turns*."""
    return Extractive().episode(FoldTask(turns, session="s1")).value


def at_work(*turns: Turn) -> Episode:
    """Make an episode of *turns*, before and behind which a tool answered."""
    answered = tool("$ make check\n214 passed")
    return fold(*answered, *turns, *answered)


def compact(*turns: Turn, prior: SessionCompact | None = None) -> SessionCompact:
    """Compact *turns* on top of *prior*."""
    return Extractive().compact(CompactTask(turns, len(turns), prior)).value


def test_the_offline_summarizer_answers_every_task() -> None:
    summarizer: Summarizer = Extractive()
    turns = user("We moved the office to Oslo.")
    assert summarizer.episode(FoldTask(turns)).model == "extractive"
    assert summarizer.topics(DistillTask(())).value == ()
    assert summarizer.compact(CompactTask(turns, 1)).degraded == ""


@pytest.mark.parametrize(
    ("text", "decision", "reason", "constraint"),
    [
        (
            "Let's go with webhooks since they push changes at once.",
            "Let's go with webhooks",
            "they push changes at once",
            "",
        ),
        (
            "We decided to use SQLite because it needs no server. It must run offline.",
            "We decided to use SQLite",
            "it needs no server",
            "It must run offline",
        ),
        ("Ok, Parquet it is.", "Parquet it is", "", ""),
        (
            "Redis loses jobs on restart, so let's use SQLite.",
            "let's use SQLite",
            "Redis loses jobs on restart",
            "",
        ),
        (
            "We picked Postgres. Because the team knows it.",
            "We picked Postgres",
            "the team knows it",
            "",
        ),
        ("Ship it on Friday, Bob decided.", "Ship it on Friday, Bob decided", "", ""),
        (
            "我们决定用 PostgreSQL，因为需要 JSON 查询，但是必须兼容旧接口。",
            "我们决定用 PostgreSQL",
            "需要 JSON 查询",
            "必须兼容旧接口",
        ),
        ("由于预算有限，我们就用本地缓存。", "我们就用本地缓存", "预算有限", ""),
    ],
)
def test_a_decision_comes_with_reason_and_constraint(
    text: str, decision: str, reason: str, constraint: str
) -> None:
    assert at_work(*user(text)).decisions == (Decision(decision, reason, constraint),)


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("Step 1: We decided on Dock 1, because it is near.", "We decided on Dock 1"),
        ("**Note:** we decided on Dock 1, because it is near.", "we decided on Dock 1"),
        ("Quick update: we decided on Dock 1 because it is near.", "we decided on Dock 1"),
        ("Ana: We decided on Dock 1, because it is near.", "Ana: We decided on Dock 1"),
        ("Moorings: we decided on Dock 1; it is near.", "Moorings: we decided on Dock 1"),
        ("Because it is near: we decided on Dock 1.", "we decided on Dock 1"),
        ("Step 2: use Dock 1 because it is near.", "use Dock 1"),
    ],
)
def test_a_label_before_a_colon_is_not_what_was_decided(text: str, decision: str) -> None:
    assert at_work(*user(text)).decisions == (Decision(decision, "it is near"),)


@pytest.mark.parametrize("what", ["the Ferro", "option B", "a Calda 3"])
def test_what_is_taken_by_name_and_for_a_reason_is_decided(what: str) -> None:
    text = f"We take {what} because it heats water, too."
    assert at_work(*user(text)).decisions == (Decision(f"We take {what}", "it heats water, too"),)


@pytest.mark.parametrize(
    "text",
    [
        "We take the bus because it is late.",
        "We take the Circle line because it is near.",
        "We take Friday off because of the holiday.",
        "We take the Ferro.",
        "Should we go with webhooks?",
        "We haven't decided on a language yet.",
        "If we use Rust because it is fast, builds get slow.",
        "Let's keep in touch!",
        "Let's go!",
        "That's a great idea, thanks!",
        "We went with Postgres in the last project too.",
        "我们还没决定部署在哪里。",
    ],
)
def test_what_is_only_weighed_or_wished_is_no_decision(text: str) -> None:
    assert at_work(*user(text)).decisions == ()


@pytest.mark.parametrize(
    "text",
    [
        "Tom said we take the Calda because it is cheap.",
        "He said that we decided to use SQLite because it needs no server.",
        "My boss told me we'll go with Postgres.",
        "Tom wrote: let's use SQLite because it needs no server.",
        "We take the Calda because it is cheap, Tom said.",
        "We decided against the Ferro because the Calda is cheaper, said the salesman; I disagree.",
        "According to Mara, we agreed on Friday.",
        "I heard they picked Postgres because the team knows it.",
        "他说我们决定用 PostgreSQL。",
    ],
)
def test_what_somebody_else_said_is_no_decision(text: str) -> None:
    """Nor is anything ruled out by it."""
    made = at_work(*user(text))
    assert (made.decisions, made.eliminated) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        "Tom said it is loud, so we take the Calda because it is quiet.",
        "I told Tom we take the Calda because it is cheap.",
        "We take the Calda because Tom said it is cheap.",
        "As Tom said, we decided to use SQLite.",
    ],
)
def test_a_decision_may_rest_on_what_somebody_said(text: str) -> None:
    assert len(at_work(*user(text)).decisions) == 1


def test_an_answer_with_a_reason_decides_a_question() -> None:
    episode = at_work(
        *agent("Should we store the report as CSV or Parquet?"),
        *user("Parquet, because the analysts read it with DuckDB."),
    )
    assert episode.decisions == (Decision("Parquet", "the analysts read it with DuckDB"),)
    assert episode.open_questions == ()


@pytest.mark.parametrize(
    "text",
    [
        "My brother failed twice and decided to change to law.",
        "She is a botanist and decided to lecture me on moss.",
        "Someone decided to paint every buoy pink.",
        "They chose the smaller boat.",
        "Indeed it is.",
        "In Ghent it is.",
        "Watch the swans that decided to nest in Ghent.",
        "The more oars a boat has, the more noisy it is.",
        "We keep ourselves in business because nobody else rows.",
        "I guess I'll go with the oboe.",
        "I think I'll stick with gravel.",
        "Let's pick a new question!",
        "I don't think it is.",
        "I wait when the decision is hard to take back.",
    ],
)
def test_what_others_decide_and_what_is_only_supposed_is_no_decision(text: str) -> None:
    assert at_work(*user(text)).decisions == ()


def test_a_liking_with_a_reason_picks_nothing() -> None:
    asked = agent("Do you prefer the oboe or the harp?")
    assert at_work(*asked, *user("Yes I like the oboe because it is loud.")).decisions == ()
    assert at_work(*asked, *user("I would say the oboe because it is loud.")).decisions == ()
    assert at_work(*asked, *user("The oboe, because it is loud.")).decisions != ()


REJECTED = ("Raising the limit", "was rejected by ops")


@pytest.mark.parametrize(
    ("text", "approach", "why"),
    [
        ("Not polling, because it hits rate limits.", "polling", "hits rate limits"),
        ("The public API hits rate limits.", "The public API", "hits rate limits"),
        ("Redis didn't work: it lost jobs.", "Redis", "didn't work: it lost jobs"),
        ("Cron is too slow for this.", "Cron", "is too slow for this"),
        (
            "We ruled out Kafka because nobody can run it.",
            "Kafka",
            "nobody can run it",
        ),
        ("We can't use Kubernetes, nobody here knows it.", "Kubernetes", "nobody here knows it"),
        ("No, polling breaks when the laptop sleeps.", "polling", "breaks when the laptop sleeps"),
        ("We tried Celery but it crashed on fork.", "Celery", "it crashed on fork"),
        ("Let's not rent a car because tolls are 200 euros.", "rent a car", "tolls are 200 euros"),
        ("My router is old so port forwarding won't work.", "port forwarding", "won't work"),
        ("Raising the limit was rejected by ops, by the way.", *REJECTED),
        ("We use tabs instead of spaces everywhere in this repo.", "spaces", ""),
        ("A well is not an option because the soil is sand.", "A well", "the soil is sand"),
        ("不用 MySQL，因为它的 JSON 支持太弱。", "MySQL", "它的 JSON 支持太弱"),
        ("Redis 方案行不通，重启会丢数据。", "Redis 方案", "行不通，重启会丢数据"),
        ("我们放弃了微服务，因为人手不够。", "微服务", "人手不够"),
    ],
)
def test_a_ruled_out_approach_comes_with_why(text: str, approach: str, why: str) -> None:
    (found,) = at_work(*user(text)).eliminated
    assert found.approach == approach
    assert found.why.endswith(why)


def test_no_to_a_proposal_rules_it_out() -> None:
    episode = at_work(*agent("Should we use Redis?"), *user("No, it needs another server."))
    assert episode.eliminated == (Eliminated("use Redis", "it needs another server"),)


@pytest.mark.parametrize(
    "text",
    [
        "Life is too short.",
        "It didn't work.",
        "No, I am fine.",
        "我不行了。",
        "It has to be an automatic, I can't use a clutch with my hip.",
    ],
)
def test_a_complaint_rules_nothing_out(text: str) -> None:
    assert at_work(*user(text)).eliminated == ()


@pytest.mark.parametrize(
    "text",
    [
        "We have been using MySQL for years and added a cache because MySQL was too slow.",
        "The anchor is too heavy...",
        "Not as hard as the second act, since it is short.",
        "Not intended to be it was a waltz.",
        "Not necessarily since I rowed there before.",
        "No, my brain doesn't work like a clock.",
        "Sailors are no good at naming boats.",
    ],
)
def test_what_is_still_in_use_and_a_sigh_rule_nothing_out(text: str) -> None:
    assert at_work(*user(text)).eliminated == ()


def test_to_talk_of_something_else_rules_nothing_out() -> None:
    asked = agent("Do we only talk about this topic?")
    assert at_work(*asked, *user("No, we can talk about anything.")).eliminated == ()


@pytest.mark.parametrize(
    "text",
    [
        "Have you ever seen the harbour of Ghent?",
        "What is your biggest fear?",
        "Shouldn't the vote on the name be open?",
        "The oars are of ash, right?",
        "We should paint the shed too?",
        "Was the mast of oak?",
        'They will ask "What does the flag stand for?".',
        "Does a heron dream?",
        "How would that even float?",
        "Can we close this issue?",
    ],
)
def test_a_question_of_the_other_of_the_world_or_for_assent_leaves_nothing_open(text: str) -> None:
    assert at_work(*user(text)).open_questions == ()


def test_a_question_is_open_until_it_is_answered() -> None:
    question = "Which region should the worker run in?"
    asked = agent(question)
    assert at_work(*asked).open_questions == (question,)
    assert at_work(*asked, *user("In Frankfurt.")).open_questions == ()
    assert at_work(*asked, *user("Not sure, let me check later.")).open_questions == (question,)


@pytest.mark.parametrize(
    "reply",
    [
        "I do not know yet.",
        "Let's move on to the till.",
        "I'll tell you tomorrow.",
        "I have not decided.",
        "I would have to ask the accountant.",
    ],
)
def test_a_question_that_is_left_stays_open_whatever_else_is_talked_of(reply: str) -> None:
    question = "Should invoices be numbered per year or forever?"
    left = (*user(question), *agent(reply))
    assert at_work(*left).open_questions == (question,)
    assert at_work(*left, *user("Fine."), *agent("The till prints.")).open_questions == (question,)
    numbered = agent("Invoices are numbered per year.")
    assert at_work(*left, *user("Fine."), *numbered).open_questions == ()


def test_to_move_on_answers_whether_we_do() -> None:
    asked = user("Do we move on to the till?")
    assert at_work(*asked, *agent("Let's move on to the till.")).open_questions == ()


def test_what_is_asked_back_or_said_after_the_stretch_answers_too() -> None:
    asked = agent("How much is the house worth?")
    back = (*user("What do you mean by worth?"), *agent("The price."), *user("Some 425,000."))
    assert at_work(*asked, *back).open_questions == ()
    assert at_work(*asked, *user("No, should we?")).open_questions == ()
    task = FoldTask(asked, session="s1", later=user("Some 425,000."))
    assert Extractive().episode(task).value.open_questions == ()


@pytest.mark.parametrize(
    "text",
    ["Passport number?", "And the student fees?", "What about the kitchen sink?", "ulm maybe?"],
)
def test_what_is_no_question_without_the_one_before_is_not_open(text: str) -> None:
    assert at_work(*user(text)).open_questions == ()


def test_undecided_is_no_decision_without_its_apostrophe_either() -> None:
    found = at_work(*user("maybe i'll retrain as a welder. havent decided on a school"))
    assert found.decisions == ()
    assert found.open_questions == ("havent decided on a school",)


@pytest.mark.parametrize(
    "text", ["I chose to sing about this because it is close to me.", "We decided to include that."]
)
def test_a_decision_for_what_another_sentence_names_is_none(text: str) -> None:
    assert fold(*user(text, speaker="Ana")).decisions == ()


def test_a_decision_with_a_reason_of_ones_own_says_whose_it_is() -> None:
    (made,) = fold(*user("rowing it is because i hate hills", speaker="Ana")).decisions
    assert made == Decision('On 2026-03-01 Ana said: "rowing it is"', "i hate hills")


@pytest.mark.parametrize(
    "text",
    [
        "It is unclear whether refunds have an amount.",
        "We haven't decided on a language yet.",
        "The retention period is TBD.",
        "We still have to find out whether the till can print in colour.",
        "It is open whether the landlord agrees.",
        "备份放在哪里还没定。",
        "过期时间设多少还不清楚。",
    ],
)
def test_what_is_said_to_be_undecided_is_open(text: str) -> None:
    assert at_work(*user(text)).open_questions == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "还没定，他们法务还在看。",
        "目前待定。",
        "我们还没决定。",
        "Still open, they tell us on Friday.",
    ],
)
def test_what_is_undecided_and_says_not_of_what_is_no_open_question(text: str) -> None:
    assert at_work(*user(text)).open_questions == ()
    assert at_work(*user(text)).decisions == ()


def test_what_was_chosen_later_is_no_longer_undecided() -> None:
    said = "地点定了，书还没定。"
    assert at_work(*user(said)).open_questions == (said,)
    assert at_work(*user(said, "那我们就选《边城》。")).open_questions == ()


@pytest.mark.parametrize("text", ["Who fits it?", "Which flue?", "Do we need a permit?"])
def test_a_short_question_alone_in_its_turn_is_open(text: str) -> None:
    assert at_work(*user(text)).open_questions == (text,)
    assert at_work(*user(text), *agent("I will ask the landlord.")).open_questions == (text,)
    assert at_work(*user("Did you paint?", "How was the trip?")).open_questions == ()


def test_how_are_you_is_no_open_question() -> None:
    assert at_work(*user("How are you?", "你好吗？", "Sounds good?")).open_questions == ()


@pytest.mark.parametrize(
    "text",
    [
        "No, actually the nightly window is 2 hours, not 3.",
        "That is wrong, the column is called total.",
        "I meant the staging server.",
        "There are not 9, but 10 shards.",
        "更正：窗口是两小时，不是三小时。",
        "不对，应该是 30 分钟。",
    ],
)
def test_a_correction_is_kept(text: str) -> None:
    assert at_work(*user(text)).corrections == (text,)


def test_no_to_a_question_puts_nothing_right() -> None:
    asked = agent("Did you rent the van?")
    assert at_work(*asked, *user("No, it was a gift of the choir.")).corrections == ()
    assert at_work(*asked, *user("Let me see. No, it was a gift of the choir.")).corrections == ()
    assert at_work(*user("Wait, that's the harvest festival.")).corrections == ()
    assert at_work(*user("I'm not convinced, but put it in as a proposal.")).corrections == ()


def test_an_address_that_is_handed_over_is_no_decision() -> None:
    assert at_work(*user("yes, use ops@kestrel.example")).decisions == ()
    assert at_work(*user("yes, use Postgres")).decisions != ()


def test_after_that_is_wrong_comes_what_is_right() -> None:
    assert at_work(*user("That's wrong. The port is 8443.")).corrections == ("The port is 8443.",)


@pytest.mark.parametrize(
    "text",
    [
        "I prefer small commits.",
        "I hate long meetings.",
        "Always run the tests before a push.",
        "And never touch the folder of scans.",
        "Please don't touch the schema.",
        "From now on answer in French.",
        "i prefer small commits",
        "i always want the scans in their own folder",
        "dont use scans wider than the page",
        "please write it less stiff, i like short sentences",
        "我喜欢简短的提交说明。",
        "请不要在周五发布。",
        "以后都用中文回答。",
    ],
)
def test_a_preference_or_standing_instruction_is_kept(text: str) -> None:
    assert at_work(*user(text)).preferences == (text,)


def test_a_preference_says_whose_it_is() -> None:
    (kept,) = fold(*user("I prefer dark roast.", speaker="Ana")).preferences
    assert kept == 'On 2026-03-01 Ana said: "I prefer dark roast."'


@pytest.mark.parametrize(
    "text",
    [
        "I love Maureen.",
        "Please use a linear one.",
        "I love it!",
        "I love that idea.",
        "Don't worry.",
        "I like your painting.",
        "Never cooking rice again lol",
        "不要担心。",
    ],
)
def test_praise_is_no_preference(text: str) -> None:
    assert at_work(*user(text)).preferences == ()


@pytest.mark.parametrize(
    "text",
    [
        "I love the colour and the texture.",
        "I love all the red roofs, it looks so warm.",
        "I'm glad to have a job I enjoy every day.",
        "I'd prefer the 15th for the move.",
        "I always take it with meals.",
        "I never received the parcel.",
        "I'll write down my rowing times from now on.",
        "dont mention his wage in the letter",
    ],
)
def test_what_holds_for_once_is_no_preference(text: str) -> None:
    assert at_work(*user(text)).preferences == ()


def test_what_people_bid_each_other_is_no_wish_to_the_agent() -> None:
    bidden = user("Avoid grapefruit with the pills.", speaker="Ben")
    assert fold(*user("I sold the van.", speaker="Ana"), *bidden).preferences == ()
    assert len(at_work(*bidden, *agent("I will.")).preferences) == 1


def test_an_assistants_wishes_are_not_the_users() -> None:
    assert at_work(*agent("I prefer to read the tests first.")).preferences == ()


def test_a_repeated_error_is_told_once_and_acknowledgements_never() -> None:
    error = "HTTP/1.1 429 Too Many Requests"
    episode = fold(*tool(error, error, "ok", "", "Done."))
    assert episode.tool_results == (ToolResult("bash", error),)


def test_long_output_keeps_errors_first_and_last_line() -> None:
    log = ["start", *(f"step {n} fine" for n in range(400)), "KeyError: 'amount'", "exit 1"]
    log.insert(200, "ERROR disk full")
    short = tool_results.shorten("\n".join(log), 200)
    assert len(short) <= 200
    assert {"start", "ERROR disk full", "KeyError: 'amount'", "exit 1"} <= set(short.split("\n"))


@given(st.text(), st.integers(0, 60))
def test_short_is_never_longer_than_asked(result: str, most: int) -> None:
    assert len(tool_results.shorten(result, most)) <= most


def test_a_chinese_question_is_known_by_its_word_and_open_where_they_have_to_settle_it() -> None:
    asked = (
        "\u59d0\u59d0\u7684\u5b69\u5b50\u51e0\u5c81\u4e86",
        "\u5976\u5976\u5230\u5bb6\u4e86\u5417",
        "\u6211\u4eec\u54ea\u5929\u53bb\u770b\u623f\u5b50",
    )
    episode = fold(
        *(
            t
            for n, text in enumerate(asked)
            for t in user(text, speaker=("\u963f\u660e", "\u963f\u7ea2")[n % 2])
        )
    )
    assert episode.open_questions == ("\u6211\u4eec\u54ea\u5929\u53bb\u770b\u623f\u5b50",)
    assert not any(text in episode.summary for text in asked)
    told = (
        "\u5988\u5988\u95ee\u6211\u4ec0\u4e48\u65f6\u5019\u7ed3\u5a5a",
        "\u6211\u8fd8\u6ca1\u60f3\u597d\u8981\u4e0d\u8981\u5356\u8f66",
    )
    assert not any(map(salience.is_question, told))


def test_talk_of_which_nothing_stands_alone_says_who_talked() -> None:
    said = ["lol", "same tho", "and u told me NOTHING", "is it the one", "yeah that one", "ok bye"]
    day = "2026-03-01T09:00:00Z"
    turns = [
        Turn("user", text, at=day, speaker=("Jo", "Ren")[n % 2]) for n, text in enumerate(said)
    ]
    episode = fold(*turns)
    assert episode.summary == "Jo and Ren talked on 2026-03-01."
    assert episode.title == "Jo and Ren, 2026-03-01"


def test_talk_is_named_by_what_was_decided_in_it() -> None:
    said = ("The floor of the barn must be new.", "We decided on Larvik, because oak is dear.")
    assert fold(*user(*said, speaker="Nils")).title == "Nils, 2026-03-01: Larvik"


def test_a_street_is_named_with_its_name_behind_a_number() -> None:
    said = ("We moved in May, to 12 Harbour Lane.", "Good luck!")
    assert fold(*user(*said, speaker="Nils")).title == "Nils, 2026-03-01: Harbour Lane"


def test_talk_of_which_nothing_stands_alone_names_what_comes_up_again() -> None:
    """A line of names and a day told nothing of a talk that was about something."""
    made = fold(
        Turn("user", "How is the boiler, any better?", "Jo", "2026-03-01T10:00:00Z"),
        Turn("user", "Ha, that boiler again.", "Ren", "2026-03-01T10:01:00Z"),
        Turn("user", "And the rent? So much!", "Jo", "2026-03-01T10:02:00Z"),
        Turn("user", "Oh, the rent, do not ask.", "Ren", "2026-03-01T10:03:00Z"),
        Turn("user", "Same here!", "Jo", "2026-03-01T10:04:00Z"),
        Turn("user", "What about the kiln?", "Ren", "2026-03-01T10:05:00Z"),
    )
    assert made.summary == "Jo and Ren talked on 2026-03-01 (boiler, rent)."


def test_three_who_talked_are_named_and_a_crowd_is_counted() -> None:
    def title(*names: str) -> str:
        said = [("lol", "same tho", "ok bye", "yeah that one", "k")[n % 5] for n in range(10)]
        pairs = zip(said, names * 10, strict=False)
        return fold(
            *(Turn("user", t, at="2026-03-01T09:00:00Z", speaker=who) for t, who in pairs)
        ).title

    assert title("Jo", "Ren", "Kim") == "Jo, Ren and Kim, 2026-03-01"
    assert title("Jo", "Ren", "Kim", "Lu", "Mo") == "5 people, 2026-03-01"


def test_what_is_wanted_names_talk_only_where_it_is_a_thing() -> None:
    asked = ("So we need permits for everything?", "It leaks.", "Yes.", "Both.", "No.", "Fine.")
    assert fold(*(t for a in asked for t in user(a))).title != "Everything"


def test_the_title_of_a_few_lines_is_what_both_spoke_of_behind_their_names() -> None:
    turns = (
        *user("Ben, the pottery class starts on Monday.", speaker="Ana"),
        *user("Ana, is the pottery class in Oslo?", speaker="Ben"),
    )
    assert fold(*turns).title == "Ana and Ben, 2026-03-01: pottery class"


# The compact of a session.


def test_one_turn_is_enough_for_a_compact() -> None:
    stands = compact(*user("Ship report.py on Friday, Bob decided."))
    assert stands.task == "Ship report.py on Friday, Bob decided."
    assert stands.key_decisions == (Decision("Ship report.py on Friday, Bob decided"),)
    assert stands.compacted_at_turn == 1


def test_a_compact_has_goal_state_and_next_step() -> None:
    stands = compact(
        *user("Hello!", "Build a nightly report for billing."),
        *agent("The timer is in place. TODO: alert when a run fails."),
    )
    assert stands.task == "Build a nightly report for billing."
    assert stands.current_state == "The timer is in place."
    assert stands.next_steps == ("TODO: alert when a run fails",)


def test_what_was_given_up_is_not_how_things_stand_and_what_is_next_is_a_step() -> None:
    made = compact(
        *user("We need a queue for the jobs of the shop."),
        *agent(
            "I looked at three brokers.",
            "We tried polling every 5s, it causes rate limiting, don't retry.",
            "Next: order the Calda, then book the plumber.",
        ),
    )
    assert made.current_state == "I looked at three brokers."
    assert made.next_steps == ("Next: order the Calda, then book the plumber",)


def test_what_binds_the_goal_stays_with_it() -> None:
    made = compact(
        *user("Fix the login of the shop. It must work without cookies. You must be tired."),
        *agent("I'll look at it."),
    )
    assert made.task == "Fix the login of the shop. It must work without cookies."


@pytest.mark.parametrize(
    ("told", "left"),
    [("is written.", False), ("is written every Friday.", True), ("is not written.", True)],
)
def test_a_step_is_done_once_it_is_told_that_it_is(told: str, left: bool) -> None:  # noqa: FBT001  # a case
    made = compact(
        *agent("Next I write the migration."), *user("Good."), *agent(f"The migration {told}")
    )
    assert ("Next I write the migration" in made.next_steps) == left


def test_a_chinese_compact_has_goal_state_and_next_step() -> None:
    stands = compact(*user("帮我设计缓存方案。"), *agent("接口已完成。下一步写压测脚本。"))
    assert stands.task == "帮我设计缓存方案。"
    assert stands.current_state == "接口已完成。"
    assert stands.next_steps == ("下一步写压测脚本",)


PRIOR = SessionCompact(
    task="Build a nightly report for billing.",
    current_state="The timer is in place.",
    key_decisions=(Decision("Store the billing report as CSV", "Excel opens it"),),
    eliminated_approaches=(Eliminated("Kafka", "nobody can run it"),),
    open_questions=("Which region should the worker run in?",),
    next_steps=("Add a retry queue",),
    relevant_tool_results=(ToolResult("bash", "48213 rows"),),
    compacted_at_turn=40,
)


def test_what_the_prior_compact_holds_stays() -> None:
    merged = compact(*user("Thanks!"), prior=PRIOR)
    assert merged.task == PRIOR.task
    assert merged.key_decisions == PRIOR.key_decisions
    assert merged.eliminated_approaches == PRIOR.eliminated_approaches
    assert merged.open_questions == PRIOR.open_questions
    assert merged.next_steps == PRIOR.next_steps
    assert merged.relevant_tool_results == PRIOR.relevant_tool_results


def test_an_answer_and_a_deed_clear_the_prior_compact() -> None:
    merged = compact(
        *user("The worker should run in the Frankfurt region."),
        *agent("Done, I added the retry queue."),
        prior=PRIOR,
    )
    assert merged.open_questions == ()
    assert merged.next_steps == ()


def test_a_newer_decision_on_the_same_subject_supersedes() -> None:
    merged = compact(*user("Let's store the billing report as Parquet."), prior=PRIOR)
    assert [d.decision for d in merged.key_decisions] == [
        "Let's store the billing report as Parquet"
    ]


def test_a_fault_that_is_to_be_mended_rules_nothing_out() -> None:
    said = "The nightly export times out on the big shops. Figure out why and fix it."
    assert not at_work(*user(said)).eliminated
    assert at_work(*user("The nightly export times out, so let's drop the export.")).eliminated


def test_what_was_given_up_is_named_without_chat_and_time() -> None:
    said = "i tried elasticlunr last year and it couldn't do stemming"
    assert [e.approach for e in at_work(*user(said)).eliminated] == ["elasticlunr"]
    said = "we decided against the extension btw"
    assert [e.approach for e in at_work(*user(said)).eliminated] == ["the extension"]


def test_a_question_of_something_named_elsewhere_is_not_kept_open() -> None:
    at = "2026-03-01T09:00:00Z"
    turns = [
        Turn("user", "my cousin used an app for that", at=at, speaker="Bo"),
        Turn("user", "what's it called", at=at, speaker="Uma"),
        Turn("user", "no clue i'll ask her", at=at, speaker="Bo"),
    ]
    assert not fold(*turns).open_questions


def test_an_approach_taken_up_after_all_is_no_longer_ruled_out() -> None:
    merged = compact(*user("Let's go with Kafka after all."), prior=PRIOR)
    assert merged.eliminated_approaches == ()


def test_a_new_task_replaces_the_old() -> None:
    merged = compact(*user("New task: translate the handbook."), prior=PRIOR)
    assert merged.task == "New task: translate the handbook."


def test_chatter_never_pushes_out_a_prior_decision() -> None:
    chatter = user(*(f"Let's go with colour_{n} for wall_{n}." for n in range(30)))
    merged = compact(*chatter, prior=PRIOR)
    assert PRIOR.key_decisions[0] in merged.key_decisions
    assert len(merged.key_decisions) == 12


# What holds for every conversation.


def compared(text: str) -> str:
    """Return *text* as it is compared: letters and digits only."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def quotations(line: str) -> list[str]:
    """Return *line* of a summary; of one that says who talked the words of the things it names."""
    talked = re.search(r" talked(?: on \S+)?(?: \((?P<things>.+)\))?\.$", line)
    return re.findall(r"[^\s,]+", talked["things"] or "") if talked else [line]


def told(episode: Episode, stands: SessionCompact) -> list[str]:
    """Return every text of both, without frames and cuts."""
    decisions = [
        (d.decision, d.reason, d.constraint) for d in (*episode.decisions, *stands.key_decisions)
    ]
    ruled_out = [(e.approach, e.why) for e in (*episode.eliminated, *stands.eliminated_approaches)]
    texts = [
        *chain.from_iterable(decisions),
        *chain.from_iterable(ruled_out),
        *chain.from_iterable(map(quotations, episode.summary.splitlines())),
        *episode.open_questions,
        *episode.corrections,
        *episode.preferences,
        stands.task,
        *stands.current_state.splitlines(),
        *stands.open_questions,
        *stands.next_steps,
    ]
    results = (*episode.tool_results, *stands.relevant_tool_results)
    parts = [part for result in results for part in result.result.split(" / ")]
    quoted = [utterances.quoted(text).text for text in (*texts, *parts)]
    return [piece for text in quoted for piece in text.split("…")]


@pytest.mark.long
@given(TURNS)
def test_nothing_is_invented(turns: tuple[Turn, ...]) -> None:
    said = compared(" ".join(turn.content for turn in turns))
    for text in told(fold(*turns), compact(*turns)):
        assert compared(text) in said


@pytest.mark.long
@given(TURNS)
def test_the_same_turns_give_the_same_answers(turns: tuple[Turn, ...]) -> None:
    assert fold(*turns) == fold(*turns)
    stands = compact(*turns)
    assert stands == compact(*turns)
    assert stands.task


@given(TURNS)
def test_compacting_the_same_turns_again_adds_nothing(turns: tuple[Turn, ...]) -> None:
    once = compact(*turns)
    again = compact(*turns, prior=once)
    assert len(again.key_decisions) <= len(once.key_decisions)
    assert len(again.eliminated_approaches) <= len(once.eliminated_approaches)
    assert set(again.open_questions) <= set(once.open_questions)


@pytest.mark.long
def test_twice_as_many_turns_are_about_twice_as_much_work() -> None:
    turns = [turn for _ in range(15) for turn in (*user(*LINES[:7]), *agent(*LINES[7:]))]
    fold(*turns[:100])  # what is looked up once is looked up
    assert calls(lambda: fold(*turns[:200])) < 3 * calls(lambda: fold(*turns[:100]))


# Topics.


def distil(*episodes: tuple[str, Episode], topics: tuple[Topic, ...] = ()) -> tuple[Topic, ...]:
    """Distil *episodes* into *topics*; return the new or changed ones."""
    return Extractive().topics(DistillTask(episodes, topics)).value


REPORT = Episode(
    "Billing report",
    "The billing report runs every night.",
    (Decision("We decided on Parquet for the billing report", "DuckDB reads it"),),
    (Eliminated("Kafka", "nobody can run it"),),
    ("Which region?",),
    ("No, actually the billing report window is 2 hours, not 3.",),
    ("Please always run the tests before you push.",),
)
ANA = Episode("Coffee", 'On 2026-03-01 Ana said: "I moved to Oslo in May."')


def test_topics_carry_the_links_of_their_episodes() -> None:
    topics = distil(("e1", REPORT), ("e2", ANA))
    assert [topic.slug for topic in topics] == ["ana", "billing-report", "preferences"]
    assert topics[0].facts[0].sources == ("e2",)
    assert topics[1].decisions[0].sources == ("e1",)
    assert topics[1].eliminated[0].eliminated == Eliminated("Kafka", "nobody can run it")
    assert topics[2].patterns[0].text == "Please always run the tests before you push."
    assert all(topic.description for topic in topics)


def of_a_loan(title: str, *said: str) -> Episode:
    return Episode(title, "\n".join(f'On 2026-03-01 user said: "{text}"' for text in said))


def test_parts_of_one_matter_and_talk_without_a_subject_are_of_one_topic() -> None:
    first = of_a_loan("House loan", "I asked for a house loan at the bank in Ghent.")
    fees = of_a_loan("House loan: fees", "I paid the notary 400 euros in January.")
    dated = of_a_loan("House loan, 2026-03-01", "I work as a carpenter in Bruges.")
    idle = of_a_loan("Talk of 2026-03-01", "My garden has four apple trees.")
    episodes = tuple(zip(("e1", "e2", "e3", "e4"), (first, fees, dated, idle), strict=True))
    task = DistillTask(episodes, sessions=dict.fromkeys(("e1", "e2", "e3", "e4"), "s"))
    assert {topic.title for topic in Extractive().topics(task).value} == {"House loan"}


def test_matters_that_are_called_by_different_names_are_different_topics() -> None:
    ghent = of_a_loan("Ghent house loan", "I asked for a Ghent house loan with fixed interest.")
    oslo = of_a_loan("Oslo house loan", "I asked for an Oslo house loan with fixed interest.")
    topics = distil(("e1", ghent), ("e2", oslo))
    assert [topic.title for topic in topics] == ["Ghent house loan", "Oslo house loan"]


def test_distilling_the_same_episodes_again_changes_nothing() -> None:
    topics = distil(("e1", REPORT), ("e2", ANA))
    assert distil(("e1", REPORT), ("e2", ANA), topics=topics) == ()


def test_the_same_said_in_another_episode_is_one_bullet_with_both_links() -> None:
    topics = distil(("e1", ANA))
    (again,) = distil(("e2", ANA), topics=topics)
    assert [(fact.sources) for fact in again.facts] == [("e1", "e2")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The deploy window is 3 hours.", "The deploy window is 2 hours."),
        ("The default editor is Vim.", "The default editor is Emacs."),
        ("The staging server is in Paris.", "The staging server is in Rome."),
        ("The staging cluster has 4 nodes.", "The staging cluster no longer has 4 nodes."),
        ("会议室在三楼 301。", "更正：会议室在三楼 302。"),
    ],
)
def test_a_contradicted_fact_gives_way_to_the_newer(old: str, new: str) -> None:
    topics = distil(("e1", Episode("Deploy", old, corrections=(old,))))
    (after,) = distil(("e2", Episode("Deploy", new, corrections=(new,))), topics=topics)
    assert [(fact.text, fact.sources) for fact in after.facts] == [(new, ("e2",))]


def test_two_events_do_not_contradict_each_other() -> None:
    ran = [f'On 2026-03-0{n} Ana said: "I ran {n} miles with Ben at the lake."' for n in (1, 2)]
    (topic,) = distil(("e1", Episode("Run", ran[0])), ("e2", Episode("Run", ran[1])))
    assert len(topic.facts) == 2


def test_a_chinese_topic_is_named_by_a_hash_and_found_again() -> None:
    episode = Episode("缓存方案", "缓存服务在 10 月 3 日上线。")
    (topic,) = distil(("e1", episode))
    assert topic.slug.startswith("topic-")
    assert topic.title == "缓存方案"
    assert distil(("e1", episode), topics=(topic,)) == ()


@pytest.mark.long
def test_a_topic_that_grows_too_long_is_split_by_subject() -> None:
    lines = [
        f'On 2026-03-01 Ana said: "I joined Crew{n} in Harbour{n} on May {n % 28 + 1}."'
        for n in range(160)
    ]
    episodes = [(f"e{n}", Episode("Boats", line)) for n, line in enumerate(lines)]
    topics = distil(*episodes)
    assert len(topics) > 1
    assert all(len(topic.facts) <= 150 for topic in topics)
    assert sum(len(topic.facts) for topic in topics) == 160
    assert all(topic.title.startswith("Ana") for topic in topics)
    assert distil(*episodes, topics=topics) == ()


def test_a_description_a_person_wrote_stays() -> None:
    (topic,) = distil(("e1", ANA))
    mine = Topic(topic.slug, topic.title, "When Ana is mentioned.", topic.facts)
    more = Episode("Job", 'On 2026-04-01 Ana said: "I started at Equinor in April."')
    (after,) = distil(("e2", more), topics=(mine,))
    assert after.description == "When Ana is mentioned."


def test_a_long_titled_topic_that_is_full_is_split_into_parts_with_names_of_their_own() -> None:
    """However long the title is, and however alike the parts are."""
    title = "Migration of the billing service to Postgres, ledger, invoices and reconciliation"
    facts = tuple(Fact(f"The ledger moved on {n} May at noon.", ("e",)) for n in range(400))
    full = Topic(titles.slug(title), title, "", facts=facts)
    parts = distillation._split(full, frozenset({full.slug}))
    slugs = [part.slug for part in parts]
    assert len(slugs) == len(set(slugs)) > 2


def among(*said: str) -> Episode:
    """Return the episode of what Jo and Ren *said*, in turn."""
    at = "2026-03-01T09:00:00Z"
    turns = (Turn("user", t, at=at, speaker=("Jo", "Ren")[n % 2]) for n, t in enumerate(said))
    return fold(*turns)


@pytest.mark.parametrize(
    "text",
    [
        "The guy I'm going with is quick",
        "These are the people I choose",
        "a car decided to stop by the lake",
        "haha yeah it is",
        "Go with a friend, the lake is deep",
    ],
)
def test_among_people_a_relative_clause_and_what_others_decide_are_no_decision(text: str) -> None:
    assert among(text, "ok").decisions == ()


def test_among_people_a_riposte_and_a_tale_leave_nothing_open() -> None:
    assert among("who am I spamming?", "lol").open_questions == ()
    tale = "we picked the lake because we couldn't decide on a hill"
    assert among(tale, "lol").open_questions == ()
    assert among("which ferry do we take to the lake?").open_questions


def test_among_people_what_puts_something_right_leans_on_it_and_is_not_told() -> None:
    assert among("I meant the lamps in the hall", "ok").corrections == ()
    assert among("No, it was on Hallig Hooge, not on Sylt", "ok").corrections == ()


def test_a_single_line_of_chat_is_told_by_who_spoke_and_when() -> None:
    episode = among("See you around, hopefully!")
    assert (episode.title, episode.summary) == ("Jo, 2026-03-01", "Jo talked on 2026-03-01.")
