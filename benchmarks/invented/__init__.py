"""An invented library: a line of three books whose references have codes, and twelve small games."""
