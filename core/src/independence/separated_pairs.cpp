#include "dagwright/independence/separated_pairs.hpp"

#include <algorithm>

#include "dagwright/base/errors.hpp"
#include "dagwright/graph/block_cut.hpp"

namespace dagwright {

SeparatedPairs::SeparatedPairs(BitMatrix linked, std::vector<VarPair> pairs, std::vector<VarSet> given)
    : linked_(std::move(linked)), pairs_(std::move(pairs)), given_(std::move(given)) {
    place_.reserve(pairs_.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i)
        place_.emplace(pairs_[i].first * linked_.size() + pairs_[i].second, i);
}

std::size_t SeparatedPairs::find(Var a, Var b) const {
    const auto found = place_.find(std::min(a, b) * linked_.size() + std::max(a, b));
    return found == place_.end() ? kNone : found->second;
}

const VarSet& SeparatedPairs::given(Var a, Var b) const {
    const std::size_t at = find(a, b);
    if (at == kNone) throw Error("nothing was found to separate a pair of variables");
    return given_[at];
}

std::vector<UnshieldedTriple> SeparatedPairs::colliders(std::vector<UnshieldedTriple>& open) const {
    std::vector<UnshieldedTriple> result;
    std::vector<Var> near;
    for (Var c = 0; c < linked_.size(); ++c) {
        near.clear();
        linked_.for_each_in_row(c, [&](std::size_t v) { near.push_back(static_cast<Var>(v)); });
        for (std::size_t i = 0; i < near.size(); ++i) {
            for (std::size_t j = i + 1; j < near.size(); ++j) {
                if (linked_.get(near[i], near[j])) continue;
                const std::size_t at = find(near[i], near[j]);
                if (at == kNone)
                    open.push_back({near[i], c, near[j]});
                else if (!given_[at].contains(c))
                    result.push_back({near[i], c, near[j]});
            }
        }
    }
    return result;
}

// The strongly connected components with more than one member (Tarjan 1972).
std::vector<std::vector<std::size_t>> SeparatedPairs::circles() const {
    const std::size_t n = pairs_.size();
    std::vector<std::vector<std::size_t>> relies(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (const Var s : given_[i]) {
            for (const Var end : {pairs_[i].first, pairs_[i].second}) {
                const std::size_t on = find(end, s);
                if (on != kNone && !given_[on].empty()) relies[i].push_back(on);
            }
        }
    }
    struct Step {
        std::size_t node, next;
    };
    std::vector<std::vector<std::size_t>> result;
    std::vector<std::size_t> index(n, kNone), lowest(n, 0), open;
    std::vector<bool> is_open(n, false);
    std::vector<Step> path;
    std::size_t seen = 0;
    const auto enter = [&](std::size_t node) {
        index[node] = lowest[node] = seen++;
        open.push_back(node);
        is_open[node] = true;
        path.push_back({node, 0});
    };
    for (std::size_t root = 0; root < n; ++root) {
        if (index[root] != kNone || relies[root].empty()) continue;
        enter(root);
        while (!path.empty()) {
            const std::size_t node = path.back().node;
            if (path.back().next < relies[node].size()) {
                const std::size_t other = relies[node][path.back().next++];
                if (index[other] == kNone)
                    enter(other);
                else if (is_open[other])
                    lowest[node] = std::min(lowest[node], index[other]);
                continue;
            }
            path.pop_back();
            if (!path.empty()) {
                std::size_t& above = lowest[path.back().node];
                above = std::min(above, lowest[node]);
            }
            if (lowest[node] != index[node]) continue;
            std::vector<std::size_t> component;
            do {
                component.push_back(open.back());
                is_open[open.back()] = false;
                open.pop_back();
            } while (component.back() != node);
            if (component.size() > 1) result.push_back(std::move(component));
        }
    }
    return result;
}

std::vector<std::vector<VarPair>> SeparatedPairs::uncertain_regions() const {
    std::vector<std::vector<VarPair>> regions;
    const std::vector<std::vector<std::size_t>> found = circles();
    if (found.empty()) return regions;
    const BlockCutForest forest(linked_);
    for (const std::vector<std::size_t>& circle : found) {
        const bool explained = std::all_of(circle.begin(), circle.end(), [&](std::size_t i) {
            return forest.on_paths(pairs_[i].first, pairs_[i].second, given_[i]);
        });
        if (explained) continue;
        std::vector<VarPair>& region = regions.emplace_back();
        for (const std::size_t i : circle) region.push_back(pairs_[i]);
        std::sort(region.begin(), region.end());
    }
    std::sort(regions.begin(), regions.end());
    return regions;
}

}  // namespace dagwright
