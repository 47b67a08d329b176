"""Of thirty prompts, those that concern a memory bring that one, and the others nothing."""

from __future__ import annotations

import json

import pytest

from vaultmem import Vault
from vaultmem.integrations.claude_code import events
from vaultmem.integrations.claude_code.events import Call
from vaultmem.records import utc_now

KNOWN = {
    "What is Sarah allergic to?": "Sarah is allergic to hazelnuts, she told it on her birthday.",
    "When does the new oven arrive?": "The new oven arrives on 22 September by ferry.",
    "Why do we keep the pelican parser?": (
        "We keep the pelican parser, because the old one loses commas."
    ),
    "On which day do deploys go out?": (
        "Deploys go out on Tuesdays at four, never before the summer."
    ),
    "What is the staging database called?": (
        "The staging database is called heron and runs Postgres 16."
    ),
    "Does Mara prefer tabs or spaces in the accounting spreadsheet?": (
        "Mara prefers tabs in the accounting spreadsheet."
    ),
    "How often does the invoice service retry?": (
        "The invoice service retries three times with jitter."
    ),
    "When does our landlord Bertil want the flat back?": (
        "Our landlord Bertil wants the flat back by Easter."
    ),
    "What does the quay permit cost?": "The quay permit costs 85 euros a year.",
    "Who reviews changes to the billing module?": (
        "Jonas reviews every change to the billing module."
    ),
    "Why SQLite and not DuckDB for the index?": (
        "We chose SQLite over DuckDB for the index, because of full text search."
    ),
    "Must the login page work without JavaScript?": "The login page must work without JavaScript.",
    "When does customer Nordwind pay?": "Customer Nordwind pays within sixty days.",
    "When does the API key of the weather service expire?": (
        "The API key of the weather service expires in March."
    ),
    "Which fixtures do tests of the importer need?": (
        "Tests of the importer need the fixtures in testdata/mails."
    ),
}
"""What was kept, by a prompt that it concerns."""
OTHERS = (
    "Rename the variable in this loop.",
    "Sort the lines of this file.",
    "go on",
    "Fix the failing test.",
    "Write a haiku about rain.",
    "Add a docstring to this function.",
    "Run the linter and mend what it finds.",
    "Explain what a monad is.",
    "Make the button blue.",
    "Convert this to TypeScript.",
    "What does this regular expression match?",
    "Undo the last change.",
    "Add pagination to the list view.",
    "Why is the build slow?",
    "Translate the error messages into German.",
)


@pytest.mark.long
def test_a_prompt_brings_the_memory_that_it_concerns_and_nothing_else(plain: Vault) -> None:
    for text in KNOWN.values():
        plain.remember(text, agent="ada", source="user")
    brought = {}
    for prompt in (*KNOWN, *OTHERS):
        said = json.dumps({"session_id": "s1", "prompt": prompt}).encode()
        told = events.run(Call("UserPromptSubmit", said, str(plain.path), "ada"), utc_now)
        brought[prompt] = [text for text in KNOWN.values() if text[:40] in told]
    wanted: dict[str, list[str]] = {prompt: [text] for prompt, text in KNOWN.items()}
    assert brought == wanted | {prompt: [] for prompt in OTHERS}
