"""Questions: what was said, and what a prompt should hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Unpack, get_args

from vaultmem import arguments
from vaultmem.api.vault.options import RecallOptions, scope_of
from vaultmem.api.vault.runtime import Part
from vaultmem.config import VAULT_AGENT
from vaultmem.documents.public_text import quoted
from vaultmem.errors import BadInput
from vaultmem.records import Record
from vaultmem.storage.progress import Progress

if TYPE_CHECKING:
    from frontmatter import Post

    from vaultmem.retrieval.context import Context, Form
    from vaultmem.retrieval.search import Answer, Question, Scope
    from vaultmem.retrieval.vectors import Caught

_TYPES = frozenset({
    "", "memory", "summary", "episode", "topic", "card", "task", "skill", "note", "file", "session",
    "working", "agent", "turn",
})  # fmt: skip
"""What a vault may have; where it has none yet, nothing is found."""
_MOMENT = 0.2
"""Seconds: who answers for others has a step of its own that embeds."""


@arguments.checked
class Queries(Part):
    """Answer questions, and pack contexts."""

    def post(self, path: str) -> Post:
        """Return the file at *path* as python-frontmatter's Post: `.metadata`, `.content`."""
        from vaultmem.documents import frontmatter

        data = self._store.texts.read(path)
        if data is None:
            raise BadInput(f"{path} is not in the vault: `recall` gives the paths of what is")
        return frontmatter.post(frontmatter.read(data))

    def sha256(self, path: str) -> str | None:
        """Return the sha-256 of the file at *path*, None when there is none."""
        from vaultmem.storage.files import sha256

        data = self._store.texts.read(path)
        return None if data is None else sha256(data)

    def recall(
        self,
        query: str,
        k: int = 10,
        scope: Scope | None = None,
        **options: Unpack[RecallOptions],
    ) -> Answer:
        """Return the *k* best hits for *query*, and count them as of use.

        A *scope* says where to look in the place of the options that do. Raises BadInput, for an
        agent that nobody is and a type that nothing has, too.
        """
        from vaultmem.memory.remember import encodable
        from vaultmem.retrieval.search import Mode, Question

        where = scope_of(options) if scope is None else _given(scope, options)
        as_of = arguments.named("as_of", options.get("as_of"))
        if where.agent == VAULT_AGENT:  # one that has no files yet sees what all share
            where = replace(where, agent=self._store.agent())
        elif scope is None and where.agent:
            self._runtime.retriever.check_agent(where.agent, as_of)
        if (mode := options.get("mode", "auto")) not in (known := get_args(Mode)):
            raise BadInput(f"{quoted(mode)} is not a mode of recall: use one of {', '.join(known)}")
        if not all(t.isascii() or encodable(t) for t in (query, where.type, *where.tags)):
            raise BadInput("the question is not UTF-8: write it again")
        question = Question(query, k, where, mode=mode, explain=options.get("explain", False))
        answer = self._runtime.retriever.recall(question, as_of)
        if where.type not in _TYPES and not answer.hits:
            self._check_type(where.type, as_of)
        return answer

    def _check_type(self, kind: str, as_of: str) -> None:
        """Raise BadInput where nothing is of that *kind*, which a person may have made up."""
        known = self._runtime.retriever.types(as_of)
        if kind not in known:
            here = ", ".join(known) or "none yet: remember something first"
            raise BadInput(f"nothing here has the type {quoted(kind)}; there are: {here}")

    def recall_here(self, asked: Question, as_of: str = "") -> Answer:
        """Answer *asked* in this process, and count nothing; raises BadInput."""
        return self._runtime.retriever.here(asked, as_of, patience=_MOMENT)

    def files(self, scope: Scope) -> Iterator[Record]:
        """Return exactly what recall sees in *scope*, as the index has it; raises BadInput.

        They come in order of time, few of them in memory.
        """
        if scope.agent:
            self._store.require_agent(scope.agent)
        return self._store.index.each(scope.filter())

    def text(self, path: str) -> str:
        """Return the text of the file at *path* as the index has it, "" where it has none."""
        return self._store.index.body(path) or ""

    def refresh_index(self) -> int:
        """Bring the index up to date with the files; return how many documents it has.

        Every question does so as far as it needs; this looks at all files.
        """
        self._store.sync()
        return self._store.index.documents()

    @property
    def space(self) -> str:
        """The space that questions are embedded in, "" where nobody embeds."""
        return self._runtime.retriever.space

    def on_indexing(self, progress: Progress) -> None:
        """Tell *progress* from now on how many files of how many are read into the index."""
        self._store.index.progress = progress

    def embed(
        self,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Caught | None:
        """Embed what has no vector yet, for at most so many *seconds*; None where nobody embeds."""
        self._store.sync_soon()
        return self._runtime.retriever.embed(seconds, progress)

    def relevant_summaries(self, query: str, *, agent: str = "") -> tuple[Record, ...]:
        """Return the experiences that fit *query* best, none that stands in every context."""
        return self._runtime.retriever.relevant_summaries(query, agent)

    def context(  # noqa: PLR0913  # all but one are by name
        self,
        query: str = "",
        *,
        agent: str | None = None,
        budget: int = 8000,
        turns: int = 0,
        as_of: str | None = None,
        situation: str = "",
        commands: str = "",
        form: Form = "text",
        task_complexity: float | None = None,
        has_knowledge_need: bool | None = None,
        session: str = "",
    ) -> Context:
        """Return what an agent's prompt should hold of its memory, within *budget* tokens.

        Raises BadInput for an agent that nobody is, and for one, or a date, that is empty.
        """
        from vaultmem.retrieval.context import Stated, Wanted  # only who asks pays for it

        stated = Stated(task_complexity, has_knowledge_need)
        who = arguments.named("agent", agent)
        wanted = Wanted(who, query, budget, turns, situation, commands, form, stated, session)
        return self._runtime.retriever.context(wanted, arguments.named("as_of", as_of))


def _given(scope: Scope, options: RecallOptions) -> Scope:
    """Return the *scope*; raises BadInput where one of the *options* says where to look, too."""
    from vaultmem.retrieval.search import Scope

    if not isinstance(scope, Scope):
        raise BadInput(f"scope takes a Scope, not {type(scope).__name__}: Scope(agent='ada')")
    said = {key for key, it in options.items() if it is not None}
    if both := sorted(said & {f.name for f in fields(Scope)}):
        raise BadInput(f"recall takes a scope or {both[0]}, not both: put {both[0]} into the scope")
    return scope
