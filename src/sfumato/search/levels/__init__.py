"""One level for each column: the optimal search, the nodes that it looked at, its bounds and its proof."""
