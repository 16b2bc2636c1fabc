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

// Takes nodes that can come last, until none is left or none can.
class LastFirst {
  public:
    LastFirst(const BitMatrix& children, const BitMatrix& neighbors, const BitMatrix& adjacent,
              const Knowledge& knowledge)
        : children_(children),
          neighbors_(neighbors),
          adjacent_(adjacent),
          knowledge_(knowledge),
          left_(adjacent.words_per_row(), 0),
          queued_(adjacent.size(), false),
          found_(adjacent.size()) {
        for (std::size_t v = 0; v < adjacent.size(); ++v) set_bit(left_, v);
    }

    std::optional<std::vector<VarSet>> run() {
        for (Var v = 0; v < found_.size(); ++v) look_at(v);
        for (std::size_t next = 0; next < queue_.size(); ++next) {
            const Var last = queue_[next];
            clear_bit(left_, last);
            std::vector<Var> before;
            for_each_left(last, [&](Var v) { before.push_back(v); });
            found_[last] = VarSet::of(before);
            for (const Var v : before) look_at(v);
        }
        if (queue_.size() != found_.size()) return std::nullopt;
        return found_;
    }

  private:
    template <class Visit>
    void for_each_left(Var node, Visit&& visit) const {
        adjacent_.for_each_in_row(node, [&](std::size_t v) {
            if (has_bit(left_, static_cast<Var>(v))) visit(static_cast<Var>(v));
        });
    }

    void look_at(Var node) {
        if (queued_[node] || !can_be_last(node)) return;
        queued_[node] = true;
        queue_.push_back(node);
    }

    // No arc leaves it, its edges make no new v-structure when they point at it, and knowledge agrees. Once
    // true it stays true: taking other nodes removes arcs, neighbors and parents only.
    bool can_be_last(Var node) const {
        bool fine = true;
        std::size_t count = 0;
        for_each_left(node, [&](Var v) {
            ++count;
            if (!fine) return;
            fine = !children_.get(node, v) && knowledge_.allows_arc(v, node);
            if (!fine || !neighbors_.get(node, v)) return;
            const std::span<const Word> around = adjacent_.row(node), around_v = adjacent_.row(v);
            for (std::size_t w = 0; w < around.size() && fine; ++w) {
                Word strangers = around[w] & left_[w] & ~around_v[w];
                strangers &= ~word_of_bit(w, v);
                fine = strangers == 0;
            }
        });
        return fine && count <= knowledge_.max_parents(node);
    }

    const BitMatrix &children_, &neighbors_, &adjacent_;
    const Knowledge& knowledge_;
    BitRow left_;
    std::vector<bool> queued_;
    std::vector<Var> queue_;
    std::vector<VarSet> found_;
};

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
    return LastFirst(children_, neighbors_, adjacent_, knowledge).run();
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
