"""The cascade: memories that aged out of the immediate window become summaries, in clean chunks.

What is due follows from the files alone: the memories outside the newest `immediate_window` that no
short-term summary names as a source. For each chunk the newest short-term summary is folded into
the long-term one, then the chunk gets a short-term summary of its own. `due` says what is due,
`cascade` writes it as changes: `recent_summary` the short-term ones, `longterm_summary` the one
that absorbs them. `absorption` says what that is made of, `human_lines` tells a person's lines from
ours.
"""

from vaultmem.memory.compaction.absorption import absorbed as absorbed
from vaultmem.memory.compaction.absorption import absorbed_and_gone as absorbed_and_gone
from vaultmem.memory.compaction.absorption import absorbed_count as absorbed_count
from vaultmem.memory.compaction.absorption import are_others as are_others
from vaultmem.memory.compaction.absorption import is_whole as is_whole
from vaultmem.memory.compaction.absorption import named_from as named_from
from vaultmem.memory.compaction.absorption import naming as naming
from vaultmem.memory.compaction.absorption import unabsorbed as unabsorbed
from vaultmem.memory.compaction.due import covered as covered
from vaultmem.memory.compaction.due import degraded as degraded
from vaultmem.memory.compaction.due import due as due
from vaultmem.memory.compaction.due import is_behind as is_behind
from vaultmem.memory.compaction.due import is_due as is_due
from vaultmem.memory.compaction.due import pending as pending
from vaultmem.memory.compaction.due import redoable as redoable
from vaultmem.memory.compaction.due import stale as stale
from vaultmem.memory.compaction.due import why_nothing_due as why_nothing_due
from vaultmem.memory.compaction.past_queries import earlier as earlier
from vaultmem.memory.compaction.past_queries import hiding as hiding
from vaultmem.memory.compaction.past_queries import page as page
from vaultmem.memory.compaction.past_queries import pages as pages
from vaultmem.memory.compaction.past_queries import past as past
from vaultmem.memory.compaction.past_queries import telling as telling
from vaultmem.memory.compaction.types import Chunk as Chunk
from vaultmem.memory.compaction.types import Compaction as Compaction
from vaultmem.memory.compaction.types import Past as Past
from vaultmem.memory.compaction.types import Proposal as Proposal
from vaultmem.memory.summary_progress import SummaryProgress as SummaryProgress
from vaultmem.memory.summary_progress import are_settled as are_settled
from vaultmem.memory.summary_progress import progress as progress
