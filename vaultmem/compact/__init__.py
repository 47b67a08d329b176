"""The cascade: memories that aged out of the immediate window become summaries, in clean chunks.

What is due follows from the files alone: the memories outside the newest `immediate_window` that no
short-term summary names as a source. For each chunk the newest short-term summary is folded into
the long-term one, then the chunk gets a short-term summary of its own. `deciding` says what is due,
`proposing` writes it as changes, `lines` tells a person's lines from ours.
"""

from vaultmem.compact.deciding import covered as covered
from vaultmem.compact.deciding import degraded as degraded
from vaultmem.compact.deciding import due as due
from vaultmem.compact.deciding import next_at as next_at
from vaultmem.compact.deciding import operation_key as operation_key
from vaultmem.compact.deciding import pending as pending
from vaultmem.compact.deciding import reason_for_rest as reason_for_rest
from vaultmem.compact.deciding import redoable as redoable
from vaultmem.compact.deciding import stale as stale
from vaultmem.compact.model import Chunk as Chunk
from vaultmem.compact.model import Compaction as Compaction
from vaultmem.compact.model import Past as Past
from vaultmem.compact.model import Proposal as Proposal
from vaultmem.compact.model import past as past
from vaultmem.compact.proposing import Means as Means
from vaultmem.compact.proposing import propose as propose
