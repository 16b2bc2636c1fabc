#include "dagwright/evidence/score.hpp"

#include <algorithm>
#include <cmath>

#include "dagwright/evidence/no_maximum.hpp"

namespace dagwright {

double score_tolerance(double N) { return 1e-12 * std::max(1.0, N * std::log(std::max(N, 2.0))); }

void CriterionScore::local(std::span<const Family> families, std::span<double> out, Control& control) {
    // All joint sets, then all parent sets: neighbors in each half share all but one variable.
    std::vector<VarSet> sets;
    sets.reserve(2 * families.size());
    for (const Family& family : families) sets.push_back(family.parents.with(family.child));
    for (const Family& family : families) sets.push_back(family.parents);
    std::vector<SetFit> evidence(sets.size());
    measure_->evidence(sets, {}, evidence, control);
    for (std::size_t i = 0; i < families.size(); ++i) {
        const SetFit& joint = evidence[i];
        const SetFit& given = evidence[i + families.size()];
        out[i] = family_fit(joint, given);
        if (lambda_ != 0.0)
            out[i] -= lambda_ * measure_->family_dim(families[i].child, families[i].parents, joint, given);
    }
}

void LocalScore::additions(Var child, const VarSet& parents, std::span<const Var> added,
                           std::span<double> out, Control& control) {
    std::vector<Family> families;
    families.reserve(added.size());
    for (const Var v : added) families.push_back({child, parents.with(v)});
    local(families, out, control);
}

void CriterionScore::additions(Var child, const VarSet& parents, std::span<const Var> added,
                               std::span<double> out, Control& control) {
    std::vector<SetFit> joint(added.size()), given(added.size());
    measure_->extensions(parents.with(child), added, joint, control);
    measure_->extensions(parents, added, given, control);
    for (std::size_t i = 0; i < added.size(); ++i) {
        out[i] = family_fit(joint[i], given[i]);
        if (lambda_ != 0.0)
            out[i] -= lambda_ * measure_->family_dim(child, parents.with(added[i]), joint[i], given[i]);
    }
}

const std::optional<Bounds>& CriterionScore::bounds() const {
    std::call_once(bounds_known_, [this] { bounds_ = measure_->bounds(); });
    return bounds_;
}

double CriterionScore::superset_bound(const Family& family) const {
    if (!bounds()) return std::numeric_limits<double>::infinity();
    const double largest = bounds()->largest_fit[family.child];
    if (lambda_ == 0.0 && bounds()->regret != nullptr)
        return largest - least_regret(family, bounds()->growth);
    if (lambda_ == 0.0) return largest;
    const double dim = measure_->family_dim(family.child, family.parents, {}, {});
    return largest - lambda_ * (bounds()->factor * dim + bounds()->added);
}

double CriterionScore::family_bound(const Family& family) const {
    if (!bounds()) return std::numeric_limits<double>::infinity();
    const double paid =
        lambda_ == 0.0 && bounds()->regret != nullptr ? least_regret(family, 1.0) : penalty(family);
    return bounds()->largest_fit[family.child] - paid;
}

double CriterionScore::least_regret(const Family& family, double growth) const {
    const std::span<const std::uint32_t> states = bounds()->states;
    return bounds()->regret->least_from(std::max(1.0, static_cast<double>(states[family.child])),
                                        growth * cell_count(states, family.parents));
}

double CriterionScore::penalty(const Family& family) const {
    return lambda_ == 0.0 ? 0.0 : lambda_ * measure_->family_dim(family.child, family.parents, {}, {});
}

Measure* CriterionScore::likelihood() { return lambda_ > 0.0 && bounded() ? measure_.get() : nullptr; }

void CriterionScore::superset_bounds(std::span<const Family> families, std::span<double> out,
                                     Control& control) {
    if (lambda_ == 0.0 && bounds() && bounds()->occupied != nullptr)
        occupied_bounds(*bounds()->occupied, families, Occupied::cells, out, control);
    else
        LocalScore::superset_bounds(families, out, control);
}

bool CriterionScore::bounded() const {
    if (!bounds()) return false;
    if (lambda_ > 0.0) return bounds()->has_dim();
    return bounds()->occupied != nullptr || (lambda_ == 0.0 && bounds()->regret != nullptr);
}

bool CriterionScore::bounds_families() const {
    return lambda_ == 0.0 && bounds() && bounds()->occupied != nullptr;
}

void occupied_bounds(CellSums& sums, std::span<const Family> families, Occupied what, std::span<double> out,
                     Control& control) {
    if (sums.shape().unit() != 1.0) {  // the argument counts whole rows
        std::fill(out.begin(), out.end(), 0.0);
        return;
    }
    std::vector<SumRequest> requests;
    requests.reserve(families.size());
    for (const Family& family : families)
        requests.push_back({what == Occupied::cells ? family.parents.with(family.child) : family.parents,
                            {CellKind::occupied, 0.0}});
    sums.sums(requests, {}, out, control);
    for (std::size_t i = 0; i < families.size(); ++i)
        out[i] *= -std::log(std::max(1.0, static_cast<double>(sums.shape().cardinality(families[i].child))));
}

CellScore::CellScore(std::shared_ptr<CellSums> sums, Kind kind, double ess)
    : sums_(std::move(sums)), kind_(kind), ess_(ess) {
    if (kind == Kind::bds && !(ess > 0.0)) throw Error("the equivalent sample size must be positive");
}

void CellScore::local(std::span<const Family> families, std::span<double> out, Control& control) {
    const auto states = [&](const Family& family) {
        return std::max(1.0, static_cast<double>(sums_->shape().cardinality(family.child)));
    };
    const auto dirichlet = [&](double cells) { return dirichlet_cell(ess_, cells, std::log(cells)); };
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
        if (kind_ == Kind::bds) f = dirichlet(states(families[i]) * configurations[i]);
        requests.push_back({families[i].parents.with(families[i].child), f});
    }
    for (std::size_t i = 0; i < families.size(); ++i) {
        CellFunctionId g{CellKind::n_log_n_nml, states(families[i])};
        if (kind_ == Kind::k2) g = {CellKind::rising, states(families[i])};
        if (kind_ == Kind::bds) g = dirichlet(configurations[i]);
        requests.push_back({families[i].parents, g});
    }
    std::vector<double> sums(requests.size());
    sums_->sums(requests, {}, sums, control);
    for (std::size_t i = 0; i < families.size(); ++i) out[i] = sums[i] - sums[i + families.size()];
}

void CellScore::superset_bounds(std::span<const Family> families, std::span<double> out, Control& control) {
    occupied_bounds(*sums_, families, kind_ == Kind::fnml ? Occupied::configurations : Occupied::cells, out,
                    control);
}

}  // namespace dagwright
