"""Note conversations of other programs that wait to be taken in; a daemon or `tick` does that.

To note one opens no vault: a hook that runs after every turn has no time for it. One that goes on
after it was cut is taken in at once if it is short, since it is to be told what it was about.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from vaultmem.exchange import running_sessions, spool
from vaultmem.storage.files import Root


def note(folder: Path, transcript: str, *, session: str, agent: str = "", ended: bool) -> None:
    """Note durably that the *transcript* of a *session* waits, for the vault at *folder*.

    It is a file's absolute path; *ended* says that nothing more is to come. One that is noted
    already costs nothing. Raises Refused for what is no transcript of the person who runs this,
    and DiskRefused.
    """
    with contextlib.closing(Root(folder)) as root:
        spool.spool(root, spool.SpooledConversation(transcript, session, agent), ended=ended)


def note_running(folder: Path, transcript: str, *, session: str, agent: str = "") -> None:
    """Note that a *session* runs which writes down what is said at *transcript*, as `note` does.

    What its tools answer is known from then on, by that file.
    """
    with contextlib.closing(Root(folder)) as root:
        running_sessions.note(root, spool.SpooledConversation(transcript, session, agent))


def take_in(folder: Path, session: str) -> int:
    """Take in what is noted of *session*, and commit it; no daemon is needed.

    Return how many bytes of its transcript are too many to be taken in while somebody waits: then
    they are left to a daemon or `tick`. Raises Unavailable, ReadOnly and DiskRefused.
    """
    from vaultmem.api import opened_store  # noqa: PLC0415  # likewise

    with contextlib.closing(opened_store.opened(folder)) as store:
        store.sync_soon()
        if spool.drain_session(store, session).turns:
            store.writer.commit_pending()
        return spool.unread(store, session)
