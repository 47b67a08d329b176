"""Sentences in freer wording are one fact; who, whom, when, how many and whether tell two apart."""

from __future__ import annotations

import pytest

from tests.dreamt import Vault, topic
from vaultmem.maintenance.dream.detectors import duplicates
from vaultmem.nlp.facts import paraphrases

WE, BIRTHDAY = "\u6211\u4eec", "\u5c0f\u5f20\u7684\u751f\u65e5\u662f"
""""We", and "Xiao Zhang's birthday is"."""


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ivo patched the roof in May 2026.", "The roof was patched by Ivo in May 2026."),
        ("Edda goes rowing every Monday.", "Edda rows every Monday."),
        ("Edda prefers rye to wheat.", "Edda likes rye better than wheat."),
        ("Ivo was born on 4 May 1980.", "Ivo's date of birth is 4 May 1980."),
        ("Use spaces for indentation.", "Spaces should be used for indentation."),
        ("The size of the tent is 3 m.", "The tent's size is 3 m."),
        ("Ivo and Edda's boat is in Kiel.", "The boat of Edda and Ivo is in Kiel."),
        ("Drafts are deleted after 9 days.", "After 9 days drafts are deleted."),
        ("Bis Juni steht das Zelt.", "Das Zelt steht bis Juni."),
        ("Der Name unserer Ziege ist Resi.", "Unsere Ziege hei\u00dft Resi."),
        ("Ivo hat eine Erdnussallergie.", "Ivo ist gegen Erdn\u00fcsse allergisch."),
        (f"{WE}\u6bcf\u5468\u4e09\u6e38\u6cf3", f"{WE}\u6bcf\u4e2a\u661f\u671f\u4e09\u6e38\u6cf3"),
        (f"{BIRTHDAY}\u516b\u6708\u5341\u4e8c\u65e5", f"{BIRTHDAY}8\u670812\u65e5"),
    ],
)  # fmt: skip
def test_freer_wordings_are_one_fact(one: str, two: str) -> None:
    assert paraphrases.groups([one, "Owls hunt.", two]) == [(0, 2)]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ivo hired Edda.", "Edda hired Ivo."),
        ("Ivo's boss is Edda.", "Edda's boss is Ivo."),
        ("The goat fears the dog.", "The dog fears the goat."),
        ("Ivo worked in Kiel.", "Ivo works in Kiel."),
        ("Edda drives from Kiel to Bonn.", "Edda drives from Bonn to Kiel."),
        ("Edda likes rye more than wheat.", "Edda likes wheat more than rye."),
        ("Lock the gate before you feed the goat.", "Feed the goat before you lock the gate."),
        ("Ivo rows on Mondays.", "Ivo rows on Monday."),
        ("Most tents are dry.", "Some tents are dry."),
        ("The tent is above the shed.", "The tent is below the shed."),
        ("Der Hund jagt den Mann.", "Der Mann jagt den Hund."),
        ("Ivo hilft Edda im Garten.", "Edda hilft Ivo im Garten."),
        ("\u5c0f\u5f20\u6bd4\u5c0f\u674e\u9ad8", "\u5c0f\u674e\u6bd4\u5c0f\u5f20\u9ad8"),
    ],
)  # fmt: skip
def test_what_turns_a_sentence_round_makes_another(one: str, two: str) -> None:
    assert not paraphrases.groups([one, two])


def test_a_diary_and_a_topic_tell_one_thing_two_topics_may_not() -> None:
    """`The pump runs every night` of a diary is that of the topic; of two engines it is not."""
    line = "- The pump runs every night.\n"

    def merged(one: str, two: str) -> bool:
        texts = {"topics/a.md": topic(line, title=one), "topics/b.md": topic(line, title=two)}
        return bool(Vault(texts).planned(duplicates.find).proposals)

    assert merged("Heron", "Monday notes")
    assert not merged("Heron", "Egret")


def test_the_heading_that_a_note_begins_with_is_its_title_and_tells_no_facts_apart() -> None:
    texts = {
        "notes/house.md": "# House\n\n- The ladder is kept in the shed.\n",
        "notes/diary.md": "# Diary\n\n- The ladder is in the shed.\n",
        "notes/shed.md": "# Diary\n\n## Shed\n\n- The ladder is in the shed.\n",
    }
    (proposal,) = Vault(texts).planned(duplicates.find).proposals
    assert set(proposal.sources) == {"notes/house.md", "notes/diary.md"}
