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

    // An empty function shows nothing.
    explicit BestNetwork(Show show) : show_(std::move(show)) {}

    // `parents` is called only where the network is shown.
    template <class Parents>
    void offer(double score, Parents&& parents) {
        if (!show_ || !(score > shown_)) return;
        const Clock::time_point now = Clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(500);
        shown_ = score;
        show_(score, parents());
    }

  private:
    using Clock = std::chrono::steady_clock;

    Show show_;
    double shown_ = -std::numeric_limits<double>::infinity();
    Clock::time_point next_ =
        Clock::now() + std::chrono::milliseconds(50);  // what is quicker needs no picture
};

// Offers to a listener that may be null.
template <class Parents>
void offer(BestNetwork* listener, double score, Parents&& parents) {
    if (listener) listener->offer(score, std::forward<Parents>(parents));
}

}  // namespace dagwright
