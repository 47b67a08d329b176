"""Read off what a tool answered how it went: counts, exit codes, kinds of error.

Each is a number beside a word of a closed list, or a phrase of one, so that no sentence of a page
can come along: what is told here may stand beside what people and agents say. What is only shown (a
file, what a search found) is counted, whatever numbers stand in it; of what says nothing else the
lines are. The outcome of an outcome is itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from vaultmem.nlp.extraction.sessions import tool_results

_READ, _MOST = 2000, 5
_UNITS = (
    r"passed|failed|skipped|xfailed|errors?|failures?|warnings?|vulnerabilities|tests?|checks?"
    r"|files? changed|files?|insertions?|deletions?|rows?|records?|match(?:es)?|lines?|commits?"
    r"|modified|untracked|deleted|renamed|bytes|[kKMG]B|ms|seconds?|minutes?"
)
_COUNT = (
    rf"(?<![\w.,:/-])\d[\d,]{{0,11}}(?:\.\d{{1,4}})? ?(?:{_UNITS})(?![\w-])"
    r"|(?<![\w.])\d{1,3}(?:\.\d{1,2})?%"
)
_CODE = r"\bexit(?:ed with)? (?:code|status):? \d{1,3}\b|\bHTTP(?:/\d(?:\.\d)?)? [1-5]\d\d\b"
_RAISED = (
    r"\b(?:Assertion|Attribute|Connection|FileExists|FileNotFound|Import|Index|Key|Lookup|Memory"
    r"|ModuleNotFound|Name|NotImplemented|OS|Overflow|Permission|Recursion|Reference|Runtime|Syntax"
    r"|Timeout|Type|UnicodeDecode|UnicodeEncode|Value|ZeroDivision)Error\b"
)
_PHRASE = (
    r"(?i:\b(?:no such file or directory|permission denied|command not found|connection refused"
    r"|connection reset|timed out|out of memory|segmentation fault|no space left on device"
    r"|build (?:succeeded|failed)|already up to date|nothing to commit|merge conflict"
    r"|no matches found|all checks passed|ahead by \d{1,6} commits?|behind by \d{1,6} commits?"
    r"|no output)\b)"
    r"|\bE(?:RESOLVE|NOENT|ACCES|404|CONNREFUSED|CONNRESET|ADDRINUSE|TIMEDOUT|NOSPC|PERM|EXIST"
    r"|NOTFOUND|PIPE)\b|\A\d{1,9} items?\Z"
)
_FOUND = re.compile(f"{_COUNT}|{_CODE}|{_RAISED}|{_PHRASE}")


_PROGRESS = re.compile(r"\[ *\d{1,3}%\]")
_NUMBERED = re.compile(r"\s*\d{1,7}(?:\t|\u2192).*")
_HIT = re.compile(r"(?:\./)?[\w./@+-]{1,200}[:-]\d{1,7}[:-](?!.*\b(?:error|warning|note)\b).*")
_COUNTED = re.compile(r"(?i)found \d+ .*|--")
_STATUS = (
    ("modified", re.compile(r"\t(?:both )?modified:")),
    ("deleted", re.compile(r"\tdeleted:")),
    ("renamed", re.compile(r"\trenamed:")),
)
_UNTRACKED = re.compile(r"(?m)^Untracked files:\n(?:  \(.*\n)?(?P<names>(?:\t.*(?:\n|\Z))+)")
_AWAY = re.compile(r"Your branch is (?P<where>ahead of|behind) '[^'\n]{1,200}' by (?P<n>\d{1,6})\b")


def outcome(answer: str) -> str:
    """Return how *answer* says it went: `2 failed, 118 passed, exit code 1`, or nothing."""
    if not answer.strip():
        return "no output"
    return _shown(answer) or _git_status(answer) or _said(answer) or _size(answer)


def _said(answer: str) -> str:
    return ", ".join(list(dict.fromkeys(_findings(answer)))[-_MOST:])


def _findings(answer: str) -> Iterator[str]:
    short = tool_results.shorten(_PROGRESS.sub("", answer), _READ)
    return (" ".join(found[0].split()) for found in _FOUND.finditer(short))


def _shown(answer: str) -> str:
    """Return how much of a file, or how many hits of a search, *answer* shows; "" for neither."""
    lines = [line for line in answer.splitlines() if line.strip()]
    if all(map(_NUMBERED.fullmatch, lines)):
        return _many(len(lines), "line")
    hits = [line for line in lines if not _COUNTED.fullmatch(line)]
    return _many(len(hits), "match") if hits and all(map(_HIT.fullmatch, hits)) else ""


def _git_status(answer: str) -> str:
    if not answer.startswith("On branch "):
        return ""
    counts = [(len(pattern.findall(answer)), name) for name, pattern in _STATUS]
    if m := _UNTRACKED.search(answer):
        counts.append((m["names"].count("\t"), "untracked"))
    told = [f"{n} {name}" for n, name in counts if n]
    if m := _AWAY.search(answer):
        told.append(f"{m['where'].split()[0]} by {_many(int(m['n']), 'commit')}")
    return ", ".join(told)


def _size(answer: str) -> str:
    """Return how much *answer* is, which says nothing of how it went."""
    try:
        made = json.loads(answer)
    except (ValueError, RecursionError):
        lines = sum(bool(line.strip()) for line in answer.splitlines())
        return _many(lines, "line") if lines > 1 else ""
    lists = [made] if isinstance(made, list) else []
    if isinstance(made, dict):
        lists = [value for value in made.values() if isinstance(value, list)]
    return _many(len(lists[0]), "item") if len(lists) == 1 else ""


def _many(count: int, what: str) -> str:
    plural = "es" if what.endswith("ch") else "s"
    return f"{count} {what}{'' if count == 1 else plural}"
