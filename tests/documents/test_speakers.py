"""Whose a line of a conversation is: somebody's who talks, a tool's, or nobody's that is known."""

from __future__ import annotations

import pytest

from vaultmem.documents import origin, speakers

TOOLS: tuple[dict[str, object], ...] = (
    {"type": "function_call_output", "call_id": "c"},
    {"type": "mcp_tool_result"},
    {"type": "tool-result"},
    {"type": "toolResult"},
    {"type": "TOOLRESULT"},
    {"type": "web_search_tool_result"},
    {"kind": "ToolMessage"},
    {"role": "tool_response"},
    {"role": "function_response"},
    {"Role": "\uff34\uff4f\uff4f\uff4c"},
    {"role": "environment"},
    {"role": "observation"},
    {"role": "ipython"},
    {"role": "system"},
    {"role": "Developer"},
    {"author": {"role": "system"}},
    {"from": "tool"},
    {"sender": "tool"},
    {"speaker": "Tool"},
    {"author": {"role": "tool", "name": "fetch"}},
    {"role": "user", "sender": {"type": "tool", "avatar_url": "https://a.example"}},
    {"role": "user", "toolCallId": "x"},
    {"role": "user", "tool_name": "fetch"},
    {"role": "human", "additional_kwargs": {"tool_call_id": "1"}},
    {"role": "user", "tool_use_id": "x"},
    {"role": "user", "ToolCallID": "x"},
    {"role": "user", "plugin_call_id": 7},
)
UNKNOWN: tuple[dict[str, object], ...] = (
    {"role": "retriever"},
    {"role": "context"},
    {"role": "data"},
    {"role": "webpage" * 40},
    {"role": "Web developer"},
    {"role": "rag-hit"},
    {"role": "?"},
    {"role": "user", "name": "web_search"},
    {"role": "user", "name": "WebFetch"},
    {"role": "user", "name": "mcp__x__read"},
    {"role": "user", "name": "bash"},
    {"speaker": "google_search"},
    {"speaker": "https://a.example/p"},
    {"from": {"name": "web-fetch"}},
    {"author": {"role": "retriever"}},
    {"actor_id": "web_search"},
    {"role": "user", "ActorId": "WebFetch"},
    {"role": "assistant", "name": "file_search"},
    {"role": "assistant", "name": "myfiles_browser"},
    {"role": "user", "name": "connector_gmail"},
    {"speaker": "tavilySearch"},
    {"role": "assistant", "type": "browser_snapshot"},
    {"role": "user", "kind": "web_clip"},
)
TALKERS: tuple[dict[str, object], ...] = (
    {},
    {"role": None, "speaker": "Mara"},
    {"role": "user", "speaker": "Jimmy Page"},
    {"speaker": "Page", "type": "custom_message"},
    {"role": "speaker_2"},
    {"role": "user", "speaker": "System"},
    {"speaker": "Developer"},
    {"actor_id": "mara", "actor": "Mara"},
    {"speaker": "Tom Curl", "name": "Job Search"},
    {"name": "search_party", "speaker": "larry_page"},
    {"role": "AI assistant", "name": "Pocket"},
    {"role": "assistant", "type": "function_call", "call_id": "c"},
    {"role": "assistant", "type": "tool_use", "tool_calls": [{"type": "function"}]},
    {"role": "user", "type": "message", "toolCallId": None},
    {"role": "user", "tool_call_id": ""},
    {"role": "user", "tool_call_id": " \t", "toolUseId": []},
    {"role": "user", "type": "server_message", "kind": "sms"},
    {"from": "human"},
    {"from": "gpt", "type": "text"},
    {"from": "mara@mara.example", "role": "user"},
    {"type": "page"},
    {"type": "preference"},
    {"sender": {"name": "Mara", "type": "user", "url": "https://a.example/tool", "bio": "tool"}},
)
HARMLESS: tuple[dict[str, object], ...] = (
    {"avatar_url": "https://a.example/mara.png"},
    {"attachments": [{"url": "https://a.example/x.pdf", "source": "web", "type": "html"}]},
    {"sender": {"name": "Mara", "avatar_url": "https://a.example", "email": "mara@a.example"}},
    {"from": "mara@a.example"},
    {"permalink": "https://chat.example/p/1", "thread": "//a.example"},
    {"page_url": "https://chat.example/p/1", "metadata": {"client_url": "https://chat.example"}},
    {"message_id": "m1", "in_reply_to": "m0", "origin": "Linz"},
)
FETCHED: tuple[dict[str, object], ...] = (
    {"source": "web"},
    {"Source": "https://a.example/p"},
    {"source_url": "https://a.example/p"},
    {"metadata": {"source": "https://a.example/p"}},
    {"meta": {"page": "x", "meta": {"via": "browser"}}},
    {"origin": "tool"},
    {"clipped_from": "a.example/p"},
    {"tags": ["clippings"]},
    {"trust": "untrusted"},
    {"message_id": "<12@a.example>"},
    {"reply_to": "bo@a.example"},
)


@pytest.mark.parametrize(
    ("line", "who"),
    [
        *((it, "tool") for it in TOOLS),
        *((it, "unknown") for it in UNKNOWN),
        *((it, "talker") for it in TALKERS),
    ],
)
def test_a_line_is_whose_shape_says_so(line: dict[str, object], who: str) -> None:
    """Of a person or an agent by a closed set; what asks a tool, or makes one, is no tool."""
    assert speakers.of_line(line) == who


@pytest.mark.parametrize("beside", HARMLESS)
@pytest.mark.parametrize("who", [{"role": "user"}, {"speaker": "Mara"}])
def test_what_stands_beside_a_message_does_not_lower_it(
    who: dict[str, object], beside: dict[str, object]
) -> None:
    """A picture's address, an attachment's, its own."""
    assert speakers.of_line(who | beside) == "talker"
    assert origin.of_message(who | beside).trust == "agent"


@pytest.mark.parametrize("beside", FETCHED)
def test_what_a_message_says_of_its_origin_counts(beside: dict[str, object]) -> None:
    assert origin.of_message({"role": "user"} | beside).trust == "untrusted"


@pytest.mark.parametrize(
    ("who", "trust"),
    [({}, "untrusted"), ({"speaker": "page"}, "untrusted"), ({"role": "user"}, "agent")],
)
def test_the_address_of_a_line_is_its_origin_where_no_role_says_who_spoke(
    who: dict[str, object], trust: str
) -> None:
    """Whoever is named may be a page."""
    assert origin.of_message(who | {"url": "https://a.example/p"}).trust == trust
