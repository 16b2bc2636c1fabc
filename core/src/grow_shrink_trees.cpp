#include "dagwright/grow_shrink_trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dagwright {

namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();
constexpr std::size_t kMostBranches = 20'000'000;  // about 500 MB

bool holds(const std::vector<Word>& row, Var v) {
    return ((row[v / word_bits] >> (v % word_bits)) & Word{1}) != 0;
}

}  // namespace

GrowShrinkTrees::GrowShrinkTrees(LocalScore& score, const Knowledge& knowledge, std::size_t max_parents,
                                 Control& control)
    : score_(score),
      knowledge_(knowledge),
      max_parents_(max_parents),
      control_(control),
      tolerance_(score.tolerance()),
      trees_(score.variables()) {
    for (Var child = 0; child < trees_.size(); ++child) plant(child);
}

void GrowShrinkTrees::plant(Var child) {
    Tree& tree = trees_[child];
    tree.most = std::min(max_parents_, knowledge_.max_parents(child));
    tree.required = VarSet::of(knowledge_.required_parents(child));
    tree.allowed = knowledge_.allowed_parents(child);
    for (const Var other : tree.allowed)
        if (knowledge_.requires_link(other, child) && !tree.required.contains(other))
            tree.links = tree.links.with(other);
    tree.nodes.resize(1);
    tree.nodes[0].set = tree.required;
    tree.nodes[0].score = scores(child, {tree.required})[0];
}

std::vector<double> GrowShrinkTrees::scores(Var child, const std::vector<VarSet>& sets) {
    std::vector<Family> families;
    families.reserve(sets.size());
    for (const VarSet& set : sets) families.push_back({child, set});
    std::vector<double> values(sets.size());
    if (!families.empty()) score_.local(families, values, control_);
    evaluations_ += families.size();
    for (double& value : values)
        if (std::isnan(value)) value = kWorst;
    return values;
}

// Scores every variable that could be added. Those that gain come first, best first; neighbours that must be
// joined are kept whatever they gain.
void GrowShrinkTrees::rank(Var child, std::uint32_t at) {
    Tree& tree = trees_[child];
    Node& node = tree.nodes[at];
    node.ranked = true;
    std::vector<VarSet> sets;
    std::vector<Var> added;
    for (const Var v : tree.allowed)
        if (!node.set.contains(v)) {
            sets.push_back(node.set.with(v));
            added.push_back(v);
        }
    const std::vector<double> values = scores(child, sets);
    for (std::size_t i = 0; i < added.size(); ++i)
        if (values[i] > node.score + tolerance_ || tree.links.contains(added[i]))
            node.branches.push_back({added[i], values[i], kNone});
    std::stable_sort(node.branches.begin(), node.branches.end(),
                     [](const Branch& a, const Branch& b) { return a.score > b.score; });
    branches_ += node.branches.size();
}

std::uint32_t GrowShrinkTrees::follow(Tree& tree, std::uint32_t at, std::size_t which) {
    const Branch branch = tree.nodes[at].branches[which];
    if (branch.node != kNone) return branch.node;
    const auto next = static_cast<std::uint32_t>(tree.nodes.size());
    Node node;
    node.set = tree.nodes[at].set.with(branch.added);
    node.score = branch.score;
    tree.nodes.push_back(std::move(node));
    tree.nodes[at].branches[which].node = next;
    return next;
}

void GrowShrinkTrees::shrink(Var child, std::uint32_t at) {
    Tree& tree = trees_[child];
    Node& node = tree.nodes[at];
    node.is_shrunk = true;
    node.shrunk = node.set;
    node.shrunk_score = node.score;
    for (;;) {
        std::vector<VarSet> sets;
        for (const Var v : node.shrunk)
            if (!tree.required.contains(v) && !tree.links.contains(v)) sets.push_back(node.shrunk.without(v));
        const std::vector<double> values = scores(child, sets);
        const auto best = std::max_element(values.begin(), values.end());
        if (best == values.end() || !(*best > node.shrunk_score + tolerance_)) return;
        node.shrunk_score = *best;
        node.shrunk = sets[static_cast<std::size_t>(best - values.begin())];
    }
}

GrownParents GrowShrinkTrees::find(Var child, const std::vector<Word>& before) {
    Tree& tree = trees_[child];
    for (const Var v : tree.required)
        if (!holds(before, v)) return {kWorst, nullptr};
    std::uint32_t at = 0;
    for (;;) {
        if (!tree.nodes[at].ranked) rank(child, at);
        const std::vector<Branch>& branches = tree.nodes[at].branches;
        const VarSet& set = tree.nodes[at].set;
        const bool must = std::any_of(tree.links.begin(), tree.links.end(),
                                      [&](Var v) { return holds(before, v) && !set.contains(v); });
        std::size_t which = 0;
        while (which < branches.size() &&
               !(holds(before, branches[which].added) &&
                 (must ? tree.links.contains(branches[which].added)
                       : branches[which].score > tree.nodes[at].score + tolerance_)))
            ++which;
        if (which == branches.size()) break;
        if (set.size() >= tree.most) {
            if (must) return {kWorst, nullptr};
            break;
        }
        at = follow(tree, at, which);
    }
    if (tree.nodes[at].set.size() > tree.most) return {kWorst, nullptr};
    if (!tree.nodes[at].is_shrunk) shrink(child, at);
    return {tree.nodes[at].shrunk_score, &tree.nodes[at].shrunk};
}

void GrowShrinkTrees::trim() {
    if (branches_ <= kMostBranches) return;
    branches_ = 0;
    for (Tree& tree : trees_) {
        Node root;
        root.set = tree.nodes[0].set;
        root.score = tree.nodes[0].score;
        tree.nodes.assign(1, std::move(root));
    }
}

}  // namespace dagwright
