// How a long call is steered from outside: threads, deadline, cancel, progress.
#pragma once
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>

#include "dagwright/base/cancel_token.hpp"
#include "dagwright/base/event.hpp"
#include "dagwright/base/workers.hpp"

namespace dagwright {

enum class Stop { none, deadline, cancelled };

class Control {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr double kInterval = 0.05;  // seconds between two events, and two looks at the outside

    // `listen` is called on the calling thread at most twenty times a second, also while it waits for its
    // helpers; it may cancel the token. `progress` is called likewise, at most once in `interval` seconds,
    // with what `report` was told. Each of the three may be empty.
    explicit Control(unsigned threads = 1, std::optional<double> seconds = {},
                     std::shared_ptr<CancelToken> cancel = {}, std::function<void()> listen = {},
                     std::function<void(const Event&)> progress = {}, double interval = kInterval)
        : workers_(threads, [this] { should_stop(); }),
          cancel_(cancel ? std::move(cancel) : std::make_shared<CancelToken>()),
          listen_(std::move(listen)),
          progress_(std::move(progress)),
          interval_(ticks(interval)),
          next_report_(started_ + interval_) {
        if (seconds && *seconds < kNever) deadline_ = started_ + ticks(*seconds);
    }
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

    Workers& workers() noexcept { return workers_; }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

    // Why to stop now, if at all; for the calling thread. Once it says stop it keeps saying so.
    Stop should_stop() {
        if (stop_ != Stop::none) return stop_;
        const Clock::time_point now = Clock::now();
        if (listen_ && now >= next_poll_) {
            next_poll_ = now + ticks(kInterval);
            listen_();
        }
        if (cancel_->cancelled())
            stop_ = Stop::cancelled;
        else if (deadline_ && now >= *deadline_)
            stop_ = Stop::deadline;
        if (stop_ != Stop::none) halted_.store(true, std::memory_order_relaxed);
        return stop_;
    }
    // Whether to stop; for every thread.
    bool halted() const noexcept { return cancel_->cancelled() || halted_.load(std::memory_order_relaxed); }

    void cancel() { cancel_->cancel(); }

    // Tells whoever listens; numbers that are not finite stand for none.
    void report(Event event) {
        if (!progress_) return;
        const Clock::time_point now = Clock::now();
        if (now < next_report_) return;
        next_report_ = now + interval_;
        for (std::optional<double>* number : {&event.best, &event.bound})
            if (*number && !std::isfinite(**number)) number->reset();
        progress_(event);
    }

  private:
    static Clock::duration ticks(double seconds) {
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    static constexpr double kNever = 1e9;  // seconds; larger limits would overflow the clock

    Workers workers_;
    Clock::time_point started_ = Clock::now();
    std::optional<Clock::time_point> deadline_;
    std::shared_ptr<CancelToken> cancel_;
    std::function<void()> listen_;
    std::function<void(const Event&)> progress_;
    Clock::duration interval_;
    Clock::time_point next_poll_{}, next_report_;
    Stop stop_ = Stop::none;
    std::atomic<bool> halted_{false};
};

}  // namespace dagwright
