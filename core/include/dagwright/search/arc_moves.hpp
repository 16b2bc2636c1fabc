// The neighborhood of a DAG: every legal addition, deletion and reversal of an arc, and what it gains.
// Shared by the searches that walk from DAG to DAG.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "dagwright/base/control.hpp"
#include "dagwright/base/random.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/graph/dag_state.hpp"
#include "dagwright/graph/knowledge.hpp"

namespace dagwright {

enum class Move : std::uint8_t { add, remove, reverse };

struct Step {
    Move move;
    Var from, to;
    double gain;
};

// Where a walk from DAG to DAG ended, and the steps that lead there from its start.
struct DagFound {
    std::vector<VarSet> parents;
    double score = 0.0;
    std::vector<Step> trace;
    std::uint64_t evaluations = 0;  // families scored
    Stop stop = Stop::none;
};

// The delta cache: for each child and parent the score of the child's family with that parent put in or taken
// out. A step changes one family (a reversal two), and only what concerns that child is scored again.
class ArcMoves {
  public:
    using Filter = std::function<bool(const Step&)>;

    // `start` must obey the knowledge; `max_parents` comes on top of its bounds.
    ArcMoves(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
             std::size_t max_parents, Control& control);

    const DagState& dag() const noexcept { return dag_; }
    double score() const;
    double tolerance() const noexcept { return tolerance_; }
    std::uint64_t evaluations() const noexcept { return evaluations_; }

    // Within knowledge, parent bounds and acyclicity. Additions: from -> to must not be there; otherwise it
    // must.
    bool legal(Move move, Var from, Var to) const;

    // A legal move with its gain, scored if it is not known.
    Step step(Move move, Var from, Var to);
    // The same for many moves in one batch.
    void know(std::span<const Step> moves);

    // Scores all legal moves that are not known. False when asked to stop before all were.
    bool know_all();
    // After know_all: the legal move that gains most. Of those that gain the same (within the tolerance) the
    // first in the order additions, deletions, reversals, then by child and parent number. With a filter,
    // the best of the moves it lets pass. With a random stream, any of those that gain the same.
    std::optional<Step> best(const Filter& passes = {}, Random* ties = nullptr);

    void apply(const Step& step);
    // Goes to another DAG; what is known of families that stay the same is kept.
    void become(std::vector<VarSet> parents);

  private:
    // The best legal addition into a child, if there is any.
    struct Addition {
        Var parent = 0;
        double gain = 0.0;
        bool exists = false;
    };

    // What removing and turning an arc gains. Whether that is legal is looked at when it could be the best.
    struct Arc {
        Var parent;
        double removed, turned;
        bool can_go;        // its removal is scored and no knowledge forbids it
        bool turned_known;  // its reversal is scored
    };
    struct Most {
        double removed, turned;
    };

    double& toggled(Var parent, Var child) { return toggled_[child * dag_.size() + parent]; }
    double gain(Var parent, Var child) const;
    double gain(Move move, Var from, Var to) const;
    bool has_room(Var child) const { return dag_.parents(child).size() < bound_[child]; }
    bool can_leave(Var from, Var to) const { return !knowledge_.requires_arc(from, to); }
    void forget(Var child);
    // Scores the additions of many parents itself, if the score does that at once.
    void want_additions(Var child, std::span<const Word> legal, std::vector<Family>& families,
                        std::vector<Var>& parents);
    // The children whose arcs have to be settled afterwards.
    std::vector<Var> want_arcs(std::vector<Family>& families, std::vector<Var>& parents);
    void settle_arcs(Var child);
    void find_legal_parents(Var child, std::span<Word> legal) const;
    Addition best_addition(Var child, const Filter& passes) const;
    void want(Var parent, Var child, std::vector<Family>& families, std::vector<Var>& parents) const;
    void score_families(std::span<const Family> families, std::span<const Var> parents);
    void score_children(std::span<const Var> children);

    LocalScore& score_;
    const Knowledge& knowledge_;
    Control& control_;
    DagState dag_;
    double tolerance_;
    std::vector<std::size_t> bound_;
    BitMatrix allowed_;            // row: child; parents that knowledge allows
    std::vector<double> local_;    // score of each family as it is
    std::vector<double> toggled_;  // child-major: score of the family with one parent put in or taken out
    BitMatrix known_;              // row: child; which of these have been scored
    BitMatrix legal_;              // row: child; parents that could be added when know_all last looked
    std::vector<Addition> best_;   // over legal_
    std::vector<bool> stale_;      // best_ has to be found again
    // Since know_all last looked:
    std::vector<bool> touched_;           // the descendants may have changed
    std::vector<bool> changed_;           // the family has
    bool paths_lost_ = false;             // reversals may have become legal
    bool first_ = true;                   // it never did
    std::vector<std::vector<Arc>> arcs_;  // by child
    std::vector<Most> most_;              // over the arcs of a child
    std::uint64_t evaluations_ = 0;
};

}  // namespace dagwright
