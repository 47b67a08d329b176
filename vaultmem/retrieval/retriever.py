"""Who answers a question: words and vectors here, the daemon that has them loaded, or the past.

Words alone need nothing. Vectors need an embedder, which takes a while to load; a daemon that
watches the vault has it loaded, so a process that has not asks there first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.errors import IndexFailed, ModelAway
from vaultmem.models import embeddings, reranking
from vaultmem.models.embeddings import Choice, Embedder, TextEmbedder
from vaultmem.models.providers.types import Surroundings
from vaultmem.records import Record, iso
from vaultmem.retrieval import usage
from vaultmem.storage import daemon_lock, turn_names
from vaultmem.storage.index import Index
from vaultmem.storage.progress import Progress
from vaultmem.storage.store import Store

if TYPE_CHECKING:
    from vaultmem.retrieval.context import Context, Wanted
    from vaultmem.retrieval.external import ExternalRetriever, ExternalSearch, Found
    from vaultmem.retrieval.search import Answer, Hit, Question, Scope
    from vaultmem.retrieval.vectors import Caught, State, Vectors
    from vaultmem.retrieval.vectors.given_store import VectorStore

_A_STORE_LAGS = 256
"""Entries that a Chroma store may wait for while questions are asked: they are compared here."""
_MOST_OUTSIDE = 5
"""Hits of the caller's own retriever that a context asks for."""
_PATIENCE = 2.0
"""Seconds that a question waits for what has no vector yet; it finds the rest by words."""


@dataclass(frozen=True, slots=True)
class OwnParts:
    """What a caller brings: who embeds and grades, what finds the nearest, or is asked beside."""

    embedder: TextEmbedder | None = None
    reranker: reranking.Reranker | None = None
    retriever: ExternalRetriever | None = None
    vector_store: VectorStore | None = None


class Retriever:
    """The one that answers questions to the vault at *store*, by the embedder that is chosen."""

    def __init__(
        self,
        store: Store,
        surroundings: Callable[[], Surroundings],
        own: OwnParts = OwnParts(),  # frozen
    ) -> None:
        """Read the *surroundings* when a question first needs them; *own* parts go first."""
        self._store, self._surroundings, self._own = store, surroundings, own

    def close(self) -> None:
        """Give back what is held open."""
        if vectors := self.__dict__.get("vectors"):
            vectors.close()

    @cached_property
    def choice(self) -> Choice:
        """Who embeds, and why; raises BadInput for a setting that cannot be."""
        if self._own.embedder is not None:
            return embeddings.given.choice(self._own.embedder)
        return embeddings.choose(self._surroundings(), Path.home())

    @cached_property
    def embedder(self) -> Embedder | None:
        """The embedder that is chosen, with nothing loaded yet; raises BadInput."""
        if self._own.embedder is not None:
            return embeddings.given.Given(self._own.embedder)
        return embeddings.build(self.choice, self._surroundings())

    @cached_property
    def _reranker(self) -> reranking.Reranker | None:
        """Who grades the best hits anew, None unless one is given or named; raises BadInput."""
        if self._own.reranker is not None:
            return reranking.Given(self._own.reranker)
        return reranking.build(self._surroundings())

    @property
    def space(self) -> str:
        """The space that questions are embedded in, "" where nobody embeds."""
        return self.embedder.space if self.embedder else ""

    @cached_property
    def vectors(self) -> Vectors | None:
        """The vectors of this vault, None where nobody embeds."""
        return self._vectors(self._store.index, self._own.vector_store) if self.embedder else None

    @cached_property
    def _external(self) -> ExternalSearch | None:
        """The caller's own retriever, asked beside ours."""
        from vaultmem.retrieval.external import ExternalSearch  # noqa: PLC0415  # most bring none

        return ExternalSearch(self._own.retriever) if self._own.retriever is not None else None

    def _vectors(self, index: Index, own_store: VectorStore | None) -> Vectors:
        from vaultmem.retrieval.vectors import Vectors  # noqa: PLC0415  # words alone do without

        assert self.embedder is not None  # noqa: S101  # the callers have looked
        surroundings = self._surroundings()
        return Vectors(
            self._store.root.path,
            index,
            self.embedder,
            chroma_url=surroundings.chroma_url,
            chroma_headers=dict(surroundings.chroma_headers),
            store=own_store,
        )

    def recall(self, question: Question, as_of: str = "") -> Answer:
        """Answer *question* by whoever is quickest, and count what was found; raises BadInput."""
        answer = self._ask_daemon(question) if not as_of and question.mode != "lexical" else None
        if answer is None:
            answer = self.here(question, as_of)
        if not as_of:  # what was found in the past is of no use today
            answer = self._with_external(answer, question)
            ours = (hit for hit in answer.hits if hit.id or not hit.retriever)
            counted = (hit for hit in ours if hit.type != turn_names.TYPE)
            self._count((hit.id or hit.path for hit in counted), question.query)
        return answer

    def check_agent(self, agent: str, as_of: str = "") -> None:
        """Raise BadInput where nobody is called *agent*, nor was as of the date."""
        with self._at(as_of) as store:
            store.require_agent(agent)

    def types(self, as_of: str = "") -> Sequence[str]:
        """Return the types of what can be found, or could be as of the date; raises BadInput."""
        with self._at(as_of) as store:
            kinds, turns = store.index.types(), store.turns()
            return [*kinds, turn_names.TYPE] if turns and turns.documents() else kinds

    def _with_external(self, answer: Answer, question: Question) -> Answer:
        """Return *answer* with the hits of the caller's own retriever.

        It knows neither types nor tags nor days, and is not asked where a question is limited to
        such, or to words.
        """
        where = question.scope
        limits = (where.type, where.tags, where.after, where.before, question.mode == "lexical")
        if self._external is None or any(limits):
            return answer
        from vaultmem.retrieval import external  # noqa: PLC0415  # most bring none

        found, reason = self._outside(self._external, question.query, question.k, where)
        now = iso(self._store.clock())
        both = external.merged(answer, found, self._external.name, question.k, now)
        reasons = filter(None, (answer.degraded_reason, reason))
        return replace(both, degraded_reason="; ".join(reasons) or None)

    def _outside(
        self, search: ExternalSearch, query: str, k: int, scope: Scope
    ) -> tuple[list[Found], str]:
        """Return what *search* found, as records that may be told in *scope*, and what is amiss."""
        from vaultmem.retrieval import external  # noqa: PLC0415  # most bring none

        told = search.ask(query, k)
        found = external.resolved(
            told.hits, search.name, self._store.index, scope, self._store.exists
        )
        return list(found), told.reason

    def here(self, question: Question, as_of: str = "", patience: float = _PATIENCE) -> Answer:
        """Answer *question* in this process, from the vault as of a date if one is given.

        What has no vector yet gets one, for so many seconds of *patience*.
        """
        from vaultmem.retrieval import search  # noqa: PLC0415  # `status` asks nothing

        with self._at(as_of) as store:
            if question.scope.agent and not question.scope.shared:
                store.require_agent(question.scope.agent)
            with self._dense(store, patience, wanted=question.mode != "lexical") as dense:
                held = replace(question, now=iso(store.clock()))
                if question.mode == "lexical" or self._reranker is None:
                    turns = store.turns()
                    answer = search.search(store.index, held, store.exists, dense, turns)
                else:
                    answer = self._graded(store, held, dense, self._reranker)
                return replace(answer, hits=tuple(map(_placed, answer.hits)))

    def _graded(
        self, store: Store, question: Question, dense: Vectors | None, by: reranking.Reranker
    ) -> Answer:
        from vaultmem.retrieval import graded_answer, search  # noqa: PLC0415  # most name nobody

        many = replace(question, k=max(question.k, graded_answer.READ))
        answer = search.search(store.index, many, store.exists, dense, store.turns())

        def text(hit: Hit) -> str:
            said = next(iter(store.index.named(hit.path)), None)
            return graded_answer.shown(said, hit) if said else hit.snippet

        return graded_answer.graded(answer, question.query, text, by, question.k)

    def context(self, wanted: Wanted, as_of: str = "") -> Context:
        """Pack what the prompt of an agent should hold, and count what stands there."""
        from vaultmem.retrieval import context  # noqa: PLC0415  # likewise

        is_asked = bool(wanted.query.strip())
        with self._at(as_of) as store, self._dense(store, _PATIENCE, wanted=is_asked) as dense:
            named = replace(wanted, agent=store.require_agent(wanted.agent))
            outside, reason = self._told(named) if is_asked and not as_of else ([], "")
            made = context.assemble(store, named, dense, outside)
            reasons = filter(None, (made.degraded_reason, reason))
            made = replace(made, degraded_reason="; ".join(reasons) or None)
            if not as_of:
                # What stands in every context was not of use to this question above others.
                found = (item.path for item in made.items if item.section in context.LOOKED_UP)
                self._count(store.index.refs(found), wanted.query)
            return made

    def _told(self, wanted: Wanted) -> tuple[list[Record], str]:
        """Return what the caller's own retriever finds for a context, best first."""
        if self._external is None:
            return [], ""
        from vaultmem.retrieval.search import Scope  # noqa: PLC0415  # likewise

        scope = Scope(agent=wanted.agent, shared=True)
        found, reason = self._outside(self._external, wanted.query, _MOST_OUTSIDE, scope)
        best = sorted(found, key=lambda it: -it.relevance)
        return [it.record for it in best], reason

    def relevant_summaries(self, query: str, agent: str) -> tuple[Record, ...]:
        """Return the summaries that fit *query* best, none that stands in every context."""
        from vaultmem.retrieval import context  # noqa: PLC0415  # likewise

        is_asked = bool(query.strip())
        with self._at("") as store, self._dense(store, _PATIENCE, wanted=is_asked) as dense:
            wanted = context.Wanted(store.require_agent(agent), query, context.SMALLEST)
            return context.relevant_summaries(store, wanted, dense)

    def _ask_daemon(self, question: Question) -> Answer | None:
        """Ask the daemon, unless this process has the vectors loaded, or a reranker of its own."""
        if (
            "vectors" in self.__dict__
            or not self.space
            or self._reranker is not None
            or not daemon_lock.present(self._store.root.path)
        ):
            return None
        from vaultmem.retrieval import daemon_client  # noqa: PLC0415  # most have nobody to ask

        return daemon_client.recall(self._store.root.path, question, self.space)

    def _count(self, refs: Iterable[str], question: str) -> None:
        usage.add(self._store.root.path, refs, iso(self._store.clock()), question)

    @contextmanager
    def _at(self, as_of: str) -> Iterator[Store]:
        if not as_of:
            self._store.sync_soon()
            yield self._store
            return
        from vaultmem.storage import snapshots  # noqa: PLC0415  # hardly anybody asks for it

        self._store.writer.commit_pending()  # what waits for its commit is of today, too
        with snapshots.at(self._store, as_of) as then:
            yield then

    @contextmanager
    def _dense(self, store: Store, patience: float, *, wanted: bool) -> Iterator[Vectors | None]:
        """Yield the vectors of *store*, as caught up as a moment allows."""
        if not wanted or self.vectors is None:
            yield None
        elif store is self._store:
            # Whoever is away, and a disk that takes no vector, say so when the question is asked.
            with suppress(ModelAway, IndexFailed):
                self.vectors.catch_up(patience, feed_from=_A_STORE_LAGS)
            yield self.vectors
        else:  # what is gone by now has its vector still, unless it was pruned
            with closing(self._vectors(store.index, None)) as then:
                yield then

    def embed(self, seconds: float | None, progress: Progress | None = None) -> Caught | None:
        """Embed what has no vector, for so many *seconds*; None where nobody embeds."""
        return self.vectors.catch_up(seconds, progress) if self.vectors else None

    def state(self) -> State | None:
        """Return how the vectors are; None where nobody embeds."""
        return self.vectors.state() if self.vectors else None


def _placed(hit: Hit) -> Hit:
    """Return *hit*, of a turn by its transcript and its line there: a turn has no file or id."""
    turn = turn_names.parse(hit.path) if hit.type == turn_names.TYPE else None
    if turn is None:
        return hit
    return replace(hit, id="", path=turn.path, lines=(turn.number, turn.number))
