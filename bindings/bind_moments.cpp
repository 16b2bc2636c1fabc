// Numbers: mixed tables, moments and the measures made of them.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/evidence/conditional_gaussian.hpp"
#include "dagwright/evidence/gaussian.hpp"
#include "dagwright/evidence/remembered.hpp"
#include "dagwright/statistics/canonical_moments.hpp"
#include "dagwright/statistics/set_moments.hpp"

using namespace dagwright;

namespace {

using AnyColumn = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu, nb::ro>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Square = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FloatMatrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// Keeps the arrays alive for as long as anything uses the table.
struct MixedOwner {
    std::vector<std::vector<AnyColumn>> arrays;
    std::unique_ptr<MixedTable> table;
};

MixedVariable to_variable(const std::vector<AnyColumn>& arrays, std::optional<std::uint32_t> states,
                          std::size_t rows) {
    MixedVariable variable;
    if (arrays.empty()) throw nb::value_error("a variable needs at least one column");
    for (const AnyColumn& array : arrays)
        if (array.shape(0) != rows) throw nb::value_error("all columns need the same number of rows");
    if (!states) {
        for (const AnyColumn& array : arrays) {
            if (array.dtype() != nb::dtype<double>()) throw nb::type_error("numbers must be float64");
            variable.numbers.push_back(static_cast<const double*>(array.data()));
        }
        return variable;
    }
    const AnyColumn& codes = arrays.front();
    variable.codes.cardinality = *states;
    if (codes.dtype() == nb::dtype<std::uint8_t>() && *states <= 255)
        variable.codes.narrow = static_cast<const std::uint8_t*>(codes.data());
    else if (codes.dtype() == nb::dtype<std::uint16_t>() && *states <= 65535)
        variable.codes.wide = static_cast<const std::uint16_t*>(codes.data());
    else
        throw nb::type_error("codes must be uint8 (up to 255 states) or uint16 (up to 65,535)");
    return variable;
}

std::shared_ptr<MixedTable> make_mixed(std::vector<std::vector<AnyColumn>> columns,
                                       const std::vector<std::optional<std::uint32_t>>& cardinalities,
                                       std::size_t rows, std::optional<Weights> weights) {
    if (columns.size() != cardinalities.size())
        throw nb::value_error("one cardinality per variable is needed, None for numbers");
    std::vector<MixedVariable> variables;
    for (std::size_t i = 0; i < columns.size(); ++i)
        variables.push_back(to_variable(columns[i], cardinalities[i], rows));
    std::span<const double> frequencies;
    if (weights) {
        if (weights->shape(0) != rows) throw nb::value_error("one weight per row is needed");
        frequencies = {weights->data(), rows};
    }
    auto owner = std::make_shared<MixedOwner>();
    owner->table = std::make_unique<MixedTable>(rows, std::move(variables), frequencies);
    owner->arrays = std::move(columns);
    return {owner, owner->table.get()};
}

FloatArray means(const MomentMatrix& matrix) {
    std::vector<double> values;
    for (std::size_t i = 0; i < matrix.columns(); ++i) values.push_back(matrix.mean(i));
    return to_array(std::move(values));
}

FloatMatrix covariance(const MomentMatrix& matrix) {
    const std::size_t n = matrix.columns();
    auto* owned = new std::vector<double>(n * n);
    const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k) (*owned)[i * n + k] = matrix.covariance(i, k);
    return FloatMatrix(owned->data(), {n, n}, owner);
}

std::vector<std::optional<int>> resolution(const MomentMatrix& matrix) {
    std::vector<std::optional<int>> bits;
    for (std::size_t i = 0; i < matrix.columns(); ++i) bits.push_back(matrix.resolution(i));
    return bits;
}

// The sums of blocks of rows on one set of grids.
class MomentBlocks {
  public:
    explicit MomentBlocks(std::vector<Grid> grids) : grids_(std::move(grids)) {}

    void add(const MixedTable& table, unsigned threads) {
        const nb::gil_scoped_release release;
        columns_ = moment_columns(table, grids_);
        variables_ = table.variables();
        if (!sums_) sums_.emplace(columns_.size());
        Workers workers(checked_threads(threads));
        sums_->add(table, columns_, workers);
    }
    void merge(const MomentBlocks& other) {
        if (!other.sums_) return;
        if (!sums_) {
            columns_ = other.columns_;
            variables_ = other.variables_;
            sums_.emplace(columns_.size());
        }
        sums_->add(*other.sums_);
    }
    MomentMatrix matrix() const { return sums_ ? sums_->matrix(columns_) : MomentMatrix{}; }
    std::shared_ptr<SetMoments> moments() const {
        return std::make_shared<SetMoments>(matrix(), columns_, variables_);
    }

  private:
    std::vector<Grid> grids_;
    std::vector<MomentColumn> columns_;
    std::size_t variables_ = 0;
    std::optional<MomentSums> sums_;
};

std::shared_ptr<SetMoments> given_moments(double N, const std::vector<double>& mean, const Square& matrix) {
    const std::size_t n = mean.size();
    if (matrix.shape(0) != n || matrix.shape(1) != n)
        throw nb::value_error("a covariance matrix needs a row and a column for each mean");
    std::vector<double> packed;
    std::vector<MomentColumn> columns;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k <= i; ++k) packed.push_back(matrix.data()[i * n + k]);
        MomentColumn column;
        column.variable = static_cast<Var>(i);
        columns.push_back(column);
    }
    return std::make_shared<SetMoments>(MomentMatrix(N, mean, std::move(packed)), columns, n);
}

CanonicalOrder canonical(const MixedTable& table, const SetMoments& moments,
                         const std::vector<std::size_t>& name_rank, unsigned threads,
                         std::optional<double> seconds, Cancel cancel) {
    if (name_rank.size() != table.variables()) throw nb::value_error("one rank per column is needed");
    const std::unique_ptr<Control> control = make_control(threads, seconds, nb::none(), std::move(cancel));
    const nb::gil_scoped_release release;
    return canonical_order(table, moments, name_rank, *control);
}

}  // namespace

void bind_moments(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<MixedTable>(m, "MixedTable", "Columns of numbers and codes as the core sees them.")
        .def_static("from_columns", &make_mixed, "columns"_a, "cardinalities"_a, "rows"_a,
                    "weights"_a = nb::none(),
                    "Each variable as a list of arrays: float64 numbers (NaN is missing) with cardinality "
                    "None, or one array of codes.")
        .def_prop_ro("rows", &MixedTable::rows)
        .def_prop_ro("variables", &MixedTable::variables)
        .def_prop_ro("total", &MixedTable::total)
        .def_prop_ro("complete", &MixedTable::complete);

    nb::class_<Grid>(m, "Grid", "The range of a column of numbers.")
        .def(
            "__init__", [](Grid* self, double least, double largest) { new (self) Grid{least, largest}; },
            "least"_a, "largest"_a)
        .def_ro("least", &Grid::least)
        .def_ro("largest", &Grid::largest)
        .def("include", nb::overload_cast<const Grid&>(&Grid::include), "other"_a)
        .def_prop_ro("center", &Grid::center)
        .def_prop_ro("exponent", &Grid::exponent, "Numbers are counted in steps of 2^-exponent.");
    m.def("grids_of", &grids_of, "table"_a, "The grids of the columns of numbers, in order.");

    nb::class_<MomentMatrix>(m, "MomentMatrix", "N, means and covariances with divisor N.")
        .def_prop_ro("N", &MomentMatrix::N)
        .def_prop_ro("means", &means, nb::rv_policy::automatic)
        .def_prop_ro("covariance", &covariance, nb::rv_policy::automatic)
        .def_prop_ro("resolution", &resolution,
                     "For each column, how many bits its standard deviation has on its grid; None where it "
                     "is constant.");
    nb::class_<MomentBlocks>(m, "MomentBlocks", "Moments of blocks of rows, added exactly.")
        .def(nb::init<std::vector<Grid>>(), "grids"_a)
        .def("add", &MomentBlocks::add, "table"_a, "threads"_a = 1u)
        .def("merge", &MomentBlocks::merge, "other"_a)
        .def("matrix", &MomentBlocks::matrix)
        .def("moments", &MomentBlocks::moments);
    nb::class_<SetMoments>(m, "SetMoments", "Moments of sets of variables.")
        .def_static(
            "of",
            [](std::shared_ptr<MixedTable> table, unsigned threads) {
                const nb::gil_scoped_release release;
                Workers workers(checked_threads(threads));
                return std::make_shared<SetMoments>(std::move(table), workers);
            },
            "table"_a, "threads"_a = 1u)
        .def_static("given", &given_moments, "N"_a, "means"_a, "covariance"_a)
        .def_prop_ro(
            "matrix", [](const SetMoments& moments) { return moments.whole().matrix(); },
            "The moments of the columns of the complete variables.")
        .def_prop_ro("variables", &SetMoments::variables);

    nb::class_<CanonicalOrder>(m, "CanonicalOrder", "A numbering of the columns that follows from the data.")
        .def_ro("order", &CanonicalOrder::order)
        .def_ro("tied", &CanonicalOrder::tied, "Groups of columns that the data cannot tell apart.")
        .def_ro("complete", &CanonicalOrder::complete, "False where the call was stopped.");
    m.def("canonical_order", &canonical, "table"_a, "moments"_a, "name_rank"_a, "threads"_a = 1u,
          "seconds"_a = nb::none(), "cancel"_a = nb::none(),
          "The canonical order of columns of which some are numbers.");

    nb::class_<GaussianMeasure, Measure>(m, "GaussianMeasure")
        .def(nb::init<std::shared_ptr<SetMoments>>(), "moments"_a)
        .def_prop_ro("columns", &GaussianMeasure::columns, "The number of columns of each variable.");
    nb::class_<BGeMeasure, Measure>(m, "BGeMeasure")
        .def(
            "__init__",
            [](BGeMeasure* self, std::shared_ptr<SetMoments> moments, double alpha_mu, double alpha_w,
               std::vector<double> mean, std::vector<double> scale) {
                new (self) BGeMeasure(std::move(moments),
                                      BGePrior{alpha_mu, alpha_w, std::move(mean), std::move(scale)});
            },
            "moments"_a, nb::kw_only(), "alpha_mu"_a, "alpha_w"_a, "mean"_a, "scale"_a,
            "scale is the diagonal of T, the prior scale matrix.");
    nb::class_<ConditionalGaussianMeasure, Measure>(m, "ConditionalGaussianMeasure")
        .def(nb::init<std::shared_ptr<MixedTable>>(), "table"_a);
    using Statistics = RememberedMeasure::Statistics;
    nb::class_<Statistics>(m, "MemoStatistics", "How often a remembered measure was asked.")
        .def_ro("requested", &Statistics::requested)
        .def_ro("computed", &Statistics::computed, "Sets that the measure was asked for.")
        .def_ro("bytes", &Statistics::bytes);
    nb::class_<RememberedMeasure, Measure>(m, "RememberedMeasure", "A measure asked once for each set.")
        .def(
            "__init__",
            [](RememberedMeasure* self, std::shared_ptr<Measure> measure, double memo_mib) {
                if (!(memo_mib > 0)) throw nb::value_error("memo_mib must be positive");
                new (self)
                    RememberedMeasure(std::move(measure), static_cast<std::size_t>(memo_mib * 1048576.0));
            },
            "measure"_a, "memo_mib"_a = 256.0)
        .def("statistics", &RememberedMeasure::statistics);
}
