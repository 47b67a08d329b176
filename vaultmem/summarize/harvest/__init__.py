"""Harvest conversations without a model: what was decided, ruled out, left open, wished, done.

Every item is a sentence or clause that was said, cut to size; nothing is put in other words.
"""

from vaultmem.summarize.harvest.claims import claims as claims
from vaultmem.summarize.harvest.compacts import compact as compact
from vaultmem.summarize.harvest.distillation import topics as topics
from vaultmem.summarize.harvest.episodes import episode as episode
from vaultmem.summarize.harvest.episodes import telling as telling
from vaultmem.summarize.harvest.results import shorten as shorten
