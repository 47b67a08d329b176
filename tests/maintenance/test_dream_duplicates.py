"""What stands twice stands once, and what only looks alike stays."""

from __future__ import annotations

import pytest

from tests.bench import duplicates as bench
from tests.cases import rarely
from tests.dreamt import Vault, topic
from vaultmem.maintenance.dream.detectors import duplicates
from vaultmem.nlp.facts import fact_similarity


def dreamt(*bodies: str, **more: str) -> list[str]:
    """Return the bodies of topics `Deploy` after a dream, which must find nothing more."""
    texts = {f"topics/deploy-{n}.md": topic(body, **more) for n, body in enumerate(bodies)}
    after = Vault(texts).dreamt(duplicates.find)
    assert not after.planned(duplicates.find).proposals
    return [after.texts[path].split("---\n", 2)[2] for path in texts]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Deploys go out on Tuesdays at 10:00.", "deploys go out on tuesdays at 10:00!"),
        ("Deploys go out on Tuesdays at 10:00.", "On Tuesdays, deploys go out at 10 am."),
        ("Deploys go out on Tuesdays.", "Deploys go out every Tuesday."),
        ("Use pnpm, not npm, in the frontend.", "In the frontend, use pnpm, not npm."),
        ("The staging server is called heron.", "staging server is named heron"),
        ("If the disk is full, the deploy fails.", "The deploy fails if the disk is full."),
        ("Anna manages the budget.", "The budget is managed by Anna."),
        ("The plan was reviewed by Ben in May.", "Ben reviewed the plan in May."),
        ("We don't deploy on Fridays.", "We do not deploy on Fridays."),
        ("The limit is 1,000 requests.", "The limit is 1000 requests."),
        ("Ann and Ben live in Rome.", "Ben and Ann live in Rome."),
        ("The trip starts on 5 May 2024.", "The trip begins on May 5th, 2024."),
        ("Twenty-five people have to sign.", "25 people must sign."),
        ("Backups run at two each night.", "Each night at two the backups run."),
        ("Mara doesn't eat shellfish.", "Mara does not eat any shellfish."),
        ("Logs are kept for 30 days.", "We keep logs for 30 days."),
        ("The keys lie under the pot.", "Under the pot lie the keys."),
        ("The rent is 950 euros a month.", "The monthly rent is 950 euros."),
        ("Our dentist is Dr. Feld.", "Dr. Feld is our dentist."),
        ("Nils dislikes mint.", "Nils doesn't like mint."),
        ("Mara likes her coffee black.", "Mara likes black coffee."),
        ("The staging server is called frost.", "Our staging server's name is frost."),
        ("Jonas works as a nurse in Bern.", "Jonas is a nurse in Bern."),
        ("Run the tests before you push.", "Before pushing, run the tests."),
        ("Ida has a dog named Pepper.", "Ida's dog is called Pepper."),
        ("Paul is the owner of the billing service.", "The billing service belongs to Paul."),
        ("The office shuts at 6 pm on Fridays.", "On Fridays the office closes at 18:00."),
        ("Our CI runs on GitHub Actions.", "We run our CI on GitHub Actions."),
        ("Lena was born on 3 March.", "Lena's birthday is on 3 March."),
        ("The daily standup is at 9:30.", "Standup takes place at 9:30 every day."),
        ("The code for the garage is 4471.", "The garage code is 4471."),
        ("The shop is closed on Sundays.", "On Sundays the shop isn't open."),
        ("\u90e8\u7f72\u5728\u5468\u4e8c\u3002", "\u90e8\u7f72\u5728\u5468\u4e8c"),
    ],
)
def test_the_same_in_other_words_is_the_same(one: str, two: str) -> None:
    assert fact_similarity.groups([one, two]) == [(0, 1)]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Unit 3 measured 21 gigawatts.", "Unit 4 measured 28 gigawatts."),
        ("It is -5 degrees.", "It is 5 degrees."),
        ("Use C++ here.", "Use C# here."),
        ("Use pnpm, not npm, in the frontend.", "In the frontend, use npm, not pnpm."),
        ("Use pnpm, not npm, in the frontend.", "Use pnpm, not npm in the frontend."),
        ("Postgres listens on port 5433.", "Postgres listens on port 5434."),
        ("The API is v1.", "The API is v2."),
        ("It costs $5.", "It costs \u20ac5."),
        ("Version 1.10 works.", "Version 1.1 works."),
        ("It opens at 10 am.", "It opens at 10 pm."),
        ("Anna calls Ben.", "Ben calls Anna."),
        ("Anna is called every day.", "Anna called every day."),
        ("Migrate before you deploy.", "Deploy before you migrate."),
        ("They moved from Rome to Bonn.", "They moved from Bonn to Rome."),
        ("5 on staging and 10 on production.", "5 on production and 10 on staging."),
        ("Ann hired Ben and Carl fired Dora.", "Ann hired Carl and Ben fired Dora."),
        ("Deploy on Fridays.", "Do not deploy on Fridays."),
        ("Never deploy on Friday.", "Don't deploy on Fridays."),
        ("Anna prefers tea over mint.", "Anna prefers mint over tea."),
        ("Each night at two the dog barks.", "The dog barks at two."),
        ("Anna does not eat just any fish.", "Anna does not eat fish."),
        ("We keep logs for 30 days.", "We kept logs for 30 days."),
        ("The monthly rent is 950 euros.", "The yearly rent is 950 euros."),
        ("The server was heron.", "The server is heron."),
        ("Karl likes his steak rare.", "Karl rarely likes steak."),
        ("Our staging server's name is frost.", "Our production server's name is frost."),
        ("Run the tests before you push.", "Run the tests after pushing."),
        ("Jonas works as a nurse.", "Jonas works with a nurse."),
        ("Ida has a dog named Pepper.", "Ida had a dog named Pepper."),
        ("Paul is the owner of the billing service.", "Paul uses the billing service."),
        ("Mara likes her coffee black.", "Mara likes her black coffee mug."),
        ("The meeting is on Tuesday.", "The meeting is on Tuesdays."),
        ("You should sign.", "You must sign."),
        ("[ ] Buy milk and bread.", "[x] Buy milk and bread."),
        ("Send it to the US office.", "Send it to us, office."),
        ("Is the server ready?", "The server is ready."),
        ("Run `make a` first.", "Run `make b` first."),
        ("See docs/a.md for it.", "See docs/b.md for it."),
    ],
)
def test_what_only_looks_alike_is_not_the_same(one: str, two: str) -> None:
    assert fact_similarity.groups([one, two]) == []


def test_of_three_that_say_the_same_one_stays() -> None:
    says = (
        "- Deploys go out on Tuesdays.",
        "- deploys go out on Tuesdays!",
        "- Deploys go out every Tuesday.",
    )
    assert dreamt(*(f"{x}\n- Fact {n} is own to it.\n" for n, x in enumerate(says))) == [
        f"{says[0]}\n- Fact 0 is own to it.\n",
        "- Fact 1 is own to it.\n",
        "- Fact 2 is own to it.\n",
    ]


def test_of_two_in_a_file_the_later_goes() -> None:
    assert dreamt("- Rollbacks need two approvals.\n- The\n- Rollbacks need two approvals!\n") == [
        "- Rollbacks need two approvals.\n- The\n"
    ]


def test_the_older_note_keeps_the_fact() -> None:
    fact = "- The staging server is called heron.\n"
    texts = {
        "topics/deploy.md": topic(fact, "Deploy", created="2024-05-12T09:00:00Z"),
        "topics/deployment.md": topic(fact, "Deployment", created="2024-05-10T09:00:00Z"),
    }
    after = Vault(texts).dreamt(duplicates.find).texts
    assert "heron" not in after["topics/deploy.md"]
    assert "heron" in after["topics/deployment.md"]


def test_the_fact_that_stays_has_the_sources_of_those_that_go() -> None:
    fact = "- Rollbacks need two approvals."
    bodies = [f"{fact} ([[m1]])\n", f"{fact} ([[m2]], [[m1]])\n", f"{fact} ([[m3]])\n", f"{fact}\n"]
    assert dreamt(*bodies) == [f"{fact} ([[m1]], [[m2]], [[m3]])\n", "", "", ""]


@pytest.mark.parametrize("mark", ["-", "1."])
def test_the_sources_stand_behind_the_fact_and_not_behind_what_is_nested_in_it(mark: str) -> None:
    fact, nested = "- Rollbacks need two approvals.", f"  {mark} One of them from Ann.\n"
    bodies = [f"{fact} ([[m1]])\n{nested}", f"{fact} ([[m2]])\n{nested}"]
    assert dreamt(*bodies) == [f"{fact} ([[m1]], [[m2]])\n{nested}", ""]


def test_facts_with_different_reasons_are_two() -> None:
    fact = "- Rollbacks need two approvals.\n  - **Why:** "
    bodies = [
        f"{fact}Ben once erred.\n",
        f"{fact}The auditors ask for it.\n",
        f"{fact}Ben once erred.\n",
    ]
    assert dreamt(*bodies) == [*bodies[:2], ""]


@pytest.mark.parametrize(
    "body",
    [
        "## Staging\n- The port is 8080 there.\n## Production\n- The port is 8080 there.\n",
        "## Decisions\n- Use Redis as a cache.\n## Ruled out\n- Use Redis as a cache.\n",
        "1. Run the whole suite.\n2. Tag it.\n3. Run the whole suite.\n",
        "```\nmake the whole thing\nmake the whole thing\n```\n",
        "A line of a paragraph\nand its second.\n\nA line of a paragraph\nand another.\n",
    ],
)
def test_what_stands_in_another_place_says_another_thing(body: str) -> None:
    assert dreamt(body) == [body]


def test_a_fact_that_names_no_subject_belongs_to_its_file() -> None:
    texts = {
        "topics/staging.md": topic("- The port is open.\n", "Staging"),
        "topics/production.md": topic("- The port is open.\n", "Production"),
        "cards/people/ann.md": "---\ntype: card\nperson: Ann\n---\nLikes tea with milk a lot.\n",
        "cards/people/ben.md": "---\ntype: card\nperson: Ben\n---\nLikes tea with milk a lot.\n",
    }
    assert not Vault(texts).planned(duplicates.find).proposals


def test_a_less_trusted_copy_never_replaces_a_trusted_one() -> None:
    fact = "- The staging server is called heron.\n"
    texts = {
        "topics/deploy.md": topic(fact, trust="user", created="2024-05-12T09:00:00Z"),
        "topics/deploy-web.md": topic(fact, trust="untrusted", created="2024-01-01T09:00:00Z"),
    }
    after = Vault(texts).dreamt(duplicates.find).texts
    assert "heron" in after["topics/deploy.md"]
    assert "heron" not in after["topics/deploy-web.md"]


def test_what_is_private_to_an_agent_does_not_replace_what_all_share() -> None:
    fact = "- The staging server is called heron.\n"
    texts = {
        "agents/ada/topics/deploy.md": topic(fact, created="2024-01-01T09:00:00Z"),
        "agents/bob/topics/deploy.md": topic(fact, created="2024-01-01T09:00:00Z"),
    }
    assert not Vault(texts).planned(duplicates.find).proposals
    shared = Vault(texts | {"topics/deploy.md": topic(fact)}).dreamt(duplicates.find).texts
    assert [path for path, text in shared.items() if "heron" in text] == ["topics/deploy.md"]


def test_a_pinned_note_keeps_what_it_says() -> None:
    fact = "- The staging server is called heron.\n"
    pinned = topic(fact, pinned="true", created="2024-05-12T09:00:00Z")
    texts = {
        "topics/deploy.md": topic(fact, created="2024-05-10T09:00:00Z"),
        "topics/deploy-b.md": pinned,
    }
    after = Vault(texts).dreamt(duplicates.find).texts
    assert after["topics/deploy-b.md"] == pinned
    assert "heron" not in after["topics/deploy.md"]


def test_the_index_does_not_repeat_a_topic() -> None:
    texts = {
        "topics/deploy.md": topic("- The staging server is called heron.\n"),
        "MEMORY.md": "# Memory\n\n- The staging server is called heron\n"
        "- [Deploy](topics/deploy.md)\n- [Deploy](topics/deploy.md): how\n",
    }
    after = Vault(texts).dreamt(duplicates.find)
    assert after.texts["MEMORY.md"] == "# Memory\n\n- [Deploy](topics/deploy.md): how\n"
    assert not after.planned(duplicates.find).proposals


# --- memories ---------------------------------------------------------------------------------


def memories(*bodies: str, day: str = "2026-01-01", newer: int = 64) -> Vault:
    """Return a vault in which ada heard *bodies* on *day*, and then *newer* other things."""
    said = [(day, body) for body in bodies]
    said += [("2026-02-01", f"The number of the day is {n}.") for n in range(newer)]
    return Vault(
        {f"agents/ada/memories/2026/01/m{n:03}.md": memory(n, *s) for n, s in enumerate(said)}
    )


def memory(number: int, day: str, body: str) -> str:
    """Return the text of a memory."""
    head = f"type: memory\nid: 01J{number:023}\nagent: ada\nspeaker: Ben\ntrust: user\n"
    return f"---\n{head}created: {day}T10:00:00Z\n---\n{body}\n"


def gone(vault: Vault) -> list[str]:
    """Return the stems of the memories that a dream would remove."""
    return [p.path[-7:-3] for p in vault.planned(duplicates.find).proposals]


def test_a_memory_told_twice_is_kept_once() -> None:
    assert gone(memories("I like dark roast coffee best.", "I like dark roast coffee best!")) == [
        "m001"
    ]


@pytest.mark.parametrize("said", ["Thanks!", "ok", "What is the weather like in Porto?"])
def test_a_second_thanks_is_a_second_memory(said: str) -> None:
    assert gone(memories(said, said)) == []


def test_the_newest_memories_stay() -> None:
    said = "I like dark roast coffee best."
    assert gone(memories(said, said, newer=63)) == []


def test_what_happened_on_another_day_happened_again() -> None:
    walked, likes = "I walked ten miles with Ben.", "I like ten miles with Ben best."
    later = {
        f"agents/ada/memories/2026/01/m00{n}.md": memory(n, "2026-01-09", said)
        for n, said in ((1, walked), (3, likes))
    }
    earlier = memories(walked, walked, likes, likes).texts
    assert gone(Vault({**earlier, **later})) == ["m003"]


def test_a_memory_that_a_fact_names_as_its_source_stays() -> None:
    vault = memories("I like dark roast coffee best.", "I like dark roast coffee best.")
    texts = {**vault.texts, "topics/ben.md": topic("- Ben likes dark roast. ([[m001]])\n", "Ben")}
    assert gone(Vault(texts)) == []


# --- measured ---------------------------------------------------------------------------------


@pytest.mark.long
def test_planted_pairs_are_found_among_hard_distractors() -> None:
    found = bench.measured(bench.planted(pairs=100, distractors=1000))
    assert found.precision >= 0.98
    assert found.verbatim >= 0.90
    assert found.reworded >= 0.60


@pytest.mark.long
@pytest.mark.parametrize("run", [".", "2023-05-", *rarely("`", "[[", "-.")])
def test_a_long_run_of_the_same_is_compared_in_no_time(run: str) -> None:
    one = f"Mara said {run * (200_000 // len(run))} to Toby."
    assert fact_similarity.groups([one, one])
