"""A note, or a section of it, is appended to, written over and merged, line by line."""

from __future__ import annotations

from typing import Any

import pytest

from vaultmem import Vault
from vaultmem.api.agent_files import note_update
from vaultmem.api.agent_files.service import Reach
from vaultmem.api.types import NewTopic, Strategy
from vaultmem.errors import BadInput, Refused, SecretFound
from vaultmem.storage.plan import Plan

NOTE = """\
---
mood: calm
---
# Garden

Beans like sun.

## Codes

* The shed code is 4411
  - written on the door
* The gate is green

```
# no heading
```

## Tools
- A spade
"""


def updated(said: str, strategy: Strategy, section: str = "", text: str = NOTE) -> str:
    return note_update.updated("garden.md", text, said=said, strategy=strategy, section=section)


def test_what_is_not_told_yet_comes_last() -> None:
    assert updated("Beans like sun\n\nPeas do not.\n- A rake", "append") == (
        f"{NOTE}\nPeas do not.\n\n- A rake\n"
    )
    assert updated("- A rake\n- A spade", "append", "Tools") == f"{NOTE}- A rake\n"
    assert updated("```\n# no heading\n```", "append") == NOTE
    assert updated("The gate is green.\n\nBeans like sun.", "append", "Codes") == NOTE.replace(
        "```\n\n## T", "```\n\nBeans like sun.\n\n## T"
    )


@pytest.mark.parametrize(
    "other",
    ["The spade is for Bo, the rake for Ann", "the rake is for bo, the spade for ann", "Few rakes"],
)
def test_a_line_in_other_words_is_not_told_yet(other: str) -> None:
    text = f"{NOTE}- The rake is for Bo, the spade for Ann\n- A few rakes\n"
    assert updated(f"- {other}", "append", "Tools", text) == f"{text}- {other}\n"


def test_a_text_is_written_over_but_for_title_and_frontmatter() -> None:
    assert updated("Anew.", "overwrite") == "---\nmood: calm\n---\n# Garden\n\nAnew.\n"
    assert updated("Anew.", "overwrite", text="Old.\n\n# Later\n") == "Anew.\n"
    assert updated("- A rake", "overwrite", "Tools") == NOTE.replace("- A spade", "\n- A rake")


def test_a_fact_replaces_the_bullet_that_it_contradicts() -> None:
    said = "- The shed code is 5522\n- The gate is green.\n- Mara has the key"
    merged = updated(said, "merge", "Codes")
    assert merged == NOTE.replace("4411", "5522").replace(
        "```\n\n## T", "```\n\n- Mara has the key\n\n## T"
    )
    assert updated(said, "merge", "Codes", merged) == merged
    crlf = NOTE.replace("\n", "\r\n")
    assert updated("The shed code is 5522", "merge", text=crlf) == crlf.replace("4411", "5522")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Mara drinks tea at nine.", "Mara drinks tea at ten."),
        ("Mara drinks tea\nat nine.", "Mara drinks tea at ten."),
        ("- Mara drinks tea at nine.", "- Mara drinks tea at ten."),
        ("Mara drinks tea at nine. She has two cups.", None),
        ("> Mara drinks tea at nine.", None),
        ("- Tea:\nMara drinks tea at nine.", None),
        ("```\nMara drinks tea at nine.\n```", None),
    ],
)
def test_a_fact_replaces_the_paragraph_of_one_sentence_that_it_contradicts(
    old: str, new: str | None
) -> None:
    """As it stands there: a paragraph stays one; what says more, or is quoted, stays."""
    text = f"# Tea\n\n{old}\n\nBeans like sun.\n"
    fresh = text.replace(old, new) if new else f"{text}\n- Mara drinks tea at ten.\n"
    assert updated("Mara drinks tea at ten.", "merge", text=text) == fresh


def test_of_facts_that_contradict_each_other_the_last_holds() -> None:
    """Whether they were there or came along, and what one put in the place of another, too."""
    said = "The shed code is 5522\nThe shed code is 4411\nMara drinks tea at nine."
    text = f"{said.splitlines()[1]}\n"
    assert updated(said, "merge", text=text) == f"{text}\n- Mara drinks tea at nine.\n"
    later = f"{said}\nMara drinks tea at ten.\nThe shed code is 66. Ask Bo.\nThe shed code is 7"
    assert updated(later, "merge", text=text) == (
        "The shed code is 7\n\n- Mara drinks tea at ten.\n- The shed code is 66. Ask Bo.\n"
    )


def test_a_section_that_is_missing_is_added() -> None:
    assert updated("Peas", "merge", "## Seeds") == f"{NOTE}\n## Seeds\n\n- Peas\n"
    assert updated("Peas", "overwrite", "Seeds", "") == "## Seeds\n\nPeas\n"


def test_what_says_nothing_and_what_is_ambiguous_is_refused() -> None:
    with pytest.raises(BadInput, match="the text is empty"):
        updated(" \n", "overwrite")
    with pytest.raises(BadInput, match="no headings"):
        updated("## Seeds\nPeas", "merge")
    with pytest.raises(BadInput, match="more than one heading 'Tools'"):
        updated("Peas", "append", "Tools", f"{NOTE}## Tools\n")


def test_a_note_is_made_updated_and_left_alone_when_it_says_it(vault: Vault) -> None:
    reach = vault.reach("ada")
    made = reach.set_note("Garden", "The shed code is 4411", strategy="merge", section="Codes")
    assert (made.path, made.existed) == ("agents/ada/notes/garden.md", False)
    assert reach.page(made.path).text == "# Garden\n\n## Codes\n\n- The shed code is 4411\n"
    again = reach.set_note(made.path, "The shed code is 5522", strategy="merge")
    assert (again.existed, "+- The shed code is 5522" in again.diff) == (True, True)
    assert not reach.set_note("Garden", "The shed code is 5522").diff
    vault.undo(again.op)
    assert "4411" in reach.page(made.path).text


def test_what_another_makes_meanwhile_is_appended_to(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = Reach._plan

    def plans_too_early(reach: Reach, *args: Any) -> Plan:  # noqa: ANN401  # as it is called
        monkeypatch.undo()
        vault.reach("ada").set_note("Garden", "Beans like sun.")
        return plans(reach, *args)

    monkeypatch.setattr(Reach, "_plan", plans_too_early)
    made = vault.reach("ada").set_note("Garden", "Peas like shade.")
    assert made.existed
    assert vault.reach("ada").page(made.path).text == (
        "# Garden\n\nBeans like sun.\n\nPeas like shade.\n"
    )


def test_a_note_is_guarded_as_every_edit_is(vault: Vault) -> None:
    note = vault.path / "knowledge/garden.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("Beans.\n<private>1234</private>\n")
    vault.store.sync()
    reach = vault.reach("ada")
    with pytest.raises(Refused, match="a part marked private"):
        reach.set_note("knowledge/garden.md", "Peas.", strategy="overwrite")
    reach.set_note("knowledge/garden.md", "Peas <private>and more</private>like shade.")
    assert "---\nBeans.\n<private>1234</private>\nPeas like shade.\n" in note.read_text()
    assert "and more" not in note.read_text()
    with pytest.raises(SecretFound):
        reach.set_note("Garden", "ghp_" + "a1B2c3D4" * 5)
    vault.topics.create(NewTopic("Doctor", "Tea."))
    with pytest.raises(Refused, match="is a topic: `vaultmem topic set`"):
        reach.set_note("topics/doctor.md", "Tea.")
    with pytest.raises(Refused, match="belongs to bo"):
        reach.set_note("agents/bo/notes/x.md", "Mine.")
