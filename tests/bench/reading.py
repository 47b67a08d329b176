"""What reading text costs: everyday notes, long ones, and such as are made to be slow.

    python tests/bench/reading.py

Of a hostile text eight times as much may cost thirty times as much; a rule whose work grows with
the square would cost sixty-four times as much. Fails when a bound is broken.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click

# Python looks beside a script; the modules are named from the checkout's root.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import table, timing
from tests.bench.table import Row
from vaultmem import records
from vaultmem.documents import frontmatter, hidden_text, rendered_text, secrets, tokens
from vaultmem.errors import Unreadable
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import Passage, Task
from vaultmem.storage import reader

_LONG, _PART = 102_400, 12_800
_NOISE = 10.0
_NOTE = (
    "On Tuesday we walked to the harbour, where Ana had repaired the boat; she asked for 40 euros "
    "and said that the paint has to dry until Friday. Ben wants to go out on Saturday at nine. "
)
_SPEED: Mapping[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "credentials in": (
        secrets.find,
        ("password is ", "api_key = '", "eyJ", "-----BEGIN ", "密码是"),
    ),
    "hidden text in": (hidden_text.find, ("<!-", "%% ", "<a hidden ", "\u200b", "a\u200d")),
    "the markup of": (
        rendered_text.looks,
        ("<a:b ", "&amp;lt;p", "^[[", "[0m", "=C3", "b'", "\\303", "<![CDATA["),
    ),
    "tokens of": (tokens.estimate, ("aA", "a'", "aaaaaaa ", "-=", "你")),
    "the link in": (reader.link_target, ("[[", "[[a")),
    "a summary of": (
        lambda text: Extractive().summarize(Task("recent", (Passage(text, "Ana"),))),
        ("a, ", '"', "so happened "),
    ),
}
_BOMBS = ("a: " + "{a: " * 4000, "a:\n" + "- " * 8000, "a: b\n" * 250_000, "a: " + "b" * (1 << 20))


def rows() -> Iterator[Row]:
    """Yield every figure, in milliseconds."""
    note, book = (_NOTE * 3)[:500], "word " * 2_000_000
    yield Row("credentials in a note of 500 characters", _fastest(secrets.find, note), "ms", 0.5, 1)
    yield Row("the first line of ten megabytes", _fastest(_first_line, book), "ms", 200, 1)
    for head in _BOMBS:
        yield Row(f"rejecting {head[:12]!r}…", _fastest(_reject, head), "ms", 50, 1)
    for name, (read, units) in _SPEED.items():
        for unit in units:
            whole, part = (_fastest(read, (unit * n)[:n]) for n in (_LONG, _PART))
            figure = f"{name} 100 KiB of {unit!r}, beside an eighth"
            yield Row(figure, whole, "ms", part + _NOISE, 30)


def _fastest(read: Callable[[str], object], text: str) -> float:
    return 1000 * min(timing.spent(lambda: read(text)) for _ in range(3))


def _first_line(book: str) -> str:
    return records.first_line(book, 160)


def _reject(head: str) -> None:
    try:
        frontmatter.fields(frontmatter.parse(f"---\n{head}\n---\n"))
    except Unreadable:
        return
    raise AssertionError("it was read")


@click.command()
def main() -> None:
    """Measure, print, and fail where a bound is broken."""
    found = list(rows())
    click.echo(table.text(found), nl=False)
    sys.exit(any(row.holds is False for row in found))


if __name__ == "__main__":
    main()
