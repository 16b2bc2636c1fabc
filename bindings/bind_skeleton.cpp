// Skeletons from independence tests that run wholly in the core.
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/independence.hpp"
#include "dagwright/stable_skeleton.hpp"

using namespace dagwright;

namespace {

using Mask = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

BitMatrix to_matrix(const Mask& mask, std::size_t n) {
    if (mask.shape(0) != n || mask.shape(1) != n)
        throw nb::value_error("a mask must have one row and column per variable");
    BitMatrix matrix(n);
    const bool* at = mask.data();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (at[i * n + j] && i != j) matrix.set(i, j);
    return matrix;
}

nb::dict find_stable_skeleton(CountingMeasure& measure, const Mask& linked, const Mask& fixed,
                              const Mask& ancestors, double alpha, double rows_per_cell,
                              std::optional<std::size_t> max_size, unsigned threads,
                              std::optional<double> seconds, nb::object progress) {
    const std::size_t n = measure.cardinalities().size();
    SkeletonProblem problem{to_matrix(linked, n), to_matrix(fixed, n), to_matrix(ancestors, n), alpha,
                            rows_per_cell,        max_size.value_or(n)};
    const std::unique_ptr<Control> control = make_control(threads, seconds, std::move(progress));
    SkeletonFound found;
    {
        const nb::gil_scoped_release release;
        found = stable_skeleton(measure, std::move(problem), *control);
    }
    std::vector<std::uint32_t> x, y, members;
    std::vector<std::size_t> ends;
    std::vector<double> statistic, df, log_p;
    for (const SeparatedPair& pair : found.separated) {
        x.push_back(pair.x);
        y.push_back(pair.y);
        members.insert(members.end(), pair.given.begin(), pair.given.end());
        ends.push_back(members.size());
        statistic.push_back(pair.statistic);
        df.push_back(pair.df);
        log_p.push_back(pair.log_p);
    }
    nb::list around;
    for (std::size_t v = 0; v < n; ++v) {
        nb::set near;
        found.linked.for_each_in_row(v, [&](std::size_t other) { near.add(nb::int_(other)); });
        around.append(near);
    }
    nb::dict result;
    result["around"] = around;
    result["x"] = x;
    result["y"] = y;
    result["members"] = members;
    result["ends"] = ends;
    result["statistic"] = statistic;
    result["df"] = df;
    result["log_p"] = log_p;
    result["asked"] = found.asked;
    result["stopped"] = stop_name(found.stop);
    return result;
}

nb::tuple find_interactions(Measure& measure, const std::vector<std::tuple<Members, Members, Members>>& asked,
                            const Members& observed, unsigned threads) {
    const std::size_t n = measure.cardinalities().size();
    std::vector<Question> questions;
    questions.reserve(asked.size());
    for (const auto& [x, y, given] : asked)
        questions.push_back({to_varset(x, n), to_varset(y, n), to_varset(given, n)});
    const VarSet known = to_varset(observed, n);
    std::vector<Evidence> found;
    {
        const nb::gil_scoped_release release;
        Control control(threads);
        found = interactions(measure, questions, known, control);
    }
    std::vector<double> fit, dim;
    for (const Evidence& e : found) {
        fit.push_back(e.fit);
        dim.push_back(e.dim);
    }
    return nb::make_tuple(to_array(std::move(fit)), to_array(std::move(dim)));
}

}  // namespace

void bind_skeleton(nb::module_& m) {
    using nb::literals::operator""_a;
    m.def("interactions", &find_interactions, "measure"_a, "questions"_a, "observed"_a = Members{},
          "threads"_a = 1u,
          "fit and dim of mu(x ; y | z) for questions (x, y, z), each a list of variables.");
    m.def("stable_skeleton", &find_stable_skeleton, "measure"_a, "linked"_a, "fixed"_a, "ancestors"_a,
          "alpha"_a, "rows_per_cell"_a, "max_size"_a = nb::none(), "threads"_a = 1u, "seconds"_a = nb::none(),
          "progress"_a = nb::none(),
          "What separated each pair by G2 tests of growing size, and how many tests were made of each size.");
}
