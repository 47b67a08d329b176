"""What people commit to in everyday Chinese is a decision; what others do, and a tale, is none."""

# ruff: noqa: RUF001  Chinese is written with its own marks.

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Episode
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

AT = "2026-03-01T10:00:00Z"


def told(said: str) -> Episode:
    """Return what is told of a friend who says this when asked."""
    turns = (Turn("user", "那怎么说？", "小李", AT), Turn("user", said, "阿敏", AT))
    return Extractive().episode(FoldTask(turns, 1, "s", "ada")).value


def decided(said: str) -> list[str]:
    """Return what a friend decides who says this when asked."""
    return [it.decision for it in told(said).decisions]


@pytest.mark.parametrize(
    "text",
    [
        "我们商量好了，国庆去青岛",
        "我跟老公商量好了，明年要二胎",
        "那就定了，婚礼在苏州办",
        "孩子的名字定了，叫林知夏",
        "会议改到周四上午十点，大家都同意了",
        "我和老公决定把老房子卖掉",
        "我想好了，接受那个南京的工作",
        "我已经签了租房合同，下周搬到徐汇",
        "我报了周三晚上的瑜伽课",
        "最后还是买了那台二手的丰田",
        "数据库我们最终选了PostgreSQL",
        "我们决定先不买车，把钱留着装修",
    ],
)
def test_what_is_talked_over_or_signed_is_decided(text: str) -> None:
    """Whether the clause before says so, the next, or the deed."""
    assert [text in it for it in decided(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "我想好了再告诉你",
        "我想好了，你别管",
        "等商量好了，我们再去订票",
        "他们商量好了，婚礼在苏州办",
        "公司的方案定了，全员降薪",
        "我报了警",
        "我签了名，快递放门口了",
        "我最后还是买了单",
        "我妈跟我说好了，过年给红包",
        "说好了一起去的，结果你放我鸽子",
        "老板说我们决定加班",
        "说定了，明天见",
        "想好了，我要喝奶茶",
        "本来定了去云南，后来航班取消了",
        "游戏里我选了法师，结果第一关就挂了",
    ],
)
def test_what_others_settle_and_what_is_of_the_hour_is_not_decided(text: str) -> None:
    """Who waits to be told, drinks tea or pays a bill commits to nothing."""
    assert decided(text) == []


@pytest.mark.parametrize(
    ("text", "approach"),
    [
        ("我不考虑考研了，因为想早点工作", "考研"),
        ("我们放弃了去西藏，因为孩子太小", "去西藏"),
    ],
)
def test_what_those_who_talk_give_up_is_ruled_out(text: str, approach: str) -> None:
    """Without the particle that ends the sentence."""
    assert [it.approach for it in told(text).eliminated] == [approach]


@pytest.mark.parametrize(
    "text",
    [
        "他放弃了考研，因为太累",
        "我妈不考虑换房，因为舍不得邻居",
        "我同学放弃了保研，因为想出国",
        "先放弃治疗哈哈",
    ],
)
def test_what_others_give_up_is_not_ruled_out(text: str) -> None:
    """Nor what is given up laughing."""
    assert told(text).eliminated == ()


def test_what_others_leave_open_is_not_open() -> None:
    """But what is theirs, and to be settled here, is."""
    assert told("他还没想好").open_questions == ()
    assert told("老板还没定价格").open_questions == ()
    assert told("孩子的名字还没定下来").open_questions == ("孩子的名字还没定下来",)


def test_what_one_has_not_decided_is_open_where_one_says_what() -> None:
    """Who has not thought of where to go says more than `还没想好`."""
    assert told("我还没想好去哪里过年").open_questions == ("我还没想好去哪里过年",)
    assert told("我妈还没想好去哪里过年").open_questions == ()
    assert told("我还没想好呢").open_questions == ()
