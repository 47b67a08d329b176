"""Session compacts as the JSON that programs exchange."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable
from dataclasses import asdict

from vaultmem.documents.bodies import SessionCompact, ToolResult

_COUNTED = re.compile(r"(.*) \d+", re.DOTALL)


def compact_json(compact: SessionCompact) -> dict[str, object]:
    """Return *compact* as JSON."""
    return {
        "task": compact.task,
        "current_state": compact.current_state,
        "key_decisions": [asdict(it) for it in compact.key_decisions],
        "eliminated_approaches": [
            {"approach": it.approach, "reason_ruled_out": it.why}
            for it in compact.eliminated_approaches
        ],
        "open_questions": list(compact.open_questions),
        "next_steps": list(compact.next_steps),
        "relevant_tool_results": by_name(compact.relevant_tool_results),
        "compacted_at_turn": compact.compacted_at_turn,
    }


def by_name(results: Iterable[ToolResult]) -> dict[str, str]:
    """Return *results* by name, a second `query` as `query 2`."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    for it in results:
        keys = itertools.chain([it.name], (f"{it.name} {n}" for n in itertools.count(2)))
        found[next(k for k in keys if k not in found and _name(k, seen) == it.name)] = it.result
        seen.add(it.name)
    return found


def _name(key: str, seen: Collection[str]) -> str:
    """Return the name that *key* stands for behind keys of the names *seen*.

    A number at its end counts when what stands before it was there already, itself counted or not.
    """
    base = key
    while found := _COUNTED.fullmatch(base):
        base = found[1]
        if base in seen:
            return key.rpartition(" ")[0]
    return key
