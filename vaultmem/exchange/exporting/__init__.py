"""What of a vault goes out to other programs: a bundle of Markdown, JSON lines, a folded memory.

What is remembered; what is not trusted stays here unless it is asked for. The turns of sessions
stay, too, and how many is told; but for those that a folded memory has not folded yet.
"""

from vaultmem.exchange.exporting.folded import of_session as of_session
from vaultmem.exchange.exporting.service import FOLDED as FOLDED
from vaultmem.exchange.exporting.service import FORMS as FORMS
from vaultmem.exchange.exporting.service import Exported as Exported
from vaultmem.exchange.exporting.service import of_topics as of_topics
from vaultmem.exchange.exporting.service import refuse_inside as refuse_inside
from vaultmem.exchange.exporting.service import run as run
