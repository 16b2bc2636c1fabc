#include "dagwright/search/chow_liu_weights.hpp"

#include <algorithm>
#include <limits>

namespace dagwright {

std::vector<double> edge_gains(LocalScore& score, const VarSet& given, Control& control,
                               std::size_t pairs_per_batch) {
    const std::size_t n = score.variables();
    std::vector<double> gains(n * n, 0.0);
    std::vector<Var> free;
    for (Var v = 0; v < n; ++v)
        if (!given.contains(v)) free.push_back(v);
    std::vector<Family> families;
    std::vector<double> local;
    const auto ask = [&] {
        local.assign(families.size(), 0.0);
        score.local(families, local, control);
    };
    for (const Var v : free) families.push_back({v, given});
    if (control.should_stop() != Stop::none) return {};
    ask();
    std::vector<double> alone(n, 0.0);
    for (std::size_t i = 0; i < free.size(); ++i) alone[free[i]] = local[i];

    // Runs of pairs that share their first variable stand together: they are counted together.
    struct Run {
        std::size_t first, begin, end;
    };
    std::size_t done = 0;
    for (std::size_t first = 0, next = 1; first + 1 < free.size();) {
        families.clear();
        std::vector<Run> runs;
        while (first + 1 < free.size() && families.size() < 2 * pairs_per_batch) {
            const std::size_t room = pairs_per_batch - families.size() / 2;
            const std::size_t end = std::min(free.size(), next + std::max<std::size_t>(room, 1));
            const Var x = free[first];
            for (std::size_t i = next; i < end; ++i) families.push_back({free[i], given.with(x)});
            for (std::size_t i = next; i < end; ++i) families.push_back({x, given.with(free[i])});
            runs.push_back({first, next, end});
            next = end;
            if (next == free.size()) {
                ++first;
                next = first + 1;
            }
        }
        if (control.should_stop() != Stop::none) return {};
        ask();
        std::size_t at = 0;
        for (const Run& run : runs) {
            const std::size_t length = run.end - run.begin;
            const Var x = free[run.first];
            for (std::size_t i = run.begin; i < run.end; ++i, ++at) {
                const Var y = free[i];
                gains[x * n + y] = gains[y * n + x] =
                    0.5 * ((local[at] - alone[y]) + (local[at + length] - alone[x]));
            }
            at += length;
        }
        done += families.size() / 2;
        control.report({.phase = "weighing edges",
                        .done = done,
                        .total = free.size() * (free.size() - 1) / 2,
                        .unit = "pairs"});
    }
    return gains;
}

}  // namespace dagwright
