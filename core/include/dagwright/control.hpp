// How a long call is steered from outside: threads, deadline, cancel, progress.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "dagwright/workers.hpp"

namespace dagwright {

enum class Stop { none, deadline, cancelled };

class Control {
  public:
    using Clock = std::chrono::steady_clock;

    // `cancelled` is polled on the calling thread at most twenty times a second; `progress` likewise, with a
    // phase, the number of steps made and the best score so far. Both may be empty.
    explicit Control(unsigned threads = 1, std::optional<double> seconds = {},
                     std::function<bool()> cancelled = {},
                     std::function<void(const std::string&, std::size_t, double)> progress = {})
        : workers_(threads), cancelled_(std::move(cancelled)), progress_(std::move(progress)) {
        if (seconds)
            deadline_ = started_ +
                        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
    }

    Workers& workers() noexcept { return workers_; }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

    // Why to stop now, if at all. Once it says stop it keeps saying so.
    Stop should_stop() {
        if (stop_ != Stop::none) return stop_;
        const Clock::time_point now = Clock::now();
        if (deadline_ && now >= *deadline_) return stop_ = Stop::deadline;
        if (cancelled_ && now >= next_poll_) {
            next_poll_ = now + kInterval;
            if (cancelled_()) stop_ = Stop::cancelled;
        }
        return stop_;
    }

    void cancel() { stop_ = Stop::cancelled; }

    void report(const std::string& phase, std::size_t steps, double best) {
        if (!progress_) return;
        const Clock::time_point now = Clock::now();
        if (now < next_report_) return;
        next_report_ = now + kInterval;
        progress_(phase, steps, best);
    }

  private:
    static constexpr std::chrono::milliseconds kInterval{50};

    Workers workers_;
    Clock::time_point started_ = Clock::now();
    std::optional<Clock::time_point> deadline_;
    std::function<bool()> cancelled_;
    std::function<void(const std::string&, std::size_t, double)> progress_;
    Clock::time_point next_poll_{}, next_report_ = started_ + kInterval;
    Stop stop_ = Stop::none;
};

}  // namespace dagwright
