"""Tables of a page: by the lines and bands that are ruled there, or by gaps alone."""
