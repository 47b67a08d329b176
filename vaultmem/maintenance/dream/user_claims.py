"""What users said of people, as claims, whenever they said it: offline all is heard anew.

What a model found in an utterance is kept, so that nobody pays for it twice, and a model is asked
only about what came since the last dream; of what is older, the program says what it can.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from vaultmem.documents.bodies import Claim
from vaultmem.knowledge.cards import persons
from vaultmem.maintenance.dream import kept_answers
from vaultmem.maintenance.dream.detectors.cards import SourcedClaim
from vaultmem.maintenance.dream.user_utterances import UserStatement
from vaultmem.memory.tool_quotes import repetitions
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.summarization.guarded import Guarded, guarded
from vaultmem.nlp.tasks import ClaimsTask, Utterance
from vaultmem.storage import transcripts
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript

_FILE = "claims"


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the model *by* found in an utterance whose text has the digest *sha*."""

    sha: str
    by: str
    claims: tuple[Claim, ...]


_Answers = dict[str, _Answer]
"""By where an utterance stands."""


def claimed(
    store: Store, found: Sequence[UserStatement], summarizer: Guarded
) -> tuple[SourcedClaim, ...]:
    """Return what was *found* to be said, as claims; a model hears what is new and unheard."""
    if not found:
        return ()
    heard = {} if summarizer.is_offline else _by_model(store, found, summarizer)
    said = {it.utterance.origin: it for it in found}
    offline = guarded(Extractive()).claims(ClaimsTask(tuple(it.utterance for it in found))).value
    claims = [(claim, "") for claim in offline if claim.origin not in heard]
    claims += [(claim, answer.by) for answer in heard.values() for claim in answer.claims]
    owner = store.config().owner
    own = _OwnWords(store)
    return tuple(
        SourcedClaim(claim, it.source, by, new=it.new)
        for told, by in sorted(claims, key=lambda each: each[0].at)
        if (it := said.get(told.origin)) and own.have(told)
        for claim in persons.placed(told, owner)
    )


class _OwnWords:
    """What persons say in turns of sessions, without what they hand on of a tool, by origin."""

    def __init__(self, store: Store) -> None:
        """Read the transcripts of *store*."""
        self._store = store
        self._known: dict[str, tuple[str, str]] = {}

    def have(self, claim: Claim) -> bool:
        """Tell whether the words of *claim* are its speaker's; a memory's are."""
        path, _, number = claim.origin.rpartition("#")
        if not transcripts.holds(path):
            return True
        if claim.origin not in self._known:
            found = transcripts.load_if_allowed(self._store.root, path)
            self._known[claim.origin] = _handed_on(found, int(number) - 1) if found else ("", "")
        said, (whole, own) = " ".join(claim.said.split()), self._known[claim.origin]
        return said in own or said not in whole


def _handed_on(transcript: Transcript, number: int) -> tuple[str, str]:
    """Return what is said in turn *number* of *transcript*, and what of it is its speaker's."""
    own = repetitions.own_words(transcript.turns, number)
    return " ".join(transcript.turns[number].content.split()), " ".join(own.split())


def _by_model(store: Store, found: Sequence[UserStatement], model: Guarded) -> _Answers:
    """Return what the *model* found in each utterance it heard, now or before."""
    known: _Answers = kept_answers.load(store, _FILE, _read, {})
    shas = {it.utterance.origin: _sha(it.utterance) for it in found}
    heard = {at: a for at, a in known.items() if shas.get(at) == a.sha}
    unheard = tuple(it.utterance for it in _unheard(found, heard))
    if unheard:
        made = model.claims(ClaimsTask(unheard))
        by = {it.origin: [c for c in made.value if c.origin == it.origin] for it in unheard}
        fresh = {at: _Answer(shas[at], made.model, tuple(claims)) for at, claims in by.items()}
        if made.degraded or made.model == Extractive.name:  # to be asked again
            return heard | {at: answer for at, answer in fresh.items() if answer.claims}
        heard |= fresh
    if heard != known:
        kept_answers.keep(store, _FILE, {at: asdict(answer) for at, answer in heard.items()})
    return heard


def _unheard(found: Sequence[UserStatement], heard: _Answers) -> list[UserStatement]:
    """Return what is new and was not heard, each with the question that it may answer."""
    wanted = {n for n, it in enumerate(found) if it.new and it.utterance.origin not in heard}
    asked = {n - 1 for n in wanted if n and found[n - 1].utterance.role == "assistant"}
    return [found[n] for n in sorted(wanted | asked)]


def _sha(said: Utterance) -> str:
    content = repr((said.speaker, said.role, said.text)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(content).hexdigest()[:16]


def _read(raw: Mapping[str, Any]) -> _Answers:
    return {
        at: _Answer(it["sha"], it["by"], tuple(Claim(**c) for c in it["claims"]))
        for at, it in raw.items()
    }
