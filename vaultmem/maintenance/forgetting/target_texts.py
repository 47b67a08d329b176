"""The texts that are to be forgotten: a file's own, what it said before an edit, its turns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vaultmem.documents import secrets, speakers
from vaultmem.maintenance import edited_memories
from vaultmem.maintenance.forgetting import logged_items, redaction
from vaultmem.maintenance.forgetting.logged_items import ITEM
from vaultmem.maintenance.forgetting.redaction import DistinctiveWords
from vaultmem.maintenance.forgetting.selection import TURN
from vaultmem.memory import folding
from vaultmem.nlp.extraction.talk import talk_line
from vaultmem.records import Record
from vaultmem.storage import transcript_files, transcripts
from vaultmem.storage.store import Store
from vaultmem.storage.tombstones import MARK

_FIRST_PERSON = re.compile(
    r"\b(?:I|[Mm](?:y|e|ine|yself)|[Ww]e|[Oo]urs?|[Oo]urselves|us"
    r"|[Ii]ch|[Mm]ich|[Mm]ir|[Mm]eine?[mnrs]?|[Ww]ir|[Uu]ns|[Uu]nsere?[mnrs]?)\b|[\u6211\u4ffa]"
)


@dataclass(frozen=True, slots=True)
class SpokenText:
    """A text that is to be forgotten, and who said it, "" for nobody by name."""

    text: str
    speaker: str = ""


def texts(store: Store, it: Record) -> list[str]:
    """Return all that *it* says, its head included, each text once."""
    before = (text for text in _before(store, it) if text and not is_a_frame(it, text))
    return list(dict.fromkeys((*of_file(it), *before, *_turns_of(store, it))))


def of_file(it: Record) -> Iterator[str]:
    """Yield what the file of *it* says, its head included."""
    own = (it.body, it.title, it.description, it.facts)
    yield from (text for text in own if text and not is_a_frame(it, text))


def known_by(store: Store, it: Record, distinctive: DistinctiveWords) -> Iterable[str]:
    """Return the texts by which *it* is known again: its own, and those of its turns.

    Of several turns only those with *distinctive* words.
    """
    main = (it.body, it.facts) if it.type == "card" else (it.body or it.facts or it.title,)
    said = (*main, *_before(store, it))
    own = [text for text in said if text.strip() and not is_a_frame(it, text)] or [it.stem]
    turns = _turns_of(store, it)
    spoken = turns if it.turn_start == it.turn_end else filter(distinctive.says, turns)
    return dict.fromkeys((*own, *spoken))


def is_a_frame(it: Record, text: str) -> bool:
    """Tell whether *text* says only that somebody talked that day, as the next episode may."""
    return it.type == "episode" and talk_line.says_nothing(text)


def whose(speaker: str, texts: Iterable[str], owner: str) -> str:
    """Return the name of the *speaker* where one of *texts* is that one's own matter, else ""."""
    is_own = bool(speaker) and any(map(_FIRST_PERSON.search, texts))
    return speakers.named(speaker, owner) if is_own else ""


def is_of_another(it: SpokenText, speaker: str, owner: str) -> bool:
    """Tell whether *it* is its speaker's own matter, and *speaker* is somebody else.

    One who is named by a part of the name is no other; nor is one who is not named, or speaks as
    `user` in the vault of its *owner*.
    """
    if not (it.speaker and speaker) or is_of(it, speaker, owner):
        return False
    return _FIRST_PERSON.search(it.text) is not None


def is_of(it: SpokenText, speaker: str, owner: str) -> bool:
    """Tell whether *speaker* is who said *it*, by the same name or a part of it."""
    voices = (speakers.named(name, owner) if name else "" for name in (it.speaker, speaker))
    one, other = ({*redaction.words(name)} for name in voices)
    return bool(one and other) and (one <= other or other <= one)


def _before(store: Store, it: Record) -> tuple[str, ...]:
    """Return what a memory said that was edited by hand: summaries may have it from there."""
    found = edited_memories.accepted_version(store, it) if it.type == "memory" else None
    return (found[0],) if found else ()


def _turns_of(store: Store, it: Record) -> list[str]:
    """Return what the turns, or items, say that go with *it*."""
    if it.type == ITEM:
        return [*logged_items.texts(store, it)]
    if it.type not in {"episode", TURN}:
        return []
    path = transcript_files.path(it.agent, it.session)
    own = store.texts.own(path) or b""
    versions = dict.fromkeys((own, _unmarked(own)))  # what is hidden now may be told elsewhere
    said = (transcripts.parse(path, v).turns[it.turn_start - 1 : it.turn_end] for v in versions)
    turns = (turn for some in said for turn in some)
    own_words = (t for t in turns if t.origin != folding.ENDED)
    every = (t.content for t in own_words if t.content.strip() not in {"", MARK})
    return [*dict.fromkeys(every)]


def _unmarked(data: bytes) -> bytes:
    """Return the transcript *data* as if nothing in it were marked as private."""
    text = data.decode("utf-8", "surrogateescape")
    return secrets.without_marks(text, "").encode("utf-8", "surrogateescape")
