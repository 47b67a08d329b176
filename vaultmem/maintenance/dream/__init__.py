"""Clean a vault up in dreams: what would be better is proposed, reviewed, applied, and undone.

`session` reads files as `facts`, the `detectors` find what could be better, `planner` puts that
together inside its budgets, `apply` makes bytes of what was chosen, `review_note` is the note that
a person ticks. All of it is pure; `service` runs it on a vault.
"""
