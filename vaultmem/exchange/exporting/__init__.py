"""What of a vault goes out to other programs: a bundle of Markdown, or JSON lines.

Only what recall may return; what is not trusted stays here unless it is asked for. The turns of
sessions stay, too: how many is told.
"""

from vaultmem.exchange.exporting.service import FORMS as FORMS
from vaultmem.exchange.exporting.service import Exported as Exported
from vaultmem.exchange.exporting.service import of_topics as of_topics
from vaultmem.exchange.exporting.service import refuse_inside as refuse_inside
from vaultmem.exchange.exporting.service import run as run
