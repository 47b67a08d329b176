"""What kind of text it is: how long, whether it asks, tells a time, tells a number."""

import pytest

from vaultmem.index.kinds import Kind, kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I bought it yesterday.", Kind(4, asks=False, times=True, counts=False)),
        ("It was in 2023.", Kind(4, asks=False, times=True, counts=True)),
        ("昨天买的", Kind(4, asks=False, times=True, counts=False)),
        ("I bought it at a shop.", Kind(6, asks=False, times=False, counts=False)),
        ("There are Two of them.", Kind(5, asks=False, times=False, counts=True)),
        ("三只猫\uff1f ", Kind(4, asks=True, times=False, counts=True)),
        ("Someone often weighs them?\n", Kind(4, asks=True, times=False, counts=False)),
        ("", Kind(0, asks=False, times=False, counts=False)),
    ],
)
def test_a_text_is_of_a_kind(text: str, expected: Kind) -> None:
    assert kind(text) == expected
