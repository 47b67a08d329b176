"""Forgetting, decided: which words are those of the forgotten thing, and texts without them.

Everything here is pure; `forgetting` reads and writes.
"""

from vaultmem.forget.readings import folded as folded
from vaultmem.forget.readings import readings as readings
from vaultmem.forget.redacting import answers as answers
from vaultmem.forget.redacting import message as message
from vaultmem.forget.redacting import note as note
from vaultmem.forget.redacting import own as own
from vaultmem.forget.redacting import retold as retold
from vaultmem.forget.redacting import spoken as spoken
from vaultmem.forget.redacting import trailers as trailers
from vaultmem.forget.redacting import without as without
from vaultmem.forget.standing import Leads as Leads
from vaultmem.forget.standing import Standing as Standing
from vaultmem.forget.standing import leads as leads
from vaultmem.forget.standing import rare as rare
from vaultmem.forget.telling import MARK as MARK
from vaultmem.forget.telling import Telling as Telling
from vaultmem.forget.telling import telling as telling
from vaultmem.forget.telling import words as words
