"""Answer the notes in the inbox: which of them ask, when they have rested, and what is written."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from vaultmem.api import at_commands
from vaultmem.api.vault import Vault
from vaultmem.daemon import note_commands
from vaultmem.daemon.note_commands import Question
from vaultmem.documents import public_text
from vaultmem.errors import BadInput, StaleWrite
from vaultmem.records import Record, visible, visible_line
from vaultmem.storage import files, human_edits
from vaultmem.storage.commits import QUIET
from vaultmem.storage.files import Content, Stamp
from vaultmem.storage.index import Filter
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_log = logging.getLogger(__name__)
_REFUSED = (
    "this line holds a credential: nothing was done; take it out, and this answer with it, to ask"
    " again"
)
_NOTES = Filter(type="note", below="inbox", trusted=True)


@dataclass(frozen=True, slots=True)
class Note:
    """A note that asks: what of it may leave its file, and when it was touched last.

    *credentials* are the lines, counted from 0, in which one begins.
    """

    path: str
    data: bytes
    stamp: Stamp
    questions: tuple[Question, ...]
    credentials: frozenset[int]

    @property
    def quiet_since(self) -> float:
        """When nobody will have touched it for long enough, in Unix time."""
        return self.stamp.mtime_ns / 1e9 + QUIET

    @property
    def text(self) -> str:
        """Its text, newlines as they are."""
        return self.data.decode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class Inbox:
    """What may be asked in notes, and who carries it out.

    *ask* is called with the arguments of a command and returns what to answer.
    """

    known: frozenset[str]
    ask: Callable[[list[str]], str]
    given: dict[tuple[str, str, int], str] = field(default_factory=dict)
    """Answers whose note was touched before they could be written: nothing is carried out twice."""

    def next(self, store: Store) -> float | None:
        """Return the Unix time from which some note can be answered, None when none asks."""
        return min((note.quiet_since for note in self._asking(store)), default=None)

    def answer_all(self, vault: Vault) -> int:
        """Answer the notes of *vault* that have rested by its clock; return how many.

        Where a daemon watches it, that answers them.
        """
        return 0 if vault.watched else self.answer(vault.store, vault.store.clock().timestamp())

    def answer(self, store: Store, now: float) -> int:
        """Answer the notes that have rested at *now* (Unix time); return how many.

        What people wrote is committed first, apart from the answers.
        """
        notes = list(self._asking(store))
        rested = [note for note in notes if note.quiet_since <= now]
        if rested:
            human_edits.commit_quiet_edits(store)
        done = sum(self._answer(store, note) for note in rested)
        store.writer.commit_pending()
        self._forget({note.path for note in notes})
        return done

    def _asking(self, store: Store) -> Iterator[Note]:
        broken = {problem.path for problem in store.index.problems()}
        for record in store.index.records(_NOTES):
            # Of the inbox itself, a person's, with a command.
            may_ask = record.path.count("/") == 1 and "@" in record.body and _from_a_person(record)
            if may_ask and record.path not in broken:
                content = files.read(store.root, record.path)
                if content and (note := self._note(record.path, content)).questions:
                    yield note

    def _note(self, path: str, content: Content) -> Note:
        public = public_text.of_bytes(content.data)
        found = note_commands.questions(public.text)
        asked = tuple(q for q in found if at_commands.is_asked(q.begins_with, self.known))
        own = content.data.decode("utf-8", "surrogateescape")
        secret = (part for part in public.hidden if part.why == public_text.SECRET)
        lines = frozenset(own.count("\n", 0, part.start) for part in secret)
        data = public.text.encode("utf-8", "surrogateescape")
        return Note(path, data, content.stamp, asked, lines)

    def _answer(self, store: Store, note: Note) -> bool:
        """Carry out what *note* asks and write the answers; False when it was touched meanwhile."""
        keys = list(_keys(note))
        for question, key in zip(note.questions, keys, strict=True):
            if key not in self.given:
                is_kept_back = question.line in note.credentials
                self.given[key] = _REFUSED if is_kept_back else self._answer_text(key[1])
        text, when = note.text, store.clock()
        for question, key in reversed(list(zip(note.questions, keys, strict=True))):
            text = note_commands.answered(text, question, self.given[key], when)
        new = text.encode("utf-8", "surrogateescape")
        change = Change(note.path, note.data, new, "answers below the line")
        try:
            store.apply(Plan(store.mint(), "answer", f"answer: {note.path}", (change,)))
        except StaleWrite:
            return False
        self._forget_note(note.path)
        _log.info("answered %s", visible_line(note.path))
        return True

    def _answer_text(self, command: str) -> str:
        try:
            argv = at_commands.arguments(command)
            is_known = argv[0] in self.known
            answer = self.ask(argv) if is_known else note_commands.unknown(argv[0], self.known)
        except BadInput as e:
            answer = str(e)
        # A note by hand may hold a secret that recall finds; it is not written once more.
        return note_commands.linked(public_text.shown(visible(answer))) or "done"

    def _forget(self, asking_still: set[str]) -> None:
        for path in {key[0] for key in self.given} - asking_still:
            self._forget_note(path)

    def _forget_note(self, path: str) -> None:
        for key in [key for key in self.given if key[0] == path]:
            del self.given[key]


def _from_a_person(record: Record) -> bool:
    """Tell a note that somebody wrote from what the program or a file sync put aside."""
    name = PurePosixPath(record.path).name
    is_copy = fnmatchcase(record.path, files.CONFLICT_GLOB) or _COPY.search(name)
    return not is_copy and record.source in {"", "user", "human"}


_COPY = re.compile(r"sync-conflict|conflicted copy")


def _keys(note: Note) -> Iterator[tuple[str, str, int]]:
    """Yield what tells one question of a note from another, wherever its line moves."""
    times: Counter[str] = Counter()
    for question in note.questions:
        times[question.command] += 1
        yield note.path, question.command, times[question.command]
