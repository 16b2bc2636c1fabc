// Rows with missing cells: posteriors, completions, likelihoods and expected counts in batches.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/base/workers.hpp"
#include "dagwright/inference/completion.hpp"

using namespace dagwright;

namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr std::size_t kParts = 32;  // however many threads: sums are made in the same order

using Network = std::shared_ptr<NetworkTables>;

// The expected counts of each family in the layout of its table, and the log-likelihood of the rows.
struct ExpectedCounts {
    std::vector<FloatArray> counts;
    double log_likelihood;
};

class Rows {
  public:
    Rows(const Network& network, const std::shared_ptr<Table>& table, std::vector<int> columns,
         std::optional<std::uint32_t> target)
        : table_(table), columns_(std::move(columns)), target_(target), cards_(network->cards) {
        for (const FactorPtr& factor : network->tables) scopes_.push_back(factor->variables);
        if (columns_.size() != network->nodes()) throw nb::value_error("one column per node is needed");
        for (std::size_t v = 0; v < columns_.size(); ++v) {
            if (columns_[v] < 0) continue;
            if (static_cast<std::size_t>(columns_[v]) >= table->variables())
                throw nb::index_error("no such column");
            if (table->column(static_cast<Var>(columns_[v])).cardinality != network->cards[v])
                throw nb::value_error("a column has other states than its node");
        }
        if (target && *target >= network->nodes()) throw nb::index_error("no such node");
        const nb::gil_scoped_release release;
        grouped_ = std::make_unique<GroupedRows>(*network, *table, columns_, target);
    }

    std::size_t groups() const { return grouped_->groups().size(); }

    // Weights of the rows in which a family is wholly observed, in the layout of its table.
    std::vector<FloatArray> observed_counts() const {
        std::vector<FloatArray> arrays;
        for (const std::vector<double>& counts : grouped_->observed_counts())
            arrays.push_back(to_array(std::vector<double>(counts)));
        return arrays;
    }

    // rows x states of the target, row-major; NaN where the row is impossible.
    FloatArray posteriors(const Network& network, double max_cells, unsigned threads) const {
        require_same_shape(*network);
        if (!target_) throw nb::value_error("these rows have no target");
        const std::size_t states = network->cards[*target_];
        std::vector<double> of_groups(groups() * states, std::numeric_limits<double>::quiet_NaN());
        std::vector<double> result(grouped_->rows() * states);
        {
            const nb::gil_scoped_release release;
            for_parts(network, max_cells, threads, [&](std::size_t, std::size_t i, GroupSolver& solver) {
                const std::vector<double> values = solver.posterior(grouped_->groups()[i], {*target_});
                std::copy(values.begin(), values.end(), of_groups.begin() + place(i * states));
            });
            for (std::size_t row = 0; row < grouped_->rows(); ++row)
                std::copy_n(of_groups.begin() + place(grouped_->groups_of(row)[0] * states), states,
                            result.begin() + place(row * states));
        }
        return to_array(std::move(result));
    }

    // rows x nodes, row-major: the most probable state where a cell is missing, -1 where it is observed, -2
    // where the row is impossible.
    FloatArray completions(const Network& network, double max_cells, unsigned threads) const {
        require_same_shape(*network);
        std::vector<std::vector<std::uint32_t>> states(groups());
        std::vector<double> result(grouped_->rows() * network->nodes(), -1.0);
        {
            const nb::gil_scoped_release release;
            for_parts(network, max_cells, threads, [&](std::size_t, std::size_t i, GroupSolver& solver) {
                states[i] = solver.completion(grouped_->groups()[i]);
            });
            for (std::size_t row = 0; row < grouped_->rows(); ++row) {
                for (const std::uint32_t i : grouped_->groups_of(row)) {
                    const Scope& missing = grouped_->groups()[i].missing;
                    for (std::size_t k = 0; k < missing.size(); ++k)
                        result[row * network->nodes() + missing[k]] = states[i].empty() ? -2.0 : states[i][k];
                }
            }
        }
        return to_array(std::move(result));
    }

    FloatArray log_likelihoods(const Network& network, double max_cells, unsigned threads) const {
        require_same_shape(*network);
        std::vector<double> sums(groups()), result(grouped_->rows(), 0.0);
        {
            const nb::gil_scoped_release release;
            for_parts(network, max_cells, threads, [&](std::size_t, std::size_t i, GroupSolver& solver) {
                sums[i] = solver.log_sum(grouped_->groups()[i]);
            });
            for (Var v = 0; v < network->nodes(); ++v) add_observed(*network->tables[v], result);
            for (std::size_t row = 0; row < grouped_->rows(); ++row)
                for (const std::uint32_t i : grouped_->groups_of(row)) result[row] += sums[i];
        }
        return to_array(std::move(result));
    }

    ExpectedCounts expected_counts(const Network& network, double max_cells, unsigned threads) const {
        require_same_shape(*network);
        if (target_) throw nb::value_error("expected counts need rows without a target");
        std::vector<std::vector<double>> total = grouped_->observed_counts();
        double log_likelihood = 0.0;
        {
            const nb::gil_scoped_release release;
            for (Var v = 0; v < network->nodes(); ++v)
                for (std::size_t cell = 0; cell < total[v].size(); ++cell)
                    if (total[v][cell] > 0)
                        log_likelihood += total[v][cell] * std::log((*network->tables[v]->cells)[cell]);
            std::vector<std::vector<std::vector<double>>> parts(kParts);
            std::vector<double> sums(kParts, 0.0);
            for_parts(network, max_cells, threads, [&](std::size_t part, std::size_t i, GroupSolver& solver) {
                if (parts[part].empty())
                    for (const std::vector<double>& counts : total)
                        parts[part].emplace_back(counts.size(), 0.0);
                const MissingGroup& group = grouped_->groups()[i];
                sums[part] += group.weight * solver.add_expected_counts(group, parts[part]);
            });
            for (std::size_t part = 0; part < kParts; ++part) {
                log_likelihood += sums[part];
                for (std::size_t v = 0; v < parts[part].size(); ++v)
                    for (std::size_t cell = 0; cell < total[v].size(); ++cell)
                        total[v][cell] += parts[part][v][cell];
            }
        }
        std::vector<FloatArray> arrays;
        for (std::vector<double>& counts : total) arrays.push_back(to_array(std::move(counts)));
        return {std::move(arrays), log_likelihood};
    }

  private:
    // Groups hold numbers of nodes and states: they are for networks with the same nodes, states and parents.
    void require_same_shape(const NetworkTables& network) const {
        bool same = network.cards == cards_;
        for (std::size_t v = 0; same && v < scopes_.size(); ++v)
            same = network.tables[v]->variables == scopes_[v];
        if (!same) throw nb::value_error("the rows were grouped for a network of another shape");
    }

    static std::ptrdiff_t place(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

    // Calls task(part, group, solver) for every group; a part is worked on by one thread, in order.
    template <class Task>
    void for_parts(const Network& network, double max_cells, unsigned threads, Task task) const {
        Workers workers(checked_threads(threads));
        workers.run(kParts, [&](std::size_t part, unsigned) {
            GroupSolver solver(network, max_cells);
            const std::size_t end = (part + 1) * groups() / kParts;
            for (std::size_t i = part * groups() / kParts; i < end; ++i) task(part, i, solver);
        });
    }

    void add_observed(const Factor& table, std::vector<double>& result) const {
        std::vector<double> logs;
        for (const double value : *table.cells) logs.push_back(value > 0 ? std::log(value) : kImpossible);
        for (const Var v : table.variables)
            if (columns_[v] < 0) return;
        for (std::size_t row = 0; row < result.size(); ++row) {
            std::size_t cell = 0;
            bool seen = true;
            for (std::size_t i = 0; i < table.variables.size(); ++i) {
                const Column& column = table_->column(static_cast<Var>(columns_[table.variables[i]]));
                seen = seen && !column.missing(row);
                cell += column[row] * table.strides[i];
            }
            if (seen) result[row] += logs[cell];
        }
    }

    std::shared_ptr<Table> table_;
    std::vector<int> columns_;
    std::optional<std::uint32_t> target_;
    std::vector<std::uint32_t> cards_;
    std::vector<Scope> scopes_;
    std::unique_ptr<GroupedRows> grouped_;
};

}  // namespace

void bind_completion(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<ExpectedCounts>(m, "ExpectedCounts", "Expected counts of families given a network.")
        .def_prop_ro(
            "counts", [](const ExpectedCounts& expected) { return expected.counts; },
            nb::rv_policy::automatic, "For each node, in the layout of its table.")
        .def_ro("log_likelihood", &ExpectedCounts::log_likelihood, "Of the rows.");
    nb::class_<Rows>(m, "GroupedRows",
                     "Rows with missing cells, grouped by what is missing and what is around.")
        .def(nb::init<const Network&, const std::shared_ptr<Table>&, std::vector<int>,
                      std::optional<std::uint32_t>>(),
             "network"_a, "table"_a, "columns"_a, "target"_a = nb::none())
        .def_prop_ro("groups", &Rows::groups)
        .def("observed_counts", &Rows::observed_counts)
        .def("posteriors", &Rows::posteriors, "network"_a, "max_cells"_a, "threads"_a)
        .def("completions", &Rows::completions, "network"_a, "max_cells"_a, "threads"_a)
        .def("log_likelihoods", &Rows::log_likelihoods, "network"_a, "max_cells"_a, "threads"_a)
        .def("expected_counts", &Rows::expected_counts, "network"_a, "max_cells"_a, "threads"_a);
}
