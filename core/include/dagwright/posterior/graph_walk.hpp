// A Markov chain whose stationary distribution gives networks by their posterior probability.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dagwright/posterior/family_sums.hpp"

namespace dagwright {

class GraphWalk {
  public:
    using Mask = FamilyWeights::Mask;

    GraphWalk(const FamilySums& sums, std::uint64_t seed) : sums_(sums), random_(seed) {}
    virtual ~GraphWalk() = default;
    GraphWalk(const GraphWalk&) = delete;
    GraphWalk& operator=(const GraphWalk&) = delete;

    // Begin at a network, given as a mask of candidates per variable.
    virtual void start(std::span<const Mask> network) = 0;
    // One move.
    virtual void step() = 0;
    // The logarithm of the weight of the state: of all the networks it stands for.
    virtual double log_weight() const = 0;
    // A network of the state, by weight.
    virtual void draw(std::span<Mask> network) = 0;
    // Given the state, the probability of the arc from each candidate of the child, by its bit.
    virtual void arcs_into(Var child, std::span<double> probabilities) const = 0;

    // What restore() at another time and place needs to go on in the same way, besides the random stream.
    virtual std::vector<std::uint32_t> state() const = 0;
    // Throws Error where this is no state of such a walk; the state may come from a damaged file.
    virtual void restore(std::span<const std::uint32_t> state) = 0;
    Random& random() noexcept { return random_; }

    std::uint64_t proposed() const noexcept { return proposed_; }
    std::uint64_t accepted() const noexcept { return accepted_; }
    void count(std::uint64_t proposed, std::uint64_t accepted) noexcept {
        proposed_ = proposed;
        accepted_ = accepted;
    }

  protected:
    // Metropolis and Hastings: accept with probability min(1, e^log_ratio).
    bool accept(double log_ratio);
    // A number below logs.size(), by weight.
    std::size_t choose(std::span<const double> logs);
    // Throws Error unless there is one number per variable.
    void require_one_per_variable(std::span<const std::uint32_t> state) const;
    // For each variable of a network the length of the longest path into it, which must be free of cycles.
    void depths_of(std::span<const Mask> network, std::vector<std::uint32_t>& depths);

    const FamilySums& sums_;
    Random random_;
    std::uint64_t proposed_ = 0, accepted_ = 0;

  private:
    std::vector<double> shares_;
    std::vector<std::uint32_t> waiting_;
    std::vector<Var> ready_;
};

// Every order counts once, so a network counts once for every order that it fits (Friedman & Koller 2003).
std::unique_ptr<GraphWalk> order_walk(const FamilySums& sums, std::uint64_t seed);
// Every network counts once, by ordered partitions into layers (Kuipers & Moffa 2017).
std::unique_ptr<GraphWalk> partition_walk(const FamilySums& sums, std::uint64_t seed);
// Every network counts once: single arcs, whole parent sets, reversals with new parents (Madigan & York 1995;
// Goudie & Mukherjee 2016; Grzegorczyk & Husmeier 2008).
std::unique_ptr<GraphWalk> structure_walk(const FamilySums& sums, std::uint64_t seed);

}  // namespace dagwright
