"""What a model wants to read before a text, so that it knows a question from a document.

A model that was trained with such words finds worse without them. They are as the model cards of
their makers have them; whoever is not listed wants none (all-minilm, bge-m3, granite, paraphrase).
"""

from __future__ import annotations

from dataclasses import dataclass

_PASSAGES = "Represent this sentence for searching relevant passages: "


@dataclass(frozen=True, slots=True)
class Task:
    """The words before a *query* and before a *document*."""

    query: str = ""
    document: str = ""


_TASKS = {
    "nomic-embed-text": Task("search_query: ", "search_document: "),
    "embeddinggemma": Task("task: search result | query: ", "title: none | text: "),
    "qwen3-embedding": Task(
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\n"
        "Query:"
    ),
    "mxbai-embed-large": Task(_PASSAGES),
    "snowflake-arctic-embed2": Task("query: "),
    "snowflake-arctic-embed": Task(_PASSAGES),
    "bge-large": Task(_PASSAGES),
    "e5-": Task("query: ", "passage: "),
}
"""By what a model's name contains; the longer name first where one begins like another."""


def of(model: str) -> Task:
    """Return the words for *model*, whoever publishes it and whatever its tag."""
    name = model.lower().rpartition("/")[2]
    return next((task for part, task in _TASKS.items() if part in name), Task())
