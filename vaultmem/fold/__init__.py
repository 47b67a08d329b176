"""Folding: turns of a session become episodes, and episodes become topics.

L1, the turns, stay in their transcript for ever. When the window of the newest ones is full its
older half becomes an episode (L2), when a session is over its rest does; when eight episodes wait,
the oldest four are distilled into topics (L3). What is due follows from the files alone.
"""

from vaultmem.fold.deciding import ENDED as ENDED
from vaultmem.fold.deciding import WINDOW_TOKENS as WINDOW_TOKENS
from vaultmem.fold.deciding import WINDOW_TURNS as WINDOW_TURNS
from vaultmem.fold.deciding import Folded as Folded
from vaultmem.fold.deciding import Held as Held
from vaultmem.fold.deciding import Stretch as Stretch
from vaultmem.fold.deciding import faults as faults
from vaultmem.fold.deciding import is_full as is_full
from vaultmem.fold.deciding import manner as manner
from vaultmem.fold.deciding import number as number
from vaultmem.fold.deciding import over as over
from vaultmem.fold.deciding import ripe as ripe
from vaultmem.fold.deciding import stretches as stretches
from vaultmem.fold.deciding import unfolded as unfolded
from vaultmem.fold.writing import Source as Source
from vaultmem.fold.writing import again as again
from vaultmem.fold.writing import distilled as distilled
from vaultmem.fold.writing import episode as episode
from vaultmem.fold.writing import topic as topic
