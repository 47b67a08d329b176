"""Markdown as a terminal shows it: rich's, but nothing is cut out of a table, nor tags left out.

It may begin amid a text: what stands in a table or in code there keeps the lines that open it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown, MarkdownElement, Paragraph, TableElement
from rich.table import Table

from vaultmem.cli import tables

_UNBOUND = 1_000_000


class _WholeTable(TableElement):
    """A table, or its rows one by one where it has not the room for each word.

    Rich breaks words into letters, or ends them with an ellipsis.
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part in super().__rich_console__(console, options):
            if isinstance(part, Table) and part.row_count and not _has_room(part, console, options):
                columns = [[str(it.header), *map(str, it.cells)] for it in part.columns]
                names, *rows = zip(*columns, strict=True)
                yield from tables.by_row(names, rows, options.max_width)
            else:
                yield part


def _has_room(table: Table, console: Console, options: ConsoleOptions) -> bool:
    unbound = options.update(width=_UNBOUND)
    return console.measure(table, options=unbound).minimum <= options.max_width


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

    def __init__(self, markup: str, start: int = 0) -> None:
        """Show *markup* from the line *start* on."""
        super().__init__(markup)
        reader = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
        ends = ["paragraph", "reference", "blockquote", "list"]
        reader.block.ruler.before("paragraph", "comment", _comment, {"alt": ends})
        self.parsed = reader.parse(markup)
        if start:
            lines = markup.split("\n")
            below = [*_opening(self.parsed, lines, start), *lines[start:]]
            self.parsed = reader.parse("\n".join(below))


def _opening(blocks: Iterable[Token], lines: Sequence[str], start: int) -> Sequence[str]:
    """Return the lines that open what goes on at the line *start*, none where something begins."""
    for block in blocks:
        first, stop = block.map or (0, 0)
        if first < start < stop and block.type in _OPENED_BY:
            return lines[first : min(first + _OPENED_BY[block.type], start)]
    return ()


_OPENED_BY = {"table_open": 2, "fence": 1}
"""Of blocks that are something else without their first lines, how many these are."""
