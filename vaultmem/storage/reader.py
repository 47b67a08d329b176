"""The reader of vault content: from a folder to its files, from a file's bytes to a Record."""

from __future__ import annotations

import functools
import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from vaultmem import config, records
from vaultmem.config import Config
from vaultmem.documents import ended_facts, frontmatter, part_trust, public_text
from vaultmem.documents.frontmatter import Document, Value, text_of
from vaultmem.documents.public_text import PublicText
from vaultmem.errors import BadInput, CannotOpen, Unreadable, disk_errors
from vaultmem.records import MARKS_OF_ORIGIN, ORDINARY, TOPIC_KINDS, TRUST, Problem, Record, moment
from vaultmem.storage import files, git_state_files, supersessions, tombstone_checks
from vaultmem.storage.files import Content, Root
from vaultmem.storage.ulids import ULID

TYPE_OF_FOLDER = {
    "memories": "memory",
    "archive": "memory",
    "summaries": "summary",
    "episodes": "episode",
    "topics": "topic",
    "cards": "card",
    "tasks": "task",
    "skills": "skill",
    supersessions.FOLDER: supersessions.TYPE,
}
TEXT = "file"
"""The type of a text that is kept as it is: no frontmatter, whatever it begins with."""
KINDS = (*dict.fromkeys(TYPE_OF_FOLDER.values()), "note", TEXT)
"""The types that files have by where they lie; a person's own may have any other."""
SKILL = "SKILL.md"
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_MEMORIES = re.compile(r"agents/[^/]+/(?:memories|archive)/")
_LINK = re.compile(r"\[\[([^\[\]|#]++)[^\[\]]*+\]\]")
_RESTORE = f"{files.RESTORE} if git has it"
INCOMPLETE = "incomplete"
"""The code of what among the memories lacks an id or a time."""
TOMBSTONE = "tombstone"
"""The code of a tombstone that can be read, and lacks a part of what it knows a text by."""

_REPAIRS = {
    "torn": f"complete its frontmatter, or {_RESTORE}",
    "conflict": "choose one side between the conflict markers and delete the markers",
    "lfs": (
        "`vaultmem fsck --repair` brings back what an older commit has of it, else `git lfs pull`; "
        "take notes out of LFS in .gitattributes"
    ),
    "empty": f"delete it, or {_RESTORE}",
    "encoding": f"save it as UTF-8, or {_RESTORE}",
    INCOMPLETE: "`vaultmem fsck --repair` gives it what it lacks",
    "size": f"shorten its frontmatter, or {_RESTORE}",
    "private": "leave some of {path} outside the private marks, or move it out of the vault",
}
_PULL = "`git lfs pull` brings it; better, take notes out of LFS in .gitattributes"
_MOVE_AWAY = "move it out of the vault and put the folder back, as with `git checkout -- config`"
_WORKINGS = ".vaultmem"
_LEFT_OUT = (
    "{folder} is a vault whose config/ git's sparse checkout leaves out: `git -C {quoted} "
    "sparse-checkout add config` brings it back"
)
_NEVER_EMPTY = ("agents/", "cards/", "config/", "tasks/", "tombstones/")
_SKILL_HOLDS = ("id", "created", "updated", "source", "trust")
_CUT_AT_HASH = ("name", "description")
_LONGTERM_BYTES = 512 * 1024
_WHOLE_AGAIN = (
    "nothing new is taken in until it is whole: `vaultmem fsck --repair` or "
    "`git checkout -- {path}` brings it back if git has it; one that never was whole the repair "
    "sets aside; deleting it allows its text again"
)
BY_HAND = "fix its frontmatter by hand; vaultmem will not change it"

_EVERY_CARD_HAS = """
id type title name description agent created updated date_created importance category key
person relationship tags aliases cssclasses sources valid_from valid_to superseded_by
stale_after claims policies model prompt pinned read_only approved tool_lines
"""
_OF_EVERY_CARD = frozenset(_EVERY_CARD_HAS.split())


def find(start: Path) -> Path:
    """Return the vault that *start* is or lies in; raises CannotOpen with the way out.

    Raises BadInput where *start* is not there: a typo shall not mean the vault around it.
    DiskRefused where nobody may look.
    """
    way = f"`vaultmem init {shlex.quote(str(start))}` makes one"
    with disk_errors(start):
        is_there = start.exists()
    if not is_there:
        raise BadInput(f"there is no {start}: name the folder of a vault; {way}")
    for folder in (start, *start.parents):
        if os.path.lexists(folder / config.PATH):  # who reads it says if it is no file
            return folder
    for folder in (start, *start.parents):
        if os.path.lexists(folder / _WORKINGS) and git_state_files.is_sparse(folder):
            raise CannotOpen(_LEFT_OUT.format(folder=folder, quoted=shlex.quote(str(folder))))
    raise CannotOpen(
        f"no vault at {start} or above it: {way}, `vault=PATH` or VAULTMEM_VAULT names one"
    )


def settings(root: Root) -> Config:
    """Return the vault's config as it stands now; raises BadInput, TooNew or CannotOpen."""
    found = files.read(root, config.PATH)
    if found is None:
        folder = config.PATH.partition("/")[0]
        if (kind := files.kind_of(root, folder)) not in {"", files.FOLDER}:
            raise CannotOpen(f"{root.path / folder} is {kind}, and no folder: {_MOVE_AWAY}")
        raise CannotOpen(f"{root.path} has no {config.PATH}: `vaultmem init {root.path}` adds it")
    return _settings(found.data)


@functools.lru_cache(maxsize=8)
def _settings(data: bytes) -> Config:
    # Every step of an operation asks, and hardly ever does anybody change them.
    try:
        return config.load(public_text.fields(frontmatter.decode(data)))
    except Unreadable as e:
        repair = _PULL if e.code == "lfs" else "fix its frontmatter"
        raise BadInput(f"{config.PATH}: {e.why}; {repair}") from e


def load(root: Root, path: str) -> Record | None:
    """Return the record of the file at *path*, None when there is none."""
    found = files.read(root, path)
    return None if found is None else record(path, found)


def names(path: str, data: bytes) -> tuple[str, ...]:
    """Return the texts that name the file *data* at *path*, its aliases, too."""
    try:
        raw = frontmatter.fields(parsed(path, public_text.of(frontmatter.decode(data)).text))
    except Unreadable:
        raw = {}
    return records.names(raw, path)


def parsed(path: str, text: str) -> Document:
    """Return the frontmatter and the body of the *text* of the file at *path*.

    A text that is kept as it is has no frontmatter.
    """
    return Document("", "", "", text) if files.is_text(path) else frontmatter.parse(text)


def record(path: str, content: Content) -> Record:
    """Return what *content* says in public; a file that cannot be trusted has a problem.

    What is private or a credential is in none of it: `held` says that there is some.
    """
    return public_record(path, content, public_text.of_bytes(content.data))


def public_record(path: str, content: Content, public: PublicText) -> Record:
    """Return the same, for who has made the *public* text of *content* already."""
    made = _recorded(path, content, public.text)
    if not public.hidden:
        return made
    if made.type == "memory" and not made.body.strip():
        made = _broken(path, content, "private", "all of it is private")
    return replace(made, held=public.held)


def least_trust(record: Record, data: bytes) -> str:
    """Return the least trust of what is in the file of *record*, whose bytes are *data*.

    Nobody vouches for what cannot be read.
    """
    try:
        doc = parsed(record.path, frontmatter.decode(data))
        head = frontmatter.fields(doc, most_frontmatter(record.path))
    except Unreadable:
        return TRUST[0]
    return part_trust.least(record.trust, head)


def _recorded(path: str, content: Content, text: str) -> Record:
    try:
        frontmatter.decode(content.data)
        doc = parsed(path, text)
        raw = frontmatter.fields(doc, most_frontmatter(path))
    except Unreadable as e:
        return _broken(path, content, e.code, e.why)
    if _must_not_be_empty(path) and not content.data.strip():
        return _broken(path, content, "empty", "the file is empty")
    if tombstone_checks.is_one(path, raw) and (why := tombstone_checks.fault(path, raw)):
        return _broken(path, content, TOMBSTONE, why)
    made = _record(path, content, doc, raw)
    if made.type != "memory" or not (_MEMORIES.match(path) or made.recallable):
        return made
    return _with_problem(made, lack) if (lack := _lack(made)) else made


def most_frontmatter(path: str) -> int:
    """Return how many bytes of frontmatter the file at *path* may have.

    A long-term summary names every short-term one it absorbed, some 50 bytes each.
    """
    return _LONGTERM_BYTES if path.endswith("/summaries/longterm.md") else frontmatter.MAX_BYTES


def _must_not_be_empty(path: str) -> bool:
    return path.startswith(_NEVER_EMPTY) and not files.is_text(path)


def _broken(path: str, content: Content, code: str, why: str) -> Record:
    is_tombstone = code == TOMBSTONE or tombstone_checks.is_one(path)
    way = _WHOLE_AGAIN if is_tombstone else _REPAIRS.get(code, BY_HAND)
    return Record(
        path,
        content.sha,
        problem=Problem(code, path, why, way.format(path=shlex.quote(path))),
        type="tombstone" if is_tombstone else kind_of(path),
        agent=agent_of(path),
    )


def _with_problem(made: Record, lack: str) -> Record:
    problem = Problem(INCOMPLETE, made.path, lack, _REPAIRS[INCOMPLETE])
    return replace(made, problem=problem)


def _lack(made: Record) -> str:
    if not ULID.fullmatch(made.id):
        return "a memory without a valid id"
    try:
        moment(made.created)
    except BadInput:
        return "a memory without a valid created time"
    return ""


_PLAIN_KEYS = """
description session speaker origin person relationship stale_after valid_from valid_to
earlier_digest tier covers_from covers_to op prompt model degraded written distilled
"""
_SAID = frozenset(_PLAIN_KEYS.split())
"""What a record has by the name of its key, and as it is written there."""
_COUNTED = {
    "earlier_summaries": "earlier_summaries",
    "memory_range_start": "range_start",
    "memory_range_end": "range_end",
    "turn_range_start": "turn_start",
    "turn_range_end": "turn_end",
}
"""What it has as a whole number, by its key, and by which name."""


def _record(path: str, content: Content, doc: Document, raw: Mapping[str, Value]) -> Record:
    from vaultmem.documents import origin as document_origin  # noqa: PLC0415  # a vault at rest is not read

    raw = _lifted(path, doc, raw)
    kind = text_of(raw, "type") or kind_of(path)
    folders = path.split("/")[:-1] if kind_of(path) == "note" else ()
    origin = document_origin.read(raw, kind, doc.body, folders)
    # Of the many that there may be a memory has a few.
    said: dict[str, Any] = {key: text_of(raw, key) for key in _SAID & raw.keys()}
    said |= {_COUNTED[key]: int(_number(raw, key, 0)) for key in _COUNTED.keys() & raw.keys()}
    said |= _of_its_kind(kind, raw)
    return Record(
        path=path,
        sha=content.sha,
        id=text_of(raw, "id").upper(),
        type=kind,
        agent=agent_of(path) or text_of(raw, "agent"),
        created=text_of(raw, "created") or text_of(raw, "date_created") or _day_of_name(path),
        updated=text_of(raw, "updated") or text_of(raw, "modified"),
        title=text_of(raw, "title") or text_of(raw, "name") or _subject(raw, kind),
        source=origin.source,
        trust=origin.trust,
        claimed=origin.wanted,
        importance=_number(raw, "importance", ORDINARY),
        superseded_by=link_target(" ".join(_texts(raw, "superseded_by")[:1])),
        supersedes=_targets(raw, "supersedes"),
        approved=text_of(raw, "approved").lower(),
        aliases=_texts(raw, "aliases"),
        tags=_tags(raw),
        sources=_targets(raw, "sources"),
        tool_lines=" ".join(_texts(raw, part_trust.TOOL_LINES)),
        faithfulness=_measure(raw, "faithfulness"),
        coverage=_measure(raw, "recent_coverage" if "recent_coverage" in raw else "coverage"),
        compression=_measure(raw, "compression"),
        body=doc.body,
        body_line=1 + (doc.opening + doc.head + doc.closing).count("\n"),
        **said,
    )


def _of_its_kind(kind: str, raw: Mapping[str, Value]) -> dict[str, Any]:
    """Return what files of one *kind* alone say."""
    match kind:
        case "topic":
            return {"kind": _topic_kind(raw, "kind")}
        case "episode":
            return {"outcome": text_of(raw, "outcome")}
        case "task":
            return {"status": text_of(raw, "status").lower()}
        case "card":
            return {"facts": _facts(raw)}
    return {}


def _day_of_name(path: str) -> str:
    """Return the day that a note is called by, as Obsidian's daily notes are; "" for another."""
    name = path.rpartition("/")[2].removesuffix(".md")
    if not _DAY.fullmatch(name) or kind_of(path) != "note":
        return ""
    try:
        moment(name)
    except BadInput:
        return ""
    return name


def _subject(raw: Mapping[str, Value], kind: str) -> str:
    return text_of(raw, "subject") if kind == "task" else ""


def _lifted(path: str, doc: Document, raw: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return *raw* with what two other formats nest, or name in another way, where ours has it.

    Agent Skills keep what is not in their standard under `metadata`; Claude Code calls a topic by
    its kind, there or as `type`, and its memory is an agent's word.
    """
    more = raw.get("metadata")
    more = more if isinstance(more, dict) else {}
    if kind_of(path) == "skill":
        linked = _LINK.findall(text_of(more, "sources"))
        held = {key: more[key] for key in _SKILL_HOLDS if key in more}
        return {"sources": list(linked), **held, **raw, "type": "skill"}
    about = _topic_kind(more, "type") or _topic_kind(raw, "type")
    if not about or not ("/" not in path or kind_of(path) == "topic"):
        return raw
    return {**raw, **_whole(doc.head, raw), "type": "topic", "kind": about}


def _whole(head: str, raw: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values that Claude Code means by whole lines, where YAML sees a comment in one."""
    lines = (line.partition(":") for line in head.splitlines() if " #" in line)
    told = {key: text.strip() for key, _, text in lines if key in _CUT_AT_HASH}
    return {key: text for key, text in told.items() if text.startswith(f"{raw.get(key)} #")}


def _topic_kind(raw: Mapping[str, Value], key: str) -> str:
    return text_of(raw, key) if text_of(raw, key) in TOPIC_KINDS else ""


def _facts(raw: Mapping[str, Value]) -> str:
    """Return what a card says beside what every card has, `allergy: nuts`, a line each."""
    told = {key: value for key, value in raw.items() if key.casefold() not in MARKS_OF_ORIGIN}
    own = {key: _as_text(value) for key, value in told.items() if key not in _OF_EVERY_CARD}
    said = {key: value for key, value in own.items() if value}
    return "\n".join(f"{name}: {value}" for name, value in ended_facts.told(said))


def _as_text(value: Value) -> str:
    return value.strip() if isinstance(value, str) else ", ".join(map(str, value))


def _texts(raw: Mapping[str, Value], key: str) -> tuple[str, ...]:
    """Return the texts of a list, each in one line; an empty one, or all private, is none."""
    if key not in raw:
        return ()
    value = raw[key]
    several = (value,) if isinstance(value, str) else value
    return tuple(_lines_joined(x) for x in several if isinstance(x, str) and x.strip())


def _tags(raw: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the tags; in one line they are parted by commas, as Obsidian reads it."""
    if "tags" not in raw:
        return ()
    tags = raw.get("tags", "")
    several: Mapping[str, Value] = {"tags": [*tags.split(",")]} if isinstance(tags, str) else raw
    return _texts(several, "tags")


def _lines_joined(text: str) -> str:
    return " ".join(text.split("\n")).strip()


def _targets(raw: Mapping[str, Value], key: str) -> tuple[str, ...]:
    return tuple(filter(None, map(link_target, _texts(raw, key))))


def _number(raw: Mapping[str, Value], key: str, default: float) -> float:
    found = _measure(raw, key)
    return default if found is None else found


def _measure(raw: Mapping[str, Value], key: str) -> float | None:
    text = text_of(raw, key) if key in raw else ""
    return float(text) if text and re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text) else None


def link_target(text: str) -> str:
    """Return what a wikilink points at: no alias, heading, suffix, nor a table's backslash."""
    found = _LINK.search(text)
    return (found.group(1).rstrip("\\") if found else text).strip().removesuffix(".md")


def agent_of(path: str) -> str:
    """Return whose file *path* is; empty for what all agents share."""
    parts = path.split("/")
    return parts[1] if parts[0] == "agents" and len(parts) > 2 else ""  # noqa: PLR2004


def kind_of(path: str) -> str:
    """Return the type a file has by where it lies, `note` when that says nothing."""
    if files.is_text(path):
        return TEXT
    parts = path.split("/")
    folder = parts[2] if parts[0] == "agents" and len(parts) > 3 else parts[0]  # noqa: PLR2004
    if folder == "skills" and parts[-1] != SKILL:
        return "note"  # what a skill refers to
    return TYPE_OF_FOLDER.get(folder, "note")
