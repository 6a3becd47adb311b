// Alpha-beta: principal variation search, deepened step by step, on any number of threads that share a table.
//
// Scores are estimates; proofs are kept apart from them (see score.hpp) and come from ends of games alone. A move that
// was reduced or left out therefore never counts as searched for a proof of defeat. There is no null move: in these
// games being to move is often what loses. Moves are left out only where the estimator is one to rely on (see
// `Prunes`).
//
// The player to move may stay the same (Ouri, the Hex swap), so a child's score changes its sign only when the player
// changes.
#pragma once

#include <atomic>
#include <cassert>
#include <cmath>
#include <exception>
#include <memory>
#include <thread>

#include "../pulse.hpp"
#include "key.hpp"
#include "path.hpp"
#include "report.hpp"
#include "states.hpp"
#include "table.hpp"

namespace tabuleiro {

template <Estimator E>
class AlphaBeta {
   public:
    using G = typename E::Rules;
    using Position = typename G::Position;

    static constexpr int max_depth = 120;
    static_assert(G::move_codes <= Known::no_move);

    AlphaBeta(const G& rules, E estimator, std::size_t mebibytes, bool full_width)
        : rules_(rules), estimator_(std::move(estimator)), table_(mebibytes), full_width_(full_width) {}

    const E& estimator() const { return estimator_; }

    /// Forgets all earlier searches: what follows then depends on nothing else.
    void forget() { table_.clear(); }

    /// Searches from the end of a game that is not over until a limit is met, `stop` is set, or the value is proven.
    Report run(const Played<G>& played, const Wanted& wanted, std::atomic<bool>& stop, const Listener& listener,
               Pulse& pulse) {
        const int threads = wanted.threads;
        Shared shared{.stop = stop, .begin = Clock::now(), .limits = wanted.limits};
        std::vector<std::unique_ptr<Worker>> workers;
        for (int i = 0; i < threads; ++i) workers.push_back(std::make_unique<Worker>(*this, shared, played, wanted, i));
        std::vector<std::thread> running;
        const auto finish = [&] {
            shared.finished = true;
            for (std::thread& thread : running) thread.join();
        };
        try {
            for (int i = 1; i < threads; ++i) running.emplace_back([&worker = *workers[i]] { worker.help(); });
            workers[0]->lead(listener, pulse);
        } catch (...) {
            finish();
            throw;
        }
        finish();
        Report report = workers[0]->report();
        report.nodes = 0;
        for (const auto& worker : workers) report.nodes += worker->nodes();
        return report;
    }

   private:
    struct Shared {
        std::atomic<bool>& stop;
        Clock::time_point begin;
        Limits limits;
        std::atomic<bool> finished = false;
        std::atomic<std::uint64_t> helped = 0;  // nodes of the helpers, roughly

        double seconds() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }
    };

    struct Frame {
        std::array<Move, G::max_moves> moves;
        std::array<int, G::max_moves> order;
        Move killers[2];
        Move played;
        int estimate;  // `no_score` where nobody asked for it
        int line_length;
        std::array<Move, max_ply> line;
    };

    struct RootMove {
        Move move;
        Found found{};
        /// What has been proven of the move, at whatever depth.
        Worth floor = lost, ceiling = won;
        /// The same without what comes from settling a return to the root at once. That is right for the value of the
        /// root, not for that of a worse move: there the player could choose again.
        Worth own_floor = lost, own_ceiling = won;
        std::vector<Move> line;

        /// Adds what a search found to what is proven already, and brings its score into that range: a later search may
        /// fail to see a proof again, and its estimate must not rank the move as if there were none.
        void merge(Found& result) {
            floor = std::max(floor, result.floor);
            // By a return to the root the opponent may seem to keep the move below its own floor.
            ceiling = std::max(std::min(ceiling, result.ceiling), floor);
            if (result.taint != 0) {
                own_floor = std::max(own_floor, result.floor);
                own_ceiling = std::min(own_ceiling, result.ceiling);
            }
            result.floor = floor;
            result.ceiling = ceiling;
            result.respect_proof();
        }
    };

    class Worker {
       public:
        Worker(AlphaBeta& owner, Shared& shared, const Played<G>& played, const Wanted& wanted, int number)
            : rules_(owner.rules_),
              estimator_(owner.estimator_),
              table_(owner.table_),
              full_width_(owner.full_width_),
              shared_(shared),
              root_(played.root),
              path_(rules_, played),
              states_(estimator_, rules_, root_),
              number_(number),
              frames_(max_ply + 1),
              history_(2 * G::move_codes),
              answers_(2 * G::move_codes, Known::no_move) {
            for (Frame& frame : frames_) frame.killers[0] = frame.killers[1] = Known::no_move;
            frames_[0].played = Known::no_move;
            if constexpr (Prunes<E>) frames_[0].estimate = evaluate(root_, 0);
            std::array<Move, G::max_moves> moves;
            const int n = rules_.moves(root_, moves.data());
            for (int i = 0; i < n; ++i) root_moves_.push_back({.move = moves[i], .line = {moves[i]}});
            lines_ = std::min(wanted.lines, n);
            // Shared out evenly, so that one thread keeps to its number of nodes exactly.
            if (shared_.limits.nodes) node_limit_ = std::max<std::uint64_t>(shared_.limits.nodes / wanted.threads, 1);
        }

        void lead(const Listener& listener, Pulse& pulse) {
            pulse_ = &pulse;
            const int deepest = shared_.limits.depth ? std::min(shared_.limits.depth, max_depth) : max_depth;
            for (int depth = 1; depth <= deepest && !stopped_; ++depth) {
                table_.grow_older();
                deepen(depth);
                if (stopped_) break;
                listener(report());
                if (nothing_left(depth)) break;
            }
        }

        /// Searches the same as the leader, some depths ahead, for the sake of what it leaves in the table.
        void help() {
            for (int depth = 1 + number_ % 2; depth <= max_depth && !stopped_; depth += 1 + (depth + number_) % 3 / 2) {
                deepen(depth);
                if (nothing_left(depth)) break;
            }
        }

        Report report() const {
            Report report{depth_, nodes_ + shared_.helped, shared_.seconds(), decided(), {}, {}};
            for (int i = 0; i < lines_; ++i) {
                Found found = root_moves_[i].found;
                const bool best = i == 0 && report.decided;
                found.floor = best ? root_moves_[i].floor : root_moves_[i].own_floor;
                found.ceiling = best ? root_moves_[i].ceiling : root_moves_[i].own_ceiling;
                // The score may come from a proof that is not the move's own: without it, it is an estimate.
                if (!found.decided()) found.score = std::clamp(found.score, -largest_estimate, largest_estimate);
                found.respect_proof();
                report.lines.push_back({found, root_moves_[i].line});
            }
            return report;
        }

        std::uint64_t nodes() const { return nodes_; }

       private:
        static constexpr int history_limit = 1 << 14;

        // Where the estimator allows it, up to which depths and by how many points:
        // an estimate counts that is so much better than what is wanted, for each ply that is left,
        static constexpr int good_depth = 6, good_points = 40;
        // and one so much worse, if playing out the noise does not mend it;
        static constexpr int bad_depth = 3, bad_points = 150;
        // a quiet move is left out that would have to gain so much, or that comes after so many and the depth's square;
        static constexpr int dull_depth = 5, dull_points = 60, many_depth = 9, many = 2;
        // where the table knows no move, from this depth on, one ply less will do.
        static constexpr int unknown_depth = 4;
        // How much of its history makes a late move be searched a ply deeper or less deep.
        static constexpr int trust = Prunes<E> ? 3'000 : 6'000;

        // ------------------------------------------------------------------------------------------------ the root

        void deepen(int depth) {
            const std::vector<RootMove> before = root_moves_;
            for (int line = 0; line < lines_ && !stopped_; ++line) search_line(line, depth);
            if (!stopped_) {
                // A later line can turn out better than an earlier one.
                std::stable_sort(root_moves_.begin(), root_moves_.begin() + lines_,
                                 [](const auto& a, const auto& b) { return a.found.score > b.found.score; });
                depth_ = depth;
            } else if (lines_ > 1 || root_moves_[0].move == before[0].move) {
                // A depth that was not finished counts only if it found a better move.
                root_moves_ = before;
            }
            lead_with_proven();
        }

        /// Puts a move of the proven value first. The scores alone do not: some may be of an earlier depth than others.
        void lead_with_proven() {
            if (!decided()) return;
            const Worth value = best_floor();
            const auto keeps = [value](const RootMove& root) { return root.floor == value; };
            const auto first = std::find_if(root_moves_.begin(), root_moves_.end(), keeps);
            first->found.floor = first->floor;
            first->found.ceiling = first->ceiling;
            first->found.respect_proof();
            std::rotate(root_moves_.begin(), first, first + 1);
        }

        /// Finds the best of the root moves from `line` on, and puts it at that place.
        void search_line(int line, int depth) {
            const int last = root_moves_[line].found.score;
            int window = 24, alpha = no_score, beta = -no_score;
            if (depth >= 4 && std::abs(last) < smallest_win) alpha = last - window, beta = last + window;
            while (true) {
                const int best = search_root(line, alpha, beta, depth);
                if (best > line)
                    std::rotate(root_moves_.begin() + line, root_moves_.begin() + best, root_moves_.begin() + best + 1);
                if (stopped_) return;
                const int score = root_moves_[line].found.score;
                window *= 4;
                if (score <= alpha && alpha > no_score)
                    alpha = window > 2'000 ? no_score : score - window;
                else if (score >= beta && beta < -no_score)
                    beta = window > 2'000 ? -no_score : score + window;
                else
                    return;
            }
        }

        /// Returns which move proved best, or `line` when none did before the search was stopped.
        int search_root(int line, int alpha, int beta, int depth) {
            int best = line;
            for (int i = line; i < static_cast<int>(root_moves_.size()); ++i) {
                RootMove& root = root_moves_[i];
                Position next = root_;
                rules_.play(next, root.move);
                path_.enter(root_, root.move, next);
                states_.enter(1, root.move, next);
                frames_[1].played = root.move;
                const bool turns = rules_.turn(next) != rules_.turn(root_);
                Found found;
                if (i == line) {
                    found = search_child<true>(next, turns, alpha, beta, depth - 1, 1);
                } else {
                    const int reduced = depth - 1 - (full_width_ || i < line + 4 ? 0 : reduction(depth, i - line) / 2);
                    found = search_child<false>(next, turns, alpha, alpha + 1, std::max(reduced, 0), 1);
                    if (!stopped_ && found.score > alpha && (reduced < depth - 1 || found.score < beta))
                        found = search_child<true>(next, turns, alpha, beta, depth - 1, 1);
                }
                path_.leave();
                if (stopped_) return best;
                root.merge(found);
                if (i == line || found.score > alpha) {
                    root.found = found;
                    root.line.assign(1, root.move);
                    const Frame& below = frames_[1];
                    root.line.insert(root.line.end(), below.line.begin(), below.line.begin() + below.line_length);
                    best = i;
                }
                alpha = std::max(alpha, found.score);
                if (alpha >= beta) break;
            }
            return best;
        }

        Worth best_floor() const {
            Worth floor = lost;
            for (const RootMove& root : root_moves_) floor = std::max(floor, root.floor);
            return floor;
        }

        bool decided() const {
            Worth ceiling = lost;
            for (const RootMove& root : root_moves_) ceiling = std::max(ceiling, root.ceiling);
            return best_floor() == ceiling;
        }

        /// Whether deeper searches could only repeat what is proven. A win may still become a shorter one until the
        /// depth has reached its length; one that the estimator foresaw has none.
        bool nothing_left(int depth) const {
            if (!decided()) return false;
            for (int i = 0; i < lines_; ++i) {
                const RootMove& root = root_moves_[i];
                if (root.floor != root.ceiling) return false;
                const int size = std::abs(root.found.score);
                if (SeesBounds<E> && size == smallest_win) continue;
                if (root.floor != drawn && win_score - size > depth) return false;
            }
            return true;
        }

        // ----------------------------------------------------------------------------------------------- the nodes

        template <bool pv>
        Found search_child(const Position& next, bool turns, int alpha, int beta, int depth, int ply) {
            return turns ? -search<pv>(next, -beta, -alpha, depth, ply) : search<pv>(next, alpha, beta, depth, ply);
        }

        template <bool pv>
        Found search(const Position& position, int alpha, int beta, int depth, int ply) {
            // Step 1. A new node: count it, and look whether time is up.
            Frame& frame = frames_[ply];
            frame.line_length = 0;
            count_node();
            if (stopped_) return {};

            // Step 2. The end of the game, by the rules of the position or by those that look back.
            const int player = rules_.turn(position);
            if (const Result result = rules_.outcome(position); result != Result::ongoing)
                return ended(result, player, ply);
            if (Found found; path_.ends(position, ply, found)) return found;

            // Step 3. What the estimator can prove at a glance.
            const auto [floor, ceiling] = bounds_of(estimator_, position, path_.returns(position));
            if constexpr (SeesBounds<E>) {
                Found found{floor == drawn ? 1 : -1, floor, ceiling};
                found.respect_proof();
                if (found.decided() || (floor == drawn && beta <= 1) || (ceiling == drawn && alpha >= -1)) return found;
            }

            if constexpr (Foresees<E>)
                if (Found found; foreseen(position, ply, found)) return found;

            // Step 4. The end of the line: an estimate, once the noise is played out.
            if (ply >= max_ply - 1) return {.score = evaluate(position, ply)};
            if (depth <= 0) {
                if constexpr (SeesNoise<E>)
                    return settle<pv>(position, alpha, beta, ply);
                else
                    return {.score = evaluate(position, ply)};
            }

            // Step 5. Nothing here can be better than a win at the next ply, nor worse than a loss now.
            alpha = std::max(alpha, -(win_score - ply));
            beta = std::min(beta, win_score - ply - 1);
            if (alpha >= beta) return {.score = alpha};

            // Step 6. What the table knows.
            const Word key = key_of(rules_, position) ^ path_.salt();
            Known known;
            if (table_.probe(key, known)) {
                Found found{from_table(known.score, ply), known.floor, known.ceiling};
                found.respect_proof();
                if (found.floor == drawn && found.ceiling == drawn) return found;
                if constexpr (!pv)
                    if (cuts(known, found.score, alpha, beta, depth)) return found;
            }

            // Step 7. What the estimate says when little depth is left.
            bool prunes = false, improving = false;
            if constexpr (Prunes<E>) {
                frame.estimate = no_score;
                prunes = !full_width_ && std::abs(alpha) < smallest_win && std::abs(beta) < smallest_win;
                if (prunes) {
                    const int here = frame.estimate = evaluate(position, ply);
                    improving = ply >= 2 && here > frames_[ply - 2].estimate;
                    if constexpr (!pv) {
                        const int left = std::max(depth - improving, 1);
                        if (depth <= good_depth && here - good_points * left >= beta)
                            return {.score = (here + beta) / 2};
                        if (depth <= bad_depth && here + bad_points * depth <= alpha) {
                            const Found found = settle<false>(position, alpha, alpha + 1, ply);
                            if (stopped_) return {};
                            if (found.score <= alpha) return found;
                        }
                    }
                    if (depth >= unknown_depth && known.move == Known::no_move) --depth;
                }
            }

            // Step 8. The moves, and in which order to try them.
            const int n = rules_.moves(position, frame.moves.data());
            score_moves(position, frame, n, known.move, player);

            // Step 9. A forced reply costs no depth, as long as lines do not grow without end.
            const int new_depth = n == 1 && !full_width_ && ply < 2 * depth_ + 16 ? depth : depth - 1;

            Found best;
            best.floor = best.ceiling = lost;
            Move best_move = Known::no_move;
            std::int16_t best_taint = Found::free_of_path, floor_taint = best_taint, any_taint = best_taint;
            const int original_alpha = alpha;
            bool cut = false, left_out = false;
            Move tried[max_tried];
            int n_tried = 0;
            for (int i = 0; i < n; ++i) {
                // Step 10. The most promising of the moves that are left; a late quiet one may not be worth a look.
                const Move move = next_move(frame, i, n);
                const bool quiet = frame.order[i] < noisy_order;
                if constexpr (Prunes<E> && !pv)
                    if (prunes && i > 0 && frame.order[i] < killer_order && best.score > -smallest_win &&
                        is_dull(frame, i, depth, alpha, improving)) {
                        left_out = true;
                        continue;
                    }
                Position next = position;
                rules_.play(next, move);
                path_.enter(position, move, next);
                states_.enter(ply + 1, move, next);
                frames_[ply + 1].played = move;
                const bool turns = rules_.turn(next) != player;
                Found found;
                if (i == 0) {
                    // Step 11. The first move is searched with the whole window.
                    found = search_child<pv>(next, turns, alpha, beta, new_depth, ply + 1);
                } else {
                    // Step 12. A late quiet move is searched less deep, the less the better it did elsewhere.
                    int reduced = new_depth;
                    if (!full_width_ && depth >= 3 && quiet && i >= (pv ? 4 : 2)) {
                        const int lessened = reduction(depth, i) - frame.order[i] / trust - (pv ? 1 : 0);
                        reduced -= std::clamp(lessened, 0, new_depth - 1);
                    }
                    // Step 13. Is it better than the best so far? If so, by how much: full depth, whole window.
                    found = search_child<false>(next, turns, alpha, alpha + 1, reduced, ply + 1);
                    if (!stopped_ && found.score > alpha && reduced < new_depth)
                        found = search_child<false>(next, turns, alpha, alpha + 1, new_depth, ply + 1);
                    if constexpr (pv)
                        if (!stopped_ && found.score > alpha && found.score < beta)
                            found = search_child<true>(next, turns, alpha, beta, new_depth, ply + 1);
                }
                path_.leave();
                if (stopped_) return {};

                // Step 14. What has been proven counts whatever the score.
                any_taint = std::min(any_taint, found.taint);
                best.ceiling = std::max(best.ceiling, found.ceiling);
                if (found.floor > best.floor) {
                    best.floor = found.floor;
                    floor_taint = found.taint;
                }

                // Step 15. A better move; one that is too good ends the search of this node.
                if (found.score > best.score) {
                    best.score = found.score;
                    best_taint = found.taint;
                    if (found.score > alpha) {
                        best_move = move;
                        alpha = found.score;
                        if constexpr (pv) extend_line(frame, move, frames_[ply + 1]);
                        if (alpha >= beta) {
                            cut = true;
                            if (quiet) reward(frame, player, move, tried, n_tried, depth);
                            break;
                        }
                    }
                }
                if (quiet && n_tried < max_tried) tried[n_tried++] = move;
            }

            // Step 16. What is proven of the node: moves that were left out could be better still, after a cut too.
            if (cut || left_out) best.ceiling = won;
            best.floor = std::max(best.floor, floor);
            best.ceiling = std::min(best.ceiling, ceiling);
            best.taint = cut ? std::min(best_taint, floor_taint) : any_taint;
            best.respect_proof();

            // Step 17. Remember it. What depends on a position of this ply or below is free of the path above.
            remember(key, best, best_move, depth, ply, cut, original_alpha, best_taint, floor_taint, any_taint);
            if (best.taint >= ply) best.taint = Found::free_of_path;
            return best;
        }

        /// Stores what does not depend on the path: the part of it that does is left out.
        void remember(Word key, const Found& best, Move move, int depth, int ply, bool cut, int original_alpha,
                      int best_taint, int floor_taint, int any_taint) {
            Known known{.move = move};
            const bool at_least = std::min(best_taint, floor_taint) >= ply, at_most = any_taint >= ply;
            if (cut)
                known.bound = at_least ? Bound::lower : Bound::none;
            else if (best.score <= original_alpha)
                known.bound = at_most ? Bound::upper : Bound::none;
            else
                known.bound = at_most ? Bound::exact : at_least ? Bound::lower : Bound::none;
            if (floor_taint >= ply) known.floor = best.floor;
            if (at_most) known.ceiling = best.ceiling;
            known.score = static_cast<std::int16_t>(to_table(best.score, ply));
            known.depth = static_cast<std::int8_t>(depth);
            table_.store(key, known);
        }

        /// Plays out the noise before an estimate is trusted: one may always stop, or go on with a noisy move.
        template <bool pv>
        Found settle(const Position& position, int alpha, int beta, int ply) {
            Found best{.score = evaluate(position, ply)};
            if (best.score >= beta || ply >= max_ply - 1) return best;
            alpha = std::max(alpha, best.score);
            Frame& frame = frames_[ply];
            const int player = rules_.turn(position);
            const int all = rules_.moves(position, frame.moves.data());
            int n = 0;
            for (int i = 0; i < all; ++i)
                if (const int noise = noise_of(estimator_, rules_, position, frame.moves[i])) {
                    frame.moves[n] = frame.moves[i];
                    frame.order[n++] = noise;
                }
            for (int i = 0; i < n; ++i) {
                const Move move = next_move(frame, i, n);
                Position next = position;
                rules_.play(next, move);
                path_.enter(position, move, next);
                states_.enter(ply + 1, move, next);
                const bool turns = rules_.turn(next) != player;
                const Found found = turns ? -settle_child<pv>(next, -beta, -alpha, ply + 1)
                                          : settle_child<pv>(next, alpha, beta, ply + 1);
                path_.leave();
                if (stopped_) return {};
                if (found.score > best.score) {
                    best.score = found.score;
                    best.floor = found.floor;
                    best.taint = found.taint;
                    if (found.score > alpha) {
                        alpha = found.score;
                        if constexpr (pv) extend_line(frame, move, frames_[ply + 1]);
                        if (alpha >= beta) break;
                    }
                }
            }
            return best;
        }

        template <bool pv>
        Found settle_child(const Position& position, int alpha, int beta, int ply) {
            frames_[ply].line_length = 0;
            count_node();
            if (stopped_) return {};
            if (const Result result = rules_.outcome(position); result != Result::ongoing)
                return ended(result, rules_.turn(position), ply);
            if (Found found; path_.ends(position, ply, found)) return found;
            if constexpr (Foresees<E>)
                if (Found found; foreseen(position, ply, found)) return found;
            return settle<pv>(position, alpha, beta, ply);
        }

        /// Whether a quiet move need not be tried: many better ones were, or it would have to gain too much.
        bool is_dull(const Frame& frame, int number, int depth, int alpha, bool improving) const {
            if (depth <= many_depth && number >= (many + depth * depth) * (improving ? 2 : 1)) return true;
            const int left = std::max(depth - reduction(depth, number), 1);
            return left <= dull_depth && frame.estimate + dull_points * (1 + left) <= alpha;
        }

        /// Whether the estimator sees how the game ends. With `full_width` it is not asked: the end that it sees need
        /// not be the nearest.
        bool foreseen(const Position& position, int ply, Found& found) const
            requires Foresees<E>
        {
            if (full_width_) return false;
            const int plies = estimator_.foresee(position);
            if (plies == 0 || ply + std::abs(plies) >= max_ply) return false;
            found = {win_score - ply - std::abs(plies), won, won};
            if (plies < 0) found = -found;
            return true;
        }

        /// Never 0, which is a draw.
        int evaluate(const Position& position, int ply) {
            const int score =
                std::clamp(estimator_.evaluate(rules_, position, states_.at(ply)), -largest_estimate, largest_estimate);
            return score == 0 ? 1 : score;
        }

        // ------------------------------------------------------------------------------------------- order of moves

        static constexpr int first_order = 1 << 30, noisy_order = 1 << 24, killer_order = 1 << 20;
        static constexpr int max_tried = 64;

        void score_moves(const Position& position, Frame& frame, int n, Move first, int player) {
            const Move answer = frame.played == Known::no_move ? Known::no_move : answers_[code(player, frame.played)];
            for (int i = 0; i < n; ++i) {
                const Move move = frame.moves[i];
                const int noise = noise_of(estimator_, rules_, position, move);
                frame.order[i] = move == first              ? first_order
                                 : noise                    ? noisy_order + noise
                                 : move == frame.killers[0] ? killer_order + 2
                                 : move == frame.killers[1] ? killer_order + 1
                                 : move == answer           ? killer_order
                                                            : history_[code(player, move)];
            }
        }

        /// Brings the most promising move that is left to place i.
        static Move next_move(Frame& frame, int i, int n) {
            int best = i;
            for (int k = i + 1; k < n; ++k)
                if (frame.order[k] > frame.order[best]) best = k;
            std::swap(frame.moves[i], frame.moves[best]);
            std::swap(frame.order[i], frame.order[best]);
            return frame.moves[i];
        }

        static int code(int player, Move move) {
            assert(move < static_cast<Move>(G::move_codes));
            return (player - 1) * G::move_codes + static_cast<int>(move);
        }

        /// A quiet move refuted this position: it and its like come earlier next time, those tried before it later.
        void reward(Frame& frame, int player, Move move, const Move* tried, int n_tried, int depth) {
            if (frame.killers[0] != move) {
                frame.killers[1] = frame.killers[0];
                frame.killers[0] = move;
            }
            if (frame.played != Known::no_move) answers_[code(player, frame.played)] = move;
            const int bonus = std::min(32 * depth * depth, history_limit / 4);
            learn(history_[code(player, move)], bonus);
            for (int i = 0; i < n_tried; ++i) learn(history_[code(player, tried[i])], -bonus);
        }

        static void learn(int& value, int bonus) { value += bonus - value * std::abs(bonus) / history_limit; }

        static int reduction(int depth, int number) {
            static const auto table = [] {
                std::array<std::array<std::int8_t, 64>, 64> made{};
                for (int d = 1; d < 64; ++d)
                    for (int n = 1; n < 64; ++n)
                        made[d][n] = static_cast<std::int8_t>(0.4 + std::log(d) * std::log(n) / 2.0);
                return made;
            }();
            return table[std::min(depth, 63)][std::min(number, 63)];
        }

        // ------------------------------------------------------------------------------------------------ the table

        /// Wins count from the root in a search and from the position in the table, but for those of unknown length.
        static int to_table(int score, int ply) {
            return score > smallest_win ? score + ply : score < -smallest_win ? score - ply : score;
        }
        static int from_table(int score, int ply) {
            return score > smallest_win ? score - ply : score < -smallest_win ? score + ply : score;
        }

        /// What is proven holds at any depth; an estimate only if it came from one as great as is wanted now. Where
        /// positions come back, it must also be of this depth of the whole search: else two positions that follow one
        /// another in a cycle could keep each other's estimate alive for ever.
        static bool cuts(const Known& known, int score, int alpha, int beta, int depth) {
            const bool deep = known.depth >= depth && (known.fresh || !LooksBack<G>);
            const bool at_least = known.bound == Bound::lower || known.bound == Bound::exact;
            const bool at_most = known.bound == Bound::upper || known.bound == Bound::exact;
            return (at_least && score >= beta && (deep || known.floor == won)) ||
                   (at_most && score <= alpha && (deep || known.ceiling == lost));
        }

        static void extend_line(Frame& frame, Move move, const Frame& below) {
            frame.line[0] = move;
            frame.line_length = std::min(below.line_length + 1, max_ply - 1);
            std::copy_n(below.line.begin(), frame.line_length - 1, frame.line.begin() + 1);
        }

        // ----------------------------------------------------------------------------------------------- the limits

        void count_node() {
            ++nodes_;
            // The first depth is always finished: there must be a move to play.
            if (nodes_ % 64 == 0 || nodes_ >= node_limit_) [[unlikely]]
                look_around();
        }

        void look_around() {
            if (number_ > 0) {
                shared_.helped += nodes_ - counted_;
                counted_ = nodes_;
                stopped_ = shared_.finished || nodes_ >= node_limit_;
                return;
            }
            pulse_->beat(64);
            if (depth_ == 0) return;
            const double limit = shared_.limits.seconds;
            stopped_ = nodes_ >= node_limit_ || shared_.stop || (limit > 0 && shared_.seconds() >= limit);
        }

        const G& rules_;
        const E& estimator_;
        Table& table_;
        const bool full_width_;
        Shared& shared_;
        const Position root_;
        Path<G> path_;
        [[no_unique_address]] States<E> states_;
        const int number_;
        std::vector<Frame> frames_;
        std::vector<int> history_;
        std::vector<Move> answers_;
        std::vector<RootMove> root_moves_;
        int lines_ = 1;
        int depth_ = 0;
        bool stopped_ = false;
        std::uint64_t nodes_ = 0, counted_ = 0;
        std::uint64_t node_limit_ = std::numeric_limits<std::uint64_t>::max();
        Pulse* pulse_ = nullptr;
    };

    const G& rules_;
    const E estimator_;
    Table table_;
    bool full_width_;
};

}  // namespace tabuleiro
