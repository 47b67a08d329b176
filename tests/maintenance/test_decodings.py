"""What is forgotten is known again, however it was written down."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import quopri
import unicodedata
import urllib.parse
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.maintenance.forgetting import redaction
from vaultmem.maintenance.forgetting.redaction.decodings import readings
from vaultmem.storage.tombstones import MARK

SAID = "Frau Möller schenkt Łukasz am Äquator heimlich Bücher über Übergröße."
TELLING = redaction.distinctive_words([SAID], ())
Write = Callable[[str], str]
WAYS: dict[str, Write] = {
    "upper": str.upper,
    "apart": lambda s: unicodedata.normalize("NFD", s),
    "wide": lambda s: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in s),
    "unseen": "\u00ad".join,
    "json": json.dumps,
    "json twice": lambda s: json.dumps(json.dumps(s)),
    "every letter": lambda s: "".join(f"\\u{ord(c):04x}" for c in s),
    "url": urllib.parse.quote,
    "html": lambda s: html.escape(s).encode("ascii", "xmlcharrefreplace").decode(),
    "mail": lambda s: quopri.encodestring(s.encode()).decode(),
    "base64": lambda s: base64.b64encode(s.encode()).decode(),
    "base64 of a url": lambda s: base64.urlsafe_b64encode(s.encode()).decode().rstrip("="),
    "base64 lines": lambda s: base64.encodebytes((s * 3).encode()).decode(),
    "base64 within": lambda s: base64.b64encode(f"xy {s}".encode()).decode()[2:],
    "json in base64": lambda s: base64.b64encode(json.dumps(s).encode()).decode(),
    "wrapped": lambda s: s.replace(" ", "\n"),
    "hyphens": lambda s: s.replace("Möller", "Möl-\nler"),
}


@pytest.mark.parametrize("way", WAYS)
def test_it_is_known_again_in_any_writing(way: str) -> None:
    assert TELLING.says(f"before\n{WAYS[way](SAID)}\nafter\n")


@pytest.mark.parametrize("way", WAYS)
def test_an_old_note_does_not_say_it_in_any_writing(way: str) -> None:
    text = f"---\ntitle: a\n---\nbefore\n{WAYS[way](SAID)}\n"
    new = redaction.note(text.encode(), TELLING).decode()
    assert new.startswith("---\ntitle: a\n---\n")
    assert MARK in new
    assert not TELLING.says(new)
    assert new.count("\n") <= text.count("\n")


def test_a_message_that_says_it_over_its_lines_keeps_its_trailers() -> None:
    text = "x\n\nÄqua-\ntor\n\nVaultmem-Op: 1\nAgent: ada\n"
    assert TELLING.says(redaction.message(text, TELLING))
    assert redaction.trailers(text, TELLING) == f"{MARK}\n\nVaultmem-Op: 1\nAgent: ada\n"


@given(st.integers(min_value=0))
def test_a_digest_is_not_read_as_a_text(number: int) -> None:
    """A digest is base64, too, and says nothing."""
    run = base64.b64encode(hashlib.sha256(str(number).encode()).digest()).decode()
    assert list(readings(run)) == [run]


@given(st.text(max_size=80))
def test_any_text_has_a_reading(text: str) -> None:
    assert next(readings(text)) == text
    assert all(isinstance(reading, str) for reading in readings(text))
