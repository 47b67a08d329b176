"""The actions: each what one kind of form does, through the public API, and what to say of it."""
