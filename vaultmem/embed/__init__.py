"""Turn texts into vectors: one Protocol, and who speaks it is chosen by the environment.

Nothing heavy is loaded before the first text is embedded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.embed.assembly import build as build
from vaultmem.embed.choice import Choice as Choice
from vaultmem.embed.choice import cache as cache
from vaultmem.embed.choice import choose as choose
from vaultmem.embed.choice import folder as folder
from vaultmem.embed.model import Embedder as Embedder
from vaultmem.embed.model import TokenEmbedder as TokenEmbedder

if TYPE_CHECKING:
    from vaultmem.embed.model import Matrix as Matrix
    from vaultmem.embed.model import Vector as Vector
