"""`session` and `fold`: conversations turn by turn, and what they come to."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from vaultmem.cli import output
from vaultmem.cli.output import count
from vaultmem.cli.remember import stdin

if TYPE_CHECKING:
    from vaultmem.api.types import PromptPlace, SavedTurn, Session, SessionCompact

_STDIN = "-"
_agent = output.agent("The agent whose session it is.")


@click.group(cls=output.Group)
@output.common
def session() -> None:
    """Keep conversations turn by turn, and resume them."""


@session.command()
@output.common
@click.argument("name", required=False, default="")
@_agent
def start(name: str, agent: str) -> None:
    """Start or resume the session NAME: print where it stands.

    Without NAME it is named after the time. Its file is created with the first turn.
    """
    with output.vault() as vault:
        made = vault.start_session(name, agent=agent)
    result = {
        "session": made.transcript.session,
        "path": made.transcript.path,
        "resumed": bool(made.transcript.turns),
        **_shown(made),
    }
    output.out(result, lambda: _print_start(made))


def _print_start(made: Session) -> None:
    turns = len(made.transcript.turns)
    state = f"taken up at turn {turns}" if turns else "new"
    output.say(f"session {made.transcript.session}: {state}")
    _print_session(made)


@session.command()
@output.common
@click.argument("text", nargs=-1, required=True)
@click.option("--session", "name", required=True, help="The session's name.")
@_agent
@click.option("--role", default="user", show_default=True, help="user, assistant, tool or system.")
@click.option("--speaker", default="", help="The name of who said it.")
@click.option("--tool", default="", help="The tool, if it is a tool's result.")
@click.option("--tokens", type=click.IntRange(0), default=0,
              help="Size of the agent's context as last counted by the provider.")  # fmt: skip
@click.option("--phase", is_flag=True, help="A phase of the work ends with this turn.")
@click.option("--redact", is_flag=True, help="Blank out secrets instead of refusing the text.")
def turn(  # noqa: PLR0913
    text: tuple[str, ...], name: str, agent: str, role: str, speaker: str, tool: str,
    tokens: int, *, phase: bool, redact: bool,
) -> None:  # fmt: skip
    """Add TEXT to a session as its next turn; - reads it from standard input."""
    content = stdin() if text == (_STDIN,) else " ".join(text)
    with output.vault() as vault:
        made = vault.say(
            name, content, role=role, agent=agent, speaker=speaker, tool=tool, tokens=tokens,
            phase=phase, redact=redact,
        )  # fmt: skip
    output.wrote(_turn_fields(made), lambda: _print_turn(made), content)


@session.command()
@output.common
@click.argument("name")
@_agent
def end(name: str, agent: str) -> None:
    """End the session NAME; its remaining turns become an episode."""
    with output.vault() as vault:
        made = vault.end_session(name, agent=agent)
    output.out(_turn_fields(made), lambda: output.say(f"{made.session} ended at turn {made.turn}"))


def _turn_fields(made: SavedTurn) -> dict[str, object]:
    facts = asdict(made)
    return {**facts, "due": facts["due"] or None}


def _print_turn(made: SavedTurn) -> None:
    output.say(f"turn {made.turn} of {made.session}, about {made.tokens} tokens")
    if made.due:
        output.say(f"its compact is due ({made.due}): `vaultmem session compact {made.session}`")


@session.command()
@output.common
@click.argument("name", required=False, default="")
@_agent
@click.option("--turn", "number", type=click.IntRange(1), help="Show only this turn, in full.")
@click.option(
    "--window", is_flag=True, help="Show where it stands: episodes, compact and newest turns."
)
def show(name: str, agent: str, number: int | None, *, window: bool) -> None:
    """Show the session NAME turn by turn, or list all sessions."""
    if not name:
        _list(agent)
        return
    with output.vault() as vault:
        found = vault.session(name, agent=agent)
    if number is not None:
        _show_turn(found, number)
    elif window:
        output.out(_shown(found), lambda: _print_session(found))
    else:
        _show_all(found)


def _list(agent: str) -> None:
    with output.vault() as vault:
        found = vault.sessions(agent)
    rows = [_row(s) for s in found]
    columns = ("session", "agent", "turns", "episodes", "over", "last")
    output.out(
        {"sessions": rows},
        lambda: (
            output.table(columns, [[row[c] for c in columns] for row in rows])
            if rows
            else output.say(
                "no sessions yet: `vaultmem session turn TEXT --session NAME` makes one"
            )
        ),
    )


def _row(it: Session) -> dict[str, object]:
    turns = it.transcript.turns
    return {
        "session": it.transcript.session,
        "agent": it.transcript.agent,
        "path": it.transcript.path,
        "turns": len(turns),
        "episodes": len(it.episodes),
        "compacted_at_turn": it.compact.compacted_at_turn if it.compact else None,
        "over": it.over,
        "last": output.minute(turns[-1].at) if turns else "-",
    }


def _show_turn(found: Session, number: int) -> None:
    from vaultmem.errors import BadInput

    turns = found.transcript.turns
    if number > len(turns):
        raise BadInput(f"{found.transcript.session} has {count(len(turns), 'turn')}, not {number}")
    one = turns[number - 1]
    output.out({"turn": number, **asdict(one)}, lambda: output.say(one.content))


def _show_all(found: Session) -> None:
    turns = [{"turn": n, **asdict(t)} for n, t in enumerate(found.transcript.turns, 1)]
    result = {
        "session": found.transcript.session, "path": found.transcript.path,
        "turns": len(turns), "transcript": turns,
    }  # fmt: skip

    def print_turns() -> None:
        for n, it in enumerate(found.transcript.turns, 1):
            who = it.speaker or (f"{it.role} {it.tool}" if it.tool else it.role)
            output.say(f"{n:>4}  {output.minute(it.at)}  {who}: {it.content}")

    output.out(result, print_turns)


def _shown(found: Session) -> dict[str, object]:
    from vaultmem.api.rendering import session_compact_json

    newest = enumerate(found.window, found.first)
    return {
        "compact": session_compact_json(found.compact) if found.compact else None,
        "episodes": [{"path": e.path, "title": e.title, "turn_range_start": e.turn_start,
                      "turn_range_end": e.turn_end} for e in found.episodes],
        "window": [{"turn": n, **asdict(t)} for n, t in newest],
    }  # fmt: skip


def _print_session(found: Session) -> None:
    for it in found.episodes:
        output.line(f"turns {it.turn_start} to {it.turn_end}: {it.title} ({it.path})")
    if found.compact:
        output.say(f"compacted at turn {found.compact.compacted_at_turn}: {found.compact.task}")
    for n, turn in enumerate(found.window, found.first):
        if turn.content:
            output.say(f"{n:>4}  {turn.speaker or turn.tool or turn.role}: {turn.content}")


@session.command()
@output.common
@click.argument("name")
@_agent
def compact(name: str, agent: str) -> None:
    """Record where the running session NAME stands, to resume it; for episodes see `fold`.

    The previous compact is merged in.
    """
    from vaultmem.api.rendering import session_compact_json

    with output.vault() as vault:
        done, commit = vault.compact_session(name, agent=agent)
    result = {
        **session_compact_json(done.made.value), "session": done.session, "path": done.path,
        "model": done.made.model, "degraded": done.made.degraded, "commit": commit or None,
    }  # fmt: skip
    output.out(result, lambda: _print_compact(done.made.value, done.path))


def _print_compact(made: SessionCompact, path: str) -> None:
    from vaultmem.api.rendering import session_compact_markdown

    output.line(path)
    output.say(session_compact_markdown(made), nl=False)


@session.command()
@output.common
@click.argument("name")
@_agent
@click.option(
    "--as",
    "way",
    type=click.Choice(["system", "message"]),
    default="system",
    show_default=True,
    help="Print it for a system prompt, or as a first message.",
)
def restore(name: str, agent: str, way: PromptPlace) -> None:
    """Print the whole session compact of NAME, ready for an agent's prompt."""
    with output.vault() as vault:
        text = vault.sessions.restore(name, agent=agent, as_=way)
        compact = vault.session(name, agent=agent).compact
    turn_of = compact and compact.compacted_at_turn
    result = {"text": text, "as": way, "compacted_at_turn": turn_of}
    output.out(result, lambda: output.say(text.rstrip()))


@session.command()
@output.common
@click.argument("messages", metavar="-", default=_STDIN)
@_agent
@click.option("--tokens", type=click.IntRange(1),
              help="Size of the messages as counted by the provider.")  # fmt: skip
def shrink(messages: str, agent: str, tokens: int | None) -> None:
    """Shrink Anthropic messages, a JSON array on standard input, to fit a context.

    Old tool results are reduced to a mention. Beyond 50 000 tokens a summary replaces all but the
    newest messages, and a transcript keeps them in full. Prints JSON.
    """
    from vaultmem.errors import BadInput

    if messages != _STDIN:
        raise BadInput("messages come from standard input: vaultmem session shrink - < FILE")
    given = stdin()
    with output.vault() as vault:
        done = vault.shrink(given, agent=agent, tokens=tokens)
    output.shared().json = True
    output.out(
        {
            "messages": [m.plain() for m in done.messages],
            "level": done.level,
            "transcript": done.transcript or None,
            "tokens_before": done.tokens_before,
            "tokens_after": done.tokens_after,
            "fits": done.fits,
            "compression": done.compression,
        },
        sys.stdout.flush,
    )


@click.command()
@output.common
@output.agent("Only this agent's sessions; by default all agents'.")
@click.option("--force", is_flag=True, help="Fold all turns, as if every session were over.")
@click.option("--redo-degraded", is_flag=True,
              help="Redo what was written offline in place of a model.")  # fmt: skip
def fold(agent: str, *, force: bool, redo_degraded: bool) -> None:
    """Turn old turns into episodes, and old episodes into topics; for memories see `compact`.

    A model is asked what is to be taken from tasks that ended, too.
    """
    with output.vault() as vault:
        names = vault.agents(agent)
        done = [vault.fold(name, force=force, redo_degraded=redo_degraded) for name in names]
    episodes = [path for d in done for path in d.episodes]
    topics = [path for d in done for path in d.topics]
    reflected = [path for d in done for path in d.experiences]
    made = [path for d in done for path in (*d.episodes, *d.topics, *d.experiences)]
    reason = "" if made else "; ".join(dict.fromkeys(d.reason for d in done))
    output.out(
        {"episodes": episodes, "topics": topics, "experiences": reflected, "reason": reason},
        lambda: output.say("\n".join(made) or f"nothing to do: {reason}"),
    )


COMMANDS = {"session": session, "fold": fold}
