"""Fit what each signal of the ranking weighs, and say what weights fitted elsewhere would find.

    python tests/bench/fitting.py --conversations FOLDER [--write]

A folder as `quality` takes it; VAULTMEM_MODEL_DIR names MiniLM's, without which only the weights by
words are fitted. Weights are those under which the evidence of a question is likeliest, and its
session: a softmax over the candidates (Cao et al. 2007, ListNet, with the top one), regularized.
`--write` puts them where the ranking reads them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import labelled
from tests.bench.figures import HEADER, line, mean
from tests.bench.labelled import NAMES, Case, Vector
from vaultmem.retrieval.search import scoring, weights

_STEPS, _RATE, _MOMENTUM = 250, 0.5, 0.9
_SESSION = 0.5
"""What the likelihood of the session counts beside that of the evidence."""
_PENALTY = 20.0
"""What a weight costs that is far from nothing; from 3 to 20 all figures stay within a point."""
_DIGITS = 2
_GIVEN = {"validity": weights.OUTDATED, "retelling": weights.RETOLD}
"""Signals that no conversation here can tell of."""
_OF_VECTORS, _OF_TOKENS = {"meaning"}, {"tokens", "tokens around"}
_OF_SPELLING = {"near words"}
"""To compare tokens tells more of words that are near: with both, half a point is lost."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The table that is fitted, and the signals in it."""

    name: str
    signals: tuple[str, ...]

    def __call__(self, cases: Sequence[Sequence[Case]]) -> Vector:
        """Return a weight for each of NAMES, 0 for those that are not fitted."""
        rows = [NAMES.index(name) for name in self.signals]
        told = [
            _Told(case.signals[rows], case.answers, _at_home(case), 1 / len(group) / len(cases))
            for group in cases
            for case in group
            if case.answers.any()
        ]
        spread = np.concatenate([it.signals for it in told], axis=1).std(axis=1)
        fitted = np.zeros(len(NAMES))
        fitted[rows] = _ascended(told, spread, _PENALTY / len(told)) / scoring.CONFIDENCE
        for name, weight in _GIVEN.items():
            fitted[NAMES.index(name)] = weight
        return np.round(fitted, _DIGITS)


FITS = (
    Fit("BY_WORDS", tuple(n for n in NAMES if n not in {*_GIVEN, *_OF_VECTORS, *_OF_TOKENS})),
    Fit("WITH_VECTORS", tuple(n for n in NAMES if n not in {*_GIVEN, *_OF_TOKENS})),
    Fit("WITH_TOKENS", tuple(n for n in NAMES if n not in {*_GIVEN, *_OF_SPELLING})),
)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a question teaches: signals, evidence, and the turns of the sessions that have some.

    Its *share* is such that conversations count alike, however much is asked of them.
    """

    signals: Vector
    answers: NDArray[np.bool_]
    at_home: NDArray[np.bool_]
    share: float

    def slope(self, logits: Vector) -> Vector:
        """Return the gradient of the log-likelihood that an answer, or its session, is first."""
        scores = logits @ self.signals
        likely = np.exp(scores - scores.max())
        likely /= likely.sum()
        wanted = _normal(likely * self.answers) - likely
        wanted += _SESSION * (_normal(likely * self.at_home) - likely)
        slope: Vector = self.share * (self.signals @ wanted)
        return slope


def _at_home(case: Case) -> NDArray[np.bool_]:
    return np.array([session in case.homes for session in case.sessions])


def _normal(likely: Vector) -> Vector:
    normal: Vector = likely / max(float(likely.sum()), 1e-300)
    return normal


def _ascended(told: Sequence[_Told], spread: Vector, penalty: float) -> Vector:
    """Return the logits at the top: gradient ascent with momentum, each signal in its own unit."""
    scaled, speed = np.zeros(len(spread)), np.zeros(len(spread))
    for step in range(_STEPS):
        logits = scaled / spread
        slope = np.sum([it.slope(logits) for it in told], axis=0) / spread - penalty * scaled
        speed = _MOMENTUM * speed + _RATE / (1 + 4 * step / _STEPS) * slope
        scaled = scaled + speed
    return scaled / spread


# --- what is said of it -----------------------------------------------------------------------


def elsewhere(fit: Fit, cases: Sequence[Sequence[Case]]) -> Iterator[Vector]:
    """Yield for each conversation the weights that the others fit best."""
    for left_out in range(len(cases)):
        yield fit([group for n, group in enumerate(cases) if n != left_out])


def table(columns: Mapping[str, Vector]) -> str:
    """Return the module's tables: a line a signal that weighs something."""
    tables = []
    for name, column in columns.items():
        rows = [f'    "{n}": {w:.2f},' for n, w in zip(NAMES, column, strict=True) if w]
        tables.append("\n".join((f"{name}: Mapping[str, float] = {{", *rows, "}")))
    return "\n".join(tables) + "\n"


def write(columns: Mapping[str, Vector]) -> None:
    """Put the tables in the place of those in the package."""
    file = Path(weights.__file__)
    head, _, _ = file.read_text(encoding="utf-8").partition(f"{FITS[0].name}: ")
    file.write_text(head + table(columns), encoding="utf-8")


@click.command()
@click.option("--conversations", "folder", required=True,
              type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Conversations with questions.")  # fmt: skip
@click.option("--write", "is_written", is_flag=True, help="Put the weights into the package.")
def main(folder: Path, *, is_written: bool) -> None:
    """Print the weights that fit best, what they find, and what those of the others find."""
    told, embedder = labelled.conversations(folder), labelled.embedder()
    if is_written and embedder is None:
        raise click.UsageError("--write fits all weights: VAULTMEM_MODEL_DIR must name MiniLM's")
    columns = dict[str, Vector]()
    by_words = labelled.gathered(told)
    with_vectors = labelled.gathered(told, embedder) if embedder else []
    for fit in FITS if embedder else FITS[:1]:
        cases = by_words if fit is FITS[0] else with_vectors
        columns[fit.name] = fit(cases)
        click.echo(f"{fit.name}, {sum(map(len, cases))} questions\n{HEADER}")
        ours = mean(cases, [columns[fit.name]] * len(cases))
        click.echo(line("fitted on all", ours, ours))
        click.echo(line("fitted elsewhere", mean(cases, elsewhere(fit, cases)), ours))
    click.echo(f"\n{table(columns)}", nl=False)
    if is_written:
        write(columns)


if __name__ == "__main__":
    main()
