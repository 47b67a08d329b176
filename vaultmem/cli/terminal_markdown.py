"""Markdown as a terminal shows it: rich's, but nothing is cut out of a table, nor tags left out."""

from __future__ import annotations

from typing import ClassVar

from markdown_it import MarkdownIt
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown, MarkdownElement, TableElement
from rich.table import Table


class _WholeTable(TableElement):
    """A table whose long words are broken; rich ends them with an ellipsis."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part in super().__rich_console__(console, options):
            if isinstance(part, Table):
                for column in part.columns:
                    column.overflow = "fold"
            yield part


class TerminalMarkdown(Markdown):
    """Markdown with tables that say all that they have, and `<tags>` as they are written."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "table_open": _WholeTable,
    }

    def __init__(self, markup: str) -> None:
        """Show *markup*."""
        super().__init__(markup)
        reader = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
        self.parsed = reader.parse(markup)
