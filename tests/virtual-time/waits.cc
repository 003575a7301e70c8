// SPDX-License-Identifier: Apache-2.0
// All ways of C++20 to wait. After each it says how many milliseconds have passed since its beginning.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <vector>

using namespace std::chrono;
using namespace std::chrono_literals;

static const auto s_begin = steady_clock::now();

static void lap(const char *what)
{
    std::printf("%s %lld\n", what,
                static_cast<long long>(duration_cast<microseconds>(steady_clock::now() - s_begin).count()));
}

static void sleeps()
{
    std::this_thread::sleep_for(2s);
    lap("sleep_for");
    std::this_thread::sleep_until(system_clock::now() + 3s);
    lap("sleep_until");
}

static void conditions()
{
    std::mutex m;
    std::condition_variable cv;
    std::condition_variable_any any;
    bool go = false;
    std::unique_lock lock(m);
    cv.wait_for(lock, 5s);
    lap("condition_variable::wait_for");
    cv.wait_until(lock, system_clock::now() + 4s);
    lap("condition_variable::wait_until");
    any.wait_for(lock, 1s);
    lap("condition_variable_any::wait_for");
    std::jthread other([&] {
        std::this_thread::sleep_for(1s);
        const std::lock_guard guard(m);
        go = true;
        cv.notify_one();
    });
    cv.wait(lock, [&] { return go; });
    lap("notify_one");
}

static void futures()
{
    auto result = std::async(std::launch::async, [] {
        std::this_thread::sleep_for(7s);
        return 3;
    });
    std::printf("%d\n", result.wait_for(2s) == std::future_status::timeout);
    lap("future::wait_for");
    std::printf("%d\n", result.get());
    lap("future::get");
}

static void atomics()
{
    std::atomic<int> word{0};
    std::counting_semaphore<10> semaphore(0);
    std::latch latch(2);
    std::barrier barrier(2);
    std::jthread other([&] {
        std::this_thread::sleep_for(1s);
        word = 1;
        word.notify_all();
        std::this_thread::sleep_for(4s);
        semaphore.release();
        std::this_thread::sleep_for(1s);
        latch.count_down();
        std::this_thread::sleep_for(1s);
        barrier.arrive_and_wait();
    });
    word.wait(0);
    lap("atomic::wait");
    std::printf("%d\n", semaphore.try_acquire_for(3s));
    lap("try_acquire_for");
    semaphore.acquire();
    lap("acquire");
    latch.arrive_and_wait();
    lap("latch");
    barrier.arrive_and_wait();
    lap("barrier");
}

static void mutexes()
{
    std::timed_mutex timed;
    std::shared_mutex shared;
    std::mutex m;
    timed.lock();
    std::jthread([&] { std::printf("%d\n", timed.try_lock_for(2s)); }).join();
    lap("timed_mutex");
    std::jthread holder([&] {
        const std::unique_lock writes(shared);
        const std::lock_guard guard(m);
        std::this_thread::sleep_for(3s);
    });
    std::this_thread::sleep_for(1s);
    {
        const std::shared_lock reads(shared);
    }
    lap("shared_mutex");
    {
        const std::lock_guard guard(m);
    }
    lap("mutex");
}

static void many()
{
    std::vector<std::jthread> threads;
    std::mutex m;
    long sum = 0;
    for (int i = 0; i < 100; i++) {
        threads.emplace_back([&, i] {
            std::this_thread::sleep_for(milliseconds(10 * i));
            const std::lock_guard guard(m);
            sum += i;
        });
    }
    threads.clear();
    std::printf("%ld\n", sum);
    lap("100 threads");
    const auto end = steady_clock::now() + 2s;
    while (steady_clock::now() < end) {
    }
    std::printf("%d\n", steady_clock::now() - end < 1ms);
}

int main()
{
    sleeps();
    conditions();
    futures();
    atomics();
    mutexes();
    many();
}
