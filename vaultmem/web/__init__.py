"""A page on this machine, on which people see what is remembered and put it right."""
