#include "dagwright/search/hill_climb.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "dagwright/base/errors.hpp"
#include "dagwright/search/random_moves.hpp"

namespace dagwright {

namespace {

class Climber {
  public:
    Climber(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start, const ClimbPlan& plan,
            Control& control)
        : start_(start),
          moves_(score, knowledge, std::move(start), plan.max_parents, control),
          plan_(plan),
          random_(plan.seed),
          control_(control) {}

    DagFound run() {
        for (std::size_t drawn = 0; drawn < plan_.first; ++drawn) begin_again();
        climb();
        keep();
        for (std::size_t round = plan_.first; round < plan_.restarts && best_.stop == Stop::none; ++round) {
            begin_again();
            climb();
            if (moves_.score() > best_.score + moves_.tolerance()) keep();
            best_.stop = stop_;
        }
        best_.evaluations = moves_.evaluations();
        return best_;
    }

  private:
    void keep() { best_ = {moves_.dag().families(), moves_.score(), trace_, 0, stop_}; }

    void begin_again() {
        std::vector<Step> made;
        if (plan_.perturbation > 0) {
            moves_.become(best_.parents);
            trace_ = best_.trace;
            made = scatter(moves_, plan_.perturbation, Scatter::any, random_, control_);
        } else {
            // As many arcs as nodes: learned networks seldom have fewer, and climbing from dense graphs is
            // slow.
            moves_.become(start_);
            trace_.clear();
            made = scatter(moves_, start_.size(), Scatter::additions, random_, control_);
        }
        trace_.insert(trace_.end(), made.begin(), made.end());
    }

    void climb() {
        stop_ = Stop::none;
        if (plan_.improvement == Improvement::best)
            while (climb_best()) continue;
        else
            climb_first();
    }

    bool go_on() {
        stop_ = control_.should_stop();
        return stop_ == Stop::none;
    }

    void take(const Step& step) {
        moves_.apply(step);
        trace_.push_back(step);
        const bool higher = moves_.score() > best_.score;
        const double best = higher ? moves_.score() : best_.score;
        control_.report({.phase = "hill climbing", .done = ++taken_, .best = best});
        offer(plan_.best, best, [&] { return higher ? moves_.dag().families() : best_.parents; });
    }

    bool climb_best() {
        if (!go_on() || !moves_.know_all()) return go_on();
        const std::optional<Step> step = moves_.best({}, plan_.random_ties ? &random_ : nullptr);
        if (!step || !(step->gain > moves_.tolerance())) return false;
        take(*step);
        return true;
    }

    // Tries all moves in random order, over and over, until a whole round has gained nothing.
    void climb_first() {
        const std::size_t n = moves_.dag().size();
        std::vector<std::uint32_t> deck(2 * n * n);
        std::iota(deck.begin(), deck.end(), 0u);
        for (bool improved = true; improved;) {
            improved = false;
            random_.shuffle(std::span(deck));
            std::size_t scored = 0, ahead = 1;  // as long as nothing gains, batches double
            for (std::size_t at = 0; at < deck.size(); ++at) {
                if (at == scored) {
                    if (!go_on()) return;
                    scored = std::min(deck.size(), at + ahead);
                    ahead = std::min<std::size_t>(2 * ahead, 1024);
                    score_moves({deck.data() + at, scored - at});
                }
                const std::optional<Step> move = numbered(deck[at]);
                if (!move) continue;
                const Step step = moves_.step(move->move, move->from, move->to);
                if (!(step.gain > moves_.tolerance())) continue;
                take(step);
                improved = true;
                scored = at + 1;
                ahead = 1;
            }
        }
    }

    // The move that a number stands for in the present graph.
    std::optional<Step> numbered(std::uint32_t number) const {
        const std::uint32_t n = static_cast<std::uint32_t>(moves_.dag().size());
        const Proposal proposal{number / 2 / n, number / 2 % n, number % 2 != 0};
        // Where no arc is, both numbers of the pair stand for its addition: one is enough.
        if (proposal.from == proposal.to) return std::nullopt;
        if (proposal.reverse && !moves_.dag().has_arc(proposal.from, proposal.to)) return std::nullopt;
        return legal_move(moves_, proposal);
    }

    void score_moves(std::span<const std::uint32_t> numbers) {
        std::vector<Step> legal;
        for (const std::uint32_t number : numbers)
            if (const std::optional<Step> move = numbered(number)) legal.push_back(*move);
        moves_.know(legal);
    }

    std::vector<VarSet> start_;
    ArcMoves moves_;
    ClimbPlan plan_;
    Random random_;
    Control& control_;
    std::vector<Step> trace_;
    std::uint64_t taken_ = 0;  // steps of all climbs
    Stop stop_ = Stop::none;
    DagFound best_{{}, -std::numeric_limits<double>::infinity(), {}, 0, Stop::none};
};

}  // namespace

DagFound hill_climb(LocalScore& score, const Knowledge& knowledge, std::vector<VarSet> start,
                    const ClimbPlan& plan, Control& control) {
    if (plan.first > plan.restarts) throw Error("the first climb comes after the last");
    if (plan.first > 0 && !separable(plan)) throw Error("these climbs depend on those before them");
    return Climber(score, knowledge, std::move(start), plan, control).run();
}

}  // namespace dagwright
