"""What was learnt, corrected and forgotten in a period, told to people; no model is asked.

material:   the index and git's log → Material
content:    Material → Digest
rendering:  Digest → Markdown
"""

from vaultmem.maintenance.digest.content import digest as digest
from vaultmem.maintenance.digest.material import gather as gather
from vaultmem.maintenance.digest.rendering import Item as Item
from vaultmem.maintenance.digest.rendering import Section as Section
from vaultmem.maintenance.digest.rendering import markdown as markdown
from vaultmem.maintenance.digest.rendering import sections as sections
from vaultmem.maintenance.digest.rendering import title as title
from vaultmem.maintenance.digest.types import Digest as Digest
from vaultmem.maintenance.digest.types import Period as Period
from vaultmem.maintenance.digest.types import period as period
