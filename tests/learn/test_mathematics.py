"""The pages of mathematics: every command that one names shows what it is said to show."""

import shlex
from collections.abc import Callable

import pytest

from tabuleiro.cli import main
from tabuleiro.core import Position
from tabuleiro.games import GAMES
from tabuleiro.language import number
from tabuleiro.learn import Task
from tabuleiro.learn.mathematics import FOLDER, commands_of, mathematics_of
from tabuleiro.solve.rastros_proof import PROOF, read_data

#: What quick commands print, in English.
QUICK = {
    "tabuleiro solve semaforo": "loss in 26",
    "tabuleiro solve semaforo --option board=3x3": "win in 17",
    'tabuleiro solve semaforo --position "GRGY/R2R/R2Y 1"': "win in 5",
    "tabuleiro solve rastros": "f6   │ loss in 2",
    "tabuleiro solve rastros --option size=5": "to move: win",
    'tabuleiro solve rastros --position "######1/##1#1##/###1###/###O2#/###1###/#######/1###### 1"': "d3   │ win",
    'tabuleiro solve rastros --position "######1/#######/##3##/##1O1##/##3##/#######/1###### 1"': "to move: loss",
    "tabuleiro solve konane --option size=4": "to move: loss",
    "tabuleiro solve konane --option size=6": "to move: loss",
    'tabuleiro solve konane --position "8/wb6/8/8/bw6/8/8/wb6 b"': "to move: loss",
    'tabuleiro solve konane --position "8/2wb4/8/8/8/8/8/2wb4 w"': "to move: loss",
    'tabuleiro solve konane --position "8/w1wb4/8/8/bw6/8/8/w1wb4 w"': "to move: loss",
    "tabuleiro tables statistics ouri --seeds 8": "48.5 %",
    'tabuleiro solve ouri --position "2,2,0,2,0,3/1,0,2,1,1,2 16-16 S"': "b    │ win",
    'tabuleiro solve ouri --position "1,1,1,1,0,1/0,0,0,1,0,0 21-21 S"': "d    │ win",
    'tabuleiro solve hex --option size=5 --option swap=false --position "5/2b2/5/1b3/5 w -"': "to move: loss",
    'tabuleiro solve avanco --position "3b2b/7/4b2/7/6w/w6/6w w" --time 5': "g3-g4 │ win in 7",
    "tabuleiro perft guerreiros 1": "9",
    'tabuleiro solve guerreiros --position "9/8w/3K5/9/9/9/7W1/k1W6/4w4/9 N - -" --time 5': "a3-a2    │ win in 3",
    "tabuleiro perft abalone 1": "44",
}
#: How many openings of Hex win.
OPENINGS = {
    "tabuleiro solve hex --option size=3 --option swap=false": 5,
    "tabuleiro solve hex --option size=4 --option swap=false": 4,
    "tabuleiro solve hex --option size=5 --option swap=false": 13,
}
#: Those that take longer, or what only a checkout has. Those without a word are measurements, or take hours.
LONG = {
    "tabuleiro solve verify rastros": "441,908 positions and 1,142,956 answers",
    "tabuleiro solve hex --option size=6 --option swap=false": "to move: win",
    "tabuleiro solve avanco --option size=5": "to move: loss",
}
UNTRIED = {
    "tabuleiro tables build semaforo --option board=3x5",
    "tabuleiro solve semaforo --option board=3x5",
    "tabuleiro tables statistics ouri --seeds 24",
    "tabuleiro tables build ouri --seeds 24",
    "tabuleiro bench",
    "python training/rastros_book.py map",
    "python bench/konane.py --stones 30",
}


@pytest.mark.parametrize("game", GAMES.values())
def test_every_game_has_a_page_in_both_languages(game: type[Position]) -> None:
    page = mathematics_of(game)
    assert page is not None and page.game is game and page.title.pt != page.title.en
    assert len(page.pt) == len(page.en) > 5 and not any(isinstance(block, Task) for block in page.pt)
    known = {*QUICK, *OPENINGS, *LONG, *UNTRIED}
    assert commands_of(game) and {*commands_of(game)} <= known, "a new command needs a line here"


def test_no_command_is_tried_that_no_page_names() -> None:
    named = {command for game in GAMES.values() for command in commands_of(game)}
    assert {*QUICK, *OPENINGS, *LONG, *UNTRIED} == named


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """What a command prints."""

    def run(command: str) -> str:
        monkeypatch.setattr("sys.argv", [*shlex.split(command), "--lang", "en"])
        with pytest.raises(SystemExit) as left:
            main()
        assert not left.value.code
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("command", QUICK)
def test_what_a_page_says_is_shown_by_its_command(command: str, shown: Callable[[str], str]) -> None:
    assert QUICK[command] in shown(command)


@pytest.mark.long
@pytest.mark.parametrize("command", LONG)
def test_what_takes_longer_is_shown_too(command: str, shown: Callable[[str], str]) -> None:
    assert LONG[command] in shown(command)


def test_the_proof_of_rastros_has_as_many_positions_as_its_page_says() -> None:
    """A step for each, two bytes; the long run counts the answers too."""
    steps = len(read_data(PROOF)) // 2
    page = (FOLDER / "rastros.md").read_text("utf-8")
    assert f"{number(steps, 'pt')} posições" in page and f"{number(steps, 'en')} positions" in page
    assert LONG["tabuleiro solve verify rastros"].startswith(f"{number(steps, 'en')} positions and ")


@pytest.mark.parametrize("command", OPENINGS)
def test_as_many_openings_of_hex_win_as_is_said(command: str, shown: Callable[[str], str]) -> None:
    assert shown(command).count("│ win") == OPENINGS[command]
