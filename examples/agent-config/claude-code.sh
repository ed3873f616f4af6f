claude mcp add books -- /path/to/wb --books /path/to/books mcp serve
