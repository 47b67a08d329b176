"""What every detector of dreams keeps to, whatever it looks for."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.dreamt import NOW, SHELTER, Vault, card, memories, said, topic
from vaultmem.maintenance.dream.planner import DETECTORS, Detector
from vaultmem.maintenance.dream.types import Make, Used
from vaultmem.storage import ulids

_MORE = "".join(f"- Fact {n} is own to it.\n" for n in range(8))
_OLD, _NEW = "([[20240105-101500-old-aaaaaa]])", "([[20250105-101500-new-bbbbbb]])"
_MARKED = "<!-- vaultmem:begin -->\n- [Deploy](topics/deploy.md)\n<!-- vaultmem:end -->\n"


def _experiences() -> dict[str, str]:
    """Return three episodes in which one way of working succeeded."""
    return {
        f"agents/ada/episodes/episode-000{n}-rotate.md": "---\n"
        f"id: 01KADAQZ8RJ9V3T5W7X1Y3Z{n:03}\ntype: episode\nagent: ada\n"
        f"created: 2026-11-0{n}T09:00:00Z\ntrust: user\noutcome: success\n"
        f"title: Rotate the API keys of shop {n}\ntags: [heron]\n---\n"
        f"## Task\nRotate the API keys of shop {n}\n\n## Approach\n"
        "1. Make a new key\n2. Deploy it\n3. Revoke the old one\n"
        for n in (1, 2, 3)
    }


_DEPLOY = topic("## Facts\n- Deploys go out on Tuesdays.\n")
SAMPLES = {
    "relative_dates": Vault(
        {"topics/a.md": topic("- Anna moved yesterday.\n", created="2024-05-10T09:00:00Z")}
    ),
    "duplicates": Vault(
        {
            "topics/a.md": topic("- The staging server is called heron.\n"),
            "topics/b.md": topic("- staging server is named heron\n"),
        }
    ),
    "agent_instructions": Vault(
        {
            "AGENTS.md": "# Work\n\n## Testing\n- Tests run with vitest.\n",
            "topics/a.md": topic(f"## Facts\n- Tests run with vitest.\n{_MORE}"),
        }
    ),
    "contradictions": Vault(
        {
            "topics/a.md": topic(
                f"- Anna lives in Lyon. {_OLD}\n- Anna lives in Nice. {_NEW}\n{_MORE}"
            )
        }
    ),
    "card_contradictions": Vault(
        {
            **card(birthday="4 May"),
            "notes/b.md": topic("- Edda's birthday is 5 May.\n", created="2025-01-05T10:00:00Z"),
        }
    ),
    "superseded": Vault(said("I live in Graz.", "I live in Linz now.")),
    "broken_links": Vault({"topics/a.md": topic("- See [[gone-forever]] for details.\n")}),
    "orphans": Vault(
        {
            "MEMORY.md": "# Memory\n- [Deploy](topics/deploy.md): how\n",
            "topics/deploy.md": _DEPLOY,
            "topics/heron.md": topic("- A server.\n", "Heron"),
        }
    ),
    "memory_md": Vault(
        {
            "MEMORY.md": f"# Memory\n\n## Bread\n- Rye is sour.\n- Porto bakes.\n\n{_MARKED}",
            "topics/deploy.md": _DEPLOY,
        }
    ),
    "passing_state": Vault({"MEMORY.md": "# Memory\n\n- WIP: a new cache.\n"}),
    "index_marks": Vault({"MEMORY.md": "# Memory\n\nOnly prose.\n"}),
    "long_notes": Vault(
        {"topics/a.md": topic("".join(f"- Fact {n} is so.\n" for n in range(400)))}
    ),
    "stale": Vault({"topics/a.md": topic("- Lunch is at noon.\n", stale_after="2026-01-01")}),
    "promotion": Vault(
        memories(SHELTER), {ulids.first_at(1e9)[:22] + "0000": Used(4, 3, "2026-11-20T10:00:00Z")}
    ),
    "clusters": Vault(memories(SHELTER)),
    "skills": Vault(_experiences()),
    "unrecalled": Vault(said("Thank you so much!"), now=NOW + timedelta(90)),
}
"""For each detector, by its module, a vault in which it finds something."""

every_detector = pytest.mark.parametrize(
    "detect", DETECTORS, ids=lambda it: it.__module__.rpartition(".")[2]
)


def _sample(detect: Detector) -> Vault:
    return SAMPLES[detect.__module__.rpartition(".")[2]]


@every_detector
def test_it_finds_nothing_where_there_is_nothing(detect: Detector) -> None:
    assert list(detect(Vault({}).seen())) == []


@every_detector
def test_it_says_what_it_would_do_to_which_file_and_why(detect: Detector) -> None:
    vault = _sample(detect)
    found = list(detect(vault.seen()))
    assert found
    for proposal in found:
        assert proposal.reason
        made = {edit.path for edit in proposal.edits if isinstance(edit, Make)}
        assert {proposal.path, *proposal.paths} - made <= vault.texts.keys()


@every_detector
def test_it_finds_the_same_each_time(detect: Detector) -> None:
    vault = _sample(detect)
    assert list(detect(vault.seen())) == list(detect(vault.seen()))


@every_detector
def test_what_it_found_is_done_once(detect: Detector) -> None:
    vault = _sample(detect)
    assert vault.planned(detect).proposals
    after = vault.dreamt(detect)
    assert after.texts != vault.texts
    assert not after.planned(detect).proposals


@every_detector
def test_it_never_changes_a_raw_memory(detect: Detector) -> None:
    vault = _sample(detect)
    after = vault.dreamt(detect).texts
    kept = set(after.values())  # one may be archived
    assert all(text in kept for path, text in vault.texts.items() if "/memories/" in path)
