"""Bytes on disk: read, list, and the one way to write a set of files so that a crash tears none.

Every path is walked component by component from a held descriptor, with O_NOFOLLOW, so that no
check is apart from its use. Nothing here knows what a memory is.
"""

from vaultmem.storage.files.atomic_write import discard as discard
from vaultmem.storage.files.atomic_write import rename as rename
from vaultmem.storage.files.atomic_write import write as write
from vaultmem.storage.files.disk_room import why_full as why_full
from vaultmem.storage.files.leftover_files import alive as alive
from vaultmem.storage.files.leftover_files import has_strays as has_strays
from vaultmem.storage.files.leftover_files import is_elsewhere as is_elsewhere
from vaultmem.storage.files.leftover_files import is_known_elsewhere as is_known_elsewhere
from vaultmem.storage.files.leftover_files import is_open as is_open
from vaultmem.storage.files.leftover_files import leftovers as leftovers
from vaultmem.storage.files.leftover_files import remove_empty_folder as remove_empty_folder
from vaultmem.storage.files.leftover_files import remove_empty_folders as remove_empty_folders
from vaultmem.storage.files.leftover_files import replaced_files as replaced_files
from vaultmem.storage.files.leftover_files import sweep as sweep
from vaultmem.storage.files.paths import CONFLICT_GLOB as CONFLICT_GLOB
from vaultmem.storage.files.paths import CONFLICTS as CONFLICTS
from vaultmem.storage.files.paths import TEXT_FOLDER as TEXT_FOLDER
from vaultmem.storage.files.paths import conflict as conflict
from vaultmem.storage.files.paths import fits as fits
from vaultmem.storage.files.paths import fitting as fitting
from vaultmem.storage.files.paths import inside as inside
from vaultmem.storage.files.paths import is_note as is_note
from vaultmem.storage.files.paths import is_text as is_text
from vaultmem.storage.files.paths import portable as portable
from vaultmem.storage.files.paths import slug as slug
from vaultmem.storage.files.preconditions import begun as begun
from vaultmem.storage.files.preconditions import check as check
from vaultmem.storage.files.reading import FOLDER as FOLDER
from vaultmem.storage.files.reading import GIT_PATTERNS as GIT_PATTERNS
from vaultmem.storage.files.reading import KINDS as KINDS
from vaultmem.storage.files.reading import LARGEST_NOTE as LARGEST_NOTE
from vaultmem.storage.files.reading import digest as digest
from vaultmem.storage.files.reading import ending as ending
from vaultmem.storage.files.reading import entries as entries
from vaultmem.storage.files.reading import folders as folders
from vaultmem.storage.files.reading import kind_of as kind_of
from vaultmem.storage.files.reading import listing as listing
from vaultmem.storage.files.reading import names as names
from vaultmem.storage.files.reading import notes as notes
from vaultmem.storage.files.reading import obstacle as obstacle
from vaultmem.storage.files.reading import paths as paths
from vaultmem.storage.files.reading import read as read
from vaultmem.storage.files.reading import stamp as stamp
from vaultmem.storage.files.reading import tail as tail
from vaultmem.storage.files.types import DOUBTED as DOUBTED
from vaultmem.storage.files.types import HALF_LINE as HALF_LINE
from vaultmem.storage.files.types import HELD as HELD
from vaultmem.storage.files.types import LINGER as LINGER
from vaultmem.storage.files.types import READ_ONLY as READ_ONLY
from vaultmem.storage.files.types import RESTORE as RESTORE
from vaultmem.storage.files.types import TEMP as TEMP
from vaultmem.storage.files.types import Addition as Addition
from vaultmem.storage.files.types import Content as Content
from vaultmem.storage.files.types import Ending as Ending
from vaultmem.storage.files.types import Folder as Folder
from vaultmem.storage.files.types import Listing as Listing
from vaultmem.storage.files.types import ReplacedFile as ReplacedFile
from vaultmem.storage.files.types import Root as Root
from vaultmem.storage.files.types import Stamp as Stamp
from vaultmem.storage.files.types import Step as Step
from vaultmem.storage.files.types import content as content
from vaultmem.storage.files.types import sha256 as sha256
