"""What is ruled out, or taken, at work by a thing alone: `No GraphQL`, `Parquet then`."""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

import pytest

from vaultmem.documents.bodies import Eliminated, Episode
from vaultmem.nlp.summarization.extractive import Extractive
from vaultmem.nlp.tasks import FoldTask
from vaultmem.storage.transcripts import Turn

pytestmark = pytest.mark.without_history

AT = "2026-03-01T10:00:00Z"
_TESTED = Turn("tool", "$ make check\n214 passed", at=AT, tool="bash")


def answered(asked: str, text: str) -> Episode:
    """Return the episode of *text*, said at work behind what an agent *asked*."""
    turns = (_TESTED, Turn("assistant", asked, at=AT), Turn("user", text, at=AT), _TESTED)
    return Extractive().episode(FoldTask(turns)).value


@pytest.mark.parametrize(
    ("asked", "text", "approach", "why"),
    [
        ("Should we use GraphQL for the API?", "No GraphQL.", "GraphQL", ""),
        ("Could GraphQL help here?", "No GraphQL. The mobile team is small.", "GraphQL", ""),
        ("I would use Terraform for the servers.", "No Terraform, please.", "Terraform", ""),
        ("How do we split the backend?", "No microservices, because we are two people.",
         "microservices", "we are two people"),
        ("The API needs an endpoint.", "No GraphQL, because clients need three of them.",
         "GraphQL", "clients need three of them"),
        ("How do we deploy it?", "No Docker, the host has 512 MB.", "Docker",
         "the host has 512 MB"),
        ("Sollen wir Redis als Cache nehmen?", "Kein Redis, der Speicher reicht nicht.", "Redis",
         "der Speicher reicht nicht"),
        ("要不要用 Kafka？", "不用 Kafka。", "Kafka", ""),
        ("服务怎么部署？", "不用 Docker，服务器内存太小。", "Docker", "服务器内存太小"),
    ],
)  # fmt: skip
def test_a_thing_that_was_proposed_is_ruled_out_by_a_no(
    asked: str, text: str, approach: str, why: str
) -> None:
    assert answered(asked, text).eliminated == (Eliminated(approach, why),)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("Does the deploy work?", "No problem."),
        ("Should I restart the server?", "No need."),
        ("Should we use REST?", "No, GraphQL."),
        ("Is there a Redis on staging?", "No Redis."),
        ("Do we have a Kafka cluster?", "No Kafka."),
        ("Can we see the log?", "No log."),
        ("Let's look at the metrics.", "No metrics."),
        ("Could the timeout be a bug?", "No timeout."),
        ("What about the tests?", "No tests."),
        ("Should we wait for the build?", "No build today."),
        ("Why does the client hang?", "No response, because the port is closed."),
        ("How will the client behave?", "No retries, because the SDK has none."),
        ("Should we add a retry?", "No retry?"),
        ("Gibt es ein Redis auf Staging?", "Kein Redis."),
        ("Läuft das Deployment?", "Kein Problem."),
        ("部署能行吗？", "没问题。"),
        ("数据会丢吗？", "不用担心，因为已经备份了。"),
        ("怎么回滚？", "不用管。"),
    ],
)
def test_that_there_is_none_of_it_rules_nothing_out(asked: str, text: str) -> None:
    assert answered(asked, text).eliminated == ()


@pytest.mark.parametrize(
    ("asked", "text", "decision"),
    [
        ("Parquet or CSV for the export?", "Parquet then.", "Parquet then"),
        ("Which database should we take?", "Postgres then.", "Postgres then"),
        ("Welche Datenbank sollen wir nehmen?", "Dann Postgres.", "Dann Postgres"),
        ("数据库用哪个？", "那就 Postgres 吧。", "那就 Postgres 吧"),
    ],
)
def test_one_of_what_was_asked_for_is_taken(asked: str, text: str, decision: str) -> None:
    assert [made.decision for made in answered(asked, text).decisions] == [decision]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("Can you deploy on Monday or on Friday?", "Monday then."),
        ("SQLite or MySQL?", "Hm, MySQL then?"),
        ("Should I merge?", "See you then."),
        ("Which branch do we take?", "Great then."),
        ("The port is closed.", "Port then."),
    ],
)
def test_a_day_a_question_and_a_farewell_take_nothing(asked: str, text: str) -> None:
    assert answered(asked, text).decisions == ()
