// From Python's objects to tree searches and back.
#pragma once

#include "bind_search.hpp"
#include "judge.hpp"

namespace tabuleiro {

class TreeSearcher {
   public:
    virtual ~TreeSearcher() = default;
    virtual void forget() = 0;
    virtual Report search(const PlayedWords& played, const Limits& limits, int lines, int threads, StopFlag& stop,
                          const Outsider* outsider, const Listener& listener, Pulse& pulse) = 0;
};

template <Judge J>
class TreeSearcherOf final : public TreeSearcher {
   public:
    /// `make(rules)` makes the judge.
    template <class Make>
    TreeSearcherOf(const std::vector<std::int64_t>& options, const TreeSettings& settings, const Make& make)
        : rules_(read_rules<G>(options)), tree_(rules_, make(rules_), settings) {}

    void forget() override { tree_.forget(); }

    Report search(const PlayedWords& played, const Limits& limits, int lines, int threads, StopFlag& stop,
                  const Outsider* outsider, const Listener& listener, Pulse& pulse) override {
        check(limits);
        require(lines >= 1, "at least one line is wanted");
        require(threads >= 1 && threads <= 512, "there are from 1 to 512 threads");
        return tree_.run(replayed(rules_, played), limits, lines, threads, stop.set, outsider, listener, pulse);
    }

   private:
    using G = typename J::Rules;
    const G rules_;
    Mcts<J> tree_;
};

using FloatColumn = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Python's evaluator: a function of positions, numbers of moves and moves, as bytes, to values and priors, as floats.
inline Outsider outsider_of(const nb::callable& evaluator) {
    return [&evaluator](Questions& questions) {
        nb::gil_scoped_acquire interpreter;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        const nb::object answer =
            evaluator(bytes_of(questions.positions), bytes_of(questions.counts), bytes_of(questions.moves));
        FloatColumn values, priors;
        require(nb::isinstance<nb::tuple>(answer) && nb::len(answer) == 2 && nb::try_cast(answer[0], values) &&
                    nb::try_cast(answer[1], priors),
                "an evaluator answers with two arrays of float32: values and priors");
        questions.values.assign(values.data(), values.data() + values.size());
        questions.priors.assign(priors.data(), priors.data() + priors.size());
    };
}

inline TreeSettings settings_of(nb::handle seed, nb::handle mebibytes, double exploration, nb::handle expand_after,
                                double rave, nb::handle study_after, nb::handle batch) {
    const TreeSettings settings{read_integer<std::uint64_t>(seed),         read_integer<std::uint32_t>(mebibytes),
                                exploration,                               read_integer<std::uint32_t>(expand_after),
                                rave,                                      read_integer<std::uint32_t>(study_after),
                                static_cast<int>(read_integer<std::uint16_t>(batch))};
    require(settings.batch >= 1, "at least one leaf is asked about at once");
    require(exploration >= 0 && rave >= 0, "a setting is negative");
    return settings;
}

/// The class that all games share; `TREES`, where each enters its own under its id; and `KNOWING_TREES`, for those with
/// a judge made for the game.
inline void bind_mcts(nb::module_& module) {
    nb::class_<TreeSearcher>(module, "TreeSearcher")
        .def("forget", &TreeSearcher::forget, nb::call_guard<nb::gil_scoped_release>(),
             nb::sig("def forget(self) -> None"))
        .def(
            "search",
            [](TreeSearcher& searcher, nb::handle start, nb::handle moves, int depth, nb::handle nodes, double seconds,
               int lines, int threads, StopFlag& stop, nb::callable listener, nb::object evaluator) {
                const PlayedWords played{read_integers<Word>(start), read_integers<std::uint64_t>(moves)};
                const Limits limits{depth, read_integer<std::uint64_t>(nodes), seconds};
                nb::callable function;
                if (!evaluator.is_none()) function = nb::cast<nb::callable>(evaluator);
                const Outsider outsider = outsider_of(function);
                Report report;
                {
                    nb::gil_scoped_release others_may_run;
                    Pulse pulse = python_pulse();
                    const Listener tell = [&](const Report& found) {
                        nb::gil_scoped_acquire interpreter;
                        listener(tuple_of(found));
                    };
                    report = searcher.search(played, limits, lines, threads, stop, function ? &outsider : nullptr, tell,
                                             pulse);
                }
                return tuple_of(report);
            },
            nb::arg("start"), nb::arg("moves"), nb::arg("depth"), nb::arg("nodes"), nb::arg("seconds"),
            nb::arg("lines"), nb::arg("threads"), nb::arg("stop"), nb::arg("listener"), nb::arg("evaluator") = nb::none(),
            nb::sig("def search(self, start: Sequence[int], moves: Sequence[int], depth: int, nodes: int, seconds: float,"
                    " lines: int, threads: int, stop: StopFlag, listener: Callable[[Report], object],"
                    " evaluator: BatchEvaluator | None = None) -> Report"));
    module.attr("TREES") = nb::dict();
    module.attr("KNOWING_TREES") = nb::dict();
}

/// The tree search of one game with the judge that serves all.
template <Evaluator E>
void bind_mcts_of(nb::module_& module) {
    using G = typename E::Rules;
    nb::cast<nb::dict>(module.attr("TREES"))[G::id] = nb::cpp_function(
        [](nb::handle options, nb::handle early, nb::handle late, double scale, double playouts, int max_plies,
           nb::handle seed, nb::handle mebibytes, double exploration, nb::handle expand_after, double rave,
           nb::handle batch, bool proofs) -> TreeSearcher* {
            const auto values = read_integers<std::int64_t>(options);
            TreeSettings settings = settings_of(seed, mebibytes, exploration, expand_after, rave, nb::int_(0), batch);
            settings.proofs = proofs;
            const Taste taste{playouts, max_plies, scale};
            require(playouts >= 0 && playouts <= 1, "the share of random games is from 0 to 1");
            require(scale > 0 && max_plies > 0, "a setting is not positive");
            OptionReader reader(values);
            const Linear<E> evaluator(E(reader), read_integers<int>(early), read_integers<int>(late));
            return new TreeSearcherOf<GeneralJudge<E>>(
                values, settings, [&](const G& rules) { return GeneralJudge<E>(rules, evaluator, taste); });
        },
        nb::rv_policy::take_ownership);
}

}  // namespace tabuleiro
