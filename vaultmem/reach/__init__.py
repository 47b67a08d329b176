"""What an agent may reach by path: which files, as what text, and how they are edited. All pure."""

from vaultmem.reach.faults import IsFolder as IsFolder
from vaultmem.reach.faults import LedOut as LedOut
from vaultmem.reach.faults import ManyMatches as ManyMatches
from vaultmem.reach.faults import Missing as Missing
from vaultmem.reach.faults import NoMatch as NoMatch
from vaultmem.reach.faults import NoSuchLine as NoSuchLine
from vaultmem.reach.model import Entry as Entry
from vaultmem.reach.model import Page as Page
from vaultmem.reach.model import Reached as Reached
from vaultmem.reach.model import Removed as Removed
