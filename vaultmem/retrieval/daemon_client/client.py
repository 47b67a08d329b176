"""The client: one question, one reply, and no patience: what fails is silent and costs little."""

from __future__ import annotations

import socket
import time
from pathlib import Path

from vaultmem.errors import BadInput
from vaultmem.retrieval.daemon_client import codec, protocol, socket_path
from vaultmem.retrieval.daemon_client.codec import Malformed, Plain
from vaultmem.retrieval.daemon_client.protocol import Message
from vaultmem.retrieval.search.types import Answer, Question

_CONNECT = 0.05
_ANSWER = 5.0
"""Seconds: about what it costs to load everything oneself."""
_CHUNK = 1 << 16


def recall(vault: Path, question: Question, space: str) -> Answer | None:
    """Ask the daemon of *vault*; None when there is no answer to be had, and one asks oneself.

    *space* names the vectors to ask by: a daemon that was started to use others declines. Raises
    BadInput for a question that makes no sense.
    """
    answer = ask(vault, "recall", {"question": codec.plain(question), "space": space})
    try:
        return None if answer is None else codec.read(Answer, answer)
    except Malformed:
        return None


def is_current(vault: Path, index: int) -> bool:
    """Tell whether the daemon of *vault* says that the index equals the files as they are now.

    That is the database whose inode is *index*.
    """
    try:
        return ask(vault, "current", {}) == {"index": index}
    except BadInput:  # whoever answers takes the question for another one
        return False


def ask(vault: Path, kind: str, body: Plain) -> Plain | None:
    """Ask the daemon a question of *kind*; None and BadInput as in `recall`."""
    try:
        reply = _replied(vault, protocol.encoded(Message(kind, body)))
    except (OSError, Malformed):
        return None
    match reply:
        case Message(protocol.ANSWER, answer):
            return answer
        case Message(protocol.MISTAKE, {"why": str(why)}):
            raise BadInput(why)
    return None


def _replied(vault: Path, line: bytes) -> Message:
    if len(line) > protocol.LONGEST_REQUEST:
        raise Malformed("too long a question")
    with socket_path.connected(vault, _CONNECT) as peer:
        deadline = time.monotonic() + _ANSWER
        peer.settimeout(_ANSWER)
        peer.sendall(line)
        return protocol.decoded(_line(peer, deadline))


def _line(peer: socket.socket, deadline: float) -> bytes:
    """Return what *peer* says up to its first newline; raises OSError, or Malformed for no end."""
    line = bytearray()
    while not line.endswith(b"\n"):
        if (left := deadline - time.monotonic()) <= 0:
            raise TimeoutError
        peer.settimeout(left)
        chunk = peer.recv(_CHUNK)
        if not chunk or len(line) + len(chunk) > protocol.LONGEST_REPLY:
            raise Malformed("no line")
        line += chunk
    return bytes(line)
