"""Tell in which register people talk with an agent: of their work, or of everyday things.

This is the one place that decides how strictly what is said is read. Work is a talk that shows it:
files, code, commands, tools that touch them, versions, numbers of tickets and orders, sums, the
words of a trade that builds and plans. Whoever works with an agent settles things in passing
(`Parquet, because pandas reads it`), and what is decided, ruled out, left open and put right is
read so. Everything else is everyday talk, with an agent as among people: there only what a person
commits to in so many words is told.

A turn is told by those around it: a talk may go from one to the other. Register is the variety of
a language that goes with the situation (Halliday, McIntosh & Strevens 1964); that its words show
it, and how dense they are, is Biber's finding (1988, *Variation across Speech and Writing*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Protocol

from vaultmem.nlp.text import analysis
from vaultmem.nlp.text.stopwords import words
from vaultmem.storage.transcripts import Turn


class Register(Enum):
    """How a turn is to be read."""

    WORK = "work"
    EVERYDAY = "everyday"


class Voiced(Protocol):
    """What somebody said: a turn, or a sentence of one."""

    @property
    def role(self) -> str:
        """One of `transcripts.ROLES`."""

    @property
    def speaker(self) -> str:
        """The name of who said it, where one is known."""


_AROUND = 5
"""So many turns before one and behind it are looked at with it."""

_LEAST = 0.2
"""Of the sentences there so many show work, each turn counting as much as another."""

_OFTEN = 2
"""One turn alone is an aside, unless there is but one other."""

_TURN, _SENTENCE = 4000, 400
"""Characters of each that are looked at: a pasted page shows in its first lines what it is."""

_FILES = (
    r"py|ipynb|jsx?|tsx?|mjs|jsonl?|ya?ml|toml|md|go|rs|java|kt|swift|rb|php|cs|c|cc|cpp|h|hpp|sh"
    r"|sql|db|csv|tsv|parquet|html|s?css|vue|lock|cfg|ini|conf|env|log|txt|tf|xml|proto|docx?"
    r"|xlsx?|pptx?|pdf|zip|gz|exe|dll|so|whl"
)
# What people point at where they work; keys and calls of a service without a file are none of it.
_ARTIFACT = re.compile(
    r"```|~~~|`[^`\n]+`"
    rf"|(?<![\w-])[\w-]+\.(?:{_FILES})\b(?!\.\w)|(?<!\w)\.(?:env|git\w*)\b"
    r"|(?<![\w/:.])(?:~|\.{1,2})?/[\w.-]+/[\w./-]+|(?<![\w./-])[\w.-]+/[\w.-]+/[\w./-]+\.\w+\b"
    r"|(?<![\w\"\[])(?:[a-z]+\d*_[a-z0-9_]+|[A-Z]+_[A-Z_]+|(?!i[A-Z]|eBay)[a-z]+[A-Z][a-z]+\w*)"
    r"(?!\w|\]|\":)"
    r"|\b\w+\(\)|(?<!\S)--[a-z][\w-]+|^\$ |\b\w+(?:Error|Exception)\b"
    r"|\bv\d+(?:\.\d+)*\b|\b\d+\.\d+\.\d+\b|[<>=]=\s?\d|(?<!\w)#\d{3,}\b"
    r"|(?i:^\W*(?:decision|to-?do|next steps?|status|(?:step|phase) \d+)\s?:)"
    # The numbers of tickets, orders and policies, and sums of money.
    r"|\b[A-Z]{2,}-?\d{3,}\b|[$\u20ac\u00a3\u00a5]\s?\d"
    r"|\b\d[\d.,]*\s?(?:\u20ac|EUR|USD|euros?|dollars?)(?!\w)"
)
_TOOLS = words("bash shell terminal exec python edit multiedit write read grep glob git")
_TRADE = words("""
    api apis sdk cli gui backend frontend server servers database databases sql nosql schema
    query queries cache queue daemon endpoint endpoints webhook webhooks payload oauth auth http
    https url dns tcp tls proxy nginx docker kubernetes cluster vm aws gcp azure s3 terraform
    git github gitlab repo repos repository commit commits branch branches merge merged rebase
    pr diff ci pipeline deploy deploys deployed deployment rollback staging prod migration
    migrations migrate backup backups restore bug bugs traceback debug log logs logging lint
    linter tests pytest unittest codebase code script scripts refactor refactoring implement
    implementation module modules dependency dependencies framework parser compiler config
    configuration csv json yaml xml parquet markdown python javascript typescript java golang
    node npm pip vue django flask rails postgres postgresql mysql sqlite redis mongodb kafka
    rabbitmq elasticsearch duckdb pandas numpy airflow webpack vite linux debian ubuntu latency
    throughput timeout timeouts retry retries cpu gpu column columns html css dom div dropdown
    jquery readme docs changelog sprint backlog roadmap milestone milestones deadline spec specs
    requirement requirements stakeholder stakeholders invoice invoices contractor supplier
    suppliers agenda grafana prometheus ansible helm selenium playwright eslint prettier ruff
    mypy uvicorn gunicorn kotlin swift gradle maven cmake powershell jenkins sentry datadog
    snowflake bigquery dbt pytorch tensorflow cuda llm llms embeddings tokenizer classifier
    dataset datasets checkpoint checkpoints regex utf8 unicode ascii base64 ssh ssl vpn firewall
    kpi okr audit auditor procurement proposals onboarding deliverable deliverables hiring
    rename renamed subprocess async mutex plugin plugins db dbs polling locking concurrency
    idempotent upsert

    datei dateien datenbank schnittstelle fehlermeldung absturz skript funktion modul bibliothek
    quelltext abfrage tabelle spalte anmeldung angebot rechnung rechnungen lieferant frist
    projekt besprechung pushen pushst committen mergen deployen umstellung
""")
_TRADE_ZH = (
    "代码|接口|数据库|服务器|部署|日志|测试|脚本|函数|模块|组件|前端|后端|缓存|队列|配置|版本"
    "|分支|提交|上线|迁移|备份|查询|字段|端口|鉴权|依赖|框架|报错|故障|线程|进程|存储|导出"
    "|爬虫|内存|文档|需求|排期|里程碑|合同|报价|客户|项目|预算"
)


def registers(turns: Sequence[Turn]) -> tuple[Register, ...]:
    """Return how each of *turns* is to be read; people among themselves never talk to work."""
    if are_people(turns):
        return (Register.EVERYDAY,) * len(turns)
    shares = [_share(turn) for turn in turns]
    return tuple(
        _register(shares[max(0, i - _AROUND) : i + _AROUND + 1]) for i in range(len(turns))
    )


def _register(shares: Sequence[float]) -> Register:
    """Return the register of turns next to each other, by the *shares* that show work."""
    dense = sum(shares) >= _LEAST * len(shares)
    often = sum(share > 0 for share in shares) >= min(_OFTEN, (len(shares) + 1) // 2)
    return Register.WORK if dense and often else Register.EVERYDAY


def are_people(said: Iterable[Voiced]) -> bool:
    """Whether people alone speak in *said*, each with a name: what is asked is of each other."""
    spoken = [it for it in said if it.role in {"user", "assistant"}]
    return all(it.role == "user" and it.speaker for it in spoken)


def _share(turn: Turn) -> float:
    """Return which share of the sentences of *turn* shows work."""
    if turn.role == "tool":
        return float(turn.tool.casefold() in _TOOLS or _shows(turn.content))
    shown = [_shows(sentence) for sentence in analysis.sentences(turn.content[:_TURN])]
    return sum(shown) / len(shown) if shown else 0.0


def _shows(text: str) -> bool:
    text = text[:_SENTENCE]
    if _ARTIFACT.search(text) or re.search(_TRADE_ZH, text):
        return True
    return not _TRADE.isdisjoint(re.findall(r"\w+", text.casefold()))
