#include "dagwright/graph/clique_picking.hpp"

#include <algorithm>
#include <map>

#include "dagwright/base/errors.hpp"
#include "dagwright/graph/chordal.hpp"

namespace dagwright {

namespace {

// The subgraph induced by ascending `nodes`, renumbered 0, 1, ...
Adjacency induced(const Adjacency& graph, const std::vector<Node>& nodes, std::vector<Node>& number) {
    for (std::size_t i = 0; i < nodes.size(); ++i) number[nodes[i]] = static_cast<Node>(i);
    std::vector<Arc> arcs;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const Node next : graph[nodes[i]]) {
            const Node j = number[next];
            if (j < nodes.size() && nodes[j] == next) arcs.push_back({static_cast<Node>(i), j});
        }
    }
    return {nodes.size(), arcs};
}

// Lexicographic breadth-first search that starts with a clique. The set at the front whenever a node that was
// in no earlier such set is taken is undirected inside in the union of all orientations beginning with the
// clique; its connected components are the blocks (Wienöbst, Bannach & Liśkiewicz 2021, Algorithm 1).
class CliqueFirstSearch {
  public:
    explicit CliqueFirstSearch(const Adjacency& graph)
        : graph_(graph),
          order_(graph.size()),
          position_(graph.size()),
          set_of_(graph.size()),
          block_(graph.size()) {}

    std::vector<std::vector<Node>> blocks(const std::vector<Node>& clique) {
        const std::size_t n = graph_.size();
        std::fill(block_.begin(), block_.end(), unassigned);
        place(clique);
        std::vector<std::vector<Node>> found;
        for (std::size_t i = 0; i < n; ++i) {
            const Node node = order_[i];
            const std::size_t front = set_of_[node];
            if (block_[node] == unassigned) split_into_components(i, sets_[front].end, found);
            ++sets_[front].begin;
            refine(node, i);
        }
        return found;
    }

  private:
    static constexpr std::size_t unassigned = static_cast<std::size_t>(-1);
    static constexpr std::size_t in_clique = static_cast<std::size_t>(-2);
    static constexpr std::size_t at_front = static_cast<std::size_t>(-3);

    struct Interval {
        std::size_t begin;
        std::size_t end;
        std::size_t split_at;  // the step that split this set last
        std::size_t split;     // the set of those moved ahead in that step
    };

    void put(Node node, std::size_t place) {
        order_[place] = node;
        position_[node] = place;
    }

    void place(const std::vector<Node>& clique) {
        const std::size_t n = graph_.size();
        sets_.assign({{0, clique.size(), unassigned, 0}, {clique.size(), n, unassigned, 0}});
        for (std::size_t i = 0; i < clique.size(); ++i) {
            put(clique[i], i);
            set_of_[clique[i]] = 0;
            block_[clique[i]] = in_clique;
        }
        std::size_t next = clique.size();
        for (std::size_t node = 0; node < n; ++node) {
            if (block_[node] == in_clique) continue;
            put(static_cast<Node>(node), next++);
            set_of_[node] = 1;
        }
    }

    void split_into_components(std::size_t begin, std::size_t end, std::vector<std::vector<Node>>& found) {
        for (std::size_t i = begin; i < end; ++i) block_[order_[i]] = at_front;
        for (std::size_t i = begin; i < end; ++i) {
            if (block_[order_[i]] != at_front) continue;
            std::vector<Node> members{order_[i]};
            block_[order_[i]] = found.size();
            for (std::size_t k = 0; k < members.size(); ++k) {
                for (const Node next : graph_[members[k]]) {
                    if (block_[next] != at_front) continue;
                    block_[next] = found.size();
                    members.push_back(next);
                }
            }
            std::sort(members.begin(), members.end());
            found.push_back(std::move(members));
        }
    }

    // Unvisited neighbors of `node` move ahead of the rest of their set.
    void refine(Node node, std::size_t step) {
        for (const Node next : graph_[node]) {
            if (position_[next] <= step) continue;
            const std::size_t old = set_of_[next];
            if (sets_[old].split_at != step) {
                sets_[old].split_at = step;
                sets_[old].split = sets_.size();
                const std::size_t begin = sets_[old].begin;
                sets_.push_back({begin, begin, unassigned, 0});
            }
            const std::size_t first = sets_[old].begin++;
            const Node displaced = order_[first];
            put(displaced, position_[next]);
            put(next, first);
            set_of_[next] = sets_[old].split;
            ++sets_[sets_[old].split].end;
        }
    }

    const Adjacency& graph_;
    std::vector<Node> order_;
    std::vector<std::size_t> position_, set_of_, block_;
    std::vector<Interval> sets_;
};

// Permutations of a clique that begin with a separator on its path to the root belong to another clique, if
// that separator lies within it. Such separators are nested; the clique is arranged so that each is a prefix.
void forbid_prefixes(const CliqueTree& tree, std::size_t index, CliqueChoice& choice) {
    const std::vector<Node>& clique = tree.cliques[index];
    std::vector<const std::vector<Node>*> inside;
    for (std::size_t node = index; node != 0; node = tree.parents[node]) {
        const std::vector<Node>& separator = tree.separators[node];
        if (separator.size() < clique.size() && std::ranges::includes(clique, separator))
            inside.push_back(&separator);
    }
    std::ranges::sort(inside, {}, [](const std::vector<Node>* separator) { return separator->size(); });
    std::vector<char> taken(clique.size(), 0);
    const auto take = [&](Node node) {
        const auto at = static_cast<std::size_t>(std::ranges::lower_bound(clique, node) - clique.begin());
        if (taken[at]) return;
        taken[at] = 1;
        choice.clique.push_back(node);
    };
    for (const std::vector<Node>* separator : inside) {
        if (!choice.forbidden.empty() && choice.forbidden.back() == separator->size()) continue;
        choice.forbidden.push_back(separator->size());
        for (const Node node : *separator) take(node);
    }
    for (const Node node : clique) take(node);
}

std::vector<Node> renamed(const std::vector<Node>& local, const std::vector<Node>& nodes) {
    std::vector<Node> result(local.size());
    for (std::size_t i = 0; i < local.size(); ++i) result[i] = nodes[local[i]];
    return result;
}

}  // namespace

CliquePickingPlan clique_picking_plan(const MixedGraph& graph) {
    const Adjacency& links = graph.neighbors();
    if (!is_perfect_order(links, maximum_cardinality_order(links))) {
        throw Error("the undirected edges have a cycle without a chord");
    }
    CliquePickingPlan plan;
    std::map<std::vector<Node>, std::size_t> known;
    const auto subproblem = [&](std::vector<Node> nodes) {
        const auto [entry, is_new] = known.try_emplace(nodes, plan.subproblems.size());
        if (is_new) plan.subproblems.push_back({std::move(nodes), {}});
        return entry->second;
    };
    for (std::vector<Node>& component : components(links)) {
        if (component.size() > 1) subproblem(std::move(component));
    }
    plan.roots = plan.subproblems.size();
    std::vector<Node> number(graph.size(), 0);
    for (std::size_t index = 0; index < plan.subproblems.size(); ++index) {
        const std::vector<Node> nodes = plan.subproblems[index].nodes;
        const Adjacency local = induced(links, nodes, number);
        const CliqueTree tree = clique_tree(local);
        CliqueFirstSearch search(local);
        std::vector<CliqueChoice> choices(tree.cliques.size());
        for (std::size_t k = 0; k < tree.cliques.size(); ++k) {
            forbid_prefixes(tree, k, choices[k]);
            for (const std::vector<Node>& block : search.blocks(choices[k].clique)) {
                if (block.size() > 1) choices[k].parts.push_back(subproblem(renamed(block, nodes)));
            }
            choices[k].clique = renamed(choices[k].clique, nodes);
        }
        plan.subproblems[index].choices = std::move(choices);
    }
    return plan;
}

std::vector<std::vector<Node>> blocks_after_clique(const MixedGraph& graph, const std::vector<Node>& nodes,
                                                   const std::vector<Node>& clique) {
    std::vector<Node> number(graph.size(), 0);
    const Adjacency local = induced(graph.neighbors(), nodes, number);
    std::vector<Node> start;
    for (const Node node : clique) start.push_back(number[node]);
    std::vector<std::vector<Node>> blocks = CliqueFirstSearch(local).blocks(start);
    for (std::vector<Node>& block : blocks) block = renamed(block, nodes);
    return blocks;
}

}  // namespace dagwright
