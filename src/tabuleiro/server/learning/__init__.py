"""Learning on the site: tasks that pupils do on a board (`library.py`, `room.py`), what is kept of that (`tries.py`),
and the lessons that lead through them (`lessons.py`)."""
