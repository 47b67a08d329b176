"""Summarizers, offline and by model, and what they stand on.

Text analysis, extraction, answer checks. Nothing here writes vault content.
"""
