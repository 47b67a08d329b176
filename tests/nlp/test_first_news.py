"""What who talks with a friend has to tell first names their talk."""

from __future__ import annotations

import pytest

from vaultmem.nlp.extraction.naming import first_news, titles
from vaultmem.nlp.extraction.talk import utterances
from vaultmem.storage.transcripts import Turn


def _subject(*said: str) -> str:
    turns = [Turn("user", text, ("Ida", "Mo")[i % 2]) for i, text in enumerate(said)]
    return first_news.subject(utterances.sentences(turns), titles.no_subjects())


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("Hey Mo! I joined a glass blowing course last week.", "glass blowing course"),
        ("I'm now part of the mountain rescue team!", "mountain rescue team"),
        ("We finally finished our first puppet play, and printed it.", "first puppet play"),
        ("Just to tell you, I took a creative writing class recently.", "creative writing class"),
        ("I met some amazing young folks.", ""),
        ("I found some comfort in old songs.", ""),
        ("I got a puppy.", ""),
        ("Have I told you of my glass blowing course?", ""),
        ("If I joined a glass blowing course, I would quit it.", ""),
        ("They joined a glass blowing course.", ""),
    ],
)
def test_the_thing_of_the_first_news_is_the_subject(said: str, named: str) -> None:
    assert _subject(said, "That is great!") == named


def test_later_news_is_the_subject_where_both_speak_of_it() -> None:
    idle = ("Hi!", "Hello!", "All well?", "Yes, you?", "Fine.")
    assert _subject(*idle, "I joined a glass blowing course.", "Nice.") == ""
    said = _subject(*idle, "I joined a glass blowing course.", "How long is the course?")
    assert said == "glass blowing course"
