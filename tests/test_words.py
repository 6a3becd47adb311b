"""Every word that a person reads is there in both languages: options, values, reasons, pieces, prompts, labels."""

import dataclasses
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from laws import walk
from tabuleiro import text
from tabuleiro.core import (
    COLOURS,
    REASONS,
    Options,
    Outcome,
    Player,
    Position,
    card_lines,
    default_note,
    option,
    option_values,
    show_value,
    value_name,
)
from tabuleiro.games import GAMES
from tabuleiro.language import Text, figure, language_of, number, plural
from tabuleiro.record import random_game

#: Sentences that are the same in both languages: names of games and people, and words with the same spelling.
SAME = {
    "Abalone", "Avanço", "Guerreiros", "Hex", "Konane", "Ouri", "Rastros", "Semáforo", "Material", "Inventor",
    *(game.author for game in GAMES.values()),
}  # fmt: skip

#: English words that no Portuguese sentence of ours has.
ENGLISH = re.compile(
    r"\b(the|of|and|a player|whoever|row|rows|cell|cells|board|south|north|white|black|exact|both|next|turn|choose|none"
    r"|owners|daisy|swap|standard|off|true|false|move|moves|piece|pieces|stone|seeds|king|king's|loses?|draws?|fixed"
    r"|removal|traditional|immediate|persistent|up_to|capture|captured|limit of|player)\b",
    re.IGNORECASE,
)


def sentences() -> Iterator[tuple[str, Text]]:
    """Every sentence that games and the contract show, with where it is said."""
    for code, reason in REASONS.items():
        yield f"reason {code}", reason
    for colour, name in COLOURS.items():
        yield f"colour {colour}", name
    for sort, shown in text.PIECES.items():
        yield f"piece {sort}", shown.one
        yield f"pieces {sort}", shown.several
    for game in GAMES.values():
        yield f"{game.id} name", game.name
        yield f"{game.id} summary", game.summary
        yield f"{game.id} help", game.move_help
        for label, said in card_lines(game):
            yield f"{game.id} card", label
            yield f"{game.id} card", said
        for sign in game.legend:
            yield f"{game.id} legend", sign
        for step in game.first_steps:
            yield f"{game.id} first step", step
        for why in REASONS:
            for winner in (None, *Player):
                yield f"{game.id} {why} {winner}", game.start().tell_result(Outcome(winner, why, (6, 2)))
        for field in dataclasses.fields(game.options_type):
            where = f"{game.id} {field.name}"
            yield where, field.metadata["help"]
            yield where, default_note(field)
            for value in field.metadata["values"]:
                yield f"{where}={show_value(value)}", value_name(field, show_value(value))
        for chosen in _option_sets(game):
            yield f"{game.id} goal", game.start(chosen).goal()
            for place in game.setup_fields(chosen):
                yield f"{game.id} editor", place.label
                yield from ((f"{game.id} editor", name) for name in (*place.choices.values(), *(place.pair or ())))
            for seed in range(5):
                for position in walk(game, chosen, random.Random(seed), 40):
                    yield from _said_in(position)


def _option_sets(game: type[Position]) -> Iterator[Options]:
    """The defaults, and every value of every option with the others at their defaults."""
    yield game.options_type()
    for field in dataclasses.fields(game.options_type):
        for value in field.metadata["values"][1:]:
            if len(show_value(value)) > 1 or not isinstance(value, str):  # the columns of kings are all alike
                try:
                    yield game.options_type(**{field.name: value})
                except ValueError:
                    continue


def _said_in(position: Position) -> Iterator[tuple[str, Text]]:
    if (prompt := position.prompt()) is not None:
        yield f"{position.id} prompt", prompt
    if (score := position.score_text()) is not None:
        yield f"{position.id} score", score
    for piece in position.pieces().values():
        assert (piece.kind, piece.colour) in text.PIECES, piece
    yield f"{position.id} line", Text(text.describe(position, "pt"), text.describe(position, "en"))


def test_no_word_is_left_untranslated() -> None:
    seen = 0
    for where, (pt, en) in sentences():
        seen += 1
        assert pt and en, where
        is_number = re.fullmatch(r"[0-9x ]+", pt) is not None
        assert pt != en or pt in SAME or is_number, f"{where}: “{pt}” is the same in both languages"
        # Names of games and options, moves and what is quoted stay as they are typed.
        typed = re.sub(r"`[^`]*`|«[^»]*»|\b[a-z]+_[a-z_]+\b|\b(pass|swap)\b(?=$)", "", pt)
        found = ENGLISH.search(typed)
        assert found is None, f"{where}: “{found.group()}” in “{pt}”"
    assert seen > 1000


def test_every_value_of_every_option_has_a_name_that_is_not_its_code() -> None:
    for game in GAMES.values():
        for field in dataclasses.fields(game.options_type):
            names = [value_name(field, value) for value in option_values(field)]
            assert len(set(names)) == len(names), (game.id, field.name)
            for value, name in zip(option_values(field), names, strict=True):
                assert value[0].isdigit() or name.pt != value, (game.id, field.name, value)
                assert "_" not in name.pt + name.en


def test_a_word_among_the_values_must_be_named() -> None:
    with pytest.raises(TypeError, match="needs a name"):
        option("left", "right", names={"left": Text("esquerda", "left")}, help=Text("lado", "side"))
    with pytest.raises(TypeError, match="needs a name"):
        option(3, names={"4": Text("quatro", "four")}, help=Text("quantos", "how many"))


#: The options whose default is what the rule sheet of the game asks for; in all the others we decided.
OFFICIAL = {
    "avanco": {"size"},
    "rastros": {"size", "stalemate", "must_keep_goal_reachable"},
    "hex": {"swap"},
    "semaforo": {"board"},
    "ouri": {"rules", "cycle_collect"},
    "konane": {"size", "opening"},
    "guerreiros": {"south_king", "north_king"},
    "abalone": {"layout", "ejections"},
}


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_only_what_the_rule_sheet_says_is_called_official(game: type[Position]) -> None:
    for field in dataclasses.fields(game.options_type):
        expected = "regra oficial" if field.name in OFFICIAL[game.id] else "habitual"
        assert default_note(field).pt == expected, field.name


def test_two_options_of_a_game_never_read_the_same() -> None:
    for game in GAMES.values():
        said = [field.metadata["help"] for field in dataclasses.fields(game.options_type)]
        assert len({line.pt for line in said}) == len({line.en for line in said}) == len(said)


def test_numbers_are_written_as_each_language_writes_them() -> None:
    assert number(190_131, "pt") == "190\N{NO-BREAK SPACE}131"
    assert number(1_234_567.5, "pt", 1) == "1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567,5"
    assert (number(1936, "pt"), number(1936, "en")) == ("1936", "1,936")
    assert figure(1.04, 1, "s") == Text("1,0 s", "1.0 s")
    assert (number(-0.5, "pt", 2), number(0, "pt")) == ("-0,50", "0")


def test_no_number_is_torn_at_the_end_of_a_line() -> None:
    rooms = [Path(text.__file__).parent / room for room in ("mathematics", "lessons", "rules")]
    torn = [
        f"{path.name}: {found}"
        for room in rooms
        for path in sorted(room.rglob("*.md"))
        for found in re.findall(r"\b\d{1,3} \d{3}\b", path.read_text("utf-8"))
    ]
    assert torn == []


def test_one_and_several() -> None:
    one, several = Text("semente", "seed"), Text("sementes", "seeds")
    assert plural(1, one, several) == Text("1 semente", "1 seed")
    assert plural(0, one, several) == Text("0 sementes", "0 seeds")
    assert plural(12_000, one, several) == Text("12\N{NO-BREAK SPACE}000 sementes", "12,000 seeds")


@pytest.mark.parametrize("asked", ["es_ES.UTF-8", "fr_FR", "de_DE", "C"])
def test_a_language_the_house_does_not_speak_gets_english(asked: str) -> None:
    assert language_of({"LANG": asked}) == "en"
    assert language_of({"LANG": "pt_BR.UTF-8"}) == "pt"


def test_the_board_of_guerreiros_carries_its_numbers() -> None:
    position = random_game("guerreiros", 1, 6).position
    labels = [label for label in position.geometry.labels if label.kind == "row_number"]
    rows = {round(y): number for _, y, number in sorted((*label.at, label.text) for label in labels)}
    assert [rows[row] for row in range(10)] == list("0123443210")
    assert all(label.kind == "coordinate" for label in GAMES["avanco"].start().geometry.labels)
    assert any("dourado" in sign.pt for sign in GAMES["guerreiros"].legend)
