// Df-pn: proof by depth-first search that always expands where a proof or disproof looks nearest.
//
// The question is whether a player reaches a goal: a win, or at least a draw. Positions are told apart by 128 bits, so
// that a proof is wrong with a chance of 2^-128 for each pair of positions met. Proof numbers of several children are
// combined by their maximum plus the number of the others (not by their sum), because lines that transpose would be
// counted over and over in a sum.
//
// A position that comes back is judged as in path.hpp; what depends on that is used on the path and never stored. Where
// that proves nothing, the player who wants the goal is taken to fail there: such a disproof is marked as doubtful, in
// the table too, and never told.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "../pulse.hpp"
#include "key.hpp"
#include "path.hpp"
#include "report.hpp"
#include "table.hpp"

namespace tabuleiro {

enum class Verdict : std::uint8_t { unknown, proven, disproven };

struct Proof {
    Verdict verdict = Verdict::unknown;
    std::uint64_t nodes = 0;
    double seconds = 0;
    /// A move that reaches the goal, where the player who wants it is to move and it is proven.
    Move move = Known::no_move;
};

template <Game G>
class Dfpn {
   public:
    using Position = typename G::Position;
    static_assert(G::move_codes <= Known::no_move);

    Dfpn(const G& rules, std::size_t mebibytes)
        : rules_(rules), size_(mebibytes * (1 << 20) / sizeof(Bucket)), buckets_(new Bucket[size_]()) {
        require(mebibytes >= 1 && mebibytes <= 1 << 20, "the table has from 1 to 1048576 MiB");
    }

    void forget() { std::fill_n(buckets_.get(), size_, Bucket{}); }

    /// Whether `player` reaches at least `goal` (drawn or won) from the end of a game that is not over.
    Proof prove(const Played<G>& played, int player, Worth goal, const Limits& limits, std::atomic<bool>& stop,
                Pulse& pulse) {
        begin_ = Clock::now();
        limits_ = limits;
        stop_ = &stop;
        pulse_ = &pulse;
        player_ = player;
        goal_ = goal;
        nodes_ = 0;
        stopped_ = false;
        Path<G> path(rules_, played);
        path_ = &path;
        frames_.resize(deepest + 1);
        const Numbers root = solve(played.root, 0, infinite, infinite);
        Proof proof{Verdict::unknown, nodes_, seconds(), Known::no_move};
        if (root.proof == 0) {
            proof.verdict = Verdict::proven;
            for (const Child& child : frames_[0])
                if (rules_.turn(played.root) == player && child.numbers.proof == 0) proof.move = child.move;
        } else if (root.disproof == 0 && !root.doubtful) {
            proof.verdict = Verdict::disproven;
        }
        return proof;
    }

   private:
    static constexpr std::uint32_t infinite = 1u << 30;
    /// Lines are not followed beyond this many plies; the player who wants the goal must reach it before.
    static constexpr int deepest = 1'000;

    /// How far a proof and a disproof seem to be: 0 is done, `infinite` impossible.
    struct Numbers {
        std::uint32_t proof = 1, disproof = 1;
        std::int16_t taint = Found::free_of_path;
        /// Whether it is disproven only if something counts as a failure that may be none.
        bool doubtful = false;

        bool decided() const { return proof == 0 || disproof == 0; }
    };

    struct Child {
        Move move;
        Numbers numbers;
    };

    struct Entry {
        Word low = 0, high = 0;
        std::uint32_t proof = 0, disproof = 0;
        std::uint64_t work : 63 = 0;  // 0 in an empty entry
        std::uint64_t doubtful : 1 = 0;
    };
    struct alignas(64) Bucket {
        Entry entries[2];
    };
    static_assert(sizeof(Bucket) == 64);

    struct Key {
        Word low, high;
    };

    Key key(const Position& position) const {
        const Word salt = mix(path_->salt() + 4 * player_ + goal_);
        return {key_of(rules_, position, 1) ^ salt, key_of(rules_, position, 1'000) + salt};
    }

    Bucket& bucket(const Key& key) const {
        return buckets_[static_cast<std::size_t>((static_cast<unsigned __int128>(key.low) * size_) >> 64)];
    }

    Numbers look_up(const Position& position) const {
        const Key wanted = key(position);
        for (const Entry& entry : bucket(wanted).entries)
            if (entry.work && entry.low == wanted.low && entry.high == wanted.high)
                return {entry.proof, entry.disproof, Found::free_of_path, entry.doubtful != 0};
        return {};
    }

    /// What took more work stays; what is decided counts as more.
    void store(const Position& position, const Numbers& numbers, std::uint64_t work) {
        const Key wanted = key(position);
        Bucket& place = bucket(wanted);
        Entry* chosen = nullptr;
        for (Entry& entry : place.entries)
            if (entry.work && entry.low == wanted.low && entry.high == wanted.high) chosen = &entry;
        if (!chosen) chosen = place.entries[0].work <= place.entries[1].work ? &place.entries[0] : &place.entries[1];
        chosen->low = wanted.low;
        chosen->high = wanted.high;
        chosen->proof = numbers.proof;
        chosen->disproof = numbers.disproof;
        chosen->work = work * (numbers.decided() ? 8 : 1);
        chosen->doubtful = numbers.doubtful;
    }

    Numbers judged(const Found& found, int player) const {
        const int worth = player == player_ ? found.floor : -found.ceiling;
        return worth >= goal_ ? Numbers{0, infinite, found.taint} : Numbers{infinite, 0, found.taint, !found.decided()};
    }

    /// The numbers of a position when it is first met on a line.
    Numbers first_sight(const Position& position, int ply) const {
        const int player = rules_.turn(position);
        if (const Result result = rules_.outcome(position); result != Result::ongoing)
            return judged(ended(result, player, 0), player);
        if (Found found; path_->ends(position, 0, found)) return judged(found, player);
        if (ply >= deepest) return {infinite, 0, Found::this_path, true};
        return look_up(position);
    }

    Numbers solve(const Position& position, int ply, std::uint32_t proof_limit, std::uint32_t disproof_limit) {
        const std::uint64_t nodes_before = nodes_++;
        if (nodes_ % 64 == 0) look_around();
        const bool wants = rules_.turn(position) == player_;
        std::vector<Child>& children = frames_[ply];
        Move moves[G::max_moves];
        children.resize(rules_.moves(position, moves));
        for (std::size_t i = 0; i < children.size(); ++i) {
            Position next = position;
            rules_.play(next, moves[i]);
            path_->enter(position, moves[i], next);
            children[i] = {moves[i], first_sight(next, ply + 1)};
            path_->leave();
            // One child is enough.
            if ((wants ? children[i].numbers.proof : children[i].numbers.disproof) == 0) {
                children.resize(i + 1);
                break;
            }
        }
        Numbers numbers;
        while (true) {
            Choice choice;
            numbers = combine(children, wants, choice);
            if (stopped_ || numbers.decided() || numbers.proof >= proof_limit || numbers.disproof >= disproof_limit)
                break;
            Child& child = children[choice.best];
            // The child may go on while it stays the best one, with some slack against going to and fro.
            const std::uint32_t slack = choice.second + choice.second / 4 + 1;
            const std::uint32_t alone = std::min(wants ? proof_limit : disproof_limit, slack);
            const std::uint32_t both = (wants ? disproof_limit : proof_limit) - choice.others;
            Position next = position;
            rules_.play(next, child.move);
            path_->enter(position, child.move, next);
            child.numbers = solve(next, ply + 1, wants ? alone : both, wants ? both : alone);
            path_->leave();
        }
        if (numbers.taint >= ply) numbers.taint = Found::free_of_path;
        // An undecided position may be remembered whatever it met: its numbers are only guesses.
        if (!stopped_ && (!numbers.decided() || numbers.taint == Found::free_of_path))
            store(position, numbers, nodes_ - nodes_before);
        return numbers;
    }

    struct Choice {
        int best = 0;
        std::uint32_t second = infinite;  // the easy number of the runner-up
        std::uint32_t others = 0;  // what the other children add to the hard number
    };

    /// For the player who wants the goal a proof needs one child and a disproof all of them; for the other one it is
    /// the other way round.
    static Numbers combine(const std::vector<Child>& children, bool wants, Choice& choice) {
        std::uint32_t easy = infinite, easy_hard = infinite, hard = 0, open = 0;
        std::int16_t taint_of_one = Found::free_of_path, taint_of_all = Found::free_of_path;
        bool one_doubtful = false, any_doubtful = false;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const Numbers& numbers = children[i].numbers;
            const std::uint32_t child_easy = wants ? numbers.proof : numbers.disproof;
            const std::uint32_t child_hard = wants ? numbers.disproof : numbers.proof;
            taint_of_all = std::min(taint_of_all, numbers.taint);
            any_doubtful |= numbers.doubtful;
            if (child_hard > 0) {
                ++open;
                hard = std::max(hard, child_hard);
            }
            if (child_easy < easy || (child_easy == easy && child_hard < easy_hard)) {
                choice.second = easy;
                easy = child_easy;
                easy_hard = child_hard;
                choice.best = static_cast<int>(i);
                taint_of_one = numbers.taint;
                one_doubtful = numbers.doubtful;
            } else {
                choice.second = std::min(choice.second, child_easy);
            }
        }
        choice.others = open > 0 ? open - 1 : 0;
        if (hard < infinite) hard = std::min(hard + choice.others, infinite - 1);
        if (open == 0) hard = 0;
        Numbers numbers;
        numbers.proof = wants ? easy : hard;
        numbers.disproof = wants ? hard : easy;
        numbers.taint = easy == 0 ? taint_of_one : hard == 0 ? taint_of_all : Found::free_of_path;
        if (numbers.disproof == 0) numbers.doubtful = wants ? any_doubtful : one_doubtful;
        return numbers;
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    void look_around() {
        pulse_->beat(64);
        stopped_ = *stop_ || (limits_.nodes && nodes_ >= limits_.nodes) ||
                   (limits_.seconds > 0 && seconds() >= limits_.seconds);
    }

    const G& rules_;
    std::size_t size_;
    std::unique_ptr<Bucket[]> buckets_;
    std::vector<std::vector<Child>> frames_;
    Path<G>* path_ = nullptr;
    Clock::time_point begin_;
    Limits limits_;
    std::atomic<bool>* stop_ = nullptr;
    Pulse* pulse_ = nullptr;
    int player_ = 1;
    Worth goal_ = won;
    std::uint64_t nodes_ = 0;
    bool stopped_ = false;
};

}  // namespace tabuleiro
