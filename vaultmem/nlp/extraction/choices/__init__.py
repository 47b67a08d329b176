"""What people settle, rule out, leave open and prefer, by the phrases that commit to it."""
