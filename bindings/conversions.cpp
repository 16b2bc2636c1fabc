#include "conversions.hpp"

using namespace dagwright;

VarSet to_varset(const Members& members, std::size_t variables) {
    for (const std::uint32_t v : members)
        if (v >= variables)
            throw nb::index_error(("variable number out of range: " + std::to_string(v)).c_str());
    return VarSet::of(members);
}

std::vector<VarSet> to_varsets(const std::vector<Members>& sets, std::size_t variables) {
    std::vector<VarSet> result;
    result.reserve(sets.size());
    for (const Members& set : sets) result.push_back(to_varset(set, variables));
    return result;
}

Members to_members(const VarSet& set) { return {set.begin(), set.end()}; }

std::unique_ptr<dagwright::Control> make_control(unsigned threads, std::optional<double> seconds,
                                                 nb::object progress) {
    // Signals reach Python only when it is asked, here or while it runs the progress callback. In both places
    // KeyboardInterrupt becomes "return the best so far".
    const auto interrupt_seen = std::make_shared<bool>(false);
    const auto interrupted = [interrupt_seen] {
        if (*interrupt_seen) return true;
        const nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() == 0) return false;
        if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
        PyErr_Clear();
        return true;
    };
    std::function<void(const std::string&, std::size_t, double)> report;
    if (!progress.is_none()) {
        report = [progress, interrupt_seen](const std::string& phase, std::size_t steps, double best) {
            const nb::gil_scoped_acquire gil;
            try {
                progress(phase, steps, best);
            } catch (const nb::python_error& error) {
                if (!error.matches(PyExc_KeyboardInterrupt)) throw;
                *interrupt_seen = true;
            }
        };
    }
    return std::make_unique<dagwright::Control>(threads, seconds, interrupted, report);
}

const char* stop_name(Stop stop) {
    switch (stop) {
        case Stop::deadline:
            return "deadline";
        case Stop::cancelled:
            return "cancelled";
        case Stop::none:
            break;
    }
    return "";
}

nb::list to_lists(const std::vector<VarSet>& parents) {
    nb::list families;
    for (const VarSet& set : parents) families.append(to_members(set));
    return families;
}

std::vector<VarSet> checked_start(const LocalScore& score, const Knowledge& knowledge,
                                  const std::vector<Members>& start) {
    const std::size_t n = score.variables();
    if (start.size() != n || knowledge.size() != n)
        throw nb::value_error("start, knowledge and score must be of one size");
    return to_varsets(start, n);
}
