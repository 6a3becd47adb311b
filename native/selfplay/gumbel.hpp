// How a search of few simulations spends them and what a net can learn from it: Danihelka, Guez, Schrittwieser and
// Silver, Policy improvement by planning with Gumbel (2022).
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "../random.hpp"

namespace tabuleiro {

/// Sequential halving: entry i is how often the candidate of simulation i has been tried before. Every candidate is
/// tried equally often, then the better half of them again, until two are left.
inline std::vector<int> halving_schedule(int candidates, int simulations) {
    std::vector<int> schedule(simulations);
    if (candidates <= 1) {
        std::iota(schedule.begin(), schedule.end(), 0);
        return schedule;
    }
    schedule.clear();
    const int halvings = static_cast<int>(std::ceil(std::log2(candidates)));
    std::vector<int> tried(candidates);
    for (int left = candidates; static_cast<int>(schedule.size()) < simulations; left = std::max(2, left / 2))
        for (int round = std::max(1, simulations / (halvings * left)); round > 0; --round)
            for (int i = 0; i < left; ++i) schedule.push_back(tried[i]++);
    schedule.resize(simulations);
    return schedule;
}

/// How much a difference of 1 in the chance to win counts against a difference of 1 in the logarithm of a prior.
struct TrustInValues {
    float visits = 50, scale = 1;
    float of(int most_visits) const { return (visits + static_cast<float>(most_visits)) * scale; }
};

/// A number from the standard Gumbel distribution: the best of sums of such numbers and logarithms of chances is a draw
/// by those chances.
inline float gumbel(Random& random) {
    const double uniform = (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53;
    return static_cast<float>(-std::log(-std::log(uniform)));
}

/// The chance to win that is ascribed to moves not tried: the net's own and what the tried ones gave, by their priors.
class MixedValue {
   public:
    void add(float prior, float chance, int visits) {
        priors_ += prior;
        weighed_ += prior * chance;
        visits_ += visits;
    }
    float of(float net_chance) const {
        if (visits_ == 0 || priors_ <= 0) return net_chance;
        return (net_chance + static_cast<float>(visits_) * weighed_ / priors_) / static_cast<float>(1 + visits_);
    }
    float priors() const { return priors_; }
    int visits() const { return visits_; }

   private:
    float priors_ = 0, weighed_ = 0;
    int visits_ = 0;
};

}  // namespace tabuleiro
