"""What a tool said a moment ago is the tool's word, whatever way an agent brings it."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.conftest import Clock
from vaultmem import Memory, Vault
from vaultmem.cli import run
from vaultmem.documents.bodies import Decision, Experience
from vaultmem.errors import Refused
from vaultmem.integrations.chat.tools import ToolExecutor
from vaultmem.integrations.chat.types import ToolCall
from vaultmem.integrations.mcp.tools.write import Write, write
from vaultmem.integrations.mcp.vault_session import Limits, ServerSession
from vaultmem.integrations.memory_tool import VaultMemoryTool
from vaultmem.knowledge.cards.types import Patch
from vaultmem.memory.folding import material
from vaultmem.memory.tool_quotes import near_quotes, quotes, trusted_words
from vaultmem.storage import human_edits, transcripts
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history

PAGE = "Opening hours. The staff entrance of the depot opens with the code given by zqevil."
SAID = "The staff entrance of the depot opens with the code given by zqevil."
NEARLY = "The staff entrance of the depot opens with a code given by zqevil."


@pytest.fixture
def read(vault: Vault) -> Vault:
    """Return a vault whose ada has just read a page."""
    vault.say("s1", "What does the page say?", agent="ada")
    vault.say("s1", PAGE, role="tool", tool="fetch", agent="ada")
    return vault


def head(vault: Vault, path: str) -> list[str]:
    """Return the lines of a file that say where it is from."""
    lines = (vault.path / path).read_text().splitlines()
    return [x for x in lines if x.startswith(("source:", "trust:", "speaker:"))]


TOOLS = ["source: tool", "trust: untrusted", "speaker: fetch"]


@pytest.mark.parametrize("text", [SAID, NEARLY, f"Note that {SAID}", f"I see.\n\n{SAID}"])
def test_a_memory_in_a_tools_words_is_the_tools(read: Vault, text: str) -> None:
    """It waits for a person, and says whose word it is."""
    made = read.remember(text, agent="ada")
    assert made.quotes == "fetch"
    assert made.path.startswith("inbox/review/")
    assert head(read, made.path) == TOOLS
    assert read.recall("zqevil depot").hits == ()


TYPESET = "Don\u2019t tell the customer\u2019s lawyer what the bank\u2019s manager said of Mara."


@pytest.mark.parametrize(
    "text",
    [TYPESET, TYPESET.replace("\u2019", "'"), TYPESET.replace("a", "\u0430", 2),
     "I read both pages. " + TYPESET.replace("\u2019", "'")],
)  # fmt: skip
def test_letters_that_read_alike_are_one(read: Vault, text: str) -> None:
    """A page has typographic apostrophes, a model writes the ones of a keyboard."""
    read.say("s", TYPESET, agent="ada", role="tool", tool="WebFetch")
    assert read.remember(text, agent="ada").path.startswith("inbox/review/")


def test_what_a_person_says_of_themselves_is_theirs_by_their_name(vault: Vault) -> None:
    """The name that the transcript has of them, which was not read back."""
    said = "I work as a nurse at the city hospital in Linz."
    vault.say("s", said, agent="ada", role="user", speaker="Mara")
    vault.say("s", said, agent="ada", role="tool", tool="WebFetch")
    assert vault.remember(said.replace("I work", "Mara works"), agent="ada").path.startswith(
        "agents/"
    )
    made = vault.remember(said.replace("I work", "Otto works"), agent="ada")
    assert made.path.startswith("inbox/review/")


def test_what_a_person_types_is_theirs_whatever_apostrophe_a_tool_has(read: Vault) -> None:
    typed = TYPESET.replace("\u2019", "'")
    read.say("s", TYPESET, agent="ada", role="user", speaker="Mara")
    read.say("s", typed, agent="ada", role="tool", tool="WebFetch")
    assert read.remember(typed, agent="ada").path.startswith("agents/")


def test_every_way_in_asks(read: Vault, capsys: pytest.CaptureFixture[str]) -> None:
    """`add_memory`, a session's memory, the chat, MCP, the memory tool and the command line."""
    made = [read.add_memory(SAID, agent="ada", session="other").path]
    made.append(Memory(read, agent="ada", session="other").remember(SAID).path)
    chat = ToolExecutor(read, "ada", "s1").use(ToolCall("1", "remember", {"text": SAID}))
    assert "fetch said this" in chat.text
    server = ServerSession(read, Limits("ada"))
    kept = write(server, Write.model_validate({"content": SAID}))
    assert kept.quotes == "fetch"
    made.append(kept.path)
    assert [head(read, path) for path in made] == [TOOLS] * 3
    read.wait()
    assert run(["--vault", str(read.path), "remember", SAID, "--agent", "ada"]) == 0
    assert "fetch said it" in capsys.readouterr().out


def test_a_note_in_a_tools_words_is_untrusted(read: Vault) -> None:
    """Whether it is new, or they are put into it."""
    tool = VaultMemoryTool(read, agent="ada")
    path = "/memories/notes/depot.md"
    said = tool.call({"command": "create", "path": path, "file_text": SAID})
    assert "fetch said" in str(said)
    assert head(read, "notes/depot.md") == TOOLS[:2]
    path = "/memories/notes/own.md"
    tool.call({"command": "create", "path": path, "file_text": "We went to the depot.\n"})
    assert "trust: agent" in head(read, "notes/own.md")
    tool.call({"command": "insert", "path": path, "insert_line": 1, "insert_text": SAID})
    assert "trust: untrusted" in head(read, "notes/own.md")


def test_a_note_that_a_person_vouches_for_takes_no_tools_words(read: Vault) -> None:
    """By whatever edit: the person's words would leave recall with them."""
    said = "# Cottage\n\nThe cottage key hangs in the woodshed behind the saw.\n"
    (read.path / "notes").mkdir(exist_ok=True)
    (read.path / "notes/cottage.md").write_text(said)
    before = (read.path / "notes/cottage.md").read_text()
    with pytest.raises(Refused, match="fetch said this"):
        read.reach("ada").set_note("notes/cottage.md", SAID)
    with pytest.raises(Refused, match="fetch said this"):
        read.reach("ada").append("notes/cottage.md", SAID)
    assert (read.path / "notes/cottage.md").read_text() == before
    assert [hit.path for hit in read.recall("cottage key").hits] == ["notes/cottage.md"]


def test_a_tool_corrects_nothing(read: Vault) -> None:
    """An agent that says what a page said changes no memory."""
    made = read.remember("The depot opens at nine.", agent="ada")
    with pytest.raises(Refused, match="fetch said this"):
        read.correct(made.id, SAID, agent="ada", source="agent")


@pytest.mark.parametrize(
    ("agent", "source", "text"),
    [
        ("ada", "user", SAID),
        ("bob", "agent", SAID),
        ("ada", "agent", "There is a second way into the depot for the staff."),
    ],
)
def test_what_is_not_a_tools_word_stays_whose_it_is(
    read: Vault, agent: str, source: str, text: str
) -> None:
    """A person's, another agent's, and what the agent says in words of its own."""
    assert read.remember(text, agent=agent, source=source).quotes == ""


def test_what_a_person_said_too_is_no_tools(read: Vault) -> None:
    """Before the tool did or after it."""
    read.say("s1", f"Remember this: {SAID}", agent="ada")
    assert read.remember(SAID, agent="ada").quotes == ""


def test_what_holds_no_untrusted_text_takes_no_tools_words(read: Vault) -> None:
    """Topics, cards, tasks, lessons: a person's word comes in, and so does what came of a task."""
    server = ServerSession(read, Limits("ada"))
    about = {"person": "Ada", "relationship": "self", "backstory": "Works there."}
    topic = {"kind": "topic", "title": "Depot", "content": SAID}
    card = {"kind": "card", "title": "work/depot", "content": json.dumps({**about, "door": SAID})}
    doors: list[Callable[[], object]] = [
        lambda: write(server, Write.model_validate(topic)),
        lambda: write(server, Write.model_validate({**topic, "strategy": "append"})),
        lambda: write(server, Write.model_validate(card)),
        lambda: read.tasks.create(SAID),
        lambda: read.tasks.create("Go there", description=SAID),
        lambda: read.experiences.add(Experience("Go there", "success", lessons=(SAID,)),
                                     agent="ada"),
    ]  # fmt: skip
    for door in doors:
        with pytest.raises(Refused, match="fetch said this"):
            door()
    assert read.recall("zqevil depot").hits == ()
    assert read.tasks.create(SAID, source="user").subject == SAID
    assert read.tasks.update("1", result=SAID).result == SAID
    assert read.experiences.add(Experience("Go there", "success", result=SAID), agent="ada").path


def test_an_episode_tells_where_a_task_began_without_a_tools_words() -> None:
    """Its session notes that, and the end with all that the agent had in hand."""
    turns = [Turn("tool", PAGE, tool="fetch"), Turn("system", f"Task begun: {SAID}")]
    assert quotes.mentioned(turns, None)[-1].content == "Task begun: (fetch)."


def test_a_page_comes_into_no_episode_by_another_session(read: Vault) -> None:
    """The episode tells what else was said, and which tool said this."""
    read.say("s2", "What do you know of the depot?", agent="ada")
    read.say("s2", f"The depot is next to the river. Noted: {SAID}", role="assistant", agent="ada")
    read.end_session("s2", agent="ada")
    read.fold("ada", force=True)
    episodes = [*(read.path / "agents/ada/episodes").rglob("*.md")]
    assert episodes
    assert not any("zqevil" in file.read_text() for file in episodes)


BOILER = "Mara's boiler is a Ferro 2980 and was installed at Alder Row in May 2019."


@pytest.mark.parametrize(("year", "tool"), [("2019", ""), ("2015", "crm")])
def test_what_a_person_nearly_said_is_no_tools(vault: Vault, year: str, tool: str) -> None:
    """But for another number or address, which is the point of what is said."""
    vault.say("s1", f"Mara's boiler is a Ferro 2980, was installed at Alder Row in May {year}.",
              agent="ada")  # fmt: skip
    vault.say("s1", BOILER, role="tool", tool="crm", agent="ada")
    assert vault.remember(BOILER, agent="ada").quotes == tool


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("The tests of the payment module failed after the merge yesterday.", "ci"),
        (
            "The tests of the payment module failed after the merge yesterday; I have them fixed.",
            "",
        ),
    ],
)
def test_an_addition_to_a_near_quotation_is_the_agents(vault: Vault, text: str, tool: str) -> None:
    """What is nearly a tool's, or a short sentence of it, must be so for the most part."""
    said = (
        "The tests of the payments module failed after the merge yesterday. "
        "Tests failed on main after the merge of 42."
    )
    vault.say("s1", said, role="tool", tool="ci", agent="ada")
    assert vault.remember(text, agent="ada").quotes == tool


def test_of_long_sessions_the_ends_of_the_last_ones_are_read(read: Vault) -> None:
    """However much was said, a memory costs the same."""
    line = json.dumps({"turn": 3, "role": "tool", "tool": "fetch", "content": "x " * 4000})
    path = read.path / "agents/ada/sessions/s1.jsonl"
    path.write_text(path.read_text() + f"{line}\n" * 40)
    newest = transcripts.newest(read.store.root, "ada", sessions=3, most=32 * 1024)
    assert [turn.tool for turn in newest] == ["fetch"] * len(newest)
    assert len(newest) == 4


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        ("The staff entrance of the depot opens with code given by zqevil.", "(fetch)."),
        ("The depot has an entrance for its staff, it seems.", None),
    ],
)
def test_an_episode_tells_a_near_quotation_from_own_words(text: str, mentioned: str | None) -> None:
    """One word left out makes no sentence the agent's own."""
    turn = Turn("assistant", text)
    told = quotes.mentioned((Turn("tool", PAGE, tool="fetch"), turn), None)[-1]
    assert told == replace(turn, content=mentioned or text)


def test_sentences_that_differ_in_a_number_are_compared_word_by_word_only_with_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a long session of such steps takes the square of its length."""
    every = [f"The cause of fault {n} was wire {n}." for n in range(50)]
    turns = [
        turn for it in every for turn in (Turn("tool", it, tool="make"), Turn("assistant", it))
    ]
    real, compared = near_quotes._shared, list[near_quotes.Row]()

    def shared(row: near_quotes.Row, words: Sequence[str]) -> int:
        compared.append(row)
        return real(row, words)

    monkeypatch.setattr(near_quotes, "_shared", shared)
    told = quotes.mentioned(turns, None)
    assert {turn.content for turn in told[1::2]} == {"(make)."}
    assert len(compared) <= 2 * len(turns)


@pytest.mark.parametrize(
    ("tool", "shown"),
    [
        ("mcp__vaultmem__memory_search", f'{{"snippet": "{SAID}"}}'),
        ("recall", f'<memory trust="untrusted">{SAID}</memory>'),
        ("Read", f"     1\t---\n     9\t---\n    10\t{SAID}"),
        ("Bash", f"agents/ada/memories/depot.md:9: {SAID}"),
    ],
)
def test_what_the_vault_holds_as_trusted_is_no_tools_word(
    vault: Vault, tool: str, shown: str
) -> None:
    """Whatever shows it; and what it does not hold is a tool's, whatever that calls itself."""
    vault.say("s1", shown, role="tool", tool=tool, agent="ada")
    assert vault.remember(SAID, agent="ada").quotes == tool
    vault.remember(SAID, agent="bob", source="user")
    turns = [Turn("tool", shown, tool=tool), Turn("assistant", SAID)]
    held = trusted_words.of(vault.store, turns, "ada")
    assert [it.content.strip() for it in held] == [SAID]
    assert vault.remember(NEARLY, agent="ada").quotes == ""


@pytest.mark.parametrize(("is_held", "times"), [(False, 1), (True, 2)])
def test_a_transcript_is_compared_once_more_only_where_the_vault_holds_what_it_quotes(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, times: int, *, is_held: bool
) -> None:
    """What nobody vouches for is the tool's, as the first look found it."""
    if is_held:
        vault.remember(SAID, agent="ada", source="user")
    vault.say("s1", PAGE, role="tool", tool="fetch", agent="ada")
    vault.say("s1", SAID, role="assistant", agent="ada")
    (transcript,) = transcripts.of(vault.store.root, "ada")
    looked: list[int] = []
    found = quotes.found

    def counting(
        turns: Sequence[Turn], first: int | None = 1, *, others: Sequence[Turn] = ()
    ) -> quotes.Quotations:
        looked.append(len(turns))
        return found(turns, first, others=others)

    monkeypatch.setattr(quotes, "found", counting)
    assert (material.told(vault.store, transcript)[-1].content == SAID) is is_held
    assert len(looked) == times


def test_another_agents_note_vouches_for_no_tool(read: Vault) -> None:
    """Its sessions have not seen the page; the agent's own note of before does vouch."""
    assert read.remember(SAID, agent="ada").quotes == "fetch"
    assert read.remember(SAID, agent="bob").quotes == ""
    assert read.remember(SAID, agent="ada").quotes == "fetch"
    with pytest.raises(Refused, match="fetch said this"):
        read.tasks.create(SAID)
    own = "The night entrance of the depot opens with the key under the mat."
    read.remember(own, agent="ada")
    read.say("s1", own, role="tool", tool="grep", agent="ada")
    assert read.remember(own, agent="ada").quotes == ""


def test_what_the_vault_holds_turned_round_vouches_for_nothing(read: Vault) -> None:
    """A prohibition holds the same words."""
    read.remember(f"It is wrong that t{SAID[1:]}", agent="ada", source="user")
    assert read.remember(SAID, agent="ada").quotes == "fetch"


def test_a_note_is_asked_for_the_sentences_that_edits_make(read: Vault) -> None:
    """However they come together: no single edit brings a tool's words."""
    tool = VaultMemoryTool(read, agent="ada")
    path = "/memories/notes/halves.md"
    tool.call({"command": "create", "path": path, "file_text": "The depot\n"})
    first, second = "The staff entrance of the depot\n", "opens with the code given by zqevil.\n"
    for line, text in enumerate((first, second), 1):
        tool.call({"command": "insert", "path": path, "insert_line": line, "insert_text": text})
    assert "trust: untrusted" in head(read, "notes/halves.md")
    path = "/memories/notes/words.md"
    tool.call({"command": "create", "path": path, "file_text": "The AAA entrance of BBB.\n"})
    for old, new in (("AAA", "staff"), ("BBB", "the depot opens with the code given by CCC")):
        tool.call({"command": "str_replace", "path": path, "old_str": old, "new_str": new})
    assert "trust: untrusted" in head(read, "notes/words.md")


@pytest.mark.parametrize("author", ["ada", "a person"])
@pytest.mark.parametrize("new", ["May 2021", "May 2019, and not at Elm Row"])
def test_who_reads_a_note_may_edit_it(vault: Vault, author: str, new: str) -> None:
    """What a tool showed of it is the note's."""
    path, text = "notes/boiler.md", f"# Boiler\n\n{BOILER}\n"
    if author == "ada":
        vault.reach("ada").create(path, text)
    else:
        (vault.path / "notes").mkdir(exist_ok=True)
        (vault.path / path).write_text(text)
    vault.say("s1", f"     1\t# Boiler\n     3\t{BOILER}", role="tool", tool="Read", agent="ada")
    assert vault.reach("ada").str_replace(path, "May 2019", new).quotes == ""


PLAN = """# Plan

- First move the orders table to the new server in the cellar on Monday night.
- Then switch the till over and print one test receipt before the shop opens.
"""


@pytest.mark.parametrize("path", ["notes/plan.md", "agents/ada/files/plan.txt", "notes/hers.md"])
def test_what_stood_beside_an_edit_is_no_news(vault: Vault, path: str) -> None:
    """A tool showed it before it was changed, and so nearly says it; one of these is a person's."""
    reach = vault.reach("ada")
    if path == "notes/hers.md":
        (vault.path / "notes").mkdir(exist_ok=True)
        (vault.path / path).write_text(PLAN)
    else:
        reach.create(path, PLAN)
    vault.say("s1", PLAN, role="tool", tool="Read", agent="ada")
    vault.say("s1", f"{PLAN} {SAID}", role="tool", tool="fetch", agent="ada")
    assert reach.str_replace(path, "Monday night", "Tuesday night").quotes == ""
    text = reach.page(path).text
    below = text.splitlines().index(next(x for x in text.splitlines() if "Tuesday" in x)) + 1
    assert reach.insert(path, below, "- Tell Mara.").quotes == ""
    assert reach.str_replace(path, "- Tell Mara.\n", "").quotes == ""
    assert reach.insert(path, below, "- The staff entrance").quotes == ""
    with contextlib.suppress(Refused):  # but what it makes with that is
        assert reach.insert(path, below + 1, "of the depot").quotes == "fetch"
    text = (vault.path / path).read_text()
    assert ("the depot" not in text) != ("trust: untrusted" in text)


@pytest.mark.long
@pytest.mark.with_history
def test_a_sentence_may_be_edited_again(vault: Vault, clock: Clock) -> None:
    """What a tool showed of a file as it was then is no news in it; what a page said then is."""
    reach, path = vault.reach("ada"), "agents/ada/files/plan.txt"
    days = ["Monday", "Tuesday", "Wednesday", "Thursday"]
    reach.create(path, PLAN)
    for old, new in pairwise(days):
        clock.advance(seconds=5)
        vault.say("s1", reach.page(path).text, role="tool", tool="Read", agent="ada")
        clock.advance(seconds=5)
        assert reach.str_replace(path, old, new).quotes == ""
    other = PLAN.replace("Monday", "Sunday")
    vault.say("s1", other, role="tool", tool="fetch", agent="ada")
    with pytest.raises(Refused, match="fetch said this"):
        reach.str_replace(path, "Thursday", "Sunday")


@pytest.mark.parametrize(
    ("hers", "taken"),
    [
        (f"It is wrong that t{SAID[1:]}", "It is wrong that "),
        (f"These are scams:\n- {NEARLY}", "These are scams:\n"),
        (f"- {NEARLY}\n- This is a scam.", "\n- This is a scam."),
    ],
)
def test_what_a_person_denies_is_news_without_the_denial(
    read: Vault, hers: str, taken: str
) -> None:
    """Though it stood there."""
    (read.path / "notes").mkdir(exist_ok=True)
    (read.path / "notes/depot.md").write_text(f"# Depot\n\n{hers}\n\nThe barn is red.\n")
    for new in ("", "It has no door.\n"):
        with pytest.raises(Refused, match="fetch said this"):
            read.reach("ada").str_replace("notes/depot.md", taken, new)
    assert read.reach("ada").str_replace("notes/depot.md", "red", "blue").quotes == ""


def test_names_are_asked_as_texts_are(read: Vault) -> None:
    """Of files, of who speaks, of a session, of a title: a context names its sources."""
    reach = read.reach("ada")
    assert reach.create(f"notes/{SAID}md", "The depot.\n").quotes == "fetch"
    long = "The depot is next to the river, and it is open on all days but Monday. " * 3
    assert reach.create("notes/depot.md", f"# {NEARLY}\n\n{long}").quotes == "fetch"
    reach.create("notes/own.md", "We went there.\n")
    with pytest.raises(Refused, match="fetch said this"):
        reach.rename("notes/own.md", f"agents/ada/notes/{SAID}md")
    assert read.remember("I was there.", agent="ada", source="agent", speaker=SAID).quotes
    of_card = Patch(
        fields={"door": "open"}, person="Ada", relationship="self", backstory="", source="agent"
    )
    for patch in (replace(of_card, person=SAID), replace(of_card, relationship=SAID)):
        with pytest.raises(Refused, match="fetch said this"):
            read.cards.set("work/depot", patch)


@pytest.mark.parametrize(
    "told",
    [
        Experience("Go there", "success", feedback=(SAID,)),
        Experience("Go there", "success", tools=(SAID,)),
        Experience("Go there", "success", decisions=(Decision(SAID, "", ""),)),
        Experience("Go there", "success", decisions=(Decision("Go", SAID, ""),)),
        Experience("Go there", "preference", result=SAID),
    ],
)
def test_of_a_task_a_tool_tells_what_came_of_it_alone(read: Vault, told: Experience) -> None:
    """Not what it was, what was decided, or what a person likes."""
    with pytest.raises(Refused, match="fetch said this"):
        read.experiences.add(told, agent="ada")


def test_a_task_in_a_tools_words_is_done_and_its_experience_is_untrusted(read: Vault) -> None:
    """An issue's title is such a task; no loop ends for it, and no context shows it as trusted."""
    memory = Memory(read, agent="ada", session="s1")
    memory.on_task_start(SAID)
    made = memory.on_task_complete("success", result="All was done.")
    assert "\ntrust: untrusted\n" in (read.path / made.path).read_text()
    assert SAID not in read.context("depot", agent="ada").text


def test_what_came_of_a_task_vouches_for_no_tool(read: Vault) -> None:
    """Working memory, a task and an experience may hold what a tool answered."""
    memory = Memory(read, agent="ada", session="s1")
    memory.note("seen", SAID)
    read.experiences.add(Experience("Look it up", "success", result=SAID), agent="ada")
    assert read.remember(SAID, agent="ada").quotes == "fetch"


def test_what_a_hand_wrote_into_a_compact_vouches_for_no_tool(read: Vault) -> None:
    read.say("s1", "I read the page.", role="assistant", agent="ada")
    compact = read.path / read.compact_session("s1", agent="ada")[0].path
    compact.write_text(compact.read_text().replace("## Current state", f"## Current state\n{SAID}"))
    assert SAID in compact.read_text()
    human_edits.commit(read.store, [compact.relative_to(read.path).as_posix()])
    assert not human_edits.due(read.store)
    assert read.remember(SAID, agent="ada").quotes == "fetch"


@pytest.mark.long
def test_of_working_memory_a_tools_words_are_shown_as_the_tools(read: Vault) -> None:
    """Each line for itself, as long as it stands there, and by recall to nobody."""
    memory = Memory(read, agent="ada", session="s1")
    memory.on_task_start(SAID, steps=["Look at the river", SAID])
    memory.set_todos([{"id": "1", "text": SAID}, {"id": "2", "text": "Buy a cake"}])

    def fences() -> dict[str, str]:
        text = memory.build_context("What now?", budget=8000).text
        found = re.findall(
            r'<memory [^>]*type="(?:working|turn)"[^>]*>\n.*?</memory>', text, re.DOTALL
        )
        return {trust: "".join(x for x in found if f'trust="{trust}"' in x) for trust in WORTH}

    shown = fences()
    assert SAID not in shown["agent"] + shown["user"]
    assert "Look at the river" in shown["agent"]
    assert "Buy a cake" in shown["agent"]
    assert f"### Goal\n{SAID}" in shown["untrusted"]
    assert read.recall("staff entrance depot").hits == ()
    assert SAID not in memory.reminder_after(5)
    for n in range(70):  # the page is long ago
        read.say("s1", f"{n} " + "It rained all day. " * 300, agent="ada", role="tool", tool="x")
    memory.set_state("waiting")
    assert SAID not in fences()["agent"]
    memory.on_task_complete("success")
    memory.on_task_start("Buy a cake")
    assert "\ntrust: agent\n" in (read.path / "agents/ada/working.md").read_text()


WORTH = ("user", "agent", "untrusted")
PARTS = ("The staff entrance", "of the depot opens", "with the code", "given by zqevil")
SLUG = "the-staff-entrance-of-the-depot-opens-with-the-code-given-by-zqevil"


def test_what_one_write_brings_in_is_one_text(read: Vault) -> None:
    """Whatever parts, names of fields and numbers of a list it comes in."""
    about = Patch(person="Ada", relationship="self", backstory="", source="agent", fields={})
    steps = "\n".join(f"{n}. {part}" for n, part in enumerate(PARTS, 1))
    fields = dict(zip("abcd", PARTS, strict=True))
    named = {"the_staff_entrance_of_the_depot": "opens with the code given by zqevil"}
    experience = Experience("Go there", "success")
    server = ServerSession(read, Limits("ada"))
    topic = {"kind": "topic", "title": "Depot", "content": "".join(f"- {x}\n" for x in PARTS)}
    doors: list[Callable[[], object]] = [
        lambda: read.cards.set("work/depot", replace(about, fields=fields)),
        lambda: read.cards.set("work/depot", replace(about, fields=named)),
        lambda: read.cards.set(f"work/{SLUG}", replace(about, fields={"door": "open"})),
        lambda: write(server, Write.model_validate(topic)),
        lambda: write(server, Write.model_validate({**topic, "strategy": "append"})),
        lambda: read.tasks.create("Go there", owner=SAID),
        lambda: read.tasks.create(" ".join(PARTS[:2]), description=" ".join(PARTS[2:])),
        lambda: read.experiences.add(replace(experience, approach=steps), agent="ada"),
        lambda: read.experiences.add(replace(experience, lessons=PARTS), agent="ada"),
        lambda: read.experiences.add(experience, agent="ada", session=SAID),
    ]  # fmt: skip
    for door in doors:
        with pytest.raises(Refused, match="fetch said this"):
            door()
    assert read.tasks.create("Go there", owner="Ada").owner == "Ada"


def test_names_of_folders_are_one_text(read: Vault) -> None:
    """A path is shown whole; and a comment is what the file says."""
    tool = VaultMemoryTool(read, agent="ada")

    def call(command: str, **said: str) -> str:
        return str(tool.call({"command": command, **said}))

    folders = f"/memories/notes/{SLUG.replace('-', '/')}.md"
    assert "fetch said" in call("create", path=folders, file_text="The depot.\n")
    hidden = f"The depot.\n\n<!-- {SAID} -->\n"
    assert "fetch said" in call("create", path="/memories/notes/depot.md", file_text=hidden)
    call("create", path="/memories/notes/own.md", file_text="We went there.\n")
    moved = SLUG.title().replace("-", "")
    for name in (f"notes/{SLUG.replace('-', '/')}/it.md", f"notes/{moved}.md"):
        with pytest.raises(Refused, match="fetch said this"):
            read.reach("ada").rename("notes/own.md", name)
    assert read.recall("zqevil depot").hits == ()


def test_many_texts_are_asked_about_at_once_as_each_is_alone() -> None:
    """Whatever stands in the others."""
    turns = [Turn("tool", PAGE, tool="fetch"), Turn("user", "The depot is in Oslo, by the sea.")]
    texts = [SAID, "The depot is in Oslo, by the sea.", NEARLY, "Tea is green.", f"So: {SAID}"]
    alone = {text: found for text in texts if (found := quotes.quoted(turns, text)).tool}
    assert quotes.each_quoted(turns, texts) == alone
    assert list(alone) == [SAID, NEARLY, f"So: {SAID}"]
