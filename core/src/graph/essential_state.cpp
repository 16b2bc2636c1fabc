#include "dagwright/graph/essential_state.hpp"

#include <algorithm>

#include "dagwright/graph/equivalence.hpp"

namespace dagwright {

namespace {

MixedGraph to_graph(const std::vector<VarSet>& dag) {
    std::vector<Arc> arcs;
    for (Var child = 0; child < dag.size(); ++child)
        for (const Var parent : dag[child]) arcs.push_back({parent, child});
    return {dag.size(), arcs, {}};
}

}  // namespace

EssentialState::EssentialState(const std::vector<VarSet>& dag, std::span<const VarSet> targets)
    : parents_(dag.size()), children_(dag.size()), neighbors_(dag.size()), adjacent_(dag.size()) {
    const MixedGraph graph = essential_graph(to_graph(dag), targets);
    for (const Arc& arc : graph.directed()) direct(arc.from, arc.to);
    for (const Arc& link : graph.undirected()) {
        neighbors_.set(link.from, link.to);
        neighbors_.set(link.to, link.from);
        adjacent_.set(link.from, link.to);
        adjacent_.set(link.to, link.from);
    }
}

void EssentialState::direct(Var from, Var to) {
    neighbors_.clear(from, to);
    neighbors_.clear(to, from);
    parents_.set(to, from);
    children_.set(from, to);
    adjacent_.set(from, to);
    adjacent_.set(to, from);
}

void EssentialState::direct_links(Var node, const VarSet& chosen) {
    std::vector<Var> links;
    neighbors_.for_each_in_row(node, [&](std::size_t v) { links.push_back(static_cast<Var>(v)); });
    for (const Var v : links)
        if (chosen.contains(v))
            direct(v, node);
        else
            direct(node, v);
}

VarSet EssentialState::parent_set(Var node) const {
    std::vector<Var> members;
    parents_.for_each_in_row(node, [&](std::size_t v) { members.push_back(static_cast<Var>(v)); });
    return VarSet::of(members);
}

bool EssentialState::has_open_path(Var from, Var to, std::span<const Word> blocked) const {
    BitRow seen(blocked.begin(), blocked.end());
    set_bit(seen, from);
    std::vector<Var> todo{from};
    while (!todo.empty()) {
        const Var node = todo.back();
        todo.pop_back();
        for (std::size_t w = 0; w < seen.size(); ++w) {
            Word fresh = (children_.row(node)[w] | neighbors_.row(node)[w]) & ~seen[w];
            if (node == from) fresh &= ~word_of_bit(w, to);
            seen[w] |= fresh;
            for_each_bit_of_word(w, fresh, [&](std::size_t v) { todo.push_back(static_cast<Var>(v)); });
        }
        if (has_bit(seen, to)) return true;
    }
    return false;
}

std::optional<std::vector<VarSet>> EssentialState::extension(const Knowledge& knowledge) const {
    const std::vector<Node> order = sink_order(graph(), &knowledge);
    if (order.size() != size()) return std::nullopt;
    std::vector<VarSet> found(size());
    BitRow left(adjacent_.words_per_row(), 0);
    for (const Node node : order) set_bit(left, node);
    std::vector<Var> before;
    for (const Node last : order) {
        clear_bit(left, last);
        before.clear();
        const std::span<const Word> around = adjacent_.row(last);
        for (std::size_t w = 0; w < around.size(); ++w)
            for_each_bit_of_word(w, around[w] & left[w],
                                 [&](std::size_t v) { before.push_back(static_cast<Var>(v)); });
        found[last] = VarSet::of(before);
    }
    return found;
}

MixedGraph EssentialState::graph() const {
    std::vector<Arc> directed, undirected;
    for (Var v = 0; v < size(); ++v) {
        children_.for_each_in_row(v, [&](std::size_t w) { directed.push_back({v, static_cast<Var>(w)}); });
        neighbors_.for_each_in_row(v, [&](std::size_t w) {
            if (v < w) undirected.push_back({v, static_cast<Var>(w)});
        });
    }
    return {size(), directed, undirected};
}

}  // namespace dagwright
