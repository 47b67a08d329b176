"""What a talk is called: its period and subject, or what it opens with."""
