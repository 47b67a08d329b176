"""Note conversations of other programs that wait to be taken in; a daemon or `tick` does that.

To note one opens no vault: a hook that runs after every turn has no time for it.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from vaultmem.exchange import spool
from vaultmem.storage.files import Root


def note(folder: Path, transcript: str, *, session: str, agent: str = "", ended: bool) -> None:
    """Note durably that the *transcript* of a *session* waits, for the vault at *folder*.

    It is a file's absolute path; *ended* says that nothing more is to come. One that is noted
    already costs nothing. Raises Refused for what is no transcript of the person who runs this,
    and DiskRefused.
    """
    with contextlib.closing(Root(folder)) as root:
        spool.spool(root, spool.SpooledConversation(transcript, session, agent), ended=ended)
