"""Read conversations without a model: what was decided, ruled out, left open, wished, done.

Every item is a sentence or clause that was said, cut to size; nothing is put in other words.
"""

from vaultmem.nlp.extraction.claims import claims as claims
from vaultmem.nlp.extraction.distillation import topics as topics
from vaultmem.nlp.extraction.episodes import episode as episode
from vaultmem.nlp.extraction.episodes import summary_task as summary_task
from vaultmem.nlp.extraction.session_state import compact as compact
from vaultmem.nlp.extraction.tool_results import shorten as shorten
