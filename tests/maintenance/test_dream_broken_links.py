"""Links that lead nowhere are mended or taken off, and no word goes with them."""

from __future__ import annotations

import pytest

from tests.dreamt import Vault, reasons, topic
from vaultmem.maintenance.dream.detectors import broken_links

DEPLOY = topic("## Facts\n- Deploys go out on Tuesdays.\n")


def mended(line: str, **others: str) -> str:
    """Return *line* of a topic as it is after the dream, other files lying where *others* say."""
    files = {path.replace("__", "/") + ".md": text for path, text in others.items()}
    vault = Vault({"topics/mine.md": topic(f"{line}\n", "Mine"), **files})
    after = vault.dreamt(broken_links.find)
    assert not after.planned(broken_links.find).proposals
    return after.texts["topics/mine.md"].split("---\n")[-1].removesuffix("\n")


def test_the_words_of_a_link_to_nothing_stay() -> None:
    assert mended("- See [[gone-forever]] for details.") == "- See gone-forever for details."
    assert mended("See [the plan](old/plan.md).") == "See the plan."
    assert mended("See [[old/gone|what is gone]] and [[lost.md]].") == (
        "See what is gone and lost.md."
    )


def test_a_link_to_a_file_that_was_moved_follows_it() -> None:
    assert (
        mended("[How](deploy.md#when), he said.", agents__ada__topics__deploy=DEPLOY)
        == "[How](../agents/ada/topics/deploy.md#when), he said."
    )


def test_a_misspelt_link_is_put_right() -> None:
    assert mended("- See [[deplyo|this]].", topics__deploy=DEPLOY) == "- See [[deploy|this]]."
    assert mended("- See [x](depoy.md).", topics__deploy=DEPLOY) == "- See [x](deploy.md)."


def test_no_note_is_linked_to_itself_but_to_a_heading_of_it() -> None:
    assert mended("See [[nots/mine]] and [it](old/mine.md).") == "See nots/mine and it."
    assert mended("See [[nots/mine#Tea]].") == "See [[topics/mine#Tea]]."


def test_another_number_is_another_file() -> None:
    assert mended("See [[report-2]].", notes__n1=DEPLOY, **{"notes__report-1": DEPLOY}) == (
        "See report-2."
    )


def test_what_could_be_two_files_is_left() -> None:
    line = "See [that](old/deploy.md)."
    assert mended(line, a__deploy=DEPLOY, b__deploy=DEPLOY) == line


@pytest.mark.parametrize(
    "line",
    [
        "See [[deploy]], [[Deploy]] and [[topics/deploy|it]].",
        "See [it](deploy.md), [root](topics/deploy.md) and [folder](../topics).",
        "See [[Shipping]], as it is called, too.",
        "`[[code]]` and ``[x](y.md)`` are none.",
        "![[picture.png]] ![a](b.md) [[manual.pdf]] [sheet](a.csv)",
        "[web](https://example.org/x.md) <!-- [[hidden]] --> %% [[hidden]] %%",
        "On [[2026-11-20]] we met.",
        "[[Project Phoenix]], [[Someday Note]] and [[idea|an idea]] are yet to be written.",
        "[[gone#Heading]] [[#here]] [here](#there)",
        "- Said before. ([[20240101-000000-gone-000000]])",
        "```\n[[in a fence]]\n```",
        "- [out](../../elsewhere.md)",
    ],
)
def test_what_is_no_broken_link_is_left(line: str) -> None:
    aliased = DEPLOY.replace("title", "aliases:\n  - Shipping\ntitle")
    assert mended(line, topics__deploy=aliased) == line


def test_a_source_that_was_moved_is_mended() -> None:
    said = "- So it is. ([[agents/ada/episodes/episode-0001-x]])"
    moved = {"agents__bob__episodes__episode-0001-x": "---\ntype: episode\n---\nSo it was.\n"}
    assert mended(said, **moved) == said.replace("ada", "bob")


def test_a_pointer_to_nothing_goes_and_is_named_as_lost() -> None:
    facts = "".join(f"- [Deploy {n}](topics/deploy.md): how we deploy\n" for n in range(4))
    index = f"# Memory\n{facts}- [Lost](topics/lost.md): points nowhere\n"
    vault = Vault({"MEMORY.md": index, "topics/deploy.md": DEPLOY})
    (proposal,) = vault.planned(broken_links.find).proposals
    assert proposal.losses == ("[Lost](topics/lost.md): points nowhere",)
    assert proposal.reason == "points at topics/lost.md, which does not exist"
    assert vault.dreamt(broken_links.find).texts["MEMORY.md"] == f"# Memory\n{facts}"


def test_what_is_generated_and_what_is_pinned_is_left() -> None:
    index = "<!-- vaultmem:begin -->\n- [Lost](topics/lost.md)\n<!-- vaultmem:end -->\n"
    pinned = topic("See [[long-gone]].\n", pinned="true")
    assert (
        not Vault({"MEMORY.md": index, "topics/a.md": pinned}).planned(broken_links.find).proposals
    )


def test_a_reason_says_what_was_wrong() -> None:
    vault = Vault(
        {"topics/deploy.md": DEPLOY, "topics/a.md": topic("[[long-gone]], [[deplo]]\n", "A")}
    )
    assert reasons(vault.planned(broken_links.find).proposals) == [
        (
            "the link to long-gone is broken: its text stays; "
            "the link to deplo is broken: it should be [[deploy]]"
        )
    ]


def test_a_bullet_over_several_lines_keeps_all_of_them() -> None:
    body = "- It goes out\n  with [[x/gone]] on Tuesdays\n  - **Why:** see [[lost.md]]"
    assert mended(body) == "- It goes out\n  with x/gone on Tuesdays\n  - **Why:** see lost.md"
