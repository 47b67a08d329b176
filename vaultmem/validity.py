"""When a fact holds, which is not when it was learnt: by the dates that people write beside it.

A day counts to its last second. A date that is missing or cannot be read ends nothing: no fact is
lost for a typing error.
"""

from __future__ import annotations

from datetime import datetime

from vaultmem.errors import BadInput
from vaultmem.model import end_of, moment


def holds(valid_from: str, valid_to: str, when: datetime) -> bool:
    """Tell whether a fact with these dates holds at *when*, both ends included."""
    return not is_ahead(valid_from, when) and not is_over(valid_to, when)


def is_over(date: str, when: datetime) -> bool:
    """Tell whether *date* lies behind *when*."""
    try:
        return bool(date) and end_of(date) < when.replace(microsecond=0)
    except BadInput:
        return False


def is_ahead(date: str, when: datetime) -> bool:
    """Tell whether *date* lies before us at *when*."""
    try:
        return bool(date) and when < moment(date)
    except BadInput:
        return False
