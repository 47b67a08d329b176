"""A turn that another vault exported, as this one keeps it, and which turns go on with a session.

Turns keep their numbers. Each has an origin, by which it is worth an import's word, whoever spoke.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from vaultmem.documents import secrets
from vaultmem.errors import BadInput
from vaultmem.exchange.formats.types import VaultTurn
from vaultmem.exchange.importing.types import KNOWN, Settings, what_was_forgotten, why_forgotten
from vaultmem.memory import folding, sessions
from vaultmem.memory.remember import encodable, one_line, refuse_private_names, refuse_secrets
from vaultmem.records import iso, moment, names
from vaultmem.storage import forgotten_passages
from vaultmem.storage.tombstones import MARK, Tombstone, Tombstones
from vaultmem.storage.transcripts import ROLES, Turn

DIFFERS = "its session says something else here, or went on: what is here stays"
TOOL_DIFFERS = "what its tool said is not here, or otherwise: what is here stays"
MISSING = "the turns before it are not here"


def made(it: VaultTurn, settings: Settings) -> VaultTurn:
    """Return the turn as it would be kept here; raises SecretFound, and BadInput for none."""
    said = it.turn
    if said.role not in ROLES:
        raise BadInput(f"the role of a turn is one of {', '.join(ROLES)}")
    refuse_private_names(it.session, said.origin)
    session, speaker = one_line(it.session, "session"), one_line(said.speaker, "speaker")
    tool, origin = one_line(said.tool, "tool"), one_line(said.origin, "origin")
    where = f"turn {it.number}"
    content = secrets.strip_private(said.content)
    if settings.redact:
        content = secrets.redact(content)
    refuse_secrets(where, content, session, speaker, tool, origin)
    if not session or not encodable(content):
        raise BadInput(f"{where} has no session, or holds half a character")
    says_more = content not in {"", sessions.ended(said.at).content}
    if not origin or (origin == folding.ENDED and says_more):
        origin = f"{folding.EXPORTED}{session}/{it.number}"
    at, since = (iso(moment(it)) if it else "" for it in (said.at, said.since))
    turn = Turn(said.role, content, speaker, at, tool, origin, since=since)
    return VaultTurn(settings.agent_of(it.agent), session, it.number, turn)


@dataclass(frozen=True, slots=True)
class GoneOn:
    """The turns that a session goes on with, why others are left out, and where.

    *remarks* say what is left out of those.
    """

    turns: list[Turn] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[tuple[str, str]] = field(default_factory=list)


def decide(
    held: Sequence[Turn],
    arrived: Iterable[tuple[VaultTurn, str]],
    forgotten: Tombstones,
    owner: str = "",
) -> GoneOn:
    """Return what becomes of the turns that *arrived*, each with its place, where some are *held*.

    *owner* is whose vault it is. Of what was forgotten the turn stays, without those words: the
    next ones keep their numbers.
    """
    here, made, is_other = list(held), GoneOn(), False
    for new, where in arrived:
        turn, remark = new.turn, ""
        own = forgotten.of_speaker(turn.speaker, owner)
        if stone := _by_name(new, forgotten) or _forgotten(new, own):
            left = "" if _by_name(new, forgotten) else _left(new, own)
            turn = replace(turn, content=left)
            remark = what_was_forgotten(stone) if turn.content else ""
            made.skipped.extend([] if remark else [(why_forgotten(stone), where)])
        if new.number <= len(here):
            there = here[new.number - 1]
            is_other = is_other or not _is_same(there, turn)
            made.skipped.append((DIFFERS if is_other else _why_known(there, turn), where))
        elif is_other or new.number > len(here) + 1:
            made.skipped.append((DIFFERS if is_other else MISSING, where))
        else:
            here.append(turn)
            made.turns.append(turn)
            made.remarks.extend([(remark, where)] if remark else [])
    return made


def _is_same(here: Turn, there: Turn) -> bool:
    """Tell whether both are one turn; a tool's words, or what was forgotten, may be missing."""
    named = [(turn.role, turn.speaker, turn.at, turn.tool) for turn in (here, there)]
    may_lack = here.role == "tool" or _lacks_words(there)
    return named[0] == named[1] and (may_lack or here.content == there.content)


def _why_known(here: Turn, there: Turn) -> str:
    is_known = _lacks_words(there) or there.content == here.content
    return KNOWN if is_known else TOOL_DIFFERS


def _lacks_words(turn: Turn) -> bool:
    return not turn.content or MARK in turn.content


def _by_name(new: VaultTurn, forgotten: Tombstones) -> Tombstone | None:
    """Return what says that it is forgotten by its own name, or its speaker's."""
    turn = new.turn
    if not forgotten.all or not turn.content:
        return None
    named = names({"speaker": turn.speaker})
    return forgotten.of(*named, agent=new.agent, origin=turn.origin)


def _left(new: VaultTurn, forgotten: Tombstones) -> str:
    """Return what is left of its words."""
    return forgotten_passages.without(new.turn.content, forgotten, rows=True)


def _forgotten(new: VaultTurn, forgotten: Tombstones) -> Tombstone | None:
    said = new.turn.content
    return forgotten.of_any(said, new.agent) if forgotten.all and said else None
