// The request to stop, as Python and the core share it.
#include "bindings.hpp"
#include "dagwright/base/cancel_token.hpp"
#include "dagwright/base/control.hpp"

using dagwright::CancelToken;
using dagwright::Stop;

void bind_cancel(nb::module_& m) {
    nb::enum_<Stop>(m, "Stop", "Why a call ended early.")
        .value("deadline", Stop::deadline)
        .value("cancelled", Stop::cancelled);
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
