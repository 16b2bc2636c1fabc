// The best network so far of a search, for Python.
#pragma once
#include "conversions.hpp"
#include "dagwright/search/best_network.hpp"

// Shows to the function of a listener, where there is one; Ctrl-C in there cancels the search.
inline dagwright::BestNetwork shown_to(Progress progress, dagwright::Control& control) {
    if (progress == nullptr || !progress->best_graph) return {{}, 0.0, 0.0};
    const auto tell = [show = nb::object(*progress->best_graph), &control](
                          double score, const std::vector<dagwright::VarSet>& parents) {
        const nb::gil_scoped_acquire gil;
        try {
            show(score, member_lists(parents));
        } catch (const nb::python_error& error) {
            if (!error.matches(PyExc_KeyboardInterrupt)) throw;
            control.cancel();
        }
    };
    return {tell, progress->interval, progress->between_networks};
}
