"""`eval`: how well a vault is found again, in figures with their doubts."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.api.types import MOST_HITS
from vaultmem.cli import eval_options, output
from vaultmem.cli.eval_summaries import summaries
from vaultmem.cli.output import count, share
from vaultmem.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vaultmem.api.types import Mode
    from vaultmem.evaluation.cases import Judged
    from vaultmem.evaluation.claims import Report as ClaimsReport
    from vaultmem.evaluation.claims import Wrong
    from vaultmem.evaluation.comparison import Pair
    from vaultmem.evaluation.metrics import Interval, Paired, Scores
    from vaultmem.evaluation.misses import CauseCount, Miss
    from vaultmem.evaluation.retrieval import Report, Run
    from vaultmem.evaluation.thresholds import Held

_MODES = ("auto", "lexical", "semantic")
_TERMINAL = "-"
_SHOWN_LEFT_OUT = 5
_SHOWN_MISSES = 10
_SMALLEST_P = 0.0001
_CUT_COLUMNS = ("k", "recall_any", "95 %", "recall_all", "recall")
_COMPARED = (
    "hit@1", "recall_any@5", "recall_any@10", "recall_all@10", "recall@10", "mrr", "ndcg@10",
    "recall@1k_tokens", "recall@2k_tokens", "recall@4k_tokens",
    "sessions.hit@1", "sessions.recall_any@5", "sessions.recall_all@5", "sessions.mrr",
)  # fmt: skip

_agent = output.agent("Only this agent's memory; by default everything.")
_k = click.option("-k", type=click.IntRange(1, 50), default=50, show_default=True,
                  help="How many hits to judge.")  # fmt: skip
_mode = click.option("--mode", type=click.Choice(_MODES), default="auto", show_default=True,
                     help="By both if possible, by words, or by meaning.")  # fmt: skip
_limit = click.option(
    "--limit", type=click.IntRange(1, 1_000_000), help="Ask only this many, drawn by --seed."
)
_seed = click.option("--seed", type=click.IntRange(0), default=0, show_default=True,
                     help="Seed for random draws.")  # fmt: skip
_plot = click.option("--plot", is_flag=False, flag_value=_TERMINAL, default="", metavar="[SVG]",
                     help="Plot recall by hits and tokens, on screen or to a file.")  # fmt: skip


@click.group(name="eval", cls=output.Group)
@output.common
def eval_group() -> None:
    """Measure recall on this vault, how true cards are, and what summaries hold."""


# --- retrieval --------------------------------------------------------------------------------


@eval_group.command()
@output.common
@click.argument("questions", type=click.Path(path_type=Path))
@_agent
@_k
@_mode
@_limit
@_seed
@_plot
@eval_options.floor
def retrieval(  # noqa: PLR0913
    questions: Path, agent: str, k: int, mode: Mode, limit: int | None, seed: int, plot: str,
    floors: Sequence[str],
) -> int:  # fmt: skip
    """Ask QUESTIONS with known evidence; measure how often its memories and sessions are found.

    Each line of the file is {"question": ..., "evidence": [message ids, memories or quotes]}. Add
    "category", the "agent" and "session" it is about, or the "conversation" it shares with other
    questions where needed: the confidence intervals resample conversations as a whole.
    """
    from vaultmem.evaluation import misses
    from vaultmem.evaluation.retrieval import report

    _check_plot(plot)
    held = eval_options.floors(floors)
    with _runs(questions, agent, k, (mode,), limit, seed) as (run,):
        made, missed = report(run, seed), misses.by_cause(run)
    results = held(made.figures())
    output.out(
        {**asdict(made), "misses": missed, "floors": results},
        lambda: _print_report(made, "question", results, missed),
    )
    _draw(plot, [run])
    return eval_options.code(results)


@eval_group.command()
@output.common
@click.argument("questions", type=click.Path(path_type=Path))
@click.option("--modes", default="lexical,auto,semantic", show_default=True,
              help="The modes to compare; a win counts for the later of a pair.")  # fmt: skip
@_agent
@_k
@_limit
@_seed
@_plot
def compare(  # noqa: PLR0913
    questions: Path, modes: str, agent: str, k: int, limit: int | None, seed: int, plot: str
) -> None:
    """Ask QUESTIONS in several modes, and test whether the difference is more than chance."""
    from vaultmem.evaluation.comparison import pairs
    from vaultmem.evaluation.retrieval import report

    _check_plot(plot)
    with _runs(questions, agent, k, _modes(modes), limit, seed) as runs:
        reports, compared = [report(run, seed) for run in runs], pairs(runs)
    output.out(
        {"n": reports[0].n, "modes": {r.mode: r for r in reports}, "pairs": compared},
        lambda: _print_comparison(reports, compared),
    )
    _draw(plot, runs)


def _modes(text: str) -> tuple[Mode, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    known: Mapping[str, Mode] = {"auto": "auto", "lexical": "lexical", "semantic": "semantic"}
    if odd := [name for name in names if name not in known]:
        raise BadInput(f"--modes: {odd[0]!r} is none of {', '.join(known)}")
    return tuple(known[name] for name in names)


@contextmanager
def _runs(  # noqa: PLR0913
    file: Path, agent: str, k: int, modes: Sequence[Mode], limit: int | None, seed: int
) -> Iterator[list[Run]]:
    """Yield a run in each of *modes*, while the vault can still say what it found."""
    from vaultmem.evaluation import questions
    from vaultmem.evaluation import runner as evaluation_runner

    asked = questions.sample(questions.load(file), limit, seed)
    with (
        output.vault() as vault,
        output.progress("asking", len(asked) * len(modes)) as progress,
    ):
        ways = [evaluation_runner.Way(agent, mode, k) for mode in modes]
        yield [evaluation_runner.ask_questions(vault, asked, way, progress) for way in ways]


def _print_report(
    made: Report, noun: str, held: Sequence[Held], missed: Sequence[CauseCount] = ()
) -> None:
    """Print the figures of one run, for a person."""
    output.say(f"{count(made.n, noun)}, {made.mode}, {count(made.k, 'hit')} each")
    for title, figures in (("files", made.overall), ("sessions", made.sessions)):
        if figures:
            intervals = made.intervals["overall" if title == "files" else title]
            output.say("")
            output.table(_CUT_COLUMNS, _cut_rows(figures, intervals), title)
            deep = f", nDCG@10 {figures['ndcg@10']:.3f}" if "ndcg@10" in figures else ""
            output.say(f"MRR@{made.k} {figures['mrr']:.3f}{deep}")
    output.say(
        f"\nrecall within {_budgets(made.overall)},"
        f" of the up to {MOST_HITS} hits that recall gives, whatever -k is"
    )
    if len(made.categories) > 1:
        output.say("")
        output.table(*_category_table(made))
    if missed:
        _print_missed(missed, made.k)
    output.say(
        f"\np50 {made.latency_ms['p50']:.1f} ms, p95 {made.latency_ms['p95']:.1f} ms a question; "
        f"indexed in {made.index_s:.1f} s"
    )
    _print_warnings(made)
    eval_options.print_floors(held)


def _cut_rows(figures: Scores, intervals: Mapping[str, Interval]) -> list[tuple[str, ...]]:
    """Return a row for each k at which *figures* were taken."""
    cuts = [name.partition("@")[2] for name in figures if name.startswith("recall_any@")]
    between = {k: intervals[f"recall_any@{k}"] for k in cuts}
    return [
        (k, f"{figures[f'recall_any@{k}']:.3f}", f"{between[k].low:.2f} to {between[k].high:.2f}",
         f"{figures[f'recall_all@{k}']:.3f}", f"{figures[f'recall@{k}']:.3f}")
        for k in cuts
    ]  # fmt: skip


def _budgets(figures: Scores) -> str:
    """Return `1k tokens 0.832, 2k tokens 0.888`, …: what a reader of so many would see."""
    found = {name: value for name, value in figures.items() if name.endswith("_tokens")}
    return ", ".join(
        f"{name.removeprefix('recall@').replace('_', ' ')} {value:.3f}"
        for name, value in found.items()
    )


def _category_table(made: Report) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    shown = [n for n in ("hit@1", "recall_any@10", "recall@10", "mrr", "ndcg@10")
             if n in made.overall]  # fmt: skip
    rows = [
        (name, some.n, *(f"{some.overall[n]:.3f}" for n in shown),
         f"{some.sessions['hit@1']:.3f}" if some.sessions else "-")
        for name, some in made.categories.items()
    ]  # fmt: skip
    return ("category", "n", *shown, "session hit@1"), list(rows)


def _print_missed(missed: Sequence[CauseCount], k: int) -> None:
    from vaultmem.evaluation.misses import FIRST

    output.say("")
    rows = [(it.cause, it.n, share(it.share), it.examples[0].question) for it in missed]
    columns = ("missed because", "n", "of all", "for example")
    output.table(columns, rows, f"not among the first {min(FIRST, k)} hits")


def _print_warnings(made: Report) -> None:
    """Say what was not asked, and what was not at its best."""
    if made.degraded_reason:
        output.say(f"! {made.degraded} of {made.n} answers degraded: {made.degraded_reason}",
                   fg="yellow")  # fmt: skip
    if made.left_out:
        output.say(f"! {count(len(made.left_out), 'question')} left out:", fg="yellow")
    for it in made.left_out[:_SHOWN_LEFT_OUT]:
        output.say(f"    line {it.line}: {'; '.join(it.missing)}")
    if len(made.left_out) > _SHOWN_LEFT_OUT:
        output.say(f"    and {len(made.left_out) - _SHOWN_LEFT_OUT} more: --json names all")


def _print_comparison(reports: Sequence[Report], compared: Sequence[Pair]) -> None:
    names = [r.mode for r in reports]
    output.say(f"{count(reports[0].n, 'question')}, {count(reports[0].k, 'hit')} each")
    figures = [r.figures() for r in reports]
    shown = [name for name in _COMPARED if name in figures[0]]
    rows = [(name, *(f"{f[name]:.3f}" for f in figures)) for name in shown]
    rows.append(("p50 ms", *(f"{r.latency_ms['p50']:.1f}" for r in reports)))
    output.table(("figure", *names), rows)
    for pair in compared:
        output.say("")
        rows = [_pair_row(n, p) for n, p in pair.overall.items()]
        rows += [_pair_row(f"sessions.{n}", p) for n, p in pair.sessions.items()]
        output.table(("figure", "wins", "losses", "ties", "p"), rows,
                     f"{pair.second} against {pair.first}")  # fmt: skip
    for made in reports:
        if made.degraded_reason:
            output.say(f"! {made.mode}: {made.degraded_reason}", fg="yellow")


def _pair_row(name: str, pair: Paired) -> tuple[str, ...]:
    p = f"{pair.p:.4f}" if pair.p >= _SMALLEST_P else f"< {_SMALLEST_P:.4f}"
    return name, str(pair.wins), str(pair.losses), str(pair.ties), p


# --- self -------------------------------------------------------------------------------------


@eval_group.command("self")
@output.common
@click.option("--probes", "number", type=click.IntRange(1, 100_000), default=200, show_default=True,
              help="How many probes to make at most.")  # fmt: skip
@_agent
@_k
@_mode
@_seed
@_plot
@eval_options.floor
def own(  # noqa: PLR0913
    number: int, agent: str, k: int, mode: Mode, seed: int, plot: str, floors: Sequence[str]
) -> int:
    """Search this vault for its own memories, by a few telling words each; list the misses."""
    from vaultmem.evaluation import misses, retrieval
    from vaultmem.evaluation import runner as evaluation_runner

    _check_plot(plot)
    held = eval_options.floors(floors)
    with (
        output.interruptible(output.ONLY_READ),
        output.vault() as vault,
        output.progress("asking", number) as progress,
    ):
        probes = evaluation_runner.build_probes(vault, agent, number, seed)
        run = evaluation_runner.ask_probes(
            vault, probes, evaluation_runner.Way(agent, mode, k), progress
        )
        made, worst = retrieval.report(run, seed), misses.worst(run, _SHOWN_MISSES)
    results = held(made.figures())
    output.out(
        {**asdict(made), "floors": results, "misses": worst, "probes": probes},
        lambda: _print_self(made, worst, results),
    )
    _draw(plot, [run])
    return eval_options.code(results)


def _print_self(made: Report, worst: Sequence[Miss], held: Sequence[Held]) -> None:
    _print_report(made, "probe", held)
    if worst:
        output.say("\nthe worst misses")
    for miss in worst:
        place = f"at {miss.rank}" if miss.rank else f"not among {made.k}"
        output.say(f"{miss.gold[0]}", fg="cyan", nl=False)
        output.say(f"  {place}, after {miss.first or 'nothing'}")
        output.say(f"    {miss.question}")


# --- cases ------------------------------------------------------------------------------------


@eval_group.command()
@output.common
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--gold", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="The folder with the expected facts, if not beside the cases.")  # fmt: skip
@click.option("--budget", default=8000, show_default=True, help="Token budget of the context.")
@eval_options.floor
def cases(folder: Path, gold: Path | None, budget: int, floors: Sequence[str]) -> int:
    """Replay the cases in FOLDER, offline; check that the context holds their facts."""
    from vaultmem.evaluation import case_files
    from vaultmem.evaluation.cases import figures, level, levels, live

    held = eval_options.floors(floors)
    found = case_files.load(folder, gold)
    asked = [case for case in found if case.facts]
    if not asked:
        where = f"no JSON file below {gold} names one of its cases" if gold else "no case has facts"
        raise BadInput(f"{folder}: {where}; `vaultmem help evaluation` shows what such a file says")
    judged = []
    with output.progress("living", len(asked)) as progress:
        for case in asked:
            judged.append(live(case, budget, eval_options.offline(os.environ)))
            progress(1)
    results = held(figures(judged))
    without = [case.name for case in found if not case.facts]
    output.out(
        {**asdict(level(judged)), "budget": budget, "levels": levels(judged), "cases": judged,
         "without_gold": without, "floors": results},
        lambda: _print_cases(judged, without, results),
    )  # fmt: skip
    return eval_options.code(results)


def _print_cases(judged: Sequence[Judged], without: Sequence[str], held: Sequence[Held]) -> None:
    from vaultmem.evaluation.cases import level, levels

    rows = [*levels(judged).items(), ("all", level(judged))]
    output.table(
        ("level", "n", "passed", "facts", "tokens"),
        [(name, it.n, share(it.pass_rate), share(it.keyword_recall), f"{it.tokens:.0f}")
         for name, it in rows],
    )  # fmt: skip
    for case in judged:
        if not case.passed:
            output.say(f"! {case.case}: {share(case.keyword_recall)}, "
                       f"without {', '.join(case.missing)}")  # fmt: skip
    if without:
        output.say(f"! {count(len(without), 'case')} without gold: {', '.join(without)}",
                   fg="yellow")  # fmt: skip
    eval_options.print_floors(held)


# --- claims -----------------------------------------------------------------------------------


@eval_group.command()
@output.common
@click.argument("sentences", type=click.Path(path_type=Path))
@eval_options.floor
def claims(sentences: Path, floors: Sequence[str]) -> int:
    """Dream over SENTENCES, offline, and check that the cards hold what they say, and no more.

    Each line of the file is {"n": ..., "speaker": ..., "text": ...} and "expect": [{"person": ...,
    "value": ...}], or "not": [text, ...] for what no card may hold.
    """
    from vaultmem.evaluation import claims as measured

    held = eval_options.floors(floors)
    said = measured.load(sentences)
    made = measured.report(said, measured.live(said, eval_options.offline(os.environ)))
    results = held(made.figures)
    output.out(
        {**made.figures, **asdict(made), "floors": results}, lambda: _print_claims(made, results)
    )
    return eval_options.code(results)


def _print_claims(made: ClaimsReport, held: Sequence[Held]) -> None:
    figures = ", ".join(f"{name} {value:.3f}" for name, value in made.figures.items())
    output.say(f"{count(made.sentences, 'sentence')}: {figures} "
               f"({made.found} of {made.expected} found, {len(made.false)} false)")  # fmt: skip
    _print_wrong("false", made.false)
    _print_wrong("missing", made.missing)
    eval_options.print_floors(held)


def _print_wrong(title: str, wrong: Sequence[Wrong]) -> None:
    if wrong:
        output.say(f"\n{title}")
        output.table(("n", "person", "fact", "said"),
                     [(it.n, it.person, it.fact, it.said) for it in wrong])  # fmt: skip


# --- plots ------------------------------------------------------------------------------------


def _check_plot(plot: str) -> None:
    if plot == _TERMINAL and output.shared().json:
        raise BadInput("--plot draws on the screen: with --json, name a file: --plot FILE.svg")
    if plot and plot != _TERMINAL and not plot.endswith(".svg"):
        raise BadInput(f"--plot {plot}: name a FILE.svg, or put --plot last to draw here")


def _draw(plot: str, runs: Sequence[Run]) -> None:
    """Draw the curves of *runs* where *plot* says: here, in a file, or nowhere."""
    from vaultmem.evaluation import charts

    if plot == _TERMINAL:
        plain = not sys.stdout.isatty() or bool(os.environ.get("NO_COLOR"))
        for chart in charts.of_runs(runs):
            output.say("\n" + "\n".join(charts.bars(chart, plain=plain)))
    elif plot:
        Path(plot).write_text(charts.svg(charts.of_runs(runs)), encoding="utf-8")
        if not output.shared().json:
            output.say(f"plotted to {plot}")


eval_group.add_command(summaries)

COMMANDS = {"eval": eval_group}
