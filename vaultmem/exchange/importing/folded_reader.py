"""Read a folded memory for what may come in: cleaned, named, without secrets.

What tools answered becomes turns, in the place of those that the episode tells of: it stands in the
transcript and in no episode.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from vaultmem.documents import secrets
from vaultmem.documents.bodies import (
    Decision,
    Eliminated,
    Episode,
    Fact,
    ToolResult,
    Topic,
    TopicDecision,
    TopicEliminated,
)
from vaultmem.errors import BadInput, SecretFound, input_errors
from vaultmem.exchange.formats import folded_origins
from vaultmem.exchange.formats.folded import SUFFIX
from vaultmem.exchange.formats.folded_file import (
    LARGEST,
    Decided,
    EpisodeDetails,
    FoldedEpisode,
    FoldedFile,
    FoldedTurn,
    RuledOut,
    TurnDetails,
    parse,
)
from vaultmem.exchange.importing import folded_words
from vaultmem.exchange.importing.message_reader import PRIVATE
from vaultmem.exchange.importing.types import Settings, what_was_forgotten, why_forgotten
from vaultmem.memory import remember
from vaultmem.memory import sessions as memory_sessions
from vaultmem.nlp.extraction.sessions import tool_outcomes
from vaultmem.records import first_line, iso, moment
from vaultmem.storage import forgotten_passages, transcript_files
from vaultmem.storage.tombstones import Tombstones
from vaultmem.storage.transcripts import Turn

TRUST = "agent"
"""What all of it is worth, as all that is imported."""

UNTRUSTED = "untrusted"
"""What an episode is worth that says what a tool said."""

_Item = TypeVar("_Item", bound=folded_words.Item)

TITLE = 80
_NO_ROOM = "more results of tools than its turns"
_MENTION = re.compile(
    r"(?P<called_for>\S.{0,119} )?\(turn (?P<turn>[1-9]\d{0,6})\)(?:: (?P<went>.+))?"
)
"""How an episode names what a tool answered: what it was called for, the turn, how it went."""

_OF_TOOLS = "in the words of a tool that the file has, which nothing that lasts may be"


@dataclass(frozen=True, slots=True)
class ToldEpisode:
    """An episode as it comes in: its id in the file, the turns it tells of, its trust and time."""

    number: int
    first: int
    last: int
    value: Episode
    created: str
    trust: str


@dataclass(frozen=True, slots=True)
class FoldedMemory:
    """A folded memory, cleaned: *turns* count from 1; those without words are elsewhere."""

    where: str
    session: str
    turns: tuple[Turn, ...]
    episodes: tuple[ToldEpisode, ...]
    lasting: Topic
    skipped: tuple[tuple[str, str], ...] = ()
    remarks: tuple[tuple[str, str], ...] = ()


def read(path: Path, settings: Settings, forgotten: Tombstones) -> FoldedMemory:
    """Return what the file at *path* says; raises BadInput for one that is no folded memory."""
    if not path.is_file():
        raise BadInput(f"{path} is not a file: name a {{session}}{SUFFIX}")
    with input_errors(path, f"a {{session}}{SUFFIX}"), path.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    try:
        return _Reader(path.name, settings, forgotten).memory(parse(data))
    except SecretFound as e:
        raise BadInput(f"{path.name}: {e.where} {e.fault}; nothing was imported") from e
    except BadInput as e:
        raise BadInput(f"{path.name} {e}; nothing was imported") from e


@dataclass(slots=True)
class _Reader:
    """One file being read; what is forgotten or private of it is left out, and noted."""

    name: str
    settings: Settings
    forgotten: Tombstones
    skipped: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[tuple[str, str]] = field(default_factory=list)

    def memory(self, file: FoldedFile) -> FoldedMemory:
        """Return what *file* says; raises BadInput and SecretFound."""
        session = self._session(file)
        turns = [_wordless() for _ in range(file.told)]
        told = [
            self._episode(each, details, turns, of)
            for (each, details), of in zip(file.episodes(), file.ranges, strict=True)
        ]
        turns += [self._turn(*each, n) for n, each in enumerate(file.turns(), file.told + 1)]
        lasting = self._lasting(file, session)
        if not file.details.session:
            shown = {n: it.shown for n, (it, _) in enumerate(file.turns(), file.told + 1)}
            turns = folded_words.by_themselves(turns, shown)
            told, lasting = self._by_tools(told, lasting, turns, shown)
        began = file.details.began
        if turns and began and not turns[0].at:
            turns[0] = replace(turns[0], at=iso(moment(began)))
        last = {file.told: file.next_episode}
        named = tuple(
            replace(turn, origin=folded_origins.of_turn(session, n, last.get(n)))
            for n, turn in enumerate(turns, 1)
        )
        return FoldedMemory(
            self.name, session, named, tuple(filter(None, told)), lasting,
            tuple(self.skipped), tuple(self.remarks),
        )  # fmt: skip

    def _by_tools(
        self,
        told: Sequence[ToldEpisode | None],
        lasting: Topic,
        turns: Sequence[Turn],
        shown: Mapping[int, Sequence[str]],
    ) -> tuple[list[ToldEpisode | None], Topic]:
        """Return episodes, untrusted where a tool in *turns* speaks, and of what lasts the rest.

        So does a program in what was *shown* beside them.
        """
        episodes: dict[int, list[str]] = {}
        for it in filter(None, told):
            episodes.setdefault(it.last, []).extend(folded_words.of_episode(it.value))
        items = map(folded_words.of_item, lasting.items)
        tools = folded_words.of_tools(turns, shown, episodes, items)
        worth = [
            it and replace(it, trust=it.trust if tools.isdisjoint(folded_words.of_episode(it.value))
                           else UNTRUSTED)
            for it in told
        ]  # fmt: skip

        def own(items: Iterable[_Item]) -> tuple[_Item, ...]:
            return tuple(it for it in items if folded_words.of_item(it) not in tools)

        left = replace(
            lasting, facts=own(lasting.facts), patterns=own(lasting.patterns),
            decisions=own(lasting.decisions), eliminated=own(lasting.eliminated),
        )  # fmt: skip
        gone = len(lasting.items) - len(left.items)
        self.skipped += [(_OF_TOOLS, f"{self.name}, what lasts")] * gone
        return worth, left

    def _session(self, file: FoldedFile) -> str:
        name = file.details.session or self.name.removesuffix(SUFFIX).removesuffix(".json")
        if not name.isprintable() or "\\" in name or ".." in name or name.startswith(("/", "~")):
            raise BadInput(
                "the name of its session is a path: write another (`session` in `details`)"
            )
        return memory_sessions.named(name)

    def _turn(self, turn: FoldedTurn, details: TurnDetails, number: int) -> Turn:
        where = f"turn {number}"
        said = self._kept(turn.text, where)
        at = iso(moment(details.at)) if details.at else ""
        role = details.role or ("tool" if turn.is_shown else turn.role)
        speaker, tool = (
            remember.one_line(details.speaker, "speaker"), remember.one_line(details.tool, "tool")
        )  # fmt: skip
        remember.refuse_secrets(where, speaker, tool)
        if not said:
            return _wordless()
        is_result = role == "tool"
        return Turn(role, said, "" if is_result else speaker, at, tool if is_result else "")

    def _episode(
        self, it: FoldedEpisode, details: EpisodeDetails, turns: list[Turn], of: tuple[int, int]
    ) -> ToldEpisode | None:
        where, (first, last) = f"episode {it.episode_id}", of
        summary = self._kept(it.summary, where)
        if not summary:
            return None
        title = remember.one_line(self._kept(details.title, where), "title")
        value = Episode(
            title or first_line(summary, TITLE),
            summary,
            tuple(self._decisions(it.decisions, where)),
            tuple(self._ruled_out(it.eliminated, where)),
            self._each(it.open_questions, where),
            self._each(details.corrections, where),
            self._each(details.preferences, where),
            tuple(self._results(it, turns, of, is_ours=bool(details.created))),
        )  # fmt: skip
        created = iso(moment(details.created) if details.created else self.settings.now)
        return ToldEpisode(it.episode_id, first, last, value, created, details.trust or TRUST)

    def _results(
        self, it: FoldedEpisode, turns: list[Turn], of: tuple[int, int], *, is_ours: bool
    ) -> Iterator[ToolResult]:
        """Yield the results of tools as an episode names them; what they say becomes turns."""
        where, (first, last) = f"episode {it.episode_id}", of
        free = iter(range(last, first - 1, -1))
        results = ((name, _as_text(value)) for name, value in it.tool_results.items())
        for given, text in self._public(results, where):
            name = remember.one_line(self._kept(given, where), "tool")
            said = self._kept(text, where)
            if (turn := _mentioned(said, is_ours=is_ours)) and first <= turn <= last:
                yield ToolResult(name, said)
            elif name and said:
                number = next(free, None)
                if number is None:
                    self.skipped.append((_NO_ROOM, f"{self.name}, {where}"))
                    continue
                turns[number - 1] = Turn("tool", said, tool=name)
                yield ToolResult(name, f"(turn {number})")

    def _lasting(self, file: FoldedFile, session: str) -> Topic:
        semantic, where = file.memory.semantic, "what lasts"
        rests_on = (transcript_files.path(self.settings.agent, session),)
        facts, patterns = (
            tuple(Fact(text, rests_on) for text in self._each(texts, where))
            for texts in (semantic.facts, semantic.patterns)
        )
        return Topic(
            "", first_line(f"What {session} came to", TITLE), "", facts,
            tuple(TopicDecision(it, rests_on)
                  for it in self._decisions(semantic.decisions, where)),
            tuple(TopicEliminated(it, rests_on)
                  for it in self._ruled_out(semantic.eliminated_approaches, where)),
            patterns,
        )  # fmt: skip

    def _decisions(self, given: Iterable[Decided], where: str) -> Iterator[Decision]:
        parts = ((it.decision, it.reason or "", it.constraint or "") for it in given)
        for what, why, limit in self._public(parts, where):
            if text := self._kept(what, where):
                yield Decision(text, self._kept(why, where), self._kept(limit, where))

    def _ruled_out(self, given: Iterable[RuledOut], where: str) -> Iterator[Eliminated]:
        for what, why in self._public(((it.approach, it.why or "") for it in given), where):
            if text := self._kept(what, where):
                yield Eliminated(text, self._kept(why, where))

    def _each(self, texts: Iterable[str], where: str) -> tuple[str, ...]:
        """Return what of the items of a list may come in."""
        public = self._public(((text,) for text in texts), where)
        return tuple(filter(None, (self._kept(text, where) for (text,) in public)))

    def _public(self, items: Iterable[tuple[str, ...]], where: str) -> Iterator[tuple[str, ...]]:
        """Yield the *items* of a list without their private parts, which may go over several."""
        given = tuple(items)
        self._remark(secrets.left_out([*itertools.chain(*given)]), where)
        public = iter(secrets.strip_each(text for it in given for text in it))
        for it in given:
            texts = tuple(itertools.islice(public, len(it)))
            gone = sum(bool(x.strip()) and not y.strip() for x, y in zip(it, texts, strict=True))
            self.skipped += [(PRIVATE, f"{self.name}, {where}")] * gone
            yield texts

    def _kept(self, text: str, where: str) -> str:
        """Return what of *text* may come in, "" for nothing; raises BadInput and SecretFound."""
        if not text.strip():
            return ""
        kept = remember.clean(text, where, redact=self.settings.redact).strip()
        if not kept:
            self.skipped.append((PRIVATE, f"{self.name}, {where}"))
        elif stone := self.forgotten.of_any(kept):
            kept = forgotten_passages.without(kept, self.forgotten, rows=True)
            if not kept:
                self.skipped.append((why_forgotten(stone), f"{self.name}, {where}"))
                return ""
            self._remark(what_was_forgotten(stone), where)
        self._remark(secrets.left_out(text) if kept else "", where)
        return kept

    def _remark(self, said: str, where: str) -> None:
        if said:
            self.remarks.append((said, f"{self.name}, {where}"))


def _mentioned(said: str, *, is_ours: bool) -> int:
    """Return the turn that *said* names as an episode does, 0 for what a tool may have answered.

    What a tool was called for stands there in words that only a file of ours is believed.
    """
    found = _MENTION.fullmatch(said)
    if found is None or (found["called_for"] and not is_ours):
        return 0
    went = found["went"] or ""
    return int(found["turn"]) if not went or tool_outcomes.outcome(went) == went else 0


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _wordless() -> Turn:
    return Turn("system", "")
