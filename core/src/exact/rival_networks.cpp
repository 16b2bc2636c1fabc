#include "dagwright/exact/rival_networks.hpp"

#include <algorithm>
#include <numeric>

namespace dagwright {

namespace {

// Visits networks; Visitor: double least() const, the score below which a network is of no interest; double
// rest(Mask), the most that a set of variables can score; void found(chosen, score);
// std::size_t count() const and double best() const, for progress.
template <class Visitor>
class SinkWalk {
  public:
    SinkWalk(const MaskedFamilies& families, Visitor& visitor, Control& control)
        : families_(families), visitor_(visitor), control_(control), chosen_(families.size()) {}

    Stop run() {
        remove(families_.everything(), 0, 0.0);
        return stop_;
    }

  private:
    // `waiting`: variables that were passed over, so they must lose a child before they can be removed.
    void remove(Mask left, Mask waiting, double score) {
        if (left == 0) {
            visitor_.found(chosen_, score);
            return;
        }
        if (++steps_ % 4096 == 0) {
            stop_ = control_.should_stop();
            control_.report({.phase = "listing networks",
                             .done = visitor_.count(),
                             .unit = "networks",
                             .best = visitor_.best()});
        }
        for (Mask rest = left & ~waiting; rest != 0; rest &= rest - 1) {
            const auto x = static_cast<std::size_t>(std::countr_zero(rest));
            const Mask before = left & ~bit(x);
            const Mask higher = before & ~(bit(x) - 1);
            const double most = visitor_.rest(before);
            const MaskedFamilies::List& list = families_.lists[x];
            for (std::size_t i = 0; i < list.masks.size() && stop_ == Stop::none; ++i) {
                if (!(score + list.scores[i] + most >= visitor_.least())) break;
                if (!list.fits(i, before)) continue;
                chosen_[x] = i;
                remove(before, (waiting | higher) & ~list.masks[i], score + list.scores[i]);
            }
        }
    }

    const MaskedFamilies& families_;
    Visitor& visitor_;
    Control& control_;
    std::vector<std::size_t> chosen_;
    std::uint64_t steps_ = 0;
    Stop stop_ = Stop::none;
};

class Collector {
  public:
    Collector(const MaskedFamilies& families, const SubsetProgram& program, const RivalPlan& plan)
        : families_(families), program_(program), plan_(plan), least_(plan.least) {}

    double least() const { return least_; }
    double rest(Mask left) const { return program_.best(left); }
    std::size_t count() const { return seen_; }
    double best() const { return program_.best(families_.everything()); }
    void found(const std::vector<std::size_t>& chosen, double score) {
        ++seen_;
        if (scores.size() >= plan_.most && !plan_.best_only) {
            full = true;
            least_ = std::numeric_limits<double>::infinity();
            return;
        }
        for (const std::size_t i : chosen) sets.push_back(static_cast<std::uint32_t>(i));
        scores.push_back(score);
        if (plan_.best_only && scores.size() >= 2 * plan_.most) trim();
    }
    // Keeps the best; among equal scores those found first.
    void trim() {
        std::vector<std::size_t> order(scores.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
        if (plan_.best_only && order.size() > plan_.most) {
            full = true;
            order.resize(plan_.most);
            least_ = std::max(least_, scores[order.back()]);
        }
        const std::size_t n = families_.size();
        std::vector<std::uint32_t> kept_sets;
        std::vector<double> kept_scores;
        for (const std::size_t i : order) {
            kept_sets.insert(kept_sets.end(), sets.begin() + static_cast<std::ptrdiff_t>(i * n),
                             sets.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
            kept_scores.push_back(scores[i]);
        }
        sets = std::move(kept_sets);
        scores = std::move(kept_scores);
    }

    std::vector<std::uint32_t> sets;
    std::vector<double> scores;
    bool full = false;

  private:
    const MaskedFamilies& families_;
    const SubsetProgram& program_;
    const RivalPlan& plan_;
    double least_;
    std::size_t seen_ = 0;
};

class Summary {
  public:
    Summary(const MaskedFamilies& families, double tolerance, Enumerated& out)
        : families_(families), tolerance_(tolerance), out_(out) {
        out_.per_arcs.resize(families.size() * (families.size() - 1) / 2 + 1);
    }
    double least() const { return kImpossible; }
    double rest(Mask) const { return 0.0; }
    std::size_t count() const { return static_cast<std::size_t>(out_.count); }
    double best() const { return out_.best; }
    void found(const std::vector<std::size_t>& chosen, double score) {
        ++out_.count;
        std::size_t arcs = 0;
        std::vector<std::int64_t> entries;
        for (std::size_t x = 0; x < chosen.size(); ++x)
            arcs += static_cast<std::size_t>(std::popcount(families_.lists[x].masks[chosen[x]]));
        const auto written = [&] {
            std::vector<std::int64_t> numbers;
            for (std::size_t x = 0; x < chosen.size(); ++x)
                numbers.push_back(static_cast<std::int64_t>(families_.lists[x].entries[chosen[x]]));
            return numbers;
        };
        if (score > out_.best + tolerance_) out_.ties.clear();
        if (score >= out_.best - tolerance_) {
            entries = written();
            out_.ties.insert(out_.ties.end(), entries.begin(), entries.end());
            out_.best = std::max(out_.best, score);
        }
        Enumerated::PerArcs& same = out_.per_arcs[arcs];
        if (same.entries.empty() || score > same.score + tolerance_) {
            same = {score, written(), 1};
        } else if (score >= same.score - tolerance_) {
            ++same.ties;
        }
    }

  private:
    const MaskedFamilies& families_;
    double tolerance_;
    Enumerated& out_;
};

}  // namespace

Rivals rival_networks(const MaskedFamilies& families, const SubsetProgram& program, const RivalPlan& plan,
                      Control& control) {
    Collector collector(families, program, plan);
    Rivals found;
    found.stop = SinkWalk(families, collector, control).run();
    collector.trim();
    found.full = collector.full;
    found.count = collector.scores.size();
    found.scores = std::move(collector.scores);
    const std::size_t n = families.size();
    for (std::size_t k = 0; k < collector.sets.size(); ++k)
        found.entries.push_back(static_cast<std::int64_t>(families.lists[k % n].entries[collector.sets[k]]));
    return found;
}

Enumerated enumerate_networks(const MaskedFamilies& families, double tolerance, Control& control) {
    Enumerated found;
    Summary summary(families, tolerance, found);
    found.stop = SinkWalk(families, summary, control).run();
    return found;
}

}  // namespace dagwright
