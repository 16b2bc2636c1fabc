// Likelihood-ratio tests of many questions at once, as sets of variables come from Python.
#include <algorithm>

#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/independence.hpp"
#include "dagwright/special.hpp"

using namespace dagwright;

namespace {

VarSet read_set(nb::handle members, std::size_t variables) {
    Members read;
    for (const nb::handle member : nb::iter(members))
        read.push_back(number_in<std::uint32_t>(member, "a variable"));
    return to_varset(read, variables);
}

nb::tuple find_g_squares(CountingMeasure& measure, const nb::list& triples, unsigned threads) {
    const std::size_t n = measure.cardinalities().size();
    std::vector<Question> questions;
    questions.reserve(triples.size());
    // Batches often share one conditioning set, as one object.
    nb::handle last;
    VarSet given;
    for (const nb::handle triple : triples) {
        if (!nb::isinstance<nb::tuple>(triple) || nb::len(triple) != 3)
            throw nb::type_error("a question must be a tuple (x, y, z) of sets of variables");
        const auto parts = nb::borrow<nb::tuple>(triple);
        const nb::handle z = parts[2];
        if (!z.is(last)) {
            given = read_set(z, n);
            last = z;
        }
        questions.push_back({read_set(parts[0], n), read_set(parts[1], n), given});
    }
    std::vector<double> statistic, df, log_p;
    {
        const nb::gil_scoped_release release;
        Control control(checked_threads(threads));
        for (const Evidence& e : interactions(measure, questions, VarSet{}, control)) {
            statistic.push_back(2.0 * std::max(e.fit, 0.0));
            df.push_back(e.dim);
            log_p.push_back(log_chi2_sf(statistic.back(), df.back()));
        }
    }
    return nb::make_tuple(statistic, df, log_p);
}

}  // namespace

void bind_g_square(nb::module_& m) {
    using nb::literals::operator""_a;
    m.def("g_squares", &find_g_squares, "measure"_a, "triples"_a, "threads"_a = 1u,
          "G2, degrees of freedom and log p of triples (x, y, z) of sets of variables, on complete data.");
}
