"""What a person sees of a chat at a terminal: a line to write on, words as they come, the cost.

Ctrl-C while the model speaks stops it; at the prompt it drops what was typed, and where nothing was
it ends the chat, as Ctrl-D does. While something is being written to the vault it waits.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import click

from vaultmem.api import at_commands
from vaultmem.documents import hidden_text, secrets
from vaultmem.errors import (
    BadInput,
    CutOff,
    KeyRefused,
    NoCredit,
    NoSuchModel,
    Overloaded,
    SecretFound,
    VaultError,
)
from vaultmem.integrations.chat.types import Answered, Outcome, SilentFace
from vaultmem.records import visible

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_TICK = 0.1
_MOST_LINES = 1000
_HISTORY = "vaultmem/chat_history"


class Spinner:
    """A sign of life on stderr while nothing else is to be seen, where that is a terminal."""

    def __init__(self) -> None:
        """Begin at rest."""
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Turn, until stopped."""
        if self._thread is None and sys.stderr.isatty():
            self._stop.clear()
            self._thread = threading.Thread(target=self._turn, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Be gone, and leave nothing behind."""
        if self._thread:
            self._stop.set()
            self._thread.join()
            self._thread = None

    def _turn(self) -> None:
        for frame in itertools.cycle(_FRAMES):
            sys.stderr.write(f"\r{frame} ")
            sys.stderr.flush()
            if self._stop.wait(_TICK):
                break
        sys.stderr.write("\r  \r")
        sys.stderr.flush()


class Interrupts:
    """Ctrl-C, which breaks in on a model and never on a write."""

    def __init__(self) -> None:
        """Take notice of nothing yet."""
        self._open = self._asked = False

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Hold Ctrl-C back, but where somebody listens."""
        before = signal.signal(signal.SIGINT, self._interrupted)
        self._asked = False
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Let Ctrl-C in, also one that was held back; raises KeyboardInterrupt."""
        self._open = True
        try:
            if self._asked:
                raise KeyboardInterrupt
            yield
        finally:
            self._open = False

    def _interrupted(self, _signal: int, _frame: FrameType | None) -> None:
        self._asked = True
        if self._open:
            raise KeyboardInterrupt


class Aside(SilentFace):
    """The Face of who wants the answer alone, but not to sit before a dead screen."""

    def waiting(self, why: str) -> None:
        """Say on stderr what is waited for."""
        click.secho(f"· {hidden_text.shown(visible(why))}", err=True, dim=True)


class Screen:
    """The Face of a terminal: words as they come, tools in a dim line."""

    def __init__(self, *, wordy: bool = True) -> None:
        """Show nothing yet; unless *wordy*, nor later what is waited for."""
        self._wordy = wordy
        self.spinner, self.interrupts = Spinner(), Interrupts()
        self._within, self._name = False, ""

    def begin(self, agent: str) -> None:
        """Have *agent*'s name stand before its first words."""
        self._name = f"{agent}> "

    def text(self, piece: str) -> None:
        """Print a piece of the answer; what a terminal would obey in it is written out."""
        self.spinner.stop()
        if self._name:
            click.secho(self._name, nl=False, bold=True)
            self._name = ""
        sys.stdout.write(hidden_text.shown(visible(piece)))
        sys.stdout.flush()
        self._within = not piece.endswith("\n")

    def tool(self, outcome: Outcome) -> None:
        """Print that a tool was used."""
        self.line()
        first = next(iter(outcome.text.splitlines()), "")[:80]
        self.dim(f"· {outcome.call.name}{': ' + first if outcome.error else ''}")

    def waiting(self, why: str) -> None:
        """Print what is waited for, over the sign of life."""
        if self._wordy:
            self.line()
            sys.stderr.write("\r" if sys.stderr.isatty() else "")
            self.dim(f"· {why}; Ctrl-C stops it")

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Turn while the model is waited for, and let Ctrl-C in."""
        self.spinner.start()
        try:
            with self.interrupts.listening():
                yield
        finally:
            self.spinner.stop()

    def line(self) -> None:
        """End the line that is being written, if any."""
        if self._within:
            sys.stdout.write("\n")
            sys.stdout.flush()
            self._within = False

    def dim(self, text: str) -> None:
        """Print *text* beside the conversation."""
        self.line()
        click.secho(hidden_text.shown(visible(text)), err=True, dim=True)


@dataclass(slots=True)
class Terminal:
    """A chat at a terminal: *answer* answers a line, *tidy* does what is due afterwards.

    *command* answers an @command, *commands* lists them; *again* is what to type to go on another
    time.
    """

    agent: str
    answer: Callable[[str], Answered]
    tidy: Callable[[], None]
    command: Callable[[str], str]
    commands: Mapping[str, str]
    again: str
    screen: Screen = field(default_factory=Screen)
    _tokens: int = 0
    _cost: float | None = 0.0

    def run(self, env: Mapping[str, str]) -> None:
        """Answer line after line until the person has had enough."""
        named = Path(env.get("XDG_STATE_HOME", ""))  # as the XDG rules have it
        folder = named if named.is_absolute() else Path.home() / ".local/state"
        with _lines(folder / _HISTORY) as keep:
            while (line := self._line()) is not None:
                if line.strip():
                    keep(line)
                    self._take(line.strip())
        if sys.stdin.isatty():
            self.screen.dim(f"`{self.again}` continues it")

    def _line(self) -> str | None:
        """Return the next line, "" for one that was dropped, None when the person leaves."""
        try:
            with _dropping():
                return input("you> " if sys.stdin.isatty() else "")
        except _LineDropped:
            click.echo()
            return ""
        except (EOFError, KeyboardInterrupt):
            click.echo()
            return None

    def _take(self, line: str) -> None:
        try:
            if at_commands.is_asked(line.split(maxsplit=1)[0], self.commands):
                click.echo(self._run_command(line).rstrip())
            else:
                self._answer_line(line)
        except VaultError as e:
            self.screen.dim(f"! {refusal_text(e)}")
        except KeyboardInterrupt:
            self.screen.dim("! stopped")

    def _run_command(self, line: str) -> str:
        name = line.split(maxsplit=1)[0].lower()
        if name == at_commands.HELP:
            return "\n".join(f"{name:<22} {told}" for name, told in self.commands.items())
        if name not in self.commands:
            not_known = at_commands.not_known(name, self.commands)
            raise BadInput(f"{not_known}{at_commands.HELP} lists those there are")
        return hidden_text.shown(visible(self.command(line)))

    def _answer_line(self, line: str) -> None:
        self.screen.begin(self.agent)
        with self.screen.interrupts.watched():
            done = self.answer(line)
            self.screen.line()
            if private := secrets.left_out(line):
                self.screen.dim(f"! {private}")
            self._show_usage(done)
            self.tidy()

    def _show_usage(self, done: Answered) -> None:
        if why := stopped(done):
            self.screen.dim(f"! {why}")
        if told := kept_from_writing(done):
            self.screen.dim(f"! {told}")
        self._tokens += done.usage.shown + done.usage.output_tokens
        known = done.cost is not None and self._cost is not None
        self._cost = (self._cost or 0.0) + (done.cost or 0.0) if known else None
        cost = "" if self._cost is None else f", ${self._cost:.4f}"
        self.screen.dim(f"{self._tokens} tokens{cost}")


def stopped(done: Answered) -> str:
    """Return why an answer ended where it did, "" when it just ended."""
    if done.problem:
        return "; ".join(filter(None, (str(done.problem), _next(done.problem))))
    return {
        "length": "the answer ran out of room: ask it to continue",
        "refusal": "the model declines to answer that: rephrase it, or use another with --model",
        "rounds": "the model kept using tools and was stopped: ask it to continue",
        "empty": "the model said nothing: ask again",
        "interrupted": "stopped; what was said is kept",
    }.get(done.stop_reason, "")


def kept_from_writing(done: Answered) -> str:
    """Return how much was written, where a model wanted to write more than it may, else ""."""
    if not done.refused:
        return ""
    return (
        f"{done.written} things were written for this, and {done.refused} more were refused: "
        "`vaultmem log` lists them, `vaultmem undo` takes one back"
    )


def _next(problem: VaultError) -> str:
    """Return what a person can do about *problem*, "" where it says so itself."""
    match problem:
        case KeyRefused() | NoCredit():
            return ""
        case NoSuchModel():
            return "--model chooses another for this chat"
        case Overloaded():
            return "try again later, or another model with --model"
        case CutOff():
            return "ask again: what was said is kept"
    return "what was said is kept: ask again to continue"


def refusal_text(why: VaultError) -> str:
    """Return *why* a line was not taken; in a chat a secret has no way in."""
    if isinstance(why, SecretFound):
        return (
            f"that looks like a secret ({why.rule}): the line was neither kept nor sent; "
            "say it without"
        )
    return str(why)


class _LineDropped(KeyboardInterrupt):
    """Ctrl-C on a line that has something in it."""


@contextlib.contextmanager
def _dropping() -> Iterator[None]:
    """Let Ctrl-C raise _Dropped where something was typed, else KeyboardInterrupt."""
    before = signal.signal(signal.SIGINT, _broken)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _broken(_signal: int, _frame: FrameType | None) -> None:
    # Here the line is still to be seen: `input` drops it before it raises.
    lines = sys.modules.get("readline")
    raise _LineDropped if lines and lines.get_line_buffer() else KeyboardInterrupt


@contextlib.contextmanager
def _lines(path: Path) -> Iterator[Callable[[str], None]]:
    """Yield what keeps a line for the arrow keys; nothing with a secret in it is written down."""
    if not sys.stdin.isatty():
        yield lambda _: None
        return
    import readline  # noqa: PLC0415  # only a terminal edits lines

    readline.set_auto_history(False)
    readline.clear_history()
    with contextlib.suppress(OSError):
        readline.read_history_file(path)

    def keep(line: str) -> None:
        if not secrets.find(line) and secrets.strip_private(line) == line:
            readline.add_history(line)

    try:
        yield keep
    finally:
        readline.set_history_length(_MOST_LINES)
        with contextlib.suppress(OSError):  # a history is a comfort
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600))
            readline.write_history_file(path)
