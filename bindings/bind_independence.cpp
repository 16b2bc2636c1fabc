// Independence tests of the core.
#include <nanobind/stl/function.h>
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/independence/cell_test.hpp"
#include "dagwright/independence/measure_test.hpp"
#include "independence_arguments.hpp"

using namespace dagwright;

namespace {

using VariableSet = nb::typed<nb::iterable, int>;
using Triples = nb::typed<nb::list, nb::typed<nb::tuple, VariableSet, VariableSet, VariableSet>>;

// Batches often share one conditioning set, as one object.
std::vector<Question> to_questions(const Triples& triples, std::size_t variables) {
    const auto read = [&](nb::handle members) {
        Members numbers;
        for (const nb::handle member : nb::iter(members))
            numbers.push_back(number_in<std::uint32_t>(member, "a variable"));
        return to_varset(numbers, variables);
    };
    std::vector<Question> questions;
    questions.reserve(triples.size());
    nb::handle last;
    VarSet given;
    for (const nb::handle triple : triples) {
        if (!nb::isinstance<nb::tuple>(triple) || nb::len(triple) != 3)
            throw nb::type_error("a question must be a tuple (x, y, z) of sets of variables");
        const auto parts = nb::borrow<nb::tuple>(triple);
        const nb::handle z = parts[2];
        if (!z.is(last)) {
            given = read(z);
            last = z;
        }
        questions.push_back({read(parts[0]), read(parts[1]), given});
    }
    return questions;
}

Answers ask(IndependenceTest& test, const Triples& triples, bool facts, unsigned threads) {
    const std::vector<Question> questions = to_questions(triples, test.variables());
    Answers found(questions.size());
    const nb::gil_scoped_release release;
    Control control(checked_threads(threads));
    test.answer(questions, facts ? Detail::facts : Detail::decision, found.all, control);
    return found;
}

// Statistics as floats, None where a test has none.
nb::list optional_floats(const std::vector<Answer>& answers, double Answer::* field) {
    nb::list values;
    for (const Answer& answer : answers) {
        const double value = answer.*field;
        values.append(std::isnan(value) ? nb::object(nb::none()) : nb::object(nb::float_(value)));
    }
    return values;
}

auto column(double Answer::* field) {
    return [field](const Answers& answers) { return optional_floats(answers.all, field); };
}

CellTest::Statistic cell_statistic(bool pearson) {
    return pearson ? CellTest::Statistic::pearson : CellTest::Statistic::likelihood_ratio;
}

std::shared_ptr<MeasureTest> gaussian_test(std::shared_ptr<Measure> measure, GaussianNull::Kind kind,
                                           double alpha, std::vector<double> columns) {
    if (columns.size() != measure->variables())
        throw nb::value_error("a number of columns is needed for each variable");
    return std::make_shared<MeasureTest>(std::move(measure), GaussianNull{alpha, kind, std::move(columns)});
}

}  // namespace

void bind_independence(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::enum_<Caveat>(m, "Caveat", "What limits an answer.")
        .value("none", Caveat::none)
        .value("no_degrees_of_freedom", Caveat::no_degrees_of_freedom)
        .value("too_few_rows", Caveat::too_few_rows);
    nb::enum_<GaussianNull::Kind>(m, "GaussianNull", "The distribution of a partial correlation of zero.")
        .value("student_t", GaussianNull::Kind::student_t)
        .value("fisher_z", GaussianNull::Kind::fisher_z);

    using Floats = nb::typed<nb::list, std::optional<double>>;
    nb::class_<Answers>(m, "Answers", "The answers to a batch of questions, as columns.")
        .def_prop_ro("independent",
                     [](const Answers& answers) {
                         std::vector<bool> values;
                         for (const Answer& answer : answers.all) values.push_back(answer.independent);
                         return values;
                     })
        .def_prop_ro("caveat",
                     [](const Answers& answers) {
                         std::vector<Caveat> values;
                         for (const Answer& answer : answers.all) values.push_back(answer.caveat);
                         return values;
                     })
        .def_prop_ro("statistic",
                     [](const Answers& a) -> Floats { return Floats(column(&Answer::statistic)(a)); })
        .def_prop_ro("df", [](const Answers& a) -> Floats { return Floats(column(&Answer::df)(a)); })
        .def_prop_ro("log_p", [](const Answers& a) -> Floats { return Floats(column(&Answer::log_p)(a)); })
        .def_prop_ro("effect", [](const Answers& a) -> Floats { return Floats(column(&Answer::effect)(a)); })
        .def_prop_ro("gain", [](const Answers& a) -> Floats { return Floats(column(&Answer::gain)(a)); })
        .def_prop_ro("rows", [](const Answers& answers) {
            std::vector<double> values;
            for (const Answer& answer : answers.all) values.push_back(answer.rows);
            return values;
        });

    nb::class_<IndependenceTest>(m, "IndependenceTest", "Answers to independence questions, in batches.")
        .def("answers", &ask, "triples"_a, "facts"_a = true, "threads"_a = 1u,
             "The answers to triples (x, y, z) of sets of variables; without facts the decisions alone.")
        .def_prop_ro("variables", &IndependenceTest::variables);
    nb::class_<MeasureTest, IndependenceTest>(m, "MeasureTest", "A measure's interaction and a rule.")
        .def_static(
            "chi_squared",
            [](std::shared_ptr<Measure> measure, double alpha, double rows_per_cell,
               std::vector<std::uint32_t> cardinalities) {
                return std::make_shared<MeasureTest>(std::move(measure), ChiSquaredNull{alpha, rows_per_cell},
                                                     std::move(cardinalities));
            },
            "measure"_a, "alpha"_a, "rows_per_cell"_a = 0.0, "cardinalities"_a = std::vector<std::uint32_t>{})
        .def_static(
            "sign",
            [](std::shared_ptr<Measure> measure, std::function<double(double)> penalty, double odds,
               double arc_cost, bool factor_as_statistic) {
                return std::make_shared<MeasureTest>(
                    std::move(measure), SignNull{std::move(penalty), odds, arc_cost, factor_as_statistic});
            },
            "measure"_a, "penalty"_a, nb::kw_only(), "odds"_a = 0.0, "arc_cost"_a = 0.0,
            "factor_as_statistic"_a = false)
        .def_static(
            "gaussian", &gaussian_test, "measure"_a, nb::kw_only(), "kind"_a, "alpha"_a, "columns"_a,
            "A Gaussian measure against t, or F where columns are discrete; or against Fisher's z, or "
            "Bartlett's chi-squared. columns is the number of columns of each variable.")
        .def_static(
            "threshold",
            [](std::shared_ptr<Measure> measure, double epsilon) {
                return std::make_shared<MeasureTest>(std::move(measure), ThresholdNull{epsilon});
            },
            "measure"_a, "epsilon"_a);
    nb::class_<CellTest, IndependenceTest>(m, "CellTest", "Pearson's statistic, adjusted degrees of freedom.")
        .def(
            "__init__",
            [](CellTest* self, std::shared_ptr<CountingMeasure> measure, bool pearson, bool adjusted,
               double alpha, double rows_per_cell) {
                new (self)
                    CellTest(std::move(measure), cell_statistic(pearson), adjusted, alpha, rows_per_cell);
            },
            "measure"_a, nb::kw_only(), "pearson"_a, "adjusted"_a, "alpha"_a, "rows_per_cell"_a = 0.0);
}
