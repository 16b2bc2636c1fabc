#include <algorithm>

#include "dagwright/graph/separation.hpp"

namespace dagwright {

namespace {

// Reachability along active trails (Geiger, Verma & Pearl 1990; Shachter's Bayes ball, 1998), restricted to
// the ancestors of the query, because every other node is barren.
class ActiveTrails {
  public:
    explicit ActiveTrails(const MixedGraph& dag) : dag_(dag), marks_(dag.size(), 0) {}

    bool separated(const SeparationQuery& query) {
        for (const Node node : query.given) mark(node, given);
        mark_ancestors(query.given, ancestor_of_given);
        mark_ancestors(query.x, ancestral);
        mark_ancestors(query.y, ancestral);
        for (const Node node : query.y) mark(node, target);
        const bool met = reaches_target(query.x);
        for (const Node node : touched_) marks_[node] = 0;
        touched_.clear();
        return !met;
    }

  private:
    enum Mark : std::uint8_t {
        given = 1,
        target = 2,
        ancestral = 4,
        ancestor_of_given = 8,
        left_upwards = 16,   // the trail entered this node from a child (or starts here)
        left_downwards = 32  // the trail entered this node from a parent
    };

    void mark(Node node, Mark bit) {
        if (marks_[node] == 0) touched_.push_back(node);
        marks_[node] = static_cast<std::uint8_t>(marks_[node] | bit);
    }

    void mark_ancestors(const std::vector<Node>& starts, Mark bit) {
        stack_.assign(starts.begin(), starts.end());
        for (const Node node : starts) mark(node, bit);
        while (!stack_.empty()) {
            const Node node = stack_.back();
            stack_.pop_back();
            for (const Node parent : dag_.parents()[node]) {
                if (marks_[parent] & bit) continue;
                mark(parent, bit);
                stack_.push_back(parent);
            }
        }
    }

    void enter(Node node, Mark direction) {
        if (!(marks_[node] & (ancestral | ancestor_of_given)) || (marks_[node] & direction)) return;
        mark(node, direction);
        (direction == left_upwards ? rising_ : falling_).push_back(node);
    }

    bool reaches_target(const std::vector<Node>& starts) {
        rising_.clear();
        falling_.clear();
        for (const Node node : starts) enter(node, left_upwards);
        while (!rising_.empty() || !falling_.empty()) {
            const bool rises = !rising_.empty();
            std::vector<Node>& pending = rises ? rising_ : falling_;
            const Node node = pending.back();
            pending.pop_back();
            if (marks_[node] & target) return true;
            const bool open = !(marks_[node] & given);
            if (rises ? open : (marks_[node] & ancestor_of_given) != 0) {
                for (const Node parent : dag_.parents()[node]) enter(parent, left_upwards);
            }
            if (open) {
                for (const Node child : dag_.children()[node]) enter(child, left_downwards);
            }
        }
        return false;
    }

    const MixedGraph& dag_;
    std::vector<std::uint8_t> marks_;
    std::vector<Node> touched_, stack_, rising_, falling_;
};

}  // namespace

std::vector<char> d_separated(const MixedGraph& dag, std::span<const SeparationQuery> queries) {
    ActiveTrails trails(dag);
    std::vector<char> answers;
    answers.reserve(queries.size());
    for (const SeparationQuery& query : queries) answers.push_back(trails.separated(query) ? 1 : 0);
    return answers;
}

}  // namespace dagwright
