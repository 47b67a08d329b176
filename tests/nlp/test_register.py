"""Talk with an agent is work where it shows it; all else is read as talk among people is."""

# ruff: noqa: RUF001  Chinese is written with its own marks.

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Episode
from vaultmem.nlp.extraction.talk import register
from vaultmem.nlp.extraction.talk.register import Register
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history

WORK, EVERYDAY = Register.WORK, Register.EVERYDAY


def talk(*said: str, speaker: str = "") -> tuple[Turn, ...]:
    """Let a person and an agent speak in turn, the person first."""
    return tuple(
        Turn("assistant" if n % 2 else "user", text, "" if n % 2 else speaker)
        for n, text in enumerate(said)
    )


def fold(*turns: Turn) -> Episode:
    return Extractive().episode(FoldTask(turns, session="s")).value


SMALL = talk(
    "what can I do with half a leek",
    "A tart would be nice. Do you have cream?",
    "Quark, because I'm out of cream",
    "Quark it is! Let's use a hot oven so that it browns.",
    "ovens are too hot for me in August",
    "Then a soup. Should it be cold?",
)


def test_small_talk_with_an_agent_settles_rules_out_and_asks_nothing_in_passing() -> None:
    episode = fold(*SMALL)
    assert (episode.decisions, episode.eliminated, episode.open_questions) == ((), (), ())


def test_the_same_turns_of_phrase_settle_things_at_work() -> None:
    episode = fold(
        *talk(
            "import_orders.py reads the whole CSV into memory",
            "I can stream it. Do we use ijson or a generator?",
            "A generator, because ijson is for JSON",
            "Done. Should the batch size be in config.toml?",
        )
    )
    assert [d.decision for d in episode.decisions] == ["A generator"]
    assert episode.open_questions == ("Should the batch size be in config.toml?",)


@pytest.mark.parametrize(
    "text",
    [
        "We decided to get a puppy because the garden is big",
        "I've decided to sell the tandem because nobody rides it",
        "We're going with the ferry because the tunnel is closed",
        "We take the Ferro because it heats water, too",
        "我们决定卖掉钢琴，因为没有人弹",
    ],
)
def test_what_a_person_commits_to_in_so_many_words_is_told_in_small_talk_too(text: str) -> None:
    assert len(fold(*talk("hi", "Hello!", text, "How lovely.")).decisions) == 1


@pytest.mark.parametrize(
    "text",
    [
        "we chose a thriller last week because my cousin wanted it",
        "my landlord decided to paint the stairs",
        "We woke up early and decided to paint the shed",
        "I decided I liked physics more",
        "I decided to take a break",
        "I went with all my uncles",
        "老板又决定让我们周末加班",
        "我决定躺平了哈哈",
        "去年我们选择了青岛，因为有海",
        "没有牛肉，改用豆腐行吗",
    ],
)
def test_a_tale_a_jest_and_what_others_decide_are_none(text: str) -> None:
    assert fold(*talk("hi", "Hello!", text, "I see.")).decisions == ()


def test_what_an_agent_says_in_small_talk_commits_nobody() -> None:
    turns = talk("tell me about moss", "We've decided to grow moss because grass is thirsty.")
    assert fold(*turns).decisions == ()
    assert fold(*(Turn("user", turn.content) for turn in turns)).decisions != ()


def test_an_agents_agreement_takes_up_no_proposal() -> None:
    turns = talk("lets open with the slow song", "Deal!")
    assert fold(*turns).decisions == ()


def test_of_what_is_asked_in_small_talk_only_what_holds_for_good_is_kept() -> None:
    assert fold(*talk("From now on answer in French.", "D'accord.")).preferences
    assert fold(*talk("Please write it less stiff.", "Sure.")).preferences == ()
    assert fold(*talk("Never change!", "I won't.")).preferences == ()


@pytest.mark.parametrize(
    "text",
    [
        "我们可以采用新的缓存",
        "客户决定用 Redis",
        "如果采用 Redis，缓存会更快",
        "缓存按我们选择的类别分组",
        "这澄清了缓存是什么吗？",
        "你还有其他关于缓存的问题吗？",
    ],
)
def test_at_work_chinese_verbs_of_choice_decide_nothing_for_others(text: str) -> None:
    episode = fold(*talk("缓存的接口报错了", text, "改一下 `cache.py`"))
    assert (episode.decisions, episode.open_questions) == ((), ())


def test_notes_to_an_agent_are_work_by_what_they_name() -> None:
    notes = ("Chose row locks because the DB has no queue.", "TODO: page the query.")
    episode = fold(*(Turn("user", note) for note in notes))
    assert [d.decision for d in episode.decisions] == ["Chose row locks"]


def test_an_order_with_its_number_and_price_is_settled_as_work_is() -> None:
    said = ("My policy is KV-44821.", "The deductible is $500 or $1000.", "Let's go with $1000.")
    assert len(fold(*talk(*said)).decisions) == 1


def test_nobody_is_put_right_in_small_talk() -> None:
    assert fold(*talk("I meant the lamp in the hall", "Ah!")).corrections == ()


def test_one_turn_that_names_a_tool_of_the_trade_makes_no_talk_work() -> None:
    turns = (*SMALL, *talk("my nephew learns Python", "How nice."))
    assert set(register.registers(turns)) == {EVERYDAY}


def test_a_talk_that_goes_from_one_to_the_other_is_read_turn_by_turn() -> None:
    work = talk(*("the build of `main` fails in deploy.yml", "Fixed in 9 files, tests pass.") * 6)
    found = register.registers((*SMALL * 2, *work))
    assert found[0] is EVERYDAY
    assert found[-1] is WORK


@pytest.mark.parametrize(
    ("tool", "answer", "read"),
    [
        ("bash", "ok", WORK),
        ("search", "Traceback: KeyError in app/jobs.py", WORK),
        ("weather", '{"high_celsius": 28, "city": "Bologna"}', EVERYDAY),
    ],
)
def test_a_tool_shows_work_where_it_touches_files_or_runs_commands(
    tool: str, answer: str, read: Register
) -> None:
    turns = (*talk("can you look"), Turn("tool", answer, tool=tool))
    assert register.registers(turns)[0] is read


def test_a_person_with_a_name_works_with_an_agent_and_never_among_people() -> None:
    said = ("pytest fails in jobs.py", "Fixed in commit 4412.", "Merge the branch then")
    assert set(register.registers(talk(*said, speaker="Ida"))) == {WORK}
    people = (Turn("user", text, ("Ida", "Mo")[n % 2]) for n, text in enumerate(said))
    assert set(register.registers(tuple(people))) == {EVERYDAY}


@pytest.mark.parametrize(
    "said",
    [
        ("Der Test schlägt in login_test.py fehl.", "Die Datenbank antwortet nicht.", "Warum?"),
        ("登录接口报错了", "日志里是连接池耗尽", "改一下配置"),
    ],
)
def test_work_shows_in_german_and_chinese_too(said: tuple[str, ...]) -> None:
    assert set(register.registers(talk(*said))) == {WORK}
