"""What an agent's prompt should hold of its memory: layers in order, inside a budget, fenced.

`layers` gathers what would like to stand there, `budget` says how much room each part of it has,
`packing` fits it in, `fencing` prints one item so that it stays data, `messages` makes messages of
it. Nothing stands twice; each item names its file.
"""

from vaultmem.retrieval.context.budget import Stated as Stated
from vaultmem.retrieval.context.layers import relevant_summaries as relevant_summaries
from vaultmem.retrieval.context.packing import assemble as assemble
from vaultmem.retrieval.context.types import LOOKED_UP as LOOKED_UP
from vaultmem.retrieval.context.types import SMALLEST as SMALLEST
from vaultmem.retrieval.context.types import Context as Context
from vaultmem.retrieval.context.types import Form as Form
from vaultmem.retrieval.context.types import Item as Item
from vaultmem.retrieval.context.types import Section as Section
from vaultmem.retrieval.context.types import Wanted as Wanted
from vaultmem.retrieval.context.types import check_budget as check_budget
from vaultmem.retrieval.context.types import room_for_additions as room_for_additions
