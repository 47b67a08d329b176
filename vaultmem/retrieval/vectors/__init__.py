"""Dense search: a vector for every passage, and which passages lie nearest to a question.

SQLite holds the vectors and decides; Chroma may lag, and only proposes. Neither numpy nor Chroma is
loaded before the first question.
"""

from vaultmem.retrieval.vectors.service import Vectors as Vectors
from vaultmem.retrieval.vectors.types import Caught as Caught
from vaultmem.retrieval.vectors.types import State as State
