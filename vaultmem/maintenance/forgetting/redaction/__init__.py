"""Forgetting, decided: which words are those of the forgotten thing, and texts without them.

Everything here is pure; `forgetting` reads and writes.
"""

from vaultmem.maintenance.forgetting.redaction.copies import Copies as Copies
from vaultmem.maintenance.forgetting.redaction.copies import copies as copies
from vaultmem.maintenance.forgetting.redaction.decodings import folded as folded
from vaultmem.maintenance.forgetting.redaction.decodings import readings as readings
from vaultmem.maintenance.forgetting.redaction.distinctive_words import (
    DistinctiveWords as DistinctiveWords,
)
from vaultmem.maintenance.forgetting.redaction.distinctive_words import (
    distinctive_words as distinctive_words,
)
from vaultmem.maintenance.forgetting.redaction.lines import Says as Says
from vaultmem.maintenance.forgetting.redaction.lines import answers as answers
from vaultmem.maintenance.forgetting.redaction.lines import bare as bare
from vaultmem.maintenance.forgetting.redaction.lines import changed as changed
from vaultmem.maintenance.forgetting.redaction.lines import masked as masked
from vaultmem.maintenance.forgetting.redaction.lines import message as message
from vaultmem.maintenance.forgetting.redaction.lines import note as note
from vaultmem.maintenance.forgetting.redaction.lines import spoken as spoken
from vaultmem.maintenance.forgetting.redaction.lines import told as told
from vaultmem.maintenance.forgetting.redaction.lines import trailers as trailers
from vaultmem.maintenance.forgetting.redaction.lines import undiffed as undiffed
from vaultmem.maintenance.forgetting.redaction.lines import without as without
from vaultmem.maintenance.forgetting.redaction.remainders import Leads as Leads
from vaultmem.maintenance.forgetting.redaction.remainders import Remainder as Remainder
from vaultmem.maintenance.forgetting.redaction.remainders import leads as leads
from vaultmem.maintenance.forgetting.redaction.remainders import worth_naming as worth_naming
from vaultmem.maintenance.forgetting.redaction.rewordings import Rewordings as Rewordings
from vaultmem.maintenance.forgetting.redaction.rewordings import rewordings as rewordings
from vaultmem.maintenance.forgetting.redaction.word_rows import Run as Run
from vaultmem.maintenance.forgetting.redaction.word_rows import is_telling as is_telling
from vaultmem.maintenance.forgetting.redaction.word_rows import stand_in as stand_in
from vaultmem.maintenance.forgetting.redaction.word_rows import words as words
