"""What all commands share: the global options, and one way to print for people and for programs."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from vaultmem import arguments
from vaultmem.cli import tables
from vaultmem.records import moment, visible, visible_line

if TYPE_CHECKING:
    from datetime import datetime

    from click.shell_completion import CompletionItem
    from rich.progress import Progress

    from vaultmem.api.vault import Vault

_F = TypeVar("_F", bound=Callable[..., Any])
_UNCUT = 1000
_SURE = 2.0
"""Seconds after which the first steps tell of the others."""
_FAR = 60 * 86_400


@dataclass(slots=True)
class Globals:
    """The options that may stand before or after a command."""

    vault: str | None = None
    json: bool = False
    verbose: bool = False
    bars: Progress | None = None
    """Where progress is drawn right now: a terminal has room for one such place."""
    note_unconfirmed: Callable[[], bool] = lambda: False
    """Keep what the command did, and nobody was told of; tell whether there is something."""


def _set(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def callback(ctx: click.Context, _parameter: click.Parameter, value: object) -> None:
        shared = ctx.ensure_object(Globals)
        if value or value == "":  # an empty one was given all the same
            setattr(shared, name, value)

    return callback


def _folders(
    ctx: click.Context,  # noqa: ARG001  # click's
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Let the shell offer its folders."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]


def common(command: _F) -> _F:
    """Give *command* the global options; where they stand makes no difference."""
    for option in (
        click.option("-v", "--verbose", is_flag=True, expose_value=False, callback=_set("verbose"),
                     help="Log to standard error what is being done."),
        click.option("--json", is_flag=True, expose_value=False, callback=_set("json"),
                     help="Print one JSON object on standard output."),
        click.option("--vault", metavar="PATH", expose_value=False, callback=_set("vault"),
                     shell_complete=_folders,
                     help="The vault; by default VAULTMEM_VAULT, or this folder or one above."),
    ):  # fmt: skip
        command = option(command)
    return command


def agent(help_: str) -> Callable[[_F], _F]:
    """Give a command the option that names an agent, of which its *help_* says what for."""
    return click.option("--agent", default="", help=help_, callback=refuse_empty)


def refuse_empty(
    ctx: click.Context, parameter: click.Parameter, value: str | tuple[str, ...]
) -> str | tuple[str, ...]:
    """Return the *value* of an option; raises BadParameter for an empty text that was given.

    A script that names what is not set would have another agent's memory, or none of its tags.
    """
    given = ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    texts = (value,) if isinstance(value, str) else value
    if given and not all(text.strip() for text in texts):
        raise click.BadParameter("it is empty: say which, or leave it out", ctx, parameter)
    return value


class Group(click.Group):
    """A group of commands whose help cuts no description."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with the whole first sentence of its help."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, it.get_short_help_str(_UNCUT)) for name, it in commands if it]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def shared() -> Globals:
    """Return the global options of the command that runs."""
    return click.get_current_context().ensure_object(Globals)


def where() -> str:
    """Return the path that was asked for, `.` when none was; raises BadInput for an empty one.

    An empty VAULTMEM_VAULT counts as unset.
    """
    if (given := shared().vault) is not None:
        arguments.check_path(given)
    named = given or os.environ.get("VAULTMEM_VAULT", "")
    return os.path.expanduser(named) if named else "."  # noqa: PTH111  # a string is what is shown


@contextmanager
def vault() -> Iterator[Vault]:
    """Open the vault that the options or the environment name."""
    from vaultmem.api.vault import Vault

    if shared().verbose:
        import logging

        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(name)s: %(message)s")
    with Vault.open(where()) as opened, _indexing() as told:
        opened.queries.on_indexing(told)
        shared().note_unconfirmed = opened.store.note_unconfirmed
        yield opened


ONLY_READ = "nothing in the vault was changed; run it again"
"""What becomes of a command that only reads."""


class Ended(BaseException):
    """A signal that ends processes has come."""

    def __init__(self, number: int) -> None:
        """Keep which one it was."""
        super().__init__(number)
        self.number = number


class Interrupted(click.ClickException):
    """A person or a signal ended a command: says what became of it, and how to go on."""


@contextmanager
def interruptible(how_to_go_on: str | Callable[[], str]) -> Iterator[None]:
    """Say how to go on where a person ends what the block does; a function looks at it then."""
    try:
        yield
    except (KeyboardInterrupt, Ended) as e:
        how = how_to_go_on if isinstance(how_to_go_on, str) else how_to_go_on()
        raise Interrupted(f"interrupted: {how}") from e


def out(result: object, human: Callable[[], None]) -> None:
    """Print *result* as JSON when that is asked for, else call *human* to print for a person."""
    if shared().json:
        # Names of files may hold bytes that are no UTF-8; `\\udcff` carries them through JSON.
        text = json.dumps(plain(result), ensure_ascii=False)
        click.echo(text if _printable(text) else json.dumps(plain(result)))
    else:
        human()


def wrote(result: object, human: Callable[[], None], *texts: str) -> None:
    """Print as `out` does, for a command that keeps what it was given, and say what it left out.

    What it was given are its arguments, and *texts* that it read. What the result says of no commit
    is said, too, and that nobody sees all of the *texts*.
    """
    from vaultmem.api.rendering import left_out, unseen

    said = left_out(*texts, *click.get_current_context().params.values())
    kinds = dict.fromkeys(it.kind for text in texts for it in unseen(text))
    hidden = f"it has what nobody sees and an agent reads: {', '.join(kinds)}" if kinds else ""
    told = plain(result)

    def show() -> None:
        human()
        for why in (told.get("uncommitted") if isinstance(told, dict) else "", said, hidden):
            if why:
                note(str(why))

    out({**told, "left_out": said} if isinstance(told, dict) else told, show)


def quoted(value: object) -> str:
    """Return *value* as a sentence names it, in quotes and fit to be shown."""
    from vaultmem.api.rendering import quoted as as_named

    return as_named(value)


def _printable(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def plain(value: object) -> object:
    """Return *value* as JSON's own types."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    return value


def count(number: int, noun: str) -> str:
    """Return `1 memory`, `2 memories`: *number* with its *noun*."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") and noun != "day" else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def operation(op: str) -> str:
    """Return the id *op* of an operation or of a commit as each is written."""
    return op.upper() if tables.OPERATION.fullmatch(op.upper()) else op.lower()


def undone(what: str, op: str, files: int, aside: Sequence[str]) -> str:
    """Say that operation *op* undid *what* in *files*, *aside* being notes of what it could not."""
    where = f"later edits stand in the same lines; the earlier text is in {', '.join(aside)}"
    back = files - len(aside)
    if not back:
        return f"nothing of {what} could be undone: {where}"
    done = f"undid {what}: {count(back, 'file')}; `vaultmem undo {op}` redoes it"
    return f"{done}; the rest stays as it is: {where}" if aside else done


def share(part: float | None) -> str:
    """Return a share of 1 in percent, a dash for none."""
    return "-" if part is None else f"{part:.0%}"


def day(when: str | None) -> str:
    """Return the day of a time, a dash for never."""
    return when[:10] if when else "-"


def age(when: str | None, now: datetime) -> str:
    """Return how long ago a time of the vault was, its day when that is far, a dash for never."""
    seconds = int((now - moment(when)).total_seconds()) if when else 0
    if not when or not 0 <= seconds < _FAR:
        return day(when)
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            return f"{count(seconds // length, unit)} ago"
    return "just now"


def minute(when: str | None) -> str:
    """Return the vault's `2026-11-20T10:15:00Z` as a person reads it, a dash for never."""
    return when[:16].replace("T", " ") if when else "-"


def shown(text: str) -> str:
    """Return *text* with what a terminal would obey, and no reader would see, written out."""
    if text.isascii():
        return visible(text)
    from vaultmem.api.rendering import visible_text

    return visible_text(visible(text))


def line(text: str, *, nl: bool = True, fg: str | None = None, bold: bool | None = None) -> None:
    """Print what is one line for a person, such as a path, as `say` does, whatever is in it."""
    say(visible_line(text), nl=nl, fg=fg, bold=bold)


def prose(text: str, *, indent: str = "") -> None:
    """Print *text* for a person as `say` does, on a terminal folded between words.

    Further lines begin with *indent*. A word that is longer than the terminal stays whole.
    """
    say(folded(text, indent))


def folded(text: str, indent: str = "") -> str:
    """Return *text* in lines that fit the terminal, if standard output is one."""
    if not sys.stdout.isatty():
        return text
    import shutil
    import textwrap

    fit = textwrap.TextWrapper(
        shutil.get_terminal_size().columns, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False, replace_whitespace=False,
    )  # fmt: skip
    return "\n".join(fit.fill(line) for line in text.split("\n"))


def say(text: str, *, nl: bool = True, fg: str | None = None, bold: bool | None = None) -> None:
    """Print *text* for a person; what a terminal would obey in it is written out."""
    click.secho(shown(text), nl=nl, fg=fg, bold=bold)


def note(text: str) -> None:
    """Tell a person on stderr what is not as it should be, and did not keep us from answering."""
    click.secho(f"! {shown(visible_line(text))}", err=True, fg="yellow")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print a table: drawn by rich on a terminal, aligned words elsewhere."""
    cells = [[shown(visible_line(cell(value))) for value in row] for row in rows]
    if sys.stdout.isatty():
        tables.draw(columns, cells, title)
        return
    if title:
        say(title)
    widths = [max(len(r[i]) for r in [columns, *cells]) for i in range(len(columns))]
    for row in [columns, *cells]:
        say("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())


def cell(value: object) -> str:
    """Return *value* as a person reads it: yes and no where a program says True and False."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def patch(text: str) -> None:
    """Print a unified diff, in colours on a terminal."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for each in text.splitlines():
        headline = each.startswith(("+++", "---"))
        say(each, bold=headline, fg=None if headline else colours.get(each[:1]))


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Yield what is to be told of every step; drawn on stderr, and only to a terminal."""
    with tally(what) as told:
        yield counted(told, total)


def counted(told: Callable[[int, int | None], None], total: int | None) -> Callable[[int], None]:
    """Return what is to be told of every step, and tells their sum, of *total*."""
    done = 0

    def step(by: int) -> None:
        nonlocal done
        done += by
        told(done, total)

    return step


class Tally:
    """What is to be told how many of how many are done; by itself it tells nobody."""

    def __call__(self, done: int, total: int | None) -> None:
        """Tell that *done* of *total* are, None where nobody knows."""

    def phase(self, what: str) -> None:
        """Name what is done from now on; it is told anew, from none."""


class _Drawn(Tally):
    """Draws what it is told."""

    def __init__(self, bars: Progress, what: str) -> None:
        """Draw what is told of *what* in *bars*."""
        self._bars, self._started = bars, time.monotonic()
        self.task = bars.add_task(what, total=None, figures="")

    def __call__(self, done: int, total: int | None) -> None:
        seconds = time.monotonic() - self._started
        text = figures(done, total, seconds)
        self._bars.update(self.task, completed=done, total=total, figures=text)

    def phase(self, what: str) -> None:
        self._started = time.monotonic()
        self._bars.update(self.task, total=None)
        self._bars.reset(self.task, description=what, figures="")


@contextmanager
def tally(what: str) -> Iterator[Tally]:
    """Yield what is to be told how many of how many are done; drawn as in `progress`.

    Until it is told, what is done is named, and how long it takes.
    """
    if not sys.stderr.isatty() or shared().json:
        yield Tally()
        return
    with _bars() as bars:
        drawn = _Drawn(bars, what)
        yield drawn
        bars.remove_task(drawn.task)


def end_drawing() -> None:
    """Draw no more progress of this command: a question stands where it was."""
    if bars := shared().bars:
        bars.stop()


def figures(done: int, total: int | None, seconds: float) -> str:
    """Return how many of how many are *done*, how many in a second, and how long the rest takes.

    The last two only once the first steps took long enough to tell.
    """
    told = [f"{done} of {total}" if total else f"{done}"] * bool(done or total)
    if done and seconds >= _SURE:
        rate = done / seconds
        told.append(f"{rate:.0f}/s" if rate >= 1 else f"{1 / rate:.0f} s each")
        if total and done < total:
            told.append(f"{_span((total - done) / rate)} left")
    return ", ".join(told)


def _span(seconds: float) -> str:
    minutes, rest = divmod(math.ceil(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@contextmanager
def _bars() -> Iterator[Progress]:
    """Yield where progress is drawn: what is there already, else a place of its own."""
    state = shared()
    if state.bars:
        yield state.bars
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn(),
        TextColumn("{task.fields[figures]}"),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        state.bars = bars
        try:
            yield bars
        finally:
            state.bars = None


@contextmanager
def _indexing() -> Iterator[Callable[[int, int], None]]:
    """Yield what is to be told how many files of how many are read into the index.

    They are drawn only until they are all read: the answer follows.
    """
    from vaultmem.api.types import of_many

    with ExitStack() as drawn:
        told: Callable[[int, int | None], None] | None = None

        def step(done: int, total: int) -> None:
            nonlocal told
            if told is None and done < total:
                told = drawn.enter_context(tally("indexing"))
            if told:
                told(done, total)
            if done == total:
                drawn.close()
                told = None

        yield of_many(step)
