"""Reads and writes vault files.

Atomic writes, journal, git commits, transcripts, the ledger of what was acknowledged, and the
SQLite index that mirrors the files. Every write is a `Plan` applied by `storage.writer`.
"""
