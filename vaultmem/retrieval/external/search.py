"""Ask a retriever that is not ours: in time, in size, whatever it raises or returns."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from vaultmem import arguments
from vaultmem.documents import public_text
from vaultmem.errors import BadInput, Unavailable
from vaultmem.records import first_line, iso, moment
from vaultmem.retrieval import public_query
from vaultmem.retrieval.external.types import ExternalHit, ExternalRetriever

PATIENCE = 5.0
"""Seconds that a question waits for it."""

MOST = 20
"""Hits of one question that are looked at."""

LONGEST = 4000
"""Characters of one hit's text; the rest is cut."""

_NAME = 200
_OURS = "the vault's own hits are here"


@dataclass(frozen=True, slots=True)
class Outside:
    """What a retriever found, cleaned, best first; *reason* says why it is not all, else ""."""

    hits: tuple[ExternalHit, ...] = ()
    reason: str = ""


class ExternalSearch:
    """One retriever, and whether it still works on a question that nobody waits for any more."""

    def __init__(self, retriever: ExternalRetriever, patience: float = PATIENCE) -> None:
        """Ask *retriever*, and wait for so many seconds of *patience*."""
        self.name = retriever.name
        self._retriever, self._patience = retriever, patience
        self._working: threading.Thread | None = None

    def ask(self, query: str, k: int) -> Outside:
        """Return what it finds for *query*, at most *k* and `MOST` hits."""
        if self._working and self._working.is_alive():
            return Outside((), f"{self._called} is at work on an earlier question: {_OURS}")
        found: list[Outside] = []
        many = min(k, MOST)
        asking = threading.Thread(
            target=lambda: found.append(self._asked(query, many)),
            name=f"vaultmem-{self.name}", daemon=True,
        )  # fmt: skip
        asking.start()
        asking.join(self._patience)
        if found:
            return found[0]
        self._working = asking
        return Outside((), f"{self._called} gave no answer in {self._patience:g} s: {_OURS}")

    @property
    def _called(self) -> str:
        return f"the retriever {self.name}"

    def _asked(self, query: str, k: int) -> Outside:
        try:
            asked = public_query.told(query, self.name)
            found = arguments.of_a_part(
                lambda: list(islice(self._retriever.retrieve(asked, k), k)), _failed
            )
            return Outside(tuple(_clean(found)))
        except (Unavailable, BadInput) as e:
            return Outside((), f"{self._called} {e}: {_OURS}")


def _failed(why: str) -> Unavailable:
    return Unavailable(f"failed ({first_line(public_text.shown(why), _NAME)})")


def _clean(found: list[ExternalHit]) -> Iterator[ExternalHit]:
    """Yield what may be told of each hit; raises BadInput for what is none."""
    for hit in found:
        if not isinstance(hit, ExternalHit):
            raise BadInput(f"returned a {type(hit).__name__}, it returns ExternalHit")
        texts = (hit.text, hit.source, hit.memory, hit.date)
        if not all(isinstance(text, str) for text in texts):
            raise BadInput("returned a hit whose text, source, memory or date is no string")
        # More than is told, so that no key is cut in two before it is known for one.
        text = _public(hit.text[: 4 * LONGEST])
        if len(text) > LONGEST:
            text = f"{text[:LONGEST].rstrip()}…"
        source = first_line(_public(hit.source), _NAME)
        yield replace(
            hit, text=text.strip(), source=source, date=_date(hit.date),
            relevance=_share(hit.relevance),
        )  # fmt: skip


def _public(text: str) -> str:
    """Return what may be told of *text*, as UTF-8 can carry it."""
    return public_text.shown(text.encode("utf-8", "replace").decode("utf-8"))


def _date(text: str) -> str:
    try:
        return iso(moment(text)) if text else ""
    except BadInput:
        return ""


def _share(given: float) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise BadInput("returned a relevance that is no number")
    return min(max(float(given), 0.0), 1.0)
