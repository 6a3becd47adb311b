// Games as a server holds them while they are played: thousands at once, a move now and then in each, and after every
// move all that may follow is told to those who watch.
//
// Nothing of how things are written is known here. A `Book` is taught by Python how moves, pieces and whatever else a
// position is told with look, each once; what is told of a position is put together from that. What it has not been
// taught yet it says it does not know.
#pragma once

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "face.hpp"
#include "game.hpp"

namespace tabuleiro {

/// What was taught of one game under some options.
struct Book {
    struct Move_ {
        Move move;
        std::string text, json;
    };
    /// What is told of all positions that differ in their boards, moves and last moves alone: between these parts.
    struct Manner {
        std::string before_pieces, before_moves, after;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };

    /// Manners that are kept; there are few but in games that count points.
    static constexpr std::size_t max_manners = 10'000;

    /// The cells of each rank of a position string.
    std::vector<std::vector<std::uint16_t>> ranks;
    /// By the code of what stands there.
    std::vector<std::string> symbols;
    /// By cell and code; what was not taught is empty.
    std::vector<std::vector<std::string>> pieces;
    /// By their looks.
    std::unordered_map<Word, Move_> moves;
    /// By their texts: the looks.
    std::unordered_map<std::string, std::vector<Word>, Hash, std::equal_to<>> texts;
    std::unordered_map<Word, Manner> manners;

    void teach_piece(std::size_t cell, std::size_t code, std::string symbol, std::string json) {
        require(code > 0 && code < 256 && cell < max_cells, "there is no such cell or code");
        if (symbols.size() <= code) symbols.resize(code + 1);
        symbols[code] = std::move(symbol);
        if (pieces.size() <= cell) pieces.resize(cell + 1);
        if (pieces[cell].size() <= code) pieces[cell].resize(code + 1);
        pieces[cell][code] = std::move(json);
    }

    /// What stands on a cell as it was taught, if it was.
    const std::string* piece(std::size_t cell, std::size_t code) const {
        if (cell >= pieces.size() || code >= pieces[cell].size() || pieces[cell][code].empty()) return nullptr;
        return &pieces[cell][code];
    }

    void teach_move(Word look, Move move, std::string text, std::string json) {
        const auto [entry, is_new] = moves.try_emplace(look, Move_{move, text, std::move(json)});
        if (is_new) texts[std::move(text)].push_back(look);
    }

    void teach_manner(Word key, Manner manner) {
        if (manners.size() >= max_manners) manners.clear();
        manners[key] = std::move(manner);
    }
};

/// How a game came to its end.
enum class Ended : std::uint8_t { not_yet, by_position, by_repetition, by_stale_plies, by_total_plies };

/// A game that is being played.
class Live {
   public:
    virtual ~Live() = default;
    virtual int turn() const = 0;
    virtual int plies() const = 0;
    virtual Ended ended() const = 0;
    /// Whether the position has come up before.
    virtual bool is_repeated() const = 0;
    virtual std::vector<Word> words() const = 0;
    /// As it stood some moves ago.
    virtual std::vector<Word> words_before(int moves) const = 0;
    /// The legal move with a text; none where there is none, or where it was not taught.
    virtual std::optional<Move> find(std::string_view text) const = 0;
    virtual void play(std::uint64_t move) = 0;
    /// Make the legal move with a text; none, and nothing happens, where `find` gives none.
    virtual std::optional<Move> make(std::string_view text) = 0;
    virtual void take_back(int moves) = 0;
    /// The code of what stands on each cell.
    virtual std::vector<std::uint8_t> codes() const = 0;
    /// The legal moves that were not taught, each after its look.
    virtual std::vector<Word> unknown_moves() const = 0;
    /// The cells of which it was not taught what stands there.
    virtual std::vector<Word> unknown_cells() const = 0;
    virtual Word manner() const = 0;
    virtual bool knows_manner() const = 0;
    /// The ranks of the position string.
    virtual void write_ranks(std::string& out) const = 0;
    /// All that is told of the position, of a game that goes on. False where something was not taught.
    virtual bool write(std::string& out) const = 0;
    /// The last move as it was taught; null where there is none, nothing where it was not taught.
    virtual bool write_last(std::string& out) const = 0;
};

template <Game G>
class LiveOf final : public Live {
   public:
    LiveOf(std::shared_ptr<const G> rules, std::shared_ptr<const Book> book, const Word* start)
        : rules_(std::move(rules)), book_(std::move(book)), start_(rules_->decode(start)) {
        begin();
    }

    int turn() const override { return rules_->turn(position_); }
    int plies() const override { return static_cast<int>(moves_.size()); }
    Ended ended() const override { return ended_; }
    bool is_repeated() const override { return times_ > 1; }
    std::vector<Word> words() const override { return encode(position_); }

    std::vector<Word> words_before(int moves) const override {
        require(moves >= 0 && moves <= plies(), "there are fewer moves");
        Position position = start_;
        for (std::size_t i = 0; i + moves < moves_.size(); ++i) rules_->play(position, moves_[i]);
        return encode(position);
    }

    std::optional<Move> find(std::string_view text) const override {
        if (ended_ != Ended::not_yet) return std::nullopt;
        const auto known = book_->texts.find(text);
        if (known == book_->texts.end()) return std::nullopt;
        Move legal[G::max_moves];
        Move* const end = legal + rules_->moves(position_, legal);
        const Seen seen = see();
        for (Word look : known->second) {
            const Move move = book_->moves.find(look)->second.move;
            if (std::binary_search(legal, end, move) && Face<G>::look(*rules_, position_, seen, move) == look)
                return move;
        }
        return std::nullopt;
    }

    void play(std::uint64_t move) override {
        require(ended_ == Ended::not_yet, "the game is over");
        Move legal[G::max_moves];
        Move* const end = legal + rules_->moves(position_, legal);
        require(std::binary_search(legal, end, move), "that move is not legal in this position");
        go_on(static_cast<Move>(move));
    }

    std::optional<Move> make(std::string_view text) override {
        const std::optional<Move> move = find(text);
        if (move) go_on(*move);
        return move;
    }

    void take_back(int moves) override {
        require(moves >= 0 && moves <= plies(), "there are fewer moves");
        std::vector<Move> kept(moves_.begin(), moves_.end() - moves);
        begin();
        for (Move move : kept) go_on(move);
    }

    std::vector<std::uint8_t> codes() const override {
        const Seen seen = see();
        return {seen.codes, seen.codes + rules_->cells()};
    }

    std::vector<Word> unknown_moves() const override {
        Move legal[G::max_moves];
        const int count = ended_ == Ended::not_yet ? rules_->moves(position_, legal) : 0;
        const Seen seen = see();
        std::vector<Word> unknown;
        for (int i = 0; i < count; ++i) {
            const Word look = Face<G>::look(*rules_, position_, seen, legal[i]);
            if (!book_->moves.contains(look)) unknown.insert(unknown.end(), {look, legal[i]});
        }
        return unknown;
    }

    std::vector<Word> unknown_cells() const override {
        const Seen seen = see();
        std::vector<Word> unknown;
        for (int cell = 0; cell < rules_->cells(); ++cell)
            if (seen.codes[cell] && !book_->piece(cell, seen.codes[cell])) unknown.push_back(cell);
        return unknown;
    }

    bool knows_manner() const override { return book_->manners.contains(manner()); }
    Word manner() const override { return manner_of(see()); }
    void write_ranks(std::string& out) const override { write_ranks(out, see()); }

    bool write(std::string& out) const override {
        const Seen seen = see();
        const auto manner = book_->manners.find(manner_of(seen));
        if (manner == book_->manners.end()) return false;
        out += R"({"position":")";
        if (!write_ranks(out, seen)) return false;
        out += manner->second.before_pieces;
        const int cells = rules_->cells();
        bool is_first = true;
        for (int cell = 0; cell < cells; ++cell) {
            const std::uint8_t code = seen.codes[cell];
            if (!code) continue;
            const std::string* const json = book_->piece(cell, code);
            if (!json) return false;
            if (!is_first) out += ',';
            is_first = false;
            out += *json;
        }
        out += manner->second.before_moves;
        Move legal[G::max_moves];
        const int count = rules_->moves(position_, legal);
        for (int i = 0; i < count; ++i) {
            const auto known = book_->moves.find(Face<G>::look(*rules_, position_, seen, legal[i]));
            if (known == book_->moves.end()) return false;
            if (i) out += ',';
            out += known->second.json;
        }
        out += R"(],"last":)";
        if (!write_last(out)) return false;
        out += manner->second.after;
        return true;
    }

    bool write_last(std::string& out) const override {
        if (moves_.empty()) {
            out += "null";
            return true;
        }
        const auto known = book_->moves.find(last_);
        if (known == book_->moves.end()) return false;
        out += known->second.json;
        return true;
    }

   private:
    using Position = typename G::Position;

    void begin() {
        moves_.clear();
        seen_before_.clear();
        position_ = start_;
        stale_ = 0;
        ended_ = rules_->outcome(position_) == Result::ongoing ? Ended::not_yet : Ended::by_position;
        note_occurrence();
    }

    void go_on(Move move) {
        const Position before = position_;
        last_ = Face<G>::look(*rules_, before, see(), move);
        rules_->play(position_, move);
        moves_.push_back(move);
        if (rules_->outcome(position_) != Result::ongoing) ended_ = Ended::by_position;
        if constexpr (LooksBack<G>) {
            const HistoryRules& limits = rules_->history;
            if (rules_->is_progress(before, move, position_)) {
                stale_ = 0;
                seen_before_.clear();
            } else {
                ++stale_;
            }
            note_occurrence();
            if (ended_ != Ended::not_yet) return;
            if (limits.repetition && times_ >= limits.repetition)
                ended_ = Ended::by_repetition;
            else if (limits.stale_plies && stale_ >= limits.stale_plies)
                ended_ = Ended::by_stale_plies;
            else if (limits.total_plies && plies() >= limits.total_plies)
                ended_ = Ended::by_total_plies;
        }
    }

    /// Counts how often the position has come up since the last move that cannot be undone.
    void note_occurrence() {
        if constexpr (LooksBack<G>) {
            const Word key = rules_->repetition_key(position_);
            times_ = 1 + static_cast<int>(std::count(seen_before_.begin(), seen_before_.end(), key));
            seen_before_.push_back(key);
        }
    }

    Seen see() const {
        Seen seen;
        rules_->encode(position_, seen.words);
        Face<G>::see(*rules_, seen);
        return seen;
    }

    Word manner_of(const Seen& seen) const {
        return Face<G>::manner(*rules_, seen) << 1 | (Face<G>::tells_repetition && times_ > 1);
    }

    bool write_ranks(std::string& out, const Seen& seen) const {
        bool is_first = true;
        for (const auto& rank : book_->ranks) {
            if (!is_first) out += '/';
            is_first = false;
            int empty = 0;
            bool is_begun = false;
            for (std::uint16_t cell : rank) {
                const std::uint8_t code = seen.codes[cell];
                if constexpr (Face<G>::counts) {
                    if (is_begun) out += ',';
                    out += std::to_string(code);
                } else if (!code) {
                    ++empty;
                } else {
                    if (code >= book_->symbols.size() || book_->symbols[code].empty()) return false;
                    if (empty) out += std::to_string(empty);
                    empty = 0;
                    out += book_->symbols[code];
                }
                is_begun = true;
            }
            if (empty) out += std::to_string(empty);
        }
        return true;
    }

    std::vector<Word> encode(const Position& position) const {
        std::vector<Word> words(rules_->words());
        rules_->encode(position, words.data());
        return words;
    }

    const std::shared_ptr<const G> rules_;
    const std::shared_ptr<const Book> book_;
    const Position start_;
    Position position_;
    std::vector<Move> moves_;
    /// The keys of positions since the last move that cannot be undone.
    std::vector<Word> seen_before_;
    Word last_ = 0;
    int stale_ = 0, times_ = 1;
    Ended ended_ = Ended::not_yet;
};

}  // namespace tabuleiro
