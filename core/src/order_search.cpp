#include "dagwright/order_search.hpp"

#include <algorithm>

namespace dagwright {

namespace {

constexpr std::size_t kSlice = 32;           // rounds of a chain between two looks at the others
constexpr std::uint64_t kDeeper = 5;         // growth of the evaluations from stage to stage
constexpr std::size_t kEntries = 4'000'000;  // of all lists together: about 300 MB
constexpr std::size_t kFewestEntries = 500;  // per variable
constexpr std::size_t kExtraStages = 3;      // at most, while the last polish still gains
constexpr std::size_t kEarlyRounds = 4;      // early stages make this fraction of the rounds

class OrderSearcher {
  public:
    OrderSearcher(LocalScore& score, const Knowledge& knowledge, const OrderSearchOptions& options,
                  Control& control)
        : score_(score),
          knowledge_(knowledge),
          options_(options),
          control_(control),
          tolerance_(score.tolerance()) {}

    OrderFound run(std::vector<VarSet> start) {
        best_.parents = std::move(start);
        climb_graph();
        std::uint64_t evaluations = first_evaluations();
        for (std::size_t extra = 0; best_.stop == Stop::none;) {
            const bool last = evaluations >= options_.evaluations_per_child;
            const ParentLists lists = make_lists(std::min(evaluations, options_.evaluations_per_child));
            if (best_.stop != Stop::none) break;
            const bool final = last || lists.complete();
            search_orders(lists, final ? options_.perturbations : options_.perturbations / kEarlyRounds);
            if (best_.stop != Stop::none) break;
            const bool gained = climb_graph();
            if (final && (!gained || ++extra > kExtraStages)) break;
            evaluations *= kDeeper;
        }
        return std::move(best_);
    }

  private:
    // Few enough that the first stage takes no longer than hill climbing, and the last one is met exactly.
    std::uint64_t first_evaluations() const {
        const std::uint64_t least = std::max<std::uint64_t>(300, 3 * score_.variables());
        std::uint64_t evaluations = options_.evaluations_per_child;
        while (evaluations / kDeeper >= least) evaluations /= kDeeper;
        return evaluations;
    }

    // Adds, deletes and reverses single arcs: finds families that no list holds.
    bool climb_graph() {
        const bool first = best_.evaluations == 0;
        ClimbPlan plan;
        plan.max_parents = options_.max_parents;
        Walk climb = hill_climb(score_, knowledge_, best_.parents, plan, control_);
        best_.evaluations += climb.evaluations;
        best_.stop = climb.stop;
        if (!first && !(climb.score > best_.score + tolerance_)) return false;
        best_.score = climb.score;
        best_.parents = std::move(climb.parents);
        return true;
    }

    ParentLists make_lists(std::uint64_t evaluations) {
        ParentListOptions options;
        options.evaluations_per_child = evaluations;
        options.max_parents = options_.max_parents;
        options.longest = std::max(kFewestEntries, kEntries / score_.variables());
        ParentLists lists(score_, knowledge_, options, best_.parents, best_.score, control_);
        best_.evaluations += lists.evaluations();
        best_.complete = lists.complete();
        best_.list_bytes = lists.bytes();
        best_.stop = lists.stop();
        return lists;
    }

    // What every order must respect: required arcs, and required links as the best graph has them.
    std::vector<VarSet> forced_arcs() const {
        std::vector<VarSet> forced(best_.parents.size());
        for (Var child = 0; child < forced.size(); ++child)
            for (const Var parent : best_.parents[child])
                if (knowledge_.requires_link(parent, child)) forced[child] = forced[child].with(parent);
        return forced;
    }

    void ready_chains(const ParentLists& lists) {
        const bool fresh = chains_.empty();
        const std::vector<VarSet> forced = forced_arcs();
        Random seeds(options_.seed);
        for (std::size_t c = 0; c < options_.chains; ++c) {
            if (fresh) chains_.emplace_back(lists, options_.moves, tolerance_, Random(seeds.next()));
            // The first chain goes on from the best graph, the others begin anywhere and keep their order.
            bool legal = chains_[c].use(lists);
            if (c > 0 && fresh) legal = chains_[c].start(forced);
            if (c == 0 || !legal) chains_[c].start(best_.parents);
        }
    }

    void search_orders(const ParentLists& lists, std::size_t rounds) {
        ready_chains(lists);
        std::atomic<bool> halt{false};
        const auto look_at_clock = [&](unsigned worker) {
            // Only the calling thread may ask; the others hear of it.
            if (worker == 0 && control_.should_stop() != Stop::none) halt = true;
        };
        control_.workers().run(chains_.size(), [&](std::size_t c, unsigned worker) {
            look_at_clock(worker);
            chains_[c].climb(halt);
        });
        take_best();
        std::size_t enough = rounds;
        for (std::size_t done = 0; done < enough && !halt; done += kSlice) {
            control_.workers().run(chains_.size(), [&](std::size_t c, unsigned worker) {
                for (std::size_t i = 0; i < kSlice && !halt; ++i) {
                    look_at_clock(worker);
                    chains_[c].iterate(halt);
                }
            });
            best_.rounds += kSlice * chains_.size();
            if (take_best()) enough = std::max(enough, done + kSlice + (done + kSlice) / 2);
            control_.report("order search", static_cast<std::size_t>(best_.rounds), best_.score);
            look_at_clock(0);
        }
        best_.stop = control_.should_stop();
    }

    bool take_best() {
        bool better = false;
        for (const OrderChain& chain : chains_) {
            if (!(chain.score() > best_.score + tolerance_)) continue;
            best_.score = chain.score();
            best_.parents = chain.parents();
            better = true;
        }
        return better;
    }

    LocalScore& score_;
    const Knowledge& knowledge_;
    const OrderSearchOptions& options_;
    Control& control_;
    double tolerance_;
    OrderFound best_;
    std::vector<OrderChain> chains_;
};

}  // namespace

OrderFound order_search(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                        const OrderSearchOptions& options, Control& control) {
    return OrderSearcher(score, knowledge, options, control).run(std::move(start));
}

}  // namespace dagwright
