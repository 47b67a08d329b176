"""Markdown as a terminal shows it: rich's, but nothing is cut out of a table, nor tags left out."""

from __future__ import annotations

from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown, MarkdownElement, Paragraph, TableElement
from rich.table import Table


class _WholeTable(TableElement):
    """A table whose long words are broken; rich ends them with an ellipsis."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part in super().__rich_console__(console, options):
            if isinstance(part, Table):
                for column in part.columns:
                    column.overflow = "fold"
            yield part


class _Comment(Paragraph):
    """A comment on a line of its own."""

    style_name = "bright_black"


def _comment(state: StateBlock, start: int, _end: int, silent: bool) -> bool:  # noqa: FBT001  # the parser's
    """Take a line that is a comment and nothing else for a block of its own."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].rstrip()
    if not (line.startswith("<!--") and line.endswith("-->")) or state.is_code_block(start):
        return False
    if not silent:
        state.line = start + 1
        state.push("comment_open", "p", 1)
        said = state.push("inline", "", 0)
        said.content, said.children = line, []
        state.push("comment_close", "p", -1)
    return True


class TerminalMarkdown(Markdown):
    """Markdown with tables that say all that they have, and `<tags>` as they are written."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "table_open": _WholeTable,
        "comment_open": _Comment,
    }

    def __init__(self, markup: str) -> None:
        """Show *markup*."""
        super().__init__(markup)
        reader = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
        ends = ["paragraph", "reference", "blockquote", "list"]
        reader.block.ruler.before("paragraph", "comment", _comment, {"alt": ends})
        self.parsed = reader.parse(markup)
