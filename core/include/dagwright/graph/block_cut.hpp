// Which nodes lie on simple paths between two nodes: the forest of blocks and cut nodes (Hopcroft & Tarjan
// 1973).
#pragma once
#include <cstddef>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"

namespace dagwright {

class BlockCutForest {
  public:
    // `linked` is symmetric.
    explicit BlockCutForest(const BitMatrix& linked);

    // Whether all of `nodes` lie on simple paths between x and y.
    template <class Nodes>
    bool on_paths(std::size_t x, std::size_t y, const Nodes& nodes) const {
        const std::vector<std::size_t> blocks = blocks_between(x, y);
        for (const std::size_t node : nodes) {
            bool inside = false;
            for (const std::size_t block : blocks)
                inside = inside || parent_[node] == block || parent_[block] == node;
            if (!inside) return false;
        }
        return true;
    }

  private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    // The blocks on the way between two different nodes; none where there is no way.
    std::vector<std::size_t> blocks_between(std::size_t x, std::size_t y) const;

    // Nodes are 0..n-1, blocks follow. The parent of a node is a block, that of a block the node through
    // which the search entered it.
    std::size_t n_;
    std::vector<std::size_t> parent_;
};

}  // namespace dagwright
