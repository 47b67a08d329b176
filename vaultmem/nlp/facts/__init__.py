"""Whether two short texts are one fact: the law that writing and dreams share."""
