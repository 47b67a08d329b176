"""Measure how well a vault finds again what was said: questions, metrics, cases, probes, charts.

`runner` puts questions to a vault, `retrieval` judges what came up, `cases` judges whole contexts;
the rest are values that these share.
"""
