"""Letters of scripts that put no spaces between words."""

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
"""Kana, Han and Hangul, as ranges of a class of letters in a regular expression."""

KANA_AND_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
UNSPACED = f"{KANA_AND_HAN}\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Those that put no blanks between words at all: Thai, Lao, Burmese and Khmer, too."""
