// What the inverse of the covariances says of each variable given all others, and the tables of all sets.
#include <algorithm>
#include <cmath>

#include "dagwright/evidence/gaussian.hpp"
#include "gaussian_fit.hpp"

namespace dagwright {

namespace {

// Correlations from covariances: `covariance(a, b)` for b <= a.
template <class Covariance>
std::vector<double> correlations(std::size_t width, Covariance&& covariance) {
    std::vector<double> found(width * width), roots(width);
    for (std::size_t a = 0; a < width; ++a) roots[a] = std::sqrt(covariance(a, a));
    for (std::size_t a = 0; a < width; ++a)
        for (std::size_t b = 0; b <= a; ++b)
            found[a * width + b] = found[b * width + a] =
                a == b ? 1.0 : covariance(a, b) / (roots[a] * roots[b]);
    return found;
}

// The inverse of correlations R = L L', where no column is a linear function of the others.
class Inverse {
  public:
    Inverse(std::size_t width, const std::vector<double>& correlations) : width_(width) {
        Cholesky factor;
        factor.resize(width);
        for (std::size_t a = 0; a < width; ++a)
            for (std::size_t b = 0; b <= a; ++b) factor.at(a, b) = correlations[a * width + b];
        if (factor.factor() < width) return;
        log_determinant_ = factor.log_determinant().value();
        columns_.assign(width * width, 0.0);
        for (std::size_t j = 0; j < width; ++j) {
            double* const column = &columns_[j * width];
            column[j] = 1.0 / factor.at(j, j);
            for (std::size_t i = j + 1; i < width; ++i) {
                double sum = 0.0;
                for (std::size_t k = j; k < i; ++k) sum -= factor.at(i, k) * column[k];
                column[i] = sum / factor.at(i, i);
            }
        }
    }

    bool exists() const { return columns_.size() == width_ * width_; }
    // log|R|.
    double log_determinant() const { return log_determinant_; }
    double at(std::size_t a, std::size_t b) const {
        double sum = 0.0;
        for (std::size_t k = std::max(a, b); k < width_; ++k)
            sum += columns_[a * width_ + k] * columns_[b * width_ + k];
        return sum;
    }
    // What the others leave of the variance of a column, at least.
    double least_share() const {
        double least = 1.0;
        for (std::size_t a = 0; a < width_; ++a) least = std::min(least, 1.0 / at(a, a));
        return least;
    }

  private:
    std::size_t width_;
    double log_determinant_ = 0.0;
    std::vector<double> columns_;  // of the inverse of L, one after the other
};

struct AllColumns {
    std::vector<std::uint32_t> list;
    std::vector<std::size_t> starts{0};  // of the columns of each variable
    std::vector<double> correlations;

    explicit AllColumns(const VariableMoments& moments, std::size_t variables) {
        for (Var v = 0; v < variables; ++v) {
            list.insert(list.end(), moments.columns(v).begin(), moments.columns(v).end());
            starts.push_back(list.size());
        }
        correlations = dagwright::correlations(list.size(), [&](std::size_t a, std::size_t b) {
            return moments.matrix().steps(list[a], list[b]);
        });
    }
};

}  // namespace

const GaussianMeasure::Rest& GaussianMeasure::rest() const {
    std::call_once(rest_known_, [this] {
        constexpr double log_2_pi_e = 2.83787706640934548356;
        constexpr double log_2 = 0.693147180559945309417;
        const double N = total();
        if (!complete() || variables() == 0) return;
        const AllColumns all(moments_->whole(), variables());
        const std::size_t width = all.list.size();
        if (!(N > static_cast<double>(width))) return;
        const Inverse inverse(width, all.correlations);
        if (!inverse.exists()) return;
        rest_.least_share = inverse.least_share();
        const double digits =
            static_cast<double>(width * width) * std::numeric_limits<double>::epsilon() / rest_.least_share;
        // Far above the rounding of either.
        const double rounding = N * (1e-9 * (1.0 + std::fabs(inverse.log_determinant())) + digits);
        const MomentMatrix& matrix = moments_->whole().matrix();
        Cholesky block;
        for (Var v = 0; v < variables(); ++v) {
            const std::size_t begin = all.starts[v], d = all.starts[v + 1] - begin;
            double log = static_cast<double>(d) * log_2_pi_e;
            block.resize(d);
            for (std::size_t a = 0; a < d; ++a) {
                const std::uint32_t column = all.list[begin + a];
                log += std::log(matrix.steps(column, column)) - 2.0 * log_2 * matrix.exponent(column);
                for (std::size_t b = 0; b <= a; ++b) block.at(a, b) = inverse.at(begin + a, begin + b);
            }
            block.factor(0.0);
            log -= block.log_determinant().value();
            rest_.largest_fit.push_back(-0.5 * N * log + rounding);
        }
    });
    return rest_;
}

std::optional<Bounds> GaussianMeasure::bounds() const {
    // More parents never lower the fit, and with all other variables it is largest.
    if (rest().largest_fit.empty()) return {};
    double least = std::numeric_limits<double>::infinity();  // columns that one more parent adds to dim
    for (Var v = 0; v < variables(); ++v) least = std::min(least, static_cast<double>(moments_->width(v)));
    return Bounds{
        .largest_fit = rest().largest_fit, .factor = 1.0, .added = least * least, .occupied = nullptr};
}

bool GaussianMeasure::tabulates() const { return rest().least_share >= DeterminantTable::kLeastShare; }

std::shared_ptr<const SetTable> GaussianMeasure::table_of_all_sets(Control& control) const {
    if (!tabulates()) return {};
    const std::size_t n = variables();
    AllColumns all(moments_->whole(), n);
    return std::make_shared<DeterminantTable>(
        DeterminantFits{.correlations = std::move(all.correlations),
                        .starts = std::move(all.starts),
                        .constant = std::vector<double>(n + 1, 0.0),
                        .weight = std::vector<double>(n + 1, 0.0),
                        .factor = std::vector<double>(n + 1, -0.5 * total()),
                        .own = std::vector<double>(n, 0.0),
                        .least_share = rest().least_share},
        control);
}

// With fit(v) taken off for each member v, and T_v and R_v the diagonals of T and R, the fit of l variables
// is (l - 1)/2 sum of log(T_v/R_v) - (N + alpha_w - n + l)/2 log|correlations of R|, plus a constant for each
// l.
DeterminantFits BGeMeasure::determinant_fits() const {
    const std::size_t n = variables();
    const double N = total(), spare = prior_.alpha_w - static_cast<double>(n);
    std::vector<Var> every(n);
    for (Var v = 0; v < n; ++v) every[v] = v;
    PosteriorMatrix posterior(*this, moments_->whole());
    posterior.list(VarSet::of(every));
    DeterminantFits fits;
    fits.correlations = correlations(n, [&](std::size_t a, std::size_t b) { return posterior.at(a, b); });
    for (std::size_t l = 0; l <= n; ++l) {
        const auto size = static_cast<double>(l);
        fits.starts.push_back(l);
        fits.constant.push_back(whole_constants_[l] - size * whole_constants_[std::min<std::size_t>(1, n)]);
        fits.weight.push_back(0.5 * (size - 1.0));
        fits.factor.push_back(-0.5 * (N + spare + size));
    }
    for (std::size_t v = 0; v < n; ++v)
        fits.own.push_back(std::log(posterior.prior_scale(v) / posterior.at(v, v)));
    const Inverse inverse(n, fits.correlations);
    fits.least_share = inverse.exists() ? inverse.least_share() : 0.0;
    return fits;
}

bool BGeMeasure::tabulates() const {
    return complete() && variables() > 0 && determinant_fits().least_share >= DeterminantTable::kLeastShare;
}

std::shared_ptr<const SetTable> BGeMeasure::table_of_all_sets(Control& control) const {
    if (!tabulates()) return {};
    return std::make_shared<DeterminantTable>(determinant_fits(), control);
}

}  // namespace dagwright
