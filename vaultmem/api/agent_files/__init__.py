"""What an agent may reach by path: which files, as what text, and how they are edited. All pure."""

from vaultmem.api.agent_files.errors import InTheWay as InTheWay
from vaultmem.api.agent_files.errors import IsFolder as IsFolder
from vaultmem.api.agent_files.errors import LedOut as LedOut
from vaultmem.api.agent_files.errors import ManyMatches as ManyMatches
from vaultmem.api.agent_files.errors import Missing as Missing
from vaultmem.api.agent_files.errors import NoMatch as NoMatch
from vaultmem.api.agent_files.errors import NoSuchLine as NoSuchLine
from vaultmem.api.agent_files.types import Entry as Entry
from vaultmem.api.agent_files.types import Page as Page
from vaultmem.api.agent_files.types import Reached as Reached
from vaultmem.api.agent_files.types import Removed as Removed
