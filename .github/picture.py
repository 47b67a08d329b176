"""Draw `.github/vaultmem.svg`, the picture of README: a vault, who writes it and who reads it.

python .github/picture.py
"""

from __future__ import annotations

from pathlib import Path

_SIZE = (880, 330)
_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"
  font-family="ui-sans-serif, system-ui, sans-serif"
  aria-label="People and agents read and write one folder of Markdown files in git">
<style>
  .name {{ font-size: 15px; font-weight: 600; fill: #111827 }}
  .file {{ font-size: 13px; font-weight: 500; fill: #111827 }}
  .note {{ font-size: 11px; fill: #6b7280 }}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
  orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="#374151"/></marker></defs>
<rect width="{width}" height="{height}" fill="#ffffff"/>"""
_FILES = (
    ("MEMORY.md", "pointers to everything"),
    ("agents/ada/memories/", "what was said, a file each"),
    ("agents/ada/summaries/", "what it comes to"),
    ("agents/ada/sessions/, episodes/", "conversations"),
    ("cards/", "who and what, with sources"),
    ("topics/, tasks/, skills/", "what lasts, what is to be done"),
    ("inbox/", "what waits for you"),
)
_LEFT = ("people", "Obsidian, any editor, git")
_RIGHT = ("agents", "files, CLI, MCP, Python,\nClaude Code, memory tool")
_BELOW = ("daemon", "compacts, folds, commits; dreams, and asks first")


def _text(at: tuple[int, int], text: str, look: str, leading: int = 15) -> str:
    x, y = at
    lines = "".join(
        f'<tspan x="{x}" dy="{leading if n else 0}">{line}</tspan>'
        for n, line in enumerate(text.split("\n"))
    )
    return f'<text x="{x}" y="{y}" class="{look}">{lines}</text>'


def _box(at: tuple[int, int], size: tuple[int, int], fill: str) -> str:
    (x, y), (width, height) = at, size
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="10" '
        f'fill="{fill}" stroke="#9ca3af"/>'
    )


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    (a, b), (c, d) = start, end
    return (
        f'<line x1="{a}" y1="{b}" x2="{c}" y2="{d}" stroke="#374151" stroke-width="1.5" '
        'marker-start="url(#head)" marker-end="url(#head)"/>'
    )


def picture() -> str:
    """Return the drawing as SVG."""
    width, height = _SIZE
    parts = [
        _HEAD.format(width=width, height=height),
        _box((250, 20), (380, 230), "#f9fafb"),
        _text((268, 46), "a vault: Markdown files in git", "name"),
    ]
    for n, (name, what) in enumerate(_FILES):
        y = 76 + 25 * n
        parts += [_text((268, y), name, "file"), _text((478, y), what, "note")]
    for x, (name, what) in ((20, _LEFT), (690, _RIGHT)):
        parts += [_box((x, 90), (170, 90), "#eef2ff"), _text((x + 16, 118), name, "name")]
        parts.append(_text((x + 16, 140), what, "note"))
    parts += [_box((250, 276), (380, 42), "#ecfdf5"), _text((268, 302), _BELOW[0], "name")]
    parts.append(_text((340, 302), _BELOW[1], "note"))
    parts += [_arrow((190, 135), (250, 135)), _arrow((630, 135), (690, 135))]
    parts += [_arrow((440, 250), (440, 276)), "</svg>\n"]
    return "\n".join(parts)


if __name__ == "__main__":
    Path(__file__).with_name("vaultmem.svg").write_text(picture(), encoding="utf-8")
