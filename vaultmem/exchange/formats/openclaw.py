"""The workspace of an OpenClaw agent: daily logs, a curated MEMORY.md, a USER.md.

Logs become memories of their day, a paragraph or a point each; MEMORY.md and USER.md topics. What
tells the agent how to behave (SOUL.md, AGENTS.md, …) is no memory. A log whose frontmatter names a
page or a tool is worth as little as those.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vaultmem.documents import frontmatter
from vaultmem.errors import BadInput
from vaultmem.exchange.formats import daily_log, markdown_folder
from vaultmem.exchange.formats.types import (
    FolderEntry,
    Format,
    Item,
    MessageReader,
    NoteReader,
    Place,
)
from vaultmem.storage import files as disk

LOGS = "memory"
_TOPICS = {"memory.md": "", "user.md": "user"}
_BEHAVIOUR = frozenset(
    f"{name}.md" for name in ("agents", "soul", "identity", "tools", "heartbeat", "boot",
                              "bootstrap", "claude")
)  # fmt: skip


def files(path: Path) -> Iterator[Path]:
    """Yield the daily logs of the workspace *path*; raises BadInput for what is none."""
    folder = path / LOGS
    walked = markdown_folder.walk(folder) if folder.is_dir() and not folder.is_symlink() else ()
    logs = [f.file for f in walked if not f.why and daily_log.day(f.file.name)]
    if not logs and not any((path / name).exists() for name in ("MEMORY.md", "USER.md")):
        raise BadInput(
            f"{path} is not a workspace of OpenClaw: it has no MEMORY.md, no USER.md and no log "
            f"like "
            f"{LOGS}/2026-01-02.md; name the folder that has"
        )
    yield from logs


def read(path: Path) -> Iterator[Item]:
    """Yield the paragraphs and points of a daily log; raises OSError."""
    try:
        text = daily_log.text_of(path)
    except BadInput as e:
        yield Item(path.name, 1, fault=str(e))
        return
    doc = frontmatter.parse(text)
    said = daily_log.worth(doc, "openclaw")
    yield from daily_log.items(path.name, doc.body, said, daily_log.first_line(text, doc))


def topics(path: Path) -> Iterator[FolderEntry]:
    """Yield what lies in the workspace beside its logs; what becomes no topic with the reason."""
    for file in sorted(path.iterdir()):
        if file.name != LOGS or file.is_symlink():
            yield FolderEntry(file.name, file, _why_not(file))


def _why_not(file: Path) -> str:
    if file.name == LOGS:
        return markdown_folder.LINK
    if file.name.lower() in _TOPICS:
        return markdown_folder.why_not(file)
    if file.name.startswith("."):
        return "hidden"
    if file.name.lower() in _BEHAVIOUR:
        return "how to behave, no memory"
    return "none of the memory's files: import it as markdown"


def place(path: Path) -> Place:
    """Return where the topics of the workspace *path* go; raises BadInput for what is no folder."""
    if not path.is_dir():
        raise BadInput(f"{path} is not a folder: name the workspace of an OpenClaw agent")
    name = path.resolve().name
    return Place(lambda file: target(name, file), lambda file: head(name, file))


def target(workspace: str, name: str) -> str:
    """Return where the topic of the file *name* lies."""
    stem = name.rpartition(".")[0].lower()
    return f"topics/{disk.slug(workspace) or 'openclaw'}-{stem}.md"


def head(workspace: str, name: str) -> dict[str, str]:
    """Return what the frontmatter of the topic of *name* is given."""
    about = "Who the user is" if name.lower() == "user.md" else "What it keeps"
    kind = {"kind": _TOPICS[name.lower()]} if _TOPICS.get(name.lower()) else {}
    title = f"{workspace}: {name.rpartition('.')[0].lower()}"
    return {"type": "topic", **kind, "title": title, "description": f"{about}, from OpenClaw."}


FORMAT = Format(
    "openclaw",
    becomes=("memories",),
    help="a workspace",
    messages=MessageReader(files, lambda path, _: read(path)),
    notes=NoteReader(topics, place),
)
