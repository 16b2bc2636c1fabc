// Threads for the length of one call: started on first use, joined before the call returns.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dagwright {

class Workers {
  public:
    // `waiting` is called now and then by the calling thread while it waits for its helpers.
    explicit Workers(unsigned threads, std::function<void()> waiting = {})
        : threads_(threads == 0 ? 1 : threads), waiting_(std::move(waiting)) {}
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    unsigned threads() const noexcept { return threads_; }

    // Calls task(i, worker) for i = 0..tasks-1, in any order, worker < threads(). The first exception is
    // rethrown when all have ended. Nested calls are not allowed.
    void run(std::size_t tasks, const std::function<void(std::size_t, unsigned)>& task);

  private:
    void start();
    void work(unsigned worker);
    void serve(unsigned worker);
    void fail();
    void wait_for_helpers();

    unsigned threads_;
    std::function<void()> waiting_;
    std::vector<std::thread> helpers_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::atomic<std::size_t> round_{0};
    bool closing_ = false;
    std::size_t idle_ = 0;
    const std::function<void(std::size_t, unsigned)>* task_ = nullptr;
    std::size_t tasks_ = 0;
    std::atomic<std::size_t> next_{0};
    std::exception_ptr failure_;
};

}  // namespace dagwright
