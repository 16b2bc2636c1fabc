#include "dagwright/search/grow_shrink_trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dagwright {

namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();
constexpr std::size_t kMostBranches = 20'000'000;  // about 500 MB
constexpr std::size_t kBatch = 65536;              // families, so that a batch stays small and can be stopped
constexpr std::size_t kManyAdditions = 128;        // scored at once, by scores that can

std::vector<std::pair<Var, std::uint32_t>> distinct(std::vector<std::pair<Var, std::uint32_t>> places) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
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
    std::vector<Family> roots;
    for (Var child = 0; child < trees_.size(); ++child) {
        plant(child);
        roots.push_back({child, trees_[child].required});
    }
    const std::vector<double> values = scores(roots);
    for (Var child = 0; child < trees_.size(); ++child) trees_[child].nodes[0].score = values[child];
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
}

void GrowShrinkTrees::limit(std::size_t most, const std::vector<VarSet>& also) {
    std::vector<Place> roots;
    for (Var child = 0; child < trees_.size(); ++child)
        if (trees_[child].allowed.size() > most) roots.emplace_back(child, 0);
    if (!rank(roots)) return;
    for (const auto& [child, at] : roots) {
        Tree& tree = trees_[child];
        std::vector<Branch>& branches = tree.nodes[at].branches;
        std::vector<Branch> kept;
        for (const Branch& branch : branches)
            if (kept.size() < most || also[child].contains(branch.added) || tree.links.contains(branch.added))
                kept.push_back(branch);
        VarSet tried = also[child].united(tree.required).united(tree.links);
        for (const Branch& branch : kept) tried = tried.with(branch.added);
        std::erase_if(tree.allowed, [&](Var v) { return !tried.contains(v); });
        branches_ -= branches.size() - kept.size();
        branches = std::move(kept);
    }
}

std::vector<double> GrowShrinkTrees::scores(const std::vector<Family>& families) {
    std::vector<double> values(families.size());
    if (!families.empty()) score_.local(families, values, control_);
    evaluations_ += families.size();
    for (double& value : values)
        if (std::isnan(value)) value = kWorst;
    return values;
}

// Scores every variable that could be added, for many places in one batch.
bool GrowShrinkTrees::rank(const std::vector<Place>& places, bool must) {
    std::vector<Family> families;
    std::vector<std::vector<Var>> added;
    std::size_t first = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& [child, at] = places[i];
        const VarSet& set = trees_[child].nodes[at].set;
        std::vector<Var>& mine = added.emplace_back();
        for (const Var v : trees_[child].allowed)
            if (!set.contains(v)) mine.push_back(v);
        const bool at_once = mine.size() >= kManyAdditions && score_.adds_at_once();
        if (!at_once)
            for (const Var v : mine) families.push_back({child, set.with(v)});
        const bool last = i + 1 == places.size();
        if (!last && !at_once && families.size() < kBatch) continue;
        if (!must && control_.should_stop() != Stop::none) return false;
        const std::vector<double> values = scores(families);
        std::size_t next = 0;
        for (std::size_t k = first; k < i + (at_once ? 0 : 1); next += added[k++ - first].size())
            rank_by(places[k], added[k - first], std::span(values).subspan(next, added[k - first].size()));
        if (at_once) {
            std::vector<double> own(mine.size());
            score_.additions(child, set, mine, own, control_);
            evaluations_ += mine.size();
            for (double& value : own)
                if (std::isnan(value)) value = kWorst;
            rank_by(places[i], mine, own);
            control_.report(
                {.phase = "ranking parents", .done = i + 1, .total = places.size(), .unit = "variables"});
        }
        families.clear();
        added.clear();
        first = i + 1;
    }
    return true;
}

// Those that gain come first, best first; neighbors that must be joined are kept whatever they gain.
void GrowShrinkTrees::rank_by(Place place, std::span<const Var> added, std::span<const double> values) {
    const Tree& tree = trees_[place.first];
    Node& node = trees_[place.first].nodes[place.second];
    node.ranked = true;
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

// Drops what raises the score most when dropped, while anything does.
void GrowShrinkTrees::shrink(std::vector<Place> places) {
    for (const auto& [child, at] : places) {
        Node& node = trees_[child].nodes[at];
        node.is_shrunk = true;
        node.shrunk = node.set;
        node.shrunk_score = node.score;
    }
    while (!places.empty()) {
        // Of one parent that was added nothing can be dropped: it has just gained.
        std::erase_if(places, [&](const Place& place) {
            const Tree& tree = trees_[place.first];
            return tree.nodes[place.second].shrunk.size() <= tree.required.size() + 1;
        });
        std::vector<Family> families;
        std::vector<std::size_t> ends;
        for (const auto& [child, at] : places) {
            const Tree& tree = trees_[child];
            const VarSet& set = tree.nodes[at].shrunk;
            for (const Var v : set)
                if (!tree.required.contains(v) && !tree.links.contains(v))
                    families.push_back({child, set.without(v)});
            ends.push_back(families.size());
        }
        const std::vector<double> values = scores(families);
        std::vector<Place> changed;
        std::size_t begin = 0;
        for (std::size_t i = 0; i < places.size(); begin = ends[i++]) {
            Node& node = trees_[places[i].first].nodes[places[i].second];
            std::size_t best = begin;
            for (std::size_t k = begin; k < ends[i]; ++k)
                if (values[k] > values[best]) best = k;
            if (best == ends[i] || !(values[best] > node.shrunk_score + tolerance_)) continue;
            node.shrunk_score = values[best];
            node.shrunk = families[best].parents;
            changed.push_back(places[i]);
        }
        places = std::move(changed);
    }
}

bool GrowShrinkTrees::can_grow(const Tree& tree, const Node& node, const BitRow& before) {
    return std::any_of(tree.allowed.begin(), tree.allowed.end(),
                       [&](Var v) { return has_bit(before, v) && !node.set.contains(v); });
}

GrowShrinkTrees::Reached GrowShrinkTrees::grow(Var child, const BitRow& before) {
    Tree& tree = trees_[child];
    for (const Var v : tree.required)
        if (!has_bit(before, v)) return {0, End::illegal};
    std::uint32_t at = 0;
    while (can_grow(tree, tree.nodes[at], before)) {
        if (!tree.nodes[at].ranked) return {at, End::unranked};
        const std::vector<Branch>& branches = tree.nodes[at].branches;
        const VarSet& set = tree.nodes[at].set;
        const bool must = std::any_of(tree.links.begin(), tree.links.end(),
                                      [&](Var v) { return has_bit(before, v) && !set.contains(v); });
        std::size_t which = 0;
        while (which < branches.size() &&
               !(has_bit(before, branches[which].added) &&
                 (must ? tree.links.contains(branches[which].added)
                       : branches[which].score > tree.nodes[at].score + tolerance_)))
            ++which;
        if (which == branches.size()) break;
        if (set.size() >= tree.most) {
            if (must) return {at, End::illegal};
            break;
        }
        at = follow(tree, at, which);
    }
    return {at, tree.nodes[at].set.size() > tree.most ? End::illegal : End::grown};
}

bool GrowShrinkTrees::matters(Var child, Var predecessor) const {
    const Tree& tree = trees_[child];
    return std::binary_search(tree.allowed.begin(), tree.allowed.end(), predecessor) ||
           tree.required.contains(predecessor) || tree.links.contains(predecessor);
}

bool GrowShrinkTrees::prepare(const std::vector<Query>& queries) {
    std::vector<std::size_t> open(queries.size());
    std::iota(open.begin(), open.end(), std::size_t{0});
    std::vector<Place> grown;
    while (!open.empty()) {
        std::vector<Place> unranked;
        std::vector<std::size_t> again;
        for (const std::size_t i : open) {
            const Var child = queries[i].child;
            const Reached reached = grow(child, queries[i].before);
            if (reached.end == End::unranked) {
                unranked.emplace_back(child, reached.node);
                again.push_back(i);
            } else if (reached.end == End::grown && !trees_[child].nodes[reached.node].is_shrunk) {
                grown.emplace_back(child, reached.node);
            }
        }
        if (!rank(distinct(std::move(unranked)))) return false;
        open = std::move(again);
    }
    shrink(distinct(std::move(grown)));
    return true;
}

GrownParents GrowShrinkTrees::find(Var child, const BitRow& before) {
    Reached reached = grow(child, before);
    while (reached.end == End::unranked) {
        rank({{child, reached.node}}, true);
        reached = grow(child, before);
    }
    if (reached.end == End::illegal) return {kWorst, nullptr};
    Node& node = trees_[child].nodes[reached.node];
    if (!node.is_shrunk) shrink({{child, reached.node}});
    return {node.shrunk_score, &node.shrunk};
}

bool GrowShrinkTrees::trim() {
    if (branches_ <= kMostBranches) return false;
    branches_ = 0;
    for (Tree& tree : trees_) {
        Node root;
        root.set = tree.nodes[0].set;
        root.score = tree.nodes[0].score;
        tree.nodes.assign(1, std::move(root));
    }
    return true;
}

}  // namespace dagwright
