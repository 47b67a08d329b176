"""The database of claude-mem, a plugin of Claude Code's: what it took from sessions, and prompts.

An observation is its titles, its story and its facts; a summary of a session what was asked, learnt
and done. Both are of the session of its prompts, in the order of time, and of its project. Its
versions differ by columns: what a table has of those that are known is read. Which files were
touched, tokens and its own bookkeeping stay behind. Of a prompt a person's is what was typed of it,
as in a session of Claude Code's; what the program put into it is a tool's.
"""

from __future__ import annotations

import contextlib
import heapq
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from vaultmem.errors import BadInput
from vaultmem.exchange.formats import claude_code_prompt, discovery
from vaultmem.exchange.formats.types import Format, ImportedMessage, Item, MessageReader

if TYPE_CHECKING:
    import sqlite3

_FILE = "claude-mem.db"
_MAGIC, _HEAD = b"SQLite format 3\0", 100
_PAGE, _LARGEST = slice(16, 18), 1 << 16
"""Where the size of a page stands, and the size that 1 stands for."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table: the column that names the session, those whose texts are told, who speaks.

    Where it is *labelled*, each text stands behind the name of its column.
    """

    name: str
    session: str
    texts: tuple[str, ...]
    speaker: str = "claude-mem"
    role: str = "assistant"
    labelled: bool = False


@dataclass(frozen=True, slots=True)
class _Session:
    """A session by its *name*, and the *project* that it was of."""

    name: str
    project: str = ""


_TABLES = (
    _Table("user_prompts", "content_session_id", ("prompt_text",), "user", "user"),
    _Table(
        "observations", "memory_session_id",
        ("title", "subtitle", "narrative", "text", "facts"),
    ),
    _Table(
        "session_summaries", "memory_session_id",
        ("request", "investigated", "learned", "completed", "next_steps", "notes"),
        labelled=True,
    ),
)  # fmt: skip
_SESSIONS = _Table("sdk_sessions", "content_session_id", ("memory_session_id", "project"))
"""Where a session has a row: its two names, one for prompts and one for what was made of them."""

_OLDER = {
    "content_session_id": ("claude_session_id",),
    "memory_session_id": ("sdk_session_id", "session_id"),
}
"""What columns were called before."""

_COLUMNS = """
    SELECT its.name FROM sqlite_master AS made, pragma_table_info(made.name) AS its
    WHERE made.type = 'table' AND made.sql NOT LIKE 'create virtual %' AND made.name = ?
"""


def files(path: Path) -> Iterator[Path]:
    """Return the databases that *path* is or holds."""
    return discovery.named(path, lambda name: name == _FILE, _FILE)


def read(path: Path) -> Iterator[Item]:
    """Yield what each table of the database *path* says; raises OSError, BadInput."""
    import sqlite3  # noqa: PLC0415  # `import --help` loads every format

    try:
        with _untouched(path) as uri, contextlib.closing(_opened(uri)) as db:
            columns = {table: _columns(db, table) for table in _TABLES}
            if not any(columns.values()):
                raise BadInput(
                    f"{path.name} is no database of claude-mem: it has none of its tables"
                )
            sessions = _sessions(db)
            told = (_told_in(path.name, db, its, columns[its], sessions) for its in _TABLES)
            for _, item in heapq.merge(*told, key=lambda it: it[0]):
                yield item
    except sqlite3.Error as e:
        raise BadInput(f"{path.name} is no database that can be read: {e}") from e


@contextlib.contextmanager
def _untouched(path: Path) -> Iterator[str]:
    """Yield how SQLite opens what the database *path* holds without a trace beside it.

    A reader of a write-ahead log makes files, and one of a journal rolls back: where one waits, a
    copy is read. Raises BadInput when somebody writes to it meanwhile.
    """
    with path.open("rb") as stream:  # an OSError says more than SQLite would
        before, head = _stamps(path), stream.read(_HEAD)
    if not any(stamp and stamp.size for stamp in before[1:]):
        _refuse_torn(path, head)
        yield f"file:{quote(str(path))}?immutable=1"
        _refuse_changed(path, before)
        return
    with tempfile.TemporaryDirectory(prefix="vaultmem-") as folder:
        for part, stamp in zip(_parts(path), before, strict=True):
            if stamp:
                shutil.copyfile(part, Path(folder, part.name))
        _refuse_changed(path, before)
        yield f"file:{quote(str(Path(folder, path.name)))}?mode=rw"


def _refuse_torn(path: Path, head: bytes) -> None:
    """Raise BadInput for a file that ends within a page: SQLite reads the rest of that as nothing.

    Source: https://sqlite.org/fileformat.html#page_size
    """
    page = int.from_bytes(head[_PAGE], "big")
    if head.startswith(_MAGIC) and path.stat().st_size % (_LARGEST if page == 1 else page or 1):
        raise BadInput(
            f"{path.name} breaks off, and cannot be read to its end; nothing was imported: copy it"
            " again while claude-mem is not running"
        )


class _Stamp(NamedTuple):
    """What tells of a file that it was written to."""

    inode: int
    size: int
    mtime_ns: int


def _parts(path: Path) -> tuple[Path, ...]:
    """Return the database, and where SQLite keeps what is not in it yet, or not undone."""
    return tuple(path.with_name(path.name + ending) for ending in ("", "-wal", "-journal"))


def _stamps(path: Path) -> tuple[_Stamp | None, ...]:
    return tuple(map(_stamp, _parts(path)))


def _stamp(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return _Stamp(found.st_ino, found.st_size, found.st_mtime_ns)


def _refuse_changed(path: Path, before: tuple[_Stamp | None, ...]) -> None:
    if _stamps(path) != before:
        raise BadInput(f"{path.name} was written to while it was read: import it again")


def _opened(uri: str) -> sqlite3.Connection:
    import sqlite3  # noqa: PLC0415  # likewise

    found = sqlite3.connect(uri, uri=True)
    found.row_factory = sqlite3.Row
    found.text_factory = _decoded
    return found


def _columns(db: sqlite3.Connection, table: _Table) -> dict[str, str]:
    """Return what the columns of *table* that are known are called there, {} for no such table.

    A view is none: it may have rows without end, and SQLite cannot be stopped on its way to them.
    """
    there = {row["name"] for row in db.execute(_COLUMNS, (table.name,))}
    wanted = ("id", table.session, "created_at", *table.texts)
    names = {name: (name, *_OLDER.get(name, ())) for name in wanted}
    found = {name: next((c for c in called if c in there), "") for name, called in names.items()}
    return {name: column for name, column in found.items() if column} if there else {}


def _rows(
    db: sqlite3.Connection, table: _Table, columns: Mapping[str, str]
) -> Iterator[dict[str, str]]:
    if not {"id", table.session} <= columns.keys():
        return
    chosen = ", ".join(columns.values())
    for row in db.execute(f"SELECT {chosen} FROM {table.name} ORDER BY id"):  # noqa: S608  # our own names
        yield {name: _text(value) for name, value in zip(columns, row, strict=True)}


def _sessions(db: sqlite3.Connection) -> dict[str, _Session]:
    """Return the sessions by what the rows of their memory call them, where that is told.

    Claude Code's own name of a session is that of its prompts.
    """
    there = _columns(db, _SESSIONS)
    found: dict[str, _Session] = {}
    for row in _rows(db, _SESSIONS, there):
        session = _Session(row[_SESSIONS.session], row.get("project", ""))
        found[session.name] = session
        if other := row.get("memory_session_id"):
            found[other] = session
    return found


def _told_in(
    name: str, db: sqlite3.Connection, table: _Table, columns: Mapping[str, str],
    sessions: Mapping[str, _Session],
) -> Iterator[tuple[str, Item]]:  # fmt: skip
    """Yield what each row of *table* says, behind its time."""
    for number, row in enumerate(_rows(db, table, columns), 1):
        session = sessions.get(row[table.session], _Session(row[table.session]))
        for item in _items(name, number, table, row, session):
            yield row.get("created_at", ""), item


def _items(
    name: str, number: int, table: _Table, row: Mapping[str, str], session: _Session
) -> Iterator[Item]:
    """Yield what a *row* of *table* says, behind what others sent in it."""
    piece = f"row {number} of {table.name}"
    said = {column: _told(row.get(column, "")) for column in table.texts}
    told = (_labelled(table, column, words) for column, words in said.items() if words)
    text = "\n\n".join(dict.fromkeys(told))
    heard = ImportedMessage(
        text, f"{table.name}-{row['id']}", row[table.session], session.name, table.speaker,
        table.role, row.get("created_at", ""),
        more={"project": session.project} if session.project else {},
    )  # fmt: skip
    parts = [*_by_sender(heard)] if table.role == "user" else [heard]
    found = [Item(name, number, part, piece=piece) for part in parts if part.content]
    yield from found or [Item(name, number, skipped=f"nothing told in {table.name}", piece=piece)]


def _by_sender(prompt: ImportedMessage) -> Iterator[ImportedMessage]:
    """Yield what others sent in a *prompt*, as a tool's each, then what a person typed of it."""
    read = claude_code_prompt.read(prompt.content)
    for n, sent in enumerate(read.sent, 1):
        yield replace(
            prompt, content=sent.text, id=f"{prompt.id}.sent{n}", speaker=sent.by, role="tool",
            tool=sent.by,
        )  # fmt: skip
    yield replace(prompt, content=read.typed)


def _labelled(table: _Table, column: str, words: str) -> str:
    """Return *words* behind the name of their *column*, where that says what they are."""
    if not table.labelled:
        return words
    label = column.replace("_", " ").capitalize()
    return f"{label}:\n{words}" if "\n" in words else f"{label}: {words}"


def _told(value: str) -> str:
    """Return *value*, a list of facts in JSON as points."""
    if value.startswith("["):
        with contextlib.suppress(ValueError, RecursionError):
            facts = json.loads(value)
            return "\n".join(f"- {fact}" for fact in facts if isinstance(fact, str))
    return value.strip()


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return _decoded(value)
    return "" if value is None else str(value)


def _decoded(data: bytes) -> str:
    """Return *data* as the text that it should be: a row with a stray byte hides no others."""
    return data.decode("utf-8", "replace")


FORMAT = Format(
    "claude-mem",
    becomes=("memories", "turns"),
    help=_FILE,
    messages=MessageReader(files, lambda path, _: read(path), wanted=_FILE),
)
