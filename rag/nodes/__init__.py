"""Two of the graph's three nodes, rewrite and generate, and what makes an answer true."""
