#include "../eval/ouri.hpp"
#include "../search/bind_mcts.hpp"
#include "../search/bind_nnue.hpp"
#include "../solve/bind_tables.hpp"
#include "register.hpp"

namespace tabuleiro {

/// Endings as Python has them: the levels lie in its memory, which is held here.
class HeldOuriEndings : public OuriEndings {
   public:
    explicit HeldOuriEndings(const std::vector<std::int64_t>& options)
        : HeldOuriEndings(std::make_unique<const Ouri>(read_rules<Ouri>(options))) {}

    const Ouri& rules() const { return *rules_; }

    void hold(const ReadOnlyBytes& content) { held_.push_back(content); }

   private:
    explicit HeldOuriEndings(std::unique_ptr<const Ouri> rules) : OuriEndings(*rules), rules_(std::move(rules)) {}

    std::unique_ptr<const Ouri> rules_;
    std::vector<ReadOnlyBytes> held_;
};

template <class Content>
auto* endings_in(const Content& content, int seeds) {
    require(content.size() == sizeof(OuriEnding) * OuriEndings::size(seeds) &&
                reinterpret_cast<std::uintptr_t>(content.data()) % alignof(OuriEnding) == 0,
            "there must be two bytes for each position, well aligned");
    using Value = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(content.data())>>, const OuriEnding,
                                     OuriEnding>;
    return reinterpret_cast<Value*>(content.data());
}

void bind_ouri_endings(nb::module_& module) {
    nb::class_<HeldOuriEndings, Tables>(module, "OuriEndings")
        .def(
            "__init__",
            [](HeldOuriEndings* self, nb::handle options) {
                new (self) HeldOuriEndings(read_integers<std::int64_t>(options));
            },
            nb::arg("options"), nb::sig("def __init__(self, options: Sequence[int]) -> None"))
        .def_prop_ro(
            "levels", [](const HeldOuriEndings& self) { return self.levels(); }, nb::sig("def levels(self) -> int"))
        .def_static(
            "size",
            [](int seeds) {
                require(seeds >= 0 && seeds <= OuriEndings::max_seeds, "there are no endings of this number of seeds");
                return sizeof(OuriEnding) * OuriEndings::size(seeds);
            },
            nb::arg("seeds"), nb::sig("def size(seeds: int) -> int"))
        .def(
            "add",
            [](HeldOuriEndings& self, const ReadOnlyBytes& content) {
                require(self.levels() <= OuriEndings::max_seeds, "all the levels are there");
                const OuriEnding* const level = endings_in(content, self.levels());
                require(self.are_endings(level), "these are no endings of so many seeds");
                self.add(level);
                self.hold(content);
            },
            nb::arg("content"), nb::sig("def add(self, content: Buffer) -> None"))
        .def(
            "solve",
            [](const HeldOuriEndings& self, const Bytes& content, int threads, const nb::callable& tell) {
                require(self.levels() <= OuriEndings::max_seeds, "all the levels are there");
                require(threads >= 1 && threads <= 512, "there are from 1 to 512 threads");
                OuriEnding* const endings = endings_in(content, self.levels());
                nb::gil_scoped_release others_may_run;
                Progress progress = python_progress(tell);
                self.solve(endings, threads, progress);
            },
            nb::arg("content"), nb::arg("threads"), nb::arg("tell"),
            nb::sig("def solve(self, content: Buffer, threads: int, tell: Callable[[float], object]) -> None"))
        .def(
            "look_ahead",
            [](const HeldOuriEndings& self, const Bytes& content, std::size_t begin) {
                const std::size_t size = content.size() / sizeof(OuriEnding);
                require(self.levels() <= OuriEndings::max_seeds && !self.ranges(), "this level is not made in parts");
                require(content.size() % sizeof(OuriEnding) == 0 &&
                            reinterpret_cast<std::uintptr_t>(content.data()) % alignof(OuriEnding) == 0 &&
                            size <= OuriEndings::size(self.levels()) &&
                            begin <= OuriEndings::size(self.levels()) - size,
                        "these places are not of the next level");
                nb::gil_scoped_release others_may_run;
                self.look_ahead(reinterpret_cast<OuriEnding*>(content.data()), begin, begin + size);
            },
            nb::arg("content"), nb::arg("begin"), nb::sig("def look_ahead(self, content: Buffer, begin: int) -> None"))
        .def(
            "solve_the_rest",
            [](const HeldOuriEndings& self, const Bytes& content, int threads, const nb::callable& tell) {
                require(self.levels() <= OuriEndings::max_seeds && !self.ranges(), "this level is not made in parts");
                require(threads >= 1 && threads <= 512, "there are from 1 to 512 threads");
                OuriEnding* const endings = endings_in(content, self.levels());
                nb::gil_scoped_release others_may_run;
                Progress progress = python_progress(tell);
                self.solve_the_rest(endings, threads, progress);
            },
            nb::arg("content"), nb::arg("threads"), nb::arg("tell"),
            nb::sig("def solve_the_rest(self, content: Buffer, threads: int, tell: Callable[[float], object]) -> None"))
        .def(
            "probe",
            [](const HeldOuriEndings& self, nb::handle position) -> nb::object {
                const Ouri::Rows rows = Ouri::rows(read_position(self.rules(), read_integers<Word>(position)));
                if (!self.knows(rows) || self.ranges()) return nb::none();
                const OuriEnding ending = self.probe(rows);
                return nb::make_tuple(static_cast<int>(ending.gain), static_cast<int>(ending.distance));
            },
            nb::arg("position"), nb::sig("def probe(self, position: Sequence[int]) -> tuple[int, int] | None"))
        .def(
            "range",
            [](const HeldOuriEndings& self, nb::handle position) -> nb::object {
                const Ouri::Rows rows = Ouri::rows(read_position(self.rules(), read_integers<Word>(position)));
                if (!self.knows(rows)) return nb::none();
                const OuriRange range = self.range(rows);
                return nb::make_tuple(range.least, range.most);
            },
            nb::arg("position"), nb::sig("def range(self, position: Sequence[int]) -> tuple[int, int] | None"))
        .def(
            "statistics",
            [](const HeldOuriEndings& self, int seeds) {
                require(seeds >= 0 && seeds < self.levels(), "there are no endings of this number of seeds");
                std::vector<std::uint64_t> counts(2 * seeds + 1);
                int longest = 0;
                const OuriEnding* const level = self.level(seeds);
                for (std::size_t place = 0; place < OuriEndings::size(seeds); ++place) {
                    ++counts[level[place].gain + seeds];
                    longest = std::max<int>(longest, level[place].distance);
                }
                return nb::make_tuple(tuple_of(counts), longest);
            },
            nb::arg("seeds"), nb::sig("def statistics(self, seeds: int) -> tuple[tuple[int, ...], int]"));
}

}  // namespace tabuleiro

const tabuleiro::Registration ouri([](tabuleiro::nb::module_& module) {
    using namespace tabuleiro;
    bind_game<Ouri>(module);
    bind_search_of<OuriEstimator>(module);
    bind_nnue_of<OuriInputs, OuriFeatures, OuriEstimate>(module, "OuriNnue");
    bind_prover_of<Ouri>(module);
    bind_tree_of<OuriEstimator>(module);
    bind_ouri_endings(module);
});
