"""A model's summary is asked what the offline one of the same texts answers."""

from __future__ import annotations

import pytest

from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.summarization.summary_probes import loss
from vaultmem.nlp.tasks import Passage, Task

FARM = (
    "The red tractor broke down near the mill, and Ben repairs the gearbox.",
    "Ada sold forty cheeses at the market in Porto.",
    "The vet vaccinated the goats against bluetongue.",
    "A storm tore the roof off the northern barn.",
    "Ottokar ordered cherry saplings from the nursery in Graz.",
    "The insurance paid for the tiles of the barn.",
)
DAY = "2026-03-01T09:00:00Z"


def task(tier: str, *texts: str) -> Task:
    """Return a task about *texts*: memories, or the lines of one summary."""
    if tier == "recent":
        return Task("recent", tuple(Passage(text, "Ada", DAY) for text in texts))
    return Task("longterm", (Passage("\n".join(texts), created=DAY),))


def lost(text: str, asked: Task) -> str:
    """Return what is said of *text* as the answer."""
    return loss(text, Extractive().summarize(asked).text, asked)


def test_the_same_in_other_words_and_another_order_loses_nothing() -> None:
    told = (
        "In Porto Ada sold forty cheeses on the market, and Ottokar got cherry saplings ordered.\n"
        "The storm took the northern barn's roof; insurance paid the tiles.\n"
        "Goats were vaccinated by the vet, and Ben repaired the tractor's gearbox near the mill.\n"
    )
    assert lost(told, task("longterm", *FARM)) == ""


def test_a_long_term_summary_that_tells_of_the_last_news_alone_is_a_loss() -> None:
    """True sentence by sentence, and most of what was known is gone."""
    told = "The insurance paid for the tiles of the barn.\nThe barn had a storm.\n"
    assert lost(told, task("longterm", *FARM)) == (
        "recall: it answers 1 of 6 probes, the offline summary 6"
    )


@pytest.mark.parametrize(
    ("told", "is_loss"),
    [("The vet vaccinated the goats.", False), ("Ada thanks Ben, and Ben thanks Ada.", True)],
)
def test_a_short_term_summary_chooses_but_not_nothing(told: str, *, is_loss: bool) -> None:
    assert bool(lost(told, task("recent", *FARM))) is is_loss


def test_what_says_nothing_that_could_be_asked_for_is_no_probe() -> None:
    """Small talk is not missed."""
    assert lost("Ada met Ben.", task("recent", "Hey there!", "Thanks a lot, take care!")) == ""
