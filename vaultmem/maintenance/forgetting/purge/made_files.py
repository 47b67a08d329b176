"""The files that the program made of what is purged, and what gives it away in their old versions.

What tells it there may have none but words that other files say, too: such as a fact on a card that
the vault's own README has as an example. Of a file made of it those words count that neither the
file says as it stays, nor anything else that it was made of.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from vaultmem.errors import BadInput, Refused, Unreadable
from vaultmem.knowledge.cards import parser
from vaultmem.maintenance.forgetting import card_redaction, redaction
from vaultmem.maintenance.forgetting.card_redaction import CardRedaction, ForgottenWords
from vaultmem.maintenance.forgetting.draft import OURS, is_made
from vaultmem.maintenance.forgetting.purge.git_history import OPERATION, GitHistory
from vaultmem.maintenance.forgetting.purge.silenced_turns import said
from vaultmem.maintenance.forgetting.redaction import Copies, DistinctiveWords
from vaultmem.records import LISTS, SUMMARIES, first_line
from vaultmem.storage import files, reader, transcript_files, transcripts, turn_names
from vaultmem.storage.git import ORDINARY, Blob, Repository, objects
from vaultmem.storage.git.history_rewrite import Version
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.turn_names import TurnName

_LINK = re.compile(r"\[\[([^\[\]|\n]+)|\]\(<?([^()<>\s]+)")
_COMPACT = ".compact.md"
_SUBJECT = 60


@dataclass(frozen=True, slots=True)
class PurgedTexts:
    """What is purged: its *texts*, how links call its files and turns, and the *moments* of these.

    *first* gives it away whoever else says it, *words* where nothing that stays does.
    """

    texts: Sequence[str]
    names: frozenset[str]
    moments: frozenset[str]
    first: DistinctiveWords
    words: DistinctiveWords
    copies: Copies


class MadeFiles:
    """The files of *history* that were made of what is *purged*, or of such a file, by path.

    Paths are from the top of the repository.
    """

    def __init__(self, history: GitHistory, purged: PurgedTexts) -> None:
        """Read what is asked for when it is."""
        self.history, self.purged = history, purged
        self._known: dict[str, frozenset[str]] = {}

    @cached_property
    def tellings(self) -> Mapping[str, DistinctiveWords]:
        """What gives it away in an old version of each of the files."""
        return {path: self._words(path) for path in sorted(self._paths)}

    def are_named_in(self, version: Version) -> bool:
        """Tell whether *version* names what is purged as a source, or one of ours names these."""
        is_ours = not self.tellings.keys().isdisjoint(version.paths)
        is_note = any(path.endswith(".md") for path in version.paths)
        names = self._all_names if is_ours else self._names
        return is_note and not names.isdisjoint(_named_in(self._text(version.id)))

    def without(self, path: str, data: bytes) -> bytes:
        """Return *data*, a version of the file at *path*, without the facts drawn from it."""
        inside = self.history.repository.inside(path)
        if reader.kind_of(inside) != "card":
            return data
        it, stays = self.purged, [*self._sources(path)]
        words = ForgottenWords(it.copies, it.first, it.words, it.texts, stays, is_linked=True)
        with suppress(BadInput, Refused, Unreadable):
            card = parser.read(inside, data)
            redacted = CardRedaction(card, words.says, stays, it.moments)
            made = card_redaction.without(redacted, data, card.record.updated)
            return f"{MARK}\n".encode() if made is None else made
        return data

    # --- which they are -----------------------------------------------------------------------

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(map(redaction.folded, self.purged.names))

    @cached_property
    def _all_names(self) -> frozenset[str]:
        return self._names.union(name for p in self._paths for name in self._called(p))

    @cached_property
    def _paths(self) -> frozenset[str]:
        found, names = set[str](), set(self._names)
        while new := {p for p, named in self._links.items() if names & named} - found:
            found |= new
            names |= {name for path in new for name in self._called(path)}
        return frozenset(found)

    @cached_property
    def _links(self) -> Mapping[str, frozenset[str]]:
        """What each file that the program makes, or made, names as a source in any version."""
        links: dict[str, frozenset[str]] = {}
        for version in self.history.versions:
            for path in (p for p in version.paths if p.endswith(".md")):
                inside = self.history.repository.inside(path)
                data = self.history.read(version.id) if _may_be_made(inside) else b""
                if data and _is_made(inside, data):
                    named = {*_named_in(self._text(version.id)), *self._turns_of(inside, data)}
                    links[path] = links.get(path, frozenset()) | named
        return links

    def _turns_of(self, inside: str, data: bytes) -> Iterator[str]:
        """Yield the turns that an episode or a session's compact tells of."""
        path, span = "", range(0)
        if inside.endswith(_COMPACT):
            path = f"{inside.removesuffix(_COMPACT)}.jsonl"
            span = range(1, len(self._lines(path)) + 1)
        elif reader.kind_of(inside) == "episode":
            it = reader.record(inside, files.content(data))
            if it.session and it.turn_start:
                path = transcript_files.path(it.agent, it.session)
                span = range(it.turn_start, it.turn_end + 1)
        yield from (redaction.folded(str(TurnName(path, n))) for n in span)

    def _called(self, path: str) -> Iterator[str]:
        """Yield what links call the file at *path*: by its place, a summary by its name as well."""
        inside = self.history.repository.inside(path).removesuffix(".md")
        yield redaction.folded(inside)
        if reader.kind_of(f"{inside}.md") in {"memory", "summary"}:
            yield redaction.folded(PurePosixPath(inside).name)

    # --- what else they were made of ----------------------------------------------------------

    def _words(self, path: str) -> DistinctiveWords:
        stay = (self._telling_words(name) for name in self._beneath(path))
        return self.purged.words.by_provenance(self.purged.first.terms.difference(*stay))

    def _beneath(self, path: str) -> Iterator[str]:
        """Yield how links call the file at *path* and, in turn, all that it was made of."""
        seen, due = set[str](), [*self._called(path)]
        while due:
            name = due.pop()
            if name not in seen:
                seen.add(name)
                yield name
                due += self._links.get(self._there.get(name, ""), ())

    def _telling_words(self, name: str) -> frozenset[str]:
        """Return which words of it the file or turn called *name* says as it stays."""
        if name not in self._known:
            spoken = redaction.words(self._stays(name))
            self._known[name] = self.purged.first.terms.intersection(spoken)
        return self._known[name]

    def _stays(self, name: str) -> str:
        if turn := turn_names.parse(name):
            return transcripts.words(self._line(turn))
        path = self._there.get(name)
        return f"{path}\n{self.history.text(self.history.head[path])}" if path else ""

    def _sources(self, path: str) -> Iterator[str]:
        """Yield the texts of the memories and turns that the file at *path* was made of, too."""
        for name in sorted(self._links.get(path, ())):
            if turn := turn_names.parse(name):
                text, _ = said(self._line(turn))
                yield from [text] if text != MARK else []
            elif there := self._there.get(name):
                inside = self.history.repository.inside(there)
                data = self.history.bytes_of(self.history.head[there])
                if reader.kind_of(inside) == "memory":
                    yield reader.record(inside, files.content(data)).body

    @cached_property
    def _there(self) -> Mapping[str, str]:
        """The files of the last commit by how links call them."""
        inside = self.history.repository.inside
        found = {name: p for p in self.history.head for name in self._called(p)}
        return found | {redaction.folded(inside(p)): p for p in self.history.head}

    def _line(self, turn: TurnName) -> bytes:
        return next(iter(self._lines(turn.path)[turn.number - 1 : turn.number]), b"")

    def _lines(self, name: str) -> list[bytes]:
        path = self._there.get(redaction.folded(name))
        return self.history.bytes_of(self.history.head[path]).split(b"\n") if path else []

    def _text(self, oid: str) -> str:
        return self.history.text(Blob(ORDINARY, oid))


def named_in(tellings: Iterable[str], message: str) -> list[str]:
    """Return which of the files *tellings* a *message* names, if it is that of a commit of ours."""
    return [path for path in tellings if path in message and OPERATION.search(message)]


def left(repository: Repository, tellings: Mapping[str, DistinctiveWords]) -> Iterator[str]:
    """Yield the old versions of files made of it, and messages naming these, that tell it still.

    *tellings* has what gives it away in each.
    """
    with objects.reading(repository) as read:
        history = GitHistory(repository, read)
        for version in history.versions:
            known = [words for path, words in tellings.items() if path in version.paths]
            text = history.text(Blob(ORDINARY, version.id)) if known else ""
            if version.id not in history.heads and any(words.says(text) for words in known):
                yield f"git blob {version.id}"
        for message in history.messages:
            if any(tellings[path].says(message) for path in named_in(tellings, message)):
                yield f"the message {first_line(message, _SUBJECT)!r}"


def _may_be_made(inside: str) -> bool:
    is_ours = inside in LISTS or inside.startswith(OURS) or inside.endswith(_COMPACT)
    return is_ours or reader.kind_of(inside) in {"card", "topic", *SUMMARIES}


def _is_made(inside: str, data: bytes) -> bool:
    """Tell whether the program wrote *data*: a topic tells who did, all else its place."""
    kind = reader.kind_of(inside)
    return kind != "topic" or is_made(reader.record(inside, files.content(data)))


def _named_in(text: str) -> frozenset[str]:
    """Return what the links in *text* name: places without `.md`, and the last part of each."""
    every = (it for pair in _LINK.findall(text) for it in pair if it)
    places = {_place(redaction.folded(urllib.parse.unquote(it).strip())) for it in every}
    return frozenset({*places, *(PurePosixPath(place).name for place in places)})


def _place(target: str) -> str:
    return target if turn_names.parse(target) else target.partition("#")[0].removesuffix(".md")
