"""Say where a fact comes from: from what is derived down to what was said, and its commit.

resolution:      what is asked about → a record and a line of it
tracing:         its sources, level by level, the few that support it best, each with its commit
card_claims:     who said a fact of a card
support:         how far a text has the words of a fact
unsupported:     the lines that no source bears out
hidden_sources:  those that none does any more as it may be shown (shown_sources, borne_out,
                 changed_lines)
"""
