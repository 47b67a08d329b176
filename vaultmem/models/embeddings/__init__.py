"""Turn texts into vectors: one Protocol, and who speaks it is chosen by the environment.

Nothing heavy is loaded before the first text is embedded.
"""

from __future__ import annotations

from vaultmem.models.embeddings.given import TextEmbedder as TextEmbedder
from vaultmem.models.embeddings.selection import KINDS as KINDS
from vaultmem.models.embeddings.selection import NAMES as NAMES
from vaultmem.models.embeddings.selection import build as build
from vaultmem.models.embeddings.selection import choose as choose
from vaultmem.models.embeddings.selection import kind as kind
from vaultmem.models.embeddings.selection import setup as setup
from vaultmem.models.embeddings.types import Choice as Choice
from vaultmem.models.embeddings.types import Embedder as Embedder
from vaultmem.models.embeddings.types import Pin as Pin
from vaultmem.models.embeddings.types import Setup as Setup
from vaultmem.models.embeddings.types import TokenEmbedder as TokenEmbedder
