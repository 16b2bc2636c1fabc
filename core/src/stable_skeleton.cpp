#include "dagwright/stable_skeleton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "dagwright/special.hpp"

namespace dagwright {

namespace {

// The subsets of one size of either side, each once: those of the first side first, lexicographically.
class EitherSide {
  public:
    EitherSide(std::array<std::vector<Var>, 2> sides, std::size_t size)
        : sides_(std::move(sides)), chosen_(size) {
        begin();
    }

    std::optional<VarSet> next() {
        while (side_ < 2) {
            if (!fresh_ && !advance()) {
                ++side_;
                begin();
                continue;
            }
            fresh_ = false;
            if (side_ == 1 && all_on_first()) continue;
            std::vector<Var> members;
            for (const std::size_t at : chosen_) members.push_back(sides_[side_][at]);
            return VarSet::of(members);
        }
        return std::nullopt;
    }

  private:
    void begin() {
        while (side_ < 2 && sides_[side_].size() < chosen_.size()) ++side_;
        std::iota(chosen_.begin(), chosen_.end(), std::size_t{0});
        fresh_ = true;
    }

    bool advance() {
        const std::size_t n = sides_[side_].size();
        for (std::size_t k = chosen_.size(); k-- > 0;) {
            if (chosen_[k] == n - chosen_.size() + k) continue;
            ++chosen_[k];
            for (std::size_t after = k + 1; after < chosen_.size(); ++after)
                chosen_[after] = chosen_[after - 1] + 1;
            return true;
        }
        return false;
    }

    bool all_on_first() const {
        return std::all_of(chosen_.begin(), chosen_.end(), [&](std::size_t at) {
            return std::binary_search(sides_[0].begin(), sides_[0].end(), sides_[1][at]);
        });
    }

    std::array<std::vector<Var>, 2> sides_;
    std::vector<std::size_t> chosen_;
    std::size_t side_ = 0;
    bool fresh_ = true;
};

struct Waiting {
    Var x, y;
    EitherSide sets;
    VarSet given{};
};

class LevelByLevel {
  public:
    LevelByLevel(Measure& measure, SkeletonProblem problem, Control& control)
        : measure_(measure), problem_(std::move(problem)), control_(control) {}

    SkeletonFound run() {
        for (std::size_t size = 0; size <= problem_.max_size && found_.stop == Stop::none; ++size) {
            std::vector<Waiting> waiting = links(size);
            if (waiting.empty()) break;
            found_.asked.push_back(0);
            const std::size_t before = found_.separated.size();
            while (!waiting.empty()) {
                found_.stop = control_.should_stop();
                if (found_.stop != Stop::none || !round(waiting)) break;
                control_.report("skeleton", static_cast<std::size_t>(total()), static_cast<double>(size));
            }
            for (std::size_t i = before; i < found_.separated.size(); ++i) {
                const SeparatedPair& pair = found_.separated[i];
                problem_.linked.clear(pair.x, pair.y);
                problem_.linked.clear(pair.y, pair.x);
            }
        }
        found_.linked = std::move(problem_.linked);
        return std::move(found_);
    }

  private:
    std::uint64_t total() const {
        return std::accumulate(found_.asked.begin(), found_.asked.end(), std::uint64_t{0});
    }

    std::vector<Waiting> links(std::size_t size) const {
        std::vector<Waiting> waiting;
        for (std::size_t x = 0; x < problem_.linked.size(); ++x) {
            problem_.linked.for_each_in_row(x, [&](std::size_t y) {
                if (y < x || problem_.fixed.get(x, y)) return;
                std::array<std::vector<Var>, 2> sides{candidates(x, x, y), candidates(y, x, y)};
                if (std::max(sides[0].size(), sides[1].size()) < size) return;
                waiting.push_back(
                    {static_cast<Var>(x), static_cast<Var>(y), EitherSide(std::move(sides), size)});
            });
        }
        return waiting;
    }

    std::vector<Var> candidates(std::size_t around, std::size_t x, std::size_t y) const {
        std::vector<Var> members;
        problem_.linked.for_each_in_row(around, [&](std::size_t v) {
            if (v == x || v == y) return;
            if (problem_.ancestors.get(x, v) || problem_.ancestors.get(y, v))
                members.push_back(static_cast<Var>(v));
        });
        return members;
    }

    // One question about each link that waits; false when time ran out meanwhile.
    bool round(std::vector<Waiting>& waiting) {
        std::vector<Waiting> asked;
        asked.reserve(waiting.size());
        for (Waiting& link : waiting) {
            std::optional<VarSet> given = link.sets.next();
            if (!given) continue;
            link.given = std::move(*given);
            asked.push_back(std::move(link));
        }
        const std::size_t n = asked.size();
        std::vector<Question> questions(n);
        for (std::size_t i = 0; i < n; ++i)
            questions[i] = {VarSet::of({asked[i].x}), VarSet::of({asked[i].y}), asked[i].given};
        const std::vector<Evidence> evidence = interactions(measure_, questions, VarSet{}, control_);
        found_.stop = control_.should_stop();
        if (found_.stop != Stop::none) return false;

        found_.asked.back() += n;
        waiting.clear();
        for (std::size_t i = 0; i < n; ++i) {
            const double statistic = 2.0 * std::max(evidence[i].fit, 0.0), df = evidence[i].dim;
            if (independent(asked[i], statistic, df))
                found_.separated.push_back({asked[i].x, asked[i].y, std::move(asked[i].given), statistic, df,
                                            log_chi2_sf(statistic, df)});
            else
                waiting.push_back(std::move(asked[i]));
        }
        return true;
    }

    bool independent(const Waiting& link, double statistic, double df) {
        const std::span<const std::uint32_t> r = measure_.cardinalities();
        const double cells = cell_count(r, link.given.with(link.x).with(link.y));
        if (df == 0.0 || problem_.rows_per_cell * cells > measure_.total()) return true;
        // The p-value is above alpha where the statistic is below its critical value; so close to it that
        // rounding could matter, the p-value itself decides.
        const auto [at, fresh] = critical_.try_emplace(df, 0.0);
        if (fresh) at->second = chi2_isf(problem_.alpha, df);
        const double margin = 1e-6 * at->second;
        if (std::abs(statistic - at->second) > margin) return statistic < at->second;
        return std::exp(log_chi2_sf(statistic, df)) > problem_.alpha;
    }

    Measure& measure_;
    SkeletonProblem problem_;
    Control& control_;
    SkeletonFound found_;
    std::unordered_map<double, double> critical_;  // by degrees of freedom
};

}  // namespace

SkeletonFound stable_skeleton(Measure& measure, SkeletonProblem problem, Control& control) {
    return LevelByLevel(measure, std::move(problem), control).run();
}

}  // namespace dagwright
