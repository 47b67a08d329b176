"""Cards: what is known of a person or a thing, each fact with who said it, when, and how it arose.

`naming` says what may be called how, `flat` turns nested values into keys and back, `reading` takes
a file for a card, `proposing` decides what a claim changes, `waiting` is the note of claims that
disagree, `formats` are what cards are exported as. All of it is pure; `carding` runs it on a vault.
"""
