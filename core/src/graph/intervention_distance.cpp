#include "dagwright/graph/intervention_distance.hpp"

#include <cstdint>

namespace dagwright {

namespace {

std::vector<char> membership(const MixedGraph& graph, std::span<const Node> nodes) {
    std::vector<char> inside(graph.size(), 0);
    for (const Node node : nodes) inside[node] = 1;
    return inside;
}

// Nodes met by a walk from `start` that is open given the adjustment set, never returns to `start` and is not
// a directed path all the way.
class NonCausalWalks {
  public:
    NonCausalWalks(const MixedGraph& graph, Node start, const std::vector<char>& adjusted,
                   const std::vector<char>& above_adjusted)
        : graph_(graph),
          start_(start),
          adjusted_(adjusted),
          above_adjusted_(above_adjusted),
          seen_(graph.size(), 0) {}

    std::vector<char> run() {
        for (const Node parent : graph_.parents()[start_]) enter(parent, rising);
        for (const Node child : graph_.children()[start_]) enter(child, causal);
        while (!pending_.empty()) {
            const Step step = pending_.back();
            pending_.pop_back();
            const bool open = !adjusted_[step.node];
            if (step.state == rising ? open : above_adjusted_[step.node] != 0) {
                for (const Node parent : graph_.parents()[step.node]) enter(parent, rising);
            }
            if (open) {
                for (const Node child : graph_.children()[step.node]) {
                    enter(child, step.state == causal ? causal : falling);
                }
            }
        }
        std::vector<char> met(graph_.size(), 0);
        for (std::size_t node = 0; node < met.size(); ++node)
            met[node] = (seen_[node] & (rising | falling)) != 0;
        return met;
    }

  private:
    // How the walk came to a node: from a child, from a parent, or along a directed path from the start.
    enum State : std::uint8_t { rising = 1, falling = 2, causal = 4 };
    struct Step {
        Node node;
        State state;
    };

    void enter(Node node, State state) {
        if (node == start_ || (seen_[node] & state)) return;
        seen_[node] = static_cast<std::uint8_t>(seen_[node] | state);
        pending_.push_back({node, state});
    }

    const MixedGraph& graph_;
    Node start_;
    const std::vector<char>& adjusted_;
    const std::vector<char>& above_adjusted_;
    std::vector<std::uint8_t> seen_;
    std::vector<Step> pending_;
};

}  // namespace

// Adjustment is valid iff no adjusted node descends from a node on a directed path to j and every other path
// is blocked (Shpitser, VanderWeele & Robins 2010). A node j that is itself adjusted for is taken to be
// unaffected.
std::vector<Node> wrong_effects(const MixedGraph& truth, Node node, std::span<const Node> parents) {
    const std::vector<char> adjusted = membership(truth, parents);
    const std::vector<char> above_adjusted = membership(truth, reachable(truth.parents(), parents));
    const std::vector<Node> start{node};
    const std::vector<Node> affected = reachable(truth.children(), start);
    const std::vector<char> is_affected = membership(truth, affected);
    std::vector<Node> mediators;
    for (const Node descendant : affected) {
        if (descendant != node && above_adjusted[descendant]) mediators.push_back(descendant);
    }
    const std::vector<char> disturbed = membership(truth, reachable(truth.children(), mediators));
    const std::vector<char> confounded = NonCausalWalks(truth, node, adjusted, above_adjusted).run();
    std::vector<Node> wrong;
    for (std::size_t j = 0; j < truth.size(); ++j) {
        if (j == node) continue;
        if (adjusted[j] ? is_affected[j] : disturbed[j] || confounded[j])
            wrong.push_back(static_cast<Node>(j));
    }
    return wrong;
}

std::size_t structural_intervention_distance(const MixedGraph& truth, const MixedGraph& guess) {
    std::size_t distance = 0;
    for (std::size_t node = 0; node < truth.size(); ++node) {
        distance += wrong_effects(truth, static_cast<Node>(node), guess.parents()[node]).size();
    }
    return distance;
}

}  // namespace dagwright
