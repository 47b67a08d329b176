"""Of two values of one attribute the newer stands; what can be many is no contradiction."""

from __future__ import annotations

import pytest

from tests.dreamt import Vault, topic
from vaultmem.maintenance.dream.detectors import contradictions
from vaultmem.maintenance.dream.planner import is_safe

MORE = "".join(f"- Fact {n} is own to it.\n" for n in range(8))
"""A dream takes away at most a quarter of what a file says."""

OLD, NEW = "([[20240105-101500-old-aaaaaa]])", "([[20250105-101500-new-bbbbbb]])"


XIAOHONG = "\u6211\u59b9\u59b9\u5c0f\u7ea2\u4f4f\u5728"
"""My sister Xiaohong lives in …"""


def dreamt(one: str, two: str) -> str:
    """Return a topic that says *one*, and a year later *two*, after a dream."""
    vault = Vault({"topics/deploy.md": topic(f"- {one} {OLD}\n- {two} {NEW}\n{MORE}")})
    after = vault.dreamt(contradictions.find)
    assert not after.planned(contradictions.find).proposals
    return after.texts["topics/deploy.md"].split("---\n", 2)[2].removesuffix(MORE)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Anna lives in Lyon.", "Anna lives in Nice."),
        ("Anna works at Acme.", "Anna now works at Globex."),
        ("The staging server is called heron.", "The staging server is named egret."),
        ("The deadline is 5 May 2025.", "The deadline is now May 7, 2025."),
        ("The retention of logs is 30 days.", "The retention of logs is 14 days."),
        ("Anna's doctor is Dr. Lee.", "Anna's doctor is Dr. Kim."),
        ("The port of the API is 8080.", "The port of the API is 9090"),
        ("Postgres listens on port 5433.", "Postgres listens on port 5434."),
        ("The checkout uses API v1.", "The checkout now uses API v2."),
        ("The backend runs Python 3.11.", "The backend runs Python 3.12."),
        ("The port of the till is 8080.", "The till listens on port 9090."),
        ("The invoice service uses Postgres 15.", "The invoice service uses Postgres 16."),
        ("Deploys go out on Tuesdays.", "Deploys go out on Fridays."),
        ("The bar holds 40.", "The bar holds 50 guests."),
        ("The hall has room for 2,000 people.", "The hall now holds 1,500 people."),
        ("The server allows at most 40 connections.", "The server supports up to 60 connections."),
        ("Anna is vegetarian.", "Anna is not vegetarian."),
        ("We deploy on Fridays.", "We don't deploy on Fridays."),
        ("Backups run at two each night.", "Each night at three the backups run."),
        ("The bins are emptied on Tuesday.", "The bins are emptied on Friday."),
        ("Logs are kept for 30 days.", "We keep logs for 90 days."),
        ("Anna's flight lands at 18:20.", "At 19:05 Anna's flight lands."),
        ("Never squash commits.", "Always squash commits."),
        ("Anna prefers tea over coffee.", "Anna prefers coffee to tea."),
        ("\u738b\u82b3\u4f4f\u5728\u5317\u4eac", "\u738b\u82b3\u73b0\u5728\u4f4f\u5728\u6d77"),
    ],
)  # fmt: skip
def test_the_newer_value_stands_and_the_older_is_named_as_a_loss(older: str, newer: str) -> None:
    vault = Vault({"topics/deploy.md": topic(f"- {newer} {NEW}\n- {older} {OLD}\n{MORE}")})
    (proposal,) = vault.planned(contradictions.find).proposals
    assert proposal.op == "correct"
    assert proposal.losses == (older,)
    assert all(said in proposal.reason for said in (older, newer, "2024-01-05", "2025-01-05"))
    assert dreamt(older, newer) == f"- {newer} {NEW}\n"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Anna likes tea.", "Anna likes coffee."),
        ("The tank holds 40 litres.", "The tank holds 12 bottles."),
        ("The hall seats 40.", "The hall sleeps 12."),
        ("The bar holds 2,000 people.", "The bar holds 2000 guests."),
        ("The shelf holds 40 books.", "The shelf holds 50 books."),
        ("The bar holds 40.", "The bar holds 40 guests or 50."),
        ("The API accepts up to 100 requests.", "The API accepts up to 9 requests per second."),
        ("Anna visited Lyon.", "Anna visited Nice."),
        ("Anna speaks French.", "Anna speaks German."),
        ("Anna's daughter is Mia.", "Anna's daughter is Zoe."),
        ("The unit 3 limit is 21 volts.", "The unit 4 limit is 28 volts."),
        ("The limit is 21 volts.", "The limit is 28 amperes."),
        ("Anna lives in Lyon.", "Ben lives in Nice."),
        ("Anna lives in Lyon during the week.", "Anna lives in Nice during the holidays."),
        ("The port on staging is 8080.", "The port on production is 9090."),
        ("The port is 8080 on staging.", "The port is 9090 on production."),
        ("Nginx listens on port 80.", "Nginx listens on port 443."),
        ("Staging uses port 5433.", "Production uses port 5434."),
        ("Anna drank 3.5 litres.", "Anna drank 2.5 litres."),
        ("Anna lived in Lyon.", "Anna lives in Nice."),
        ("If Anna lives in Lyon, she flies.", "Anna lives in Nice."),
        ("It is called heron.", "It is called egret."),
        ("We meet on Tuesdays.", "We meet on Fridays."),
        ("The market is on Tuesdays.", "The market is on Fridays."),
        ("Deploys go out on Tuesdays.", "Deploys go out on Tuesdays and Fridays."),
        ("The kitchen uses Room 15.", "The kitchen uses Room 16."),
        ("The shop uses Postgres 15.", "The shop uses Redis 7."),
        ("The port of the till is 8080.", "The printer listens on port 9090."),
        ("The owner is Anna and Ben.", "The owner is Carl."),
        ("The server is fast.", "The server is old."),
        ("Anna did not sign.", "Anna did sign."),
        ("Room 4 has 2 beds.", "Room 5 has 3 beds."),
        ("The shop closes at six on Fridays.", "The shop closes at seven on Mondays."),
        ("The train to Lyon leaves at 7:40.", "The train to Nice leaves at 8:10."),
        ("The flat has three rooms.", "The flat has two balconies."),
        ("The rent is 950 euros a month.", "The monthly rent is 950 euros."),
    ],
)
def test_another_subject_or_what_can_be_many_is_no_contradiction(older: str, newer: str) -> None:
    assert dreamt(older, newer) == f"- {older} {OLD}\n- {newer} {NEW}\n"


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Sarah lives in Berlin.", "Sarah lives in Leipzig."),
        ("Sarah's birthday is 5 May 1990.", "Sarah's birthday is 6 May 1990."),
        ("Tom works at Siemens.", "Tom does not work at Siemens."),
        ("Tom doesn't work at Siemens.", "Tom works at Siemens."),
        ("The port of the API is 8080.", "The port of the API is not 8080."),
        ("The oven runs at 230 degrees.", "The oven does not run at 230 degrees."),
        (f"{XIAOHONG}\u4e0a\u6d77", f"{XIAOHONG}\u5317\u4eac"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("created", [{}, {"created": "2024-05-10T09:00:00Z"}])
def test_of_two_that_are_equally_old_a_person_is_asked_whether_the_later_stands(
    first: str, then: str, created: dict[str, str]
) -> None:
    """In one topic and in two; it is never done unasked."""
    one = {"topics/a.md": topic(f"- {first}\n- {then}\n", "A", **created)}
    two = {
        "topics/a.md": topic(f"- {first}\n{MORE}", "A", **created),
        "topics/b.md": topic(f"- {then}\n", "B", **created),
    }
    for texts in (one, two):
        (proposal,) = Vault(texts).planned(contradictions.find).proposals
        assert (proposal.path, proposal.losses) == ("topics/a.md", (first,))
        assert proposal.reason.count("(2024-05-10)" if created else "(undated)") == 2
        assert not is_safe(proposal)
        after = Vault(texts).dreamt(contradictions.find)
        assert not after.planned(contradictions.find).proposals


def test_who_does_not_work_at_one_place_may_work_at_another() -> None:
    body = "- Tom does not work at Siemens.\n- Tom works at Bosch.\n"
    assert not Vault({"topics/a.md": topic(body)}).planned(contradictions.find).proposals


def test_a_less_trusted_claim_retires_no_more_trusted_one() -> None:
    texts = {
        "topics/anna.md": topic(f"- Anna lives in Lyon. {OLD}\n{MORE}", "Anna", trust="user"),
        "topics/web.md": topic(f"- Anna lives in Nice. {NEW}\n", "Anna", trust="untrusted"),
    }
    assert not Vault(texts).planned(contradictions.find).proposals


def test_across_files_only_a_subject_with_a_name_is_the_same() -> None:
    def found(subject: str) -> int:
        texts = {
            "topics/atlas.md": topic(f"- {subject} is main. {OLD}\n{MORE}", "Atlas"),
            "topics/zephyr.md": topic(f"- {subject} is trunk. {NEW}\n", "Zephyr"),
        }
        return len(Vault(texts).planned(contradictions.find).proposals)

    assert found("The default branch") == 0
    assert found("The default branch of Atlas") == 1


@pytest.mark.parametrize(
    ("title", "older", "newer"),
    [
        ("Till", "The port of the till is 8080.", "The till listens on port 9090."),
        ("Logs", "Logs are kept for 90 days.", "We keep logs for 30 days."),
        ("Deploys", "Deploys go out on Tuesdays.", "Deploys go out on Fridays."),
    ],
)
def test_a_note_about_a_thing_and_a_note_about_others_disagree(
    title: str, older: str, newer: str
) -> None:
    def found(title: str) -> int:
        texts = {
            "topics/a.md": topic(f"- {older} {OLD}\n{MORE}", title),
            "topics/b.md": topic(f"- {newer} {NEW}\n", "Zephyr"),
        }
        return len(Vault(texts).planned(contradictions.find).proposals)

    assert found(title) == 1
    assert found("Atlas") == 0


def test_two_notes_about_a_thing_disagree_in_a_sentence_each() -> None:
    """As the memories of Claude Code do: a file for a fact, without bullets."""

    def found(one: str, two: str) -> int:
        ports = {one: 5433, two: 5434}
        texts = {
            f"topics/{n}.md": topic(f"Postgres listens on port {port}\n", title)
            for n, (title, port) in enumerate(ports.items())
        }
        return len(Vault(texts).planned(contradictions.find).proposals)

    assert found("Postgres port", "Setup of Postgres") == 1
    assert found("Atlas", "Zephyr") == 0


def test_two_headings_are_two_subjects() -> None:
    body = f"## Staging\n- The port is 8080. {OLD}\n## Production\n- The port is 9090. {NEW}\n"
    assert not Vault({"topics/x.md": topic(body)}).planned(contradictions.find).proposals


def test_what_a_person_says_later_corrects_the_fact_in_place() -> None:
    said = "---\ntype: memory\nagent: ada\nspeaker: Caroline\nsource: user\ntrust: user\n"
    said += "id: 01J00000000000000000000000\n"
    name = "20250301-101500-lives-in-nice-cccccc"
    texts = {
        "topics/caroline.md": topic(f"- Caroline lives in Lyon. {OLD}\n{MORE}", "Caroline"),
        f"agents/ada/memories/2025/03/{name}.md": f"{said}created: 2025-03-01T10:15:00Z\n---\n"
        "I live in Nice now.\n",
    }
    (proposal,) = Vault(texts).planned(contradictions.find).proposals
    assert proposal.losses == ("Caroline lives in Lyon.",)
    after = Vault(texts).dreamt(contradictions.find)
    assert after.texts["topics/caroline.md"].endswith(
        f"- Caroline lives in Nice. ([[{name}]])\n{MORE}"
    )
    assert not after.planned(contradictions.find).proposals


@pytest.mark.parametrize("change", [("source: user", "source: web"), ("2025-03", "2023-03")])
def test_what_a_page_says_or_was_said_before_corrects_nothing(change: tuple[str, str]) -> None:
    said = (
        "---\ntype: memory\nid: 01J00000000000000000000000\nagent: ada\nspeaker: Caroline\n"
        "source: user\n"
        "created: 2025-03-01T10:15:00Z\n---\nI live in Nice now.\n"
    )
    texts = {
        "topics/caroline.md": topic(f"- Caroline lives in Lyon. {OLD}\n{MORE}", "Caroline"),
        "agents/ada/memories/2025/03/m.md": said.replace(*change),
    }
    assert not Vault(texts).planned(contradictions.find).proposals
