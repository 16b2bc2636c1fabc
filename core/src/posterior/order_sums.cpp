#include "dagwright/posterior/order_sums.hpp"

#include <bit>

namespace dagwright {

namespace {

constexpr const char* kPhase = "summing over orders";

SetMask bit(Var x) { return SetMask{1} << x; }
Var lowest(SetMask set) { return static_cast<Var>(std::countr_zero(set)); }

}  // namespace

OrderSums::OrderSums(const ParentSums& sums, Watch& watch)
    : sums_(sums), watch_(watch), forward_(sums.sets()) {
    forward_[0] = Scaled(1.0);
    for (SetMask set = 1; set < forward_.size() && !watch.halted(); ++set) {
        for (SetMask rest = set; rest != 0; rest &= rest - 1) {
            const Var last = lowest(rest);
            const SetMask before = set & ~bit(last);
            forward_[set] += forward_[before] * sums.sum(last, before);
        }
        watch.step(0, kPhase);
    }
}

void OrderSums::look_back() {
    const auto all = static_cast<SetMask>(forward_.size() - 1);
    completions_.assign(forward_.size(), Scaled());
    completions_[all] = Scaled(1.0);
    for (SetMask set = all; set-- > 0 && !watch_.halted();) {
        for (SetMask rest = all & ~set; rest != 0; rest &= rest - 1) {
            const Var next = lowest(rest);
            completions_[set] += sums_.sum(next, set) * completions_[set | bit(next)];
        }
        watch_.step(0, kPhase);
    }
}

void OrderSums::keep_apart(const Apart& pair, Restricted& found, unsigned worker) const {
    found.resize(forward_.size());
    const SetMask both = pair.both();
    const auto all = static_cast<SetMask>(forward_.size() - 1);
    for (SetMask set = both; set <= all && !watch_.halted(); set = (set + 1) | both) {
        Scaled value;
        for (SetMask rest = set; rest != 0; rest &= rest - 1) {
            const Var last = lowest(rest);
            const SetMask before = set & ~bit(last);
            const Scaled& earlier = (before & both) == both ? found[before] : forward_[before];
            value += earlier * sums_.keeping(last, before, pair);
        }
        found[set] = value;
        watch_.step(worker, kPhase);
    }
}

// Level by level of the number of variables placed. An entry is the probability, among the orders and
// networks on a set that holds the start, that certain others are its descendants.
std::vector<double> OrderSums::descendants(Var start, unsigned worker) const {
    const std::size_t others = sums_.variables() - 1;
    std::vector<SetMask> place_of(std::size_t{1} << others);  // a set's place among those of its size
    std::vector<std::vector<SetMask>> levels(others + 1);
    for (SetMask set = 0; set < place_of.size(); ++set) {
        std::vector<SetMask>& level = levels[static_cast<std::size_t>(std::popcount(set))];
        place_of[set] = static_cast<SetMask>(level.size());
        level.push_back(set);
    }
    std::vector<double> shorter, here;
    for (std::size_t size = 0; size <= others; ++size) {
        here.assign(levels[size].size() << size, 0.0);
        for (std::size_t at = 0; at < levels[size].size(); ++at) {
            if (watch_.halted()) return {};
            watch_.step(worker, "probabilities of paths");
            const SetMask rest = spread(levels[size][at], start), set = rest | bit(start);
            if (forward_[set].zero()) continue;
            double* const found = here.data() + (at << size);
            found[0] += (forward_[rest] * sums_.sum(start, rest)) / forward_[set];
            for (std::size_t place = 0, left = rest; left != 0; ++place, left &= left - 1) {
                const Var last = lowest(static_cast<SetMask>(left));
                const SetMask before = set & ~bit(last), below = rest & ~bit(last);
                const Scaled& sum = sums_.sum(last, before);
                if (sum.zero() || forward_[before].zero()) continue;
                const double whole = (forward_[before] * sum) / forward_[set];
                const Scaled unit = Scaled(whole).over(sum);
                const double* const earlier =
                    shorter.data() + (std::size_t{place_of[squeeze(below, start)]} << (size - 1));
                const std::size_t low = (std::size_t{1} << place) - 1;
                SetMask descendants = 0;
                for (std::size_t i = 0; i < std::size_t{1} << (size - 1); ++i) {
                    const double untouched =
                        (sums_.without(last, before, descendants | bit(start)) * unit).value();
                    const std::size_t same = (i & low) | ((i & ~low) << 1);
                    found[same] += earlier[i] * untouched;
                    found[same | (low + 1)] += earlier[i] * (whole - untouched);
                    descendants = (descendants - below) & below;  // the next subset
                }
            }
        }
        std::swap(shorter, here);
    }
    std::vector<double> reached(sums_.variables(), 0.0);
    for (SetMask set = 0; set < shorter.size(); ++set)
        for (SetMask left = spread(set, start); left != 0; left &= left - 1)
            reached[lowest(left)] += shorter[set];
    return reached;
}

std::vector<double> OrderSums::paths() const {
    const std::size_t n = sums_.variables();
    std::vector<double> found(n * n, 0.0);
    watch_.workers().run(n, [&](std::size_t start, unsigned worker) {
        const std::vector<double> row = descendants(static_cast<Var>(start), worker);
        for (std::size_t end = 0; end < n && !row.empty(); ++end)
            if (end != start) found[start * n + end] = row[end];
    });
    return found;
}

}  // namespace dagwright
