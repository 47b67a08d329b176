"""Operations as sentences: what a commit's subject says, in the words of a person."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_SUBJECT = re.compile(r"(?P<kind>[a-z][a-z -]*?)(?:\((?P<who>[^()]*)\))?: (?P<rest>.*)", re.DOTALL)

_SENTENCES: Mapping[str, Callable[[str, str], str]] = {
    "remember": lambda who, what: f"{who or 'Somebody'} remembered: {what}",
    "import": lambda who, what: f"Imported {what}" + (f" for {who}" if who else ""),
    "compact": lambda who, what: f"Summarized for {who}: {what}",
    "fold": lambda who, what: f"Told what {who}'s sessions came to: {what}",
    "correct": lambda who, what: f"{who or 'Somebody'} corrected: {what}",
    "forget": lambda _, what: f"Forgot {what}",
    "dream": lambda _, what: f"Applied {what} of a dream",
    "plan a dream": lambda _, what: f"Dreamt up {what}",
    "review a dream": lambda _, what: f"Reviewed a dream: {what}",
    "review": lambda _, what: f"Reviewed: {what}",
    "task": lambda verb, what: _of_task(verb, *what.partition(" ")[::2]),
    "edit": lambda who, what: f"{_by(who)} edited {what}",
    "write": lambda who, what: f"{_by(who)} wrote {what}",
    "rename": lambda who, what: f"{_by(who)} renamed {what}",
    "human": lambda _, what: f"Edited by hand: {what}",
    "undo": lambda _, what: f"Took back: {sentence(what)}",
    "init": lambda _, __: "The vault began",
    "topic": lambda _, what: f"Updated the topic {what}",
    "card": lambda _, what: f"Updated the card {what}",
    "session": lambda who, what: f"Kept where {who}'s session stands: {what}",
    "turns": lambda _, what: f"Kept {what}",
    "turn": lambda who, what: f"{who} talked: {what}",
    "sync": lambda _, what: f"Synced: {what}",
    "repair": lambda _, what: f"Repaired {what}",
    "index": lambda _, what: f"Brought {what.removeprefix('index: ')} up to date",
    "accept": lambda _, what: f"Accepted {what}",
    "adopt": lambda who, what: f"Adopted for {who}: {what}",
    "archive": lambda _, what: f"Archived {what}",
    "unarchive": lambda _, what: f"Brought back from the archive: {what}",
}


def _of_task(verb: str, number: str, about: str) -> str:
    return f"New task: {about}" if verb == "create" else f"Task {number}: {about.replace('_', ' ')}"


def _by(who: str) -> str:
    return "You" if who == "person" else who or "Somebody"


def sentence(subject: str) -> str:
    """Return what the *subject* of a commit says, as a sentence; as it is when it is not ours."""
    found = _SUBJECT.fullmatch(subject)
    say = _SENTENCES.get(found["kind"]) if found else None
    if not found or say is None:
        return subject
    return say(found["who"] or "", found["rest"])


def kind(subject: str) -> str:
    """Return what kind of operation a subject is of: `compact`, `dream`, `hand` for people's."""
    found = _SUBJECT.fullmatch(subject)
    if not found or found["kind"] not in _SENTENCES or found["kind"] == "human":
        return "hand"
    return found["kind"].split(" ", maxsplit=1)[0]
