// From Python's objects to tree searches and back.
#pragma once

#include "bind_search.hpp"
#include "general_judge.hpp"
#include "mcts.hpp"
#include "net_evaluator.hpp"

namespace tabuleiro {

class TreeSearcher {
   public:
    virtual ~TreeSearcher() = default;
    virtual void forget() = 0;
    /// Asks `evaluator` about the leaves, unless it is null.
    virtual Report search(const PlayedWords& played, const Wanted& wanted, StopFlag& stop,
                          const LeafEvaluator* evaluator, const Listener& listener, Pulse& pulse) = 0;
};

template <Judge J>
class TreeSearcherOf final : public TreeSearcher {
   public:
    /// `make(rules)` makes the judge.
    template <class Make>
    TreeSearcherOf(const TreeSettings& settings, const Make& make)
        : rules_(read_rules<G>(settings.estimator.options)), tree_(rules_, make(rules_), settings) {}

    void forget() override { tree_.forget(); }

    Report search(const PlayedWords& played, const Wanted& wanted, StopFlag& stop, const LeafEvaluator* evaluator,
                  const Listener& listener, Pulse& pulse) override {
        wanted.check();
        return tree_.run(replayed(rules_, played), wanted, stop.set, evaluator, listener, pulse);
    }

   private:
    using G = typename J::Rules;
    const G rules_;
    Mcts<J> tree_;
};

using FloatColumn = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Python's evaluator: a function of positions, numbers of moves and moves, as bytes, to values and priors, as floats.
inline LeafEvaluator leaf_evaluator_of(const nb::callable& evaluator) {
    return [&evaluator](LeafBatch& batch) {
        nb::gil_scoped_acquire interpreter;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        const nb::object answer = evaluator(bytes_of(batch.positions), bytes_of(batch.counts), bytes_of(batch.moves));
        FloatColumn values, priors;
        require(nb::isinstance<nb::tuple>(answer) && nb::len(answer) == 2 && nb::try_cast(answer[0], values) &&
                    nb::try_cast(answer[1], priors),
                "an evaluator answers with two arrays of float32: values and priors");
        batch.values.assign(values.data(), values.data() + values.size());
        batch.priors.assign(priors.data(), priors.data() + priors.size());
    };
}

inline void read(SettingsReader& reader, TreeSettings& settings, nb::object& tables) {
    read(reader, settings.estimator, tables);
    reader.number("scale", settings.judge.scale);
    reader.number("playouts", settings.judge.playouts);
    reader.integer("max_plies", settings.judge.max_plies, 1, std::numeric_limits<int>::max());
    require(settings.judge.playouts <= 1, "the share of random games is from 0 to 1");
    require(settings.judge.scale > 0, "the scale of an evaluation is positive");
    read_mebibytes(reader, settings.mebibytes);
    reader.integer("seed", settings.seed, 0, std::numeric_limits<std::uint64_t>::max());
    reader.number("exploration", settings.exploration);
    reader.integer("expand_after", settings.expand_after, 0, std::numeric_limits<std::uint32_t>::max());
    reader.number("rave", settings.rave);
    reader.integer("study_after", settings.study_after, 0, std::numeric_limits<std::uint32_t>::max());
    reader.number("caution", settings.caution);
    reader.integer("batch", settings.batch, 1, 1 << 16);
    reader.truth("proofs", settings.proofs);
}

/// The class that all games share, and `TREES`, where each enters its own by their kinds.
inline void bind_mcts(nb::module_& module) {
    nb::class_<Held<TreeSettings>>(module, "TreeSettings")
        .def(
            "__init__",
            [](Held<TreeSettings>* self, const nb::kwargs& given) {
                Held<TreeSettings> settings;
                SettingsReader reader(given);
                read(reader, settings, settings.tables);
                reader.end();
                new (self) Held<TreeSettings>(std::move(settings));
            },
            nb::sig(
                "def __init__(self, *, options: Sequence[int] = ..., early: Sequence[int] = ...,"
                " late: Sequence[int] = ..., tables: Tables | None = ..., scale: float = ..., playouts: float = ...,"
                " max_plies: int = ..., mebibytes: int = ..., seed: int = ..., exploration: float = ...,"
                " expand_after: int = ..., rave: float = ..., study_after: int = ..., caution: float = ...,"
                " batch: int = ..., proofs: bool = ...) -> None"));
    nb::class_<NetEvaluator>(module, "NetEvaluator")
        .def(
            "tally",
            [](NetEvaluator& evaluator) {
                const auto [asked, seen] = evaluator.tally();
                return nb::make_tuple(asked, seen);
            },
            nb::sig("def tally(self) -> tuple[int, int]"));
    nb::class_<TreeSearcher>(module, "TreeSearcher")
        .def("forget", &TreeSearcher::forget, nb::call_guard<nb::gil_scoped_release>(),
             nb::sig("def forget(self) -> None"))
        .def(
            "search",
            [](TreeSearcher& searcher, const SearchRequest& request, StopFlag& stop, const nb::callable& listener,
               const nb::object& evaluator) {
                nb::callable function;
                LeafEvaluator asked;
                if (NetEvaluator* net; nb::try_cast(evaluator, net) && net) {
                    asked = [net](LeafBatch& batch) { net->evaluate(batch); };
                } else if (!evaluator.is_none()) {
                    function = nb::cast<nb::callable>(evaluator);
                    asked = leaf_evaluator_of(function);
                }
                return searched(listener, [&](const Listener& tell, Pulse& pulse) {
                    return searcher.search(request.played, request.wanted, stop, asked ? &asked : nullptr, tell, pulse);
                });
            },
            nb::arg("request"), nb::arg("stop"), nb::arg("listener"), nb::arg("evaluator") = nb::none(),
            nb::sig("def search(self, request: SearchRequest, stop: StopFlag, listener: Callable[[Report], object],"
                    " evaluator: BatchEvaluator | NetEvaluator | None = None) -> Report"));
    module.attr("TREES") = nb::dict();
}

/// A tree search of a game, entered in `TREES` under its kind. `make(settings)` makes the searcher.
template <Game G, class Make>
void bind_tree(nb::module_& module, const char* kind, Make make) {
    enter(module, "TREES", G::id, kind,
          nb::cpp_function([make](const Held<TreeSettings>& settings) -> TreeSearcher* { return make(settings); },
                           nb::rv_policy::take_ownership, nb::keep_alive<0, 1>()));
}

/// The tree search with the judge that serves all games.
template <Estimator E>
void bind_tree_of(nb::module_& module) {
    bind_tree<typename E::Rules>(module, "general", [](const TreeSettings& settings) -> TreeSearcher* {
        return new TreeSearcherOf<GeneralJudge<E>>(settings, [&](const typename E::Rules& rules) {
            return GeneralJudge<E>(rules, new_estimator<E>(settings.estimator), settings.judge);
        });
    });
}

}  // namespace tabuleiro
