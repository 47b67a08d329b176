"""The dense leg: a vector for every passage, and which passages lie nearest to a question.

SQLite holds the vectors and decides; Chroma may lag, and only proposes. Neither numpy nor Chroma is
loaded before the first question.
"""

from vaultmem.vectors.dense import Vectors as Vectors
from vaultmem.vectors.values import Caught as Caught
from vaultmem.vectors.values import State as State
