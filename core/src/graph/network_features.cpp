#include "dagwright/graph/network_features.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>
#include <unordered_map>

#include "dagwright/base/bit_row.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/base/watch.hpp"

namespace dagwright {

namespace {

// Sums are kept side by side and added at the end, whatever the number of threads.
constexpr std::size_t kLanes = 4;

void join(Word* row, const Word* other, std::size_t words) {
    for (std::size_t w = 0; w < words; ++w) row[w] |= other[w];
}

class Tally {
  public:
    explicit Tally(std::size_t n)
        : paths(n * n, 0.0), blankets(n * n, 0.0), n_(n), words_(words_for(n)), ancestors_(n * words_) {}

    void add(const Word* parents, double weight) {
        add_paths(parents, weight);
        add_blankets(parents, weight);
        add_colliders(parents, weight);
    }

    std::vector<double> paths, blankets;
    std::unordered_map<std::uint64_t, double> colliders;  // by (c n + a) n + b

  private:
    void add_paths(const Word* parents, double weight) {
        std::fill(ancestors_.begin(), ancestors_.end(), Word{0});
        done_.assign(n_, 0);
        for (std::size_t v = 0; v < n_; ++v) close(parents, v);
        for (std::size_t v = 0; v < n_; ++v)
            for_each_bit(std::span<const Word>(ancestors_.data() + v * words_, words_),
                         [&](std::size_t s) { paths[s * n_ + v] += weight; });
    }
    // The ancestors of a variable: its parents and theirs, which are found first.
    void close(const Word* parents, std::size_t first) {
        waiting_.assign(1, first);
        while (!waiting_.empty()) {
            const std::size_t v = waiting_.back();
            const Word* const mine = parents + v * words_;
            const std::size_t before = waiting_.size();
            if (done_[v] == 0)
                for_each_bit(std::span<const Word>(mine, words_), [&](std::size_t p) {
                    if (done_[p] == 0) waiting_.push_back(p);
                });
            if (waiting_.size() > n_ * n_) throw Error("a network with a cycle");
            if (waiting_.size() > before) continue;
            waiting_.pop_back();
            if (done_[v] != 0) continue;
            done_[v] = 1;
            Word* const row = ancestors_.data() + v * words_;
            join(row, mine, words_);
            for_each_bit(std::span<const Word>(mine, words_),
                         [&](std::size_t p) { join(row, ancestors_.data() + p * words_, words_); });
        }
    }

    void add_blankets(const Word* parents, double weight) {
        BitRow& moral = ancestors_;
        std::fill(moral.begin(), moral.end(), Word{0});
        for (std::size_t c = 0; c < n_; ++c) {
            family_.assign(parents + c * words_, parents + (c + 1) * words_);
            set_bit(family_.data(), c);
            for_each_bit(std::span<const Word>(family_.data(), words_),
                         [&](std::size_t x) { join(moral.data() + x * words_, family_.data(), words_); });
        }
        for (std::size_t x = 0; x < n_; ++x) {
            clear_bit(moral.data() + x * words_, x);
            for_each_bit(std::span<const Word>(moral.data() + x * words_, words_),
                         [&](std::size_t y) { blankets[x * n_ + y] += weight; });
        }
    }

    void add_colliders(const Word* parents, double weight) {
        for (std::size_t c = 0; c < n_; ++c) {
            members_.clear();
            for_each_bit(std::span<const Word>(parents + c * words_, words_),
                         [&](std::size_t p) { members_.push_back(p); });
            for (std::size_t j = 1; j < members_.size(); ++j)
                for (std::size_t i = 0; i < j; ++i) {
                    const std::size_t a = members_[i], b = members_[j];
                    if (!has_bit(parents + a * words_, b) && !has_bit(parents + b * words_, a))
                        colliders[(c * n_ + a) * n_ + b] += weight;
                }
        }
    }

    std::size_t n_, words_;
    BitRow ancestors_, family_;
    std::vector<char> done_;
    std::vector<std::size_t> waiting_, members_;
};

// The bits beyond the last variable must be clear: sums are indexed by the bits that are set.
void require_known_parents(std::span<const Word> parents, std::size_t variables, std::size_t words) {
    const std::size_t used = variables % word_bits;
    if (used == 0) return;
    for (std::size_t last = words - 1; last < parents.size(); last += words)
        if (parents[last] >> used != 0)
            throw Error("a network has a parent that does not exist; there are " + std::to_string(variables) +
                        " variables");
}

}  // namespace

NetworkFeatures network_features(std::span<const std::uint64_t> parents, std::size_t variables,
                                 std::span<const double> weights, Control& control) {
    const std::size_t words = words_for(variables), size = variables * words;
    if (parents.size() != weights.size() * size) throw Error("one weight and one set of parents per network");
    require_known_parents(parents, variables, words);
    Watch watch(control, "networks", weights.size());
    std::vector<Tally> lanes(kLanes, Tally(variables));
    watch.workers().run(kLanes, [&](std::size_t lane, unsigned worker) {
        for (std::size_t i = lane; i < weights.size() && !watch.halted(); i += kLanes) {
            lanes[lane].add(parents.data() + i * size, weights[i]);
            watch.step(worker, "features of networks");
        }
    });
    NetworkFeatures found;
    if (watch.halted()) {
        found.stop = watch.stop();
        return found;
    }
    Tally& first = lanes.front();
    for (std::size_t lane = 1; lane < kLanes; ++lane) {
        for (std::size_t i = 0; i < first.paths.size(); ++i) {
            first.paths[i] += lanes[lane].paths[i];
            first.blankets[i] += lanes[lane].blankets[i];
        }
        for (const auto& [key, weight] : lanes[lane].colliders) first.colliders[key] += weight;
    }
    found.paths = std::move(first.paths);
    found.blankets = std::move(first.blankets);
    for (const auto& [key, weight] : first.colliders)
        found.v_structures.push_back({static_cast<Var>(key / variables % variables),
                                      static_cast<Var>(key / variables / variables),
                                      static_cast<Var>(key % variables), weight});
    std::sort(found.v_structures.begin(), found.v_structures.end(), [](const Collider& x, const Collider& y) {
        return std::tie(x.c, x.a, x.b) < std::tie(y.c, y.a, y.b);
    });
    return found;
}

}  // namespace dagwright
