"""Say where a fact comes from: from what is derived down to what was said, and its commit.

finding: what is asked about → a record and a line of it. tracing: its sources, level by level, the
few that bear it best. claiming: who said a fact of a card. dating: which commit wrote each of them.
"""

from vaultmem.why.model import Link as Link
from vaultmem.why.model import Why as Why
from vaultmem.why.tracing import trace as trace
