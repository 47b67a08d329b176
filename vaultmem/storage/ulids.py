"""ULIDs that only ever rise on one machine, also when its clock goes back.

The last one minted is kept under a lock of its own. Losing that file costs nothing as long as the
clock runs forward, and *floor* (the highest id the vault knows) guards the rest.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

Entropy = Callable[[int], bytes]
"""Gives so many random bytes."""

_RANDOM_BITS = 80
_LEAP = 6
"""Bytes: so far apart are the ids of two machines, and there is room for 2^31 such leaps."""
_LENGTH, _TIME = 26, 10
_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32
ULID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
"""What an id looks like, whoever made it up."""

_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_LAST_MOMENT = "76EZ91ZPZZ"  # of the year 9999: an id beyond it was made up, and may be the last


def mint(
    state: Path, now: datetime, count: int = 1, floor: str = "", random: Entropy = os.urandom
) -> list[str]:
    """Return *count* ULIDs above every one minted through the file *state* and above *floor*."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    fd = os.open(state, flags, 0o600)
    if not stat.S_ISREG(os.fstat(fd).st_mode):  # a pipe would wait for ever
        os.close(fd)
        raise OSError(errno.EINVAL, "not a regular file: remove it", str(state))
    with os.fdopen(fd, "r+b", buffering=0) as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        last = stream.read(_LENGTH).decode("ascii", "replace")
        minted = list(increasing(max(_valid(last), _valid(floor)), now, count, random(10)))
        os.pwrite(stream.fileno(), minted[-1].encode(), 0)
        fcntl.flock(stream, fcntl.LOCK_UN)  # a fork may have it open, too
    return minted


def is_valid(text: str) -> bool:
    """Tell whether *text* is a ULID of a year that a clock can show."""
    return bool(_valid(text))


def minted_at(ulid: str) -> float:
    """Return the Unix time in the first ten characters of *ulid*; what is no digit counts as 0."""
    return _number(ulid[:_TIME]) / 1000


def first_at(when: float) -> str:
    """Return the lowest ULID of a Unix time: those that are minted from then on sort above it."""
    return _text(max(int(when * 1000), 0) << _RANDOM_BITS)


def _number(text: str) -> int:
    """Return what *text* says in base 32."""
    found = 0
    for letter in text:
        found = found * 32 + max(_DIGITS.find(letter), 0)
    return found


def _text(number: int) -> str:
    """Return *number* as a ULID."""
    return "".join(_DIGITS[(number >> shift) & 31] for shift in range(5 * (_LENGTH - 1), -1, -5))


def _valid(text: str) -> str:
    text = text.upper()
    return text if _ULID.fullmatch(text) and text <= _LAST_MOMENT else ""


def increasing(last: str, now: datetime, count: int, random: bytes) -> Iterator[str]:
    """Yield *count* ULIDs above *last*: fresh from *now* and *random*, or else by counting up.

    Counting up within a millisecond is the ULID specification's own rule for monotonic ids. It
    begins a leap above *last*: two machines whose clocks lag behind one id would meet otherwise.
    """
    before = _number(last) if last else -1
    fresh = (int(now.timestamp() * 1000) << _RANDOM_BITS) | int.from_bytes(random)
    # The top bit stays clear so that counting up has room before the millisecond overflows.
    leap = 1 + int.from_bytes(random[:_LEAP])
    value = max(fresh & ~(1 << (_RANDOM_BITS - 1)), before + leap)
    for n in range(count):
        yield _text(value + n)
