"""Two facts of nearly the same words: of each pair a word has another sense, or tells how many."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.talk import fact_equality
from vaultmem.nlp.facts import paraphrases

ENGLISH = """
    Few patients tolerated the drug | A few patients tolerated the drug
    There is little hope for Tom | There is a little hope for Tom
    A number of files is wrong | The number of files is wrong
    Tom needs a second key | Tom needs the second key
    The few guests came late | Few guests came late
    Most votes went to Tom | The most votes went to Tom
    The problem is with Tom | Tom has the problem
    The contract is with Telekom | Telekom has the contract
    Tom takes her coffee | Tom drinks her coffee
    The display is broken | The show is broken
    The shows are in Graz | The displays are in Graz
    Anna named the baby | Anna called the baby
    The striker is named captain | The striker is called captain
    Anna wears her everyday shoes | Anna wears her daily shoes
    The landlord requires a deposit | The landlord needs a deposit
    Anna ends the contract | Anna finishes the contract
    Mueller helps Kane | Mueller assists Kane
    When Tom called Anna slept | Whenever Tom called Anna slept
    Take the pills if it hurts | Take the pills in case it hurts
    Anna sings as well as Tom | Anna sings and Tom
    Anna knows Latin as well as Tom | Anna knows Latin and Tom
    The rent is due to Anna | The rent is because of Anna
    Count up to 10 | Count at most 10
    Pay inside of a week | Pay in a week
    Anna agreed to leave | Anna agreed in order to leave
    Anna told Tom to win | Anna told Tom so as to win
    The key must be in the car | The key has to be in the car
    All Tom has to offer is tea | All Tom must offer is tea
    Tom must have a key | Tom has to have a key
    The house is basically finished | The house is finished
    Anna arrives presently | Anna arrives
    Anna writes about 5 horses | Anna writes roughly 5 horses
    Always call Tom | Call Tom
    Tom always pays | Tom pays
    The dog always sleeps in the kitchen | The dog sleeps in the kitchen
    The sofa works as a bed | The sofa is a bed
    Tom likes her hair black | Tom likes black hair
    Sarah gets married in May | Sarah is married in May
    The witness lies in court | The witness is in court
    Tom lies under oath | Tom is under oath
    Anna stands behind Tom | Anna is behind Tom
    We want the thief | The thief is wanted
    We know Tom | Tom is known
    Anna has his meeting on Monday | Anna's meeting is on Monday
    Tom would rather drink tea than coffee | Tom prefers tea over coffee
    The dog is loved by Anna | Anna loved the dog
    The picture of Anna is old | Anna's picture is old
    The fear of Anna is great | Anna's fear is great
    Anna needs three days | Anna takes three days
    Tom is a driver | Tom drives
    Eva is a painter | Eva paints
    Tom likes tea more than Anna | Tom prefers tea over Anna
    The window is broken | The window does not work
    The limit is 18 | The limit is 18 years old
    Anna was saved in Graz | Anna was in Graz
    Tom does not shoot at all dogs | Tom does not shoot dogs
    They should leave Graz | They leave Graz
    My name is Rex | Its name is Rex
    The picture was removed from the wall | The picture was erased from the wall
    Tom has the car | Tom owns the car
    Guests can swim in the lake | Guests are able to swim in the lake
    Tom drove through Linz | Tom drove via Linz
    Gold is found in Graz | Gold is in Graz
"""
GERMAN = """
    Ich mag Sie nicht | Ich mag sie nicht
    Wir rufen Ihre Schwester an | Wir rufen ihre Schwester an
    Wir schreiben Ihnen am Montag | Wir schreiben ihnen am Montag
    Das Licht ist immer an | Das Licht ist an
    Tom zahlt immer die Miete | Tom zahlt die Miete
    Der Zug kommt aus Graz | Der Zug stammt aus Graz
    Die Familie arbeitet als Team | Die Familie ist Team
    Tom hat wenig Geld | Tom hat ein wenig Geld
    Wir haben ein paar Schuhe | Wir haben ein Paar Schuhe
    Anna hat Recht | Anna hat ein Recht
    Der Leiter ist im Keller | Die Leiter ist im Keller
    Der See ist kalt | Die See ist kalt
    Tom liegt im Bett | Tom ist im Bett
"""
CHINESE = """
    \u6211\u4e0d\u80fd\u5403\u8fa3 | \u6211\u4e0d\u5403\u8fa3
    \u4ed6\u7231\u7684\u4eba\u662f\u674e\u5a1c | \u4ed6\u7231\u4eba\u662f\u674e\u5a1c
    \u4ed6\u6709\u4e00\u4e2a\u5973\u7684\u670b\u53cb | \u4ed6\u6709\u4e00\u4e2a\u5973\u670b\u53cb
    \u6211\u4e0d\u53ef\u4ee5\u559d\u9152 | \u6211\u4e0d\u559d\u9152
    \u4ed6\u8981\u53bb\u5317\u4eac | \u4ed6\u60f3\u53bb\u5317\u4eac
    \u4ed6\u4f1a\u6e38\u6cf3 | \u4ed6\u80fd\u6e38\u6cf3
    \u5979\u662f\u5356\u83dc\u7684 | \u5979\u662f\u5356\u83dc
    \u4ed6\u603b\u662f\u5f88\u5fd9 | \u4ed6\u5f88\u5fd9
    \u5c0f\u7684\u5b69\u5b50\u5728\u54ed | \u5c0f\u5b69\u5b50\u5728\u54ed
"""


def pairs(text: str) -> list[list[str]]:
    """Return the pairs of *text*, one a line."""
    return [line.strip().split(" | ") for line in text.strip().splitlines()]


@pytest.mark.parametrize(("one", "two"), [*pairs(ENGLISH), *pairs(GERMAN), *pairs(CHINESE)])
@pytest.mark.parametrize("end", ["", "."])
def test_a_word_of_two_senses_makes_no_two_facts_one(one: str, two: str, end: str) -> None:
    assert not fact_equality.is_one_fact(f"{one}{end}", f"{two}{end}")
    assert not paraphrases.groups([f"{one}{end}", f"{two}{end}"])


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The flat costs roughly 900 euros.", "The flat costs about 900 euros."),
        ("Bills have to be paid by Anna.", "Bills must be paid by Anna."),
        ("The fair finishes on Monday.", "The fair ends on Monday."),
        ("Mara takes her coffee black.", "Mara drinks black coffee."),
        ("Tom is 41 years old.", "Tom is 41."),
        ("In order to deploy, run `make`.", "To deploy, run `make`."),
        ("Tom doesn't eat fish at all.", "Tom does not eat fish."),
        ("The price of the tent is 90 euros.", "The tent's price is 90 euros."),
        ("\u6211\u7684\u5988\u5988\u662f\u533b\u751f", "\u6211\u5988\u5988\u662f\u533b\u751f"),
    ],
)
def test_a_word_that_means_the_same_where_it_stands_makes_them_one(one: str, two: str) -> None:
    assert fact_equality.is_one_fact(one, two)
