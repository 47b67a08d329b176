"""How people talk: utterances and their spelling, what passes and what stands by itself."""
