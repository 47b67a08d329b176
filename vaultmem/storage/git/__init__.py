"""History: commit exactly the bytes we are given, beside a person who uses the same repository.

A commit is HEAD's tree plus our paths, built by one `git fast-import`, so the work tree, the
person's index and every filter stay out of it. It is published under git's own index.lock.
Whatever the repository's config would run, it does not run here.
"""

from vaultmem.storage.git.commit_lock import Lock as Lock
from vaultmem.storage.git.commit_lock import half_done as half_done
from vaultmem.storage.git.discovery import around as around
from vaultmem.storage.git.discovery import create as create
from vaultmem.storage.git.discovery import find as find
from vaultmem.storage.git.discovery import is_ignored as is_ignored
from vaultmem.storage.git.discovery import unopened as unopened
from vaultmem.storage.git.outer_repository import is_submodule as is_submodule
from vaultmem.storage.git.outer_repository import leave_out as leave_out
from vaultmem.storage.git.outer_repository import pattern as pattern
from vaultmem.storage.git.outer_repository import tracked as tracked
from vaultmem.storage.git.process import available as available
from vaultmem.storage.git.process import version as version
from vaultmem.storage.git.reference_locks import left_lock as left_lock
from vaultmem.storage.git.remote import Remote as Remote
from vaultmem.storage.git.repository import Repository as Repository
from vaultmem.storage.git.types import ABSENT as ABSENT
from vaultmem.storage.git.types import EXECUTABLE as EXECUTABLE
from vaultmem.storage.git.types import OP as OP
from vaultmem.storage.git.types import ORDINARY as ORDINARY
from vaultmem.storage.git.types import PATIENCE as PATIENCE
from vaultmem.storage.git.types import PLAIN as PLAIN
from vaultmem.storage.git.types import Blob as Blob
from vaultmem.storage.git.types import Change as Change
from vaultmem.storage.git.types import Dirty as Dirty
from vaultmem.storage.git.types import Entry as Entry
from vaultmem.storage.git.types import FileChange as FileChange
from vaultmem.storage.git.types import Fork as Fork
from vaultmem.storage.git.types import Row as Row
from vaultmem.storage.git.types import blob_ids as blob_ids
from vaultmem.storage.git.types import object_id as object_id
