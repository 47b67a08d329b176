"""Grade how well texts answer a question: one Protocol, off unless the environment names a kind."""

from __future__ import annotations

from vaultmem.models.reranking.given import Given as Given
from vaultmem.models.reranking.selection import NAMES as NAMES
from vaultmem.models.reranking.selection import build as build
from vaultmem.models.reranking.types import Reranker as Reranker
