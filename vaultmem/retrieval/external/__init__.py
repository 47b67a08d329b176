"""A team's own retriever beside ours: asked in bounds, its hits told from the vault's.

What it returns is text from outside, and untrusted; where it names a memory of the vault by id, the
vault's own text and trust stand instead.
"""

from vaultmem.retrieval.external.merged_hits import TYPE as TYPE
from vaultmem.retrieval.external.merged_hits import Found as Found
from vaultmem.retrieval.external.merged_hits import merged as merged
from vaultmem.retrieval.external.merged_hits import resolved as resolved
from vaultmem.retrieval.external.search import ExternalSearch as ExternalSearch
from vaultmem.retrieval.external.search import Outside as Outside
from vaultmem.retrieval.external.types import ExternalHit as ExternalHit
from vaultmem.retrieval.external.types import ExternalRetriever as ExternalRetriever
