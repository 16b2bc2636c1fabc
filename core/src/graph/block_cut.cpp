#include "dagwright/graph/block_cut.hpp"

#include <algorithm>

namespace dagwright {

BlockCutForest::BlockCutForest(const BitMatrix& linked) : n_(linked.size()), parent_(n_, kNone) {
    std::vector<std::vector<std::size_t>> near(n_);
    for (std::size_t v = 0; v < n_; ++v)
        linked.for_each_in_row(v, [&](std::size_t other) { near[v].push_back(other); });
    struct Step {
        std::size_t node, next;
    };
    std::vector<std::size_t> depth(n_, kNone), low(n_, 0);
    std::vector<std::size_t> open;  // nodes whose block is not closed yet
    std::vector<Step> path;
    for (std::size_t root = 0; root < n_; ++root) {
        if (depth[root] != kNone) continue;
        depth[root] = low[root] = 0;
        path.push_back({root, 0});
        while (!path.empty()) {
            const std::size_t node = path.back().node;
            if (path.back().next < near[node].size()) {
                const std::size_t other = near[node][path.back().next++];
                if (depth[other] == kNone) {
                    depth[other] = low[other] = depth[node] + 1;
                    open.push_back(other);
                    path.push_back({other, 0});
                } else {
                    low[node] = std::min(low[node], depth[other]);
                }
                continue;
            }
            path.pop_back();
            if (path.empty()) break;
            const std::size_t above = path.back().node;
            low[above] = std::min(low[above], low[node]);
            if (low[node] < depth[above]) continue;
            const std::size_t block = parent_.size();
            parent_.push_back(above);
            std::size_t member = kNone;
            while (member != node) {
                member = open.back();
                open.pop_back();
                parent_[member] = block;
            }
        }
    }
}

std::vector<std::size_t> BlockCutForest::blocks_between(std::size_t x, std::size_t y) const {
    std::vector<std::size_t> up;
    for (std::size_t at = x; at != kNone; at = parent_[at]) up.push_back(at);
    std::vector<std::size_t> way;
    std::size_t at = y;
    for (; at != kNone && std::find(up.begin(), up.end(), at) == up.end(); at = parent_[at])
        way.push_back(at);
    if (at == kNone) return {};
    for (const std::size_t node : up) {
        way.push_back(node);
        if (node == at) break;
    }
    std::erase_if(way, [&](std::size_t node) { return node < n_; });
    return way;
}

}  // namespace dagwright
