"""Learn what people hide, by `<private>` in a note or a turn, and let no text made of it tell.

Looked for is what changed: the marked files are read when one of them says otherwise than before,
and then, once, all that says in public what they hide.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256

from vaultmem.documents import note_answers, public_text, secrets
from vaultmem.errors import Busy, DiskRefused, IndexFailed, Refused
from vaultmem.records import Record, is_trusted
from vaultmem.storage import (
    files,
    hidden_words,
    reader,
    transcript_files,
    transcripts,
    withheld_lines,
)
from vaultmem.storage.files import Root, Stamp
from vaultmem.storage.hidden_words import HiddenWords
from vaultmem.storage.index import Index, facets, marked_files
from vaultmem.storage.index.marked_files import Talk

_TROUBLE = (IndexFailed, Busy, DiskRefused)


Lines = Mapping[str, frozenset[str]]
"""Lines of files, by the paths of these: each line by its digest."""
Judge = Callable[[HiddenWords], Lines]
"""Tells which lines no source bears out any more, as it may be shown, beside the words hidden."""


def learn(root: Root, index: Index, judge: Judge, *, whole: bool) -> None:
    """Let the index know what is hidden, and read again what was made of it.

    What rests on a file that hides something the *judge* is asked about, again whenever that is
    written anew. The transcripts are looked at where the *whole* vault is. What ails the index, or
    the disk, is told by whoever asks next: it lags until then.
    """
    with contextlib.suppress(*_TROUBLE):
        if whole:
            _look_at_talks(root, index)
        marked = _marked(index)
        if marked != marked_files.state(index):
            hidden = _hidden(root, index) if marked else HiddenWords()
            marked_files.note(index, "?", hidden.dumped())  # who is stopped here does it again
            index.read_again(_made_of(index, hidden))
            marked_files.note_judged(index, "?")
            marked_files.note(index, marked, hidden.dumped())
            facets.sweep(index)
        if (_state(index) if marked else "") != marked_files.judged(index):
            _judge(index, judge if marked else None)


def _judge(index: Index, judge: Judge | None) -> None:
    """Note which lines no source bears out as it may be shown, and read again where they stand."""
    before = _lines(index)
    found = dict(judge(known(index))) if judge else {}
    dumped = {path: sorted(lines) for path, lines in sorted(found.items())}
    marked_files.note_lines(index, json.dumps(dumped) if dumped else "")
    paths = {*before, *found}
    index.read_again(sorted(it for it in paths if before.get(it) != found.get(it)))
    marked_files.note_judged(index, _state(index))


def _state(index: Index) -> str:
    """Return what tells the files that rest on marked ones from what they were, "" without any."""
    marked = (*marked_files.notes(index), *marked_files.talks(index))
    if not marked:
        return ""
    found = _lines(index)
    return json.dumps(marked_files.resting(index, names((*marked, *found)), found))


def names(paths: Iterable[str]) -> list[str]:
    """Return what links to the files at *paths* may call them."""
    bare = [path.removesuffix(".md") for path in paths]
    return [*bare, *(path.rpartition("/")[2] for path in bare)]


def unborne(index: Index, path: str) -> frozenset[str]:
    """Return the lines of the file at *path*, by their digests, that no source bears out now."""
    return _lines(index).get(path, frozenset())


def key(index: Index) -> str:
    """Return what tells all that is hidden now from what was at other times, "" for nothing."""
    lines = marked_files.dumped_lines(index)
    return known(index).key + (f"-{sha256(lines.encode()).hexdigest()[:16]}" if lines else "")


def _lines(index: Index) -> Lines:
    return _loaded(marked_files.dumped_lines(index))


@lru_cache(maxsize=4)
def _loaded(dumped: str) -> Lines:
    found = json.loads(dumped) if dumped else {}
    return {path: frozenset(lines) for path, lines in found.items()}


def known(index: Index) -> HiddenWords:
    """Return what is hidden, as far as it was learnt."""
    return hidden_words.load(marked_files.dumped(index))


def is_told(index: Index, record: Record) -> bool:
    """Tell whether *record*, which is no text made of others, says in public what was hidden."""
    hidden = hidden_words.load(index.hidden_words)
    return bool(hidden) and _is_somebodys(record) and any(map(hidden.says, _own_texts(record)))


def telling_names(index: Index) -> list[str]:
    """Return the paths of the texts made of others whose names say what is hidden."""
    hidden = known(index)
    made = filter(_is_made, index.every()) if hidden else ()
    return [it.path for it in made if hidden.says(it.stem)]


def is_said_elsewhere(index: Index, text: str) -> bool:
    """Tell whether all that *text* hides is said in public by others."""
    own = hidden_words.of(parts(text))
    return bool(own) and own.digests.isdisjoint(known(index).digests)


def was_shown(text: str, before: str) -> bool:
    """Tell whether what may leave a file that said *before* has words that *text* hides now."""
    own = hidden_words.of(parts(text)).without(public_text.of(text).text)
    return own.says(public_text.of(before).text)


# --- the files that hide something ------------------------------------------------------------


def _marked(index: Index) -> str:
    """Return what tells the marked files as they are from what they were, "" without any."""
    found = {**marked_files.notes(index), **marked_files.talks(index)}
    return json.dumps(found, sort_keys=True) if found else ""


def _look_at_talks(root: Root, index: Index) -> None:
    """Note which of the transcripts that changed have a private part, or say what others hide."""
    seen = marked_files.seen(index)
    found = {it.path: it.stamp for it in transcript_files.every(root)}
    _note_talks(root, index, {it: found[it] for it in found if found[it] != seen.get(it)})
    marked_files.note_talks(index, (), seen.keys() - found.keys())


def look_at(root: Root, index: Index, paths: Iterable[str]) -> None:
    """Note of the transcripts at *paths* alone what they hide, or say that others hide."""
    with contextlib.suppress(*_TROUBLE):
        found = {path: files.stamp(root, path) for path in paths}
        _note_talks(root, index, {path: it for path, it in found.items() if it})


def _note_talks(root: Root, index: Index, stamps: Mapping[str, Stamp]) -> None:
    """Note the transcripts that have these *stamps*."""
    hidden = known(index)
    news: list[Talk] = []
    for path, stamp in stamps.items():
        texts = tuple(_of_talk(root, path))
        said = sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest() if texts else ""
        news.append(Talk(path, stamp, said))
        if hidden and any(map(hidden.says, _spoken(root, path))):
            marked_files.doubt(index)
    marked_files.note_talks(index, news, ())


def _of_talk(root: Root, path: str) -> Iterator[str]:
    """Yield what the transcript at *path* hides."""
    with contextlib.suppress(DiskRefused, Refused):
        if not any(map(secrets.may_be_marked, files.stretches(root, path))):
            return
        for some in files.stretches(root, path):
            for line in some.splitlines():
                yield from parts(transcripts.words(line))


def _bytes(root: Root, path: str) -> bytes:
    """Return the bytes of the file at *path*, none where the system does not give them."""
    with contextlib.suppress(DiskRefused, Refused):
        if found := files.read(root, path):
            return found.data
    return b""


def parts(text: str) -> Iterator[str]:
    """Yield what *text* marks as private, without the marks; where that cuts a word, with it too.

    What was made before the mark has the word.
    """
    for part in public_text.of(text).hidden:
        if part.why == public_text.PRIVATE:
            marked = text[part.start : part.end]
            yield secrets.without_marks(marked)
            own = secrets.without_marks(marked, "")
            cut = hidden_words.completed(text, part.start, part.end, own)
            if cut != own:
                yield cut


def _hidden(root: Root, index: Index) -> HiddenWords:
    """Return what the marked files hide, and nothing says in public that is raw."""
    hidden = hidden_words.of(_every_part(root, index))
    for text in _said_in_public(root, index):
        if not hidden:
            break
        hidden = hidden.without(text)
    return hidden


def _every_part(root: Root, index: Index) -> Iterator[str]:
    for path in marked_files.notes(index):
        yield from parts(_bytes(root, path).decode("utf-8", "surrogateescape"))
    for path in marked_files.talks(index):
        yield from _of_talk(root, path)


def _said_in_public(root: Root, index: Index) -> Iterator[str]:
    for record in index.every():
        if _is_somebodys(record):
            yield from _own_texts(record)
    for each in transcript_files.every(root):
        yield from _spoken(root, each.path)


def _spoken(root: Root, path: str) -> Iterator[str]:
    """Yield what people and agents say in public in the transcript at *path*.

    What a tool answers is nobody's word: it may be the program's own, which says what it knows.
    """
    talk = transcripts.load_if_allowed(root, path)
    for turn in talk.turns if talk else ():
        if turn.role in transcripts.VOICES:
            yield f"{turn.speaker}\n{turn.content}"


# --- the texts that were made of them ---------------------------------------------------------


def _made_of(index: Index, hidden: HiddenWords) -> list[str]:
    """Return the paths of the texts made of others whose lines are told otherwise by now."""
    every = ((r, _made_texts(r)) for r in index.every())
    return [r.path for r, made in every if made and (r.withheld or any(map(hidden.says, made)))]


def _made_texts(record: Record) -> tuple[str, ...]:
    """Return what *record* says that was made of others: of a person's note, what we answered."""
    if _is_made(record):
        return _texts(record)
    made = note_answers.told(record.body) if _is_note(record) else ""
    return (made,) if made else ()


def _own_texts(record: Record) -> tuple[str, ...]:
    """Return what somebody says in *record*: of a note not what we answered there."""
    is_note = _is_note(record)
    return _texts(replace(record, body=note_answers.own(record.body)) if is_note else record)


def _is_note(record: Record) -> bool:
    return reader.kind_of(record.path) == "note"


def _is_made(record: Record) -> bool:
    head = b"sources:" if record.sources else b""
    return record.type == "tombstone" or withheld_lines.is_made(record.path, head)


def _is_somebodys(record: Record) -> bool:
    """Tell whether *record* has a person's or an agent's own words, for which somebody vouches.

    Not so what the program writes: answers and conflicts in the inbox, instructions, settings.
    """
    return record.kept and is_trusted(record) and not _is_made(record)


def _texts(record: Record) -> tuple[str, ...]:
    return (record.title, record.description, record.facts, record.speaker, record.body)
