"""See to it that what a dream changes keeps its trust: no words of one become another's.

Whatever a change touches or rests on is its source. A note is changed by what has its trust, or
more, and a fact moves only between notes that have the same; an index has an agent's, whoever
wrote it. What a card says has a source of its own for each fact, so that no line comes in beside
it, which would read as a person's, and none goes that the card needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from vaultmem.errors import Unreadable
from vaultmem.knowledge.cards import parser
from vaultmem.knowledge.cards.parser import Card
from vaultmem.knowledge.cards.types import HAND, REQUIRED
from vaultmem.maintenance.dream import loss_check
from vaultmem.maintenance.dream.types import Lines, Note, Proposal
from vaultmem.records import SCAFFOLDING, TRUST, TRUST_OF_SOURCE

ToolOf = Callable[..., str]
"""Names the tool that said one of some texts, "" where none did."""


def nobodys(*_: str) -> str:
    """Say of no text that a tool said it."""
    return ""


def may_take(home: Note, source: Note) -> bool:
    """Tell whether a fact of *source* may become one of *home*: it keeps its trust there."""
    is_card = "card" in {home.record.type, source.record.type}
    return not is_card and _guarded(home) == _given(source)


def refusal(
    proposal: Proposal, before: Mapping[str, Note], after: Mapping[str, Note], tool_of: ToolOf
) -> str:
    """Return why *proposal* would give somebody's words another's trust, in a clause; "" if not.

    *before* are all notes as they are, *after* those that it leaves behind changed.
    """
    sources = {path: before[path] for path in _named(proposal) if path in before}
    for path, note in after.items():
        if why := _of_card(before.get(path), note):
            return why
        if path in before and loss_check.of_note(before[path]) == loss_check.of_note(note):
            continue
        # What is new has claimed no trust before, so that it is worth what it is believed.
        most = _guarded(before[path]) if path in before else _given(note)
        if less := next((p for p, it in sources.items() if p != path and _given(it) < most), ""):
            return f"{path} has more trust than {less}: neither takes the other's words"
    if proposal.op == "move" and (tool := tool_of(*_taken(proposal))):
        return f"{tool} said this: what a tool says is moved nowhere"
    return ""


def _named(proposal: Proposal) -> dict[str, None]:
    """Return what a change touches and rests on, once each."""
    return dict.fromkeys((*proposal.paths, *proposal.sources))


def _taken(proposal: Proposal) -> Iterator[str]:
    """Yield the lines that a change takes from where they stand."""
    for edit in proposal.edits:
        if isinstance(edit, Lines):
            yield from (line for line in edit.old if line.strip() and line not in edit.new)


def _given(note: Note) -> int:
    """Return the rank of the trust that a note's words have."""
    rank = TRUST.index(note.record.trust) if note.record.trust in TRUST else 0
    return min(rank, _AGENT) if note.path in SCAFFOLDING else rank


def _guarded(note: Note) -> int:
    """Return the rank of the trust that a note has, or claims: believed or not, it keeps out."""
    claimed = "" if note.path in SCAFFOLDING else note.record.claimed
    return max(_given(note), TRUST.index(claimed) if claimed in TRUST else 0)


_AGENT = TRUST.index(TRUST_OF_SOURCE["agent"])


def _of_card(was: Note | None, note: Note) -> str:
    """Return what a change would make of a card that it may not, "" for nothing."""
    if was is None or note.record.type != "card":
        return ""
    try:
        old, new = _card(was), _card(note)
    except Unreadable as e:
        return str(e)
    if lacking := [it for it in REQUIRED if it in old.attributes and it not in new.attributes]:
        return f"{note.path} needs its {lacking[0]}"
    if any(_is_by_hand(new, it) and not _is_by_hand(old, it) for it in new.attributes):
        return f"what is said in {note.path} would read as written by hand"
    return ""


def _card(note: Note) -> Card:
    return parser.read(note.path, note.eol.join((*note.lines, "")).encode())


def _is_by_hand(card: Card, field: str) -> bool:
    mark = card.marks.get(field)
    return mark is not None and HAND in mark.sources
