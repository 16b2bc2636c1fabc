// Lazy propagation (Madsen & Jensen 1999): messages on a junction tree are sets of factors, multiplied only
// where a variable must be summed out, so that barren and independent parts cost nothing.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "dagwright/inference/junction_tree.hpp"

namespace dagwright {

// The evidence on one network and the messages computed so far. Not for use by several threads at once.
class Propagation {
  public:
    Propagation(std::shared_ptr<const NetworkTables> network, std::shared_ptr<const JunctionTree> tree,
                double max_cells);

    // Replaces the evidence: a state per node or kUnobserved, and a likelihood per node or null. Messages
    // stay valid unless a table on their far side changed. CapacityError when the unobserved variables of a
    // clique have more than max_cells states together.
    void observe(std::span<const std::uint32_t> observed, std::span<const FactorPtr> likelihoods);

    // log P(evidence), minus infinity if it is impossible.
    double log_evidence();
    // P(v | evidence) of each of the given nodes; the evidence must be possible.
    std::vector<std::vector<double>> marginals(std::span<const Var> nodes);
    // P(v, parents | evidence) over the unobserved ones among them, row-major over that ascending scope.
    std::vector<double> family(Var v, Scope& scope);

    std::size_t messages_sent() const { return sent_; }

  private:
    struct Message {
        bool valid = false;
        FactorSet factors;
        double log_scale = 0.0;
    };
    // A clique, or an edge and thereby its separator: where the belief in some variables can be read off.
    struct Site {
        bool clique = true;
        std::size_t number = 0;
    };

    void require_tree_of_network() const;
    void forget_beyond(std::size_t clique, std::size_t arrived_by);
    const Message& message(std::size_t edge, bool from_a);
    double gather(std::size_t clique, std::size_t except_edge, FactorSet& factors);
    void belief_factors(const Site& site, FactorSet& factors);
    std::vector<Site> best_sites(std::span<const Var> nodes) const;
    double open_cells(const Scope& scope) const;
    std::vector<double> belief(FactorSet factors, const Scope& keep) const;

    std::shared_ptr<const NetworkTables> network_;
    std::shared_ptr<const JunctionTree> tree_;
    std::vector<std::vector<std::uint32_t>> tables_with_;  // by variable
    std::vector<std::vector<std::uint32_t>> tables_at_;    // by clique
    std::vector<std::uint32_t> observed_;
    std::vector<FactorPtr> likelihoods_;
    FactorSet slices_;
    std::vector<Message> messages_;  // 2 * edge + (0 from a to b, 1 from b to a)
    double max_cells_;
    std::size_t sent_ = 0;
};

}  // namespace dagwright
