"""What a person says of themselves in German and Chinese, as a tool tells it afterwards."""

from __future__ import annotations

import pytest

from vaultmem.memory.tool_quotes import quotes
from vaultmem.storage.transcripts import Turn

TOLD = (
    (
        "Ich mag gr\u00fcnen Tee am Nachmittag und am Abend.",
        "Die Nutzerin mag gr\u00fcnen Tee am Nachmittag und am Abend.",
    ),
    (
        "Meinen Tee trinke ich ohne Milch und nie nach sechs Uhr abends.",
        "Ihren Tee trinkt die Nutzerin ohne Milch und nie nach sechs Uhr abends.",
    ),
    (
        "Ich habe seit 2019 eine Allergie gegen alle Haseln\u00fcsse.",
        "Mara hat seit 2019 eine Allergie gegen alle Haseln\u00fcsse.",
    ),
    (
        "Ich wohne in Linz, arbeite bei der Ferro Bank und fahre mit dem Rad hin.",
        "Der Benutzer wohnt in Linz, arbeitet bei der Ferro Bank und f\u00e4hrt mit dem Rad hin.",
    ),
    (
        "Ich sammle alte Karten, und jeden Samstag halte ich mein Lager in Linz offen.",
        "Mara sammelt alte Karten, und jeden Samstag h\u00e4lt sie ihr Lager in Linz offen.",
    ),
    ("我喜欢喝绿茶\uff0c下午和晚上都喝。", "用户喜欢喝绿茶\uff0c下午和晚上都喝。"),
    ("我从2019年开始对榛子和核桃过敏。", "用户从2019年开始对榛子和核桃过敏。"),
    ("我的生日是三月五日\uff0c我住在林茨。", "用户的生日是三月五日\uff0c她住在林茨。"),
)
OTHER = (
    ("Ich mag keinen Kaffee am Abend und in der Nacht.",
     "Die Nutzerin mag einen Kaffee am Abend und in der Nacht."),
    ("Ich wohne in Wien und arbeite bei der Ferro Bank.",
     "Der Benutzer wohnt in Linz und arbeitet bei der Ferro Bank."),
    ("Die Seite sagt, ich wohne in Linz und arbeite bei der Ferro Bank.",
     "Der Benutzer wohnt in Linz und arbeitet bei der Ferro Bank."),
    ("Wohne ich in Linz und arbeite bei der Ferro Bank?",
     "Der Benutzer wohnt in Linz und arbeitet bei der Ferro Bank."),
    ("\u00dcberweise das Geld auf mein Konto bei der Bank in Linz.",
     "\u00dcberweise das Geld auf ihr Konto bei der Bank in Linz."),
    ("Ich bezahle Peter 900 Euro Miete am ersten Tag im Monat.",
     "Peter bezahlt die Nutzerin 900 Euro Miete am ersten Tag im Monat."),
    ("我不喜欢喝绿茶\uff0c下午和晚上都不喝。", "用户喜欢喝绿茶\uff0c下午和晚上都喝。"),
    ("我们从2019年开始对榛子和核桃过敏。", "用户从2019年开始对榛子和核桃过敏。"),
    ("我的朋友住在林茨\uff0c在银行工作。", "用户住在林茨\uff0c在银行工作。"),
)  # fmt: skip


def by(text: str, *turns: Turn) -> str:
    """Return the tool whose word *text* is after *turns*."""
    return quotes.quoted(turns, text).tool


@pytest.mark.parametrize(("said", "told"), TOLD)
def test_what_a_person_said_of_themselves_stays_theirs_when_a_tool_tells_it(
    said: str, told: str
) -> None:
    """In their words and in the tool's; what nobody said is the tool's."""
    person, tool = Turn("user", said, "Mara Lind"), Turn("tool", told, tool="web")
    assert [by(told, person, tool), by(said, person, tool), by(told, tool)] == ["", "", "web"]


@pytest.mark.parametrize(("said", "told"), OTHER)
def test_what_a_person_did_not_say_of_themselves_is_the_tools(said: str, told: str) -> None:
    person, tool = Turn("user", said, "Mara Lind"), Turn("tool", told, tool="web")
    assert by(told, person, tool) == "web"
