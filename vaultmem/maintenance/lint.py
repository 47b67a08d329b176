"""What a vault is checked for where others rely on it, as in a team's CI: file by file, with lines.

All that `fsck` proves, and besides what a person would not want in the history: credentials,
private parts, characters that nobody sees, links that lead nowhere, files too large to be read,
names that other disks cannot hold, values of the settings that cannot be, and keys that are nearly
a setting's name.
Nothing is written but the index, which is nobody's file.
"""

from __future__ import annotations

import contextlib
import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultmem.documents import hidden_text, public_text
from vaultmem.documents.markdown.links import Link
from vaultmem.documents.public_text import PublicText
from vaultmem.errors import BadInput, DiskRefused, Refused
from vaultmem.maintenance import fsck, mistyped_settings, setting_faults, starter_files
from vaultmem.maintenance.dream.detectors.broken_links import is_file_name
from vaultmem.maintenance.dream.link_graph import Places, all_links, means_note
from vaultmem.maintenance.dream.types import Note, Seen
from vaultmem.maintenance.setting_faults import SettingFault
from vaultmem.memory import memory_index
from vaultmem.records import LISTS, Problem, Record, moment
from vaultmem.storage import files, reader, transcript_files
from vaultmem.storage.files import Root, twin_names
from vaultmem.storage.index.filters import Filter
from vaultmem.storage.progress import Phase, Progress, unnamed, untold
from vaultmem.storage.store import Store

MOST_BYTES = 1 << 20
"""Bytes of a file that a person can still read and a context still take a passage of."""

_REASONS = {
    public_text.SECRET: ("a credential", "take it out, and revoke it: the history may have it"),
    public_text.PRIVATE: ("a private part", "take it out: all who clone this vault have it"),
}
_NAMED_LINE = re.compile(r"line (\d+) ")
_EXPLAINING = frozenset(starter_files.FILES) - {memory_index.PATH}
"""Files that show what links look like."""
_CORRECT = "`vaultmem correct {path} TEXT` says what holds instead"
_DROP = "`vaultmem review drop {path}` lets it go"
_ANY_DAY = "2026-11-20"
_SAID = frozenset({"memory", "episode", "summary"})
"""Types of what repeats somebody's words, whose other files lie where that was said."""
_ENDING = re.compile(
    r"\.(?:avif|base|bmp|canvas|csv|docx?|epub|flac|gif|heic|jpe?g|m4a|mkv|mov|mp[34]|og[gv]|od[pst]"
    r"|pdf|png|pptx?|svg|wav|web[mp]|xlsx?|zip|3gp)\Z",
    re.IGNORECASE,
)
"""What a wikilink to a file that is no note ends with; `[[Node.js]]` may be a note to come."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong at a line of a file, 1 where all of it is meant; "" is the vault.

    The *code* is stable; *repair* says what to do.
    """

    code: str
    path: str
    line: int
    message: str
    repair: str = ""


@dataclass(frozen=True, slots=True)
class _Text:
    """A file of the vault: its record, what may be told of it, and its size in bytes.

    A memory that is *over* was corrected: nobody can do more about what it says.
    """

    record: Record
    public: PublicText
    size: int
    own: str
    over: bool


def findings(
    store: Store, progress: Progress = untold, phase: Phase = unnamed
) -> tuple[Finding, ...]:
    """Return what is wrong with the vault, by path and line; the caller has synced the index.

    *progress* is told how many files of how many are looked at in each *phase*.
    """
    texts = [*_texts(store)]
    phase("checking")
    found = [*map(_of_problem, fsck.check(store, progress).problems)]
    phase("checking texts")
    settings = (*mistyped_settings.faults(store), *setting_faults.of_profile(store))
    found += _of_settings(settings, store.root)
    known = {(it.code, it.path) for it in found}
    for done, text in enumerate(texts):
        progress(done, len(texts))
        found += [it for it in _of_text(text) if (it.code, it.path) not in known]
    found += _unheld_names([text.record.path for text in texts])
    phase("checking links")
    found += _broken_links(store, texts)
    return tuple(sorted(found, key=lambda it: (it.path, it.line, it.code)))


def unopened(root: Root) -> tuple[Finding, ...]:
    """Return what keeps the vault at *root* from being opened, if it is its settings."""
    return tuple(_of_settings(setting_faults.that_close(root), root))


def _of_settings(faults: Iterable[SettingFault], root: Root) -> Iterator[Finding]:
    """Tell of *faults* at the lines of their keys."""
    for fault in faults:
        found, data = _of_problem(fault.problem), files.read(root, fault.problem.path)
        if fault.key and data is not None:
            found = replace(found, line=_line_of(fault.key, data.data.decode("utf-8", "replace")))
        yield found


def _line_of(key: str, text: str) -> int:
    """Return the line of *key* in the frontmatter of *text*, 1 where it has none."""
    start = re.compile(rf"[\"']?{re.escape(key)}[\"']?\s*:")
    return next((n for n, it in enumerate(text.splitlines(), 1) if start.match(it)), 1)


def _of_problem(problem: Problem) -> Finding:
    named = _NAMED_LINE.match(problem.message)
    line = int(named[1]) if named else 1
    return Finding(problem.code, problem.path, line, problem.message, problem.repair)


def _texts(store: Store) -> Iterator[_Text]:
    memories = store.index.records(Filter(type="memory"), body=False)
    over = {record.path for record in memories if record.superseded_by}
    for path in sorted(files.listing(store.root).files):
        with contextlib.suppress(DiskRefused):  # that it cannot be read is told by fsck
            data = store.texts.own(path)
            if data is not None:
                own = data.decode("utf-8", "replace")
                record = reader.record(path, files.content(data))
                yield _Text(record, public_text.of(own), len(data), own, path in over)


def _of_text(text: _Text) -> Iterator[Finding]:
    path = text.record.path
    for part in text.public.hidden:
        what, repair = _REASONS[part.why]
        line = text.own.count("\n", 0, part.start) + 1
        yield Finding(part.why, path, line, f"it holds {what}", repair)
    if transcript_files.holds(path):
        return
    if not text.over and (unseen := hidden_text.unseen(text.public.text)):
        kinds = ", ".join(f"{it.kind} {it.count}" for it in unseen)
        message = f"characters that nobody sees ({kinds})"
        line = min(it.first_line for it in unseen)
        repair = f"an agent reads them: {_repair(text.record, 'take them out')}"
        yield Finding("hidden", path, line, message, repair)
    yield from _undated(text)
    if text.size > MOST_BYTES:
        message = f"it has {text.size} bytes, more than {MOST_BYTES}"
        yield Finding("too-large", path, 1, message, "split it by subject")


def _unheld_names(paths: Sequence[str]) -> Iterator[Finding]:
    """Name what disks of other machines cannot hold, alone or beside another: sync pushes none."""
    repair = "rename it: other machines cannot take it"
    for path in paths:
        try:
            files.portable(path)
        except Refused as e:
            yield Finding("name", path, 1, str(e), repair)
    for name, twin in dict.fromkeys(twin_names.twins(paths, paths)):
        message = f"it differs from {twin} {twin_names.apart_by(name, twin)} alone"
        yield Finding("name", name, 1, message, repair)


def _repair(record: Record, otherwise: str) -> str:
    """Return how to mend what *record* says; a memory is never rewritten, others *otherwise*."""
    if record.path in LISTS:
        return f"{otherwise}; what is generated there `vaultmem watch --once` makes anew"
    if record.type != "memory":
        return otherwise
    return (_CORRECT if record.kept else _DROP).format(path=shlex.quote(record.path))


def _undated(text: _Text) -> Iterator[Finding]:
    """Yield the times in the frontmatter that are none, but where a template asks for one."""
    record = text.record
    if record.problem or "{{" in record.created + record.updated:
        return
    for key, said in (("created", record.created), ("updated", record.updated)):
        try:
            moment(said or _ANY_DAY)
        except BadInput:
            at = _line_of(key, text.own)
            message, repair = f"{key} is no date", f"write it as {_ANY_DAY}, or take it out"
            yield Finding("no-date", record.path, at, message, repair)


def _broken_links(store: Store, texts: Sequence[_Text]) -> Iterator[Finding]:
    notes = tuple(_note(text) for text in texts if text.record.path.endswith(".md"))
    over = {text.record.path for text in texts if text.over}
    paths = frozenset(files.paths(store.root, lambda name: name.startswith(".")))
    places = Places(Seen(notes, (), (), paths, store.clock()))
    for note in (it for it in notes if it.path not in _EXPLAINING | over):
        for link in _links(note):
            lost = _names_file(link, note.path) and not places.candidates(link, note.path)
            if lost and _is_gone(store, link, note.path):
                repair = _repair(note.record, "mend it, or take the brackets off")
                message = f"{link.target} is not there"
                yield Finding("broken-link", note.path, link.at + 1, message, repair)


def _links(note: Note) -> Iterator[Link]:
    """Yield the links of *note*; a word behind a colon is where a reference leads, or just that."""
    for it in all_links(note):
        if it.form != "definition" or means_note(it) or _is_path(it):
            yield it


def _names_file(link: Link, origin: str) -> bool:
    """Tell whether *link* names what should be there, and no note that somebody means to write."""
    if means_note(link):
        return not link.wiki or is_file_name(link.target)
    if reader.kind_of(origin) in _SAID:
        return False
    if link.target.startswith("/"):  # `/docs/intro` of a page that was clipped names no file
        return _ENDING.search(link.target) is not None
    return not link.wiki or _is_path(link)


def _is_path(link: Link) -> bool:
    return "/" in link.target or _ENDING.search(link.target) is not None


def _is_gone(store: Store, link: Link, origin: str) -> bool:
    """Tell whether nothing is where *link* leads, from the top or, in Markdown, from its note."""
    is_lost = _is_missing(store, link.target.removeprefix("/"), outside=True)
    return is_lost and (link.wiki or _is_missing(store, link.from_top(origin), outside=False))


def _is_missing(store: Store, target: str, *, outside: bool) -> bool:
    """Tell whether nothing is at *target*; *outside* of the vault, which is not ours, as told."""
    path = posixpath.normpath(target)
    try:
        return store.texts.is_gone(path) and not files.obstacle(store.root, path)
    except Refused:
        return outside


def _note(text: _Text) -> Note:
    return Note(text.record, tuple(text.public.text.splitlines()), (), text.record.sha)
