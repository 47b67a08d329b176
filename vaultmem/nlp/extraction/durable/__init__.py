"""What will still matter in ten sessions."""
