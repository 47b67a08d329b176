"""One hook called: JSON in, JSON or nothing out; whatever fails, the session goes on.

A hook that fails can stop a session, or take a prompt from a person. So nothing is raised here:
what went wrong goes into the vault's `.vaultmem/hooks.log`, without a word of what was said.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path

from vaultmem.api import location, spool
from vaultmem.api.rendering import public_text
from vaultmem.config import agent_name
from vaultmem.errors import BadInput, VaultError
from vaultmem.integrations.claude_code import context
from vaultmem.records import Clock, iso, utc_now, visible

EVENTS = ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd")
"""Those that the plugin asks for; of any other there is nothing to do."""

LOG = ".vaultmem/hooks.log"
_MOST = 64 * 1024
_LONGEST = 400
_TAKEN_UP = frozenset({"compact", "resume"})
_MISHAPS = (VaultError, OSError, ValueError)
"""What may go wrong with a hook: the vault, the disk, the index, what was said."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the *event*, what was *said* on stdin, the vault and the agent that are meant.

    *program* is what a shell of the session calls vaultmem by.
    """

    event: str
    said: bytes
    vault: str = ""
    agent: str = ""
    program: str = "vaultmem"


@dataclass(frozen=True, slots=True)
class HookInput:
    """What Claude Code says of an event, as far as it is of use; empty is what it did not say."""

    session_id: str = ""
    transcript_path: str = ""
    cwd: str = ""
    source: str = ""
    prompt: str = ""


def _read(said: bytes) -> HookInput:
    """Read the input of a hook; raises BadInput for what is no JSON object."""
    try:
        raw = json.loads(said)
    except (ValueError, RecursionError) as e:
        raise BadInput("the hook's input is not JSON") from e
    if not isinstance(raw, dict):
        raise BadInput("the hook's input is not a JSON object")
    names = [field.name for field in fields(HookInput)]
    return HookInput(**{name: raw[name] for name in names if isinstance(raw.get(name), str)})


def run(call: Call, clock: Clock = utc_now) -> str:
    """Return what the hook prints, "" for nothing; raises nothing that a vault can raise.

    The vault is the one that is named, else the nearest above the folder the session works in.
    """
    event = HookInput()
    why = ""
    try:
        event = _read(call.said)
        if call.agent:
            agent_name(call.agent)
    except VaultError as e:
        why = str(e)
    try:
        folder = location.find(Path(call.vault or event.cwd or ".").expanduser())
    except (VaultError, OSError, RuntimeError, ValueError):  # no vault: nobody to serve
        return ""
    if not why:
        try:
            return _answer(call, event, folder)
        except _MISHAPS as e:
            # An error over a prompt may quote it.
            why = type(e).__name__ + ("" if call.event == "UserPromptSubmit" else f": {e}")
    log(folder, call.event, public_text(why), clock())
    return ""


def _answer(call: Call, event: HookInput, folder: Path) -> str:
    """Do what is to be done at an event; return what the hook prints."""
    _note_running(call, event, folder)
    match call.event:
        case "SessionStart":
            session = event.session_id if event.source in _TAKEN_UP else ""
            untaken = ""
            if session and event.transcript_path:
                untaken = _take_in(call, event, folder)
            text = context.at_start(folder, session, call.agent, call.program, untaken)
        case "UserPromptSubmit":
            text = context.to_prompt(folder, event.prompt, event.session_id, call.agent)
        case "PreCompact" | "Stop" | "SessionEnd" if event.transcript_path:
            _note(call, event, folder)
            return ""
        case _ if why := unanswered(call.event):
            raise BadInput(why)
        case _:
            return ""
    answer = {"hookSpecificOutput": {"hookEventName": call.event, "additionalContext": text}}
    return json.dumps(answer) if text else ""


def _note_running(call: Call, event: HookInput, folder: Path) -> None:
    """Let what tools answer in the session be known while it runs, wherever its program says so."""
    if call.event not in EVENTS or not (event.transcript_path and event.session_id):
        return
    # A session that just began has none yet, and is noted with its first prompt.
    with contextlib.suppress(*_MISHAPS):
        spool.note_running(
            folder, event.transcript_path, session=event.session_id, agent=call.agent
        )


def unanswered(event: str) -> str:
    """Say that an *event* of this name is none that is answered, "" for one that is."""
    named = ", ".join(EVENTS)
    return "" if event in EVENTS else f"no event {event!r} is answered; there are: {named}"


def _note(call: Call, event: HookInput, folder: Path) -> None:
    spool.note(
        folder, event.transcript_path, session=event.session_id, agent=call.agent,
        ended=call.event != "Stop",
    )  # fmt: skip


def _take_in(call: Call, event: HookInput, folder: Path) -> str:
    """Take in the session that goes on; return its transcript if that could not be done at once.

    Where it is no transcript of ours the session is told of what was known before.
    """
    noted = ""
    try:
        _note(call, event, folder)
        noted = event.transcript_path
        left = spool.take_in(folder, event.session_id)
    except _MISHAPS as e:
        why = public_text(f"{type(e).__name__}: {e}")
    else:
        if not left:
            return ""
        why = f"{left / 1e6:.1f} MB of the session wait for the daemon or `tick`: its end was told"
    log(folder, call.event, why, utc_now())
    return noted


# --- the log: what went wrong, when, and never a word of what was said -------------------------


def log(vault: Path, event: str, why: str, now: datetime) -> None:
    """Add a line to the log; a long one begins anew, its last part kept in `hooks.log.1`."""
    line = f"{iso(now)} {event} {' '.join(visible(why).split())}"[:_LONGEST]
    # Where the disk is full there is nobody left to tell.
    with contextlib.suppress(OSError, UnicodeError):
        with contextlib.suppress(FileNotFoundError):
            if (vault / LOG).stat(follow_symlinks=False).st_size > _MOST:
                (vault / LOG).replace(vault / f"{LOG}.1")
        fd = os.open(vault / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            os.write(fd, f"{line}\n".encode())
        finally:
            os.close(fd)
