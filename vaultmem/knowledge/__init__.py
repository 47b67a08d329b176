"""Durable knowledge, each kind with its format, its pure change rules and its service.

Cards, topics, tasks, skills; corrections, review, sharing.
"""
