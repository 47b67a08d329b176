"""What stays after a forgetting and says it still, and what loses a copy of it elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from vaultmem.documents import note_answers
from vaultmem.knowledge import tasks
from vaultmem.maintenance import starter_files, staying_lines
from vaultmem.maintenance.forgetting import line_names, near_lines, redacted_logs, redaction
from vaultmem.maintenance.forgetting.draft import ForgettingDraft
from vaultmem.maintenance.forgetting.line_names import LineName
from vaultmem.maintenance.forgetting.selection import LINES
from vaultmem.memory import memory_index
from vaultmem.storage import transcript_files
from vaultmem.storage.index import file_queries
from vaultmem.storage.plan import Append, Change

_OWN_TEXT: Mapping[str, Callable[[str], str]] = {
    memory_index.PATH: memory_index.own_text, tasks.BOARD: tasks.own_text,
}  # fmt: skip


def files(draft: ForgettingDraft, changes: Sequence[Change | Append]) -> Iterator[str]:
    """Yield the files that stay and still say it: they are people's, or other memories."""
    made = {c.path: c.new for c in changes if isinstance(c, Change)}
    staying = {
        draft.renamed.get(path, path): {*map(staying_lines.said, lines)}
        for path, lines in draft.staying.items()
    }
    others = (path for path in file_queries.paths(draft.store.index) if path not in made)
    for path in chain(others, made):
        if path.startswith("tombstones/") or path.endswith(".jsonl"):
            continue
        data = made[path] if path in made else draft.store.texts.read(path)
        if data is None:
            continue
        text = data.decode("utf-8", "replace")
        if own := _OWN_TEXT.get(path):  # what it lists is told of in its own file
            text = own(text)
        text = starter_files.lines_beside(path, text)
        stays = staying.get(path, set()) & {*map(staying_lines.said, text.splitlines())}
        if stays or (_says(draft, path, text) and _says_beside_questions(draft, path, text)):
            yield path


def _says(draft: ForgettingDraft, path: str, text: str) -> bool:
    """Tell whether the *text* of a file says it still, or repeats it."""
    read = [*redaction.readings(text)]
    is_made = path in draft.rewritten  # of turns that stay, and in our own words
    return draft.first.is_repeated_in(read) or (draft.raw.is_said_in(read) and not is_made)


def _says_beside_questions(draft: ForgettingDraft, path: str, text: str) -> bool:
    """Tell whether it does so beside questions that were answered there, or quotes it in one."""
    beside = note_answers.without_questions(text)
    return beside == text or draft.first.quotes(text) or _says(draft, path, beside)


def lines(draft: ForgettingDraft) -> Iterator[tuple[str, str]]:
    """Yield the turns and items that stay and say most of it, as `FILE:NUMBER`.

    Or all of it, and then why they stay: another says it, or it is too short to be taken from
    whoever says it.
    """
    reworded, own = redaction.rewordings(draft.texts), draft.copies

    def says(line: str) -> bool:
        is_near = draft.first.repeats(line) or reworded.are_in(line)
        return is_near or near_lines.why_verbatim(line, own) == "short"

    talks = (found.path for found in transcript_files.every(draft.store.root))
    for path in chain(talks, redacted_logs.paths(draft.store.root)):
        made = draft.changes.get(path)
        data = (made.new if made else draft.store.texts.read(path)) or b""
        text = data.decode("utf-8", "surrogateescape")
        for place, line in near_lines.saying(path, text, says):
            yield place, near_lines.why_verbatim(line, own)


def copies(draft: ForgettingDraft) -> Iterator[str]:
    """Yield the turns and items that lose a copy of it beside those that are to be forgotten."""
    meant = {
        LineName(line_names.path_of(r), n)
        for r in draft.gone if r.type in LINES for n in range(r.turn_start, r.turn_end + 1)
    }  # fmt: skip
    for path, it in sorted(draft.changes.items()):
        if line_names.are_in(path):
            changed = redaction.changed(it.old or b"", it.new or b"")
            yield from (str(line) for n in changed if (line := LineName(path, n)) not in meant)
