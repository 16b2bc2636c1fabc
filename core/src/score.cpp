#include "dagwright/score.hpp"

#include <algorithm>
#include <cmath>

namespace dagwright {

double score_tolerance(double N) { return 1e-12 * std::max(1.0, N * std::log(std::max(N, 2.0))); }

void CriterionScore::local(std::span<const Family> families, std::span<double> out, Control& control) {
    // All joint sets, then all parent sets: neighbours in each half share all but one variable.
    std::vector<VarSet> sets;
    sets.reserve(2 * families.size());
    for (const Family& family : families) sets.push_back(family.parents.with(family.child));
    for (const Family& family : families) sets.push_back(family.parents);
    std::vector<Evidence> evidence(sets.size());
    measure_->evidence(sets, {}, evidence, control);
    for (std::size_t i = 0; i < families.size(); ++i) {
        const Evidence& joint = evidence[i];
        const Evidence& given = evidence[i + families.size()];
        out[i] = joint.fit - given.fit;
        if (lambda_ != 0.0)
            out[i] -= lambda_ * measure_->family_dim(families[i].child, families[i].parents, joint, given);
    }
}

double CriterionScore::superset_bound(const Family& family) const {
    if (!measure_->fit_at_most_zero()) return std::numeric_limits<double>::infinity();
    if (lambda_ == 0.0) return 0.0;
    // At best the child follows from its parents; one more parent at least doubles the configurations (a
    // constant column changes nothing).
    return -lambda_ * 2.0 * measure_->family_dim(family.child, family.parents, {}, {});
}

CellScore::CellScore(std::shared_ptr<CellSums> sums, Kind kind, double ess)
    : sums_(std::move(sums)), kind_(kind), ess_(ess) {
    if (kind == Kind::bds && !(ess > 0.0)) throw Error("the equivalent sample size must be positive");
}

void CellScore::local(std::span<const Family> families, std::span<double> out, Control& control) {
    const auto states = [&](const Family& family) {
        return std::max(1.0, static_cast<double>(sums_->table().column(family.child).cardinality));
    };
    std::vector<double> configurations(families.size(), 1.0);
    if (kind_ == Kind::bds) {
        std::vector<SumRequest> requests;
        for (const Family& family : families) requests.push_back({family.parents, {CellKind::occupied, 0.0}});
        sums_->sums(requests, {}, configurations, control);
        for (double& q : configurations) q = std::max(q, 1.0);
    }
    std::vector<SumRequest> requests;
    requests.reserve(2 * families.size());
    for (std::size_t i = 0; i < families.size(); ++i) {
        CellFunctionId f;
        if (kind_ == Kind::k2) f = {CellKind::rising, 1.0};
        if (kind_ == Kind::bds) f = {CellKind::rising, ess_ / (states(families[i]) * configurations[i])};
        requests.push_back({families[i].parents.with(families[i].child), f});
    }
    for (std::size_t i = 0; i < families.size(); ++i) {
        CellFunctionId g{CellKind::n_log_n_nml, states(families[i])};
        if (kind_ == Kind::k2) g = {CellKind::rising, states(families[i])};
        if (kind_ == Kind::bds) g = {CellKind::rising, ess_ / configurations[i]};
        requests.push_back({families[i].parents, g});
    }
    std::vector<double> sums(requests.size());
    sums_->sums(requests, {}, sums, control);
    for (std::size_t i = 0; i < families.size(); ++i) out[i] = sums[i] - sums[i + families.size()];
}

}  // namespace dagwright
