"""What languages differ in where words are compared: letters, function words, endings."""
