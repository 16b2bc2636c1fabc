// Answers of independence tests as Python sees them.
#pragma once
#include <vector>

#include "dagwright/independence/independence_test.hpp"

struct Answers {
    explicit Answers(std::size_t size = 0) : all(size) {}
    std::vector<dagwright::Answer> all;
};
