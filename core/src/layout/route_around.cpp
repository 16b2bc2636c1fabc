#include "dagwright/layout/route_around.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

namespace dagwright {
namespace {

constexpr double kTouch = 1e-6;  // a line may run along a border

struct Walls {
    double left, top, right, bottom;

    auto operator<=>(const Walls&) const = default;

    bool holds(Spot at) const {
        return left + kTouch < at.first && at.first < right - kTouch && top + kTouch < at.second &&
               at.second < bottom - kTouch;
    }

    // Whether a part of the line from `a` to `b` is inside (Liang & Barsky 1984).
    bool stops(Spot a, Spot b) const {
        double enters = 0.0, leaves = 1.0;
        const auto within = [&](double start, double step, double low, double high) {
            if (step == 0.0) return low < start && start < high;
            const double first = (low - start) / step, second = (high - start) / step;
            enters = std::max(enters, std::min(first, second));
            leaves = std::min(leaves, std::max(first, second));
            return enters < leaves;
        };
        return within(a.first, b.first - a.first, left + kTouch, right - kTouch) &&
               within(a.second, b.second - a.second, top + kTouch, bottom - kTouch);
    }

    std::array<Spot, 4> corners() const {
        return {Spot{left, top}, Spot{right, top}, Spot{left, bottom}, Spot{right, bottom}};
    }
};

double distance(Spot a, Spot b) { return std::hypot(b.first - a.first, b.second - a.second); }

// The shortest way over corners (Dijkstra 1959); nothing where there is none.
std::optional<std::vector<Spot>> shortest(Spot start, Spot end, const std::vector<Walls>& walls) {
    std::vector<Spot> spots{start, end};
    for (const Walls& one : walls) {
        for (const Spot& corner : one.corners()) spots.push_back(corner);
    }
    std::vector<double> length(spots.size(), std::numeric_limits<double>::infinity());
    std::vector<std::size_t> before(spots.size(), 0);
    std::vector<bool> settled(spots.size(), false);
    length[0] = 0.0;
    for (;;) {
        std::size_t at = spots.size();
        for (std::size_t other = 0; other < spots.size(); ++other) {
            if (!settled[other] && std::isfinite(length[other]) &&
                (at == spots.size() || length[other] < length[at])) {
                at = other;
            }
        }
        if (at == spots.size()) return std::nullopt;
        if (at == 1) break;
        settled[at] = true;
        for (std::size_t next = 1; next < spots.size(); ++next) {
            const double reached = length[at] + distance(spots[at], spots[next]);
            if (settled[next] || reached >= length[next] - kTouch) continue;
            if (std::ranges::any_of(walls,
                                    [&](const Walls& one) { return one.stops(spots[at], spots[next]); }))
                continue;
            length[next] = reached;
            before[next] = at;
        }
    }
    std::vector<Spot> way;
    for (std::size_t at = 1; at != 0; at = before[at]) way.push_back(spots[at]);
    way.push_back(start);
    std::ranges::reverse(way);
    return way;
}

}  // namespace

std::vector<Spot> route_around(const std::vector<Box>& boxes, std::size_t from, std::size_t to, double clear,
                               std::size_t most) {
    if (from >= boxes.size() || to >= boxes.size())
        throw std::invalid_argument("a route joins two of the boxes that are given");
    const Spot start = boxes[from].center, end = boxes[to].center;
    std::vector<Walls> others;
    for (std::size_t at = 0; at < boxes.size(); ++at) {
        const auto& [center, size] = boxes[at];
        const double wide = size.first / 2 + clear, high = size.second / 2 + clear;
        const Walls walls{center.first - wide, center.second - high, center.first + wide,
                          center.second + high};
        if (at != from && at != to && !walls.holds(start) && !walls.holds(end)) others.push_back(walls);
    }
    // Only boxes in the way of the line found so far matter: a line that is shortest among fewer obstacles
    // and meets no other is shortest among all.
    std::vector<Walls> met;
    while (met.size() <= most) {
        std::ranges::sort(met);  // so that of two equally short lines none is chosen by its number
        const std::optional<std::vector<Spot>> way = shortest(start, end, met);
        if (!way) break;
        const auto hit = std::ranges::partition(others, [&](const Walls& one) {
            for (std::size_t at = 1; at < way->size(); ++at) {
                if (one.stops((*way)[at - 1], (*way)[at])) return false;
            }
            return true;
        });
        if (hit.empty()) return *way;
        met.insert(met.end(), hit.begin(), hit.end());
        others.erase(hit.begin(), hit.end());
    }
    return {start, end};
}

}  // namespace dagwright
