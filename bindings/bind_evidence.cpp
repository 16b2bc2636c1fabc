// Measures and local scores: the native ones, and adapters for those written in Python.
#include "bindings.hpp"
#include "cells.hpp"
#include "conversions.hpp"
#include "dagwright/evidence/arc_prior.hpp"
#include "dagwright/evidence/child_scores.hpp"
#include "dagwright/evidence/measure.hpp"
#include "dagwright/evidence/parent_counts.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/statistics/canonical_order.hpp"
#include "memo_arrays.hpp"
#include "python_adapters.hpp"
#include "set_fits.hpp"

using namespace dagwright;

namespace {

// Ctrl-C while Python code computes a batch ends the search, not the program: the control is told, and the
// batch is asked for once more so that the search ends with numbers that are right.
template <class Ask>
nb::object uninterrupted(Control& control, Ask&& ask) {
    try {
        return ask();
    } catch (nb::python_error& error) {
        if (!error.matches(PyExc_KeyboardInterrupt)) throw;
        control.cancel();
    }
    return ask();
}

// A measure written in Python: evidence(list of frozensets, rows) -> list of objects with fit and dim.
class PythonMeasure final : public Measure {
  public:
    PythonMeasure(nb::object measure, std::size_t variables)
        : held(std::move(measure)), variables_(variables) {
        for (const char* part : {"N", "evidence"})
            if (!nb::hasattr(held, part))
                throw nb::type_error((std::string("a measure needs '") + part + "'").c_str());
        if (variables > kMaxVariables) throw nb::value_error("a measure has at most 65,535 variables");
        total_ = number_in<double>(held.attr("N"), "N of a measure");
    }
    std::size_t variables() const override { return variables_; }
    double total() const override { return total_; }
    void evidence(std::span<const VarSet> sets, const VarSet& observed, std::span<SetFit> out,
                  Control& control) override {
        const nb::gil_scoped_acquire gil;
        nb::list asked;
        for (const VarSet& set : sets) asked.append(to_frozenset(set));
        nb::object rows = nb::none();
        if (!observed.empty()) rows = to_frozenset(observed);
        std::size_t i = 0;
        const nb::object answers = uninterrupted(control, [&] { return held.attr("evidence")(asked, rows); });
        for (const nb::handle answer : nb::iter(answers)) {
            if (i == sets.size()) break;
            if (!nb::hasattr(answer, "fit") || !nb::hasattr(answer, "dim"))
                throw nb::type_error("the evidence of a measure needs fit and dim");
            out[i++] = {number_in<double>(answer.attr("fit"), "fit"),
                        number_in<double>(answer.attr("dim"), "dim")};
        }
        if (i != sets.size())
            throw nb::value_error("a measure must give one evidence for each set it is asked for");
    }

    nb::object held;  // the measure

  private:
    double total_;
    std::size_t variables_;
};

// A local score written in Python: local(list of (child, frozenset of parents)) -> list of floats.
class PythonLocalScore final : public LocalScore {
  public:
    PythonLocalScore(nb::object score, std::size_t variables, double N)
        : held(std::move(score)), variables_(variables), N_(N) {
        if (!nb::hasattr(held, "local")) throw nb::type_error("a local score needs 'local'");
        if (variables > kMaxVariables) throw nb::value_error("a local score has at most 65,535 variables");
    }
    std::size_t variables() const override { return variables_; }
    double tolerance() const override { return score_tolerance(N_); }
    void local(std::span<const Family> families, std::span<double> out, Control& control) override {
        const nb::gil_scoped_acquire gil;
        const nb::object family_type = nb::module_::import_("dagwright.evidence.protocols").attr("Family");
        nb::list asked;
        for (const Family& family : families)
            asked.append(family_type(family.child, to_frozenset(family.parents)));
        std::size_t i = 0;
        const nb::object answers = uninterrupted(control, [&] { return held.attr("local")(asked); });
        for (const nb::handle answer : nb::iter(answers)) {
            if (i == families.size()) break;
            out[i++] = number_in<double>(answer, "a local score");
        }
        if (i != families.size()) throw nb::value_error("a local score must give one number for each family");
    }

    nb::object held;  // the score

  private:
    std::size_t variables_;
    double N_;
};

SetFits evidence(Measure& measure, const std::vector<Members>& sets, const Members& observed,
                 unsigned threads) {
    const std::size_t n = measure.variables();
    const std::vector<VarSet> asked = to_varsets(sets, n);
    const VarSet known = to_varset(observed, n);
    std::vector<SetFit> found(asked.size());
    const nb::gil_scoped_release release;
    Control control(checked_threads(threads));
    measure.evidence(asked, known, found, control);
    return SetFits(found);
}

FloatArray local(LocalScore& score, const std::vector<std::pair<std::uint32_t, Members>>& families,
                 unsigned threads) {
    std::vector<Family> asked;
    for (const auto& [child, parents] : families) {
        (void)to_varset({child}, score.variables());
        if (std::find(parents.begin(), parents.end(), child) != parents.end())
            throw nb::value_error(
                ("variable " + std::to_string(child) + " cannot be its own parent").c_str());
        asked.push_back({child, to_varset(parents, score.variables())});
    }
    std::vector<double> values(asked.size());
    {
        const nb::gil_scoped_release release;
        Control control(checked_threads(threads));
        score.local(asked, values, control);
    }
    return to_array(std::move(values));
}

CanonicalOrder canonical(CellSums& sums, const std::vector<std::size_t>& name_rank, unsigned threads,
                         std::optional<double> seconds, Cancel cancel) {
    if (name_rank.size() != sums.shape().variables()) throw nb::value_error("one rank per column is needed");
    const std::unique_ptr<Control> control = make_control(threads, seconds, nullptr, std::move(cancel));
    const nb::gil_scoped_release release;
    return canonical_order(sums, name_rank, *control);
}

CellTable cells(CellSums& sums, const Members& variables, const Members& observed) {
    return cells_of(sums.source(), variables, observed);
}

}  // namespace

void bind_evidence(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<CanonicalOrder>(m, "CanonicalOrder", "A numbering of the columns that follows from the data.")
        .def_ro("order", &CanonicalOrder::order)
        .def_ro("tied", &CanonicalOrder::tied, "Groups of columns that the data cannot tell apart.")
        .def_ro("complete", &CanonicalOrder::complete, "False where the call was stopped.");
    nb::class_<CountStatistics>(m, "CountStatistics", "What the memo of sums over cells was asked.")
        .def_ro("hits", &CountStatistics::hits)
        .def_ro("misses", &CountStatistics::misses)
        .def_ro("forgotten", &CountStatistics::forgotten)
        .def_ro("counted", &CountStatistics::counted)
        .def_ro("memo_bytes", &CountStatistics::memo_bytes);
    auto sums =
        nb::class_<CellSums>(m, "CellSums", "Sums over cells of sets of variables, with one bounded memo.");
    sums.def(
            "__init__",
            [](CellSums* self, std::shared_ptr<Table> table, double memo_mib) {
                if (!(memo_mib > 0)) throw nb::value_error("memo_mib must be positive");
                new (self) CellSums(std::move(table), static_cast<std::size_t>(memo_mib * 1048576.0));
            },
            "table"_a, "memo_mib"_a = 512.0)
        .def(
            "__init__",
            [](CellSums* self, std::shared_ptr<CellSource> source, double memo_mib) {
                if (!(memo_mib > 0)) throw nb::value_error("memo_mib must be positive");
                new (self) CellSums(std::move(source), static_cast<std::size_t>(memo_mib * 1048576.0));
            },
            "source"_a, "memo_mib"_a = 512.0)
        .def_prop_ro("total", [](const CellSums& sums) { return sums.shape().total(); })
        .def("canonical_order", &canonical, "name_rank"_a, nb::kw_only(), "threads"_a = 1u,
             "seconds"_a = nb::none(), "cancel"_a = nb::none())
        .def("cells", &cells, "variables"_a, "observed"_a = Members{})
        .def("statistics", &CellSums::statistics);
    bind_memory(sums);

    nb::class_<SetFits>(m, "SetFits", "The evidence of many sets.")
        .def_prop_ro("fit", viewed(&SetFits::fit))
        .def_prop_ro("dim", viewed(&SetFits::dim));
    nb::class_<Measure>(m, "Measure", "(fit, dim) of sets of variables.")
        .def("evidence", &evidence, "sets"_a, "observed"_a = Members{}, "threads"_a = 1u)
        .def_prop_ro("total", &Measure::total);
    nb::enum_<CountingMeasure::Kind>(m, "MeasureKind", "What a counting measure sums over cells.")
        .value("multinomial", CountingMeasure::Kind::multinomial)
        .value("dirichlet", CountingMeasure::Kind::dirichlet)
        .value("adaptive", CountingMeasure::Kind::adaptive)
        .value("nml", CountingMeasure::Kind::nml);
    nb::class_<CountingMeasure, Measure>(m, "CountingMeasure")
        .def(nb::init<std::shared_ptr<CellSums>, CountingMeasure::Kind, double>(), "sums"_a, "kind"_a,
             "ess"_a = 0.0);
    nb::class_<PythonMeasure, Measure>(m, "PythonMeasure", nb::type_slots(collectable<PythonMeasure>))
        .def(nb::init<nb::object, std::size_t>(), "measure"_a, "variables"_a);

    nb::class_<LocalScore>(m, "LocalScore", "One number per family, larger is better.")
        .def("local", &local, "families"_a, "threads"_a = 1u)
        .def_prop_ro("bounded", &LocalScore::bounded, "Whether a bound can rule parent sets out unscored.")
        .def_prop_ro("tolerance", &LocalScore::tolerance)
        .def_prop_ro("variables", &LocalScore::variables);
    nb::class_<CriterionScore, LocalScore>(m, "CriterionScore")
        .def(nb::init<std::shared_ptr<Measure>, double>(), "measure"_a, "penalty"_a);
    nb::enum_<CellScore::Kind>(m, "CellScoreKind", "Scores that are sums over cells but no measure.")
        .value("k2", CellScore::Kind::k2)
        .value("bds", CellScore::Kind::bds)
        .value("fnml", CellScore::Kind::fnml);
    nb::class_<CellScore, LocalScore>(m, "CellScore")
        .def(nb::init<std::shared_ptr<CellSums>, CellScore::Kind, double>(), "sums"_a, "kind"_a,
             "ess"_a = 0.0);
    nb::class_<ArcPriorScore, LocalScore>(m, "ArcPriorScore", "A score plus weights of arcs.")
        .def(nb::init<std::shared_ptr<LocalScore>, std::vector<double>, std::vector<double>>(), "score"_a,
             "weights"_a, "base"_a);
    nb::class_<ParentCountScore, LocalScore>(m, "ParentCountScore",
                                             "A score plus a function of the number of parents.")
        .def(nb::init<std::shared_ptr<LocalScore>, std::vector<double>>(), "score"_a, "values"_a);
    nb::class_<ChildScores, LocalScore>(m, "ChildScores", "A score for each child, on rows of its own.")
        .def(nb::init<std::vector<std::shared_ptr<LocalScore>>, std::vector<std::size_t>>(), "scores"_a,
             "of_child"_a);
    nb::class_<PythonLocalScore, LocalScore>(m, "PythonLocalScore",
                                             nb::type_slots(collectable<PythonLocalScore>))
        .def(nb::init<nb::object, std::size_t, double>(), "score"_a, "variables"_a, "N"_a);
}
