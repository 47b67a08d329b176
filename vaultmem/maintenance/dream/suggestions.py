"""What a model suggests about facts, kept as long as they stand, so that nobody pays twice."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from vaultmem.maintenance.dream import kept_answers
from vaultmem.maintenance.dream.detectors import model_suggestions
from vaultmem.maintenance.dream.detectors.model_suggestions import Suggested
from vaultmem.maintenance.dream.types import Fact, Seen
from vaultmem.nlp.summarization.guarded import Guarded
from vaultmem.nlp.tasks import DreamTask
from vaultmem.storage.store import Store

_FILE = "suggestions"


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was suggested, and the digest of what was *asked* last; "" for nothing."""

    asked: str = ""
    suggested: tuple[Suggested, ...] = ()


def suggested(store: Store, seen: Seen, model: Guarded) -> tuple[Suggested, ...]:
    """Return what the *model* suggests about the facts of *seen*; those asked before cost nothing.

    What it suggested before and still can be done is among it.
    """
    facts = model_suggestions.shown(seen)
    if model.is_offline or not facts:
        return ()
    task = DreamTask(model_suggestions.numbered(seen, facts))
    kept = kept_answers.load(store, _FILE, _read, _Kept())
    asked = hashlib.sha256(repr(task.facts).encode()).hexdigest()
    if kept.asked == asked:
        return kept.suggested
    made = model.suggest(task)
    new = model_suggestions.resolved(made.value, facts, made.model)
    old = (it for it in kept.suggested if model_suggestions.standing(it, seen))
    whole = tuple(dict.fromkeys((*new, *old)))
    kept_answers.keep(store, _FILE, asdict(_Kept("" if made.degraded else asked, whole)))
    return whole


def _read(raw: Mapping[str, Any]) -> _Kept:
    return _Kept(str(raw["asked"]), tuple(map(_suggested, raw["suggested"])))


def _suggested(raw: Mapping[str, Any]) -> Suggested:
    facts = (Fact(**{**f, "lines": tuple(f["lines"]), "sources": tuple(f["sources"])})
             for f in raw["facts"])  # fmt: skip
    return Suggested(raw["op"], tuple(facts), str(raw["text"]), str(raw["reason"]), str(raw["by"]))
