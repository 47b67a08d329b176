"""History: commit exactly the bytes we are given, beside a person who uses the same repository.

A commit is HEAD's tree plus our paths, built by one `git fast-import`, so the work tree, the
person's index and every filter stay out of it. It is published under git's own index.lock.
Whatever the repository's config would run, it does not run here.
"""

from vaultmem.git.lock import Lock as Lock
from vaultmem.git.model import OP as OP
from vaultmem.git.model import PATIENCE as PATIENCE
from vaultmem.git.model import PLAIN as PLAIN
from vaultmem.git.model import Blob as Blob
from vaultmem.git.model import Change as Change
from vaultmem.git.model import Dirty as Dirty
from vaultmem.git.model import Entry as Entry
from vaultmem.git.model import FileChange as FileChange
from vaultmem.git.model import Row as Row
from vaultmem.git.outer import is_submodule as is_submodule
from vaultmem.git.outer import leave_out as leave_out
from vaultmem.git.outer import pattern as pattern
from vaultmem.git.outer import tracked as tracked
from vaultmem.git.process import available as available
from vaultmem.git.remote import Remote as Remote
from vaultmem.git.repository import Repository as Repository
from vaultmem.git.repository import around as around
from vaultmem.git.repository import create as create
from vaultmem.git.repository import find as find
from vaultmem.git.repository import is_ignored as is_ignored
from vaultmem.git.repository import unopened as unopened
