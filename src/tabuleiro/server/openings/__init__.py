"""The opening explorer: how games began that were played here, how strong engines begin, and what is proven."""
