"""When a fact was true, which is not when it was learnt: purely, from its two dates."""

from __future__ import annotations

from datetime import datetime

from vaultmem.errors import BadInput
from vaultmem.model import end_of, moment


def is_valid(valid_from: str, valid_to: str, when: datetime) -> bool:
    """Tell whether a fact holds at *when*, both ends included; a date is the whole day.

    An end that is missing, or that cannot be read, is open: no fact is lost for a typing error.
    """
    return not (_is_after(valid_from, when) or _is_over(valid_to, when))


def _is_after(valid_from: str, when: datetime) -> bool:
    try:
        return bool(valid_from) and when < moment(valid_from)
    except BadInput:
        return False


def _is_over(valid_to: str, when: datetime) -> bool:
    try:
        # The last second of a day counts to its end.
        return bool(valid_to) and end_of(valid_to) < when.replace(microsecond=0)
    except BadInput:
        return False
