"""Put what tools answered in short: errors, totals and numbers, the first lines and the last."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from vaultmem.documents.bodies import ToolResult
from vaultmem.nlp.extraction.talk import similarity
from vaultmem.storage.transcripts import Turn

_MOST = 300
_GAP = "\u2026"
_ESCAPES = r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]"
_ERROR = (
    r"(?i)\b(?:error|errors|exception|failed|failure|fatal|panic|traceback|denied|refused"
    r"|timed? ?out|not found|cannot|segfault|warning|assert\w*|\w+(?:Error|Exception))\b"
    "|\u9519\u8bef|\u5931\u8d25|\u5f02\u5e38|\u8d85\u65f6"
)
_TOTAL = (
    r"(?i)\b(?:total|passed|failed|summary|count|sum|average|mean|elapsed|took|rows?|done"
    r"|finished|success\w*)\b"
    "|\u5171|\u603b|\u5b8c\u6210"
)
_ACKNOWLEDGED = (
    r"(?i)\W*(?:ok|okay|done|success(?:ful(?:ly)?)?|true|null|none|ack|acknowledged|no output"
    r"|thanks|completed|(?:the )?(?:file|command) (?:has been |was )?(?:updated|written|saved"
    r"|executed|completed)(?: successfully)?|(?:operation|command) succeeded|\u597d\u7684?"
    r"|\u5b8c\u6210|\u6210\u529f)?\W*"
)


def shorten(result: str, most: int) -> str:
    """Return at most *most* characters of what a tool answered, a mark where lines are left out.

    Kept are lines that tell of errors, then the last and the first, totals, numbers; in order.
    """
    clean = re.sub(_ESCAPES, "", result.replace("\r\n", "\n")).strip()
    if len(clean) <= most:
        return clean
    lines = [line.rstrip() for line in clean.splitlines() if line.strip()]
    return (
        _joined(lines, _chosen(lines, most), most) if len(lines) > 1 else _middle_out(clean, most)
    )


def _chosen(lines: Sequence[str], most: int) -> list[int]:
    """Return the lines that fit into *most* characters, the telling ones before the others."""
    room, chosen = most, []
    width = max(8, most // 2)
    for i in sorted(range(len(lines)), key=lambda i: (_rank(lines, i), i)):
        cost = min(len(lines[i]), width) + len(_GAP) + 2
        if cost <= room:
            chosen.append(i)
            room -= cost
    return sorted(chosen)


def _rank(lines: Sequence[str], i: int) -> int:
    if re.search(_ERROR, lines[i]):
        return 0 if lines[i] not in lines[:i] else 5
    if i in {0, len(lines) - 1}:
        return 1
    if re.search(_TOTAL, lines[i]):
        return 2
    return 3 if any(letter.isdigit() for letter in lines[i]) else 4


def _joined(lines: Sequence[str], chosen: Sequence[int], most: int) -> str:
    """Put the *chosen* lines in order, a mark on each gap between them."""
    if not chosen:
        return _middle_out(" ".join(lines), most)
    width, before, parts = max(8, most // 2), -1, []
    for i in chosen:
        parts += [_GAP] if i > before + 1 else []
        parts.append(_middle_out(lines[i], width))
        before = i
    parts += [_GAP] if before < len(lines) - 1 else []
    return _middle_out("\n".join(parts), most)


def _middle_out(text: str, most: int) -> str:
    """Return *text*, or its beginning and its end, in at most *most* characters."""
    if len(text) <= most:
        return text
    if most <= len(_GAP):
        return _GAP[:most]
    tail = (most - len(_GAP)) // 3
    head = most - len(_GAP) - tail
    return text[:head].rstrip() + _GAP + (text[-tail:].lstrip() if tail else "")


def tool_results(turns: Iterable[Turn]) -> tuple[ToolResult, ...]:
    """Return what tools answered, in order, each once; what was said of it is none of that."""
    return distinct(filter(None, map(_result, turns)))


def _result(turn: Turn) -> ToolResult | None:
    if turn.role != "tool" or re.fullmatch(_ACKNOWLEDGED, turn.content[:100]):
        return None
    short = " / ".join(line.strip() for line in shorten(turn.content, _MOST).splitlines())
    return ToolResult(turn.tool or "tool", " ".join(short.split())) if short else None


def distinct(results: Iterable[ToolResult]) -> tuple[ToolResult, ...]:
    """Return *results* without repetitions, whichever tool repeats itself."""
    seen: dict[str, ToolResult] = {}
    for result in results:
        seen.setdefault(similarity.plain(result.result) or result.result, result)
    return tuple(seen.values())
