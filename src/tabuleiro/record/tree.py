"""Played games: a tree of moves with tags, comments and clocks, and the rules that look back.

A `Game` is a tree of `Node`s. The first child of a node goes on with the line the node belongs to, the other children
begin variations; the line of first children from the root is the game as it was played. Every move is checked by the
rules when it is added, and `Node.outcome` counts repetitions and limits along the node's own line.

Nothing here recurses along a line, so a game may be very long.
"""

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import islice
from typing import Self

from tabuleiro import games
from tabuleiro.core import (
    GAME_OVER,
    REASONS,
    IllegalMoveError,
    Move,
    Options,
    Outcome,
    Player,
    Position,
    TabuleiroError,
    shorten,
)
from tabuleiro.geometry import Cell
from tabuleiro.language import Text

#: Characters.
MAX_COMMENT = 10_000
#: Moves of a game, variations included.
MAX_MOVES = 20_000
#: Seconds: a clock shows less than a hundred thousand hours.
MAX_CLOCK = 100_000 * 3600

#: The reason of a result that a record gives without saying why.
UNKNOWN = "unknown"
#: How people, rather than the rules, end a game. Reasons that `REASONS` does not know are people's too.
DECLARED = ("agreement", "resignation", "time", "abandoned", "too_long", UNKNOWN)

WINS = {Player.ONE: "1-0", Player.TWO: "0-1"}
DRAW = "1/2-1/2"
UNFINISHED = "*"
#: What stands for a move that somebody must not know yet.
HIDDEN = "?"

NO_DRAWS = Text("este jogo não pode acabar empatado", "this game cannot end in a draw")
NEW_POSITION = Text(
    "só se pode combinar o fim quando a partida anda às voltas, e esta posição ainda não se repetiu",
    "players may agree to stop only when the game goes round in circles; this position is new",
)
COMMENT = Text("o comentário", "the comment")


class RecordError(TabuleiroError):
    """A record that cannot be read or written: why, and in which line (None when it is not about a file)."""

    def __init__(self, text: Text, line: int | None = None) -> None:
        super().__init__(text if line is None else Text(f"linha {line}: {text.pt}", f"line {line}: {text.en}"))
        self.line = line


class Node:
    """A position of a game and the move that led to it; the root has no move."""

    __slots__ = ("_clock", "_comment", "_memory", "_stale", "children", "move", "outcome", "parent", "ply", "position")

    def __init__(self, position: Position, parent: "Node | None" = None, move: Move | None = None) -> None:
        self.position = position
        self.parent = parent
        self.move = move
        #: The continuation of the line first, then the variations. `play` adds to it.
        self.children: list[Node] = []
        self._comment = ""
        self._clock: Decimal | None = None
        if parent is None:
            self.ply = self._stale = 0
            self._memory = _Memory(self)
        else:
            self.ply = parent.ply + 1
            self._memory = parent._memory
            self._stale = 0 if self._is_progress() else parent._stale + 1
        #: How the game ends here, by the position or by the rules that look back along this line.
        self.outcome = self._outcome_by_position() or self._outcome_by_history()

    def play(self, move: Move | str) -> "Node":
        """The node after a move, which is added unless it was there."""
        if self.outcome is not None:
            raise IllegalMoveError(GAME_OVER)
        if isinstance(move, str):
            written = self.position.move_texts().get(move)
            # Reading another spelling makes a position remember all of every move: let a passing copy do that.
            move = replace(self.position).parse_move(move) if written is None else written
        for child in self.children:
            if child.move == move:
                return child
        child = Node(self.position.play(move), self, move)
        self.children.append(child)
        return child

    def why_not(self, tried: str | Sequence[Cell]) -> Text | None:
        """Why a move cannot be made here (see `Position.why_not`), the rules that look back included."""
        return self.position.why_not(tried) if self.outcome is None else GAME_OVER

    def seen_by(self, player: Player | None) -> "Node":
        """This node as a player, or who only watches, may know it: without the moves that led here where the position
        hides something from them."""
        seen = self.position.seen_by(player)
        return self if seen is self.position else Node(seen)

    @property
    def occurrences(self) -> int:
        """How often the position has come up on the way here, this time included."""
        return self._memory.occurrences(self)

    def why_no_agreement(self) -> Text | None:
        """Why the players may not agree to end the game here; None if they may."""
        if not self.position.can_draw:
            return NO_DRAWS
        enough = self._memory.rules.agreement_occurrence
        return NEW_POSITION if enough > 1 and self.occurrences < enough else None

    @property
    def move_text(self) -> str:
        """The move that led here, as people write it; empty at the root."""
        return "" if self.parent is None or self.move is None else self.parent.position.move_str(self.move)

    @property
    def clicks(self) -> tuple[Cell, ...]:
        """The cells that are touched to make the move that led here; none at the root."""
        return () if self.parent is None or self.move is None else self.parent.position.clicks(self.move)

    @property
    def comment(self) -> str:
        """What somebody wrote about the move, or about the start."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        check_text(text, MAX_COMMENT, COMMENT)
        self._comment = text.replace("\r\n", "\n").replace("\r", "\n")

    @property
    def clock(self) -> Decimal | None:
        """The seconds that the mover had left after the move, to the hundredth."""
        return self._clock

    @clock.setter
    def clock(self, seconds: Decimal | int | None) -> None:
        if seconds is None:
            self._clock = None
            return
        exact = Decimal(seconds)
        if self.parent is None or not exact.is_finite() or not 0 <= exact < MAX_CLOCK or exact != round(exact, 2):
            raise RecordError(
                Text(
                    f"«{shorten(str(seconds))}» não é um tempo de relógio: segundos, com até duas casas decimais, "
                    "depois de uma jogada",
                    f"“{shorten(str(seconds))}” is not a clock: seconds, with up to two decimals, after a move",
                )
            )
        self._clock = exact

    def line(self) -> "Iterator[Node]":
        """This node and the first children after it."""
        node = self
        yield node
        while node.children:
            node = node.children[0]
            yield node

    def path(self) -> "list[Node]":
        """The nodes from the root to this one, both included."""
        node, nodes = self, [self]
        while node.parent is not None:
            node = node.parent
            nodes.append(node)
        return nodes[::-1]

    def _is_progress(self) -> bool:
        if self._memory.rules.stale_plies is None or self.parent is None or self.move is None:
            return False
        return self.parent.position.is_progress(self.move)

    def _outcome_by_position(self) -> Outcome | None:
        if self.parent is None or self.move is None:
            return self.position.ended()
        return ended_by_position(self.position, self.parent.position, self.move)

    def _outcome_by_history(self) -> Outcome | None:
        rules = self._memory.rules
        if rules.repetition is not None and self._memory.occurrences(self) >= rules.repetition:
            return self.position.settle(rules.repetition_reason)
        if rules.stale_plies is not None and self._stale >= rules.stale_plies:
            return self.position.settle(rules.stale_reason)
        if rules.total_plies is not None and self.ply >= rules.total_plies:
            return self.position.settle("move_limit")
        return None


def ended_by_position(position: Position, before: Position, move: Move) -> Outcome | None:
    """How a position, to which a move led, ends the game; where it cannot show that, the move does."""
    outcome = position.ended()
    if outcome is None or outcome.cells:
        return outcome
    moved = dict.fromkeys(cell for motion in before.motions(move) for cell in motion)
    return replace(outcome, cells=tuple(moved) or before.clicks(move))


class _Memory:
    """How often each position occurred on the way from the root to one node.

    It is shared by all nodes of a game and walks to the node it is asked about, so that going on with a line costs the
    same however long the line is.
    """

    def __init__(self, root: Node) -> None:
        self.rules = root.position.history_rules()
        self.seen: Counter[Hashable] = Counter([root.position.repetition_key()])
        self.at = root

    def occurrences(self, node: Node) -> int:
        self._walk_to(node)
        return self.seen[node.position.repetition_key()]

    def _walk_to(self, node: Node) -> None:
        ahead = []
        while node is not self.at:
            if self.at.parent is not None and self.at.ply >= node.ply:
                self.seen[self.at.position.repetition_key()] -= 1
                self.at = self.at.parent
            else:
                assert node.parent is not None
                ahead.append(node)
                node = node.parent
        for step in reversed(ahead):
            self.seen[step.position.repetition_key()] += 1
            self.at = step


class Game:
    """A game that is being played or was played: the tree, the tags, and how people ended it if they did."""

    def __init__(self, start: Position) -> None:
        self.root = Node(start)
        #: Free tags in the order in which they are written: Event, Site, Date, Round, Player1, Player2, …
        self.tags: dict[str, str] = {}
        self._last = self.root
        self._ended: Outcome | None = None

    @classmethod
    def new(cls, game_id: str, options: Options | None = None, start: str | None = None) -> Self:
        """A game of that id about to begin, from the standard start or from a position string."""
        kind = games.get(game_id)
        return cls(kind.start(options) if start is None else kind.from_str(start, options))

    # -- the line that was played -------------------------------------------------------------------------------------

    @property
    def start(self) -> Position:
        return self.root.position

    @property
    def last(self) -> Node:
        """The end of the main line."""
        while self._last.children:
            self._last = self._last.children[0]
        return self._last

    @property
    def position(self) -> Position:
        return self.last.position

    @property
    def moves(self) -> list[Move]:
        return [node.move for node in self.root.line() if node.move is not None]

    def positions(self) -> list[Position]:
        """The positions of the main line, the start first."""
        return [node.position for node in self.root.line()]

    def nodes(self) -> Iterator[Node]:
        """Every node of the tree, each before its children."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def play(self, move: Move | str) -> Node:
        """Go on with the main line."""
        if self._ended is not None:
            raise IllegalMoveError(GAME_OVER)
        return self.last.play(move)

    def undo(self) -> None:
        """Take back the last move, with the variations that were given for it, and whatever ended the game."""
        parent = self.last.parent
        if parent is None:
            raise IllegalMoveError(Text("não há nenhuma jogada para desfazer", "there is no move to take back"))
        parent.children.clear()
        self._last = parent
        self._ended = None

    # -- the end ----------------------------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: by the rules, or as people declared; None while it goes on."""
        return self.last.outcome or self._ended

    @property
    def result(self) -> str:
        """`1-0` when player ONE won, `0-1`, `1/2-1/2`, or `*` while the game goes on."""
        if (outcome := self.outcome) is None:
            return UNFINISHED
        return DRAW if outcome.winner is None else WINS[outcome.winner]

    @property
    def termination(self) -> str | None:
        """Why the game ended; None while it goes on, or when nobody said why."""
        outcome = self.outcome
        return None if outcome is None or outcome.reason == UNKNOWN else outcome.reason

    def end(self, winner: Player | None, reason: str, *, recorded: bool = False) -> None:
        """End the game as people do: `resignation`, `agreement`, `time`, `abandoned`, or a reason of their own.

        An agreement is settled by the rules of the game, which may name a winner (Ouri counts the stores); a winner
        given must be that one. `recorded` says that the game was ended before and is being read: a draw that people
        agreed to then is believed where the rules would not offer it now.
        """
        if self.outcome is not None:
            raise IllegalMoveError(GAME_OVER)
        if reason in REASONS and reason not in DECLARED:
            why = REASONS[reason]
            raise IllegalMoveError(
                Text(
                    f"só as regras decidem «{reason}» ({why.pt}), e nesta posição não o fazem",
                    f"only the rules decide “{reason}” ({why.en}), and they do not in this position",
                )
            )
        if winner is None and not self.position.can_draw:
            raise IllegalMoveError(NO_DRAWS)
        if reason == "agreement":
            self._ended = self._agreed(winner, recorded)
        else:
            self._ended = Outcome(winner, reason, self.position.score())

    def _agreed(self, winner: Player | None, recorded: bool) -> Outcome:
        """How an agreement to end the game here is settled."""
        settled = self.position.settle("agreement")
        if winner is None and recorded:
            return Outcome(None, "agreement", settled.score)
        if (refusal := self.last.why_no_agreement()) is not None:
            raise IllegalMoveError(refusal)
        if winner not in (None, settled.winner):
            raise IllegalMoveError(
                Text("o acordo não dá a vitória a esse jogador", "the agreement does not make that player win")
            )
        return settled

    # -- who may know what ------------------------------------------------------------------------------------------

    def seen_by(self, player: Player | None) -> "Game":
        """The game as a player, or who only watches, may know it now. Where nothing is hidden from them it is this very
        game; else one that begins with what they see of the position, for they may not know what led there."""
        node = self.last.seen_by(player)
        if node is self.last:
            return self
        seen = Game(node.position)
        seen.tags, seen._ended = self.tags, self.outcome
        return seen

    def node_seen_by(self, player: Player | None, ply: int) -> Node:
        """A node of the main line, as it may be known now: what the present position no longer hides is open."""
        node = next(islice(self.root.line(), ply, None))
        return node if self.seen_by(player) is self else Node(node.position.seen_by(player))

    def moves_seen_by(self, player: Player | None) -> list[str]:
        """The moves of the main line as people write them, HIDDEN for those that are not to be known now: those whose
        effect cannot be seen."""
        open_to_all = self.seen_by(player) is self
        texts = []
        for node in self.root.line():
            if node.parent is None or node.move is None:
                continue
            before, after = node.parent.position.seen_by(player), node.position.seen_by(player)
            known = open_to_all or (node.move in before.legal_moves() and before.play(node.move) == after)
            texts.append(node.move_text if known else HIDDEN)
        return texts

    # -- comparing --------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Whether both have the same start, moves, variations, comments, clocks, tags and end."""
        if not isinstance(other, Game):
            return NotImplemented
        if (self.start, self.tags, self.outcome) != (other.start, other.tags, other.outcome):
            return False
        pairs = [(self.root, other.root)]
        while pairs:
            one, two = pairs.pop()
            if (one.move, one.comment, one.clock) != (two.move, two.comment, two.clock):
                return False
            if len(one.children) != len(two.children):
                return False
            pairs.extend(zip(one.children, two.children, strict=True))
        return True

    __hash__ = None  # type: ignore[assignment]  # a game changes while it is played


def random_game(start: str | Position, seed: int, max_plies: int | None = None) -> Game:
    """A game of random legal moves, from a position or the standard start of a game, up to the end or `max_plies`."""
    game = Game.new(start) if isinstance(start, str) else Game(start)
    chance = random.Random(seed)
    node = game.root
    while node.outcome is None and (max_plies is None or node.ply < max_plies):
        node = node.play(chance.choice(node.position.legal_moves()))
    return game


def check_text(text: str, limit: int, what: Text) -> None:
    if len(text) > limit:
        raise RecordError(too_long(what, limit))
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise RecordError(
            Text(f"{what.pt} tem caracteres que não existem", f"{what.en} has characters that do not exist")
        )


def too_long(what: Text, limit: int) -> Text:
    return Text(f"{what.pt} tem mais de {limit} caracteres", f"{what.en} has more than {limit} characters")
