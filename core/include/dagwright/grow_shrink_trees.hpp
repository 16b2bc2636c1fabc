// The parents that growing and shrinking choose among given predecessors, remembered as trees.
//
// Growing adds the predecessor that raises the score most while one does; shrinking then drops in the same
// way. Growing under different predecessors takes the same steps as long as the same variables are there, so
// the steps of one child form a tree: each node ranks all variables that would still raise the score, and the
// first of them that is a predecessor is the branch to follow (Andrews et al. 2023).
#pragma once
#include <cstdint>
#include <vector>

#include "dagwright/bit_matrix.hpp"
#include "dagwright/control.hpp"
#include "dagwright/knowledge.hpp"
#include "dagwright/score.hpp"

namespace dagwright {

struct GrownParents {
    double score;
    const VarSet* parents;  // null if knowledge allows none among these predecessors
};

class GrowShrinkTrees {
  public:
    GrowShrinkTrees(LocalScore& score, const Knowledge& knowledge, std::size_t max_parents, Control& control);

    // `before`: bit row of the predecessors.
    GrownParents find(Var child, const std::vector<Word>& before);

    std::uint64_t evaluations() const noexcept { return evaluations_; }
    // Forgets the trees when they have outgrown the memory meant for them. Ends what find() returned.
    void trim();

  private:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    struct Branch {
        Var added;
        double score;
        std::uint32_t node;  // kNone until it is first followed
    };
    struct Node {
        VarSet set, shrunk;
        double score = 0.0, shrunk_score = 0.0;
        bool ranked = false, is_shrunk = false;
        std::vector<Branch> branches;  // best first
    };
    struct Tree {
        std::vector<Node> nodes;
        std::vector<Var> allowed;
        VarSet required, links;
        std::size_t most = 0;
    };

    void plant(Var child);
    void rank(Var child, std::uint32_t node);
    void shrink(Var child, std::uint32_t node);
    std::uint32_t follow(Tree& tree, std::uint32_t node, std::size_t branch);
    std::vector<double> scores(Var child, const std::vector<VarSet>& sets);

    LocalScore& score_;
    const Knowledge& knowledge_;
    std::size_t max_parents_;
    Control& control_;
    double tolerance_;
    std::vector<Tree> trees_;
    std::uint64_t evaluations_ = 0;
    std::size_t branches_ = 0;
};

}  // namespace dagwright
