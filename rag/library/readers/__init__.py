"""From a file to pages; each format is a package or file here, and stands in `formats`."""
