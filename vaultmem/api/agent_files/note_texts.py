"""What a note says, or a section of it, outside of code: by which a new text is told already."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.api.agent_files import edits
from vaultmem.documents.bodies import bullets
from vaultmem.documents.markdown import blocks, outline


def span(path: str, body: str, section: str) -> tuple[int, int]:
    """Return the first line, and the one behind the last, of the *section*, or of all."""
    return edits.span(path, body, section) if section else (0, len(outline.split(body)))


def without_code(body: str) -> list[str]:
    """Return the lines of *body*, with nothing on those of code."""
    raw = outline.split(body)
    for line in (line for section in outline.sections(body) for line in section.lines):
        if line.kind == "idle":
            raw[line.at] = "\n"
    return raw


def of(lines: Sequence[str]) -> list[str]:
    """Return what *lines* say: paragraphs, bullets, and each line."""
    return [plain(block) for block in (*blocks.of("".join(lines)), *lines)]


def plain(block: str) -> str:
    """Return what *block* says, without the mark of a bullet and the links it comes from."""
    lead = outline.lead(block)
    return bullets.plain_text(bullets.unsourced(block[len(lead) :])[0])
