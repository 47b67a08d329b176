"""The client: one question, one reply, and no patience: what fails is silent and costs little."""

from __future__ import annotations

import socket
import time
from pathlib import Path

from vaultmem.errors import BadInput
from vaultmem.recall.model import Answer, Question
from vaultmem.warm import address, lines, values
from vaultmem.warm.lines import Message
from vaultmem.warm.values import Malformed, Plain

_CONNECT = 0.05
_ANSWER = 5.0
"""Seconds: about what it costs to load everything oneself."""
_CHUNK = 1 << 16


def recall(vault: Path, asked: Question, space: str) -> Answer | None:
    """Ask the daemon of *vault*; None when there is no answer to be had, and one asks oneself.

    *space* names the vectors to ask by: a daemon that was started to use others declines. Raises
    BadInput for a question that makes no sense.
    """
    said = ask(vault, "recall", {"question": values.plain(asked), "space": space})
    try:
        return None if said is None else values.read(Answer, said)
    except Malformed:
        return None


def ask(vault: Path, kind: str, said: Plain) -> Plain | None:
    """Ask the daemon of *vault* a question of *kind*: `ping`, `recall`, `context`.

    Returns None when there is no answer to be had. Raises BadInput for a question that makes no
    sense.
    """
    try:
        reply = _replied(vault, lines.encoded(Message(kind, said)))
    except (OSError, Malformed):
        return None
    match reply:
        case Message(lines.ANSWER, answer):
            return answer
        case Message(lines.MISTAKE, {"why": str(why)}):
            raise BadInput(why)
    return None


def _replied(vault: Path, line: bytes) -> Message:
    if len(line) > lines.LONGEST_REQUEST:
        raise Malformed("too long a question")
    with address.connected(vault, _CONNECT) as peer:
        deadline = time.monotonic() + _ANSWER
        peer.settimeout(_ANSWER)
        peer.sendall(line)
        return lines.decoded(_line(peer, deadline))


def _line(peer: socket.socket, deadline: float) -> bytes:
    """Return what *peer* says up to its first newline; raises OSError, or Malformed for no end."""
    heard = bytearray()
    while not heard.endswith(b"\n"):
        if (left := deadline - time.monotonic()) <= 0:
            raise TimeoutError
        peer.settimeout(left)
        chunk = peer.recv(_CHUNK)
        if not chunk or len(heard) + len(chunk) > lines.LONGEST_REPLY:
            raise Malformed("no line")
        heard += chunk
    return bytes(heard)
