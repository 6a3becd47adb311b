"""Many games at once are the same games: every position of random runs beside the rules in Python, whatever the options
and the number of threads."""

from typing import Any

import numpy as np
import pytest

import tabuleiro
from option_sets import CASE_IDS, CASES
from tabuleiro import GAMES, IllegalMoveError, OptionError, Options, Player, Position, native
from tabuleiro.batches import DRAW, GIVEN_UP, ONE, ONGOING, Batch, batch
from tabuleiro.games.guerreiros import GuerreirosOptions
from tabuleiro.record import Game
from tabuleiro.record.tree import Node


def started(game: str, **options: Any) -> Position:
    kind = GAMES[game]
    return kind.start(kind.options_type(**options))


#: Starts from which random games soon meet a rule that looks back, and the reason they then end for. Positions come
#: back where each side has little left to move.
STRICT = [
    (started("ouri", cycle_threshold=2), "cycle"),
    (started("ouri", no_capture_limit=10), "no_capture"),
    (started("guerreiros", no_progress_limit=10), "no_progress"),
    (GAMES["guerreiros"].decode((0, 0, 0, 0, 40, 49, 0, 0, 1, 0, 0, 0, 0)), "repetition"),
    (started("abalone", move_limit=40), "move_limit"),
    (GAMES["abalone"].decode((1 << 60, 1, 1, 0, 0)), "repetition"),
]


def compare(many: Batch, steps: int) -> tuple[int, set[str]]:
    """Random steps of a batch and of the rules in Python side by side. Returns the positions compared, and for which
    reasons games ended."""
    start, view = many.start, many.view
    nodes: list[Node] = [Game(start).root for _ in range(many.size)]
    reasons: set[str] = set()
    for _ in range(steps):
        legal, planes, packed, plies = many.moves(), many.observe(), many.packed(), many.plies()
        bits = np.unpackbits(packed.view(np.uint8), axis=1, bitorder="little")[:, : view.planes * view.area]
        assert (bits.reshape(planes.shape) == planes).all()
        mask, words, actions = many.mask(), many.encode().tolist(), many.sample().copy()
        turns, chosen = many.turn.tolist(), []
        for number, node in enumerate(nodes):
            position, mine = node.position, slice(*legal.starts[number : number + 2])
            here = f"{start.id} {position} {start.options.changed()}"
            moves = position.legal_moves()
            indices = [view.index(position, move) for move in moves]
            assert (tuple(words[number]), turns[number], plies[number]) == (position.encode(), position.turn, node.ply)
            assert legal.moves[mine].tolist() == moves, here
            assert legal.actions[mine].tolist() == indices, here
            assert np.flatnonzero(mask[number]).tolist() == sorted(indices), here
            assert packed[number].tobytes() == view.packed(position.seen_by(position.turn)), here
            chosen.append(moves[indices.index(actions[number])])
        many.step(actions)
        for number, move in enumerate(chosen):
            node = nodes[number].play(move)
            expected = native.outcome_number(node.outcome)
            assert many.results[number] == expected, f"{start.id} {node.position} {start.options.changed()}"
            one = {1: 1, 2: -1}.get(expected, 0)
            assert many.rewards[number].tolist() == [one, -one]
            if node.outcome is not None:
                reasons.add(node.outcome.reason)
                node = Game(start).root
            nodes[number] = node
    return steps * many.size, reasons


@pytest.mark.parametrize(("game", "options"), CASES, ids=CASE_IDS)
def test_every_position_is_that_of_the_rules(game: type[Position], options: Options) -> None:
    compare(Batch(game.start(options), 2, seed=3), 12)


@pytest.mark.long
@pytest.mark.parametrize(("game", "options"), CASES, ids=CASE_IDS)
def test_every_position_of_many_games_is_that_of_the_rules(game: type[Position], options: Options) -> None:
    compare(Batch(game.start(options), 20, seed=4), 250)


@pytest.mark.parametrize(("start", "reason"), STRICT, ids=lambda value: getattr(value, "id", value))
def test_rules_that_look_back_end_games(start: Position, reason: str) -> None:
    many = batch(start, 200, seed=1, auto_reset=False)
    records: list[list[int]] = [[] for _ in range(many.size)]
    for _ in range(150):
        legal, actions = many.moves(), many.sample()
        for number in np.flatnonzero(many.results == ONGOING):
            mine = slice(*legal.starts[number : number + 2])
            place = legal.actions[mine].tolist().index(actions[number])
            records[number].append(int(legal.moves[mine][place]))
        many.step(actions)
    # The position alone does not tell that these are over.
    by_history = [i for i, position in enumerate(many.positions()) if many.results[i] and position.outcome() is None]
    others = [i for i, result in enumerate(many.results) if result and i not in by_history]
    assert by_history
    reasons = set()
    for chosen in by_history[:4] + others[:2]:
        game = Game(many.start)
        for move in records[chosen]:
            assert game.outcome is None
            game.play(move)
        assert native.outcome_number(game.outcome) == many.results[chosen]
        assert game.outcome is not None
        reasons.add(game.outcome.reason)
    assert reason in reasons


def trace(many: Batch, steps: int) -> list[Any]:
    """What somebody sees of a run."""
    seen = []
    for _ in range(steps):
        mask, actions = many.random_step()
        seen += [mask.tobytes(), actions.tobytes(), many.results.tobytes(), many.turn.tobytes(), many.rewards.tobytes()]
    return [*seen, many.encode().tobytes(), many.observe().tobytes(), many.plies().tobytes()]


@pytest.mark.parametrize("game", GAMES)
def test_threads_change_nothing(game: str) -> None:
    one, three = (batch(game, 700, seed=5, threads=threads) for threads in (1, 3))
    assert trace(one, 40) == trace(three, 40)
    assert one.rollout(100) == three.rollout(100)
    assert one.encode().tobytes() == three.encode().tobytes()
    assert batch(game, 700, seed=6).sample().tobytes() != batch(game, 700, seed=5).sample().tobytes()


@pytest.mark.parametrize("game", GAMES)
def test_one_call_or_three_or_a_rollout_play_the_same_games(game: str) -> None:
    fused, apart, rolled = (batch(game, 200, seed=7, max_plies=60) for _ in range(3))
    ends = np.zeros(5, int)
    for _ in range(100):
        mask, actions = fused.random_step()
        assert (apart.mask() == mask).all()
        assert (apart.sample() == actions).all()
        apart.step(actions)
        assert (apart.results == fused.results).all()
        ends += np.bincount(fused.results, minlength=5)
    told = rolled.rollout(100)
    assert [told.one, told.two, told.draws, told.given_up] == ends[ONE:].tolist()
    assert fused.encode().tobytes() == apart.encode().tobytes() == rolled.encode().tobytes()
    assert told.games > 0


def test_a_game_depends_on_its_number_and_the_seed_alone() -> None:
    few, many = batch("avanco", 3, seed=5), batch("avanco", 300, seed=5)
    few.rollout(50)
    many.rollout(50)
    assert (many.encode()[:3] == few.encode()).all()
    many.reset(seed=5)
    few.reset(seed=5)
    assert (many.sample()[:3] == few.sample()).all()


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    many = batch("rastros", 300, seed=1)
    many.rollout(5)
    before, actions = many.encode().copy(), many.sample().copy()
    for illegal in (int(np.flatnonzero(~many.mask()[200])[0]), -1, many.actions, 1 << 40):
        wrong = actions.copy()
        wrong[200] = wrong[250] = illegal
        with pytest.raises(IllegalMoveError, match=rf"action {illegal} is not legal in game 200"):
            many.step(wrong)
        assert (many.encode() == before).all()
    for nonsense in (actions[:-1], actions.reshape(2, -1)):
        with pytest.raises((ValueError, TypeError)):
            many.step(nonsense)
    with pytest.raises(TypeError):
        many.step(actions + 0.5)
    many.step(actions.astype(np.int32))
    assert (many.encode() != before).any()


def test_without_auto_reset_a_game_that_is_over_waits() -> None:
    many = batch("semaforo", 100, seed=2, auto_reset=False)
    while not many.results.all():
        over, last = many.results > 0, many.encode().copy()
        actions = many.random_step().actions
        assert ((actions == -1) == over).all()
        assert (many.rewards[over] == 0).all()
        assert (many.encode()[over] == last[over]).all()
    assert not many.mask().any()
    many.step(np.full(100, 12345))
    assert many.rollout(5).games == 0
    which = np.arange(100) % 2 == 0
    many.reset(which)
    assert (many.results[which] == ONGOING).all()
    assert (many.results[~which] != ONGOING).all()
    assert many.mask()[which].any(axis=1).all()
    assert (many.plies()[which] == 0).all()


def test_games_without_an_end_can_be_given_up() -> None:
    many = batch("abalone", 20, seed=1, max_plies=30, repetition=None, move_limit=None)
    for _ in range(30):
        many.random_step()
    assert (many.results == GIVEN_UP).all()
    assert (many.rewards == 0).all()
    assert (many.plies() == 0).all()


def test_a_batch_may_begin_anywhere() -> None:
    position = GAMES["avanco"].from_str("b6/7/w6/7/7/7/7 w", None)
    many = batch(position, 4)
    assert many.positions() == [position] * 4
    while not many.results.any():
        many.random_step()
    assert many.positions()[0].id == "avanco"
    with pytest.raises(TypeError):
        batch(position, 4, size=8)
    with pytest.raises(ValueError, match="over at the start"):
        batch(GAMES["avanco"].from_str("w6/7/7/b6/7/7/7 b", None), 4)


def test_what_is_placed_in_secret_is_seen_by_its_owner_alone() -> None:
    start = GAMES["guerreiros"].start(GuerreirosOptions(hidden_kings=True))
    many = batch(start, 30, seed=1)
    many.step(many.sample())
    assert len({words.tobytes() for words in many.encode()}) > 3, "kings stand on different cells"
    assert len({planes.tobytes() for planes in many.observe()}) == 1, "and the one who moves does not see where"
    waiting, moving = many.positions()[0].turn.other, many.positions()[0].turn
    assert len({planes.tobytes() for planes in many.observe(waiting)}) > 3
    assert many.observe(moving).tobytes() == many.observe().tobytes()
    many.step(many.sample())
    assert many.observe(Player.ONE).tobytes() == many.observe(Player.TWO).copy().tobytes()


def test_arrays_are_shared_not_copied() -> None:
    many = batch("hex", 50, seed=1, size=5)
    mask = many.mask()
    also = np.from_dlpack(mask.view(np.uint8))
    assert also.base is not None
    many.rollout(3)
    many.mask()
    assert (also == mask).all()
    assert np.shares_memory(also, mask)
    assert many.mask() is mask


def test_torch_reads_the_same_memory() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra: pip install tabuleiro[train]")
    many = batch("hex", 50, seed=1, size=5)
    seen = torch.from_dlpack(many.observe())
    assert tuple(seen.shape) == (50, 7, 5, 5)
    many.rollout(3)
    many.observe()
    assert seen.numpy().tobytes() == many.observe().tobytes()


def test_options_are_given_by_name() -> None:
    assert batch("hex", 1, size=4, swap=False).start.options.changed() == {"size": "4", "swap": "false"}
    assert batch("abalone", 1, move_limit=None).start.history_rules().total_plies is None
    with pytest.raises(OptionError, match="no option"):
        batch("hex", 1, colour="blue")
    with pytest.raises(OptionError, match="does not take"):
        batch("hex", 1, size=99)
    with pytest.raises(ValueError):
        batch("hex", 0)
    nonsense: list[dict[str, Any]] = [{"max_plies": 0}, {"threads": 600}, {"seed": -1}]
    for settings in nonsense:
        with pytest.raises(ValueError):
            batch("hex", 5, **settings)


def test_draws_are_told() -> None:
    many = batch("rastros", 2000, seed=1, stalemate="draw")
    told = many.rollout(200)
    assert told.draws > 0
    assert told.games == told.one + told.two + told.draws
    while not (many.results == DRAW).any():
        many.random_step()
    assert (many.rewards[many.results == DRAW] == 0).all()


def test_the_front_door_leads_here() -> None:
    here, there = (make("konane", 20, seed=9, size=4) for make in (batch, tabuleiro.batch))
    assert here.sample().tolist() == there.sample().tolist()
