"""Small nets that alpha-beta keeps up to date move by move: games to learn from, training, and the gate."""
