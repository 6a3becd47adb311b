"""What the native searches are made of: settings by name, refused where they make no sense; tables that live on."""

import gc
from typing import Any

import pytest

from tabuleiro import GAMES, _native, get
from tabuleiro.games.ouri import OuriOptions
from tabuleiro.search.native import Weights
from tabuleiro.solve import ouri

PATTERNS = _native.KonanePatterns(Weights.of("konane").patterns)
ENDINGS = _native.OuriEndings(get("ouri").start().options.encode())


def settings_of(game: str, **more: Any) -> _native.SearchSettings:
    options = get(game).start().options.encode()
    return _native.SearchSettings(options=options, mebibytes=1, **Weights.of(game).columns(), **more)


def tree_settings_of(game: str, **more: Any) -> _native.TreeSettings:
    options = get(game).start().options.encode()
    return _native.TreeSettings(options=options, mebibytes=1, **Weights.of(game).columns(), **more)


@pytest.mark.parametrize(
    "kind", [_native.SearchSettings, _native.ProverSettings, _native.TreeSettings, _native.SearchRequest]
)
def test_a_setting_that_does_not_exist_is_refused(kind: Any) -> None:
    kind()
    with pytest.raises(ValueError, match='there is no setting "exploratoin"'):
        kind(exploratoin=1.0)


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (_native.SearchSettings, {"mebibytes": 0}),
        (_native.SearchSettings, {"mebibytes": (1 << 20) + 1}),
        (_native.ProverSettings, {"mebibytes": -1}),
        (_native.TreeSettings, {"exploration": -0.1}),
        (_native.TreeSettings, {"exploration": float("nan")}),
        (_native.TreeSettings, {"rave": float("inf")}),
        (_native.TreeSettings, {"playouts": 1.5}),
        (_native.TreeSettings, {"scale": 0.0}),
        (_native.TreeSettings, {"max_plies": 0}),
        (_native.TreeSettings, {"batch": 0}),
        (_native.TreeSettings, {"seed": 1 << 64}),
        (_native.SearchRequest, {"depth": -1}),
        (_native.SearchRequest, {"seconds": -1.0}),
        (_native.SearchRequest, {"lines": 0}),
        (_native.SearchRequest, {"threads": 513}),
        (_native.SearchRequest, {"moves": [-1]}),
    ],
)
def test_a_setting_out_of_range_is_refused(kind: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        kind(**wrong)


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (_native.SearchSettings, {"mebibytes": 1.5}),
        (_native.SearchSettings, {"full_width": 1}),
        (_native.SearchSettings, {"tables": "endings"}),
        (_native.SearchRequest, {"seconds": "1"}),
    ],
)
def test_a_setting_of_another_type_is_refused(kind: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=f'the setting "{next(iter(wrong))}"'):
        kind(**wrong)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_takes_its_own_tables_and_no_others(game: str) -> None:
    for tables, owner in ((PATTERNS, "konane"), (ENDINGS, "ouri")):
        if game == owner:
            _native.SEARCHERS[game]["usual"](settings_of(game, tables=tables))
            _native.TREES[game]["general"](tree_settings_of(game, tables=tables))
        else:
            with pytest.raises(ValueError, match="tables"):
                _native.SEARCHERS[game]["usual"](settings_of(game, tables=tables))
            with pytest.raises(ValueError, match="tables"):
                _native.TREES[game]["general"](tree_settings_of(game, tables=tables))


def test_tables_change_what_a_search_says() -> None:
    start = get("konane").start()
    words = start.play(start.legal_moves()[0]).encode()
    plain = _native.SEARCHERS["konane"]["usual"](settings_of("konane"))
    assert plain.evaluate(words) != _native.SEARCHERS["konane"]["usual"](
        settings_of("konane", tables=PATTERNS)
    ).evaluate(words)


def test_tables_live_as_long_as_the_search() -> None:
    endings = ouri.empty_endings(OuriOptions())
    for _ in range(4):
        endings.add(ouri.build_level(endings))
    search = _native.SEARCHERS["ouri"]["usual"](settings_of("ouri", tables=endings))
    del endings
    gc.collect()
    position = get("ouri").from_str("0,0,0,0,1,1/0,1,0,0,0,0 22-23 S")
    request = _native.SearchRequest(start=position.encode(), depth=1)
    _, _, _, decided, _, root = search.search(request, _native.StopFlag(), lambda _: None)
    assert decided and root == ()
