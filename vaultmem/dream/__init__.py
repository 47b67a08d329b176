"""Clean a vault up in dreams: what would be better is proposed, reviewed, applied, and undone.

`noting` reads files as facts, `detecting` finds what could be better, `planning` puts that together
inside its budgets, `applying` makes bytes of what was chosen, `reviewing` is the note that a person
ticks. All of it is pure; `dreaming` runs it on a vault.
"""
