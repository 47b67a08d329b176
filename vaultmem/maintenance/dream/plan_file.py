"""Keep a plan as JSON beside its review note, and read it back as it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, get_args

from vaultmem.errors import BadInput
from vaultmem.maintenance.dream.types import (
    Dream,
    Edit,
    Gate,
    Kept,
    Lines,
    Make,
    Op,
    Proposal,
    Remove,
)

_KINDS: Mapping[str, Callable[..., Edit]] = {"lines": Lines, "make": Make, "remove": Remove}
_OPS = frozenset(get_args(Op))


def dumps(dream: Dream) -> str:
    """Return *dream* as JSON."""
    raw = asdict(dream)
    for each, proposal in zip(raw["proposals"], dream.proposals, strict=True):
        each["edits"] = [{"kind": type(e).__name__.lower(), **asdict(e)} for e in proposal.edits]
    return json.dumps(raw)


def loads(text: str) -> Dream:
    """Read what `dumps` wrote; raises BadInput for anything else."""
    try:
        return _dream(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as e:
        raise BadInput(f"no plan of a dream: {e}; `vaultmem dream plan` makes a new one") from e


def _dream(raw: Mapping[str, Any]) -> Dream:
    gate = Gate(**raw["gate"])
    proposals = tuple(_proposal(p) for p in raw["proposals"])
    return Dream(
        str(raw["id"]), str(raw["made"]), proposals, tuple(raw["losses"]), gate, tuple(raw["left"])
    )


def _proposal(raw: Mapping[str, Any]) -> Proposal:
    if raw["op"] not in _OPS:
        raise ValueError(f"{raw['op']!r} is nothing that a dream does")
    edits = tuple(_edit(e) for e in raw["edits"])
    kept = tuple(Kept(**k) for k in raw["kept"])
    lists = {name: tuple(raw[name]) for name in ("sources", "losses")}
    return Proposal(**{**raw, **lists, "edits": edits, "kept": kept})


def _edit(raw: Mapping[str, Any]) -> Edit:
    fields = {k: tuple(v) if isinstance(v, list) else v for k, v in raw.items() if k != "kind"}
    return _KINDS[raw["kind"]](**fields)
