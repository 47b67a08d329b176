"""Bytes on disk: read, list, and the one way to write a set of files so that a crash tears none.

Every path is walked component by component from a held descriptor, with O_NOFOLLOW, so that no
check is apart from its use. Nothing here knows what a memory is.
"""

from vaultmem.files.checking import begun as begun
from vaultmem.files.checking import check as check
from vaultmem.files.model import HALF_LINE as HALF_LINE
from vaultmem.files.model import HELD as HELD
from vaultmem.files.model import LINGER as LINGER
from vaultmem.files.model import READ_ONLY as READ_ONLY
from vaultmem.files.model import TEMP as TEMP
from vaultmem.files.model import Addition as Addition
from vaultmem.files.model import Content as Content
from vaultmem.files.model import Ending as Ending
from vaultmem.files.model import Lingering as Lingering
from vaultmem.files.model import Listing as Listing
from vaultmem.files.model import Root as Root
from vaultmem.files.model import Stamp as Stamp
from vaultmem.files.model import Step as Step
from vaultmem.files.model import content as content
from vaultmem.files.model import sha256 as sha256
from vaultmem.files.names import fits as fits
from vaultmem.files.names import inside as inside
from vaultmem.files.names import is_note as is_note
from vaultmem.files.names import portable as portable
from vaultmem.files.names import slug as slug
from vaultmem.files.reading import ending as ending
from vaultmem.files.reading import entries as entries
from vaultmem.files.reading import listing as listing
from vaultmem.files.reading import names as names
from vaultmem.files.reading import paths as paths
from vaultmem.files.reading import read as read
from vaultmem.files.reading import stamp as stamp
from vaultmem.files.remains import alive as alive
from vaultmem.files.remains import clear_shelves as clear_shelves
from vaultmem.files.remains import has_strays as has_strays
from vaultmem.files.remains import is_known_elsewhere as is_known_elsewhere
from vaultmem.files.remains import leftovers as leftovers
from vaultmem.files.remains import lingering as lingering
from vaultmem.files.remains import sweep as sweep
from vaultmem.files.writing import discard as discard
from vaultmem.files.writing import rename as rename
from vaultmem.files.writing import write as write
