#include "dagwright/evidence/child_scores.hpp"

#include <algorithm>

#include "dagwright/base/errors.hpp"

namespace dagwright {

ChildScores::ChildScores(std::vector<std::shared_ptr<LocalScore>> scores, std::vector<std::size_t> of_child)
    : scores_(std::move(scores)), of_child_(std::move(of_child)) {
    for (const std::shared_ptr<LocalScore>& score : scores_)
        if (score->variables() != of_child_.size())
            throw Error("the scores of the children must be over the same variables");
    for (const std::size_t at : of_child_)
        if (at >= scores_.size()) throw Error("a child has no score");
}

double ChildScores::tolerance() const {
    double most = score_tolerance(0.0);
    for (const std::shared_ptr<LocalScore>& score : scores_) most = std::max(most, score->tolerance());
    return most;
}

// Batches stay batches: the families of one score are asked for together.
template <class Ask>
void ChildScores::each_by_its_own(std::span<const Family> families, std::span<double> out, Ask&& ask) {
    std::vector<std::vector<std::size_t>> asked(scores_.size());
    for (std::size_t i = 0; i < families.size(); ++i) asked[of_child_[families[i].child]].push_back(i);
    std::vector<Family> own;
    std::vector<double> found;
    for (std::size_t at = 0; at < scores_.size(); ++at) {
        if (asked[at].empty()) continue;
        own.clear();
        for (const std::size_t i : asked[at]) own.push_back(families[i]);
        found.assign(own.size(), 0.0);
        ask(*scores_[at], own, found);
        for (std::size_t k = 0; k < own.size(); ++k) out[asked[at][k]] = found[k];
    }
}

void ChildScores::local(std::span<const Family> families, std::span<double> out, Control& control) {
    each_by_its_own(families, out, [&](LocalScore& score, std::span<const Family> own, std::span<double> to) {
        score.local(own, to, control);
    });
}

void ChildScores::superset_bounds(std::span<const Family> families, std::span<double> out, Control& control) {
    each_by_its_own(families, out, [&](LocalScore& score, std::span<const Family> own, std::span<double> to) {
        score.superset_bounds(own, to, control);
    });
}

bool ChildScores::bounds_families() const {
    return std::all_of(scores_.begin(), scores_.end(),
                       [](const auto& score) { return score->bounds_families(); });
}

bool ChildScores::bounded() const {
    return std::any_of(scores_.begin(), scores_.end(), [](const auto& score) { return score->bounded(); });
}

}  // namespace dagwright
