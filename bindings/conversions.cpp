#include "conversions.hpp"

using namespace dagwright;

VarSet to_varset(const Members& members, std::size_t variables) {
    variables = std::min<std::size_t>(variables, kMaxVariables);
    for (const std::uint32_t v : members)
        if (v >= variables)
            throw nb::index_error(
                ("variable " + std::to_string(v) + " does not exist; there are " + std::to_string(variables))
                    .c_str());
    return VarSet::of(members);
}

std::vector<VarSet> to_varsets(const std::vector<Members>& sets, std::size_t variables) {
    std::vector<VarSet> result;
    result.reserve(sets.size());
    for (const Members& set : sets) result.push_back(to_varset(set, variables));
    return result;
}

Members to_members(const VarSet& set) { return {set.begin(), set.end()}; }

unsigned checked_threads(unsigned threads) {
    constexpr unsigned kMost = 1024;
    if (threads < 1 || threads > kMost)
        throw nb::value_error(("threads must be from 1 to 1024, got " + std::to_string(threads)).c_str());
    return threads;
}

std::unique_ptr<dagwright::Control> make_control(unsigned threads, std::optional<double> seconds,
                                                 Progress progress, Cancel cancel) {
    if (seconds && !(*seconds >= 0)) throw nb::value_error("seconds must be a number that is not negative");
    if (!cancel) cancel = std::make_shared<CancelToken>();
    // Signals reach Python only when it is asked, here or while it runs the progress callback; it tells them
    // to its main thread alone. In both places KeyboardInterrupt becomes "return the best so far".
    const auto listen = [cancel] {
        const nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() == 0) return;
        if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
        PyErr_Clear();
        cancel->cancel();
    };
    std::function<void(const Event&)> report;
    if (progress != nullptr) {
        report = [tell = nb::object(progress->tell), cancel](const Event& event) {
            const nb::gil_scoped_acquire gil;
            try {
                tell(event);
            } catch (const nb::python_error& error) {
                if (!error.matches(PyExc_KeyboardInterrupt)) throw;
                cancel->cancel();
            }
        };
    }
    const double interval = progress == nullptr ? dagwright::Control::kInterval : progress->interval;
    return std::make_unique<dagwright::Control>(checked_threads(threads), seconds, cancel, listen, report,
                                                interval);
}

std::vector<Members> member_lists(const std::vector<VarSet>& sets) {
    std::vector<Members> lists;
    lists.reserve(sets.size());
    for (const VarSet& set : sets) lists.push_back(to_members(set));
    return lists;
}

std::vector<VarSet> checked_start(const LocalScore& score, const Knowledge& knowledge,
                                  const std::vector<Members>& start) {
    const std::size_t n = score.variables();
    if (start.size() != n || knowledge.size() != n)
        throw nb::value_error("start, knowledge and score must be of one size");
    for (Var child = 0; child < n; ++child)
        if (std::find(start[child].begin(), start[child].end(), child) != start[child].end())
            throw nb::value_error(
                ("variable " + std::to_string(child) + " cannot be its own parent").c_str());
    return to_varsets(start, n);
}
