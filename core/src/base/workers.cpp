#include "dagwright/base/workers.hpp"

#include <chrono>
#include <system_error>

namespace dagwright {

namespace {

constexpr std::chrono::milliseconds kLook{20};  // between two calls while waiting

}  // namespace

Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        round_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

// With fewer threads than were asked for where the system gives no more: answers do not depend on them.
void Workers::start() {
    helpers_.reserve(threads_ - 1);
    try {
        for (unsigned worker = 1; worker < threads_; ++worker)
            helpers_.emplace_back([this, worker] { serve(worker); });
    } catch (const std::system_error&) {
    }
}

void Workers::work(unsigned worker) {
    for (std::size_t i = next_.fetch_add(1); i < tasks_; i = next_.fetch_add(1)) {
        try {
            (*task_)(i, worker);
        } catch (...) {
            fail();
        }
    }
}

// Keeps the first exception; the tasks that are left are not begun.
void Workers::fail() {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    next_.store(tasks_);
}

void Workers::wait_for_helpers() {
    const auto idle = [this] { return idle_ == helpers_.size(); };
    std::unique_lock lock(mutex_);
    if (!waiting_) return done_.wait(lock, idle);
    while (!done_.wait_for(lock, kLook, idle)) {
        lock.unlock();
        try {
            waiting_();
        } catch (...) {
            fail();
        }
        lock.lock();
    }
}

void Workers::serve(unsigned worker) {
    std::size_t seen = 0;
    for (;;) {
        // A search sends batch after batch: look a little while before going to sleep.
        for (int spin = 0; spin < 64 && round_.load(std::memory_order_acquire) == seen; ++spin)
            std::this_thread::yield();
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return round_.load(std::memory_order_acquire) != seen; });
            seen = round_.load(std::memory_order_acquire);
            if (closing_) return;
        }
        work(worker);
        {
            const std::lock_guard lock(mutex_);
            ++idle_;
        }
        done_.notify_one();
    }
}

void Workers::run(std::size_t tasks, const std::function<void(std::size_t, unsigned)>& task) {
    if (threads_ == 1 || tasks <= 1) {
        for (std::size_t i = 0; i < tasks; ++i) task(i, 0);
        return;
    }
    if (helpers_.empty()) start();
    {
        const std::lock_guard lock(mutex_);
        task_ = &task;
        tasks_ = tasks;
        next_.store(0);
        idle_ = 0;
        failure_ = nullptr;
        round_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    work(0);
    wait_for_helpers();
    if (failure_) std::rethrow_exception(failure_);
}

}  // namespace dagwright
