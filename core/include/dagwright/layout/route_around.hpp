// A line between two boxes that goes around all others.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace dagwright {

using Spot = std::pair<double, double>;

struct Box {
    Spot center;
    Spot size;  // width and height
};

// The shortest line from the center of one box to that of another that keeps `clear` pixels away from all
// other boxes, as the spots where it starts, bends and ends. Boxes so near that they hold one of the two
// centers are no obstacle. Straight where no such line is found among the `most` boxes first met.
// Throws std::invalid_argument where a number is not that of a box.
std::vector<Spot> route_around(const std::vector<Box>& boxes, std::size_t from, std::size_t to, double clear,
                               std::size_t most);

}  // namespace dagwright
