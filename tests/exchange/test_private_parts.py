"""A private part that goes over several pieces of what is given leaves none of them behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultmem import Vault
from vaultmem.documents import secrets
from vaultmem.errors import BadInput

OVER_POINTS = (
    "- We open at nine.\n- <private>it began\n- heliotrope left\n</private>\n- We close.\n"
)


def told(vault: Vault) -> str:
    """Return all that stands in the vault's files, and their names."""
    files = [p for p in vault.path.rglob("*.md") if ".git" not in p.parts]
    return "\n".join((*map(str, files), *(p.read_text() for p in files)))


@pytest.mark.parametrize(
    ("form", "name"), [("daily-notes", "2026-01-02.md"), ("openclaw", "memory/2026-01-02.md")]
)
def test_a_part_over_several_points_of_a_day_is_left_out(
    vault: Vault, tmp_path: Path, form: str, name: str
) -> None:
    file = tmp_path / "in" / name
    file.parent.mkdir(parents=True)
    file.write_text(OVER_POINTS)
    done = vault.import_files(form, [tmp_path / "in"], agent="ada").done
    assert done.imported == 2
    assert "1 private part was left out" in str(done)
    assert "We close." in told(vault)
    assert "heliotrope" not in told(vault)


def test_the_private_part_of_a_title_names_no_session(vault: Vault, tmp_path: Path) -> None:
    content = {"content_type": "text", "parts": ["We open at nine on Mondays."]}
    said = {"id": "m", "author": {"role": "user"}, "create_time": 1700000000, "content": content}
    nodes = {"a": {"id": "a", "parent": None, "message": said}}
    talk = {"title": "Shop <private>heliotrope</private>", "current_node": "a", "mapping": nodes}
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([talk]))
    assert vault.import_files("chatgpt", [file], agent="ada").done.imported == 1
    assert "session: shop-" in told(vault)
    assert "heliotrope" not in told(vault)


@pytest.mark.parametrize("manner", ["memories", "turns"])
@pytest.mark.parametrize("name", ["id", "session"])
def test_a_name_that_is_private_is_refused(
    vault: Vault, tmp_path: Path, name: str, manner: str
) -> None:
    line = {"id": "1", "session": "s", "speaker": "Mara", "content": "We open at nine."}
    file = tmp_path / "said.jsonl"
    file.write_text(json.dumps({**line, name: "<private>heliotrope</private>"}))
    with pytest.raises(BadInput, match="its id or its session has a private part"):
        vault.import_files("jsonl", [file], agent="ada", manner=manner)
    assert "heliotrope" not in told(vault)


@pytest.mark.parametrize(
    "text",
    [
        OVER_POINTS, "plain\ntext", "a <private>b\nc",
        "<private>a<private>b\n</private>c\n</private>d",
        "<pri<private>x</private>vate>y\nz",
    ],
)  # fmt: skip
def test_a_text_without_its_private_parts_has_as_many_lines(text: str) -> None:
    plain = secrets.blanked(text)
    assert secrets.private_parts(plain) == []
    assert plain.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "name",
    ["Shop <private>heliotrope<", "<private>heliotrope.md", "a <PRIVATE >heliotrope<"],
)
@pytest.mark.parametrize("reference", [False, True])
def test_a_note_whose_name_is_private_is_left_out_and_not_named(
    vault: Vault, tmp_path: Path, name: str, *, reference: bool
) -> None:
    folder = tmp_path / "in"
    file = folder / name / "private>.md" if name.endswith("<") else folder / name
    file.parent.mkdir(parents=True)
    file.write_text("We open at nine.\n")
    (folder / "hours.md").write_text("We close at six.\n")
    with pytest.raises(BadInput, match="has a private part: rename it") as refused:
        vault.import_files("markdown", [folder], reference=reference)
    done = vault.import_files("markdown", [folder], reference=reference, skip_bad=True).done
    assert (done.imported, done.failed) == (1, 1)
    assert "heliotrope" not in told(vault) + str(done) + str(refused.value)


def test_a_folder_whose_name_is_private_names_none_of_the_vault(
    vault: Vault, tmp_path: Path
) -> None:
    folder = tmp_path / "Shop <private>heliotrope"
    folder.mkdir()
    (folder / "hours.md").write_text("We close at six.\n")
    assert vault.import_files("markdown", [folder]).done.imported == 1
    assert "heliotrope" not in told(vault)


def test_a_part_over_several_tags_of_a_message_is_in_none(vault: Vault, tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    tags = ["shop", "<private>", "heliotrope", "</private>"]
    file.write_text(json.dumps({"content": "We open at nine.", "tags": tags}))
    done = vault.import_files("jsonl", [file], agent="ada").done
    assert [(it.why, it.count) for it in done.remarks] == [("1 private part was left out", 1)]
    assert "heliotrope" not in told(vault)


def test_a_part_over_several_facts_of_a_folded_memory_is_in_none(
    vault: Vault, tmp_path: Path
) -> None:
    apart = ["<private>it began", "heliotrope left", "heliotrope</private> We close."]
    decided = [{"decision": it, "reason": it} for it in apart]
    semantic = {"facts": apart, "patterns": apart, "decisions": decided,
                "eliminated_approaches": [{"approach": it, "why": it} for it in apart]}  # fmt: skip
    episode = {
        "episode_id": 0, "turn_range": [0, 5], "summary": "The boiler must go.",
        "decisions": [{"decision": "<private>a", "reason": "heliotrope</private> so"}],
        "eliminated": [], "open_questions": apart,
        "tool_results": {"<private>map": "x", "heliotrope": "heliotrope</private> it rains"},
    }  # fmt: skip
    memory = {"semantic": semantic, "episodes": [episode], "current_episode_id": 1,
              "total_turns_seen": 6}  # fmt: skip
    file = tmp_path / "talk_folded.json"
    file.write_text(json.dumps({"memory": memory, "l1_turns": []}))
    done = vault.import_files("folded", [file], agent="ada").done
    assert "private part" in str(done.remarks)
    assert "We close." in told(vault)
    files = [p.read_text() for p in (vault.path / "agents").rglob("*.*") if p.is_file()]
    assert not any(word in text for text in files for word in ("heliotrope", "private"))


def test_a_path_that_is_private_is_not_repeated_where_it_is_refused(
    vault: Vault, tmp_path: Path
) -> None:
    vault.reach("").create_note("Plan", "Dig.")
    vault.export("json", tmp_path / "all.jsonl")
    file = tmp_path / "out.jsonl"
    told_there = (tmp_path / "all.jsonl").read_text()
    assert "notes/plan.md" in told_there
    file.write_text(told_there.replace("notes/plan.md", "notes/<private>heliotrope<-private>.md"))
    done = vault.import_files("jsonl", [file]).done
    assert "'notes/[private]' is no name for every file system" in str(done)
    assert "heliotrope" not in str(done)
