// Searches against the rules played out, on small random games in which positions come back.
//
// A game is a graph: nodes are positions, each with the player to move, and some nodes end the game. Edges from one
// level to the next cannot be undone. The games differ in what the rules that look back are and in how they settle a
// game. One search of each kind is asked about many games so far, one after another; whatever it calls proven must be
// what comes of playing out every line by the rules. tests/search/test_history_proofs.py compiles and runs this.
//
//     graph_game FIRST_SEED LAST_SEED
//
// Prints a line for each set of rules and search: questions, those with a proven answer, and the false ones.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <unordered_map>

#include "search/alphabeta.hpp"
#include "search/dfpn.hpp"
#include "search/general_judge.hpp"
#include "search/mcts.hpp"

namespace tabuleiro {
namespace {

/// How the rules that look back settle a game: alike in all of a level, by the position, or a repetition as a draw and
/// a limit by the level.
enum class Settling { by_level, by_position, draw_or_by_level };

struct GraphGame {
    static constexpr const char* id = "graph";
    static constexpr int max_words = 1, max_moves = 3, most_nodes = 10, move_codes = most_nodes;

    struct Position {
        std::uint8_t node;
    };

    explicit GraphGame(OptionReader& options) {
        std::mt19937 random(options.number(0, 1 << 30));
        const auto below = [&random](int n) { return static_cast<int>(random() % n); };
        const auto any_result = [&] { return static_cast<Result>(1 + below(3)); };
        nodes = options.number(3, most_nodes);
        history = {options.number(0, 3), options.number(0, 100), options.number(0, 100)};
        settling = static_cast<Settling>(options.number(0, 2));
        const int second_level = below(3) ? nodes : 1 + below(nodes), ends_in = 2 + below(5);
        for (int node = 0; node < nodes; ++node) {
            level[node] = node >= second_level;
            player[node] = 1 + below(2);
            if (below(ends_in) == 0) ending[node] = any_result();
            settled_here[node] = any_result();
            points[node] = below(2'001) - 1'000;
        }
        for (auto& results : settled_in_level)
            for (Result& result : results) result = any_result();
        for (int node = 0; node < nodes; ++node) {
            if (ending[node] != Result::ongoing) continue;
            std::vector<int>& to = after[node];
            const std::size_t wanted = 1 + below(max_moves);
            for (int tries = 0; tries < 12 && to.size() < wanted; ++tries)
                if (const int next = below(nodes);
                    next != node && level[next] >= level[node] && std::find(to.begin(), to.end(), next) == to.end())
                    to.push_back(next);
            std::sort(to.begin(), to.end());
            if (to.empty()) ending[node] = any_result();
        }
    }

    int words() const { return max_words; }
    void encode(const Position& position, Word* words) const { *words = position.node; }
    Position decode(const Word* words) const { return at(static_cast<int>(*words)); }
    int turn(const Position& position) const { return player[position.node]; }
    Result outcome(const Position& position) const { return ending[position.node]; }
    int moves(const Position& position, Move* list) const {
        std::copy(after[position.node].begin(), after[position.node].end(), list);
        return static_cast<int>(after[position.node].size());
    }
    void play(Position& position, Move move) const { position = at(static_cast<int>(move)); }

    Word repetition_key(const Position& position) const { return mix(position.node + 1); }
    bool is_progress(const Position& before, Move, const Position& then) const {
        return level[before.node] != level[then.node];
    }
    Result settle(const Position& position, Ending end) const {
        if (settling == Settling::by_position) return settled_here[position.node];
        if (settling == Settling::by_level) return settled_in_level[level[position.node]][0];
        return end == Ending::repetition ? Result::draw : settled_in_level[level[position.node]][1];
    }
    bool settles_by_position() const { return settling == Settling::by_position; }

    static Position at(int node) { return {static_cast<std::uint8_t>(node)}; }

    int nodes;
    HistoryRules history;
    Settling settling;
    int level[most_nodes]{}, player[most_nodes]{}, points[most_nodes]{};
    Result ending[most_nodes]{}, settled_here[most_nodes]{}, settled_in_level[2][2]{};
    std::vector<int> after[most_nodes];
};

int worth_of(Result result) { return result == Result::draw ? 0 : result == Result::one ? 1 : -1; }

struct Points : WithoutState {
    using Rules = GraphGame;
    int evaluate(const GraphGame& rules, const GraphGame::Position& position, const State&) const {
        return rules.points[position.node];
    }
};

/// What can be said of a node without knowing the past, for player one, as tables of endings do: what a player is sure
/// of by steps that depend on the node alone (see solve/ouri_owners.hpp).
class SureWorths {
   public:
    explicit SureWorths(const GraphGame& rules) : rules_(rules) {
        std::fill_n(least, rules.nodes, -1);
        std::fill_n(most, rules.nodes, 1);
        for (int worth : {0, 1}) {
            const Nodes sure = sure_of(1, [worth](Result result) { return worth_of(result) >= worth; });
            for (int node = 0; node < rules.nodes; ++node)
                if (sure[node]) least[node] = worth;
        }
        for (int worth : {0, -1}) {
            const Nodes sure = sure_of(2, [worth](Result result) { return worth_of(result) <= worth; });
            for (int node = 0; node < rules.nodes; ++node)
                if (sure[node]) most[node] = worth;
        }
    }

    int least[GraphGame::most_nodes], most[GraphGame::most_nodes];

   private:
    using Nodes = std::array<bool, GraphGame::most_nodes>;

    template <class Good>
    Nodes sure_of(int player, const Good& good) const {
        const auto step = [&](const Nodes& nodes, int node) {
            if (rules_.ending[node] != Result::ongoing) return static_cast<bool>(good(rules_.ending[node]));
            const auto in = [&nodes](int next) { return nodes[next]; };
            const std::vector<int>& after = rules_.after[node];
            return rules_.player[node] == player ? std::any_of(after.begin(), after.end(), in)
                                                 : std::all_of(after.begin(), after.end(), in);
        };
        Nodes sure{};
        while (true) {
            // The most nodes from which play leads to sure ones, or stays where going round is good.
            Nodes stay;
            stay.fill(true);
            for (bool changed = true; changed;) {
                changed = false;
                for (int node = 0; node < rules_.nodes; ++node) {
                    const bool round = good(rules_.settle(GraphGame::at(node), Ending::repetition));
                    if (stay[node] && !step(sure, node) && !(round && step(stay, node))) {
                        stay[node] = false;
                        changed = true;
                    }
                }
            }
            for (bool changed = true; changed;) {
                changed = false;
                for (int node = 0; node < rules_.nodes; ++node)
                    if (!stay[node] && step(stay, node)) stay[node] = changed = true;
            }
            if (stay == sure) return sure;
            sure = stay;
        }
    }

    const GraphGame& rules_;
};

/// Points, with what `SureWorths` says of some of the nodes.
class PointsAndBounds : public Points {
   public:
    /// Of the second level, of every third node, or of all.
    enum Known { second_level, every_third, all };

    PointsAndBounds(const GraphGame& rules, Known known) : rules_(&rules), sure_(rules), known_(known) {}

    std::pair<Worth, Worth> bounds(const GraphGame::Position& position, const Returns& returns) const {
        const int node = position.node;
        if (known_ == second_level ? rules_->level[node] == 0 : known_ == every_third && node % 3) return {lost, won};
        const bool first = rules_->player[node] == 1;
        const auto least = static_cast<Worth>(first ? sure_.least[node] : -sure_.most[node]);
        const auto most = static_cast<Worth>(first ? sure_.most[node] : -sure_.least[node]);
        return {std::min(least, returns.least), std::max(most, returns.most)};
    }

   private:
    const GraphGame* rules_;
    SureWorths sure_;
    Known known_;
};

/// A game so far, as the rules that look back see it.
struct SoFar {
    int node, stale = 0, plies = 0;
    std::array<int, GraphGame::most_nodes> occurrences{};
};

/// The values of games, by playing out every line by the rules.
class PlayedOut {
   public:
    explicit PlayedOut(const GraphGame& rules) : rules_(rules) {}

    static SoFar begin(int node) {
        SoFar game{node};
        game.occurrences[node] = 1;
        return game;
    }

    SoFar after(const SoFar& game, int node) const {
        SoFar next = game;
        next.node = node;
        ++next.stale;
        ++next.plies;
        if (rules_.level[game.node] != rules_.level[node]) {
            next.stale = 0;
            next.occurrences.fill(0);
        }
        ++next.occurrences[node];
        return next;
    }

    Result result(const SoFar& game) const {
        const HistoryRules& limits = rules_.history;
        const GraphGame::Position position = GraphGame::at(game.node);
        if (rules_.ending[game.node] != Result::ongoing) return rules_.ending[game.node];
        if (limits.repetition && game.occurrences[game.node] >= limits.repetition)
            return rules_.settle(position, Ending::repetition);
        if (limits.stale_plies && game.stale >= limits.stale_plies) return rules_.settle(position, Ending::stale_plies);
        if (limits.total_plies && game.plies >= limits.total_plies) return rules_.settle(position, Ending::total_plies);
        return Result::ongoing;
    }

    /// For player one.
    int value(const SoFar& game) {
        if (const Result end = result(game); end != Result::ongoing) return worth_of(end);
        Word key = game.node;
        for (int times : game.occurrences) key = 4 * key + (rules_.history.repetition ? times : 0);
        key = 128 * key + (rules_.history.stale_plies ? game.stale : 0);
        key = 128 * key + (rules_.history.total_plies ? game.plies : 0);
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        const int sign = rules_.player[game.node] == 1 ? 1 : -1;
        int best = -1;
        for (int node : rules_.after[game.node]) best = std::max(best, sign * value(after(game, node)));
        return known_[key] = sign * best;
    }

   private:
    const GraphGame& rules_;
    std::unordered_map<Word, int> known_;
};

struct RuleSet {
    const char* name;
    int repetition, stale_plies, total_plies;
    Settling settling;
};

constexpr RuleSet rule_sets[] = {
    {"third", 3, 0, 0, Settling::by_level},
    {"second", 2, 0, 0, Settling::by_level},
    {"third, by position", 3, 0, 0, Settling::by_position},
    {"second, by position", 2, 0, 0, Settling::by_position},
    {"stale", 0, 6, 0, Settling::by_level},
    {"stale, by position", 0, 6, 0, Settling::by_position},
    {"third, stale", 3, 7, 0, Settling::by_level},
    {"second, stale", 2, 6, 0, Settling::by_level},
    {"third, stale, by position", 3, 7, 0, Settling::by_position},
    {"second, stale, by position", 2, 6, 0, Settling::by_position},
    {"third, stale as points", 3, 7, 0, Settling::draw_or_by_level},
    {"third, total as points", 3, 0, 9, Settling::draw_or_by_level},
    {"second, total as points", 2, 0, 9, Settling::draw_or_by_level},
    {"second, total, by position", 2, 0, 9, Settling::by_position},
};

constexpr const char* search_names[] = {"alpha-beta",  "full width", "with bounds", "full width with bounds",
                                        "tree search", "df-pn"};
enum { alpha_beta, full_width, with_bounds, full_width_with_bounds, tree_search, df_pn, n_searches };

struct Count {
    long questions = 0, proven = 0, wrong = 0;
};

/// The searches that are kept for one game.
class Kept {
   public:
    Kept(const GraphGame& rules, PointsAndBounds::Known known)
        : rules_(rules),
          plain_(rules, Points{}, 1, false),
          plain_full_(rules, Points{}, 1, true),
          bounded_(rules, PointsAndBounds(rules, known), 1, false),
          bounded_full_(rules, PointsAndBounds(rules, known), 1, true),
          tree_(rules, GeneralJudge<Points>(rules, Points{}, judge()), settings()),
          proofs_(rules, 1) {}

    Report ask(int search, const Played<GraphGame>& played, const Wanted& wanted) {
        const Listener nobody = [](const Report&) {};
        switch (search) {
            case alpha_beta: return plain_.run(played, wanted, stop_, nobody, pulse_);
            case full_width: return plain_full_.run(played, wanted, stop_, nobody, pulse_);
            case with_bounds: return bounded_.run(played, wanted, stop_, nobody, pulse_);
            case full_width_with_bounds: return bounded_full_.run(played, wanted, stop_, nobody, pulse_);
            default: return tree_.run(played, wanted, stop_, nullptr, nobody, pulse_);
        }
    }

    Proof prove(const Played<GraphGame>& played, Worth goal, std::uint64_t nodes) {
        return proofs_.prove(played, rules_.turn(played.root), goal, {.nodes = nodes}, stop_, pulse_);
    }

   private:
    static JudgeSettings judge() { return {.max_plies = 50}; }
    static TreeSettings settings() {
        TreeSettings settings;
        settings.judge = judge();
        settings.mebibytes = 1;
        return settings;
    }

    const GraphGame& rules_;
    AlphaBeta<Points> plain_, plain_full_;
    AlphaBeta<PointsAndBounds> bounded_, bounded_full_;
    Mcts<GeneralJudge<Points>> tree_;
    Dfpn<GraphGame> proofs_;
    std::atomic<bool> stop_ = false;
    Pulse pulse_{[] {}};
};

class Comparison {
   public:
    explicit Comparison(const RuleSet& rule_set) : rule_set_(rule_set) {}

    void play(int seed) {
        std::mt19937 random(seed);
        const auto below = [&random](int n) { return static_cast<int>(random() % n); };
        const bool limited = rule_set_.stale_plies || rule_set_.total_plies;
        const std::int64_t options[] = {seed,
                                        5 + below(limited ? 4 : 5),
                                        rule_set_.repetition,
                                        rule_set_.stale_plies,
                                        rule_set_.total_plies,
                                        static_cast<int>(rule_set_.settling)};
        OptionReader reader(options);
        const GraphGame rules(reader);
        Kept kept(rules, static_cast<PointsAndBounds::Known>(seed % 3));
        PlayedOut truth(rules);
        Played<GraphGame> played{};
        SoFar game{};
        for (int question = 0; question < 14; ++question) {
            int plies = below(3) ? below(8) : 0;
            if (!played.positions.empty() && below(2)) {
                plies = 1 + below(2);  // the same game goes on
            } else {
                const int node = below(rules.nodes);
                if (rules.ending[node] != Result::ongoing) continue;
                game = PlayedOut::begin(node);
                played = {GraphGame::at(node), {GraphGame::at(node)}, {}};
            }
            for (int ply = 0; ply < plies; ++ply) {
                const std::vector<int>& after = rules.after[game.node];
                const SoFar next = truth.after(game, after[below(static_cast<int>(after.size()))]);
                if (truth.result(next) != Result::ongoing) break;
                game = next;
                played.root = GraphGame::at(game.node);
                played.positions.push_back(played.root);
                played.moves.push_back(game.node);
            }
            for (int search = 0; search < df_pn; ++search) {
                // Tables like those of endings are made for games without limits.
                if (limited && (search == with_bounds || search == full_width_with_bounds)) continue;
                Wanted wanted{.limits = {.nodes = static_cast<std::uint64_t>(1 + below(below(2) ? 3'000 : 200))},
                              .lines = 1 + below(3)};
                // Enough for a tree search to ask df-pn.
                if (search == tree_search && below(10) == 0) wanted.limits.nodes = 9'000;
                compare(search, kept.ask(search, played, wanted), game, rules, truth);
            }
            for (Worth goal : {won, drawn})
                compare(kept.prove(played, goal, 1 + below(5'000)), goal, game, rules, truth);
        }
    }

    void tell() const {
        for (int search = 0; search < n_searches; ++search)
            std::printf("%s; %s: %ld %ld %ld\n", rule_set_.name, search_names[search], counts_[search].questions,
                        counts_[search].proven, counts_[search].wrong);
    }

   private:
    /// The value of the game, and what is said of its moves.
    void compare(int search, const Report& report, const SoFar& game, const GraphGame& rules, PlayedOut& truth) {
        const int sign = rules.player[game.node] == 1 ? 1 : -1;
        Count& count = counts_[search];
        ++count.questions;
        count.proven += report.decided;
        const Found& best = report.lines[0].found;
        bool wrong = report.decided && (!best.decided() || best.floor != sign * truth.value(game));
        for (const Line& line : report.lines) {
            const int value = sign * truth.value(truth.after(game, static_cast<int>(line.moves[0])));
            wrong |= value < line.found.floor || value > line.found.ceiling;
        }
        count.wrong += wrong;
    }

    void compare(const Proof& proof, Worth goal, const SoFar& game, const GraphGame& rules, PlayedOut& truth) {
        const int sign = rules.player[game.node] == 1 ? 1 : -1;
        Count& count = counts_[df_pn];
        ++count.questions;
        if (proof.verdict == Verdict::unknown) return;
        ++count.proven;
        const bool proven = proof.verdict == Verdict::proven;
        bool wrong = proven != (sign * truth.value(game) >= goal);
        if (proven && proof.move != Known::no_move)
            wrong |= sign * truth.value(truth.after(game, static_cast<int>(proof.move))) < goal;
        count.wrong += wrong;
    }

    const RuleSet& rule_set_;
    Count counts_[n_searches];
};

}  // namespace
}  // namespace tabuleiro

int main(int, char** arguments) {
    for (const tabuleiro::RuleSet& rule_set : tabuleiro::rule_sets) {
        tabuleiro::Comparison comparison(rule_set);
        for (int seed = std::atoi(arguments[1]); seed < std::atoi(arguments[2]); ++seed) comparison.play(seed);
        comparison.tell();
    }
}
