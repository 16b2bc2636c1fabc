#include "dagwright/independence/pc_stable_skeleton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>

namespace dagwright {

namespace {

// The neighbors of one end of an edge without the other end: a list that many edges share, and a place in it
// to leave out.
struct Side {
    std::span<const Var> members;
    std::size_t left_out;

    std::size_t size() const { return members.size() - (left_out < members.size() ? 1 : 0); }
    Var operator[](std::size_t i) const { return members[i < left_out ? i : i + 1]; }
};

// The subsets of one size of either side, each once: those of the first side first, lexicographically.
class EitherSide {
  public:
    // `chosen` is the place for the positions of a subset; it belongs to this object alone.
    EitherSide(const std::array<Side, 2>& sides, std::span<const Word> on_first,
               std::span<std::uint32_t> chosen)
        : sides_(sides), on_first_(on_first), chosen_(chosen) {
        begin();
    }

    bool next(VarSet& subset) {
        while (side_ < 2) {
            if (!fresh_ && !advance()) {
                ++side_;
                begin();
                continue;
            }
            fresh_ = false;
            if (side_ == 1 && all_on_first()) continue;
            subset = VarSet{};
            for (const std::uint32_t at : chosen_) subset = subset.with(sides_[side_][at]);
            return true;
        }
        return false;
    }

  private:
    void begin() {
        while (side_ < 2 && sides_[side_].size() < chosen_.size()) ++side_;
        std::iota(chosen_.begin(), chosen_.end(), 0u);
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
        return std::all_of(chosen_.begin(), chosen_.end(), [&](std::uint32_t at) {
            const Var v = sides_[1][at];
            return has_bit(on_first_, v);
        });
    }

    std::array<Side, 2> sides_;
    std::span<const Word> on_first_;
    std::span<std::uint32_t> chosen_;
    std::size_t side_ = 0;
    bool fresh_ = true;
};

struct Link {
    Var x, y;
    EitherSide sets;
};

class LevelByLevel {
  public:
    LevelByLevel(IndependenceTest& test, SkeletonProblem problem, Control& control)
        : test_(test), problem_(std::move(problem)), control_(control), restricted_(!all_are_ancestors()) {}

    SkeletonFound run() {
        const BitMatrix allowed = problem_.linked;
        levels("skeleton", 0);
        if (problem_.resolve && put_back(allowed)) {
            levels("edges put back", 1);
            put_back(allowed);
        }
        found_.linked = std::move(problem_.linked);
        return std::move(found_);
    }

  private:
    bool all_are_ancestors() const {
        const std::size_t n = problem_.linked.size();
        for (std::size_t x = 0; x < n; ++x)
            if (problem_.ancestors.row_count(x) + (problem_.ancestors.get(x, x) ? 0 : 1) < n) return false;
        return true;
    }

    // Asks by sets of growing size, as long as there is an edge with neighbors enough.
    void levels(const std::string& what, std::size_t first_size) {
        for (std::size_t size = first_size; size <= problem_.max_size && found_.stop == Stop::none; ++size) {
            begin_level(size);
            if (links_.empty()) break;
            found_.asked.resize(std::max(found_.asked.size(), size + 1));
            const std::string phase = what + ", sets of " + std::to_string(size);
            const std::size_t before = found_.separated.size();
            std::vector<std::size_t> waiting(links_.size());
            std::iota(waiting.begin(), waiting.end(), std::size_t{0});
            while (!waiting.empty()) {
                found_.stop = control_.should_stop();
                if (found_.stop != Stop::none || !round(waiting, size)) break;
                control_.report({.phase = phase.c_str(),
                                 .done = links_.size() - waiting.size(),
                                 .total = links_.size(),
                                 .unit = "pairs"});
            }
            for (std::size_t i = before; i < found_.separated.size(); ++i) {
                const TestedPair& pair = found_.separated[i];
                problem_.linked.clear(pair.x, pair.y);
                problem_.linked.clear(pair.y, pair.x);
            }
        }
    }

    // Whether an edge was put back. Edges that are not `allowed` stay apart.
    bool put_back(const BitMatrix& allowed) {
        bool any = false;
        while (true) {
            const SeparatedPairs pairs = separated_pairs(problem_.linked, found_.separated);
            std::vector<PutBack> regions;
            std::vector<VarPair> edges;
            std::vector<std::size_t> ends;
            for (std::vector<VarPair>& region : pairs.uncertain_regions()) {
                const std::size_t before = edges.size();
                for (const VarPair& edge : region)
                    if (allowed.get(edge.first, edge.second)) edges.push_back(edge);
                if (edges.size() == before) continue;
                regions.push_back({std::move(region), {}});
                ends.push_back(edges.size());
            }
            if (regions.empty()) return any;
            const std::vector<double> strength = strengths(edges);
            std::size_t first = 0;
            for (std::size_t i = 0; i < regions.size(); ++i) {
                std::size_t best = first;
                for (std::size_t k = first; k < ends[i]; ++k)
                    if (std::pair(strength[k], edges[k]) > std::pair(strength[best], edges[best])) best = k;
                regions[i].edge = edges[best];
                link(edges[best]);
                first = ends[i];
            }
            std::ranges::move(regions, std::back_inserter(found_.put_back));
            any = true;
        }
    }

    // How much the ends of each edge depend on each other with nothing given; all alike after an interrupt.
    std::vector<double> strengths(std::span<const VarPair> edges) {
        std::vector<double> result(edges.size(), 0.0);
        if (found_.stop == Stop::cancelled) return result;
        std::vector<Question> questions;
        for (const auto& [x, y] : edges) questions.push_back({VarSet::of({x}), VarSet::of({y}), {}});
        std::vector<Answer> answers(edges.size());
        Control to_the_end(control_.workers().threads());  // few pairs, which were counted before
        test_.answer(questions, Detail::facts, answers, to_the_end);
        found_.asked.resize(std::max<std::size_t>(found_.asked.size(), 1));
        found_.asked[0] += edges.size();
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (!std::isnan(answers[i].effect)) result[i] = answers[i].effect;
            if (problem_.keep_levels) keep_levels({edges[i].first, edges[i].second, {}, answers[i]});
        }
        return result;
    }

    void link(const VarPair& edge) {
        const auto [x, y] = edge;
        const auto at = std::ranges::find_if(
            found_.separated, [&](const TestedPair& pair) { return pair.x == x && pair.y == y; });
        VarSet& without = only_[edge];
        without = without.united(at->given);
        found_.separated.erase(at);
        problem_.linked.set(x, y);
        problem_.linked.set(y, x);
    }

    // The edges that can be asked about at this level, and the neighbors that they have now.
    void begin_level(std::size_t size) {
        const std::size_t n = problem_.linked.size();
        frozen_ = problem_.linked;
        around_.assign(n, {});
        for (std::size_t x = 0; x < n; ++x)
            frozen_.for_each_in_row(x, [&](std::size_t y) { around_[x].push_back(static_cast<Var>(y)); });
        links_.clear();
        filtered_.clear();
        std::vector<std::pair<Var, Var>> pairs;
        std::vector<std::array<Side, 2>> sides;
        for (Var x = 0; x < n; ++x) {
            for (const Var y : around_[x]) {
                if (y < x || problem_.fixed.get(x, y)) continue;
                const auto again = only_.find({x, y});
                if (!only_.empty() && again == only_.end()) continue;
                const VarSet without = only_.empty() ? VarSet{} : again->second;
                const std::array<Side, 2> both{side(x, x, y, without), side(y, x, y, without)};
                if (std::max(both[0].size(), both[1].size()) < size) continue;
                pairs.emplace_back(x, y);
                sides.push_back(both);
            }
        }
        chosen_.assign(pairs.size() * size, 0);
        links_.reserve(pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto [x, y] = pairs[i];
            const std::span<std::uint32_t> chosen(chosen_.data() + i * size, size);
            links_.push_back({x, y, EitherSide(sides[i], frozen_.row(x), chosen)});
        }
    }

    // The neighbors of one end that a set between x and y may contain.
    Side side(Var end, Var x, Var y, const VarSet& without) {
        const std::vector<Var>& near = around_[end];
        if (!restricted_ && without.empty()) {
            const auto other = std::lower_bound(near.begin(), near.end(), end == x ? y : x);
            return {near, static_cast<std::size_t>(other - near.begin())};
        }
        std::vector<Var>& members = filtered_.emplace_back();
        for (const Var v : near)
            if (v != x && v != y && !without.contains(v) &&
                (problem_.ancestors.get(x, v) || problem_.ancestors.get(y, v)))
                members.push_back(v);
        return {members, members.size()};
    }

    // One question about each edge that waits; false when time ran out meanwhile.
    bool round(std::vector<std::size_t>& waiting, std::size_t size) {
        std::vector<std::size_t> asked;
        std::vector<Question> questions;
        asked.reserve(waiting.size());
        questions.reserve(waiting.size());
        VarSet given;
        for (const std::size_t i : waiting) {
            if (!links_[i].sets.next(given)) continue;
            asked.push_back(i);
            questions.push_back({VarSet::of({links_[i].x}), VarSet::of({links_[i].y}), std::move(given)});
        }
        std::vector<Answer> answers(questions.size());
        test_.answer(questions, problem_.keep_levels ? Detail::facts : Detail::decision, answers, control_);
        found_.stop = control_.should_stop();
        if (found_.stop != Stop::none) return false;

        found_.asked[size] += asked.size();
        waiting.clear();
        for (std::size_t k = 0; k < asked.size(); ++k) {
            const Link& link = links_[asked[k]];
            TestedPair pair{link.x, link.y, std::move(questions[k].given), answers[k]};
            if (problem_.keep_levels) keep_levels(pair);
            if (answers[k].independent)
                found_.separated.push_back(std::move(pair));
            else
                waiting.push_back(asked[k]);
        }
        return true;
    }

    void keep_levels(const TestedPair& pair) {
        const double p = std::exp(pair.answer.log_p);
        const std::size_t key = std::size_t{pair.x} * problem_.linked.size() + pair.y;
        const auto [at, fresh] = level_of_.try_emplace(key, found_.largest.size(), p);
        if (fresh) {
            found_.largest.push_back(pair);
            if (pair.given.empty()) found_.alone.push_back(pair);
        } else if (p > at->second.second) {
            at->second.second = p;
            found_.largest[at->second.first] = pair;
        }
    }

    IndependenceTest& test_;
    SkeletonProblem problem_;
    Control& control_;
    bool restricted_;
    SkeletonFound found_;
    std::unordered_map<std::size_t, std::pair<std::size_t, double>> level_of_;  // place in `largest`, p-value

    std::map<VarPair, VarSet> only_;  // edges that were put back, and what not to give to each

    // What belongs to the present level.
    BitMatrix frozen_;
    std::vector<std::vector<Var>> around_;
    std::deque<std::vector<Var>> filtered_;
    std::vector<std::uint32_t> chosen_;
    std::vector<Link> links_;
};

}  // namespace

SeparatedPairs separated_pairs(const BitMatrix& linked, std::span<const TestedPair> separated) {
    std::vector<VarPair> pairs;
    std::vector<VarSet> given;
    for (const TestedPair& pair : separated) {
        pairs.emplace_back(pair.x, pair.y);
        given.push_back(pair.given);
    }
    return {linked, std::move(pairs), std::move(given)};
}

SkeletonFound stable_skeleton(IndependenceTest& test, SkeletonProblem problem, Control& control) {
    return LevelByLevel(test, std::move(problem), control).run();
}

}  // namespace dagwright
