#include "../live.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "../bind.hpp"
#include "register.hpp"

namespace tabuleiro {
namespace {

/// One game under some options, and all that was taught of it.
class Table {
   public:
    virtual ~Table() = default;
    virtual Live* begin(const Words& start) const = 0;

    const std::shared_ptr<Book> book = std::make_shared<Book>();
};

template <Game G>
class TableOf final : public Table {
   public:
    explicit TableOf(const std::vector<std::int64_t>& options)
        : rules_(std::make_shared<const G>(read_rules<G>(options))) {}

    Live* begin(const Words& start) const override {
        require(static_cast<int>(start.size()) == rules_->words(), "a position has another number of words");
        for (const auto& rank : book->ranks)
            for (std::uint16_t cell : rank) require(cell < rules_->cells(), "a rank has a cell off the board");
        return new LiveOf<G>(rules_, book, start.data());
    }

   private:
    const std::shared_ptr<const G> rules_;
};

std::string_view view_of(nb::handle text) {
    Py_ssize_t length = 0;
    const char* const utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
    if (utf8 == nullptr) throw nb::python_error();
    return {utf8, static_cast<std::size_t>(length)};
}

std::string string_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

nb::object bytes_or_none(bool known, const std::string& written) {
    return known ? nb::object(nb::bytes(written.data(), written.size())) : nb::object(nb::none());
}

/// Where a message is put together. The interpreter is held meanwhile, so one is enough.
std::string& empty_buffer() {
    static std::string buffer;
    buffer.clear();
    return buffer;
}

template <HasFace G>
void bind_table_of(nb::module_& module) {
    nb::cast<nb::dict>(module.attr("TABLES_OF_GAMES"))[G::id] = nb::cpp_function(
        [](nb::handle options, nb::handle ranks) -> Table* {
            auto table = std::make_unique<TableOf<G>>(read_integers<std::int64_t>(options));
            for (nb::handle rank : nb::iter(ranks)) table->book->ranks.push_back(read_integers<std::uint16_t>(rank));
            return table.release();
        },
        nb::rv_policy::take_ownership);
}

void bind_live(nb::module_& module) {
    nb::class_<Live>(module, "LiveGame")
        .def_prop_ro("turn", &Live::turn, nb::sig("def turn(self) -> int"))
        .def_prop_ro("plies", &Live::plies, nb::sig("def plies(self) -> int"))
        .def_prop_ro(
            "ended", [](const Live& live) { return static_cast<int>(live.ended()); }, nb::sig("def ended(self) -> int"))
        .def_prop_ro("is_repeated", &Live::is_repeated, nb::sig("def is_repeated(self) -> bool"))
        .def(
            "words", [](const Live& live, int before) { return tuple_of(live.words_before(before)); },
            nb::arg("before") = 0, nb::sig("def words(self, before: int = 0) -> tuple[int, ...]"))
        .def(
            "find", [](const Live& live, nb::str text) { return live.find(view_of(text)); }, nb::arg("text"),
            nb::sig("def find(self, text: str) -> int | None"))
        .def(
            "play",
            [](Live& live, nb::handle move) {
                live.play(read_integer<std::uint64_t>(move));
                return static_cast<int>(live.ended());
            },
            nb::arg("move"), nb::sig("def play(self, move: int) -> int"))
        .def(
            "make", [](Live& live, nb::str text) { return live.make(view_of(text)); }, nb::arg("text"),
            nb::sig("def make(self, text: str) -> int | None"))
        .def(
            "look",
            [](const Live& live) { return nb::make_tuple(live.turn(), static_cast<int>(live.ended()), live.manner()); },
            nb::sig("def look(self) -> tuple[int, int, int]"))
        .def("take_back", &Live::take_back, nb::arg("moves"), nb::sig("def take_back(self, moves: int) -> None"))
        .def(
            "codes", [](const Live& live) { return bytes_of(live.codes()); }, nb::sig("def codes(self) -> bytes"))
        .def(
            "unknown_moves", [](const Live& live) { return tuple_of(live.unknown_moves()); },
            nb::sig("def unknown_moves(self) -> tuple[int, ...]"))
        .def(
            "unknown_cells", [](const Live& live) { return tuple_of(live.unknown_cells()); },
            nb::sig("def unknown_cells(self) -> tuple[int, ...]"))
        .def_prop_ro("knows_manner", &Live::knows_manner, nb::sig("def knows_manner(self) -> bool"))
        .def_prop_ro("manner", &Live::manner, nb::sig("def manner(self) -> int"))
        .def(
            "ranks",
            [](const Live& live) {
                std::string& written = empty_buffer();
                live.write_ranks(written);
                return nb::bytes(written.data(), written.size());
            },
            nb::sig("def ranks(self) -> bytes"))
        .def(
            "last",
            [](const Live& live) {
                std::string& written = empty_buffer();
                return bytes_or_none(live.write_last(written), written);
            },
            nb::sig("def last(self) -> bytes | None"))
        .def(
            "view",
            [](const Live& live, nb::bytes before, nb::bytes after) {
                std::string& written = empty_buffer();
                written.append(before.c_str(), before.size());
                const bool known = live.write(written);
                written.append(after.c_str(), after.size());
                return bytes_or_none(known, written);
            },
            nb::arg("before") = nb::bytes(""), nb::arg("after") = nb::bytes(""),
            nb::sig("def view(self, before: bytes = b'', after: bytes = b'') -> bytes | None"));
    nb::class_<Table>(module, "GameTable")
        .def(
            "begin", [](const Table& table, nb::handle start) { return table.begin(read_integers<Word>(start)); },
            nb::arg("start"), nb::rv_policy::take_ownership,
            nb::sig("def begin(self, start: Sequence[int]) -> LiveGame"))
        .def(
            "teach_piece",
            [](const Table& table, nb::handle cell, nb::handle code, const std::string& symbol, nb::bytes json) {
                table.book->teach_piece(read_integer<std::uint16_t>(cell), read_integer<std::uint8_t>(code), symbol,
                                        string_of(json));
            },
            nb::arg("cell"), nb::arg("code"), nb::arg("symbol"), nb::arg("json"),
            nb::sig("def teach_piece(self, cell: int, code: int, symbol: str, json: bytes) -> None"))
        .def(
            "teach_move",
            [](const Table& table, nb::handle look, nb::handle move, const std::string& text, nb::bytes json) {
                table.book->teach_move(read_integer<Word>(look), read_integer<Move>(move), text, string_of(json));
            },
            nb::arg("look"), nb::arg("move"), nb::arg("text"), nb::arg("json"),
            nb::sig("def teach_move(self, look: int, move: int, text: str, json: bytes) -> None"))
        .def(
            "teach_manner",
            [](const Table& table, nb::handle manner, nb::bytes before_pieces, nb::bytes before_moves,
               nb::bytes after) {
                table.book->teach_manner(read_integer<Word>(manner),
                                         {string_of(before_pieces), string_of(before_moves), string_of(after)});
            },
            nb::arg("manner"), nb::arg("before_pieces"), nb::arg("before_moves"), nb::arg("after"),
            nb::sig("def teach_manner(self, manner: int, before_pieces: bytes, before_moves: bytes, after: bytes)"
                    " -> None"));
    module.attr("TABLES_OF_GAMES") = nb::dict();
    bind_table_of<Abalone>(module);
    bind_table_of<Avanco>(module);
    bind_table_of<Guerreiros>(module);
    bind_table_of<Hex>(module);
    bind_table_of<Konane>(module);
    bind_table_of<Ouri>(module);
    bind_table_of<Rastros>(module);
    bind_table_of<Semaforo>(module);
}

const Registration registration(bind_live);

}  // namespace
}  // namespace tabuleiro
