"""The offline summarizer: what it chooses, how it quotes, and how it is measured."""

# ruff: noqa: RUF001  Chinese is written with its own marks.

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.nlp.summarization import longterm_thinning, quality
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import Passage, Summarizer, Task
from vaultmem.nlp.text import analysis, quotation, salience

ROOT = Path(__file__).resolve().parents[2]
CONVERSATIONS = sorted((ROOT.parent / "shared/data/locomo-dev").glob("*.messages.jsonl"))

TEXTS = st.text(max_size=300) | st.lists(
    st.sampled_from(
        [
            "I moved to Oslo in May.",
            "Really?",
            "Wow!",
            "Thanks, Ben!",
            '"Stop," she said.',
            "我昨天去了北京。",
            "```\nx = 1\n```",
            "- a bullet about 3 apples\n",
            "👍",
            "[shares a photo: a cat]",
            "We bought a boat, and because it leaked, we sold the boat to Dr. Ames for $1,200.50,",
        ]
    ),
    max_size=12,
).map(" ".join)
PASSAGES = st.builds(
    Passage,
    text=TEXTS,
    speaker=st.sampled_from(["", "Ana", "Ben", "王芳"]),
    created=st.sampled_from(["", "2026-03-01T09:00:00Z", "2026-03-02T09:00:00Z"]),
    importance=st.floats(0, 1),
)


def recent(*passages: Passage, agent: str = "") -> str:
    """Summarize *passages* as a window."""
    return Extractive().summarize(Task("recent", passages, agent)).text


def longterm(*texts: str) -> str:
    """Merge earlier summaries."""
    passages = tuple(Passage(text) for text in texts if text)
    return Extractive().summarize(Task("longterm", passages)).text


def said(speaker: str, *texts: str, day: str = "2026-03-01") -> list[Passage]:
    """Let *speaker* say *texts* on one day."""
    return [Passage(text, speaker, f"{day}T09:00:00Z") for text in texts]


CHATTER = [
    *said("Ana", "Hey Ben! Good to see you!", "Wow, that's so cool!", "Thanks, Ben!"),
    *said("Ben", "Hi Ana! How have you been?", "Sounds great!", "You're doing an awesome job!"),
    *said("Ana", "It was amazing!", "What do you think?", "Family is so important."),
]


# What is chosen.


def test_what_states_something_goes_before_answers_and_fragments() -> None:
    hanging = ("No, I paid it in Ulm in May for 90 euros.", "Sent to Ulm on 3 May for 40 euros.")
    told = said("Ana", *hanging, "The roof of the mill leaks.", "The mill has a new miller.")
    text = Extractive().summarize(Task("recent", tuple(told))).text
    assert "roof" in text or "miller" in text


def test_of_talk_with_an_agent_no_instruction_and_no_bare_noun_is_told() -> None:
    turns = (
        ("user", "The press in hall 2 leaks oil."),
        ("assistant", "Replace both gaskets from Brandt before Friday at noon."),
        ("user", "Old gaskets from a scrapped Volvo pump, 12 euros."),
    )
    summary = recent(*(Passage(text, voice, "2026-03-01T09:00:00Z") for voice, text in turns))
    assert summary == 'On 2026-03-01 user said: "The press in hall 2 leaks oil."\n'


@pytest.mark.parametrize(
    "record",
    ["Kestrel, built 1998, last surveyed June 4.", "Oats 40 kg, delivered on June 4, 12 euros."],
)
def test_a_record_of_figures_behind_a_name_is_told_without_a_verb(record: str) -> None:
    turns = (("user", "And the Kestrel?"), ("assistant", record))
    summary = recent(*(Passage(text, voice, "2026-03-01T09:00:00Z") for voice, text in turns))
    assert summary == f'On 2026-03-01 assistant said: "{record}"\n'


def test_figures_of_nothing_that_is_named_are_no_record() -> None:
    turns = (("user", "How is it doing?"), ("assistant", "Up 180% since May 4, down 25% by now."))
    summary = recent(*(Passage(text, voice, "2026-03-01T09:00:00Z") for voice, text in turns))
    assert summary == "user and assistant talked on 2026-03-01.\n"


def test_of_an_agents_word_of_assent_it_is_told_that_there_was_talk() -> None:
    summary = recent(Passage("Absolutely!", "assistant", "2026-03-01T09:00:00Z"))
    assert summary == "assistant talked on 2026-03-01.\n"


def test_news_is_chosen_and_pleasantries_are_not() -> None:
    """One deed among courtesies is the first thing a summary says."""
    news_ = said("Ana", "I signed the lease for the bakery on Grove Street yesterday.")
    first, *rest = recent(*CHATTER[:4], *news_, *CHATTER[4:]).splitlines()
    assert first == (
        'On 2026-03-01 Ana said: "I signed the lease for the bakery on Grove Street yesterday."'
    )
    assert not any("Thanks" in line or "?" in line for line in rest)


def test_two_threads_get_a_sentence_each() -> None:
    """Interleaved threads are told apart."""
    boat = said(
        "Ana",
        "I sanded the hull of our boat last week.",
        "The boat needs a new mast and the hull two coats of varnish.",
        "I ordered varnish for the hull in Husum last week.",
        "My boat returns to the harbour when the mast is up.",
    )
    choir = said(
        "Ben",
        "I joined the choir for the Easter concert last week.",
        "The choir rehearses the requiem every Tuesday.",
        "I bought a score of the requiem for the concert.",
        "Our conductor moved the concert to the cathedral.",
    )
    text = recent(*(turn for pair in zip(boat, choir, strict=True) for turn in pair))
    assert re.search("boat|hull|varnish", text)
    assert re.search("choir|concert|requiem", text)


def test_a_question_is_never_the_summary_while_anything_else_is_there() -> None:
    """Even a question full of names yields to a plain statement."""
    asked = said("Ben", "Did Maria move to Lisbon in June with Tom and 3 cats?")
    told = said("Ana", "I planted twelve olive trees behind our barn in April.")
    assert recent(*asked, *told) == (
        'On 2026-03-01 Ana said: "I planted twelve olive trees behind our barn in April."\n'
    )


def test_nothing_is_said_twice() -> None:
    """A repeated report is chosen once."""
    again = "I adopted a grey parrot from the shelter in Leeds last Friday."
    other = "I also passed the forklift exam at the depot on Monday."
    text = recent(*said("Ana", again, again, again, other, again))
    assert text.count("parrot") == 1
    assert "forklift" in text


@pytest.mark.parametrize(
    "fact",
    [
        "Calvin is allergic to penicillin.",
        "My blood type is AB negative.",
        "The spare key lies under the blue pot.",
    ],
)
def test_what_is_important_is_in_the_summary_of_128_memories(fact: str) -> None:
    ducks = "On walk number {n} we saw {m} ducks near the mill and talked about Thursday."
    said = [
        Passage(ducks.format(n=n, m=n % 9 + 2), "Calvin", f"2023-04-{n // 8 + 1:02}T09:00:00Z", 0.3)
        for n in range(128)
    ]
    said[30] = Passage(fact, "Calvin", said[30].created, 0.95)
    assert fact.rstrip(".") in Extractive().summarize(Task("recent", tuple(said))).text


def test_of_much_that_is_important_the_most_telling_is_said_and_no_memory_twice() -> None:
    said = [Passage(f"Well. We paid {n} euros to Petra Vogt for lot {n}. Fine.") for n in range(40)]
    heavy = tuple(Passage(p.text, importance=0.9) for p in said)
    lines = Extractive().summarize(Task("recent", heavy)).text.splitlines()
    assert len(lines) == 3
    assert len({line for line in lines if "Petra Vogt" in line}) == 3


def test_importance_tips_the_balance() -> None:
    """Of two sentences alike in shape, the important one is taken."""
    turns = [f"I visited the town of Abc{letter} in spring." for letter in "defghijklm"]
    passages = [Passage(text, importance=0.1) for text in turns]
    passages[6] = Passage(turns[6], importance=1.0)
    assert turns[6] in recent(*passages)


def test_what_leans_on_an_unknown_pronoun_comes_after_what_stands_alone() -> None:
    """`It` without its noun tells a later reader nothing."""
    leaning, standing = "It arrived broken on Monday.", "The kiln arrived broken on Monday."
    assert salience.substance(leaning) < salience.substance(standing)


def test_captions_of_photos_are_not_quoted() -> None:
    """What the program says of an attachment is not what somebody said."""
    text = recent(*said("Ana", "I built a raft from barrels. [shares a photo: a photo of a raft]"))
    assert text == 'On 2026-03-01 Ana said: "I built a raft from barrels."\n'


# How it is quoted.


def test_first_person_is_kept_and_the_day_stands_beside_yesterday() -> None:
    """The frame says who and when; the words stay the speaker's."""
    assert recent(*said("Ana", "I sold my van yesterday.")) == (
        'On 2026-03-01 Ana said: "I sold my van yesterday."\n'
    )


def test_an_agents_own_words_are_framed_in_the_first_person() -> None:
    """The agent who remembers is "I"."""
    own = Passage("I promised Ana the report by Friday.", "ada", "2026-03-01T09:00:00Z")
    assert recent(own, agent="ada") == (
        'On 2026-03-01 I said: "I promised Ana the report by Friday."\n'
    )


@pytest.mark.parametrize(
    ("created", "line"),
    [
        ("2026-08-03T07:00:00Z", "On 2026-08-03: I moved the backups to Basel."),
        ("", "I moved the backups to Basel."),
        ("some day", "I moved the backups to Basel."),
    ],
)
def test_a_note_without_a_speaker_stands_as_it_is(created: str, line: str) -> None:
    """Nobody is made to say what a note says."""
    assert recent(Passage("I moved the backups to Basel.", created=created)) == f"{line}\n"


def test_quotation_marks_inside_get_other_marks_outside() -> None:
    """The end of a quote is never in doubt."""
    line = quotation.framed('I read "Emma" twice.', Passage("", "Ana"))
    assert line == 'Ana said: \u201cI read "Emma" twice.\u201d'


def test_a_long_sentence_ends_at_a_clause() -> None:
    """The cut is marked, and never inside a word."""
    text = "We walked to the lighthouse at dawn, the tide was low, the gulls were loud and hungry"
    assert quotation.cut(text, 12) == "We walked to the lighthouse at dawn, the tide was low\u2026"


@pytest.mark.parametrize("turn", ["but we never signed", "unless Ana objects", "which isn't true"])
def test_a_cut_never_loses_what_turns_the_meaning(turn: str) -> None:
    """A sentence with a negation in its tail is left whole, for the caller to pass over."""
    text = f"We agreed to sell the house in Cork, the garden and the two boats, {turn}"
    assert quotation.cut(text, 14) == text


def test_the_only_sentence_keeps_its_negation_however_long() -> None:
    """Where nothing else is there, length yields to meaning."""
    text = f"I walked {'over hill and dale ' * 12}but I never reached the sea."
    assert recent(Passage(text)) == f"{text}\n"


def test_lead_ins_are_left_out() -> None:
    """Who begins anew after "by the way" is quoted from there."""
    assert salience.without_lead("Yeah, by the way, I got the job.") == "I got the job."
    assert salience.without_lead("Yeah, we got the job.") == "Yeah, we got the job."


def test_a_chinese_name_may_have_an_english_ending() -> None:
    """`'s` after another script is a word of its own, and no news."""
    assert analysis.terms("王芳's bakery") == ["王芳", "bakery"]
    assert recent(Passage("王芳's bakery opened.")) == "王芳's bakery opened.\n"


def test_chinese_is_summarized_in_chinese() -> None:
    """No spaces and other marks: sentences come out all the same."""
    text = recent(
        *said("王芳", "你好！最近怎么样？", "我上周搬到了上海，在一家医院找到了新工作。"),
        *said("李明", "太好了！", "我们明天去北京参加3天的马拉松训练。"),
    )
    assert "2026-03-01 王芳：“我上周搬到了上海，在一家医院找到了新工作。”" in text
    assert "2026-03-01 李明：“我们明天去北京参加3天的马拉松训练。”" in text
    assert "怎么样" not in text


# The long term.


def test_framed_lines_are_taken_over_word_for_word() -> None:
    """A line is never framed twice."""
    old = 'On 2026-01-02 Ana said: "I left Rome. For good."\n'
    new = 'On 2026-02-03 Ben said: "I sold the vineyard to Carla."\n'
    assert longterm(old, new) == old + new


def test_the_long_term_is_in_order_of_time() -> None:
    """Dates decide, not the order of the files."""
    late = "On 2026-05-05: I closed the shop in Turin.\n"
    early = "On 2026-01-01: I opened a shop in Turin's old market.\n"
    assert longterm(late, early) == early + late


def test_every_era_keeps_a_voice_for_thirty_rounds() -> None:
    """Size stays bounded, the first line stays, no span of five rounds falls silent."""
    things = [f"{a}{b}" for a in ("ba", "do", "ki", "lu", "me") for b in "ltrnsv"]
    old, first = "", ""
    for i, thing in enumerate(things):
        day = f"{2020 + i // 12}-{i % 12 + 1:02}"
        new = "".join(
            f'On {day}-{d} Ana said: "I {verb} the {thing}a of {place}."\n'
            for d, verb, place in (
                ("04", "found", "Ulm"),
                ("12", "painted", "Pau"),
                ("25", "sold", "Ayr"),
            )
        )
        first = first or new.splitlines()[0]
        old = longterm(old, new)
        assert len(old.splitlines()) <= 12
        assert len(old.split()) <= 330
    assert old.splitlines()[0] == first
    kept = [i for i, thing in enumerate(things) if f" {thing}a " in old]
    assert max(b - a for a, b in pairwise(kept)) <= 6
    assert 29 in kept


def test_the_same_line_twice_is_kept_once() -> None:
    """Forcing a merge again adds nothing."""
    line = "On 2026-01-02: I left Rome for Naples.\n"
    assert longterm(line, line) == line


def test_lines_that_differ_in_a_number_are_different_lines() -> None:
    """`mile 3` is not `mile 4`."""
    lines = [f"On 2026-01-0{n}: The survey reached mile {n} of the canal.\n" for n in (3, 4)]
    assert longterm(*lines) == "".join(lines)


def test_foreign_prose_is_split_into_lines() -> None:
    """What a model wrote as a paragraph is thinned by the sentence."""
    assert longterm("I moved to Kyoto. I learned to bake bread with Emi.") == (
        "I moved to Kyoto.\nI learned to bake bread with Emi.\n"
    )


# Taking text apart.


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Dr. Wu paid $3.50. She left.", ["Dr. Wu paid $3.50.", "She left."]),
        ("J. R. Ames came… and went.", ["J. R. Ames came… and went."]),
        ("We met last Tues. I was late.", ["We met last Tues.", "I was late."]),
        ('"Stop! Now." she said. He ran.', ['"Stop! Now." she said.', "He ran."]),
        ("Great! 😀 We won 🎉 We danced", ["Great! 😀", "We won 🎉", "We danced"]),
        ("See https://a.b/c?d=e.f for more. Yes.", ["See https://a.b/c?d=e.f for more.", "Yes."]),
        ("我去了北京。你呢？", ["我去了北京。", "你呢？"]),
        ("- one\n- two. Three\n\n1. four", ["one", "two.", "Three", "four"]),
        ("a\n```py\nx = 1.\n\ny. Z\n```\nb", ["a", "```py\nx = 1.\n\ny. Z\n```", "b"]),
        ("so tired. we sold the van", ["so tired.", "we sold the van"]),
        ("I went to + from - work", ["I went to + from - work"]),
        ("***\n\n!!!", []),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    """Abbreviations, quotes, emoji, links, lists and code stay whole."""
    assert analysis.sentences(text) == parts


def test_facts_are_names_numbers_and_dates() -> None:
    """Dates come out in ISO form however they are written."""
    found = analysis.facts(
        "Yes, Anna paid $1,200 to Bob. On 8 May 2023 or June 3rd, a Friday, 2023-01-02."
    )
    assert found.names == ("anna", "bob")
    assert found.numbers == ("1200",)
    assert sorted(found.dates) == ["--06-03", "2023-01-02", "2023-05-08", "friday"]
    assert analysis.facts("我在2023年5月8日买了3本书").dates == ("2023-05-08",)


# Measures.

SOURCES = [
    Passage("I visited Prague with Hana for three days.", "Ivo", "2023-05-08T10:00:00Z"),
    Passage("Hana bought a cello in Prague for $900.", "Ivo", "2023-05-09T10:00:00Z"),
    Passage("The cello needs new strings.", "Hana", "2023-05-10T10:00:00Z"),
]


@pytest.mark.parametrize(
    ("summary", "share"),
    [
        ("On 2023-05-08 Ivo went to Prague.", 1.0),
        ("Early in May 2023 Hana paid $900.", 1.0),
        ("They stayed 3 days in Prague.", 1.0),
        ("Something was bought.", 1.0),
        ("They went to Vienna.", 0.0),
        ("They went to Prague and Vienna.", 0.5),
        ("Hana paid $900 or 901.", 2 / 3),
        ("Zdenka went home.", 0.0),
        ("It was on June 1, 2023.", 0.0),
    ],
)
def test_invented_names_numbers_and_dates_lower_faithfulness(summary: str, share: float) -> None:
    """Every fact of a summary is looked up in its sources."""
    assert quality.faithfulness(summary, SOURCES) == pytest.approx(share)


def test_coverage_reacts_to_what_matters() -> None:
    """From nothing to everything, more of the matter scores higher."""
    whole = "\n".join(passage.text for passage in SOURCES)
    good, poor = "Hana bought a cello in Prague.", "The strings are new."
    score = [quality.coverage(text, SOURCES) for text in ("Rain fell on Mars.", poor, good, whole)]
    assert score[0] == 0.0
    assert score[-1] == pytest.approx(1.0)
    assert score == sorted(set(score))


def test_compression_is_the_share_of_words_saved() -> None:
    """A copy saves nothing."""
    assert quality.compression("one two", [Passage("a b c d e f g h")]) == 0.75
    assert quality.compression("one two", [Passage("one two")]) == 0.0


def test_measuring_at_once_is_measuring_one_by_one() -> None:
    """Reading the texts once changes no measure."""
    text = 'On 2023-05-09 Ivo said: "Hana bought a cello in Vienna for nine hundred dollars."'
    parts = [quality.read(passage.text) for passage in SOURCES]
    measures = (quality.faithfulness, quality.coverage, quality.compression)
    each = tuple(measure(text, SOURCES) for measure in measures)
    assert quality.measured(text, SOURCES, parts) == each


# For any text at all.


@pytest.mark.long
@settings(max_examples=settings().max_examples * 2, deadline=None)
@given(st.lists(PASSAGES, max_size=30))
def test_a_window_is_short_and_says_only_what_was_said(passages: list[Passage]) -> None:
    """Never raises, never empty without reason, within bounds, every quote in some source."""
    text = recent(*passages)
    assert bool(text.strip()) == any(passage.text.strip() for passage in passages)
    assert analysis.size(text) <= 200
    pool = [squeezed(passage.text) for passage in passages]
    for line in text.splitlines():
        if talked := re.search(r" talked(?: on \d{4}-\d\d-\d\d)?(?: \((.+)\))?\.$", line):
            words = re.findall(r"[^\s,]+", talked[1] or "")
            assert all(any(squeezed(word) in source for source in pool) for word in words)
            continue  # of talk that tells of nobody's life
        noted = re.sub(r"^(?:[A-Z]\w+ \d+, \d{4}(?:, \w+)?|\w+): ", "", line)
        told = re.sub(r"^(?:On )?(?:\d{4}-\d\d-\d\d)?:? ?(?:\w+ said: | ?\w*：)?", "", noted)
        # A line of notes has several.
        parts = told.rstrip(".").split("; ")
        assert all(any(squeezed(part) in source for source in pool) for part in parts)


def squeezed(text: str) -> str:
    """Leave out white space, fences, the mark of a cut, and quotation marks."""
    return re.sub(r"[\s`…\"“”«»「」]", "", text)


@pytest.mark.long
@settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS, max_size=6))
def test_a_long_term_is_bounded_and_stable(texts: list[str]) -> None:
    """Never raises, never grows, and merging nothing new changes nothing."""
    once = longterm(*texts)
    assert len(once.splitlines()) <= 12
    assert analysis.size(once) <= 331
    again = longterm(once)
    assert analysis.size(again) <= analysis.size(once)


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(st.text(max_size=400), st.text(max_size=400))
def test_measures_are_shares(summary: str, source: str) -> None:
    """Between nothing and all, whatever the text."""
    sources = [Passage(source)]
    assert 0 <= quality.faithfulness(summary, sources) <= 1
    assert 0 <= quality.coverage(summary, sources) <= 1
    assert quality.coverage(source, sources) == pytest.approx(1.0)


@pytest.mark.long
def test_the_same_input_gives_the_same_text_in_any_process() -> None:
    """The order of hashes decides nothing."""
    code = (
        "import json,sys; from vaultmem.nlp.tasks import *;"
        "from vaultmem.nlp.summarization.extractive import Extractive as E;"
        "s=E().summarize(Task('recent',tuple(Passage(*p) for p in json.load(sys.stdin))));print(s)"
    )
    turns = [
        *CHATTER,
        *said("Ana", *(f"I saw {w} in {w}ville with Max." for w in ["Abe", "Bo", "Cy", "Di"])),
    ]
    feed = json.dumps([[p.text, p.speaker, p.created] for p in turns])
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            input=feed,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


@pytest.mark.parametrize(
    "text", ["a, " * 60_000, '"' * 60_000, "( " * 60_000, "so happened " * 20_000]
)
def test_a_hostile_memory_is_read_to_its_end(text: str) -> None:
    """Work grows with the text; with its square it would not come to it."""
    recent(Passage(text, "Ana", "2026-03-01T09:00:00Z"))


def test_extractive_is_a_summarizer() -> None:
    """It says who it is and which method it used."""
    summarizer: Summarizer = Extractive()
    done = summarizer.summarize(Task("recent", tuple(SOURCES)))
    assert (done.model, done.prompt, done.faithfulness) == ("extractive", "extractive-2", 1.0)
    assert 0 < done.coverage <= 1
    assert Extractive().summarize(Task("recent", ())).text == ""


# Real conversations, where they are at hand.


@pytest.mark.skipif(not CONVERSATIONS, reason="the sample conversations are not here")
@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_real_windows_are_short_faithful_and_better_than_their_first_sentences(path: Path) -> None:
    """Each window has 15 to 160 words, invents nothing, and covers more than a lead."""
    turns = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    passages = [Passage(turn["content"], turn["speaker"], turn["at"]) for turn in turns]
    starts = [0, *range(65, len(passages) - 63, 64)]
    ours, lead = [], []
    for start, end in zip(starts, [*starts[1:], starts[-1] + 64], strict=True):
        window = tuple(passages[start:end])
        done = Extractive().summarize(Task("recent", window))
        assert 15 <= len(done.text.split()) <= 160
        assert done.faithfulness >= 0.95
        first = [quotation.framed(s, p) for p in window for s in analysis.sentences(p.text)][:3]
        ours.append(done.coverage)
        lead.append(quality.coverage("\n".join(first), window))
    assert sum(ours) > 1.5 * sum(lead)


def test_a_line_is_dated_by_its_frame_or_by_the_line_before() -> None:
    """An undated line travels with its neighbour."""
    lines = longterm_thinning.longterm(
        [
            Passage("On 2026-02-01: I bought a mill.\nThe mill grinds rye and spelt."),
            Passage("On 2026-01-01: I sold a ferry."),
        ]
    )
    assert lines == [
        "On 2026-01-01: I sold a ferry.",
        "On 2026-02-01: I bought a mill.",
        "The mill grinds rye and spelt.",
    ]
