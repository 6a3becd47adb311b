"""The web home: people play in the browser, and the rules in `games/` are the only authority.

`app.py` puts it together · `api.py`, `analysis_api.py` REST, `websocket.py` WebSocket, `schemas.py` what they say ·
`sessions.py` what may happen in a game session · `hub.py` the sessions of this
process: `log.py` numbered events of any stream, `presence.py` who watches, `thinking.py` computer players ·
`store.py` the database · `bus.py` the other processes · `engines.py`, `analyses.py` processes that think ·
`fairness.py` whose turn it is.
"""
