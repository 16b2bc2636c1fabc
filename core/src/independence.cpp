#include "dagwright/independence.hpp"

#include <algorithm>
#include <cmath>

namespace dagwright {

namespace {

bool about_equal(double a, double b) {
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

// (r_x - 1)(r_y - 1) q, also where there are infinitely many configurations.
double degrees_of_freedom(double r_x, double r_y, double q) {
    return r_x == 1.0 || r_y == 1.0 ? 0.0 : (r_x - 1.0) * (r_y - 1.0) * q;
}

VarSet united(const VarSet& set, const VarSet& more) {
    return more.size() == 1 ? set.with(more[0]) : set.united(more);
}

}  // namespace

std::vector<Evidence> interactions(Measure& measure, std::span<const Question> questions,
                                   const VarSet& observed, Control& control) {
    // Joint sets first and in the order of the questions, so that those of one x stand together.
    const std::size_t n = questions.size();
    std::vector<VarSet> sets(4 * n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto& [x, y, given] = questions[i];
        sets[n + i] = united(given, x);
        sets[2 * n + i] = united(given, y);
        sets[3 * n + i] = given;
        sets[i] = united(sets[n + i], y);
    }
    std::vector<Evidence> found(sets.size());
    measure.evidence(sets, observed, found, control);

    const std::span<const std::uint32_t> r = measure.cardinalities();
    for (std::size_t i = 0; i < n; ++i) {
        const Evidence &joint = found[i], &with_x = found[n + i], &with_y = found[2 * n + i],
                       &base = found[3 * n + i];
        const double r_x = cell_count(r, questions[i].x), r_y = cell_count(r, questions[i].y);
        const double q = cell_count(r, questions[i].given);
        const bool counts_cells = about_equal(joint.dim, q * r_x * r_y) && about_equal(base.dim, q);
        found[i] = {(joint.fit + base.fit) - (with_x.fit + with_y.fit),
                    counts_cells ? degrees_of_freedom(r_x, r_y, q)
                                 : (joint.dim + base.dim) - (with_x.dim + with_y.dim)};
    }
    found.resize(n);
    return found;
}

}  // namespace dagwright
