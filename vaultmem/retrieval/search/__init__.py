"""Find what answers a question: `service` does, `types` has what is asked and what is answered."""

from vaultmem.retrieval.search.service import MOST_HITS as MOST_HITS
from vaultmem.retrieval.search.service import NO_EMBEDDER as NO_EMBEDDER
from vaultmem.retrieval.search.service import Still as Still
from vaultmem.retrieval.search.service import search as search
from vaultmem.retrieval.search.types import LONGEST_QUERY as LONGEST_QUERY
from vaultmem.retrieval.search.types import Answer as Answer
from vaultmem.retrieval.search.types import Hit as Hit
from vaultmem.retrieval.search.types import Likeness as Likeness
from vaultmem.retrieval.search.types import MaxSim as MaxSim
from vaultmem.retrieval.search.types import Mode as Mode
from vaultmem.retrieval.search.types import Question as Question
from vaultmem.retrieval.search.types import Scope as Scope
from vaultmem.retrieval.search.types import ScorePart as ScorePart
