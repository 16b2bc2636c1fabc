// From colliders that may contradict each other to a DAG: ranking, acceptance, repair, and what was
// overruled.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dagwright/independence/consistent_dag.hpp"
#include "dagwright/independence/independence_test.hpp"

namespace dagwright {

// When colliders orient an edge in both directions: the first or the strongest wins, or all that take part
// are dropped. `bidirected` also marks the edge in the account; `error` leaves the decision to the caller.
enum class ConflictPolicy : std::uint8_t { first, strongest, undirected, bidirected, error };

// An edge that colliders orient in both directions; `forward` points at its second end.
struct ColliderConflict {
    VarPair edge;
    std::vector<UnshieldedTriple> forward, backward;
};

// Every edge with colliders at both its ends (Jensen & Nielsen 2007, Fig. 7.10), ascending.
std::vector<ColliderConflict> collider_conflicts(std::span<const UnshieldedTriple> colliders);

// How clearly a and b depend on each other once c is given too, and how strongly pairs depend on each other
// with nothing given.
class ColliderStrengths {
  public:
    virtual ~ColliderStrengths() = default;
    virtual std::vector<double> of_triples(std::span<const UnshieldedTriple> triples) = 0;
    virtual std::vector<double> of_pairs(std::span<const VarPair> pairs) = 0;
};

// The strengths by an independence test: minus log p, else the effect, else the gain, else 0; for pairs the
// effect. A request to stop makes all strengths equal, because they only rank what was found already.
class TestedStrengths : public ColliderStrengths {
  public:
    TestedStrengths(IndependenceTest& test, const SeparatedPairs& pairs, Control& control, bool stopped)
        : test_(test), pairs_(pairs), control_(control), stopped_(stopped) {}

    std::vector<double> of_triples(std::span<const UnshieldedTriple> triples) override;
    std::vector<double> of_pairs(std::span<const VarPair> pairs) override;

    // Tests by size: of a triple, that of the separating set and one more.
    const std::vector<std::uint64_t>& asked() const { return asked_; }
    bool stopped() const { return stopped_; }

  private:
    std::vector<Answer> answers(std::span<const Question> questions);
    void count(std::size_t size);

    IndependenceTest& test_;
    const SeparatedPairs& pairs_;
    Control& control_;
    bool stopped_;
    std::vector<std::uint64_t> asked_;
};

// Colliders in the order in which they may orient edges, without those that a policy gives up.
struct RankedColliders {
    std::vector<ColliderConflict> conflicts;
    std::vector<UnshieldedTriple> disputed;  // ascending, where the policy compares their strengths
    std::vector<double> strengths;           // of these
    std::vector<UnshieldedTriple> ordered;
};
RankedColliders ranked_colliders(std::span<const UnshieldedTriple> colliders, ConflictPolicy policy,
                                 ColliderStrengths& strengths);

// The colliders that contradict neither knowledge nor an earlier one, and all arcs that follow, ascending:
// also those of edges that knowledge lets point one way only.
struct AcceptedColliders {
    std::vector<UnshieldedTriple> kept;
    std::vector<Arc> arcs;
};
AcceptedColliders accepted_colliders(std::span<const UnshieldedTriple> ordered, const BitMatrix& linked,
                                     const Knowledge& knowledge);

// Where a DAG says otherwise than the colliders that led to it; ascending.
struct OverruledTriples {
    std::vector<UnshieldedTriple> lost;    // colliders that the DAG does not have
    std::vector<UnshieldedTriple> gained;  // its v-structures at triples that were decided to be no collider
    std::vector<bool> open_made;           // of each triple that was left open, whether it is a v-structure
};
OverruledTriples overruled_triples(const MixedGraph& dag, const BitMatrix& linked,
                                   std::span<const UnshieldedTriple> colliders,
                                   std::span<const UnshieldedTriple> open);

struct SettledColliders {
    RankedColliders ranked;
    ConsistentDag settled;
    OverruledTriples overruled;
};
// All of the above. With the policy `error` and a conflict only `ranked` is filled.
SettledColliders settle_colliders(const BitMatrix& linked, std::span<const UnshieldedTriple> colliders,
                                  std::span<const UnshieldedTriple> open, const Knowledge& knowledge,
                                  ConflictPolicy policy, ColliderStrengths& strengths);

}  // namespace dagwright
