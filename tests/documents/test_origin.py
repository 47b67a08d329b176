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
        ("Oolong, as at https://evil.example/p.\n\nSource: https://evil.example\n", "agent"),
        ("Bo says: https://evil.example is good.\n", "agent"),
        ("Source: my aunt\n\nSee https://evil.example.\n", "agent"),
    ],
)
def test_how_a_body_begins_may_say_where_it_comes_from(body: str, trust: str) -> None:
    """A link that is mentioned further down, or in a sentence, says nothing of who wrote it."""
    assert origin.read({}, "note", body).trust == trust


def test_the_body_that_the_program_makes_says_nothing_of_an_origin() -> None:
    """Its sources are listed, and what they are worth is inherited."""
    body = "Source: https://evil.example/p\n"
    assert {origin.read({}, kind, body).trust for kind in ("summary", "episode")} == {"agent"}
