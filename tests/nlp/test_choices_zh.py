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
        "咱们说好了啊 小李负责拍照",
        "最后大家都同意用飞书",
        "装修就用原来那个师傅了 已经付定金",
        "想了一晚上还是报了北京的学校",
        "最后还是买了便宜的那个保险",
        "最后订了便宜的那家青旅",
        "我们定了三月去云南",
        "我跟弟弟说好了房租一人一半",
        "还是决定把旧钢琴留着",
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
        "我定了闹钟六点半",
        "我们定了位子七点",
        "十岁的时候我决定当兽医",
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
        ("不买那辆车了 太费油", "买那辆车"),
        ("今年不去日本了 签证来不及", "去日本"),
        ("算了 那个房子不考虑了 楼层太低", "那个房子"),
        ("我再也不熬夜了 头疼", "熬夜"),
        ("我们决定不办婚礼了", "办婚礼"),
        ("健身卡不续了 根本没时间去", "健身卡"),
        ("那个方案被我们否了 成本太高", "那个方案"),
        ("奶茶我已经戒三周了", "奶茶"),
        ("博物馆不去了 周一闭馆", "博物馆"),
        ("蓝色的漆不要了 像医院", "蓝色的漆"),
        ("同居这事我们不考虑 都想要自己的空间", "同居这事"),
        ("我把那个offer拒了 加班太狠", "那个offer"),
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
        "不吃了 饱了",
        "不开心了",
        "不开车了 我喝酒了",
        "不订外卖了",
        "学校不去了 肚子疼",
        "饭不要了 饱了",
        "他们不结婚了",
        "简历被拒了",
        "航班取消了",
        "万一婚礼不办了怎么办",
        "他说他再也不喝酒了",
        "听说他家不做外卖了",
        "本来不去日本了 结果又去了",
        "我们公司今年不招人了",
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


@pytest.mark.parametrize(
    "text",
    [
        "还没想好要不要养猫",
        "到底谁去接机还没定",
        "不知道押金能不能退",
        "我还在纠结选哪个专业",
        "还不确定那天能不能请到假",
        "得问问房东能不能换锁",
        "也不知道是屏幕坏了还是电池的问题",
        "生日礼物送什么还没头绪",
        "孩子上哪个幼儿园我们还在商量",
    ],
)
def test_a_question_that_one_does_not_know_the_answer_of_is_open(text: str) -> None:
    """Though it is put as it would be asked."""
    assert told(text).open_questions == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "他在纠结要不要分手",
        "我儿子在纠结选哪个学校",
        "老板还不知道我们搬哪个办公室",
        "我也不知道为啥",
        "不知道吃什么",
        "我不知道他几点来",
        "不知道谁在敲门",
        "不知道哪来的自信",
        "你决定了告诉我",
    ],
)
def test_what_others_have_to_settle_and_what_is_so_is_not_open(text: str) -> None:
    """Nor what to eat, nor why one laughs."""
    assert told(text).open_questions == ()


@pytest.mark.parametrize(
    "text",
    [
        "我还是更喜欢坐靠窗的位置",
        "比起打电话我宁愿发微信",
        "相比海边我更想去山里",
        "我不吃香菜",
        "咖啡我只喝美式",
        "我一般都穿黑色",
        "我超讨厌排队",
        "恐怖片我完全看不了",
        "最近特别迷爵士",
    ],
)
def test_what_one_likes_sets_against_another_or_keeps_to_is_a_taste(text: str) -> None:
    """Whoever says how much speaks of themselves."""
    assert told(text).preferences == (f"2026-03-01 阿敏：“{text}”",)


@pytest.mark.parametrize(
    "text",
    [
        "我妈喜欢靠窗",
        "我弟不吃香菜",
        "我以前更喜欢吃辣",
        "如果让我选我宁愿不开会",
        "我宁愿被熊吃了也不想报税 哈哈哈",
        "最烦你了",
        "我喜欢的那个明星结婚了",
        "重新刷之前我更喜欢",
        "电视我看不了 坏了",
        "我不喝 谢谢",
        "我不穿外套 不冷",
        "我只看了一半",
        "好喜欢这首歌",
        "今天我不喝酒",
    ],
)
def test_what_others_like_and_what_one_does_now_is_no_taste(text: str) -> None:
    """Nor what one did, nor what is said laughing."""
    assert told(text).preferences == ()
