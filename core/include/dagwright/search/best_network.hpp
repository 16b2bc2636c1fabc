// The best network of a search so far, for whoever wants to see it improve.
#pragma once
#include <chrono>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "dagwright/base/varset.hpp"

namespace dagwright {

// Shows networks that a search offers, on the calling thread: each better than those before, and at most two
// a second.
class BestNetwork {
  public:
    using Show = std::function<void(double score, const std::vector<VarSet>& parents)>;

    // An empty function shows nothing. The first network is shown after `quiet` seconds, since what is
    // quicker needs no picture, and the next ones after `between` seconds each.
    BestNetwork(Show show, double quiet, double between)
        : show_(std::move(show)), between_(seconds(between)), next_(Clock::now() + seconds(quiet)) {}

    // `parents` is called only where the network is shown.
    template <class Parents>
    void offer(double score, Parents&& parents) {
        if (!show_ || !(score > shown_)) return;
        const Clock::time_point now = Clock::now();
        if (now < next_) return;
        next_ = now + between_;
        shown_ = score;
        show_(score, parents());
    }

  private:
    using Clock = std::chrono::steady_clock;

    static Clock::duration seconds(double count) {
        constexpr double most = 1e6;  // a clock counts no more than some hundred years
        return std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(std::min(count, most)));
    }

    Show show_;
    double shown_ = -std::numeric_limits<double>::infinity();
    Clock::duration between_;
    Clock::time_point next_;
};

// Offers to a listener that may be null.
template <class Parents>
void offer(BestNetwork* listener, double score, Parents&& parents) {
    if (listener) listener->offer(score, std::forward<Parents>(parents));
}

}  // namespace dagwright
