"""Take what is forgotten out of the notes that stay: cards, topics, experiences, answers, links."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import cast

from vaultmem.documents import frontmatter
from vaultmem.documents.bodies import Outcome, markdown
from vaultmem.errors import Refused, Unreadable
from vaultmem.knowledge.cards import parser
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.topics import topic_file
from vaultmem.maintenance.forgetting import card_redaction, redaction
from vaultmem.maintenance.forgetting.card_redaction import CardRedaction, ForgottenWords
from vaultmem.maintenance.forgetting.draft import DERIVED, OURS, ForgettingDraft, is_made
from vaultmem.maintenance.forgetting.redaction import Copies
from vaultmem.maintenance.forgetting.topic_lines import TopicLines
from vaultmem.memory import experiences
from vaultmem.memory.compaction import human_lines
from vaultmem.records import Record
from vaultmem.storage import reader, turn_names
from vaultmem.storage.index import Filter
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.turn_names import TurnName

_TELLING = re.compile(r"\w")
_ID = re.compile(r"[0-9A-Z]{26}")


class RedactedNotes:
    """The notes and logs of a *draft* from which lines go, and which are not told anew.

    *said_by_hand* are the cards made of it on which a person says it, too: these lines stay.
    """

    def __init__(self, draft: ForgettingDraft) -> None:
        """Put what is left of them into *draft*."""
        self._draft, self._store = draft, draft.store
        self.said_by_hand: set[str] = set()

    def cards(self) -> None:
        """Take the program's facts out of cards; a card that cannot be edited is a person's."""
        for record in self._store.index.records(Filter(type="card")):
            if record.path not in self._draft.paths and not record.problem:
                with contextlib.suppress(Refused, Unreadable):
                    self._clean_card(record)

    def _clean_card(self, record: Record) -> None:
        old = self._draft.data(record.path)
        card = parser.read(record.path, old)
        turns = _turns(card)
        named = self._draft.targets.intersection(record.sources)
        gone = turns & self._draft.silenced.keys()
        is_linked = bool(named or gone)
        moments = {r.created for r in self._draft.files} if named else set[str]()
        moments |= {self._draft.silenced[name] for name in gone}
        stays = [*self._stays(record), *self._turns_that_stay(turns - gone)]
        words = ForgottenWords(
            self._draft.copies, self._draft.first, self._draft.raw, self._draft.texts, stays,
            is_linked=is_linked,
        )  # fmt: skip
        it = CardRedaction(card, words.says, stays, frozenset(moments))
        if is_linked and it.is_said_by_hand():
            self.said_by_hand.add(record.path)
        new = card_redaction.without(it, old, self._draft.now)
        if new is None:
            self._draft.put(record.path, old, None, "nothing is left of it")
        elif is_linked:
            links = self._draft.unlinked(frontmatter.read(new))
            self._draft.put(record.path, old, frontmatter.edited(new, links))
        else:
            self._draft.put(record.path, old, new)

    def _stays(self, record: Record) -> Iterator[str]:
        """Yield the texts of the card's sources that stay."""
        for target in dict.fromkeys(record.sources):
            if target not in self._draft.targets:
                yield from (r.body for r in self._store.index.named(target) if r.type == "memory")

    def _turns_that_stay(self, names: AbstractSet[TurnName]) -> Iterator[str]:
        """Yield what is left of the turns with these *names*, which the card rests on."""
        texts = (self._draft.turn(name) for name in sorted(names))
        yield from (text for text in texts if text != MARK)

    def rename_links(self, record: Record) -> bool:
        """Let a correction name by its id what is forgotten; tell whether it had to.

        We name by id from the start. A person may have linked to the file, whose name holds words:
        the one exception to "a raw memory is never rewritten".
        """
        named = self._draft.targets.intersection(record.supersedes)
        if record.path in self._draft.paths or record.problem or not named:
            return False
        gone = self._draft.gone
        ids = {name: r.id for r in gone for name in (r.stem, r.path.removesuffix(".md"))}
        names = [ids.get(target) or _link(target) for target in record.supersedes]
        data = self._draft.data(record.path)
        self._draft.put(record.path, data, frontmatter.edited(data, {"supersedes": names}))
        return True

    def note(self, record: Record) -> None:
        """Take it out of the note of *record*, unless that is done already."""
        if record.path in self._draft.changes or record.problem or record.type == "tombstone":
            return
        if record.type == "topic":
            self._clean_topic(record)
        elif record.type == "episode" and record.outcome:
            self._clean_experience(record)
        elif record.tier == "session":
            self._clean_compact(record)
        elif record.path.startswith(OURS):
            data = self._draft.data(record.path)
            made = redaction.note(data, self._draft.ours)
            self._draft.put(record.path, data, redaction.undiffed(made, self._is_gone))
        elif self._draft.targets.intersection(record.sources) and record.type not in DERIVED:
            self._draft.rewrite(record, None)
        elif record.type == "note":
            self._clean_answers(record)

    def _is_gone(self, line: str) -> bool:
        """Tell whether a card had that *line* and loses it, as what proposed it may show."""
        return line in self._gone_lines

    @cached_property
    def _gone_lines(self) -> frozenset[str]:
        every = (it for p, it in self._draft.changes.items() if reader.kind_of(p) == "card")
        sides = ([*map(_bare_lines, (it.old or b"", it.new or b""))] for it in every)
        return frozenset(line for old, new in sides for line in old - new)

    def _clean_compact(self, record: Record) -> None:
        ours, is_bereft = self._draft.ours, self._draft.is_bereft
        body = redaction.without(
            record.body,
            lambda line: ours.says(line) or is_bereft(record.path, line),
            human_lines.is_ours(record),
        )
        if body != record.body or ours.says(record.description):
            self._draft.rewrite(record, body)

    def _clean_experience(self, record: Record) -> None:
        old = self._draft.data(record.path)
        new = _without_in_experience(record, old, self._draft.copies)
        self._draft.put(record.path, old, new)
        if new is None and record.path in self._draft.changes:
            left = redaction.told(record.body, self._draft.copies.without)
            own = experiences.persons_part(old, left)
            self._draft.keep_aside("experience", own)

    def _clean_answers(self, record: Record) -> None:
        """Take out of a person's note what we answered there."""
        data = self._draft.data(record.path)
        text = data.decode("utf-8", "surrogateescape")
        masked = redaction.answers(text, self._draft.gives_away)
        self._draft.put(record.path, data, masked.encode("utf-8", "surrogateescape"))

    def _clean_topic(self, record: Record) -> None:
        """Take out what rests on it, and its copies where we wrote; all else is a mention."""
        body = self._without_in_topic(record, frozenset())
        if body != record.body:
            body = self._without_in_topic(record, self._draft.own(record.path))
        made = is_made(record)
        if made and body != record.body:
            left = self._draft.told_without(record, body)
            if topic_file.is_spent(left):
                data = self._draft.data(record.path)
                self._draft.put(record.path, data, None, "nothing is left of it")
                return
        is_linked = bool(self._draft.targets.intersection(record.sources))
        tells = made and self._draft.no_longer_says(record.description)
        if body != record.body or is_linked or tells:
            self._draft.rewrite(record, body)

    def _without_in_topic(self, record: Record, own: AbstractSet[str]) -> str:
        def is_ours(line: str) -> bool:
            return line.rstrip("\r\n") not in own

        is_bereft = functools.partial(self._draft.is_bereft, record.path)
        left = redaction.without(record.body, is_bereft, is_ours)
        body = TopicLines(self._draft.targets, own).without(left)
        return (
            redaction.told(body, self._draft.copies.without, is_ours) if is_made(record) else body
        )

    def relink(self) -> None:
        """Let what was made of episodes name those by the names that they have now."""
        paths = {old.removesuffix(".md"): new for old, new in self._draft.renamed.items()}
        names = {old: new.removesuffix(".md") for old, new in paths.items()}
        names |= {_name(old): _name(new) for old, new in names.items()}
        for record in self._store.index.linking(names) if names else ():
            if record.type in {*DERIVED, "topic", "card"}:
                self._draft.relink(record.path, names)


def _turns(card: Card) -> AbstractSet[TurnName]:
    """Return the turns that *card* names as its sources."""
    return set(filter(None, map(turn_names.linked, parser.lines(card.raw.get("sources")))))


def _bare_lines(data: bytes) -> set[str]:
    """Return the lines of a card that tell something."""
    lines = map(redaction.bare, data.decode("utf-8", "surrogateescape").splitlines())
    return set(filter(_TELLING.search, lines))


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _link(target: str) -> str:
    return target if _ID.fullmatch(target) else f"[[{target}]]"


def _without_in_experience(record: Record, data: bytes, copies: Copies) -> bytes | None:
    """Return the file *data* of *record* without the *copies* in it; None where its task is one."""
    if copies.are_all_of(record.title) or copies.are_all_of(record.stem):
        return None
    body = redaction.told(record.body, copies.without)
    head = {"title": title} if (title := copies.without(record.title)) != record.title else {}
    if body == record.body and not head and not copies.stand_in(record.description):
        return data
    left = markdown.parse_experience(body, cast("Outcome", record.outcome))
    if not left.task:
        return None
    head["description"] = experiences.description(left)
    return frontmatter.edited(data, head, body, reader.most_frontmatter(record.path))
