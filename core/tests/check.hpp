// The smallest test framework that names what failed: TEST("...") { CHECK(expression); }
#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace check {

struct Case {
    std::string name;
    std::function<void()> run;
};

std::vector<Case>& cases();
void report(bool passed, const char* expression, const char* file, int line);

struct Register {
    Register(std::string name, std::function<void()> run) {
        cases().push_back({std::move(name), std::move(run)});
    }
};

inline bool close(double a, double b, double tolerance) {
    return a == b || std::fabs(a - b) <= tolerance * (1.0 + std::fabs(a) + std::fabs(b));
}

}  // namespace check

#define CHECK_JOIN_(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN_(a, b)
#define TEST(name)                                                        \
    static void CHECK_JOIN(test_at_line_, __LINE__)();                    \
    static const check::Register CHECK_JOIN(register_at_line_, __LINE__)( \
        name, CHECK_JOIN(test_at_line_, __LINE__));                       \
    static void CHECK_JOIN(test_at_line_, __LINE__)()
#define CHECK(expression) check::report(static_cast<bool>(expression), #expression, __FILE__, __LINE__)
#define CHECK_CLOSE(a, b, tolerance) \
    check::report(check::close((a), (b), (tolerance)), #a " == " #b, __FILE__, __LINE__)
#define CHECK_THROWS(expression, type)                                          \
    do {                                                                        \
        bool threw = false;                                                     \
        try {                                                                   \
            (void)(expression);                                                 \
        } catch (const type&) {                                                 \
            threw = true;                                                       \
        }                                                                       \
        check::report(threw, #expression " throws " #type, __FILE__, __LINE__); \
    } while (false)
