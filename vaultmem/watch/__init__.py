"""What the file system tells of a vault, and whether a daemon is listening: hints, never truth."""

from vaultmem.watch.noticing import POLLING as POLLING
from vaultmem.watch.noticing import Hints as Hints
from vaultmem.watch.noticing import Watching as Watching
from vaultmem.watch.noticing import watching as watching
from vaultmem.watch.presence import BEAT as BEAT
from vaultmem.watch.presence import Presence as Presence
from vaultmem.watch.presence import State as State
from vaultmem.watch.presence import present as present
from vaultmem.watch.presence import state as state
