"""Teaching: worksheets, votes of a class on a position, sets of tasks given to a class."""
