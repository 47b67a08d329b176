"""Replies kept on disk, so that who was killed after a call goes on without a second one."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

from vaultmem.errors import BadInput
from vaultmem.models.providers import Model, Reply, Request
from vaultmem.records import Clock, iso, moment
from vaultmem.storage.files import private_file

FOLDER = "answers"
_LONGEST = timedelta(hours=24)

_log = logging.getLogger(__name__)


class Kept:
    """A Model that keeps the replies of another for a day, in *folder*."""

    def __init__(self, inner: Model, folder: Path, clock: Clock) -> None:
        """Wrap *inner*."""
        # The model as it was named: an empty one stands for whichever is found, on every start.
        self.name, self.model = inner.name, inner.model
        self._inner, self._folder, self._clock = inner, folder, clock

    def complete(self, request: Request) -> Reply:
        """Answer *request*, from what is kept if it can be; raises as the other Model does."""
        path = self._path(request)
        if kept := self._read(path):
            return kept
        reply = self._inner.complete(request)
        self._keep(path, reply)
        return reply

    def clear(self) -> None:
        """Forget all replies: what they were for is done."""
        for path in self._paths():
            _remove(path)

    def forget_old(self) -> None:
        """Remove the replies that are older than a day, or damaged."""
        for path in self._paths():
            self._read(path)

    def _paths(self) -> Iterator[Path]:
        return self._folder.glob("*.json")

    def _path(self, request: Request) -> Path:
        key = json.dumps([self.name, self.model, asdict(request)], sort_keys=True)
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"

    def _read(self, path: Path) -> Reply | None:
        """Return the reply at *path*; one that is old or damaged is removed."""
        if not (data := private_file.read(path)):
            return None
        try:
            raw = json.loads(data)
            if abs(self._clock() - moment(raw["at"])) <= _LONGEST:
                return _reply(raw["reply"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, BadInput):
            _log.debug("%s is damaged, it is removed", path)
        _remove(path)
        return None

    def _keep(self, path: Path, reply: Reply) -> None:
        data = json.dumps({"at": iso(self._clock()), "reply": asdict(reply)})
        try:
            private_file.write(path, data.encode())
        except OSError as e:  # the reply is there, and was paid for
            _log.warning("%s: %s; an answer could not be kept", path, e.strerror or e)


def _reply(raw: dict[str, object]) -> Reply:
    match raw:
        case {
            "text": str(text), "model": str(model), "input_tokens": int(input_tokens),
            "output_tokens": int(output_tokens), "ended": ("done" | "length" | "refusal") as ended,
        }:  # fmt: skip
            return Reply(text, model, input_tokens, output_tokens, ended)
    raise ValueError("no reply")


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
