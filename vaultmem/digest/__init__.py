"""What was learnt, corrected and forgotten in a period, told to people; no model is asked.

gather: the index and git's log → Material. digest: Material → Digest. page: Digest → Markdown.
"""

from vaultmem.digest.deciding import digest as digest
from vaultmem.digest.gathering import gather as gather
from vaultmem.digest.model import Digest as Digest
from vaultmem.digest.model import Period as Period
from vaultmem.digest.page import Item as Item
from vaultmem.digest.page import Section as Section
from vaultmem.digest.page import markdown as markdown
from vaultmem.digest.page import sections as sections
from vaultmem.digest.page import title as title
from vaultmem.digest.spans import period as period
