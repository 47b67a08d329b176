"""Turn texts into vectors: one Protocol, and who speaks it is chosen by the environment.

Nothing heavy is loaded before the first text is embedded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.models.embeddings.selection import Choice as Choice
from vaultmem.models.embeddings.selection import build as build
from vaultmem.models.embeddings.selection import cache as cache
from vaultmem.models.embeddings.selection import choose as choose
from vaultmem.models.embeddings.selection import folder as folder
from vaultmem.models.embeddings.types import Embedder as Embedder
from vaultmem.models.embeddings.types import TokenEmbedder as TokenEmbedder

if TYPE_CHECKING:
    from vaultmem.models.embeddings.types import Matrix as Matrix
    from vaultmem.models.embeddings.types import Vector as Vector
