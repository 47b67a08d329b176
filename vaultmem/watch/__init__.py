"""What the file system tells of a vault, and whether a daemon is listening: hints, never truth.

`noticing` is for the daemon alone, and is not loaded by those who only ask whether there is one.
"""

from vaultmem.watch.presence import BEAT as BEAT
from vaultmem.watch.presence import Presence as Presence
from vaultmem.watch.presence import State as State
from vaultmem.watch.presence import present as present
from vaultmem.watch.presence import state as state
