// Conversions that several bindings share: sets of variables, arrays, and the steering of long calls.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <vector>

#include "arrays.hpp"
#include "dagwright/base/control.hpp"
#include "dagwright/base/varset.hpp"
#include "dagwright/evidence/score.hpp"
#include "dagwright/graph/knowledge.hpp"

namespace nb = nanobind;

using Members = std::vector<std::uint32_t>;

// A set of variable numbers below `variables`; out of range is an IndexError.
dagwright::VarSet to_varset(const Members& members, std::size_t variables);
std::vector<dagwright::VarSet> to_varsets(const std::vector<Members>& sets, std::size_t variables);
Members to_members(const dagwright::VarSet& set);

// What a Python object holds as a number; a TypeError that says what it should have been.
template <class Number>
Number number_in(nb::handle value, const char* what) {
    Number number{};
    if (nb::try_cast(value, number)) return number;
    throw nb::type_error(
        (std::string(what) + " must be a number in range, got " + nb::repr(value).c_str()).c_str());
}

using Cancel = std::shared_ptr<dagwright::CancelToken>;  // or null

// A function of Python that is told of progress, the seconds between two events at least, a function that is
// shown the best network so far, or none, and the seconds between two networks at least.
struct Listener {
    using Tell = nb::typed<nb::callable, void(dagwright::Event)>;
    using Show = nb::typed<nb::callable, void(double, std::vector<Members>)>;
    Tell tell;
    double interval;
    std::optional<Show> best_graph;
    double between_networks;
};
using Progress = const Listener*;  // or null

// Steering for one call: a time limit in seconds, a function that is told of progress, and a token that
// Ctrl-C and whoever holds it can cancel.
std::unique_ptr<dagwright::Control> make_control(unsigned threads, std::optional<double> seconds,
                                                 Progress progress, Cancel cancel);

// The number of threads, refused where no machine has so many: every thread has its own tables.
unsigned checked_threads(unsigned threads);

// Why a call ended early; None in Python where it ran to its end.
inline std::optional<dagwright::Stop> early(dagwright::Stop stop) {
    if (stop == dagwright::Stop::none) return std::nullopt;
    return stop;
}
template <class Found>
std::optional<dagwright::Stop> stopped(const Found& found) {
    return early(found.stop);
}

// Parent sets as lists, and back: one per variable, over as many variables as score and knowledge.
std::vector<Members> member_lists(const std::vector<dagwright::VarSet>& sets);
std::vector<dagwright::VarSet> checked_start(const dagwright::LocalScore& score,
                                             const dagwright::Knowledge& knowledge,
                                             const std::vector<Members>& start);
