"""Claims that people make about themselves and others: what becomes a fact of a card."""
