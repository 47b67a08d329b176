"""Letters of scripts that put no spaces between words."""

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
"""Kana, Han and Hangul, as ranges of a class of letters in a regular expression."""
