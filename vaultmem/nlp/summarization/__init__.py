"""Summarizers: the extractive one, the one by model, and the checks of what a model answers.

The extractive one cuts `clauses`, of which `note_choice` takes those that `note_summary` sets out
as `notes`; `quality` and `answer_checks` judge.
"""
