"""What a text costs, roughly: near what a real tokenizer counts, and true to its parts."""

# ruff: noqa: RUF001  Chinese is written with its own marks.

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.documents.tokens import estimate

ENGLISH_PROSE = """\
The ferry left the harbour an hour late, because the captain had waited for the doctor. Nobody
complained. Below deck it smelled of diesel and oranges, and two children were teaching their
grandmother a card game whose rules seemed to change with every hand. When the island came into
view, the rain stopped as if somebody had closed a door. We stood at the rail and counted the
white houses, and my father, who had not said a word since breakfast, began to tell us how he had
once rowed this whole distance with a broken oar and a borrowed dog.
"""

ENGLISH_CHAT = """\
Priya: Hey! Did you get the job?? I've been thinking about you all day
Tom: I did!! They called at 4:30, I start on Monday. I'm so nervous lol
Priya: That's amazing, congrats! Told you they'd love you. What's your boss like?
Tom: Seems nice, she's got two dogs and doesn't do meetings before 10. Can't complain :)
Priya: Sounds perfect. Dinner on Friday to celebrate? There's a new Thai place near Oak Street
Tom: Yes please! No peanuts for me though, you know what happened last time...
"""

CHINESE_PROSE = """\
那年冬天来得特别早，十月底河面就结了一层薄冰。外婆每天清晨都要去村口的井边打水，回来时围巾上总是挂着\
细小的霜花。她不识字，却记得住全村人的生日，谁家的孩子哪天出生、哪天满月，问她准没错。后来我到城里上学，\
才知道这样的记忆力并不常见。如今那口井早就填平了，上面修了一个小小的停车场，可是每到下雪的日子，我还是会\
想起她站在灶台前，一边添柴一边慢慢地说：“别急，水开了再下面条，日子也是一样的道理。”
"""

CHINESE_CHAT = """\
小林: 你周末有空吗？我想去看看那台二手钢琴
阿杰: 周六下午可以，上午要带我妈去医院复查，大概两点以后
小林: 好的，那我们三点在地铁站见？卖家说价格还能再谈谈，现在要8500
阿杰: 有点贵吧，我记得上次那台才6000多。对了，你邻居不介意你晚上练琴吗
小林: 我买了耳机哈哈，电钢琴可以静音的。你别告诉我女朋友，这是给她的生日礼物！
阿杰: 放心，我嘴很严的。那周六见，记得带卷尺量一下尺寸
"""

PYTHON = '''\
@dataclass(frozen=True)
class Reading:
    """One measurement of a sensor, in degrees Celsius."""

    sensor: str
    value: float
    taken_at: datetime


def hourly_means(readings: Iterable[Reading], *, skip_empty: bool = True) -> dict[int, float]:
    by_hour: defaultdict[int, list[float]] = defaultdict(list)
    for reading in readings:
        if reading.value is not None and reading.value > -273.15:
            by_hour[reading.taken_at.hour].append(reading.value)
    if not by_hour and not skip_empty:
        raise ValueError(f"no readings for {len(by_hour)} hours")
    return {hour: sum(values) / len(values) for hour, values in sorted(by_hour.items())}
'''

TYPESCRIPT = """\
import { readFile } from "node:fs/promises";
import type { Invoice, Customer } from "./types";

export async function loadInvoices(path: string, customer?: Customer): Promise<Invoice[]> {
  const rows = JSON.parse(await readFile(path, "utf8")) as Invoice[];
  return rows
    .filter((row) => !customer || row.customerId === customer.id)
    .map((row) => ({ ...row, total: row.lines.reduce((sum, line) => sum + line.amount, 0) }));
}

export class InvoiceError extends Error {
  constructor(readonly invoiceId: number, message: string) {
    super(`invoice ${invoiceId}: ${message}`);
  }
}
"""

JSON = """\
{
  "name": "harbour-light",
  "version": "2.4.1",
  "private": true,
  "scripts": {
    "build": "tsc --project tsconfig.json",
    "test": "node --test --experimental-strip-types test/*.test.ts"
  },
  "dependencies": {
    "express": "^5.1.0",
    "pg": "~8.16.3"
  },
  "limits": [
    {"region": "eu-west", "requestsPerMinute": 1200, "burst": 50},
    {"region": "us-east", "requestsPerMinute": 900, "burst": null}
  ]
}
"""

SHELL = """\
#!/usr/bin/env bash
set -euo pipefail

backup_dir="${BACKUP_DIR:-$HOME/backups}"
stamp=$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$backup_dir"

for db in orders customers stock; do
    echo "dumping $db" >&2
    if ! pg_dump --format=custom --no-owner "$db" > "$backup_dir/$db-$stamp.dump"; then
        rm -f "$backup_dir/$db-$stamp.dump"
        exit 1
    fi
done

find "$backup_dir" -name '*.dump' -mtime +30 -print -delete | wc -l
"""

MARKDOWN = """\
---
id: 01K8ZQ4T7M3W5X9A2B6C8D0EFG
type: topic
title: The move to Bristol
agent: mira
created: 2026-03-14T09:26:53Z
trust: user
tags: [family, house]
sources:
  - "[[20260311-181204-we-signed-the-lease-x7k2pq]]"
  - "[[20260312-070455-boxes-arrive-on-friday-m4w9dz]]"
---
# The move to Bristol

Jonas signed the lease on **11 March**; see [[people/jonas]] and [[places/bristol|the flat]].

- The rent is 1,450 a month, due on the 1st.
- The cat must not travel by train: ask [[people/nadia]] for the van.
"""

# What Claude 3 to 4.6 count for them, as ctok 1.3.0 reconstructs it, without the message's frame.
CLAUDE = {
    "English prose": (ENGLISH_PROSE, 121),
    "English chat": (ENGLISH_CHAT, 145),
    "Chinese prose": (CHINESE_PROSE, 215),
    "Chinese chat": (CHINESE_CHAT, 229),
    "Python": (PYTHON, 203),
    "TypeScript": (TYPESCRIPT, 177),
    "JSON": (JSON, 173),
    "shell": (SHELL, 171),
    "Markdown": (MARKDOWN, 211),
}

ANY = st.text()
# Where every rate, discount and seam is met often.
DENSE = st.text(alphabet="aB '", max_size=40) | st.text(alphabet="abXY'07-= \n\té“你，か😀─")


@pytest.mark.parametrize(("text", "tokens"), CLAUDE.values(), ids=CLAUDE)
def test_an_estimate_is_within_15_percent_of_claudes_count(text: str, tokens: int) -> None:
    assert estimate(text) == pytest.approx(tokens, rel=0.15)


def test_nothing_costs_nothing() -> None:
    assert estimate("") == 0


@given(text=ANY | DENSE)
def test_no_text_costs_less_than_nothing(text: str) -> None:
    assert estimate(text) >= 0


@given(a=ANY | DENSE, b=ANY | DENSE)
def test_a_text_costs_what_its_larger_part_does_or_more_and_no_more_than_both(
    a: str, b: str
) -> None:
    """So a budget that the parts keep is kept."""
    assert max(estimate(a), estimate(b)) <= estimate(a + b) <= estimate(a) + estimate(b)


@pytest.mark.parametrize(
    "unit", ["a", "aA", "a'", "aaaaaaa ", " ", "-", "-=", "1", "\n", "é", "你"]
)
def test_a_million_characters_are_counted_to_their_end(unit: str) -> None:
    """A pattern that backtracks would not come to it."""
    assert estimate(unit * (1_000_000 // len(unit))) > 0
