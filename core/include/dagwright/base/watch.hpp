// Stop requests and progress within parallel loops: only the calling thread may speak with the outside.
#pragma once
#include <atomic>

#include "dagwright/base/control.hpp"

namespace dagwright {

class Watch {
  public:
    explicit Watch(Control& control, const char* unit = "steps", std::optional<std::uint64_t> total = {})
        : control_(control), unit_(unit), total_(total) {}

    Workers& workers() noexcept { return control_.workers(); }
    bool halted() const noexcept { return control_.halted(); }
    Stop stop() { return control_.should_stop(); }

    // One step is made; now and then the calling thread tells of it and asks whether to go on.
    void step(unsigned worker, const char* phase) {
        const std::size_t steps = steps_.fetch_add(1, std::memory_order_relaxed) + 1;
        if (worker != 0 || ++quiet_ < kQuiet) return;
        quiet_ = 0;
        control_.report({.phase = phase, .done = steps, .total = total_, .unit = unit_});
        control_.should_stop();
    }
    // Between two loops.
    void ask() { control_.should_stop(); }

  private:
    static constexpr unsigned kQuiet = 32;

    Control& control_;
    const char* unit_;
    std::optional<std::uint64_t> total_;
    std::atomic<std::size_t> steps_{0};
    unsigned quiet_ = 0;  // of the calling thread
};

}  // namespace dagwright
