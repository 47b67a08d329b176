"""Which paths an agent may read and write: compared by components, as the bytes that are used.

What is denied is denied in every case of letters, because some file systems know no case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from vaultmem.api.agent_files.errors import Missing
from vaultmem.documents import public_text, secrets
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Refused, SecretFound
from vaultmem.memory.remember import REVIEW
from vaultmem.records import Record
from vaultmem.storage import files, transcript_files

LONGEST = 1024
"""Bytes of a path; Anthropic's memory stores have the same limit."""

_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
_WHOLE = frozenset({"", ".", ".."})
_NODES = "node_modules"
_UNREAD = ("supersessions/", "tombstones/", "templates/", f"{REVIEW}/")
_PLAIN = re.compile(r"(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_][A-Za-z0-9_.-]*\.md")
"""Nearly all notes that there are: nothing can be wrong with them but where they lie."""

_NAMES = frozenset({"claude.md", "claude.local.md", "agents.md", "gemini.md", "readme.md"})
_BY_HAND = {
    "config": "only a person changes settings",
    "templates": "only a person changes templates",
    "inbox": "a person decides about what waits there",
    "supersessions": "a dream proposes them, and a person decides",
    "tombstones": "they record what was forgotten",
    "skills": "skills come from experiences: record one with `vaultmem experience`",
}
_CARD = "`vaultmem card set CATEGORY/KEY --field NAME=VALUE` changes a card"
_INDEX = "it is generated: write a note or a topic, and it will be listed there"
_TASK = "`vaultmem task` writes tasks"
_RAW = (
    "a memory is never rewritten: `vaultmem correct` keeps what holds instead, "
    "`vaultmem remember` a new one"
)
_TURNS = "a transcript is append-only: add to it with `vaultmem session turn`"
_MADE = (
    "it is generated from what was said, and will be regenerated: correct the memory it mentions"
)
_INSTEAD = {
    "card": _CARD,
    "task": _TASK,
    "memory": _RAW,
    "summary": _MADE,
    "episode": _MADE,
    "skill": _BY_HAND["skills"],
    "config": _BY_HAND["config"],
    "supersession": _BY_HAND["supersessions"],
    "tombstone": _BY_HAND["tombstones"],
}
_OF_FOLDER = {"cards": _CARD, "tasks": _TASK, **_BY_HAND}
_FORMAT = frozenset({"agents", "knowledge", "notes", "topics", *_OF_FOLDER})
"""The folders whose notes the format puts there: the agent that makes one shares it."""
_OF_AGENTS_FOLDER = {
    "archive": _RAW,
    "memories": _RAW,
    "summaries": _MADE,
    "episodes": _MADE,
    "topics": f"{_MADE}; what all agents should know belongs in topics/",
    "sessions": _TURNS,
}
_FORGOTTEN = frozenset({"memory", "card"})
_PROFILE = "only a person writes what a prompt says about an agent"


def given(path: str) -> str:
    """Return *path*, which names a file or folder of the vault; raises BadInput or Refused.

    "" is the vault itself. A path is relative and plain: no `..`, no backslash, nothing encoded,
    nothing hidden. Raises SecretFound for a name that is a credential.
    """
    if len(path.encode("utf-8", "surrogatepass")) > LONGEST:
        raise BadInput(f"the path is longer than {LONGEST} bytes")
    if secrets.private_parts(path):
        raise BadInput("the path has a private part: leave that out")
    if rule := public_text.named_secret(path):
        raise SecretFound("the path", rule)
    if fault := _fault(path):
        raise BadInput(f"{quoted(path)} is not a valid path in the vault: {fault}")
    if path:
        files.inside(path)
    return path


def of_folder(path: str) -> str:
    """Return *path* without the `/` that may stand behind a folder, as `given` does.

    Raises BadInput where it stands behind the name of a file: whoever writes so means another.
    """
    bare = path.rstrip("/")
    if bare != path and _is_file(bare):
        raise BadInput(
            f"{quoted(path)} is not a valid path in the vault: a file's name has no / behind"
        )
    return given(bare)


def _fault(path: str) -> str:
    """Return what is wrong with *path*, "" for nothing."""
    parts = path.split("/") if path else []
    faults = (
        (not path.isprintable(), "it contains an invisible character"),
        ("\\" in path, "write / between folder and file"),
        (_ENCODED.search(path), "write the characters themselves, nothing %-encoded"),
        (not _WHOLE.isdisjoint(parts), "write it relative to the vault, without . and .."),
        (any(map(_is_hidden, parts)), "hidden files are not part of the memory"),
        (
            any(x.strip(" ").rstrip(".") != x for x in parts),
            "a name must not end in a space or a dot",
        ),
    )
    return next((why for wrong, why in faults if wrong), "")


def fitting(path: str) -> str:
    """Return how *path* could be written where its names alone are at fault, "" for no such way."""
    better = "/".join(map(files.fitting, path.split("/")))
    is_good = not _fault(better) and all(map(files.fits, better.split("/")))
    return better if is_good and better != path and len(better.encode()) <= LONGEST else ""


def _is_hidden(part: str) -> bool:
    return part.startswith(".") or part.casefold() == _NODES


def concerns(path: str, agent: str = "") -> bool:
    """Tell whether what lies at *path* is shared or *agent*'s own; "" is concerned with all.

    The inbox is the person's: its notes quote the memories of every agent.
    """
    if not agent:
        return True
    return path.partition("/")[0].casefold() != "inbox" and owner(path) in {"", agent}


def is_shown(path: str, agent: str = "") -> bool:
    """Tell whether an agent may know of the file at *path*; *agent* narrows to its own and shared.

    What waits for a person's review is not shown, nor are tombstones and templates.
    """
    folded = path.casefold()
    if folded.startswith(_UNREAD) or not concerns(path, agent):
        return False
    plain = len(path) <= LONGEST and _NODES not in folded and _PLAIN.fullmatch(path)
    return bool(plain) or _is_file(path)


def _is_file(path: str) -> bool:
    if not (files.is_note(path) or transcript_files.holds(path)):
        return False
    try:
        return bool(given(path))
    except (BadInput, Refused):
        return False


def owner(path: str) -> str:
    """Return whose file *path* is, "" for what all share."""
    parts = path.split("/")
    return parts[1] if parts[0].casefold() == "agents" and parts[2:] else ""


def is_of_format(path: str) -> bool:
    """Tell whether the format says whose a file at *path* is: of all agents, or of none."""
    parts = path.casefold().split("/")
    return bool(parts[1:] and parts[0] in _FORMAT) or bool(_denied(parts))


def check_read(path: str, agent: str = "", *, untrusted: bool = False) -> None:
    """Raise unless the file at *path* may be read: Missing, or Refused for what waits for review.

    *untrusted* says that what waits is asked for.
    """
    if not concerns(path, agent):
        raise Missing(path)
    if path.casefold().startswith(f"{REVIEW}/"):
        if untrusted and files.is_note(path):
            return
        raise Refused(
            f"{path} waits for a person's review, for nobody has vouched for it: it is not "
            "read unasked; `vaultmem review` shows it"
        )
    if not is_shown(path, agent):
        raise Missing(path)


def check_name(path: str) -> None:
    """Raise Refused unless a file at *path* could be an agent's: in a place that is free.

    A note is one in Markdown, in a folder of texts a file of any name. The message names the way
    to do it right.
    """
    if not (path.endswith(".md") or files.is_text(path)):
        is_kept = files.is_text(f"{path}.txt")
        what = "is called like what is no text" if is_kept else "is not a note in Markdown"
        raise Refused(f"{path} {what}: {_as_note(path)}")
    if reason := _denied(path.casefold().split("/")):
        raise Refused(f"{path} is not written by an agent: {reason}")
    files.portable(path)
    if files.is_text(path):
        _check_obeyed(path)


def _check_obeyed(path: str) -> None:
    """Raise Refused where a program would run what stands at *path*, or an agent would obey it."""
    from vaultmem.exchange import obeyed_files  # noqa: PLC0415  # few writes are of such a file

    folded = path.casefold()
    if who := obeyed_files.runs(folded):
        raise Refused(f"{path} is not written by an agent: {who} runs such a file")
    if use := obeyed_files.obeyed(folded):
        raise Refused(f"{path} is not written by an agent: agents {use} what has such a name")


def _as_note(path: str) -> str:
    """Return what to call it instead."""
    folder, slash, name = path.rpartition("/")
    stem = name if name.casefold().endswith(".md") else name.rpartition(".")[0] or name
    stem = stem[:-3] if stem.casefold().endswith(".md") else stem
    note = f"keep it as {folder}{slash}{stem}.md"
    as_it_is = f"{files.TEXT_FOLDER}/{path}"
    return f"{note}, or as it is: {as_it_is}" if files.is_text(as_it_is) else note


def _denied(parts: list[str]) -> str:
    """Return why nothing of these case-folded components is an agent's to write, "" if it is."""
    if parts[-1] in _NAMES:
        return "it tells agents what to do, so only a person writes it"
    if parts == ["memory.md"]:
        return _INDEX
    if parts == ["tasks.md"]:
        return _TASK
    if parts[0] == "agents":
        return _denied_of_agents(parts)
    return _OF_FOLDER.get(parts[0], "") if parts[1:] else ""


def _denied_of_agents(parts: list[str]) -> str:
    if len(parts) < len(("agents", "ada", "x.md")):
        return "below agents/ every agent has a folder: agents/NAME/notes/ for its own notes"
    if parts[2:] == ["agent.md"]:
        return _PROFILE
    return _OF_AGENTS_FOLDER.get(parts[2], "") if parts[3:] else ""


def check_change(record: Record) -> None:
    """Raise Refused unless *record*, a file that is there, is an agent's to change."""
    check_name(record.path)
    if reason := _INSTEAD.get(record.type):
        raise Refused(f"{record.path} is a {record.type}: {reason}")


def check_removal(record: Record) -> None:
    """Raise Refused unless *record* is an agent's to remove: its notes, what it can say is wrong.

    A memory or a card is forgotten, not rewritten.
    """
    if record.type not in _FORGOTTEN or not record.recallable:
        check_change(record)


def check_owner(path: str, agent: str) -> None:
    """Raise Refused when *path* belongs to another agent than *agent*."""
    if owner(path) not in {"", agent}:
        raise Refused(
            f"{path} belongs to {owner(path)}, you write as {agent}: "
            "share it in a folder outside of agents/"
        )


def in_the_way(path: str, known: Iterable[str]) -> str:
    """Return what of those *known* keeps *path* from being made, "" for nothing.

    That is *path* itself, a file above it, or a file or folder that is called the same where no
    case is told apart: two folders would become one.
    """
    mine = path.split("/")
    return next(filter(None, (_clash(other.split("/"), mine) for other in known)), "")


def _clash(other: list[str], mine: list[str]) -> str:
    """Return how much of *other* cannot be beside *mine*: a file above it, a case apart."""
    for at, (theirs, ours) in enumerate(zip(other, mine, strict=False)):
        if theirs != ours:
            return "/".join(other[: at + 1]) if theirs.casefold() == ours.casefold() else ""
    return "/".join(other[: len(mine)])
