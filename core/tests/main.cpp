#include <cstdio>
#include <exception>

#include "check.hpp"

namespace check {

std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

static int failures = 0;

void report(bool passed, const char* expression, const char* file, int line) {
    if (passed) return;
    ++failures;
    std::printf("%s:%d: failed: %s\n", file, line, expression);
}

}  // namespace check

int main() {
    int failed_cases = 0;
    for (const check::Case& test : check::cases()) {
        const int before = check::failures;
        try {
            test.run();
        } catch (const std::exception& error) {
            ++check::failures;
            std::printf("%s: threw %s\n", test.name.c_str(), error.what());
        }
        if (check::failures != before) {
            ++failed_cases;
            std::printf("FAILED  %s\n", test.name.c_str());
        }
    }
    std::printf("%zu passed, %d failed\n", check::cases().size() - static_cast<std::size_t>(failed_cases),
                failed_cases);
    return failed_cases == 0 ? 0 : 1;
}
