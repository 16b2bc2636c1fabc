#include "dagwright/search/parent_lists.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

namespace dagwright {

namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();
constexpr std::size_t kWidestMask = 4;       // words; with more variables sets are looked at member by member
constexpr std::size_t kBatch = 2048;         // families scored between two looks at the clock
constexpr std::size_t kWideBatch = 16384;    // the same where they are scored at once
constexpr std::size_t kManyAdditions = 128;  // extensions of one set that are

struct Candidate {
    VarSet set;
    double score = kWorst;
    double subsets = kWorst;      // the best score among its subsets that can stand in for it
    std::uint32_t generated = 0;  // from how many of its subsets it was made
    std::uint32_t from = 0;       // the first of them, and
    Var added = 0;                // what it was extended by
};

}  // namespace

// Makes the list of one child at a time.
class ParentLists::Builder {
  public:
    Builder(LocalScore& score, const Knowledge& knowledge, const ParentListPlan& plan, Control& control)
        : score_(score),
          knowledge_(knowledge),
          plan_(plan),
          control_(control),
          tolerance_(score.tolerance()) {}

    List build(Var child, const VarSet& seed) {
        child_ = child;
        seed_ = seed;
        budget_ = plan_.evaluations_per_child;
        most_ = std::min(plan_.max_parents, knowledge_.max_parents(child));
        allowed_ = knowledge_.allowed_parents(child);
        required_ = VarSet::of(knowledge_.required_parents(child));
        find_links();
        kept_.clear();
        whole_ = true;

        std::vector<Candidate> level(1);
        level[0].set = required_;
        score_level(level, {});
        for (std::size_t size = required_.size(); !level.empty() && stop == Stop::none; ++size) {
            keep(level);
            std::vector<Candidate> frontier = choose_frontier(std::move(level), size);
            level = extend(frontier);
            score_level(level, frontier);
        }
        keep_seed();
        complete = complete && whole_;
        return finish();
    }

    std::uint64_t evaluations = 0;
    bool complete = true;
    Stop stop = Stop::none;

  private:
    void find_links() {
        links_ = {};
        for (const Var other : allowed_)
            if (knowledge_.requires_link(other, child_) && !required_.contains(other))
                links_ = links_.with(other);
    }

    // A subset stands in for a set in every order only if both hold the same neighbors that must be joined.
    bool can_do_without(Var added) const { return !links_.contains(added); }

    // The scores of a stretch of the level; extensions of one set are scored at once where that is quicker.
    void score_stretch(std::span<const Candidate> stretch, const std::vector<Candidate>& frontier,
                       std::span<double> values) {
        if (frontier.empty() || stretch.size() < kManyAdditions || !score_.adds_at_once() ||
            stretch.front().from != stretch.back().from) {
            std::vector<Family> families;
            for (const Candidate& candidate : stretch) families.push_back({child_, candidate.set});
            score_.local(families, values, control_);
            return;
        }
        std::vector<Var> added;
        for (const Candidate& candidate : stretch) added.push_back(candidate.added);
        score_.additions(child_, frontier[stretch.front().from].set, added, values, control_);
    }

    void score_level(std::vector<Candidate>& level, const std::vector<Candidate>& frontier) {
        std::vector<double> values;
        const std::size_t batch = score_.adds_at_once() ? kWideBatch : kBatch;
        for (std::size_t begin = 0; begin < level.size(); begin += batch) {
            if ((stop = control_.should_stop()) != Stop::none) {
                level.resize(begin);
                whole_ = false;
                return;
            }
            const std::size_t end = std::min(begin + batch, level.size());
            values.resize(end - begin);
            score_stretch(std::span(level).subspan(begin, end - begin), frontier, values);
            evaluations += values.size();
            budget_ -= std::min<std::uint64_t>(budget_, values.size());
            for (std::size_t i = begin; i < end; ++i)
                level[i].score = std::isnan(values[i - begin]) ? kWorst : values[i - begin];
        }
    }

    void keep(const std::vector<Candidate>& level) {
        for (const Candidate& candidate : level)
            if (beats_subsets(candidate)) kept_.push_back(candidate);
    }

    bool beats_subsets(const Candidate& candidate) const {
        return candidate.set == required_ || candidate.score > candidate.subsets + tolerance_;
    }

    bool can_grow(const Candidate& candidate) const {
        if (!links_.empty()) return true;
        const double best = std::max(candidate.score, candidate.subsets);
        return score_.superset_bound({child_, candidate.set}) > best + tolerance_;
    }

    // The sets of this level to extend: all that the bound leaves, if affordable, else the best.
    std::vector<Candidate> choose_frontier(std::vector<Candidate> level, std::size_t size) {
        if (size >= most_) return {};
        std::erase_if(level, [&](const Candidate& c) { return !can_grow(c); });
        if (level.empty()) return level;
        // Each set of the next level has size+1 subsets in this one.
        const double fresh = static_cast<double>(level.size()) * static_cast<double>(allowed_.size() - size) /
                             static_cast<double>(size - required_.size() + 1);
        if (whole_ && fresh <= static_cast<double>(budget_)) return level;
        whole_ = false;
        const std::size_t width = budget_ / (2 * (allowed_.size() + 1));
        std::stable_sort(level.begin(), level.end(), [&](const Candidate& a, const Candidate& b) {
            const bool seed_a = seed_.includes(a.set), seed_b = seed_.includes(b.set);
            if (seed_a != seed_b) return seed_a;
            const bool beats_a = beats_subsets(a), beats_b = beats_subsets(b);
            if (beats_a != beats_b) return beats_a;
            return a.score > b.score;
        });
        std::size_t take = 0;
        while (take < level.size() && beats_subsets(level[take]) && take < width) ++take;
        level.resize(take);
        return level;
    }

    std::vector<Candidate> extend(const std::vector<Candidate>& frontier) {
        std::vector<Candidate> next;
        std::unordered_map<VarSet, std::uint32_t, VarSetHash> index;
        for (std::uint32_t f = 0; f < frontier.size(); ++f) {
            const Candidate& from = frontier[f];
            const double best = std::max(from.score, from.subsets);
            for (const Var added : allowed_) {
                if (from.set.contains(added)) continue;
                VarSet set = from.set.with(added);
                const auto [at, inserted] = index.try_emplace(set, static_cast<std::uint32_t>(next.size()));
                if (inserted) {
                    next.emplace_back();
                    next.back().set = std::move(set);
                    next.back().from = f;
                    next.back().added = added;
                }
                Candidate& candidate = next[at->second];
                ++candidate.generated;
                if (can_do_without(added)) candidate.subsets = std::max(candidate.subsets, best);
            }
        }
        if (whole_ && links_.empty()) {
            // A set with a subset that was ruled out, together with all supersets, is ruled out too.
            std::erase_if(next,
                          [&](const Candidate& c) { return c.generated < c.set.size() - required_.size(); });
        }
        return next;
    }

    void keep_seed() {
        for (const Candidate& candidate : kept_)
            if (candidate.set == seed_) return;
        std::vector<Candidate> only(1);
        only[0].set = seed_;
        std::vector<Family> family{{child_, seed_}};
        std::vector<double> value(1);
        score_.local(family, value, control_);
        only[0].score = value[0];
        kept_.push_back(only[0]);
    }

    List finish() {
        std::stable_sort(kept_.begin(), kept_.end(), [](const Candidate& a, const Candidate& b) {
            if (a.score != b.score) return a.score > b.score;
            return a.set < b.set;
        });
        if (kept_.size() > plan_.longest) {
            // The required parents alone must stay: every order can be answered by them.
            std::vector<Candidate> base;
            for (std::size_t i = plan_.longest; i < kept_.size(); ++i)
                if (kept_[i].set == required_ || kept_[i].set == seed_) base.push_back(kept_[i]);
            kept_.resize(plan_.longest);
            kept_.insert(kept_.end(), base.begin(), base.end());
            complete = false;
        }
        List list;
        const std::size_t n = score_.variables();
        for (Candidate& candidate : kept_) {
            list.scores.push_back(candidate.score);
            list.sets.push_back(std::move(candidate.set));
        }
        if (!links_.empty()) {
            list.links.assign(words_for(n), 0);
            for (const Var v : links_) set_bit(list.links, v);
        }
        return list;
    }

    LocalScore& score_;
    const Knowledge& knowledge_;
    const ParentListPlan& plan_;
    Control& control_;
    double tolerance_;

    Var child_ = 0;
    VarSet seed_, required_, links_;
    std::vector<Var> allowed_;
    std::size_t most_ = 0;
    std::uint64_t budget_ = 0;
    std::vector<Candidate> kept_;
    bool whole_ = true;  // every set that the bound leaves has been scored so far
};

ParentLists::ParentLists(LocalScore& score, const Knowledge& knowledge, const ParentListPlan& plan,
                         std::span<const VarSet> seeds, double best, Control& control)
    : words_(words_for(score.variables()) <= kWidestMask ? words_for(score.variables()) : 0),
      candidates_(score.variables()) {
    Builder builder(score, knowledge, plan, control);
    for (Var child = 0; child < score.variables(); ++child) {
        lists_.push_back(builder.build(child, seeds[child]));
        settle(child);
        control.report({.phase = "scoring parent sets",
                        .done = child + 1,
                        .total = score.variables(),
                        .unit = "variables",
                        .best = best});
    }
    complete_ = builder.complete && builder.stop == Stop::none;
    evaluations_ = builder.evaluations;
    stop_ = builder.stop;
}

bool ParentLists::extend(LocalScore& score, const Knowledge& knowledge, const ParentListPlan& plan,
                         std::span<const VarSet> seeds, double best, Control& control) {
    Builder builder(score, knowledge, plan, control);
    bool any = false;
    for (Var child = 0; child < score.variables(); ++child) {
        if (lists_[child].holds(seeds[child])) continue;
        any = true;
        List list = builder.build(child, seeds[child]);
        list.join(lists_[child]);
        lists_[child] = std::move(list);
        settle(child);
        control.report({.phase = "scoring parent sets",
                        .done = child + 1,
                        .total = score.variables(),
                        .unit = "variables",
                        .best = best});
    }
    evaluations_ = builder.evaluations;
    stop_ = builder.stop;
    return any;
}

void ParentLists::settle(Var child) {
    List& list = lists_[child];
    list.index(candidates_.size(), words_);
    for (const Var parent : list.members) candidates_.set(child, parent);
    for_each_bit(list.links, [&](std::size_t other) { candidates_.set(child, other); });
}

bool ParentLists::List::holds(const VarSet& set) const {
    return std::find(sets.begin(), sets.end(), set) != sets.end();
}

void ParentLists::List::join(const List& other) {
    std::vector<std::size_t> fresh;
    for (std::size_t i = 0; i < other.sets.size(); ++i)
        if (!std::binary_search(scores.begin(), scores.end(), other.scores[i], std::greater<>()) ||
            !holds(other.sets[i]))
            fresh.push_back(i);
    std::vector<double> all_scores;
    std::vector<VarSet> all_sets;
    std::size_t mine = 0, next = 0;
    while (mine < sets.size() || next < fresh.size()) {
        const bool take_mine =
            next == fresh.size() || (mine < sets.size() && !(other.scores[fresh[next]] > scores[mine]));
        all_scores.push_back(take_mine ? scores[mine] : other.scores[fresh[next]]);
        all_sets.push_back(take_mine ? std::move(sets[mine]) : other.sets[fresh[next]]);
        ++(take_mine ? mine : next);
    }
    scores = std::move(all_scores);
    sets = std::move(all_sets);
}

void ParentLists::List::index(std::size_t variables, std::size_t words) {
    std::vector<std::uint32_t> count(variables, 0);
    masks.assign(words * sets.size(), 0);
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (const Var v : sets[i]) {
            ++count[v];
            if (words > 0) set_bit(masks.data() + i * words, v);
        }
    std::vector<std::uint32_t> next(variables, 0);
    offsets.push_back(0);
    for (Var v = 0; v < variables; ++v) {
        if (count[v] == 0) continue;
        members.push_back(v);
        next[v] = offsets.back();
        offsets.push_back(offsets.back() + count[v]);
    }
    holders.resize(offsets.back());
    for (std::uint32_t i = 0; i < sets.size(); ++i)
        for (const Var v : sets[i]) holders[next[v]++] = i;
}

inline bool ParentLists::fits(const List& list, std::uint32_t entry, const Word* before) const {
    const auto is_before = [&](std::size_t v) { return has_bit(before, v); };
    if (words_ > 0) {
        const Word* mask = list.masks.data() + entry * words_;
        for (std::size_t w = 0; w < words_; ++w)
            if ((mask[w] & ~before[w]) != 0) return false;
    } else {
        for (const Var v : list.sets[entry])
            if (!is_before(v)) return false;
    }
    bool joined = true;
    if (!list.links.empty())
        for_each_bit(list.links, [&](std::size_t v) {
            joined = joined && (!is_before(v) || list.sets[entry].contains(static_cast<Var>(v)));
        });
    return joined;
}

std::uint32_t ParentLists::first_fitting(Var child, const Word* before, std::uint32_t from) const {
    const List& list = lists_[child];
    const auto size = static_cast<std::uint32_t>(list.scores.size());
    if (words_ == 1 && list.links.empty()) {
        const Word absent = ~*before;
        for (std::uint32_t i = from; i < size; ++i)
            if ((list.masks[i] & absent) == 0) return i;
        return kNone;
    }
    for (std::uint32_t i = from; i < size; ++i)
        if (fits(list, i, before)) return i;
    return kNone;
}

std::uint32_t ParentLists::first_with(Var child, Var gained, const Word* before, std::uint32_t below) const {
    const List& list = lists_[child];
    const auto at = std::lower_bound(list.members.begin(), list.members.end(), gained);
    if (at == list.members.end() || *at != gained) return kNone;
    const auto k = static_cast<std::size_t>(at - list.members.begin());
    for (std::uint32_t h = list.offsets[k]; h < list.offsets[k + 1] && list.holders[h] < below; ++h)
        if (fits(list, list.holders[h], before)) return list.holders[h];
    return kNone;
}

std::size_t ParentLists::bytes() const noexcept {
    std::size_t total = 0;
    for (const List& list : lists_)
        total += list.scores.size() * (sizeof(double) + sizeof(VarSet)) + list.masks.size() * sizeof(Word) +
                 list.holders.size() * sizeof(std::uint32_t);
    return total;
}

}  // namespace dagwright
