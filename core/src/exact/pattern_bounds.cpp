#include "dagwright/exact/pattern_bounds.hpp"

#include <algorithm>

namespace dagwright {

PatternBounds::PatternBounds(const MaskedFamilies& families, std::size_t largest, std::size_t partitions,
                             Control& control) {
    const std::size_t n = families.size();
    // What it costs at least that not both of two variables can be a parent of the other.
    std::vector<double> conflict(n * n, 0.0);
    for (std::size_t x = 0; x < n; ++x) {
        const double best = families.lists[x].scores.empty() ? 0.0 : families.lists[x].scores.front();
        for (std::size_t y = 0; y < n; ++y) {
            if (x == y) continue;
            double without = kImpossible;
            const MaskedFamilies::List& list = families.lists[x];
            for (std::size_t i = 0; i < list.masks.size(); ++i)
                if ((list.masks[i] & bit(y)) == 0) {
                    without = list.scores[i];
                    break;
                }
            conflict[x * n + y] = best - without;
        }
    }
    for (std::size_t x = 0; x < n; ++x)
        for (std::size_t y = 0; y < x; ++y)
            conflict[x * n + y] = conflict[y * n + x] = std::min(conflict[x * n + y], conflict[y * n + x]);
    for (std::size_t p = 0; p < partitions && stop_ == Stop::none; ++p) {
        const std::vector<std::vector<std::size_t>> groups = form_groups(conflict, n, largest);
        partitions_.emplace_back();
        for (const std::vector<std::size_t>& members : groups) {
            partitions_.back().push_back(tabulate(families, members, control));
            // The next partition looks after the conflicts that this one ignores.
            for (const std::size_t x : members)
                for (const std::size_t y : members) conflict[x * n + y] *= 0.25;
            if ((stop_ = control.should_stop()) != Stop::none) break;
        }
        if (groups.size() == 1) break;  // exact: no other partition can be better
    }
    if (stop_ != Stop::none) partitions_.clear();
}

// Groups of equal size between which as little conflict as possible is left: exchanges of two variables and
// moves to a smaller group, as long as any helps.
std::vector<std::vector<std::size_t>> PatternBounds::form_groups(const std::vector<double>& weights,
                                                                 std::size_t n, std::size_t largest) const {
    const std::size_t count = (n + largest - 1) / largest;
    std::vector<std::size_t> group(n);
    for (std::size_t x = 0; x < n; ++x) group[x] = x * count / n;
    const auto inside = [&](std::size_t x, std::size_t g, std::size_t except) {
        double sum = 0.0;
        for (std::size_t y = 0; y < n; ++y)
            if (y != x && y != except && group[y] == g) sum += weights[x * n + y];
        return sum;
    };
    bool better = count > 1;
    for (std::size_t round = 0; better && round < 100; ++round) {
        better = false;
        for (std::size_t x = 0; x < n; ++x)
            for (std::size_t y = 0; y < x; ++y) {
                if (group[x] == group[y]) continue;
                const double now = inside(x, group[x], y) + inside(y, group[y], x);
                const double then = inside(x, group[y], y) + inside(y, group[x], x);
                if (then > now * (1 + 1e-12) + 1e-12) {
                    std::swap(group[x], group[y]);
                    better = true;
                }
            }
    }
    std::vector<std::vector<std::size_t>> groups(count);
    for (std::size_t x = 0; x < n; ++x) groups[group[x]].push_back(x);
    return groups;
}

PatternBounds::Group PatternBounds::tabulate(const MaskedFamilies& families, std::vector<std::size_t> members,
                                             Control& control) const {
    Group group;
    group.members = std::move(members);
    const std::size_t k = group.members.size(), size = std::size_t{1} << k;
    group.bytes.assign((families.size() + 7) / 8 * 256, 0);
    for (std::size_t g = 0; g < k; ++g)
        for (std::size_t value = 0; value < 256; ++value)
            if (value >> (group.members[g] % 8) & 1)
                group.bytes[group.members[g] / 8 * 256 + value] |= std::uint32_t{1} << g;
    // best[x][A]: the best set of x with its members of this group in A, all others free.
    std::vector<std::vector<double>> best(k);
    control.workers().run(k, [&](std::size_t g, unsigned) {
        std::vector<double>& table = best[g];
        table.assign(size, kImpossible);
        const MaskedFamilies::List& list = families.lists[group.members[g]];
        for (std::size_t i = 0; i < list.masks.size(); ++i) {
            double& cell = table[group.index(list.masks[i])];
            cell = std::max(cell, list.scores[i]);
        }
        for (std::size_t b = 0; b < k; ++b) {
            const std::size_t half = std::size_t{1} << b;
            for (std::size_t begin = 0; begin < size; begin += 2 * half)
                for (std::size_t i = begin; i < begin + half; ++i)
                    table[i + half] = std::max(table[i + half], table[i]);
        }
    });
    group.table.assign(size, kImpossible);
    group.table[0] = 0.0;
    for (std::size_t missing = 1; missing < size; ++missing) {
        double most = kImpossible;
        const std::size_t there = (size - 1) & ~missing;
        for (std::size_t rest = missing; rest != 0; rest &= rest - 1) {
            const auto g = static_cast<std::size_t>(std::countr_zero(rest));
            most = std::max(most, best[g][there] + group.table[missing & ~(std::size_t{1} << g)]);
        }
        group.table[missing] = most;
    }
    return group;
}

}  // namespace dagwright
