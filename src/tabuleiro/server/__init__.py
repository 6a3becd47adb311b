"""The web home: people play in the browser, and the rules in `games/` are the only authority.

`app.py` puts it together · `api.py` REST · `live.py` WebSocket · `hub.py` the plays that are going on ·
`plays.py` what may happen in a play · `store.py` the database · `bus.py` the other processes ·
`engines.py` computer players.
"""
