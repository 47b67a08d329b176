"""Whether a process runs on this machine."""

from __future__ import annotations

import os


def is_running(pid: int) -> bool:
    """Tell whether a process has the number *pid*, whoever's it is.

    Raises OverflowError for a number that no process can have.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
