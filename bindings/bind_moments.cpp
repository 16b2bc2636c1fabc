// Numbers: mixed tables, moments and the measures made of them.
#include <nanobind/stl/tuple.h>

#include <cstring>
#include <tuple>

#include "bindings.hpp"
#include "code_columns.hpp"
#include "conversions.hpp"
#include "dagwright/evidence/conditional_gaussian.hpp"
#include "dagwright/evidence/gaussian.hpp"
#include "dagwright/evidence/remembered.hpp"
#include "dagwright/statistics/canonical_moments.hpp"
#include "dagwright/statistics/power_sums.hpp"
#include "dagwright/statistics/set_moments.hpp"
#include "memo_arrays.hpp"

using namespace dagwright;

namespace {

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
    variable.codes = to_column(arrays.front(), *states);
    return variable;
}

std::shared_ptr<MixedTable> make_mixed(std::vector<std::vector<AnyColumn>> columns,
                                       const std::vector<std::optional<std::uint32_t>>& cardinalities,
                                       std::size_t rows, const std::optional<Input<double>>& weights,
                                       double unit) {
    if (columns.size() != cardinalities.size())
        throw nb::value_error("one cardinality per variable is needed, None for numbers");
    std::vector<MixedVariable> variables;
    for (std::size_t i = 0; i < columns.size(); ++i)
        variables.push_back(to_variable(columns[i], cardinalities[i], rows));
    std::span<const double> frequencies;
    if (weights) {
        if (weights->shape(0) != rows) throw nb::value_error("one weight per row is needed");
        frequencies = span_of(*weights);
    }
    auto owner = std::make_shared<MixedOwner>();
    owner->table = std::make_unique<MixedTable>(rows, std::move(variables), frequencies, unit);
    owner->arrays = std::move(columns);
    return {owner, owner->table.get()};
}

FloatArray means(const MomentMatrix& matrix) {
    std::vector<double> values;
    for (std::size_t i = 0; i < matrix.columns(); ++i) values.push_back(matrix.mean(i));
    return to_array(std::move(values));
}

Matrix<double> covariance(const MomentMatrix& matrix) {
    const std::size_t n = matrix.columns();
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k) values.push_back(matrix.covariance(i, k));
    return to_matrix(std::move(values), n, n);
}

std::vector<std::optional<int>> resolution(const MomentMatrix& matrix) {
    std::vector<std::optional<int>> bits;
    for (std::size_t i = 0; i < matrix.columns(); ++i) bits.push_back(matrix.resolution(i));
    return bits;
}

// Ranges and sums as plain values, for transport between processes.
std::vector<std::pair<double, double>> ranges_of(std::span<const Grid> grids) {
    std::vector<std::pair<double, double>> ranges;
    for (const Grid& grid : grids) ranges.emplace_back(grid.least, grid.largest);
    return ranges;
}

std::vector<Grid> grids_from(const std::vector<std::pair<double, double>>& ranges) {
    std::vector<Grid> grids;
    for (const auto& [least, largest] : ranges) grids.push_back({least, largest});
    return grids;
}

nb::bytes as_bytes(const std::vector<std::uint64_t>& words) {
    return nb::bytes(words.data(), words.size() * sizeof(std::uint64_t));
}

std::vector<std::uint64_t> words_in(const nb::bytes& bytes) {
    std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint64_t));
    return words;
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
    MomentBlocks like() const { return MomentBlocks(grids_); }
    MomentMatrix matrix() const { return sums_ ? sums_->matrix(columns_) : MomentMatrix{}; }

    // (grids, columns, variables, unit, sums): between processes.
    using ColumnState = std::tuple<Var, double, int, std::uint32_t, std::uint32_t>;
    using State = std::tuple<std::vector<std::pair<double, double>>, std::vector<ColumnState>, std::size_t,
                             double, nb::bytes>;
    State state() const {
        std::vector<ColumnState> columns;
        for (const MomentColumn& column : columns_)
            columns.emplace_back(column.variable, column.center, column.exponent, column.codes.cardinality,
                                 column.state);
        return {ranges_of(grids_), columns, variables_, sums_ ? sums_->unit() : 0.0,
                as_bytes(sums_ ? sums_->words() : std::vector<std::uint64_t>{})};
    }
    explicit MomentBlocks(const State& state) : MomentBlocks(grids_from(std::get<0>(state))) {
        for (const auto& [variable, center, exponent, cardinality, code] : std::get<1>(state)) {
            MomentColumn& column = columns_.emplace_back();
            column.variable = variable;
            column.center = center;
            column.exponent = exponent;
            column.codes.cardinality = cardinality;
            column.state = code;
        }
        variables_ = std::get<2>(state);
        for (const MomentColumn& column : columns_)
            if (column.variable >= variables_) throw nb::value_error("a column of no variable");
        if (const std::vector<std::uint64_t> words = words_in(std::get<4>(state)); !words.empty()) {
            sums_.emplace(columns_.size());
            sums_->set_words(std::get<3>(state), words);
        }
    }
    std::shared_ptr<SetMoments> moments() const {
        return std::make_shared<SetMoments>(matrix(), columns_, variables_);
    }

  private:
    std::vector<Grid> grids_;
    std::vector<MomentColumn> columns_;
    std::size_t variables_ = 0;
    std::optional<MomentSums> sums_;
};

std::shared_ptr<SetMoments> given_moments(double N, const std::vector<double>& mean,
                                          const InputMatrix<double>& matrix) {
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

CanonicalOrder canonical(const std::vector<ColumnSignature>& signatures, const SetMoments& moments,
                         const std::vector<std::size_t>& name_rank, unsigned threads,
                         std::optional<double> seconds, Cancel cancel) {
    const std::size_t n = moments.variables();
    if (name_rank.size() != n || signatures.size() != n)
        throw nb::value_error("one rank and one signature per column are needed");
    const std::unique_ptr<Control> control = make_control(threads, seconds, nullptr, std::move(cancel));
    const nb::gil_scoped_release release;
    return canonical_order(signatures, moments, name_rank, *control);
}

std::vector<ColumnSignature> signatures(const MixedTable& table, unsigned threads) {
    const nb::gil_scoped_release release;
    Workers workers(checked_threads(threads));
    return signatures_of(table, workers);
}

using PowerState =
    std::tuple<std::vector<std::pair<double, double>>, std::vector<double>, unsigned, nb::bytes>;

PowerState power_state(const PowerSums& sums) {
    const std::span<const double> centers = sums.centers();
    return {ranges_of(sums.grids()), {centers.begin(), centers.end()}, sums.power(), as_bytes(sums.words())};
}

}  // namespace

void bind_moments(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<MixedTable>(m, "MixedTable", "Columns of numbers and codes as the core sees them.")
        .def_static("from_columns", &make_mixed, "columns"_a, "cardinalities"_a, "rows"_a,
                    "weights"_a = nb::none(), "unit"_a = 0.0,
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
        .def("like", &MomentBlocks::like, "Sums of the same columns, over no rows yet.")
        .def("__getstate__", &MomentBlocks::state)
        .def("__setstate__",
             [](MomentBlocks& self, const MomentBlocks::State& state) { new (&self) MomentBlocks(state); })
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
        .def(
            "reordered",
            [](const SetMoments& moments, std::shared_ptr<MixedTable> table, const std::vector<Var>& order) {
                return std::make_shared<SetMoments>(std::move(table), moments, order);
            },
            "table"_a, "order"_a,
            "The moments of a table of the same rows whose column i is column order[i] here.")
        .def_static("given", &given_moments, "N"_a, "means"_a, "covariance"_a)
        .def_prop_ro(
            "matrix", [](const SetMoments& moments) { return moments.whole().matrix(); },
            "The moments of the columns of the complete variables.")
        .def_prop_ro("variables", &SetMoments::variables);

    nb::class_<PowerSums>(m, "PowerSums", "Means of a power of numbers, over blocks of rows.")
        .def(nb::init<std::vector<Grid>, std::vector<double>, unsigned>(), "grids"_a, "means"_a, "power"_a)
        .def(
            "add",
            [](PowerSums& self, const MixedTable& table, unsigned threads) {
                const nb::gil_scoped_release release;
                Workers workers(checked_threads(threads));
                self.add(table, workers);
            },
            "table"_a, "threads"_a = 1u)
        .def("merge", nb::overload_cast<const PowerSums&>(&PowerSums::add), "other"_a)
        .def(
            "like",
            [](const PowerSums& self) {
                return PowerSums({self.grids().begin(), self.grids().end()},
                                 {self.centers().begin(), self.centers().end()}, self.power());
            },
            "Sums of the same columns, over no rows yet.")
        .def("means", &PowerSums::means)
        .def("__getstate__", &power_state)
        .def("__setstate__", [](PowerSums& self, const PowerState& state) {
            const auto& [ranges, means, power, words] = state;
            PowerSums made(grids_from(ranges), means, power);
            made.set_words(words_in(words));
            new (&self) PowerSums(std::move(made));
        });
    m.def("signatures", &signatures, "table"_a, "threads"_a = 1u, "What each column is alone.");
    m.def("number_signature", &number_signature, "variance"_a, "third"_a, "fourth"_a,
          "The signature of numbers with these means of powers.");
    m.def("canonical_order", &canonical, "signatures"_a, "moments"_a, "name_rank"_a, nb::kw_only(),
          "threads"_a = 1u, "seconds"_a = nb::none(), "cancel"_a = nb::none(),
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
    auto remembered =
        nb::class_<RememberedMeasure, Measure>(m, "RememberedMeasure", "A measure asked once for each set.");
    remembered
        .def(
            "__init__",
            [](RememberedMeasure* self, std::shared_ptr<Measure> measure, double memo_mib) {
                if (!(memo_mib > 0)) throw nb::value_error("memo_mib must be positive");
                new (self)
                    RememberedMeasure(std::move(measure), static_cast<std::size_t>(memo_mib * 1048576.0));
            },
            "measure"_a, "memo_mib"_a = 256.0)
        .def("statistics", &RememberedMeasure::statistics);
    bind_memory(remembered);
}
