"""The pages: each a view model, the query that makes it of a view, and the template it fills."""
