"""What any Markdown text is made of: its outline, its blocks, its links, its code and comments."""
