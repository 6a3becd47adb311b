"""An edition of a championship is data: its games by cycle, its stages, its points and tie-breaks.

`read_edition` takes what a TOML file says (docs/championship.md lists every key) and names whatever is wrong in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from typing import Any

from tabuleiro import games
from tabuleiro.championship.events import Json
from tabuleiro.championship.reading import Settings, SettingsError, read_toml
from tabuleiro.core import TabuleiroError, shorten, show_value
from tabuleiro.language import Text

#: How the members of a group meet.
FORMATS: dict[str, Text] = {
    "swiss": Text("sistema suíço", "Swiss"),
    "round_robin": Text("todos contra todos", "round robin"),
    "knockout": Text("eliminatória", "knock-out"),
    "double_knockout": Text("eliminatória dupla", "double knock-out"),
    "match": Text("encontro até haver vencedor", "match until decided"),
    "ladder": Text("escada", "ladder"),
    "arena": Text("arena", "arena"),
}
#: Formats in which every pairing has a winner, if need be after more games.
DECIDING = ("knockout", "double_knockout", "match")

#: What a pairing looks at, in the order in which it is printed and obeyed unless an edition says otherwise.
CRITERIA: dict[str, Text] = {
    "rematch": Text("ninguém repete adversário", "nobody meets an opponent again"),
    "second_bye": Text("ninguém fica isento duas vezes", "nobody has a second bye"),
    "points": Text("pontos iguais primeiro", "equal points first"),
    "school": Text("escolas diferentes", "different schools"),
    "start": Text("quem começa fica equilibrado", "who begins is balanced"),
    "alternate": Text("quem começou antes não começa agora", "who begins alternates"),
    "fixed_table": Text("quem tem mesa fixa não se muda", "who has a fixed table stays there"),
}

TIE_BREAKS: dict[str, Text] = {
    "direct": Text("confronto direto", "direct encounter"),
    "buchholz": Text("Buchholz", "Buchholz"),
    "buchholz_cut1": Text("Buchholz sem o pior", "Buchholz cut 1"),
    "buchholz_median": Text("Buchholz mediano", "median Buchholz"),
    "sonneborn_berger": Text("Sonneborn-Berger", "Sonneborn-Berger"),
    "wins": Text("vitórias", "wins"),
    "wins_second": Text("vitórias como segundo jogador", "wins as second player"),
    "progressive": Text("progressivo", "progressive"),
    "game_points": Text("pontos das partidas (sementes, berlindes)", "game points (seeds, marbles)"),
    "playoff": Text("desempate jogado", "play-off"),
    "lots": Text("sorteio", "lots"),
}
DEFAULT_TIE_BREAKS = ("direct", "buchholz_cut1", "buchholz", "sonneborn_berger", "wins_second", "playoff", "lots")

#: What a game that was not played counts in Buchholz and Sonneborn-Berger.
UNPLAYED: dict[str, Text] = {
    "nothing": Text("uma partida não jogada conta zero", "a game not played counts nothing"),
    "own_points": Text(
        "uma partida não jogada conta como um adversário com os mesmos pontos",
        "a game not played counts as an opponent with one's own points",
    ),
    "virtual": Text(
        "uma partida não jogada conta como um adversário virtual, que daí em diante empata sempre",
        "a game not played counts as a virtual opponent, who draws from then on",
    ),
}

#: Practical arrangements for a pupil: a fixed list, so that nobody writes down more than is needed.
ARRANGEMENTS: dict[str, Text] = {
    "fixed_table": Text("mesa fixa", "fixed table"),
    "large_print": Text("letra grande", "large print"),
    "helper": Text("acompanhante", "helper"),
}

#: What may also stand at the top of a file, for all stages.
COMMON = ("tie_breaks", "criteria", "weights", "unplayed", "clock")
MOST_ROUNDS = 30
MOST_PLAYERS = 1000  # in one group
#: Pupils registered in one section, and in a whole championship. A Swiss round of 600 takes three seconds to pair, one
#: of 1,000 ten, and memory grows with the square.
MOST_ENTRIES = 600
MOST_ENTRIES_IN_ALL = 5_000
#: Sections of an edition that somebody writes.
MOST_SECTIONS = 100
MOST_MINUTES = 24 * 60  # of an arena
MOST_CLOCK = 180  # minutes of a clock, and seconds at each move


@dataclass(frozen=True)
class ClockPlan:
    """How long each has for a game that is played on a site."""

    minutes: int
    #: Seconds added at each move.
    increment: int


@dataclass(frozen=True)
class StagePlan:
    name: Text
    format: str
    #: Players; None for one group of all.
    group_size: int | None
    #: None for what the format needs: a Swiss has as many as a knock-out would.
    rounds: int | None
    #: Players of each group who go on to the next stage.
    qualify: int
    #: Games in a pairing of a knock-out or match; more where they do not decide.
    best_of: int
    #: How often everybody meets everybody in a round robin.
    legs: int
    #: Whether the losers of the semi-finals play for the third place.
    third_place: bool
    #: Places above one's own that may be challenged on a ladder.
    reach: int
    #: Minutes after which an arena pairs nobody any more.
    minutes: int | None
    tie_breaks: tuple[str, ...]
    criteria: tuple[str, ...]
    #: What each criterion weighs; None where each outweighs all that come after it.
    weights: tuple[tuple[str, int], ...] | None
    unplayed: str
    #: None for games without a clock, as is usual at the board.
    clock: ClockPlan | None = None

    @property
    def decides(self) -> bool:
        """Whether every pairing has a winner."""
        return self.format in DECIDING

    @property
    def own_weights(self) -> dict[str, int] | None:
        return None if self.weights is None else dict(self.weights)

    def as_json(self) -> Json:
        """As `read_stage` reads it, with null for what was not said."""
        lists = {"tie_breaks": list(self.tie_breaks), "criteria": list(self.criteria)}
        return {**asdict(self), **lists, "name": self.name._asdict(), "weights": self.own_weights}


@dataclass(frozen=True)
class SectionPlan:
    id: str
    game: str
    options: tuple[tuple[str, str], ...]
    cycle: str
    stages: tuple[StagePlan, ...]
    #: Whether a game under these options can end in a draw.
    can_draw: bool


@dataclass(frozen=True)
class Points:
    win: float
    draw: float
    loss: float
    bye: float


@dataclass(frozen=True)
class Edition:
    name: Text
    cycles: dict[str, Text]
    sections: tuple[SectionPlan, ...]
    points: Points
    #: In each section; None without a limit.
    pupils_per_school: int | None
    games_per_pupil: int
    #: Whether only pupils who were checked in are paired.
    check_in: bool

    def section_name(self, section: SectionPlan) -> Text:
        game, cycle = games.get(section.game).name, self.cycles[section.cycle]
        return Text(f"{game.pt}, {cycle.pt}", f"{game.en}, {cycle.en}")


def templates() -> dict[str, Text]:
    """The editions that come with the house, by their names."""
    folder = resources.files(__package__) / "editions"
    names = sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    return {name: read_edition(load_template(name)).name for name in names}


def load_template(name: str) -> Json:
    folder = resources.files(__package__) / "editions"
    known = sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    if name not in known:
        asked, there = shorten(name), ", ".join(known)
        raise TabuleiroError(
            Text(f"não há nenhum modelo «{asked}»; há: {there}", f"there is no template “{asked}”; there are: {there}")
        )
    return load_edition((folder / f"{name}.toml").read_text("utf-8"))


def load_edition(source: str) -> Json:
    """What a TOML file says, after every part of it was found right."""
    values = read_toml(source)
    try:
        found = read_edition(values, source)
    except RecursionError:
        raise SettingsError(Text("há tabelas dentro de tabelas a mais", "tables are nested too deeply")) from None
    if len(found.sections) > MOST_SECTIONS:
        raise SettingsError(
            Text(
                f"uma edição tem no máximo {MOST_SECTIONS} secções", f"an edition has at most {MOST_SECTIONS} sections"
            )
        )
    return values


def read_edition(values: Json, source: str = "") -> Edition:
    settings = Settings(values, source=source)
    name = settings.text("name")
    cycles = settings.table("cycles")
    cycle_names = {key: cycles.text(key) for key in cycles.values}
    if not cycle_names:
        settings.wrong("cycles", Text("falta", "is missing"))
    points = settings.table("points")
    scale = Points(
        points.number("win", 1), points.number("draw", 0.5), points.number("loss", 0), points.number("bye", 1)
    )
    if not scale.win > scale.draw >= scale.loss:
        said = Text("win, draw e loss deviam descer", "win, draw and loss should go down")
        settings.wrong("points", said)
    points.finish()
    common = {key: settings.get(key) for key in COMMON if settings.has(key)}
    stages = _read_stages(settings, common)
    sections: list[SectionPlan] = []
    for table in settings.tables("sections"):
        for section in _read_section(table, common, stages, list(cycle_names)):
            if any(section.id == other.id for other in sections):
                table.wrong(
                    "", Text(f"a secção {section.id} aparece duas vezes", f"section {section.id} is there twice")
                )
            sections.append(section)
    if not sections:
        settings.wrong("sections", Text("falta", "is missing"))
    limit = settings.whole("pupils_per_school", None, 1, 1000)
    at_once = settings.whole("games_per_pupil", 1, 1, 20) or 1
    edition = Edition(name, cycle_names, tuple(sections), scale, limit, at_once, settings.flag("check_in", False))
    settings.finish()
    return edition


def _read_section(
    table: Settings, common: Mapping[str, Any], stages: Sequence[StagePlan], cycles: Sequence[str]
) -> list[SectionPlan]:
    game_id = table.choice("game", None, list(games.GAMES))
    game = games.get(game_id)
    options = table.table("options")
    written = {key: show_value(value) for key, value in options.values.items()}
    try:
        chosen = game.options_type.parse(written)
    except TabuleiroError as error:
        table.wrong("options", error.text)
    of_cycles = table.choices("cycles", (), cycles)
    if not of_cycles:
        table.wrong("cycles", Text("falta", "is missing"))
    own = tuple(_read_stages(table, common)) or tuple(stages)
    if not own:
        table.wrong(
            "stages", Text("falta, aqui ou no início do ficheiro", "is missing, here or at the top of the file")
        )
    table.finish()
    can_draw = game.start(chosen).can_draw
    changed = tuple(chosen.changed().items())
    return [SectionPlan(f"{game_id}-{cycle}", game_id, changed, cycle, own, can_draw) for cycle in of_cycles]


def _read_stages(settings: Settings, common: Mapping[str, Any]) -> list[StagePlan]:
    tables = settings.tables("stages")
    plans = []
    for place, table in enumerate(tables, start=1):
        plan = read_stage(table, common)
        if place < len(tables) and not plan.qualify:
            said = Text("diz quantos de cada grupo passam à fase seguinte", "say how many of each group go on")
            table.wrong("qualify", said)
        plans.append(plan)
    return plans


def read_stage(table: Settings, common: Mapping[str, Any]) -> StagePlan:
    """A stage; what it does not say itself is as `common` says."""
    inherited = Settings({**common, **table.values}, table.path, table.source)
    form = inherited.choice("format", None, list(FORMATS))
    series = inherited.whole("best_of", 1, 1, 9) or 1
    if series % 2 == 0 or (series > 1 and form not in DECIDING):
        said = Text(
            f"devia ser ímpar, e só há em {', '.join(DECIDING)}",
            f"should be odd, and is only for {', '.join(DECIDING)}",
        )
        table.wrong("best_of", said)
    size = inherited.whole("group_size", 2 if form == "match" else None, 2, MOST_PLAYERS)
    if form == "match" and size != 2:
        table.wrong("group_size", Text("num encontro são dois", "a match is between two"))
    tie_breaks = inherited.choices("tie_breaks", DEFAULT_TIE_BREAKS, list(TIE_BREAKS))
    if not tie_breaks or tie_breaks[-1] != "lots":
        table.wrong("tie_breaks", Text("a lista acaba em «lots» (sorteio)", "the list ends in “lots”"))
    weights = inherited.get("weights")
    if weights is not None:
        weighed = inherited.table("weights")
        weights = tuple((key, weighed.whole(key, 0, 0, 10**12) or 0) for key in weighed.values)
        for key, _ in weights:
            if key not in CRITERIA:
                weighed.wrong(key, Text(f"há: {', '.join(CRITERIA)}", f"there are: {', '.join(CRITERIA)}"))
    plan = StagePlan(
        inherited.text("name"),
        form,
        size,
        inherited.whole("rounds", None, 1, MOST_ROUNDS),
        inherited.whole("qualify", 0, 0, MOST_PLAYERS) or 0,
        series,
        inherited.whole("legs", 1, 1, 4) or 1,
        inherited.flag("third_place", False),
        inherited.whole("reach", 2, 1, MOST_PLAYERS) or 1,
        inherited.whole("minutes", None, 1, MOST_MINUTES),
        tie_breaks,
        inherited.choices("criteria", list(CRITERIA), list(CRITERIA)),
        weights,
        inherited.choice("unplayed", "own_points", list(UNPLAYED)),
        _read_clock(inherited),
    )
    inherited.finish()
    return plan


def _read_clock(stage: Settings) -> ClockPlan | None:
    if stage.get("clock") is None:
        return None
    table = stage.table("clock")
    table.require("minutes")
    clock = ClockPlan(table.whole("minutes", None, 1, MOST_CLOCK) or 1, table.whole("increment", 0, 0, MOST_CLOCK) or 0)
    table.finish()
    return clock
