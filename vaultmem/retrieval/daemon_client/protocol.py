"""What goes over the wire: one line of JSON each way, with the versions of who speaks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final, NoReturn

from vaultmem.retrieval.daemon_client.codec import Malformed, Plain
from vaultmem.version import __version__

VERSION = 1
LONGEST_REQUEST = 1 << 18
"""Bytes: the longest query that recall takes, however JSON spells it, and room for its scope."""
LONGEST_REPLY = 1 << 23
"""Bytes: a context of some million tokens."""

ANSWER: Final = "answer"
MISTAKE: Final = "mistake"
"""The question makes no sense as it stands, whoever is asked; `why` says why."""
DECLINED: Final = "declined"
"""Whoever asks had better do it himself."""


@dataclass(frozen=True, slots=True)
class Message:
    """A question or a reply: of which kind it is, and what it says."""

    kind: str
    said: Plain


def encoded(message: Message) -> bytes:
    """Return *message* as its line; raises ValueError or TypeError for what JSON cannot say."""
    spoken = {
        "protocol": VERSION, "program": __version__, "kind": message.kind, "said": message.said
    }  # fmt: skip
    return json.dumps(spoken, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def decoded(line: bytes) -> Message:
    """Return the message that *line* is; raises Malformed, and so for any other version's."""
    try:
        found = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError) as e:
        raise Malformed("no line of JSON") from e
    match found:
        case {"protocol": int(protocol), "program": str(program), "kind": str(kind),
              "said": dict(said), **rest} if not rest:  # fmt: skip
            if (protocol, program) != (VERSION, __version__):
                raise Malformed(f"vaultmem {program}, this is {__version__}")
            return Message(kind, said)
    raise Malformed("no message")


def _no_number(name: str) -> NoReturn:
    raise Malformed(f"{name} is no number")
