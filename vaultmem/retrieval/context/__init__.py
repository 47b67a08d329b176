"""What an agent's prompt should hold of its memory: layers in order, inside a budget, fenced.

`layers` gathers what would like to stand there, `budget` says how much room each part of it has,
`packing` fits it in, `fencing` prints one item so that it stays data, `messages` makes messages of
it. Nothing stands twice; each item names its file.
"""

from __future__ import annotations

from vaultmem.errors import BadInput
from vaultmem.retrieval.context import layers, packing
from vaultmem.retrieval.context.types import LOOKED_UP as LOOKED_UP
from vaultmem.retrieval.context.types import SMALLEST as SMALLEST
from vaultmem.retrieval.context.types import Cache as Cache
from vaultmem.retrieval.context.types import Context as Context
from vaultmem.retrieval.context.types import Form as Form
from vaultmem.retrieval.context.types import Item as Item
from vaultmem.retrieval.context.types import Section as Section
from vaultmem.retrieval.context.types import Wanted
from vaultmem.retrieval.search.types import Dense
from vaultmem.storage.store import Store


def assemble(  # noqa: PLR0913  # the last two are by name
    store: Store, agent: str, query: str, budget: int, *, dense: Dense | None = None, turns: int = 0
) -> Context:
    """Return the context of *agent* for *query* (may be empty) within *budget* tokens.

    *dense* finds by meaning too; *turns* is how many the caller's own conversation has by now,
    where it knows that. Raises BadInput for a budget that could not hold anything.
    """
    if budget < SMALLEST:
        raise BadInput(f"--budget is {budget} tokens, a context needs {SMALLEST}")
    wanted = Wanted(agent, query, budget, turns)
    return packing.pack(layers.gather(store, wanted, dense), wanted)
