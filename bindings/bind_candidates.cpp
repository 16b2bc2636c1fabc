// Candidate parent sets: found from a score, or taken over from arrays.
#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/exact/candidate_lattice.hpp"
#include "dagwright/exact/find_candidates.hpp"

using namespace dagwright;

namespace {

CandidatesFound find(LocalScore& score, const Knowledge& knowledge, std::optional<std::size_t> max_parents,
                     double least_gain, std::optional<std::size_t> most_sets, double table_bytes,
                     std::optional<std::size_t> before_table, std::optional<std::uint64_t> most_families,
                     unsigned threads, std::optional<double> seconds, Progress progress, Cancel cancel) {
    if (knowledge.size() != score.variables())
        throw nb::value_error("knowledge and score are about different numbers of variables");
    const std::unique_ptr<Control> control = make_control(threads, seconds, progress, std::move(cancel));
    const CandidatePlan plan{max_parents.value_or(Knowledge::kUnbounded),
                             least_gain,
                             most_sets.value_or(Knowledge::kUnbounded),
                             table_bytes,
                             before_table.value_or(Knowledge::kUnbounded),
                             most_families.value_or(std::numeric_limits<std::uint64_t>::max())};
    const nb::gil_scoped_release release;
    return find_candidates(score, knowledge, plan, *control);
}

}  // namespace

void bind_candidates(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<CandidateSets>(m, "CandidateSets", "Parent sets with scores per variable, best first.")
        .def(
            "__init__",
            [](CandidateSets* self, const Input<std::int64_t>& offsets, const Input<double>& scores,
               const Input<std::int64_t>& starts, const Input<std::int32_t>& members,
               std::vector<CandidateSets::Link> links) {
                new (self) CandidateSets(copied(offsets), copied(scores), copied(starts), copied(members),
                                         std::move(links));
            },
            "offsets"_a, "scores"_a, "starts"_a, "members"_a, "links"_a)
        .def("__len__", [](const CandidateSets& self) { return self.size(); })
        .def_prop_ro("variables", &CandidateSets::variables)
        .def_prop_ro("offsets",
                     [](nb::handle self) { return view(self, nb::cast<CandidateSets&>(self).offsets()); })
        .def_prop_ro("scores",
                     [](nb::handle self) { return view(self, nb::cast<CandidateSets&>(self).scores()); })
        .def_prop_ro("starts",
                     [](nb::handle self) { return view(self, nb::cast<CandidateSets&>(self).starts()); })
        .def_prop_ro("members",
                     [](nb::handle self) { return view(self, nb::cast<CandidateSets&>(self).members()); })
        .def_prop_ro("links", &CandidateSets::links);
    nb::class_<CandidatesFound>(m, "CandidatesFound", "Candidate parent sets, and what is known of others.")
        .def_ro("sets", &CandidatesFound::sets)
        .def_ro("bounds", &CandidatesFound::bounds, "No parents of a variable score more.")
        .def_ro("bound", &CandidatesFound::bound, "No network scores more; infinite where nothing is known.")
        .def_ro("evaluations", &CandidatesFound::evaluations)
        .def_prop_ro("stopped", &stopped<CandidatesFound>)
        .def_ro("full", &CandidatesFound::full,
                "Whether most_sets or most_families was reached: not all sets are there.")
        .def_ro("full_child", &CandidatesFound::full_child, "The variable where it was reached.")
        .def_ro("full_size", &CandidatesFound::full_size, "The number of parents there.");
    m.def("find_candidates", &find, "score"_a, "knowledge"_a, nb::kw_only(), "max_parents"_a = nb::none(),
          "least_gain"_a = 0.0, "most_sets"_a = nb::none(), "table_bytes"_a = 0.0,
          "before_table"_a = nb::none(), "most_families"_a = nb::none(), "threads"_a = 1u,
          "seconds"_a = nb::none(), "progress"_a = nb::none(), "cancel"_a = nb::none());
    m.def("walked_before_table", &walked_before_table, "variables"_a,
          "How many families find_candidates scores one by one before it makes a table.");
    m.def("table_bytes", &table_bytes, "score"_a, "knowledge"_a,
          "What find_candidates needs for a table of all sets of variables; infinite where it makes none.");
}
