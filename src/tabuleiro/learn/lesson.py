"""Lessons: what one is, and how its file is read. `docs/lessons.md` tells people how to write one.

A file is Markdown like the rule book's, in both languages side by side, or in one language that its head names. Boards
and tasks stand once and serve both, so that positions cannot drift apart. Whatever is wrong is told with file and line.
Whether the answers are right is not asked here (`verify`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tabuleiro.core import Position, TabuleiroError, shorten
from tabuleiro.diagrams import Diagram, Field, RulebookError, meaningless, read_diagram, read_field
from tabuleiro.games import GAMES, get
from tabuleiro.language import LANGUAGES, Language, Text
from tabuleiro.learn.live import read_live
from tabuleiro.learn.sentences import base_of, sentence
from tabuleiro.learn.task import Task, read_task
from tabuleiro.rulebook import BulletList, Heading, Paragraph, parse_blocks

#: A folder a game; the package is never a zip file, because of its native part.
FOLDER = Path(__file__).resolve().parent.parent / "lessons"

LessonBlock = Heading | Paragraph | BulletList | Diagram | Task


class LessonError(TabuleiroError):
    """A lesson that cannot be read, or that says what is not true: file, line and reason."""

    def __init__(self, file: str, line: int | None, reason: Text) -> None:
        if line is not None:
            reason = Text(f"linha {line}: {reason.pt}", f"line {line}: {reason.en}")
        super().__init__(Text(f"{file}: {reason.pt}", f"{file}: {reason.en}"))
        self.file = file
        self.line = line


@dataclass(frozen=True)
class Lesson:
    game: type[Position]
    #: What names it among the lessons of its game, whatever their order: the name of its file without its number.
    id: str
    #: Its place among the lessons of its game, from 1; 0 for a file that is not numbered.
    number: int
    title: Text
    #: The one language it is written in; None where it is in both.
    language: Language | None
    #: Where it was read from, as errors name it.
    file: str
    #: The same blocks in both languages; the tasks among them are the same objects.
    pt: tuple[LessonBlock, ...]
    en: tuple[LessonBlock, ...]

    def blocks(self, language: Language) -> tuple[LessonBlock, ...]:
        return self.pt if language == "pt" else self.en

    @property
    def tasks(self) -> tuple[Task, ...]:
        return tuple(block for block in self.pt if isinstance(block, Task))


def lessons_of(game: type[Position]) -> tuple[Lesson, ...]:
    """The lessons of a game that come with the package, in their order."""
    return _lessons_of(game.id)


@cache
def _lessons_of(game: str) -> tuple[Lesson, ...]:
    found = [load_lesson(file) for file in _files(game)]
    return tuple(sorted(found, key=lambda lesson: (lesson.number, lesson.id)))


def lesson_files(game: type[Position]) -> list[Path]:
    """The files of a game's lessons, by name."""
    return _files(game.id)


def _files(game: str) -> list[Path]:
    return sorted(FOLDER.joinpath(game).glob("*.md"))


def load_lesson(path: Path) -> Lesson:
    """The lesson in a file of somebody's own."""
    try:
        return read_lesson(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise LessonError(str(path), None, Text("não consigo ler o ficheiro", "the file cannot be read")) from error


def read_lesson(text: str, file: str = "lesson.md") -> Lesson:
    """The lesson that a text is."""
    try:
        return _Reader(text.removeprefix("\ufeff").splitlines(), file).read()
    except RulebookError as error:
        reason = error.text
        if error.line is not None:  # the error has said its line already
            reason = Text(*(said.split(": ", 1)[1] for said in reason))
        raise LessonError(file, error.line, reason) from error


class _Reader:
    def __init__(self, lines: list[str], file: str) -> None:
        self.lines = lines
        self.file = file
        self.head, self.begin = self._read_head()
        language = self.head.get("language")
        if language is not None and language.value not in LANGUAGES:
            raise RulebookError(Text("a língua é pt ou en", "the language is pt or en"), language.line)
        self.language: Language | None = language.value if language is not None else None  # type: ignore[assignment]
        self.game = self._read_game()
        self.options: dict[str, str] = {}
        if field := self.head.get("options"):
            with field.naming():
                self.options = dict(pair.partition("=")[::2] for pair in field.value.split())
                self.game.options_type.parse(self.options)
        #: What was read between fences, by the line of the first fence: both languages show the same.
        self.made: dict[int, tuple[Diagram | Task, Text]] = {}

    def _read_head(self) -> tuple[dict[str, Field], int]:
        """The lines before the first empty one, and how many there are."""
        head: dict[str, Field] = {}
        for number, line in enumerate(self.lines, start=1):
            if not line.strip():
                return head, number
            field = read_field(number, line)
            if field.key not in _HEAD or field.key in head:
                raise meaningless(number, line)
            head[field.key] = field
        return head, len(self.lines)

    def _read_game(self) -> type[Position]:
        field = self.head.get("game")
        if field is None:
            known = ", ".join(GAMES)
            raise RulebookError(
                Text(f"a primeira linha diz o jogo: game: {known}", f"the first line names the game: game: {known}"), 1
            )
        with field.naming():
            return get(field.value)

    def read(self) -> Lesson:
        number, name = _numbered(Path(self.file).stem)
        title = self._title()
        pt, en = (self._blocks(language) for language in LANGUAGES)
        self._compare(pt, en)
        return Lesson(
            game=self.game,
            id=name,
            number=number,
            title=title,
            language=self.language,
            file=self.file,
            pt=tuple(block for _, block in pt),
            en=tuple(block for _, block in en),
        )

    def _title(self) -> Text:
        found = sentence([field for field in self.head.values() if field.key.split()[0] == "title"], self.language)
        if found is None:
            raise RulebookError(Text("falta o título (title)", "there is no title"), 1)
        return found

    def _blocks(self, language: Language) -> list[tuple[int, LessonBlock]]:
        def read(fields: list[Field]) -> Diagram | Task:
            opened = fields[0].line
            if opened not in self.made:
                self.made[opened] = self._made(fields)
            made, caption = self.made[opened]
            return replace(made, caption=caption.to(language)) if isinstance(made, Diagram) else made

        lines = [*self._said_in(language)]
        return parse_blocks(lines, {"board": read, "task": read}, first=self.begin + 1)

    def _made(self, fields: list[Field]) -> tuple[Diagram | Task, Text]:
        """What stands between two fences, and its caption."""
        if fields[0].value == "task":
            return read_task(self.game, fields, self.options, self.language), Text("", "")
        captions = [field for field in fields[1:] if base_of(field.key) == "caption"]
        live = [field for field in fields[1:] if field.key == "live"]
        diagram = read_diagram(
            self.game, [field for field in fields if field not in captions and field not in live], self.options
        )
        diagram = replace(diagram, live=read_live(self.game, live[0] if live else None))
        return diagram, sentence(captions, self.language) or Text("", "")

    def _said_in(self, language: Language) -> Iterator[str]:
        """The body with the lines of the other language left empty, so that lines keep their numbers."""
        speaking: str | None = None
        fenced = False
        for number, line in enumerate(self.lines[self.begin :], start=self.begin + 1):
            marked = re.match(r"(pt|en):(?: |$)", line)
            if fenced or line.startswith("```"):
                fenced = not fenced if line.startswith("```") else fenced
                speaking = None
                yield line
            elif self.language is not None:
                if marked:
                    raise RulebookError(
                        Text(
                            f"este ficheiro está numa só língua: tira «{marked[0].strip()}»",
                            f"this file is in one language: leave “{marked[0].strip()}” out",
                        ),
                        number,
                    )
                yield line
            elif not line.strip():
                speaking = None
                yield ""
            else:
                speaking = marked[1] if marked else speaking
                if speaking is None:
                    raise RulebookError(
                        Text(
                            f"diz a língua de «{shorten(line)}»: começa por pt: ou en:",
                            f"say the language of “{shorten(line)}”: begin with pt: or en:",
                        ),
                        number,
                    )
                said = line[marked.end() :] if marked else line
                yield said if speaking == language else ""

    def _compare(self, pt: list[tuple[int, LessonBlock]], en: list[tuple[int, LessonBlock]]) -> None:
        """Refuse a text that says something in one language only."""
        for place in range(max(len(pt), len(en))):
            first, second = (blocks[place] if place < len(blocks) else None for blocks in (pt, en))
            if first is not None and second is not None and _shape(first[1]) == _shape(second[1]):
                continue
            # Where the shapes differ, the text that stands first has no counterpart.
            missing = "en" if second is None or (first is not None and first[0] < second[0]) else "pt"
            line = (first if missing == "en" else second or first or (1, None))[0]  # type: ignore[index]
            lost = {"pt": Text("português", "Portuguese"), "en": Text("inglês", "English")}[missing]
            raise RulebookError(
                Text(
                    f"isto falta em {lost.pt}, ou tem outra forma", f"this is missing in {lost.en}, or looks different"
                ),
                line,
            )


def _shape(block: LessonBlock) -> object:
    if isinstance(block, BulletList):
        return len(block.items)
    return (type(block), block.level) if isinstance(block, Heading) else type(block)


def _numbered(stem: str) -> tuple[int, str]:
    found = re.fullmatch(r"(\d+)-(.+)", stem)
    return (int(found[1]), found[2]) if found else (0, stem)


_HEAD = ("game", "language", "options", "title", "title pt", "title en")
