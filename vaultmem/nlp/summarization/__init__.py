"""Summarizers: the extractive one, the one by model, and the checks of what a model answers."""
