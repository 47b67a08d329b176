"""Say where a fact comes from: from what is derived down to what was said, and its commit.

resolution:   what is asked about → a record and a line of it
tracing:      its sources, level by level, the few that support it best, each with its commit
card_claims:  who said a fact of a card
"""
