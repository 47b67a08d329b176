"""Episodes, topics and compacts are Markdown that a person may edit, and nothing gets lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vaultmem.documents.bodies import (
    Decision,
    Eliminated,
    Episode,
    Experience,
    Fact,
    SessionCompact,
    ToolResult,
    Topic,
    TopicDecision,
    TopicEliminated,
)
from vaultmem.documents.bodies.bullets import normal, normal_lines
from vaultmem.documents.bodies.json_format import compact_json
from vaultmem.documents.bodies.markdown import (
    parse_compact,
    parse_episode,
    parse_experience,
    parse_topic,
    read_topic,
    render_compact,
    render_episode,
    render_experience,
    render_topic,
    update_topic,
)
from vaultmem.documents.bodies.topic_editor import kept
from vaultmem.documents.markdown import blocks

LOCKING = Decision("Optimistic locking", "there is no SELECT FOR UPDATE", "MySQL stays readable")
POLLING = Eliminated("Polling every 5 s", "rate limits")
EPISODE = Episode(
    "Locking",
    "We moved orders to MySQL.\nTwo writers may meet.",
    (LOCKING, Decision("Ship on Friday")),
    (POLLING,),
    ("Who owns the queue?",),
    ("The table is `order_rows`, not `orders`",),
    ("Short answers",),
    (ToolResult("row_count", "48213 rows"),),
)
EPISODE_BODY = """\
We moved orders to MySQL.
Two writers may meet.

## Decisions
- Optimistic locking
  - **Why:** there is no SELECT FOR UPDATE
  - **Must:** MySQL stays readable
- Ship on Friday

## Ruled out
- Polling every 5 s
  - **Why:** rate limits

## Open questions
- Who owns the queue?

## Corrections
- The table is `order_rows`, not `orders`

## Preferences
- Short answers

## Tool results
- `row_count`: 48213 rows
"""
COMPACT = SessionCompact(
    "Move orders to MySQL.",
    "Writes work.\nReads do not.",
    (LOCKING,),
    (POLLING,),
    ("Who owns the queue?",),
    ("Fix the reads", "Ask Bo"),
    (ToolResult("row_count", "48213 rows"),),
    12,
)
COMPACT_BODY = """\
Compacted at turn 12.

## Task
Move orders to MySQL.

## Current state
Writes work.
Reads do not.

## Key decisions
- Optimistic locking
  - **Why:** there is no SELECT FOR UPDATE
  - **Must:** MySQL stays readable

## Ruled out
- Polling every 5 s
  - **Why:** rate limits

## Open questions
- Who owns the queue?

## Next steps
- Fix the reads
- Ask Bo

## Tool results
- `row_count`: 48213 rows
"""
SEVEN, NINE = "agents/ada/episodes/episode-0007-locking", "20261120-101500-dark-roast-7q3kzm"
TOPIC = Topic(
    "orders",
    "Orders",
    "How orders are stored",
    (Fact("Orders live in MySQL", (SEVEN, NINE)), Fact("They are never deleted")),
    (TopicDecision(LOCKING, (SEVEN,)),),
    (TopicEliminated(POLLING, (SEVEN,)),),
    (Fact("Schema changes go out on Mondays", (NINE,)),),
)
TOPIC_BODY = f"""\
## Facts
- Orders live in MySQL ([[{SEVEN}]], [[{NINE}]])
- They are never deleted

## Decisions
- Optimistic locking ([[{SEVEN}]])
  - **Why:** there is no SELECT FOR UPDATE
  - **Must:** MySQL stays readable

## Ruled out
- Polling every 5 s ([[{SEVEN}]])
  - **Why:** rate limits

## Patterns
- Schema changes go out on Mondays ([[{NINE}]])
"""

# --- nasty values -------------------------------------------------------------------------------

MARKS = st.sampled_from(
    [
        *"#-*+>`\\[]()|:.!_~=<&\"' 1",
        "```",
        "~~~",
        "---",
        "- ",
        "1. ",
        "**Why:** ",
        "**Must:** ",
        "**How to apply:** ",
        "Why: ",
        "How to apply: ",
        "## Facts",
        "[[a]]",
        " ([[a]])",
        " ([[a]], [[b|c]])",
        "<!-- ",
        " -->",
        "`x`: ",
        "Compacted at turn 12.",
        "\\*",
        "\\\\",
        "—",
        "日本語",
        "☕️",
        "\x07",
        "\u2028",
        "\x85",
        "\ud800",
        "\ufeff",
        "word ",
    ]
)
NASTY = st.one_of(st.text(max_size=12), st.lists(MARKS, max_size=6).map("".join))
TEXT = NASTY.map(normal)
WORDS = TEXT.filter(bool)
LINES = st.lists(WORDS, max_size=3).map("\n".join)
TARGETS = st.lists(
    st.sampled_from([SEVEN, NINE, "a (b)", "x#^y", "é"]), max_size=3, unique=True
).map(tuple)
DECISIONS = st.builds(Decision, WORDS, TEXT, TEXT)
ELIMINATED = st.builds(Eliminated, WORDS, TEXT)
RESULTS = st.builds(ToolResult, TEXT, WORDS)
FACTS = st.builds(Fact, WORDS, TARGETS, TEXT, TEXT)


def some(things: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(things, max_size=3).map(tuple)


EPISODES = st.builds(
    Episode,
    st.just("Title"),
    LINES,
    some(DECISIONS),
    some(ELIMINATED),
    some(WORDS),
    some(WORDS),
    some(WORDS),
    some(RESULTS),
)
EXPERIENCES = st.builds(
    Experience,
    LINES,
    st.sampled_from(["success", "failure", "feedback", "preference", "tool"]),
    LINES,
    LINES,
    some(DECISIONS),
    some(WORDS),
    some(WORDS),
    some(WORDS),
)
COMPACTS = st.builds(
    SessionCompact,
    LINES,
    LINES,
    some(DECISIONS),
    some(ELIMINATED),
    some(WORDS),
    some(WORDS),
    some(RESULTS),
    st.integers(0, 10**9),
)
TOPICS = st.builds(
    Topic,
    st.just("orders"),
    st.just("Orders"),
    st.just("How orders are stored"),
    some(FACTS),
    some(st.builds(TopicDecision, DECISIONS, TARGETS, TEXT)),
    some(st.builds(TopicEliminated, ELIMINATED, TARGETS)),
    some(FACTS),
)


def parsed(body: str) -> Topic:
    return parse_topic(body, "orders", "Orders", "How orders are stored")


# --- there and back -----------------------------------------------------------------------------


def test_an_episode_is_a_summary_and_sections_with_a_bullet_a_fact() -> None:
    assert render_episode(EPISODE) == EPISODE_BODY
    assert parse_episode(EPISODE_BODY, "Locking") == EPISODE


def test_a_compact_is_sections_and_the_turn_it_was_made_at() -> None:
    assert render_compact(COMPACT) == COMPACT_BODY
    assert parse_compact(COMPACT_BODY) == COMPACT


def test_a_topic_is_sections_whose_bullets_end_with_their_sources() -> None:
    assert render_topic(TOPIC) == TOPIC_BODY
    assert parsed(TOPIC_BODY) == TOPIC


@pytest.mark.long
@given(EPISODES)
def test_an_episode_comes_back_as_it_was(episode: Episode) -> None:
    assert parse_episode(render_episode(episode), "Title") == episode


@given(EXPERIENCES)
def test_an_experience_comes_back_as_it_was(experience: Experience) -> None:
    assert parse_experience(render_experience(experience)) == experience


@given(COMPACTS)
def test_a_compact_comes_back_as_it_was(compact: SessionCompact) -> None:
    assert parse_compact(render_compact(compact)) == compact


@pytest.mark.long
@given(TOPICS)
def test_a_topic_comes_back_as_it_was(topic: Topic) -> None:
    assert parsed(render_topic(topic)) == topic


@given(NASTY, NASTY)
def test_what_is_not_normal_comes_back_on_one_line(text: str, why: str) -> None:
    decision = Decision(f"x{text}", why)
    back = parse_episode(render_episode(Episode("", text, (decision,))))
    assert back.summary == normal_lines(text)
    assert back.decisions == (Decision(normal(f"x{text}"), normal(why)),)


MESS = st.lists(
    st.sampled_from(
        [
            "## Facts",
            "### decisions:",
            "# Mine",
            "- A",
            "* B ([[x]])",
            " - C",
            "  - D ([[a]]) ([[b]])",
            "    - E",
            "  - **Why:** so",
            "  - **How to apply:** thus",
            " - how to  apply: so",
            "\t- must: it",
            " - why: it",
            "-",
            "  -",
            "- ([[x]])",
            "1. one",
            "goes on",
            "  goes on ([[y]])",
            "",
            "\r",
            "```",
            "~~~~",
            "- ```",
            "---",
            "<!-- x -->",
        ]
    ),
    max_size=12,
).map("\n".join)


@given(MESS)
@example("```\n## Facts\n- x")
def test_any_body_parses_to_what_can_be_written(body: str) -> None:
    topic, episode, compact = parsed(body), parse_episode(body), parse_compact(body)
    assert parsed(render_topic(topic)) == topic
    assert parse_episode(render_episode(episode)) == episode
    assert parse_compact(render_compact(compact)) == compact


def test_text_is_escaped_only_where_it_would_be_read_as_something_else() -> None:
    said = (
        "**Never** `rm \\*`, see [[home]]",
        "C:\\temp\\*",
        "# no heading",
        "- no list",
        "--",
        "snake_case * 2 > 1",
        "ends in ([[a link]])",
        "``no code \\*`",
    )
    body = render_topic(replace(TOPIC, facts=tuple(map(Fact, said)), decisions=(), eliminated=()))
    assert body.startswith(
        r"""## Facts
- **Never** `rm \*`, see [[home]]
- C:\temp\\*
- \# no heading
- \- no list
- \--
- snake_case * 2 > 1
- ends in \([[a link]])
- ``no code \\*`
"""
    )


def test_a_line_of_a_summary_is_no_mark() -> None:
    summary = "# A\n> B\n---\n````\n~~~ C\n<!-- D -->\n- E\nF"
    body = render_episode(Episode("", summary))
    assert body == "\\# A\n\\> B\n\\---\n\\````\n\\~~~ C\n\\<!-- D -->\n- E\nF\n"
    assert parse_episode(body).summary == summary


def test_a_task_may_say_when_it_was_compacted() -> None:
    compact = replace(COMPACT, task="Compacted at turn 3.")
    assert parse_compact(render_compact(compact)) == compact


def test_what_no_file_can_hold_is_left_out() -> None:
    body = render_episode(Episode("", "A\x00 half \ud83d emoji\x1b[31m"))
    assert body.encode() == b"A half emoji[31m\n"


def test_a_result_without_a_name_is_no_name() -> None:
    results = (
        ToolResult("", "`a`: b"),
        ToolResult("", ": c"),
        ToolResult("`x", "d"),
        ToolResult("y`", ""),
    )
    body = render_episode(Episode("", "", tool_results=results))
    assert body == "## Tool results\n- : `a`: b\n- : : c\n- `` `x ``: d\n- `` y` ``\n"
    assert parse_episode(body).tool_results == results


def test_what_says_nothing_is_not_written() -> None:
    assert not render_episode(Episode("Title", " \n ", (Decision(""),), open_questions=("\x07",)))


# --- what a person makes of it ------------------------------------------------------------------


def test_a_person_may_write_it_their_own_way() -> None:
    body = """\
# Locking

We moved orders to MySQL.
Two writers
may meet. <!-- -->
<!-- a comment -->

###  RULED-OUT:
Bo said so:
    # no heading
* Polling every
  5 s
    * __Why__: rate limits
      everywhere

    - a note of mine

# My own
- no decision

## Open Questions
1. Who owns the queue?

#### **Decisions** ##
+ Optimistic locking
  a comment in between
\t+ why: there is no SELECT FOR UPDATE
 - **Must**: MySQL stays readable
```
- no decision either
## Preferences
```
+ Ship on Friday
## Preferences
""".replace("\n", "\r\n")
    assert parse_episode(body) == Episode(
        "",
        "We moved orders to MySQL.\nTwo writers\nmay meet. <!-- -->",
        (
            replace(LOCKING, decision="Optimistic locking a comment in between"),
            Decision("Ship on Friday"),
        ),
        (Eliminated("Polling every 5 s", "rate limits everywhere"),),
        ("Who owns the queue?",),
    )


def test_a_fence_that_never_closes_hides_nothing() -> None:
    assert parsed("```\n## Facts\n- Tea\n~~~\n- Milk").facts == (Fact("Tea"), Fact("Milk"))


@pytest.mark.long
def test_many_open_fences_are_read_in_no_time() -> None:
    assert parsed("```python\n" * 50_000 + "## Facts\n- Tea\n").facts == (Fact("Tea"),)


def test_what_is_nested_with_a_tab_is_nested() -> None:
    assert parsed("## Facts\n- Tea\n\t- a note\n").facts == (Fact("Tea"),)


def test_a_source_may_have_an_alias() -> None:
    body = f"## Facts\n- Tea ( [[{SEVEN}|the seventh]] [[{NINE}]] )\n"
    assert parsed(body).facts == (Fact("Tea", (SEVEN, NINE)),)


def test_a_summary_may_have_a_heading_of_its_own() -> None:
    assert parse_episode("## Summary\nTea.\n## Other\nMilk.\n").summary == "Tea."


@pytest.mark.parametrize("heading", ["# Decisions", "## Mine", "## ☕"])
def test_what_stands_in_a_section_is_no_summary(heading: str) -> None:
    assert not parse_episode(f"{heading}\n- Tea\n").summary


def test_the_turn_may_stand_anywhere() -> None:
    assert parse_compact("## Task\nTea.\nCompacted at turn 7.\n") == SessionCompact(
        "Tea.", "", compacted_at_turn=7
    )


# --- updating -----------------------------------------------------------------------------------

OWN = """\
A word before.

## facts
My list:
*  Orders live   in MySQL ([[x|X]])
   * Bo told me
* They are never
  deleted
My afterthought.

## Mine
- Orders live in MySQL
"""


def own(*facts: Fact) -> Topic:
    return Topic("orders", "Orders", "How orders are stored", facts)


LIVE, NEVER = Fact("Orders live in MySQL", ("x",)), Fact("They are never deleted")


def test_a_topic_that_stays_leaves_the_body_as_it_is() -> None:
    assert update_topic(OWN, own(LIVE, NEVER), own(LIVE, NEVER)) == OWN


def test_a_new_fact_comes_behind_the_last() -> None:
    found = update_topic(OWN, parsed(OWN), own(LIVE, NEVER, Fact("Tea", ("y",))))
    assert found == OWN.replace("  deleted\n", "  deleted\n* Tea ([[y]])\n")


def test_what_a_person_nested_in_a_fact_stays_where_it_is_when_the_fact_goes() -> None:
    """Below a bullet without words: it hangs on no other fact."""
    found = update_topic(OWN, parsed(OWN), own(NEVER))
    assert found == OWN.replace("*  Orders live   in MySQL ([[x|X]])\n", "\n*\n")
    again = update_topic(found, own(NEVER), own())
    assert "*\n   * Bo told me\nMy afterthought.\n" in again
    assert parsed(again) == own()


def test_what_a_person_nested_in_a_fact_stays_below_its_later_wording() -> None:
    later = replace(LIVE, text="Orders live in Postgres")
    found = update_topic(OWN, parsed(OWN), own(Fact("Tea"), later, NEVER))
    old = "*  Orders live   in MySQL ([[x|X]])\n"
    assert found == OWN.replace(old, "* Tea\n* Orders live in Postgres ([[x]])\n")


def test_the_reasons_of_a_fact_that_goes_go_along_and_what_else_is_nested_in_it_stays() -> None:
    body = "## Facts\n- Tea\n  - **Why:** it is mild\n  - Bo told me\n    - twice\n- Milk\n"
    found = update_topic(body, parsed(body), own(Fact("Milk")))
    assert found == "## Facts\n-\n  - Bo told me\n    - twice\n- Milk\n"


def test_new_sources_change_nothing_but_the_links() -> None:
    found = update_topic(OWN, parsed(OWN), own(replace(LIVE, sources=("x", "y")), NEVER))
    assert found == OWN.replace("([[x|X]])", "([[x]], [[y]])")


def test_a_corrected_fact_stays_in_its_place() -> None:
    found = update_topic(TOPIC_BODY, TOPIC, replace(TOPIC, facts=(Fact("Tea"), TOPIC.facts[1])))
    old = f"- Orders live in MySQL ([[{SEVEN}]], [[{NINE}]])\n"
    assert found == TOPIC_BODY.replace(old, "- Tea\n")


def test_a_reason_changes_alone() -> None:
    now = replace(LOCKING, reason="locks are slow", constraint="")
    found = update_topic(
        TOPIC_BODY, TOPIC, replace(TOPIC, decisions=(TopicDecision(now, (SEVEN,)),))
    )
    assert found == TOPIC_BODY.replace(LOCKING.reason, now.reason).replace(
        f"  - **Must:** {LOCKING.constraint}\n", ""
    )


def test_a_reason_that_was_missing_comes_below() -> None:
    bare = replace(TOPIC, decisions=(TopicDecision(Decision(LOCKING.decision), (SEVEN,)),))
    assert update_topic(render_topic(bare), bare, TOPIC) == TOPIC_BODY


def test_a_bullet_without_words_may_get_a_source() -> None:
    bare = own()
    old = replace(bare, decisions=(TopicDecision(Decision("", "so")),))
    new = replace(bare, decisions=(TopicDecision(Decision("", "so"), ("x",)),))
    body = update_topic(render_topic(old), old, new)
    assert body == "## Decisions\n- ([[x]])\n  - **Why:** so\n"


def test_a_missing_section_comes_before_the_next_one() -> None:
    without = replace(TOPIC, decisions=())
    assert update_topic(render_topic(without), without, TOPIC) == TOPIC_BODY


def test_an_empty_body_becomes_a_rendered_one() -> None:
    assert update_topic("", own(), TOPIC) == TOPIC_BODY


def test_line_ends_stay_what_they_are() -> None:
    body = "Mine.\r\n\r\n## Facts\r\n- Tea"
    found = update_topic(body, parsed(body), own(Fact("Tea", ("x",)), Fact("Milk")))
    assert found == "Mine.\r\n\r\n## Facts\r\n- Tea ([[x]])\r\n- Milk\r\n"


def test_what_a_person_added_since_stays() -> None:
    body = "## Facts\n- Tea\n- Milk, says a person\n"
    found = update_topic(body, own(Fact("Tea")), own(Fact("Tea", ("x",)), Fact("Sugar")))
    assert found == "## Facts\n- Tea ([[x]])\n- Milk, says a person\n- Sugar\n"


def test_crooked_bullets_do_not_swallow_each_other() -> None:
    body = "## Facts\n- A\n - B\n  - C\n"
    assert parsed(body) == own(Fact("A"), Fact("B"), Fact("C"))
    found = update_topic(body, parsed(body), own(Fact("A"), Fact("C")))
    assert parsed(found) == own(Fact("A"), Fact("C"))


PROSE = st.sampled_from(
    ["A word of mine.", "Why: so", "> quoted", "```", "~~~ python", "<!--", "-->", "***", "é: 日本"]
)
PERSON = st.one_of(
    PROSE, st.sampled_from(["", "## Mine", "- ", "  - a note", "  goes on", "   * **Why:** so"])
)


@pytest.mark.long
@given(TOPICS, st.lists(st.tuples(st.integers(0, 40), PERSON), max_size=8), st.data())
def test_an_updated_body_says_the_new_topic_and_keeps_a_persons_lines(
    topic: Topic, inserted: list[tuple[int, str]], data: st.DataObject
) -> None:
    lines = render_topic(topic).split("\n")
    for at, line in inserted:
        lines.insert(min(at, len(lines)), line)
    body = data.draw(st.sampled_from(["\n", "\r\n"])).join(lines)
    old = parsed(body)
    fresh = data.draw(TOPICS)
    new = replace(
        fresh, facts=data.draw(st.permutations([*old.facts[1:], *fresh.facts]).map(tuple))
    )
    found = update_topic(body, old, new)
    assert parsed(found) == new
    kept = [line.rstrip("\r") for line in found.split("\n")]
    for _, line in inserted:
        if not line.startswith((" ", "- ")):
            assert kept.count(line) >= [x for _, x in inserted].count(line)
    assert update_topic(found, new, new) == found


@pytest.mark.long
@given(MESS, TOPICS, st.data())
def test_whatever_a_body_looks_like_it_can_be_updated(
    body: str, fresh: Topic, data: st.DataObject
) -> None:
    old = parsed(body)
    facts = data.draw(st.permutations([*old.facts[1:], *fresh.facts]))
    decisions = data.draw(st.permutations([*old.decisions[1:], *fresh.decisions]))
    new = replace(fresh, facts=tuple(facts), decisions=tuple(decisions))
    assert update_topic(body, old, old) == body
    assert parsed(update_topic(body, old, new)) == new


# --- as JSON ------------------------------------------------------------------------------------


def test_a_compact_as_json_has_the_keys_that_others_know() -> None:
    assert compact_json(COMPACT) == {
        "task": "Move orders to MySQL.",
        "current_state": "Writes work.\nReads do not.",
        "key_decisions": [
            {
                "decision": "Optimistic locking",
                "reason": "there is no SELECT FOR UPDATE",
                "constraint": "MySQL stays readable",
            }
        ],
        "eliminated_approaches": [
            {"approach": "Polling every 5 s", "reason_ruled_out": "rate limits"}
        ],
        "open_questions": ["Who owns the queue?"],
        "next_steps": ["Fix the reads", "Ask Bo"],
        "relevant_tool_results": {"row_count": "48213 rows"},
        "compacted_at_turn": 12,
    }


def test_a_second_result_of_a_name_is_counted() -> None:
    results = (ToolResult("query", "1"), ToolResult("query", "2"), ToolResult("step 2", "3"))
    compact = replace(COMPACT, relevant_tool_results=results)
    assert compact_json(compact)["relevant_tool_results"] == {
        "query": "1",
        "query 2": "2",
        "step 2": "3",
    }


NAMES = st.lists(st.sampled_from(["a", "", "1", "2"]), min_size=1, max_size=4).map(" ".join)
COUNTED = st.lists(st.builds(ToolResult, NAMES, st.text(max_size=2)), max_size=8).map(tuple)


@given(COUNTED)
def test_every_result_has_a_name_of_its_own_in_json(results: tuple[ToolResult, ...]) -> None:
    told = compact_json(replace(COMPACT, relevant_tool_results=results))["relevant_tool_results"]
    assert isinstance(told, dict)
    assert list(told.values()) == [it.result for it in results]


# --- why, and how to apply ------------------------------------------------------------------------

FEEDBACK = Topic(
    "testing",
    "Testing",
    "How tests are written here",
    (
        Fact(
            "Tests use a real database", (NINE,), "a mock hid a broken migration", "start Postgres"
        ),
    ),
    (TopicDecision(Decision("Pytest only", "one runner"), (NINE,), "move unittest cases over"),),
)
FEEDBACK_BODY = f"""\
## Facts
- Tests use a real database ([[{NINE}]])
  - **Why:** a mock hid a broken migration
  - **How to apply:** start Postgres

## Decisions
- Pytest only ([[{NINE}]])
  - **Why:** one runner
  - **How to apply:** move unittest cases over
"""


def test_a_fact_may_say_why_and_how_to_apply_it() -> None:
    assert render_topic(FEEDBACK) == FEEDBACK_BODY
    assert (
        parse_topic(FEEDBACK_BODY, "testing", "Testing", "How tests are written here") == FEEDBACK
    )


def test_a_why_in_a_persons_own_form_is_read_and_its_line_stays() -> None:
    body = """\
## Facts
* Tests use a real database
  * why: a mock lied
  * _How to apply_: start it
"""
    (fact,) = parsed(body).facts
    assert (fact.why, fact.how) == ("a mock lied", "start it")
    sourced = replace(parsed(body), facts=(replace(fact, sources=(NINE,)),))
    edited = update_topic(body, parsed(body), sourced)
    assert edited == body.replace("database", f"database ([[{NINE}]])")


def test_a_how_that_comes_later_is_nested_in_its_bullet_behind_the_why() -> None:
    body = "## Facts\n- Tests use a real database\n  - **Why:** a mock lied\n- Short names\n"
    old = parsed(body)
    new = replace(old, facts=(replace(old.facts[0], how="start Postgres"), old.facts[1]))
    assert update_topic(body, old, new).splitlines()[2:4] == [
        "  - **Why:** a mock lied",
        "  - **How to apply:** start Postgres",
    ]


def test_who_retells_a_topic_without_its_whys_does_not_lose_them() -> None:
    """A fact in other words keeps them, too; one that is gone takes them along."""
    retold = replace(
        FEEDBACK,
        facts=(Fact("Short names", (SEVEN,)), Fact("All tests use a real database", (SEVEN,))),
        decisions=(TopicDecision(Decision("Pytest only", "one runner"), (SEVEN,)),),
    )
    short, real = kept(FEEDBACK, retold).facts
    assert (short.why, short.how) == ("", "")
    assert (real.why, real.how) == ("a mock hid a broken migration", "start Postgres")
    assert kept(FEEDBACK, retold).decisions[0].how == "move unittest cases over"
    gone = replace(FEEDBACK, facts=(Fact("Deploys go out on Mondays"),))
    assert kept(FEEDBACK, gone).facts == gone.facts


def test_an_experience_is_sections_that_a_person_can_read() -> None:
    done = Experience(
        "Rotate the API keys",
        "success",
        "Make a new key\nDeploy it\nRevoke the old one",
        "No request failed",
        (Decision("Revoke last", "a deploy may fail"),),
        ("Well done",),
        ("vault-cli",),
        ("Wait for the caches",),
    )
    assert (
        render_experience(done)
        == """\
## Task
Rotate the API keys

## Approach
Make a new key
Deploy it
Revoke the old one

## Outcome
Success
No request failed

## Key decisions
- Revoke last
  - **Why:** a deploy may fail

## User feedback
- Well done

## Tools
- `vault-cli`

## Lessons
- Wait for the caches
"""
    )
    edited = render_experience(done).replace("Success\n", "Failure\n")
    assert parse_experience(edited, "success") == replace(done, outcome="failure")
    assert parse_experience("## Outcome\nIt went well\n", "tool").result == "It went well"


def test_below_a_persons_own_headings_nothing_changes() -> None:
    """A fact that comes or goes leaves theirs byte for byte, and does not repeat them."""
    own = "# Bar\n\n##  Machines \n* A  Faema.\r\n\t- Old.\n\n"
    found = read_topic(own, "bar", "Bar", "")
    assert [it.text for it in found.facts] == ["A Faema.", "Old."]
    more = replace(found, facts=(*found.facts, Fact("Opens at nine.", ("x",))))
    body = update_topic(own, found, more)
    assert body == f"{own}## Facts\n- Opens at nine. ([[x]])\n"
    assert update_topic(body, more, replace(more, facts=more.facts[2:])) == body


def test_many_empty_lines_are_looked_through_in_no_time() -> None:
    assert not blocks.has_code("Tea." + "\n" * 200_000 + "Milk.")
