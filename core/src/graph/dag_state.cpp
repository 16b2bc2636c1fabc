#include "dagwright/graph/dag_state.hpp"

#include "dagwright/base/errors.hpp"

namespace dagwright {

namespace {

void unite(std::span<Word> into, std::span<const Word> from) {
    for (std::size_t w = 0; w < into.size(); ++w) into[w] |= from[w];
}

}  // namespace

DagState::DagState(std::vector<VarSet> parents) : parents_(std::move(parents)), children_(parents_.size()) {
    for (Var child = 0; child < size(); ++child)
        for (const Var parent : parents_[child]) children_.set(parent, child);
    find_descendants();
}

void DagState::find_descendants() {
    // Nodes are finished when all their children are: the reverse of a topological order.
    const std::size_t n = size();
    descendants_ = BitMatrix(n);
    std::vector<std::size_t> open(n);
    std::vector<Var> ready;
    for (Var v = 0; v < n; ++v) {
        open[v] = children_.row_count(v);
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
    bool other_path = false;
    children_.for_each_in_row(from, [&](std::size_t child) {
        other_path = other_path || (child != to && descendants_.get(child, to));
    });
    return !other_path;
}

void DagState::add(Var from, Var to) {
    parents_[to] = parents_[to].with(from);
    children_.set(from, to);
    if (descendants_.get(from, to)) return;
    for (Var node = 0; node < size(); ++node) {
        if (node != from && !descendants_.get(node, from)) continue;
        descendants_.set(node, to);
        unite(descendants_.row(node), descendants_.row(to));
    }
}

void DagState::remove(Var from, Var to) {
    parents_[to] = parents_[to].without(from);
    children_.clear(from, to);
    find_descendants();
}

void DagState::reverse(Var from, Var to) {
    remove(from, to);
    add(to, from);
}

}  // namespace dagwright
