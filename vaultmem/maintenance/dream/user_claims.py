"""What users said of people, as claims, whenever they said it: offline all is heard anew.

What a model found in an utterance is kept, so that nobody pays for it twice, and a model is asked
only about what came since the last dream; of what is older, the program says what it can.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
from vaultmem.storage import transcripts, turn_names
from vaultmem.storage.store import Store
from vaultmem.storage.transcripts import Transcript
from vaultmem.storage.turn_names import TurnName

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
    turns = _turns(store, (claim.origin for claim, _ in claims if claim.origin in said))
    return tuple(
        SourcedClaim(claim, it.source, by, new=it.new)
        for told, by in sorted(claims, key=lambda each: each[0].at)
        if (it := said.get(told.origin)) and _is_own(told, turns)
        for claim in persons.placed(told, owner)
    )


def _turns(store: Store, origins: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return what is said in turns, and what of it is its speaker's: by origin, none of a memory.

    Each transcript is read once.
    """
    numbers: dict[str, list[int]] = defaultdict(list)
    for origin in dict.fromkeys(origins):
        if name := turn_names.parse(origin):
            numbers[name.path].append(name.number)
    made: dict[str, tuple[str, str]] = {}
    for path, some in numbers.items():
        if found := transcripts.load_if_allowed(store.root, path):
            made |= {str(TurnName(path, n)): _words_of(found, n - 1) for n in some}
    return made


def _words_of(transcript: Transcript, number: int) -> tuple[str, str]:
    own = repetitions.own_words(transcript.turns, number)
    return " ".join(transcript.turns[number].content.split()), " ".join(own.split())


def _is_own(claim: Claim, turns: Mapping[str, tuple[str, str]]) -> bool:
    """Tell whether its speaker says the words of *claim*, and does not hand them on of a tool."""
    whole, own = turns.get(claim.origin, ("", ""))
    said = " ".join(claim.said.split())
    return said in own or said not in whole


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
    before: dict[int, int] = {}
    last: dict[str, int] = {}
    for n, it in enumerate(found):
        if (at := last.get(it.utterance.conversation)) is not None:
            before[n] = at
        last[it.utterance.conversation] = n
    asked = {before[n] for n in wanted & before.keys()}
    asked = {n for n in asked if found[n].utterance.role == "assistant"}
    return [found[n] for n in sorted(wanted | asked)]


def _sha(said: Utterance) -> str:
    content = repr((said.speaker, said.role, said.text)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(content).hexdigest()[:16]


def _read(raw: Mapping[str, Any]) -> _Answers:
    return {
        at: _Answer(it["sha"], it["by"], tuple(Claim(**c) for c in it["claims"]))
        for at, it in raw.items()
    }
