"""Registration files as schools really send them."""

import io
import zipfile

import pytest

from championship.building import act
from tabuleiro.championship import Championship
from tabuleiro.championship.edition import load_template
from tabuleiro.championship.people import Details
from tabuleiro.championship.registration import Registration, RegistrationError, read_registration
from tabuleiro.championship.report import entry_rows
from tabuleiro.core import TabuleiroError
from tabuleiro.sheets import decode, neutral, read_table, write_csv, write_xlsx

GOOD = """Nome;Escola;Distrito;Ciclo;Jogo
Ana Conceição;EB de Alvito;Beja;1.º ciclo;Semáforo
Rui Sá;ES de Évora;Évora;Sec;Avanço
"""


def national() -> Championship:
    championship = Championship()
    act(championship, "created", edition=load_template("cnjm6"), seed=1)
    return championship


def read(data: bytes, championship: Championship | None = None) -> Registration:
    return read_registration(read_table(data), (championship or national()).state, {})


def names(registration: Registration) -> list[str]:
    return [registration.people[entry["person"]].name for entry in registration.data["entries"]]


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode(),
        GOOD.encode("utf-8-sig"),
        GOOD.encode("cp1252"),
        GOOD.encode("utf-16"),
        GOOD.replace(";", ",").encode(),
        GOOD.replace(";", "\t").encode("cp1252"),
        GOOD.replace("\n", "\r\n").encode("utf-8-sig"),
        ("sep=;\r\n" + GOOD).encode(),
        ("Inscrições 2026;;;;\n;;;;\n" + GOOD).encode(),
        GOOD.replace("Ana Conceição", "  Ana \u00a0 Conceição ").replace("EB de Alvito", " EB de Alvito  ").encode(),
        GOOD.replace("Nome;Escola", "NOME DO ALUNO ;Agrupamento").encode(),
        GOOD.replace("Nome;Escola;Distrito;Ciclo;Jogo", "Student;School;District;Level;Game").encode(),
        GOOD.replace("1.º ciclo", "1º CEB").replace("Semáforo", "SEMAFORO").encode(),
        GOOD.replace("Ana Conceição", '"Ana Conceição"').encode(),
        (GOOD + ";;;;\n\n").encode(),
    ],
)
def test_one_file_written_in_many_ways(data: bytes) -> None:
    registration = read(data)
    assert names(registration) == ["Ana Conceição", "Rui Sá"]
    assert [entry["section"] for entry in registration.data["entries"]] == ["semaforo-1", "avanco-sec"]
    assert [school["name"] for school in registration.data["schools"]] == ["EB de Alvito", "ES de Évora"]


def test_xlsx_with_numbers_in_cells() -> None:
    rows: list[list[object]] = [
        ["Nome", "Escola", "Ano", "Jogo"],
        ["Ana", "EB 1", 4, "Ouri"],
        ["Rui", "EB 2", 5.0, "Hex"],
    ]
    registration = read(write_xlsx({"Folha1": rows}))
    assert [entry["section"] for entry in registration.data["entries"]] == ["ouri-1", "hex-2"]


def wrong_rows(text: str) -> dict[int, str]:
    with pytest.raises(RegistrationError) as caught:
        read(text.encode())
    return {number: why.en for number, why in caught.value.rows}


def test_each_wrong_row_is_named_with_its_cause_and_nothing_is_registered() -> None:
    found = wrong_rows(
        GOOD
        + ";EB de Faro;Faro;1;Ouri\n"  # row 4: no name
        + "Eva;EB de Faro;Faro;1;Xadrez\n"  # row 5: no such game
        + "Ivo;EB de Faro;Faro;5.º;Ouri\n"  # row 6: no such cycle
        + "Zoé;EB de Faro;Faro;1;Hex\n"  # row 7: not played there
        + "ana  conceicao;eb de ALVITO;Beja;1;Semáforo\n"  # row 8: row 2 again
        + "Ana Conceição;EB de Alvito;Beja;1;Ouri\n"  # row 9: plays something else
        + "Gil;EB de Alvito;Beja;1;Semáforo\n"  # row 10: the school is full
        + "12345;EB de Faro;Faro;1;Ouri\n"  # row 11: no name
    )
    assert sorted(found) == [4, 5, 6, 7, 8, 9, 10, 11]
    assert "missing" in found[4]
    assert "no game “Xadrez”" in found[5]
    assert "no cycle" in found[6]
    assert "not played in cycle 1" in found[7]
    assert "twice (row 2)" in found[8]
    assert "plays semaforo-1 already (row 2)" in found[9]
    assert "may have 1 in semaforo-1" in found[10]
    assert "not a name" in found[11]


def test_two_pupils_of_one_name_are_told_apart_by_their_class() -> None:
    text = "Nome;Turma;Escola;Ciclo;Jogo\nAna Sá;4A;EB 1;1;Ouri\nAna Sá;4B;EB 1;1;Konane\n"
    assert len({entry["person"] for entry in read(text.encode()).data["entries"]}) == 2


def test_arrangements_come_from_a_list_and_stay_out_of_the_events() -> None:
    text = "Nome;Escola;Ciclo;Jogo;Adaptações\nAna;EB 1;1;Ouri;Mesa fixa, letra grande\nEva;EB 2;1;Ouri;não\n"
    registration = read(text.encode())
    assert [details.arrangements for details in registration.people.values()] == [("fixed_table", "large_print"), ()]
    assert "fixed" not in str(registration.data) and "Ana" not in str(registration.data)
    assert "unknown arrangement" in wrong_rows(text.replace("não", "dislexia"))[3]


def test_teachers_belong_to_schools() -> None:
    text = "Nome;Escola;Ciclo;Jogo;Professor\nAna;EB 1;1;Ouri;Prof. Leal\nEva;EB 1;1;Konane;prof leal\n"
    registration = read(text.encode())
    (school,) = registration.data["schools"]
    (teacher,) = school["teachers"]
    assert registration.people[teacher].name == "Prof. Leal"
    assert all(entry["person"] != teacher for entry in registration.data["entries"])


def test_a_second_file_goes_on_where_the_first_ended() -> None:
    championship = national()
    first = read(GOOD.encode(), championship)
    act(championship, "registered", **first.data)
    table = read_table(b"Nome;Escola;Ciclo;Jogo\nGil;EB DE ALVITO;1;Ouri\n")
    second = read_registration(table, championship.state, first.people)
    assert second.data["schools"] == []
    assert second.data["entries"][0]["person"] == 3
    with pytest.raises(RegistrationError, match="registered before"):
        read_registration(read_table(GOOD.encode()), championship.state, first.people)


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"a;b;c\n1;2;3\n", b"\x00\x01\x02", b"PK\x03\x04broken", b"Nome;Escola;Jogo\n"]
)
def test_what_is_no_registration_file_is_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(TabuleiroError):
        read(data)


def test_schools_written_in_two_ways_are_pointed_out() -> None:
    text = "Nome;Escola;Ciclo;Jogo\nAna;Escola Básica de Alvito;1;Ouri\nEva;EB Alvito;1;Konane\n"
    assert any("one school" in note.en for note in read(text.encode()).notes)


@pytest.mark.parametrize("cell", ["=1+1", "+351 266", "-1", "@SUM(A1)"])
def test_cells_that_look_like_formulas_are_neutral_and_come_back(cell: str) -> None:
    assert neutral(cell) == f"'{cell}"
    for data in (write_csv([["Nome"], [cell]]), write_xlsx({"A": [["Nome"], [cell]]})):
        back = read_table(data)[1][0]
        assert back == cell
    page = zipfile.ZipFile(io.BytesIO(write_xlsx({"A": [[cell]]}))).read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in page


def test_what_is_written_is_read_again() -> None:
    championship = national()
    registration = read(GOOD.encode(), championship)
    act(championship, "registered", **registration.data)
    again = read(write_csv(entry_rows(championship, registration.people, "pt")))
    assert names(again) == names(registration)
    assert [e["section"] for e in again.data["entries"]] == [e["section"] for e in registration.data["entries"]]


def test_decoding_never_fails() -> None:
    assert decode(bytes(range(256)))
    assert Details.from_json(Details("Ana", "4A", ("helper",)).as_json()) == Details("Ana", "4A", ("helper",))
