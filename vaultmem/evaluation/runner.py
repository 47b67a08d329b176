"""How an evaluation asks a vault: through its own recall, leaving no trace of having asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from vaultmem.api.types import MOST_HITS, Answer, Mode, Question, Scope
from vaultmem.api.vault import Vault
from vaultmem.errors import BadInput, ModelAway
from vaultmem.evaluation import probes, retrieval
from vaultmem.evaluation.evidence import Known, resolve
from vaultmem.evaluation.probes import Probe
from vaultmem.evaluation.questions import LabelledQuestion
from vaultmem.evaluation.retrieval import Ask, Library, Run

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Way:
    """How to ask: whose memory (everybody's when empty), by words or vectors; *k* hits are judged.

    All that recall gives are asked for: what fits some tokens is not a matter of *k*.
    """

    agent: str = ""
    mode: Mode = "auto"
    k: int = MOST_HITS


def ask_questions(
    vault: Vault, asked: Iterable[LabelledQuestion], way: Way, progress: Progress = lambda _: None
) -> Run:
    """Ask *vault* questions whose evidence are memories; raises BadInput when none has any."""
    index_s = prepare(vault, way.mode)
    scope = Scope(agent=way.agent, type="memory")
    known, left_out = resolve(tuple(asked), vault.queries.files(scope))
    if not known:
        first = left_out[0]
        example = f"line {first.line}, for one, names {first.missing[0]}"
        raise BadInput(f"no question has evidence in this vault; {example}")
    return replace(_run(vault, known, scope, way, progress), index_s=index_s, left_out=left_out)


def ask_probes(
    vault: Vault, made: Iterable[Probe], way: Way, progress: Progress = lambda _: None
) -> Run:
    """Ask *vault* probes in everything that it would recall."""
    index_s = prepare(vault, way.mode)
    scope = Scope(agent=way.agent, shared=True)
    known = (probe.known() for probe in made)
    return replace(_run(vault, known, scope, way, progress), index_s=index_s)


def _run(vault: Vault, known: Iterable[Known], scope: Scope, way: Way, progress: Progress) -> Run:
    ask = _counted(retriever(vault, scope, way.mode), progress)
    library = Library.of(vault.queries.files(scope), vault.queries.text)
    found = tuple(retrieval.ask_all(known, ask, library, MOST_HITS))
    return Run(way.mode, way.k, library, found)


def build_probes(vault: Vault, agent: str, count: int, seed: int) -> tuple[Probe, ...]:
    """Return up to *count* probes of what *agent* may recall; raises BadInput when there is none.

    The same vault and *seed* give the same probes.
    """
    vault.queries.refresh_index()
    scope = Scope(agent=agent, shared=True)
    made = probes.build(lambda: vault.queries.files(scope), count, seed)
    if not made:
        raise BadInput("nothing here says enough to be asked for: remember something first")
    return made


def prepare(vault: Vault, mode: Mode) -> float:
    """Index what is new, and embed it if *mode* wants vectors; return the seconds it took."""
    started = time.perf_counter()
    vault.queries.refresh_index()
    if mode != "lexical":
        # Whoever is away is named by every answer that had to do without.
        with suppress(ModelAway):
            vault.embed()
    return time.perf_counter() - started


def retriever(vault: Vault, scope: Scope, mode: Mode) -> Ask:
    """Return what asks *vault* in *scope*; a question that names its agent asks that one alone.

    It asks in this process, by what is there now, and no use is counted.
    """

    def ask(asked: LabelledQuestion, k: int) -> Answer:
        where = replace(scope, agent=asked.agent) if asked.agent else scope
        return vault.recall_here(Question(asked.text, k, where, mode=mode))

    return ask


def _counted(ask: Ask, progress: Progress) -> Ask:
    def counted(asked: LabelledQuestion, k: int) -> Answer:
        progress(1)
        return ask(asked, k)

    return counted
