"""Answers a query and packs a prompt.

Lexical and vector search, ranking, context assembly, point-in-time queries.
"""
