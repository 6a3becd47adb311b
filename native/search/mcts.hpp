// Monte Carlo tree search: a tree that grows where it pays, with proofs passed up as they are found.
//
// What a leaf is worth and which moves deserve trust is for a judge to say (judge.hpp): random games, an evaluation,
// the knowledge of one game. An evaluator from outside (leaf_evaluator.hpp) may say it in the judge's place; what the
// judge can prove counts all the same. tree.hpp has the memory, simulations.hpp what a thread does, selection.hpp the
// choice of moves, tree_proofs.hpp the proofs, tree_report.hpp what is told of it all.
#pragma once

#include <exception>

#include "simulations.hpp"
#include "tree_report.hpp"

namespace tabuleiro {

template <Judge J>
class Mcts {
   public:
    using G = typename J::Rules;

    Mcts(const G& rules, J judge, const TreeSettings& settings)
        : rules_(rules),
          judge_(std::move(judge)),
          settings_(settings),
          tree_(rules_, settings_.mebibytes),
          root_prover_(rules_),
          reporter_(rules_, tree_, settings_.expand_after + stuck_after) {}

    void forget() {
        tree_.forget();
        root_prover_.forget();
    }

    /// Searches from the end of a game that is not over until a limit is met, `stop` is set, or the value is proven.
    /// Asks `evaluator` about the leaves, unless it is null.
    Report run(const Played<G>& played, const Wanted& wanted, std::atomic<bool>& stop, const LeafEvaluator* evaluator,
               const Listener& listener, Pulse& pulse) {
        SharedSearch shared{.stop = stop,
                            .begin = Clock::now(),
                            .limits = wanted.limits,
                            .evaluator = evaluator,
                            .several = wanted.threads > 1 || (evaluator && settings_.batch > 1)};
        tree_.plant(played, stop);
        const auto report = [&] {
            return reporter_.report(played.root, wanted.lines, read(shared.simulations), shared.seconds());
        };
        std::vector<std::unique_ptr<Simulations<J>>> workers;
        for (int i = 0; i < wanted.threads; ++i)
            workers.push_back(std::make_unique<Simulations<J>>(rules_, tree_, settings_, judge_, shared, played, i));
        std::vector<std::thread> running;
        std::exception_ptr trouble;
        std::atomic<bool> troubled = false;
        const auto finish = [&] {
            shared.finished = true;
            for (std::thread& thread : running) thread.join();
        };
        try {
            workers[0]->prepare();
            for (int i = 1; i < wanted.threads; ++i)
                running.emplace_back([&, &worker = *workers[i]] {
                    try {
                        while (!worker.finished() && !shared.over()) worker.work();
                    } catch (...) {
                        if (!troubled.exchange(true)) trouble = std::current_exception();
                        shared.finished = true;
                    }
                });
            lead(*workers[0], shared, [&] { listener(report()); }, played, pulse);
        } catch (...) {
            finish();
            forget();
            throw;
        }
        finish();
        if (trouble) {
            forget();
            std::rethrow_exception(trouble);
        }
        return report();
    }

   private:
    /// The visits after which a leaf that still has no children will never have any.
    static constexpr std::uint32_t stuck_after = 1024;

    static constexpr int checks_every = 16;             // simulations between looks at more than the limits
    static constexpr std::uint64_t first_proof = 4096;  // simulations
    static constexpr double news_every = 0.1;           // seconds

    /// The first thread: looks at the limits, tells what is found, and now and then asks df-pn about the root.
    template <class Tell>
    void lead(Simulations<J>& simulations, SharedSearch& shared, const Tell& tell, const Played<G>& played,
              Pulse& pulse) {
        double next_news = news_every;
        std::uint64_t next_proof = first_proof;
        for (std::uint64_t done = 0; !simulations.finished();) {
            done += simulations.work();
            pulse.beat(64);
            // After each: one in which a judge proves something may take long.
            if (shared.over()) break;
            if (done % checks_every != 0 && !shared.evaluator) continue;
            if constexpr (!ProvingJudge<J>)
                if (settings_.proofs && done >= next_proof) {
                    Limits limits{.nodes = done};
                    if (shared.limits.seconds > 0)
                        limits.seconds = std::max(shared.limits.seconds - shared.seconds(), 1e-3);
                    root_prover_.look(played, limits, shared.stop, pulse, simulations.proofs());
                    while (next_proof <= done) next_proof *= 4;
                }
            if (shared.limits.depth > 0 && deep_enough(shared.limits.depth)) break;
            if (shared.seconds() >= next_news) {
                tell();
                next_news = shared.seconds() + news_every;
            }
        }
    }

    bool deep_enough(int depth) {
        const auto line = reporter_.main_line();
        return !line.grows || line.length >= std::min(depth, Trail<G>::max_depth);
    }

    const G& rules_;
    const J judge_;
    const TreeSettings settings_;
    Tree<G> tree_;
    RootProver<G> root_prover_;
    TreeReporter<G> reporter_;
};

}  // namespace tabuleiro
