"""Files that mean harm, or came to by accident: nothing of theirs comes in that may not."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections import UserDict
from collections.abc import Mapping, Sequence, ValuesView
from contextlib import closing
from pathlib import Path

import pytest

from tests.cases import rarely
from vaultmem import Vault
from vaultmem.documents import origin
from vaultmem.errors import BadInput
from vaultmem.exchange.formats import daily_notes, day_format
from vaultmem.exchange.importing.types import Imported
from vaultmem.records import Record
from vaultmem.storage.index import Filter

pytestmark = pytest.mark.without_history

GITHUB = "ghp_" + "a1B2c3D4" * 5
BLOCK = "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----"
KEY = BLOCK.format(
    "\n".join(["MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgHcTz6sE2I2yPB"] * 40)
)


def take(vault: Vault, form: str, path: Path, *, redact: bool = False) -> Imported:
    """Import *path* for Ada, and return what came of it."""
    return vault.import_files(form, [path], agent="ada", redact=redact).done


def put(path: Path, found: object) -> Path:
    """Write *found* as JSON, a text as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(found if isinstance(found, str) else json.dumps(found))
    return path


def mem0(folder: Path, *memories: Mapping[str, object]) -> Path:
    """Write what mem0 returns."""
    return put(folder / "mem0.json", {"results": memories})


def letta(folder: Path, *messages: Mapping[str, object]) -> Path:
    """Write an agent file of Letta's."""
    agent = {"id": "a1", "name": "mate", "messages": messages, "block_ids": []}
    return put(folder / "mate.af", {"agents": [agent], "blocks": []})


def remembered(vault: Vault) -> Sequence[Record]:
    """Return the memories that the vault has, those that await review, too."""
    vault.store.sync()
    found = vault.store.index.records(Filter(type="memory"))
    return [it for it in found if not it.path.startswith("templates/")]


def kept(vault: Vault) -> str:
    """Return all that lies in the vault, as one text."""
    files = (p for p in vault.path.rglob("*") if p.is_file() and ".git" not in p.parts)
    return "\n".join(p.read_text(errors="replace") for p in files)


# --- pieces of what is long -------------------------------------------------------------------


def test_a_private_part_stays_out_however_far_its_marks_are_apart(
    vault: Vault, tmp_path: Path
) -> None:
    """Its end lies in another piece than its beginning."""
    hidden = "The alarm code is 4711.\n" * 3000
    text = f"Tea at four.\n<private>\n{hidden}</private>\nAnd scones."
    assert take(vault, "mem0", mem0(tmp_path, {"id": "1", "memory": text})).imported == 1
    (made,) = remembered(vault)
    assert "alarm code" not in kept(vault)  # four digits stand in a checksum by chance
    assert made.body == "Tea at four.\nAnd scones.\n"


@pytest.mark.parametrize("secret", [GITHUB, KEY], ids=["token", "key of many lines"])
@pytest.mark.parametrize("inside", [30, *rarely(6, 38)])
def test_a_credential_is_found_where_a_long_text_is_cut(
    vault: Vault, tmp_path: Path, secret: str, inside: int
) -> None:
    """At any place of it; redacted, the rest comes in."""
    text = "x" * 25_000 + "\u2003" * (600 - inside) + secret + "\n" + "y" * 30_000
    path = mem0(tmp_path, {"id": "1", "memory": text})
    with pytest.raises(BadInput, match="looks like a secret"):
        take(vault, "mem0", path)
    assert take(vault, "mem0", path, redact=True).imported > 1
    assert secret[-20:] not in kept(vault)
    assert secret[:20] not in kept(vault)


def test_a_credential_is_not_halved_where_a_result_is_shortened(
    vault: Vault, tmp_path: Path
) -> None:
    """Half a key is no key that anybody could find, and most of one."""
    said = {"id": "1", "role": "tool", "content": f"{'x ' * 1990}{GITHUB}{' y' * 999}"}
    assert take(vault, "letta", letta(tmp_path, said)).imported == 1
    assert GITHUB[:8] not in kept(vault)


# --- claude-mem -------------------------------------------------------------------------------

OBSERVED = "CREATE TABLE observations(id, memory_session_id, title, narrative)"
INSERT = "INSERT INTO observations VALUES {}"


def claude_mem(folder: Path, *statements: str) -> Path:
    """Write a database of claude-mem's by *statements*."""
    path = folder / "claude-mem.db"
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)
    return path


def test_a_view_in_the_place_of_a_table_is_not_asked(vault: Vault, tmp_path: Path) -> None:
    """It would have rows without end; nor is a table of which a program makes the rows."""
    endless = """CREATE VIEW {} AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
                 SELECT id, 's' AS memory_session_id, 'tea' AS title FROM n"""
    path = claude_mem(
        tmp_path, endless.format("observations"), endless.format("v"),
        "CREATE VIRTUAL TABLE session_summaries USING fts5(id, memory_session_id, request,"
        " content=v)",
    )  # fmt: skip
    with pytest.raises(BadInput, match="has none of its tables"):
        take(vault, "claude-mem", path)


def test_a_stray_byte_in_a_database_hides_no_other_row(vault: Vault, tmp_path: Path) -> None:
    """Text or blob, it is read as the text that it should be."""
    rows = ("(1, 's', x'746561ff', '')", "(2, 's', cast(x'ff746561' AS TEXT), '')")
    path = claude_mem(tmp_path, OBSERVED, *map(INSERT.format, rows))
    assert take(vault, "claude-mem", path).imported == len(rows)
    assert {made.body for made in remembered(vault)} == {"tea\ufffd\n", "\ufffdtea\n"}


def test_an_id_that_a_program_gave_twice_loses_neither_text(vault: Vault, tmp_path: Path) -> None:
    """Nor do two that differ in spaces alone; the same file again brings nothing."""
    rows = ("('a b', 's', 'Tea', '')", "('a  b', 's', 'Scones', '')", "('a b', 's', 'Jam', '')")
    path = claude_mem(tmp_path, OBSERVED, *map(INSERT.format, rows))
    assert take(vault, "claude-mem", path).imported == len(rows)
    assert take(vault, "claude-mem", path).imported == 0
    assert {made.body for made in remembered(vault)} == {"Tea\n", "Scones\n", "Jam\n"}


def state(folder: Path) -> Mapping[str, tuple[bytes, int]]:
    """Return the files of *folder*: their bytes, and when they were changed."""
    return {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.glob("*.db*")}


def logged(folder: Path) -> sqlite3.Connection:
    """Return an open database with a write-ahead log, in which a row waits."""
    db = sqlite3.connect(claude_mem(folder, "PRAGMA journal_mode=wal", OBSERVED))
    db.execute(INSERT.format("(1, 's', 'Tabs', 'All files have tabs.')"))
    db.commit()
    return db


@pytest.mark.parametrize("is_open", [True, False])
def test_a_database_with_a_write_ahead_log_is_read_whole_and_left_untouched(
    vault: Vault,
    tmp_path: Path,
    is_open: bool,  # noqa: FBT001
) -> None:
    """Whether its program runs, and the last rows are in the log, or was closed."""
    with closing(logged(tmp_path)) as db:
        if not is_open:
            db.close()
        before = state(tmp_path)
        assert take(vault, "claude-mem", tmp_path / "claude-mem.db").imported == 1
        assert state(tmp_path) == before


def test_a_database_that_its_program_was_killed_over_is_left_to_that(
    vault: Vault, tmp_path: Path
) -> None:
    """Its log is not played into it, nor its half-done transaction undone, but for our reading."""
    killed = tmp_path / "killed"
    killed.mkdir()
    with closing(logged(tmp_path)):
        for part in tmp_path.glob("claude-mem.db*"):
            shutil.copyfile(part, killed / part.name)
    before = state(killed)
    assert take(vault, "claude-mem", killed / "claude-mem.db").imported == 1
    assert state(killed) == before


# --- daily notes ------------------------------------------------------------------------------


def test_a_point_is_what_stands_before_its_line(vault: Vault, tmp_path: Path) -> None:
    """A dash or a number within a sentence is a part of it."""
    path = put(tmp_path / "2026-01-02.md", "We met on the 10. It rained - a lot.\n\n- 2. Tea.\n")
    assert take(vault, "daily-notes", path).imported == 2
    bodies = {made.body for made in remembered(vault)}
    assert bodies == {"We met on the 10. It rained - a lot.\n", "2. Tea.\n"}


@pytest.mark.long
@pytest.mark.parametrize(
    "opening", ["```a\n", "![[", "<!--", *rarely("![](", " ", "<%", "%%", " ^a")]
)
def test_a_crowd_of_openings_is_read_in_one_go(opening: str, tmp_path: Path) -> None:
    """Each that never ends would be looked for to the end of the note: for hours."""
    path = put(tmp_path / "2026-01-02.md", f"Tea{opening * 100_000}.\n")
    assert "Tea" in next(it.heard.content for it in daily_notes.read(path) if it.heard)


@pytest.mark.parametrize("settings", ['{"folder": "link/days"}', f"{'[' * 100_000}"])
def test_the_settings_of_an_obsidian_vault_lead_nowhere_else(
    vault: Vault, tmp_path: Path, settings: str
) -> None:
    """A link on the way to the folder they name is not followed, nonsense passed over."""
    put(tmp_path / "elsewhere/days/2026-01-03.md", "A diary.\n")
    put(tmp_path / "own/2026-01-02.md", "Tea.\n")
    put(tmp_path / "own/.obsidian/daily-notes.json", settings)
    (tmp_path / "own/link").symlink_to(tmp_path / "elsewhere")
    assert take(vault, "daily-notes", tmp_path / "own").imported == 1
    assert [made.body for made in remembered(vault)] == ["Tea.\n"]


@pytest.mark.parametrize("written", ["DoM", "MD", "dddd", "HHmmss"])
def test_a_format_of_names_takes_no_longer_however_it_is_made(written: str) -> None:
    """Each token might end in many places."""
    fits = day_format.pattern(f"{written * (84 // len(written))}YYYY-MM-DD-MMMM")
    assert fits
    for name in ("1" * 240, "a" * 240, "1a" * 120, "1\u6708" * 80, "\u6708" * 80):
        assert day_format.day(fits, name) == ""


# --- JSON -------------------------------------------------------------------------------------


def test_a_number_that_python_reads_no_more_is_told_in_a_sentence(
    vault: Vault, tmp_path: Path
) -> None:
    """So is one that is no time, of a line."""
    path = put(tmp_path / "mem0.json", f'[{{"memory": "Tea", "n": {"9" * 5000}}}]')
    with pytest.raises(BadInput, match="number that is too long"):
        take(vault, "mem0", path)
    line = put(tmp_path / "a.jsonl", f'{{"content": "Tea", "timestamp": {"9" * 400}}}')
    assert take(vault, "jsonl", line).imported == 1


def test_what_should_be_a_name_and_is_a_list_names_nothing(vault: Vault, tmp_path: Path) -> None:
    """In an agent file, and in a session of Claude Code."""
    said = {"id": "1", "role": "user", "content": "Tea."}
    agent = {"id": "a1", "messages": [said], "block_ids": [["b"], {}]}
    path = put(tmp_path / "mate.af", {"agents": [agent], "blocks": []})
    assert take(vault, "letta", path).imported == 1
    content = [{"type": ["text"], "text": "No."}, {"type": "text", "text": "Jam."}]
    event = {"type": "user", "uuid": "u1", "sessionId": "s", "message": {"content": content}}
    assert take(vault, "claude-code", put(tmp_path / "s.jsonl", event)).imported == 1


@pytest.mark.parametrize(("form", "name"), [("mem0", "a.json"), ("letta", "a.af")])
def test_a_pipe_in_a_folder_is_not_opened(
    vault: Vault, tmp_path: Path, form: str, name: str
) -> None:
    """Nobody might ever write into it."""
    (tmp_path / "files").mkdir()
    os.mkfifo(tmp_path / "files" / name)
    with pytest.raises(BadInput, match="in this folder or below it"):
        take(vault, form, tmp_path / "files")


def test_a_credential_in_the_place_of_a_date_is_not_told(vault: Vault, tmp_path: Path) -> None:
    """An error goes to terminals and logs."""
    path = mem0(tmp_path, {"id": "1", "memory": "Tea", "created_at": GITHUB})
    with pytest.raises(BadInput, match="looks like a secret") as e:
        take(vault, "mem0", path)
    assert GITHUB not in str(e.value)


# --- trust ------------------------------------------------------------------------------------


def test_what_stands_beside_a_memory_of_mem0_may_lower_its_trust(
    vault: Vault, tmp_path: Path
) -> None:
    """As what stands in its metadata; neither raises it, and a tool's result is none."""
    page = {"source": "https://example.org/"}
    path = mem0(
        tmp_path,
        {"id": "1", "memory": "Beside", **page, "trust": "user"},
        {"id": "2", "memory": "Within", "metadata": page},
        {"id": "3", "memory": "Own", "trust": "user", "metadata": {"trust": "verified"}},
        {"id": "4", "memory": "Said by a tool", "role": "Tool"},
        {"id": "5", "memory": "Searched", "role": "user", "actor_id": "web_search"},
        {"id": "6", "memory": "Fetched", "metadata": {"actor_id": "fetch"}},
        {"id": "7", "memory": "Spoken", "actor_id": "Mara", "metadata": {"actor_id": "mara"}},
    )
    done = take(vault, "mem0", path)
    assert done.imported == 6
    assert [(told.count, told.why) for told in done.remarks] == [
        (4, "the web or a tool said it: a person lets it in first, see `vaultmem review`")
    ]
    trust = {made.body.strip(): made.trust for made in remembered(vault)}
    fetched = dict.fromkeys(("Beside", "Within", "Searched", "Fetched"), "untrusted")
    assert trust == fetched | {"Own": "agent", "Spoken": "agent"}


def test_sources_within_sources_are_each_looked_at_once() -> None:
    """As many times as they are deep, a small file would take for ever."""
    looked = Counted()
    head: object = looked
    for _ in range(90):
        head = {"source": [head]}
    assert origin.read({"metadata": head}).trust == "untrusted"
    assert looked.times <= 3


def test_a_source_however_deep_is_seen() -> None:
    """Deeper than Python calls itself."""
    head: object = {"source": "https://example.org/"}
    for _ in range(5000):
        head = {"a": [head]}
    assert origin.read({"metadata": head}).trust == "untrusted"


class Counted(UserDict[str, object]):
    """A mapping that counts how often somebody looks into it."""

    times = 0

    def values(self) -> ValuesView[object]:
        """Return one address."""
        self.times += 1
        found: dict[str, object] = {"at": "https://example.org/"}
        return found.values()
