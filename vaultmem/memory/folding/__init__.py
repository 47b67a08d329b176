"""Folding: turns of a session become episodes, and episodes become topics.

L1, the turns, stay in their transcript for ever. When the window of the newest ones is full its
older half becomes an episode (L2), when a session is over its rest does; when enough episodes wait,
the oldest are distilled into topics (L3). What is due follows from the files alone, by the
thresholds that the config sets.

What a tool said is told by its name and turn alone, see `memory.tool_quotes`.
"""

from vaultmem.memory.folding.due import CARRIED as CARRIED
from vaultmem.memory.folding.due import ENDED as ENDED
from vaultmem.memory.folding.due import EXPORTED as EXPORTED
from vaultmem.memory.folding.due import Folded as Folded
from vaultmem.memory.folding.due import Held as Held
from vaultmem.memory.folding.due import Manner as Manner
from vaultmem.memory.folding.due import Stretch as Stretch
from vaultmem.memory.folding.due import faults as faults
from vaultmem.memory.folding.due import is_closed as is_closed
from vaultmem.memory.folding.due import manner as manner
from vaultmem.memory.folding.due import number as number
from vaultmem.memory.folding.due import over as over
from vaultmem.memory.folding.due import stretches as stretches
from vaultmem.memory.folding.due import to_distill as to_distill
from vaultmem.memory.folding.due import unfolded as unfolded
from vaultmem.memory.folding.files import Source as Source
from vaultmem.memory.folding.files import again as again
from vaultmem.memory.folding.files import distilled as distilled
from vaultmem.memory.folding.files import episode as episode
from vaultmem.memory.folding.files import numbered as numbered
from vaultmem.memory.folding.files import path as path
from vaultmem.memory.folding.files import persons_part as persons_part
from vaultmem.memory.folding.files import renamed as renamed
from vaultmem.memory.folding.files import says as says
from vaultmem.memory.folding.files import topic as topic
