#include "dagwright/posterior/graph_sampler.hpp"

#include <algorithm>
#include <bit>

#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

// How many moves are made between two looks at the clock.
constexpr std::size_t kMovesPerLook = 256;

std::unique_ptr<GraphWalk> make_walk(WalkKind kind, const FamilySums& sums, std::uint64_t seed) {
    if (kind == WalkKind::order) return order_walk(sums, seed);
    if (kind == WalkKind::partition) return partition_walk(sums, seed);
    return structure_walk(sums, seed);
}

}  // namespace

GraphSampler::GraphSampler(std::shared_ptr<const FamilySums> sums, WalkKind kind,
                           const std::vector<std::uint64_t>& seeds, const std::vector<VarSet>& network)
    : sums_(std::move(sums)) {
    if (seeds.empty() || network.empty()) throw Error("sampling needs at least one chain and one variable");
    if (network.size() != sums_->variables())
        throw Error("a starting network needs one parent set per variable");
    std::vector<FamilyWeights::Mask> masks;
    for (Var child = 0; child < network.size(); ++child) {
        FamilyWeights::Mask mask = 0;
        for (const Var parent : network[child]) {
            const FamilyWeights::Mask bit = sums_->weights().bit(child, parent);
            if (bit == 0) throw Error("the network to start from has a parent that is no candidate");
            mask |= bit;
        }
        masks.push_back(mask);
    }
    for (const std::uint64_t seed : seeds) {
        walks_.push_back(make_walk(kind, *sums_, seed));
        walks_.back()->start(masks);
    }
}

void GraphSampler::record(GraphWalk& walk, std::size_t at, bool with_arcs, Visits& seen) const {
    const FamilyWeights& weights = sums_->weights();
    const std::size_t n = weights.variables(), words = words_for(n);
    seen.log_weights[at] = walk.log_weight();
    std::vector<FamilyWeights::Mask> network(n);
    walk.draw(network);
    for (Var child = 0; child < n; ++child) {
        const std::span<const Var> candidates = weights.candidates(child);
        Word* row = &seen.networks[(at * n + child) * words];
        for (FamilyWeights::Mask rest = network[child]; rest != 0; rest &= rest - 1) {
            const Var parent = candidates[static_cast<std::size_t>(std::countr_zero(rest))];
            set_bit(row, parent);
        }
        if (!with_arcs) continue;
        std::vector<double> probabilities(candidates.size());
        walk.arcs_into(child, probabilities);
        for (std::size_t i = 0; i < candidates.size(); ++i)
            seen.arcs[(at * n + candidates[i]) * n + child] = static_cast<float>(probabilities[i]);
    }
}

Visits GraphSampler::advance(std::size_t visits, std::size_t thin, bool with_arcs, Control& control) {
    const std::size_t n = sums_->variables(), words = words_for(n);
    // More than the largest vector, and the sizes below would wrap around.
    if (static_cast<double>(chains()) * static_cast<double>(visits) * static_cast<double>(n) *
            static_cast<double>(std::max(words, n)) >
        1e15)
        throw CapacityError("the visits of " + std::to_string(visits) +
                            " samples do not fit in memory; take fewer");
    Visits seen;
    seen.log_weights.resize(chains() * visits);
    seen.networks.resize(chains() * visits * n * words);
    if (with_arcs) seen.arcs.resize(chains() * visits * n * n);
    std::vector<std::size_t> made(chains(), 0);
    // Short rounds, so that the calling thread, which alone may look at the clock, is never long away.
    const std::size_t round = std::max<std::size_t>(1, std::min<std::size_t>(visits, 1 + 20'000 / thin));
    for (std::size_t done = 0; done < visits && !control.halted(); done += round) {
        const std::size_t until = std::min(visits, done + round);
        control.workers().run(chains(), [&](std::size_t chain, unsigned worker) {
            GraphWalk& walk = *walks_[chain];
            std::size_t moves = 0;
            for (std::size_t at = done; at < until; ++at) {
                for (std::size_t i = 0; i < thin; ++i) {
                    walk.step();
                    if (++moves % kMovesPerLook == 0 && worker == 0) control.should_stop();
                    if (control.halted()) return;
                }
                record(walk, chain * visits + at, with_arcs, seen);
                made[chain] = at + 1;
            }
        });
        control.should_stop();
    }
    seen.per_chain = *std::min_element(made.begin(), made.end());
    seen.stop = control.should_stop();
    return seen;
}

}  // namespace dagwright
