#include "dagwright/search/order_search.hpp"

#include <algorithm>

#include "dagwright/search/boss.hpp"

namespace dagwright {

namespace {

constexpr std::size_t kSlice = 32;           // rounds of a chain between two looks at the others
constexpr std::uint64_t kDeeper = 5;         // growth of the evaluations from stage to stage
constexpr std::size_t kEntries = 4'000'000;  // of all lists together: about 300 MB
constexpr std::size_t kFewestEntries = 500;  // per variable
constexpr std::size_t kExtraStages = 10;     // at most, while the last polish still gains
constexpr std::size_t kPatience = 100;       // rounds without gain, and two per variable
constexpr std::size_t kLongest = 3;          // the last stage grows to so many times its rounds
constexpr std::size_t kEarlyRounds = 4;      // all but the last full stage make this fraction of the rounds

// With more variables than this, a first order is looked for among few parents of each: it takes a tenth of
// the time. Parents that gain only together are then left to the lists and to hill climbing.
constexpr std::size_t kManyVariables = 500;
constexpr std::size_t kFewCandidates = 100;

class OrderSearcher {
  public:
    OrderSearcher(LocalScore& score, const Knowledge& knowledge, const OrderPlan& plan, Control& control)
        : score_(score),
          knowledge_(knowledge),
          plan_(plan),
          control_(control),
          tolerance_(score.tolerance()) {}

    OrderFound run(std::vector<VarSet> start) {
        best_.parents = std::move(start);
        climb_graph();
        find_best_order();
        for (std::uint64_t fraction = first_fraction(); best_.stop == Stop::none; fraction /= kDeeper) {
            const ParentListPlan lengths = list_plan(plan_.evaluations_per_child / fraction);
            ParentLists lists(score_, knowledge_, lengths, best_.parents, best_.score, control_);
            account_for(lists);
            const bool last = lists.complete() || fraction == 1;
            const std::size_t few = plan_.perturbations / kEarlyRounds;
            if (!(last ? search_orders(lists, plan_.perturbations, kLongest * plan_.perturbations)
                       : search_orders(lists, few, few)))
                break;
            // The last lists are completed as long as that gains anything.
            for (std::size_t extra = 0; last && climb_graph() && extra < kExtraStages; ++extra) {
                if (!lists.extend(score_, knowledge_, lengths, best_.parents, best_.score, control_)) break;
                account_for(lists);
                if (!search_orders(lists, few, few)) break;
            }
            if (last) break;
            climb_graph();
        }
        return std::move(best_);
    }

  private:
    // The first stage has this part of the evaluations: few, but enough to score every single parent.
    std::uint64_t first_fraction() const {
        const std::uint64_t least = std::max<std::uint64_t>(300, 3 * score_.variables());
        std::uint64_t fraction = 1;
        while (plan_.evaluations_per_child / (fraction * kDeeper) >= least) fraction *= kDeeper;
        return fraction;
    }

    // A quick good order to begin with.
    void find_best_order() {
        if (best_.stop != Stop::none) return;
        BossPlan plan;
        plan.max_parents = plan_.max_parents;
        if (score_.variables() > kManyVariables) plan.candidates = kFewCandidates;
        plan.seed = plan_.seed;
        plan.best = plan_.best;
        BossFound found = boss(score_, knowledge_, best_.parents, plan, control_);
        best_.evaluations += found.evaluations;
        best_.stop = found.stop;
        if (!(found.score > best_.score + tolerance_)) return;
        reach("best order", found.moves, found.score);
        best_.parents = std::move(found.parents);
    }

    // Adds, deletes and reverses single arcs: finds families that no list holds.
    bool climb_graph() {
        const bool first = best_.evaluations == 0;
        ClimbPlan plan;
        plan.max_parents = plan_.max_parents;
        plan.best = plan_.best;
        DagFound climb = hill_climb(score_, knowledge_, best_.parents, plan, control_);
        best_.evaluations += climb.evaluations;
        best_.stop = climb.stop;
        if (!first && !(climb.score > best_.score + tolerance_)) return false;
        reach("hill climbing", climb.trace.size(), climb.score);
        best_.parents = std::move(climb.parents);
        return true;
    }

    ParentListPlan list_plan(std::uint64_t evaluations) const {
        ParentListPlan plan;
        plan.evaluations_per_child = evaluations;
        plan.max_parents = plan_.max_parents;
        plan.longest = std::max(kFewestEntries, kEntries / score_.variables());
        return plan;
    }

    void account_for(const ParentLists& lists) {
        best_.evaluations += lists.evaluations();
        best_.complete = lists.complete();
        best_.list_bytes = lists.bytes();
        best_.stop = lists.stop();
    }

    // What every order must respect: required arcs, and required edges as the best graph has them.
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
        Random seeds(plan_.seed);
        for (std::size_t c = 0; c < plan_.chains; ++c) {
            if (fresh) chains_.emplace_back(lists, plan_.moves, tolerance_, Random(seeds.next()));
            // The first chain goes on from the best graph, the others begin anywhere and keep their order.
            bool legal = chains_[c].use(lists);
            if (c > 0 && fresh) legal = chains_[c].start(forced);
            if (c == 0 || !legal) chains_[c].start(best_.parents);
        }
    }

    // False if the control said stop.
    bool search_orders(const ParentLists& lists, std::size_t rounds, std::size_t most) {
        if (best_.stop != Stop::none) return false;
        ready_chains(lists);
        const auto look_at_clock = [&](unsigned worker) {
            // Only the calling thread may ask; the others hear of it.
            if (worker == 0) control_.should_stop();
        };
        control_.workers().run(chains_.size(), [&](std::size_t c, unsigned worker) {
            look_at_clock(worker);
            chains_[c].climb(control_);
        });
        take_best();
        std::size_t enough = rounds;
        const std::uint64_t before = best_.rounds;
        const auto slices = [](std::size_t of) { return (of + kSlice - 1) / kSlice; };
        for (std::size_t done = 0; done < enough && !control_.halted(); done += kSlice) {
            control_.workers().run(chains_.size(), [&](std::size_t c, unsigned worker) {
                for (std::size_t i = 0; i < kSlice && !control_.halted(); ++i) {
                    look_at_clock(worker);
                    chains_[c].iterate(control_);
                }
            });
            best_.rounds += kSlice * chains_.size();
            if (take_best()) enough = std::clamp((done + kSlice) * 3 / 2, enough, most);
            restart_stale_chains();
            control_.report({.phase = "order search",
                             .done = best_.rounds,
                             .total = before + slices(enough) * kSlice * chains_.size(),
                             .unit = "rounds",
                             .best = best_.score});
            offer(plan_.best, best_.score, [&] { return best_.parents; });
            look_at_clock(0);
        }
        best_.stop = control_.should_stop();
        return best_.stop == Stop::none;
    }

    // A chain that no longer gains begins anew; the first goes on from the best.
    void restart_stale_chains() {
        const std::size_t patience = kPatience + 2 * score_.variables();
        for (std::size_t c = 0; c < chains_.size(); ++c)
            if (chains_[c].stale() >= patience && (c == 0 || !chains_[c].start(forced_arcs())))
                chains_[c].start(best_.parents);
    }

    // A new best score, and the step of the phase that found it.
    void reach(const char* phase, std::uint64_t step, double score) {
        best_.score = score;
        best_.running.push_back({phase, step, score});
    }

    bool take_best() {
        bool better = false;
        for (const OrderChain& chain : chains_) {
            if (!(chain.score() > best_.score + tolerance_)) continue;
            reach("order search", best_.rounds, chain.score());
            best_.parents = chain.parents();
            better = true;
        }
        return better;
    }

    LocalScore& score_;
    const Knowledge& knowledge_;
    const OrderPlan& plan_;
    Control& control_;
    double tolerance_;
    OrderFound best_;
    std::vector<OrderChain> chains_;
};

}  // namespace

OrderFound order_search(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                        const OrderPlan& plan, Control& control) {
    return OrderSearcher(score, knowledge, plan, control).run(std::move(start));
}

}  // namespace dagwright
