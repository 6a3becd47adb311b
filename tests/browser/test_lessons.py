"""Learning in the browser: from the front page through the first lessons to a first game that is won."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Response, expect

from browser.site import Json, Visitor
from browser.ways import WAYS, Hand
from tabuleiro.games import GAMES
from tabuleiro.learn import Attempt, lessons_of, replay
from tabuleiro.players import level_engine
from tabuleiro.record import Line
from tabuleiro.search.base import Limit
from tabuleiro.server.learning.puzzles import number_of

PHONE = {"size": (390, 844), "touch": True}


class Pupil(Hand):
    """Somebody who does tasks: in every way in which moves are made, with the help that the page gives."""

    board = "section.task"

    def __init__(self, visitor: Visitor, way: str, *, is_slow: bool = True) -> None:
        """`is_slow`: who asks for help at every task, and not only at the first."""
        super().__init__(visitor)
        self.way = way
        self.is_slow = is_slow
        self.knows = False
        #: The task as the page was last told of it; those of before, by their names.
        self.task: Json = {}
        self.told: dict[str, Json] = {}
        self.page.on("response", self._hear)

    def _hear(self, answer: Response) -> None:
        if "/api/v1/tasks/" in answer.url and answer.ok:
            self.task = answer.json()
            self.told[self.task["ref"]] = self.task

    def board_kind(self) -> str:
        return str(self.task["geometry"]["kind"])

    def press(self, name: str, *, exact: bool = True) -> None:
        button = self.page.get_by_role("button", name=name, exact=exact).or_(
            self.page.get_by_role("link", name=name, exact=exact)
        )
        if self.way == "keys":
            button.first.focus()
            self.page.keyboard.press("Enter")
        else:
            button.first.tap()

    def make(self, text: str) -> None:
        """A move on the board."""
        moves = self.task["view"]["moves"]
        move = next(each for each in moves if each["text"] == text)
        WAYS[self.way](self, moves, move)

    def ask_for_the_answer(self) -> list[str]:
        """Help, step by step, until it says what to do; who has seen how that goes knows it from then on."""
        if self.knows:
            return self._known()
        self.knows = not self.is_slow
        while True:
            acts = len(self.task["acts"])
            self.press("Ajuda" if self.page.get_by_role("button", name="Ajuda", exact=True).count() else "Mais ajuda")
            self.wait_for_acts(acts + 1)
            hint = self.task["hint"]
            if hint["moves"] or self.task["hints"] >= self.task["steps"]:
                return list(hint["moves"])

    def _known(self) -> list[str]:
        if (puzzle := number_of(self.task["ref"])) is not None:
            task = puzzle.task()
        else:
            _, game, name, number = self.task["ref"].split("/")
            task = lessons_of(GAMES[game])[int(name[:2]) - 1].tasks[int(number) - 1]
        attempt = replay(task, self.task["acts"])
        while True:
            attempt, step = attempt.hint()
            if step.moves:
                return [*step.moves]

    def wait_for_acts(self, count: int) -> None:
        """Until the page was told of a task at which so much was done."""
        for _ in range(600):
            if self.task and len(self.task["acts"]) >= count:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"nothing happened: {self.task.get('verdict')}")

    def wait_for_task(self, after: str) -> None:
        """Until the page was told of another task than that one."""
        for _ in range(600):
            if self.task["ref"] != after:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"no task came after {after}")

    def solve(self) -> None:
        """The task on the page."""
        while not self.task["solved"]:
            expect(self.page.get_by_role("button", name="Ajuda", exact=False).first).to_be_enabled()
            if self.task["goal"] == "play":
                acts = len(self.task["acts"])
                self.make(best_move(self.task["game"], self.task["options"], self.task["view"]["position"], 8))
            elif self.task["way"] == "say":
                self.knows = False
                self.ask_for_the_answer()
                acts = len(self.task["acts"])
                said = "".join(span["text"] for span in self.task["hint"]["text"]["pt"])
                self.press(said)
            elif self.task["way"] == "mark":
                moves = self.ask_for_the_answer()
                acts = len(self.task["acts"])
                for move in moves:
                    self.make(move)
                self.press("Já marquei tudo")
            else:
                (move, *_) = self.ask_for_the_answer()
                acts = len(self.task["acts"])
                self.make(move)
            self.wait_for_acts(acts + 1)
            assert self.task["verdict"]["kind"] in ("right", "solved"), self.task["verdict"]

    def lesson(self, tasks: int) -> None:
        """The lesson on the page, from where it stands to its end."""
        end = self.page.get_by_text("Lição completa!")
        for _ in range(2 * tasks + 2):
            on = self.page.get_by_role("button", name="Continuar", exact=True)
            finish = self.page.get_by_role("button", name="Acabar a lição")
            expect(self.page.get_by_role("button", name="Ajuda", exact=True).or_(on).or_(finish).first).to_be_visible()
            if self.page.get_by_role("region", name="Tarefa").count():
                self.solve()
                expect(on.or_(finish)).to_be_visible()
            self.press("Acabar a lição" if finish.count() else "Continuar")
            if finish.count() == 0 and end.count():
                return
        raise AssertionError("the lesson has no end")

    def win(self) -> None:
        """A game against the gentlest computer, or another: once in a while even somebody strong loses one to it."""
        for _ in range(3):
            state = self.play()
            if state["view"]["outcome"]["winner"] in state["your_seats"]:
                break
            self.press("Jogar outra vez")
            expect(self.page.locator(".end")).to_have_count(0)
            expect(self.visitor.board).to_be_visible()
        expect(self.page.get_by_text("Ganhaste!").first).to_be_visible()

    def play(self) -> Json:
        """A game, to its end."""
        self.board = "body"
        seed = 0
        while (state := self.visitor.wait_for_turn())["status"] != "over":
            text = best_move(state["game"], state["options"], state["view"]["position"], 9, seed)
            seed += 1
            moves = state["view"]["moves"]
            move = next(each for each in moves if each["text"] == text)
            self.task = state
            if move["clicks"]:
                WAYS[self.way](self, moves, move)
            else:
                self.page.locator(".button-moves button").first.click()
            expect(self.visitor.moves_shown.nth(len(state["history"]))).to_be_attached()
        return state


def best_move(game: str, options: dict[str, str], position: str, level: int, seed: int = 0) -> str:
    """What somebody strong plays."""
    node = Line.from_texts(game, options, position).replay().last
    return node.position.move_str(level_engine(game, level, seed).play(node, Limit()))


def beginner(visit: Callable[..., Visitor], game: str, way: str, *, whole: bool) -> None:
    """Home, the first lessons (`whole`: all three, else the first), the first game."""
    visitor = visit(**PHONE)
    pupil = Pupil(visitor, way, is_slow=whole)
    visitor.go("/")
    pupil.press(f"Aprender a jogar {GAMES[game].name.pt}")
    for number, lesson in enumerate(lessons_of(GAMES[game])[:3], start=1):
        expect(visitor.page.get_by_role("heading", level=1)).to_contain_text(lesson.title.pt)
        if number == 1 or whole:
            pupil.lesson(len(lesson.tasks))
        else:
            done_elsewhere(visitor, game, number)
            visitor.page.reload()
            pupil.lesson(len(lesson.tasks))
        if number < 3:
            pupil.press("Lição seguinte")
    pupil.press("Joga o teu primeiro jogo")
    expect(visitor.board).to_be_visible()
    assert visitor.state()["seats"]["2"]["level"] == 1
    pupil.win()
    visitor.go("/aprender")
    expect(visitor.page.locator("article", has_text=GAMES[game].name.pt)).to_contain_text("3 de 10 lições")


def done_elsewhere(visitor: Visitor, game: str, number: int) -> None:
    """The tasks of a lesson, done on another device."""
    lesson = lessons_of(GAMES[game])[number - 1]
    for place, task in enumerate(lesson.tasks, start=1):
        attempt = Attempt(task)
        while not attempt.solved:
            moves: tuple[str, ...] = ()
            while not moves:
                attempt, step = attempt.hint()
                moves = step.moves
            attempt, _ = attempt.mark(moves) if attempt.way == "mark" else attempt.move(moves[0])
        answer = visitor.context.request.post(
            f"/api/v1/tasks/lesson/{game}/{number:02}-{lesson.id}/{place}/attempts",
            data={"acts": [*attempt.acts]},
            headers={"Origin": visitor.site.address},
        )
        assert answer.json()["solved"], answer.text()


#: Lessons of each game, and what their tasks tell a pupil to touch, in order: a move after another is separated by `,`,
#: `~` is the button for moves sideways, `E7>E8` is a finger that drags.
AS_TOLD: dict[str, dict[int, tuple[str, ...]]] = {
    "avanco": {1: ("d4 d5", "c3 b4, c3 c4, c3 d4")},
    "rastros": {1: ("a1", "g7", "e1, g1, e2, e3, f3, g3")},
    "hex": {1: ("c2", "a3", "c2")},
    "semaforo": {1: ("a2", "a1", "a3, c1, d1")},
    "ouri": {1: ("a, b, c, d, e, f", "e", "c")},
    "konane": {1: ("c3 e3", "c3 c5, c3 e3, c3 g3", "c3 c5, c3 g3", "b4 d4, d2 d4, d6 d4")},
    "guerreiros": {1: ("e9 e10",), 3: ("d4 h5", "f2 h3", "d2 g3")},
    "abalone": {
        1: ("E7 E8", "E5 E6, E5 F6, E5 F5, E5 E4, E5 D4, E5 D5", "G7>H8", "G5 H5"),
        2: ("A1 A2, A1 B2, A1 B1, A2 A3, A2 B3, A2 B2, ~ A1 A2 B1, ~ A1 A2 B3", "~ D6 E6 F7"),
        3: ("E5 E6", "C3 C4, E5 E6, G7 G8"),
    },
}


def do_as_told(pupil: Pupil, told: str) -> None:
    """Touch what a task says; a task of marking is said to be done."""
    names = [cell["name"] for cell in pupil.task["geometry"]["cells"]]
    for move in told.split(", "):
        for touched in move.split():
            if touched == "~":
                pupil.sideways.tap()
            elif ">" in touched:
                pupil.finger(*(pupil.middle(names.index(name)) for name in touched.split(">")))
            else:
                pupil.page.touchscreen.tap(*pupil.middle(names.index(touched)))
    if pupil.task["way"] == "mark":
        pupil.press("Já marquei tudo")


@pytest.mark.parametrize(("game", "number"), [("abalone", 1), ("abalone", 2), ("guerreiros", 3)])
def test_a_lesson_is_done_by_touch_as_it_says(visit: Callable[..., Visitor], game: str, number: int) -> None:
    """Games whose moves touch more than one piece and one cell."""
    follow(Pupil(visit(**PHONE), "taps"), game, {number: AS_TOLD[game][number]})


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_first_lessons_of_every_game_are_done_by_touch_as_they_say(visit: Callable[..., Visitor], game: str) -> None:
    follow(Pupil(visit(**PHONE), "taps"), game, AS_TOLD[game])


def follow(pupil: Pupil, game: str, lessons: dict[int, tuple[str, ...]]) -> None:
    """Do the tasks of lessons as they say, one after the other."""
    for number, tasks in lessons.items():
        pupil.task = {}
        pupil.visitor.go(f"/aprender/{game}/{number}")
        for place, told in enumerate(tasks, start=1):
            expect(pupil.page.get_by_role("region", name="Tarefa")).to_be_visible()
            pupil.wait_for_acts(0)
            do_as_told(pupil, told)
            pupil.wait_for_acts(1)
            assert pupil.task["verdict"]["kind"] in ("right", "solved"), (told, pupil.task["verdict"])
            if not pupil.task["solved"]:  # played on to the end: what the text says is done
                pupil.solve()
            on = pupil.page.get_by_role("button", name="Continuar", exact=True)
            expect(on.or_(pupil.page.get_by_role("button", name="Acabar a lição"))).to_be_visible()
            ref = pupil.task["ref"]
            if place < len(tasks):
                on.tap()
                pupil.wait_for_task(after=ref)


@pytest.mark.parametrize(("game", "way"), [("semaforo", "taps"), ("rastros", "keys")])
def test_a_beginner_learns_and_wins_on_a_phone(visit: Callable[..., Visitor], game: str, way: str) -> None:
    beginner(visit, game, way, whole=False)


@pytest.mark.long
@pytest.mark.parametrize("way", ["taps", "keys"])
@pytest.mark.parametrize("game", GAMES)
def test_beginners_of_every_game_learn_and_win_on_a_phone(visit: Callable[..., Visitor], game: str, way: str) -> None:
    beginner(visit, game, way, whole=True)


def test_a_wrong_move_is_answered_on_the_board_and_a_typed_move_will_do(visit: Callable[..., Visitor]) -> None:
    visitor = visit(**PHONE)
    visitor.forgiven.append("400")  # what is no move is refused
    pupil = Pupil(visitor, "taps")
    visitor.go("/aprender/semaforo/1")
    said = visitor.page.get_by_role("status").filter(has_text=".")
    expect(visitor.board).to_be_visible()
    pupil.wait_for_acts(0)
    pupil.make("a1")
    # The refutation is played out and told in words; then the pupil tries again.
    expect(said.filter(has_text="Vê porquê: a2").first).to_be_visible()
    pupil.press("Tenta outra vez")
    visitor.page.get_by_text("Escrever a jogada").first.click()
    visitor.page.get_by_role("textbox", name="Escrever a jogada").fill("z9")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator(".said .problem")).to_be_visible()
    visitor.page.get_by_role("textbox", name="Escrever a jogada").fill("D2")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_role("button", name="Continuar", exact=True)).to_be_visible()
    # Who comes back goes on where they left off.
    visitor.page.reload()
    expect(visitor.page.locator("[aria-current=step]")).to_contain_text("Parte 2")


def test_a_task_says_which_side_the_pupil_plays(visit: Callable[..., Visitor]) -> None:
    visitor = visit(**PHONE)
    for lesson, words in (("hex/2", "Jogas com as Negras."), ("ouri/1", "Jogas pelo Sul. Sementes")):
        visitor.go(f"/aprender/{lesson}")
        expect(visitor.page.get_by_role("status").filter(has_text="É a tua vez.").first).to_contain_text(words)
