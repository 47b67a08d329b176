"""Why a fact does not hold at a time, in the words that stand beside it in a context."""

from __future__ import annotations

from datetime import datetime

from vaultmem import records
from vaultmem.records import Record


def over(record: Record, now: datetime) -> str:
    """Say why *record* does not hold at *now*, "" when it does."""
    if record.superseded_by:
        return f"superseded by {record.superseded_by}"
    if records.is_over(record.valid_to, now):
        return f"no longer valid since {record.valid_to}"
    if records.is_ahead(record.valid_from, now):
        return f"not valid before {record.valid_from}"
    return ""


def stale(record: Record, now: datetime) -> str:
    """Say since when *record* wants to be looked at again, "" when it does not."""
    over = records.is_over(record.stale_after, now)
    return f"stale since {record.stale_after}" if over else ""
