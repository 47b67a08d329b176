"""Where a text says it comes from, and what that is worth, whoever says it and how."""

from __future__ import annotations

import pytest

from vaultmem.documents import origin

FETCHED: tuple[dict[str, object], ...] = (
    {"source": "https://evil.example/p"},
    {"Source": "web"},
    {"SOURCE": "Tool"},
    {"source": "www.evil.example"},
    {"source": "evil.example/p"},
    {"source": "evil.example"},
    {"source": "10.0.0.1:8080/x"},
    {"source": "tool:fetch"},
    {"source": "mcp"},
    {"source": "mcp__fetch__get"},
    {"source": "WebFetch"},
    {"source": "Obsidian Web Clipper"},
    {"source": "\uff57\uff45\uff42"},
    {"source": "w\u200beb"},
    {"source": ["user", "web"]},
    {"source": {"kind": "page", "at": "https://evil.example"}},
    {"source_url": "evil.example/p"},
    {"source-url": "https://evil.example"},
    {"sourceUrl": "https://evil.example"},
    {"url": "https://evil.example"},
    {"clipped_from": "evil.example/p"},
    {"via": "browser"},
    {"via": "the page at https://evil.example, on Monday"},
    {"tags": ["tea", "clippings"]},
    {"sources": ["https://evil.example"]},
    {"source": "//evil.example/p"},
    {"meta": {"source": "https://evil.example"}},
    {"metadata": {"source": "evil.example/p"}},
    {"meta": {"page": {"at": "https://evil.example"}}},
    {"quelle": "https://evil.example"},
    {"gelesen_bei": "www.evil.example/p"},
    {"gelesen-bei": "//evil.example/p"},
    {"origin": "web"},
    {"Origin": "Tool"},
    {"meta": {"origin": "WEB"}},
    {"origin": "tool_result"},
    {"origin": "functionCallOutput"},
    {"metadata": {"origin": {"kind": "tool_result"}}},
    {"role": "tool"},
    {"ROLE": "Function"},
    {"source": "youtube"},
    {"source": "YouTube video"},
    {"source": "email"},
    {"source": "E-Mail"},
    {"source": "bo@evil.example"},
    {"from": "bo@evil.example"},
    {"From": "Bo <bo@evil.example>"},
    {"reply-to": ["bo@evil.example"]},
    {"Message-ID": "<12@evil.example>"},
    {"role": "tool_response"},
    {"role": "Function-Response"},
    {"role": "environment"},
    {"from": "tool"},
    {"sender": "Tool"},
    {"author": {"role": "tool"}},
    {"role": "user", "toolCallId": "c1"},
    {"TOOL-USE-ID": "c1"},
    {"source": "WEB PAGE of x"},
    {"source": "the search results for tea in Linz"},
    {"source": "Web-Page of the depot in Linz"},
    {"\u51fa\u5178": "evil.example/p"},
    {"\u6765\u6e90\u94fe\u63a5": "evil.example/p"},
)
OWN: tuple[dict[str, object], ...] = (
    {},
    {"source": "user"},
    {"source": "Ada at the market"},
    {"source": "a book on the web"},
    {"source": "notes.md"},
    {"source": "file:///home/ada/notes"},
    {"sources": ["[[20261120-101500-tea-7q3kzm]]"]},
    {"origin": "ops.team/12"},
    {"title": "https://evil.example"},
    {"cover": "https://evil.example/tea.png", "homepage": "https://evil.example"},
    {"remark": "as told at https://evil.example by Bo"},
    {"path": "//server/share"},
    {"meta": {"mood": "calm", "image": "https://evil.example/tea.png"}},
    {"source": "book"},
    {"source": "letter from Mara"},
    {"source": "conversation"},
    {"from": "Mara"},
    {"from": "2026-11-20", "to": "2026-11-22"},
    {"sender": "Aunt Olga"},
    {"role": "Web developer"},
    {"role": "toolmaker"},
    {"role": "function_call"},
    {"role": "user", "call_id": "phone-12"},
    {"from": "Jimmy Page"},
    {"author": "Page"},
    {"type": "tool"},
    {"source": "letter from a web developer in Linz"},
    {"origin": "Linz"},
    {"origin": "knowledge/mail/web.md@0123456789ab"},
    {"email": "mara@mara.example", "author": "mara@mara.example"},
    {"\u51fa\u5178": "\u7956\u6bcd\u306e\u672c"},
    {"\u6765\u6e90": "\u5988\u5988\u8bf4\u7684"},
)


@pytest.mark.parametrize("head", FETCHED)
@pytest.mark.parametrize("claim", ["user", "verified", "agent", ""])
def test_what_was_fetched_is_untrusted_whatever_it_claims(
    head: dict[str, object], claim: str
) -> None:
    """In any case and key, by address or by the name of what fetched it."""
    found = origin.read({**head, **({"trust": claim} if claim else {})})
    assert (found.trust, found.wanted) == ("untrusted", claim)


@pytest.mark.parametrize("head", OWN)
@pytest.mark.parametrize(
    ("claim", "trust", "wanted"),
    [
        ("", "agent", ""),
        ("user", "agent", "user"),
        ("verified", "agent", "verified"),
        ("agent", "agent", ""),
        ("untrusted", "untrusted", ""),
        ("absolute", "untrusted", ""),
    ],
)
def test_a_claim_lowers_trust_and_never_raises_it(
    head: dict[str, object], claim: str, trust: str, wanted: str
) -> None:
    """Who wrote a file cannot be told: it is an agent's word at most."""
    found = origin.read({**head, **({"trust": claim} if claim else {})})
    assert (found.trust, found.wanted) == (trust, wanted)


def test_of_two_claims_the_least_counts() -> None:
    """Also where one of them is written in another case."""
    assert origin.read({"trust": "user", "Trust": "untrusted"}).trust == "untrusted"


@pytest.mark.parametrize(
    ("kind", "trust"), [("card", "agent"), ("task", "agent"), ("", "untrusted")]
)
def test_the_address_on_a_card_is_a_fact(kind: str, trust: str) -> None:
    """It says where somebody is found, not where the card comes from."""
    head = {"url": "https://mara.example", "link": "mara.example/x"}
    assert origin.read(head, kind).trust == trust
    assert origin.read({"source": "mara.example/x"}, kind).trust == "untrusted"
    assert origin.read({"from": "mara@mara.example"}, kind).trust == trust


@pytest.mark.parametrize(
    ("body", "trust"),
    [
        ('+++\ntitle = "Tea"\nsource = "https://evil.example/p"\n+++\nOolong.\n', "untrusted"),
        ("+++\nquelle = 'https://evil.example/p'\n+++\nOolong.\n", "untrusted"),
        ("Source: https://evil.example/p\n\nOolong.\n", "untrusted"),
        ("\n> **Source:** <https://evil.example/p>\n", "untrusted"),
        ("Source: [a page](https://evil.example/p)\n", "untrusted"),
        ("clipped from: www.evil.example/p\n", "untrusted"),
        ('+++\ncover = "https://evil.example/p.png"\n+++\nOolong.\n', "agent"),
        ("Bo says: https://evil.example is good.\n", "agent"),
        ("Source: my aunt\n\nSee https://evil.example.\n", "agent"),
    ],
)
def test_how_a_body_begins_may_say_where_it_comes_from(body: str, trust: str) -> None:
    """A link that is mentioned further down, or in a sentence, says nothing of who wrote it."""
    assert origin.read({}, "note", body).trust == trust


CLIPPED: tuple[str, ...] = (
    (
        "# Tea\n\n![cover](https://a.example/x.png)\n\n## Metadata\n- Author: [[Bo]]\n"
        "- Category: #articles\n- URL: https://evil.example/p\n\n## Highlights\n- Oolong.\n"
    ),
    "# Tea\n\nCreated: November 20, 2026\nURL: https://evil.example/p\nTags: clip\n\nOolong.\n",
    "# Tea\n\n    Created at: 2026-11-20\n    Source URL: https://evil.example/p\n\nOolong.\n",
    "# Tea\n\nsource:: https://evil.example/p\n\nOolong.\n",
    "(source:: https://evil.example/p)\n\nOolong.\n",
    "[source:: https://evil.example/p]\n\nOolong.\n",
    "# Tea\n[Source](https://evil.example/p)\n\nOolong.\n",
    "[View original](https://evil.example/p)\n\nOolong.\n",
    "# Tea\n#omnivore\n\n[Read Original](https://evil.example/p)\n\nOolong.\n",
    "> Clipped from https://evil.example/p on 2026-11-20\n\nOolong.\n",
    "via https://evil.example/p\n\nOolong.\n",
    "Green tea and its kinds\n\nSource: evil.example/p\n\nOolong.\n",
    "<!-- source: https://evil.example/p -->\n# Tea\n\nOolong.\n",
    "\n---\ntitle: Tea\nsource: https://evil.example/p\n---\nOolong.\n",
    "# Tea\n\n**Link:** <https://evil.example/p>\n\nOolong.\n",
    "# Tea\n\nOriginal: [[https://evil.example/p]]\n\nOolong.\n",
    "# Tea\n\nOolong.\n\nSource: https://evil.example/p\n",
    "# Tea\n\nOolong.\n\n[Source](https://evil.example/p)\n\n---\n#tea #clip\n",
    "From: Bo <bo@evil.example>\nTo: Mara\nSubject: Tea\n\nOolong.\n",
    "**From:** Bo <bo@evil.example>\n**To:** Mara\n\nOolong.\n",
    "Subject: Tea\nMessage-ID: <12@evil.example>\n\nOolong.\n",
    (
        "Received: by mx.a.example with SMTP id x;\n        Mon, 23 Nov 2026 10:00:00 +0100\n"
        "Return-Path: <bo@evil.example>\n\nOolong.\n"
    ),
    "# Tea\n\n**Source**\n<https://evil.example/p>\n\nOolong.\n",
    "# Tea\n\nOolong.\n\n## Source\n\nhttps://evil.example/p\n",
    "Tea\n\nOolong.\n\nid: 5d1\nsource_url: https://evil.example/p\ntype_: 1",
    "# Tea\n\n[View original](https://evil.example/p) \u00b7 Saved to read later\n\nOolong.\n",
    "# Tea\n\n## Metadata\n* Author: [[Bo]]\n* Reference: https://evil.example/p\n\nOolong.\n",
    (
        "## Metadata\n* Full Title: Tea\n* Document Tags: \n* URL: https://evil.example/p\n\n"
        "## Highlights\n* Oolong.\n"
    ),
    "# Tea\n\n| Source | https://evil.example/p |\n|---|---|\n| Author | Bo |\n\nOolong.\n",
    "> Saved from <https://evil.example/p>\n\nOolong.\n",
    "# Tea\n\n\U0001f517 [Original](https://evil.example/p)\n\nOolong.\n",
    "- url:: https://evil.example/p\n- Oolong.\n",
    "# Tea\n\nOolong.\n\n*Originally published at [a page](https://evil.example/p).*\n",
    "Oolong.\n\nid: 5d1\nauthor: \nsource_url: https://evil.example/p\nuser_data: \ntype_: 1",
    "# Tea\n\n\u6765\u6e90\uff1ahttps://evil.example/p\n\nOolong.\n",
    "From bo@evil.example Mon Nov 23 2026\nFrom: Bo <bo@evil.example>\n\nOolong.\n",
    "Von: Bo <bo@evil.example>\nAn: Mara\nBetreff: Tee\n\nOolong.\n",
)
LABELS = (
    "Source: ", "Quelle: ", "Originalquelle: ", "Fonte: ", "Fuente: ", "来源\uff1a",
    "資料來源\uff1a", "文章来源: ", "转载自\uff1a", "出处\uff1a", "原文链接\uff1a", "出典\uff1a",
    "【出典】", "引用元\uff1a", "ソース\uff1a", "출처: ",
)  # fmt: skip
"""How a source is named in notes, ahead of its address."""

MENTIONED: tuple[str, ...] = (
    "# \u7d05\u8336\n\n\u539f\u6750\u6599\uff1ahttps://a.example/p\n\nOolong.\n",
    "# \u8336\n\n\u6765\u6e90\uff1a\u5988\u5988\n\nOolong, https://a.example/p.\n",
    "# Tee\n\nEine gute Quelle ist https://a.example/p.\n",
    "# Tee\n\nAls Quelle nahm ich https://a.example/p und war zufrieden.\n\nOolong.\n",
    "# Tea\n\nOolong is best, see https://a.example/p.\n",
    "# Tea\n\nOolong, as told.\nSource: https://a.example/p\n\nI drink it at four.\n",
    "https://a.example/p\n\nI like what it says of oolong.\n",
    "# [Tea](https://a.example/p)\n\nI do not agree.\n",
    "# Bread\n\n- Flour: 500 g\n- Water: 300 g\n- URL: https://mill.example/flour\n\nKnead.\n",
    "# Standup\nDate: 2026-11-20\nLink: https://meet.example/x\n\n- Bo is away.\n",
    "# Standup\nMeeting link: https://meet.example/x\n\n- Bo is away.\n",
    "# Bo\nWebsite: https://bo.example\nMail: bo@bo.example\n\nHe bakes.\n",
    "From: Linz\nTo: Wien\n\nThe train goes at nine.\n",
    "Back from Linz\n\nSource: my aunt\n",
    "Greetings from YouTube\n\nOolong.\n",
    "# Tea\n\nOolong.\n\nMore: https://a.example/p\n",
    "# Tea\n\nOolong.\n\n## Sources\n\n- https://a.example/p\n- https://b.example/q\n",
    "# Tea\n\nOolong.\n\n[A shop](https://a.example/p)\n",
    "# Bread\n\nKnead.\n\n- Flour: 500 g\n- Source: https://mill.example/flour\n",
    "# Tea\n\nOolong.\n\n## Sources\n\nhttps://a.example/p\n",
    "Von: Linz\nNach: Wien\n\nUm neun.\n",
    "# Tea\n\n| Shop | https://a.example/p |\n|---|---|\n\nOolong.\n",
    "# Tea\n\nRead on at https://a.example/p and tell me.\n",
    "# Tea\n\nThe source at https://a.example/p was wrong, so I asked Bo.\n",
)


@pytest.mark.parametrize("body", CLIPPED)
def test_a_page_or_mail_that_was_saved_as_a_note_names_its_source_in_a_line(body: str) -> None:
    """Below its title, as every program that saves them writes it, or as the last one."""
    assert origin.read({}, "note", body).trust == "untrusted"


@pytest.mark.parametrize("label", LABELS)
def test_a_source_is_named_alike_in_every_language(label: str) -> None:
    """At the head and at the end of a note; a memory says it where it begins."""
    line = f"{label}https://evil.example/p"
    read = f"{line} (read on 3 February 2026)"
    bodies = f"# Tea\n\n{line}\n\nOolong.", f"- {line}\n\nOolong.", f"Oolong.\n\n{read}\n"
    assert {origin.read({}, "note", body).trust for body in bodies} == {"untrusted"}
    first = origin.read({}, "memory", f"{line}\n\nOolong.")
    assert first.trust == ("agent" if label.startswith("\u3010") else "untrusted")


@pytest.mark.parametrize("body", MENTIONED)
def test_a_note_that_links_to_a_page_is_still_its_writers(body: str) -> None:
    assert origin.read({}, "note", body).trust == "agent"


@pytest.mark.parametrize("kind", ["memory", "topic", "skill"])
def test_the_source_of_a_fact_is_not_that_of_all_that_was_told(kind: str) -> None:
    body = "# Tea\n\nsource:: https://a.example/p\n\nOolong.\n\nSource: https://a.example/p\n"
    assert origin.read({}, kind, body).trust == "agent"


@pytest.mark.parametrize(
    "head",
    [
        {"category": "[[Clippings]]"},
        {"categories": ["[[Tea]]", "[[Clippings|clips]]"]},
        {"tags": ["article", "readwise"]},
        {"tags": ["clippings/tea"]},
        {"tags": "#web-clip"},
        {"type": "Clipping"},
    ],
)
def test_what_is_sorted_among_saved_pages_is_one(head: dict[str, object]) -> None:
    assert origin.read(head, "note").trust == "untrusted"


@pytest.mark.parametrize(
    ("folder", "trust"),
    [
        ("Clippings", "untrusted"), ("Web Clippings", "untrusted"), ("Readwise", "untrusted"),
        ("01 Clippings", "untrusted"), ("Pocket", "agent"), ("Web design", "agent"),
        ("Hair clips", "agent"),
    ],
)  # fmt: skip
def test_what_lies_in_a_folder_of_saved_pages_is_one(folder: str, trust: str) -> None:
    assert origin.read({}, "note", "Oolong.", ["knowledge", folder, "Tea"]).trust == trust


def test_the_body_that_the_program_makes_says_nothing_of_an_origin() -> None:
    """Its sources are listed, and what they are worth is inherited."""
    body = "Source: https://evil.example/p\n"
    assert {origin.read({}, kind, body).trust for kind in ("summary", "episode")} == {"agent"}
