"""Grammar of the three languages: who says what of whom, asserted or not, now or once."""
