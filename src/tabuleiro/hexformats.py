"""Hex games of other houses: SGF files (GM[11]) and HexWorld links.

Cells have the same names there and here: the letter is the column, the number the row, Black joins the first row with
the last and White the first column with the last. Two things differ.

* There Black begins unless it is said otherwise; here that is the option `first=black`.
* Most of them swap *pieces*: the first stone changes colour and is reflected in the long diagonal, and the players
  keep their colours. Here (as `swap-sides` there) the stone stays and the players exchange colours. The reflection of
  everything, colours exchanged, is the same game, so after a swap of pieces every later move is read reflected.
"""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from urllib.parse import unquote

from tabuleiro import games
from tabuleiro.core import EMPTY, Player, Position, TabuleiroError, shorten, write_ranks
from tabuleiro.geometry import LETTERS
from tabuleiro.language import Text
from tabuleiro.record import MAX_MOVES, UNKNOWN, Game, Node, RecordError, check_tag_name, write_game

COLOURS = {"B": "black", "W": "white"}
SYMBOLS = {"black": "B", "white": "W"}
OTHER = {"black": "white", "white": "black"}
#: The second half of an SGF result such as `B+R`.
SGF_REASONS = {"R": "resignation", "T": "time", "F": "abandoned"}
SGF_TAGS = {"EV": "Event", "PC": "Site", "DT": "Date", "RO": "Round"}
#: The property, of this house only, for what SGF has no word for: `TAG[Name:value]`.
OWN_TAG = "TAG"
HEXWORLD = "https://hexworld.org/board/#"

_CELL = re.compile(r"([a-z])([1-9][0-9]?)")


def _other_cell(cell: str) -> str:
    """The reflection of a cell in the long diagonal: g2 becomes b7."""
    match = _CELL.fullmatch(cell)
    if match is None or int(match[2]) > len(LETTERS):
        return cell
    return f"{LETTERS[int(match[2]) - 1]}{LETTERS.index(match[1]) + 1}"


def _player_of(position: Position, colour: str) -> Player:
    return Player.ONE if position.colour(Player.ONE) == colour else Player.TWO


def _play(node: Node, move: str, reflected: bool) -> tuple[Node, bool]:
    """The node after a move as other houses write it, and whether later moves are to be read reflected."""
    if move in ("swap-pieces", "swap-sides", "swap"):
        return node.play("swap"), move != "swap-sides"
    if move in ("pass", ""):
        raise RecordError(Text("neste Hex não se passa a vez", "there is no passing in this Hex"))
    return node.play(_other_cell(move) if reflected else move), reflected


def _start_of_hex(options: dict[str, str], position: str | None = None) -> Position:
    kind = games.get("hex")
    chosen = kind.options_type.parse(options)
    return kind.start(chosen) if position is None else kind.from_str(position, chosen)


def _require_hex(game: Game) -> None:
    if game.start.id != "hex":
        raise RecordError(
            Text("só partidas de Hex se podem escrever assim", "only games of Hex can be written like this")
        )


# ---------------------------------------------------------------------------------------------------------- HexWorld

_HEXWORLD = re.compile(r"(?:([1-9][0-9]{0,2})(?:x([1-9][0-9]{0,2}))?)?(?:r[0-9]{1,3}|m|n|c[0-9]{1,3})*")
_HEXWORLD_MOVE = re.compile(r"[a-z][1-9][0-9]?|:s|:S|:p|:[rf][bw]")
_HEXWORLD_WORDS = {":s": "swap-pieces", ":S": "swap-sides", ":p": "pass"}


def read_hexworld(link: str) -> Game:
    """The game of a HexWorld link, or of the part of it after `#`. The board's turn and colours are looks only."""
    try:
        return _read_hexworld(link)
    except TabuleiroError as error:
        raise RecordError(error.text) from None


def _read_hexworld(link: str) -> Game:
    settings, *moves = unquote(link.strip().rpartition("#")[2]).split(",")
    match = _HEXWORLD.fullmatch(settings)
    if match is None or len(moves) > 2:
        raise RecordError(
            Text(
                f"«{shorten(link)}» não é uma ligação do HexWorld, como {HEXWORLD}11c1,a10b4",
                f"“{shorten(link)}” is not a HexWorld link, such as {HEXWORLD}11c1,a10b4",
            )
        )
    if match[2] not in (None, match[1]):
        raise _not_square(f"{match[1]}x{match[2]}")
    game = Game(_start_of_hex({"size": match[1] or "11", "first": "black"}))
    node, reflected = game.root, False
    # A second comma marks the move that the board shows; the moves after it belong to the game all the same.
    text, at = "".join(moves), 0
    while at < len(text):
        word = _HEXWORLD_MOVE.match(text, at)
        if word is None:
            shown = shorten(text[at:], 10)
            raise RecordError(Text(f"não percebo «{shown}» na ligação", f"“{shown}” in the link means nothing"))
        at = word.end()
        move = word.group()
        if move[1] in "rf" and move[0] == ":":
            loser = COLOURS[move[2].upper()]
            winner = _player_of(node.position, loser if reflected else OTHER[loser])
            game.end(winner, "resignation" if move[1] == "r" else "abandoned")
        elif game.outcome is not None:
            raise RecordError(
                Text(f"a jogada «{move}» vem depois do fim da partida", f"the move “{move}” comes after the game ended")
            )
        else:
            node, reflected = _play(node, _HEXWORLD_WORDS.get(move, move), reflected)
    return game


def write_hexworld(game: Game) -> str:
    """A HexWorld link to the main line: moves, resignation, and a loss on time or by abandoning.

    HexWorld lets Black begin, so a game that White began is written reflected, with the colours exchanged.
    """
    _require_hex(game)
    options = game.start.options.items()
    if game.start != _start_of_hex(options):
        raise RecordError(
            Text(
                "uma ligação do HexWorld só guarda partidas que começam no tabuleiro vazio",
                "a HexWorld link holds only games that begin on the empty board",
            )
        )
    reflected = options["first"] == "white"
    words = [HEXWORLD, options["size"], "c1,"]
    for node in game.root.line():
        if node.parent is not None:
            move = node.move_text
            words.append(":S" if move == "swap" else _other_cell(move) if reflected else move)
    outcome = game.outcome
    if outcome is not None and outcome.winner is not None and outcome.reason in SGF_REASONS.values():
        loser = game.position.colour(outcome.winner.other) or ""
        mark = "r" if outcome.reason == "resignation" else "f"
        words.append(f":{mark}{(OTHER[loser] if reflected else loser)[0]}")
    return "".join(words)


def _not_square(size: str) -> RecordError:
    return RecordError(
        Text(
            f"um tabuleiro {shorten(size)} não serve: aqui o tabuleiro de Hex tem lados iguais",
            f"a {shorten(size)} board will not do: here the sides of a Hex board are equal",
        )
    )


# --------------------------------------------------------------------------------------------------------------- SGF


@dataclass
class _SgfNode:
    at: int
    properties: dict[str, list[str]] = field(default_factory=dict)
    children: "list[_SgfNode]" = field(default_factory=list)

    def get(self, name: str) -> str | None:
        return self.properties[name][0] if name in self.properties else None


_SGF_TOKEN = re.compile(r"\s+|[();]|[A-Za-z]+|\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)


def read_sgf(text: str) -> list[Game]:
    """The Hex games of an SGF text. Little Golem's dialect (cells as `ad`, Black called W) is understood too."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    read = []
    for root in _parse_sgf(text):
        builder = _SgfGame(root)
        try:
            read.append(builder.build())
        except TabuleiroError as error:
            raise RecordError(error.text, text.count("\n", 0, builder.at) + 1) from None
    return read


def _parse_sgf(text: str) -> list[_SgfNode]:
    """The trees of an SGF text, whatever their game."""

    def broken(at: int, why: Text) -> RecordError:
        return RecordError(why, text.count("\n", 0, at) + 1)

    not_sgf = Text("isto não é um ficheiro SGF: falta «(;»", "this is not an SGF file: there is no “(;”")
    first = re.search(r"\(\s*;", text)
    if first is None:
        raise broken(0, not_sgf)
    # A node above the roots, so that every node has one to hang from.
    top = _SgfNode(first.start())
    node, branches, name = top, list[tuple[_SgfNode, int]](), ""
    at = first.start()
    while at < len(text):
        match = _SGF_TOKEN.match(text, at)
        if match is None:
            shown = shorten(text[at : at + 20], 10)
            raise broken(at, Text(f"não percebo «{shown}» neste SGF", f"“{shown}” in this SGF means nothing"))
        token = match.group()
        if token == "(":
            branches.append((node, at))
        elif token == ")" and branches:
            node, _ = branches.pop()
        elif token == ";" and branches:
            child = _SgfNode(at)
            node.children.append(child)
            node, name = child, ""
        elif token[0] == "[" and name:
            node.properties.setdefault(name, []).append(re.sub(r"\\(\n|.)", _unescaped, match[1]))
        elif token[0].isalpha() and node is not top:
            # Old files write B as `Black`: only capitals count.
            name = "".join(letter for letter in token if letter.isupper())
        elif not token.isspace():
            raise broken(at, Text(f"«{shorten(token)}» está fora do lugar", f"“{shorten(token)}” is out of place"))
        at = match.end()
    if branches:
        raise broken(branches[-1][1], Text("o «(» que abre aqui não fecha", "the “(” opened here is not closed"))
    return top.children


def _unescaped(match: re.Match[str]) -> str:
    """A backslash keeps the next character, and takes away a line break."""
    return "" if match[1] == "\n" else match[1]


class _SgfGame:
    """One SGF tree becoming a game; `at` is where in the text the work stands."""

    def __init__(self, root: _SgfNode) -> None:
        self.root = root
        self.at = root.at
        moves = (value for node in self._nodes() for name in COLOURS for value in node.properties.get(name, []))
        self.little_golem = any(re.fullmatch(r"[a-z]{2}", value) for value in moves)
        self.own_tags: dict[str, str] = {}
        for value in root.properties.get(OWN_TAG, []):
            name, _, tag = value.partition(":")
            self.own_tags[name] = tag
        #: Whether the end of the main line is read reflected.
        self.reflected = False
        #: A resignation on the main line: where, whose, and how.
        self.resigned: tuple[Node, str, str] | None = None

    def _nodes(self) -> list[_SgfNode]:
        nodes = [self.root]
        for node in nodes:
            nodes.extend(node.children)
        return nodes

    def build(self) -> Game:
        game = Game(self._start())
        self._read_tags(game)
        count = 0
        last = self.root
        waiting = [(self.root, game.root, False)]
        while waiting:
            count += 1
            if count > MAX_MOVES:
                raise RecordError(Text("o SGF tem demasiadas jogadas", "the SGF has too many moves"))
            sgf, node, reflected = waiting.pop()
            self.at = sgf.at
            for name in [name for name in sgf.properties if name in COLOURS]:
                move = sgf.properties[name][0].strip().lower()
                if move in ("resign", "forfeit"):
                    if sgf is last:
                        self.resigned = (node, self._colour(name, reflected), move)
                else:
                    node, reflected = self._move(node, name, move, reflected)
                    self._read_clock(sgf, node, name)
            if sgf is not self.root and {"AB", "AW", "AE"} & sgf.properties.keys():
                raise RecordError(
                    Text("há peças postas a meio da partida", "stones are set up in the middle of the game")
                )
            if comment := sgf.get("C"):
                node.comment = f"{node.comment} {comment}" if node.comment else comment
            waiting.extend((child, node, reflected) for child in reversed(sgf.children))
            if sgf is last:
                self.reflected = reflected
                last = sgf.children[0] if sgf.children else last
        self._end(game)
        return game

    def _start(self) -> Position:
        game_number, size = self.root.get("GM"), (self.root.get("SZ") or "11").strip()
        if game_number is not None and game_number.strip() != "11":
            raise RecordError(
                Text(
                    f"este SGF não é de Hex: GM[{shorten(game_number)}] em vez de GM[11]",
                    f"this SGF is not of Hex: GM[{shorten(game_number)}] instead of GM[11]",
                )
            )
        columns, _, rows = size.partition(":")
        if rows not in ("", columns):
            raise _not_square(size)
        options = {"size": columns, "first": self._first(), "swap": self.own_tags.pop("swap", "true")}
        options["first"] = self.own_tags.pop("first", options["first"])
        position = self.own_tags.pop("Position", None)
        if position is None and ("AB" in self.root.properties or "AW" in self.root.properties):
            empty = _start_of_hex(options)
            board = [EMPTY] * len(empty.geometry)
            for name, symbol in (("AB", "b"), ("AW", "w")):
                for cell in self.root.properties.get(name, []):
                    if cell.strip().lower() not in empty.geometry.index:
                        raise RecordError(
                            Text(
                                f"este tabuleiro não tem a casa {shorten(cell)}",
                                f"this board has no cell {shorten(cell)}",
                            )
                        )
                    board[empty.geometry.index[cell.strip().lower()]] = symbol
            position = f"{write_ranks(empty.geometry, board)} {options['first'][0]} -"
        return _start_of_hex(options, position)

    def _first(self) -> str:
        """The colour that begins: that of the first move, or as PL says when there is none."""
        main_line = [self.root]
        while main_line[-1].children:
            main_line.append(main_line[-1].children[0])
        for node in main_line:
            for name in COLOURS:
                if name in node.properties:
                    return self._colour(name, reflected=False)
        return COLOURS.get((self.root.get("PL") or "B").strip()[:1].upper(), "black")

    def _colour(self, name: str, reflected: bool) -> str:
        """The colour here of a move by B or W there. Little Golem calls the vertical player, who begins, W."""
        return OTHER[COLOURS[name]] if reflected != self.little_golem else COLOURS[name]

    def _move(self, node: Node, name: str, move: str, reflected: bool) -> tuple[Node, bool]:
        if self.little_golem and re.fullmatch(r"[a-z]{2}", move):
            move = f"{move[0]}{LETTERS.index(move[1]) + 1}"
        shown, ply = shorten(move), node.ply + 1
        try:
            if node.outcome is None and node.position.colour(node.position.turn) != self._colour(name, reflected):
                raise RecordError(Text("joga a outra cor", "it is the other colour's turn"))
            return _play(node, move, reflected)
        except TabuleiroError as error:
            raise RecordError(
                Text(f"jogada {ply}, «{shown}»: {error.text.pt}", f"move {ply}, “{shown}”: {error.text.en}")
            ) from None

    def _read_clock(self, sgf: _SgfNode, node: Node, name: str) -> None:
        left = (sgf.get(f"{name}L") or "").strip()
        if re.fullmatch(r"[0-9]{1,8}(\.[0-9]{1,2})?", left):
            node.clock = Decimal(left)

    def _read_tags(self, game: Game) -> None:
        one, two = ("PB", "PW") if game.start.options.items()["first"] == "black" else ("PW", "PB")
        names = {**SGF_TAGS, one: "Player1", two: "Player2"}
        for name in self.root.properties:
            value = (self.root.get(name) or "").replace("\n", " ")
            if name == "DT" and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
                value = value.replace("-", ".")
            if name in names and value:
                game.tags[names[name]] = value
        for tag, value in self.own_tags.items():
            if tag != "Termination":
                check_tag_name(tag)
                game.tags[tag] = value.replace("\n", " ")

    def _end(self, game: Game) -> None:
        """How people ended the game; where the rules did, they have the word."""
        if game.outcome is not None:
            return
        if self.resigned is not None and self.resigned[0] is game.last:
            _, loser, how = self.resigned
            game.end(_player_of(game.position, OTHER[loser]), "resignation" if how == "resign" else "abandoned")
            return
        match = re.fullmatch(r"([BW])(?:\+([A-Z]?).*)?", (self.root.get("RE") or "").strip().upper())
        if match is not None:
            # Little Golem's result names the players as PB and PW do, whatever it calls their moves.
            winner = OTHER[COLOURS[match[1]]] if self.reflected else COLOURS[match[1]]
            reason = SGF_REASONS.get(match[2] or "") or self.own_tags.get("Termination", UNKNOWN)
            game.end(_player_of(game.position, winner), reason)


def write_sgf(game: Game) -> str:
    """The game as SGF: variations, comments and clocks included; what SGF has no word for goes into `TAG`."""
    _require_hex(game)
    # Whatever cannot be a record cannot be an SGF of it either.
    write_game(game)
    words = [";" + _write_sgf_root(game)]
    waiting: list[Node | str] = list(reversed(_branches(game.root)))
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            words.append(item)
            continue
        words.append(_write_sgf_move(item))
        waiting.extend(reversed(_branches(item)))
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > 80 and lines[-1]:
            lines.append("")
        lines[-1] += word
    return "(" + "\n".join(lines) + ")\n"


def _branches(node: Node) -> list[Node | str]:
    if len(node.children) == 1:
        return [node.children[0]]
    return [item for child in node.children for item in ("(", child, ")")]


def _write_sgf_root(game: Game) -> str:
    options = game.start.options.items()
    first = options["first"]
    own = {} if options["swap"] == "true" else {"swap": options["swap"]}
    properties: list[tuple[str, str]] = [("FF", "4"), ("GM", "11"), ("CA", "UTF-8"), ("SZ", options["size"])]
    setup = ""
    if game.start != _start_of_hex(options):
        own["Position"] = str(game.start)
        for name, colour in COLOURS.items():
            cells = [game.start.geometry.names[c] for c, piece in game.start.pieces().items() if piece.colour == colour]
            setup += f"A{name}" + "".join(f"[{cell}]" for cell in cells) if cells else ""
        first_to_move = game.start.colour(game.start.turn) or ""
        properties.append(("PL", SYMBOLS[first_to_move]))
        own["first"] = first
    elif first == "white":
        properties.append(("PL", "W"))
    names = {tag: name for name, tag in SGF_TAGS.items()}
    names |= {"Player1": f"P{SYMBOLS[first]}", "Player2": f"P{SYMBOLS[OTHER[first]]}"}
    for tag, value in game.tags.items():
        if tag == "Date" and (date := re.fullmatch(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})", value)):
            properties.append(("DT", "-".join(date.groups())))
        elif tag in names and tag != "Date" and value:
            properties.append((names[tag], value))
        else:
            own[tag] = value
    outcome = game.outcome
    if outcome is not None and outcome.winner is not None:
        winner = SYMBOLS[game.position.colour(outcome.winner) or ""]
        reasons = {reason: letter for letter, reason in SGF_REASONS.items()}
        properties.append(("RE", f"{winner}+{reasons.get(outcome.reason, '')}"))
        if game.last.outcome is None and outcome.reason not in (*reasons, UNKNOWN):
            own["Termination"] = outcome.reason
    if own:
        values = (_escaped(f"{name}:") + _escaped(value).replace(":", "\\:") for name, value in own.items())
        setup += OWN_TAG + "".join(f"[{value}]" for value in values)
    if game.root.comment:
        properties.append(("C", game.root.comment))
    return "".join(f"{name}[{_escaped(value)}]" for name, value in properties) + setup


def _write_sgf_move(node: Node) -> str:
    assert node.parent is not None
    before = node.parent.position
    name = SYMBOLS[before.colour(before.turn) or ""]
    move = node.move_text
    text = f";{name}[{'swap-sides' if move == 'swap' else move}]"
    if node.clock is not None:
        text += f"{name}L[{node.clock:f}]"
    return text + (f"C[{_escaped(node.comment)}]" if node.comment else "")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
