"""The parts of its own that a caller may open a vault with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypedDict

from vaultmem.errors import BadInput

if TYPE_CHECKING:
    from vaultmem.models.embeddings import TextEmbedder
    from vaultmem.models.reranking import Reranker
    from vaultmem.nlp.tasks import Summarizer
    from vaultmem.retrieval.external import ExternalRetriever
    from vaultmem.retrieval.vectors.given_store import VectorStore

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class Own(TypedDict, total=False):
    """Who embeds texts and grades hits, what is searched beside, what finds the nearest vectors."""

    embedder: TextEmbedder | None
    reranker: Reranker | None
    retriever: ExternalRetriever | None
    vector_store: VectorStore | None


def check_summarizer(summarizer: Summarizer) -> None:
    """Raise BadInput for a summarizer that has not what its protocol asks for."""
    from vaultmem.nlp.tasks import Summarizer

    has = "name, summarize, episode, topics, compact, claims, suggest, reflect"
    _refuse_other("summarizer", summarizer, Summarizer, has)
    if not isinstance(summarizer.name, str) or not summarizer.name.isprintable():
        raise BadInput("summarizer.name takes a name, as acme-writer-3")


def check(own: Own) -> None:
    """Raise BadInput for a part that has not what its protocol asks for."""
    if (embedder := own.get("embedder")) is not None:
        from vaultmem.models.embeddings import TextEmbedder

        _refuse_other("embedder", embedder, TextEmbedder, "space, documents, query")
        if not isinstance(embedder.space, str) or not embedder.space.isprintable():
            raise BadInput("embedder.space takes a name, as acme-embed-3")
    if (reranker := own.get("reranker")) is not None:
        from vaultmem.models.reranking import Reranker

        _refuse_other("reranker", reranker, Reranker, "name, grades")
        if not isinstance(reranker.name, str) or not reranker.name.isprintable():
            raise BadInput("reranker.name takes a name, as acme-cross-3")
    if (retriever := own.get("retriever")) is not None:
        from vaultmem.retrieval.external import ExternalRetriever

        _refuse_other("retriever", retriever, ExternalRetriever, "name, retrieve")
        if not isinstance(retriever.name, str) or not _NAME.fullmatch(retriever.name):
            raise BadInput(
                "retriever.name takes lower-case letters, digits and hyphens, as team-wiki"
            )
    if (store := own.get("vector_store")) is not None:
        from vaultmem.retrieval.vectors.given_store import VectorStore

        _refuse_other("vector_store", store, VectorStore, "keys, update, nearest")


def _refuse_other(name: str, part: object, protocol: type, has: str) -> None:
    if not isinstance(part, protocol):
        raise BadInput(f"{name} takes an object with {has}, and {type(part).__name__} lacks some")
