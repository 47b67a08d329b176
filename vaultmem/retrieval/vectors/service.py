"""The vectors of one vault as the rest of the program sees them: ask, catch up, state."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaultmem.models.embeddings.types import Embedder, TokenEmbedder, Tokens, Vector
from vaultmem.retrieval import public_query
from vaultmem.retrieval.vectors import chroma_ledger
from vaultmem.retrieval.vectors.backfill import CatchUp
from vaultmem.retrieval.vectors.chroma_ledger import FOLDER, Ledger, Noted
from vaultmem.retrieval.vectors.chroma_url import Url
from vaultmem.retrieval.vectors.coverage import Coverage, Covered
from vaultmem.retrieval.vectors.database import FILE, Database
from vaultmem.retrieval.vectors.embedding_cache import Blobs, Space
from vaultmem.retrieval.vectors.types import Caught, Engine, State, StoreAway
from vaultmem.storage.index import Index, passage_queries
from vaultmem.storage.index.passage_queries import Pair
from vaultmem.storage.progress import Progress
from vaultmem.storage.store import refuse_links

if TYPE_CHECKING:
    from vaultmem.retrieval.vectors.chroma_engine import Chroma
    from vaultmem.retrieval.vectors.coded_engine import Coded
    from vaultmem.retrieval.vectors.exact_engine import Exact, Question, Similarities
    from vaultmem.retrieval.vectors.given_store import GivenStore, VectorStore
    from vaultmem.retrieval.vectors.passage_hits import Near

T = TypeVar("T")

EXACT_UP_TO = 50_000
"""Passages up to which all are compared. Of 100 000 with 384 dimensions that takes 28 ms of a
processor and 363 MB; the nearest by codes take 22 ms and 83 MB, of 20 000 it is 10 and 19 ms."""

CODED_UP_TO = 1_000_000
"""Passages up to which codes find the nearest: each 100 000 take 4 ms more. Chroma takes as long
at any size, but 382 MB at 100 000, and twice as long for the first answer."""

_STORE = ".vaultmem/chroma"
_EDITION_HOLDS = 60.0
_QUESTIONS = 16


class Vectors:
    """A vector for every passage of *index*, in the space of one embedder; one thread at a time."""

    def __init__(  # noqa: PLR0913  # what an embedder and a store each need, by name
        self,
        folder: Path,
        index: Index,
        embedder: Embedder,
        *,
        chroma_url: str = "",
        chroma_headers: Mapping[str, str] | None = None,
        exact_up_to: int = EXACT_UP_TO,
        coded_up_to: int = CODED_UP_TO,
        store: VectorStore | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open those of the vault at *folder*; nothing is embedded yet.

        A *store* of the caller's own takes the place of Chroma, however few passages there are.
        Raises Busy, BadInput for a bad *chroma_url*, CannotOpen when they would lie elsewhere.
        """
        for ours in (FILE, _STORE):
            refuse_links(folder, ours)
        self.index = index
        self._folder, self._embedder, self._clock = folder, embedder, clock
        self._url = Url(chroma_url) if chroma_url else None
        self._store = store
        self._headers, self._exact_up_to = chroma_headers or {}, exact_up_to
        self._coded_up_to = coded_up_to
        self._database = Database(folder / FILE)
        self._blobs = Blobs(self._database)
        self._coverage = Coverage(index, self._blobs)
        self._edition, self._edition_until = "", -math.inf
        self._questions: dict[tuple[int, str], _Embedded] = {}
        self._trouble = ""
        self._refused = 0
        self._settled: object = None

    def close(self) -> None:
        """Give back what is held open."""
        if "_chroma" in self.__dict__:
            self._chroma.close()
        self._database.close()

    def ask(self, query: str) -> Near:
        """Embed what is told of *query*; raises ModelAway when there is nobody to do it."""
        from vaultmem.retrieval.vectors.late_interaction import Interaction  # noqa: PLC0415  # numpy, when needed
        from vaultmem.retrieval.vectors.passage_hits import Near  # noqa: PLC0415  # likewise

        query = public_query.told(query, self._embedder.name)
        space = self._space()
        vector, tokens = self._question(space, query)
        covered = self._coverage.of(space)
        sight, trouble = self._sight(space, vector, covered)
        late = Interaction(self._blobs, space, query, tokens) if tokens else None
        reasons = (trouble, self._unlike(space, len(vector)), self._lack(covered))
        return Near(self.index, sight, late, "; ".join(filter(None, reasons)))

    def catch_up(
        self, seconds: float | None = None, progress: Progress | None = None, *, feed_from: int = 1
    ) -> Caught:
        """Embed what has no vector yet, newest first, for about so many *seconds*; feed Chroma.

        A few are in any case, and whatever is stays. The store is fed when it is absent or at
        least *feed_from* of its entries are new or gone: a short command waits for 256. Raises
        ModelAway, Busy, IndexFailed; a store that does not answer is told by `state`.
        """
        until = math.inf if seconds is None else self._clock() + seconds
        space = self._space()
        caught = Caught()
        if self._coverage.of(space).left:
            catching = CatchUp(self.index, self._blobs, space, self._embedder, self._clock)
            caught = catching.run(until, progress)
        self._refused = caught.refused
        # A catalog of the past does not say what lives; a disk that takes no file takes no store.
        is_todays = self.index.path.parent == self._database.path.parent
        if not (is_todays and self._database.lasts):
            return caught
        return replace(caught, fed=self._sync_store(space, until, feed_from))

    def state(self) -> State:
        """Say how things are, without asking the embedder or a server."""
        self._database.fresh()
        space = self._blobs.known(self._embedder.space)
        covered = self._coverage.counted(space)
        noted = self._ledger(space).noted() if space else Noted()
        return State(
            passages=covered.passages,
            embedded=covered.embedded,
            dimensions=self._blobs.dimensions(space) if space else 0,
            engine=self._engine(covered),
            url=self._url.shown if self._url else "",
            fed=self._ledger(space).count(noted.identity) if space else 0,
            reason=noted.due or self._trouble or self._lack(covered),
        )

    def _space(self) -> Space:
        """Return the space as the weights that answer now fill it; raises ModelAway."""
        self._database.fresh()
        if self._clock() >= self._edition_until:
            self._edition = self._embedder.edition()
            self._edition_until = self._clock() + _EDITION_HOLDS
        return self._blobs.space(self._embedder.space, self._edition)

    def _question(self, space: Space, query: str) -> _Embedded:
        """Return the vectors of *query*; the last few are kept: one question is asked often."""
        key = (space.id, query)
        known = self._questions.pop(key, None)
        self._questions[key] = known or _embedded(self._embedder, query)
        for old in list(self._questions)[:-_QUESTIONS]:
            del self._questions[old]
        return self._questions[key]

    def _engine(self, covered: Covered) -> Engine:
        if self._store is not None:
            return "given"
        if self._url:
            return "server"
        if covered.passages <= self._exact_up_to:
            return "exact"
        return "coded" if covered.passages <= self._coded_up_to else "chroma"

    def _sight(self, space: Space, vector: Vector, covered: Covered) -> tuple[Similarities, str]:
        """Return what sees the nearest, and why it is not what should, "" when it is."""
        from vaultmem.retrieval.vectors.exact_engine import Question  # noqa: PLC0415  # numpy, once it is needed

        def everything() -> Similarities:
            return self._everything(space, vector)

        question, engine = Question(space, vector, everything), self._engine(covered)
        if engine == "exact":
            return everything(), ""
        if engine == "coded":
            return self._coded.ask(question), ""
        proposed = self._proposed(question)
        return proposed or everything(), self._trouble

    def _everything(self, space: Space, vector: Vector) -> Similarities:
        """Compare *vector* with all of the space."""
        mark = self._blobs.mark(space)
        return self._exact.ask(
            vector, mark[:3], mark.newest, lambda last: self._blobs.since(space, last, len(vector))
        )

    def _proposed(self, question: Question) -> Similarities | None:
        """Return what the store sees, None when it does not: `_trouble` says why, if it should."""
        if self._store is not None:
            return self._by_given(lambda given: given.ask(
                self.index, question, self._coverage.state(question.space)
            ))  # fmt: skip
        if not self._ledger(question.space).noted().identity:
            return None  # nothing was fed yet: no need to load Chroma
        self._trouble = ""
        try:
            return self._chroma.ask(question)
        except StoreAway as e:
            self._trouble = str(e)
            return None

    def _by_given(self, work: Callable[[GivenStore], T]) -> T | None:
        """Do *work* with the caller's own store; None, and `_trouble`, where it fails."""
        self._trouble = ""
        try:
            return work(self._given)
        except StoreAway as e:
            self._trouble = str(e)
            return None

    def _lack(self, covered: Covered) -> str:
        """Say what has no vector, and whether that is the model's doing; "" when all have one."""
        if not covered.left:
            return ""
        lack = f"{_number(covered.left)} of {_number(covered.passages)} passages have no vector"
        if self._refused:
            gives = f"the model gives no vector for {_number(self._refused)} texts"
            return f"{lack}: {gives}, which are found by their words alone"
        by_words = "they are found by their words alone"
        return f"{lack} yet: {by_words}; `vaultmem sync` or the daemon embeds them"

    def _unlike(self, space: Space, asked: int) -> str:
        """Say that a question of *asked* dimensions is unlike the newest text, "" if not."""
        texts = self._blobs.dimensions(space)
        if texts in {0, asked}:
            return ""
        lengths = f"a question has {asked} dimensions, the newest text {texts}"
        return f"{self._embedder.space}: {lengths}: vectors of another length are not compared"

    def _sync_store(self, space: Space, until: float, feed_from: int) -> int:
        """Drop vectors without a text, feed the store; nothing when nothing has changed since."""
        state = (self._coverage.state(space), self._ledger(space).noted(), self._stands())
        if state == self._settled:
            return 0
        began = self._clock()
        self._blobs.prune(space, frozenset(passage_queries.shas(self.index)))
        if self._store is not None:
            now = self._coverage.state(space)
            return self._by_given(lambda given: given.feed(self.index, space, now)) or 0
        living = self._waiting(space, feed_from)
        if not living:
            self._settled = state if living is not None else None
            return 0
        # What it takes to see what is lacking grows with the vault: feed as long, at least.
        until = max(until, 2 * self._clock() - began)
        try:
            return self._chroma.feed(self.index, space, living, lambda: self._clock() >= until)
        except StoreAway as e:
            self._trouble = str(e)
            return 0

    def _waiting(self, space: Space, feed_from: int) -> Mapping[str, Pair] | None:
        """Return what the store should hold; empty when it does, None when it can wait."""
        ledger, embedded = self._ledger(space), self._coverage.of(space).embedded
        noted = ledger.noted()
        is_due = not noted.identity or bool(noted.due) or not self._stands()
        few = abs(embedded - ledger.count(noted.identity)) < feed_from
        if feed_from > 1 and few and not is_due:  # counting is cheap, comparing 100 000 keys is not
            return None
        there = frozenset(self._blobs.shas(space))
        living = {key: of for key, of in chroma_ledger.keys(self.index).items() if of[1] in there}
        apart = len(living.keys() ^ ledger.entries(noted.identity).keys())
        if apart == 0 and not noted.due and self._stands():
            return {}
        return living if is_due or apart >= feed_from else None

    def _stands(self) -> bool:
        """Tell whether the store is there; a server's is believed to be."""
        return bool(self._url) or (self._folder / _STORE / "chroma.sqlite3").exists()

    def _ledger(self, space: Space) -> Ledger:
        return Ledger(self._database, self._url.bare if self._url else FOLDER, space)

    @cached_property
    def _exact(self) -> Exact:
        from vaultmem.retrieval.vectors.exact_engine import Exact  # noqa: PLC0415  # numpy, once it is needed

        return Exact()

    @cached_property
    def _coded(self) -> Coded:
        from vaultmem.retrieval.vectors.coded_engine import Coded  # noqa: PLC0415  # likewise

        return Coded(self._blobs)

    @cached_property
    def _given(self) -> GivenStore:
        from vaultmem.retrieval.vectors.given_store import GivenStore  # noqa: PLC0415  # numpy, once it is needed

        assert self._store is not None  # noqa: S101  # the callers have looked
        return GivenStore(self._store, self._blobs)

    @cached_property
    def _chroma(self) -> Chroma:
        from vaultmem.retrieval.vectors import chroma_engine  # noqa: PLC0415  # most of a second

        if self._url:
            return chroma_engine.at_server(
                self._blobs, self._folder, self._url, self._headers, self._clock
            )
        return chroma_engine.in_folder(self._blobs, self._folder, self._clock)


class _Embedded(NamedTuple):
    """A question's vector, and its tokens where the embedder shows them."""

    vector: Vector
    tokens: Tokens | None


def _embedded(embedder: Embedder, query: str) -> _Embedded:
    if not isinstance(embedder, TokenEmbedder):
        return _Embedded(embedder.query(query), None)
    (found,) = embedder.encoded([query])
    return _Embedded(found.vector, found.tokens)


def _number(count: int) -> str:
    return f"{count:,}".replace(",", " ")
