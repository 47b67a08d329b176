"""One hook called: JSON in, JSON or nothing out; whatever fails, the session goes on.

A hook that fails can stop a session, or take a prompt from a person. So nothing is raised here:
what went wrong goes into the vault's `.vaultmem/hooks.log`, without a word of what was said.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from vaultmem.api import location, spool
from vaultmem.api.rendering import public_text
from vaultmem.config import agent_name
from vaultmem.errors import VaultError
from vaultmem.integrations.claude_code.types import HookInput, read_input
from vaultmem.records import Clock, iso, utc_now, visible

EVENTS = ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd")
"""Those that the plugin asks for; of any other there is nothing to do."""

LOG = ".vaultmem/hooks.log"
_MOST = 64 * 1024
_LONGEST = 400
_MISHAPS = (VaultError, OSError, ValueError)
"""What may go wrong with a hook: the vault, the disk, the index, what was said."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the *event*, what was *said* on stdin, the vault and the agent that are meant."""

    event: str
    said: bytes
    vault: str = ""
    agent: str = ""


def run(call: Call, clock: Clock = utc_now) -> str:
    """Return what the hook prints, "" for nothing; raises nothing that a vault can raise.

    The vault is the one that is named, else the nearest above the folder the session works in.
    """
    told = HookInput()
    why = ""
    try:
        told = read_input(call.said)
        if call.agent:
            agent_name(call.agent)
    except VaultError as e:
        why = str(e)
    try:
        folder = location.find(Path(call.vault or told.cwd or ".").expanduser())
    except (VaultError, OSError, RuntimeError, ValueError):  # no vault: nobody to serve
        return ""
    if not why:
        try:
            return _STEPS.get(call.event, _nothing)(call, told, folder)
        except _MISHAPS as e:
            why = _log_text(call.event, e)
    note(folder, call.event, public_text(why), clock())
    return ""


def _log_text(event: str, error: Exception) -> str:
    """Return what to log; an error over a prompt may quote it."""
    name = type(error).__name__
    return name if event == "UserPromptSubmit" else f"{name}: {error}"


# --- what each event does ---------------------------------------------------------------------


def _nothing(_call: Call, _told: HookInput, _folder: Path) -> str:
    return ""


def _start(call: Call, told: HookInput, folder: Path) -> str:
    from vaultmem.integrations.claude_code import context  # noqa: PLC0415  # who only notes opens no vault

    return _answer(call.event, context.at_start(folder, told, call.agent))


def _prompt(call: Call, told: HookInput, folder: Path) -> str:
    from vaultmem.integrations.claude_code import context  # noqa: PLC0415  # likewise

    return _answer(call.event, context.to_prompt(folder, told, call.agent))


def _answer(event: str, text: str) -> str:
    said = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    return json.dumps(said) if text else ""


def _note_open(call: Call, told: HookInput, folder: Path) -> str:
    return _spool(call, told, folder, ended=False)


def _note_ended(call: Call, told: HookInput, folder: Path) -> str:
    return _spool(call, told, folder, ended=True)


def _spool(call: Call, told: HookInput, folder: Path, *, ended: bool) -> str:
    if told.transcript_path:
        spool.note(
            folder, told.transcript_path, session=told.session_id, agent=call.agent, ended=ended
        )
    return ""


_STEPS: Mapping[str, Callable[[Call, HookInput, Path], str]] = {
    "SessionStart": _start,
    "UserPromptSubmit": _prompt,
    "PreCompact": _note_ended,
    "Stop": _note_open,
    "SessionEnd": _note_ended,
}


# --- the log: what went wrong, when, and never a word of what was said -------------------------


def note(vault: Path, event: str, why: str, now: datetime) -> None:
    """Add a line to the log; a long one begins anew, its last part kept in `hooks.log.1`."""
    line = f"{iso(now)} {event} {' '.join(visible(why).split())}"[:_LONGEST]
    # Where the disk is full there is nobody left to tell.
    with contextlib.suppress(OSError, UnicodeError):
        _turn_over(vault / LOG)
        fd = os.open(vault / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            os.write(fd, f"{line}\n".encode())
        finally:
            os.close(fd)


def _turn_over(log: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        if log.stat(follow_symlinks=False).st_size > _MOST:
            log.replace(log.with_name(f"{log.name}.1"))
