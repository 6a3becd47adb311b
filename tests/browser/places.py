"""Every page of the site. A new page gets a line here: then it is looked at in every size and theme, in both
languages, by axe and by the photographer; a test compares this list with what the client's build says."""

#: By name. `{game}` is a session that goes on, `{finished}` one that is over.
PLACES = {
    "home": "/",
    "new": "/play/guerreiros",
    "learn": "/aprender",
    "lessons": "/aprender/semaforo",
    "lesson": "/aprender/rastros/5",
    "lesson-wide": "/aprender/hex/2",
    "puzzles": "/problemas",
    "puzzles-streak": "/problemas/serie",
    "puzzles-storm": "/problemas/relogio",
    "puzzles-day": "/problemas/dia/1",
    "puzzle": "/problemas/konane/0001",
    "all-rules": "/rules",
    "rules": "/rules/rastros",
    "rules-wide": "/rules/hex",
    "mine": "/mine",
    "analysis": "/analysis",
    "analysis-game": "/analysis/{finished}",
    "analysis-pt": "/analise",
    "game": "/g/{game}",
    "paper": "/paper",
    "paper-board": "/paper/hex",
    "projector": "/projector",
    "sign-in": "/entrar",
    "classes": "/classes",
    "lobby": "/lobby",
    "profile": "/people",
    "privacy": "/privacy",
    "privacy-pt": "/privacidade",
    "me": "/me",
    "championships": "/campeonatos",
    "embed-position": "/embed/position#game=rastros&moves=f4+g5&at=2",
    "embed-game": "/embed/game/{finished}",
    "embed-task": "/embed/task/lesson/semaforo/01-tres-em-linha/1",
    "bots": "/bots",
    "not-found": "/nowhere",
}
#: The pages of a championship, as who runs it sees them: `{cup}` is being played, `{over}` is over.
CUP_PLACES = {
    "cup": "/campeonatos/{cup}",
    "cup-entries": "/campeonatos/{cup}/inscritos",
    "cup-group": "/campeonatos/{cup}/grupo/ouri-2/1/1",
    "cup-rules": "/campeonatos/{cup}/regras",
    "cup-by-name": "/campeonatos/{cup}/projetor/nomes",
    "cup-by-table": "/campeonatos/{cup}/projetor/mesas",
    "cup-countdown": "/campeonatos/{cup}/projetor/contagem",
    "cup-over": "/campeonatos/{over}",
    "cup-standings": "/campeonatos/{over}/projetor/classificacao",
    "cup-podium": "/campeonatos/{over}/projetor/podio",
    "cup-paper": "/campeonatos/{over}/papel",
    "cup-archive": "/campeonatos/{over}/arquivo",
}
#: A short game of Rastros between people who make mistakes.
SHORT_GAME = "f4 g5 g4 g3 f2 g1 f1 g2 f3 e3 d4 d5 c6 c5 b4 b5 a6 b7 c7 d6 e7 d7 e6 f7 g6 g7"
