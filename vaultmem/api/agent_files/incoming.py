"""What of the text that an agent brings may be stored, and as what."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from vaultmem.documents import frontmatter, secrets
from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.memory.remember import LARGEST, encodable, one_line, refuse_secrets
from vaultmem.records import Record


def clean(text: str) -> str:
    """Return *text*, which an agent brings, without its `<private>` parts, fit to be stored.

    Raises BadInput for what no note can hold, SecretFound for a credential.
    """
    if len(text) > LARGEST:
        raise BadInput(f"the text is longer than {LARGEST // 1024} KiB: split it")
    if not encodable(text) or "\0" in text:
        raise BadInput("the text contains an invalid character: take it out")
    kept = secrets.strip_private(text)
    # A key with invisible letters in it is a key.
    bare = kept if kept.isascii() else "".join(c for c in kept if c.isprintable() or c in "\n\t")
    refuse_secrets("the text", kept, bare)
    return kept


def reason_line(reason: str) -> str:
    """Return *reason* as a line that can stand in a commit."""
    refuse_secrets("the reason", reason)
    return one_line(reason, "reason")


def names(path: str, text: str = "") -> tuple[str, ...]:
    """Return what stands for a note in lists: the names in *path*, headings, fields of its head."""
    doc = frontmatter.parse(text)
    fields = (line.partition(":")[2] for line in doc.head.splitlines())
    headings = (line.lstrip("#") for line in doc.body.splitlines() if line.startswith("#"))
    return (*path.removesuffix(".md").split("/"), *(x.strip() for x in (*fields, *headings)))


def source_of(tool: str) -> str:
    """Return the source of an agent's text that quotes *tool*, "" for none."""
    return "tool" if tool else "agent"


def check_quotes(record: Record, agent: str, tool: str) -> None:
    """Raise Refused where *agent* would put a *tool*'s words into a note that others vouch for.

    All of it would be untrusted then, and their words would leave recall.
    """
    is_own = record.source == "agent" and record.agent == agent
    if tool and not is_own and record.trust != "untrusted":
        raise Refused(
            f"{tool} said this, and {record.path} is not the agent's own; nothing was written: "
            "keep it in a new note, or ask the person"
        )


def fit(path: str, data: bytes, was: int = 0) -> bytes:
    """Return *data*, what the file at *path* shall hold; raises BadInput where it is too long."""
    if len(data) > max(LARGEST, was):
        raise BadInput(f"{path} would be longer than {LARGEST // 1024} KiB: split it")
    return data


@contextlib.contextmanager
def naming(path: str) -> Iterator[None]:
    """Say of a file that cannot be trusted which it is."""
    try:
        yield
    except Unreadable as e:
        raise Unreadable(e.code, f"{path}: {e.why}") from e
