"""Answer the questions of other processes with a vault that stays open and what it has loaded.

A line in, a line out; see `socket_server` for how they come.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Mapping

from vaultmem.api.vault import Vault
from vaultmem.documents import public_text
from vaultmem.errors import BadInput, VaultError
from vaultmem.retrieval.daemon_client import codec, protocol
from vaultmem.retrieval.daemon_client.codec import Malformed, Plain
from vaultmem.retrieval.daemon_client.protocol import Message
from vaultmem.retrieval.search.types import Question

_log = logging.getLogger(__name__)
_MEND = (VaultError, OSError)
"""What may go wrong with an answer and not with the next one, from a vault opened anew."""

Handler = Callable[[Vault, Plain], Plain]
"""Answers what was said. Raises BadInput for what makes no sense, Malformed for what is no question
of its kind, Declined for what somebody else answers better.
"""


class Declined(VaultError):
    """Whoever asks had better do it himself."""


def _space(vault: Vault) -> str | None:
    """Return the space that questions are embedded in here, None when our settings cannot be."""
    try:
        return vault.space
    except BadInput:  # whoever asks has settings of his own
        return None


def _recall(vault: Vault, said: Plain) -> Plain:
    asked = codec.read(Question, said.get("question"))
    if said.get("space") != (space := _space(vault)):
        raise Declined(f"to be asked by {said.get('space')!r}, here is {space!r}")
    # As a command does at its start: what was changed in place shows in no folder's time.
    if not vault.store.index.is_current():
        vault.store.sync()
    return codec.plain(vault.recall_here(asked))


def _current(vault: Vault, _said: Plain) -> Plain:
    if not vault.store.index.is_current():
        raise Declined("only a look at the files tells whether the index equals them")
    return {"index": vault.store.index.inode}


HANDLERS: Mapping[str, Handler] = {
    "ping": lambda _vault, _said: {}, "recall": _recall, "current": _current
}  # fmt: skip


class Answerer:
    """Replies to lines, by *handlers*, with a vault that is opened when it is first asked.

    It stays in one thread: a database is its thread's.
    """

    def __init__(
        self,
        open_vault: Callable[[], Vault],
        handlers: Mapping[str, Handler] = HANDLERS,
        is_current: Callable[[Vault], bool] = lambda _: False,
    ) -> None:
        """Answer about the vault that *open_vault* opens.

        *is_current* makes its index equal to its files where it needs no look at them for that.
        """
        self._open, self._handlers, self._is_current = open_vault, handlers, is_current
        self._vault: Vault | None = None

    def reply(self, line: bytes) -> bytes:
        """Return the line that answers *line*, whatever it says."""
        try:
            asked = protocol.decoded(line)
            answer = Message(protocol.ANSWER, self._answered(asked))
        except BadInput as e:
            answer = Message(protocol.MISTAKE, {"why": public_text.shown(str(e))})
        except (Malformed, *_MEND) as e:
            _log.debug("declined: %s", e)
            answer = Message(protocol.DECLINED, {})
        return protocol.encoded(answer)

    def _answered(self, asked: Message) -> Plain:
        handler = self._handlers.get(asked.kind)
        if handler is None:
            raise Malformed(f"nothing is known of {asked.kind!r}")
        self._vault = self._vault or self._opened()
        try:
            return handler(self._vault, asked.said)
        except BadInput:
            raise
        except _MEND:  # its settings may have changed since, or its workings are gone
            self.close()
            raise

    def _opened(self) -> Vault:
        vault = self._open()
        vault.store.index.is_current = lambda: self._is_current(vault)  # it would ask itself
        return vault

    def close(self) -> None:
        """Give back what is held open; the next question opens it anew."""
        if self._vault:
            self._vault.close()
            self._vault = None
            gc.collect()  # a closed vault is a ring of objects, and a quiet process frees it late
