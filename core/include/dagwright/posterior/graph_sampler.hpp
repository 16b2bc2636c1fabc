// Several walks over networks side by side, and what they visit.
#pragma once
#include <memory>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/posterior/graph_walk.hpp"

namespace dagwright {

enum class WalkKind { order, partition, structure };

// What was seen, chain by chain and within a chain visit by visit.
struct Visits {
    std::size_t per_chain = 0;
    std::vector<double> log_weights;  // of the states
    std::vector<Word> networks;       // per visit and variable a bit row of its parents
    std::vector<float> arcs;          // per visit the probabilities given the state: row parent, column child
    Stop stop = Stop::none;
};

class GraphSampler {
  public:
    // One chain per seed, each starting at `network`, which must be possible.
    GraphSampler(std::shared_ptr<const FamilySums> sums, WalkKind kind,
                 const std::vector<std::uint64_t>& seeds, const std::vector<VarSet>& network);
    GraphSampler(const GraphSampler&) = delete;
    GraphSampler& operator=(const GraphSampler&) = delete;

    std::size_t chains() const noexcept { return walks_.size(); }
    GraphWalk& walk(std::size_t chain) { return *walks_[chain]; }
    const FamilySums& sums() const noexcept { return *sums_; }

    // `thin` moves before each visit. A stop ends all chains; visits that not all of them have made are left
    // out. Chains do not know of each other, so the number of threads changes nothing.
    Visits advance(std::size_t visits, std::size_t thin, bool with_arcs, Control& control);

  private:
    void record(GraphWalk& walk, std::size_t at, bool with_arcs, Visits& seen) const;

    std::shared_ptr<const FamilySums> sums_;
    std::vector<std::unique_ptr<GraphWalk>> walks_;
};

}  // namespace dagwright
