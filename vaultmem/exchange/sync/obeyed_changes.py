"""What a remote changes in files that agents obey, or that claim a person's word: it is shown."""

from __future__ import annotations

from collections.abc import Iterator

from vaultmem.documents import secrets
from vaultmem.exchange.obeyed_files import obeyed
from vaultmem.exchange.sync.types import Data, Merged, Sides
from vaultmem.records import INSTRUCTS, PERSONS, TRUST, Record, first_line
from vaultmem.storage import files, reader

_PERSONS_OWN = frozenset({"agent", "note", "skill"})
"""The types of notes that few people write, and no program: a memory or a topic comes daily."""

_SHOWN, _LINE = 5, 120


def instructions(sides: Sides, made: Merged, tip: str) -> Iterator[str]:
    """Yield what each changed file adds that agents take for instructions, or run, in a line.

    *tip* is the commit there.
    """
    for path, it in sorted(sides.items()):
        new = made.files.get(path)
        if new != it.ours and (use := obeyed(path.casefold()) or _claimed(path, it.ours, new)):
            yield f"{path}, which agents {use}, {changed(path, it.ours, new, tip)}"


def changed(path: str, old: Data, new: Data, tip: str) -> str:
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
