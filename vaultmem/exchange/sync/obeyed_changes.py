"""What comes of a remote that somebody obeys here: it is done, and shown.

Agents obey some files, and whatever claims a person's word. A round of this machine carries out
ticks and @commands in the inbox, which a person may give on any machine. A file of `supersessions/`
lets a memory hold no longer. Whoever may push can lay each of them there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from vaultmem.documents import frontmatter, secrets
from vaultmem.errors import Unreadable
from vaultmem.exchange.obeyed_files import obeyed
from vaultmem.exchange.sync.types import Data, Lines, Merged, Sides
from vaultmem.knowledge.cards import conflict_note
from vaultmem.maintenance.dream import review_note
from vaultmem.memory.remember import REVIEW
from vaultmem.records import INSTRUCTS, PERSONS, TRUST, Record, first_line
from vaultmem.storage import files, reader, supersessions
from vaultmem.storage.git import Entry, Repository, Row

_PERSONS_OWN = frozenset({"agent", "note", "skill"})
"""The types of notes that few people write, and no program: a memory or a topic comes daily."""

_SHOWN, _LINE = 5, 120
_INBOX = "inbox/"
_COMMAND = re.compile(r"^\ufeff?@[A-Za-z][A-Za-z-]*(?=\s|$)(?!.*\n> \[!vaultmem\]).*", re.MULTILINE)
"""A line that may be a command, and has no answer yet."""

_BARE = (
    "{} came, and no operation there made it: the memory that it calls superseded holds no longer; "
    "`{}` shows it, and whoever deletes it lets both memories hold"
)


def notices(sides: Sides, made: Merged, lines: Lines, repository: Repository) -> Iterator[str]:
    """Yield a line for each thing that comes with the merge *made* and is obeyed here."""
    yield from _instructions(sides, made, lines.theirs)
    yield from _requested(sides, made, lines.theirs)
    yield from _superseded(sides, made, lines, repository)


def _instructions(sides: Sides, made: Merged, tip: str) -> Iterator[str]:
    """Yield what each changed file adds that agents take for instructions, or run, in a line.

    *tip* is the commit there.
    """
    for path, it in sorted(sides.items()):
        new = made.files.get(path)
        if new != it.ours and (use := obeyed(path.casefold()) or _claimed(path, it.ours, new)):
            yield f"{path}, which agents {use}, {_changed(path, it.ours, new, tip)}"


def _changed(path: str, old: Data, new: Data, tip: str) -> str:
    """Say that what stands at *path* is *new* there, what that adds, and what shows it."""
    what = "was changed there" if new is not None else "went there"
    return f"{what}{_added(old, new)}: `{shown_by(tip, path)}` shows it"


def shown_by(tip: str, path: str) -> str:
    """Return the command that shows what became of *path* in *tip*, also before it is merged."""
    return f"git log -p {tip[:12]} -- {path}"


def _claimed(path: str, old: Data, new: Data) -> str:
    """Return what a note claims to be to agents by its *new* bytes, "" where that is nothing new.

    Of what came as a person's word that is an instruction, or of a kind that few people write; of
    what was here as somebody else's *old* word it is either.
    """
    record = _persons_word(path, new)
    if record is None:
        return ""
    is_raised = old is not None and _persons_word(path, old) is None
    page = " though it says that it is a page's" if record.trust == TRUST[0] else ""
    if not {tag.casefold() for tag in record.tags}.isdisjoint(INSTRUCTS):
        return f"are to take for a person's instruction{page}"
    is_named = is_raised or record.type in _PERSONS_OWN
    return f"are to take for a person's word{page}" if is_named else ""


def _persons_word(path: str, data: Data) -> Record | None:
    """Return what the note with these bytes says, None where it is not claimed to be a person's.

    It may be a page's, too: a commit can say that a person reviewed it, and be forged.
    """
    if data is None or not files.is_note(path):
        return None
    record = reader.record(path, files.content(data))
    return record if record.claimed in PERSONS else None


def _added(old: Data, new: Data) -> str:
    before = set(_lines(old))
    added = [line for line in _lines(new) if line not in before]
    if not added:
        return ""
    shown = " / ".join(first_line(secrets.redact(line), _LINE) for line in added[:_SHOWN])
    more = f" / and {len(added) - _SHOWN} more" if len(added) > _SHOWN else ""
    return f" and adds: {shown}{more}"


def _lines(data: Data) -> list[str]:
    lines = (data or b"").decode("utf-8", "replace").splitlines()
    return [line.strip() for line in lines if line.strip()]


# --- the inbox --------------------------------------------------------------------------------


def _requested(sides: Sides, made: Merged, tip: str) -> Iterator[str]:
    """Yield what each note of the inbox asks for that it did not ask here, in a line.

    *tip* is the commit there.
    """
    for path, it in sorted(sides.items()):
        new = made.files.get(path)
        if new == it.ours or not (path.startswith(_INBOX) and files.is_note(path)):
            continue
        for what, found in _requests(path, new).items():
            if found - _requests(path, it.ours).get(what, frozenset()):
                shown = _changed(path, it.ours, new, tip)
                yield f"{path}, {what}, {shown}"


def _requests(path: str, data: Data) -> dict[str, frozenset[str]]:
    """Return what the note asks to be done, by who does what with it."""
    if data is None:
        return {}
    try:
        return {
            "whose tick is taken here for a person's": _ticked(path, data),
            "whose @commands are carried out here": _commands(path, data),
        }
    except Unreadable:  # nothing is done with it
        return {}


def _ticked(path: str, data: bytes) -> frozenset[str]:
    record = reader.record(path, files.content(data))
    if path.startswith(f"{REVIEW}/"):
        return frozenset({path} if record.approved == "true" else ())
    if record.type == conflict_note.TYPE:
        return frozenset(box.text for box in conflict_note.boxes(data) if box.ticked)
    is_dream = path.startswith(f"{_INBOX}dream-")
    return review_note.read(frontmatter.decode(data)).fresh if is_dream else frozenset()


def _commands(path: str, data: bytes) -> frozenset[str]:
    if path.count("/") > 1:
        return frozenset()
    return frozenset(_COMMAND.findall(frontmatter.decode(data).replace("\r\n", "\n")))


# --- supersessions ----------------------------------------------------------------------------


def last_commits(
    folder: str, lines: Lines, repository: Repository
) -> Mapping[str, tuple[Entry, Row]]:
    """Return the last commit there that touched each file in *folder*, and what it did to it."""
    commits = repository.commits(f"{lines.ours}..{lines.theirs}", (folder,))
    rows = repository.touched([commit.commit for commit in commits])
    last: dict[str, tuple[Entry, Row]] = {}
    for commit in commits:
        for row in rows.get(commit.commit, ()):
            last.setdefault(row.path, (commit, row))
    return last


def _superseded(sides: Sides, made: Merged, lines: Lines, repository: Repository) -> Iterator[str]:
    """Yield each file there that came by no operation, new or changed, and what to do."""
    new = (path for path, it in sides.items() if made.files.get(path) not in {None, it.ours})
    came = {path for path in new if path.startswith(f"{supersessions.FOLDER}/")}
    last = last_commits(supersessions.FOLDER, lines, repository) if came else {}
    for path in sorted(came & last.keys()):
        if not last[path][0].ops:
            yield _BARE.format(path, shown_by(lines.theirs, path))
