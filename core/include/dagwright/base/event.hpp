// How far a long call is: one meaning per field, so that nothing but a score is shown as one.
#pragma once
#include <cstdint>
#include <optional>

namespace dagwright {

struct Event {
    const char* phase = "";  // what is being done; lives as long as the call that tells of it
    std::uint64_t done = 0;
    std::optional<std::uint64_t> total = {};  // at the end of the phase, where that is known
    const char* unit = "steps";               // what is counted
    std::optional<double> best = {};          // the score of the best network so far
    std::optional<double> bound = {};         // no network scores more
};

}  // namespace dagwright
