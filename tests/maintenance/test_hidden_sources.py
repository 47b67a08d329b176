"""What was made of a text that is hidden since stands as long as another source says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem import Vault

pytestmark = pytest.mark.with_history

TALK = "agents/ada/sessions/talk.jsonl"


@pytest.fixture
def mara(vault: Vault) -> Vault:
    """Return a vault whose user is Mara."""
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("\nowner:", "\nowner: Mara", 1))
    return vault


def remember(vault: Vault, *texts: str) -> list[Path]:
    """Let Mara say *texts* and dream of them; return their files."""
    said = [
        vault.remember(t, agent="ada", source="user", speaker="Mara", at=f"2026-11-{day}T10:00:00Z")
        for day, t in enumerate(texts, 10)
    ]
    vault.dreams.plan()
    vault.dreams.apply(everything=True)
    return [vault.path / each.path for each in said]


def talk(vault: Vault, *texts: str) -> None:
    """Let Mara say *texts* in a session, and have that folded."""
    for text in texts:
        vault.say("talk", text, agent="ada", speaker="Mara")
    vault.end_session("talk", agent="ada")
    vault.dreams.plan()
    vault.dreams.apply(everything=True)


def hide(file: Path, words: str) -> None:
    """Mark *words* as private in *file*, and add a public word."""
    text = file.read_text()
    assert words in text
    file.write_text(text.replace(words, f"A note. <private>{words}</private>"))


def card(vault: Vault) -> Path:
    """Return the file of the only card."""
    (found,) = vault.path.glob("cards/*/*.md")
    return found


def shown(vault: Vault) -> str:
    """Return what is told of Mara unasked, and what of the card may leave its file."""
    context = vault.context("about Mara", agent="ada").text
    path = str(card(vault).relative_to(vault.path))
    said = (vault.store.texts.read(path) or b"").decode()
    return context + said.partition("sources:")[2]


SHORT = (
    ("I am 47.", "age: 47"),
    ("My birthday is on 3 May.", "birthday: 3 May"),
    ("I work at Quellwerk.", "employer: Quellwerk"),
)


@pytest.mark.long
@pytest.mark.parametrize(("text", "fact"), SHORT)
def test_a_fact_of_few_words_goes_with_the_memory_that_is_hidden(
    mara: Vault, text: str, fact: str
) -> None:
    file, _ = remember(mara, text, "I speak Dutch.")
    assert fact in shown(mara)
    hide(file, text)
    with Vault.open(mara.path) as again:
        assert fact not in shown(again)
        assert fact.partition(": ")[2] not in "\n".join(it.text for it in again.fsck().unsupported)
        again.tick()
        kept = card(again).read_text()
        assert f"\n{fact.partition(': ')[0]}:" not in kept
        assert "languages: Dutch" in kept
        assert not [p for p in again.status().problems if p.code == "withheld"]


@pytest.mark.long
def test_words_about_something_else_do_not_save_a_fact_whose_turn_is_hidden(mara: Vault) -> None:
    water = "Do you know whether Quellwerk sells bottled water?"
    talk(mara, "I work at Quellwerk.", "I speak Dutch.", water, "Ada likes figs.")
    assert "employer: Quellwerk" in shown(mara)
    hide(mara.path / TALK, "I work at Quellwerk.")
    with Vault.open(mara.path) as again:
        assert "employer: Quellwerk" not in shown(again)
        assert "Dutch" in shown(again)
        again.tick()
        assert "\nemployer:" not in card(again).read_text()


@pytest.mark.long
def test_a_hidden_item_of_a_list_goes_and_the_others_stay(mara: Vault) -> None:
    asked = "Is sertraline cheaper in Austria?"
    talk(mara, "I take metformin.", "I take sertraline.", "I speak Dutch.", asked)
    assert "- sertraline" in card(mara).read_text()
    hide(mara.path / TALK, "I take sertraline.")
    with Vault.open(mara.path) as again:
        assert "sertraline" not in shown(again).replace(asked, "")  # which is said in public
        assert "metformin" in shown(again)
        again.tick()
        assert "sertraline" not in card(again).read_text()
        assert "- metformin" in card(again).read_text()


@pytest.mark.long
def test_a_card_whose_list_is_hidden_tells_the_rest(mara: Vault) -> None:
    talk(mara, "I take metformin.", "I take sertraline.", "I speak Dutch.", "I am 47.")
    hide(mara.path / TALK, "I take metformin.")
    hide(mara.path / TALK, "I take sertraline.")
    with Vault.open(mara.path) as again:
        assert "languages: Dutch" in shown(again)
        again.tick()
        kept = card(again).read_text()
        assert "sertraline" not in kept
        assert "\nmedication:" not in kept
        assert "languages: Dutch" in kept


@pytest.mark.long
@pytest.mark.parametrize(
    ("role", "speaker", "other"),
    [
        ("tool", "", "I am 47."),
        ("user", "Otto", "I am 47."),
        ("user", "Mara", "My brother Karl is 47."),
    ],
)
def test_what_is_said_of_somebody_else_saves_no_hidden_fact(
    mara: Vault, role: str, speaker: str, other: str
) -> None:
    mara.say("talk", "I am 47.", agent="ada", speaker="Mara")
    mara.say(
        "talk",
        other,
        agent="ada",
        role=role,
        speaker=speaker,
        tool="Bash" if role == "tool" else "",
    )
    talk(mara, "I speak Dutch.")
    mine = next(p for p in mara.path.glob("cards/*/mara.md"))
    assert 'age: "47"' in mine.read_text()
    text = (mara.path / TALK).read_text()
    hidden = text.replace("I am 47.", "<private>I am 47.</private>", 1)
    (mara.path / TALK).write_text(hidden)
    with Vault.open(mara.path) as again:
        again.tick()
        assert "\nage:" not in mine.read_text()
        assert "languages: Dutch" in mine.read_text()


@pytest.mark.long
@pytest.mark.parametrize(
    ("said", "relation"),
    [
        ("My boyfriend Kasimir is a nurse.", "boyfriend"),
        ("Mein Mann Kasimir ist Lehrer.", "husband"),
    ],
)
def test_what_somebody_is_to_whom_goes_with_the_turn_that_is_hidden(
    mara: Vault, said: str, relation: str
) -> None:
    asked = f"Has Anna's {relation} called about the car?"
    talk(mara, said, "Kasimir lives in Graz.", "I speak Dutch.", asked)
    his = next(p for p in mara.path.glob("cards/*/kasimir.md"))
    assert f"relationship: {relation}" in his.read_text()
    hide(mara.path / TALK, said)
    with Vault.open(mara.path) as again:
        assert relation not in "\n".join(it.text for it in again.fsck().unsupported)
        assert f"({relation})" not in again.context("about Kasimir", agent="ada").text
        again.tick()
        assert relation not in his.read_text()
        assert "city: Graz" in his.read_text()
        assert not [p for p in again.status().problems if p.code == "withheld"]


@pytest.mark.long
def test_the_note_of_a_dream_tells_no_fact_of_a_turn_that_is_hidden(mara: Vault) -> None:
    his, hers = "My boyfriend Kasimir is a nurse.", "My daughter Mia has epilepsy."
    asked = ("Has Anna's boyfriend called?", "Epilepsy has four syllables, right?")
    talk(mara, his, hers, "Kasimir lives in Graz.", "Mia plays the cello.", *asked)
    hide(mara.path / TALK, his)
    hide(mara.path / TALK, hers)
    with Vault.open(mara.path) as again:
        again.tick()
    (note,) = mara.path.glob("inbox/dream-*.md")
    told = note.read_text()
    assert not [x for x in ("boyfriend", "epilepsy", "condition", "nurse") if x in told]
    assert "+city: Graz" in told
    assert "+plays: cello" in told


@pytest.mark.long
def test_what_somebody_is_to_whom_stays_where_another_turn_says_it(mara: Vault) -> None:
    hidden = "My boyfriend Kasimir is a nurse."
    talk(mara, hidden, "My boyfriend Kasimir lives in Graz.", "I speak Dutch.")
    his = next(p for p in mara.path.glob("cards/*/kasimir.md"))
    hide(mara.path / TALK, hidden)
    with Vault.open(mara.path) as again:
        again.tick()
        assert "relationship: boyfriend" in his.read_text()
        assert "occupation" not in his.read_text()


@pytest.mark.long
def test_a_fact_stays_that_another_source_of_its_own_says(mara: Vault) -> None:
    file, _ = remember(mara, "I work at Quellwerk.", "I work at Quellwerk. My dog is called Otto.")
    hide(file, "I work at Quellwerk.")
    with Vault.open(mara.path) as again:
        again.tick()
        assert "employer: Quellwerk" in shown(again)


@pytest.mark.long
def test_a_fact_stays_beside_which_its_source_hides_something_else(mara: Vault) -> None:
    file, _ = remember(mara, "I work at Quellwerk. My boss is a bore.", "I speak Dutch.")
    hide(file, "My boss is a bore.")
    before = card(mara).read_text().partition("\nsources:")[2]
    with Vault.open(mara.path) as again:
        again.tick()
        assert "employer: Quellwerk" in before
        assert "employer: Quellwerk" in card(again).read_text()
        assert "languages: Dutch" in card(again).read_text()


@pytest.mark.long
def test_a_fact_that_comes_back_with_its_card_is_withheld_again(mara: Vault) -> None:
    file, _ = remember(mara, "I am 47.", "I speak Dutch.")
    before = card(mara).read_text()
    hide(file, "I am 47.")
    with Vault.open(mara.path) as again:
        again.tick()
        card(again).write_text(before)
    with Vault.open(mara.path) as again:
        assert "age: 47" not in shown(again)
        again.tick()
        assert "age:" not in card(again).read_text()


@pytest.mark.long
def test_a_fact_whose_source_is_shown_again_is_told_again(mara: Vault) -> None:
    file, _ = remember(mara, "I am 47.", "I speak Dutch.")
    before = file.read_text()
    hide(file, "I am 47.")
    with Vault.open(mara.path) as again:
        assert "age: 47" not in shown(again)
    file.write_text(before)
    with Vault.open(mara.path) as again:
        assert "age: 47" in shown(again)


@pytest.mark.long
def test_what_a_person_noted_on_a_card_stays_though_a_source_of_it_is_hidden(mara: Vault) -> None:
    file, _ = remember(mara, "I am 47.", "I speak Dutch.")
    path = card(mara)
    path.write_text(path.read_text().replace("languages:", "shoes: 39\nlanguages:"))
    hide(file, "I am 47.")
    with Vault.open(mara.path) as again:
        again.tick()
        assert "shoes: 39" in card(again).read_text()


def test_a_dream_does_nothing_that_its_sources_hide_since_it_was_planned(mara: Vault) -> None:
    raw = mara.path / mara.remember("I am 47.", agent="ada", source="user", speaker="Mara").path
    mara.dreams.plan()
    hide(raw, "I am 47.")
    with Vault.open(mara.path) as again:
        again.dreams.apply(everything=True)
        assert not [p for p in again.path.glob("cards/*/*.md") if "47" in p.read_text()]
        assert not [it.subject for it in again.history.log() if "47" in it.subject]


@pytest.mark.long
def test_a_dream_does_what_its_sources_say_beside_what_they_hide(mara: Vault) -> None:
    said = mara.remember("I am 47. I ail.", agent="ada", source="user", speaker="Mara")
    mara.dreams.plan()
    hide(mara.path / said.path, "I ail.")
    with Vault.open(mara.path) as again:
        again.dreams.plan()
        again.dreams.apply(everything=True)
        assert "age: " in card(again).read_text()


def test_the_lists_are_made_anew_of_a_task_that_hides_something(vault: Vault) -> None:
    task = vault.tasks.create("Pay Zerlina the settlement")
    vault.tick()
    lists = [vault.path / "TASKS.md", vault.path / "MEMORY.md"]
    assert "Zerlina" in lists[0].read_text()
    hide(vault.path / task.path, "Zerlina the settlement")
    with Vault.open(vault.path) as again:
        again.tick()
        assert not [it for it in lists if "Zerlina" in it.read_text()]
        assert "Pay A note." in lists[0].read_text()
        assert not [p for p in again.status().problems if p.code == "withheld"]


def summarized(vault: Vault, *texts: str) -> Path:
    """Let Mara say *texts*, have them summarized, and return the file of the first."""
    config = vault.path / "config/memory_compaction.md"
    config.write_text(config.read_text().replace("immediate_window: 64", "immediate_window: 1"))
    said = [vault.remember(t, agent="ada", source="user", speaker="Mara") for t in texts]
    vault.compact("ada", force=True)
    vault.tick()
    return vault.path / said[0].path


def summary(vault: Vault) -> str:
    """Return what the summaries say below their frontmatter."""
    files = vault.path.glob("agents/ada/summaries/*.md")
    return "\n".join(it.read_text().partition("\n---\n")[2] for it in files)


@pytest.mark.long
def test_a_summary_loses_the_line_of_a_memory_that_is_hidden_and_no_other(mara: Vault) -> None:
    water = "Quellwerk in Linz sells bottled water."
    file = summarized(mara, "I work at Quellwerk in Linz.", water, "The depot opens at nine.")
    assert "I work at Quellwerk in Linz" in summary(mara)
    hide(file, "I work at Quellwerk in Linz.")
    with Vault.open(mara.path) as again:
        again.tick()
        assert "I work" not in summary(again)
        assert water in summary(again)


def test_a_summary_keeps_the_lines_of_memories_beside_which_something_is_hidden(
    mara: Vault,
) -> None:
    day = "The depot opens at nine."
    file = summarized(mara, "Anna bought the garage in Linz. She was robbed.", day, day[:-1])
    before = summary(mara).splitlines()
    assert any("Anna bought the garage" in line for line in before)
    hide(file, "She was robbed.")
    with Vault.open(mara.path) as again:
        again.tick()
        assert {line for line in before if "robbed" not in line} <= {*summary(again).splitlines()}


def episode(vault: Vault) -> str:
    """Return what the episodes and the compact of the session say below their frontmatter."""
    files = [*vault.path.glob("agents/ada/episodes/*.md"), *vault.path.glob("agents/ada/*/*ct.md")]
    return "\n".join(it.read_text().partition("\n---\n")[2] for it in files)


def decide(vault: Vault, *texts: str) -> None:
    """Let Mara say *texts* and decide something else, have a compact and an episode made."""
    for text in (*texts, "We decided to buy a boat in Linz."):
        vault.say("talk", text, agent="ada", speaker="Mara")
    vault.compact_session("talk", agent="ada")
    vault.end_session("talk", agent="ada")
    vault.fold("ada", force=True)
    vault.tick()


OTHER_WORDS = (
    ("Tom lost his job", "Tom lost his keys on the way to his job."),
    ("Tom is gay", "Lena asked me whether Tom is gay, what nonsense."),
    ("Doctor Huber drinks", "Doctor Huber drinks green tea."),
)


@pytest.mark.long
@pytest.mark.parametrize(("reason", "other"), OTHER_WORDS)
def test_a_hidden_reason_goes_though_its_words_are_said_of_something_else(
    mara: Vault, reason: str, other: str
) -> None:
    decide(mara, f"We decided to sell the house in Graz because {reason}.", other)
    assert f"**Why:** {reason}" in episode(mara)
    hide(mara.path / TALK, f" because {reason}")
    with Vault.open(mara.path) as again:
        assert f"Why:** {reason}" not in again.sessions.restore("talk", agent="ada")
        assert f"Why: {reason}" not in again.context("the house", agent="ada").text
        again.tick()
        assert f"**Why:** {reason}" not in episode(again)
        assert "sell the house in Graz" in episode(again)


SAID_AGAIN = (
    "Tom lost his job.",
    "My brother Tom has lost his job, so Lena pays the rent.",
    "We ruled out the flat in Wels: Tom lost his job.",
)


@pytest.mark.long
@pytest.mark.parametrize("again_said", SAID_AGAIN)
def test_a_hidden_reason_stays_that_another_turn_states(mara: Vault, again_said: str) -> None:
    decide(mara, "We decided to sell the house in Graz because Tom lost his job.", again_said)
    hide(mara.path / TALK, " because Tom lost his job")
    with Vault.open(mara.path) as again:
        again.tick()
        assert "**Why:** Tom lost his job" in episode(again)


FRAMED = (
    ("Doctor Huber said that I have a weak heart.", "I prefer tea over coffee in the morning."),
    ("Lena asked what Doctor Huber said to me.", "I prefer trains over planes for long trips."),
)


@pytest.mark.long
@pytest.mark.parametrize(("secret", "taste"), FRAMED)
def test_a_hidden_sentence_takes_no_quotation_along_for_the_word_that_frames_it(
    mara: Vault, secret: str, taste: str
) -> None:
    decide(mara, secret, taste)
    framed = f'On 2026-11-20 Mara said: "{taste}"'
    before = mara.context("what she prefers", agent="ada").text
    assert framed in episode(mara)
    hide(mara.path / TALK, secret)
    with Vault.open(mara.path) as again:
        assert taste in before
        assert taste in again.context("what she prefers", agent="ada").text
        again.tick()
        assert framed in episode(again)
        assert "Huber" not in episode(again)
        assert not [p for p in again.status().problems if p.code == "withheld"]


@pytest.mark.long
def test_a_quotation_that_is_hidden_goes_with_its_frame(mara: Vault) -> None:
    taste = "I prefer tea over coffee in the morning."
    decide(mara, taste, "Doctor Huber said that I have a weak heart.")
    assert f'Mara said: "{taste}"' in episode(mara)
    hide(mara.path / TALK, taste)
    with Vault.open(mara.path) as again:
        again.tick()
        assert "coffee" not in episode(again)
