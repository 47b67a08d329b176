"""A dream sees contradictions in freer wording: what changed, is over, or means the same."""

from __future__ import annotations

import pytest

from tests.dreamt import Vault, topic
from vaultmem.maintenance.dream.detectors import contradictions

MORE = "".join(f"- Fact {n} is own to it.\n" for n in range(8))


def outdated(older: str, newer: str) -> bool:
    """Tell whether a dream corrects *older* where a diary said *newer* a year later."""
    vault = Vault(
        {
            "topics/edda.md": topic(f"- {older}\n{MORE}", created="2024-01-05T10:00:00Z"),
            "notes/ideas.md": topic(f"- {newer}\n", "Ideas", created="2025-01-05T10:00:00Z"),
        }
    )
    found = vault.planned(contradictions.find).proposals
    assert all(p.path == "topics/edda.md" and p.contradiction for p in found)
    return bool(found)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Edda works at Norfisk.", "Edda left Norfisk and works at Sild now."),
        ("Edda lives in Kiel.", "Edda has moved to Bonn."),
        ("The tent fee is 40 euros.", "The tent fee went up to 45 euros."),
        ("The choir is at 18:30.", "The choir was moved to 19:00."),
        ("The choir is on Monday at 18:30.", "The choir is now on Thursday at 18:30."),
        ("Edda smokes.", "Edda quit smoking in March."),
        ("Edda owns a canoe.", "Edda sold her canoe."),
        ("Edda is learning Danish.", "Edda gave up Danish."),
        ("Edda goes to night school.", "Edda goes to drama school now."),
        ("Fires on the beach are forbidden.", "Fires on the beach are allowed."),
        ("Edda is vegetarian.", "Edda eats meat again."),
        ("Edda wohnt in Kiel.", "Edda ist nach Bonn gezogen."),
        ("Edda raucht.", "Edda raucht nicht mehr."),
        ("Das Zelt kostet 40 Euro.", "Das Zelt kostet jetzt 45 Euro."),
        ("\u5c0f\u5f20\u4f4f\u5728\u5317\u4eac", "\u5c0f\u5f20\u642c\u5230\u4e0a\u6d77\u4e86"),
        ("Edda's choir is at 18:30.", "Edda's choir got pushed to seven."),
        ("Edda's till is on Postgres 14.", "We moved Edda's till over to Postgres 16 last week."),
        ("Edda's spare key lives in Sild.", "Edda's spare key: moved to Bonn"),
        ("Edda is vegetarian.", "Edda had the steak, she eats meat again."),
        ("Edda drives a Volvo.", "Edda sold the Volvo and bought a Fiat."),
        ("Edda's repo is hosted on GitHub.", "We migrated Edda's repo to GitLab."),
        ("Edda's camera logs are kept for 30 days.", "Edda's camera log retention: now 90 days"),
        ("Edda's landlord is Mr Hale.", "Ms Okafor took over as Edda's landlord."),
        ("Edda's dark mode is on.", "We turned off Edda's dark mode."),
        ("Edda's oven needs one fuse.", "Edda's oven now needs two fuses."),
        ("Edda's newsletter goes out weekly.", "Edda's newsletter is monthly now."),
        ("Edda's boat is blue.", "Edda's boat is green now."),
        ("Edda hates olives.", "Edda loves olives now."),
        ("Edda isst kein Fleisch.", "Edda isst wieder Fleisch."),
        ("Eddas Server l\u00e4uft auf Debian 11.", "Eddas Server wurde auf Debian 12 umgestellt."),
    ],
)
def test_what_changed_contradicts_what_was(older: str, newer: str) -> None:
    assert outdated(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Edda goes to night school.", "Edda goes to drama school."),
        ("Edda drives a van.", "Edda drives a tractor."),
        ("Edda lives in Kiel.", "Edda's mother has moved to Bonn."),
        ("Edda works at Norfisk.", "If Edda left Norfisk, she would go to Bonn."),
        ("Edda owns a canoe.", "Edda plans to sell her canoe."),
        ("Some tents are dry.", "Some tents are not dry."),
        ("Edda lives in Kiel.", "Ivo lebt jetzt in Bonn."),
        ("The choir is on Monday at 18:30.", "The choir is on Thursday at 18:30."),
        ("\u5c0f\u5f20\u559c\u6b22\u8336", "\u5c0f\u5f20\u4e0d\u559c\u6b22\u5496\u5561"),
        ("Edda's till is on Postgres 14.", "We moved Edda's scales over to Postgres 16."),
        ("Edda's till is on Postgres 14.", "We moved Edda's till to Debian 12."),
        ("Edda's choir is at 18:30.", "Edda's choir might be pushed to seven."),
        ("Edda's choir opens at 18:30.", "Edda's choir closes at seven now."),
        ("Edda's spare key is in the shed.", "Edda's spare key is in the kitchen."),
        ("Edda lives in Kiel.", "Edda moved to the night shift."),
        ("Edda lives in Kiel.", "Edda moved to Bonn in 2012 and back."),
        ("Edda's oven needs one fuse.", "Edda's oven now needs a new door."),
        ("Edda's docs are in German.", "We moved Edda's docs to Notion."),
        ("Edda drives a Volvo.", "Edda sold the Fiat and bought a canoe."),
        ("Edda hates olives.", "Edda loves cheese now."),
        ("Edda drives a Volvo.", "Edda now drives to work."),
        ("Edda's repo is hosted on GitHub.", "Decision: moved to GitLab"),
    ],
)
def test_what_may_both_be_so_is_no_contradiction(older: str, newer: str) -> None:
    assert not outdated(older, newer)


def test_of_two_undated_notes_the_one_that_tells_of_a_change_is_the_newer() -> None:
    texts = {
        "notes/diary.md": "# Diary\n\n- The tent fee went up to 45 euros.\n",
        "notes/house.md": f"# House\n\n- The tent fee is 40 euros.\n{MORE}",
    }
    (proposal,) = Vault(texts).planned(contradictions.find).proposals
    assert proposal.path == "notes/house.md"
    assert proposal.doubtful
