#include "dagwright/exact/candidate_sets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dagwright/base/errors.hpp"

namespace dagwright {

CandidateSets::CandidateSets(std::vector<std::int64_t> offsets, std::vector<double> scores,
                             std::vector<std::int64_t> starts, std::vector<std::int32_t> members,
                             std::vector<Link> links)
    : offsets_(std::move(offsets)),
      scores_(std::move(scores)),
      starts_(std::move(starts)),
      members_(std::move(members)),
      links_(std::move(links)) {
    const auto entries = static_cast<std::int64_t>(scores_.size());
    if (offsets_.empty() || offsets_.front() != 0 || offsets_.back() != entries ||
        !std::is_sorted(offsets_.begin(), offsets_.end()))
        throw Error("the offsets of candidate sets must ascend from 0 to the number of sets");
    if (starts_.size() != scores_.size() + 1 || starts_.front() != 0 ||
        starts_.back() != static_cast<std::int64_t>(members_.size()) ||
        !std::is_sorted(starts_.begin(), starts_.end()))
        throw Error("the starts of candidate sets must ascend from 0 to the number of members");
    for (Var child = 0; child < variables(); ++child) {
        if (size(child) == 0) throw Error("every variable needs a candidate set");
        for (std::size_t e = begin(child); e < end(child); ++e) {
            if (std::isnan(scores_[e])) throw Error("the score of a candidate set is not a number");
            if (e > begin(child) && scores_[e] > scores_[e - 1])
                throw Error("candidate sets must be given best first");
            std::int64_t last = -1;
            for (const std::int32_t v : parents(e)) {
                if (v <= last || v >= static_cast<std::int64_t>(variables()) ||
                    v == static_cast<std::int64_t>(child))
                    throw Error("the members of a candidate set must ascend and be other variables");
                last = v;
            }
        }
    }
    for (const auto& [one, other] : links_)
        if (one >= variables() || other >= variables() || one == other)
            throw Error("a link must join two variables");
}

void CandidateSets::append(std::span<const VarSet> sets, std::span<const double> scores) {
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (scores[a] != scores[b]) return scores[a] > scores[b];
        return sets[a] < sets[b];
    });
    for (const std::size_t i : order) {
        scores_.push_back(scores[i]);
        for (const Var v : sets[i]) members_.push_back(static_cast<std::int32_t>(v));
        starts_.push_back(static_cast<std::int64_t>(members_.size()));
    }
    offsets_.push_back(static_cast<std::int64_t>(scores_.size()));
}

}  // namespace dagwright
