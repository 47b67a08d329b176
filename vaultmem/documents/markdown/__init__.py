"""What any Markdown text is made of: its outline, its blocks, its code and comments."""
