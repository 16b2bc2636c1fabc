#include "dagwright/graph/dag_state.hpp"

#include <algorithm>

#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

void unite(std::span<Word> into, std::span<const Word> from) {
    for (std::size_t w = 0; w < into.size(); ++w) into[w] |= from[w];
}

}  // namespace

DagState::DagState(std::vector<VarSet> parents) : parents_(std::move(parents)), children_(parents_.size()) {
    for (Var child = 0; child < size(); ++child)
        for (const Var parent : parents_[child]) children_[parent] = children_[parent].with(child);
    find_descendants();
}

void DagState::find_descendants() {
    // Nodes are finished when all their children are: the reverse of a topological order.
    const std::size_t n = size();
    descendants_ = BitMatrix(n);
    std::vector<std::size_t> open(n);
    std::vector<Var> ready;
    for (Var v = 0; v < n; ++v) {
        open[v] = children_[v].size();
        if (open[v] == 0) ready.push_back(v);
    }
    for (std::size_t done = 0; done < ready.size(); ++done) {
        const Var node = ready[done];
        for (const Var parent : parents_[node]) {
            descendants_.set(parent, node);
            unite(descendants_.row(parent), descendants_.row(node));
            if (--open[parent] == 0) ready.push_back(parent);
        }
    }
    if (ready.size() != n) throw CycleError("the starting graph has a directed cycle");
}

bool DagState::can_reverse(Var from, Var to) const {
    for (const Var child : children_[from])
        if (child != to && descendants_.get(child, to)) return false;
    return true;
}

std::vector<Var> DagState::with_ancestors(Var node) const {
    std::vector<Var> found{node};
    std::vector<bool> seen(size(), false);
    seen[node] = true;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const Var parent : parents_[found[i]]) {
            if (!seen[parent]) found.push_back(parent);
            seen[parent] = true;
        }
    return found;
}

void DagState::add(Var from, Var to, std::vector<bool>* touched) {
    parents_[to] = parents_[to].with(from);
    children_[from] = children_[from].with(to);
    // A node that has `to` below it already gains nothing, and neither do those above it.
    std::vector<Var> open{from};
    while (!open.empty()) {
        const Var node = open.back();
        open.pop_back();
        if (descendants_.get(node, to)) continue;
        descendants_.set(node, to);
        unite(descendants_.row(node), descendants_.row(to));
        open.insert(open.end(), parents_[node].begin(), parents_[node].end());
        if (touched != nullptr) (*touched)[node] = true;
    }
}

void DagState::remove(Var from, Var to, std::vector<bool>* touched) {
    const bool other_path = !can_reverse(from, to);
    parents_[to] = parents_[to].without(from);
    children_[from] = children_[from].without(to);
    if (other_path) return;
    // Only `from` and those above it can lose descendants: each is done when its children among them are.
    const std::vector<Var> above = with_ancestors(from);
    std::vector<std::size_t> open(size(), 0);
    for (const Var node : above)
        for (const Var parent : parents_[node]) ++open[parent];
    std::vector<Var> ready{from};
    for (std::size_t done = 0; done < ready.size(); ++done) {
        const Var node = ready[done];
        const std::span<Word> row = descendants_.row(node);
        std::fill(row.begin(), row.end(), Word{0});
        for (const Var child : children_[node]) {
            set_bit(row, child);
            unite(row, descendants_.row(child));
        }
        for (const Var parent : parents_[node])
            if (--open[parent] == 0) ready.push_back(parent);
    }
    if (touched != nullptr)
        for (const Var node : above) (*touched)[node] = true;
}

void DagState::reverse(Var from, Var to, std::vector<bool>* touched) {
    remove(from, to, touched);
    add(to, from, touched);
}

}  // namespace dagwright
