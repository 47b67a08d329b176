"""A skill's file follows the Agent Skills format, and says so itself when it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import skill_format
from vaultmem.documents import frontmatter
from vaultmem.knowledge import skills
from vaultmem.knowledge.skills import Point, Skill
from vaultmem.knowledge.skills.types import LONGEST_DESCRIPTION
from vaultmem.storage import files, reader

PROOF = "agents/ada/episodes/episode-0003-rotate-the-keys"
KEYS = Skill(
    "rotate-the-api-keys",
    "Rotate the API keys",
    (Point("Rotate the API keys of the shop", (PROOF,)),),
    ("Make a new key", "Deploy it", "Revoke the old one"),
    ("heron",),
    (Point("Wait for the caches", (PROOF,)),),
    (),
    (Point("2026-11-12: no request failed", (PROOF,)),),
    (PROOF,),
    "01KADAQZ8RJ9V3T5W7X1Y3Z5B7",
    "2026-11-12T09:00:00Z",
    "agent",
)
GOOD = (
    "---\nname: tea\ndescription: Makes tea. Use it when somebody is thirsty.\n---\nBoil water.\n"
)


def test_a_skill_is_a_file_that_agents_choose_by_and_work_by() -> None:
    assert (
        skills.text(KEYS)
        == f"""\
---
name: rotate-the-api-keys
description: "Rotate the API keys: Make a new key; Deploy it; Revoke the old one. Use it for a \
task like: Rotate the API keys of the shop."
metadata:
  id: "01KADAQZ8RJ9V3T5W7X1Y3Z5B7"
  created: "2026-11-12T09:00:00Z"
  source: "dream"
  trust: "agent"
  sources: "[[{PROOF}]]"
---
# Rotate the API keys

## When to use
- Rotate the API keys of the shop ([[{PROOF}]])

## Steps
1. Make a new key
2. Deploy it
3. Revoke the old one

## Tools
- `heron`

## Lessons
- Wait for the caches ([[{PROOF}]])

## Learnt from
- 2026-11-12: no request failed ([[{PROOF}]])
"""
    )
    assert skill_format.faults(skills.text(KEYS), KEYS.name) == []


def test_a_vault_reads_a_skill_by_its_place_and_what_we_keep_of_it_in_metadata() -> None:
    content = files.content(skills.text(KEYS).encode())
    found = reader.record("skills/rotate-the-api-keys/SKILL.md", content)
    assert (found.type, found.title, found.id) == ("skill", KEYS.name, KEYS.id)
    assert (found.source, found.trust, found.sources) == ("dream", "agent", (PROOF,))
    assert found.created == "2026-11-12T09:00:00Z"
    beside = reader.record("skills/rotate-the-api-keys/references/caches.md", content)
    assert beside.type == "note"


def test_what_the_web_brought_is_not_trusted_for_being_a_skill() -> None:
    fetched = GOOD.replace("---\nBoil", "metadata:\n  source: web\n---\nBoil")
    assert (
        reader.record("skills/tea/SKILL.md", files.content(fetched.encode())).trust == "untrusted"
    )


@given(st.text(max_size=90), st.sets(st.sampled_from(["tea", "tea-2", "a"])))
def test_every_title_gives_a_name_that_is_free_and_allowed(title: str, taken: set[str]) -> None:
    name = skills.name(title, taken)
    assert name not in taken
    text = GOOD.replace("name: tea", f'name: "{name}"')
    assert skill_format.faults(text, name) == []
    assert files.fits(name)


TEXTS = st.text(alphabet=st.characters(codec="utf-8"), max_size=200)


@given(TEXTS, st.lists(TEXTS, max_size=60), st.lists(TEXTS, max_size=3))
def test_whatever_was_told_the_skill_conforms(
    title: str, steps: list[str], tasks: list[str]
) -> None:
    made = replace(
        KEYS,
        name="tea",
        title=title,
        when=tuple(map(Point, tasks)),
        steps=tuple(steps),
        tools=tuple(tasks),
        lessons=tuple(map(Point, steps)),
    )
    assert skill_format.faults(skills.text(made), "tea") == []


def test_a_description_is_never_too_long() -> None:
    long = tuple(Point("y" * 500) for _ in range(9))
    made = replace(KEYS, title="x " * 200, when=long, steps=("z" * 900,) * 9)
    said = frontmatter.fields(frontmatter.parse(skills.text(made)))["description"]
    assert isinstance(said, str)
    assert len(said) <= LONGEST_DESCRIPTION
    assert "Use it for a task like: y" in said


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("name: tea\n", "", "name: it is missing"),
        ("name: tea", "name: Tea", "only a-z"),
        ("name: tea", "name: tea--pot", "only a-z"),
        ("name: tea", "name: -tea", "only a-z"),
        ("name: tea", f"name: {'t' * 65}", "65 characters"),
        ("name: tea", "name: coffee", "is not its folder's name"),
        ("description: Makes tea. Use it when somebody is thirsty.\n", "", "description: it is"),
        ("description: Makes", f"description: {'M' * 1024}", "1024 are the most"),
        ("---\nBoil", f"compatibility: {'c' * 501}\n---\nBoil", "500 are the most"),
        ("---\nBoil", "id: 01\n---\nBoil", "id: no key of the format"),
        ("---\nBoil", "metadata: x\n---\nBoil", "metadata: it is no mapping"),
        ("---\nBoil", "metadata:\n  tags:\n    - x\n---\nBoil", "metadata: tags is no text"),
        ("---\nBoil", "license:\n  - MIT\n---\nBoil", "license: it is no text"),
        ("Boil water.\n", "Boil.\n" * 500, "500 lines"),
        ("---\nname", "name", "there is none"),
        ("---\nBoil", "Boil", "never ends"),
    ],
)
def test_what_breaks_the_format_is_named(old: str, new: str, fault: str) -> None:
    assert skill_format.faults(GOOD, "tea") == []
    assert fault in " ".join(skill_format.faults(GOOD.replace(old, new, 1), "tea"))


def test_every_key_of_the_format_is_welcome() -> None:
    more = "license: MIT\ncompatibility: needs a kettle\nallowed-tools: Bash(kettle:*) Read\n"
    assert skill_format.faults(GOOD.replace("---\nBoil", f"{more}---\nBoil"), "tea") == []
