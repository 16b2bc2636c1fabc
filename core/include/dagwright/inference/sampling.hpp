// Logic sampling (Henrion 1988): each variable after its parents, one random number per cell.
//
// The number of a cell is a function of the seed, the node and the row alone (SplitMix64 at position `row` of
// the node's stream), so any split of the rows over calls and threads gives the same rows.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/base/workers.hpp"

namespace dagwright {

// Where the codes of one node go: `narrow` for up to 255 states, else `wide`. One of the two is set.
struct DrawnColumn {
    std::uint8_t* narrow = nullptr;
    std::uint16_t* wide = nullptr;
};

class Sampler {
  public:
    // The nodes come parents first. `stream` numbers the random stream of a node; `table` holds P(node |
    // parents) with the node's states fastest, then the last parent's.
    void add(std::uint32_t cardinality, std::vector<std::uint32_t> parents, std::uint64_t stream,
             std::span<const double> table);

    std::size_t nodes() const noexcept { return nodes_.size(); }
    std::uint32_t cardinality(std::size_t node) const { return nodes_[node].cardinality; }

    // Draws rows first .. first + rows - 1 of the sequence that `seed` names; columns in the order of add().
    void draw(std::uint64_t seed, std::uint64_t first, std::size_t rows, std::span<const DrawnColumn> columns,
              Workers& workers) const;

  private:
    struct Node {
        std::uint32_t cardinality;
        std::vector<std::uint32_t> parents;
        std::uint64_t stream;
        std::vector<std::uint64_t> thresholds;  // cardinality - 1 for each parent configuration
    };

    void draw_block(std::uint64_t seed, std::uint64_t first, std::size_t start, std::size_t rows,
                    std::span<const DrawnColumn> columns) const;

    std::vector<Node> nodes_;
};

}  // namespace dagwright
