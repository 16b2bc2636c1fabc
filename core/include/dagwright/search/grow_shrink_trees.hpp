// The parents that growing and shrinking choose among given predecessors, remembered as trees.
//
// Growing adds the predecessor that raises the score most while one does; shrinking then drops in the same
// way. Growing under different predecessors takes the same steps as long as the same variables are there, so
// the steps of one child form a tree: each node ranks all variables that would still raise the score, and the
// first of them that is a predecessor is the branch to follow (Andrews et al. 2023).
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dagwright/base/bit_matrix.hpp"
#include "dagwright/base/control.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/graph/knowledge.hpp"

namespace dagwright {

struct GrownParents {
    double score;
    const VarSet* parents;  // null if knowledge allows none among these predecessors
};

class GrowShrinkTrees {
  public:
    GrowShrinkTrees(LocalScore& score, const Knowledge& knowledge, std::size_t max_parents, Control& control);

    struct Query {
        Var child;
        BitRow before;  // bit row of the predecessors
    };

    // From now on only so many parents of each variable are tried, those that raise the score most alone, and
    // what `also` has.
    void limit(std::size_t most, const std::vector<VarSet>& also);
    // Whether the answers for a child can depend on this predecessor.
    bool matters(Var child, Var predecessor) const;
    // Scores what the answers need, in as few batches as growing has steps. False when asked to stop before
    // all was scored.
    bool prepare(const std::vector<Query>& queries);
    GrownParents find(Var child, const BitRow& before);

    std::uint64_t evaluations() const noexcept { return evaluations_; }
    // Forgets the trees when they have outgrown the memory meant for them, and says whether. Ends what find()
    // returned.
    bool trim();

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

    using Place = std::pair<Var, std::uint32_t>;  // child, node of its tree
    enum class End : std::uint8_t { grown, unranked, illegal };
    struct Reached {
        std::uint32_t node;
        End end;
    };

    void plant(Var child);
    static bool can_grow(const Tree& tree, const Node& node, const BitRow& before);
    // As far as the tree is known.
    Reached grow(Var child, const BitRow& before);
    // False when asked to stop, unless `must`, before all were ranked.
    bool rank(const std::vector<Place>& places, bool must = false);
    void rank_by(Place place, std::span<const Var> added, std::span<const double> values);
    void shrink(std::vector<Place> places);
    std::uint32_t follow(Tree& tree, std::uint32_t node, std::size_t branch);
    std::vector<double> scores(const std::vector<Family>& families);

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
