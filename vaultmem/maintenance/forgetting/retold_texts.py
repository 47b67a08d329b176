"""Tell episodes and summaries that absorbed what is forgotten again, without it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

from vaultmem.documents import frontmatter
from vaultmem.errors import Refused
from vaultmem.maintenance.forgetting import redacted_transcripts
from vaultmem.maintenance.forgetting.draft import WITHOUT, ForgettingDraft
from vaultmem.maintenance.forgetting.redacted_transcripts import RedactedTranscript
from vaultmem.memory import compaction, folding
from vaultmem.memory.compaction import Past, cascade, human_lines
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.compaction.dependencies import Dependencies
from vaultmem.memory.folding import Source, Stretch, material
from vaultmem.memory.tool_quotes import trusted_words
from vaultmem.nlp.summarization.guarded import Guarded
from vaultmem.nlp.tasks import LATER, FoldTask
from vaultmem.records import Record
from vaultmem.storage import files, reader
from vaultmem.storage.index import Filter, coverage, session_queries
from vaultmem.storage.index.coverage import Member
from vaultmem.storage.plan import Change
from vaultmem.storage.tombstones import MARK
from vaultmem.storage.transcripts import Turn


class RetoldTexts:
    """The episodes and summaries of a *draft* that a summarizer writes again, when it is asked."""

    def __init__(self, draft: ForgettingDraft, ask: Guarded) -> None:
        """Put what *ask* makes into *draft*."""
        self._draft, self._ask, self._store = draft, ask, draft.store

    def episodes(self, it: RedactedTranscript) -> None:
        """Write the episodes again that tell of what *it*, a transcript, says no more."""
        before, after = it.old.split(b"\n"), it.new.split(b"\n")
        hit = {n for n, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b}
        hit |= it.meant
        for episode in self._store.index.each(Filter(type="episode")):
            span = range(episode.turn_start, episode.turn_end + 1)
            if not redacted_transcripts.is_of(episode, it.transcript):
                continue
            if hit.intersection(span) or self._is_named_after(episode, hit):
                self._rewrite_episode(episode, it)

    def _is_named_after(self, episode: Record, hit: Collection[int]) -> bool:
        """Whether the title of a later *episode* says what went of the session's opening."""
        is_later = episode.turn_start > min(hit, default=episode.turn_start)
        return is_later and self._draft.ours.says(f"{episode.title}\n{episode.stem}")

    def _rewrite_episode(self, old: Record, it: RedactedTranscript) -> None:
        task, trust = self._task(old, it)
        made = self._ask.episode(task)
        if it.new == it.old and folding.says(old, made):
            return  # who forgot it told it without that
        data = self._draft.data(old.path)
        self._draft.rewritten.add(old.path)
        stretch = Stretch(old.turn_start, _turns(old, it))
        of = it.transcript
        source = Source(of.agent, of.session, of.path, stretch, trust)
        if old.path in self._draft.paths:  # with all that anybody wrote there
            identity = (self._store.mint(), self._draft.now)
            change = folding.episode(source, made, self._number(old), identity)
            self._move_episode(old, data, change)
        elif self._is_named_after_it(old, data):
            identity = (old.id, self._draft.now)
            change = folding.renamed(old, data, source, made, (self._number(old), *identity))
            self._move_episode(old, data, change)
        else:
            change = folding.again(old, data, made, self._draft.now, trust)
            self._draft.put(old.path, data, change.new)

    def _number(self, old: Record) -> int:
        """Return the number of the *old* episode, a free one where another has that since a merge.

        Told without what gave them away both could be called the same.
        """
        known = session_queries.episode_stems(self._store.index, old.agent)
        stems = {*known, *(PurePosixPath(path).stem for path in self._draft.rewritten)} - {old.stem}
        number = folding.numbered(old)
        is_taken = any(f"{stem}-".startswith(f"episode-{number:04}-") for stem in stems)
        return folding.number(stems) if is_taken else number

    def _move_episode(self, old: Record, data: bytes, change: Change) -> None:
        """Let the file of *change* take the place of the *old* one, whose bytes are *data*."""
        text = change.new or b""
        self._draft.rewritten.add(change.path)
        if old.distilled:
            text = frontmatter.edited(text, {"distilled": old.distilled})
        if change.path == old.path:
            self._draft.changes[old.path] = Change(old.path, data, text, WITHOUT)
            return
        self._draft.put(old.path, data, None)
        self._draft.put(change.path, None, text)
        if old.path not in self._draft.paths:
            self._draft.renamed[old.path] = change.path

    def _is_named_after_it(self, episode: Record, data: bytes) -> bool:
        """Whether the name or the title of *episode* says it, or what only that bore out."""
        head = data.decode("utf-8", "replace").splitlines()[: episode.body_line - 1]
        titles = [line for line in head if line.startswith("title:")]
        return self._draft.ours.says(f"{episode.title}\n{episode.stem}") or any(
            self._draft.is_bereft(episode.path, line) for line in titles
        )

    def _task(self, old: Record, it: RedactedTranscript) -> tuple[FoldTask, str]:
        """Return what is asked to tell the episode *old* again, and the trust of its turns."""
        others = trusted_words.beside(self._store, it.transcript)
        every = material.mentioned(it.turns, others=others)
        of = material.part(it.turns, every, old.turn_start, old.turn_end)
        opening = material.opening(every, old.turn_start, of.trust)
        both = zip(of.turns, _turns(old, it), strict=True)
        kept = (told for told, t in both if t.origin != folding.ENDED and t.content != MARK)
        task = FoldTask(
            tuple(kept) or of.turns[:1], old.turn_start, it.transcript.session, it.transcript.agent,
            later=tuple(it.turns[old.turn_end : old.turn_end + LATER]),
            opening=tuple(turn for turn in opening if turn.content != MARK),
        )  # fmt: skip
        return task, of.trust

    def summaries(self, agent: str) -> None:
        """Write the summaries that tell of it again, and the long-term one anew from all it took.

        The cascade lets the offline summarizer's long-term text stand and takes lines out of it:
        without a model's name it is written from the beginning.
        """
        store, changes = self._store, self._draft.changes
        named = coverage.named(store.index, agent, {PurePosixPath(path).stem for path in changes})
        touched = self._draft.targets | {m.stem for m in named if m.path in changes}
        past = compaction_runner.telling(store, agent, touched)
        telling = {r.path for r in past.recents if touched.intersection(r.sources)}
        if not telling:
            return
        if past.has_broken_longterm or not telling.isdisjoint(past.broken):
            raise Refused(_BROKEN.format(min(past.broken)))
        left = self._left(past)
        due = compaction.stale(left, self._draft.targets)
        if not all(chunk.members for chunk in due):
            # In the place of a summary that goes, the long-term one names the next before it.
            left = self._left(compaction_runner.past(store, agent))
            due = compaction.stale(left, self._draft.targets)
        for change in cascade.propose(left, due, self._means(agent), store.config()).changes:
            self._draft.put(change.path, change.old, _unless_idle(change), change.reason)

    def _means(self, agent: str) -> Dependencies:
        store = self._store
        earlier = partial(compaction.earlier, store.index, agent)
        return Dependencies(
            self._ask.summarize, store.mint, self._draft.now, store.texts.read, self._load,
            earlier=earlier,
        )  # fmt: skip

    def _left(self, past: Past) -> Past:
        """Return what is left of *past*, the memories with the sha that their files will have."""
        left = past.without(self._draft.paths)
        return replace(
            left,
            memories=tuple(map(self._changed, left.memories)),
            longterm=replace(past.longterm, model="") if past.longterm else None,
        )

    def _changed(self, memory: Member) -> Member:
        change = self._draft.changes.get(memory.path)
        new = change.new if change else None
        return memory._replace(sha=files.content(new).sha) if new else memory

    def _load(self, planned: Sequence[tuple[str, str]]) -> list[Record | None]:
        """Return the records of files with their texts, which no link is part of.

        One that will be changed is as of the sha that it is *planned* with.
        """
        drafted, found = self._draft.changes, self._store.texts.now_at(planned)
        return [
            replace(it, sha=sha) if it and path in drafted else it
            for (path, sha), it in zip(planned, found, strict=True)
        ]


_BROKEN = (
    "{} may tell of it, and cannot be read as it is: `vaultmem status` says what is wrong with it; "
    "forget again once it can"
)


def _turns(episode: Record, it: RedactedTranscript) -> tuple[Turn, ...]:
    """Return the turns that an *episode* of the transcript tells of, as they shall be."""
    return it.turns[episode.turn_start - 1 : episode.turn_end]


def _unless_idle(change: Change) -> bytes | None:
    """Return the new file; None for a long-term summary that has nothing left to tell of."""
    if change.new is None or PurePosixPath(change.path).name != "longterm.md":
        return change.new
    made = reader.record(change.path, files.content(change.new))
    return change.new if made.sources or human_lines.split(made)[0].strip() else None
