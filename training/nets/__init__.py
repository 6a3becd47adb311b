"""Nets for our games: self-play, training, export, matches. Needs PyTorch, which the package never does."""
