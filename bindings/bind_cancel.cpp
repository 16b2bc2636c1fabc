// The steering of long calls, as Python and the core share it: the request to stop, and what is told.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "conversions.hpp"
#include "dagwright/base/cancel_token.hpp"
#include "dagwright/base/control.hpp"

using dagwright::CancelToken;
using dagwright::Event;
using dagwright::Stop;
using namespace nb::literals;

void bind_cancel(nb::module_& m) {
    nb::enum_<Stop>(m, "Stop", "Why a call ended early.")
        .value("deadline", Stop::deadline)
        .value("cancelled", Stop::cancelled);
    nb::class_<Event>(m, "Event", "How far a long call is.")
        .def_prop_ro("phase", [](const Event& event) { return std::string(event.phase); })
        .def_ro("done", &Event::done)
        .def_ro("total", &Event::total, "At the end of the phase, where that is known.")
        .def_prop_ro(
            "unit", [](const Event& event) { return std::string(event.unit); }, "What is counted.")
        .def_ro("best", &Event::best, "The score of the best network so far.")
        .def_ro("bound", &Event::bound, "No network scores more.");
    nb::class_<Listener>(m, "Listener", "A function that is told how far a call is.")
        .def(
            "__init__",
            [](Listener* self, Listener::Tell tell, double interval, std::optional<Listener::Show> best_graph,
               double between_networks) {
                if (!(interval >= 0)) throw nb::value_error("interval must be a number of seconds");
                if (!(between_networks >= 0))
                    throw nb::value_error("between_networks must be a number of seconds");
                new (self) Listener{std::move(tell), interval, std::move(best_graph), between_networks};
            },
            "tell"_a, "interval"_a = dagwright::Control::kInterval, "best_graph"_a = nb::none(),
            "between_networks"_a = 0.5);
    nb::class_<CancelToken>(
        m, "CancelToken",
        "A request to stop that any thread can make: give it to a search as ``cancel=`` and "
        "call ``cancel()``. The search then returns the best it has. Ctrl-C cancels the token "
        "of the call that it interrupts.")
        .def(nb::init<>())
        .def("cancel", &CancelToken::cancel, "Ask everything that holds this token to stop.")
        .def_prop_ro("cancelled", &CancelToken::cancelled, "Whether somebody has asked.")
        .def("__repr__", [](const CancelToken& token) {
            return token.cancelled() ? "CancelToken(cancelled)" : "CancelToken()";
        });
}
