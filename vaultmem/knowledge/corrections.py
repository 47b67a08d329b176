"""Correct what was remembered wrongly: a new memory supersedes the old one, whose file stays as is.

The index marks the old one, so that it is recalled behind what holds and stands in no context; the
summaries that mention it are rewritten without it, and cards drawn from it lose what rests on it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from vaultmem.documents import frontmatter, secrets
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput, Refused, Unreadable, VaultError
from vaultmem.knowledge.cards import after_correction, persons
from vaultmem.knowledge.cards import names as card_names
from vaultmem.memory import pointed_index, remember
from vaultmem.memory.compaction import runner as compaction_runner
from vaultmem.memory.placement import Placement
from vaultmem.memory.remember import MemoryInput
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import ClaimsTask, Summarizer, Utterance
from vaultmem.records import ORDINARY, TRUST_OF_SOURCE, Record, first_line, iso
from vaultmem.storage import human_edits, tombstones
from vaultmem.storage.index import supersession
from vaultmem.storage.plan import Change, Plan
from vaultmem.storage.store import Store

_log = logging.getLogger(__name__)
_SUBJECT = 60
_INSTEAD = {
    "card": "`vaultmem card set` changes a card",
    "summary": "correct the memory that it mentions, which `vaultmem why` names",
    "memory": "it waits in the inbox, where `vaultmem review drop` lets it go",
}
_EDIT = "change the file itself"


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction that is on disk: the stems that it *supersedes*, the files rewritten for it.

    *cards* lost what they had drawn from what was wrong; *cited* are files that rest on it and are
    not the program's to change. It *existed* when the same was said of the same memory before, and
    nothing was written.
    """

    id: str
    path: str
    supersedes: tuple[str, ...]
    derived: tuple[str, ...]
    cited: tuple[str, ...]
    commit: str | None
    cards: tuple[str, ...] = ()
    existed: bool = False


@dataclass(frozen=True, slots=True)
class Corrections:
    """Corrections to the memories of *store*; *summarizer* returns who rewrites what mentions them.

    It is asked after the correction is written; None leaves that to the next compaction.
    """

    store: Store
    summarizer: Callable[[], Summarizer | None]

    def correct(self, ref: str, said: MemoryInput) -> Correction:
        """Keep what is *said* as what holds instead of the memory that *ref* names, and commit.

        What holds instead of it already is not kept again. Where *said* names no agent, tags or
        importance, they are the old memory's. Raises BadInput when *ref* names none or several,
        Refused for what is no raw memory or is more trusted than the correction, and what
        `memories.keep` raises.
        """
        self.store.sync_notes()
        # Of memories that saw names alone; the one that is meant may have been changed in place.
        self.store.index.absorb(r.path for r in self.store.index.named(ref))
        old = self._wrong(ref, said.source)
        said = self._cleaned(replace(said, agent=said.agent or old.agent))
        ended = self._ended(old)
        if len(ended) > 1 and _says(ended[-1], said):
            return self._existing(ended)
        said = _standing_for(ended[-1], said)
        cited = tuple(dict.fromkeys(p for r in ended for p in self._citing(r)))
        made, op, cards = self._keep(said, ended, cited)
        commit = self.store.writer.commit_pending().get(op)
        derived = self._resummarized({r.agent for r in ended}, op)
        self.store.writer.commit_pending()
        return Correction(
            id=op,
            path=made.path,
            supersedes=tuple(r.stem for r in ended if r.path != made.path),
            derived=derived,
            cited=tuple(path for path in cited if path not in cards),
            commit=commit,
            cards=cards,
        )

    def still_cited(self, done: Correction) -> tuple[str, ...]:
        """Return what of `cited` rests on it still, once shared facts followed the correction."""
        self.store.sync_notes()
        ended = [r for stem in done.supersedes for r in self.store.index.named(stem)]
        citing = {path for record in ended for path in self._citing(record)}
        return tuple(path for path in done.cited if path in citing)

    # --- what is wrong ------------------------------------------------------------------------

    def _wrong(self, ref: str, source: str) -> Record:
        found = self.store.index.named(ref)
        if len(found) != 1:
            raise BadInput(_which(ref, found))
        old = found[0]
        if old.type != "memory" or not old.kept:
            raise Refused(f"{old.path} is not a raw memory: {_INSTEAD.get(old.type, _EDIT)}")
        if not supersession.may_end(TRUST_OF_SOURCE[source], old.trust):
            raise Refused(
                f"{old.path} has the trust `{old.trust}`, and what comes from {source} has less: "
                "a person corrects it (`source=user`)"
            )
        return old

    def _ended(self, old: Record) -> tuple[Record, ...]:
        """Return *old*, and whatever it was corrected to before, which holds no longer either."""
        ended = [old]
        while by := self._by(ended[-1]):
            if by.path in {r.path for r in ended}:
                break
            ended.append(by)
        return tuple(ended)

    def _by(self, old: Record) -> Record | None:
        found = self.store.index.named(old.superseded_by) if old.superseded_by else []
        return next((r for r in found if r.type == "memory" and r.kept), None)

    def _earlier(self, ended: Sequence[Record]) -> Iterator[Record]:
        """Yield what those *ended* had ended before: it stays so, should one of them go.

        A person may delete its file; the index knows what ended what from the files alone.
        """
        seen, left = {r.path for r in ended}, [*ended]
        while left:
            named = [r for it in left.pop().supersedes for r in self.store.index.named(it)]
            new = [r for r in named if r.type == "memory" and r.path not in seen]
            seen.update(r.path for r in new)
            left += new
            yield from new

    def _existing(self, ended: Sequence[Record]) -> Correction:
        """Return the correction that the last of those *ended* is."""
        *wrong, right = ended
        cited = tuple(dict.fromkeys(path for r in wrong for path in self._citing(r)))
        stems = tuple(r.stem for r in wrong)
        return Correction(right.id, right.path, stems, (), cited, None, existed=True)

    def _citing(self, old: Record) -> list[str]:
        targets = (old.stem, old.path.removesuffix(".md"))
        citing = self.store.index.citing(targets)
        return [r.path for r in citing if r.type != "summary" and r.recallable]

    # --- what holds instead -------------------------------------------------------------------

    def _cleaned(self, said: MemoryInput) -> MemoryInput:
        remember.check_switches(said, self.store.config())
        clean = remember.clean(said.text, "the text")
        if not clean:
            raise BadInput(f"there is no correction: {secrets.why_empty(said.text)}")
        return replace(said, text=clean)

    def _keep(
        self, said: MemoryInput, ended: Sequence[Record], cited: Sequence[str]
    ) -> tuple[Change, str, tuple[str, ...]]:
        """Write the correction, and the cards among what is *cited* without what was wrong."""
        said, quotes = remember.attributed(self.store, said)
        if quotes:
            raise Refused(f"{quotes} said this, and a tool corrects nothing: ask the person")
        tombstones.refuse(self.store, *said.words, agent=said.agent, speaker=said.speaker)
        op = self.store.mint()
        whole = (*ended, *self._earlier(ended))
        made = _naming(remember.change(said, op, Placement(self.store).folder), whole)
        right = _right(made, said, ended[0], self.store.config().owner)
        cards = tuple(self._amended(cited, ended, right))
        human_edits.commit(self.store, (change.path for change in cards))
        plan = Plan(
            op=op,
            kind="correct",
            subject=f"correct({said.agent}): {first_line(said.text, _SUBJECT)}",
            changes=(made, *cards, *pointed_index.change(self.store, cards)),
            agent=said.agent,
            trust=said.trust,
            notes=tuple(f"Supersedes {r.path}." for r in ended),
            asked=said.request("correct", ended[0].path),
        )
        if earlier := self.store.apply(plan):
            amended = tuple(p for p in earlier.paths if p.startswith(f"{card_names.FOLDER}/"))
            return remember.confirmed(self.store, made, earlier), earlier.op, amended
        return made, op, tuple(change.path for change in cards)

    def _amended(
        self, cited: Sequence[str], ended: Sequence[Record], right: after_correction.Correction
    ) -> Iterator[Change]:
        wrong = [after_correction.Memory(r.stem, r.body) for r in ended]
        for path in cited:
            old = self.store.texts.read(path) if path.startswith(f"{card_names.FOLDER}/") else None
            if old is None:
                continue
            try:
                new = after_correction.amended(path, old, wrong, right)
                change = Change(path, old, new or old, "without what was wrong")
                human_edits.keep_words(self.store, [change])
            except (BadInput, Refused, Unreadable) as e:
                _log.warning("%s", e)  # it stays among what is cited
                continue
            if change.new != old:
                yield change

    def _resummarized(self, agents: set[str], op: str) -> tuple[str, ...]:
        """Rewrite what mentions what was wrong; return the paths.

        The correction stands, whatever comes of that: whoever hears of an error corrects again.
        """
        summarizer = self.summarizer()
        if summarizer is None:
            return ()
        try:
            if self.store.index.lags:
                self.store.index.sync_notes()
            run = partial(compaction_runner.run, self.store, summarizer=summarizer, op=op)
            plans = [run(agent).plan for agent in sorted(agents)]
        except VaultError as e:
            _log.warning("the correction is safe; what mentions the old memory waits: %s", e)
            return ()
        changes = [c for p in plans if p for c in p.changes if c.op != "create"]
        return tuple(c.path for c in changes if "/summaries/" in c.path)


def _standing_for(old: Record, said: MemoryInput) -> MemoryInput:
    """Return *said* with the tags and the importance of *old*, unless it has others of its own.

    What is found by a tag, or followed as an instruction, is so corrected, too.
    """
    importance = None if old.importance == ORDINARY else old.importance
    return replace(
        said,
        tags=said.tags or old.tags,
        importance=importance if said.importance is None else said.importance,
    )


def _says(record: Record, said: MemoryInput) -> bool:
    """Tell whether the memory of *record* is what is *said*, by the same, with nothing to add."""
    by = (said.agent, said.source, said.text.strip())
    is_same = (record.agent, record.source, record.body.strip()) == by
    return is_same and not said.dated and {*said.tags} <= {*record.tags}


def _which(ref: str, found: Sequence[Record]) -> str:
    if not found:
        how = "`vaultmem recall` shows the id and the path of each hit"
        return f"{quoted(ref)} names no memory: {how}"
    here = ", ".join(r.path for r in found[:3])
    return f"{quoted(ref)} names {len(found)} files: name one by its path ({here})"


def _right(made: Change, said: MemoryInput, old: Record, owner: str) -> after_correction.Correction:
    """Return the correction with what it claims of people, heard as an answer to the *old* words.

    Patterns alone hear it: a correction waits for no model.
    """
    at, stem = iso(said.created), made.path.rpartition("/")[2].removesuffix(".md")
    speaker = persons.speaker(old.speaker, owner)
    wrong = Utterance(old.body.strip(), speaker, session=stem)
    right = Utterance(said.text, speaker, origin=stem, session=stem)
    found = Extractive().claims(ClaimsTask((wrong, right))).value
    placed = (each for claim in found for each in persons.placed(claim, owner))
    claims = {(c.person, c.field): c.value for c in placed if c.origin == stem and not c.is_over}
    memory = after_correction.Memory(stem, said.text)
    return after_correction.Correction(memory, said.source, at, claims)


def _naming(made: Change, ended: Sequence[Record]) -> Change:
    """Return the new memory *made*, whose frontmatter says what it supersedes.

    By id: a file's name holds words, which must not stand here when that file is forgotten.
    """
    names = [r.id or f"[[{r.stem}]]" for r in ended]
    new = frontmatter.edited(made.new or b"", {"supersedes": names})
    return made._replace(new=new, reason=f"corrects {ended[0].path}")
